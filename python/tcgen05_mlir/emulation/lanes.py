"""Threads of a warp at work together: who is here, votes, values of another lane."""

from __future__ import annotations

from .code import Code
from .values import Value, integer_type

ALL = 0xFFFFFFFF
"""The mask of a whole warp."""


def register(code: Code, name: str) -> Value:
    """A special register of 32 bits: `tid.x`."""
    return code.value(f"nvvm.read.ptx.sreg.{name}", [], integer_type(32))


def active(code: Code) -> Value:
    """The mask of the lanes that run this together."""
    return code.value(
        "llvm.call_intrinsic",
        [],
        integer_type(32),
        intrin='"llvm.nvvm.activemask"',
        operandSegmentSizes="array<i32: 0, 0>",
        op_bundle_sizes="array<i32>",
    )


def ballot(mask: Value, condition: Value) -> Value:
    """The lanes of `mask` in which `condition` holds."""
    kind = "#nvvm<vote_sync_kind ballot>"
    return mask.code.value("nvvm.vote.sync", [mask, condition], integer_type(32), kind=kind)


def of_lane(mask: Value, value: Value, lane: Value | int) -> Value:
    """The `value`, of 32 or 64 bits, of another lane of `mask`."""
    if value.width == 64:
        low, high = (of_lane(mask, half.to(32), lane) for half in (value, value >> 32))
        return low.to(64) | high.to(64) << 32
    last = value.code.constant(31)
    return mask.code.value(
        "nvvm.shfl.sync",
        [mask, value, value.like(lane), last],
        integer_type(32),
        kind="#nvvm<shfl_kind idx>",
    )


def meet(mask: Value) -> None:
    """The lanes of `mask` wait for each other; each sees what the others wrote before."""
    mask.code.operation("nvvm.bar.warp.sync", [mask])


def rank(mask: Value) -> Value:
    """How many lanes of `mask` come before this one."""
    return (mask & register(mask.code, "lanemask.lt")).ones()


def thread_number(code: Code) -> Value:
    """The thread's number in its block, x first; 32 of them in a row are a warp."""
    x, y, z = (register(code, f"tid.{axis}") for axis in "xyz")
    return x + register(code, "ntid.x") * (y + register(code, "ntid.y") * z)


def pause(code: Code, nanoseconds: int) -> None:
    """About so long, so that a loop that waits leaves the others to work."""
    code.operation("nvvm.nanosleep", [code.constant(nanoseconds)])
