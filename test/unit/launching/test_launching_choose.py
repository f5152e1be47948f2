"""Which device is chosen, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from machines import NO_DRIVER, Machine, a100, b200, h200, t4
from tcgen05_mlir.launching import Choice, choose
from tcgen05_mlir.model.capability import chip_of
from tcgen05_mlir.runtime import Device, DriverMissing


@pytest.mark.parametrize(
    ("found", "clusters", "choice"),
    [
        ([], False, f"simulator ({NO_DRIVER})"),
        ([b200()], True, "native (GPU 0, NVIDIA B200, sm_100, has tcgen05)"),
        ([h200(), b200(1)], False, "native (GPU 1, NVIDIA B200, sm_100, has tcgen05)"),
        ([h200(), h200(1)], True, "emulate (GPU 0, NVIDIA H200, sm_90, has no tcgen05)"),
        ([t4(), a100(1)], False, "emulate (GPU 1, NVIDIA A100, sm_80, has no tcgen05)"),
        ([a100(), h200(1)], True, "emulate (GPU 1, NVIDIA H200, sm_90, has no tcgen05)"),
        (
            [a100()],
            True,
            "simulator (the kernel's clusters need sm_90 or later; GPU 0, NVIDIA A100, sm_80)",
        ),
        ([t4()], False, "simulator (emulation needs sm_80 or later; GPU 0, Tesla T4, sm_75)"),
    ],
)
def test_auto_is_the_best_there_is(
    machine: Machine, found: Sequence[Device], clusters: bool, choice: str
) -> None:
    machine(*found)
    assert str(choose(clusters=clusters)) == choice


def test_options_of_the_simulator_choose_it(machine: Machine) -> None:
    machine(b200())
    assert str(choose(simulator_options=["seed"])) == "simulator (only it has 'seed')"
    assert str(choose(simulator_options=["seed", "allow"])) == (
        "simulator (only it has 'seed' and 'allow')"
    )


def test_one_gpu_of_several(machine: Machine) -> None:
    machine(b200(), h200(1), t4(2))
    assert str(choose(gpu=0)) == "native (GPU 0, NVIDIA B200, sm_100, has tcgen05)"
    assert str(choose(gpu=1)) == "emulate (GPU 1, NVIDIA H200, sm_90, has no tcgen05)"
    assert choose(gpu=2).device == "simulator"
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (the message is what is tested)
        choose(gpu=3)
    assert str(caught.value) == (
        "'gpu' 3 is not there; there is GPU 0, NVIDIA B200, sm_100; GPU 1, NVIDIA H200, sm_90; "
        "GPU 2, Tesla T4, sm_75"
    )


def test_what_is_asked_for(machine: Machine) -> None:
    machine(h200(), b200(1))
    assert str(choose("simulator")) == "simulator (as asked)"
    assert str(choose("native")) == "native (GPU 1, NVIDIA B200, sm_100, has tcgen05)"
    assert str(choose("emulate")) == "emulate (GPU 0, NVIDIA H200, sm_90, has no tcgen05)"
    assert str(choose("emulate", gpu=1)) == "emulate (GPU 1, NVIDIA B200, sm_100)"


@pytest.mark.parametrize(
    ("found", "options", "message"),
    [
        (
            [],
            {"device": "cuda"},
            "'device' must be one of auto, native, emulate, simulator, got 'cuda'",
        ),
        (
            [h200()],
            {"device": "native"},
            "device 'native' needs a GPU with tcgen05; GPU 0, NVIDIA H200, sm_90, has none: "
            "'emulate' runs kernels there",
        ),
        (
            [t4()],
            {"device": "emulate"},
            "device 'emulate' cannot be had: emulation needs sm_80 or later; GPU 0, Tesla T4, "
            "sm_75",
        ),
        (
            [a100()],
            {"device": "emulate", "clusters": True},
            "device 'emulate' cannot be had: the kernel's clusters need sm_90 or later; GPU 0, "
            "NVIDIA A100, sm_80",
        ),
        (
            [h200()],
            {"device": "emulate", "simulator_options": ["seed"]},
            "only the simulator has 'seed', got device 'emulate'",
        ),
        (
            [h200()],
            {"gpu": 0, "simulator_options": ["allow"]},
            "only the simulator has 'allow', got 'gpu' 0",
        ),
        (
            [h200()],
            {"device": "simulator", "gpu": 0},
            "the simulator has no GPUs, got 'gpu' 0",
        ),
    ],
)
def test_what_cannot_be_had(
    machine: Machine, found: Sequence[Device], options: dict, message: str
) -> None:
    machine(*found)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        choose(**options)
    assert str(caught.value) == message


@pytest.mark.parametrize("options", [{"device": "native"}, {"device": "emulate"}, {"gpu": 0}])
def test_a_gpu_where_there_is_none(machine: Machine, options: dict) -> None:
    machine()
    with pytest.raises(DriverMissing) as caught:
        choose(**options)
    assert str(caught.value) == NO_DRIVER


@pytest.mark.parametrize(
    ("capability", "chip"),
    [
        ((7, 5), "sm_75"),
        ((8, 0), "sm_80"),
        ((8, 6), "sm_86"),
        ((8, 9), "sm_89"),
        ((9, 0), "sm_90a"),
        ((10, 0), "sm_100a"),
        ((10, 1), "sm_101a"),
        ((10, 3), "sm_103a"),
        ((10, 7), "sm_103"),
        ((11, 0), "sm_110a"),
        ((12, 0), "sm_120a"),
        ((12, 1), "sm_121a"),
        ((12, 5), "sm_121"),
        ((14, 0), "sm_121"),
    ],
)
def test_the_chip_of_a_gpu(capability: tuple[int, int], chip: str) -> None:
    assert chip_of(capability) == chip


def test_a_gpu_before_all_chips() -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        chip_of((7, 0))
    assert str(caught.value) == "there is no chip for compute capability 7.0: sm_75 is the first"


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        (
            ("native", "x"),
            ValueError,
            "device 'native' wants a Device as 'gpu', got None",
        ),
        (
            ("emulate", "x"),
            ValueError,
            "device 'emulate' wants a Device as 'gpu', got None",
        ),
        (
            ("auto", "x"),
            ValueError,
            "'device' must be one of native, emulate, simulator, got 'auto'",
        ),
        ((5, "x"), TypeError, "'device' must be a str, got int 5"),
        (("simulator", None), TypeError, "'reason' must be a str, got NoneType None"),
        (
            ("native", "x", 0),
            TypeError,
            "'gpu' must be a Device of tcgen05_mlir.runtime or None, got int 0",
        ),
    ],
)
def test_a_choice_that_is_none(fields: tuple, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        Choice(*fields)
    assert str(caught.value) == message


def test_the_simulator_has_no_gpu() -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        Choice("simulator", "x", h200())
    assert str(caught.value) == (
        "device 'simulator' wants no GPU, got device 0 (NVIDIA H200, sm_90)"
    )


@pytest.mark.parametrize("device", [5, None, Choice("simulator", "as asked")])
def test_a_device_of_another_kind(device: Any) -> None:
    with pytest.raises(TypeError) as caught:
        choose(device)
    assert str(caught.value) == f"'device' must be a str, got {type(device).__name__} {device!r}"
