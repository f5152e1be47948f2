"""What goes to cuda-bindings and what comes from it, against a stand-in that notes it."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from fake_bindings import CUfunction_attribute, CUresult, FakeApi
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import DriverMissing, bindings
from tcgen05_mlir.runtime.bindings import Bindings
from tcgen05_mlir.runtime.driver import Answer
from whole import whole


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> FakeApi:
    api = FakeApi()
    monkeypatch.setattr(bindings, "_import", lambda: api)
    return api


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("cuDeviceGetName", (0,), "NVIDIA H200"),
        ("cuDeviceGetAttribute", ("CLUSTER_LAUNCH", 0), 120),
        ("cuFuncGetAttribute", ("NUM_REGS", 1), 4),
        ("cuModuleGetFunction", (0x1000, "copy"), 0x1004),
        ("cuModuleGetGlobal", (0x1000, "name"), (0x1004, 32)),
        ("cuMemAlloc", (16,), 0x7010),
        ("cuMemGetInfo", (), (5, 10)),
        ("cuEventElapsedTime", (1, 2), 0.5),
        ("cuModuleLoadDataEx", (b"code\0", 8192), 0x5000),
    ],
)
def test_values_are_plain(api: FakeApi, name: str, arguments: Any, value: Any) -> None:
    assert Bindings().invoke(name, arguments) == Answer(value=value)


def test_an_error_has_its_name_and_meaning(api: FakeApi) -> None:
    api.error = CUresult.CUDA_ERROR_LAUNCH_FAILED
    answer = Bindings().invoke("cuMemAlloc", (16,))
    assert answer == Answer("CUDA_ERROR_LAUNCH_FAILED", None, "meaning of 719")


def test_an_error_that_cuda_bindings_does_not_know(api: FakeApi) -> None:
    answer = Bindings().invoke("cuInit", (0,))
    assert answer == Answer("CUDA error 999", None, "unknown to cuda-bindings")


def test_attributes_are_set_by_name(api: FakeApi) -> None:
    Bindings().invoke("cuFuncSetAttribute", (5, "MAX_DYNAMIC_SHARED_SIZE_BYTES", 4096))
    wanted = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    assert api.calls == [(5, wanted, 4096)]


@pytest.mark.parametrize(
    ("logs", "text", "cut"),
    [
        ((b"", b""), "", False),
        ((b"line 9; error\n", b""), "line 9; error", False),
        ((b"", b"info\n\n"), "info", False),
        ((b"error", b"info"), "error\ninfo", False),
        ((b"\xff", b""), "\N{REPLACEMENT CHARACTER}", False),
        ((b"x" * 5000, b""), "x" * 1023, True),
        ((b"", b"y" * 1000), "y" * 1000, True),
    ],
)
def test_d01_logs_end_where_their_text_ends(
    api: FakeApi, logs: tuple[bytes, bytes], text: str, cut: bool
) -> None:
    api.error, api.logs = CUresult.CUDA_ERROR_INVALID_PTX, logs
    answer = Bindings().invoke("cuModuleLoadDataEx", (b"code\0", 1024))
    assert (answer.log, answer.cut) == (text, cut)
    assert answer.error == "CUDA_ERROR_INVALID_PTX"


def test_memory_there_and_back(api: FakeApi) -> None:
    backend = Bindings()
    frozen = np.arange(4, dtype=np.uint8)
    frozen.flags.writeable = False
    backend.invoke("cuMemcpyHtoD", (0x100, frozen))
    backend.invoke("cuMemcpyHtoD", (0x200, b"abc"))
    assert api.calls == [(0x100, b"\0\1\2\3"), (0x200, b"abc")]
    answer = backend.invoke("cuMemcpyDtoH", (0x100, 5))
    assert answer.value.tolist() == [7] * 5


def test_memory_of_the_host(api: FakeApi) -> None:
    backend = Bindings()
    assert backend.invoke("cuMemHostAlloc", (128, "DEVICEMAP", "PORTABLE")).value == 0x9000
    assert api.calls == [(128, 3)]
    memory = ctypes.create_string_buffer(4)
    address = ctypes.addressof(memory)
    assert backend.invoke("write_host", (address, b"ab")) == Answer()
    assert backend.invoke("read_host", (address, 4)).value == b"ab\0\0"


@pytest.mark.parametrize("cluster", [None, (2, 1, 1)])
def test_d03_a_launch_has_its_attributes_and_their_count(api: FakeApi, cluster: Any) -> None:
    sizes = (4, 2, 1), (128, 1, 1), cluster, 1024
    address, flag = (0x1234).to_bytes(8, "little"), b"\1"
    answer = Bindings().invoke("cuLaunchKernelEx", (0x77, *sizes, (address, flag)))
    assert answer == Answer(value=cluster)
    ((config, function, values, extra),) = api.calls
    assert (function, values, extra) == (0x77, (address, flag), 0)
    assert (config.gridDimX, config.gridDimY, config.gridDimZ) == (4, 2, 1)
    assert (config.blockDimX, config.blockDimY, config.blockDimZ) == (128, 1, 1)
    assert config.sharedMemBytes == 1024
    assert config.numAttrs == len(config.attrs) == (cluster is not None)
    for attribute in config.attrs:
        assert attribute.id.name == "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION"
        size = attribute.value.clusterDim
        assert (size.x, size.y, size.z) == cluster
    assert Bindings().invoke("cuOccupancyMaxActiveClusters", (0x77, *sizes)).value == 66
    assert api.calls[1][1].numAttrs == config.numAttrs


def test_no_driver(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise RuntimeError("Failed to dlopen libcuda.so.1\nmore")

    monkeypatch.setattr(api, "cuDriverGetVersion", fails)
    with pytest.raises(DriverMissing, match=whole("no CUDA driver: Failed to dlopen libcuda.so.1")):
        Bindings()


def test_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    message = "cuda-bindings is not installed: pip install 'tcgen05-mlir[cuda]'"
    with pytest.raises(DriverMissing, match=whole(message)):
        Bindings()


def test_this_machine_has_gpus_or_says_why_not() -> None:
    """The real thing, whatever there is."""
    code = (
        "from tcgen05_mlir import runtime\nprint(len(runtime.devices()), runtime.why_no_device())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, _, reason = done.stdout.strip().partition(" ")
    reasons = (
        "cuda-bindings is not installed: pip install 'tcgen05-mlir[cuda]'",
        "no CUDA driver: ",
        "starting the CUDA driver: cuInit failed with CUDA_ERROR_",
        "the CUDA driver knows no GPU",
    )
    assert reason == "" if int(count) else reason.startswith(reasons)


CALLS: dict[str, tuple[Any, ...]] = {
    "cuCtxPopCurrent": (),
    "cuCtxPushCurrent": (0x1000,),
    "cuDeviceGet": (0,),
    "cuDeviceGetAttribute": ("CLUSTER_LAUNCH", 0),
    "cuDeviceGetCount": (),
    "cuDeviceGetName": (0,),
    "cuDevicePrimaryCtxRelease": (0,),
    "cuDevicePrimaryCtxRetain": (0,),
    "cuDeviceTotalMem": (0,),
    "cuDriverGetVersion": (),
    "cuEventCreate": (0,),
    "cuEventDestroy": (0x1000,),
    "cuEventElapsedTime": (0x1000, 0x2000),
    "cuEventRecord": (0x1000, 0),
    "cuEventSynchronize": (0x1000,),
    "cuFuncGetAttribute": ("MAX_THREADS_PER_BLOCK", 0x1000),
    "cuFuncSetAttribute": (0x1000, "NON_PORTABLE_CLUSTER_SIZE_ALLOWED", 1),
    "cuInit": (0,),
    "cuLaunchKernelEx": (0x1000, (2, 1, 1), (32, 1, 1), (2, 1, 1), 0, (b"12345678", b"1")),
    "cuMemAlloc": (16,),
    "cuMemFree": (0x1000,),
    "cuMemFreeHost": (0x1000,),
    "cuMemGetInfo": (),
    "cuMemHostAlloc": (128, "DEVICEMAP", "PORTABLE"),
    "cuMemHostGetDevicePointer": (0x1000, 0),
    "cuMemcpyDtoH": (0x1000, 16),
    "cuMemcpyHtoD": (0x1000, b"abc"),
    "cuMemsetD32": (0x1000, 0xFFBADBAD, 4),
    "cuMemsetD8": (0x1000, 0, 4),
    "cuModuleGetFunction": (0x1000, "copy"),
    "cuModuleGetGlobal": (0x1000, "name"),
    "cuModuleLoadDataEx": (b"code\0", 8192),
    "cuModuleUnload": (0x1000,),
    "cuOccupancyMaxActiveClusters": (0x1000, (2, 1, 1), (32, 1, 1), (2, 1, 1), 0),
    "cuStreamSynchronize": (0,),
}
"""Every call that the runtime makes, with arguments of the kinds that it has."""


def test_these_are_all_calls() -> None:
    from model_driver import ModelDriver

    of_the_model = {name for name in vars(ModelDriver) if name.startswith("cu")}
    assert of_the_model == set(CALLS)


def test_the_installed_cuda_bindings_takes_these_arguments() -> None:
    """Without a driver each call fails, but behind the conversion of its arguments."""
    driver = pytest.importorskip("cuda.bindings.driver", reason="needs cuda-bindings")

    if runtime.devices():  # There the same calls would be made.
        return
    backend = Bindings.__new__(Bindings)
    backend._api = driver
    for name, arguments in CALLS.items():
        with pytest.raises(RuntimeError):
            backend.invoke(name, arguments)
