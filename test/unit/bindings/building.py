"""What the tests of the builders share: a place to build in, and whole messages."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from mlir import ir

Python = Callable[[str], "subprocess.CompletedProcess[str]"]
"""Runs code in a process of its own."""


@dataclass(frozen=True)
class Site:
    """An empty module entered for building, and values of the kinds that operands have."""

    module: ir.Module
    tile_type: ir.Type
    plain_type: ir.Type
    dst: ir.Value
    src: ir.Value
    taddr: ir.Value
    index: ir.Value
    flag: ir.Value

    def built(self) -> list[str]:
        """The text of what was built behind these values."""
        return [str(op) for op in list(self.module.body.operations)[1:]]

    def refusal(self) -> str:
        """The verifier's message."""
        with pytest.raises(ir.MLIRError) as error:
            self.module.operation.verify()
        return error.value.error_diagnostics[0].message


def attribute(text: str) -> ir.Attribute:
    return ir.Attribute.parse(text)


def refused(kind: type[Exception], message: str) -> Any:
    """Expects an exception whose text is exactly the message."""
    return pytest.raises(kind, match=rf"\A{re.escape(message)}\Z")
