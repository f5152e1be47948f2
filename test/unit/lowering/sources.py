"""Text of legal copies: memref types with layouts that fit an instruction and a descriptor."""

from __future__ import annotations

from tcgen05_mlir.model import Instruction, SmemDescriptor, SmemLayout, TmemLayout

WORKGROUP = "#gpu.address_space<workgroup>"
TENSOR = "#nvvm.memory_space<tensor>"


def descriptor_for(instruction: Instruction, swizzle: int) -> SmemDescriptor:
    """That of a dense tile: rows of 16 << swizzle bytes; unswizzled, of core matrices."""
    if swizzle:
        return SmemDescriptor(sdo=8 * (16 << swizzle), swizzle=swizzle)
    return SmemDescriptor(ldo=128, sdo=32 * instruction.words)


def atom_modes(instruction: Instruction, swizzle: int) -> tuple[tuple, tuple]:
    """Extents and strides, in words, of the row and word dimensions of that tile."""
    rows, words = instruction.rows, instruction.words
    pitch = 4 << swizzle
    if rows < 8:
        row = (rows, pitch)
    else:
        row = ((rows // 8, 8), (8 * pitch if swizzle else 8 * words, pitch))
    word = ((2, 4), (32, 1)) if words == 8 and not swizzle else (words, 1)
    return (row[0], word[0]), (row[1], word[1])


def tile_words(instruction: Instruction, swizzle: int) -> int:
    """Words of shared memory that back one copy, eight rows at least [F11]."""
    pitch = 4 << swizzle if swizzle else instruction.words
    return max(instruction.rows, 8) * pitch


def memref(layout: SmemLayout | TmemLayout, element: str = "i32") -> str:
    """The type with this layout, in its memory space."""
    shape = "x".join("?" if extent is None else str(extent) for extent in layout.shape)
    space = TENSOR if isinstance(layout, TmemLayout) else WORKGROUP
    return f"memref<{shape}x{element}, {layout}, {space}>"


def clauses(instruction: Instruction, descriptor: SmemDescriptor) -> str:
    """What follows the operands of a copy, types not included."""
    nvvm = instruction.nvvm
    text = f"cta_group(<{nvvm.cta_group}>)"
    if nvvm.multicast != "none":
        text += f" multicast(<{nvvm.multicast}>)"
    if nvvm.src_format is not None:
        text += f" src_format(<{nvvm.src_format}>)"
    names = ("ldo", "sdo", "swizzle")
    fields = [f"{name} = {value}" for name in names if (value := getattr(descriptor, name))]
    return f"{text} descriptor(<{', '.join(fields)}>)"


def copy(
    instruction: Instruction,
    descriptor: SmemDescriptor,
    operands: tuple[str, str],
    types: tuple[str, str],
    predicate: str = "",
) -> str:
    """`tcgen05.cp` on two operands, indices included."""
    guard = f" predicate({predicate})" if predicate else ""
    return (
        f"tcgen05.cp <{instruction.nvvm.shape}> {', '.join(operands)} "
        f"{clauses(instruction, descriptor)}{guard} : {', '.join(types)}"
    )
