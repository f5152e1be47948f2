"""One tcgen05.cp as text and in plain loops: stages, repeats, strides beyond the tile's."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_mlir.model import COL, Instruction, TmemLayout

from .frame import BUFFER, TENSOR, WORKGROUP
from .loops import Bytes, Issue, Words

STAGES, REPEATS = 3, 2
STEP = 12
"""Columns from one repeat to the next: eight words and a gap."""


@dataclass(frozen=True)
class Copy:
    """A copy of (stages, repeats, rows, words); bytes, but for `column`.

    `predicate`: an SSA value; `taken` says what it will be.
    """

    instruction: Instruction
    swizzle: int
    column: int = 4
    predicate: str = ""
    taken: bool = True

    @property
    def pitch(self) -> int:
        """Of a row inside eight rows."""
        return 16 << self.swizzle

    @property
    def unit(self) -> int:
        """Origins and strides are multiples of it: no 256-bit row may straddle a swizzle row."""
        wide = self.instruction.words == 8
        return self.pitch if wide and self.swizzle else 16

    @property
    def origin(self) -> int:
        """Inside the swizzle period, in the third row of eight."""
        inside = {0: 0, 1: 0, 2: 32, 3: 48} if self.unit > 16 else {0: 16, 1: 16, 2: 48, 3: 80}
        return 2 * self.pitch + inside[self.swizzle]

    @property
    def sdo(self) -> int:
        return 8 * self.pitch + 3 * self.unit

    @property
    def ldo(self) -> int:
        return 147 * 16

    @property
    def stage(self) -> int:
        return 8192 + 5 * self.unit

    @property
    def repeat(self) -> int:
        return 4096 + 7 * self.unit

    @property
    def lane(self) -> int:
        """The four rows lie 32 lanes apart, and may begin anywhere in the first 32."""
        return 13 if self.instruction.rows == 4 else 0

    @property
    def split(self) -> bool:
        """A row is two blocks of 16 bytes, `ldo` apart."""
        return self.instruction.words == 8 and self.swizzle == 0

    @property
    def source(self) -> str:
        """The layout of the source."""
        rows, row_steps = f"{self.instruction.rows}", f"{self.pitch // 4}"
        if self.instruction.rows > 8:
            rows = f"({self.instruction.rows // 8}, 8)"
            row_steps = f"({self.sdo // 4}, {row_steps})"
        columns, steps = f"{self.instruction.words}", "1"
        if self.split:
            columns, steps = "(2, 4)", f"({self.ldo // 4}, 1)"
        return (
            f"#tcgen05.smem_layout<({STAGES}, {REPEATS}, {rows}, {columns}) : "
            f"({self.stage // 4}, {self.repeat // 4}, {row_steps}, {steps}), "
            f"offset = {self.origin // 4}, swizzle = {self.swizzle}>"
        )

    @property
    def target(self) -> TmemLayout:
        """The layout of the destination."""
        steps, origin = (STEP @ COL,), (self.lane, self.column)
        return TmemLayout.for_instruction(
            self.instruction, REPEATS, repeat_strides=steps, offset=origin
        )

    @property
    def fields(self) -> str:
        """Of the descriptor: those that the hardware reads."""
        fields = [f"sdo = {self.sdo}"] if self.instruction.rows > 4 else []
        fields += [f"ldo = {self.ldo}"] if self.split else []
        fields += [f"swizzle = {self.swizzle}"] if self.swizzle else []
        return f"<{', '.join(fields)}>"

    def text(self, number: int, stage: str = "%choice0") -> str:
        """The copy of one stage, with its views; `number` keeps their names apart."""
        shape = f"{REPEATS}x{self.instruction.rows}x{self.instruction.words}xi32"
        dst = f"memref<{shape}, {self.target}, {TENSOR}>"
        src = f"memref<{STAGES}x{shape}, {self.source}, {WORKGROUP}>"
        operands = f"%dst{number}, %src{number}[{stage}]"
        guard = f" predicate({self.predicate})" if self.predicate else ""
        return f"""%dst{number} = tcgen05.view %base : i32 to {dst}
          %src{number} = tcgen05.view %image : {BUFFER} to {src}
          {copy_text(self.instruction, operands, self.fields, dst, src, guard)}"""

    def run(self, tensor: Words, shared: Bytes, stage: int) -> None:
        """All repeats, in plain loops."""
        if not self.taken:
            return
        for issue in self.issues(stage):
            issue.run(tensor, shared)

    def issues(self, stage: int) -> list[Issue]:
        """One instruction per repeat."""
        return [
            Issue(
                self.instruction.shape,
                self.instruction.multicast,
                self.origin + stage * self.stage + repeat * self.repeat,
                self.ldo,
                self.sdo,
                self.swizzle,
                self.lane,
                self.column + STEP * repeat,
                self.instruction.src_format,
            )
            for repeat in range(REPEATS)
        ]


def copy_text(
    instruction: Instruction, operands: str, fields: str, dst: str, src: str, guard: str = ""
) -> str:
    """`tcgen05.cp` in custom syntax."""
    nvvm = instruction.nvvm
    parts = [f"cta_group(<{nvvm.cta_group}>)"]
    if instruction.multicast:
        parts.append(f"multicast(<{nvvm.multicast}>)")
    if nvvm.src_format:
        parts.append(f"src_format(<{nvvm.src_format}>)")
    clauses = " ".join([*parts, f"descriptor({fields})"]) + guard
    return f"tcgen05.cp <{nvvm.shape}> {operands} {clauses}\n            : {dst}, {src}"
