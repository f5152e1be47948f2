"""`prove`: a copy compared with what its types say, before anything is lowered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..descriptor import SmemDescriptor
from ..instruction import Instruction
from ..smem_layout import SmemLayout
from ..tmem_layout import TmemLayout
from .arguments import check_descriptor, check_images, check_kinds, read_indices
from .distances import repeat_index
from .facts import SharedBase, TensorBase
from .infer import judge_source
from .operands import Destination, Indices, Source, read_destination, read_source
from .origin_rules import assumed_alignment
from .plan import Assumption, CopyPlan, Step
from .shared_bounds import Walk, assumed_bounds
from .tensor_assumptions import assumed_base
from .tensor_bounds import check_columns, check_distinct, check_lanes
from .tensor_rules import check_origins, check_replicas, check_rows, check_words
from .violation import FootprintError, Violation

_TENSOR_RULES = (
    check_replicas,
    check_rows,
    check_words,
    check_origins,
    check_lanes,
    check_columns,
    check_distinct,
)


def prove(
    instruction: Instruction,
    dst: TmemLayout,
    src: SmemLayout,
    descriptor: SmemDescriptor,
    *,
    dst_indices: Sequence[int | None] = (),
    src_indices: Sequence[int | None] = (),
    dst_base: TensorBase | None = None,
    src_base: SharedBase | None = None,
) -> CopyPlan:
    """The plan of a copy whose every byte and cell is what the layouts say.

    Layouts have dimensions (*indexed, *repeat, row, word). `dst_indices` and `src_indices` choose
    leading dimensions: an int, or None for an index that only the run time knows; every value in
    range is covered. Each repeat is one instruction. `descriptor` has start 0. `dst_base` and
    `src_base` are what is known of the addresses; the defaults know nothing, and what the proof
    then assumes is listed in the plan.

    Four 32x128b.warpx4 of 512 bytes each side by side have steps with column offsets 0, 4, 8, 12
    and start offsets 0, 512, 1024, 1536.

    Raises FootprintError with every violation of rules F1 to F12, or of C4 alone where the
    operands are no images of one copy; ValueError for a descriptor that lacks a field [C5] or has
    a start; TypeError for arguments of the wrong kind. Equal arguments are proved once in a
    process. Source: PTX `tcgen05-cp`, `tcgen05-shared-memory-desc`. Not run on Blackwell.
    """
    to = TensorBase() if dst_base is None else dst_base
    of = SharedBase() if src_base is None else src_base
    check_kinds(
        instruction=(instruction, Instruction),
        dst=(dst, TmemLayout),
        src=(src, SmemLayout),
        descriptor=(descriptor, SmemDescriptor),
        dst_base=(to, TensorBase),
        src_base=(of, SharedBase),
    )
    indices = read_indices(dst_indices, "dst_indices"), read_indices(src_indices, "src_indices")
    layouts = (dst, src)
    found = _prove(instruction, layouts, descriptor, indices, to, of.anonymous())
    if isinstance(found, CopyPlan):
        return found
    if of.alignment_source:
        found = _prove.__wrapped__(instruction, layouts, descriptor, indices, to, of)
    assert isinstance(found, tuple)
    raise FootprintError(*found)


@lru_cache(maxsize=4096)
def _prove(
    instruction: Instruction,
    layouts: tuple[TmemLayout, SmemLayout],
    descriptor: SmemDescriptor,
    indices: tuple[Indices, Indices],
    dst_base: TensorBase,
    src_base: SharedBase,
) -> CopyPlan | tuple[Violation, ...]:
    check_images(instruction, *layouts, *indices)
    canonical = check_descriptor(descriptor, instruction)
    dst = read_destination(instruction, layouts[0], indices[0], dst_base)
    src = read_source(instruction, layouts[1], indices[1], src_base)
    violations = [violation for rule in _TENSOR_RULES for violation in rule(dst)]
    violations += judge_source(src, canonical)
    if violations:
        return tuple(sorted(violations, key=lambda violation: int(violation.rule[1:])))
    walk = Walk(src, canonical)
    steps = _steps(dst, src, canonical)
    return CopyPlan(instruction, canonical, steps, walk.is_placed, (*_assumptions(dst, walk),))


def _assumptions(dst: Destination, walk: Walk) -> Iterator[Assumption]:
    yield from assumed_base(dst)
    yield from assumed_alignment(walk.source, walk.descriptor)
    yield from assumed_bounds(walk)


def _steps(dst: Destination, src: Source, descriptor: SmemDescriptor) -> tuple[Step, ...]:
    lane = dst.start[0] - dst.base.lane
    column = dst.start[1] - dst.base.column
    starts = src.starts(descriptor.swizzle) - src.base.offset
    rows = zip(dst.repeats[0].tolist(), dst.repeats[1].tolist(), starts.tolist(), strict=True)
    return tuple(
        Step(repeat_index(dst.repeat_shape, number), lane + lanes, column + columns, start)
        for number, (lanes, columns, start) in enumerate(rows)
    )
