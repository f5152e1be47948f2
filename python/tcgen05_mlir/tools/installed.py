"""Files that the build installs into the package."""

from __future__ import annotations

from pathlib import Path

import tcgen05_mlir


def installed_path(name: str) -> Path:
    """The built file `name` of the package, `lib/Tcgen05Plugin.so` say.

    An editable install keeps built files apart from the sources: every folder of the package is
    looked in. Raises FileNotFoundError, naming them, where the file is in none.
    """
    folders = [Path(folder) for folder in tcgen05_mlir.__path__]
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    searched = ", ".join(map(str, folders))
    raise FileNotFoundError(f"'{name}' is not installed; looked in {searched}")
