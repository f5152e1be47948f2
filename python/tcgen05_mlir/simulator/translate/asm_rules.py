"""Inline assembly: what this project and upstream's conversions write, and some more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from mlir import ir

from tcgen05_mlir.simulator.engine import collectives
from tcgen05_mlir.simulator.lanes.shapes import select
from tcgen05_mlir.simulator.translate.asm_text import Assembly, Instruction, parse_assembly
from tcgen05_mlir.simulator.translate.emitter import Emitter, zero
from tcgen05_mlir.simulator.translate.register_rules import REGISTERS, register_code
from tcgen05_mlir.simulator.translate.registry import (
    SELDOM_WAITING,
    Meeting,
    rule,
    waiting_rule,
)
from tcgen05_mlir.simulator.translate.types import Int, Pointer, Struct, parse_type

_ASM = "llvm.inline_asm"


def _assembly(op: ir.Operation) -> Assembly:
    text, constraints = (
        ir.StringAttr(op.attributes[name]).value for name in ("asm_string", "constraints")
    )
    return parse_assembly(text, constraints)


def _waits(op: ir.Operation) -> bool:
    assembly = _assembly(op)
    if assembly.wait_loop:
        return True
    return any(_waiting_of(one) is not None for one in assembly.instructions)


def _waiting_of(instruction: Instruction) -> Callable[[_Writer, Instruction], Meeting] | None:
    names = (name for name in _MEETINGS if _is(instruction, name))
    return next((_MEETINGS[name] for name in names), None)


SELDOM_WAITING[_ASM] = _waits


@waiting_rule(_ASM)
def waiting(e: Emitter) -> Meeting:
    assembly, writer = _assembly(e.op), _Writer(e)
    if loop := assembly.wait_loop:
        e.alias = loop.name
        return _wait_loop(writer, loop)
    if len(assembly.instructions) != 1 or len(e.op.results) > 1:
        raise e.refuse("with a waiting instruction among others is not simulated: split it")
    (instruction,) = assembly.instructions
    if instruction.guard:
        raise e.refuse(f"with '{instruction.name}' under a predicate is not simulated")
    e.alias = instruction.name
    meeting = _waiting_of(instruction)
    assert meeting is not None
    return meeting(writer, instruction)


@rule(_ASM)
def straight_line(e: Emitter) -> None:
    assembly, writer = _assembly(e.op), _Writer(e)
    if assembly.branches:
        raise e.refuse("with branches is not simulated, but for the loop around a try_wait")
    for instruction in assembly.instructions:
        names = [name for name in _INSTRUCTIONS if _is(instruction, name)]
        if not names:
            raise e.refuse(f"has '{instruction.name}', which is not known to the simulator")
        writer.instruction(instruction, _INSTRUCTIONS[max(names, key=len)])
    writer.results()


def _is(instruction: Instruction, name: str) -> bool:
    """`mbarrier.init` for `mbarrier.init.shared.b64`; `*` in a name is anything."""
    pattern = re.escape(name).replace(r"\*", ".*")
    return re.match(rf"{pattern}(?:[.:]|$)", instruction.name) is not None


@dataclass
class _Writer:
    """The registers of one inline assembly: its operands, and those that it declares itself."""

    e: Emitter
    mask: str = "m"
    registers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        op, assembly = self.e.op, _assembly(self.e.op)
        for place, type_ in enumerate(self._result_types()):
            name = f"${place}"
            first = [i for i, tie in enumerate(assembly.ties) if tie == place]
            start = self.e.operand(first[0]) if first else self.e.constant(zero(type_))
            self.registers[name] = start
        for place, operand in enumerate(op.operands):
            self.registers[f"${assembly.outputs + place}"] = self.e.use(operand)

    def _result_types(self) -> list:
        types = [parse_type(str(result.type)) for result in self.e.op.results]
        if types and isinstance(types[0], Struct):
            return list(types[0].members)
        return types

    def instruction(self, instruction: Instruction, write: _Write) -> None:
        if instruction.guard:
            negated, name = instruction.guard.startswith("!"), instruction.guard.lstrip("!")
            guard = f"({self.value(name)} != 0)"
            self.e.line(f"m1 = m & {'~' if negated else ''}{guard}")
            self.mask = "m1"
        self.e.alias = instruction.name
        write(self, instruction)
        self.mask, self.e.alias = "m", ""

    def value(self, text: str) -> str:
        """The code of an operand: a register, a number, a special register; `[...]` an address."""
        text = text.strip("[]{} ")
        match = re.fullmatch(r"(\$?[%\w.]+)\s*\+\s*(\d+)", text)
        if match:
            return f"({self.value(match[1])} + {self.e.number(Pointer(0), int(match[2]))})"
        text = re.sub(r"^\$\{(\d+)(:\w+)?\}$", r"$\1", text)
        if text in self.registers:
            return self.registers[text]
        if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", text):
            return self.e.number(Int(32), int(text, 0))
        if text.startswith("%") and text[1:] in REGISTERS:
            return register_code(text[1:])
        raise self.e.refuse(f"has operand '{text}', which is not known to the simulator")

    def lanes(self, text: str, type_: Int | Pointer | None = None) -> str:
        cast = f".astype({self.e.dtype(type_)})" if type_ else ""
        return f"spread({self.value(text)}{cast})"

    def assign(self, text: str, code: str) -> None:
        if text == "_":
            self.e.line(code)
            return
        local = f"q{''.join(c if c.isalnum() else '_' for c in text)}"
        if self.mask != "m" and text in self.registers:
            code = f"merge(m1, {code}, {self.registers[text]})"
        self.e.line(f"{local} = {code}")
        self.registers[text] = local

    def results(self) -> None:
        types = self._result_types()
        values = [self.registers[f"${place}"] for place in range(len(types))]
        if self.e.op.results:
            struct = str(self.e.op.results[0].type).startswith("!llvm.struct")
            self.e.result(f"({', '.join(values)},)" if struct else values[0])


_Write = Callable[[_Writer, Instruction], None]
_INSTRUCTIONS: dict[str, _Write] = {}
_MEETINGS: dict[str, Callable[[_Writer, Instruction], Meeting]] = {}


def _instruction(*names: str) -> Callable[[_Write], _Write]:
    def register(function: _Write) -> _Write:
        _INSTRUCTIONS.update(dict.fromkeys(names, function))
        return function

    return register


def _meeting(*names: str) -> Callable:
    def register(function: Callable[[_Writer, Instruction], Meeting]) -> Callable:
        _MEETINGS.update(dict.fromkeys(names, function))
        return function

    return register


# mbarriers ------------------------------------------------------------------------------------


def _space(instruction: Instruction) -> str:
    if "shared::cluster" in instruction.name:
        return "space=7"
    return "space=3" if "shared" in instruction.name else "space=0"


def _address(x: _Writer, text: str) -> str:
    return x.lanes(text, Pointer(0))


def _wait_loop(x: _Writer, test: Instruction) -> Meeting:
    operand = test.operands[2]
    phase, type_ = ("parity", Int(32)) if test.has("parity") else ("state", Int(64))
    call = f"h.mbarrier_wait(a0, m, {x.e.site()}, {phase}=a1, {_space(test)})"
    return Meeting(
        call, [_address(x, test.operands[1]), x.lanes(operand, type_)], alone=True, blocks=True
    )


@_instruction("mbarrier.init")
def _init(x: _Writer, i: Instruction) -> None:
    address, count = _address(x, i.operands[0]), x.lanes(i.operands[1])
    x.e.line(f"h.mbarrier_init({address}, {count}, {x.mask}, {x.e.site()}, {_space(i)})")


@_instruction("mbarrier.inval")
def _inval(x: _Writer, i: Instruction) -> None:
    x.e.line(f"h.mbarrier_inval({_address(x, i.operands[0])}, {x.mask}, {x.e.site()}, {_space(i)})")


@_instruction("mbarrier.expect_tx", "mbarrier.complete_tx")
def _transactions(x: _Writer, i: Instruction) -> None:
    name = "mbarrier_" + i.name.split(".")[1]
    address, count = _address(x, i.operands[0]), x.lanes(i.operands[1])
    x.e.line(f"h.{name}({address}, {count}, {x.mask}, {x.e.site()}, {_space(i)})")


@_instruction("mbarrier.arrive", "mbarrier.arrive_drop")
def _arrive(x: _Writer, i: Instruction) -> None:
    brackets = next(n for n, operand in enumerate(i.operands) if operand.startswith("["))
    options = f"drop={'arrive_drop' in i.name}, no_complete={i.has('noComplete')}"
    if len(i.operands) > brackets + 1:
        name = "expect_tx" if i.has("expect_tx") else "counts"
        options += f", {name}={x.lanes(i.operands[brackets + 1])}"
    address = _address(x, i.operands[brackets])
    call = f"h.mbarrier_arrive({address}, {x.mask}, {x.e.site()}, {_space(i)}, {options})"
    x.assign(i.operands[0] if brackets else "_", call)


@_instruction("mbarrier.test_wait", "mbarrier.try_wait")
def _test(x: _Writer, i: Instruction) -> None:
    phase, type_ = ("parity", Int(32)) if i.has("parity") else ("state", Int(64))
    address, operand = _address(x, i.operands[1]), x.lanes(i.operands[2], type_)
    call = f"h.mbarrier_test({address}, {x.mask}, {x.e.site()}, {phase}={operand}, {_space(i)})"
    x.assign(i.operands[0], call)


# tcgen05 --------------------------------------------------------------------------------------


def _group(i: Instruction) -> str:
    return f"cta_group={2 if 'cta_group::2' in i.name else 1}"


@_instruction("tcgen05.cp")
def _copy(x: _Writer, i: Instruction) -> None:
    shape = next(part for part in i.name.split(".") if re.fullmatch(r"\d+x\d+b", part))
    multicast = re.search(r"warpx4|warpx2::\d\d_\d\d", i.name)
    source = re.search(r"b[46]x16_p\d\d", i.name)
    options = f"shape={shape!r}, multicast={multicast and multicast[0]!r}, {_group(i)}"
    options += f", src_format={source and source[0]!r}"
    address, descriptor = x.lanes(i.operands[0]), x.lanes(i.operands[1])
    x.e.line(f"h.tcgen05_cp({address}, {descriptor}, {x.mask}, {x.e.site()}, {options})")


@_instruction("tcgen05.commit")
def _commit(x: _Writer, i: Instruction) -> None:
    options = f"{_group(i)}, {_space(i)}"
    if "multicast" in i.name:
        options += f", multicast_mask={x.lanes(i.operands[1])}"
    address = _address(x, i.operands[0])
    x.e.line(f"h.tcgen05_commit({address}, {x.mask}, {x.e.site()}, {options})")


@_instruction("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync")
def _tensor_fence(x: _Writer, i: Instruction) -> None:
    kind = "before" if "before" in i.name else "after"
    x.e.line(f"h.tcgen05_fence({kind!r}, {x.mask}, {x.e.site()})")


@_meeting("tcgen05.wait::ld", "tcgen05.wait::st")
def _tensor_wait(x: _Writer, i: Instruction) -> Meeting:
    kind = "load" if "::ld" in i.name else "store"
    return Meeting(f"h.tcgen05_wait({kind!r}, m, {x.e.site()})")


@_meeting("tcgen05.alloc", "tcgen05.dealloc")
def _allocation(x: _Writer, i: Instruction) -> Meeting:
    name = "tcgen05_" + i.name.split(".")[1]
    space = f", {_space(i)}" if name.endswith("_alloc") else ""
    type_ = Pointer(0) if name.endswith("_alloc") else Int(32)
    operands = [x.lanes(i.operands[0], type_), x.lanes(i.operands[1])]
    call = f"h.{name}(a0, a1, m, {x.e.site()}, {_group(i)}{space})"
    return Meeting(call, operands, blocks=True)


@_meeting("tcgen05.relinquish_alloc_permit")
def _relinquish(x: _Writer, i: Instruction) -> Meeting:
    return Meeting(f"h.tcgen05_relinquish(m, {x.e.site()}, {_group(i)})")


# barriers and fences --------------------------------------------------------------------------


@_instruction("fence.proxy.async")
def _fence_proxy(x: _Writer, i: Instruction) -> None:
    kind = i.name.removeprefix("fence.proxy.")
    x.e.line(f"h.fence_proxy({kind!r}, {x.mask}, {x.e.site()})")


@_instruction("fence.mbarrier_init")
def _fence_mbarrier(x: _Writer, i: Instruction) -> None:
    x.e.line(f"h.fence_mbarrier_init({x.mask}, {x.e.site()})")


@_instruction("fence", "membar", "nanosleep")
def _nothing(x: _Writer, i: Instruction) -> None:
    """Ordered as it is."""


@_meeting("bar.sync", "barrier.sync", "barrier.cta.sync")
def _barrier(x: _Writer, i: Instruction) -> Meeting:
    aligned = i.name.startswith("bar.") or i.has("aligned")
    uniform = x.e.function(collectives.uniform)
    numbers = [f"{uniform}(h, m, a{n}, {x.e.site()})" for n in range(len(i.operands))]
    threads = f", threads={numbers[1]}" if len(numbers) > 1 else ""
    call = f"h.bar_sync({numbers[0]}, m, {x.e.site()}{threads}, aligned={aligned})"
    operands = [x.value(operand) for operand in i.operands]
    return Meeting(call, operands, alone=not aligned, blocks=True)


@_meeting("bar.arrive", "barrier.arrive", "barrier.cta.arrive")
def _barrier_arrive(x: _Writer, i: Instruction) -> Meeting:
    aligned = i.name.startswith("bar.") or i.has("aligned")
    uniform = x.e.function(collectives.uniform)
    numbers = ", ".join(f"{uniform}(h, m, a{n}, {x.e.site()})" for n in (0, 1))
    call = f"h.bar_arrive({numbers}, m, {x.e.site()}, aligned={aligned})"
    return Meeting(call, [x.value(operand) for operand in i.operands], alone=not aligned)


@_meeting("barrier.cluster.arrive")
def _cluster_arrive(x: _Writer, i: Instruction) -> Meeting:
    relaxed, aligned = i.has("relaxed"), i.has("aligned")
    call = f"h.cluster_arrive(m, {x.e.site()}, relaxed={relaxed}, aligned={aligned})"
    return Meeting(call, alone=not aligned)


@_meeting("barrier.cluster.wait")
def _cluster_wait(x: _Writer, i: Instruction) -> Meeting:
    aligned = i.has("aligned")
    call = f"h.cluster_wait(m, {x.e.site()}, aligned={aligned})"
    return Meeting(call, alone=not aligned, blocks=True)


# arithmetic -----------------------------------------------------------------------------------

_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "mul.lo": "*", "shl": "<<"}


def _type(i: Instruction) -> Int:
    return Int(int(re.sub(r"\D", "", i.name.split(".")[-1])))


@_instruction(*_OPERATORS)
def _operator(x: _Writer, i: Instruction) -> None:
    sign = next(sign for name, sign in _OPERATORS.items() if _is(i, name))
    if i.name.split(".")[-1].startswith("f"):
        raise x.e.refuse(f"has '{i.name}', which is not known to the simulator")
    dtype = x.e.dtype(_type(i))
    a, b = (f"{x.value(operand)}.astype({dtype})" for operand in i.operands[1:])
    x.assign(i.operands[0], f"{a} {sign} {b}")


@_instruction("mov")
def _move(x: _Writer, i: Instruction) -> None:
    x.assign(i.operands[0], x.value(i.operands[1]))


@_instruction("selp")
def _select(x: _Writer, i: Instruction) -> None:
    a, b, condition = map(x.value, i.operands[1:])
    x.assign(i.operands[0], f"{x.e.function(select)}({condition} != 0, {a}, {b})")
