"""Floating point against numpy's scalars: random straight-line kernels, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import THREADS, element, lanes, llvm_kernel, per_thread
from tcgen05_mlir.simulator import run

TYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "fadd": lambda a, b: a + b,
    "fsub": lambda a, b: a - b,
    "fmul": lambda a, b: a * b,
    "fdiv": lambda a, b: a / b,
}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: not (np.isnan(a) or np.isnan(b)),
    "ueq": lambda a, b: not (a < b or a > b),
    "ugt": lambda a, b: not a <= b,
    "uge": lambda a, b: not a < b,
    "ult": lambda a, b: not a >= b,
    "ule": lambda a, b: not a > b,
    "une": lambda a, b: a != b,
    "uno": lambda a, b: bool(np.isnan(a) or np.isnan(b)),
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "fneg": lambda a: -a,
    "intr.fabs": abs,
    "intr.sqrt": np.sqrt,
    "intr.floor": np.floor,
    "intr.ceil": np.ceil,
    "intr.trunc": np.trunc,
    "intr.rint": np.rint,
}
NAMES = [*BINARY, *UNARY, *COMPARE, "fma", "convert"]


def bits(value: Any) -> int:
    """The bits of a float; of any NaN those of one: LLVM does not say which it is."""
    if np.isnan(value):
        value = type(value)("nan")
    return int(np.array(value).view(f"u{value.dtype.itemsize}"))


def exact_fma(a: Any, b: Any, c: Any) -> Any:
    """Rounded once, by rational numbers."""
    kind = type(a)
    with np.errstate(all="ignore"):
        if not np.isfinite([a, b, c]).all():
            return kind(np.float64(a) * np.float64(b) + np.float64(c))
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if exact == 0:
            return a * b + c
        return nearest(exact, kind)


def nearest(exact: Fraction, kind: Any) -> Any:
    """The float nearest to a rational number, ties to even, found among neighbours."""
    with np.errstate(all="ignore"):
        try:
            guess = kind(float(exact))
        except OverflowError:
            return kind("inf") if exact > 0 else kind("-inf")
        if not np.isfinite(guess):
            edge = np.finfo(kind).max
            half = Fraction(float(edge)) - Fraction(float(np.nextafter(edge, kind(0))))
            over = abs(exact) >= Fraction(float(edge)) + half / 2
            return np.copysign(kind("inf") if over else edge, guess)
        around = [np.nextafter(guess, kind(side)) for side in ("-inf", "inf")]
    finite = [guess, *(one for one in around if np.isfinite(one))]
    even = lambda one: bits(one) & 1  # noqa: E731
    best = min(finite, key=lambda one: (abs(Fraction(float(one)) - exact), even(one)))
    return np.copysign(best, kind(1 if exact > 0 else -1)) if best == 0 else best


class Program:
    """Straight-line code on values of one type each, and what they are in each lane."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.text: list[str] = []
        self.values: list[tuple[str, list[Any]]] = []
        self.inputs: dict[str, np.ndarray] = {}
        for name, kind in TYPES.items():
            word = f"u{np.dtype(kind).itemsize}"
            some = rng.integers(0, 1 << 8 * np.dtype(word).itemsize, (2, THREADS), dtype=word)
            edges = np.array([0.0, -0.0, 1, -1, 1.5, np.inf, -np.inf, np.nan, 3, 2.0**-24], kind)
            near = rng.choice(edges, some.shape)
            self.inputs[name] = np.where(rng.random(some.shape) < 0.6, some.view(kind), near)
            self.values += [(name, list(row)) for row in self.inputs[name]]

    def add(self, type_: str, text: str, values: list[Any]) -> None:
        self.text.append(f"%v{len(self.values)} = {text}")
        self.values.append((type_, values))

    def pick(self, place: int, type_: str) -> tuple[str, list[Any]]:
        fitting = [i for i, (t, _) in enumerate(self.values) if t == type_]
        at = fitting[place % len(fitting)]
        return f"%v{at}", self.values[at][1]

    def step(self, name: str, type_: str, x: int, y: int, z: int, to: str) -> None:
        (a, p), (b, q), (c, r) = (self.pick(place, type_) for place in (x, y, z))
        with np.errstate(all="ignore"):
            if name in BINARY:
                result = [BINARY[name](m, n) for m, n in zip(p, q, strict=True)]
                self.add(type_, f"llvm.{name} {a}, {b} : {type_}", result)
            elif name in UNARY:
                text = f"llvm.{name}({a}) : ({type_}) -> {type_}"
                text = f"llvm.fneg {a} : {type_}" if name == "fneg" else text
                self.add(type_, text, [UNARY[name](m) for m in p])
            elif name in COMPARE:
                flags = [bool(COMPARE[name](m, n)) for m, n in zip(p, q, strict=True)]
                self.text.append(f'%c{len(self.values)} = llvm.fcmp "{name}" {a}, {b} : {type_}')
                chosen = [n if f else m for f, m, n in zip(flags, r, p, strict=True)]
                select = f"llvm.select %c{len(self.values)}, {a}, {c} : i1, {type_}"
                self.add(type_, select, chosen)
            elif name == "fma":
                fused = [exact_fma(*lane) for lane in zip(p, q, r, strict=True)]
                self.add(
                    type_,
                    f"llvm.intr.fma({a}, {b}, {c}) : ({type_}, {type_}, {type_}) -> {type_}",
                    fused,
                )
            elif to != type_:
                wider = np.dtype(TYPES[to]).itemsize > np.dtype(TYPES[type_]).itemsize
                way = "fpext" if wider else "fptrunc"
                self.add(to, f"llvm.{way} {a} : {type_} to {to}", [TYPES[to](m) for m in p])


STEP = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(list(TYPES)),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(list(TYPES)),
)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), steps=st.lists(STEP, min_size=1, max_size=30))
def test_random_float_kernels(seed: int, steps: list[tuple]) -> None:
    program = Program(np.random.default_rng(seed))
    for one in steps:
        program.step(*one)
    load, place = [], 0
    for name in TYPES:
        for row in range(2):
            load.append(f"%r{place} = {element(name, row, name)}")
            load.append(f"%v{place} = llvm.load %r{place} : !llvm.ptr -> {name}")
            place += 1
    stores = []
    for at, (name, _) in enumerate(program.values):
        bits_ = 8 * np.dtype(TYPES[name]).itemsize
        stores.append(f"%b{at} = llvm.bitcast %v{at} : {name} to i{bits_}")
        wide = f"%b{at}"
        if bits_ < 64:
            stores.append(f"%w{at} = llvm.zext %b{at} : i{bits_} to i64")
            wide = f"%w{at}"
        stores.append(f"%s{at} = {element('out', at, 'i64')}")
        stores.append(f"llvm.store {wide}, %s{at} : i64, !llvm.ptr")
    body = "\n    ".join(
        [
            "%tid = nvvm.read.ptx.sreg.tid.x : i32",
            "%t = llvm.zext %tid : i32 to i64",
            *load,
            *program.text,
            *stores,
            "llvm.return",
        ]
    )
    parameters = ", ".join(f"%{name}: !llvm.ptr" for name in [*TYPES, "out"])
    kernel = llvm_kernel(parameters, body)
    out = np.zeros((len(program.values), THREADS), np.uint64)
    got = run(kernel, "k", *program.inputs.values(), out)[-1]
    for at, (name, wanted) in enumerate(program.values):
        kind = TYPES[name]
        word = f"u{np.dtype(kind).itemsize}"
        have = [bits(value) for value in got[at].astype(word).view(kind)]
        assert have == [bits(value) for value in wanted], (program.text[at - 6 :][:1], at)


def convert(body: str, type_: str, inputs: list[int], dtype: Any) -> list:
    """What a conversion makes of i32 inputs, padded to a warp."""
    values = np.array((inputs * THREADS)[:THREADS], np.int64).astype(np.int32)
    got = lanes(per_thread(body, "y", type_), values, dtype=dtype)
    return got[: len(inputs)].tolist()


def as_bits(*values: float) -> list[int]:
    return np.array(values, np.float32).view(np.int32).tolist()


FLOAT = "%f = llvm.bitcast %x0 : i32 to f32\n"


@pytest.mark.parametrize(
    ("cast", "to", "dtype", "wanted"),
    [
        ("fptosi", "i32", np.int32, [1, -1, 0, 2147483647, -2147483648, 0]),
        ("fptoui", "i32", np.uint32, [1, 0, 0, 4294967295, 0, 0]),
        ("fptosi", "i8", np.int8, [1, -1, 0, 127, -128, 0]),
        ("fptosi", "i64", np.int64, [1, -1, 0, 2**63 - 1, -(2**63), 0]),
    ],
)
def test_float_to_integer_cuts_and_saturates(cast: str, to: str, dtype: Any, wanted: list) -> None:
    inputs = as_bits(1.9, -1.9, -0.5, np.inf, -np.inf, np.nan)
    assert convert(FLOAT + f"%y = llvm.{cast} %f : f32 to {to}", to, inputs, dtype) == wanted


def test_integer_to_float_rounds_to_even() -> None:
    body = "%y = llvm.sitofp %x0 : i32 to f32"
    got = convert(body, "f32", [16777217, 16777219, -16777217, 5], np.float32)
    assert got == [16777216.0, 16777220.0, -16777216.0, 5.0]
    body = "%y = llvm.uitofp %x0 : i32 to f64"
    assert convert(body, "f64", [-1], np.float64) == [4294967295.0]


def test_bf16_rounds_to_even_and_keeps_nan() -> None:
    body = FLOAT + "%y = llvm.fptrunc %f : f32 to bf16"
    got = convert(body, "bf16", [0x3F808000, 0x3F818000, 0x3F808001, 0x7F800001], np.uint16)
    assert got == [0x3F80, 0x3F82, 0x3F81, 0x7FC0]


def test_bf16_arithmetic() -> None:
    body = FLOAT + (
        "%b = llvm.fptrunc %f : f32 to bf16\n"
        "%s = llvm.fadd %b, %b : bf16\n%m = llvm.fmul %s, %b : bf16\n"
        "%n = llvm.fneg %m : bf16\n%y = llvm.fpext %n : bf16 to f32"
    )
    assert convert(body, "f32", as_bits(1.5, -3.0), np.float32) == [-4.5, -18.0]


def test_minnum_prefers_numbers_and_minimum_nan() -> None:
    template = (
        FLOAT
        + "%one = llvm.mlir.constant(1.0 : f32) : f32\n"
        + "%y = llvm.intr.{}(%f, %one) : (f32, f32) -> f32"
    )
    inputs = as_bits(np.nan, 0.5, 2.0)
    assert convert(template.format("minnum"), "f32", inputs, np.float32) == [1.0, 0.5, 1.0]
    assert convert(template.format("maxnum"), "f32", inputs, np.float32) == [1.0, 1.0, 2.0]
    got = convert(template.format("minimum"), "f32", inputs, np.float32)
    assert np.isnan(got[0])
    assert got[1:] == [0.5, 1.0]


@pytest.mark.parametrize(
    ("intrinsic", "value", "wanted"),
    [
        ("round", 2.5, 3.0),
        ("round", -2.5, -3.0),
        ("roundeven", 2.5, 2.0),
        ("ceil", -0.5, -0.0),
        ("exp2", 3.0, 8.0),
        ("log2", 8.0, 3.0),
    ],
)
def test_float_intrinsics(intrinsic: str, value: float, wanted: float) -> None:
    body = FLOAT + f"%y = llvm.intr.{intrinsic}(%f) : (f32) -> f32"
    (got,) = convert(body, "f32", as_bits(value), np.float32)
    assert bits(np.float32(got)) == bits(np.float32(wanted))
