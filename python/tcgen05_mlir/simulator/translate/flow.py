"""Control flow of a kernel as graphs of straight-line nodes, and what divergence needs of it.

There is a graph for the kernel and one for each function that it calls. A node's last step is its
end: a jump, a branch of two ways, a call, a return, or the end of the thread. Switches are chains
of branches. An operation that may have to wait for lanes or for other warps starts a node of its
own, so that it can be tried again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mlir import ir

EXIT = -1
"""The place where all threads meet that have ended, or have left the function."""


@dataclass(eq=False)
class Frame:
    """A function: the names of its values. There is no recursion, so one of each will do."""

    function: ir.Operation
    names: dict[ir.Value, str] = field(default_factory=dict)


@dataclass
class Edge:
    """A way to another node, and what its parameters get: (parameter, value) names."""

    target: int
    moves: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Jump:
    edge: Edge


@dataclass
class Branch:
    """To the first edge in lanes where `condition` holds (where it equals `case`, if given)."""

    condition: ir.Value
    true: Edge
    false: Edge
    case: int | None = None


@dataclass
class Call:
    """To a function's entry; `back` names the variable that tells it where to return to."""

    edge: Edge
    landing: int
    back: str


@dataclass
class Return:
    """To the node whose number is the value of `back`."""

    back: str


@dataclass
class End:
    """The threads end; `trap` at llvm.unreachable and the like, where none may come."""

    trap: bool = False


@dataclass
class Node:
    """Straight-line code: operations, and how it ends. `waits`: the first operation may wait."""

    frame: Frame
    operations: list[ir.Operation] = field(default_factory=list)
    end: Jump | Branch | Call | Return | End = field(default_factory=End)
    source: ir.Operation | None = None
    waits: bool = False

    @property
    def edges(self) -> tuple[Edge, ...]:
        if isinstance(self.end, Jump | Call):
            return (self.end.edge,)
        return (self.end.true, self.end.false) if isinstance(self.end, Branch) else ()

    @property
    def successors(self) -> list[int]:
        """The nodes of the same function that follow: behind a call, what it returns to."""
        if isinstance(self.end, Call):
            return [self.end.landing]
        return [edge.target for edge in self.edges]


class Flow:
    """The shape of one function's graph. Only nodes that can be reached from `entry` count.

    `meets[n]`: where lanes that part at node n meet again, its nearest post-dominator (EXIT where
    that is the function's end); ways to a trap do not count, since nobody comes back from there.
    `repeats`: nodes that may run again, or once per group of lanes, before lanes that have been
    there are done with the values they made; all of them where the function is `shared`: groups of
    lanes may be in it for several calls at once.
    """

    def __init__(self, nodes: list[Node], entry: int = 0, *, shared: bool = False) -> None:
        self.successors = [node.successors for node in nodes]
        self.entry = entry
        self.reachable = self._reachable_from(entry, stop=EXIT) | {entry}
        self.traps = {n for n in self.reachable if nodes[n].end == End(trap=True)}
        self.meets = self._nearest_post_dominators()
        self.sides = self._sides()
        self.repeats = self._in_cycles() | self._reached_twice()
        self.order = self._reverse_post_order()
        if shared:
            self.repeats = self.reachable

    def is_backward(self, source: int, target: int) -> bool:
        """A jump against the order of nodes: every cycle has one."""
        return self.order[target] <= self.order[source]

    def _reachable_from(self, start: int, stop: int) -> set[int]:
        """What follows `start` without passing `stop`; `start` itself only through a cycle."""
        seen: set[int] = set()
        todo = [node for node in self.successors[start] if node != stop]
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += [after for after in self.successors[node] if after != stop]
        return seen

    def _in_cycles(self) -> set[int]:
        return {node for node in self.reachable if node in self._reachable_from(node, EXIT)}

    def _sides(self) -> list[tuple[set[int], set[int]]]:
        """For each branch what either side may reach before its lanes meet."""
        found = []
        for node in self.reachable:
            if len(self.successors[node]) == 2:
                meet = self.meets[node]
                one, other = (
                    {side} | self._reachable_from(side, meet) if side != meet else set()
                    for side in self.successors[node]
                )
                found.append((one, other))
        return found

    def _reached_twice(self) -> set[int]:
        """Nodes that both sides of a branch may reach before their lanes meet."""
        return {node for one, other in self.sides for node in one & other}

    def _reverse_post_order(self) -> dict[int, int]:
        seen, post = {self.entry}, []
        stack = [(self.entry, iter(self.successors[self.entry]))]
        while stack:
            node, successors = stack[-1]
            following = next((after for after in successors if after not in seen), None)
            if following is None:
                post.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(self.successors[following])))
        return {node: place for place, node in enumerate(reversed(post))}

    def _nearest_post_dominators(self) -> dict[int, int]:
        """By sets: kernels are small. A node in an endless loop has EXIT."""
        everything = self.reachable | {EXIT}
        after = {node: set(everything) for node in self.reachable} | {EXIT: {EXIT}}
        changed = True
        while changed:
            changed = False
            for node in sorted(self.reachable - self.traps, reverse=True):
                ways = [after[next_] for next_ in self.successors[node]] or [after[EXIT]]
                found = {node} | set.intersection(*ways)
                changed |= found != after[node]
                after[node] = found
        return {node: self._nearest(node, after) for node in self.reachable}

    def _nearest(self, node: int, after: dict[int, set[int]]) -> int:
        """The post-dominator that all others of this node post-dominate."""
        strict = after[node] - {node}
        return next((one for one in strict if strict == after[one]), EXIT)
