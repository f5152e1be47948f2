"""Modules around copies, as text, and what passes make and say of them."""

from __future__ import annotations

import tcgen05_mlir
from mlir import ir
from tcgen05_mlir.model import Instruction, SmemDescriptor, SmemLayout, TmemLayout

WORKGROUP = "#gpu.address_space<workgroup>"
TENSOR = "#nvvm.memory_space<tensor>"
VERIFY = "tcgen05-verify-footprint"
INFER = "tcgen05-infer-descriptors"
LOWER = "convert-tcgen05-to-nvvm"


def memref(layout: SmemLayout | TmemLayout) -> str:
    """The type of 32-bit words with this layout, in its memory space."""
    shape = "x".join("?" if extent is None else str(extent) for extent in layout.shape)
    space = TENSOR if isinstance(layout, TmemLayout) else WORKGROUP
    return f"memref<{shape}xi32, {layout}, {space}>"


def copy_text(
    instruction: Instruction,
    dst: TmemLayout,
    src: str,
    descriptor: SmemDescriptor | None = None,
    *,
    dst_indices: str = "",
    src_indices: str = "",
) -> str:
    """`tcgen05.cp` from `%src`, of type `src`, to `%dst`."""
    parts = instruction.nvvm
    text = f"tcgen05.cp <{parts.shape}> %dst{dst_indices}, %src{src_indices}"
    if parts.multicast != "none":
        text += f" multicast(<{parts.multicast}>)"
    text += f" cta_group(<{parts.cta_group}>)"
    if parts.src_format is not None:
        text += f" src_format(<{parts.src_format}>)"
    if descriptor is not None:
        names = ("ldo", "sdo", "swizzle")
        given = {name: getattr(descriptor, name) for name in names}
        fields = [f"{name} = {value}" for name, value in given.items() if value is not None]
        text += f" descriptor(<{', '.join(fields)}>)"
    return f"{text} : {memref(dst)}, {src}"


def function(body: str, arguments: str = "%base: i32", buffer: str = "") -> str:
    """A module with one function; `body` starts in its line 3."""
    return f"{buffer}\nfunc.func @f({arguments}) {{\n{body}\nreturn\n}}\n"


def byte_buffer(size: int = 65536, alignment: int = 1024) -> str:
    """The global `@tiles`, bytes of shared memory."""
    return (
        f'memref.global "private" @tiles : memref<{size}xi8, {WORKGROUP}> '
        f"{{alignment = {alignment}}}"
    )


def view_of_bytes(layout: SmemLayout, size: int = 65536) -> str:
    """`%src`: a view of the global `@tiles`."""
    kind = f"memref<{size}xi8, {WORKGROUP}>"
    return (
        f"%tiles = memref.get_global @tiles : {kind}\n"
        f"%src = tcgen05.view %tiles : {kind} to {memref(layout)}"
    )


def view_of_base(layout: TmemLayout, address: str = "%base") -> str:
    """`%dst`: a view of a tensor-memory address."""
    return f"%dst = tcgen05.view {address} : i32 to {memref(layout)}"


def run(text: str, pipeline: str) -> str:
    """The module that the pipeline makes of `text`, as text."""
    with ir.Context():
        return str(tcgen05_mlir.run_pipeline(ir.Module.parse(text), pipeline))


def errors(text: str, pipeline: str = VERIFY) -> list[str]:
    """The messages of a failing pipeline; none where it passes."""
    return [message for message, _ in errors_and_notes(text, pipeline)]


def errors_and_notes(text: str, pipeline: str = VERIFY) -> list[tuple[str, list[str]]]:
    """Each message with its notes; the module stays as it was."""
    with ir.Context():
        module = ir.Module.parse(text)
        before = str(module)
        failure = _failure(module, pipeline)
        assert str(module) == before
        if failure is None:
            return []
        assert failure.error_diagnostics, failure
        return [
            (found.message, [note.message for note in found.notes])
            for found in failure.error_diagnostics
        ]


def _failure(module: ir.Module, pipeline: str) -> ir.MLIRError | None:
    try:
        tcgen05_mlir.run_pipeline(module, pipeline)
    except tcgen05_mlir.MLIRError as error:
        return error
    return None


def rules(text: str, pipeline: str = VERIFY) -> list[str]:
    """The rules that a failing pipeline names, in order."""
    return [message.rpartition("[")[2].rstrip("]") for message in errors(text, pipeline)]
