"""Passes and pipelines that exist for tests only; also a file for --load-python-passes."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir
from tcgen05_mlir.passes import (
    Diagnostic,
    Note,
    Pass,
    PassFailure,
    op_error,
    option,
    register_pass,
    register_pipeline,
)

RAN: list[str] = []
"""What ran, in order; each entry a pass's own text."""


@register_pass
@dataclass(frozen=True)
class TestTag(Pass):
    """Writes its own text into the attribute 'test.tag'."""

    __test__ = False
    name: ClassVar[str] = "test-tag"
    description: ClassVar[str] = "Tag the operation with the pass's options."
    path: str = option("nvvm", description="the path", choices=("nvvm", "inline-asm"))
    label: str = option("", description="any text")
    list_assumptions: bool = option(False, description="list them")
    count: int = option(3, description="how many")
    level: int = option(2, description="the level", choices=(0, 1, 2, 3))

    def run(self, op: ir.Operation) -> None:
        RAN.append(str(self))
        op.attributes["test.tag"] = ir.StringAttr.get(str(self))


class NoStr(Exception):
    """Its text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class NoRepr(NoStr):
    """Nor can its repr."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class BareFailure(PassFailure):
    """Leaves the base class uninitialized."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


@register_pass
@dataclass(frozen=True)
class TestRaise(Pass):
    """Rewrites the module, then raises."""

    __test__ = False
    name: ClassVar[str] = "test-raise"
    description: ClassVar[str] = "Raise an exception after half a rewrite."
    kind: str = option(
        "ValueError",
        description="which",
        choices=(
            *("ValueError", "KeyboardInterrupt", "SystemExit", "silent", "empty"),
            *("nul", "surrogate", "no-str", "no-repr", "bare", "report-nul"),
        ),
    )

    def run(self, op: ir.Operation) -> None:
        op.attributes["test.half"] = ir.UnitAttr.get()
        raise {
            "ValueError": ValueError("boom"),
            "KeyboardInterrupt": KeyboardInterrupt(),
            "SystemExit": SystemExit(3),
            "silent": AssertionError(),
            "empty": PassFailure(),
            "nul": ValueError("a\0b"),
            "surrogate": ValueError("a\udcffb\u00e9"),
            "no-str": NoStr("boom"),
            "no-repr": NoRepr("boom"),
            "bare": BareFailure("boom"),
            "report-nul": PassFailure(
                Diagnostic(op.location, "\0", (Note(op.location, "\ud800"),))
            ),
        }[self.kind]


@register_pass
@dataclass(frozen=True)
class TestReport(Pass):
    """Reports two errors with notes for every func.func."""

    __test__ = False
    name: ClassVar[str] = "test-report"
    description: ClassVar[str] = "Report two errors for each function."

    def run(self, op: ir.Operation) -> None:
        errors = []
        for function in op.regions[0].blocks[0].operations:
            elsewhere = Note(ir.Location.file("other.mlir", 7, 8), "declared here")
            errors.append(op_error(function, "'sym_name' is bad, got 1", "use 2", elsewhere))
            errors.append(Diagnostic(function.location, "and worse"))
        raise PassFailure(*errors)


@register_pass
@dataclass(frozen=True)
class TestRemark(Pass):
    """Emits one diagnostic of the given severity and succeeds."""

    __test__ = False
    name: ClassVar[str] = "test-remark"
    description: ClassVar[str] = "Emit one diagnostic."
    severity: str = option("remark", description="it", choices=("error", "warning", "remark"))

    def run(self, op: ir.Operation) -> None:
        note = Note(op.location, "a note")
        severity = ir.DiagnosticSeverity[self.severity.upper()]
        Diagnostic(op.location, f"a {self.severity}", (note,), severity).emit()


@register_pass
@dataclass(frozen=True)
class TestBuild(Pass):
    """Builds an operation and an attribute of dialects that the input does not use."""

    __test__ = False
    name: ClassVar[str] = "test-build"
    description: ClassVar[str] = "Build an index.constant."
    dependent_dialects: ClassVar[tuple[str, ...]] = ("index", "tcgen05")

    def run(self, op: ir.Operation) -> None:
        op.attributes["test.desc"] = ir.Attribute.parse("#tcgen05.smem_desc<ldo = 16, sdo = 128>")
        with ir.InsertionPoint.at_block_begin(op.regions[0].blocks[0]):
            value = ir.IntegerAttr.get(ir.IndexType.get(), 1)
            ir.Operation.create(
                "index.constant", results=[ir.IndexType.get()], attributes={"value": value}
            )


@register_pass
@dataclass(frozen=True)
class TestNeedsUnknownDialect(Pass):
    """Names a dialect that nobody registers."""

    __test__ = False
    name: ClassVar[str] = "test-needs-unknown-dialect"
    description: ClassVar[str] = "Need a dialect that is not there."
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nosuch",)

    def run(self, op: ir.Operation) -> None:
        RAN.append(str(self))


@register_pass
@dataclass(frozen=True)
class TestErase(Pass):
    """Erases every function, keeps none."""

    __test__ = False
    name: ClassVar[str] = "test-erase"
    description: ClassVar[str] = "Erase every function."

    def run(self, op: ir.Operation) -> None:
        for function in list(op.regions[0].blocks[0].operations):
            function.operation.erase()


@register_pass
@dataclass(frozen=True)
class TestEraseItself(Pass):
    """Erases the operation that it runs on."""

    __test__ = False
    name: ClassVar[str] = "test-erase-itself"
    description: ClassVar[str] = "Erase the operation itself."
    then: str = option("return", description="what", choices=("return", "raise"))

    def run(self, op: ir.Operation) -> None:
        op.erase()
        if self.then == "raise":
            raise ValueError("boom")


@register_pass
@dataclass(frozen=True)
class TestBreak(Pass):
    """Leaves a module that does not verify: a func.func without its type."""

    __test__ = False
    name: ClassVar[str] = "test-break"
    description: ClassVar[str] = "Make the module invalid."

    def run(self, op: ir.Operation) -> None:
        for function in op.regions[0].blocks[0].operations:
            del function.attributes["function_type"]


@register_pass
@dataclass(frozen=True)
class TestWait(Pass):
    """Says that it waits, and waits."""

    __test__ = False
    name: ClassVar[str] = "test-wait"
    description: ClassVar[str] = "Wait until a signal comes."

    def run(self, op: ir.Operation) -> None:
        print("waiting", file=sys.stderr, flush=True)
        signal.pause()


@dataclass(frozen=True)
class TestPipelineOptions:
    __test__ = False
    count: int = option(1, description="how often")
    ending: str = option(
        "good", description="how it ends", choices=("good", "bad", "raise", "int", "no-str", "nul")
    )


def build_test_pipeline(options: TestPipelineOptions) -> str:
    if options.ending == "raise":
        raise ValueError("no such ending")
    if options.ending == "no-str":
        raise NoStr("boom")
    if options.ending == "nul":
        raise ValueError("a\0\udcff")
    if options.ending == "int":
        return options.count  # type: ignore[return-value]
    ending = {"good": "gpu.module(test-tag{path=inline-asm})", "bad": "test-tag{nosuch=1}"}
    return f"test-tag{{count={options.count}}},cse,{ending[options.ending]}"


register_pipeline("test-pipeline", "Tag twice.", TestPipelineOptions, build_test_pipeline)


@dataclass(frozen=True)
class NoOptions:
    pass


register_pipeline("test-endless", "Expand to itself.", NoOptions, lambda _: "cse,test-endless")
