"""Runs a kernel where there is a device for it: on a GPU with tcgen05, on another, on the CPU.

The same call and the same arrays on each. Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

from tcgen05_mlir.launching.choose import DEVICES, Choice, choose
from tcgen05_mlir.launching.launch import choose_for, run

__all__ = ["DEVICES", "Choice", "choose", "choose_for", "run"]
