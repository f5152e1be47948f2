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

_registered: dict[str, object] = {}
_lock = threading.Lock()


def register_pass(cls: type[PassT]) -> type[PassT]:
    """Register a pass under ``cls.name``; a class decorator. Once more with the same class: no-op.

    Raises TypeError for a class that is no pass (not a frozen dataclass, a field without `option`
    or with a default that its annotation does not admit, no ``run``, or one that cannot be called
    with one operation), ValueError for a name that is malformed or
    taken, be it by MLIR itself.
    """
    specs = _check_pass_class(cls)
    hooks = PassHooks(cls.name, cls)
    with _lock:
        if _is_new(cls.name, cls):
            _tcgen05.register_pass(
                cls.name,
                cls.__name__,
                cls.description,
                _option_tuples(specs),
                list(cls.dependent_dialects),
                hooks.check,
                hooks.run,
            )
            _registered[cls.name] = cls
    return cls


def register_pipeline(
    name: str,
    description: str,
    options: type[OptionsT],
    build: Callable[[OptionsT], str],
) -> None:
    """Register a named pipeline. ``build(options)`` returns its elements, ``a{x=1},gpu.module(b)``.

    ``options`` is a frozen dataclass of `option` fields. A ValueError that ``build`` raises is the
    text of the error that the user sees. Once more with the same arguments: no-op. Raises like
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
    hook = PipelineHook(name, options, build)
    with _lock:
        if _is_new(name, (options, build)):
            _tcgen05.register_pipeline(name, description, _option_tuples(specs), hook.build)
            _registered[name] = (options, build)


def _is_new(name: str, owner: object) -> bool:
    """False where ``owner`` has the name already; ValueError where another has."""
    if name in _registered:
        if _registered[name] == owner:
            return False
        raise ValueError(f"'{name}' is already registered, by {_describe(_registered[name])}")
    if _tcgen05.is_pass_registered(name):
        raise ValueError(f"'{name}' is a pass or pipeline of MLIR itself; choose another name")
    return True


def _describe(owner: object) -> str:
    """``my_package.passes.ConvertXToY``: the class of a pass, the builder of a pipeline."""
    if isinstance(owner, tuple):
        owner = owner[-1]
    name = getattr(owner, "__qualname__", None)
    return f"{getattr(owner, '__module__', None)}.{name}" if name else repr(owner)


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
