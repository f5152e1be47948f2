"""The type stubs say what the compiled and the generated modules have, no more and no less."""

from __future__ import annotations

import ast
import inspect
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from tcgen05_mlir._mlir_libs import _tcgen05
from tcgen05_mlir.dialects import _tcgen05_ops_gen

STUBBED = {"_mlir_libs/_tcgen05.pyi": _tcgen05, "dialects/_tcgen05_ops_gen.pyi": _tcgen05_ops_gen}


def stub(name: str) -> ast.Module:
    package = find_spec("tcgen05_mlir")
    assert package is not None
    assert package.origin is not None
    return ast.parse((Path(package.origin).parent / name).read_text())


def classes(name: str) -> list[ast.ClassDef]:
    found = [node for node in stub(name).body if isinstance(node, ast.ClassDef)]
    return [node for node in found if not node.name.startswith("_")]


def own(module: ModuleType, kind: str) -> set[str]:
    """The public classes or functions that a module defines itself."""
    check = inspect.isclass if kind == "class" else callable
    public = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    named = {name for name, value in public.items() if check(value)}
    return {name for name in named if getattr(module, name).__module__ == module.__name__}


def stated_members(node: ast.ClassDef) -> set[str]:
    names = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    fields = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
    return {*names, *(field.id for field in fields if isinstance(field, ast.Name))} - {"__init__"}


# What every attribute and op class of the bindings has besides.
_INHERITED = {"isinstance", "static_typeid", "get_static_typeid"}


@pytest.mark.parametrize("name", STUBBED)
def test_a_stub_has_the_classes(name: str) -> None:
    assert {node.name for node in classes(name)} == own(STUBBED[name], "class")


@pytest.mark.parametrize(
    ("name", "node"), [(name, node) for name in STUBBED for node in classes(name)]
)
def test_a_stub_has_the_members(name: str, node: ast.ClassDef) -> None:
    found = {
        member
        for member in vars(getattr(STUBBED[name], node.name))
        if not member.startswith("_") and member not in _INHERITED
    }
    assert stated_members(node) == found


def parameters(arguments: ast.arguments) -> tuple[list[str], list[str]]:
    return [a.arg for a in arguments.args], [a.arg for a in arguments.kwonlyargs]


def test_the_generated_signatures() -> None:
    """Classes and functions take what the stub says, positional and by name."""
    name = "dialects/_tcgen05_ops_gen.pyi"
    functions = [node for node in stub(name).body if isinstance(node, ast.FunctionDef)]
    stated = {node.name: node for node in functions}
    for node in classes(name):
        stated[node.name] = next(
            item
            for item in node.body
            if isinstance(item, ast.FunctionDef) and item.name == "__init__"
        )
    assert set(stated) == {"AddressOp", "CpOp", "ViewOp", "address", "cp", "view"}
    for public, node in stated.items():
        function = getattr(_tcgen05_ops_gen, public)
        target = function.__init__ if inspect.isclass(function) else function
        by_kind: dict[object, list[str]] = {}
        for parameter in inspect.signature(target).parameters.values():
            by_kind.setdefault(parameter.kind, []).append(parameter.name)
        found = (
            by_kind[inspect.Parameter.POSITIONAL_OR_KEYWORD],
            by_kind[inspect.Parameter.KEYWORD_ONLY],
        )
        assert parameters(node.args) == found, public
