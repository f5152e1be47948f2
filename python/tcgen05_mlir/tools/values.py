"""The arrays and numbers that `--arg` names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tcgen05_mlir.tools.errors import UsageError

_MADE = re.compile(r"(new|range):((?:\d+x)*)(\w+)", re.ASCII)
_NUMBER = re.compile(r"(i1|i8|i16|i32|i64|index|f16|bf16|f32|f64):(.+)")


def is_number(text: str) -> bool:
    """Plain digits: `²` and `٣` are digits to Python."""
    return text.isascii() and text.isdecimal()


def read_value(text: str) -> Any:
    """The array or the number that a `--arg` names."""
    import numpy as np

    if match := _MADE.fullmatch(text):
        shape = tuple(int(extent) for extent in match[2].split("x")[:-1])
        made = np.zeros(shape, _dtype(match[3]))
        return made if match[1] == "new" else _counted(made)
    if match := _NUMBER.fullmatch(text):
        return _number(match[1], match[2])
    if text.endswith(".npy"):
        try:
            return np.load(text, allow_pickle=False)
        except ValueError as error:
            raise ValueError(f"'{text}' is not an array file: {error}") from None
    raise UsageError(
        "argument --arg: expected FILE.npy, new:SHAPExTYPE, range:SHAPExTYPE or TYPE:NUMBER, "
        f"got '{text}'"
    )


def _counted(array: Any) -> Any:
    """0, 1, 2, ... in row-major order, as far as the type holds them: i8 wraps around."""
    import numpy as np

    return np.arange(array.size).astype(array.dtype).reshape(array.shape)


def _dtype(name: str) -> str:
    known = {"i1": "bool", "bf16": "uint16", "index": "int64"}
    known |= {f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}
    known |= {f"f{bits}": f"float{bits}" for bits in (16, 32, 64)}
    if name not in known:
        raise UsageError(f"argument --arg: type '{name}' is none of {', '.join(known)}")
    return known[name]


def _number(kind: str, text: str) -> Any:
    import numpy as np

    try:
        if kind.startswith("i"):
            number = int(text, 0)
            return number if kind in ("i1", "index") else _sized(kind, number)
        return float(text) if kind == "bf16" else np.dtype(_dtype(kind)).type(float(text))
    except (ValueError, OverflowError):
        raise UsageError(f"argument --arg: '{text}' is no {kind}") from None


def _sized(kind: str, number: int) -> Any:
    """As a numpy integer, signed where it is negative, so that its width is checked."""
    import numpy as np

    dtype = np.dtype(_dtype(kind) if number < 0 else "u" + _dtype(kind))
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise ValueError
    return dtype.type(number)


def check_values(kernel: str, types: Sequence[str], values: Sequence[Any]) -> None:
    """ValueError where the values are none that a kernel with arguments of these types takes.

    The same as a launch says as TypeError or NotImplementedError, which from elsewhere are faults
    of this program.
    """
    from tcgen05_mlir.runtime.arguments import checked

    try:
        for _ in checked(kernel, types, values):
            pass
    except (TypeError, NotImplementedError) as error:
        raise ValueError(str(error)) from None
