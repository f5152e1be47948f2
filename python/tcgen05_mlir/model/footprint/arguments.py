"""What `prove` and `infer_descriptor` are called with, judged before anything is enumerated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..descriptor import SmemDescriptor
from ..instruction import Instruction
from ..smem_layout import SmemLayout
from ..tmem_layout import TmemLayout
from ..values import as_int
from .operands import Indices
from .violation import FootprintError, Violation, format_index

Shape = tuple[int | None, ...]
"""A memref's extents; None is `?`."""


def check_kinds(**arguments: tuple[Any, type]) -> None:
    """Raises TypeError for the first argument that is not of its class."""
    for name, (value, kind) in arguments.items():
        if not isinstance(value, kind):
            article = "an" if kind.__name__[0] in "AEIOU" else "a"
            found = type(value).__name__
            raise TypeError(f"'{name}' must be {article} {kind.__name__}, got {found}")


def read_indices(indices: Sequence[int | None], name: str) -> Indices:
    """Leading indices as a tuple of ints and None; TypeError for anything else."""
    return tuple(None if index is None else as_int(index, name) for index in indices)


def check_descriptor(descriptor: SmemDescriptor, instruction: Instruction) -> SmemDescriptor:
    """The descriptor with canonical values in fields that the instruction does not read.

    Raises ValueError where a field that it reads was left out [C5], or for a start address: that
    comes from `src`.
    """
    if descriptor.start:
        raise ValueError(
            f"'descriptor' must have start 0, got {descriptor.start}: the address comes from 'src'"
        )
    return descriptor.canonical(instruction)


def check_images(
    instruction: Instruction,
    dst: TmemLayout,
    src: SmemLayout,
    dst_indices: Indices,
    src_indices: Indices,
) -> None:
    """Raises FootprintError where the operands are no images of one copy [C4]."""
    found: list[Violation] = []
    operands = (("dst", dst.shape, dst_indices), ("src", src.shape, src_indices))
    for name, shape, indices in operands:
        found += _check_rank(name, shape, indices) or [
            *_check_atom(name, shape, instruction),
            *_check_extents(name, shape, indices),
            *_check_indices(name, shape, indices),
        ]
    if not found:
        found = _check_repeats(*(shape[len(at) : -2] for _, shape, at in operands))
    if found:
        raise FootprintError(*found)


def _check_rank(name: str, shape: Shape, indices: Indices) -> list[Violation]:
    if len(shape) >= len(indices) + 2:
        return []
    message = (
        f"'{name}' must keep two dimensions (row, word) behind its indices, "
        f"got {len(shape)} dimensions and {len(indices)} indices [C4]"
    )
    return [Violation("C4", name, message, "leave out an index", len(shape), len(indices) + 2)]


def _check_atom(name: str, shape: Shape, instruction: Instruction) -> list[Violation]:
    wanted = (instruction.rows, instruction.words)
    found = shape[-2:]
    if found == wanted:
        return []
    message = (
        f"'{name}' must end in {wanted[0]}x{wanted[1]} (rows x 32-bit words of "
        f"{instruction.form.name}), got {'x'.join(map(_shown, found))} [C4]"
    )
    remedy = "choose the shape that the tile has, or a layout of the shape's rows and words"
    return [Violation("C4", name, message, remedy, found, wanted)]


def _check_extents(name: str, shape: Shape, indices: Indices) -> list[Violation]:
    """The leading extent alone may be `?`, and an index chooses it."""
    if indices or len(shape) == 2 or shape[0] is not None:
        return []
    message = f"'{name}' dimension 0 must be static and positive, got ? [C4]"
    return [Violation("C4", name, message, f"choose it with an index: {name}[%i]")]


def _check_indices(name: str, shape: Shape, indices: Indices) -> list[Violation]:
    found: list[Violation] = []
    for dim, (index, extent) in enumerate(zip(indices, shape, strict=False)):
        if index is None or (index >= 0 and (extent is None or index < extent)):
            continue
        bound = "" if extent is None else f" and below {extent}"
        message = f"'{name}' index {dim} must be at least 0{bound}, got {index} [C4]"
        found.append(Violation("C4", name, message, "choose an element that there is", index))
    return found


def _check_repeats(dst: Shape, src: Shape) -> list[Violation]:
    if dst == src:
        return []
    message = (
        f"'dst' and 'src' must repeat alike, got {format_index(dst)} and {format_index(src)} [C4]"
    )
    return [Violation("C4", "src", message, "give both the same repeat dimensions", src, dst)]


def _shown(extent: int | None) -> str:
    return "?" if extent is None else str(extent)
