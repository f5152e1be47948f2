"""What each byte of shared memory holds and whether it is fenced, against a dictionary of bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from machine_rig import TILE, Op, make, u64
from tcgen05_mlir.simulator.machine.shared_memory import State

BYTES = 64
SIZES = ((1, 1), (2, 1), (4, 1), (8, 1), (1, 4), (4, 2), (4, 4), (2, 3))
"""Bytes of an element, elements of an access."""


@dataclass
class SlowBytes:
    """One byte at a time: its value, who wrote it last, and whether that thread fenced since."""

    value: dict[int, int] = field(default_factory=dict)
    writer: dict[int, tuple[int, int]] = field(default_factory=dict)
    fenced: dict[int, bool] = field(default_factory=dict)

    def store(self, thread: tuple[int, int], at: int, data: bytes) -> None:
        for place, byte in enumerate(data, at):
            self.value[place] = byte
            self.writer[place] = thread
            self.fenced[place] = False

    def fence(self, thread: tuple[int, int]) -> None:
        for place, writer in self.writer.items():
            if writer == thread:
                self.fenced[place] = True

    def state(self, place: int) -> State:
        if place not in self.value:
            return State.UNWRITTEN
        return State.FENCED if self.fenced[place] else State.WRITTEN


@st.composite
def stores(draw: st.DrawFn) -> tuple[str, int, int, int, int, int]:
    """Warp, lanes, size, first address and distance between lanes, in elements."""
    return (
        "store",
        draw(st.integers(0, 1)),
        draw(st.integers(0, 2**32 - 1) | st.just(1) | st.just(2**32 - 1)),
        draw(st.integers(0, len(SIZES) - 1)),
        draw(st.integers(0, BYTES - 1)),
        draw(st.integers(0, 5)),
    )


FENCES = st.tuples(
    st.just("fence"),
    st.integers(0, 1),
    st.integers(0, 2**32 - 1) | st.just(2**32 - 1),
    st.just(0),
    st.just(0),
    st.just(0),
)


@given(st.lists(stores() | FENCES, max_size=12), st.randoms(use_true_random=False))
def test_bytes_and_their_states_are_those_of_a_dictionary(steps: list, random: object) -> None:
    fast, slow = make(64), SlowBytes()
    block = fast.blocks[0]
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    for kind, number, bits, size, first, distance in steps:
        warp = block.warps[number]
        mask = (bits >> np.arange(32) & 1).astype(np.bool_)
        if kind == "fence":
            warp.fence_proxy("async.shared::cta", mask, Op("nvvm.fence.proxy"))
            for lane in np.flatnonzero(mask):
                slow.fence((number, int(lane)))
            continue
        width, count = SIZES[size]
        offsets = width * ((first + distance * np.arange(32)) % ((BYTES - count * width) // width))
        values = rng.integers(0, 256, (32, count * width), np.uint8)
        elements = values.view(f"u{width}").T
        warp.store(3, u64(TILE) + offsets.astype(np.uint64), elements, mask, Op("llvm.store"))
        for lane in np.flatnonzero(mask):
            slow.store((number, int(lane)), int(offsets[lane]), values[lane].tobytes())
    state = block.shared.state[TILE : TILE + BYTES]
    assert [State(one) for one in state] == [slow.state(place) for place in range(BYTES)]
    reader = block.warps[1]
    for place, value in slow.value.items():
        got = reader.load(3, u64(TILE + place), np.uint8, np.arange(32) == 3, Op("llvm.load"))
        assert got[3] == value


@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, len(SIZES) - 1),
    st.lists(st.integers(0, 40), min_size=32, max_size=32),
)
def test_loads_gather_what_lies_at_each_lane_s_address(
    bits: int, size: int, places: list[int]
) -> None:
    warp = make(32).blocks[0].warps[0]
    data = np.random.default_rng(bits).integers(0, 256, 512, np.uint8)
    warp.block.shared.data[TILE : TILE + 512] = data
    warp.block.shared.state[TILE : TILE + 512] = State.FENCED
    width, count = SIZES[size]
    mask = (bits >> np.arange(32) & 1).astype(np.bool_)
    offsets = width * np.array(places)
    addresses = u64(TILE) + offsets.astype(np.uint64)
    got = warp.load(3, addresses, f"u{width}", mask, Op("llvm.load"), count=count)
    for lane in range(32):
        wanted = data[offsets[lane] : offsets[lane] + width * count] * mask[lane]
        mine = got[lane : lane + 1] if count == 1 else got[:, lane]
        assert mine.tobytes() == wanted.tobytes()
