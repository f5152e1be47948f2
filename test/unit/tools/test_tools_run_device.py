"""`tcgen05 run --device`: what is chosen and said, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tcgen05_mlir import runtime
from tcgen05_mlir.launching import gpus
from tcgen05_mlir.tools import main

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
ARGUMENTS = ["--arg=range:128x4xi32", "--arg=new:128x4xi32", "--equal=1:0"]
B200 = runtime.Device(0, "NVIDIA B200", (10, 0), (13, 0), 148, 1 << 37, 49152, 232448, True)
EQUAL = "argument 1 equals argument 0 as given: 128x4xi32\n"


@pytest.fixture(autouse=True)
def _no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpus, "devices", lambda: ())
    monkeypatch.setattr(gpus, "why_none", lambda: "no CUDA driver: libcuda.so.1 was not found")


def tcgen05(capfd: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str, str]:
    code = main.main(["run", str(EXAMPLE), *ARGUMENTS, *flags])
    return code, *capfd.readouterr()


def test_auto_says_which_and_why(capfd: pytest.CaptureFixture[str]) -> None:
    why = "device: simulator (no CUDA driver: libcuda.so.1 was not found)\n"
    assert tcgen05(capfd) == (0, "", why + EQUAL)
    assert tcgen05(capfd, "--device=auto") == (0, "", why + EQUAL)


def test_what_was_asked_for_is_not_repeated(capfd: pytest.CaptureFixture[str]) -> None:
    assert tcgen05(capfd, "--device=simulator", "--seed=0") == (0, "", EQUAL)


def test_options_of_the_simulator_choose_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpus, "devices", lambda: (B200,))
    assert tcgen05(capfd, "--seed=0") == (0, "", f"device: simulator (only it has 'seed')\n{EQUAL}")
    assert tcgen05(capfd, "--allow=P3", "--seed=1") == (
        0,
        "",
        f"device: simulator (only it has 'seed' and 'allow')\n{EQUAL}",
    )


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--device=native", "--seed=0"],
            "argument --seed: only the simulator has it, got --device native",
        ),
        (
            ["--device=emulate", "--allow=P3"],
            "argument --allow: only the simulator has it, got --device emulate",
        ),
        (["--gpu=1", "--seed=2"], "argument --seed: only the simulator has it, got --gpu 1"),
        (["--gpu=0", "--device=simulator"], "argument --gpu: the simulator has no GPUs"),
    ],
)
def test_wrong_usage(capfd: pytest.CaptureFixture[str], flags: list[str], message: str) -> None:
    with pytest.raises(SystemExit) as caught:
        tcgen05(capfd, *flags)
    assert caught.value.code == 2
    assert capfd.readouterr() == ("", f"tcgen05: error: {message}\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            runtime.EmulationError("k.mlir:3:5: 'nvvm.tcgen05.cp' op is wrong [F4]", "E", "c"),
            "k.mlir:3:5: error: 'nvvm.tcgen05.cp' op is wrong [F4]\n",
        ),
        (
            runtime.CudaError(
                "loading: cuX failed with CUDA_ERROR_Y", "CUDA_ERROR_Y", "cuX", "log"
            ),
            "tcgen05: error: loading: cuX failed with CUDA_ERROR_Y\nlog\n",
        ),
        (
            ValueError("'smem' must be at most 0, got 1"),
            "tcgen05: error: 'smem' must be at most 0, got 1\n",
        ),
    ],
)
def test_what_a_gpu_says(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    message: str,
) -> None:
    def load(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(gpus, "devices", lambda: (B200,))
    monkeypatch.setattr(runtime, "load", load)
    chosen = "device: native (GPU 0, NVIDIA B200, sm_100, has tcgen05)\n"
    assert tcgen05(capfd) == (1, "", chosen + message)
    assert tcgen05(capfd, "--device=native") == (1, "", message)


@pytest.mark.parametrize("flags", [["--device=emulate"], ["--device=native"], ["--gpu=0"]])
def test_a_gpu_where_there_is_none(capfd: pytest.CaptureFixture[str], flags: list[str]) -> None:
    message = "tcgen05: error: no CUDA driver: libcuda.so.1 was not found\n"
    assert tcgen05(capfd, *flags) == (1, "", message)
