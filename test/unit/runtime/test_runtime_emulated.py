"""Emulated modules: only kernels that need tensor memory get it, and clusters need a newer chip."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from model_driver import KERNELS, ModelDriver, model_gpu
from scenarios import changed, kernels
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import ArgumentInfo, Artifact, KernelInfo
from tcgen05_mlir.runtime.driver import using
from whole import whole

DATA = Path(__file__).parents[2] / "data/driver"
COLUMNS = (0, np.zeros((3, 32, 2), np.int32))
PLAIN = KernelInfo("plain", (ArgumentInfo("memref<4xi32>"),), block=(32, 1, 1))


def artifact(chip: str = "sm_90") -> Artifact:
    """A kernel that uses tensor memory, and one that does not."""
    emulated = kernels(DATA, "emulated.ptx")
    code = emulated.code.replace(b".target sm_90", f".target {chip}".encode())
    code += b"\n.visible .entry plain()\n"
    infos = (*emulated.manifest.kernels, PLAIN)
    return changed(emulated, code, "both.ptx", kernels=infos, chip=chip)


def machine(**fields: int) -> ModelDriver:
    return model_gpu(kernels={**KERNELS, "plain": lambda launch: None}, **fields)


def test_a_kernel_without_tensor_memory_does_not_pay_for_it() -> None:
    gpu = machine()
    with using(gpu), runtime.load(artifact()) as module:
        assert [one.tensor_memory for one in module.artifact.manifest.kernels] == [True, False]
        with module.kernel("plain").prepare(np.zeros(4, np.int32), grid=1_000_000) as launch:
            assert gpu.live == {"context": 1, "module": 1, "memory": 1}
            launch.launch()
            assert launch.time(1) > 0
        assert gpu.calls["cuMemsetD32"] == 0
        found = module.kernel("columns").launch(*COLUMNS, grid=3)[1]
        assert (found[:, :, 0] == range(32)).all()
        assert gpu.calls["cuMemsetD32"] == 1


def test_a_module_without_tensor_memory_has_no_variable_to_bind() -> None:
    gpu = machine()
    plain = replace(artifact(), manifest=replace(artifact().manifest, kernels=(PLAIN,)))
    with using(gpu), runtime.load(plain) as module:
        module.kernel().launch(np.zeros(4, np.int32))
    assert gpu.calls["cuModuleGetGlobal"] == 0


@pytest.mark.parametrize("chip", ["sm_80", "sm_89"])
def test_no_clusters_of_code_that_knows_none(chip: str) -> None:
    gpu = machine()
    with using(gpu), runtime.load(artifact(chip)) as module:
        kernel = module.kernel("columns")
        kernel.launch(*COLUMNS, grid=2)
        kernel.launch(*COLUMNS, grid=2, cluster=1)
        for cluster, text in ((2, "2,1,1"), ((1, 2), "1,2,1")):
            message = (
                f"'cluster' must be 1,1,1 for kernel 'columns', which is emulated for {chip}, a "
                f"chip without clusters, got {text}: compile with --chip sm_90a"
            )
            with pytest.raises(ValueError, match=whole(message)):
                kernel.launch(*COLUMNS, grid=(2, 2), cluster=cluster)
        assert len(gpu.launches) == 2
        # What is not emulated is PTX like any other.
        module.kernel("plain").launch(np.zeros(4, np.int32), cluster=2)
        assert gpu.launches[-1].cluster == (2, 1, 1)


def test_clusters_of_code_that_knows_them() -> None:
    gpu = machine()
    with using(gpu), runtime.load(artifact()) as module:
        module.kernel("columns").launch(*COLUMNS, grid=2, cluster=2)
    assert [launch.cluster for launch in gpu.launches] == [(2, 1, 1)]
