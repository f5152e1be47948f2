"""What `compile(..., emit="mlir", emulate=True)` returns is a source: for the compiler, a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tcgen05_mlir
from mlir import ir
from tcgen05_mlir.compiler.source import is_emulated

COPY = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
CHIPS = ["sm_80", "sm_89", "sm_90", "sm_100a", "sm_120"]


@pytest.fixture(params=CHIPS)
def emulated(request) -> tuple[str, str]:
    """A chip and the module for it."""
    text = tcgen05_mlir.compile(COPY, chip=request.param, emit="mlir", emulate=True)
    assert isinstance(text, str)
    return request.param, text


def test_it_compiles_as_the_source_does(emulated):
    chip, text = emulated
    ptx = tcgen05_mlir.compile(COPY, chip=chip, emulate=True)
    assert tcgen05_mlir.compile(text, chip=None) == ptx
    assert tcgen05_mlir.compile(text, chip=None, emulate=True) == ptx
    assert tcgen05_mlir.compile(text, chip=chip) == ptx
    assert tcgen05_mlir.compile(text, chip=None, emit="mlir") == text


def test_its_manifest_says_that_it_is_emulated(emulated):
    chip, text = emulated
    found = tcgen05_mlir.compile_artifact(text, chip=None, emit="ptx").manifest
    wanted = tcgen05_mlir.compile_artifact(COPY, chip=chip, emit="ptx", emulate=True).manifest
    assert found.emulated
    assert found.chip == chip
    assert found.emulation == wanted.emulation
    assert found.sha256 == wanted.sha256


def test_the_simulator_runs_it(emulated):
    _, text = emulated
    words = np.arange(512, dtype=np.int32).reshape(128, 4)
    out = tcgen05_mlir.run(text, None, words, np.zeros_like(words), device="simulator")[1]
    np.testing.assert_array_equal(out, words)


def test_what_is_not_emulated_is_not_taken_for_it():
    with ir.Context():
        assert not is_emulated(ir.Module.parse(COPY.read_text()))
    assert not tcgen05_mlir.compile_artifact(COPY, emit="ptx").manifest.emulated


def test_a_module_for_clusters_does_not_go_to_an_older_chip():
    text = tcgen05_mlir.compile(COPY, chip="sm_90", emit="mlir", emulate=True)
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        tcgen05_mlir.compile(text, chip="sm_80")
    assert error.value.error_diagnostics[0].message == (
        "'nvvm.read.ptx.sreg.cluster.ctarank' op needs sm_90 or later, got chip 'sm_80' [T11]"
    )
