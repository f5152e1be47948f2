"""What `import tcgen05_mlir` loads."""

from __future__ import annotations

from building import Python


def test_launching_waits_until_it_is_wanted(python: Python) -> None:
    done = python(
        """
import sys
import tcgen05_mlir
print("tcgen05_mlir.launching" in sys.modules)
print(tcgen05_mlir.run.__module__, "tcgen05_mlir.launching" in sys.modules)
from tcgen05_mlir import run
print(run is tcgen05_mlir.run)
try:
    tcgen05_mlir.walk
except AttributeError as error:
    print(error)
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "False",
        "tcgen05_mlir.launching.launch True",
        "True",
        "module 'tcgen05_mlir' has no attribute 'walk'",
    ]
