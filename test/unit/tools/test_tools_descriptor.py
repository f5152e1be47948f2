"""`tcgen05 descriptor`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tcgen05_mlir.tools.main import main


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["--start", "0x400", "--ldo", "16", "--sdo", "128"], "0x0000400800010040"),
        (["--ldo", "128", "--sdo", "256"], "0x0000401000080000"),
        (["--ldo", "16", "--sdo", "1024", "--swizzle", "3"], "0x4000404000010000"),
        ([], "0x0000400000000000"),
    ],
)
def test_encode(arguments, value, capsys):
    assert main(["descriptor", "encode", *arguments]) == 0
    assert capsys.readouterr().out == f"{value}\n"


def test_decode(capsys):
    assert main(["descriptor", "decode", "0x4000404000010040"]) == 0
    assert capsys.readouterr().out == "start = 0x400\nldo = 16\nsdo = 1024\nswizzle = 3\n"


def test_a_value_out_of_range_is_an_error(capsys):
    assert main(["descriptor", "encode", "--ldo", "24"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "tcgen05: error: 'ldo' must be a multiple of 16 in 0..262128 bytes, got 24 [C5]\n"
    )


def test_no_number_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as exit_code:
        main(["descriptor", "decode", "word"])
    assert exit_code.value.code == 2
    assert "argument value: invalid integer value: 'word'" in capsys.readouterr().err


def test_neither_mlir_nor_cuda_is_imported_where_mlir_is_not_installed():
    code = """
import importlib.util, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "mlir" else real(name, *rest)
from tcgen05_mlir.tools.main import main
main(["descriptor", "encode", "--sdo", "128"])
print(sorted(name for name in sys.modules if name.split(".")[0] in ("mlir", "cuda")))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "0x0000400800000000\n[]\n"
