"""The one function that skips: where a test needs a GPU that is not there."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import cache
from typing import NoReturn

import pytest
from run_rules import NO_GPU
from tcgen05_mlir import runtime

_ASK = """import pickle, sys
from tcgen05_mlir import runtime
sys.stdout.buffer.write(pickle.dumps((runtime.devices(), runtime.why_no_device())))
"""


@cache
def gpus() -> tuple[tuple[runtime.Device, ...], str]:
    """The GPUs, and why there is none. A child asks the driver.

    So the process that starts all other children never holds the driver: on a virtual machine
    with an H200 one start in several hundred failed (EFAULT) from a process that did.
    """
    done = subprocess.run([sys.executable, "-c", _ASK], stdout=subprocess.PIPE, check=True)
    return pickle.loads(done.stdout)


def need_gpu(config: pytest.Config) -> runtime.Device:
    """The first GPU; the test is skipped, with --require-gpu fails, where there is none."""
    there, why = gpus()
    if there:
        return there[0]
    missing(f"{NO_GPU}{why}", config)


def need_tcgen05(config: pytest.Config) -> runtime.Device:
    """The first GPU if it has tcgen05."""
    device = need_gpu(config)
    if device.has_tcgen05:
        return device
    missing(f"needs a GPU with tcgen05; found {device}", config)


def missing(message: str, config: pytest.Config) -> NoReturn:
    if config.getoption("--require-gpu"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
