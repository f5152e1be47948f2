"""Pairs of blocks and what reaches other blocks, alignments, shifts and bindings: refused."""

from __future__ import annotations

from tcgen05_mlir.model import Instruction, TmemLayout

from .case import Kernel
from .frame import BYTES, IMAGE, TENSOR, WORKGROUP
from .refusal import Refusal, numbers
from .refused_copies import DESCRIPTOR, TARGET, TILE
from .refused_kernel import ALLOC, ISSUER, kernel_of

PAIR = "{group = #nvvm.cta_group<cta_2>}"
ALLOC_PAIR = ALLOC.replace(" :", f" {PAIR} :")
MEET = "nvvm.cluster.arrive {aligned}\n    nvvm.cluster.wait {aligned}"
RANK = """%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %is_first = arith.cmpi eq, %rank, %zero : i32
    %first_lane = arith.andi %is_first, %issues : i1"""


GIVEN_BACK = f"""%given = llvm.load %slot : !llvm.ptr<3> -> i32
      %pointer = llvm.inttoptr %given : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %pointer, %columns {PAIR} : !llvm.ptr<6>, i32"""


def _peer_columns() -> Refusal:
    """Of two allocations the first block gives back one, the second block the other."""
    body = f"""{RANK}
    %c32 = arith.constant 32 : i32
    {ALLOC_PAIR}
    {ALLOC_PAIR}
    %back = arith.select %is_first, %zero, %c32 : i32
    %pointer = llvm.inttoptr %back : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %pointer, %columns {PAIR} : !llvm.ptr<6>, i32
    {DESCRIPTOR}
    {TARGET}
    {MEET}
    scf.if %first_lane {{
      nvvm.tcgen05.cp %target, %descriptor {{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>,
        group = #nvvm.cta_group<cta_2>}}
    }}
    {MEET}"""
    words = (
        "must stay inside one allocation of the pair's other block too, got columns 36 to 39; live "
        "are columns 0 to 31 there [F6]"
    )
    kernel = kernel_of("refused_peer", body, cluster=2, outside=(IMAGE,))
    return _one("F6-peer", "peer_columns", kernel, "cp", words, 0, TILE, 4, threads=ISSUER)


def _one(
    name: str, check: str, kernel: Kernel, op: str, words: str, *given: int, at: str = "", **more
) -> Refusal:
    full = f"nvvm.tcgen05.{op}"
    more = {"blocks": kernel.cluster, **more}
    return Refusal(name, check, kernel, at or full, full, words, (numbers(*given),), **more)


def _pair_waits() -> list[Refusal]:
    """One block of a pair comes to an alloc or a dealloc, the other one does not."""
    alloc = f"""{RANK}
    scf.if %is_first {{
      {ALLOC_PAIR}
    }}
    {MEET}"""
    dealloc = f"""{RANK}
    {ALLOC_PAIR}
    scf.if %is_first {{
      {GIVEN_BACK}
    }}
    {MEET}"""
    words = "waits for the pair's other block, which has come to 0 {}s, wanted 1 [P6]"
    return [
        _one(
            f"P6-pair-{op}",
            f"pair_{op}",
            kernel_of(f"refused_pair_{op}", body, cluster=2),
            op,
            words.format(op),
            waits=True,
        )
        for op, body in (("alloc", alloc), ("dealloc", dealloc))
    ]


def _pair_columns() -> Refusal:
    """The first block of the pair allocates 32 columns, the second one 64."""
    body = f"""{RANK}
    %count = arith.shli %columns, %rank : i32
    {ALLOC_PAIR.replace("%columns", "%count")}
    {MEET}"""
    words = (
        "must get the same columns in both blocks of the pair, got columns 0 to {}; live in the "
        "other block are columns 0 to {} [P6]"
    )
    kernel = kernel_of("refused_pair_columns", body, cluster=2)
    first, second = words.format(31, 63), words.format(63, 31)
    return _one("P6-pair-columns", "pair_columns", kernel, "alloc", first, second=second)


def _commit_mask() -> Refusal:
    body = f"""{RANK}
    %mask = arith.trunci %n0 : i32 to i16
    scf.if %first_lane {{
      nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
      nvvm.tcgen05.commit %mbar, multicast_mask = %mask : !llvm.ptr<3>, i16
    }}
    {MEET}"""
    kernel = kernel_of("refused_mask", body, cluster=2)
    words = "must send arrivals to ranks of its cluster of 2 blocks, got the mask 0x6 [S2]"
    return _one("S2-commit", "commit_mask", kernel, "commit", words, 6, threads=ISSUER)


def _shift() -> Refusal:
    body = f"""{ALLOC}
    gpu.barrier
    {TARGET}
    scf.if %issues {{
      nvvm.tcgen05.shift %target : !llvm.ptr<6>
    }}"""
    words = "must shift from a multiple of 32 lanes below 128, got lane 16 [S3]"
    kernel = kernel_of("refused_shift", body)
    return _one("S3", "shift_lane", kernel, "shift", words, 0, 0, 16 << 16, threads=ISSUER)


TENSOR_TILE = f"memref<128x4xi32, {TmemLayout.for_instruction(Instruction('128x128b'))}, {TENSOR}>"


def _alignment() -> Refusal:
    """Shared memory at a multiple of 16 bytes, where the kernel says that it is one of 1024."""
    source = f"memref<512xi32, {WORKGROUP}>"
    tile = f"memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (4, 1)>, {WORKGROUP}>"
    body = f"""{ALLOC}
    gpu.barrier
    %raw = gpu.dynamic_shared_memory : {BYTES}
    %place = arith.index_cast %n0 : i32 to index
    %words = memref.view %raw[%place][] : {BYTES} to {source}
    %tile = tcgen05.view %words alignment(1024) : {source} to {tile}
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %target = tcgen05.view %base : i32 to {TENSOR_TILE}
    scf.if %issues {{
      tcgen05.cp <shape_128x128b> %target, %tile descriptor(<sdo = 128>) : {TENSOR_TILE}, {tile}
    }}"""
    kernel = kernel_of("refused_alignment", body)
    words = "must be aligned to 1024 bytes, as the kernel assumes, got address {at} [F9]"
    return Refusal(
        "F9",
        "alignment",
        kernel,
        "tcgen05.view %words",
        "llvm.intr.assume",
        words,
        (numbers(16),),
        threads=range(32),
        holds=lambda found: found["at"] % 1024 == 16,
        shared=4096,
    )


def _bound() -> Refusal:
    """Fewer blocks are bound than run."""
    body = f"""%block = nvvm.read.ptx.sreg.ctaid.x : i32
    %last = arith.cmpi eq, %block, %one : i32
    scf.if %last {{
      {ALLOC}
    }}"""
    kernel = kernel_of("refused_unbound", body)
    words = "must run in a block that has tensor memory: bound are 1 blocks, got number 1 [E2]"
    return _one("E2", "bound", kernel, "alloc", words, blocks=2, bound=1, block=1)


def _cluster() -> Refusal:
    """A pair's operation in a cluster of one block, which the launch refuses where it knows."""
    kernel = kernel_of("refused_cluster", ALLOC_PAIR)
    words = "must be in a cluster of an even size with cta_group::2, got 1 [P2]"
    return _one("P2", "cluster", kernel, "alloc", words, blocks=1, cluster=1)


CASES = [
    _peer_columns(),
    *_pair_waits(),
    _pair_columns(),
    _commit_mask(),
    _shift(),
    _alignment(),
    _bound(),
    _cluster(),
]
