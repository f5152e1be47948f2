"""tcgen05.cp, view and address in Python: every accepted spelling, every refused argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from building import Site, attribute, refused
from mlir import ir
from mlir.dialects import arith, memref, nvvm
from tcgen05_mlir.dialects import tcgen05
from tcgen05_mlir.model import Instruction, SmemDescriptor

TILE = "memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>"
PLAIN = "memref<128x4xi32, 3>"
LEGAL = (
    "legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, "
    "32x128b.warpx4"
)
# The clauses that an argument list gives, in the op's text.
SPELLINGS: list[tuple[str, Callable[[Site], dict[str, Any]]]] = [
    ("", lambda s: {}),
    ("", lambda s: {"shape": "128x128b"}),
    ("", lambda s: {"shape": ".128x128b"}),
    ("", lambda s: {"shape": "shape_128x128b"}),
    ("", lambda s: {"shape": nvvm.Tcgen05CpShape.SHAPE_128x128b}),
    ("", lambda s: {"shape": attribute("#nvvm.tcgen05_cp_shape<shape_128x128b>")}),
    ("", lambda s: {"shape": Instruction("128x128b")}),
    ("", lambda s: {"multicast": "none"}),
    ("", lambda s: {"multicast": nvvm.Tcgen05CpMulticast.NONE}),
    ("", lambda s: {"multicast": attribute("#nvvm.tcgen05_cp_multicast<none>")}),
    ("", lambda s: {"cta_group": "cta_group::1"}),
    (" cta_group(<cta_2>)", lambda s: {"cta_group": 2}),
    (" cta_group(<cta_2>)", lambda s: {"cta_group": np.int64(2)}),
    (" cta_group(<cta_2>)", lambda s: {"cta_group": "cta_2"}),
    (" cta_group(<cta_2>)", lambda s: {"cta_group": "cta_group::2"}),
    (" cta_group(<cta_2>)", lambda s: {"cta_group": nvvm.CTAGroupKind.CTA_2}),
    (" cta_group(<cta_2>)", lambda s: {"cta_group": attribute("#nvvm.cta_group<cta_2>")}),
    (" cta_group(<cta_2>)", lambda s: {"shape": Instruction("128x128b", cta_group=2)}),
    (" src_format(<b4x16_p64>)", lambda s: {"src_format": "b4x16_p64"}),
    (" src_format(<b4x16_p64>)", lambda s: {"src_format": ".b8x16.b4x16_p64"}),
    (" src_format(<b6x16_p32>)", lambda s: {"src_format": nvvm.Tcgen05CpSrcFormat.B6x16_P32}),
    (
        " src_format(<b6x16_p32>)",
        lambda s: {"src_format": attribute("#nvvm.tcgen05_cp_src_fmt<b6x16_p32>")},
    ),
    (" descriptor(<ldo = 16, sdo = 128>)", lambda s: {"descriptor": SmemDescriptor(0, 16, 128)}),
    (" descriptor(<sdo = 128>)", lambda s: {"descriptor": SmemDescriptor(sdo=128)}),
    (" descriptor(<sdo = 256, swizzle = 1>)", lambda s: {"descriptor": "sdo = 256, swizzle = 1"}),
    (" descriptor(<sdo = 128>)", lambda s: {"descriptor": "<sdo = 128>"}),
    (" descriptor(<sdo = 128>)", lambda s: {"descriptor": " #tcgen05.smem_desc<sdo = 128> "}),
    (" descriptor(<sdo = 128>)", lambda s: {"descriptor": tcgen05.SmemDescAttr.get(sdo=128)}),
    (
        " descriptor(<sdo = 128>)",
        lambda s: {"descriptor": attribute("#tcgen05.smem_desc<sdo = 128>")},
    ),
    (" predicate(%0#4)", lambda s: {"predicate": s.flag}),
]


@pytest.mark.parametrize("case", range(len(SPELLINGS)))
def test_a_spelling_of_cp(case: int, site: Site) -> None:
    clauses, arguments = SPELLINGS[case]
    op = tcgen05.cp(site.dst, site.src, **arguments(site))
    assert isinstance(op, tcgen05.CpOp)
    assert site.module.operation.verify()
    assert site.built() == [f"tcgen05.cp <shape_128x128b> %0#0, %0#1{clauses} : {TILE}, {PLAIN}"]


@pytest.mark.parametrize(
    ("shape", "multicast", "printed"),
    [
        ("64x128b", "warpx2::02_13", "multicast(<warpx2_02_13>)"),
        ("64x128b", ".warpx2::01_23", "multicast(<warpx2_01_23>)"),
        ("64x128b", nvvm.Tcgen05CpMulticast.WARPX2_02_13, "multicast(<warpx2_02_13>)"),
        ("32x128b", "warpx4", "multicast(<warpx4>)"),
        (Instruction("32x128b", "warpx4", 2), None, "multicast(<warpx4>) cta_group(<cta_2>)"),
    ],
)
def test_a_multicast_of_cp(shape: Any, multicast: Any, printed: str, site: Site) -> None:
    """The op is built though its types do not fit: only the verifier judges them."""
    op = tcgen05.cp(site.dst, site.src, shape, multicast=multicast)
    assert f"<{printed.partition('<')[2].partition('>')[0]}>" in str(op.multicast)
    assert site.refusal().startswith("'tcgen05.cp' op 'dst' must end in ")


def test_indices_are_values_and_integers(site: Site) -> None:
    ring = tcgen05.TmemLayoutAttr.get("(8, 8, 8, 128, 4) : (0@col, 0@col, 0@col, 1@lane, 1@col)")
    i32 = ir.IntegerType.get_signless(32)
    kind = ir.MemRefType.get((8, 8, 8, 128, 4), i32, ring, ir.Attribute.parse("6"))
    dst = ir.Operation.create("builtin.unrealized_conversion_cast", results=[kind]).result
    two = arith.ConstantOp(ir.IndexType.get(), 2)
    op = tcgen05.cp(dst, site.src, dst_indices=(site.index, 3, two))
    address = tcgen05.address(dst, [np.int64(5), site.index])
    assert site.module.operation.verify()
    assert [str(value.owner) for value in op.dst_indices[1:]] == [
        "%c3 = arith.constant 3 : index",
        "%c2 = arith.constant 2 : index",
    ]
    assert op.dst_indices[0] == site.index
    assert [*op.src_indices] == []
    assert str(address.owner).startswith("%2 = tcgen05.address %1[%c5, %0#3] : ")


def test_an_operation_with_one_result_is_an_operand(site: Site) -> None:
    view = tcgen05.ViewOp(site.plain_type, site.src)
    op = tcgen05.cp(site.dst, view)
    assert op.src == view.view
    assert tcgen05.cp(site.dst, view.operation).src == view.view


def test_view_and_address(site: Site) -> None:
    tensor = tcgen05.view(site.tile_type, site.taddr)
    shared = tcgen05.view(site.plain_type, site.src, alignment=np.int32(1024))
    address = tcgen05.address(tensor, (site.index, site.index))
    assert site.module.operation.verify()
    assert [tensor.type, shared.type, str(address.type)] == [
        site.tile_type,
        site.plain_type,
        "i32",
    ]
    assert site.built() == [
        f"%1 = tcgen05.view %0#2 : i32 to {TILE}",
        f"%2 = tcgen05.view %0#1 alignment(1024) : {PLAIN} to {PLAIN}",
        f"%3 = tcgen05.address %1[%0#3, %0#3] : {TILE} -> i32",
    ]


def test_the_op_classes_have_the_parts_by_name(site: Site) -> None:
    op = tcgen05.cp(
        site.dst,
        site.src,
        cta_group=2,
        src_format="b4x16_p64",
        descriptor="sdo = 128",
        predicate=site.flag,
    )
    assert (op.dst, op.src, op.predicate) == (site.dst, site.src, site.flag)
    assert [str(part) for part in (op.shape, op.multicast, op.cta_group, op.src_format)] == [
        "#nvvm.tcgen05_cp_shape<shape_128x128b>",
        "#nvvm.tcgen05_cp_multicast<none>",
        "#nvvm.cta_group<cta_2>",
        "#nvvm.tcgen05_cp_src_fmt<b4x16_p64>",
    ]
    assert op.descriptor == tcgen05.SmemDescAttr.get(sdo=128)
    view = tcgen05.ViewOp(site.plain_type, site.src, alignment=16)
    assert (view.address, view.alignment.value, view.view.type) == (site.src, 16, site.plain_type)
    address = tcgen05.AddressOp(site.taddr.type, site.dst, [site.index])
    assert (address.view, [*address.indices]) == (site.dst, [site.index])


def test_instruction_of_and_descriptor_of(site: Site) -> None:
    instruction = Instruction("128x128b", cta_group=2, src_format="b6x16_p32")
    descriptor = SmemDescriptor(ldo=16, sdo=1024, swizzle=3)
    op = tcgen05.cp(site.dst, site.src, instruction, descriptor=descriptor)
    assert tcgen05.instruction_of(op) == instruction
    assert tcgen05.descriptor_of(op) == descriptor
    assert tcgen05.descriptor_of(tcgen05.cp(site.dst, site.src)) is None


def test_instruction_of_what_the_verifier_refuses(site: Site) -> None:
    shape = attribute("#nvvm.tcgen05_cp_shape<shape_32x128b>")
    bad = tcgen05.CpOp(
        shape, site.dst, [], site.src, [], descriptor=attribute("#tcgen05.smem_desc<ldo = 3>")
    )
    message = f"'multicast' must be warpx4 with 32x128b, got none; {LEGAL} [C1]"
    with refused(ValueError, message):
        tcgen05.instruction_of(bad)
    with refused(ValueError, "'ldo' must be a multiple of 16 in 0..262128 bytes, got 3 [C5]"):
        tcgen05.descriptor_of(bad)
    no_shape = tcgen05.CpOp(attribute("5"), site.dst, [], site.src, [])
    with refused(ValueError, "'shape' must be given [C1]"):
        tcgen05.instruction_of(no_shape)


def test_the_location_is_given_entered_or_unknown(site: Site) -> None:
    given = ir.Location.file("kernel.py", 3, 4)
    assert tcgen05.cp(site.dst, site.src, loc=given).location == given
    with given:
        assert tcgen05.view(site.tile_type, site.taddr).owner.location == given


def test_no_context_need_be_entered() -> None:
    """The operand's is taken, with an unknown location."""
    context = ir.Context()
    module = ir.Module.parse(
        f"func.func @f(%d: {TILE}, %s: {PLAIN}, %t: i32) {{ return }}", context
    )
    block = module.body.operations[0].regions[0].blocks[0]
    dst, src, taddr = block.arguments
    ip = ir.InsertionPoint.at_block_begin(block)
    op = tcgen05.cp(dst, src, descriptor=SmemDescriptor(sdo=128), ip=ip)
    view = tcgen05.view(dst.type, taddr, ip=ip)
    address = tcgen05.address(view, [1], ip=ip)
    assert module.operation.verify()
    assert op.location == ir.Location.unknown(context)
    assert address.owner.location == op.location
    assert ir.Context.current is None


def test_two_contexts_are_refused(site: Site) -> None:
    with ir.Context() as other:
        elsewhere = ir.Location.unknown(other)
    with refused(ValueError, "'loc' and the operands must belong to one Context, got two"):
        tcgen05.cp(site.dst, site.src, loc=elsewhere)


def test_built_ops_go_with_upstreams(site: Site) -> None:
    """A buffer from memref's builder, a view of it, a copy, an address into arith."""
    memref.GlobalOp("buffer", ir.TypeAttr.get(site.plain_type), initial_value=ir.UnitAttr.get())
    get = memref.get_global(site.plain_type, "buffer")
    view = tcgen05.view(site.plain_type, get, alignment=16)
    tcgen05.cp(tcgen05.view(site.tile_type, site.taddr), view)
    total = arith.addi(tcgen05.address(site.dst), site.taddr)
    assert str(total.type) == "i32"
    assert site.module.operation.verify()
    assert [op.operation.name for op in list(site.module.body.operations)[2:]] == [
        "memref.get_global",
        "tcgen05.view",
        "tcgen05.view",
        "tcgen05.cp",
        "tcgen05.address",
        "arith.addi",
    ]
