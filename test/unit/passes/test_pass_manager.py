"""The same passes through upstream's PassManager, which keeps the interpreter lock."""

from __future__ import annotations

import pytest
from mlir import ir
from mlir.passmanager import PassManager
from raising import raises

NESTED = "".join(f"gpu.module @m{i} {{}}\n" for i in range(50))
WAITING = (
    "pass 'test-tag' is written in Python and cannot run on a worker thread while the pipeline's "
    "caller holds the interpreter lock"
)
REMEDY = (
    "run the pipeline with tcgen05_mlir.run_pipeline, which releases the lock, or disable "
    "multithreading in the context"
)


@pytest.fixture
def context():
    with ir.Context() as context:
        yield context


def test_a_pass_runs_in_place(context):
    module = ir.Module.parse("module {}")
    PassManager.parse("builtin.module(test-tag{count=4},cse)").run(module.operation)
    assert module.operation.attributes["test.tag"].value == "test-tag{count=4}"


def test_a_manager_prints_every_option(context):
    manager = PassManager.parse("builtin.module(test-tag{list-assumptions label={two words}})")
    assert str(manager) == (
        "builtin.module(test-tag{count=3 label={two words} level=2 list-assumptions=true "
        "path=nvvm})"
    )
    assert str(PassManager.parse(str(manager))) == str(manager)


def test_a_manager_runs_twice(context):
    module = ir.Module.parse("module {}")
    manager = PassManager.parse("builtin.module(test-tag)")
    manager.run(module.operation)
    manager.run(module.operation)


def test_a_bad_option_is_upstream_s_value_error(context):
    with raises(
        ValueError,
        "pass 'test-tag': option 'path' must be one of 'nvvm', 'inline-asm', got 'x'\n"
        "failed to add `test-tag` with options `path=x`\n",
    ):
        PassManager.parse("builtin.module(test-tag{path=x})")


def test_c07_an_exception_in_a_pass(context):
    module = ir.Module.parse("module {}")
    with raises(
        ir.MLIRError,
        "Failure while executing pass pipeline:\n"
        "error: \"-\":1:1: pass 'test-raise' failed: ValueError: boom",
    ):
        PassManager.parse("builtin.module(test-raise,test-tag)").run(module.operation)
    assert "test.tag" not in str(module)
    # The context's thread bookkeeping is sound again.
    context.enable_multithreading(False)
    context.enable_multithreading(True)


def test_a_nested_pass_on_several_threads_is_an_error_not_a_hang(context):
    module = ir.Module.parse(NESTED)
    with pytest.raises(ir.MLIRError) as caught:
        PassManager.parse("builtin.module(gpu.module(test-tag))").run(module.operation)
    error = caught.value.error_diagnostics[0]
    assert error.message == WAITING
    # The other note shows the operation, as upstream's errors do.
    assert REMEDY in [note.message for note in error.notes]
    assert "test.tag" not in str(module)


def test_a_nested_pass_runs_without_multithreading(context):
    context.enable_multithreading(False)
    module = ir.Module.parse(NESTED)
    PassManager.parse("builtin.module(gpu.module(test-tag))").run(module.operation)
    assert str(module).count("test.tag") == 50


def test_a_nested_pass_runs_where_there_is_one_operation(context):
    module = ir.Module.parse("gpu.module @m {}")
    PassManager.parse("builtin.module(gpu.module(test-tag))").run(module.operation)
    assert str(module).count("test.tag") == 1
