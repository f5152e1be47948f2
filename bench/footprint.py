"""Time of proving and lowering copies, beside upstream's parsing and printing of the same module.

    python bench/footprint.py [--distinct 1000] [--equal 10000]

One process measures both on the same text and prints a table of seconds and ratios. `distinct`
copies differ in the offset of their source and in their column; `equal` ones do not differ. What
a process remembers is forgotten before each first run; `again` is a second run that remembers it.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from functools import partial

import tcgen05_mlir
from mlir import ir

WORKGROUP = "#gpu.address_space<workgroup>"
BYTES = 196608
BUFFER = f"memref<{BYTES}xi8, {WORKGROUP}>"
VERIFY = "tcgen05-verify-footprint"
INFER = "tcgen05-infer-descriptors"
LOWER = "convert-tcgen05-to-nvvm"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--distinct", type=int, default=1000, help="copies that all differ")
    options.add_argument("--equal", type=int, default=10000, help="copies that are all the same")
    chosen = options.parse_args()
    print("| copies | step | seconds | of parse + print |")
    print("|---|---|---|---|")
    report(f"{chosen.distinct} distinct", module_text(chosen.distinct, chosen.distinct))
    report(f"{chosen.equal} equal", module_text(chosen.equal, 1))


def module_text(copies: int, kinds: int) -> str:
    """A function with so many copies, each through views of its own, of so many kinds."""
    lines = [copy_lines(number, number % kinds) for number in range(copies)]
    return "\n".join(
        [
            f'memref.global "private" @tiles : {BUFFER} {{alignment = 1024}}',
            "func.func @f(%taddr: i32) {",
            f"%tiles = memref.get_global @tiles : {BUFFER}",
            *lines,
            "return",
            "}",
        ]
    )


def copy_lines(number: int, kind: int) -> str:
    """The copy of one kind: 128-byte-swizzled rows, two instructions."""
    words, column = 4 * (kind % 8) + 256 * (kind // 8 % 64), 4 * (kind // 512)
    source = f"#tcgen05.smem_layout<(2, 128, 4) : (4096, 32, 1), offset = {words}, swizzle = 3>"
    place = f"offset = (0@lane, {column}@col)"
    target = f"#tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col), {place}>"
    src = f"memref<2x128x4xi32, {source}, {WORKGROUP}>"
    dst = f"memref<2x128x4xi32, {target}, #nvvm.memory_space<tensor>>"
    return "\n".join(
        [
            f"%s{number} = tcgen05.view %tiles : {BUFFER} to {src}",
            f"%t{number} = tcgen05.view %taddr : i32 to {dst}",
            f"tcgen05.cp <shape_128x128b> %t{number}, %s{number} "
            f"descriptor(<sdo = 1024, swizzle = 3>) : {dst}, {src}",
        ]
    )


def report(name: str, text: str) -> None:
    context = ir.Context()
    tcgen05_mlir.register_dialect(context)
    module = ir.Module.parse(text, context)
    parse = seconds(lambda: ir.Module.parse(text, context))
    written = seconds(lambda: str(module))
    base = parse + written
    row(name, "parse + print", base, base)
    bare = ir.Module.parse(text.replace(" descriptor(<sdo = 1024, swizzle = 3>)", ""), context)
    for pipeline, subject in ((VERIFY, module), (INFER, bare), (LOWER, module)):
        forget()
        for run in ("", ", again"):
            action = partial(tcgen05_mlir.run_pipeline, subject, pipeline, verify=False)
            row(name, f"{pipeline}{run}", seconds(action), base)


def row(name: str, step: str, taken: float, base: float) -> None:
    print(f"| {name} | {step} | {taken:.3f} | {taken / base:.1f} |", flush=True)


def seconds(action: Callable[[], object]) -> float:
    """Processor time of one run: a second would find what the first has left."""
    start = time.process_time()
    action()
    return time.process_time() - start


def forget() -> None:
    """Empty what the process remembers of proofs."""
    for name, function in (("prove", "_prove"), ("infer", "_infer")):
        module = importlib.import_module(f"tcgen05_mlir.model.footprint.{name}")
        getattr(module, function).cache_clear()


if __name__ == "__main__":
    main()
