"""One launch of the table of refusals on a GPU, in this process, whose context it ruins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from batches import HOME
from cases import Refusal
from tcgen05_mlir import runtime
from tcgen05_mlir.emulation import abi


def run_refusal(artifact: runtime.Artifact, refusal: Refusal, ordinal: int = 0) -> str | None:
    """What is wrong with the report that the launch ended with; None for the wanted one."""
    name = refusal.kernel.name
    with fewer_bound(refusal), runtime.load(_unguarded(artifact), ordinal) as module:
        try:
            module.kernel(name).launch(*refusal.arguments, **refusal.sizes)
        except runtime.EmulationError as error:
            return refusal.wrong(str(error).partition("\n")[0], HOME[name].text)
    return "the launch ended without a report"


@contextmanager
def fewer_bound(refusal: Refusal) -> Iterator[None]:
    """What hosts bind is for fewer blocks than run, where the refusal says so."""
    pack, bound = abi.pack_binding, refusal.bound

    def fewer(tmem: int, state: int, report: int, blocks: int) -> bytes:
        return pack(tmem, state, report, blocks if bound is None else bound)

    with patch.object(abi, "pack_binding", fewer):
        yield


def _unguarded(artifact: runtime.Artifact) -> runtime.Artifact:
    """Without what the manifest says of pairs, so that the launch does not see to it."""
    kernels = tuple(replace(kernel, needs_pair=False) for kernel in artifact.manifest.kernels)
    return replace(artifact, manifest=replace(artifact.manifest, kernels=kernels))
