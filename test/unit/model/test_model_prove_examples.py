"""The layouts of the examples, read from their text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tcgen05_mlir.model import (
    CopyPlan,
    Instruction,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TensorBase,
    TmemLayout,
    prove,
)

EXAMPLES = Path(__file__).parents[3] / "examples"


def example_copies(name: str) -> list[tuple[str, CopyPlan]]:
    """The plan of each copy in an example; what the types say, and nothing else, goes in."""
    text = (EXAMPLES / name).read_text()
    aliases = dict(re.findall(r"^(#\w+) = (#tcgen05\.\w+<.*>)$", text, re.MULTILINE))
    shapes = r"memref<((?:\d+x)+)i32(?:, (#\w+))?, #(?:nvvm|gpu)"
    found = []
    for op in re.findall(r"^ +(tcgen05\.cp (?:.*\n)*?.*workgroup>>)$", text, re.MULTILINE):
        shape = re.search(r"<shape_(\w+)>", op)
        multicast = re.search(r"multicast\(<(\w+)>\)", op)
        fields = re.search(r"descriptor\(<(.*?)>\)", op)
        assert shape
        assert fields
        (_, dst), (extents, src) = re.findall(shapes, op)
        instruction = Instruction(shape[1], multicast and multicast[1])
        descriptor = SmemDescriptor(
            **{key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", fields[1])}
        )
        indexed = re.search(r"%\w+\[%\w+\]", op) is not None
        layout = (
            SmemLayout.parse(aliases[src])
            if src
            else SmemLayout.row_major([int(n) for n in extents.split("x")[:-1]])
        )
        plan = prove(
            instruction,
            TmemLayout.parse(aliases[dst]),
            layout,
            descriptor,
            src_indices=(None,) if indexed else (),
            dst_base=TensorBase(columns=32),
            src_base=SharedBase(1024 if src else 16, extent=16384 if src else 6144),
        )
        found.append((instruction.form.name, plan))
    return found


@pytest.mark.parametrize(
    ("name", "form", "steps"),
    [
        ("copy_readback.mlir", "128x128b", [(0, 0)]),
        ("cta_pair.mlir", "128x128b", [(0, 0)]),
        ("decompress_fp4.mlir", "128x128b", [(0, 0)]),
        ("scale_factors.mlir", "32x128b.warpx4", [(4 * i, 512 * i) for i in range(4)]),
        ("swizzled_tile.mlir", "128x256b", [(8 * i, 32 * i) for i in range(4)]),
    ],
)
def test_the_copies_of_an_example(name: str, form: str, steps: list[tuple[int, int]]) -> None:
    ((found, plan),) = example_copies(name)
    assert found == form
    assert [step[2:] for step in plan.steps] == steps
    assert (plan.bounded, plan.assumptions) == (True, ())
