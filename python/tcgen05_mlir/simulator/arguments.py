"""The caller's arguments, checked against the kernel's signature and put into its memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.simulator.machine import GlobalMemory, HostBuffer
from tcgen05_mlir.simulator.signature import Signature
from tcgen05_mlir.simulator.translate.types import Float, Int, Pointer, parse_type

_MEMREF = re.compile(r"memref<((?:\d+x)*)([a-z]\w*)(?:,.*)?>$")
_INTEGERS = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8}
_FLOATS = {"f16": "f2", "f32": "f4", "f64": "f8"}


@dataclass(frozen=True)
class Arguments:
    """`values`: what the kernel gets, as the translated code holds it."""

    given: tuple[Any, ...]
    values: tuple[Any, ...]
    buffers: tuple[HostBuffer | None, ...]

    def results(self) -> tuple[Any, ...]:
        """One per argument: an array as the kernel left it; a number as it was given."""
        return tuple(
            given if buffer is None else _array(buffer, given)
            for given, buffer in zip(self.given, self.buffers, strict=True)
        )


def _array(buffer: HostBuffer, given: NDArray) -> NDArray:
    return buffer.data.view(given.dtype)[: given.size].reshape(given.shape).copy()


def bind(signature: Signature, given: Sequence[Any], memory: GlobalMemory) -> Arguments:
    """Maps copies of the arrays, once where one array is given twice.

    Raises TypeError and ValueError for arguments that are not those of the signature.
    """
    if len(given) != len(signature.types):
        raise ValueError(
            f"kernel '{signature.name}' takes {len(signature.types)} arguments "
            f"({', '.join(signature.types)}), got {len(given)}"
        )
    mapped: dict[int, HostBuffer] = {}
    values, buffers = [], []
    for place, (argument, type_) in enumerate(zip(given, signature.types, strict=True)):
        what = f"argument {place} of kernel '{signature.name}'"
        if type_.startswith(("memref<", "!llvm.ptr")):
            _check_array(what, type_, argument)
            if id(argument) not in mapped:
                mapped[id(argument)] = memory.add(f"argument {place}", argument)
            buffer: HostBuffer | None = mapped[id(argument)]
            assert buffer is not None
            values.append(np.uint64(buffer.address))
        else:
            buffer = None
            values.append(_number(what, type_, argument))
        buffers.append(buffer)
    return Arguments(tuple(given), tuple(values), tuple(buffers))


def _check_array(what: str, type_: str, value: Any) -> None:
    if not isinstance(value, np.ndarray):
        raise TypeError(
            f"{what} must be an array for {type_}, got {type(value).__name__} {value!r}"
        )
    if value.dtype.hasobject:
        raise TypeError(f"{what} must be an array of numbers, got {value.dtype}")
    match = _MEMREF.match(type_)
    if match is None:
        return
    shape = tuple(map(int, match[1].split("x")[:-1]))
    if value.shape != shape or not _fits(value.dtype, match[2]):
        raise ValueError(
            f"{what} must be {match[1]}{match[2]}, got an array of shape "
            f"{'x'.join(map(str, value.shape)) or '()'} and type {value.dtype}"
        )


def _fits(dtype: np.dtype, element: str) -> bool:
    """Whether a numpy type holds a memref's elements: integers of either sign; bf16's bits too."""
    if element in _FLOATS:
        return dtype == np.dtype(_FLOATS[element])
    if element == "bf16":
        return dtype.name == "bfloat16" or dtype == np.dtype("u2")
    size = _INTEGERS.get(element)
    return size is None or (dtype.kind in "iub" and dtype.itemsize == size)


def _number(what: str, text: str, value: Any) -> Any:
    type_ = Int(64) if text == "index" else parse_type(text)
    if isinstance(type_, Int):
        return _integer(what, type_, text, value)
    if isinstance(type_, Float):
        return _float(what, type_, value)
    assert not isinstance(type_, Pointer)
    raise NotImplementedError(
        f"{what} has type {text}: numbers, pointers and memrefs are simulated"
    )


def _integer(what: str, type_: Int, text: str, value: Any) -> Any:
    if isinstance(value, np.integer | np.bool_):
        width = 1 if isinstance(value, np.bool_) else 8 * value.itemsize
        if width != type_.width:
            raise TypeError(f"{what} must be {text}, got {value.dtype} {value}")
    elif not isinstance(value, int):
        raise TypeError(f"{what} must be {text}, got {type(value).__name__} {value!r}")
    number, width = int(value), type_.width
    if not -(1 << width - 1) <= number < 1 << width:
        raise ValueError(f"{what} must fit in {text}, got {number}")
    return type_.dtype.type(number & (1 << width) - 1)


def _float(what: str, type_: Float, value: Any) -> Any:
    exact = isinstance(value, np.floating) and value.dtype == type_.dtype
    if not (exact or type(value) in (int, float)):
        raise TypeError(f"{what} must be {type_.name}, got {type(value).__name__} {value!r}")
    if type_.name == "bf16":
        from tcgen05_mlir.simulator.lanes.floats import to_bf16

        return to_bf16(np.float64(value))
    return type_.dtype.type(value)
