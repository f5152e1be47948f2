"""The call: arguments against the signature, sizes from the kernel, the host or the caller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernels import per_thread
from tcgen05_mlir.simulator import run

SCALE = """
gpu.module @m {
  gpu.func @scale(%a: memref<64xi32>, %k: i32, %f: f32, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %n = gpu.block_dim x
    %start = arith.muli %b, %n : index
    %i = arith.addi %start, %t : index
    %x = memref.load %a[%i] : memref<64xi32>
    %y = arith.muli %x, %k : i32
    %z = arith.sitofp %y : i32 to f32
    %r = arith.mulf %z, %f : f32
    memref.store %r, %out[%i] : memref<64xf32>
    gpu.return
  }
}
"""
A = np.arange(64, dtype=np.int32)
OUT = np.zeros(64, np.float32)


def test_arguments_in_order_and_results_one_per_argument() -> None:
    a, k, f, out = run(SCALE, "scale", A, np.int32(-3), 0.5, OUT, grid=2, block=32)
    assert (out == A * -1.5).all()
    assert (a == A).all()
    assert (k, f) == (-3, 0.5)
    assert (OUT == 0).all()


def test_a_lowered_module_is_taken_too_and_stays_as_it_is() -> None:
    from tcgen05_mlir.compiler import load

    module = load(SCALE)
    text = str(module)
    assert (run(module, None, A, 2, 1.0, OUT, grid=2, block=32)[3] == A * 2).all()
    assert str(module) == text


def test_one_array_for_two_arguments_is_one_buffer() -> None:
    kernel = """
gpu.module @m {
  gpu.func @k(%a: memref<32xi32>, %b: memref<32xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<32xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %b[%t] : memref<32xi32>
    gpu.return
  }
}
"""
    one = np.arange(32, dtype=np.int32)
    first, second = run(kernel, "k", one, one)
    assert (first == 2 * one).all()
    assert (second == 2 * one).all()
    first, second = run(kernel, "k", one, np.zeros(32, np.int32))
    assert (first == one).all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            (A, 1, 1.0),
            ValueError,
            "kernel 'scale' takes 4 arguments (memref<64xi32>, i32, f32, memref<64xf32>), got 3",
        ),
        (
            (A[:32], 1, 1.0, OUT),
            ValueError,
            "argument 0 of kernel 'scale' must be 64xi32, got an array of shape 32 and type int32",
        ),
        (
            (A.astype(np.float32), 1, 1.0, OUT),
            ValueError,
            "argument 0 of kernel 'scale' must be 64xi32, got an array of shape 64 and type "
            "float32",
        ),
        (
            (A.tolist(), 1, 1.0, OUT),
            TypeError,
            f"argument 0 of kernel 'scale' must be an array for memref<64xi32>, got list "
            f"{A.tolist()}",
        ),
        (
            (A, 1.5, 1.0, OUT),
            TypeError,
            "argument 1 of kernel 'scale' must be i32, got float 1.5",
        ),
        (
            (A, np.int64(1), 1.0, OUT),
            TypeError,
            "argument 1 of kernel 'scale' must be i32, got int64 1",
        ),
        (
            (A, 1 << 32, 1.0, OUT),
            ValueError,
            "argument 1 of kernel 'scale' must fit in i32, got 4294967296",
        ),
        (
            (A, 1, np.float64(1), OUT),
            TypeError,
            "argument 2 of kernel 'scale' must be f32, got float64 1.0",
        ),
    ],
)
def test_arguments_that_do_not_fit(arguments: tuple, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        run(SCALE, "scale", *arguments, grid=2, block=32)
    assert str(caught.value) == message


def test_unsigned_and_signed_integers_are_one_type() -> None:
    assert (run(SCALE, "scale", A.view(np.uint32), 1, 1.0, OUT, grid=2, block=32)[3] == A).all()


def sizes(**given: Any) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (the message is what is tested)
        run(SCALE.replace("kernel {", ATTRIBUTES), "scale", A, 1, 1.0, OUT, **given)
    return str(caught.value)


ATTRIBUTES = """kernel attributes {nvvm.reqntid = array<i32: 32, 1, 1>,
      nvvm.cluster_dim = array<i32: 2, 1, 1>} {"""


def test_sizes_come_from_the_kernel() -> None:
    kernel = SCALE.replace("kernel {", ATTRIBUTES)
    assert (run(kernel, "scale", A, 1, 1.0, OUT)[3] == A).all()
    assert sizes(block=64) == (
        "'block' must be 32,1,1, which the kernel requires (nvvm.reqntid), got 64,1,1"
    )
    assert sizes(cluster=4) == (
        "'cluster' must be 2,1,1, which the kernel requires (nvvm.cluster_dim), got 4,1,1"
    )
    assert sizes(grid=3) == "'grid' must be a multiple of the cluster 2,1,1, got 3,1,1"
    assert sizes(grid=0) == "'grid' must be one to three positive numbers, got 0"
    assert sizes(grid=(1, 2, 3, 4)) == (
        "'grid' must be one to three positive numbers, got (1, 2, 3, 4)"
    )


def test_the_block_must_be_known() -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        run(SCALE, "scale", A, 1, 1.0, OUT)
    assert str(caught.value) == (
        "'block' must be given: kernel 'scale' does not state its block size (nvvm.reqntid)"
    )


HOST = """
func.func @main(%a: memref<64xi32>, %k: i32, %f: f32, %out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  gpu.launch_func @m::@scale blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%a : memref<64xi32>, %k : i32, %f : f32, %out : memref<64xf32>)
  return
}
"""


def test_sizes_come_from_a_launch_in_host_code() -> None:
    module = "module attributes {gpu.container_module} {" + SCALE + HOST + "}"
    assert (run(module, "scale", A, 1, 1.0, OUT)[3] == A).all()
    got = run(module, "scale", A, 1, 1.0, OUT, grid=1)[3]
    assert (got[:16] == A[:16]).all()
    assert (got[16:] == 0).all()


def test_which_kernel() -> None:
    two = SCALE + SCALE.replace("@m ", "@n ").replace("@scale", "@other")
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        run(two)
    assert str(caught.value) == (
        "'kernel' must say which kernel is wanted; the kernels are 'scale' in gpu.module @m, "
        "'other' in gpu.module @n"
    )
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        run(SCALE, "scales")
    assert str(caught.value) == (
        "kernel 'scales' is not there; the kernels are 'scale' in gpu.module @m"
    )


def test_kernels_of_one_name_are_told_apart_by_their_module() -> None:
    negated = SCALE.replace("@m ", "@n ").replace(
        "%y = arith.muli %x, %k : i32",
        "%zero = arith.constant 0 : i32\n    %y = arith.subi %zero, %x : i32",
    )
    arguments, sizes = (A, 1, 1.0, OUT), {"grid": 2, "block": 32}
    for name, wanted in (("m::scale", A), ("n::scale", -A)):
        assert (run(SCALE + negated, name, *arguments, **sizes)[3] == wanted).all()
    there = "the kernels are 'scale' in gpu.module @m, 'scale' in gpu.module @n"
    for name, what in (
        ("scale", "there more than once: say MODULE::KERNEL"),
        ("o::scale", "not there"),
    ):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            run(SCALE + negated, name, *arguments, **sizes)
        assert str(caught.value) == f"kernel '{name}' is {what}; {there}"


def test_progress_counts_clusters() -> None:
    seen: list[tuple[int, int]] = []
    run(SCALE, None, A, 1, 1.0, OUT, grid=4, block=16, progress=lambda *now: seen.append(now))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "scale.mlir"
    file.write_text(SCALE)
    assert (run(file, "scale", A, 1, 1.0, OUT, grid=2, block=32)[3] == A).all()


@pytest.mark.parametrize("threads", [1, 31, 48])
def test_blocks_that_do_not_fill_their_warps(threads: int) -> None:
    kernel = per_thread("", "tid", "i32", inputs=0, threads=threads)
    (got,) = run(kernel, "k", np.full(threads, -1, np.int32))
    assert got.tolist() == list(range(threads))
