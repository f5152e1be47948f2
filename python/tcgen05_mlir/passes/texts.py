"""Texts of the IR as Python has them: MLIR's are bytes, which need not be UTF-8.

Upstream's bindings raise RuntimeError for such bytes, or end the process. Here each of them reads
as an escape, `\\xff`.
"""

from __future__ import annotations

import re

from mlir import ir

_WORD = re.compile(r"[\w.$]+")
_QUOTED = re.compile(r'loc\(("(?:[^"\\]|\\.)*")')


def string_text(attribute: ir.Attribute) -> str:
    """What a string attribute says."""
    return ir.StringAttr(attribute).value_bytes.decode(errors="backslashreplace")


def symbol_text(reference: ir.Attribute) -> str:
    """`copy` of the reference `@copy`."""
    return _unquoted(str(reference).removeprefix("@"), reference.context)


def file_text(location: ir.Location) -> str:
    """The file that a location in a file names: `copy.mlir` of `loc("copy.mlir":61:9)`."""
    match = _QUOTED.match(str(location))
    assert match is not None, "a location in a file"
    return _unquoted(match[1], location.context)


def is_utf8(attribute: ir.Attribute) -> bool:
    """The bytes of a string attribute are UTF-8."""
    try:
        ir.StringAttr(attribute).value_bytes.decode()
    except UnicodeDecodeError:
        return False
    return True


def attributes_of(op: ir.Operation) -> dict[str, ir.Attribute]:
    """An operation's attributes by name; where one's name is no UTF-8, those with plain names.

    Upstream's bindings can then name none of them, but look each up.
    """
    try:
        names = list(op.attributes)
    except RuntimeError:
        words = dict.fromkeys(_WORD.findall(_generic(op)))
        names = [word for word in words if word in op.attributes]
    return {name: op.attributes[name] for name in names}


def _generic(op: ir.Operation) -> str:
    return str(op.get_asm(print_generic_op_form=True, skip_regions=True))


def _unquoted(printed: str, context: ir.Context) -> str:
    if "\\" in printed:
        return string_text(ir.Attribute.parse(printed, context))
    return printed.strip('"')
