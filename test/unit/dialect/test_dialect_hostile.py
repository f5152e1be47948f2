"""Hostile text: an error or a module that prints and reads back, never the end of the process."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
Judge = Callable[[list[str]], list[str]]
GOOD = """
#tile = #tcgen05.tmem_layout<((2, 64), 4) : ((64@lane, 1@lane), 1@col),
                             replicas = (2) : (8@col), offset = (0@lane, 4@col)>
#ring = #tcgen05.smem_layout<((?, 2), 128, 4) : ((1024, 512), 4, 1), offset = 8, swizzle = 3>
func.func @f(%t: i32, %p: i1, %i: index, %a: !llvm.ptr<3>) {
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
  %1 = tcgen05.view %a alignment(1024) : !llvm.ptr<3> to memref<?x128x4xi32, #ring, 3>
  tcgen05.cp <shape_128x128b> %0, %1[%i] multicast(<none>) cta_group(<cta_2>)
    src_format(<b4x16_p64>) descriptor(<ldo = 16, sdo = 128, swizzle = 3>) predicate(%p)
    : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>, memref<?x128x4xi32, #ring, 3>
  %2 = tcgen05.address %0[%i] : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>> -> i32
  return
}
"""
GENERIC = """
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @f(%t: i32, %s: memref<3x128x4xi32, 3>, %i: index) {
  %0 = "tcgen05.view"(%t) : (i32) -> memref<128x4xi32, #tile, 6>
  "tcgen05.cp"(%0, %s, %i) <{
      cta_group = #nvvm.cta_group<cta_1>, descriptor = #tcgen05.smem_desc<sdo = 128>,
      multicast = #nvvm.tcgen05_cp_multicast<none>,
      operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>,
      shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}>
      : (memref<128x4xi32, #tile, 6>, memref<3x128x4xi32, 3>, index) -> ()
  %1 = "tcgen05.address"(%0, %i) : (memref<128x4xi32, #tile, 6>, index) -> i32
  "func.return"() : () -> ()
}
"""
SHARED = """
func.func @f(%a: !llvm.ptr<3>) {{
  %0 = tcgen05.view %a : !llvm.ptr<3> to {}
  return
}}
"""
# A quoted name is one token: emptied, any name of any dialect ends upstream's parser.
TOKEN = re.compile(r"\s+|\"[^\"]*\"|[A-Za-z_]\w*|\d+|.", re.DOTALL)
NUMBERS = [
    "0",
    "-1",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "1e99",
    "9" * 400,
]
WORDS = ["?", "()", "true", "unit", '"x"', "i64", "f16", "memref<*xi32>", "array<i32: 1>"]
WORDS += ["array<i32: 0, 0, 2, 0, 0>", "#tcgen05.smem_desc<>", "dense<0> : tensor<2xi32>"]
SEGMENTS = ("1, 0, 1, 0, 0", "0, 0, 0, 0, 0", "2, 0, 0, 0, 0", "0, 1, 1, 0, 0", "1, 1, 0, 0, 0")


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """The first diagnostic of each text, empty where it is accepted."""

    def run(texts: list[str]) -> list[str]:
        file = tmp_path / "texts.json"
        file.write_text(json.dumps(texts))
        command = [sys.executable, str(HERE / "parse_each.py"), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == 0, f"{texts[lines[-1][0]]}\n{done.stderr[-2000:]}"
        return [line[1] for line in lines if len(line) == 2]

    return run


def test_damaged_modules(judge: Judge) -> None:
    """Six hundred modules with up to five tokens exchanged, inserted or left out."""
    draw = random.Random(0)
    sources = [TOKEN.findall(text) for text in (GOOD, GENERIC)]
    vocabulary = sorted({token for tokens in sources for token in tokens if token.strip()})
    vocabulary.remove("@")  # Alone it makes upstream's lexer and parser disagree on an error.

    def damage(tokens: list[str]) -> str:
        tokens = tokens.copy()
        for _ in range(draw.choice([1, 1, 1, 2, 5])):
            at = draw.randrange(len(tokens))
            new = draw.choice([[], [draw.choice(vocabulary)], [draw.choice(NUMBERS + WORDS)]])
            tokens[at : at + draw.choice([0, 1, 1])] = new
        return "".join(tokens)

    texts = [damage(draw.choice(sources)) for _ in range(600)]
    texts = [text for text in texts if not re.search(r"@(?![A-Za-z_])", text)]
    verdicts = judge([GOOD, GENERIC, *texts])
    assert verdicts[:2] == ["", ""]
    # Some of the damage is none.
    assert 5 < verdicts.count("") < len(texts) // 2


@pytest.mark.parametrize("field", ["128", "64", "2", "4", "8", "16", "1024", "3"])
def test_a_number_exchanged(field: str, judge: Judge) -> None:
    """Every occurrence of a number, one at a time, for numbers that no field holds."""
    places = [match.span() for match in re.finditer(rf"\b{field}\b", GOOD)]
    texts = [GOOD[:a] + number + GOOD[b:] for a, b in places for number in NUMBERS]
    assert len(judge(texts)) == len(texts)


def test_long_lists(judge: Judge) -> None:
    """Thousands of indices, dimensions, modes and letters are faults of count or none."""
    many = ", ".join(["%i"] * 5000)
    wide = "x".join(["1"] * 2000)
    layout = f"({', '.join(['1'] * 2000)}) : ({', '.join(['0'] * 2000)})"
    memref = f"memref<{wide}xi32, #tcgen05.smem_layout<{layout}>, 3>"
    name = "a" * 100_000
    texts = [
        GOOD.replace("%1[%i]", f"%1[{many}]"),
        GOOD.replace("%0[%i]", f"%0[{many}]"),
        SHARED.format(memref),
        GOOD.replace("predicate(%p)", f"predicate(%p) {{{name}}}"),
    ]
    assert judge(texts) == [
        "'tcgen05.cp' op 'src' must keep two dimensions (row, word) behind its indices, "
        "got 3 dimensions and 5000 indices [C4]",
        "'tcgen05.address' op 'indices' must be at most 2, got 5000 [V4]",
        "",
        f"'tcgen05.cp' op has no attribute '{name}'",
    ]


def test_segments_of_the_generic_form(judge: Judge) -> None:
    """The counts of operands, against three operands of the wrong number and order."""
    texts = [GENERIC.replace("1, 0, 1, 1, 0", segments) for segments in SEGMENTS]
    total = "'tcgen05.cp' op operand count (3) does not match with the total size ({}) specified in"
    assert judge(texts) == [
        f"{total.format(count)} attribute 'operandSegmentSizes'" for count in (2, 0, 2, 2, 2)
    ]
    three = ["3, 0, 0, 0, 0", "0, 3, 0, 0, 0", "1, 2, 0, 0, 0", "1, 0, 2, 0, 0", "0, 0, 1, 2, 0"]
    verdicts = judge([GENERIC.replace("1, 0, 1, 1, 0", segments) for segments in three])
    assert all(verdict.startswith("'tcgen05.cp' op ") for verdict in verdicts)


def test_a_scalar_and_empty_memrefs(judge: Judge) -> None:
    """Rank 0 is a view; no extent of a layout is zero, whatever the memref says."""
    scalar = "memref<i32, #tcgen05.tmem_layout<() : ()>, 6>"
    empty = "memref<0xi32, #tcgen05.smem_layout<(0) : (1)>, 3>"
    dynamic = "memref<?xi32, #tcgen05.smem_layout<(?) : (1), swizzle = 3>, 3>"
    address = f"%1 = tcgen05.address %0 : {scalar} -> i32"
    texts = [
        f"func.func @f(%a: i32) {{ %0 = tcgen05.view %a : i32 to {scalar} {address} return }}",
        SHARED.format(empty),
        SHARED.format(dynamic),
    ]
    assert judge(texts) == ["", "'extent' must be positive, got 0", ""]
