"""The scenarios that are recorded on GPUs, on the model of one: right results, whole messages."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from model_driver import ModelDriver, model_gpu
from scenarios import SCENARIOS, kernels, message
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.driver import using

DATA = Path(__file__).parents[2] / "data/driver"
GPU = "device 0 (Model GPU, sm_90)"


def sizes(grid: str, block: str, cluster: str = "1,1,1") -> str:
    return f"(grid {grid}, block {block}, cluster {cluster}, 0 bytes of dynamic shared memory)"


@pytest.mark.parametrize(
    "name", ["copy", "copy_from_cubin", "arrays", "arrays_of_nothing", "numbers"]
)
def test_results_are_right(name: str, gpu: ModelDriver) -> None:
    assert SCENARIOS[name](DATA) == []


def test_shared_memory(gpu: ModelDriver) -> None:
    assert SCENARIOS["shared"](DATA) == [
        f"ValueError: 'smem' must be at most 232448: a block has 232448 bytes of shared memory on "
        f"{GPU}, and kernel 'shared' holds 0 by itself, got 232449",
        "ValueError: 'smem' must be 0 or more bytes, got -1",
        "TypeError: 'smem' must be an int, got float 1.5",
    ]
    name = "MAX_DYNAMIC_SHARED_SIZE_BYTES"
    assert gpu.set == [("shared", name, 102400), ("shared", name, 232448)]


def test_static_shared_memory_counts() -> None:
    """Above 48 KiB is the sum of both, and so is the limit."""
    gpu = model_gpu(function={"shared.SHARED_SIZE_BYTES": 2064})
    with using(gpu), runtime.load(kernels(DATA)) as module:
        kernel, out = module.kernel("shared"), np.zeros(129, np.int32)
        assert kernel.static_shared == 2064
        for size in (49152 - 2064, 49152 - 2063, 232448 - 2064):
            kernel.launch(size, out, smem=size)
        assert [size for *_, size in gpu.set] == [49152 - 2063, 232448 - 2064]
        assert message(kernel.launch, 1024, out, smem=232448 - 2063) == (
            f"ValueError: 'smem' must be at most 230384: a block has 232448 bytes of shared memory "
            f"on {GPU}, and kernel 'shared' holds 2064 by itself, got 230385"
        )


def test_d03_clusters(gpu: ModelDriver) -> None:
    assert SCENARIOS["d03_cluster"](DATA) == [
        "ValueError: 'grid' must be a multiple of the cluster 2,1,1, got 3,1,1",
        "ValueError: 'cluster' must have at most 16 blocks, got 32,1,1",
    ]
    assert [launch.cluster for launch in gpu.launches] == [None, (2, 1, 1), (2, 2, 1)]
    assert gpu.set == []


def test_d03_a_kernel_of_pairs_without_them(gpu: ModelDriver) -> None:
    rule = "'cluster' must hold pairs of blocks, since kernel 'cluster' uses cta_group::2"
    assert SCENARIOS["d03_pair_refused"](DATA) == [
        f"ValueError: {rule}, got 1,1,1 [P2]",
        f"ValueError: {rule}, got 3,1,1 [P2]",
    ]
    assert len(gpu.launches) == 1


def test_d03_clusters_that_are_large_or_do_not_fit() -> None:
    gpu, out = model_gpu(), np.zeros((8, 4), np.int32)
    with using(gpu), runtime.load(kernels(DATA)) as module:
        kernel = module.kernel("cluster")
        kernel.launch(out, grid=8, cluster=8)
        assert gpu.set == []
        kernel.launch(out, grid=(4, 4), cluster=(4, 4))
        assert gpu.set == [("cluster", "NON_PORTABLE_CLUSTER_SIZE_ALLOWED", 1)]
        gpu.fitting = 0
        assert message(kernel.launch, out, grid=8, cluster=8, smem=1 << 17) == (
            "ValueError: 'cluster' 8,1,1 of 32 threads a block and 0 + 131072 bytes of shared "
            f"memory a block does not fit on {GPU}"
        )
    assert len(gpu.launches) == 2


def test_d03_a_gpu_without_clusters() -> None:
    old = model_gpu()
    old.attributes["CLUSTER_LAUNCH"] = 0
    with using(old), runtime.load(kernels(DATA)) as module:
        kernel, out = module.kernel("cluster"), np.zeros((8, 4), np.int32)
        kernel.launch(out, grid=8)
        assert message(kernel.launch, out, grid=8, cluster=2) == (
            f"ValueError: 'cluster' must be 1,1,1 on {GPU}, which has no clusters, got 2,1,1"
        )
    assert len(old.launches) == 1


def test_blocks(gpu: ModelDriver) -> None:
    assert SCENARIOS["block_limits"](DATA) == [
        "ValueError: 'block' must be given: kernel 'small' does not state its block size "
        "(nvvm.reqntid)",
        "ValueError: 'block' must have at most 64 threads, which kernel 'small' can have with its "
        "16 registers each and its own limits, got 65,1,1",
        "ValueError: 'block' must be at most 1024,1024,64, got 1,1,65",
        "ValueError: 'block' must have at most 1024 threads, got 1025,1,1",
        "ValueError: 'block' must be 128,1,1, which the kernel requires (nvvm.reqntid), got 64,1,1",
    ]


def _kept(text: str) -> tuple[str, Path]:
    """A message without the name of the file that it names, and that file."""
    match = re.search(r"'([^']*tcgen05-\w+\.ptx)'", text)
    assert match is not None, text
    return text.replace(match[1], "KEPT"), Path(match[1])


REFUSED = (
    "CudaError CUDA_ERROR_INVALID_PTX: loading '{}' (PTX for sm_90) on " + GPU + "; the PTX is "
    "kept in 'KEPT': cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_PTX (a PTX JIT compilation "
    "failed)\n"
)


def test_d01_the_line_of_a_syntax_error_and_where_the_ptx_is(gpu: ModelDriver) -> None:
    said, kept = _kept(*SCENARIOS["d01_syntax_error"](DATA))
    assert said == REFUSED.format("broken.ptx") + (
        "ptxas application ptx input, line 9; error   : this is no PTX; is not known"
    )
    assert kept.read_bytes().splitlines()[8] == b"  this is no PTX;"
    kept.unlink()


def test_d01_a_log_longer_than_8_kib_is_whole(gpu: ModelDriver) -> None:
    said, kept = _kept(*SCENARIOS["d01_long_log"](DATA))
    kept.unlink()
    head, *lines = said.split("\n")
    assert f"{head}\n" == REFUSED.format("long.ptx")
    assert len(lines) == 300
    assert lines[-1].endswith("; error   : mov.u32 %r1, nobody_knows_this_name_0299; is not known")
    assert gpu.calls["cuModuleLoadDataEx"] == 2


def test_d01_a_log_longer_than_any_buffer_is_marked(
    gpu: ModelDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tcgen05_mlir.runtime.module.LOG_BYTES", (1024, 2048))
    said, kept = _kept(*SCENARIOS["d01_long_log"](DATA))
    kept.unlink()
    assert said.endswith("\n... (cut: it was too long for its buffer)")
    assert gpu.calls["cuModuleLoadDataEx"] == 2
    assert "\0" not in said


def test_d01_another_target(gpu: ModelDriver) -> None:
    assert SCENARIOS["d01_other_target"](DATA) == [
        f"ValueError: 'later.ptx' is PTX for sm_100a, which runs on sm_100 alone, got {GPU}: it "
        "has no tcgen05; compile with --emulate --chip sm_90a (emulate=True in Python)",
        "ValueError: 'native.cubin' is a cubin for sm_100a, which runs on sm_100 alone, got "
        f"{GPU}: it has no tcgen05; compile with --emulate --chip sm_90a (emulate=True in Python)",
        f"CudaError CUDA_ERROR_NO_BINARY_FOR_GPU: loading 'mislabelled.cubin' (a cubin for sm_90) "
        f"on {GPU}: cuModuleLoadDataEx failed with CUDA_ERROR_NO_BINARY_FOR_GPU (no kernel image "
        "is available for execution on the device)",
    ]
    # The first two were refused before the driver saw anything.
    assert gpu.calls["cuModuleLoadDataEx"] == 1


def test_d01_ptx_of_a_version_that_the_driver_does_not_know(gpu: ModelDriver) -> None:
    said, kept = _kept(*SCENARIOS["d01_newer_ptx"](DATA))
    kept.unlink()
    name = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
    assert said == (
        f"CudaError {name}: loading 'newer.ptx' (PTX for sm_90) on {GPU}; the PTX is kept in "
        f"'KEPT': cuModuleLoadDataEx failed with {name} (the provided PTX was compiled with an "
        "unsupported toolchain.)"
    )


def test_d01_a_kernel_that_is_not_in_the_code(gpu: ModelDriver) -> None:
    missing, other = SCENARIOS["d01_missing_kernel"](DATA)
    assert missing == (
        "CudaError CUDA_ERROR_NOT_FOUND: finding kernel 'copy_2' in 'kernels.ptx': "
        "cuModuleGetFunction failed with CUDA_ERROR_NOT_FOUND (named symbol not found)"
    )
    assert other.startswith("ValueError: kernel 'copy' is not there; the kernels are 'copy_2', ")


@pytest.mark.parametrize(
    ("scenario", "kernel", "name", "meaning"),
    [
        ("d07_trap", "stop", "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"),
        (
            "d07_astray",
            "astray",
            "CUDA_ERROR_ILLEGAL_ADDRESS",
            "an illegal memory access was encountered",
        ),
    ],
)
def test_d07_a_ruined_context(
    gpu: ModelDriver, scenario: str, kernel: str, name: str, meaning: str
) -> None:
    launch = f"launch 2 on device 0, kernel '{kernel}' {sizes('2,1,1', '32,1,1')}"
    copy = f"kernel 'copy' {sizes('2,1,1', '128,1,1')}"
    since = (
        f"device 0 is unusable in this process since {launch}, which ended in {name}; a new "
        "process can use it"
    )
    assert SCENARIOS[scenario](DATA) == [
        f"CudaError {name}: {launch}: cuStreamSynchronize failed with {name} ({meaning})",
        f"CudaError {name}: preparing {copy}: {since}",
        f"CudaError {name}: launch 3 on device 0, {copy}: {since}",
        f"CudaError {name}: reading the results of {copy}: {since}",
        f"CudaError {name}: finding kernel 'copy' in 'kernels.ptx': {since}",
        f"CudaError {name}: loading 'kernels.ptx' (PTX for sm_90) on {GPU}: {since}",
    ]
    assert len(gpu.launches) == 2


def test_emulation(gpu: ModelDriver) -> None:
    (refused,) = SCENARIOS["emulated"](DATA)
    blocks = (2**31 - 1) * 65535
    assert refused == (
        f"ValueError: 'grid' must have fewer blocks: to emulate the tensor memory of {blocks} "
        f"blocks takes {blocks * (262144 + 64) / 2**20:.1f} MiB, {GPU} has 1024.0 MiB free"
    )


def test_d07_emulation_says_what_was_wrong(gpu: ModelDriver) -> None:
    launch = f"launch 2 on device 0, kernel 'columns' {sizes('1,1,1', '32,1,1')}"
    name = "CUDA_ERROR_LAUNCH_FAILED"
    assert SCENARIOS["d07_emulated_misuse"](DATA) == [
        f"EmulationError {name}: emulated_kernels.mlir:23:5: 'nvvm.tcgen05.st' op must stay inside "
        "allocated columns, got columns 33 to 33; live are columns 0 to 31 [S2], in block "
        f"(0, 0, 0), thread (5, 0, 0)\n{launch}: cuStreamSynchronize failed with {name}",
        f"CudaError {name}: preparing kernel 'columns' {sizes('1,1,1', '32,1,1')}: device 0 is "
        f"unusable in this process since {launch}, which ended in {name}; a new process can use it",
    ]


def test_times_and_what_is_closed(gpu: ModelDriver) -> None:
    closed = f"the launch of kernel 'copy' {sizes('2,1,1', '128,1,1')} is closed: prepare another"
    assert SCENARIOS["timed"](DATA) == [f"ValueError: {closed}"] * 2
    again = "ValueError: 'kernels.ptx' is closed: load it again"
    assert SCENARIOS["closed"](DATA) == [again, again]
    assert gpu.live["event"] == 0
