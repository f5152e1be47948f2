"""Shared memory traced to its root: every operation between, every root, every contradiction."""

from __future__ import annotations

import pytest
from footprint_text import WORKGROUP
from tcgen05_mlir import MLIRError
from tcgen05_mlir.model.footprint import SharedBase
from tcgen05_mlir.passes.diagnostics import PassFailure
from traced import place

RING = f"memref<3x128x4xi32, {WORKGROUP}>"
BYTES = f"memref<65536xi8, {WORKGROUP}>"
SOURCE = "memref.global @ring"
KNOWN = SharedBase(alignment=256, alignment_source=SOURCE, extent=6144)


def function(body: str, kind: str, arguments: str = "%i: index", result: str = "%r") -> str:
    return f"""
      memref.global "private" @ring : {RING} {{alignment = 256}}
      memref.global "private" @plain : {RING}
      llvm.mlir.global internal @words() {{addr_space = 3 : i32, alignment = 16 : i64}}
          : !llvm.array<32 x i32>
      llvm.mlir.global external @launched() {{addr_space = 3 : i32, alignment = 128 : i64}}
          : !llvm.array<0 x i8>
      func.func @f({arguments}) -> {kind} {{
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c1024 = arith.constant 1024 : index
        %ring = memref.get_global @ring : {RING}
        {body}
        return {result} : {kind}
      }}"""


def moved(offset: int, factor: int = 0) -> SharedBase:
    return SharedBase(
        alignment=256, alignment_source=SOURCE, extent=6144, offset=offset, offset_factor=factor
    )


def strided(shape: str, strides: str, offset: str) -> str:
    return f"memref<{shape}xi32, strided<[{strides}], offset: {offset}>, {WORKGROUP}>"


@pytest.mark.parametrize(
    ("body", "kind", "base"),
    [
        ("%r = memref.cast %ring : {0} to memref<?x128x4xi32, {1}>", "?x128x4xi32", KNOWN),
        (
            "%r = memref.subview %ring[2, 8, 0] [1, 64, 4] [1, 1, 1] : {0} to "
            + strided("64x4", "4, 1", "1056"),
            strided("64x4", "4, 1", "1056"),
            moved(4224),
        ),
        (
            "%r = memref.subview %ring[%i, 0, 0] [1, 128, 4] [1, 1, 1] : {0} to "
            + strided("128x4", "4, 1", "?"),
            strided("128x4", "4, 1", "?"),
            moved(0, 2048),
        ),
        (
            "%r = memref.expand_shape %ring [[0], [1, 2], [3]] output_shape [3, 4, 32, 4] : {0} "
            "into memref<3x4x32x4xi32, {1}>",
            "3x4x32x4xi32",
            KNOWN,
        ),
        (
            "%r = memref.collapse_shape %ring [[0, 1], [2]] : {0} into memref<384x4xi32, {1}>",
            "384x4xi32",
            KNOWN,
        ),
        # A reinterpret_cast counts from the aligned pointer, not from the subview.
        (
            "%s = memref.subview %ring[1, 0, 0] [1, 128, 4] [1, 1, 1] : {0} to "
            + strided("128x4", "4, 1", "512")
            + "\n%r = memref.reinterpret_cast %s to offset: [16], sizes: [32, 4], strides: [4, 1]"
            + " : "
            + strided("128x4", "4, 1", "512")
            + " to "
            + strided("32x4", "4, 1", "16"),
            strided("32x4", "4, 1", "16"),
            moved(64),
        ),
        (
            "%o = arith.muli %i, %c64 : index\n"
            "%r = memref.reinterpret_cast %ring to offset: [%o], sizes: [32, 4], strides: [4, 1] : "
            "{0} to " + strided("32x4", "4, 1", "?"),
            strided("32x4", "4, 1", "?"),
            moved(0, 256),
        ),
        (
            "%r = memref.assume_alignment %ring, 128 : {0}",
            "3x128x4xi32",
            KNOWN,
        ),
        (
            "%r = memref.assume_alignment %ring, 1024 : {0}",
            "3x128x4xi32",
            SharedBase(alignment=1024, alignment_source=SOURCE, alignment_stated=True, extent=6144),
        ),
    ],
    ids=[
        "cast",
        "subview",
        "dynamic subview",
        "expand_shape",
        "collapse_shape",
        "reinterpret_cast",
        "dynamic reinterpret_cast",
        "known alignment",
        "stated alignment",
    ],
)
def test_a_memref_is_traced_to_its_global(body, kind, base):
    kind = kind if kind.startswith("memref") else f"memref<{kind}, {WORKGROUP}>"
    text = body.replace("{0}", RING).replace("{1}", WORKGROUP)
    assert place(function(text, kind)).shared_base() == base


def test_a_byte_view_is_a_distance_into_its_buffer():
    body = (
        f"%b = memref.get_global @bytes : {BYTES}\n"
        f"%r = memref.view %b[%c1024][] : {BYTES} to memref<128x4xi32, {WORKGROUP}>"
    )
    text = f'memref.global "private" @bytes : {BYTES} {{alignment = 128}}' + function(
        body, f"memref<128x4xi32, {WORKGROUP}>"
    )
    assert place(text).shared_base() == SharedBase(
        alignment=128, alignment_source="memref.global @bytes", extent=65536, offset=1024
    )


def test_a_byte_view_says_how_much_dynamic_memory_there_is():
    dynamic = f"memref<?xi8, {WORKGROUP}>"
    body = (
        f"%b = gpu.dynamic_shared_memory : {dynamic}\n"
        f"%r = memref.view %b[%c1024][] : {dynamic} to memref<128x4xi32, {WORKGROUP}>"
    )
    assert place(function(body, f"memref<128x4xi32, {WORKGROUP}>")).shared_base() == SharedBase(
        alignment=16, alignment_source="gpu.dynamic_shared_memory", extent=3072, offset=1024
    )


def test_a_byte_view_at_an_unknown_distance_is_a_buffer_of_its_own():
    dynamic = f"memref<?xi8, {WORKGROUP}>"
    body = (
        f"%b = gpu.dynamic_shared_memory : {dynamic}\n"
        f"%d = memref.assume_alignment %b, 1024 : {dynamic}\n"
        "%c512 = arith.constant 512 : index\n%o = arith.muli %i, %c512 : index\n"
        f"%r = memref.view %d[%o][] : {dynamic} to memref<128x4xi32, {WORKGROUP}>"
    )
    assert place(function(body, f"memref<128x4xi32, {WORKGROUP}>")).shared_base() == SharedBase(
        alignment=512,
        alignment_source="gpu.dynamic_shared_memory and an offset",
        alignment_stated=True,
        extent=2048,
    )


@pytest.mark.parametrize(
    ("body", "base"),
    [
        (
            "%r = llvm.mlir.addressof @words : !llvm.ptr<3>",
            SharedBase(alignment=16, alignment_source="llvm.mlir.global @words", extent=128),
        ),
        (
            "%r = llvm.mlir.addressof @launched : !llvm.ptr<3>",
            SharedBase(alignment=128, alignment_source="llvm.mlir.global @launched"),
        ),
        (
            "%p = llvm.mlir.addressof @words : !llvm.ptr<3>\n"
            "%r = llvm.getelementptr %p[0, 4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, "
            "!llvm.array<32 x i32>",
            SharedBase(
                alignment=16, alignment_source="llvm.mlir.global @words", extent=128, offset=16
            ),
        ),
        (
            "%n = arith.index_cast %i : index to i64\n"
            "%p = llvm.mlir.addressof @words : !llvm.ptr<3>\n"
            "%r = llvm.getelementptr %p[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f64",
            SharedBase(
                alignment=16,
                alignment_source="llvm.mlir.global @words",
                extent=128,
                offset_factor=8,
            ),
        ),
        (
            "%a = memref.extract_aligned_pointer_as_index %ring : {0} -> index\n"
            "%b = arith.addi %a, %c64 : index\n%n = arith.index_cast %b : index to i64\n"
            "%r = llvm.inttoptr %n : i64 to !llvm.ptr<3>",
            moved(64),
        ),
        (
            "%n = arith.constant 0x1200 : i64\n%r = llvm.inttoptr %n : i64 to !llvm.ptr<3>",
            SharedBase(alignment=1, alignment_source="address 0x1200", address=0x1200),
        ),
        (
            "%n = arith.index_cast %i : index to i64\n%r = llvm.inttoptr %n : i64 to !llvm.ptr<3>",
            SharedBase(alignment=1, alignment_source="the result of 'llvm.inttoptr'"),
        ),
    ],
    ids=["global", "launched", "gep", "dynamic gep", "pointer of a memref", "address", "unknown"],
)
def test_a_pointer_is_traced_to_its_root(body, base):
    text = function(body.replace("{0}", RING), "!llvm.ptr<3>")
    assert place(text).shared_base() == base


def test_an_unaligned_global_has_the_alignment_of_its_elements():
    text = function(f"%r = memref.get_global @plain : {RING}", RING)
    assert place(text).shared_base() == SharedBase(
        alignment=4, alignment_source="memref.global @plain", extent=6144
    )


def test_an_argument_is_a_root_of_its_own():
    kind = strided("32x4", "8, 1", "4")
    text = function("", kind, f"%i: index, %m: {kind}", "%m")
    assert place(text).shared_base() == SharedBase(
        alignment=4, alignment_source="argument 1", extent=4 * (31 * 8 + 4)
    )


def test_an_attribution_has_the_alignment_that_its_function_says():
    kind = f"memref<32x4xi32, {WORKGROUP}>"
    text = f"""
      gpu.module @m {{
        gpu.func @f(%i: index) -> {kind} workgroup(%a : {kind}, %r : {kind} {{llvm.align = 64}}) {{
          gpu.return %r : {kind}
        }}
      }}"""
    assert place(text).shared_base() == SharedBase(
        alignment=64, alignment_source="workgroup attribution 1", extent=512
    )


def test_a_statement_may_not_contradict_what_is_known():
    kind = strided("32x4", "4, 1", "16")
    body = (
        f"%s = memref.subview %ring[0, 4, 0] [1, 32, 4] [1, 1, 1] : {RING} to {kind}\n"
        f"%r = memref.assume_alignment %s, 128 : {kind}"
    )
    with pytest.raises(PassFailure) as caught:
        place(function(body, kind))
    (found,) = caught.value.diagnostics
    assert found.message == (
        "'memref.assume_alignment' op 'alignment' must be one that the address has, got 128 for "
        "an address that is 64 more than a multiple of 256 [F9]"
    )
    assert [note.message for note in found.notes] == [
        "it is counted from here, memref.global @ring",
        "state what the address has, or move what it is the address of",
    ]


def test_a_statement_within_a_buffer_starts_a_root_of_its_own():
    """Sixteen bytes behind the start of a buffer of which little is known."""
    kind = strided("96x4", "4, 1", "4")
    body = (
        f"%p = memref.get_global @plain : {RING}\n"
        f"%s = memref.subview %p[0, 1, 0] [1, 96, 4] [1, 1, 1] : {RING} to {kind}\n"
        f"%r = memref.assume_alignment %s, 1024 : {kind}"
    )
    assert place(function(body, kind)).shared_base() == SharedBase(
        alignment=1024,
        alignment_source="memref.global @plain and an offset",
        alignment_stated=True,
        extent=6144 - 16,
    )


def test_an_address_beyond_shared_memory_is_an_error():
    body = "%n = arith.constant 262144 : i64\n%r = llvm.inttoptr %n : i64 to !llvm.ptr<3>"
    with pytest.raises(PassFailure) as caught:
        place(function(body, "!llvm.ptr<3>"))
    assert [found.message for found in caught.value.diagnostics] == [
        "'llvm.inttoptr' op 'arg' must be a shared address in 0..262143, got 262144 [F10]"
    ]


def test_the_texts_of_this_file_are_checked():
    with pytest.raises(MLIRError):
        place(function("", "index", result="%unknown"))
