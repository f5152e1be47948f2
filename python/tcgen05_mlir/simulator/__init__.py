"""Runs kernels with tensor-memory instructions on the CPU, and refuses what hardware punishes.

A kernel is lowered as for PTX, translated once to Python code over numpy lanes, and run for every
warp of the grid on a model of the hardware (`machine`). Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

from tcgen05_mlir.simulator.launch import run
from tcgen05_mlir.simulator.machine import RULES, SimulationError

__all__ = ["RULES", "SimulationError", "run"]
