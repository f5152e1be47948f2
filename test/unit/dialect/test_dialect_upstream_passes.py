"""Every pass that mlir-opt has, over copies: none crashes, loses a layout, drops or adds a copy."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tcgen05_mlir.passes import registry

HERE = Path(__file__).parent
COPIES = HERE / "copies.mlir"
OUT_OF_MEMORY = "normalize-memrefs"
"""Upstream's pass that eliminates the variables of a layout's map one by one: on the exclusive or
of a swizzled layout it needs more memory than there is. Documented; accesses are expanded before
it."""


@pytest.fixture(scope="module")
def upstream() -> list[str]:
    """The names of all passes and pipelines but ours."""
    command = [sys.executable, "-m", "tcgen05_mlir.tools.opt", "--help"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    listed = text[text.index("Compiler passes to run") :]
    names = re.findall(r"^      ?--([\w-]+)(?:=<\w+>)? +- ", listed, re.MULTILINE)
    return [name for name in dict.fromkeys(names) if name not in registry._registered]


def verdicts(file: Path, names: list[str]) -> dict[str, str]:
    command = [sys.executable, str(HERE / "upstream_passes.py"), str(file), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('["')]
    assert done.returncode == 0, f"{lines[-1]} ended the process\n{done.stderr[-2000:]}"
    return dict(line for line in lines if len(line) == 2)


def in_gpu_module(source: str) -> str:
    """The same copies in a gpu.module."""
    before, module, after = source.partition("\nmodule {")
    container = "\nmodule attributes {gpu.container_module} {\ngpu.module @kernels {"
    return f"{before}{container}{after}\n}}" if module else ""


@pytest.mark.parametrize("place", ["module", "gpu.module"])
def test_copies_outlive_every_pass(place: str, upstream: list[str], tmp_path: Path) -> None:
    source = COPIES.read_text()
    file = tmp_path / "copies.mlir"
    file.write_text(source if place == "module" else in_gpu_module(source))
    # The host's lowering erases every gpu.module, whatever is in it.
    names = [name for name in upstream if place == "module" or name != "lower-host-to-llvm"]
    found = verdicts(file, names)
    assert set(found) == set(names)
    assert {name for name, verdict in found.items() if verdict.endswith("changed")} == set()
    # Most of them do run.
    kept = {name for name, verdict in found.items() if verdict == "kept"}
    assert len(kept) > 200
    assert kept >= {
        "affine-scalrep",
        "buffer-deallocation-pipeline",
        "buffer-hoisting",
        "canonicalize",
        "convert-to-llvm",
        "cse",
        "expand-strided-metadata",
        "finalize-memref-to-llvm",
        "fold-memref-alias-ops",
        "inline",
        "loop-invariant-code-motion",
        "mem2reg",
        "memref-expand",
        "normalize-memrefs",
        "promote-buffers-to-stack",
        "remove-dead-values",
        "sccp",
        "symbol-dce",
    } | ({"convert-gpu-to-nvvm"} if place == "gpu.module" else set())


TENSOR = (
    "%t : i32",
    "memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), "
    "replicas = (2) : (16@col)>, 6>",
    4,
    6,
)
SHARED = (
    "%s : !llvm.ptr<3>",
    "memref<128x8xi32, #tcgen05.smem_layout<(128, 8) : (32, 1), offset = 8, swizzle = 3>, 3>",
    8,
    3,
)
USES = {
    "alloc": "%0 = memref.alloc() : {type}",
    "alloca": "%0 = memref.alloca() : {type}",
    "assume_alignment": "%0 = memref.assume_alignment %m, 16 : {type}",
    "affine_load": "%0 = affine.load %m[0, 0] : {type}",
    "atomic_rmw": "%0 = memref.atomic_rmw addi %v, %m[%i, %i] : (i32, {type}) -> i32",
    "cast": "%0 = memref.cast %m : {type} to {type}",
    "cast_unranked": "%0 = memref.cast %m : {type} to memref<*xi32, {space}>",
    "copy": "memref.copy %m, %m : {type} to {type}",
    "dealloc": "memref.dealloc %m : {type}",
    "dim": "%0 = memref.dim %m, %i : {type}",
    "fill": "linalg.fill ins(%v : i32) outs(%m : {type})",
    "linalg_copy": "linalg.copy ins(%m : {type}) outs(%m : {type})",
    "load": "%0 = memref.load %m[%i, %i] : {type}",
    "memory_space_cast": "%0 = memref.memory_space_cast %m : {type} to {other}",
    "pointer": "%0 = memref.extract_aligned_pointer_as_index %m : {type} -> index",
    "prefetch": "memref.prefetch %m[%i, %i], read, locality<3>, data : {type}",
    "reinterpret_cast": "%0 = memref.reinterpret_cast %m to offset: [0], sizes: [64, {words}], "
    "strides: [{words}, 1] : {type} to memref<64x{words}xi32, strided<[{words}, 1]>, {space}>",
    "select": "%0 = arith.select %p, %m, %m : {type}",
    "store": "memref.store %v, %m[%i, %i] : {type}",
    "to_tensor": "%0 = bufferization.to_tensor %m : {type} to tensor<128x{words}xi32>",
    "transfer_read": "%0 = vector.transfer_read %m[%i, %i], %v : {type}, vector<4x4xi32>",
}


@pytest.mark.parametrize(
    ("memory", "use"), [(m, use) for m in ("tensor", "shared") for use in USES]
)
def test_no_pass_ends_the_process_over_a_use_of_a_view(
    memory: str, use: str, upstream: list[str], tmp_path: Path
) -> None:
    """Uses that upstream's verifiers let through; those that they refuse are a lit test."""
    address, kind, words, space = TENSOR if memory == "tensor" else SHARED
    other = kind.removesuffix(f", {space}>") + ">"
    text = USES[use].format(type=kind, words=words, space=space, other=other)
    file = tmp_path / "use.mlir"
    file.write_text(
        "func.func @f(%i: index, %v: i32, %p: i1, %t: i32, %s: !llvm.ptr<3>) {\n"
        f"  %m = tcgen05.view {address} to {kind}\n  {text}\n  return\n}}\n"
    )
    names = [name for name in upstream if memory == "tensor" or name != OUT_OF_MEMORY]
    found = verdicts(file, names)
    assert set(found) == set(names)
    assert {name for name, verdict in found.items() if verdict.endswith("changed")} == set()
