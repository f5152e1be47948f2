"""The examples as their headers say, both ways of lowering, and what they lose without a part."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.compiler import load
from tcgen05_mlir.passes import tcgen05_to_ptx
from tcgen05_mlir.simulator import SimulationError, run

EXAMPLES = Path(__file__).parents[3] / "examples"


def words(*shape: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    return rng.integers(-(2**31), 2**31, shape, dtype=np.int64).astype(np.int32)


def scale_factors(a: np.ndarray) -> np.ndarray:
    """Out[t, l, 4*b + w] = A[t, b, l % 32, w]."""
    rows = a.transpose(0, 2, 1, 3).reshape(9, 32, 16)
    return np.tile(rows, (1, 4, 1))


def decompressed(a: np.ndarray) -> np.ndarray:
    """Byte j of a row is value j of the row's 64 bits, shifted left by two."""
    nibbles = np.stack([a.view(np.uint8) & 15, a.view(np.uint8) >> 4], axis=-1)
    return (nibbles.reshape(128, 16) << 2).view(np.int32)


CASES = {
    "copy_readback": ((128, 4), (128, 4), lambda a: a),
    "scale_factors": ((9, 4, 32, 4), (9, 128, 16), scale_factors),
    "decompress_fp4": ((128, 2), (128, 4), decompressed),
    "cta_pair": ((2, 128, 4), (2, 128, 4), lambda a: a),
    "swizzled_tile": ((128, 32), (128, 32), lambda a: a),
}


def test_every_example_is_run_here() -> None:
    assert sorted(file.stem for file in EXAMPLES.glob("*.mlir")) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_example(name: str, seed: int) -> None:
    shape, out, expected = CASES[name]
    a, zeros = words(*shape), np.zeros(out, np.int32)
    before = a.copy()
    results = run(EXAMPLES / f"{name}.mlir", None, a, zeros, seed=seed)
    assert (results[1] == expected(a)).all()
    assert (results[0] == before).all()
    assert (a == before).all()
    assert (zeros == 0).all()


@pytest.mark.parametrize("name", CASES)
def test_example_as_inline_assembly(name: str) -> None:
    """A module that is lowered already, its copies as assembly."""
    options = tcgen05_to_ptx.ToPtxOptions(chip="sm_100a", path="inline-asm")
    stages = f"{tcgen05_to_ptx.front(options)},{tcgen05_to_ptx.lower()}"
    lowered = run_pipeline(load(EXAMPLES / f"{name}.mlir"), stages)
    assert "tcgen05.cp.cta_group::" in str(lowered)
    assert "nvvm.tcgen05.cp" not in str(lowered)
    shape, out, expected = CASES[name]
    a = words(*shape)
    assert (run(lowered, None, a, np.zeros(out, np.int32))[1] == expected(a)).all()


TEXT = (EXAMPLES / "copy_readback.mlir").read_text()
FENCE = re.search(r" *nvvm\.fence\.proxy[^\n]*\n", TEXT)
COMMIT = re.search(r" *nvvm\.tcgen05\.commit[^\n]*\n", TEXT)
WAIT = re.search(r" *nvvm\.mbarrier\.try_wait\.parity[^\n]*\n", TEXT)
assert FENCE
assert COMMIT
assert WAIT


def without(*parts: str) -> str:
    """copy_readback without some lines; the others keep their places."""
    text = TEXT
    for part in parts:
        assert text.count(part) == 1
        text = text.replace(part, "\n")
    return text


def load_first() -> str:
    """The load from tensor memory before the wait for the copy."""
    assert WAIT
    start = TEXT.index("    %row = arith.muli %warp, %c32")
    end = TEXT.index("vector<4xi32>\n", start) + len("vector<4xi32>\n")
    moved = TEXT[start:end]
    return TEXT[:start].replace(WAIT[0], moved + WAIT[0]) + TEXT[end:]


def line_of(text: str, part: str) -> str:
    """`-:74:9`, where a part of the text stands first."""
    at = text.index(part)
    return f"-:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def report(text: str, seed: int = 0) -> str:
    a = words(128, 4)
    with pytest.raises(SimulationError) as caught:
        run(text, None, a, np.zeros_like(a), seed=seed)
    return str(caught.value)


def test_without_the_fence() -> None:
    text = without(FENCE[0])
    assert report(text) == (
        f"{line_of(text, 'tcgen05.cp <')}: 'nvvm.tcgen05.cp' op reads shared address 0x400 (byte 0 "
        "of 'tile'), which block (0, 0, 0), thread (0, 0, 0) wrote and did not fence for the async "
        "proxy [P3]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: nvvm.fence.proxy of kind async.shared, by the threads that write, behind their "
        "stores and before the barrier that hands over"
    )


def test_without_the_commit() -> None:
    text = without(COMMIT[0])
    wait = "mbarrier.try_wait.parity.shared.b64"
    waits = [
        f"  note: warp {warp} of block (0, 0, 0) waits in '{wait}' at "
        f"{line_of(text, 'nvvm.mbarrier.try_wait')} for parity 0 of the mbarrier at shared address "
        "0xc08 (byte 0 of 'copied'), which is in phase 0: 1 of 1 arrivals missing\n"
        for warp in range(4)
    ]
    assert report(text) == (
        f"{line_of(text, 'tcgen05.cp <')}: 'nvvm.tcgen05.cp' op is never committed, and nothing "
        "else can complete what is waited for [P4]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        f"{''.join(waits)}"
        "  note: put nvvm.tcgen05.commit behind it, in the same thread"
    )


@pytest.mark.parametrize("text", [without(WAIT[0]), load_first()])
@pytest.mark.parametrize("seed", range(4))
def test_without_the_wait(text: str, seed: int) -> None:
    """Which warp comes to the load first, and whether the copy is issued then, is the seed's."""
    message = report(text, seed)
    assert message.startswith(f"{line_of(text, 'nvvm.tcgen05.ld')}: 'nvvm.tcgen05.ld' op reads")
    assert re.search(r"\[(S1|P4)\]", message)


def test_allowed_rules_do_not_stop_a_run() -> None:
    a = words(128, 4)
    text = without(FENCE[0])
    assert (run(text, None, a, np.zeros_like(a), allow=["P3"])[1] == a).all()
    with pytest.raises(ValueError, match="'allow' must hold rule ids"):
        run(text, None, a, np.zeros_like(a), allow=["P33"])
