"""A kernel that is an llvm.func already, as other producers hand it over."""

from __future__ import annotations

import numpy as np

from .case import Arrays, Case, Kernel
from .frame import BARRIER, SLOT
from .inputs import pattern
from .loops import Issue

_PROXY = "{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}"
_SHAPE = "{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}"
_TILE = (
    "llvm.mlir.global internal @llvm_tile() {addr_space = 3 : i32, alignment = 128 : i64} "
    ": !llvm.array<128 x vector<4xi32>>"
)
_ROW = "(!llvm.ptr, i32) -> !llvm.ptr, vector<4xi32>"
_CELLS = "(!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<32 x i32>"
_TEXT = f"""gpu.module @foreign {{
  {SLOT}
  {BARRIER}
  {_TILE}
  llvm.func @llvm_copy(%A: !llvm.ptr, %pattern: !llvm.ptr, %out: !llvm.ptr)
      attributes {{gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>}} {{
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %tile = llvm.mlir.addressof @llvm_tile : !llvm.ptr<3>
    %columns = llvm.mlir.constant(32 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %sixteen = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000000 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = llvm.lshr %tid, %five : i32
    %is_warp0 = llvm.icmp "eq" %warp, %zero : i32
    llvm.cond_br %is_warp0, ^allocate, ^fill
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %init = nvvm.elect.sync -> i1
    llvm.cond_br %init, ^init, ^fill
  ^init:
    nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
    llvm.br ^fill
  ^fill:
    %from = llvm.getelementptr %A[%tid] : {_ROW}
    %row = llvm.load %from : !llvm.ptr -> vector<4xi32>
    %to = llvm.getelementptr %tile[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    llvm.store %row, %to : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {_PROXY}
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %up = llvm.shl %warp, %five : i32
    %lanes = llvm.shl %up, %sixteen : i32
    %mine = llvm.add %base, %lanes : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    %cells = llvm.getelementptr %pattern[%tid] : {_CELLS}
    %before = llvm.load %cells {{alignment = 4 : i64}} : !llvm.ptr -> vector<32xi32>
    nvvm.tcgen05.st %p, %before {_SHAPE} : vector<32xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    llvm.cond_br %is_warp0, ^elect, ^wait
  ^elect:
    %issuer = nvvm.elect.sync -> i1
    llvm.cond_br %issuer, ^issue, ^wait
  ^issue:
    nvvm.tcgen05.fence <after>
    %start = llvm.ptrtoint %tile : !llvm.ptr<3> to i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %units = llvm.lshr %start, %four : i64
    %fixed = llvm.mlir.constant(0x0000400800010000 : i64) : i64
    %descriptor = llvm.or %units, %fixed : i64
    %eight = llvm.mlir.constant(8 : i32) : i32
    %place = llvm.add %base, %eight : i32
    %target = llvm.inttoptr %place : i32 to !llvm.ptr<6>
    nvvm.tcgen05.cp %target, %descriptor {{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}}
    nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %mbar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %after = nvvm.tcgen05.ld %p {_SHAPE} : vector<32xi32>
    nvvm.tcgen05.wait <load>
    %back = llvm.getelementptr %out[%tid] : {_CELLS}
    llvm.store %after, %back {{alignment = 4 : i64}} : vector<32xi32>, !llvm.ptr
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    llvm.cond_br %is_warp0, ^free, ^end
  ^free:
    nvvm.tcgen05.relinquish_alloc_permit
    %allocated = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %allocated, %columns : !llvm.ptr<6>, i32
    llvm.br ^end
  ^end:
    llvm.return
  }}
}}
"""


def _make() -> tuple[Arrays, Arrays]:
    a = np.random.default_rng(3).integers(0, 2**32, (128, 4), dtype=np.uint32)
    before = pattern(32)
    out = before.copy()
    Issue("128x128b", None, 0, 0, 128, 0, column=8).run(out, a.reshape(-1).view("u1"))
    given = (a, before, np.zeros((128, 32), np.uint32))
    return given, (a, before, out)


_KERNEL = Kernel("llvm_copy", paths=("nvvm",), module=_TEXT)
CASES = [Case("llvm-dialect", "other producers", _KERNEL, _make)]
