"""The flow of a kernel and of the functions that it calls, as one."""

from __future__ import annotations

from collections.abc import Iterable

from tcgen05_mlir.simulator.translate.flow import Call, Flow, Node


class CallGraph:
    """`Flow` of all functions together: their nodes have numbers of their own.

    A function is shared where two groups of lanes may be in it at once: called in a loop or from
    both sides of a branch, or by a function that is shared.
    """

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.flows: dict[int, Flow] = {}
        self.callees: dict[int, set[int]] = {}
        """Of each function's entry, the entries of all that it calls, and those in turn."""
        self._find(0)
        shared = self._shared()
        self.flows |= {entry: Flow(nodes, entry, shared=True) for entry in shared}
        self.reachable: set[int] = set()
        self.repeats: set[int] = set()
        self.meets: dict[int, int] = {}
        self.order: dict[int, int] = {}
        for flow in self.flows.values():
            self.reachable |= flow.reachable
            self.repeats |= flow.repeats
            self.meets |= flow.meets
            self.order |= flow.order

    def is_backward(self, source: int, target: int) -> bool:
        """A jump against the order of a function's nodes: every cycle has one."""
        return self.order[target] <= self.order[source]

    def _find(self, entry: int) -> None:
        if entry not in self.flows:
            flow = self.flows[entry] = Flow(self.nodes, entry)
            for callee in self._called(flow.reachable):
                self._find(callee)
            self.callees[entry] = self._called_in_turn(flow.reachable)

    def _called(self, places: Iterable[int]) -> set[int]:
        ends = (self.nodes[place].end for place in places)
        return {end.edge.target for end in ends if isinstance(end, Call)}

    def _called_in_turn(self, places: Iterable[int]) -> set[int]:
        called = self._called(places)
        return called.union(*(self.callees[entry] for entry in called))

    def _shared(self) -> set[int]:
        shared: set[int] = set()
        for flow in self.flows.values():
            shared |= self._called_in_turn(flow.repeats)
            for one, other in flow.sides:
                shared |= self._called_in_turn(one) & self._called_in_turn(other)
        return shared.union(*(self.callees[entry] for entry in shared))
