"""Special registers, and byte permutation."""

from __future__ import annotations

import numpy as np

from tcgen05_mlir.passes.device_code import symbol_name
from tcgen05_mlir.simulator.lanes import integers
from tcgen05_mlir.simulator.machine import Nap
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.emulation_code import emulates
from tcgen05_mlir.simulator.translate.registry import SELDOM_WAITING, Meeting, rule, waiting_rule

_PREFIX = "nvvm.read.ptx.sreg."
_TRIPLES = ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid")
_CLUSTER_TRIPLES = ("cluster.ctaid", "cluster.nctaid")
REGISTERS = (
    *(f"{name}.{axis}" for name in (*_TRIPLES, *_CLUSTER_TRIPLES) for axis in "xyz"),
    *("laneid", "warpid", "nwarpid", "warpsize", "smid", "nsmid", "gridid"),
    *(f"lanemask.{way}" for way in ("eq", "le", "lt", "ge", "gt")),
    *("cluster.ctarank", "cluster.nctarank"),
    *("total.smem.size", "dynamic.smem.size", "aggr.smem.size"),
    *(f"reserved.smem.offset.{which}" for which in ("begin", "end", "cap")),
)
"""Special registers that do not change during a run, as the nvvm dialect names them: a dot for
PTX's underscore, no `%`."""

CLOCKS = ("clock", "clock64", "globaltimer", "globaltimer.lo")


@rule(*(_PREFIX + name for name in REGISTERS))
def special_register(e: Emitter) -> None:
    e.result(register_code(e.op.name.removeprefix(_PREFIX)))


def register_code(name: str) -> str:
    """The code of a register's value."""
    return f"w.registers[{name!r}]"


@rule(*(_PREFIX + name for name in CLOCKS))
def clock(e: Emitter) -> None:
    e.result(f"w.clock({e.dtype(e.result_type)})")


@rule("nvvm.prmt")
def permute(e: Emitter) -> None:
    if e.attribute("mode") != "default":
        raise e.refuse(f"in mode {e.attribute('mode')} is not simulated: default is")
    operands = e.operands()
    high = operands[1] if len(operands) == 3 else e.constant(np.uint32(0))
    e.result(f"{e.function(integers.permute_bytes)}({operands[0]}, {high}, {operands[-1]})")


@rule("nvvm.rcp.approx.ftz.f")
def reciprocal(e: Emitter) -> None:
    e.result(f"{e.constant(np.float32(1))} / {e.operand(0)}")


@rule("llvm.intr.trap", "llvm.intr.ubsantrap")
def trap(e: Emitter) -> None:
    e.line(f"w.trap(m, {e.site()})")


SELDOM_WAITING["nvvm.nanosleep"] = emulates


@waiting_rule("nvvm.nanosleep")
def nap(e: Emitter) -> Meeting:
    """In emulated code: it sleeps in loops that wait for another warp or block."""
    e.alias = symbol_name(e.frame.function)
    return Meeting(f"{e.function(Nap)}(h, {e.site()})", alone=True, blocks=True)


@rule("llvm.intr.debugtrap")
@rule("nvvm.setmaxregister", "nvvm.griddepcontrol", "nvvm.pmevent", "nvvm.prefetch")
@rule("nvvm.nanosleep", "nvvm.breakpoint")
def nothing(e: Emitter) -> None:
    """Of time and resources, which are not simulated."""
