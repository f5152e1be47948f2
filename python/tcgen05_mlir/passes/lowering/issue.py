"""One `tcgen05.cp` instruction, as NVVM's operation or as inline assembly."""

from __future__ import annotations

from collections.abc import Callable

from mlir import ir
from mlir.dialects import llvm, nvvm

from tcgen05_mlir.model import Instruction

Issue = Callable[[ir.Value, ir.Value], object]
"""Takes the i32 TMEM address and the i64 descriptor."""


def nvvm_issue(instruction: Instruction) -> Issue:
    """`nvvm.tcgen05.cp` with the instruction's form."""
    parts = instruction.nvvm
    attributes = {
        "shape": ir.Attribute.parse(f"#nvvm.tcgen05_cp_shape<{parts.shape}>"),
        "multicast": ir.Attribute.parse(f"#nvvm.tcgen05_cp_multicast<{parts.multicast}>"),
        "group": ir.Attribute.parse(f"#nvvm.cta_group<{parts.cta_group}>"),
    }
    source_format = None
    if parts.src_format is not None:
        source_format = ir.Attribute.parse(f"#nvvm.tcgen05_cp_src_fmt<{parts.src_format}>")
    pointer = ir.Type.parse("!llvm.ptr<6>")

    def issue(address: ir.Value, descriptor: ir.Value) -> None:
        taddr = llvm.inttoptr(pointer, address)
        nvvm.Tcgen05CpOp(taddr=taddr, smem_desc=descriptor, srcFormat=source_format, **attributes)

    return issue


def assembly_issue(instruction: Instruction, predicate: ir.Value | None) -> Issue:
    """`llvm.inline_asm` with the instruction's PTX, side effects and a memory clobber.

    The clobber keeps stores to the source in front of it, which NVVM's operation does not.
    """
    guard = "" if predicate is None else "@$2 "
    text = f"{guard}{instruction.ptx} [$0], $1;"
    constraints = "r,l," + ("" if predicate is None else "b,") + "~{memory}"

    def issue(address: ir.Value, descriptor: ir.Value) -> None:
        operands = [address, descriptor, *([] if predicate is None else [predicate])]
        llvm.inline_asm(None, operands, text, constraints, has_side_effects=True, asm_dialect=0)

    return issue
