"""The two spellings of an instruction's parts, NVVM's and PTX's, read into one.

PTX's is the canonical one: `shape_32x128b` is read as `32x128b`, `warpx2_02_13` as
`warpx2::02_13`, `cta_2` and `cta_group::2` as 2, `.b8x16.b4x16_p64` as `b4x16_p64`. What these
functions do not recognise they leave as it is: the table judges it (rule C1).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .values import as_int


class NvvmSpelling(NamedTuple):
    """The enum cases of `#nvvm.*`: `shape_64x128b`, `warpx2_02_13`, `cta_1`, None."""

    shape: str
    multicast: str
    cta_group: str
    src_format: str | None


def read_shape(value: Any) -> str:
    """`shape_32x128b`, `.32x128b` and `32x128b` are all `32x128b`."""
    return _text(value, "shape").removeprefix("shape_")


def read_multicast(value: Any) -> str | None:
    """`warpx2_02_13` is `warpx2::02_13`; None and `none` are None."""
    if value is None:
        return None
    text = _text(value, "multicast")
    return None if text == "none" else re.sub(r"^warpx2_(?=\d)", "warpx2::", text)


def read_src_format(value: Any) -> str | None:
    """`.b8x16.b4x16_p64` is `b4x16_p64`; None and `none` are None."""
    if value is None:
        return None
    text = _text(value, "src_format").removeprefix("b8x16.")
    return None if text == "none" else text


def read_cta_group(value: Any) -> int:
    """1, `cta_1` and `cta_group::1` are 1. Raises ValueError for a group other than 1 and 2."""
    group = value
    if isinstance(value, str):
        match = re.fullmatch(r"(?:\.?cta_group::|cta_)?([0-9])", value.strip())
        group = int(match[1]) if match else 0
    if as_int(group, "cta_group") not in (1, 2):
        raise ValueError(f"'cta_group' must be 1 or 2, got {value!r} [C1]")
    return as_int(group, "cta_group")


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"'{name}' must be a string, got {type(value).__name__} {value!r}")
    return value.strip().removeprefix(".")
