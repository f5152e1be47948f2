"""`TensorMemory`: what stands in for tensor memory in an emulated launch, and its report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tcgen05_mlir.emulation import abi

if TYPE_CHECKING:
    from .launch import Plan
    from .module import Loaded

POISON: Final = 0xFFBADBAD
"""What each cell holds before a launch: as an f32 it is a NaN."""


class TensorMemory:
    """The buffers of `emulation.abi` for one launch: cells, state, report.

    `release` gets what gives them back. Raises ValueError where the GPU has too little memory.
    """

    def __init__(self, loaded: Loaded, plan: Plan, release: list[tuple[str, int]]) -> None:
        assert loaded.binding is not None
        self._binding = loaded.binding
        self._context = loaded.context
        self._sites = loaded.artifact.manifest.emulation or ()
        self._blocks = plan.sizes.blocks
        doing = f"making tensor memory for {plan}"
        self._check_room(doing, loaded)
        call = self._context.call
        self._cells = call(doing, "cuMemAlloc", self._blocks * abi.TMEM_BLOCK_BYTES)
        release.append(("cuMemFree", self._cells))
        self._state = call(doing, "cuMemAlloc", self._blocks * abi.STATE_BLOCK_BYTES)
        release.append(("cuMemFree", self._state))
        # In the host's memory: a trap takes the device's with it.
        flags = ("DEVICEMAP", "PORTABLE")
        self._report = call(doing, "cuMemHostAlloc", abi.REPORT_BYTES, *flags)
        release.append(("cuMemFreeHost", self._report))
        self._mapped = call(doing, "cuMemHostGetDevicePointer", self._report, 0)

    def bind(self, doing: str) -> None:
        """All as it is before a launch; the module's variable points here."""
        call, blocks = self._context.call, self._blocks
        words = blocks * abi.TMEM_BLOCK_BYTES // 4
        call(doing, "cuMemsetD32", self._cells, POISON, words)
        call(doing, "cuMemsetD8", self._state, 0, blocks * abi.STATE_BLOCK_BYTES)
        call(doing, "write_host", self._report, bytes(abi.REPORT_BYTES))
        binding = abi.pack_binding(self._cells, self._state, self._mapped, blocks)
        call(doing, "cuMemcpyHtoD", self._binding, binding)

    def report(self) -> str | None:
        """What the kernel said before it stopped itself; None where it said nothing."""
        data = self._context.driver.call(
            "reading the report", "read_host", self._report, abi.REPORT_BYTES
        )
        return abi.decode_report(data, self._sites)

    def _check_room(self, doing: str, loaded: Loaded) -> None:
        free, _ = self._context.call(doing, "cuMemGetInfo")
        needed = self._blocks * (abi.TMEM_BLOCK_BYTES + abi.STATE_BLOCK_BYTES)
        if needed > free:
            raise ValueError(
                f"'grid' must have fewer blocks: to emulate the tensor memory of {self._blocks} "
                f"blocks takes {_mib(needed)}, {loaded.device} has {_mib(free)} free"
            )


def _mib(size: int) -> str:
    return f"{size / 2**20:.1f} MiB"
