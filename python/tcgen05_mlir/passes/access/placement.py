"""Proof that an access takes whole words of one 16-byte unit, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import ViewOp
from tcgen05_mlir.model.limits import DESCRIPTOR_UNIT, WORD_BYTES
from tcgen05_mlir.passes.access.layouts import AccessLayout, position_in, run_words
from tcgen05_mlir.passes.access.operations import Access
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.places import Place
from tcgen05_mlir.passes.facts.shared import SharedMemory
from tcgen05_mlir.passes.facts.statements import stated
from tcgen05_mlir.passes.facts.sums import Sum, low_bit
from tcgen05_mlir.passes.facts.symbols import Symbols

_SINGLE = "or access single words"
_VISIBLE = (
    f"let the last index be a constant, or a product with one that shows its factor, {_SINGLE}"
)


class Placement:
    """What is known of addresses, each looked at once.

    It holds values, so it lives no longer than the pass that made it, and the IR that it has
    seen must stay as it is.
    """

    def __init__(self) -> None:
        self._integers = Integers()
        self._shared = SharedMemory(self._integers, Symbols())

    def alignment(self, access: Access, layout: AccessLayout, view: ViewOp) -> int:
        """Bytes that the access's address is known to be a multiple of, at most its size.

        The swizzle moves whole 16-byte units, so what holds modulo 16 before it holds after.
        Raises PassFailure with all that is wrong [L5], or for a stated alignment that the IR
        contradicts [F9].
        """
        indices = [self._integers.sum_of(index) for index in access.indices]
        failures = [
            *_range_errors(access, layout, indices),
            *_run_errors(access, layout, indices),
        ]
        if failures:
            raise PassFailure(*failures)
        base = self._base_of(view)
        rest, granule = base.moved(layout.distance(indices, access.op.operation)).residue()
        rest, granule = rest % DESCRIPTOR_UNIT, min(granule, DESCRIPTOR_UNIT)
        if not _is_inside_unit(rest % granule, granule, access.words):
            raise PassFailure(_unit_error(access, rest % granule, granule, base, indices[-1:]))
        known = low_bit(rest % granule) or granule
        return min(known, 1 << (WORD_BYTES * access.words - 1).bit_length())

    def _base_of(self, view: ViewOp) -> Place:
        place = self._shared.place_of(view.address)
        if view.alignment is None:
            return place
        alignment = ir.IntegerAttr(view.operation.attributes["alignment"]).value
        return stated(place, alignment, view.operation)


def _is_inside_unit(rest: int, granule: int, words: int) -> bool:
    """For every address that is ``rest`` more than a multiple of ``granule``."""
    last = DESCRIPTOR_UNIT - granule + rest
    aligned = rest % WORD_BYTES == 0 and granule >= WORD_BYTES
    return aligned and last + WORD_BYTES * words <= DESCRIPTOR_UNIT


def _range_errors(
    access: Access, layout: AccessLayout, indices: Sequence[Sum]
) -> Iterator[Diagnostic]:
    """Indices that are known, against the extents; the last has the vector behind it."""
    kind = ir.MemRefType(access.memory.type)
    for number, index in enumerate(indices):
        words = access.words if number == len(indices) - 1 else 1
        extent = None if kind.is_dynamic_dim(number) else kind.shape[number]
        if extent is not None and words > extent:
            yield op_error(
                access.op,
                f"must access no more than the {extent} words of dimension {number}, got "
                f"{access.kind} [L5]",
                "only along the last dimension do words follow one another",
            )
        elif index.known is not None and not _is_in_range(index.known, words, extent):
            bound = "at least 0" if extent is None else f"in 0..{extent - words}"
            yield op_error(
                access.op,
                f"index {number} must be {bound}, got {index.known} [L5]",
                f"the view has the type {kind}",
            )


def _is_in_range(index: int, words: int, extent: int | None) -> bool:
    return index >= 0 and (extent is None or index + words <= extent)


def _run_errors(
    access: Access, layout: AccessLayout, indices: Sequence[Sum]
) -> Iterator[Diagnostic]:
    """Words that the layout does not keep in order."""
    if access.words == 1 or not indices:
        return
    number = len(indices) - 1
    run = run_words(layout.dimensions[number])
    if run is None:
        return
    rest, granule = position_in(run, indices[number])
    if run - granule + rest + access.words <= run:
        return
    message = f"must access words that lie together, got {access.words} along dimension {number}"
    if access.words > run:
        remedy = f"access {f'at most {run}' if run > 1 else 'single'} words at a time"
        yield op_error(access.op, f"{message}, where {run} do [L5]", remedy)
        return
    known = indices[number].known is not None
    yield op_error(
        access.op,
        f"{message} in runs of {run}, from an index {_multiple(rest, granule)} [L5]",
        f"start at a multiple of {run}, {_SINGLE}" if known else _VISIBLE,
    )


def _unit_error(
    access: Access, rest: int, granule: int, base: Place, last: Sequence[Sum]
) -> Diagnostic:
    size = WORD_BYTES * access.words
    wanted = (
        f"must access an address that is known to be a multiple of {WORD_BYTES}"
        if access.words == 1
        else f"must access {size} bytes that are known to lie in one {DESCRIPTOR_UNIT}-byte unit"
    )
    source = base.root
    visible = granule == DESCRIPTOR_UNIT or all(not index.terms for index in last)
    return op_error(
        access.op,
        f"{wanted}, got an address {_multiple(rest, granule)} [L5]",
        Note(source.location, f"it is counted from here, {source.source}"),
        _remedy(access, base, visible),
    )


def _remedy(access: Access, base: Place, visible: bool) -> str:
    if base.residue()[1] < (WORD_BYTES if access.words == 1 else DESCRIPTOR_UNIT):
        return f"state what the address has, such as alignment({DESCRIPTOR_UNIT}), on the view"
    if access.words == 1:
        return "let the buffer start at a whole word"
    if visible:
        return "access fewer words at a time: buffer and layout lead there"
    return _VISIBLE


def _multiple(rest: int, granule: int) -> str:
    """``that is known to be 2 more than a multiple of 4``."""
    if granule == 1:
        return "of which no factor is known"
    return f"that is known to be {f'{rest} more than ' if rest else ''}a multiple of {granule}"
