"""Values of which the IR says nothing, so that they may be an allocation's start."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.device_code import FUNCTIONS
from tcgen05_mlir.passes.facts.definitions import behind, definition
from tcgen05_mlir.passes.texts import string_text

_LOADS = ("affine.load", "llvm.load", "memref.load")
_CALLS = ("func.call", "llvm.call", "llvm.inline_asm", "nvvm.inline_ptx")
_SHUFFLES = ("gpu.rotate", "gpu.shuffle", "gpu.subgroup_broadcast", "nvvm.shfl.sync")
_PARTS = ("llvm.extractvalue",)
_ALLOCAS = ("llvm.alloca", "memref.alloca")
_PLACES = (
    "llvm.addrspacecast",
    "llvm.bitcast",
    "llvm.getelementptr",
    "memref.cast",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.subview",
)


def is_load(value: ir.Value) -> bool:
    """Whether the value is a word of memory."""
    owner = definition(value)
    return owner is not None and owner.name in _LOADS


def is_start(value: ir.Value) -> bool:
    """Whether nothing in sight computes the value.

    Such are arguments of functions, words of shared and global memory, results of calls, of
    inline assembly and of shuffles. What arithmetic makes is no allocation's start, nor is a word
    of private memory, which holds what the thread itself put there.
    """
    whole = behind(value, _PARTS)
    owner = definition(whole)
    if owner is None:
        return _is_of_function(whole)
    if owner.name in _LOADS:
        return not _is_private(owner.operands[0])
    return owner.name in (*_CALLS, *_SHUFFLES) or _is_shuffle(owner)


def private_slot(load: ir.Operation) -> ir.Value | None:
    """The private variable that an operation loads, where all its uses are in sight."""
    memory = load.operands[0]
    owner = definition(memory)
    return memory if owner is not None and owner.name in _ALLOCAS else None


def _is_of_function(value: ir.Value) -> bool:
    block = value.owner
    if not isinstance(block, ir.Block) or block.owner is None:
        return False
    function = block.owner.operation
    return function.name in FUNCTIONS and block == function.regions[0].blocks[0]


def _is_private(memory: ir.Value) -> bool:
    root = behind(memory, _PLACES)
    owner = definition(root)
    space = ir.MemRefType(root.type).memory_space if isinstance(root.type, ir.MemRefType) else None
    named = str(space) in ("5", "5 : i64", "#gpu.address_space<private>")
    return named or (owner is not None and owner.name in _ALLOCAS)


def _is_shuffle(op: ir.Operation) -> bool:
    """The intrinsic that `nvvm.shfl.sync` becomes."""
    if op.name != "llvm.call_intrinsic":
        return False
    return string_text(op.attributes["intrin"]).startswith("llvm.nvvm.shfl.")
