"""`Kernel`: checks a launch against the kernel and the GPU before anything is launched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arguments import checked
from .chips import check_clusters_of_code
from .geometry import (
    PORTABLE_CLUSTER,
    LaunchSizes,
    Sizes,
    check_pair,
    launch_sizes,
    shared_bytes,
    text,
)
from .launch import Launch, Plan
from .manifest import KernelInfo

if TYPE_CHECKING:
    from .module import Module


class Kernel:
    """A kernel of a loaded module.

    `info`: from the manifest. As the driver sees it: `max_threads` of a block, which its registers
    limit; `static_shared`, bytes; `registers` of a thread; `local`, bytes of a thread.
    """

    def __init__(self, module: Module, info: KernelInfo) -> None:
        self.info = info
        self._module = module
        self._loaded = loaded = module.loaded
        doing = f"finding kernel '{info.name}' in '{module.artifact.name}'"
        with module.current(doing):
            call = loaded.context.call
            self._handle = call(doing, "cuModuleGetFunction", loaded.handle, info.name)

            def attribute(name: str) -> int:
                return call(doing, "cuFuncGetAttribute", name, self._handle)

            self.max_threads = attribute("MAX_THREADS_PER_BLOCK")
            self.static_shared = attribute("SHARED_SIZE_BYTES")
            self.registers = attribute("NUM_REGS")
            self.local = attribute("LOCAL_SIZE_BYTES")

    def launch(
        self,
        *arguments: Any,
        grid: Sizes = None,
        block: Sizes = None,
        cluster: Sizes = None,
        smem: int | None = None,
    ) -> tuple[Any, ...]:
        """Launch once, wait, and return the arguments as the kernel left them, one per argument.

        `arguments`: an array for each memref or pointer, a number for each scalar; they stay as
        they were, and one array given twice is one buffer. `grid`, `block`, `cluster`: blocks,
        threads, blocks, as x or (x, y, z); what is left out comes from the manifest; a grid that
        nobody states is one cluster. `smem`: bytes of dynamic shared memory.

        Raises ValueError and TypeError before the launch for arguments and sizes that the kernel
        or the GPU does not take; CudaError where the driver fails, EmulationError where emulated
        tensor memory is misused.
        """
        prepared = self.prepare(*arguments, grid=grid, block=block, cluster=cluster, smem=smem)
        with prepared as launch:
            launch.launch()
            return launch.results()

    def prepare(
        self,
        *arguments: Any,
        grid: Sizes = None,
        block: Sizes = None,
        cluster: Sizes = None,
        smem: int | None = None,
    ) -> Launch:
        """The same launch with its arguments on the GPU, to be launched, timed, and closed."""
        self._module.check_open()
        values = list(checked(self.info.name, self.info.types, arguments))
        sizes = launch_sizes(self.info, grid, block, cluster)
        shared = self._shared(smem)
        self._check_block(sizes)
        self._check_cluster(sizes)
        plan = Plan(self.info.name, self._handle, sizes, shared, self.info.tensor_memory)
        self._configure(plan)
        return Launch(self._module, plan, values)

    def _shared(self, smem: int | None) -> int:
        """Bytes of dynamic shared memory, which fit beside the static ones."""
        dynamic = shared_bytes(self.info.dynamic_shared, smem)
        static, device = self.static_shared, self._loaded.device
        limit = device.shared_per_block_optin
        if static + dynamic > limit:
            raise ValueError(
                f"'smem' must be at most {max(limit - static, 0)}: a block has {limit} bytes of "
                f"shared memory on {device}, and kernel '{self.info.name}' holds {static} by "
                f"itself, got {dynamic}"
            )
        return dynamic

    def _check_block(self, sizes: LaunchSizes) -> None:
        if sizes.threads > self.max_threads:
            raise ValueError(
                f"'block' must have at most {self.max_threads} threads, which kernel "
                f"'{self.info.name}' can have with its {self.registers} registers each and its "
                f"own limits, got {text(sizes.block)}"
            )

    def _check_cluster(self, sizes: LaunchSizes) -> None:
        check_pair(self.info.name, self.info.needs_pair, sizes.cluster)
        device = self._loaded.device
        check_clusters_of_code(self.info, self._loaded.artifact.manifest, sizes.cluster, device)
        if sizes.cluster != (1, 1, 1) and not device.clusters:
            raise ValueError(
                f"'cluster' must be 1,1,1 on {device}, which has no clusters, "
                f"got {text(sizes.cluster)}"
            )

    def _configure(self, plan: Plan) -> None:
        """Ask for what a kernel does not get by itself, and see whether a cluster then fits."""
        doing = f"preparing {plan}"
        context, device = self._loaded.context, self._loaded.device
        with self._module.current(doing):

            def set_attribute(name: str, value: int) -> None:
                context.call(doing, "cuFuncSetAttribute", self._handle, name, value)

            if self.static_shared + plan.shared > device.shared_per_block:
                set_attribute("MAX_DYNAMIC_SHARED_SIZE_BYTES", plan.shared)
            if plan.cluster is None:
                return
            if plan.cluster_blocks > PORTABLE_CLUSTER:
                set_attribute("NON_PORTABLE_CLUSTER_SIZE_ALLOWED", 1)
            fitting = context.call(
                doing, "cuOccupancyMaxActiveClusters", self._handle, *plan.configuration
            )
        if fitting < 1:
            raise ValueError(
                f"'cluster' {text(plan.cluster)} of {plan.sizes.threads} threads a block and "
                f"{self.static_shared} + {plan.shared} bytes of shared memory a block does not "
                f"fit on {device}"
            )
