"""The hardware as state machines: memories, tensor memory, copies, barriers, and what it punishes.

Knows no MLIR. A `Cluster` holds `Block`s, a block holds `Warp`s; the engine calls methods of a warp
with the active lanes as a bool (32,) mask and addresses as integer arrays (32,), and gets arrays
back. Operations that may block return a `Wait`. Every mistake that hardware would punish raises
`SimulationError` with the id of its rule. Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

from .cluster import Block, Cluster, ClusterShape
from .errors import Checks, Place, SimulationError, Site
from .host_memory import GlobalMemory, HostBuffer
from .registers import Registers
from .rules import RULES
from .shared_buffers import SharedBuffer, SharedLayout
from .spaces import Space, from_generic, to_generic
from .waits import Nap, Ready, Wait
from .warp import Warp

__all__ = [
    "RULES",
    "Block",
    "Checks",
    "Cluster",
    "ClusterShape",
    "GlobalMemory",
    "HostBuffer",
    "Nap",
    "Place",
    "Ready",
    "Registers",
    "SharedBuffer",
    "SharedLayout",
    "SimulationError",
    "Site",
    "Space",
    "Wait",
    "Warp",
    "from_generic",
    "to_generic",
]
