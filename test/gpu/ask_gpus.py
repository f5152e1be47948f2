"""Which GPUs there are, asked by a child. Needs no pytest."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import cache

from tcgen05_mlir import runtime

_ASK = """import pickle, sys
from tcgen05_mlir import runtime
sys.stdout.buffer.write(pickle.dumps((runtime.devices(), runtime.why_no_device())))
"""


@cache
def gpus() -> tuple[tuple[runtime.Device, ...], str]:
    """The GPUs, and why there is none. A child asks the driver.

    So the process that starts all other children never holds the driver, nor a context that one of
    them could break.
    """
    done = subprocess.run([sys.executable, "-c", _ASK], stdout=subprocess.PIPE, check=True)
    return pickle.loads(done.stdout)
