"""The nvvm.tcgen05 operations."""

from __future__ import annotations

from tcgen05_mlir.simulator.translate.aggregate_rules import constant_index
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import Meeting, rule, waiting_rule
from tcgen05_mlir.simulator.translate.types import Pointer, Vector

_MULTICASTS = {"warpx4": "warpx4", "warpx2_02_13": "warpx2::02_13", "warpx2_01_23": "warpx2::01_23"}


def _group(e: Emitter) -> str:
    return f"cta_group={2 if e.attribute('group') == 'cta_2' else 1}"


def _space(e: Emitter) -> str:
    pointer = e.type(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    return f"space={pointer.space}"


@waiting_rule("nvvm.tcgen05.alloc")
def alloc(e: Emitter) -> Meeting:
    options = f"{e.site()}, {_group(e)}, {_space(e)}"
    call = f"h.tcgen05_alloc(spread(a0), spread(a1), m, {options})"
    return Meeting(call, e.operands(), blocks=True)


@waiting_rule("nvvm.tcgen05.dealloc")
def dealloc(e: Emitter) -> Meeting:
    call = f"h.tcgen05_dealloc(spread(a0), spread(a1), m, {e.site()}, {_group(e)})"
    return Meeting(call, e.operands(), blocks=True)


@waiting_rule("nvvm.tcgen05.relinquish_alloc_permit")
def relinquish(e: Emitter) -> Meeting:
    return Meeting(f"h.tcgen05_relinquish(m, {e.site()}, {_group(e)})")


@rule("nvvm.tcgen05.fence")
def fence(e: Emitter) -> None:
    e.line(f"h.tcgen05_fence({e.attribute('kind')!r}, m, {e.site()})")


@waiting_rule("nvvm.tcgen05.wait")
def wait(e: Emitter) -> Meeting:
    return Meeting(f"h.tcgen05_wait({e.attribute('kind')!r}, m, {e.site()})")


@rule("nvvm.tcgen05.cp")
def copy(e: Emitter) -> None:
    shape = e.attribute("shape").removeprefix("shape_")
    multicast = _MULTICASTS.get(e.attribute("multicast"))
    source = e.attribute("srcFormat") or None
    options = f"shape={shape!r}, multicast={multicast!r}, {_group(e)}, src_format={source!r}"
    e.line(f"h.tcgen05_cp({e.lanes(0)}, {e.lanes(1)}, m, {e.site()}, {options})")


@rule("nvvm.tcgen05.commit")
def commit(e: Emitter) -> None:
    multicast = f", multicast_mask={e.lanes(1)}" if len(e.op.operands) > 1 else ""
    options = f"{e.site()}, {_group(e)}, {_space(e)}{multicast}"
    e.line(f"h.tcgen05_commit({e.lanes(0)}, m, {options})")


@rule("nvvm.tcgen05.shift")
def shift(e: Emitter) -> None:
    e.line(f"h.tcgen05_shift({e.lanes(0)}, m, {e.site()}, {_group(e)})")


def _shape(e: Emitter, offset: int) -> str:
    """Shape and, for 16x32bx2, the distance of its second access."""
    shape = e.attribute("shape").removeprefix("shape_")
    code = f"shape={shape!r}"
    if len(e.op.operands) > offset:
        distance = constant_index(e.op.operands[offset])
        if distance is None:
            raise e.refuse("'offset' must be a constant")
        code += f", offset={distance}"
    return code


@waiting_rule("nvvm.tcgen05.ld")
def load(e: Emitter) -> Meeting:
    vector = isinstance(e.result_type, Vector)
    registers = e.result_type.count if isinstance(e.result_type, Vector) else 1
    options = f"{_shape(e, 1)}, registers={registers}, pack={'pack' in e.op.attributes}"
    call = f"h.tcgen05_ld(spread(a0), m, {e.site()}, {options})"
    return Meeting(call if vector else f"{call}[0]", [e.operand(0)])


@waiting_rule("nvvm.tcgen05.st")
def store(e: Emitter) -> Meeting:
    type_ = e.type(e.op.operands[1])
    value = f"spread_vector(a1, {type_.count})" if isinstance(type_, Vector) else "spread(a1)"
    options = f"{_shape(e, 2)}, unpack={'unpack' in e.op.attributes}"
    call = f"h.tcgen05_st(spread(a0), {value}, m, {e.site()}, {options})"
    return Meeting(call, e.operands()[:2])
