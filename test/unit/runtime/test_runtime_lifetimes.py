"""Who gives what back, when: closed, forgotten, at the end of the process, in any thread."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from model_driver import KERNELS, Failure, Grid, ModelDriver, model_gpu
from scenarios import kernels, words
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.driver import using
from whole import whole

DATA = Path(__file__).parents[2] / "data/driver"
LAUNCHES = 10_000


def live(gpu: ModelDriver) -> dict[str, int]:
    return {kind: count for kind, count in gpu.live.items() if count}


@pytest.mark.parametrize("name", ["kernels.ptx", "emulated.ptx"])
def test_10000_launches_leave_nothing_behind(gpu: ModelDriver, name: str) -> None:
    with runtime.load(kernels(DATA, name)) as module:
        emulated = name == "emulated.ptx"
        kernel = module.kernel("columns" if emulated else "copy")
        a = np.zeros((3, 32, 2), np.int32) if emulated else words(256)
        arguments = (0, a) if emulated else (a, a)
        kernel.launch(*arguments, grid=1)
        before, handles, calls = live(gpu), len(gpu.handles), sum(gpu.calls.values())
        kernel.launch(*arguments, grid=1)
        each = sum(gpu.calls.values()) - calls
        for _ in range(LAUNCHES):
            kernel.launch(*arguments, grid=1)
            gpu.launches.clear()
        assert sum(gpu.calls.values()) == calls + each * (LAUNCHES + 1)
        assert live(gpu) == before == {"context": 1, "module": 1}
        assert len(gpu.handles) == handles
    assert live(gpu) == {"context": 1}


def test_loading_again_and_again(gpu: ModelDriver) -> None:
    for _ in range(100):
        with runtime.load(kernels(DATA)) as module:
            module.kernel("copy")
    assert live(gpu) == {"context": 1}
    assert gpu.calls["cuDevicePrimaryCtxRetain"] == 1


def test_what_is_forgotten_is_given_back(gpu: ModelDriver) -> None:
    module = runtime.load(kernels(DATA))
    launch = module.kernel("copy").prepare(words(256), words(256), grid=2)
    assert live(gpu) == {"context": 1, "module": 1, "memory": 2}
    del module
    # The launch needs the module.
    assert live(gpu) == {"context": 1, "module": 1, "memory": 2}
    launch.launch()
    del launch
    gc.collect()
    assert live(gpu) == {"context": 1}


def test_a_kernel_keeps_its_module(gpu: ModelDriver) -> None:
    a = words(256)
    result = runtime.load(kernels(DATA)).kernel("copy").launch(a, np.zeros_like(a), grid=2)[1]
    assert (result == a).all()
    gc.collect()
    assert live(gpu) == {"context": 1}


@pytest.mark.parametrize("fits", range(2))
def test_memory_that_runs_out_in_the_middle(fits: int) -> None:
    a = words(256)
    gpu = model_gpu(total=1024 * fits + 512)
    with using(gpu), runtime.load(kernels(DATA)) as module:
        with pytest.raises(runtime.CudaError) as error:
            module.kernel("copy").launch(a, a.copy(), grid=2)
        assert str(error.value) == (
            "preparing kernel 'copy' (grid 2,1,1, block 128,1,1, cluster 1,1,1, 0 bytes of "
            f"dynamic shared memory), argument {fits} of 1024 bytes: cuMemAlloc failed with "
            "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
        )
        assert (error.value.name, error.value.call) == (
            "CUDA_ERROR_OUT_OF_MEMORY",
            "cuMemAlloc",
        )
        assert live(gpu) == {"context": 1, "module": 1}
        # Nothing is ruined by it.
        small = module.kernel("small")
        assert small.launch(np.zeros(64, np.int32), block=64)[0].tolist() == list(range(64))


def test_closed_twice(gpu: ModelDriver) -> None:
    module = runtime.load(kernels(DATA))
    launch = module.kernel("copy").prepare(words(256), words(256), grid=2)
    for _ in range(2):
        launch.close()
        module.close()
    assert gpu.calls["cuModuleUnload"] == 1
    assert gpu.calls["cuMemFree"] == 2


def test_a_launch_of_a_closed_module(gpu: ModelDriver) -> None:
    module = runtime.load(kernels(DATA))
    launch = module.kernel("copy").prepare(words(256), words(256), grid=2)
    module.close()
    with pytest.raises(ValueError, match=whole("'kernels.ptx' is closed: load it again")):
        launch.launch()
    launch.close()


def test_from_many_threads(gpu: ModelDriver) -> None:
    """The context becomes current in each, and results are not mixed up."""
    wrong: list[str] = []
    with runtime.load(kernels(DATA)) as module:
        kernel = module.kernel("copy")

        def work(number: int) -> None:
            for turn in range(20):
                a = words(256) + np.uint32(1000 * number + turn)
                if (kernel.launch(a, np.zeros_like(a), grid=2)[1] != a).any():
                    wrong.append(f"{number} {turn}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(gpu.launches) == 160
    assert gpu.calls["cuCtxPushCurrent"] == gpu.calls["cuCtxPopCurrent"]


def test_emulated_launches_of_one_module_take_turns() -> None:
    """Each finds its own buffers bound: a launch in between would have bound others."""
    running = threading.Semaphore(1)
    failed: list[BaseException] = []

    def alone(launch: Grid) -> None:
        assert running.acquire(blocking=False), "two at once"
        time.sleep(0.0001)  # So that another thread has its turn.
        KERNELS["columns"](launch)
        running.release()

    def work(kernel: runtime.Kernel) -> None:
        out = np.zeros((3, 32, 2), np.int32)
        try:
            for _ in range(20):
                assert (kernel.launch(0, out, grid=3)[1][:, :, 0] == range(32)).all()
        except BaseException as error:
            failed.append(error)

    gpu = model_gpu(kernels={**KERNELS, "columns": alone})
    with using(gpu), runtime.load(kernels(DATA, "emulated.ptx")) as module:
        arguments = (module.kernel("columns"),)
        threads = [threading.Thread(target=work, args=arguments) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == []
    assert len(gpu.launches) == 80


def test_what_is_forgotten_during_a_launch_is_given_back_behind_it() -> None:
    """A finalizer must not wait: it may run in a thread that holds what the launch waits for."""
    started, finish = threading.Event(), threading.Event()

    def slow(launch: Grid) -> None:
        started.set()
        assert finish.wait(60)

    gpu = model_gpu(kernels={**KERNELS, "stop": slow})
    with using(gpu), runtime.load(kernels(DATA)) as module:
        forgotten = runtime.load(kernels(DATA))
        thread = threading.Thread(target=module.kernel("stop").launch)
        thread.start()
        assert started.wait(60)
        del forgotten
        assert gpu.live["module"] == 2
        finish.set()
        thread.join()
        assert gpu.live["module"] == 1
    assert live(gpu) == {}


END = """
import sys
sys.path.insert(0, {folder!r})
import atexit
from pathlib import Path
import numpy
from model_driver import model_gpu
from scenarios import kernels, words
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import driver

gpu = model_gpu()
atexit.register(lambda: print({{kind: count for kind, count in gpu.live.items() if count}}))
import tcgen05_mlir.runtime.bindings as bindings
bindings.Bindings = lambda: gpu
module = runtime.load(kernels(Path({data!r})))
launch = module.kernel("copy").prepare(words(256), words(256), grid=2)
launch.launch()
print({{kind: count for kind, count in gpu.live.items() if count}})
{last}
"""


def _end(last: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    code = END.format(folder=str(Path(__file__).parent), data=str(DATA), last=last)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("last", ["", "sys.exit(0)", "loop = [module]; loop.append(loop)"])
def test_at_the_end_of_the_process_all_is_given_back_in_order(last: str) -> None:
    done = _end(last)
    held = "{'context': 1, 'module': 1, 'memory': 2}"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [held, "{}"]


def test_the_environment_asks_for_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    assert _end(TCGEN05_DRIVER_RECORD=str(path)).returncode == 0
    lines = path.read_text().splitlines()
    assert lines[0] == '{"call": "cuInit", "arguments": [0]}'
    assert lines[-1].startswith('{"call": "cuDevicePrimaryCtxRelease"')
    assert sum('"cuLaunchKernelEx"' in line for line in lines) == 1


@pytest.fixture
def ruined() -> Iterator[ModelDriver]:
    gpu = model_gpu()
    with using(gpu):
        yield gpu


def test_d07_another_driver_is_not_ruined(ruined: ModelDriver, gpu: ModelDriver) -> None:
    a = words(256)
    module = runtime.load(kernels(DATA))
    with pytest.raises(runtime.CudaError):
        module.kernel("stop").launch()
    with using(model_gpu()), runtime.load(kernels(DATA)) as other:
        assert (other.kernel("copy").launch(a, np.zeros_like(a), grid=2)[1] == a).all()


def test_d07_an_error_that_ruins_nothing(gpu: ModelDriver) -> None:
    """A launch that the driver refuses: the next one works."""
    a, refuse = words(256), [True]

    def launch(*arguments: object) -> object:
        if refuse.pop() if refuse else False:
            raise Failure("CUDA_ERROR_INVALID_VALUE")
        return real(*arguments)

    real, gpu.cuLaunchKernelEx = gpu.cuLaunchKernelEx, launch  # type: ignore[method-assign]
    with runtime.load(kernels(DATA)) as module:
        kernel = module.kernel("copy")
        with pytest.raises(runtime.CudaError) as error:
            kernel.launch(a, a, grid=2)
        assert str(error.value) == (
            "launch 1 on device 0, kernel 'copy' (grid 2,1,1, block 128,1,1, cluster 1,1,1, 0 "
            "bytes of dynamic shared memory): cuLaunchKernelEx failed with "
            "CUDA_ERROR_INVALID_VALUE (invalid argument)"
        )
        assert (kernel.launch(a, np.zeros_like(a), grid=2)[1] == a).all()
