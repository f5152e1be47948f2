"""What sm_80 to sm_89 get in the place of what only sm_90 has: PTX text, and ptxas takes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tcgen05_mlir
from device_text import gpu_module, kernel, lines
from instruction_samples import OPERATIONS, sampled
from mlir import ir
from tcgen05_mlir.passes import tcgen05_to_ptx
from tcgen05_mlir.simulator import run

COPY = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
TARGET = '[#nvvm.target<chip = "sm_80", verifyTarget = false>]'
PTX = {
    "nvvm.elect.sync": ["vote.sync.ballot.b32", "%laneid"],
    "nvvm.fence.mbarrier.init": ["membar.cta;"],
    "nvvm.fence.proxy": ["membar.cta;"],
    "nvvm.fence.proxy alias": ["fence.proxy.alias;"],
    "nvvm.fence.proxy global": ["membar.gl;"],
    "nvvm.fence.proxy.acquire": ["membar.gl;"],
    "nvvm.fence.proxy.release": ["membar.gl;"],
    "nvvm.fence.proxy.sync_restrict": ["membar.cta;"],
    "nvvm.fence.sc.cluster": ["membar.cta;"],
    "nvvm.fence.sync_restrict": ["membar.cta;"],
    "nvvm.memory.barrier": ["membar.cta;"],
    "nvvm.mbarrier.arrive": ["mbarrier.arrive.shared.b64"],
    "nvvm.mbarrier.arrive_drop": ["mbarrier.arrive_drop.shared.b64"],
    "nvvm.mbarrier.test.wait": ["mbarrier.test_wait.parity.shared.b64"],
    "nvvm.mbarrier.try_wait": ["mbarrier.test_wait.parity.shared.b64"],
    "nvvm.mbarrier.try_wait.parity": ["mbarrier.test_wait.parity.shared.b64", "bra"],
}
"""By operation, what must be in the PTX of a kernel that has nothing else."""

BARRIER = """
llvm.mlir.global internal @m() {addr_space = 3 : i32, alignment = 8 : i64} : i64
"""
STATES = """
%m = llvm.mlir.addressof @m : !llvm.ptr<3>
%g = llvm.addrspacecast %m : !llvm.ptr<3> to !llvm.ptr
%one = llvm.mlir.constant(1 : i32) : i32
%four = llvm.mlir.constant(4 : i32) : i32
nvvm.mbarrier.init %m, %four : !llvm.ptr<3>, i32
%early = nvvm.mbarrier.arrive %m, %four {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
%done = nvvm.mbarrier.try_wait %m, %early, %one : !llvm.ptr<3>, i64, i32 -> i1
%late = nvvm.mbarrier.arrive_drop %g, %four {relaxed = true} : !llvm.ptr -> i64
%again = nvvm.mbarrier.test.wait %g, %late {relaxed = true} : !llvm.ptr, i64 -> i1
%both = llvm.and %done, %again : i1
llvm.store %both, %out : i1, !llvm.ptr
nvvm.mbarrier.try_wait.parity %g, %one, %four : !llvm.ptr, i32, i32
"""


def emulated(text: str, emit: str = "ptx", chip: str | None = None) -> str | bytes:
    return tcgen05_mlir.compile(text, chip=chip, emit=emit, emulate=True)


@pytest.mark.parametrize("name", PTX)
def test_an_operation_becomes_instructions_of_sm_80(name, ptxas):
    text = sampled(OPERATIONS[name], TARGET)
    ptx = emulated(text)
    assert isinstance(ptx, str)
    assert [word for word in PTX[name] if word not in ptx] == []
    assert emulated(text, "cubin")


@pytest.mark.parametrize("chip", ["sm_80", "sm_86", "sm_89"])
def test_states_of_mbarriers_and_counts(chip, ptxas):
    text = gpu_module(BARRIER + kernel(STATES, "%out: !llvm.ptr"))
    ptx = emulated(text, chip=chip)
    assert isinstance(ptx, str)
    assert ptx.count("mbarrier.arrive.noComplete.shared.b64") == 1
    assert ptx.count("mbarrier.arrive_drop.noComplete.b64") == 1
    assert ptx.count("mbarrier.test_wait.shared.b64") == 2
    assert emulated(text, "cubin", chip)


def test_later_chips_keep_what_they_have():
    text = sampled(OPERATIONS["nvvm.elect.sync"], TARGET)
    ptx = emulated(text, chip="sm_90")
    assert isinstance(ptx, str)
    assert "elect.sync" in ptx
    assert "vote.sync" not in ptx


def test_a_cluster_of_two_is_refused():
    text = gpu_module(kernel("")).replace(
        "{nvvm.kernel}", "{nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>}"
    )
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        emulated(text, chip="sm_87")
    assert lines(error.value) == [
        "2:1: error: 'llvm.func' op 'nvvm.cluster_dim' 2, 1, 1 needs sm_90 or later, got chip "
        "'sm_87' [T11]"
    ]
    assert b"ELF" in bytes(emulated(text, "cubin", "sm_90"))  # type: ignore[arg-type]


def test_the_simulator_runs_code_for_sm_80():
    """The protocol still does its work: elections, fences, waiting, around an emulated copy."""
    options = tcgen05_to_ptx.ToPtxOptions(chip="sm_80", emulate=True)
    pipeline = f"{tcgen05_to_ptx.front(options)},{tcgen05_to_ptx.lower(emulate=True)}"
    words = np.random.default_rng(0).integers(0, 2**32, (128, 4), dtype=np.uint32)
    with ir.Context():
        lowered = tcgen05_mlir.run_pipeline(ir.Module.parse(COPY.read_text()), pipeline)
        assert "nvvm.elect.sync" not in str(lowered)
        assert "nvvm.mbarrier.try_wait" not in str(lowered)
        result = run(lowered, "copy", words, np.zeros_like(words), grid=1, block=128)[1]
    np.testing.assert_array_equal(result, words)
