"""What takes the place of each tcgen05 operation: judged first, written later.

A planner reads an operation and gives a `Step`, which writes the code in front of it. It raises
PassFailure where emulation cannot do what the operation does; nothing has been changed by then.

A step looks up the operands itself: one of them may be what an earlier step has put in the place
of a load.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from mlir import ir

from tcgen05_mlir.model import Instruction
from tcgen05_mlir.model.ldst_shapes import read_ldst_shape
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error
from tcgen05_mlir.passes.tcgen05_instructions import cta_groups
from tcgen05_mlir.passes.texts import string_text

from .accesses import Access, load_function, store_function
from .allocation import alloc_function, dealloc_function, relinquish_function
from .code import Code
from .commits import commit_function
from .copies import copy_function
from .lanes import ALL, meet
from .library import Library, call
from .memory import fence
from .operands import SHARED, TENSOR, require_operands, require_type
from .shifts import shift_function
from .values import Value

Site = Callable[[], Value]
"""The number of an operation in reports."""

Step = Callable[[Library, Code, Site], Value | None]
"""Writes what takes the place of an operation; takes its site, gives what replaces its result."""

Planner = Callable[[ir.Operation], Step]

KNOWN: Final = "alloc, dealloc, relinquish_alloc_permit, cp, commit, shift, ld, st, wait and fence"


def plan(op: ir.Operation) -> Step:
    """The step for a tcgen05 operation. Raises PassFailure [E1] for one without."""
    if op.name in _PLANNERS:
        return _PLANNERS[op.name](op)
    if op.name.startswith("tcgen05."):
        text = "must be lowered before emulation [E1]"
        raise PassFailure(op_error(op, text, "put convert-tcgen05-to-nvvm in front"))
    raise PassFailure(_unknown(op, "cannot be emulated"))


def _unknown(op: ir.Operation, what: str) -> Diagnostic:
    return op_error(
        op,
        f"{what}: emulation has {KNOWN} [E1]",
        "compile for a chip with tcgen05 without emulation, or keep it out of this gpu.module",
    )


def _copy(op: ir.Operation) -> Step:
    parts = {name: _case(op, name) for name in ("shape", "multicast", "srcFormat")}
    multicast = parts["multicast"] if parts["multicast"] != "none" else None
    instruction = Instruction(parts["shape"] or "", multicast, _group(op), parts["srcFormat"])

    def step(library: Library, code: Code, site: Site) -> None:
        taddr, descriptor = op.operands
        operands = [_address(code, taddr), Value(code, descriptor), code.true(), site()]
        call(code, copy_function(library, instruction), operands, None)

    return step


_ASSEMBLY = re.compile(r"(?P<guard>@\$2 )?(?P<mnemonic>tcgen05\.cp\.\S+) \[\$0\], \$1;")


def _assembly(op: ir.Operation) -> Step:
    """The form that the lowering writes; no other."""
    text = string_text(op.attributes["asm_string"])
    match = _ASSEMBLY.fullmatch(text)
    guarded = bool(match and match["guard"])
    wanted = "r,l,b,~{memory}" if guarded else "r,l,~{memory}"
    if match is None or string_text(op.attributes["constraints"]) != wanted:
        raise PassFailure(_unknown(op, "holds tcgen05 instructions that cannot be emulated"))
    try:
        instruction = Instruction.from_ptx(match["mnemonic"])
    except ValueError as error:
        raise PassFailure(op_error(op, str(error))) from None
    require_operands(op, TENSOR, ("i64",), *([("i1",)] if guarded else []))

    def step(library: Library, code: Code, site: Site) -> None:
        taddr, *others = op.operands
        descriptor, *predicate = (Value(code, operand) for operand in others)
        issues = predicate[0] if predicate else code.true()
        operands = [_address(code, taddr), descriptor, issues, site()]
        call(code, copy_function(library, instruction), operands, None)

    return step


def _alloc(op: ir.Operation) -> Step:
    require_type(op, "addr", op.operands[0], *SHARED)
    group, space = _group(op), _space(op.operands[0])

    def step(library: Library, code: Code, site: Site) -> None:
        slot, columns = op.operands
        function = alloc_function(library, group, space)
        call(code, function, [Value(code, slot), Value(code, columns), site()], None)

    return step


def _dealloc(op: ir.Operation) -> Step:
    group = _group(op)

    def step(library: Library, code: Code, site: Site) -> None:
        taddr, columns = op.operands
        operands = [_address(code, taddr), Value(code, columns), site()]
        call(code, dealloc_function(library, group), operands, None)

    return step


def _relinquish(op: ir.Operation) -> Step:
    group = _group(op)
    return lambda library, code, site: _do(code, relinquish_function(library, group), [site()])


def _commit(op: ir.Operation) -> Step:
    require_type(op, "addr", op.operands[0], *SHARED)
    group, space = _group(op), _space(op.operands[0])

    def step(library: Library, code: Code, site: Site) -> None:
        barrier, *masks = op.operands
        function = commit_function(library, group, space, bool(masks))
        operands = [Value(code, barrier), *(Value(code, mask) for mask in masks), site()]
        call(code, function, operands, None)

    return step


def _shift(op: ir.Operation) -> Step:
    group = _group(op)

    def step(library: Library, code: Code, site: Site) -> None:
        (taddr,) = op.operands
        call(code, shift_function(library, group), [_address(code, taddr), site()], None)

    return step


def _load(op: ir.Operation) -> Step:
    access = _access(op, op.result.type, "pack")

    def step(library: Library, code: Code, site: Site) -> Value:
        taddr, *offset = op.operands
        operands = [_address(code, taddr), _offset(code, offset), site()]
        done = call(code, load_function(library, access), operands, access.type)
        return Value(code, done.result)

    return step


def _store(op: ir.Operation) -> Step:
    access = _access(op, op.operands[1].type, "unpack")

    def step(library: Library, code: Code, site: Site) -> None:
        taddr, words, *offset = op.operands
        operands = [_address(code, taddr), _offset(code, offset), site(), Value(code, words)]
        call(code, store_function(library, access), operands, None)

    return step


def _wait(op: ir.Operation) -> Step:
    stores = _case(op, "kind") == "store"

    def step(library: Library, code: Code, site: Site) -> None:
        if stores:
            fence(code, library.scope)
        # All lanes' accesses are over, for each lane.
        meet(code.constant(ALL))

    return step


def _fence(op: ir.Operation) -> Step:
    return lambda library, code, site: fence(code, library.scope)


_PLANNERS: Final[dict[str, Planner]] = {
    "nvvm.tcgen05.alloc": _alloc,
    "nvvm.tcgen05.dealloc": _dealloc,
    "nvvm.tcgen05.relinquish_alloc_permit": _relinquish,
    "nvvm.tcgen05.cp": _copy,
    "nvvm.tcgen05.commit": _commit,
    "nvvm.tcgen05.shift": _shift,
    "nvvm.tcgen05.ld": _load,
    "nvvm.tcgen05.st": _store,
    "nvvm.tcgen05.wait": _wait,
    "nvvm.tcgen05.fence": _fence,
    "llvm.inline_asm": _assembly,
}


def _do(code: Code, function: str, operands: list[Value]) -> None:
    call(code, function, operands, None)


def _access(op: ir.Operation, type_: ir.Type, packing: str) -> Access:
    registers = type_.get_dim_size(0) if isinstance(type_, ir.VectorType) else 1
    shape = _case(op, "shape") or ""
    return Access(read_ldst_shape(shape, registers), registers, packing in op.attributes)


def _group(op: ir.Operation) -> int:
    return cta_groups(op)[0]


def _space(pointer: ir.Value) -> int:
    return 3 if str(pointer.type) == "!llvm.ptr<3>" else 0


def _case(op: ir.Operation, name: str) -> str | None:
    """The case of an enum attribute: `shape_32x32b` of `#nvvm.tcgen05_ldst_shape<shape_32x32b>`."""
    if name not in op.attributes:
        return None
    match = re.search(r"(\w+)>$", str(op.attributes[name]))
    return match[1] if match else None


def _address(code: Code, taddr: ir.Value) -> Value:
    """The i32 of an address of tensor memory, which may be a pointer."""
    value = Value(code, taddr)
    return value if str(taddr.type) == "i32" else value.address(32)


def _offset(code: Code, offset: list[ir.Value]) -> Value:
    return Value(code, offset[0]).to(32) if offset else code.constant(0)
