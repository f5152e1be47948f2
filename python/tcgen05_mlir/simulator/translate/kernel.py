"""One kernel as a Python generator function: run once per warp, it yields where the warp waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from mlir import ir

from tcgen05_mlir.passes.device_code import functions, operations, symbol_name
from tcgen05_mlir.simulator.lanes.shapes import merge, spread, spread_vector
from tcgen05_mlir.simulator.translate import constants, late_values
from tcgen05_mlir.simulator.translate.call_graph import CallGraph
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.flatten import Flat, Rules, flatten
from tcgen05_mlir.simulator.translate.flow import Branch, Call, Edge, End, Jump, Node, Return
from tcgen05_mlir.simulator.translate.registry import RULES, WAITING, Meeting, waits
from tcgen05_mlir.simulator.translate.shared import come_back, settle, split

FUEL = 256
"""Backward jumps after which a warp lets others run, should they be what it waits for."""


@dataclass(frozen=True)
class Program:
    """A translated kernel. `run(w, h, f, *arguments)` makes the generator of one warp; `globals`
    are the names of the module's variables that it uses; `source` is the Python text.
    """

    run: Callable[..., Iterator[None]]
    source: str
    globals: tuple[str, ...]


def translate(kernel: ir.Operation, module: ir.Operation) -> Program:
    """The code of an llvm.func of a lowered gpu.module.

    Raises PassFailure with a diagnostic for every operation that cannot be simulated.
    """
    variables = {symbol_name(op) for op in operations(module) if op.name == "llvm.mlir.global"}
    names = constants.ConstantNames(variables)
    rules = Rules(names.name, waits, lambda op: op.name in RULES or op.name in WAITING)
    flat = flatten(kernel, functions(module), rules)
    return _Writer(flat, names).program()


class _Writer:
    def __init__(self, flat: Flat, names: constants.ConstantNames) -> None:
        self.flat, self.names = flat, names
        self.flow = CallGraph(flat.nodes)
        late = late_values.find(flat.nodes)
        self.e = Emitter(self._kept(), late)
        self.e.namespace.update(names.namespace)
        for function in (merge, spread, spread_vector, come_back, settle, split):
            self.e.function(function)
        self.meets = {
            self.flow.meets[node]
            for node in self.flow.reachable
            if isinstance(flat.nodes[node].end, Branch)
        }

    def _kept(self) -> set[str]:
        """Values made where groups of lanes come one after the other, and used elsewhere."""
        kept: set[str] = set()
        for place in self.flow.repeats:
            node = self.flat.nodes[place]
            kept |= {node.frame.names[r] for op in node.operations for r in op.results}
            kept |= {node.end.back} if isinstance(node.end, Return) else set()
        used = set()
        for place in self.flow.reachable:
            used |= kept & _used_from_elsewhere(self.flat.nodes[place])
        return used

    def program(self) -> Program:
        e = self.e
        self._prologue()
        e.line("while True:")
        e.depth = 2
        self._dispatch(sorted(self.flow.reachable))
        head = f"def kernel({', '.join(['w', 'h', 'f', *self.flat.parameters])}):"
        source = "\n".join([head, *e.lines, ""])
        namespace: dict[str, Any] = e.namespace
        exec(compile(source, "<kernel>", "exec"), namespace)
        return Program(namespace["kernel"], source, tuple(sorted(self.names.globals.values())))

    def _prologue(self) -> None:
        e = self.e
        for code, symbol in sorted(self.names.globals.items()):
            e.line(f"{code} = w.address({symbol!r})")
        parameters = {
            name for node in self.flat.nodes for edge in node.edges for name, _ in edge.moves
        }
        parameters |= {node.end.back for node in self.flat.nodes if isinstance(node.end, Call)}
        for name in sorted((parameters | e.kept) - set(self.flat.parameters)):
            e.line(f"{name} = {e.constant(np.bool_(False))}")
        e.line("m, full, pc = f.mask, f.full, 0")
        e.line(f"fuel = {FUEL}")

    def _dispatch(self, places: list[int]) -> None:
        """A tree of comparisons down to the node that `pc` says."""
        e = self.e
        if len(places) == 1:
            self._node(places[0])
            return
        middle = len(places) // 2
        with e.block(f"if pc < {places[middle]}:"):
            self._dispatch(places[:middle])
        with e.block("else:"):
            self._dispatch(places[middle:])

    def _node(self, place: int) -> None:
        node, e = self.flat.nodes[place], self.e
        e.frame = node.frame
        for position, op in enumerate(node.operations):
            e.op, e.alias = op, ""
            if node.waits and position == 0:
                self._wait(place, WAITING[op.name](e))
            else:
                RULES[op.name](e)
        e.alias = ""
        e.op = node.source or (node.operations[-1] if node.operations else node.frame.function)
        self._end(place, node)

    # waiting ----------------------------------------------------------------------------------

    def _wait(self, place: int, meeting: Meeting) -> None:
        """The operation for all lanes at once, or its part in what this group's lanes do."""
        e, action = self.e, self._action(meeting)
        operands = "".join(f", {operand}" for operand in meeting.operands)
        direct = f"{action}(h, m{operands})"
        packed = "".join(f"{operand}, " for operand in meeting.operands)
        members = meeting.members or "None"
        apart = f"w.meet(f, {action}, ({packed}), {members}, {e.site()})"
        if meeting.alone and not meeting.blocks:
            self._take(direct)
            return
        e.line("t = f.token")
        if meeting.blocks:
            e.line(
                f"if t is None: t = {direct if meeting.alone else f'{direct} if full else {apart}'}"
            )
            self._suspend_unless_ready(place)
            self._take(meeting.result)
        else:
            with e.block("if t is None and full:"):
                self._take(direct)
            with e.block("else:"):
                e.line(f"if t is None: t = {apart}")
                self._suspend_unless_ready(place)
                self._take("t.value")

    def _action(self, meeting: Meeting) -> str:
        """A function of its own, which another group of lanes may call when it comes last."""
        name = f"A{len(self.e.namespace)}"
        parameters = "".join(f", a{place}" for place in range(len(meeting.operands)))
        exec(f"def {name}(h, m{parameters}): return {meeting.call}", self.e.namespace)
        return name

    def _suspend_unless_ready(self, place: int) -> None:
        e = self.e
        with e.block("if not t.ready():"):
            e.line(f"f = yield from w.suspend(f, {place}, t)")
            e.line("m, full, pc = f.mask, f.full, f.pc")
            e.line("continue")
        e.line("f.token = None")

    def _take(self, expression: str | None) -> None:
        if expression is None:
            return
        if len(self.e.op.results) == 1:
            self.e.result(expression)
        else:
            self.e.line(expression)

    # ends -------------------------------------------------------------------------------------

    def _end(self, place: int, node: Node) -> None:
        e = self.e
        if isinstance(node.end, Jump):
            self._go(place, node.end.edge)
        elif isinstance(node.end, Branch):
            self._branch(place, node.end)
        elif isinstance(node.end, Call):
            self._call(node.end)
        elif isinstance(node.end, Return):
            e.line(f"pc = come_back({node.end.back}, m)")
        else:
            assert isinstance(node.end, End)
            if node.end.trap:
                e.line(f"w.trap(m, {e.site()})")
            e.line("f = w.ended(f) or (yield from w.next())")
            e.line("if f is None: return")
            e.line("m, full, pc = f.mask, f.full, f.pc")

    def _branch(self, place: int, end: Branch) -> None:
        e, condition = self.e, self.e.use(end.condition)
        if end.case is not None:
            condition = f"({condition} == {e.number(e.type(end.condition), end.case)})"
        e.line(f"c = {condition}")
        e.line("k = c if c.ndim == 0 else split(c, m)")
        with e.block("if k == 1:"):
            self._go(place, end.true)
        with e.block("elif k == 0:"):
            self._go(place, end.false)
        with e.block("else:"):
            e.line("n, m = m & ~c, m & c")
            self._move(end.true, "merge")
            e.line("n, m = m, n")
            self._move(end.false, "merge")
            meet, ways = self.flow.meets[place], f"{end.true.target}, {end.false.target}"
            e.line(f"f = w.diverge(f, {ways}, n, m, {meet}) or (yield from w.next())")
            e.line("m, full, pc = f.mask, f.full, f.pc")

    def _call(self, end: Call) -> None:
        e, landing = self.e, self.e.constant(np.int64(end.landing))
        self._move(end.edge)
        kept = f"{landing} if full else {e.merged(end.back, landing)}"
        e.line(f"{end.back} = {kept if end.back in e.kept else landing}")
        e.line(f"pc = {end.edge.target}")

    def _go(self, place: int, edge: Edge) -> None:
        e = self.e
        self._move(edge)
        e.line(f"pc = {edge.target}")
        if edge.target in self.meets:
            with e.block(f"if f.meet == {edge.target}:"):
                e.line("f = w.arrived(f) or (yield from w.next())")
                e.line("m, full, pc = f.mask, f.full, f.pc")
        if self.flow.is_backward(place, edge.target):
            e.line("fuel -= 1")
            with e.block("if fuel < 0:"):
                e.line(f"fuel = {FUEL}")
                e.line("f = yield from w.pause(f, pc)")
                e.line("m, full, pc = f.mask, f.full, f.pc")

    def _move(self, edge: Edge, how: str = "") -> None:
        """The parameters of the next node, all at once: they may be each other's values."""
        moves = [(to, value) for to, value in edge.moves if to != value]
        if not moves:
            return
        e = self.e
        targets = ", ".join(to for to, _ in moves)
        plain = ", ".join(value for _, value in moves)
        merged = ", ".join(e.merged(to, value) for to, value in moves)
        if how == "merge":
            e.line(f"{targets} = {merged}")
        else:
            e.line(f"if full: {targets} = {plain}")
            e.line(f"else: {targets} = {merged}")


def _used_from_elsewhere(node: Node) -> set[str]:
    """Names that a node reads and does not make itself."""
    names = node.frame.names
    made = {names[result] for op in node.operations for result in op.results}
    read = {names[operand] for op in node.operations for operand in op.operands}
    read |= {value for edge in node.edges for _, value in edge.moves}
    if isinstance(node.end, Branch):
        read.add(names[node.end.condition])
    if isinstance(node.end, Return):
        read.add(node.end.back)
    return read - made
