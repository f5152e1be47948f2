"""Inline assembly: what this project and upstream's conversions write, and some more."""

from __future__ import annotations

import re
from collections.abc import Callable

from mlir import ir

from tcgen05_mlir.simulator.engine import collectives
from tcgen05_mlir.simulator.lanes.shapes import select
from tcgen05_mlir.simulator.translate.asm_text import Instruction
from tcgen05_mlir.simulator.translate.asm_writer import (
    INSTRUCTIONS,
    MEETINGS,
    AsmWriter,
    assembly_of,
    instruction_rule,
    is_named,
    meeting_rule,
)
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import (
    SELDOM_WAITING,
    Meeting,
    rule,
    waiting_rule,
)
from tcgen05_mlir.simulator.translate.types import Int, Pointer

_ASM = "llvm.inline_asm"


def _waits(op: ir.Operation) -> bool:
    assembly = assembly_of(op)
    if assembly.wait_loop:
        return True
    return any(_waiting_of(one) is not None for one in assembly.instructions)


def _waiting_of(instruction: Instruction) -> Callable[[AsmWriter, Instruction], Meeting] | None:
    names = (name for name in MEETINGS if is_named(instruction, name))
    return next((MEETINGS[name] for name in names), None)


SELDOM_WAITING[_ASM] = _waits


@waiting_rule(_ASM)
def waiting(e: Emitter) -> Meeting:
    assembly, writer = assembly_of(e.op), AsmWriter(e)
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
    assembly, writer = assembly_of(e.op), AsmWriter(e)
    if assembly.branches:
        raise e.refuse("with branches is not simulated, but for the loop around a try_wait")
    for instruction in assembly.instructions:
        names = [name for name in INSTRUCTIONS if is_named(instruction, name)]
        if not names:
            raise e.refuse(f"has '{instruction.name}', which is not known to the simulator")
        writer.instruction(instruction, INSTRUCTIONS[max(names, key=len)])
    writer.results()


# mbarriers ------------------------------------------------------------------------------------


def _space(instruction: Instruction) -> str:
    if "shared::cluster" in instruction.name:
        return "space=7"
    return "space=3" if "shared" in instruction.name else "space=0"


def _address(x: AsmWriter, text: str) -> str:
    return x.lanes(text, Pointer(0))


def _wait_loop(x: AsmWriter, test: Instruction) -> Meeting:
    operand = test.operands[2]
    phase, type_ = ("parity", Int(32)) if test.has("parity") else ("state", Int(64))
    call = f"h.mbarrier_wait(a0, m, {x.e.site()}, {phase}=a1, {_space(test)})"
    return Meeting(
        call, [_address(x, test.operands[1]), x.lanes(operand, type_)], alone=True, blocks=True
    )


@instruction_rule("mbarrier.init")
def _init(x: AsmWriter, i: Instruction) -> None:
    address, count = _address(x, i.operands[0]), x.lanes(i.operands[1])
    x.e.line(f"h.mbarrier_init({address}, {count}, {x.mask}, {x.e.site()}, {_space(i)})")


@instruction_rule("mbarrier.inval")
def _inval(x: AsmWriter, i: Instruction) -> None:
    x.e.line(f"h.mbarrier_inval({_address(x, i.operands[0])}, {x.mask}, {x.e.site()}, {_space(i)})")


@instruction_rule("mbarrier.expect_tx", "mbarrier.complete_tx")
def _transactions(x: AsmWriter, i: Instruction) -> None:
    name = "mbarrier_" + i.name.split(".")[1]
    address, count = _address(x, i.operands[0]), x.lanes(i.operands[1])
    x.e.line(f"h.{name}({address}, {count}, {x.mask}, {x.e.site()}, {_space(i)})")


@instruction_rule("mbarrier.arrive", "mbarrier.arrive_drop")
def _arrive(x: AsmWriter, i: Instruction) -> None:
    brackets = next(n for n, operand in enumerate(i.operands) if operand.startswith("["))
    options = f"drop={'arrive_drop' in i.name}, no_complete={i.has('noComplete')}"
    if len(i.operands) > brackets + 1:
        name = "expect_tx" if i.has("expect_tx") else "counts"
        options += f", {name}={x.lanes(i.operands[brackets + 1])}"
    address = _address(x, i.operands[brackets])
    call = f"h.mbarrier_arrive({address}, {x.mask}, {x.e.site()}, {_space(i)}, {options})"
    x.assign(i.operands[0] if brackets else "_", call)


@instruction_rule("mbarrier.test_wait", "mbarrier.try_wait")
def _test(x: AsmWriter, i: Instruction) -> None:
    phase, type_ = ("parity", Int(32)) if i.has("parity") else ("state", Int(64))
    address, operand = _address(x, i.operands[1]), x.lanes(i.operands[2], type_)
    call = f"h.mbarrier_test({address}, {x.mask}, {x.e.site()}, {phase}={operand}, {_space(i)})"
    x.assign(i.operands[0], call)


# tcgen05 --------------------------------------------------------------------------------------


def _group(i: Instruction) -> str:
    return f"cta_group={2 if 'cta_group::2' in i.name else 1}"


@instruction_rule("tcgen05.cp")
def _copy(x: AsmWriter, i: Instruction) -> None:
    shape = next(part for part in i.name.split(".") if re.fullmatch(r"\d+x\d+b", part))
    multicast = re.search(r"warpx4|warpx2::\d\d_\d\d", i.name)
    source = re.search(r"b[46]x16_p\d\d", i.name)
    options = f"shape={shape!r}, multicast={multicast and multicast[0]!r}, {_group(i)}"
    options += f", src_format={source and source[0]!r}"
    address, descriptor = x.lanes(i.operands[0]), x.lanes(i.operands[1])
    x.e.line(f"h.tcgen05_cp({address}, {descriptor}, {x.mask}, {x.e.site()}, {options})")


@instruction_rule("tcgen05.commit")
def _commit(x: AsmWriter, i: Instruction) -> None:
    options = f"{_group(i)}, {_space(i)}"
    if "multicast" in i.name:
        options += f", multicast_mask={x.lanes(i.operands[1])}"
    address = _address(x, i.operands[0])
    x.e.line(f"h.tcgen05_commit({address}, {x.mask}, {x.e.site()}, {options})")


@instruction_rule("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync")
def _tensor_fence(x: AsmWriter, i: Instruction) -> None:
    kind = "before" if "before" in i.name else "after"
    x.e.line(f"h.tcgen05_fence({kind!r}, {x.mask}, {x.e.site()})")


@meeting_rule("tcgen05.wait::ld", "tcgen05.wait::st")
def _tensor_wait(x: AsmWriter, i: Instruction) -> Meeting:
    kind = "load" if "::ld" in i.name else "store"
    return Meeting(f"h.tcgen05_wait({kind!r}, m, {x.e.site()})")


@meeting_rule("tcgen05.alloc", "tcgen05.dealloc")
def _allocation(x: AsmWriter, i: Instruction) -> Meeting:
    name = "tcgen05_" + i.name.split(".")[1]
    space = f", {_space(i)}" if name.endswith("_alloc") else ""
    type_ = Pointer(0) if name.endswith("_alloc") else Int(32)
    operands = [x.lanes(i.operands[0], type_), x.lanes(i.operands[1])]
    call = f"h.{name}(a0, a1, m, {x.e.site()}, {_group(i)}{space})"
    return Meeting(call, operands, blocks=True)


@meeting_rule("tcgen05.relinquish_alloc_permit")
def _relinquish(x: AsmWriter, i: Instruction) -> Meeting:
    return Meeting(f"h.tcgen05_relinquish(m, {x.e.site()}, {_group(i)})")


# barriers and fences --------------------------------------------------------------------------


@instruction_rule("fence.proxy.async")
def _fence_proxy(x: AsmWriter, i: Instruction) -> None:
    kind = i.name.removeprefix("fence.proxy.")
    x.e.line(f"h.fence_proxy({kind!r}, {x.mask}, {x.e.site()})")


@instruction_rule("fence.mbarrier_init")
def _fence_mbarrier(x: AsmWriter, i: Instruction) -> None:
    x.e.line(f"h.fence_mbarrier_init({x.mask}, {x.e.site()})")


@instruction_rule("fence", "membar", "nanosleep")
def _nothing(x: AsmWriter, i: Instruction) -> None:
    """Ordered as it is."""


@meeting_rule("bar.sync", "barrier.sync", "barrier.cta.sync")
def _barrier(x: AsmWriter, i: Instruction) -> Meeting:
    aligned = i.name.startswith("bar.") or i.has("aligned")
    uniform = x.e.function(collectives.uniform)
    numbers = [f"{uniform}(h, m, a{n}, {x.e.site()})" for n in range(len(i.operands))]
    threads = f", threads={numbers[1]}" if len(numbers) > 1 else ""
    call = f"h.bar_sync({numbers[0]}, m, {x.e.site()}{threads}, aligned={aligned})"
    operands = [x.value(operand) for operand in i.operands]
    return Meeting(call, operands, alone=not aligned, blocks=True)


@meeting_rule("bar.arrive", "barrier.arrive", "barrier.cta.arrive")
def _barrier_arrive(x: AsmWriter, i: Instruction) -> Meeting:
    aligned = i.name.startswith("bar.") or i.has("aligned")
    uniform = x.e.function(collectives.uniform)
    numbers = ", ".join(f"{uniform}(h, m, a{n}, {x.e.site()})" for n in (0, 1))
    call = f"h.bar_arrive({numbers}, m, {x.e.site()}, aligned={aligned})"
    return Meeting(call, [x.value(operand) for operand in i.operands], alone=not aligned)


@meeting_rule("barrier.cluster.arrive")
def _cluster_arrive(x: AsmWriter, i: Instruction) -> Meeting:
    relaxed, aligned = i.has("relaxed"), i.has("aligned")
    call = f"h.cluster_arrive(m, {x.e.site()}, relaxed={relaxed}, aligned={aligned})"
    return Meeting(call, alone=not aligned)


@meeting_rule("barrier.cluster.wait")
def _cluster_wait(x: AsmWriter, i: Instruction) -> Meeting:
    aligned = i.has("aligned")
    call = f"h.cluster_wait(m, {x.e.site()}, aligned={aligned})"
    return Meeting(call, alone=not aligned, blocks=True)


# arithmetic -----------------------------------------------------------------------------------

_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "mul.lo": "*", "shl": "<<"}


def _type(i: Instruction) -> Int:
    return Int(int(re.sub(r"\D", "", i.name.split(".")[-1])))


@instruction_rule(*_OPERATORS)
def _operator(x: AsmWriter, i: Instruction) -> None:
    sign = next(sign for name, sign in _OPERATORS.items() if is_named(i, name))
    if i.name.split(".")[-1].startswith("f"):
        raise x.e.refuse(f"has '{i.name}', which is not known to the simulator")
    dtype = x.e.dtype(_type(i))
    a, b = (f"{x.value(operand)}.astype({dtype})" for operand in i.operands[1:])
    x.assign(i.operands[0], f"{a} {sign} {b}")


@instruction_rule("mov")
def _move(x: AsmWriter, i: Instruction) -> None:
    x.assign(i.operands[0], x.value(i.operands[1]))


@instruction_rule("selp")
def _select(x: AsmWriter, i: Instruction) -> None:
    a, b, condition = map(x.value, i.operands[1:])
    x.assign(i.operands[0], f"{x.e.function(select)}({condition} != 0, {a}, {b})")
