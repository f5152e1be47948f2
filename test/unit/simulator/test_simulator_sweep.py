"""Every form, swizzle, format and cta_group as whole kernels, compared in every cell.

A kernel has one form and cta_group, and a copy for each swizzle and format: two repeats, a stage
that is chosen at run time, strides beyond the tile's and an origin inside the swizzle period.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.compiler import load
from tcgen05_mlir.model import COL, Instruction, SmemDescriptor, TmemLayout, execute_cp
from tcgen05_mlir.passes import tcgen05_to_ptx
from whole_kernel import BASE, BUFFER, PATTERN, WORDS, kernel, launch, shared_bytes

FORMS = (
    ("128x256b", None),
    ("128x128b", None),
    ("4x256b", None),
    ("64x128b", "warpx2::02_13"),
    ("64x128b", "warpx2::01_23"),
    ("32x128b", "warpx4"),
)
FORMATS = (None, "b4x16_p64", "b6x16_p32")
STAGES, REPEATS = 3, 2
SLOT = 24
"""Columns from one copy to the next: two repeats of eight words, 12 apart, and a gap."""
TENSOR = "#nvvm.memory_space<tensor>"


@dataclass(frozen=True)
class Copy:
    """A copy of (stages, repeats, rows, words); bytes, but for `column`. `taken`: its predicate."""

    instruction: Instruction
    swizzle: int
    column: int
    taken: bool | None = None

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

    def start(self, stage: int, repeat: int) -> int:
        return self.origin + stage * self.stage + repeat * self.repeat

    def text(self, number: int) -> str:
        nvvm, words = self.instruction.nvvm, self.instruction.words
        split = words == 8 and self.swizzle == 0
        rows, row_steps = f"{self.instruction.rows}", f"{self.pitch // 4}"
        if self.instruction.rows > 8:
            rows, row_steps = (
                f"({self.instruction.rows // 8}, 8)",
                f"({self.sdo // 4}, {row_steps})",
            )
        columns, steps = ("(2, 4)", f"({self.ldo // 4}, 1)") if split else (f"{words}", "1")
        source = (
            f"#tcgen05.smem_layout<({STAGES}, {REPEATS}, {rows}, {columns}) : "
            f"({self.stage // 4}, {self.repeat // 4}, {row_steps}, {steps}), "
            f"offset = {self.origin // 4}, swizzle = {self.swizzle}>"
        )
        target = TmemLayout.for_instruction(
            self.instruction,
            REPEATS,
            repeat_strides=(12 @ COL,),
            offset=(self.lane, self.column),
        )
        shape = f"{REPEATS}x{self.instruction.rows}x{words}xi32"
        dst = f"memref<{shape}, {target}, {TENSOR}>"
        src = f"memref<{STAGES}x{shape}, {source}, #gpu.address_space<workgroup>>"
        fields = [f"sdo = {self.sdo}"] if self.instruction.rows > 4 else []
        fields += [f"ldo = {self.ldo}"] if split else []
        fields += [f"swizzle = {self.swizzle}"] if self.swizzle else []
        parts = [f"cta_group(<{nvvm.cta_group}>)"]
        if self.instruction.multicast:
            parts.append(f"multicast(<{nvvm.multicast}>)")
        if nvvm.src_format:
            parts.append(f"src_format(<{nvvm.src_format}>)")
        parts.append(f"descriptor(<{', '.join(fields)}>)")
        if self.taken is not None:
            parts.append(f"predicate(%is_{str(self.taken).lower()})")
        return f"""%dst{number} = tcgen05.view %base : i32 to {dst}
        %src{number} = tcgen05.view %image : {BUFFER} to {src}
        tcgen05.cp <{nvvm.shape}> %dst{number}, %src{number}[%choice0] {" ".join(parts)}
          : {dst}, {src}"""

    def by_reference(self, tmem: NDArray, memory: NDArray[np.uint8], stage: int) -> None:
        for repeat in range(REPEATS):
            start = BASE + self.start(stage, repeat)
            descriptor = SmemDescriptor(start, self.ldo, self.sdo, self.swizzle)
            address = self.lane << 16 | self.column + 12 * repeat
            execute_cp(tmem, memory, address, descriptor, self.instruction)

    def by_loops(self, tmem: NDArray, memory: NDArray[np.uint8], stage: int) -> None:
        """16 bytes at a time, without the model's code."""
        for repeat, row, block in product(
            range(REPEATS), range(self.instruction.rows), range(self.instruction.words // 4)
        ):
            at = BASE + self.start(stage, repeat) + row // 8 * self.sdo + row % 8 * self.pitch
            at += block * (16 if self.swizzle else self.ldo)
            at ^= at >> 3 & ((1 << self.swizzle) - 1) << 4
            packed = int.from_bytes(memory[at : at + 16].tobytes(), "little")
            column = self.column + 12 * repeat + 4 * block
            words = unpacked(packed, self.instruction.src_format)
            for lane in lanes(self.instruction, row):
                for word in range(4):
                    tmem[self.lane + lane, column + word] = words >> 32 * word & 0xFFFFFFFF


def unpacked(packed: int, source: str | None) -> int:
    """16 bytes as tensor memory gets them, as one little-endian number."""
    if source is None:
        return packed
    bits, shift = {"b4x16_p64": (4, 2), "b6x16_p32": (6, 0)}[source]
    values = [packed >> bits * n & (1 << bits) - 1 for n in range(16)]
    return sum(value << shift << 8 * n for n, value in enumerate(values))


def lanes(instruction: Instruction, row: int) -> list[int]:
    """Where PTX puts a row (`tcgen05-cp`)."""
    if instruction.rows == 128:
        return [row]
    if instruction.rows == 4:
        return [32 * row]
    if instruction.rows == 32:
        return [row, row + 32, row + 64, row + 96]
    if instruction.multicast == "warpx2::02_13":
        return [row, row + 64]
    return [64 * (row // 32) + row % 32, 64 * (row // 32) + row % 32 + 32]


def copies_of(shape: str, multicast: str | None, group: int) -> list[Copy]:
    kinds = list(product(range(4), FORMATS))
    copies = [
        Copy(Instruction(shape, multicast, group, source), swizzle, SLOT * n)
        for n, (swizzle, source) in enumerate(kinds)
    ]
    plain = Instruction(shape, multicast, group)
    guarded = [
        Copy(plain, 3 if taken else 0, SLOT * (len(copies) + n), taken)
        for n, taken in enumerate((True, False))
    ]
    return copies + guarded


def kernel_of(copies: list[Copy], group: int) -> str:
    guards = """%is_true = arith.cmpi ne, %chosen1, %zero : i32
        %is_false = arith.cmpi eq, %chosen1, %zero : i32
        """
    texts = [copy.text(number) for number, copy in enumerate(copies)]
    return kernel(guards + "\n        ".join(texts), group)


def images(group: int) -> NDArray[np.uint32]:
    rng = np.random.default_rng(5)
    return rng.integers(0, 2**32, (group, WORDS), dtype=np.uint32)


@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize(("shape", "multicast"), FORMS)
def test_swizzles_and_formats(shape: str, multicast: str | None, group: int) -> None:
    copies, image = copies_of(shape, multicast, group), images(group)
    stage = FORMS.index((shape, multicast)) % STAGES
    found = launch(kernel_of(copies, group), image, (stage, 1), seed=group)
    for rank in range(group):
        wanted, memory = PATTERN.copy(), shared_bytes(image[rank])
        for copy in copies:
            if copy.taken is not False:
                copy.by_reference(wanted, memory, stage)
        assert (found[rank] == wanted).all()
        assert (wanted != PATTERN).sum() > len(copies) * 16


@pytest.mark.parametrize(("shape", "multicast"), FORMS)
def test_inline_assembly_against_plain_loops(shape: str, multicast: str | None) -> None:
    group = 1 + FORMS.index((shape, multicast)) % 2
    copies, image, stage = copies_of(shape, multicast, group), images(group), 1
    options = tcgen05_to_ptx.ToPtxOptions(chip="sm_100a", path="inline-asm")
    stages = f"{tcgen05_to_ptx.front(options)},{tcgen05_to_ptx.lower()}"
    lowered = run_pipeline(load(kernel_of(copies, group)), stages)
    assert "nvvm.tcgen05.cp" not in str(lowered)
    found = launch(lowered, image, (stage, 1))
    wanted, memory = PATTERN.copy(), shared_bytes(image[group - 1])
    for copy in copies:
        if copy.taken is not False:
            copy.by_loops(wanted, memory, stage)
    assert (found[group - 1] == wanted).all()
