"""Options of passes and pipelines: typed fields of a frozen dataclass.

    path: str = option("nvvm", description="...", choices=("nvvm", "inline-asm"))

is, in a pipeline, ``name{path=inline-asm}``. A field ``list_assumptions`` is the option
``list-assumptions``. Strings, booleans and integers are supported; the default gives the type.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

_METADATA_KEY = "tcgen05-option"
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}

Value = str | bool | int
ValueT = TypeVar("ValueT", str, bool, int)
OptionsT = TypeVar("OptionsT")


def option(default: ValueT, *, description: str, choices: Sequence[ValueT] = ()) -> ValueT:
    """Declare a field of a pass, or of a pipeline's options, as an option.

    ``default`` is a str, a bool or an int and sets the option's type. ``choices``, where given,
    are the only legal values and contain the default. ``option("nvvm", description="the path",
    choices=("nvvm", "inline-asm"))`` shows in help as ``--path=<nvvm|inline-asm> - the path
    (default: nvvm)``.

    Raises TypeError for another kind of default, ValueError for a default outside the choices.
    """
    if not isinstance(default, (str, bool, int)):
        raise TypeError(
            f"an option's default must be a str, a bool or an int, got {type(default).__name__}"
        )
    if choices and default not in choices:
        raise ValueError(f"the default {default!r} is not among the choices {tuple(choices)!r}")
    metadata = {_METADATA_KEY: (description, tuple(choices))}
    # dataclasses.field promises a Field to type checkers; a declaration means its value.
    field: Any = dataclasses.field(default=default, metadata=metadata)
    return field


@dataclasses.dataclass(frozen=True)
class OptionSpec:
    """One declared option: ``name`` as in pipelines, ``field`` as in the dataclass."""

    field: str
    description: str
    default: Value
    choices: tuple[Value, ...]

    @property
    def name(self) -> str:
        return self.field.replace("_", "-")

    @property
    def is_flag(self) -> bool:
        """``{name}`` alone means true."""
        return isinstance(self.default, bool)

    @property
    def value_name(self) -> str:
        """What help shows as the value: ``nvvm|inline-asm``, ``string``, ``int``."""
        if self.choices:
            return "|".join(format_value(choice) for choice in self.choices)
        return "string" if isinstance(self.default, str) else type(self.default).__name__

    @property
    def help(self) -> str:
        return f"{self.description} (default: {format_value(self.default)})"

    def parse(self, text: str) -> Value:
        """The value that ``text`` stands for; ValueError, starting with the option, if none."""
        value = self._convert(text)
        problem = self.problem(value)
        if problem:
            raise ValueError(problem)
        return value

    def _convert(self, text: str) -> Value:
        """``text`` as a value of the option's type, or as it is where it is none."""
        if isinstance(self.default, bool):
            return _BOOLEANS.get(text.lower(), text)
        if isinstance(self.default, int):
            try:
                return int(text, 0)
            except ValueError:
                return text
        return text

    def problem(self, value: object) -> str | None:
        """``option 'path' must be one of 'nvvm', 'inline-asm', got 'x'``; None if it is legal."""
        if self.choices and (type(value) is not type(self.default) or value not in self.choices):
            wanted = "one of " + ", ".join(repr(choice) for choice in self.choices)
        elif type(value) is not type(self.default):
            wanted = {bool: "true or false", int: "an integer", str: "a string"}[type(self.default)]
        else:
            return None
        return f"option '{self.name}' must be {wanted}, got {value!r}"


def option_specs(cls: type) -> tuple[OptionSpec, ...]:
    """The options that a frozen dataclass declares, in order.

    Raises TypeError for what is no frozen dataclass or has a field without `option`.
    """
    if not isinstance(cls, type):
        raise TypeError(f"options must be a frozen dataclass, got {cls!r}")
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen or "__dataclass_fields__" not in vars(cls):
        raise TypeError(f"{cls.__name__} must be a frozen dataclass: @dataclass(frozen=True)")
    return tuple(_spec(cls, field) for field in dataclasses.fields(cls))


def _spec(cls: type, field: dataclasses.Field[Any]) -> OptionSpec:
    if _METADATA_KEY not in field.metadata:
        raise TypeError(
            f"field '{field.name}' of {cls.__name__} must be declared with option(default, "
            "description=...)"
        )
    description, choices = field.metadata[_METADATA_KEY]
    default: Any = field.default
    return OptionSpec(field.name, description, default, choices)


def check_annotations(cls: type) -> None:
    """Raise TypeError for an option whose default or choices do not fit its annotation.

    ``size: int = option("big", ...)`` does not. An annotation whose names cannot be found when the
    class is registered is not judged.
    """
    try:
        hints = typing.get_type_hints(cls)
    except Exception:
        return
    for spec in option_specs(cls):
        for value in (spec.default, *spec.choices):
            if not _fits(value, hints[spec.field]):
                annotation = vars(cls)["__dataclass_fields__"][spec.field].type
                text = getattr(annotation, "__name__", annotation)
                raise TypeError(
                    f"option '{spec.name}' of {cls.__name__} is annotated {text}, got {value!r}"
                )


def _fits(value: Value, hint: Any) -> bool:
    """Whether ``hint`` admits ``value``; a bool is no int here."""
    if typing.get_origin(hint) is Literal:
        return any(type(value) is type(arg) and value == arg for arg in typing.get_args(hint))
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return any(_fits(value, arg) for arg in typing.get_args(hint))
    return hint is Any or hint is type(value) or hint is object


def parse_options(cls: type[OptionsT], values: Sequence[str]) -> OptionsT:
    """An instance of ``cls`` from the options' texts, in the order of their declaration.

    Raises ValueError for a text that is not a legal value.
    """
    specs = option_specs(cls)
    return cls(**{spec.field: spec.parse(text) for spec, text in zip(specs, values, strict=True)})


def check_options(instance: object) -> None:
    """Raise ValueError for a field outside its choices, TypeError for one of another type."""
    for spec in option_specs(type(instance)):
        value = getattr(instance, spec.field)
        problem = spec.problem(value)
        if problem:
            raise (ValueError if type(value) is type(spec.default) else TypeError)(problem)


def format_options(instance: object) -> str:
    """``{path=inline-asm list-assumptions=true}``: what differs from the defaults; else empty."""
    values = {spec: getattr(instance, spec.field) for spec in option_specs(type(instance))}
    texts = [
        f"{spec.name}={_quoted(format_value(value))}"
        for spec, value in values.items()
        if value != spec.default
    ]
    return "{" + " ".join(texts) + "}" if texts else ""


def format_value(value: Value) -> str:
    """The value as a pipeline spells it: ``true``, ``-3``, ``nvvm``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(text: str) -> str:
    return "{" + text + "}" if " " in text else text
