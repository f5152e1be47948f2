"""Which values may be registers of a tcgen05.ld that nobody has waited for yet."""

from __future__ import annotations

from tcgen05_mlir.simulator.translate.aggregate_rules import RENAMES
from tcgen05_mlir.simulator.translate.flow import Node


def find(nodes: list[Node]) -> set[str]:
    """The names of results of tcgen05.ld, and of all that they may be passed on as."""
    late: set[str] = set()
    before = -1
    while len(late) != before:
        before = len(late)
        for node in nodes:
            late |= _of_node(node, late)
    return late


def _of_node(node: Node, late: set[str]) -> set[str]:
    names, found = node.frame.names, {to for e in node.edges for to, v in e.moves if v in late}
    for op in node.operations:
        passed_on = op.name in RENAMES and any(names[o] in late | found for o in op.operands)
        if op.name == "nvvm.tcgen05.ld" or passed_on:
            found |= {names[result] for result in op.results}
    return found
