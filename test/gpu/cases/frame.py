"""The kernel around any copies: fills shared and tensor memory, runs them, reads all back.

Every block allocates `columns` columns, copies its image of 32-bit words from global to shared
memory and the pattern, which is the same for all blocks, to tensor memory. Then one thread of the
block, or of the leading block of a pair, runs the code of the case, which ends in a commit. All
wait for it, and the block's columns go back to global memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from .case import PATHS, Kernel
from .placing import Place

WORDS = 11776
"""Of the largest static image: a little below 48 KiB, with room for the frame's own variables."""
UNIT = 4 * 128
"""Words that the block moves to shared memory in one turn."""
CHOICES = 4
WORKGROUP = "#gpu.address_space<workgroup>"
TENSOR = "#nvvm.memory_space<tensor>"
BUFFER = f"memref<{WORDS}xi32, {WORKGROUP}>"
BYTES = f"memref<?xi8, {WORKGROUP}>"
PROXY = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<%s>}"
IMAGE = f'memref.global "private" @image : {BUFFER} {{alignment = 1024}}'
SLOT = "llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32"
BARRIER = "llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64"


@dataclass(frozen=True)
class Frame(Place):
    """The parts of a kernel that do not depend on what it copies.

    `blocks`: of the grid. `arrivals`: commits that each block's mbarrier waits for. `dynamic`:
    byte of dynamic shared memory at which the image lies; None for a static one. `inside`: byte of
    the image at which the frame's own variables lie, so that the block has nothing but the image.
    """

    columns: int = 32
    blocks: int = 1
    arrivals: int = 1
    dynamic: int | None = None
    inside: int | None = None

    @property
    def constants(self) -> str:
        """Numbers, the thread's place, the frame's variables."""
        return f"""%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %columns = arith.constant {self.columns} : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %arrivals = arith.constant {self.arrivals} : i32
    %ticks = arith.constant 1000000 : i32
    %lane_step = arith.constant 65536 : i32
    {self.variables if self.inside is None else ""}
    %tid = gpu.thread_id x
    {self.number}
    {self.both}
    %warp = arith.divui %tid, %c32 : index
    %row = arith.muli %warp, %c32 : index
    %row_i32 = arith.index_cast %row : index to i32
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index"""

    @property
    def variables(self) -> str:
        """Defines `%slot`, where the allocation's address goes, and `%mbar`."""
        if self.inside is None:
            return """%slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>"""
        return f"""%image_at = memref.extract_aligned_pointer_as_index %image : {BUFFER} -> index
    %image_i32 = arith.index_cast %image_at : index to i32
    %inside = arith.constant {self.inside} : i32
    %eight = arith.constant 8 : i32
    %mbar_i32 = arith.addi %image_i32, %inside : i32
    %slot_i32 = arith.addi %mbar_i32, %eight : i32
    %mbar = llvm.inttoptr %mbar_i32 : i32 to !llvm.ptr<3>
    %slot = llvm.inttoptr %slot_i32 : i32 to !llvm.ptr<3>"""

    @property
    def prepare(self) -> str:
        """The mbarrier, and behind a meeting of a pair the allocation."""
        return f"{self.initialize}\n    {self.allocate}"

    @property
    def initialize(self) -> str:
        """The mbarrier."""
        return f"""scf.if %is_warp0 {{
      %init = nvvm.elect.sync -> i1
      scf.if %init {{
        nvvm.mbarrier.init %mbar, %arrivals : !llvm.ptr<3>, i32
        {"nvvm.fence.mbarrier.init" if self.clustered else ""}
      }}
    }}
    {self.sync if self.clustered else ""}"""

    @property
    def allocate(self) -> str:
        return f"""scf.if %is_warp0 {{
      nvvm.tcgen05.alloc %slot, %columns {self.attribute} : !llvm.ptr<3>, i32
    }}"""

    @property
    def image(self) -> str:
        """Defines `%image`, aligned to the period of every swizzle."""
        if self.dynamic is None:
            return f"%image = memref.get_global @image : {BUFFER}"
        return f"""%raw = gpu.dynamic_shared_memory : {BYTES}
    %bytes = memref.assume_alignment %raw, 1024 : {BYTES}
    %first = arith.constant {self.dynamic} : index
    %image = memref.view %bytes[%first][] : {BYTES} to {BUFFER}"""

    @property
    def fill_shared(self) -> str:
        """The block's image, `%units` turns of UNIT words; fenced for the async proxy."""
        return f"""{self.image}
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %units step %c1 {{
      %turn = arith.muli %i, %c128 : index
      %unit = arith.addi %turn, %tid : index
      %w = arith.muli %unit, %c4 : index
      %words = vector.load %A[%block, %w] : memref<{self.blocks}x{WORDS}xi32>, vector<4xi32>
      vector.store %words, %image[%w] : {BUFFER}, vector<4xi32>
    }}
    {PROXY % ("cluster" if self.clustered else "cta")}"""

    @property
    def address(self) -> str:
        """Defines `%base`, the allocation's address, and `%mine`, with the lanes of the warp."""
        return """%base = llvm.load %slot : !llvm.ptr<3> -> i32
    %lanes = arith.muli %row_i32, %lane_step : i32
    %mine = arith.addi %base, %lanes : i32"""

    @property
    def width(self) -> int:
        """Columns that one load or store of the frame takes."""
        return 8 if self.columns <= 128 else 32

    @property
    def vector(self) -> str:
        return f"vector<{self.width}xi32>"

    def each_chunk(self, body: str) -> str:
        """`body` for `%chunks` groups of `width` columns: from `%c`, at the address `%p`.

        The launch says how many, so that no compiler unrolls the loop: hundreds of kernels have it.
        """
        return f"""%width = arith.constant {self.width} : index
      scf.for %chunk = %c0 to %chunks step %c1 {{
        %c = arith.muli %chunk, %width : index
        %c_i32 = arith.index_cast %c : index to i32
        %a = arith.addi %mine, %c_i32 : i32
        %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
        {body}
      }}"""

    @property
    def fill_tensor(self) -> str:
        store = f"""%words = vector.load %pattern[%tid, %c]
          : memref<128x{self.columns}xi32>, {self.vector}
        nvvm.tcgen05.st %p, %words {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}}
          : {self.vector}"""
        return f"""scf.if %true {{
      {self.each_chunk(store)}
    }}
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    {self.sync}"""

    def read_tensor(self, change: str = "") -> str:
        """All columns to `%out`; `change` may make `%changed` of `%words`."""
        words = "%changed" if change else "%words"
        load = f"""%words = nvvm.tcgen05.ld %p {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}}
          : {self.vector}
        nvvm.tcgen05.wait <load>
        {change}
        vector.store {words}, %out[%block, %tid, %c]
          : memref<{self.blocks}x128x{self.columns}xi32>, {self.vector}"""
        return f"""scf.if %true {{
      {self.each_chunk(load)}
    }}"""

    @property
    def wait(self) -> str:
        """For phase 0 of the mbarrier; in a cluster by the operation that names the scope."""
        if not self.clustered:
            wait = "nvvm.mbarrier.try_wait.parity %mbar, %zero, %ticks : !llvm.ptr<3>, i32, i32"
        else:
            wait = """scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %mbar, %zero {scope = #nvvm.mem_scope<cluster>}
        : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }"""
        return f"{wait}\n    nvvm.tcgen05.fence <after>"

    @property
    def finish(self) -> str:
        return f"""nvvm.tcgen05.fence <before>
    {self.sync}
    scf.if %is_warp0 {{
      nvvm.tcgen05.relinquish_alloc_permit {self.attribute}
      %allocated = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %allocated, %columns {self.attribute} : !llvm.ptr<6>, i32
    }}"""

    @property
    def commit(self) -> str:
        """One arrival on the mbarrier of each block that copies."""
        if not self.clustered:
            return f"nvvm.tcgen05.commit %mbar {self.attribute} : !llvm.ptr<3>"
        return (
            f"nvvm.tcgen05.commit %mbar, multicast_mask = %both {self.attribute} "
            ": !llvm.ptr<3>, i16"
        )

    @property
    def choices(self) -> str:
        """Numbers of the launch: `%choice0`, ... as index, `%chosen0`, ... as i32."""
        return "\n        ".join(
            f"""%chosen{i} = memref.load %choices[%c{i}] : memref<{CHOICES}xi32>
        %choice{i} = arith.index_cast %chosen{i} : i32 to index"""
            for i in range(CHOICES)
        )

    def issue(self, copies: str, committed: str | None) -> str:
        """One elected thread of `%issues` runs the copies."""
        return f"""scf.if %issues {{
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {{
        {self.choices}
        nvvm.tcgen05.fence <after>
        {copies}
        {self.commit if committed is None else committed}
      }}
    }}"""

    @property
    def begin(self) -> str:
        """The image is filled and tensor memory allocated, in whichever order that can be."""
        if self.inside is None:
            return f"{self.prepare}\n    {self.fill_shared}"
        return f"{self.fill_shared}\n    {self.variables}\n    gpu.barrier\n    {self.prepare}"

    @property
    def outside(self) -> tuple[str, ...]:
        """The frame's variables in shared memory."""
        image = (IMAGE,) if self.dynamic is None else ()
        return image if self.inside is not None else (*image, SLOT, BARRIER)

    def around(
        self,
        copies: str,
        *,
        committed: str | None = None,
        issue: str | None = None,
        outside: tuple[str, ...] = (),
        paths=PATHS,
        **more,
    ) -> Kernel:
        """The kernel whose one issuing thread runs `copies`, and then `committed`.

        `issue` stands for all of that, where not one elected thread does it. The code finds
        `%base` (i32), `%image` (BUFFER), `%choice0` to `%choice3`. Arguments of the kernel:
        units, chunks, images, pattern, choices, out.
        """
        blocks, columns = self.blocks, self.columns
        function = f"""  gpu.func @{self.name}(%units: index, %chunks: index,
      %A: memref<{blocks}x{WORDS}xi32>, %pattern: memref<128x{columns}xi32>,
      %choices: memref<{CHOICES}xi32>,
      %out: memref<{blocks}x128x{columns}xi32>) {self.attributes} {{
    {self.constants}
    {self.leading}
    {self.begin}
    {self.sync}
    {self.address}
    {self.fill_tensor}
    {issue or self.issue(copies, committed)}
    {self.wait}
    {self.read_tensor()}
    {self.finish}
    gpu.return
  }}"""
        shared = (*self.outside, *outside)
        return Kernel(self.name, function, shared, cluster=self.cluster, paths=paths, **more)
