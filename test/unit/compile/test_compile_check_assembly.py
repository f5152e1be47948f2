"""Rule T8, which `tcgen05-check-lowered` checks: inline assembly fits its operands."""

from __future__ import annotations

import pytest
from device_text import diagnostics, gpu_module, kernel, run

PASS = "tcgen05-check-lowered"
CONSTRAINTS = (
    "'=r' or '=&r' is a result, 'r' an operand, a digit an operand in the place of that result, "
    "'n' a constant, '~{memory}' a clobber; letters are b, h, r, l, q, f, d, c"
)
TEXT = "results are counted first, then operands, from $0; a dollar sign is written $$"


def assembly(text: str, constraints: str, operands: str = "", kinds: str = "", result: str = "()"):
    """A kernel whose line 3 is the assembly, with its result kept from the cleanup."""
    name = "%0 = " if result != "()" else ""
    body = (
        f'{name}llvm.inline_asm has_side_effects "{text}", "{constraints}" {operands} '
        f": ({kinds}) -> {result}"
    )
    return gpu_module(kernel(body, "%a: i32, %v: vector<4xi32>, %h: vector<2xf16>"))


def found(*arguments: str) -> str:
    """The error's message; its place and its remedy are checked here."""
    lines = diagnostics(assembly(*arguments), PASS)
    place = "3:6" if len(arguments) == 5 else "3:1"
    assert len(lines) == 2
    about_text = "'asm_string'" in lines[0]
    assert lines[1] == f"{place}: note: {TEXT if about_text else CONSTRAINTS}"
    prefix, suffix = f"{place}: error: 'llvm.inline_asm' op ", " [T8]"
    assert lines[0].startswith(prefix)
    assert lines[0].endswith(suffix)
    return lines[0][len(prefix) : -len(suffix)]


@pytest.mark.parametrize(
    ("constraints", "part"), [("Z", "'Z'"), (",", "''"), ("+r", "'+r'"), ("=*r", "'=*r'")]
)
def test_constraints_are_ones_of_ptx(constraints, part):
    message = found("x $0;", constraints, "%a", "i32")
    assert message == f"'constraints' has none that PTX takes in {part} of '{constraints}'"


def test_there_are_as_many_constraints_as_operands_and_results():
    message = "'constraints' must have 1 operands as the operation has, got 2"
    assert found("x $0;", "r,r", "%a", "i32") == message
    message = "'constraints' must have 0 results as the operation has, got 1"
    assert found("x $0;", "=r,r", "%a", "i32") == message
    message = "'constraints' must have 2 results as the operation has, got 1"
    assert found("x $0;", "=r,r", "%a", "i32", "!llvm.struct<(i32, i32)>") == message


def test_a_tie_is_to_a_result():
    message = "'constraints' must tie an operand to one of 1 results, got 7"
    assert found("x $0, $1;", "=r,7", "%a", "i32", "i32") == message


def test_a_result_is_tied_once():
    message = "'constraints' must tie one operand at most to a result, got '=r,0,0'"
    assert found("x $0;", "=r,0,0", "%a, %a", "i32, i32", "i32") == message


@pytest.mark.parametrize("constraints", ["r,=r", "=r,~{memory},r"])
def test_results_come_before_operands_and_these_before_clobbers(constraints):
    message = "'constraints' must have results, then operands, then clobbers, got "
    assert found("x $0;", constraints, "%a", "i32", "i32") == f"{message}'{constraints}'"


def test_one_result_is_no_struct():
    message = "result must be no struct where there is one, got !llvm.struct<(i32)>"
    assert found("x $0;", "=r", "", "", "!llvm.struct<(i32)>") == message


def test_an_immediate_is_a_constant():
    assert found("x $0;", "n", "%a", "i32") == "operand 0 must be a constant for 'n', got a i32"


def test_a_vector_fills_its_register():
    message = "operand 0 must have 32 bits for 'r', got vector<4xi32>"
    assert found("x $0;", "r", "%v", "vector<4xi32>") == message


def test_a_resulting_vector_fills_its_register_too():
    message = "result must have 32 bits for 'r', got vector<4xi32>"
    assert found("x $0;", "=r", "", "", "vector<4xi32>") == message


def test_a_q_is_of_128_bits():
    assert found("x $0;", "q", "%a", "i32") == "operand 0 must have 128 bits for 'q', got i32"


def test_variants_do_not_nest():
    message = "'asm_string' must close a variant '$(' before the next, got two"
    assert found("x $(a$(b$)$);", "r", "%a", "i32") == message


def test_the_text_names_operands_that_there_are():
    message = "'asm_string' must name one of 1 operands, $0 to $0, got '$9'"
    assert found("x $9;", "r", "%a", "i32") == message
    assert found("x $0;", "") == "'asm_string' must name none, got '$0'"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x $", "'$'"),
        ("x $y;", "'$y;'"),
        ("x ${0", "'${0'"),
        ("x ${0:q};", "'${0:q};'"),
        ("x ${:foo}", "'${:foo}'"),
    ],
)
def test_a_dollar_sign_is_followed_by_a_number(text, shown):
    message = f"'asm_string' must have the number of an operand behind '$', got {shown}"
    assert found(text, "r", "%a", "i32") == message


@pytest.mark.parametrize(
    ("text", "constraints", "operands", "kinds", "result"),
    [
        ("x;", "", "", "", "()"),
        ("x;", "~{memory}", "", "", "()"),
        ("{ x $$y, ${0}, ${0:r}; }", "r,~{memory}", "%a", "i32", "()"),
        ("x $0, $1;", "=&r,0", "%a", "i32", "i32"),
        ("x $0, $1, $2;", "=r,=r,r", "%a", "i32", "!llvm.struct<(i32, i32)>"),
        ("x $(a$|b$), $(a$|$0$), ${:uid};", "r", "%a", "i32", "()"),
        ("x $0;", "r", "%h", "vector<2xf16>", "()"),
    ],
)
def test_assembly_that_fits(text, constraints, operands, kinds, result):
    module = assembly(text, constraints, operands, kinds, result)
    assert text in run(module, PASS)


def test_operations_that_become_assembly_count_too():
    text = gpu_module(kernel('nvvm.inline_ptx "x $9;" ro(%a : i32)', "%a: i32"))
    pipeline = f"gpu.module(convert-nvvm-to-llvm),{PASS}"
    assert diagnostics(text, pipeline) == [
        "3:1: error: 'llvm.inline_asm' op 'asm_string' must name one of 1 operands, $0 to $0, got "
        "'$9' [T8]",
        f"3:1: note: {TEXT}",
    ]
