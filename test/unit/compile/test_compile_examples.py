"""Every example, down to SASS: one instruction per copy, and no loop around one.

Compiled and disassembled only: none of this has run on Blackwell.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tcgen05_mlir
from sass_text import copies, copies_in_loops

EXAMPLES = Path(__file__).parents[3] / "examples"
EXPECTED = {
    "copy_readback": ("tcgen05.cp.cta_group::1.128x128b", ".T.S.128dp128bit", 1),
    "scale_factors": ("tcgen05.cp.cta_group::1.32x128b.warpx4", ".T.S.4x32dp128bit", 4),
    "decompress_fp4": (
        "tcgen05.cp.cta_group::1.128x128b.b8x16.b4x16_p64",
        ".T.S.128dp128bit.U4x16P64",
        1,
    ),
    "cta_pair": ("tcgen05.cp.cta_group::2.128x128b", ".T.S.2CTA.128dp128bit", 1),
    "swizzled_tile": ("tcgen05.cp.cta_group::1.128x256b", ".T.S", 4),
}
PATHS = ("nvvm", "inline-asm")


def test_every_example_is_expected_here():
    assert sorted(file.stem for file in EXAMPLES.glob("*.mlir")) == sorted(EXPECTED)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", EXPECTED)
def test_ptx_has_the_copies(name, path):
    instruction, _, count = EXPECTED[name]
    ptx = tcgen05_mlir.compile(EXAMPLES / f"{name}.mlir", path=path)
    assert isinstance(ptx, str)
    found = [line.split()[0] for line in ptx.splitlines() if "tcgen05.cp" in line]
    assert found == [instruction] * count


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", EXPECTED)
def test_sass_has_one_instruction_per_copy_and_no_loop(name, path, ptxas, nvdisasm):
    _, form, count = EXPECTED[name]
    sass = tcgen05_mlir.compile(EXAMPLES / f"{name}.mlir", path=path, emit="sass")
    assert isinstance(sass, str)
    assert copies(sass) == [form] * count
    assert copies_in_loops(sass) == []
