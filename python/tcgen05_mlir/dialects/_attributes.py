"""What the builders are given for attributes: the two-way bridge to the model's values."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

from mlir import ir

from tcgen05_mlir._mlir_libs._tcgen05 import SmemDescAttr
from tcgen05_mlir.model import Instruction, SmemDescriptor

_MNEMONIC = "#tcgen05.smem_desc"


def read_instruction(shape: Any, multicast: Any, cta_group: Any, src_format: Any) -> Instruction:
    """The instruction of four parts in any spelling, or the one that ``shape`` already is."""
    if not isinstance(shape, Instruction):
        return Instruction(*map(_spelling, (shape, multicast, cta_group, src_format)))
    if (multicast, cta_group, src_format) != (None, 1, None):
        raise ValueError(
            "'shape' is an Instruction, which has its own 'multicast', 'cta_group' and "
            "'src_format'; leave these out"
        )
    return shape


def instruction_attributes(instruction: Instruction) -> dict[str, ir.Attribute | None]:
    """The op's four attributes by name, in the current context."""
    spelling = instruction.nvvm
    return {
        "shape": _enum("tcgen05_cp_shape", spelling.shape),
        "multicast": _enum("tcgen05_cp_multicast", spelling.multicast),
        "cta_group": _enum("cta_group", spelling.cta_group),
        "src_format": _enum("tcgen05_cp_src_fmt", spelling.src_format),
    }


def read_descriptor(value: Any) -> SmemDescAttr | None:
    """The attribute of a descriptor, of its text, or itself, in the current context.

    Raises TypeError for another kind, ValueError for a text that is none and for a start address.
    """
    if value is None:
        return None
    if isinstance(value, SmemDescriptor):
        return _from_model(value)
    attribute = _parse(value) if isinstance(value, str) else value
    if isinstance(attribute, ir.Attribute):
        attribute = attribute.maybe_downcast()
    if isinstance(attribute, SmemDescAttr):
        return attribute
    shown = attribute if isinstance(attribute, ir.Attribute) else type(value).__name__
    raise TypeError(
        f"'descriptor' must be a SmemDescriptor, a {_MNEMONIC} attribute or its text, got {shown}"
    )


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


def _from_model(descriptor: SmemDescriptor) -> SmemDescAttr:
    if descriptor.start:
        raise ValueError(
            f"'descriptor' must have start 0, got {descriptor.start}: the address comes from 'src'"
        )
    return SmemDescAttr.get(ldo=descriptor.ldo, sdo=descriptor.sdo, swizzle=descriptor.swizzle)


def _parse(text: str) -> ir.Attribute:
    """``#tcgen05.smem_desc<ldo = 16>``, ``<ldo = 16>`` and ``ldo = 16`` are all read."""
    fields = text.strip().removeprefix(_MNEMONIC)
    whole = fields if fields.startswith("#") else f"{_MNEMONIC}{fields}"
    try:
        return ir.Attribute.parse(whole if whole.endswith(">") else f"{_MNEMONIC}<{fields}>")
    except ir.MLIRError as error:  # pyright: ignore[reportAttributeAccessIssue]
        reason = error.error_diagnostics[0].message
        raise ValueError(f"'descriptor' must be a {_MNEMONIC}, got '{text}': {reason}") from None
