"""One NVVM operation of each kind, in a kernel that has an operand of each type."""

from __future__ import annotations

import re

_ARGUMENTS = (
    "%s: !llvm.ptr<3>, %g: !llvm.ptr, %n: !llvm.ptr<1>, %d: !llvm.ptr<7>, %c: i32, %l: i64, "
    "%b: i1, %f: f32, %h: i16, %q: i128"
)
_MATRIX = (
    "{layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, "
    "eltType = #nvvm.ld_st_matrix_elt_type<b16>"
)
_REDUCTION = "{redKind = #nvvm.tma_redux_kind<add>}"
_AWAY = "{rnd = #nvvm.fp_rnd_mode<rna>}"
_CLUSTER = "{scope = #nvvm.mem_scope<cluster>}"

_SOURCE = f"""
nvvm.elect.sync -> i1 as i1
nvvm.fence.mbarrier.init
nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
nvvm.fence.proxy alias | nvvm.fence.proxy {{kind = #nvvm.proxy_kind<alias>}}
nvvm.fence.proxy global | nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.global>}}
nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %g, %size
nvvm.fence.proxy.release #nvvm.mem_scope<cta>
nvvm.fence.proxy.sync_restrict {{order = #nvvm.mem_order<acquire>}}
nvvm.fence.sc.cluster
nvvm.fence.sync_restrict {{order = #nvvm.mem_order<release>}}
nvvm.memory.barrier #nvvm.mem_scope<cluster>
nvvm.memory.barrier gpu | nvvm.memory.barrier #nvvm.mem_scope<gpu>
nvvm.mbarrier.init %s, %c : !llvm.ptr<3>, i32
nvvm.mbarrier.inval %s : !llvm.ptr<3>
nvvm.mbarrier.arrive %s {_CLUSTER} : !llvm.ptr<3>
nvvm.mbarrier.arrive plain | nvvm.mbarrier.arrive %s : !llvm.ptr<3>
nvvm.mbarrier.arrive_drop %s : !llvm.ptr<3>
nvvm.mbarrier.arrive.nocomplete %s, %c : !llvm.ptr<3>, i32 -> i64 as i64
nvvm.mbarrier.arrive_drop.nocomplete %s, %c : !llvm.ptr<3>, i32 -> i64 as i64
nvvm.mbarrier.arrive.expect_tx %s, %c : !llvm.ptr<3>, i32
nvvm.mbarrier.arrive_drop.expect_tx %s, %c : !llvm.ptr<3>, i32
nvvm.mbarrier.expect_tx %s, %c : !llvm.ptr<3>, i32
nvvm.mbarrier.complete_tx %s, %c : !llvm.ptr<3>, i32
nvvm.mbarrier.test.wait %s, %c {_CLUSTER} : !llvm.ptr<3>, i32 -> i1 as i1
nvvm.mbarrier.test.wait block | nvvm.mbarrier.test.wait %s, %c : !llvm.ptr<3>, i32 -> i1 as i1
nvvm.mbarrier.try_wait %s, %c : !llvm.ptr<3>, i32 -> i1 as i1
nvvm.mbarrier.try_wait.parity %s, %c, %c : !llvm.ptr<3>, i32, i32
nvvm.mapa %s, %c : !llvm.ptr<3> -> !llvm.ptr<7> as !llvm.ptr<7>
nvvm.cluster.arrive
nvvm.cluster.arrive.relaxed {{aligned}}
nvvm.cluster.wait
nvvm.read.ptx.sreg.cluster.ctarank : i32 as i32
nvvm.read.ptx.sreg.nclusterid.y : i32 as i32
nvvm.read.ptx.sreg.tid.x : i32 as i32
nvvm.cp.async.bulk.commit.group
nvvm.cp.async.bulk.wait_group 0
nvvm.cp.async.bulk.prefetch %n, %c : !llvm.ptr<1>
nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%c] {_REDUCTION} : !llvm.ptr, !llvm.ptr<3>
nvvm.cp.async.bulk.tensor.prefetch %g, box[%c] : !llvm.ptr
nvvm.cp.async.mbarrier.arrive %s : !llvm.ptr<3>
nvvm.cp.async.commit.group
nvvm.cp.async.wait.group 0
nvvm.setmaxregister increase 232
nvvm.griddepcontrol wait
nvvm.stmatrix %s, %c {_MATRIX}}} : !llvm.ptr<3>, i32
nvvm.ldmatrix %s {_MATRIX}, num = 1 : i32}} : (!llvm.ptr<3>) -> i32 as i32
nvvm.redux.sync fmin | nvvm.redux.sync fmin %f, %c : f32 -> f32 as f32
nvvm.redux.sync add | nvvm.redux.sync add %c, %c : i32 -> i32 as i32
nvvm.wgmma.fence.aligned
nvvm.wgmma.commit.group.sync.aligned
nvvm.wgmma.wait.group.sync.aligned 1
nvvm.clusterlaunchcontrol.try.cancel %s, %s
nvvm.st.bulk %g, size = %l : !llvm.ptr
nvvm.convert.float.to.tf32 %f {{rnd = #nvvm.fp_rnd_mode<rn>}} as i32
nvvm.convert.float.to.tf32 rna | nvvm.convert.float.to.tf32 %f {_AWAY} as i32
nvvm.convert.f32x2.to.f6x2 %f, %f : i16 (f6E2M3FN) as i16
nvvm.convert.f32x2.to.f4x2 %f, %f : i8 (f4E2M1FN) as i8
nvvm.nanosleep %c
nvvm.bar.warp.sync %c : i32
nvvm.barrier0
nvvm.barrier.arrive number_of_threads = %c
nvvm.vote.sync ballot %c, %b -> i32 as i32
nvvm.match.sync any %c, %c : i32 -> i32 as i32
nvvm.shfl.sync bfly %c, %c, %c, %c : i32 -> i32 as i32
nvvm.prmt #nvvm.permute_mode<default> %c, %c, %c : i32 as i32
nvvm.pmevent id = 1
nvvm.breakpoint
nvvm.exit
"""


def _entry(line: str) -> tuple[str, str]:
    name, bar, operation = line.partition(" | ")
    return (name, operation) if bar else (line.split()[0], line)


OPERATIONS = dict(_entry(line) for line in _SOURCE.strip().splitlines())
"""By name, with a word behind it where there are several of that name."""

_RESULT = re.compile(r"(.*) as (\S+)$")


def sampled(operation: str, target: str) -> str:
    """A gpu.module whose kernel has the operation, and stores a result that is `as TYPE`."""
    result = _RESULT.fullmatch(operation)
    used = ""
    if result is not None:
        operation, used = f"%r = {result[1]}", f"llvm.store %r, %g : {result[2]}, !llvm.ptr\n"
    return (
        f"gpu.module @m {target} {{\nllvm.func @k({_ARGUMENTS}) attributes {{nvvm.kernel}} {{\n"
        f"%size = llvm.mlir.constant(128 : i32) : i32\n{operation}\n{used}llvm.return\n}}\n}}\n"
    )
