"""Run in a child process: every pass of upstream's over a module with copies.

`python upstream_passes.py FILE NAME...` prints one line of JSON per pass before it runs, so that
the last one names the pass that ended the process, and one after it: its name and what became of
the copies and views.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter

import tcgen05_mlir
from mlir import ir


def ops(module: ir.Module, name: str) -> Counter[str]:
    """The ops of a name by attributes and result or destination type; layouts are in that text."""
    found: Counter[str] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == name:
            value = op.results[0] if op.results else op.operands[0]
            attributes = [f"{name} = {attribute}" for name, attribute in op.attributes.items()]
            found[f"{attributes} : {value.type}"] += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def run(module: ir.Module, name: str) -> ir.Module:
    """The module after a pass, nested in what it is restricted to."""
    try:
        return tcgen05_mlir.run_pipeline(module, f"builtin.module({name})")
    except (ir.MLIRError, ValueError) as error:
        restricted = re.search(r"restricted to '([\w.]+)'|(unable to schedule)", str(error))
        if restricted is None:
            raise
        anchor = restricted[1] or "func.func"
    return tcgen05_mlir.run_pipeline(module, f"builtin.module({anchor}({name}))")


def verdict(module: ir.Module, name: str) -> str:
    """What became of the copies and views: kept, changed, lost, or the pass's refusal."""
    try:
        after = run(module, name)
    except (ir.MLIRError, ValueError) as error:
        return f"refused: {error}"
    if ops(after, "tcgen05.cp") != ops(module, "tcgen05.cp"):
        return "copies changed"
    before, views = ops(module, "tcgen05.view"), ops(after, "tcgen05.view")
    return "views changed" if views - before else "kept"


def main(file: str, names: list[str]) -> None:
    with ir.Context(), open(file) as source:
        module = ir.Module.parse(source.read())
        for name in names:
            print(json.dumps([name]), flush=True)
            print(json.dumps([name, verdict(module, name)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
