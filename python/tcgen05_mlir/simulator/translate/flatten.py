"""A kernel and all that it calls as one list of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mlir import ir

from tcgen05_mlir.passes.device_code import symbol_name
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error
from tcgen05_mlir.passes.texts import symbol_text
from tcgen05_mlir.simulator.translate.flow import (
    EXIT,
    Branch,
    Call,
    Edge,
    End,
    Frame,
    Jump,
    Node,
    Return,
)


@dataclass(frozen=True)
class Rules:
    """What flattening asks of the rest: `constant` names a constant operation's value (None for
    any other operation), `waits` says which may have to wait, `knows` which can be translated.
    """

    constant: Callable[[ir.Operation], str | None]
    waits: Callable[[ir.Operation], bool]
    knows: Callable[[ir.Operation], bool]


@dataclass(frozen=True)
class Flat:
    nodes: list[Node]
    parameters: list[str]
    """Names of the kernel's arguments, set before node 0 runs."""


def flatten(kernel: ir.Operation, functions: dict[str, ir.Operation], rules: Rules) -> Flat:
    """The nodes of a kernel and of the functions that it calls; the kernel's entry is node 0.

    Raises PassFailure with one diagnostic per operation that cannot be simulated.
    """
    flattener = _Flattener(functions, rules)
    routine = flattener.routine(kernel)
    if flattener.unknown:
        raise PassFailure(*flattener.unknown)
    return Flat(flattener.nodes, routine.parameters)


@dataclass
class _Routine:
    """A function's nodes: its entry, and the node that leaves it, which `results` come to.

    `back` is the variable with the caller's node. A kernel has none of these: its threads end.
    """

    entry: int
    parameters: list[str]
    leave: int = EXIT
    results: list[str] = field(default_factory=list)
    back: str = ""


class _Flattener:
    def __init__(self, functions: dict[str, ir.Operation], rules: Rules) -> None:
        self.functions, self.rules = functions, rules
        self.nodes: list[Node] = []
        self.unknown: list[Diagnostic] = []
        self.count = 0
        self.routines: dict[str, _Routine] = {}
        self.active: list[str] = []

    def routine(self, function: ir.Operation, results: int | None = None) -> _Routine:
        """The nodes of a function that returns this many results; of a kernel for None."""
        frame, blocks = Frame(function), list(function.regions[0])
        places = {block: self._node(frame) for block in blocks}
        for block in blocks:
            for argument in block.arguments:
                frame.names[argument] = self._name()
        # A value may be used in a block that comes before its own.
        for block in blocks:
            for op in block.operations:
                self._name_results(frame, op.operation)
        parameters = [frame.names[argument] for argument in blocks[0].arguments]
        routine = _Routine(places[blocks[0]], parameters)
        if results is not None:
            routine.leave, routine.back = self._node(frame), self._name()
            routine.results = [self._name() for _ in range(results)]
            self.nodes[routine.leave].end = Return(routine.back)
        self.active.append(symbol_name(function))
        for block in blocks:
            self._fill(frame, self.nodes[places[block]], block, places, routine)
        self.active.pop()
        return routine

    def _name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def _node(self, frame: Frame) -> int:
        self.nodes.append(Node(frame))
        return len(self.nodes) - 1

    def _name_results(self, frame: Frame, op: ir.Operation) -> None:
        constant = self.rules.constant(op) if len(op.results) == 1 else None
        for result in op.results:
            frame.names[result] = constant or self._name()

    def _fill(
        self,
        frame: Frame,
        node: Node,
        block: ir.Block,
        places: dict[ir.Block, int],
        routine: _Routine,
    ) -> None:
        for view in block.operations:
            op = view.operation
            if op.name == "llvm.call" and (callee := self._callee(op)):
                node = self._call(frame, node, op, callee)
            elif op.name == "nvvm.exit":
                node.source = op
                return
            elif op.name in _ENDS:
                node.source = op
                node.end = self._end(frame, node, op, places, routine)
            elif _is_constant(frame, op):
                continue
            elif self.rules.knows(op):
                node = self._append(frame, node, op)
            else:
                self.unknown.append(op_error(op, "is not known to the simulator"))

    def _append(self, frame: Frame, node: Node, op: ir.Operation) -> Node:
        if self.rules.waits(op):
            if node.operations:
                following = self._node(frame)
                node.end = Jump(Edge(following))
                node = self.nodes[following]
            node.waits = True
        node.operations.append(op)
        return node

    def _callee(self, op: ir.Operation) -> ir.Operation | None:
        """The function that a call goes to; None for one without a body."""
        if "callee" not in op.attributes:
            self.unknown.append(op_error(op, "calls through a pointer, which is not simulated"))
            return None
        name = symbol_text(op.attributes["callee"])
        callee = self.functions.get(name)
        if callee is None or not list(callee.regions[0]):
            return None
        if name in self.active:
            self.unknown.append(op_error(op, f"calls '{name}', which is recursive: not simulated"))
            return None
        return callee

    def _call(self, frame: Frame, node: Node, op: ir.Operation, callee: ir.Operation) -> Node:
        """Ends a node with a call; the node that comes after it, and after its results are there.

        They are taken in a node of its own: the following one may have to be tried again.
        """
        name = symbol_name(callee)
        if name not in self.routines:
            self.routines[name] = self.routine(callee, len(op.results))
        routine, landing, following = self.routines[name], self._node(frame), self._node(frame)
        results = [frame.names[result] for result in op.results]
        moves = list(zip(results, routine.results, strict=True))
        self.nodes[landing].end = Jump(Edge(following, moves))
        values = [frame.names[operand] for operand in op.operands]
        moves = list(zip(routine.parameters, values, strict=True))
        node.source = op
        node.end = Call(Edge(routine.entry, moves), landing, routine.back)
        return self.nodes[following]

    def _end(
        self,
        frame: Frame,
        node: Node,
        op: ir.Operation,
        places: dict[ir.Block, int],
        routine: _Routine,
    ) -> Jump | Branch | End:
        if op.name == "llvm.return" and not routine.back:
            return End()
        if op.name == "llvm.return":
            values = [frame.names[operand] for operand in op.operands]
            return Jump(Edge(routine.leave, list(zip(routine.results, values, strict=True))))
        if op.name == "llvm.unreachable":
            return End(trap=True)
        edges = list(_edges(op, frame, places))
        if op.name == "llvm.br":
            return Jump(edges[0])
        if op.name == "llvm.cond_br":
            return Branch(op.operands[0], edges[0], edges[1])
        return self._switch(frame, node, op, edges)

    def _switch(self, frame: Frame, node: Node, op: ir.Operation, edges: list[Edge]) -> Jump:
        """A chain of nodes, one per case."""
        default, cases = edges[0], _case_values(op)
        chain = [self._node(frame) for _ in cases]
        for place, (case, edge) in enumerate(zip(cases, edges[1:], strict=True)):
            last = place == len(chain) - 1
            otherwise = default if last else Edge(chain[place + 1])
            self.nodes[chain[place]].source = op
            self.nodes[chain[place]].end = Branch(op.operands[0], edge, otherwise, case)
        return Jump(Edge(chain[0]) if chain else default)


def _is_constant(frame: Frame, op: ir.Operation) -> bool:
    """Its result has the name of a constant, which no code defines."""
    return len(op.results) == 1 and not frame.names[op.results[0]].startswith("v")


_ENDS = ("llvm.return", "llvm.unreachable", "llvm.br", "llvm.cond_br", "llvm.switch")


def _case_values(op: ir.Operation) -> list[int]:
    if "case_values" not in op.attributes:
        return []
    return [int(value) for value in ir.DenseIntElementsAttr(op.attributes["case_values"])]


def _edges(op: ir.Operation, frame: Frame, places: dict[ir.Block, int]) -> Iterator[Edge]:
    """An edge per successor, its parameters getting the operands that are meant for it."""
    operands = list(op.operands)[0 if op.name == "llvm.br" else 1 :]
    at = 0
    for successor in op.successors:
        parameters = [frame.names[argument] for argument in successor.arguments]
        values = [frame.names[operand] for operand in operands[at : at + len(parameters)]]
        at += len(parameters)
        yield Edge(places[successor], list(zip(parameters, values, strict=True)))
