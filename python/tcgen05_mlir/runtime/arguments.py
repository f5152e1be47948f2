"""A caller's arguments against the types of a kernel: which values fit, and as what bits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tcgen05_mlir.model.bfloat import to_bf16

_MEMREF = re.compile(r"memref<((?:[0-9]+x)*)([a-z]\w*)(?:,.*)?>$")
_INTEGERS = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8}
_FLOATS = {"f16": "f2", "f32": "f4", "f64": "f8"}
_BITS = 64
_BF16_INFINITY = 0x7F80


def checked(
    kernel: str, types: Sequence[str], given: Sequence[Any]
) -> Iterator[tuple[Any, np.generic | None]]:
    """Each argument, with its bits where it is a number and None where it is an array.

    `types`: of the kernel's arguments, as MLIR writes them: an array belongs to a memref, of that
    shape and type, or to a pointer. A number comes as an unsigned numpy integer of the type's
    width (i1 as a bool), as a numpy float, or, for bf16, as its bits in a uint16.

    Raises ValueError and TypeError for arguments that are not those of the kernel,
    NotImplementedError for a type that is neither.
    """
    if len(given) != len(types):
        raise ValueError(
            f"kernel '{kernel}' takes {len(types)} arguments ({', '.join(types)}), got {len(given)}"
        )
    for place, (argument, type_) in enumerate(zip(given, types, strict=True)):
        what = f"argument {place} of kernel '{kernel}'"
        if type_.startswith(("memref<", "!llvm.ptr")):
            _check_array(what, type_, argument)
            yield argument, None
        else:
            yield argument, _number(what, type_, argument)


def _check_array(what: str, type_: str, value: Any) -> None:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{what} must be an array for {type_}, got {_shown(value)}")
    if value.dtype.hasobject:
        raise TypeError(f"{what} must be an array of numbers, got {value.dtype}")
    if value.dtype.newbyteorder("<") != value.dtype:
        raise TypeError(f"{what} must be little-endian, as GPUs are, got {value.dtype}")
    match = _MEMREF.match(type_)
    if match is None:
        return
    shape = tuple(map(int, match[1].split("x")[:-1]))
    if value.shape != shape or not _fits(value.dtype, match[2]):
        raise ValueError(
            f"{what} must be {match[1]}{match[2]}, got an array of shape "
            f"{'x'.join(map(str, value.shape)) or '()'} and type {value.dtype}"
        )


def _shown(value: Any) -> str:
    """`float 1.5`; `int64 1` for numpy's own, whatever its version prints."""
    if isinstance(value, np.generic):
        return f"{value.dtype} {value}"
    return f"{type(value).__name__} {value!r}"


def _fits(dtype: np.dtype, element: str) -> bool:
    """Whether a numpy type holds a memref's elements: integers of either sign; bf16's bits too."""
    if element in _FLOATS:
        return dtype == np.dtype(_FLOATS[element])
    if element == "bf16":
        return dtype.name == "bfloat16" or dtype == np.dtype("u2")
    size = _INTEGERS.get(element)
    return size is None or (dtype.kind in "iub" and dtype.itemsize == size)


def _number(what: str, type_: str, value: Any) -> np.generic:
    if type_ in _FLOATS or type_ == "bf16":
        return _float(what, type_, value)
    width = _BITS if type_ == "index" else _width(type_)
    if width is None:
        raise NotImplementedError(
            f"{what} has type {type_}: numbers of up to {_BITS} bits, pointers and memrefs can be "
            "given"
        )
    return _integer(what, width, type_, value)


def _width(type_: str) -> int | None:
    match = re.fullmatch(r"i([0-9]+)", type_)
    return int(match[1]) if match and 1 <= int(match[1]) <= _BITS else None


def _integer(what: str, width: int, type_: str, value: Any) -> np.generic:
    if isinstance(value, np.integer | np.bool_):
        given = 1 if isinstance(value, np.bool_) else 8 * value.itemsize
        if given != width:
            raise TypeError(f"{what} must be {type_}, got {_shown(value)}")
    elif not isinstance(value, int):
        raise TypeError(f"{what} must be {type_}, got {_shown(value)}")
    number = int(value)
    if not -(1 << width - 1) <= number < 1 << width:
        raise ValueError(f"{what} must fit in {type_}, got {_shown_number(number)}")
    size = next(size for size in (1, 2, 4, 8) if width <= 8 * size)
    dtype = np.dtype(bool) if width == 1 else np.dtype(f"u{size}")
    return dtype.type(number & (1 << width) - 1)


def _float(what: str, type_: str, value: Any) -> np.generic:
    found = getattr(value, "dtype", None)
    if type_ == "bf16" and getattr(found, "name", "") == "bfloat16":
        return value.view(np.uint16)
    dtype = np.dtype(_FLOATS.get(type_, "u2"))
    exact = isinstance(value, np.floating) and value.dtype == dtype
    if not (exact or type(value) in (int, float)):
        raise TypeError(f"{what} must be {type_}, got {_shown(value)}")
    if exact:
        return value
    number = _rounded(dtype, value)
    if number is None:
        raise ValueError(f"{what} must fit in {type_}, got {_shown_number(value)}")
    return number


def _rounded(dtype: np.dtype, value: float) -> np.generic | None:
    """The nearest number of a float's type, bf16's as its bits; None beyond the largest."""
    try:
        wide = np.float64(value)
    except OverflowError:
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # The bits of infinity are right.
        number = to_bf16(wide) if dtype == np.uint16 else dtype.type(wide)
    infinite = number & 0x7FFF == _BF16_INFINITY if dtype == np.uint16 else np.isinf(number)
    return None if infinite and np.isfinite(wide) else number


def _shown_number(value: float) -> str:
    """A number in digits, unless there are very many."""
    if isinstance(value, int) and value.bit_length() > 2 * _BITS:
        return f"an integer of {value.bit_length()} bits"
    return str(value)
