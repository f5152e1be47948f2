"""What the instructions of an inline assembly have in common: registers, guards, results."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from mlir import ir

from tcgen05_mlir.passes.texts import string_text
from tcgen05_mlir.simulator.translate.asm_text import Assembly, Instruction, parse_assembly
from tcgen05_mlir.simulator.translate.emitter import Emitter, zero
from tcgen05_mlir.simulator.translate.register_rules import REGISTERS, register_code
from tcgen05_mlir.simulator.translate.registry import Meeting
from tcgen05_mlir.simulator.translate.types import Int, Pointer, Struct, parse_type


def assembly_of(op: ir.Operation) -> Assembly:
    text, constraints = (string_text(op.attributes[name]) for name in ("asm_string", "constraints"))
    return parse_assembly(text, constraints)


def is_named(instruction: Instruction, name: str) -> bool:
    """`mbarrier.init` for `mbarrier.init.shared.b64`; `*` in a name is anything."""
    pattern = re.escape(name).replace(r"\*", ".*")
    return re.match(rf"{pattern}(?:[.:]|$)", instruction.name) is not None


@dataclass
class AsmWriter:
    """The registers of one inline assembly: its operands, and those that it declares itself."""

    e: Emitter
    mask: str = "m"
    registers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        op, assembly = self.e.op, assembly_of(self.e.op)
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

    def instruction(self, instruction: Instruction, write: Write) -> None:
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
        register = text[1:].replace("_", ".")
        if text.startswith("%") and register in REGISTERS:
            return register_code(register)
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


Write = Callable[[AsmWriter, Instruction], None]
INSTRUCTIONS: dict[str, Write] = {}
MEETINGS: dict[str, Callable[[AsmWriter, Instruction], Meeting]] = {}


def instruction_rule(*names: str) -> Callable[[Write], Write]:
    def register(function: Write) -> Write:
        INSTRUCTIONS.update(dict.fromkeys(names, function))
        return function

    return register


def meeting_rule(*names: str) -> Callable:
    def register(function: Callable[[AsmWriter, Instruction], Meeting]) -> Callable:
        MEETINGS.update(dict.fromkeys(names, function))
        return function

    return register
