"""The recorded cases of tcgen05.cp as whole kernels: every cell of tensor memory afterwards.

One launch per instruction; each of its cases is a block (a pair of blocks), which fills tensor
memory with a pattern and shared memory with the recorded bytes, copies once, and reads all back.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir.simulator import run

CASES = dict(np.load(Path(__file__).parents[2] / "data" / "cp_cases.npz"))
BASE = 1024
"""Where the simulator's shared memory begins; a multiple of every swizzle's period."""
PATTERN = np.arange(128 * 512, dtype=np.uint32).reshape(128, 512) ^ np.uint32(0xA5A50000)
SHAPES = [str(name) for name in CASES["shape_names"]]
FORMATS = [str(name) for name in CASES["dec_names"]]
MULTICASTS = {"warpx4": "warpx4", "warpx2::02_13": "warpx2_02_13", "warpx2::01_23": "warpx2_01_23"}

KERNEL = """
gpu.module @m {{
  memref.global "private" @image : memref<128x80xi32, #gpu.address_space<workgroup>> {{alignment = 1024}}
  llvm.mlir.global internal @taddr() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
  llvm.mlir.global internal @copied() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  gpu.func @k(%desc: memref<{cases}xi64>, %at: memref<{cases}xi32>, %smem: memref<2x128x80xi32>,
      %pattern: memref<128x512xi32>, %out: memref<{blocks}x128x512xi32>) kernel
      attributes {{nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: {group}, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c80 = arith.constant 80 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %group = arith.constant {group} : index
    %columns = arith.constant 512 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 1000 : i32
    %both = arith.constant 3 : i16
    %lane_step = arith.constant 65536 : i32
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %image = memref.get_global @image : memref<128x80xi32, #gpu.address_space<workgroup>>
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %case = arith.divui %block, %group : index
    %rank = arith.remui %block, %group : index
    %warp = arith.divui %tid, %c32 : index
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    %is_leader = arith.cmpi eq, %rank, %c0 : index
    %issues = arith.andi %is_warp0, %is_leader : i1
    scf.if %is_warp0 {{
      %init = nvvm.elect.sync -> i1
      scf.if %init {{
        nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }}
    }}
    nvvm.cluster.arrive {{aligned}}
    nvvm.cluster.wait {{aligned}}
    scf.if %is_warp0 {{
      nvvm.tcgen05.alloc %slot, %columns {{group = #nvvm.cta_group<cta_{group}>}} : !llvm.ptr<3>, i32
    }}
    scf.for %w = %c0 to %c80 step %c16 {{
      %words = vector.load %smem[%rank, %tid, %w] : memref<2x128x80xi32>, vector<16xi32>
      vector.store %words, %image[%tid, %w]
        : memref<128x80xi32, #gpu.address_space<workgroup>>, vector<16xi32>
    }}
    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}}
    nvvm.cluster.arrive {{aligned}}
    nvvm.cluster.wait {{aligned}}
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %row = arith.muli %warp, %c32 : index
    %row_i32 = arith.index_cast %row : index to i32
    %lanes = arith.muli %row_i32, %lane_step : i32
    %mine = arith.addi %base, %lanes : i32
    scf.for %c = %c0 to %c512 step %c128 {{
      %words = vector.load %pattern[%tid, %c] : memref<128x512xi32>, vector<128xi32>
      %c_i32 = arith.index_cast %c : index to i32
      %a = arith.addi %mine, %c_i32 : i32
      %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %words {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
    }}
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {{aligned}}
    nvvm.cluster.wait {{aligned}}
    scf.if %issues {{
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {{
        nvvm.tcgen05.fence <after>
        %d = memref.load %desc[%case] : memref<{cases}xi64>
        %o = memref.load %at[%case] : memref<{cases}xi32>
        %a = arith.addi %base, %o : i32
        %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
        nvvm.tcgen05.cp %p, %d {{{options}}}
        nvvm.tcgen05.commit %mbar{mask} {{group = #nvvm.cta_group<cta_{group}>}} : !llvm.ptr<3>{mask_type}
      }}
    }}
    nvvm.mbarrier.try_wait.parity %mbar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    scf.for %c = %c0 to %c512 step %c128 {{
      %c_i32 = arith.index_cast %c : index to i32
      %a = arith.addi %mine, %c_i32 : i32
      %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
      %words = nvvm.tcgen05.ld %p {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
      nvvm.tcgen05.wait <load>
      vector.store %words, %out[%block, %tid, %c] : memref<{blocks}x128x512xi32>, vector<128xi32>
    }}
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {{aligned}}
    nvvm.cluster.wait {{aligned}}
    scf.if %is_warp0 {{
      nvvm.tcgen05.relinquish_alloc_permit {{group = #nvvm.cta_group<cta_{group}>}}
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %p, %columns {{group = #nvvm.cta_group<cta_{group}>}} : !llvm.ptr<6>, i32
    }}
    gpu.return
  }}
}}
"""  # noqa: E501  (the lines are MLIR's)


def options(shape: int, dec: int, group: int) -> str:
    """The attributes of nvvm.tcgen05.cp."""
    form, _, multicast = SHAPES[shape].partition(".")
    parts = [
        f"shape = #nvvm.tcgen05_cp_shape<shape_{form}>",
        f"group = #nvvm.cta_group<cta_{group}>",
    ]
    if multicast:
        parts.append(f"multicast = #nvvm.tcgen05_cp_multicast<{MULTICASTS[multicast]}>")
    if dec:
        source = FORMATS[dec].removeprefix("b8x16.")
        parts.append(f"srcFormat = #nvvm.tcgen05_cp_src_fmt<{source}>")
    return ", ".join(parts)


def expected(case: int, rank: int) -> np.ndarray:
    cells = slice(CASES["cell_ptr"][case], CASES["cell_ptr"][case + 1])
    mine = CASES["cell_cta"][cells] == rank
    tmem = PATTERN.copy()
    place = CASES["cell_lane"][cells][mine], CASES["cell_col"][cells][mine]
    tmem[place] = CASES["cell_val"][cells][mine]
    return tmem


KINDS = sorted(
    set(zip(*(CASES[name].tolist() for name in ("shape", "dec", "cta_group")), strict=True))
)


def test_every_case_is_of_a_kind() -> None:
    assert len(KINDS) == 24


@pytest.mark.parametrize(("shape", "dec", "group"), KINDS)
def test_recorded_cases(shape: int, dec: int, group: int) -> None:
    chosen = [CASES[name] for name in ("shape", "dec", "cta_group")]
    wanted = zip(chosen, (shape, dec, group), strict=True)
    cases = np.flatnonzero(np.logical_and.reduce([have == want for have, want in wanted]))
    pair = group == 2
    kernel = KERNEL.format(
        cases=len(cases),
        blocks=len(cases) * group,
        group=group,
        options=options(shape, dec, group),
        mask=", multicast_mask = %both" if pair else "",
        mask_type=", i16" if pair else "",
    )
    descriptors = (CASES["desc"][cases] + np.uint64(BASE >> 4)).view(np.int64)
    image = CASES["smem"].view(np.int32).reshape(2, 128, 80)
    out = np.zeros((len(cases) * group, 128, 512), np.uint32)
    arguments = descriptors, CASES["taddr"][cases], image, PATTERN, out
    got = run(kernel, "k", *arguments, grid=len(out))[-1]
    for place, case in enumerate(cases):
        for rank in range(group):
            assert (got[place * group + rank] == expected(case, rank)).all(), (case, rank)
