"""Operations that Python keeps, and their ends: each run a process of its own [C08].

MLIR's bindings do not track operations: one wrapper does not learn that another erased its
operation, and an operation does not keep its module alive. What run_pipeline hands out is safe.
"""

from __future__ import annotations

import pytest

START = """
import gc
import throwaway_passes
from mlir import ir
from tcgen05_mlir.passes import run_pipeline
context = ir.Context()
def parse(text):
    with context: return ir.Module.parse(text)
def churn():
    gc.collect()
    return [parse("module {}") for _ in range(100)]
source = "".join(f"func.func @f{i}() {{ return }}\\n" for i in range(20))
"""


@pytest.fixture
def child(python):
    def run(code: str) -> list[str]:
        done = python(START + code)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return run


def test_c08_operations_kept_across_a_pass_that_erases_them_live(child):
    lines = child(
        "module = parse(source)\n"
        "kept = list(module.body.operations)\n"
        "result = run_pipeline(module, 'test-erase')\n"
        "churn()\n"
        "print(len(kept), kept[7].name, len(result.body.operations))"
    )
    assert lines == ['20 "f7" 0']


def test_c08_operations_in_the_frames_of_a_failed_pass_live(child):
    lines = child(
        "try: run_pipeline(parse(source), 'test-report')\n"
        "except ir.MLIRError as error: failure = error\n"
        "churn()\n"
        "frame = failure.__cause__.__traceback__\n"
        "while frame.tb_next: frame = frame.tb_next\n"
        "print(frame.tb_frame.f_locals['function'].name, len(failure.error_diagnostics))"
    )
    assert lines == ['"f19" 40']


def test_c08_a_failed_run_leaves_no_module_behind(child):
    lines = child(
        "for _ in range(5):\n"
        "    try: run_pipeline(parse(source), 'test-raise')\n"
        "    except ir.MLIRError as error: pass\n"
        "gc.collect()\n"
        "print(context._get_live_module_count())"
    )
    assert lines == ["0"]


@pytest.mark.parametrize("order", ["POST_ORDER", "PRE_ORDER"])
def test_c08_erasing_during_a_walk_visits_every_other_operation_once(child, order):
    lines = child(
        "seen = []\n"
        "def visit(op):\n"
        "    if op.name != 'func.func': return ir.WalkResult.ADVANCE\n"
        "    seen.append(ir.StringAttr(op.attributes['sym_name']).value)\n"
        "    if len(seen) % 2: op.erase()\n"
        "    return ir.WalkResult.ADVANCE\n"
        "module = parse(source)\n"
        f"module.operation.walk(visit, ir.WalkOrder.{order})\n"
        "churn()\n"
        "print(seen == [f'f{i}' for i in range(20)], len(module.body.operations))"
    )
    assert lines == ["True 10"]


def test_c08_an_erased_operation_says_so_to_its_own_wrapper(child):
    lines = child(
        "module = parse(source)\n"
        "op = module.body.operations[3].operation\n"
        "op.erase()\n"
        "churn()\n"
        "try: print(op.name)\n"
        "except RuntimeError as error: print(error)"
    )
    assert lines == ["the operation has been invalidated"]


def test_a_context_may_end_before_the_error_of_its_pipeline(child):
    lines = child(
        "try: run_pipeline(parse(source), 'test-report')\n"
        "except ir.MLIRError as error: failure = error\n"
        "del context, parse\n"
        "gc.collect()\n"
        "print(str(failure).count('error:'))\n"
        "del failure\n"
        "gc.collect()\n"
        "print('alive')"
    )
    assert lines == ["40", "alive"]
