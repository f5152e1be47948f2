"""Checks in emulated code, and the one function that reports a failed one and ends the kernel."""

from __future__ import annotations

from mlir import ir

from . import abi
from .checks import NUMBER
from .code import Code
from .lanes import pause, register
from .library import Library, call
from .memory import at, fence, load, load_now, store_now, swap_if
from .values import Value, integer_type, pointer_type

_FAIL = "fail"
_VALUES = 4
_POLLS = 1 << 20
"""How often a thread that fails later looks whether the first one's report is complete."""


def add_fail(library: Library) -> None:
    """The function that `check` calls: it never returns."""
    words = [integer_type(32)] * (2 + _VALUES)
    library.function(_FAIL, words, None, _write, "no_inline")


def check(code: Code, holds: Value, name: str, site: Value, *values: Value) -> None:
    """Ends the kernel, with a report, where `holds` does not.

    `name` is a check of `checks.CHECKS`, `values` what its message shows.
    """
    with code.otherwise(holds):
        fail(code, name, site, *values)


def fail(code: Code, name: str, site: Value, *values: Value) -> None:
    """Ends the kernel with the report of a check; nothing runs behind it."""
    shown = [*values, *[code.constant(0)] * (_VALUES - len(values))]
    call(code, f"__tcgen05_{_FAIL}", [site, code.constant(NUMBER[name]), *shown], None)
    code.unreachable()


def _write(code: Code) -> None:
    symbol = ir.FlatSymbolRefAttr.get(abi.SYMBOL)
    variable = code.value("llvm.mlir.addressof", [], pointer_type(1), global_name=symbol)
    address = load(at(variable, abi.REPORT_OFFSET), 64, 8)
    # Zero where nothing is bound: then there is nowhere to report to.
    with code.when(address.differs(0)):
        report = address.pointer(1)
        empty, claimed = code.constant(abi.REPORT_EMPTY), code.constant(abi.REPORT_CLAIMED)
        found = swap_if(at(report, abi.REPORT_STATE), empty, claimed, "")
        with code.when(found.equals(abi.REPORT_EMPTY)):
            _fill(code, report)
        with code.when(found.differs(abi.REPORT_EMPTY)):
            _await_other(code, report)
    code.trap_here()


def _fill(code: Code, report: Value) -> None:
    site, number, *values = code.arguments
    store_now(at(report, abi.REPORT_SITE), site)
    store_now(at(report, abi.REPORT_CHECK), number)
    for axis, name in enumerate("xyz"):
        store_now(at(report, abi.REPORT_BLOCK + 4 * axis), register(code, f"ctaid.{name}"))
        store_now(at(report, abi.REPORT_THREAD + 4 * axis), register(code, f"tid.{name}"))
    for index, value in enumerate(values):
        store_now(at(report, abi.REPORT_VALUES + 4 * index), value)
    # All of it is with the host before the state says so, and the state before the trap.
    fence(code, "")
    store_now(at(report, abi.REPORT_STATE), code.constant(abi.REPORT_COMPLETE))
    fence(code, "")


def _await_other(code: Code, report: Value) -> None:
    """The first thread's report is complete before this one's trap ends them both."""
    with code.repeat(code.constant(0)) as loop:
        (polls,) = loop.values
        pause(code, 1000)
        state = load_now(at(report, abi.REPORT_STATE))
        more = state.differs(abi.REPORT_COMPLETE) & (polls < _POLLS)
        loop.again(more, polls + 1)
