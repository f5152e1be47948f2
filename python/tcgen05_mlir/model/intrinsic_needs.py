"""What LLVM's NVPTX intrinsics need of the chip and the PTX version (rule T11).

The backend of LLVM 22.1.8 ends the process over an intrinsic that it cannot select. It was asked
for each of them on sm_75 to sm_121a, and the rows say where it could.
"""

from __future__ import annotations

import re
from typing import Final

from .needs import Needs, features_of

_PREFIX: Final = "llvm.nvvm."

_ONLY_90A: Final = ("sm_90a",)
_TENSOR_CORES_100: Final = features_of((100, 103, 110))
_STOCHASTIC: Final = features_of((100, 103), "a")
_FLOAT_REDUCTIONS: Final = features_of((100, 103))
_NARROW_FLOATS: Final = features_of((100, 103, 110, 120, 121))
_NARROW_PRODUCTS: Final = features_of((120, 121))

_TABLE: Final = (
    # Clusters.
    (r"barrier\.cluster\.arrive\.relaxed", Needs(80, 90)),
    (r"barrier\.cluster\.", Needs(78, 90)),
    (r"getctarank|mapa|is_explicit_cluster|isspacep\.shared\.cluster", Needs(78, 90)),
    (r"read\.ptx\.sreg\.n?cluster", Needs(78, 90)),
    (r"read\.ptx\.sreg\.aggr_smem_size", Needs(81, 90)),
    (r"clusterlaunchcontrol\.\S*multicast", Needs(86, only=_NARROW_FLOATS)),
    (r"clusterlaunchcontrol\.", Needs(86, 100)),
    # Fences, elections, waiting.
    (r"fence\.(?:proxy\.async_generic\.)?(?:acquire|release)\.sync_restrict", Needs(86, 90)),
    (r"fence\.proxy\.tensormap", Needs(83, 90)),
    (r"fence\.proxy\.async|fence\.mbarrier_init", Needs(80, 90)),
    (r"fence\.sc\.cluster", Needs(78, 90)),
    (r"fence\.proxy\.alias", Needs(75)),
    (r"elect\.sync", Needs(80, 90)),
    (r"griddepcontrol\.", Needs(78, 90)),
    (r"mbarrier\.\S*\.relaxed\.", Needs(86, 90)),
    (r"mbarrier\.try\.wait\.\S*scope\.cta", Needs(78, 90)),
    (r"mbarrier\.test\.wait\.\S*scope\.cta", Needs(71, 80)),
    (r"mbarrier\.\S*scope\.", Needs(80, 90)),
    (r"mbarrier\.", Needs(70, 80)),
    # Copies and stores of the async proxy.
    (r"cp\.async\.bulk\.tensor\.g2s\.cta\.im2col\.w\.128", Needs(86, only=_TENSOR_CORES_100)),
    (r"cp\.async\.bulk\.tensor\.g2s\.cta\.(?:im2col\.w|tile\.gather)", Needs(86, 100)),
    (r"cp\.async\.bulk\.tensor\.\S*(?:\.w\.|gather|scatter)", Needs(86, only=_TENSOR_CORES_100)),
    (r"cp\.async\.bulk\.shared\.cta\.to\.global\.bytemask|st\.bulk", Needs(86, 100)),
    (r"cp\.async\.bulk\.(?:tensor\.g2s|global\.to\.shared)\.cta", Needs(86, 90)),
    (r"cp\.async\.bulk\.", Needs(80, 90)),
    (r"cp\.async\.", Needs(70, 80)),
    # Warps and their registers.
    (r"setmaxnreg\.", Needs(80, only=(*_ONLY_90A, *_NARROW_FLOATS))),
    (r"redux\.sync\.f", Needs(86, only=_FLOAT_REDUCTIONS)),
    (r"redux\.sync\.", Needs(70, 80)),
    # Matrices.
    (r"wgmma\.", Needs(80, only=_ONLY_90A)),
    (r"stmatrix\.\S*\.b8", Needs(86, only=_NARROW_FLOATS)),
    (r"stmatrix\.", Needs(78, 90)),
    (r"ldmatrix\.\S*\.b8", Needs(86, only=_NARROW_FLOATS)),
    (r"ldmatrix\.", Needs(65)),
    (r"mma\.\S*(?:block\.scale|\.kind\.)", Needs(87, only=_NARROW_PRODUCTS)),
    (r"mma\.m16n8k16\.\S*e[45]m[23]", Needs(87, 89)),
    (r"mma\.sp\.ordered\.metadata\.\S*e[45]m[23]", Needs(85, 89)),
    (r"mma\.\S*e[45]m[23]", Needs(84, 89)),
    (r"mma\.m16n8k(?:4|8|16)\.row\.col\.f64", Needs(78, 90)),
    (r"mma\.sp\.ordered\.metadata", Needs(85, 80)),
    (r"mma\.sp\.|w?mma\.\S*and\.popc", Needs(71, 80)),
    (r"mma\.(?:m16n8k(?!8\.)|xor)|w?mma\.\S*f64", Needs(70, 80)),
    (r"mma\.m8n8k4\.", Needs(64)),
    (r"mma\.", Needs(65)),
    (r"wmma\.m16n16k8\.|wmma\.\S*(?:bf16|tf32)", Needs(70, 80)),
    # Numbers.
    (r"(?:f32x4\.to\.\S*|ff2b?f16x2)\.rs", Needs(87, only=_STOCHASTIC)),
    (r"\S*(?:ue8m0|e2m1|e2m3|e3m2)x2", Needs(86, only=_NARROW_FLOATS)),
    (r"\S*(?:e4m3|e5m2)x2", Needs(81, 89)),
    (r"f2tf32\.r[nz](?:\.relu)?\.satfinite", Needs(86, 100)),
    (r"f2tf32\.r[nz](?!a)", Needs(78, 90)),
    (r"f2tf32\.rna\.satfinite|ff?2b?f16\S*\.satfinite", Needs(81, 80)),
    (r"f(?:max|min)\.\S*xorsign", Needs(72, 86)),
    (r"f(?:max|min)\.\S*(?:f16|nan)|fma\.rn\.\S*(?:bf16|relu)", Needs(70, 80)),
    (r"f2tf32\.|neg\.bf16", Needs(70, 80)),
    (r"(?:bmsk|sext|zext)\.", Needs(76)),
    (r"applypriority\.", Needs(74, 80)),
    (r"prefetchu?\.", Needs(80, 90)),
)
_ROWS: Final = tuple((re.compile(pattern), needs) for pattern, needs in _TABLE)


def intrinsic_needs(name: str) -> Needs | None:
    """What the intrinsic needs; None where sm_75 has it, with PTX 6.3, or where it is unknown.

    `intrinsic_needs("llvm.nvvm.elect.sync")` is `Needs(80, 90)`. Names may end in types.
    """
    if not name.startswith(_PREFIX):
        return None
    short = name.removeprefix(_PREFIX)
    return next((needs for pattern, needs in _ROWS if pattern.match(short)), None)
