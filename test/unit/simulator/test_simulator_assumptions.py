"""What the footprint proof has to assume of run-time values, kept and broken by those values."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import lanes, per_thread
from tcgen05_mlir.simulator import SimulationError
from whole_kernel import BASE, BUFFER, PATTERN, WORDS, kernel, launch

TENSOR = "#nvvm.memory_space<tensor>"
WORKGROUP = "#gpu.address_space<workgroup>"
TILE = f"memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, {TENSOR}>"
ROWS = (
    "memref<128x4xi32, #tcgen05.smem_layout<((16, 8), 4) : ((256, 32), 1), swizzle = 3>, "
    f"{WORKGROUP}>"
)
STAGES = (
    f"memref<?x128x4xi32, #tcgen05.smem_layout<(?, (16, 8), 4) : (1024, (32, 4), 1)>, {WORKGROUP}>"
)
IMAGE = np.random.default_rng(2).integers(0, 2**32, (1, WORDS), dtype=np.uint32)
CP = "tcgen05.cp <shape_128x128b>"

SOURCE = f"""%address = arith.index_cast %choice0 : index to i32
        %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<3>
        %dst = tcgen05.view %base : i32 to {TILE}
        %src = tcgen05.view %pointer alignment(1024) : !llvm.ptr<3> to {ROWS}
        {CP} %dst, %src descriptor(<sdo = 1024, swizzle = 3>) : {TILE}, {ROWS}"""
STAGE = f"""%dst = tcgen05.view %base : i32 to {TILE}
        %pointer = memref.extract_aligned_pointer_as_index %image : {BUFFER} -> index
        %address = arith.index_cast %pointer : index to i32
        %start = llvm.inttoptr %address : i32 to !llvm.ptr<3>
        %src = tcgen05.view %start : !llvm.ptr<3> to {STAGES}
        {CP} %dst, %src[%choice0] descriptor(<sdo = 128>) : {TILE}, {STAGES}"""
ADDEND = f"""%four = arith.constant 4 : i32
        %stage = arith.index_cast %choice0 : index to i32
        %columns_on = arith.muli %stage, %four : i32
        %place = arith.addi %base, %columns_on : i32
        %dst = tcgen05.view %place : i32 to {TILE}
        %src = tcgen05.view %image : {BUFFER} to {ROWS}
        {CP} %dst, %src descriptor(<sdo = 1024, swizzle = 3>) : {TILE}, {ROWS}"""
TENSOR_BASE = f"""%place = arith.index_cast %choice0 : index to i32
        %dst = tcgen05.view %place : i32 to {TILE}
        %src = tcgen05.view %image : {BUFFER} to {ROWS}
        {CP} %dst, %src descriptor(<sdo = 1024, swizzle = 3>) : {TILE}, {ROWS}"""


def swizzled(offset: int) -> np.ndarray:
    """The first unit of each row of 128 bytes from a byte offset on, as swizzle 3 places it."""
    rows = IMAGE[0].view(np.uint32)[offset // 4 :][: 128 * 32].reshape(128, 8, 4)
    return rows[np.arange(128), np.arange(128) % 8]


def plain(stage: int) -> np.ndarray:
    return IMAGE[0][1024 * stage :][:512].reshape(128, 4)


@pytest.mark.parametrize(
    ("copy", "choice", "column", "wanted"),
    [
        (SOURCE, BASE, 0, swizzled(0)),
        (SOURCE, BASE + 3072, 0, swizzled(3072)),
        (STAGE, 0, 0, plain(0)),
        (STAGE, 11, 0, plain(11)),
        (ADDEND, 127, 508, swizzled(0)),
        (TENSOR_BASE, 0, 0, swizzled(0)),
        (TENSOR_BASE, 480, 480, swizzled(0)),
    ],
)
def test_an_assumption_that_holds(copy: str, choice: int, column: int, wanted: np.ndarray) -> None:
    tmem = PATTERN.copy()
    tmem[:, column : column + 4] = wanted
    assert (launch(kernel(copy), IMAGE, (choice,))[0] == tmem).all()


BUFFER_AT = f"""%bytes = memref.reinterpret_cast %image to offset: [%choice0], sizes: [96, 96],
          strides: [96, 1] : {BUFFER} to memref<96x96xi32, strided<[96, 1], offset: ?>, {WORKGROUP}>
        %dst = tcgen05.view %base : i32 to {TILE}
        %src = tcgen05.view %bytes alignment(1024)
          : memref<96x96xi32, strided<[96, 1], offset: ?>, {WORKGROUP}> to {ROWS}
        {CP} %dst, %src descriptor(<sdo = 1024, swizzle = 3>) : {TILE}, {ROWS}"""


@pytest.mark.parametrize(
    ("copy", "choice", "address"),
    [(SOURCE, BASE + 512, "0x600"), (BUFFER_AT, 64, "0x500")],
)
def test_an_alignment_that_is_not_there(copy: str, choice: int, address: str) -> None:
    """The copy itself would be right: an origin inside the period. The layout's would not."""
    text = kernel(copy)
    line = text[: text.index("%src = tcgen05.view")].count("\n") + 1
    with pytest.raises(SimulationError) as caught:
        launch(text, IMAGE, (choice,))
    assert str(caught.value) == (
        f"-:{line}:16: 'llvm.intr.assume' op states that shared address {address} is a multiple "
        "of 1024, which it is not [F9]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: alignment(1024) of a tcgen05.view or memref.assume_alignment states it"
    )
    launch(text, IMAGE, (choice,), allow=["F9"])


def test_a_buffer_that_is_aligned_as_stated() -> None:
    tmem = PATTERN.copy()
    tmem[:, :4] = swizzled(2048)
    assert (launch(kernel(BUFFER_AT), IMAGE, (512,))[0] == tmem).all()


def test_dynamic_shared_memory_is_as_aligned_as_stated() -> None:
    """And the bytes that a view of it begins at are not."""
    text = f"""%bytes = gpu.dynamic_shared_memory : memref<?xi8, {WORKGROUP}>
        %tile = memref.view %bytes[%choice0][] : memref<?xi8, {WORKGROUP}>
          to memref<128x4xi32, {WORKGROUP}>
        %dst = tcgen05.view %base : i32 to {TILE}
        %src = tcgen05.view %tile alignment(256) : memref<128x4xi32, {WORKGROUP}>
          to memref<128x4xi32, {WORKGROUP}>"""
    launch(kernel(text), IMAGE, (512,), smem=4096)
    with pytest.raises(SimulationError, match=r"is a multiple of 256, which it is not \[F9\]"):
        launch(kernel(text), IMAGE, (128,), smem=4096)


@pytest.mark.parametrize(("condition", "rule"), [("ult", ""), ("ne", "S20")])
def test_a_condition_that_is_assumed(condition: str, rule: str) -> None:
    body = f"""%seven = llvm.mlir.constant(7 : i32) : i32
    %many = llvm.mlir.constant(32 : i32) : i32
    %c = llvm.icmp "{condition}" %tid, {"%many" if condition == "ult" else "%seven"} : i32
    llvm.intr.assume %c : i1
    %y = llvm.add %x0, %tid : i32"""
    text = per_thread(body, "y", "i32")
    if not rule:
        assert (lanes(text, np.zeros(32, np.int32)) == np.arange(32)).all()
        return
    with pytest.raises(SimulationError) as caught:
        lanes(text, np.zeros(32, np.int32))
    assert "op assumes a condition that is false [S20]" in str(caught.value)
    assert "thread (7, 0, 0)" in str(caught.value)


@pytest.mark.parametrize(
    ("copy", "choice", "rule"),
    [
        (SOURCE, BASE + 33 * 1024, "F10"),
        (STAGE, 12, "F10"),
        (ADDEND, 128, "F6"),
        (TENSOR_BASE, 2, "F4"),
        (TENSOR_BASE, 1 << 16, "F5"),
    ],
)
def test_an_assumption_that_does_not_hold(copy: str, choice: int, rule: str) -> None:
    with pytest.raises(SimulationError) as caught:
        launch(kernel(copy), IMAGE, (choice,))
    assert caught.value.rule == rule
    assert caught.value.site.name == "nvvm.tcgen05.cp"
    assert str(caught.value).split("\n")[0].endswith(f"[{rule}]")
