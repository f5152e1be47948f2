"""Named pipelines: options, expansion, and what a builder may do wrong."""

from __future__ import annotations

import pytest
from mlir import ir
from tcgen05_mlir.passes import run_pipeline

SOURCE = "module { gpu.module @m {} }"


@pytest.fixture
def module():
    with ir.Context():
        yield ir.Module.parse(SOURCE)


def test_a_pipeline_expands_to_its_elements(module):
    result = run_pipeline(module, "test-pipeline{count=5}")
    assert result.operation.attributes["test.tag"].value == "test-tag{count=5}"
    nested = result.body.operations[0]
    assert nested.attributes["test.tag"].value == "test-tag{path=inline-asm}"


def test_a_pipeline_mixes_with_passes(module):
    result = run_pipeline(module, "test-pipeline,test-tag{level=0}")
    assert result.operation.attributes["test.tag"].value == "test-tag{level=0}"


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        (
            "test-pipeline{count=x}",
            "pipeline 'test-pipeline': option 'count' must be an integer, got 'x'",
        ),
        (
            "test-pipeline{nosuch=x}",
            "<Pass-Options-Parser>: no such option nosuch; "
            "pipeline 'test-pipeline' has 'count', 'ending'",
        ),
        ("test-pipeline{ending=raise}", "pipeline 'test-pipeline': no such ending"),
        (
            "test-pipeline{ending=no-str}",
            "pipeline 'test-pipeline' failed: NoStr: NoStr('boom')",
        ),
        ("test-pipeline{ending=nul}", r"pipeline 'test-pipeline': a\x00\udcff"),
        (
            "test-pipeline{ending=int}",
            "pipeline 'test-pipeline' must be built as a str, got 1",
        ),
        (
            "test-pipeline{ending=bad}",
            "<Pass-Options-Parser>: no such option nosuch; pass 'test-tag' has 'path', 'label', "
            "'list-assumptions', 'count', 'level'\n"
            "failed to add `test-tag` with options `nosuch=1`\n"
            "in the expansion of pipeline 'test-pipeline': "
            "test-tag{count=1},cse,test-tag{nosuch=1}",
        ),
        (
            "test-endless",
            "pipeline 'test-endless' expands to itself\n"
            "failed to add `test-endless` with options ``\n"
            "in the expansion of pipeline 'test-endless': cse,test-endless",
        ),
    ],
)
def test_a_pipeline_that_cannot_be_built(module, pipeline, message):
    with pytest.raises(ir.MLIRError) as caught:
        run_pipeline(module, pipeline)
    name, _, options = pipeline.partition("{")
    last = f"failed to add `{name}` with options `{options.rstrip('}')}`"
    assert str(caught.value) == f"{message}\n{last}"
    assert str(module) == str(ir.Module.parse(SOURCE))
