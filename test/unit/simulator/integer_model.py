"""Integer operations of LLVM on Python's integers: slow, and written apart from the simulator."""

from __future__ import annotations

from collections.abc import Callable

WIDTHS = (1, 5, 8, 16, 24, 32, 33, 64)


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _quotient(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    return 0 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)


def _remainder(a: int, b: int, width: int) -> int:
    # The remainder of a division by zero is the dividend, as numpy has no better one either.
    return signed(a, width) - _quotient(a, b, width) * signed(b, width)


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "shl": lambda a, b, w: a << b if b < w else 0,
    "lshr": lambda a, b, w: a >> b if b < w else 0,
    "ashr": lambda a, b, w: signed(a, w) >> min(b, w - 1),
    "udiv": lambda a, b, w: a // b if b else 0,
    "urem": lambda a, b, w: a % b if b else 0,
    "sdiv": _quotient,
    "srem": _remainder,
    "intr.umin": lambda a, b, w: min(a, b),
    "intr.umax": lambda a, b, w: max(a, b),
    "intr.smin": lambda a, b, w: min(signed(a, w), signed(b, w)),
    "intr.smax": lambda a, b, w: max(signed(a, w), signed(b, w)),
}
"""(a, b, width) to the result, which is then cut to the width."""

DIVISIONS = ("udiv", "urem", "sdiv", "srem")

COMPARE: dict[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "ult": lambda a, b, w: a < b,
    "ule": lambda a, b, w: a <= b,
    "ugt": lambda a, b, w: a > b,
    "uge": lambda a, b, w: a >= b,
    "slt": lambda a, b, w: signed(a, w) < signed(b, w),
    "sle": lambda a, b, w: signed(a, w) <= signed(b, w),
    "sgt": lambda a, b, w: signed(a, w) > signed(b, w),
    "sge": lambda a, b, w: signed(a, w) >= signed(b, w),
}

UNARY: dict[str, Callable[[int, int], int]] = {
    "intr.ctpop": lambda a, w: bin(a).count("1"),
    "intr.bitreverse": lambda a, w: int(f"{a:0{w}b}"[::-1], 2),
}
