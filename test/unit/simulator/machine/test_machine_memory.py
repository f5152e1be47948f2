"""Loads, stores and atomics: spaces, values, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine_rig import ALL, LAYOUT, MBAR, ONE, TILE, Op, ld, make, message, u64
from numpy.typing import NDArray
from tcgen05_mlir.simulator.machine import (
    RULES,
    Checks,
    Cluster,
    ClusterShape,
    GlobalMemory,
    Nap,
    SharedBuffer,
    SharedLayout,
    Space,
    Warp,
    from_generic,
    to_generic,
)
from tcgen05_mlir.simulator.machine.atomics import ATOMICS, updated

LOAD, STORE, ATOMIC = Op("llvm.load", 30), Op("llvm.store", 31), Op("llvm.atomicrmw", 32)
LANES = np.arange(32)


def one_warp(**options: Any) -> Warp:
    return make(32, **options).blocks[0].warps[0]


def with_buffer(array: NDArray[Any], **options: Any) -> tuple[Warp, int, GlobalMemory]:
    memory = GlobalMemory()
    buffer = memory.add("A", array, **options)
    return one_warp(memory=memory), buffer.address, memory


def test_global_memory_is_a_copy_and_padded_by_a_gap() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    memory = GlobalMemory()
    first, second = memory.add("A", array), memory.add("B", array[:, ::2])
    array[:] = 0
    assert (first.address, first.size, second.size) == (0x7F00_0000_0000, 24, 16)
    assert second.address % 256 == 0
    assert second.address >= first.address + first.size + 4096
    assert first.data.view(np.float32).tolist() == [0, 1, 2, 3, 4, 5]
    assert second.data.view(np.float32).tolist() == [0, 2, 3, 5]
    assert memory.find(first.address + 23) is first
    assert memory.find(first.address + 24) is None
    assert memory.find(0) is None


@pytest.mark.parametrize("kind", ["u1", "i2", "u4", "i8", "f2", "f4", "f8"])
def test_elements_and_vectors_of_every_size_go_to_global_memory_and_back(kind: str) -> None:
    dtype = np.dtype(kind)
    warp, base, memory = with_buffer(np.zeros(128, dtype))
    values = np.arange(128).reshape(32, 4).T.astype(dtype)
    addresses = u64(base) + (4 * dtype.itemsize * LANES).astype(np.uint64)
    warp.store(Space.GLOBAL, addresses, values, ALL, STORE)
    assert np.array_equal(memory.buffers[0].data.view(dtype), np.arange(128).astype(dtype))
    assert np.array_equal(warp.load(1, addresses, dtype, ALL, LOAD, count=4), values)
    assert np.array_equal(warp.load(0, addresses, dtype, ALL, LOAD), values[0])


def test_inactive_lanes_touch_nothing() -> None:
    warp, base, memory = with_buffer(np.arange(32, dtype=np.uint32))
    odd = LANES % 2 == 1
    addresses = np.where(odd, u64(base) + (4 * LANES).astype(np.uint64), np.uint64(1))
    warp.store(1, addresses, np.full(32, 99, np.uint32), odd, STORE)
    assert memory.buffers[0].data.view(np.uint32).tolist() == [99 if i % 2 else i for i in LANES]
    got = warp.load(1, addresses, np.uint32, odd, LOAD)
    assert got.tolist() == [99 if i % 2 else 0 for i in LANES]
    assert warp.load(1, addresses, np.uint32, odd & ~odd, LOAD).tolist() == [0] * 32


def test_the_highest_lane_wins() -> None:
    warp, base, memory = with_buffer(np.zeros(1, np.uint32))
    warp.store(1, u64(base), LANES.astype(np.uint32), ALL, STORE)
    assert memory.buffers[0].data.view(np.uint32).tolist() == [31]


def test_a_generic_access_goes_to_several_spaces_at_once() -> None:
    warp, base, memory = with_buffer(np.zeros(8, np.uint32))
    local = warp.alloca(4, 4)
    shared = to_generic(u64(TILE), Space.SHARED)
    windows = [int(shared[0]), int(to_generic(u64(local), Space.LOCAL)[0]), base, base + 4]
    addresses = np.array([windows[i % 4] for i in LANES], np.uint64)
    warp.store(0, addresses, LANES.astype(np.uint32), ALL, STORE)
    assert warp.block.shared.data[TILE : TILE + 4].view(np.uint32)[0] == 28
    assert memory.buffers[0].data.view(np.uint32).tolist() == [30, 31, 0, 0, 0, 0, 0, 0]
    got = warp.load(0, addresses, np.uint32, ALL, LOAD)
    # A local word is the lane's own.
    assert got.tolist() == [(28, i, 30, 31)[i % 4] for i in LANES]
    assert np.array_equal(from_generic(shared, Space.SHARED), u64(TILE))


def test_local_memory_is_each_lane_s_own_and_freed_in_order() -> None:
    warp = one_warp()
    mark = warp.local_mark()
    first, second = warp.alloca(6, 2), warp.alloca(1024, 16)
    assert (first, second) == (16, 32)
    warp.store(5, u64(second), LANES.astype(np.float64), ALL, STORE)
    assert np.array_equal(warp.load(5, u64(second), np.float64, ALL, LOAD), LANES.astype(float))
    warp.local_release(mark)
    again = warp.alloca(2048, 16)
    assert again == 16
    assert message(lambda: warp.load(5, u64(second), np.float64, ALL, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads local address 0x20, which was never written [S1]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s2_beyond_the_local_stack() -> None:
    warp = one_warp()
    address = warp.alloca(8, 8)
    warp.store(5, u64(address), np.zeros(32, np.uint64), ALL, STORE)
    assert message(lambda: warp.load(5, u64(address + 8), np.uint64, ALL, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads 8 bytes at local address 0x18, outside the stack, which "
        "ends at 0x18 [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s1_shared_memory_never_written() -> None:
    warp = one_warp()
    warp.store(3, u64(TILE), np.zeros(32, np.uint32), ONE, STORE)
    warp.load(3, u64(TILE), np.uint32, ONE, LOAD)
    assert message(lambda: warp.load(3, u64(TILE), np.uint64, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads shared address 0x414 (byte 4 of 'tile'), which was "
        "never written [S1]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: write it first, and put a barrier between where another thread writes"
    )


def test_s1_allowed_reads_garbage() -> None:
    warp = one_warp(allow={"S1"})
    assert warp.load(3, u64(TILE), np.uint32, ONE, LOAD)[0] == 0xA5A5A5A5


def test_s2_past_the_end_of_a_global_buffer() -> None:
    warp, base, _ = with_buffer(np.zeros(10, np.uint32))
    addresses = u64(base) + (4 * LANES).astype(np.uint64)
    assert message(lambda: warp.load(1, addresses, np.uint32, ALL, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads bytes 40 to 43 of 'A', which has 40 bytes [S2]\n"
        "  at block (0, 0, 0), thread (10, 0, 0)"
    )
    warp.load(1, addresses, np.uint32, LANES < 10, LOAD)


def test_s2_before_a_global_buffer_and_the_null_pointer() -> None:
    warp, base, _ = with_buffer(np.zeros(10, np.uint32))
    assert message(lambda: warp.load(1, u64(base - 4), np.uint32, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads 4 bytes at address 0x7efffffffffc, outside every "
        "buffer [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    store = message(lambda: warp.store(1, u64(8), np.zeros(32, np.uint64), ONE, STORE))
    assert store == (
        "k.mlir:31:1: 'llvm.store' op writes 8 bytes at address 0x8, a null pointer [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s2_past_the_end_of_a_shared_buffer() -> None:
    layout = SharedLayout([SharedBuffer("a", 1024, 8, 8), SharedBuffer("b", 1032, 8, 8)])
    warp = one_warp(layout=layout)
    wide = np.zeros((2, 32), np.uint32)
    warp.store(3, u64(1024), wide, ONE, STORE)
    over = message(lambda: warp.store(3, u64(1028), wide, ONE, STORE))
    assert over == (
        "k.mlir:31:1: 'llvm.store' op writes 8 bytes at shared address 0x404 (byte 4 of 'a'), past "
        "the end of 'a', which has 8 bytes [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    beyond = message(lambda: warp.load(3, u64(1040), np.uint32, ONE, LOAD))
    assert beyond == (
        "k.mlir:30:1: 'llvm.load' op reads 4 bytes at shared address 0x410, outside every buffer; "
        "the block has 'a' at 0x400 to 0x407, 'b' at 0x408 to 0x40f [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s2_a_block_without_shared_memory() -> None:
    warp = one_warp(layout=SharedLayout())
    assert message(lambda: warp.load(3, u64(0), np.uint32, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads 4 bytes at shared address 0x0, outside every buffer; "
        "the block has no shared memory [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s2_the_shared_memory_of_other_blocks() -> None:
    cluster = make(32, blocks=2)
    near, far = (block.warps[0] for block in cluster.blocks)
    far.store(3, u64(0x1000000 + TILE), np.full(32, 7, np.uint32), ONE, STORE)
    assert near.load(7, u64(0x1000000 + TILE), np.uint32, ONE, LOAD)[0] == 7
    assert message(lambda: near.load(3, u64(0x1000000 + TILE), np.uint32, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads shared address 0x1000410 of rank 1, got by a block of "
        "rank 0 in shared::cta [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    assert message(lambda: near.load(7, u64(0x2000000 + TILE), np.uint32, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads shared address 0x2000410 of rank 2; the cluster has 2 "
        "blocks [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    assert message(lambda: near.mapa(u64(TILE), 2, ALL, Op("nvvm.mapa", 33))) == (
        "k.mlir:33:1: 'nvvm.mapa' op maps to rank 2 of a cluster of 2 blocks [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    far.exit(ALL)
    assert message(lambda: near.load(7, u64(0x1000000 + TILE), np.uint32, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads shared address 0x1000410 of rank 1, which has ended "
        "[S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s3_a_misaligned_address() -> None:
    warp, base, _ = with_buffer(np.zeros(64, np.uint32))
    addresses = u64(base) + np.where(LANES == 5, 2, 0).astype(np.uint64)
    assert message(lambda: warp.load(1, addresses, np.uint32, ALL, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads 4 bytes at global address 0x7f0000000002, which must be "
        "a multiple of 4, got remainder 2 [S3]\n"
        "  at block (0, 0, 0), thread (5, 0, 0)"
    )
    warp.load(1, addresses, np.uint32, ALL, LOAD, alignment=2)


def test_s3_a_vector_needs_the_alignment_that_its_op_states() -> None:
    warp, base, _ = with_buffer(np.zeros(64, np.uint32))
    wide = np.zeros((4, 32), np.uint32)
    warp.store(1, u64(base + 4), wide, ONE, STORE)
    assert message(lambda: warp.store(1, u64(base + 4), wide, ONE, STORE, alignment=16)) == (
        "k.mlir:31:1: 'llvm.store' op writes 16 bytes at global address 0x7f0000000004, which must "
        "be a multiple of 16, got remainder 4 [S3]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s9_a_read_only_buffer() -> None:
    warp, base, memory = with_buffer(np.ones(4, np.uint32), writable=False)
    assert warp.load(4, u64(base), np.uint32, ONE, LOAD)[0] == 1
    assert message(lambda: warp.store(1, u64(base), np.zeros(32, np.uint32), ONE, STORE)) == (
        "k.mlir:31:1: 'llvm.store' op writes 'A', which is read-only [S9]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    assert memory.buffers[0].data.view(np.uint32).tolist() == [1, 1, 1, 1]


def test_p5_a_store_uses_registers() -> None:
    cluster = make(32)
    warp = cluster.blocks[0].warps[0]
    wait = warp.tcgen05_alloc(u64(1024), 32, ALL, Op("nvvm.tcgen05.alloc"))
    assert wait.ready()
    warp.tcgen05_st(0, LANES.astype(np.uint32), ALL, Op("nvvm.tcgen05.st"), shape="32x32b")
    warp.tcgen05_wait("store", ALL, Op("nvvm.tcgen05.wait"))
    got = ld(warp, registers=1)
    addresses = u64(TILE) + (4 * LANES).astype(np.uint64)
    assert message(lambda: warp.store(3, addresses, got, ALL, STORE)) == (
        "k.mlir:31:1: 'llvm.store' op uses registers of the load 'nvvm.tcgen05.ld' at k.mlir:60:1, "
        "which was not waited for [P5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: put nvvm.tcgen05.wait <load> between the two"
    )
    warp.tcgen05_wait("load", ALL, Op("nvvm.tcgen05.wait"))
    warp.store(3, addresses, got, ALL, STORE)
    assert np.array_equal(warp.load(3, addresses, np.uint32, ALL, LOAD), LANES)


def slow_atomic(op: str, old: int, value: int) -> int:
    """32-bit two's complement, in Python's integers."""
    signed = [x - (x >> 31 << 32) for x in (old, value)]
    return {
        "xchg": value,
        "add": (old + value) % 2**32,
        "sub": (old - value) % 2**32,
        "and": old & value,
        "nand": 2**32 - 1 - (old & value),
        "or": old | value,
        "xor": old ^ value,
        "max": max(signed) % 2**32,
        "min": min(signed) % 2**32,
        "umax": max(old, value),
        "umin": min(old, value),
        "uinc_wrap": 0 if old >= value else old + 1,
        "udec_wrap": value if old == 0 or old > value else old - 1,
    }[op]


INTEGER_OPS = [op for op in ATOMICS if op[0] != "f" and op != "cmpxchg"]


@given(
    st.sampled_from(INTEGER_OPS),
    st.sampled_from(["u4", "i4"]),
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 2**32 - 1), min_size=32, max_size=32),
    st.integers(0, 2**32 - 1),
)
def test_atomics_count_lane_by_lane(
    op: str, kind: str, first: int, values: list[int], bits: int
) -> None:
    warp, base, memory = with_buffer(np.array([first], np.uint32))
    mask = (bits >> LANES & 1).astype(bool)
    operands = np.array(values, np.uint32).view(kind)
    got = warp.atomic(op, 1, u64(base), operands, mask, ATOMIC)
    wanted, memory_now = np.zeros(32, np.uint32), first
    for lane in np.flatnonzero(mask):
        wanted[lane] = memory_now
        memory_now = slow_atomic(op, memory_now, values[lane])
    assert np.array_equal(got.view(np.uint32), wanted)
    assert memory.buffers[0].data.view(np.uint32)[0] == memory_now


def test_floating_point_atomics() -> None:
    warp, base, memory = with_buffer(np.array([1.5], np.float32))
    values = LANES.astype(np.float32)
    old = warp.atomic("fadd", 1, u64(base), values, ALL, ATOMIC)
    assert old[:3].tolist() == [1.5, 1.5, 2.5]
    assert memory.buffers[0].data.view(np.float32)[0] == 1.5 + 31 * 16
    warp.atomic("fmax", 1, u64(base), np.full(32, np.nan, np.float32), ALL, ATOMIC)
    assert memory.buffers[0].data.view(np.float32)[0] == 1.5 + 31 * 16


def test_compare_and_exchange_compares_bits() -> None:
    warp, base, memory = with_buffer(np.array([5], np.uint32))
    new, expected = (LANES + 6).astype(np.uint32), (LANES + 5).astype(np.uint32)
    old = warp.atomic("cmpxchg", 1, u64(base), new, ALL, ATOMIC, compare=expected)
    assert np.array_equal(old, expected)
    assert memory.buffers[0].data.view(np.uint32)[0] == 37
    nan = np.array(np.nan, np.float32)[()]
    assert updated("cmpxchg", nan, np.float32(1), nan) == 1


def test_an_atomic_of_another_name_is_refused() -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared whole below
        updated("mul", np.uint32(1), np.uint32(1))
    assert str(caught.value) == f"'op' must be one of {', '.join(ATOMICS)}, got mul"


def test_the_layout_of_shared_memory_is_judged() -> None:
    for buffers, wanted in (
        (
            [SharedBuffer("a", 1032, 8, 16)],
            "buffer 'a' must lie at a multiple of 16 bytes, got offset 1032",
        ),
        (
            [SharedBuffer("a", 1024, 8), SharedBuffer("b", 1028, 8)],
            "buffer 'b' must start behind 'a', which ends at 1032, got offset 1028",
        ),
    ):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared whole below
            SharedLayout(buffers)
        assert str(caught.value) == wanted
    assert LAYOUT.size == TILE + 8192
    found = [LAYOUT.find(at) for at in (1023, 1024, 1028, 1040)]
    taddr, _, tile = LAYOUT.buffers
    assert found == [None, taddr, None, tile]


def test_only_rules_can_be_allowed() -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared whole below
        Checks(allow={"P5", "P77", "X1"})
    ids = ", ".join(RULES)
    assert str(caught.value) == f"'allow' must hold rule ids ({ids}), got P77, X1"
    assert Checks(allow={"P5"}).allow == {"P5"}


def test_the_thread_of_a_message_is_three_dimensional() -> None:
    cluster = Cluster(
        ClusterShape((4, 3, 8), (1, 2, 1)), (3, 4, 5), LAYOUT, GlobalMemory(), Checks()
    )
    block = cluster.blocks[1]
    assert str(block.warps[2].place(5)) == "block (3, 5, 5), thread (1, 2, 5)"
    assert [int(warp.existing.sum()) for warp in block.warps] == [32, 32, 32]


def test_the_source_of_an_emulated_copy_is_read_as_it_is() -> None:
    """Bytes that nobody wrote, an mbarrier's, past a buffer's end: the walk was checked before."""
    first, second = make(32, blocks=2).blocks
    warp = second.warps[0]
    for block, start in ((first, 5), (second, 9)):
        block.shared.data[MBAR : MBAR + 32].view(np.uint32)[:] = np.arange(start, start + 8)
    first.warps[0].mbarrier_init(u64(MBAR), 1, ONE, STORE)
    own = warp.load_source(3, u64(1 << 24 | TILE), np.uint32, ALL, LOAD, count=4, alignment=16)
    assert own[:, 0].tolist() == [11, 12, 13, 14]
    assert (own == own[:, :1]).all()
    other = warp.load_source(7, u64(MBAR), np.uint32, ONE, LOAD)
    assert other.tolist() == [5] + [0] * 31
    assert message(lambda: warp.load_source(3, u64(TILE), np.uint32, ONE, LOAD)) == (
        "k.mlir:30:1: 'llvm.load' op reads shared address 0x410 of rank 0, got by a block of rank "
        "1 in shared::cta [S2]\n  at block (1, 0, 0), thread (0, 0, 0)"
    )
    assert "must be a multiple of 16, got remainder 8 [S3]" in message(
        lambda: warp.load_source(7, u64(MBAR), np.uint32, ONE, LOAD, count=4, alignment=16)
    )


def test_a_nap_is_over_when_it_is_looked_at_again() -> None:
    warp = one_warp()
    nap = Nap(warp, LOAD)
    assert warp.waiting == [nap]
    assert [nap.ready(), nap.ready(), nap.ready()] == [False, True, True]
    assert warp.waiting == []
    assert nap.describe() == "another warp or block"
