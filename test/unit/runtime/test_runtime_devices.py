"""The GPUs of a machine: described, absent, chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from model_driver import ModelDriver, model_gpu
from scenarios import kernels
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import Device, DriverMissing
from tcgen05_mlir.runtime.driver import Answer, using
from whole import whole

DATA = Path(__file__).parents[2] / "data/driver"


def test_a_gpu_is_described(gpu: ModelDriver) -> None:
    wanted = Device(
        ordinal=0,
        name="Model GPU",
        capability=(9, 0),
        driver_version=(13, 0),
        multiprocessors=132,
        memory=1 << 30,
        shared_per_block=49152,
        shared_per_block_optin=232448,
        clusters=True,
    )
    assert runtime.devices() == (wanted,)
    assert runtime.why_no_device() == ""
    assert (wanted.chip, wanted.has_tcgen05) == ("sm_90", False)
    assert str(wanted) == "device 0 (Model GPU, sm_90)"
    # Asking makes no context, which would take memory.
    assert gpu.live["context"] == 0
    assert gpu.calls["cuInit"] == 1


class NoDevice:
    """A driver without a GPU: it fails at once, or counts none."""

    def __init__(self, fails: bool) -> None:
        self.fails = fails

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        if self.fails:
            return Answer("CUDA_ERROR_NO_DEVICE", None, "no CUDA-capable device is detected")
        return Answer(value=0 if name == "cuDeviceGetCount" else None)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("fails", "reason"),
    [
        (
            True,
            "starting the CUDA driver: cuInit failed with CUDA_ERROR_NO_DEVICE (no CUDA-capable "
            "device is detected)",
        ),
        (False, "the CUDA driver knows no GPU"),
    ],
)
def test_no_gpu_and_why(fails: bool, reason: str) -> None:
    with using(NoDevice(fails)):
        assert runtime.devices() == ()
        assert runtime.why_no_device() == reason
        with pytest.raises(DriverMissing, match=whole(reason)):
            runtime.load(kernels(DATA))


@pytest.mark.parametrize("number", [1, -1])
def test_a_gpu_that_is_not_there(gpu: ModelDriver, number: int) -> None:
    message = f"'device' must be in 0..0, the GPUs there are, got {number}"
    with pytest.raises(ValueError, match=whole(message)):
        runtime.load(kernels(DATA), device=number)


@pytest.mark.parametrize("what", ["0", 0.0, True, None])
def test_what_is_no_number_of_a_gpu(gpu: ModelDriver, what: Any) -> None:
    with pytest.raises(
        TypeError, match=whole(f"'device' must be the number of a GPU, got {what!r}")
    ):
        runtime.load(kernels(DATA), device=what)


def test_a_device_is_taken_for_its_number(gpu: ModelDriver) -> None:
    (found,) = runtime.devices()
    with runtime.load(kernels(DATA), found) as module:
        assert module.device == found


def test_a_gpu_with_tcgen05_runs_its_code() -> None:
    blackwell = model_gpu()
    blackwell.attributes["COMPUTE_CAPABILITY_MAJOR"] = 10
    with using(blackwell):
        (found,) = runtime.devices()
        assert (found.chip, found.has_tcgen05) == ("sm_100", True)
        with runtime.load(kernels(DATA, "native.cubin")) as module:
            assert module.artifact.manifest.chip == "sm_100a"
