"""What instructions need of the chip, by their spelling in PTX (rule T11).

Inline assembly is text to LLVM: ptxas alone would say so, or a driver when the code is loaded. The
table has what came with sm_80 or later and is written by hand in kernels; sm_75 has the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .needs import Needs, features_of
from .ptx_text import instructions

_ACCELERATED_90: Final = ("sm_90a",)
_FLOAT_REDUCTIONS: Final = features_of((100, 103))
_NARROW_FLOATS: Final = features_of((100, 103, 110, 120, 121))
_NARROW_PRODUCTS: Final = features_of((120, 121))
_REGISTERS: Final = (*_ACCELERATED_90, *_NARROW_FLOATS)

_TABLE: Final = (
    (r"elect\.sync", Needs(80, 90)),
    (r"fence\.proxy\.async", Needs(80, 90)),
    (r"fence\.proxy\.tensormap", Needs(83, 90)),
    (r"fence\.mbarrier_init", Needs(80, 90)),
    (r"fence\.\S*sync_restrict", Needs(86, 90)),
    (r"(?:fence|ld|st|atom|red)\.\S*\bcluster\b", Needs(78, 90)),
    (r"mbarrier\.try_wait", Needs(78, 90)),
    (r"mbarrier\.\S*(?:expect_tx|complete_tx)", Needs(80, 90)),
    (r"mbarrier\.\S*\.(?:acquire|release|relaxed)", Needs(80, 90)),
    (r"mbarrier\.", Needs(70, 80)),
    (r"barrier\.cluster", Needs(78, 90)),
    (r"(?:mapa|getctarank)\b", Needs(78, 90)),
    (r"%(?:clusterid|nclusterid|cluster_|is_explicit_cluster)", Needs(78, 90)),
    (r"%aggr_smem_size", Needs(81, 90)),
    (r"cp\.(?:reduce\.)?async\.bulk", Needs(80, 90)),
    (r"cp\.async\.", Needs(70, 80)),
    (r"(?:st|red)\.async", Needs(81, 90)),
    (r"multimem\.", Needs(81, 90)),
    (r"\S+shared::cluster", Needs(78, 90)),
    (r"griddepcontrol", Needs(78, 90)),
    (r"stmatrix\.\S*\.b8\b", Needs(86, only=_NARROW_FLOATS)),
    (r"stmatrix", Needs(78, 90)),
    (r"wgmma\.", Needs(80, only=_ACCELERATED_90)),
    (r"setmaxnreg", Needs(80, only=_REGISTERS)),
    (r"tensormap\.replace", Needs(83, only=_REGISTERS)),
    (r"clusterlaunchcontrol", Needs(86, 100)),
    (r"st\.bulk", Needs(86, 100)),
    (r"(?:add|sub|mul|fma)\.\S*f32x2", Needs(86, 100)),
    (r"(?:ld|st)\.\S*(?:v8\.[bfus]32|v4\.[bfus]64)", Needs(88, 100)),
    (r"(?:ld|st|atom)\.\S*b128", Needs(83, 90)),
    (r"redux\.sync\.\S*f32", Needs(86, only=_FLOAT_REDUCTIONS)),
    (r"redux\.sync", Needs(70, 80)),
    (r"cvt\.\S*(?:e2m1|e2m3|e3m2|ue8m0)", Needs(86, only=_NARROW_FLOATS)),
    (r"cvt\.\S*(?:e4m3|e5m2)", Needs(81, 89)),
    (r"mma\.\S*(?:kind::|block_scale)", Needs(87, only=_NARROW_PRODUCTS)),
    (r"mma\.\S*(?:e4m3|e5m2)", Needs(84, 89)),
    (r"(?:add|sub|mul)\.(?:rn\.)?bf16", Needs(78, 90)),
)
_ROWS: Final = tuple((re.compile(pattern), needs) for pattern, needs in _TABLE)


def assembly_needs(text: str) -> Iterator[tuple[str, Needs]]:
    """The instructions and registers in PTX `text` that not every chip has, and their needs.

    `assembly_needs("@p elect.sync _|q, -1;")` has `("elect.sync", Needs(80, 90))`. Source: PTX,
    the target notes of each instruction.
    """
    for name in instructions(text):
        for pattern, needs in _ROWS:
            if pattern.match(name):
                yield name, needs
                break
