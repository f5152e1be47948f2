"""From lowered MLIR to Python code over numpy lanes, once per kernel."""

from __future__ import annotations

from tcgen05_mlir.simulator.translate import (  # noqa: F401  (they register their rules)
    aggregate_rules,
    asm_rules,
    assume_rules,
    barrier_rules,
    call_rules,
    cast_rules,
    float_rules,
    integer_rules,
    mbarrier_rules,
    memory_rules,
    register_rules,
    tcgen05_rules,
)
