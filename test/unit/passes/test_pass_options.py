"""Options as fields of a dataclass, without MLIR's pass manager."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises
from tcgen05_mlir.passes import option
from tcgen05_mlir.passes.options import check_annotations, format_value, option_specs, parse_options
from throwaway_passes import TestTag

DEFAULTS = ["nvvm", "", "false", "3", "2"]


def test_specs_follow_the_fields_in_order():
    specs = option_specs(TestTag)
    assert [(s.name, s.value_name, s.is_flag, s.help) for s in specs] == [
        ("path", "nvvm|inline-asm", False, "the path (default: nvvm)"),
        ("label", "string", False, "any text (default: )"),
        ("list-assumptions", "bool", True, "list them (default: false)"),
        ("count", "int", False, "how many (default: 3)"),
        ("level", "0|1|2|3", False, "the level (default: 2)"),
    ]


def test_defaults_parse_to_the_default_instance():
    assert parse_options(TestTag, DEFAULTS) == TestTag()


@pytest.mark.parametrize(
    ("position", "text", "field", "value"),
    [
        (0, "inline-asm", "path", "inline-asm"),
        (1, "two words", "label", "two words"),
        (1, "7", "label", "7"),
        (2, "true", "list_assumptions", True),
        (2, "1", "list_assumptions", True),
        (2, "True", "list_assumptions", True),
        (2, "0", "list_assumptions", False),
        (3, "-12", "count", -12),
        (3, "0x10", "count", 16),
        (4, "0", "level", 0),
    ],
)
def test_a_text_becomes_a_value_of_the_option_s_type(position, text, field, value):
    texts = [*DEFAULTS[:position], text, *DEFAULTS[position + 1 :]]
    parsed = getattr(parse_options(TestTag, texts), field)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("position", "text", "message"),
    [
        (0, "x", "option 'path' must be one of 'nvvm', 'inline-asm', got 'x'"),
        (0, "", "option 'path' must be one of 'nvvm', 'inline-asm', got ''"),
        (2, "maybe", "option 'list-assumptions' must be true or false, got 'maybe'"),
        (3, "1.5", "option 'count' must be an integer, got '1.5'"),
        (3, "", "option 'count' must be an integer, got ''"),
        (4, "4", "option 'level' must be one of 0, 1, 2, 3, got 4"),
        (4, "high", "option 'level' must be one of 0, 1, 2, 3, got 'high'"),
    ],
)
def test_a_bad_text_names_option_wish_and_finding(position, text, message):
    texts = [*DEFAULTS[:position], text, *DEFAULTS[position + 1 :]]
    with raises(ValueError, message):
        parse_options(TestTag, texts)


def test_a_pass_prints_as_the_text_that_makes_it():
    assert str(TestTag()) == "test-tag"
    assert str(TestTag(path="inline-asm")) == "test-tag{path=inline-asm}"
    assert str(TestTag(label="two words", list_assumptions=True, count=-1)) == (
        "test-tag{label={two words} list-assumptions=true count=-1}"
    )


@pytest.mark.parametrize(
    ("fields", "kind", "message"),
    [
        ({"path": "x"}, ValueError, "option 'path' must be one of 'nvvm', 'inline-asm', got 'x'"),
        ({"level": 9}, ValueError, "option 'level' must be one of 0, 1, 2, 3, got 9"),
        ({"path": 1}, TypeError, "option 'path' must be one of 'nvvm', 'inline-asm', got 1"),
        ({"count": "1"}, TypeError, "option 'count' must be an integer, got '1'"),
        ({"count": True}, TypeError, "option 'count' must be an integer, got True"),
        (
            {"list_assumptions": 1},
            TypeError,
            "option 'list-assumptions' must be true or false, got 1",
        ),
        ({"label": None}, TypeError, "option 'label' must be a string, got None"),
    ],
)
def test_a_pass_made_in_python_is_checked_too(fields, kind, message):
    with raises(kind, message):
        TestTag(**fields)


def test_a_pass_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TestTag().count = 4  # type: ignore[misc]


def test_option_refuses_a_default_of_another_kind():
    with raises(TypeError, "an option's default must be a str, a bool or an int, got float"):
        option(1.5, description="no")  # type: ignore[type-var]


def test_option_refuses_a_default_outside_its_choices():
    with raises(ValueError, "the default 'c' is not among the choices ('a', 'b')"):
        option("c", description="no", choices=("a", "b"))


def annotated(annotation: object, default: object, choices: tuple[object, ...] = ()) -> type:
    field = option(default, description="it", choices=choices)  # type: ignore[type-var]
    return dataclasses.make_dataclass("Options", [("x", annotation, field)], frozen=True)


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        *((int, 3), ("int", -1), (bool, True), (str, ""), (Any, 3), (Literal["a", "b"], "a")),
        *((int | str, "a"), (int | None, 3), ("NotDefinedYet", 3)),
    ],
)
def test_a_default_that_its_annotation_admits(annotation, default):
    check_annotations(annotated(annotation, default))


@pytest.mark.parametrize(
    ("annotation", "default", "text"),
    [
        (int, "3", "int, got '3'"),
        (int, True, "int, got True"),
        ("bool", 1, "bool, got 1"),
        (str, 0, "str, got 0"),
        (float, 1, "float, got 1"),
        (list, "a", "list, got 'a'"),
        (int | bool, "a", "int | bool, got 'a'"),
    ],
)
def test_a_default_that_its_annotation_does_not_admit(annotation, default, text):
    with raises(TypeError, f"option 'x' of Options is annotated {text}"):
        check_annotations(annotated(annotation, default))


def test_a_choice_that_the_annotation_does_not_admit():
    options = annotated(Literal[1, 2], 1, (1, 2, 3))
    with pytest.raises(TypeError, match=r"is annotated .*Literal.*, got 3"):
        check_annotations(options)


def test_a_field_without_option_is_refused():
    @dataclass(frozen=True)
    class Plain:
        size: int = 3

    with raises(
        TypeError, "field 'size' of Plain must be declared with option(default, description=...)"
    ):
        option_specs(Plain)


def test_a_class_that_is_no_frozen_dataclass_is_refused():
    @dataclass
    class Mutable:
        pass

    class Derived(TestTag):
        pass

    for cls in (Mutable, Derived):
        with raises(
            TypeError, f"{cls.__name__} must be a frozen dataclass: @dataclass(frozen=True)"
        ):
            option_specs(cls)


@given(st.integers(), st.booleans(), st.text())
def test_a_formatted_value_parses_back(count, flag, label):
    texts = ["nvvm", label, format_value(flag), format_value(count), "2"]
    expected = TestTag(label=label, list_assumptions=flag, count=count)
    assert parse_options(TestTag, texts) == expected
