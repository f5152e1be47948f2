"""`tcgen05-check-memory`: rules T2 and T3, before the backend would end the process."""

from __future__ import annotations

import pytest
from device_text import diagnostics, gpu_module, kernel, run

PASS = "tcgen05-check-memory"
T2_REMEDY = (
    "tensor memory is read by nvvm.tcgen05.ld and written by nvvm.tcgen05.st and tcgen05.cp; "
    "tcgen05.address gives the address of an element"
)
T3_REMEDY = (
    "declare it with memref.global or as a workgroup attribution of the gpu.func, or take it from "
    "gpu.dynamic_shared_memory"
)
TENSOR = "memref<128x4xi32, #nvvm.memory_space<tensor>>"
PLAIN = "memref<128x4xi32>"


def function(body: str, space: str = "#nvvm.memory_space<tensor>") -> str:
    """A gpu.func with a tensor memref and an ordinary one; `body` is line 3."""
    tensor = f"memref<128x4xi32, {space}>"
    arguments = f"%t: {tensor}, %m: {PLAIN}, %i: index, %v: i32, %w: vector<4xi32>"
    arguments += ", %mask: vector<4xi1>, %x: vector<4xindex>"
    return gpu_module(f"gpu.func @f({arguments}) {{\n{body}\ngpu.return\n}}")


def misplaced(name: str, operand: str, space: str, text: str, line: int = 3) -> list[str]:
    """The error of rule T2 and its remedy; an operation's place is behind its `%0 = `."""
    place = f"{line}:{6 if text.startswith('%0 = ') else 1}"
    return [
        f"{place}: error: '{name}' op {operand} must be in generic, global, shared, constant or "
        f"local memory, got {space}, which is tensor memory [T2]",
        f"{place}: note: {T2_REMEDY}",
    ]


@pytest.mark.parametrize(
    ("text", "name", "operand"),
    [
        ("%0 = llvm.load %t : !llvm.ptr<6> -> i32", "llvm.load", "'addr'"),
        ("llvm.store %v, %t : i32, !llvm.ptr<6>", "llvm.store", "'addr'"),
        (
            "%0 = llvm.addrspacecast %t : !llvm.ptr<6> to !llvm.ptr",
            "llvm.addrspacecast",
            "'arg'",
        ),
        ("%0 = llvm.atomicrmw add %t, %v monotonic : !llvm.ptr<6>, i32", "llvm.atomicrmw", "'ptr'"),
        (
            "%0 = llvm.cmpxchg %t, %v, %v monotonic monotonic : !llvm.ptr<6>, i32",
            "llvm.cmpxchg",
            "'ptr'",
        ),
        (
            '"llvm.intr.memcpy"(%g, %t, %v) <{isVolatile = false}> '
            ": (!llvm.ptr, !llvm.ptr<6>, i32) -> ()",
            "llvm.intr.memcpy",
            "'src'",
        ),
        (
            '"llvm.intr.memmove"(%t, %g, %v) <{isVolatile = false}> '
            ": (!llvm.ptr<6>, !llvm.ptr, i32) -> ()",
            "llvm.intr.memmove",
            "'dst'",
        ),
        (
            '"llvm.intr.memset"(%t, %b, %v) <{isVolatile = false}> : (!llvm.ptr<6>, i8, i32) -> ()',
            "llvm.intr.memset",
            "'dst'",
        ),
    ],
)
def test_b08_ordinary_access_through_a_tensor_pointer(text, name, operand):
    arguments = "%t: !llvm.ptr<6>, %g: !llvm.ptr, %v: i32, %b: i8"
    assert diagnostics(gpu_module(kernel(text, arguments)), PASS) == misplaced(
        name, operand, "6", text
    )


def test_b08_a_cast_into_tensor_memory():
    text = "%0 = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<6>"
    assert diagnostics(gpu_module(kernel(text, "%g: !llvm.ptr")), PASS) == misplaced(
        "llvm.addrspacecast", "result", "6", text
    )


@pytest.mark.parametrize(
    ("text", "name", "operand"),
    [
        (f"%0 = memref.load %t[%i, %i] : {TENSOR}", "memref.load", "'memref'"),
        (f"memref.store %v, %t[%i, %i] : {TENSOR}", "memref.store", "'memref'"),
        (f"memref.copy %t, %m : {TENSOR} to {PLAIN}", "memref.copy", "'source'"),
        (f"memref.copy %m, %t : {PLAIN} to {TENSOR}", "memref.copy", "'target'"),
        (
            f"%0 = memref.atomic_rmw addi %v, %t[%i, %i] : (i32, {TENSOR}) -> i32",
            "memref.atomic_rmw",
            "'memref'",
        ),
        (
            f"%0 = memref.memory_space_cast %t : {TENSOR} to {PLAIN}",
            "memref.memory_space_cast",
            "'source'",
        ),
        (f"%0 = vector.load %t[%i, %i] : {TENSOR}, vector<4xi32>", "vector.load", "'base'"),
        (f"vector.store %w, %t[%i, %i] : {TENSOR}, vector<4xi32>", "vector.store", "'base'"),
        (
            f"%0 = vector.transfer_read %t[%i, %i], %v : {TENSOR}, vector<4xi32>",
            "vector.transfer_read",
            "'base'",
        ),
        (
            f"vector.transfer_write %w, %t[%i, %i] : vector<4xi32>, {TENSOR}",
            "vector.transfer_write",
            "'base'",
        ),
        (
            f"vector.maskedstore %t[%i, %i], %mask, %w : {TENSOR}, vector<4xi1>, vector<4xi32>",
            "vector.maskedstore",
            "'base'",
        ),
        (
            f"%0 = vector.gather %t[%i, %i] [%x], %mask, %w : {TENSOR}, vector<4xindex>, "
            "vector<4xi1>, vector<4xi32> into vector<4xi32>",
            "vector.gather",
            "'base'",
        ),
        (f"%0 = affine.load %t[0, 0] : {TENSOR}", "affine.load", "'memref'"),
        (f"affine.store %v, %t[0, 0] : {TENSOR}", "affine.store", "'memref'"),
    ],
)
def test_b08_ordinary_access_through_a_tensor_memref(text, name, operand):
    space = "#nvvm.memory_space<tensor>"
    assert diagnostics(function(text), PASS) == misplaced(name, operand, space, text)


def test_b08_a_numbered_tensor_memref_is_the_same_space():
    text = "%0 = memref.load %t[%i, %i] : memref<128x4xi32, 6>"
    assert diagnostics(function(text, space="6"), PASS) == misplaced(
        "memref.load", "'memref'", "6", text
    )


def test_tensor_pointers_are_computed_stored_and_handed_on():
    body = """
      %0 = llvm.getelementptr %t[4] : (!llvm.ptr<6>) -> !llvm.ptr<6>, i8
      %1 = llvm.ptrtoint %0 : !llvm.ptr<6> to i32
      llvm.store %0, %g : !llvm.ptr<6>, !llvm.ptr
      %2 = nvvm.tcgen05.ld %0 {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32"""
    text = gpu_module(kernel(body, "%t: !llvm.ptr<6>, %g: !llvm.ptr"))
    assert "llvm.ptrtoint" in run(text, PASS)


def test_every_access_is_reported_in_source_order():
    load, store = "%0 = llvm.load %t : !llvm.ptr<6> -> i32", "llvm.store %0, %t : i32, !llvm.ptr<6>"
    assert diagnostics(gpu_module(kernel(f"{load}\n{store}", "%t: !llvm.ptr<6>")), PASS) == [
        *misplaced("llvm.load", "'addr'", "6", load),
        *misplaced("llvm.store", "'addr'", "6", store, line=4),
    ]


@pytest.mark.parametrize("name", ["memref.alloc", "memref.alloca"])
@pytest.mark.parametrize(
    "space", ["#gpu.address_space<workgroup>", "#nvvm.memory_space<shared>", "3"]
)
def test_shared_memory_is_not_allocated(name, space):
    assert diagnostics(function(f"%0 = {name}() : memref<4xi32, {space}>"), PASS) == [
        f"3:6: error: '{name}' op result must be in generic or local memory, got {space}, which is "
        "shared memory [T3]",
        f"3:6: note: {T3_REMEDY}",
    ]


def test_shared_memory_is_not_allocated_by_llvm_either():
    text = kernel("%0 = llvm.alloca %n x i32 : (i32) -> !llvm.ptr<3>", "%n: i32")
    assert diagnostics(gpu_module(text), PASS) == [
        "3:6: error: 'llvm.alloca' op result must be in generic or local memory, got 3, which is "
        "shared memory [T3]",
        f"3:6: note: {T3_REMEDY}",
    ]


@pytest.mark.parametrize("kind", ["memref<4xi32>", "memref<4xi32, 5>"])
def test_local_memory_is_allocated(kind):
    assert "memref.alloca" in run(function(f"%0 = memref.alloca() : {kind}"), PASS)
