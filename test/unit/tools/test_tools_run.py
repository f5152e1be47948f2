"""`tcgen05 run --device simulator`, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"


def tcgen05(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    command = [sys.executable, "-m", "tcgen05_mlir.tools.main", "run", "--device=simulator"]
    command += map(str, arguments)
    result = subprocess.run(command, input=stdin, capture_output=True, check=False)
    return result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode()


@pytest.fixture
def tile(tmp_path: Path) -> Path:
    np.save(tmp_path / "a.npy", np.arange(512, dtype=np.int32).reshape(128, 4))
    return tmp_path / "a.npy"


def test_output_equals_input(tile: Path, tmp_path: Path) -> None:
    out = tmp_path / "y.npy"
    assert tcgen05(EXAMPLE, "--arg", tile, "--arg", "new:128x4xi32", "--out", f"1:{out}") == (
        0,
        "",
        "",
    )
    assert (np.load(out) == np.load(tile)).all()


def test_the_module_from_stdin_and_all_the_flags(tile: Path, tmp_path: Path) -> None:
    out = tmp_path / "y.npy"
    flags = ["--kernel=kernels::copy", "--grid=1", "--block=128,1,1", "--seed=5"]
    flags += ["--cluster=1", "--smem=0", "--allow=P3", "--allow=P5", f"--out=1:{out}"]
    values = [f"--arg={tile}", "--arg=new:128x4xi32"]
    assert tcgen05("-", *flags, *values, stdin=EXAMPLE.read_bytes()) == (0, "", "")
    assert (np.load(out) == np.load(tile)).all()


NUMBERS = """
gpu.module @m {
  gpu.func @k(%i: i32, %f: f32, %h: f16, %b: i1, %out: memref<1xf32>) kernel
      attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = arith.sitofp %i : i32 to f32
    %y = arith.addf %x, %f : f32
    %g = arith.extf %h : f16 to f32
    %z = arith.addf %y, %g : f32
    %w = arith.select %b, %z, %f : f32
    memref.store %w, %out[%c0] : memref<1xf32>
    gpu.return
  }
}
"""


def test_numbers(tmp_path: Path) -> None:
    out = tmp_path / "y.npy"
    values = ["i32:-5", "f32:1.5", "f16:0.25", "i1:1", "new:1xf32"]
    flags = [f"--arg={value}" for value in values]
    assert tcgen05("-", *flags, f"--out=4:{out}", stdin=NUMBERS.encode()) == (0, "", "")
    assert np.load(out).tolist() == [-3.25]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--arg=four"],
            "argument --arg: expected FILE.npy, new:SHAPExTYPE, range:SHAPExTYPE or TYPE:NUMBER, "
            "got 'four'",
        ),
        (["--arg=i32:x"], "argument --arg: 'x' is no i32"),
        (["--arg=i8:300"], "argument --arg: '300' is no i8"),
        (
            ["--arg=new:4xi7"],
            "argument --arg: type 'i7' is none of i1, bf16, index, i8, i16, i32, i64, f16, f32, "
            "f64",
        ),
        (["--out=1"], "argument --out: expected INDEX:FILE.npy, got '1'"),
        (["--out=1:y.npy"], "argument --out: there is no argument 1, --arg was given 0x"),
        (["--grid=1x2"], "argument --grid: expected X, X,Y or X,Y,Z, got '1x2'"),
        (["--block=²"], "argument --block: expected X, X,Y or X,Y,Z, got '²'"),
        (["--block=٣"], "argument --block: expected X, X,Y or X,Y,Z, got '٣'"),
        (
            ["--arg=new:1xi32", "--out=²:x.npy"],
            "argument --out: expected INDEX:FILE.npy, got '²:x.npy'",
        ),
        (
            ["--arg=new:1xi32", "--equal=²:0"],
            "argument --equal: expected INDEX:INDEX or INDEX:FILE.npy, got '²:0'",
        ),
        (
            ["--arg=new:٣xi32"],
            "argument --arg: expected FILE.npy, new:SHAPExTYPE, range:SHAPExTYPE or TYPE:NUMBER, "
            "got 'new:٣xi32'",
        ),
    ],
)
def test_wrong_usage(flags: list[str], message: str) -> None:
    assert tcgen05(EXAMPLE, *flags) == (2, "", f"tcgen05: error: {message}\n")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--arg=new:4xi32", "--arg=new:4xi32"],
            "argument 1 of kernel 'k' must be i32, got ndarray array([0, 0, 0, 0], dtype=int32)",
        ),
        (
            ["--arg=i32:5", "--arg=i32:5"],
            "argument 0 of kernel 'k' must be an array for memref<4xi32>, got uint32 5",
        ),
        (["--arg=new:4xi32"], "kernel 'k' takes 2 arguments (memref<4xi32>, i32), got 1"),
        (["--arg=new:4xi32", "--arg=i32:5", "--smem=-1"], "'smem' must be 0 or more bytes, got -1"),
    ],
)
def test_values_that_the_kernel_does_not_take(flags: list[str], message: str) -> None:
    text = (
        "gpu.module @m { gpu.func @k(%a: memref<4xi32>, %b: i32) kernel "
        "attributes {nvvm.reqntid = array<i32: 1, 1, 1>} { gpu.return } }"
    )
    found = tcgen05("-", *flags, stdin=text.encode())
    assert found == (1, "", f"tcgen05: error: {message}\n")


def test_a_type_that_no_value_has() -> None:
    text = (
        "gpu.module @m { gpu.func @k(%a: vector<4xi32>) kernel "
        "attributes {nvvm.reqntid = array<i32: 1, 1, 1>} { gpu.return } }"
    )
    code, out, error = tcgen05("-", "--arg=new:4xi32", stdin=text.encode())
    assert (code, out) == (1, "")
    assert error.startswith("tcgen05: error: argument 0 of kernel 'k' ")


def test_an_array_that_is_too_large() -> None:
    code, out, error = tcgen05(EXAMPLE, "--arg=new:99999999999999xi32")
    assert (code, out) == (1, "")
    assert error.startswith("tcgen05: error: Unable to allocate ")


def test_a_missing_array(tmp_path: Path) -> None:
    missing = tmp_path / "a.npy"
    assert tcgen05(EXAMPLE, f"--arg={missing}") == (
        1,
        "",
        f"tcgen05: error: '{missing}': No such file or directory\n",
    )


def test_a_file_that_is_no_array(tmp_path: Path) -> None:
    wrong = tmp_path / "a.npy"
    wrong.write_text("no array")
    code, _, error = tcgen05(EXAMPLE, f"--arg={wrong}")
    assert code == 1
    assert error.startswith(f"tcgen05: error: '{wrong}' is not an array file: ")


def test_a_mistake_of_the_kernel_is_a_report(tile: Path, tmp_path: Path) -> None:
    lines = EXAMPLE.read_text().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if line.lstrip().startswith("nvvm.fence.proxy"))
    lines[place] = "\n"
    copy = next(i for i, line in enumerate(lines) if "tcgen05.cp <" in line)
    file, out = tmp_path / "k.mlir", tmp_path / "y.npy"
    file.write_text("".join(lines))
    flags = [f"--arg={tile}", "--arg=new:128x4xi32", f"--out=1:{out}"]
    code, output, error = tcgen05(file, *flags)
    assert (code, output) == (1, "")
    assert error == (
        f"{file}:{copy + 1}:9: error: 'nvvm.tcgen05.cp' op reads shared address 0x400 (byte 0 of "
        "'tile'), which block (0, 0, 0), thread (0, 0, 0) wrote and did not fence for the async "
        "proxy [P3]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: nvvm.fence.proxy of kind async.shared, by the threads that write, behind their "
        "stores and before the barrier that hands over\n"
    )
    assert not out.exists()
