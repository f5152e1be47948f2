"""Rule T8: the constraints and the text of inline assembly fit its operands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from mlir import ir
from mlir.dialects import llvm

from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.texts import is_utf8, string_text

_REGISTER_BITS = {"h": 16, "r": 32, "l": 64, "q": 128, "f": 32, "d": 64}
_CONSTRAINT = re.compile(r"~\{[^{}]*\}|=&?[bhrlqfdc]|[bhrlqfdcNnim]|\d+")
_REFERENCE = re.compile(r"\$(?:\$|[(|)]|\{:(?:uid|comment|private)\}|(\d+)|\{(\d+)(?::r)?\})?")

_CONSTRAINT_REMEDY = (
    "'=r' or '=&r' is a result, 'r' an operand, a digit an operand in the place of that result, "
    "'n' a constant, '~{memory}' a clobber; letters are b, h, r, l, q, f, d, c"
)
_TEXT_REMEDY = "results are counted first, then operands, from $0; a dollar sign is written $$"


def misassembled(op: ir.Operation) -> Iterator[Diagnostic]:
    """The error for one `llvm.inline_asm`, the first of its constraints, counts and text."""
    if op.name != "llvm.inline_asm":
        return
    if not is_utf8(op.attributes["asm_string"]):
        found = string_text(op.attributes["asm_string"])
        yield op_error(op, f"'asm_string' must be UTF-8, as PTX is, got {found!a} [T8]")
        return
    text = string_text(op.attributes["constraints"])
    parts = text.split(",") if text else []
    for part in parts:
        if not _CONSTRAINT.fullmatch(part):
            message = f"'constraints' has none that PTX takes in {part!a} of {text!a} [T8]"
            yield op_error(op, message, _CONSTRAINT_REMEDY)
            return
    outputs = tuple(part for part in parts if part.startswith("="))
    inputs = tuple(part for part in parts if not part.startswith(("=", "~")))
    checks = (
        _misordered(parts),
        _miscounted(op, outputs, inputs),
        _mistyped(op, inputs),
        _misreturned(op, outputs),
    )
    for message in chain.from_iterable(checks):
        yield op_error(op, f"{message} [T8]", _CONSTRAINT_REMEDY)
        return
    for message in _misnumbered(op, len(outputs) + len(inputs)):
        yield op_error(op, f"{message} [T8]", _TEXT_REMEDY)
        return


def _misordered(parts: list[str]) -> Iterator[str]:
    ranks = [0 if part.startswith("=") else 2 if part.startswith("~") else 1 for part in parts]
    if ranks != sorted(ranks):
        found = ",".join(parts)
        yield f"'constraints' must have results, then operands, then clobbers, got {found!a}"
    ties = [part for part in parts if part.isdigit()]
    if len(ties) != len({int(tie) for tie in ties}):
        found = ",".join(parts)
        yield f"'constraints' must tie one operand at most to a result, got {found!a}"


def _miscounted(
    op: ir.Operation, outputs: tuple[str, ...], inputs: tuple[str, ...]
) -> Iterator[str]:
    results = len(_result_types(op))
    if len(outputs) != results:
        yield f"'constraints' must have {results} results as the operation has, got {len(outputs)}"
    if len(inputs) != len(op.operands):
        wanted = len(op.operands)
        yield f"'constraints' must have {wanted} operands as the operation has, got {len(inputs)}"
    for tie in inputs:
        if tie.isdigit() and int(tie) >= len(outputs):
            yield f"'constraints' must tie an operand to one of {len(outputs)} results, got {tie}"


def _result_types(op: ir.Operation) -> list[ir.Type]:
    kinds = [result.type for result in op.results]
    if kinds and _is_struct(kinds[0]):
        return list(kinds[0].body)  # pyright: ignore[reportAttributeAccessIssue]
    return kinds


def _is_struct(kind: ir.Type) -> bool:
    return isinstance(kind, llvm.StructType)  # pyright: ignore[reportAttributeAccessIssue]


def _mistyped(op: ir.Operation, inputs: tuple[str, ...]) -> Iterator[str]:
    for index, (letter, value) in enumerate(zip(inputs, op.operands, strict=True)):
        if letter in "ni" and not _is_constant(value):
            yield f"operand {index} must be a constant for '{letter}', got a {value.type}"
        yield from _misfit(f"operand {index}", value.type, letter)


def _misreturned(op: ir.Operation, outputs: tuple[str, ...]) -> Iterator[str]:
    if len(outputs) == 1 and _is_struct(op.results[0].type):
        yield f"result must be no struct where there is one, got {op.results[0].type}"
    for output, kind in zip(outputs, _result_types(op), strict=True):
        yield from _misfit("result", kind, output[-1])


def _misfit(operand: str, kind: ir.Type, letter: str) -> Iterator[str]:
    """A vector fills its register, and nothing but 128 bits goes into a `q`."""
    bits = _vector_bits(kind)
    if letter == "q" and bits is None and str(kind) != "i128":
        yield f"{operand} must have 128 bits for 'q', got {kind}"
    elif bits is not None and bits != _REGISTER_BITS.get(letter, bits):
        yield f"{operand} must have {_REGISTER_BITS[letter]} bits for '{letter}', got {kind}"


def _is_constant(value: ir.Value) -> bool:
    owner = value.owner
    names = ("llvm.mlir.constant", "llvm.mlir.addressof", "llvm.mlir.zero")
    return not isinstance(owner, ir.Block) and owner.name in names


def _vector_bits(kind: ir.Type) -> int | None:
    if not isinstance(kind, ir.VectorType) or kind.rank != 1:
        return None
    element = kind.element_type
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        return None
    return kind.shape[0] * element.width


def _misnumbered(op: ir.Operation, count: int) -> Iterator[str]:
    text = string_text(op.attributes["asm_string"])
    if re.search(r"\$\([^$]*(?:\$[^()][^$]*)*\$\(", text.replace("$$", "")):
        yield "'asm_string' must close a variant '$(' before the next, got two"
    for match in _REFERENCE.finditer(text):
        number = match[1] or match[2]
        if match[0] == "$":
            found = ascii(text[match.start() : match.start() + 8])
            yield f"'asm_string' must have the number of an operand behind '$', got {found}"
        elif number is not None and int(number) >= count:
            wanted = f"one of {count} operands, $0 to ${count - 1}" if count else "none"
            yield f"'asm_string' must name {wanted}, got '{match[0]}'"
