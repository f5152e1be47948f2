"""`tcgen05 run --equal` and `range:` arguments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir.tools import main
from tcgen05_mlir.tools.equal import difference, shape_text

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
ARGUMENTS = ["--device=simulator", "--arg=range:128x4xi32", "--arg=new:128x4xi32"]


def tcgen05(capfd: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str, str]:
    code = main.main(["run", str(EXAMPLE), *ARGUMENTS, *flags])
    return code, *capfd.readouterr()


def test_output_equals_input(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, out = tmp_path / "a.npy", tmp_path / "y.npy"
    a = np.arange(512, dtype=np.int32).reshape(128, 4)
    np.save(file, a)
    assert tcgen05(capfd, "--equal=1:0", f"--equal=1:{file}", f"--out=1:{out}") == (
        0,
        "",
        "argument 1 equals argument 0 as given: 128x4xi32\n"
        f"argument 1 equals '{file}': 128x4xi32\n",
    )
    assert (np.load(out) == a).all()


def test_what_differs(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    np.save(file, np.arange(512, dtype=np.int32).reshape(128, 4) ^ np.int32(256))
    text = f"argument 1 does not equal '{file}': 512 of 512 elements differ, the first at [0, 0]: "
    assert tcgen05(capfd, f"--equal=1:{file}", "--equal=0:0") == (
        1,
        "",
        f"error: {text}got 0, wanted 256\nargument 0 equals argument 0 as given: 128x4xi32\n",
    )


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("1", "expected INDEX:INDEX or INDEX:FILE.npy, got '1'"),
        ("1:a.txt", "expected INDEX:INDEX or INDEX:FILE.npy, got '1:a.txt'"),
        ("x:1", "expected INDEX:INDEX or INDEX:FILE.npy, got 'x:1'"),
        ("1:2", "there is no argument 2, --arg was given 2x"),
        ("7:0", "there is no argument 7, --arg was given 2x"),
    ],
)
def test_wrong_usage(capfd: pytest.CaptureFixture[str], flag: str, message: str) -> None:
    with pytest.raises(SystemExit) as caught:
        tcgen05(capfd, f"--equal={flag}")
    assert caught.value.code == 2
    assert capfd.readouterr() == ("", f"tcgen05: error: argument --equal: {message}\n")


def test_bits_are_compared() -> None:
    nan = np.array([np.nan, 0.0], np.float32)
    assert difference(nan, nan.copy()) == ""
    assert difference(nan, np.array([np.nan, -0.0], np.float32)) == (
        "1 of 2 elements differ, the first at [1]: got 0.0, wanted -0.0"
    )
    assert difference(np.zeros((2, 0)), np.zeros((2, 0))) == ""
    assert (
        difference(np.int32(3), np.int32(4)) == "1 of 1 elements differ, the first got 3, wanted 4"
    )
    assert difference(np.zeros(2, np.int32), np.zeros(2, np.int64)) == "it is 2xi32, wanted 2xi64"
    assert difference(np.zeros(2, np.int32), np.zeros(2, np.uint32)) == ""
    assert [shape_text(np.zeros((3, 2), kind)) for kind in ("uint8", "float16", "bool")] == [
        "3x2xi8",
        "3x2xf16",
        "3x2xi1",
    ]


def test_range_wraps_around_in_its_type() -> None:
    from tcgen05_mlir.tools.values import read_value

    made = read_value("range:2x150xi8")
    assert (made.dtype, made.shape) == (np.int8, (2, 150))
    assert made.ravel().tolist() == [(n + 128) % 256 - 128 for n in range(300)]
    assert read_value("range:3xf32").tolist() == [0.0, 1.0, 2.0]
