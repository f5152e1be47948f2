"""Closed by one thread while another is at work; and a process that was forked."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_driver import ModelDriver
from scenarios import kernels, message, words
from tcgen05_mlir import runtime

DATA = Path(__file__).parents[2] / "data/driver"
SIZES = "(grid 2,1,1, block 128,1,1, cluster 1,1,1, 0 bytes of dynamic shared memory)"
MODULE = "ValueError: 'kernels.ptx' is closed: load it again"
LAUNCH = f"ValueError: the launch of kernel 'copy' {SIZES} is closed: prepare another"


class Waiting:
    """A thread that calls `function`, up to where it waits for the context that this one holds."""

    def __init__(self, module: runtime.Module, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said: list[str] = []
        self._module = module
        self._arrived = threading.Event()
        context = module.loaded.context
        real, here = context._lock, threading.current_thread()

        class Lock:
            """Says when the other thread comes to it."""

            def __enter__(lock) -> None:
                if threading.current_thread() is not here:
                    self._arrived.set()
                real.acquire()

            def __exit__(lock, *_: object) -> None:
                real.release()

            acquire, release = staticmethod(real.acquire), staticmethod(real.release)

        monkeypatch.setattr(context, "_lock", Lock())

    def closed_under(self, close: Callable[[], None], function: Callable[..., Any]) -> list[str]:
        thread = threading.Thread(target=lambda: self.said.append(message(function)))
        with self._module.loaded.context.alone():
            thread.start()
            assert self._arrived.wait(60)
            close()
        thread.join()
        return self.said


@pytest.mark.parametrize("work", ["launch", "time", "results"])
@pytest.mark.parametrize("close", ["module", "launch"])
def test_closed_while_a_launch_waits_for_its_turn(
    gpu: ModelDriver, monkeypatch: pytest.MonkeyPatch, close: str, work: str
) -> None:
    module = runtime.load(kernels(DATA))
    launch = module.kernel("copy").prepare(words(256), words(256), grid=2)
    waiting = Waiting(module, monkeypatch)
    closing = {"module": (module.close, MODULE), "launch": (launch.close, LAUNCH)}
    function, said = closing[close]
    assert waiting.closed_under(function, getattr(launch, work)) == [said]
    assert gpu.launches == []
    launch.close()
    module.close()


@pytest.mark.parametrize("work", ["kernel", "prepare", "prepare a cluster", "launch"])
def test_a_module_closed_while_a_kernel_waits_for_its_turn(
    gpu: ModelDriver, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    module, a = runtime.load(kernels(DATA)), words(256)
    kernel, made = module.kernel("copy"), gpu.live["memory"]
    works: dict[str, Callable[[], Any]] = {
        "kernel": lambda: module.kernel("copy"),
        "prepare": lambda: kernel.prepare(a, a, grid=2),
        "prepare a cluster": lambda: kernel.prepare(a, a, grid=2, cluster=2),
        "launch": lambda: kernel.launch(a, a, grid=2),
    }
    waiting = Waiting(module, monkeypatch)
    calls = gpu.calls["cuModuleGetFunction"], gpu.calls["cuOccupancyMaxActiveClusters"]
    assert waiting.closed_under(module.close, works[work]) == [MODULE]
    found = gpu.calls["cuModuleGetFunction"], gpu.calls["cuOccupancyMaxActiveClusters"]
    assert (found, gpu.live["memory"]) == (calls, made)


def forked(function: Callable[[], list[str]]) -> list[str]:
    """What a function returns in a child that os.fork makes."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writer, "\n".join(function()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        said = file.read()
    os.waitpid(child, 0)
    return said.split("\n")


def test_a_forked_process_is_told_so(gpu: ModelDriver) -> None:
    module, a = runtime.load(kernels(DATA)), words(256)
    kernel = module.kernel("copy")
    launch = kernel.prepare(a, np.zeros_like(a), grid=2)

    def child() -> list[str]:
        calls = sum(gpu.calls.values())
        said = [
            *(message(launch.launch), message(launch.results)),
            *(message(kernel.launch, a, a, grid=2), message(runtime.load, kernels(DATA))),
            *(str(runtime.devices()), runtime.why_no_device()),
        ]
        launch.close()
        module.close()
        return [*said, str(sum(gpu.calls.values()) - calls), str(os.getpid())]

    *said, calls, pid = forked(child)
    why = (
        f"process {pid} was forked from {os.getpid()}, which had started the CUDA driver, and that "
        "does not work behind a fork; start processes that use a GPU by spawn "
        "(multiprocessing.get_context('spawn'))"
    )
    copy, name = f"kernel 'copy' {SIZES}", "CudaError CUDA_ERROR_NOT_INITIALIZED"
    assert said == [
        f"{name}: launch 1 on device 0, {copy}: {why}",
        f"{name}: reading the results of {copy}: {why}",
        f"{name}: preparing {copy}: {why}",
        f"{name}: starting the CUDA driver: {why}",
        "()",
        f"starting the CUDA driver: {why}",
    ]
    assert calls == "0"
    # The parent goes on.
    launch.launch()
    assert (launch.results()[1] == a).all()


def test_a_process_forked_during_a_launch_does_not_wait_for_it(gpu: ModelDriver) -> None:
    """The thread that holds the context is not in the child."""
    module = runtime.load(kernels(DATA))
    held, go = threading.Event(), threading.Event()

    def hold() -> None:
        with module.loaded.context.alone():
            held.set()
            assert go.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(60)
    said = forked(lambda: [message(module.kernel, "copy"), str(module.close())])
    go.set()
    thread.join()
    assert said[0].startswith("CudaError CUDA_ERROR_NOT_INITIALIZED: finding kernel 'copy' in ")
    assert said[1] == "None"
