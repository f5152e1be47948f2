"""`infer_descriptor`: the descriptor that reads a source layout, by the rules that prove it.

In one swizzle mode the layout leaves no choice: the start is where its word (0, 0) lies, `sdo`
where row 8 does, `ldo` where word 4 does. That one candidate is then judged like any other
descriptor, so that inference and proof cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..descriptor import SmemDescriptor
from ..instruction import Instruction
from ..limits import CORE_MATRIX_ROWS, CORE_MATRIX_WORDS, DESCRIPTOR_UNIT, OFFSET_LIMIT
from ..smem_layout import SmemLayout
from ..swizzle import SWIZZLES, swizzle_address
from ..tmem_layout import TmemLayout
from .arguments import check_images, check_kinds, read_indices
from .facts import SharedBase
from .operands import Indices, Source, near, read_source
from .origin_rules import check_alignment, check_origins
from .shared_bounds import Walk, check_backed, check_inside
from .violation import Violation
from .walk_rules import check_straddle, check_walk, mismatch


@dataclass(frozen=True)
class ModeFailure:
    """Why no descriptor with this swizzle reads a layout: the first thing that is wrong."""

    swizzle: int
    violation: Violation

    def __str__(self) -> str:
        return f"swizzle {self.swizzle}: {self.violation.message}"


class InferenceError(ValueError):
    """No descriptor reads the layout; `failures` says why for each mode, the layout's own first.

    `message` is the headline, with the rule that the layout's own mode breaks.
    """

    def __init__(self, instruction: Instruction, *failures: ModeFailure) -> None:
        super().__init__(instruction, *failures)
        self.instruction = instruction
        self.failures = failures

    @property
    def message(self) -> str:
        own = self.failures[0].violation
        name = self.instruction.form.name
        return f"'descriptor' must be one with which {name} reads 'src', found none [{own.rule}]"

    def __str__(self) -> str:
        return "\n".join([self.message, *(f"  {failure}" for failure in self.failures)])


def infer_descriptor(
    instruction: Instruction,
    dst: TmemLayout,
    src: SmemLayout,
    *,
    dst_indices: Sequence[int | None] = (),
    src_indices: Sequence[int | None] = (),
    src_base: SharedBase | None = None,
) -> SmemDescriptor:
    """The descriptor, start 0, with which `prove` accepts the source; arguments as of `prove`.

    The layout's own swizzle is tried first, then the others, ascending. Fields that the
    instruction does not read get `SmemDescriptor.canonical`'s values. 128x128b over a dense tile
    of 16-byte rows gives `SmemDescriptor(ldo=16, sdo=128)`. Of `dst` only the shape is judged.

    Raises InferenceError that says for each mode the first place where it fails, FootprintError
    where the operands are no images of one copy [C4], TypeError for arguments of the wrong kind.
    Rules F8 to F12; source: PTX `tcgen05-shared-memory-desc`. Not run on Blackwell.
    """
    check_kinds(
        instruction=(instruction, Instruction), dst=(dst, TmemLayout), src=(src, SmemLayout)
    )
    base = SharedBase() if src_base is None else src_base
    check_kinds(src_base=(base, SharedBase))
    indices = read_indices(src_indices, "src_indices")
    check_images(instruction, dst, src, read_indices(dst_indices, "dst_indices"), indices)
    found = _infer(instruction, src, indices, base.anonymous())
    if isinstance(found, SmemDescriptor):
        return found
    if base.alignment_source:
        found = _infer.__wrapped__(instruction, src, indices, base)
    assert isinstance(found, tuple)
    raise InferenceError(instruction, *found)


@lru_cache(maxsize=4096)
def _infer(
    instruction: Instruction, layout: SmemLayout, indices: Indices, base: SharedBase
) -> SmemDescriptor | tuple[ModeFailure, ...]:
    source = read_source(instruction, layout, indices, base)
    failures: list[ModeFailure] = []
    for descriptor in candidates(source):
        violation = next(judge_source(source, descriptor), None)
        if violation is None:
            return descriptor
        failures.append(ModeFailure(descriptor.swizzle, violation))
    return tuple(failures)


def judge_source(source: Source, descriptor: SmemDescriptor) -> Iterator[Violation]:
    """F8 to F12, the most telling first. Where origins are no multiples of 16 [F9] no descriptor
    can hold them, and only F8 and F9 mean anything."""
    yield from check_walk(source, descriptor, lambda: _remedy(source, descriptor))
    yield from check_alignment(source, descriptor)
    unaligned = tuple(check_origins(source))
    yield from unaligned
    if unaligned:
        return
    walk = Walk(source, descriptor)
    yield from check_inside(walk)
    yield from check_backed(walk)
    yield from check_straddle(source, descriptor)


def candidates(source: Source) -> Iterator[SmemDescriptor]:
    """For each mode the one descriptor that could read the layout, its own mode first."""
    own = source.layout.swizzle
    for swizzle in (own, *(other for other in SWIZZLES if other != own)):
        ldo = _distance(source, swizzle, 0, CORE_MATRIX_WORDS)
        sdo = _distance(source, swizzle, CORE_MATRIX_ROWS, 0)
        yield SmemDescriptor(ldo=ldo, sdo=sdo, swizzle=swizzle).canonical(source.instruction)


def _distance(source: Source, swizzle: int, row: int, word: int) -> int:
    """Bytes from word (0, 0) to a word before a descriptor's XOR, or the next that it can say."""
    if row >= source.instruction.rows or word >= source.instruction.words:
        return 0
    linear = source.root + near(source.start) + source.atom[row, word]
    touched = swizzle_address(int(linear), source.layout.swizzle)
    start = source.root + int(source.starts(swizzle)[0])
    wanted = swizzle_address(touched, swizzle) - start
    return min(max(wanted, 0), OFFSET_LIMIT - 1) // DESCRIPTOR_UNIT * DESCRIPTOR_UNIT


def _remedy(source: Source, given: SmemDescriptor) -> str:
    """The fields that the layout has, or a layout that could be read."""
    for fitting in candidates(source):
        if mismatch(source, fitting) is None:
            return f"the layout has {_differences(fitting, given)}"
    name = source.instruction.form.name
    return f"no descriptor reads this layout; {name} reads for example {_example(source)}"


def _differences(fitting: SmemDescriptor, given: SmemDescriptor) -> str:
    names = ("ldo", "sdo", "swizzle")
    other = [name for name in names if getattr(fitting, name) != getattr(given, name)]
    return ", ".join(f"{name} = {getattr(fitting, name)}" for name in other)


def _example(source: Source) -> SmemLayout:
    rows, words = source.instruction.rows, source.instruction.words
    if rows < CORE_MATRIX_ROWS:
        return SmemLayout((rows, words), (words, 1), swizzle=1)
    return SmemLayout.core_matrices(rows, words)
