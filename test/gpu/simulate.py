"""The cases of one kernel on the simulator, in a process of its own: several run side by side."""

from __future__ import annotations

from collections.abc import Sequence

from cases import CASES
from cases.compare import difference
from lowered import lowered
from tcgen05_mlir.simulator import run


def simulate(names: Sequence[str], path: str, device: str) -> dict[str, str | None]:
    """By case, all of one kernel: what differs, None for nothing; or how the run ended."""
    return {name: _simulated(name, path, device) for name in names}


def _simulated(name: str, path: str, device: str) -> str | None:
    case, emulate = CASES[name], device == "emulate"
    try:
        module = lowered((case.kernel,), path, "sm_90" if emulate else "sm_100a", emulate)
        given, wanted = case.make()
        return difference(run(module, case.kernel.name, *given, **case.sizes), wanted)
    except Exception as error:  # Not all of MLIR's can be sent to another process.
        return f"{type(error).__name__}: {error}"
