"""Files that appear whole or not at all, and those that stay behind a failure."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress


def keep(data: bytes, suffix: str) -> str:
    """The path of a new file with `data`, outside any temporary folder, that nobody deletes."""
    handle, path = tempfile.mkstemp(prefix="tcgen05-", suffix=suffix)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return path


_DESCRIPTOR = re.compile(r"/(?:proc/[^/]+(?:/task/[^/]+)?/fd|dev/fd)/([0-9]+)")
_LINKS = 40
"""Links on the way to a file that the system follows at most."""


def descriptor(path: str) -> str | None:
    """The path, below /proc or /dev/fd, of the open file that a path leads to.

    None for all other paths. `descriptor("/dev/stdout")` is /proc/self/fd/1, with the number of the
    process. Whatever that is, it is no name of a file: behind it may be a file that others write.
    """
    for _ in range(_LINKS):
        folder, name = os.path.split(os.path.abspath(path))
        path = os.path.join(os.path.realpath(folder), name)
        if _DESCRIPTOR.fullmatch(path):
            return path
        if not os.path.islink(path):
            return None
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    return None


def is_replaceable(path: str) -> bool:
    """Whether a path names an ordinary file, there already or not: no device, pipe or folder."""
    return descriptor(path) is None and (os.path.isfile(path) or not os.path.exists(path))


def write_through(path: str, data: bytes) -> None:
    """Write to what is no ordinary file, as it is: a device, a pipe, an open file. OSError."""
    found = descriptor(path)
    folder, _, number = (found or "").rpartition("/")
    own = folder in (f"/proc/{os.getpid()}/fd", "/dev/fd")
    # An open file of this process goes on where it is: opened by its name, it would start anew.
    with open(os.dup(int(number)) if own else path, "wb") as file:
        file.write(data)


def replace_files(contents: dict[str, bytes]) -> None:
    """Write files so that a reader sees the old ones or the new; where one fails, none changes.

    Each is written beside its place and moved there once all are. Raises OSError with the path as
    it was given; FileExistsError where that is a device, a pipe or an open file.
    """
    for path in contents:
        _check_ordinary(path)
    with ExitStack() as rubbish, ExitStack() as undo:
        written = {path: _beside(path, data, rubbish) for path, data in contents.items()}
        for path, new in written.items():
            with _named(path):
                target = os.path.realpath(path)
                old = _kept(target, rubbish) if len(contents) > 1 else None
                os.replace(new, target)
                undo.callback(_put_back, target, old)
        undo.pop_all()


def _check_ordinary(path: str) -> None:
    if is_replaceable(path):
        return
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise FileExistsError(errno.EEXIST, "is no ordinary file: it is not replaced", path)


def _beside(path: str, data: bytes, rubbish: ExitStack) -> str:
    """The path of a new file in the same folder, that goes with `rubbish` if it is still there."""
    # Not tempfile: a file made there is the user's alone, whatever the umask says.
    new = f"{os.path.realpath(path)}.{os.getpid()}.tmp"
    with _named(path), open(new, "xb") as file:
        rubbish.callback(_forget, new)
        file.write(data)
    return new


def _kept(target: str, rubbish: ExitStack) -> str | None:
    """A second name for a file that is about to be replaced; None where there is none."""
    if not os.path.isfile(target):
        return None
    old = f"{target}.{os.getpid()}.old"
    os.link(target, old)
    rubbish.callback(_forget, old)
    return old


def _put_back(target: str, old: str | None) -> None:
    if old is None:
        _forget(target)
    else:
        os.replace(old, target)


def _forget(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


@contextmanager
def _named(path: str) -> Iterator[None]:
    """An OSError is about the path that the caller gave."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
