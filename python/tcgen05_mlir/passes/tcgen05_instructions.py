"""Which operations are tcgen05 instructions, and for which cta_group: whoever made them.

They come as operations of this project's dialect, as NVVM operations, as calls of LLVM
intrinsics, and as the text of inline assembly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.model.ptx_text import joined
from tcgen05_mlir.passes.texts import string_text, symbol_text

_DESCRIPTOR_ARITHMETIC = "nvvm.tcgen05.mma_smem_desc"
"""Shifts and ors, in spite of its name: it needs no tensor memory."""

_GROUP_ATTRIBUTES = ("cta_group", "group", "ctaGroup")
"""What the group is called by `tcgen05.cp`, by most NVVM operations, by `nvvm.tcgen05.mma*`."""

_WITH_DEFAULT_GROUP = {
    "tcgen05.cp",
    "nvvm.tcgen05.alloc",
    "nvvm.tcgen05.dealloc",
    "nvvm.tcgen05.relinquish_alloc_permit",
    "nvvm.tcgen05.commit",
    "nvvm.tcgen05.shift",
    "nvvm.tcgen05.cp",
    "nvvm.tcgen05.mma.ws",
    "nvvm.tcgen05.mma.ws.sp",
}
"""Operations whose group is 1 where no attribute says otherwise; mma.ws has no other."""

ASSEMBLY = {"llvm.inline_asm": "asm_string", "nvvm.inline_ptx": "ptxCode"}
"""Operations whose instructions are the text of an attribute."""

_INTRINSICS = {"llvm.call_intrinsic": "intrin", "llvm.call": "callee"}
"""Operations that call an intrinsic by a name in an attribute."""

_INTRINSIC_PREFIX = "llvm.nvvm.tcgen05."

_INSTRUCTION = re.compile(r"\btcgen05\.[\w.:]*")
_GROUP = re.compile(r"\b(?:cta_group::|cg)([12])\b")


def is_tcgen05(op: ir.Operation) -> bool:
    """The operation needs a chip with tcgen05."""
    if op.name in ASSEMBLY or op.name in _INTRINSICS:
        return bool(_spelled(op))
    return op.name.startswith(("tcgen05.", "nvvm.tcgen05.")) and op.name != _DESCRIPTOR_ARITHMETIC


def cta_groups(op: ir.Operation) -> list[int]:
    """The groups, 1 or 2, of the tcgen05 instructions in `op`, in order.

    Empty for one that has no group, such as `nvvm.tcgen05.ld`; more than one only for assembly.
    """
    if op.name in ASSEMBLY or op.name in _INTRINSICS:
        matches = map(_GROUP.search, _spelled(op))
        return [int(match[1]) for match in matches if match]
    return list(_attribute_group(op)) if is_tcgen05(op) else []


def _attribute_group(op: ir.Operation) -> Iterator[int]:
    for name in _GROUP_ATTRIBUTES:
        if name in op.attributes:
            yield 2 if "cta_2" in str(op.attributes[name]) else 1
            return
    if op.name in _WITH_DEFAULT_GROUP:
        yield 1


def _spelled(op: ir.Operation) -> list[str]:
    """The tcgen05 instructions that `op` names in a text, `tcgen05.wait::ld.sync.aligned` say."""
    if op.name in ASSEMBLY:
        text = string_text(op.attributes[ASSEMBLY[op.name]])
        return _INSTRUCTION.findall(joined(text))
    name = _called(op.attributes.get(_INTRINSICS[op.name], None))
    return [name] if name.startswith(_INTRINSIC_PREFIX) else []


def _called(attribute: ir.Attribute | None) -> str:
    """The name in a string, or in a reference to a symbol."""
    if isinstance(attribute, ir.StringAttr):
        return string_text(attribute)
    return symbol_text(attribute) if isinstance(attribute, ir.FlatSymbolRefAttr) else ""
