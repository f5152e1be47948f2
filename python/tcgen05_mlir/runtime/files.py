"""Files that appear whole or not at all, and those that stay behind a failure."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress


def keep(data: bytes, suffix: str) -> str:
    """The path of a new file with `data`, outside any temporary folder, that nobody deletes."""
    handle, path = tempfile.mkstemp(prefix="tcgen05-", suffix=suffix)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return path


def replace_files(contents: dict[str, bytes]) -> None:
    """Write files so that a reader sees the old ones or the new; where one fails, none changes.

    Each is written beside its place and moved there once all are. Raises OSError.
    """
    # Not tempfile: a file made there is the user's alone, whatever the umask says.
    new = {os.path.realpath(path): data for path, data in contents.items()}
    temporary = {path: f"{path}.{os.getpid()}.tmp" for path in new}
    kept = {path: f"{path}.{os.getpid()}.old" for path in new}
    moved: list[str] = []
    try:
        for path, data in new.items():
            with open(temporary[path], "xb") as file:
                file.write(data)
        for path in new:
            if len(new) > 1 and os.path.exists(path):
                os.link(path, kept[path])
            os.replace(temporary[path], path)
            moved.append(path)
    except BaseException:
        for path in moved:
            _restore(path, kept[path])
        raise
    finally:
        for path in (*temporary.values(), *kept.values()):
            with suppress(OSError):
                os.unlink(path)


def _restore(path: str, kept: str) -> None:
    with suppress(OSError):
        if os.path.exists(kept):
            os.replace(kept, path)
        else:
            os.unlink(path)
