"""The one function that skips: where a test needs a GPU that is not there."""

from __future__ import annotations

from typing import NoReturn

import pytest
from ask_gpus import gpus
from run_rules import NO_GPU
from tcgen05_mlir import runtime


def need_gpu(config: pytest.Config) -> runtime.Device:
    """The first GPU; the test is skipped, with --require-gpu fails, where there is none."""
    there, why = gpus()
    if there:
        return there[0]
    missing(f"{NO_GPU}{why}", config)


def missing(message: str, config: pytest.Config) -> NoReturn:
    if config.getoption("--require-gpu"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


__all__ = ["gpus", "missing", "need_gpu"]
