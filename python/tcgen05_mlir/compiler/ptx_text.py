"""What PTX says of its kernels: read from its text, as LLVM writes it."""

from __future__ import annotations

import re
from typing import NamedTuple

_SHARED = re.compile(
    r"^\s*(?P<extern>\.extern )?(?:\.\w+ )*?\.shared \.align (?P<align>\d+) \.[a-z](?P<bits>\d+) "
    r"(?P<name>[\w$]+)(?P<count>\[\d*\])?(?: = [^;]*)?;",
    re.MULTILINE,
)
_FUNCTION = re.compile(r"^(?:\.\w+ )*\.(entry|func)\b", re.MULTILINE)
_NAME = re.compile(r"[\w$]+")


class SharedMemory(NamedTuple):
    """`static`: bytes that a kernel's variables take in the order in which they are declared.

    `dynamic_alignment`: bytes to which its dynamic shared memory is aligned; None without any.
    """

    static: int
    dynamic_alignment: int | None


def version(ptx: str) -> tuple[int, int]:
    """`version(".version 8.6")` is (8, 6)."""
    match = re.search(r"^\s*\.version (\d+)\.(\d+)", ptx, re.MULTILINE)
    assert match is not None, "LLVM writes a version"
    return int(match[1]), int(match[2])


def shared_memory(ptx: str, kernel: str) -> SharedMemory:
    """The shared memory that a kernel names, or a function that may be called.

    A kernel with `.shared .align 16 .b8 tile[2048];` and `.shared .align 4 .u32 slot;` has 2052
    static bytes.
    """
    names = _names(ptx, kernel)
    static, alignment = 0, None
    for found in _SHARED.finditer(ptx):
        align = int(found["align"])
        if found["name"] not in names:
            continue
        if found["extern"]:
            alignment = max(align, alignment or 0)
        else:
            count = int(found["count"][1:-1]) if found["count"] else 1
            static = -(-static // align) * align + count * int(found["bits"]) // 8
    return SharedMemory(static, alignment)


def _names(ptx: str, kernel: str) -> set[str]:
    """The words in a kernel's text, and in that of all functions that are not kernels."""
    starts = [found.start() for found in _FUNCTION.finditer(ptx)]
    names: set[str] = set()
    for start, end in zip(starts, [*starts[1:], len(ptx)], strict=True):
        text = ptx[start:end]
        own = re.search(r"\.(entry|func)\b[^\n]*?([\w$]+)\(", text)
        if own is None or own[1] == "func" or own[2] == kernel:
            names |= set(_NAME.findall(text))
    return names
