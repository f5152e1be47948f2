"""Integer intrinsics on edge cases against Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import integer_model as model
import numpy as np
import pytest
from kernels import THREADS, llvm_kernel
from tcgen05_mlir.simulator import run

EDGES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, -1, -2, 1 << 63, 0x1234)


def both(width: int) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of edges, in 64-bit words: one pair per thread."""
    pairs = list(product(EDGES, EDGES))
    pairs += [(0, 0)] * (-len(pairs) % THREADS)
    a, b = (np.array([p[i] & (1 << width) - 1 for p in pairs], np.uint64) for i in (0, 1))
    return a, b


def results(width: int, body: str, result: str) -> list[int]:
    """What `body` makes of %a and %b in every pair; its %y has the type `result`."""
    a, b = both(width)
    wide = "%w = llvm.zext %y : {} to i64" if result != "i64" else "%w = llvm.or %y, %y : i64"
    cut = "\n".join(
        f"%{v} = llvm.trunc %{v}64 : i64 to i{width}"
        if width < 64
        else f"%{v} = llvm.or %{v}64, %{v}64 : i64"
        for v in "ab"
    )
    kernel = llvm_kernel(
        "%in0: !llvm.ptr, %in1: !llvm.ptr, %out: !llvm.ptr",
        f"""%tid = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %start = llvm.mul %block, %n : i32
    %i = llvm.add %start, %tid : i32
    %p = llvm.getelementptr %in0[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    %q = llvm.getelementptr %in1[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    %r = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    %a64 = llvm.load %p : !llvm.ptr -> i64
    %b64 = llvm.load %q : !llvm.ptr -> i64
    {cut}
    {body}
    {wide.format(result)}
    llvm.store %w, %r : i64, !llvm.ptr
    llvm.return""",
    )
    out = run(kernel, "k", a, b, np.zeros_like(a), grid=len(a) // THREADS)[2]
    return out.tolist()


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def saturated(signed: bool, operation: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    def result(a: int, b: int, w: int) -> int:
        if not signed:
            return clamp(operation(a, b), 0, (1 << w) - 1)
        x, y = model.signed(a, w), model.signed(b, w)
        return clamp(operation(x, y), -(1 << w - 1), (1 << w - 1) - 1)

    return result


SATURATING = {
    "uadd.sat": saturated(False, lambda a, b: a + b),
    "usub.sat": saturated(False, lambda a, b: a - b),
    "sadd.sat": saturated(True, lambda a, b: a + b),
    "ssub.sat": saturated(True, lambda a, b: a - b),
}
OVERFLOWS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}
WIDTHS = (8, 16, 32, 64)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SATURATING)
def test_saturating(name: str, width: int) -> None:
    body = f"%y = llvm.intr.{name}(%a, %b) : (i{width}, i{width}) -> i{width}"
    wanted = [
        SATURATING[name](int(a), int(b), width) & (1 << width) - 1
        for a, b in zip(*both(width), strict=True)
    ]
    assert results(width, body, f"i{width}") == wanted


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sign", ["u", "s"])
@pytest.mark.parametrize("name", OVERFLOWS)
def test_overflow(name: str, sign: str, width: int) -> None:
    pair = f"!llvm.struct<(i{width}, i1)>"
    call = f"llvm.intr.{sign}{name}.with.overflow"
    body = f"""%s = "{call}"(%a, %b) : (i{width}, i{width}) -> {pair}
    %y = llvm.extractvalue %s[1] : {pair}"""
    wanted = []
    for a, b in zip(*both(width), strict=True):
        x, y = int(a), int(b)
        low, high = 0, (1 << width) - 1
        if sign == "s":
            x, y = model.signed(x, width), model.signed(y, width)
            low, high = -(1 << width - 1), (1 << width - 1) - 1
        wanted.append(int(not low <= OVERFLOWS[name](x, y) <= high))
    assert results(width, body, "i1") == wanted


COUNTS: dict[str, Callable[[int, int], int]] = {
    "ctlz": lambda a, w: w - a.bit_length(),
    "cttz": lambda a, w: (a & -a).bit_length() - 1 if a else w,
}


@pytest.mark.parametrize("width", [1, 5, *WIDTHS])
@pytest.mark.parametrize("name", COUNTS)
def test_counting_zeros(name: str, width: int) -> None:
    body = f'%y = "llvm.intr.{name}"(%a) <{{is_zero_poison = false}}> : (i{width}) -> i{width}'
    wanted = [COUNTS[name](int(a), width) & (1 << width) - 1 for a in both(width)[0]]
    assert results(width, body, f"i{width}") == wanted


@pytest.mark.parametrize("width", WIDTHS)
def test_three_way_comparison(width: int) -> None:
    pairs = [(int(a), int(b)) for a, b in zip(*both(width), strict=True)]
    body = f"%y = llvm.intr.ucmp(%a, %b) : (i{width}, i{width}) -> i8"
    assert results(width, body, "i8") == [((a > b) - (a < b)) & 255 for a, b in pairs]
    body = f"%y = llvm.intr.scmp(%a, %b) : (i{width}, i{width}) -> i8"
    signed = [(model.signed(a, width), model.signed(b, width)) for a, b in pairs]
    assert results(width, body, "i8") == [((a > b) - (a < b)) & 255 for a, b in signed]


@pytest.mark.parametrize("width", [16, 32, 64])
def test_byte_swap_and_absolute_value(width: int) -> None:
    a = [int(value) for value in both(width)[0]]
    body = f"%y = llvm.intr.bswap(%a) : (i{width}) -> i{width}"
    swapped = [int.from_bytes(v.to_bytes(width // 8, "little"), "big") for v in a]
    assert results(width, body, f"i{width}") == swapped
    body = f'%y = "llvm.intr.abs"(%a) <{{is_int_min_poison = false}}> : (i{width}) -> i{width}'
    assert results(width, body, f"i{width}") == [abs(model.signed(v, width)) for v in a]


@pytest.mark.parametrize("width", [24, 32])
def test_funnel_right(width: int) -> None:
    body = f"%y = llvm.intr.fshr(%a, %b, %a) : (i{width}, i{width}, i{width}) -> i{width}"
    wanted = [
        ((int(a) << width | int(b)) >> int(a) % width) & (1 << width) - 1
        for a, b in zip(*both(width), strict=True)
    ]
    assert results(width, body, f"i{width}") == wanted


@pytest.mark.parametrize("selector", [0x3210, 0x0123, 0x7654, 0xFB40, 0x8888])
def test_byte_permutation(selector: int) -> None:
    body = f"""%s = llvm.mlir.constant({selector} : i32) : i32
    %y = nvvm.prmt <default> %s, %a, %b : i32"""
    wanted = []
    for a, b in zip(*both(32), strict=True):
        pool = (int(a) | int(b) << 32).to_bytes(8, "little")
        result = 0
        for position in range(4):
            nibble = selector >> 4 * position & 15
            byte = pool[nibble & 7]
            byte = 0xFF * (byte >> 7) if nibble & 8 else byte
            result |= byte << 8 * position
        wanted.append(result)
    assert results(32, body, "i32") == wanted
