"""Pipelines on one Context take turns; a pass may run one inside of its own."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import pytest
from mlir import ir
from tcgen05_mlir.passes import Pass, option, register_pass, run_pipeline
from tcgen05_mlir.passes.turns import _turns, turn

SOURCE = "gpu.module @a {} gpu.module @b {} gpu.module @c {}"


@register_pass
@dataclass(frozen=True)
class TestSlowRaise(Pass):
    """Fails with its number, after others had time to interfere."""

    __test__ = False
    name: ClassVar[str] = "test-slow-raise"
    description: ClassVar[str] = "Fail slowly."
    number: int = option(0, description="which")

    def run(self, op: ir.Operation) -> None:
        time.sleep(0.01)
        raise ValueError(f"number {self.number}")


@register_pass
@dataclass(frozen=True)
class TestInner(Pass):
    """Runs a pipeline on a module of its own, in the same context."""

    __test__ = False
    name: ClassVar[str] = "test-inner"
    description: ClassVar[str] = "Run a pipeline inside."

    def run(self, op: ir.Operation) -> None:
        run_pipeline(ir.Module.parse("module {}"), "test-tag,cse")
        op.attributes["test.inner"] = ir.UnitAttr.get()


def test_failures_of_several_threads_on_one_context_are_not_mixed():
    with ir.Context() as context:
        modules = [ir.Module.parse("module {}") for _ in range(8)]

    def fail(number: int) -> tuple[list[str], str]:
        with pytest.raises(ir.MLIRError) as caught:
            run_pipeline(modules[number], f"test-slow-raise{{number={number}}}")
        messages = [d.message for d in caught.value.error_diagnostics]
        return messages, str(caught.value.__cause__)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(fail, range(8)))
    assert results == [
        ([f"pass 'test-slow-raise' failed: ValueError: number {n}"], f"number {n}")
        for n in range(8)
    ]
    assert _turns == {}
    del context


@pytest.mark.parametrize("pipeline", ["test-inner", "gpu.module(test-inner)"])
def test_a_pass_runs_a_pipeline_in_its_own_context(pipeline):
    with ir.Context():
        result = run_pipeline(ir.Module.parse(SOURCE), pipeline)
        assert str(result).count("test.inner") == (1 if pipeline == "test-inner" else 3)
    assert _turns == {}


def test_contexts_do_not_wait_for_one_another():
    first, second = ir.Context(), ir.Context()
    done = threading.Event()

    def other() -> None:
        with turn(second):
            done.set()

    with turn(first):
        thread = threading.Thread(target=other)
        thread.start()
        assert done.wait(60)
    thread.join()
