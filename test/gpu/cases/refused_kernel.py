"""The kernel around what is refused: one warp, and numbers of the launch as `%n0` to `%n7`.

Nothing else ends it: what a launch does before the refused operation is as it should be.
"""

from __future__ import annotations

from .case import Kernel
from .frame import BARRIER, SLOT
from .refusal import NUMBERS

LANE = 21
ISSUER = range(LANE, LANE + 1)
ALLOC = "nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32"
ALLOC_PAIR = ALLOC.replace(" :", " {group = #nvvm.cta_group<cta_2>} :")
LIVE = "live are columns 0 to 31"
MEET = "nvvm.cluster.arrive {aligned}\n    nvvm.cluster.wait {aligned}"


def kernel_of(name: str, body: str, *, cluster: int = 1, outside: tuple[str, ...] = ()) -> Kernel:
    shape = f", nvvm.cluster_dim = array<i32: {cluster}, 1, 1>" if cluster > 1 else ""
    read = "\n    ".join(
        f"%i{i} = arith.constant {i} : index\n"
        f"    %n{i} = memref.load %numbers[%i{i}] : memref<{NUMBERS}xi32>"
        for i in range(NUMBERS)
    )
    function = f"""  gpu.func @{name}(%numbers: memref<{NUMBERS}xi32>) kernel attributes
      {{nvvm.reqntid = array<i32: 32, 1, 1>{shape}}} {{
    {read}
    %tid = gpu.thread_id x
    %tid_i32 = arith.index_cast %tid : index to i32
    %columns = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %lane_number = arith.constant {LANE} : index
    %issues = arith.cmpi eq, %tid, %lane_number : index
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    {body}
    gpu.return
  }}"""
    outside = (SLOT, BARRIER, *outside)
    return Kernel(name, function, outside, cluster, paths=("nvvm",), emulated=True)
