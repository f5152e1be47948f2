"""Integers in every width against Python's own: random straight-line kernels, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, field

import integer_model as model
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import THREADS, element, llvm_kernel
from tcgen05_mlir.simulator import run

EDGES = (
    0,
    1,
    2,
    3,
    31,
    32,
    63,
    64,
    0x7F,
    0x80,
    0xFF,
    1 << 31,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)


@dataclass
class Program:
    """Straight-line code, and what each value is in each lane."""

    seed: int
    text: list[str] = field(default_factory=list)
    values: list[tuple[int, list[int]]] = field(default_factory=list)

    def add(self, width: int, text: str, lanes: list[int]) -> None:
        mask = (1 << width) - 1
        self.text.append(f"%v{len(self.values)} = {text}")
        self.values.append((width, [lane & mask for lane in lanes]))

    def operand(self, place: int, width: int) -> tuple[str, list[int]]:
        """A value in the width: zero-extended, or cut."""
        at = place % len(self.values)
        have, lanes = self.values[at]
        if have != width:
            way = "zext" if have < width else "trunc"
            self.add(width, f"llvm.{way} %v{at} : i{have} to i{width}", lanes)
            at = len(self.values) - 1
        return f"%v{at}", self.values[at][1]


STEP = st.tuples(
    st.sampled_from([*model.BINARY, *model.UNARY, *model.COMPARE, "sext", "select", "fshl"]),
    st.sampled_from(model.WIDTHS),
    st.integers(0, 1000),
    st.integers(0, 1000),
    st.integers(0, 1000),
)


def step(program: Program, name: str, width: int, x: int, y: int, z: int) -> None:
    a, lanes_a = program.operand(x, width)
    b, lanes_b = program.operand(y, width)
    pairs = list(zip(lanes_a, lanes_b, strict=True))
    if name in model.BINARY:
        lanes = [model.BINARY[name](p, q, width) for p, q in pairs]
        text = f"llvm.{name}({a}, {b}) : (i{width}, i{width}) -> i{width}"
        program.add(width, text if "intr" in name else f"llvm.{name} {a}, {b} : i{width}", lanes)
    elif name in model.UNARY:
        lanes = [model.UNARY[name](p, width) for p in lanes_a]
        program.add(width, f"llvm.{name}({a}) : (i{width}) -> i{width}", lanes)
    elif name in model.COMPARE:
        lanes = [int(model.COMPARE[name](p, q, width)) for p, q in pairs]
        program.add(1, f'llvm.icmp "{name}" {a}, {b} : i{width}', lanes)
    elif name == "sext" and width < 64:
        lanes = [model.signed(p, width) for p in lanes_a]
        program.add(64, f"llvm.sext {a} : i{width} to i64", lanes)
    elif name == "select":
        c, chosen = program.operand(z, 1)
        lanes = [p if c else q for c, (p, q) in zip(chosen, pairs, strict=True)]
        program.add(width, f"llvm.select {c}, {a}, {b} : i1, i{width}", lanes)
    elif name == "fshl":
        c, by = program.operand(z, width)
        both = [
            ((p << width | q) << n % width) >> width for n, (p, q) in zip(by, pairs, strict=True)
        ]
        call = f"llvm.intr.fshl({a}, {b}, {c}) : (i{width}, i{width}, i{width}) -> i{width}"
        program.add(width, call, both)


def inputs(seed: int) -> np.ndarray:
    """Four 64-bit words per lane, edge cases among them."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 1 << 64, (4, THREADS), dtype=np.uint64)
    edges = rng.choice(np.array(EDGES, np.uint64), words.shape)
    return np.where(rng.random(words.shape) < 0.5, edges, words)


def build(seed: int, steps: list[tuple]) -> tuple[str, Program, np.ndarray]:
    program, words = Program(seed), inputs(seed)
    for row in range(4):
        program.values.append((64, [int(word) for word in words[row]]))
    program.text += ["%c7 = llvm.mlir.constant(7 : i32) : i32"]
    program.add(32, "llvm.add %c7, %c7 : i32", [14] * THREADS)
    for one in steps:
        step(program, *one)
    load = [
        line
        for row in range(4)
        for line in (
            f"%r{row} = {element('in', row, 'i64')}",
            f"%v{row} = llvm.load %r{row} : !llvm.ptr -> i64",
        )
    ]
    stores = []
    for place, (width, _) in enumerate(program.values):
        wide = f"%v{place}" if width == 64 else f"%w{place}"
        if width != 64:
            stores.append(f"{wide} = llvm.zext %v{place} : i{width} to i64")
        stores.append(f"%s{place} = {element('out', place, 'i64')}")
        stores.append(f"llvm.store {wide}, %s{place} : i64, !llvm.ptr")
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
    return llvm_kernel("%in: !llvm.ptr, %out: !llvm.ptr", body), program, words


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), steps=st.lists(STEP, min_size=1, max_size=40))
def test_random_integer_kernels(seed: int, steps: list[tuple]) -> None:
    text, program, words = build(seed, steps)
    got = run(text, "k", words, np.zeros((len(program.values), THREADS), np.uint64))[1]
    wanted = np.array([lanes for _, lanes in program.values], np.uint64)
    assert (got == wanted).all(), text
