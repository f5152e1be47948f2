"""Input from stdin, and output files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import sys

from tcgen05_mlir.runtime.files import is_replaceable, replace_files, write_through
from tcgen05_mlir.tools.errors import UsageError

STDIN = STDOUT = "-"


def read_stdin() -> bytes:
    """All of stdin; OSError where it is closed."""
    if sys.stdin is None:
        raise _closed("<stdin>")
    return sys.stdin.buffer.read()


def check_output(output: str, source: str, *, binary: bool) -> None:
    """Raises UsageError where the result would replace the input or be raw bytes on a terminal.

    Raises OSError where it would go to a stdout that is closed.
    """
    if output == STDOUT:
        if sys.stdout is None:
            raise _closed("<stdout>")
        if binary and sys.stdout.isatty():
            raise UsageError("a cubin is not written to a terminal: give -o FILE")
    elif source != STDIN and os.path.exists(output) and os.path.samefile(output, source):
        raise UsageError(f"'{output}' is the input: it would be overwritten")


def is_regular(output: str) -> bool:
    """Whether the output is an ordinary file, there already or not: no stdout, device or pipe.

    /dev/stdout is none either, whatever it is redirected to.
    """
    return output != STDOUT and is_replaceable(output)


def write_output(output: str, content: str | bytes) -> None:
    """Write `content` to the file, or to stdout for `-`; OSError with that name where that fails.

    A regular file is replaced in one step by a finished one in the same folder, so that a reader
    sees the old content or the new; a device or a pipe is written to.
    """
    data = content if isinstance(content, bytes) else content.encode()
    try:
        _write(output, data)
    except OSError as error:
        name = "<stdout>" if output == STDOUT else output
        raise OSError(error.errno, error.strerror, name) from None


def _write(output: str, data: bytes) -> None:
    if output == STDOUT:
        if sys.stdout is None:
            raise _closed("<stdout>")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    elif not is_regular(output):
        if sys.stdout is not None:
            sys.stdout.flush()
        write_through(output, data)
    else:
        replace_files({output: data})


def _closed(name: str) -> OSError:
    """Python has no stream where a process starts without one."""
    return OSError(errno.EBADF, "is closed", name)
