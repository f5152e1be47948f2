"""`tcgen05-to-ptx`: the pipeline from device code with tcgen05.cp to a gpu.binary with its PTX.

It has three parts, which `tcgen05_mlir.compile` also runs one at a time: `front` judges the device
code and lowers this dialect, `lower` goes down to the llvm dialect, `emit` writes the PTX. Passes
of this project run on the whole module, upstream's on each gpu.module: so host code stays as it
is, and no Python pass is nested, which upstream's PassManager could not run.
"""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_mlir.passes import option, register_pipeline
from tcgen05_mlir.passes.tcgen05_align_globals import AlignGlobals
from tcgen05_mlir.passes.tcgen05_attach_target import AttachTarget
from tcgen05_mlir.passes.tcgen05_check_cta_group import CheckCtaGroup
from tcgen05_mlir.passes.tcgen05_check_device_code import CheckDeviceCode
from tcgen05_mlir.passes.tcgen05_check_instructions import CheckInstructions
from tcgen05_mlir.passes.tcgen05_check_lowered import CheckLowered
from tcgen05_mlir.passes.tcgen05_check_memory import CheckMemory
from tcgen05_mlir.passes.tcgen05_choose_ptx import ChoosePtx
from tcgen05_mlir.passes.tcgen05_dynamic_shared import PlaceDynamicShared, RecordDynamicAlignment
from tcgen05_mlir.passes.tcgen05_expand_access import ExpandAccess
from tcgen05_mlir.passes.tcgen05_infer_descriptors import InferDescriptors
from tcgen05_mlir.passes.tcgen05_older_chips import OlderChips
from tcgen05_mlir.passes.tcgen05_restore_targets import RestoreTargets
from tcgen05_mlir.passes.tcgen05_shared_to_workgroup import SharedToWorkgroup
from tcgen05_mlir.passes.tcgen05_spell_math import SpellMath
from tcgen05_mlir.passes.tcgen05_state_alignments import StateAlignments
from tcgen05_mlir.passes.tcgen05_vector_shared_access import VectorSharedAccess
from tcgen05_mlir.passes.tcgen05_verify_footprint import VerifyFootprint

_TO_NVVM = (
    # Subviews become a base and address arithmetic, transfers of several dimensions become loops;
    # both leave affine.apply behind, and affine loops become scf loops: so this is their order.
    "expand-strided-metadata",
    "convert-vector-to-scf",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    # mbarrier and TMA types, which the conversion of gpu does not know.
    "convert-nvgpu-to-nvvm",
    # Everything that is left (arith, cf, func, index, memref, math, gpu), with the memory spaces;
    # bare pointers, because kernels are launched with plain ones.
    "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true}",
)

_TO_LLVM = (
    # Casts between the pieces fold away, and with them what only they kept alive.
    "canonicalize",
    "cse",
    # The NVVM operations that are inline assembly.
    "convert-nvvm-to-llvm",
    "reconcile-unrealized-casts",
)


@dataclass(frozen=True)
class ToPtxOptions:
    """Options of `tcgen05-to-ptx`; the first three are those of `tcgen05-attach-target`."""

    chip: str = option("", description="chip, such as sm_100a; empty keeps the module's target")
    ptx: str = option("", description="PTX version, such as 8.6; empty is what the code needs")
    opt_level: str = option("", description="LLVM's -O, 0 to 3; empty is the target's, else 3")
    path: str = option(
        "nvvm",
        description="copies as nvvm.tcgen05.cp or as inline assembly",
        choices=("nvvm", "inline-asm"),
    )
    emulate: bool = option(False, description="code for chips that have no tcgen05, sm_80 up")


def front(options: ToPtxOptions) -> str:
    """The checks of rules T1 to T7, T9, T10, P2 and F1 to F12, then tcgen05 operations to NVVM or
    inline assembly, and that, with `emulate`, to code that every chip has."""
    attach = AttachTarget(
        chip=options.chip, ptx=options.ptx, opt_level=options.opt_level, emulate=options.emulate
    )
    elements = (
        # First, so that an unfit chip is the first thing said, and before any backend runs.
        attach,
        CheckCtaGroup(),
        CheckMemory(),
        # Before the first conversion: each of them asserts some of it.
        CheckDeviceCode(),
        SharedToWorkgroup(),
        # The conversion would infer and prove by itself; so each is a phase that can be looked at.
        InferDescriptors(),
        VerifyFootprint(),
        # While the views are there: the conversion takes them away.
        RecordDynamicAlignment(),
        # Behind all that reads the module as it was written, and before the conversion takes the
        # views away, with their alignments, and with the layouts that loads and stores follow.
        *([StateAlignments()] if options.emulate else []),
        ExpandAccess(),
        f"convert-tcgen05-to-nvvm{{path={options.path}}}",
        *(["tcgen05-emulate"] if options.emulate else []),
    )
    return ",".join(map(str, elements))


def lower(*, emulate: bool = False, chip: str = "", ptx: str = "") -> str:
    """Device code to the llvm and nvvm dialects, host code untouched, with rule T11.

    `emulate`, `chip`, `ptx`: as `front` had them; no `ptx` is the version that the code needs.
    """
    elements = (
        # Before convert-vector-to-llvm, which does not know workgroup memory by its name.
        VectorSharedAccess(),
        # Before convert-gpu-to-nvvm, which refuses what it does.
        SpellMath(),
        f"gpu.module({','.join(_TO_NVVM)})",
        # Behind all that makes NVVM operations, before some of them become inline assembly.
        *([OlderChips()] if emulate else []),
        *([] if ptx else [ChoosePtx(replace=bool(chip), emulate=emulate)]),
        CheckInstructions(),
        *([RestoreTargets()] if emulate else []),
        f"gpu.module({','.join(_TO_LLVM)})",
        # What the conversion of gpu and the backend get wrong about globals.
        PlaceDynamicShared(),
        AlignGlobals(),
        CheckLowered(),
    )
    return ",".join(map(str, elements))


def emit() -> str:
    """Each gpu.module to a gpu.binary that holds its PTX; ptxas has no part in it."""
    return "gpu-module-to-binary{format=isa}"


def _build(options: ToPtxOptions) -> str:
    lowering = lower(emulate=options.emulate, chip=options.chip, ptx=options.ptx)
    return ",".join((front(options), lowering, emit()))


register_pipeline(
    "tcgen05-to-ptx",
    "Compile every gpu.module to a gpu.binary that holds its PTX",
    ToPtxOptions,
    _build,
)
