"""Registering passes: once per name and process, with the class checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from mlir import ir
from raising import raises
from tcgen05_mlir.passes import Pass, option, register_pass, register_pipeline, run_pipeline
from throwaway_passes import NoOptions, TestPipelineOptions, TestTag, build_test_pipeline


def make_pass(**changes: object) -> type[Pass]:
    """A pass class whose attributes are overridden; None leaves one out."""

    def run(self: Pass, op: ir.Operation) -> None: ...

    attributes = {"name": "test-made", "description": "Made.", "run": run, **changes}
    attributes = {name: value for name, value in attributes.items() if value is not None}
    return dataclass(frozen=True)(type("Made", (Pass,), attributes))


def test_the_same_class_twice_changes_nothing():
    assert register_pass(TestTag) is TestTag
    assert register_pass(TestTag) is TestTag
    with ir.Context():
        module = run_pipeline(ir.Module.parse("module {}"), "test-tag{count=4}")
    assert module.operation.attributes["test.tag"].value == "test-tag{count=4}"


def test_another_class_of_that_name_is_refused():
    with raises(ValueError, "'test-tag' is already registered, by throwaway_passes.TestTag"):
        register_pass(make_pass(name="test-tag"))


def cell(tag: str, *, text: str = "Cell.", default: int = 1) -> type[Pass]:
    """A pass as a notebook defines it each time that its cell runs."""

    @dataclass(frozen=True)
    class Cell(Pass):
        name: ClassVar[str] = "test-cell"
        description: ClassVar[str] = text
        size: int = option(default, description="it")

        def run(self, op: ir.Operation) -> None:
            op.attributes["test.tag"] = ir.StringAttr.get(f"{tag} {self}")

    return Cell


def ran_cell() -> str:
    with ir.Context():
        module = run_pipeline(ir.Module.parse("module {}"), "test-cell{size=2}")
        return module.operation.attributes["test.tag"].value


def test_a_class_defined_anew_takes_the_place_of_the_one_before():
    register_pass(cell("first"))
    assert ran_cell() == "first test-cell{size=2}"
    second = register_pass(cell("second"))
    assert ran_cell() == "second test-cell{size=2}"
    assert register_pass(second) is second
    for changes, what in (
        ({"default": 3}, "'options'"),
        ({"text": "Other."}, "'description'"),
        ({"text": "Other.", "default": 3}, "'description' and 'options'"),
    ):
        with raises(
            ValueError,
            f"'test-cell' is registered already, with other {what}, which MLIR keeps until the "
            "process ends: start it anew (in a notebook, the kernel), or choose another name",
        ):
            register_pass(cell("third", **changes))  # type: ignore[arg-type]
    assert ran_cell() == "second test-cell{size=2}"


def test_a_pipeline_defined_anew_takes_the_place_of_the_one_before():
    for count in (4, 5):

        def build(_: NoOptions, count: int = count) -> str:
            return f"test-tag{{count={count}}}"

        register_pipeline("test-anew", "Tag.", NoOptions, build)
        with ir.Context():
            module = run_pipeline(ir.Module.parse("module {}"), "test-anew")
        assert module.operation.attributes["test.tag"].value == f"test-tag{{count={count}}}"


@pytest.mark.parametrize("name", ["canonicalize", "gpu-lower-to-nvvm-pipeline"])
def test_a_name_of_mlir_is_refused(name):
    expected = f"'{name}' is a pass or pipeline of MLIR itself; choose another name"
    with raises(ValueError, expected):
        register_pass(make_pass(name=name))
    with raises(ValueError, expected):
        register_pipeline(name, "No.", NoOptions, lambda _: "cse")


@pytest.mark.parametrize("name", ["", "Upper", "under_score", "-dash", "two words", "a{b}"])
def test_a_malformed_name_is_refused(name):
    with raises(
        ValueError, f"'name' of Made must be lower case letters, digits and hyphens, got '{name}'"
    ):
        register_pass(make_pass(name=name))


def test_c07_a_run_with_the_wrong_signature_is_refused():
    def run(self: Pass) -> None: ...

    with raises(
        TypeError,
        "run of pass 'test-made' must be callable as run(self, op), "
        "its signature is (self: 'Pass') -> 'None': too many positional arguments",
    ):
        register_pass(make_pass(run=run))


def test_a_run_that_wants_more_is_refused():
    def run(self: Pass, op: ir.Operation, options: str) -> None: ...

    with raises(
        TypeError,
        "run of pass 'test-made' must be callable as run(self, op), its signature is "
        "(self: 'Pass', op: 'ir.Operation', options: 'str') -> 'None': "
        "missing a required argument: 'options'",
    ):
        register_pass(make_pass(run=run))


def test_a_run_that_nothing_would_drive_is_refused():
    def generate(self: Pass, op: ir.Operation):
        yield op

    async def wait(self: Pass, op: ir.Operation) -> None: ...

    async def stream(self: Pass, op: ir.Operation):
        yield op

    for run in (generate, wait, stream):
        with raises(
            TypeError, "run of pass 'test-made' must be a plain function: nothing awaits it"
        ):
            register_pass(make_pass(run=run))


def test_a_run_that_is_missing_or_no_method_is_refused():
    with raises(TypeError, "pass 'test-made' has no run: define run(self, op)"):
        register_pass(make_pass(run=None))
    with raises(TypeError, "run of pass 'test-made' must be a method, got 3"):
        register_pass(make_pass(run=3))
    message = "run of pass 'test-made' must be a method of the instance, without @staticmethod"
    with raises(TypeError, message):
        register_pass(make_pass(run=staticmethod(lambda self, op: None)))


def test_a_run_that_returns_what_nothing_drives_fails():
    def generate(op: ir.Operation):
        yield op

    cls = make_pass(name="test-generator", run=lambda self, op: generate(op))
    register_pass(cls)
    with ir.Context(), pytest.raises(ir.MLIRError) as caught:
        run_pipeline(ir.Module.parse("module {}"), "test-generator")
    assert [d.message for d in caught.value.error_diagnostics] == [
        "pass 'test-generator' failed: TypeError: run returned a generator, which nothing drives: "
        "it must do its work before it returns"
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": None}, "'name' of Made must be a str, got None"),
        ({"name": 3}, "'name' of Made must be a str, got 3"),
        ({"description": None}, "'description' of pass 'test-made' must be a text, got None"),
        ({"description": ""}, "'description' of pass 'test-made' must be a text, got ''"),
        (
            {"dependent_dialects": "arith"},
            "'dependent_dialects' of pass 'test-made' must be a tuple of names, got 'arith'",
        ),
        (
            {"dependent_dialects": (1,)},
            "'dependent_dialects' of pass 'test-made' must be a tuple of names, got (1,)",
        ),
    ],
)
def test_a_malformed_class_is_refused(changes, message):
    with raises(TypeError, message):
        register_pass(make_pass(**changes))


def test_what_is_no_pass_is_refused():
    for cls in (int, "test-tag", None):
        with raises(TypeError, f"register_pass wants a subclass of Pass, got {cls!r}"):
            register_pass(cls)  # type: ignore[arg-type]


def test_a_pass_that_is_not_frozen_is_refused():
    @dataclass
    class Mutable(Pass):
        name: ClassVar[str] = "test-mutable"
        description: ClassVar[str] = "Mutable."
        size: int = option(1, description="it")

        def run(self, op: ir.Operation) -> None: ...

    with raises(TypeError, "Mutable must be a frozen dataclass: @dataclass(frozen=True)"):
        register_pass(Mutable)


def test_a_refused_class_leaves_its_name_free():
    with pytest.raises(TypeError):
        register_pass(make_pass(name="test-second-try", description=None))
    register_pass(make_pass(name="test-second-try"))


def test_the_same_pipeline_twice_changes_nothing():
    register_pipeline("test-pipeline", "Tag twice.", TestPipelineOptions, build_test_pipeline)


def test_another_pipeline_of_that_name_is_refused():
    message = "'test-pipeline' is already registered, by throwaway_passes.build_test_pipeline"
    with raises(ValueError, message):
        register_pipeline("test-pipeline", "Other.", NoOptions, build_test_pipeline)


@dataclass(frozen=True)
class Misfit:
    size: int = option("big", description="it")  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (3, "options must be a frozen dataclass, got 3"),
        (None, "options must be a frozen dataclass, got None"),
        (NoOptions(), "options must be a frozen dataclass, got NoOptions()"),
        (dict, "dict must be a frozen dataclass: @dataclass(frozen=True)"),
        (Misfit, "option 'size' of Misfit is annotated int, got 'big'"),
    ],
)
def test_a_pipeline_s_options_of_another_kind_are_refused(options, message):
    with raises(TypeError, message):
        register_pipeline("test-other", "Other.", options, lambda _: "cse")


def test_a_pipeline_without_description_is_refused():
    with raises(TypeError, "'description' of pipeline 'test-other' must be a text, got None"):
        register_pipeline("test-other", None, NoOptions, lambda _: "cse")  # type: ignore[arg-type]


def test_a_pass_whose_default_does_not_fit_is_refused():
    @dataclass(frozen=True)
    class Wrong(Pass):
        name: ClassVar[str] = "test-wrong"
        description: ClassVar[str] = "Wrong."
        fast: bool = option(1, description="it")  # type: ignore[assignment]

        def run(self, op: ir.Operation) -> None: ...

    with raises(TypeError, "option 'fast' of Wrong is annotated bool, got 1"):
        register_pass(Wrong)


def build_slowly(_: NoOptions):
    yield "cse"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            build_slowly,
            "build of pipeline 'test-other' must be a plain function: nothing awaits it",
        ),
        ("cse", "build of pipeline 'test-other' must be callable, got 'cse'"),
        (
            lambda: "cse",
            "build of pipeline 'test-other' must be callable as build(options), "
            "its signature is (): too many positional arguments",
        ),
    ],
)
def test_a_builder_that_cannot_be_called_is_refused(build, message):
    with raises(TypeError, message):
        register_pipeline("test-other", "Other.", NoOptions, build)
