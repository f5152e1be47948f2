"""The type stub names what the extension has, no more and no less."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path

from tcgen05_mlir._mlir_libs import _tcgen05


def stub() -> ast.Module:
    package = find_spec("tcgen05_mlir")
    assert package is not None
    assert package.origin is not None
    path = Path(package.origin).with_name("_mlir_libs") / "_tcgen05.pyi"
    return ast.parse(path.read_text())


def test_the_stub_has_the_extension_s_names():
    named = set()
    for node in stub().body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            named.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            named.add(node.target.id)
    assert named == {name for name in dir(_tcgen05) if not name.startswith("_")}


def test_the_stub_has_the_functions_parameters():
    for node in stub().body:
        if isinstance(node, ast.FunctionDef):
            signature = getattr(_tcgen05, node.name).__nb_signature__[0][0]
            # nanobind writes a default as a backslash and its index.
            found = ast.parse(re.sub(r"\\\d+", "...", signature) + ": ...").body[0]
            assert isinstance(found, ast.FunctionDef)
            assert [a.arg for a in found.args.args] == [a.arg for a in node.args.args], node.name
