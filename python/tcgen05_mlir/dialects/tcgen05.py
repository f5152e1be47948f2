"""Op classes, builders and attributes of the tcgen05 dialect.

The one bridge between MLIR attributes and the values of `tcgen05_mlir.model`:

    tile = TmemLayoutAttr.get("<(128, 4) : (1@lane, 1@col)>")
    tmem = tcgen05.view(MemRefType.get((128, 4), i32, tile, tensor), address)
    tcgen05.cp(tmem, smem, "128x128b", descriptor=SmemDescriptor(ldo=16, sdo=128))

An enum is accepted as NVVM spells it (`shape_128x128b`, `warpx2_02_13`, `cta_2`), as PTX does
(`128x128b`, `warpx2::02_13`, 2), as a member of upstream's Python enum, or as the attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from mlir import ir

from tcgen05_mlir._mlir_libs._tcgen05 import (
    SmemDescAttr,
    SmemLayoutAttr,
    TmemLayoutAttr,
    require_dialect,
)
from tcgen05_mlir.dialects._attributes import (
    instruction_attributes,
    read_descriptor,
    read_instruction,
)
from tcgen05_mlir.dialects._operands import index_values, read_indices, read_int64, read_value
from tcgen05_mlir.dialects._tcgen05_ops_gen import AddressOp, CpOp, ViewOp, _Dialect
from tcgen05_mlir.model import Instruction, SmemDescriptor

__all__ = [
    "AddressOp",
    "CpOp",
    "SmemDescAttr",
    "SmemLayoutAttr",
    "TmemLayoutAttr",
    "ViewOp",
    "_Dialect",
    "address",
    "cp",
    "descriptor_of",
    "instruction_of",
    "view",
]


def cp(
    dst: Any,
    src: Any,
    shape: str | Enum | ir.Attribute | Instruction = "128x128b",
    *,
    dst_indices: Sequence[Any] = (),
    src_indices: Sequence[Any] = (),
    multicast: str | Enum | ir.Attribute | None = None,
    cta_group: int | str | Enum | ir.Attribute = 1,
    src_format: str | Enum | ir.Attribute | None = None,
    descriptor: SmemDescriptor | ir.Attribute | str | None = None,
    predicate: Any = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> CpOp:
    """Build `tcgen05.cp`: copy ``src`` in shared memory to ``dst`` in tensor memory.

    Indices choose leading dimensions, as values or as integers; what remains of both memrefs is
    ``(*repeat, row, word)``, one instruction per repeat. An `Instruction` as ``shape`` brings its
    multicast, CTA group and source format with it. ``descriptor`` holds bytes:
    ``SmemDescriptor(ldo=16, sdo=128)``, the attribute, or the text ``<ldo = 16, sdo = 128>``;
    None leaves it to inference. The other rules are judged by the op's verifier.
    Raises ValueError for an instruction that does not exist [C1], a descriptor with a start
    address, which comes from ``src``, and a Context that lacks the dialect; TypeError for an
    argument of the wrong kind. Nothing is built then. Source: PTX `tcgen05-cp`.
    """
    instruction = read_instruction(shape, multicast, cta_group, src_format)
    dst, src = read_value("dst", dst), read_value("src", src)
    dst_indices = read_indices("dst_indices", dst_indices)
    src_indices = read_indices("src_indices", src_indices)
    predicate = None if predicate is None else read_value("predicate", predicate)
    location = _location(loc, dst)
    with location:
        attributes = instruction_attributes(instruction)
        attributes["descriptor"] = read_descriptor(descriptor)
        return CpOp(
            dst=dst,
            dst_indices=index_values(dst_indices, ip),
            src=src,
            src_indices=index_values(src_indices, ip),
            predicate=predicate,
            loc=location,
            ip=ip,
            **attributes,
        )


def view(
    result_type: ir.Type,
    address: Any,
    *,
    alignment: int | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """Build `tcgen05.view`: ``address`` seen as a memref of ``result_type``, whose layout says how.

    From an i32 or ``!llvm.ptr<6>`` to tensor memory, from a workgroup memref or ``!llvm.ptr<3>``
    to shared memory. ``alignment`` is the caller's word on the address, in bytes (1024).
    Rules V1 to V3 are judged by the op's verifier. Raises TypeError for an argument of the wrong
    kind, ValueError for an alignment past 64 bits and a Context that lacks the dialect.
    """
    if not isinstance(result_type, ir.Type):
        raise TypeError(f"'result_type' must be a Type, got {type(result_type).__name__}")
    address = read_value("address", address)
    if alignment is not None:
        alignment = read_int64("alignment", alignment)
    location = _location(loc, address)
    with location:
        return ViewOp(result_type, address, alignment=alignment, loc=location, ip=ip).view


def address(
    view: Any,
    indices: Sequence[Any] = (),
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Value:
    """Build `tcgen05.address`: the i32 TMEM address, lane << 16 | column, of an element.

    Indices are values or integers; those left out are zero. Rule V4 is judged by the op's verifier.
    Raises TypeError for an argument of the wrong kind, ValueError for a Context that lacks the
    dialect.
    """
    view = read_value("view", view)
    indices = read_indices("indices", indices)
    location = _location(loc, view)
    with location:
        i32 = ir.IntegerType.get_signless(32)
        return AddressOp(i32, view, index_values(indices, ip), loc=location, ip=ip).address


def instruction_of(op: CpOp) -> Instruction:
    """The instruction that ``op`` issues: ``Instruction("128x128b")`` for `<shape_128x128b>`.

    Raises ValueError for an op that the verifier refuses [C1].
    """
    if "shape" not in op.attributes:
        raise ValueError("'shape' must be given [C1]")
    return read_instruction(op.shape, op.multicast, op.cta_group, op.src_format)


def descriptor_of(op: CpOp) -> SmemDescriptor | None:
    """The descriptor's fields with start address 0, or None where ``op`` leaves it to inference.

    Raises ValueError for fields that the verifier refuses [C5].
    """
    attribute = op.descriptor
    if attribute is None:
        return None
    return SmemDescriptor(ldo=attribute.ldo, sdo=attribute.sdo, swizzle=attribute.swizzle)


def _location(loc: ir.Location | None, operand: ir.Value) -> ir.Location:
    """``loc``, else the current location, else an unknown one in the operand's context.

    Raises ValueError for a location of another context, and where the context lacks the dialect.
    """
    context = operand.type.context
    found = loc if loc is not None else ir.Location.current
    if found is None:
        found = ir.Location.unknown(context)
    if found.context != context:
        raise ValueError("'loc' and the operands must belong to one Context, got two")
    require_dialect(context)
    return found
