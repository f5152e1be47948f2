"""Warps and blocks that work together: rings, races, clusters, deadlocks."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import llvm_kernel
from tcgen05_mlir.simulator import SimulationError, run

TILES, STAGES = 9, 3

RING = f"""
gpu.module @m {{
  memref.global "private" @ring : memref<{STAGES}x32x4xi32, #gpu.address_space<workgroup>> {{alignment = 16}}
  llvm.mlir.global internal @full() {{addr_space = 3 : i32, alignment = 8 : i64}} : !llvm.array<{STAGES} x i64>
  llvm.mlir.global internal @free() {{addr_space = 3 : i32, alignment = 8 : i64}} : !llvm.array<{STAGES} x i64>
  llvm.mlir.global internal @copied() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  llvm.mlir.global internal @read() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  llvm.mlir.global internal @taddr() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
  gpu.func @k(%A: memref<{TILES}x32x4xi32>, %Out: memref<{TILES}x32x4xi32>) kernel
      attributes {{nvvm.reqntid = array<i32: 96, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant {STAGES} : index
    %c32 = arith.constant 32 : index
    %tiles = arith.constant {TILES} : index
    %columns = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %lanes = arith.constant 32 : i32
    %ticks = arith.constant 1000 : i32
    %ring = memref.get_global @ring : memref<{STAGES}x32x4xi32, #gpu.address_space<workgroup>>
    %fulls = llvm.mlir.addressof @full : !llvm.ptr<3>
    %frees = llvm.mlir.addressof @free : !llvm.ptr<3>
    %copied = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %read = llvm.mlir.addressof @read : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %lane = arith.remui %tid, %c32 : index
    %is_reader = arith.cmpi eq, %warp, %c0 : index
    %is_writer = arith.cmpi eq, %warp, %c1 : index
    %is_copier = arith.cmpi eq, %warp, %c2 : index
    scf.if %is_reader {{
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      %init = nvvm.elect.sync -> i1
      scf.if %init {{
        scf.for %s = %c0 to %c3 step %c1 {{
          %i = arith.index_cast %s : index to i32
          %full = llvm.getelementptr %fulls[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %free = llvm.getelementptr %frees[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %full, %lanes : !llvm.ptr<3>, i32
          nvvm.mbarrier.init %free, %one : !llvm.ptr<3>, i32
        }}
        nvvm.mbarrier.init %copied, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %read, %lanes : !llvm.ptr<3>, i32
      }}
    }}
    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
    gpu.barrier
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.for %t = %c0 to %tiles step %c1 {{
      %stage = arith.remui %t, %c3 : index
      %use = arith.divui %t, %c3 : index
      %odd = arith.remui %use, %c2 : index
      %parity = arith.index_cast %odd : index to i32
      %before = arith.xori %parity, %one : i32
      %i = arith.index_cast %stage : index to i32
      %t_odd = arith.remui %t, %c2 : index
      %t_parity = arith.index_cast %t_odd : index to i32
      %t_before = arith.xori %t_parity, %one : i32
      %full = llvm.getelementptr %fulls[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %free = llvm.getelementptr %frees[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      scf.if %is_writer {{
        nvvm.mbarrier.try_wait.parity %free, %before, %ticks : !llvm.ptr<3>, i32, i32
        %v = vector.load %A[%t, %lane, %c0] : memref<{TILES}x32x4xi32>, vector<4xi32>
        vector.store %v, %ring[%stage, %lane, %c0]
          : memref<{STAGES}x32x4xi32, #gpu.address_space<workgroup>>, vector<4xi32>
        nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }}
      scf.if %is_copier {{
        nvvm.mbarrier.try_wait.parity %full, %parity, %ticks : !llvm.ptr<3>, i32, i32
        nvvm.mbarrier.try_wait.parity %read, %t_before, %ticks : !llvm.ptr<3>, i32, i32
        %issuer = nvvm.elect.sync -> i1
        scf.if %issuer {{
          nvvm.tcgen05.fence <after>
          %tmem = tcgen05.view %base : i32 to memref<32x4xi32, #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>, #nvvm.memory_space<tensor>>
          tcgen05.cp <shape_32x128b> %tmem, %ring[%stage] multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>)
            : memref<32x4xi32, #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>, #nvvm.memory_space<tensor>>,
              memref<{STAGES}x32x4xi32, #gpu.address_space<workgroup>>
          nvvm.tcgen05.commit %free : !llvm.ptr<3>
          nvvm.tcgen05.commit %copied : !llvm.ptr<3>
        }}
      }}
      scf.if %is_reader {{
        nvvm.mbarrier.try_wait.parity %copied, %t_parity, %ticks : !llvm.ptr<3>, i32, i32
        nvvm.tcgen05.fence <after>
        %words = nvvm.tcgen05.ld %p {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        nvvm.tcgen05.fence <before>
        %state = nvvm.mbarrier.arrive %read : !llvm.ptr<3> -> i64
        vector.store %words, %Out[%t, %lane, %c0] : memref<{TILES}x32x4xi32>, vector<4xi32>
      }}
    }}
    scf.if %is_reader {{
      nvvm.tcgen05.relinquish_alloc_permit
      nvvm.tcgen05.dealloc %p, %columns : !llvm.ptr<6>, i32
    }}
    gpu.return
  }}
}}
"""  # noqa: E501  (the lines are MLIR's)


@pytest.mark.parametrize("seed", range(6))
def test_writer_copier_and_reader_around_a_ring(seed: int) -> None:
    a = np.random.default_rng(seed).integers(0, 2**31, (TILES, 32, 4)).astype(np.int32)
    assert (run(RING, "k", a, np.zeros_like(a), seed=seed)[1] == a).all()


def test_a_ring_whose_writer_does_not_wait() -> None:
    wait = "nvvm.mbarrier.try_wait.parity %free, %before, %ticks : !llvm.ptr<3>, i32, i32"
    a = np.ones((TILES, 32, 4), np.int32)
    rules = set()
    for seed in range(4):
        with pytest.raises(SimulationError) as caught:
            run(RING.replace(wait, ""), "k", a, np.zeros_like(a), seed=seed)
        rules.add(caught.value.rule)
    # It overwrites what a copy still reads, or is phases ahead of the barrier that is waited for.
    assert rules <= {"S4", "S7", "P3", "P4"}


RACE = llvm_kernel(
    "%out: !llvm.ptr",
    """%w = nvvm.read.ptx.sreg.warpid : i32
    llvm.store %w, %out : i32, !llvm.ptr
    llvm.return""",
    threads=64,
)


def test_a_race_between_warps_shows_under_some_seed_and_a_seed_repeats() -> None:
    def outcome(seed: int) -> int:
        return int(run(RACE, "k", np.zeros(1, np.int32), seed=seed)[0][0])

    outcomes = [outcome(seed) for seed in range(12)]
    assert set(outcomes) == {0, 1}
    assert outcomes == [outcome(seed) for seed in range(12)]


NAMED = llvm_kernel(
    "%out: !llvm.ptr",
    """%tid = nvvm.read.ptx.sreg.tid.x : i32
    %w = nvvm.read.ptx.sreg.warpid : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %n = llvm.mlir.constant(64 : i32) : i32
    %cell = llvm.mlir.addressof @cell : !llvm.ptr<3>
    %is = llvm.icmp "eq" %w, %zero : i32
    llvm.cond_br %is, ^write, ^read
  ^write:
    llvm.store %n, %cell : i32, !llvm.ptr<3>
    nvvm.barrier.arrive id = %three number_of_threads = %n
    llvm.br ^end(%zero : i32)
  ^read:
    nvvm.barrier id = %three number_of_threads = %n
    %v = llvm.load %cell : !llvm.ptr<3> -> i32
    llvm.br ^end(%v : i32)
  ^end(%y: i32):
    %p = llvm.getelementptr %out[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %y, %p : i32, !llvm.ptr
    llvm.return""",
    threads=64,
    outside="llvm.mlir.global internal @cell() {addr_space = 3 : i32} : i32",
)


@pytest.mark.parametrize("seed", range(4))
def test_a_named_barrier_between_two_warps(seed: int) -> None:
    (got,) = run(NAMED, "k", np.zeros(64, np.int32), seed=seed)
    assert got.tolist() == [0] * 32 + [64] * 32


NEIGHBOUR = llvm_kernel(
    "%out: !llvm.ptr",
    """%tid = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %n = llvm.mlir.constant(32 : i32) : i32
    %cells = llvm.mlir.addressof @cells : !llvm.ptr<3>
    %mine = llvm.getelementptr %cells[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %i0 = llvm.mul %b, %n : i32
    %i = llvm.add %i0, %tid : i32
    llvm.store %i, %mine : i32, !llvm.ptr<3>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %r1 = llvm.add %rank, %one : i32
    %next = llvm.urem %r1, %four : i32
    %there = nvvm.mapa %mine, %next : !llvm.ptr<3> -> !llvm.ptr<7>
    %v = llvm.load %there : !llvm.ptr<7> -> i32
    %g = llvm.addrspacecast %there : !llvm.ptr<7> to !llvm.ptr
    %w = llvm.load %g : !llvm.ptr -> i32
    %s = llvm.add %v, %w : i32
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %s, %p : i32, !llvm.ptr
    llvm.return""",
    attributes=", nvvm.cluster_dim = array<i32: 4, 1, 1>",
    outside="llvm.mlir.global internal @cells() {addr_space = 3 : i32} : !llvm.array<32 x i32>",
)


@pytest.mark.parametrize("seed", range(3))
def test_shared_memory_of_the_next_block_in_the_cluster(seed: int) -> None:
    (got,) = run(NEIGHBOUR, "k", np.zeros(8 * 32, np.int32), grid=8, seed=seed)
    cells = np.arange(8 * 32).reshape(2, 4, 32)
    assert (got.reshape(2, 4, 32) == 2 * np.roll(cells, -1, axis=1)).all()


FLAG = llvm_kernel(
    "%flag: !llvm.ptr, %out: !llvm.ptr",
    """%b = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %is = llvm.icmp "eq" %b, %zero : i32
    llvm.cond_br %is, ^spin, ^set
  ^spin:
    %v = llvm.load %flag atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
    %done = llvm.icmp "ne" %v, %zero : i32
    llvm.cond_br %done, ^end, ^spin
  ^set:
    %old = llvm.atomicrmw add %flag, %one acq_rel : !llvm.ptr, i32
    llvm.br ^end
  ^end:
    %w = llvm.atomicrmw add %out, %one monotonic : !llvm.ptr, i32
    llvm.return""",
)


def test_a_block_that_spins_for_a_later_block() -> None:
    flag, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    got = run(FLAG, "k", flag, out, grid=3)
    assert got[0].tolist() == [64]
    assert got[1].tolist() == [96]


def test_a_deadlock_says_who_waits() -> None:
    kernel = llvm_kernel(
        "%out: !llvm.ptr",
        """%w = nvvm.read.ptx.sreg.warpid : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %is = llvm.icmp "eq" %w, %zero : i32
    llvm.cond_br %is, ^wait, ^end
  ^wait:
    %one = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(64 : i32) : i32
    nvvm.barrier id = %one number_of_threads = %n
    llvm.br ^end
  ^end:
    llvm.return""",
        threads=64,
    )
    with pytest.raises(SimulationError) as caught:
        run(kernel, "k", np.zeros(1, np.int32))
    assert caught.value.rule == "S4"
    assert "warp 0 of block (0, 0, 0) waits in 'nvvm.barrier'" in str(caught.value)


SPIN = """%tid = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %first = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %first, ^init, ^sync
  ^init:
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    llvm.br ^sync
  ^sync:
    nvvm.barrier0
    %w = nvvm.read.ptx.sreg.warpid : i32
    %is = llvm.icmp "eq" %w, %zero : i32
    llvm.cond_br %is, ^spin, ^other
  ^spin:
    %done = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
    llvm.cond_br %done, ^end, ^spin
  ^other:
    ARRIVE
    llvm.br ^end
  ^end:
    llvm.return"""
BAR = "llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64"


@pytest.mark.parametrize("seed", range(3))
def test_a_loop_around_test_wait(seed: int) -> None:
    arrive = """%e = nvvm.elect.sync -> i1
    llvm.cond_br %e, ^arrive, ^end
  ^arrive:
    %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64"""
    good = llvm_kernel("%o: !llvm.ptr", SPIN.replace("ARRIVE", arrive), threads=64, outside=BAR)
    run(good, "k", np.zeros(1, np.int32), seed=seed)
    bad = llvm_kernel("%o: !llvm.ptr", SPIN.replace("ARRIVE", ""), threads=64, outside=BAR)
    with pytest.raises(SimulationError) as caught:
        run(bad, "k", np.zeros(1, np.int32), seed=seed)
    assert caught.value.rule == "S4"
    assert "1 of 1 arrivals missing" in str(caught.value)
