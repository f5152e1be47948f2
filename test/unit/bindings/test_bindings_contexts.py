"""Case C01: the dialect in Contexts made before and after the import, in many and in threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import tcgen05_mlir
from building import Python, refused
from mlir import ir
from tcgen05_mlir.dialects import tcgen05

TEXT = """
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @f(%t: i32, %src: memref<128x4xi32, 3>) {
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %0, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}
"""
REMEDY = (
    "this Context was made before 'import tcgen05_mlir' and lacks the dialect: "
    "call tcgen05_mlir.register_dialect(context)"
)


def parse_and_build(context: ir.Context) -> str:
    """Parse our text, build our op from its class behind it, verify, print."""
    with context, ir.Location.unknown():
        module = ir.Module.parse(TEXT)
        block = module.body.operations[0].body.blocks[0]
        view = block.operations[0]
        with ir.InsertionPoint.at_block_terminator(block):
            tcgen05.cp(view, block.arguments[1], descriptor="sdo = 128")
        assert module.operation.verify()
        return str(module)


def test_c01_fresh_contexts() -> None:
    first, second = (parse_and_build(ir.Context()) for _ in range(2))
    assert first == second
    assert first.count("tcgen05.cp <shape_128x128b> %0, %arg1 descriptor(<sdo = 128>)") == 1


def test_c01_two_contexts_by_turns() -> None:
    one, two = ir.Context(), ir.Context()
    assert parse_and_build(one) == parse_and_build(two) == parse_and_build(one)


EARLIER = f"""
from mlir import ir
context = ir.Context()
import tcgen05_mlir
from tcgen05_mlir.dialects import tcgen05
from tcgen05_mlir.model import SmemDescriptor, TmemLayout
TEXT = {TEXT!r}
"""


def test_c01_a_context_made_before_the_import(python: Python) -> None:
    """Every class, builder and attribute names the call to make; after it, all of them work."""
    done = python(
        EARLIER
        + """
from mlir.dialects import arith
with context, ir.Location.unknown():
    module = ir.Module.create()
    i32 = ir.IntegerType.get_signless(32)
    kind = ir.MemRefType.get((128, 4), i32, None, ir.Attribute.parse("3"))
    with ir.InsertionPoint(module.body):
        zero = arith.constant(i32, 0)
        attempts = {
            "cp": lambda: tcgen05.cp(zero, zero),
            "cp with a descriptor": lambda: tcgen05.cp(zero, zero, descriptor="sdo = 128"),
            "CpOp": lambda: tcgen05.CpOp(ir.Attribute.parse("1"), zero, [], zero, []),
            "view": lambda: tcgen05.view(kind, zero),
            "ViewOp": lambda: tcgen05.ViewOp(kind, zero),
            "address": lambda: tcgen05.address(zero, [1]),
            "AddressOp": lambda: tcgen05.AddressOp(i32, zero, []),
            "TmemLayoutAttr": lambda: tcgen05.TmemLayoutAttr.get("(4) : (1@lane)"),
            "SmemLayoutAttr": lambda: tcgen05.SmemLayoutAttr.get("(4) : (1)"),
            "SmemDescAttr": lambda: tcgen05.SmemDescAttr.get(sdo=128),
        }
        for name, attempt in attempts.items():
            try:
                attempt()
            except ValueError as error:
                print(name, error, sep=": ")
    print(len(module.body.operations))
    try:
        ir.Module.parse(TEXT)
    except ir.MLIRError:
        print("not parsed")
    tcgen05_mlir.register_dialect(context)
    module = ir.Module.parse(TEXT)
    print(module.operation.verify(), tcgen05.SmemDescAttr.get(sdo=128))
"""
    )
    names = ("cp", "cp with a descriptor", "CpOp", "view", "ViewOp", "address", "AddressOp")
    attributes = ("TmemLayoutAttr", "SmemLayoutAttr", "SmemDescAttr")
    refusals = [f"{name}: {REMEDY}" for name in (*names, *attributes)]
    assert done.stdout.splitlines() == [
        *refusals,
        "1",
        "not parsed",
        "True #tcgen05.smem_desc<sdo = 128>",
    ]
    assert done.returncode == 0


def test_c01_the_call_is_idempotent(python: Python) -> None:
    done = python(
        EARLIER
        + """
for _ in range(3):
    tcgen05_mlir.register_dialect(context)
later = ir.Context()
tcgen05_mlir.register_dialect(later)
for each in (context, later):
    print(ir.Module.parse(TEXT, each).operation.verify())
"""
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\nTrue\n", "")


@pytest.mark.parametrize("wrong", [None, 5, "context"])
def test_c01_the_call_takes_a_context(wrong: object) -> None:
    with refused(TypeError, f"'context' must be a Context, got {type(wrong).__name__}"):
        tcgen05_mlir.register_dialect(wrong)  # type: ignore[arg-type]


def test_c01_many_contexts_in_many_threads() -> None:
    """Each thread makes, registers, parses and builds in Contexts of its own."""

    def work(_: int) -> str:
        context = ir.Context()
        tcgen05_mlir.register_dialect(context)
        return parse_and_build(context)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(64))) == {parse_and_build(ir.Context())}


def test_c01_one_context_registered_from_many_threads(python: Python) -> None:
    done = python(
        EARLIER
        + """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    list(pool.map(lambda _: tcgen05_mlir.register_dialect(context), range(200)))
print(ir.Module.parse(TEXT, context).operation.verify())
"""
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_the_op_classes_are_found_by_name() -> None:
    """Parsed ops come out as our classes without an import of the dialect's module."""
    module = ir.Module.parse(TEXT, ir.Context())
    view, copy, _ = module.body.operations[0].body.blocks[0].operations
    assert (type(view), type(copy)) == (tcgen05.ViewOp, tcgen05.CpOp)


def test_the_op_classes_are_found_without_their_import(python: Python) -> None:
    done = python(
        EARLIER.replace("from tcgen05_mlir.dialects import tcgen05\n", "")
        + """
module = ir.Module.parse(TEXT, ir.Context())
print(*(type(op).__name__ for op in module.body.operations[0].body.blocks[0].operations))
"""
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ViewOp CpOp ReturnOp\n", "")
