"""Kernels, as text, that load and store every element of a view, one after the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tcgen05_mlir.model import SmemLayout

MARGIN = 32
"""Words before and behind all linear addresses: the swizzle stays in its 128 bytes."""

_WORKGROUP = "#gpu.address_space<workgroup>"
ROOTS = ("words", "pairs", "pointer")
"""What the view is of: a buffer of i32, of i64, or a pointer."""


@dataclass(frozen=True)
class Kernel:
    """`words` at a time along the last dimension of a view of a buffer of `count` words.

    The buffer lies `pad` times 16 bytes behind a multiple of 1024. `leading` is what the layout's
    `?` stands for.
    """

    layout: SmemLayout
    count: int
    pad: int = 0
    words: int = 1
    leading: int | None = None
    root: str = "words"

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents, with `leading` among them."""
        return tuple(self.leading or 0 if size is None else size for size in self.layout.shape)

    @property
    def text(self) -> str:
        """`k(base, raw, seen)`, all i32.

        base gets the buffer's address, the buffer the words of raw, seen what the view's loads
        find, in row-major order. Then the view gets the elements' numbers, and raw the buffer.
        """
        elements = math.prod(self.shape)
        shown = "x".join("?" if size is None else str(size) for size in self.layout.shape)
        buffer, block = f"memref<{self.count}xi32, {_WORKGROUP}>", self._block
        view = f"memref<{shown}xi32, {self.layout}, {_WORKGROUP}>"
        return f"""
gpu.module @m {{
  gpu.func @k(%base: memref<1xi32>, %raw: memref<{self.count}xi32>, %seen: memref<{elements}xi32>)
      workgroup(%block: {block} {{llvm.align = 1024}})
      kernel attributes {{nvvm.reqntid = array<i32: 1, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %count = arith.constant {self.count} : index
    %shift = arith.constant {16 * self.pad} : index
    %buffer = memref.view %block[%shift][] : {block} to {buffer}
    %place = memref.extract_aligned_pointer_as_index %buffer : {buffer} -> index
    %address = arith.index_cast %place : index to i64
    %short = arith.trunci %address : i64 to i32
    memref.store %short, %base[%c0] : memref<1xi32>
    {self._root}
    %view = tcgen05.view %root alignment(16) : {self._root_type} to {view}
    scf.for %i = %c0 to %count step %c1 {{
      %word = memref.load %raw[%i] : memref<{self.count}xi32>
      memref.store %word, %buffer[%i] : {buffer}
    }}
    {self._steps}
    {self._each(self._load(view, elements))}
    {self._each(self._store(view))}
    scf.for %i = %c0 to %count step %c1 {{
      %word = memref.load %buffer[%i] : {buffer}
      memref.store %word, %raw[%i] : memref<{self.count}xi32>
    }}
    gpu.return
  }}
}}"""

    @property
    def _block(self) -> str:
        return f"memref<{4 * self.count + 1024}xi8, {_WORKGROUP}>"

    @property
    def _root(self) -> str:
        if self.root == "pointer":
            return "%root = llvm.inttoptr %address : i64 to !llvm.ptr<3>"
        return f"%root = memref.view %block[%shift][] : {self._block} to {self._root_type}"

    @property
    def _root_type(self) -> str:
        return {
            "words": f"memref<{self.count}xi32, {_WORKGROUP}>",
            "pairs": f"memref<{self.count // 2}xi64, {_WORKGROUP}>",
            "pointer": "!llvm.ptr<3>",
        }[self.root]

    @property
    def _steps(self) -> str:
        *outer, last = self.shape
        return "\n    ".join(
            f"%steps{number} = arith.constant {steps} : index"
            for number, steps in enumerate([*outer, last // self.words])
        )

    def _each(self, body: str) -> str:
        """`body` for every start: `%i0`, `%i1`, ... and its number `%n`, an index."""
        text = body
        for number in reversed(range(len(self.shape))):
            previous = f"%n{number - 1}" if number else "%c0"
            text = f"""
    scf.for %s{number} = %c0 to %steps{number} step %c1 {{
      %scaled{number} = arith.muli {previous}, %steps{number} : index
      %n{number} = arith.addi %scaled{number}, %s{number} : index
      {text}
    }}"""
        return text

    @property
    def _start(self) -> tuple[str, str]:
        """The last index, and the indices."""
        last = len(self.shape) - 1
        names = [f"%s{number}" for number in range(last)]
        return (
            f"""%words = arith.constant {self.words} : index
      %last = arith.muli %s{last}, %words : index
      %n = arith.muli %n{last}, %words : index""",
            ", ".join([*names, "%last"]),
        )

    def _load(self, view: str, elements: int) -> str:
        prologue, indices = self._start
        if self.words == 1:
            return f"""{prologue}
      %found = memref.load %view[{indices}] : {view}
      memref.store %found, %seen[%n] : memref<{elements}xi32>"""
        vector = f"vector<{self.words}xi32>"
        return f"""{prologue}
      %found = vector.transfer_read %view[{indices}], %zero {{in_bounds = [true]}}
          : {view}, {vector}
      vector.store %found, %seen[%n] : memref<{elements}xi32>, {vector}"""

    def _store(self, view: str) -> str:
        prologue, indices = self._start
        numbers = f"""{prologue}
      %wide = arith.index_cast %n : index to i64
      %number = arith.trunci %wide : i64 to i32"""
        if self.words == 1:
            return f"""{numbers}
      memref.store %number, %view[{indices}] : {view}"""
        vector = f"vector<{self.words}xi32>"
        counted = ", ".join(map(str, range(self.words)))
        return f"""{numbers}
      %all = vector.broadcast %number : i32 to {vector}
      %counted = arith.constant dense<[{counted}]> : {vector}
      %value = arith.addi %all, %counted : {vector}
      vector.transfer_write %value, %view[{indices}] {{in_bounds = [true]}} : {vector}, {view}"""
