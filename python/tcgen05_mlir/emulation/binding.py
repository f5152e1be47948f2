"""What the host bound: tensor memory and state of this block, and of the other one of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from mlir import ir

from . import abi
from .code import Code
from .lanes import register
from .memory import at, load
from .report import check
from .values import Value, pointer_type


@dataclass(frozen=True)
class Bound:
    """One block's tensor memory and state, pointers to global memory."""

    tmem: Value
    state: Value

    def cell(self, lane: Value, column: Value) -> Value:
        """Where the word of a lane and column is."""
        offset = lane * abi.TMEM_LANE_BYTES + column * 4
        return at(self.tmem, offset)

    def columns(self) -> Value:
        """The word of the allocations, see `columns_state`."""
        return load(at(self.state, abi.STATE_COLUMNS), 64, 8)


def variable(code: Code, offset: int) -> Value:
    """A field of the variable, 64 bits."""
    symbol = ir.FlatSymbolRefAttr.get(abi.SYMBOL)
    start = code.value("llvm.mlir.addressof", [], pointer_type(1), global_name=symbol)
    return load(at(start, offset), 64, 8)


def own(code: Code, site: Value) -> Bound:
    """What is bound for this block; E2 where nothing is."""
    number = _number([register(code, f"ctaid.{axis}") for axis in "xyz"], code)
    blocks = variable(code, abi.BLOCKS_OFFSET)
    check(code, number.to(64) < blocks, "bound", site, number, blocks.to(32))
    return _bound(code, number)


def peer(code: Code) -> Bound:
    """What is bound for the other block of the pair, whose rank differs in bit 0."""
    sizes = [register(code, f"cluster.nctaid.{axis}") for axis in "xyz"]
    rank = peer_rank(code)
    places = [rank % sizes[0], rank // sizes[0] % sizes[1], rank // (sizes[0] * sizes[1])]
    index = [
        register(code, f"ctaid.{axis}") - register(code, f"cluster.ctaid.{axis}") + place
        for axis, place in zip("xyz", places, strict=True)
    ]
    return _bound(code, _number(index, code))


def peer_rank(code: Code) -> Value:
    """The rank, in the cluster, of the other block of the pair."""
    return register(code, "cluster.ctarank") ^ 1


def check_cluster(code: Code, site: Value) -> None:
    """P2: a cluster of an even size."""
    size = register(code, "cluster.nctarank")
    check(code, (size & 1).equals(0), "cluster", site, size)


def _number(index: list[Value], code: Code) -> Value:
    sizes = [register(code, "nctaid.y"), register(code, "nctaid.x")]
    return reduce(
        lambda outer, step: outer * step[0] + step[1],
        zip(sizes, (index[1], index[0]), strict=True),
        index[2],
    )


def _bound(code: Code, number: Value) -> Bound:
    def part(offset: int, size: int) -> Value:
        return (variable(code, offset) + number.to(64) * size).pointer(1)

    return Bound(
        part(abi.TMEM_OFFSET, abi.TMEM_BLOCK_BYTES), part(abi.STATE_OFFSET, abi.STATE_BLOCK_BYTES)
    )
