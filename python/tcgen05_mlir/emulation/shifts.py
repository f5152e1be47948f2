"""tcgen05.shift.down: eight columns of lanes i+1 go to lanes i, for i in 0..30."""

from __future__ import annotations

from functools import partial

from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT, TMEM_LANES

from .abi import TMEM_LANE_BYTES
from .binding import Bound, check_cluster, own, peer
from .checks import WARP_LANES
from .code import Code
from .columns import check_one_allocation
from .library import Library
from .memory import at, load, store
from .report import check
from .values import Value, integer_type

SHIFT_COLUMNS = 8
"""A shift moves 32-byte elements (PTX `tcgen05-data-movement-shape`: 31x256b)."""


def shift_function(library: Library, group: int) -> str:
    """The function (taddr i32, site i32)."""
    name = "shift" + ("_cta2" if group == 2 else "")
    arguments = [integer_type(32)] * 2
    return library.function(name, arguments, None, partial(_write, group), "no_inline")


def _write(group: int, code: Code) -> None:
    taddr, site = code.arguments
    lane, column = taddr >> TMEM_LANE_SHIFT, taddr & ((1 << TMEM_LANE_SHIFT) - 1)
    if group == 2:
        check_cluster(code, site)
    _check_lane(code, lane, site)
    blocks = [own(code, site), *([peer(code)] if group == 2 else [])]
    for number, bound in enumerate(blocks):
        last, name = column + (SHIFT_COLUMNS - 1), "peer_columns" if number else "columns"
        check_one_allocation(code, bound.columns(), column, last, name, site)
    for bound in blocks:
        _shift(code, bound, lane, column)
    code.give()


def _check_lane(code: Code, lane: Value, site: Value) -> None:
    """S3: a quarter of the lanes."""
    check(code, (lane % WARP_LANES).equals(0) & (lane < TMEM_LANES), "shift_lane", site, lane)


def _shift(code: Code, bound: Bound, lane: Value, column: Value) -> None:
    """In the order of the lanes, so that each is read before it is written."""
    first = bound.cell(lane, column)
    with code.count(code.constant(0), WARP_LANES - 1, 1) as number:
        to = at(first, number * TMEM_LANE_BYTES)
        for word in range(SHIFT_COLUMNS):
            store(at(to, 4 * word), load(at(to, TMEM_LANE_BYTES + 4 * word)))
