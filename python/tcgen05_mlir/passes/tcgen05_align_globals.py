"""`tcgen05-align-globals`: the alignment that LLVM assumes is the one that PTX declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations

_ASSUMED_BYTES = 16


@register_pass
@dataclass(frozen=True)
class AlignGlobals(Pass):
    """Gives every global in device code that has no alignment one of 16 bytes.

    LLVM 22.1.8 takes a global of 16 bytes or more without an alignment to be aligned to 16 and
    widens accesses to it accordingly, `st.shared.v2.b64` say, but declares it in PTX with the
    alignment of its elements, `.shared .align 4`: a misaligned access wherever the linker has put
    it. Alignments that are there stay.
    """

    name: ClassVar[str] = "tcgen05-align-globals"
    description: ClassVar[str] = "Give globals without an alignment the one that LLVM assumes"

    def run(self, op: ir.Operation) -> None:
        value = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _ASSUMED_BYTES)
        for module in gpu_modules(op):
            for inner in operations(module):
                if inner.name == "llvm.mlir.global" and "alignment" not in inner.attributes:
                    inner.attributes["alignment"] = value
