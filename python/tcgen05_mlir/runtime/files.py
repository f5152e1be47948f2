"""Files that appear whole or not at all, and those that stay behind a failure."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress


def keep(data: bytes, suffix: str) -> str:
    """The path of a new file with `data`, outside any temporary folder, that nobody deletes."""
    handle, path = tempfile.mkstemp(prefix="tcgen05-", suffix=suffix)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return path


def replace_files(contents: dict[str, bytes]) -> None:
    """Write files so that a reader sees the old ones or the new; where one fails, none changes.

    Each is written beside its place and moved there once all are. Raises OSError with the path as
    it was given.
    """
    with ExitStack() as rubbish, ExitStack() as undo:
        written = {path: _beside(path, data, rubbish) for path, data in contents.items()}
        for path, new in written.items():
            with _named(path):
                target = os.path.realpath(path)
                old = _kept(target, rubbish) if len(contents) > 1 else None
                os.replace(new, target)
                undo.callback(_put_back, target, old)
        undo.pop_all()


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
