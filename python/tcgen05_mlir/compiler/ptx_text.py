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
_HEADER = re.compile(r"\.(entry|func)\s*(?:\([^)]*\)\s*)?([\w$]+)")
"""A function that returns something has that before its name."""
_NAME = re.compile(r"[\w$]+")
_INDIRECT = "callprototype"


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
    """The shared memory that a kernel names, or a function that it may call.

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
    """The words in the text of a kernel and of all functions that it may call."""
    kernels, functions = _bodies(ptx)
    pending, names = [kernels[kernel]], set(kernels[kernel])
    while pending:
        words = pending.pop()
        # A call of an address: it may be any function's.
        called = functions if _INDIRECT in words else words & functions.keys()
        for name in list(called):
            pending.append(functions.pop(name))
            names |= pending[-1]
    return names


def _bodies(ptx: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The words in the text of each kernel, and of each function that is none; by name."""
    found: dict[str, dict[str, set[str]]] = {"entry": {}, "func": {}}
    starts = [match.start() for match in _FUNCTION.finditer(ptx)]
    for start, end in zip(starts, [*starts[1:], len(ptx)], strict=True):
        header, brace, body = ptx[start:end].partition("{")
        match = _HEADER.search(header)
        # Behind a declaration come variables, which are not its own.
        if match is not None and brace and ";" not in header:
            found[match[1]][match[2]] = set(_NAME.findall(body))
    return found["entry"], found["func"]
