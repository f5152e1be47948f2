"""Op classes, builders and attributes of the tcgen05 dialect.

The one bridge between MLIR attributes and the values of `tcgen05_mlir.model`:

    tile = TmemLayoutAttr.get("<(128, 4) : (1@lane, 1@col)>")
    tmem = tcgen05.view(MemRefType.get((128, 4), i32, tile, tensor), address)
    tcgen05.cp(tmem, smem, "128x128b", descriptor=SmemDescriptor(ldo=16, sdo=128))

An enum is accepted as NVVM spells it (`shape_128x128b`, `warpx2_02_13`, `cta_2`), as PTX does
(`128x128b`, `warpx2::02_13`, 2), as a member of upstream's Python enum, or as the attribute.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any

from mlir import ir
from mlir.dialects import arith

from tcgen05_mlir._mlir_libs._tcgen05 import (
    SmemDescAttr,
    SmemLayoutAttr,
    TmemLayoutAttr,
    require_dialect,
)
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
    Raises ValueError for an instruction that does not exist [C1] and for a descriptor with a start
    address, which comes from ``src``; TypeError for an argument of the wrong kind.
    Source: PTX `tcgen05-cp`.
    """
    instruction = _instruction(shape, multicast, cta_group, src_format)
    with _location(loc, dst) as location:
        return CpOp(
            _enum("tcgen05_cp_shape", instruction.nvvm.shape),
            dst,
            [_index(i, ip) for i in dst_indices],
            src,
            [_index(i, ip) for i in src_indices],
            multicast=_enum("tcgen05_cp_multicast", instruction.nvvm.multicast),
            cta_group=_enum("cta_group", instruction.nvvm.cta_group),
            src_format=_enum("tcgen05_cp_src_fmt", instruction.nvvm.src_format),
            descriptor=_descriptor(descriptor),
            predicate=predicate,
            loc=location,
            ip=ip,
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
    Rules V1 to V3 are judged by the op's verifier.
    """
    with _location(loc, address) as location:
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
    """
    with _location(loc, view) as location:
        i32 = ir.IntegerType.get_signless(32)
        return AddressOp(i32, view, [_index(i, ip) for i in indices], loc=location, ip=ip).address


def instruction_of(op: CpOp) -> Instruction:
    """The instruction that ``op`` issues: ``Instruction("128x128b")`` for `<shape_128x128b>`.

    Raises ValueError for an op that the verifier refuses [C1].
    """
    return _instruction(op.shape, op.multicast, op.cta_group, op.src_format)


def descriptor_of(op: CpOp) -> SmemDescriptor | None:
    """The descriptor's fields with start address 0, or None where ``op`` leaves it to inference.

    Raises ValueError for fields that the verifier refuses [C5].
    """
    attribute = op.descriptor
    if attribute is None:
        return None
    return SmemDescriptor(ldo=attribute.ldo, sdo=attribute.sdo, swizzle=attribute.swizzle)


def _instruction(shape: Any, multicast: Any, cta_group: Any, src_format: Any) -> Instruction:
    if not isinstance(shape, Instruction):
        return Instruction(*map(_spelling, (shape, multicast, cta_group, src_format)))
    if (multicast, cta_group, src_format) != (None, 1, None):
        raise ValueError(
            "'shape' is an Instruction, which has its own 'multicast', 'cta_group' and "
            "'src_format'; leave these out"
        )
    return shape


def _spelling(value: Any) -> Any:
    """The text of an enum's member or attribute; everything else as it is."""
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, ir.Attribute):
        text = re.fullmatch(r"#nvvm\.\w+<(.*)>", str(value))
        return text[1] if text else str(value)
    return value


def _enum(mnemonic: str, case: str | None) -> ir.Attribute | None:
    return None if case is None else ir.Attribute.parse(f"#nvvm.{mnemonic}<{case}>")


def _descriptor(value: Any) -> ir.Attribute | None:
    if value is None or isinstance(value, ir.Attribute):
        return value
    if isinstance(value, str):
        text = value if value.startswith("#") else f"#tcgen05.smem_desc{value}"
        try:
            return ir.Attribute.parse(text)
        except ir.MLIRError as error:
            raise ValueError(f"'descriptor' is not one: {error}") from None
    if not isinstance(value, SmemDescriptor):
        raise TypeError(
            "'descriptor' must be a SmemDescriptor, a #tcgen05.smem_desc attribute or its text, "
            f"got {type(value).__name__}"
        )
    if value.start:
        raise ValueError(
            f"'descriptor' must have start 0, got {value.start}: the address comes from 'src'"
        )
    return SmemDescAttr.get(ldo=value.ldo, sdo=value.sdo, swizzle=value.swizzle)


def _index(value: Any, ip: ir.InsertionPoint | None) -> Any:
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    return arith.constant(ir.IndexType.get(), value, ip=ip)


def _location(loc: ir.Location | None, operand: Any) -> ir.Location:
    """``loc``, else the current location, else an unknown one in the operand's context.

    Raises ValueError that names the remedy where that context lacks the dialect.
    """
    found = loc if loc is not None else ir.Location.current
    if found is None:
        found = ir.Location.unknown(operand.type.context)
    require_dialect(found.context)
    return found
