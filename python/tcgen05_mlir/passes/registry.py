"""Passes and pipelines by name, for the whole process.

    @register_pass
    @dataclass(frozen=True)
    class ConvertXToY(Pass):
        name: ClassVar[str] = "convert-x-to-y"
        description: ClassVar[str] = "Convert x to y."
        dependent_dialects: ClassVar[tuple[str, ...]] = ("arith",)
        fast: bool = option(False, description="skip the checks")

        def run(self, op: ir.Operation) -> None: ...

makes ``convert-x-to-y{fast}`` a pass in `tcgen05_mlir.run_pipeline`, in ``tcgen05-opt`` and in
upstream's ``mlir.passmanager.PassManager.parse``. There is one registry in a process, as in MLIR.
"""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from mlir import ir

from tcgen05_mlir._mlir_libs import _tcgen05
from tcgen05_mlir.passes.adaptor import PassHooks, PipelineHook
from tcgen05_mlir.passes.options import (
    OptionSpec,
    check_annotations,
    check_options,
    format_options,
    format_value,
    option_specs,
)

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


class Pass:
    """Base of all passes: a frozen dataclass whose fields are its options.

    ``str(ConvertXToY(fast=True))`` is the text that makes it: ``convert-x-to-y{fast=true}``.
    A field outside its choices raises ValueError, one of another type TypeError.
    """

    name: ClassVar[str]
    """The name in pipelines; lower case, digits and hyphens."""
    description: ClassVar[str]
    """One line for ``--help``."""
    dependent_dialects: ClassVar[tuple[str, ...]] = ()
    """Every dialect of which the pass creates operations, types or attributes.

    They are loaded before it runs. Creating an operation of a dialect that is not loaded ends the
    process, in MLIR itself.
    """

    def __post_init__(self) -> None:
        check_options(self)

    def __str__(self) -> str:
        return self.name + format_options(self)

    def run(self, op: ir.Operation) -> None:
        """Transform ``op``, the operation that the pass is scheduled on, or check it.

        The operation's context and location are the current ones. Several threads may run it at
        once on different operations. Raise `diagnostics.PassFailure` to report what is wrong.
        Keep no operation, type or attribute beyond the call: the context may end before Python.
        """
        raise NotImplementedError


PassT = TypeVar("PassT", bound=Pass)
OptionsT = TypeVar("OptionsT")


@dataclass
class _Entry:
    """A registered name: its definition in Python, the hook that runs it, what MLIR copied."""

    owner: tuple[Any, ...]
    hook: Any
    facts: dict[str, Any]


_registered: dict[str, _Entry] = {}
_lock = threading.Lock()


def register_pass(cls: type[PassT]) -> type[PassT]:
    """Register a pass under ``cls.name``; a class decorator. Once more with the same class: no-op.

    A class of the same module and qualified name takes the place of the one before, as when a cell
    of a notebook runs again. MLIR keeps its description, options and dialects: with others it is a
    ValueError.

    Raises TypeError for a class that is no pass (not a frozen dataclass, a field without `option`
    or with a default that its annotation does not admit, no ``run``, or one that cannot be called
    with one operation), ValueError for a name that is malformed or taken, be it by MLIR itself.
    """
    specs = _check_pass_class(cls)
    facts: dict[str, Any] = {
        "description": cls.description,
        "options": _option_tuples(specs),
        "dependent_dialects": list(cls.dependent_dialects),
    }
    with _lock:
        entry = _taken(cls.name, (cls,), facts)
        if entry is None:
            hooks = PassHooks(cls.name, cls)
            _tcgen05.register_pass(
                cls.name,
                cls.__name__,
                cls.description,
                facts["options"],
                facts["dependent_dialects"],
                hooks.check,
                hooks.run,
            )
            _registered[cls.name] = _Entry((cls,), hooks, facts)
        else:
            entry.hook.cls = cls
            entry.owner = (cls,)
    return cls


def register_pipeline(
    name: str,
    description: str,
    options: type[OptionsT],
    build: Callable[[OptionsT], str],
) -> None:
    """Register a named pipeline. ``build(options)`` returns its elements, ``a{x=1},gpu.module(b)``.

    ``options`` is a frozen dataclass of `option` fields. A ValueError that ``build`` raises is the
    text of the error that the user sees. Once more with the same arguments: no-op; with others of
    the same modules and qualified names: they take the place of those before. Raises like
    `register_pass`.
    """
    _check_name("pipeline", name)
    _check_description("pipeline", name, description)
    specs = option_specs(options)
    check_annotations(options)
    what = f"build of pipeline '{name}'"
    if not callable(build):
        raise TypeError(f"{what} must be callable, got {build!r}")
    _check_plain(build, what)
    _check_call(build, 1, what, "build(options)")
    facts: dict[str, Any] = {"description": description, "options": _option_tuples(specs)}
    with _lock:
        entry = _taken(name, (options, build), facts)
        if entry is None:
            hook = PipelineHook(name, (options, build))
            _tcgen05.register_pipeline(name, description, facts["options"], hook.build)
            _registered[name] = _Entry((options, build), hook, facts)
        else:
            entry.hook.source = entry.owner = (options, build)


def _taken(name: str, owner: tuple[Any, ...], facts: dict[str, Any]) -> _Entry | None:
    """The entry that ``owner`` may take over; ValueError where the name is another's."""
    entry = _registered.get(name)
    if entry is None:
        if _tcgen05.is_pass_registered(name):
            raise ValueError(f"'{name}' is a pass or pipeline of MLIR itself; choose another name")
        return None
    if owner != entry.owner and _identity(owner) != _identity(entry.owner):
        raise ValueError(f"'{name}' is already registered, by {_describe(entry.owner)}")
    changed = [f"'{fact}'" for fact in facts if facts[fact] != entry.facts[fact]]
    if changed:
        raise ValueError(
            f"'{name}' is registered already, with other {' and '.join(changed)}, which MLIR keeps "
            "until the process ends: start it anew (in a notebook, the kernel), or choose another "
            "name"
        )
    return entry


def _identity(owner: tuple[Any, ...]) -> list[object]:
    """Where each part was defined; what has no such place is only itself."""
    names = [(getattr(o, "__module__", None), getattr(o, "__qualname__", None)) for o in owner]
    return [name if all(name) else part for name, part in zip(names, owner, strict=True)]


def _describe(owner: tuple[Any, ...]) -> str:
    """``my_package.passes.ConvertXToY``: the class of a pass, the builder of a pipeline."""
    name = getattr(owner[-1], "__qualname__", None)
    return f"{getattr(owner[-1], '__module__', None)}.{name}" if name else repr(owner[-1])


def _check_pass_class(cls: type[Pass]) -> tuple[OptionSpec, ...]:
    if not (isinstance(cls, type) and issubclass(cls, Pass)):
        raise TypeError(f"register_pass wants a subclass of Pass, got {cls!r}")
    _check_name(cls.__name__, getattr(cls, "name", None))
    _check_description("pass", cls.name, getattr(cls, "description", None))
    dialects: Any = cls.dependent_dialects
    if not isinstance(dialects, tuple) or not all(isinstance(d, str) for d in dialects):
        raise TypeError(
            f"'dependent_dialects' of pass '{cls.name}' must be a tuple of names, got {dialects!r}"
        )
    _check_run(cls)
    specs = option_specs(cls)
    check_annotations(cls)
    return specs


def _check_run(cls: type[Pass]) -> None:
    what = f"run of pass '{cls.name}'"
    if cls.run is Pass.run:
        raise TypeError(f"pass '{cls.name}' has no run: define run(self, op)")
    if not inspect.isroutine(cls.run):
        raise TypeError(f"{what} must be a method, got {cls.run!r}")
    if isinstance(inspect.getattr_static(cls, "run"), (staticmethod, classmethod)):
        raise TypeError(f"{what} must be a method of the instance, without @staticmethod")
    _check_plain(cls.run, what)
    _check_call(cls.run, 2, what, "run(self, op)")


def _check_plain(function: Callable[..., Any], what: str) -> None:
    kinds = (
        inspect.iscoroutinefunction,
        inspect.isgeneratorfunction,
        inspect.isasyncgenfunction,
    )
    if any(is_kind(function) for is_kind in kinds):
        raise TypeError(f"{what} must be a plain function: nothing awaits it")


def _check_description(kind: str, name: str, description: object) -> None:
    if not isinstance(description, str) or not description:
        raise TypeError(f"'description' of {kind} '{name}' must be a text, got {description!r}")


def _check_name(owner: str, name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"'name' of {owner} must be a str, got {name!r}")
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"'name' of {owner} must be lower case letters, digits and hyphens, got '{name}'"
        )


def _check_call(function: Callable[..., Any], count: int, what: str, wanted: str) -> None:
    signature = inspect.signature(function)
    try:
        signature.bind(*[None] * count)
    except TypeError as error:
        raise TypeError(
            f"{what} must be callable as {wanted}, its signature is {signature}: {error}"
        ) from None


def _option_tuples(specs: tuple[OptionSpec, ...]) -> list[tuple[str, str, str, str, bool]]:
    return [
        (spec.name, spec.help, spec.value_name, format_value(spec.default), spec.is_flag)
        for spec in specs
    ]
