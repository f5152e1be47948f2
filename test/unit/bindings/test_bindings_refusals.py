"""What the builders refuse, in whole messages; then nothing is built. The verifier has the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from building import Site, attribute, refused
from mlir.dialects import nvvm
from tcgen05_mlir.dialects import tcgen05
from tcgen05_mlir.model import Instruction, SmemDescriptor

LEGAL = (
    "legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, "
    "32x128b.warpx4"
)
DESCRIPTOR = (
    "'descriptor' must be a SmemDescriptor, a #tcgen05.smem_desc attribute or its text, got "
)

# (exception, message, arguments of cp)
REFUSED: list[tuple[type[Exception], str, Callable[[Site], dict[str, Any]]]] = [
    (
        ValueError,
        f"'shape' must be that of a legal form, got 16x64b; {LEGAL} [C1]",
        lambda s: {"shape": "16x64b"},
    ),
    (TypeError, "'shape' must be a string, got int 128", lambda s: {"shape": 128}),
    (TypeError, "'shape' must be a string, got NoneType None", lambda s: {"shape": None}),
    (
        ValueError,
        f"'shape' must be that of a legal form, got cta_1; {LEGAL} [C1]",
        lambda s: {"shape": nvvm.CTAGroupKind.CTA_1},
    ),
    (
        ValueError,
        f"'multicast' must be none with 128x128b, got warpx4; {LEGAL} [C1]",
        lambda s: {"multicast": "warpx4"},
    ),
    (
        ValueError,
        f"'multicast' must be warpx4 with 32x128b, got none; {LEGAL} [C1]",
        lambda s: {"shape": "32x128b"},
    ),
    (TypeError, "'multicast' must be a string, got int 4", lambda s: {"multicast": 4}),
    (ValueError, "'cta_group' must be 1 or 2, got 3 [C1]", lambda s: {"cta_group": 3}),
    (ValueError, "'cta_group' must be 1 or 2, got 'cta_4' [C1]", lambda s: {"cta_group": "cta_4"}),
    (TypeError, "'cta_group' must be an integer, got bool True", lambda s: {"cta_group": True}),
    (
        ValueError,
        "'src_format' must be none or b4x16_p64 or b6x16_p32, got fp4 [C1]",
        lambda s: {"src_format": "fp4"},
    ),
    (TypeError, "'src_format' must be a string, got int 4", lambda s: {"src_format": 4}),
    (
        ValueError,
        "'shape' is an Instruction, which has its own 'multicast', 'cta_group' and "
        "'src_format'; leave these out",
        lambda s: {"shape": Instruction("128x128b"), "cta_group": 2},
    ),
    (
        ValueError,
        "'descriptor' must have start 0, got 16: the address comes from 'src'",
        lambda s: {"descriptor": SmemDescriptor(16)},
    ),
    (
        ValueError,
        "'descriptor' must be a #tcgen05.smem_desc, got 'ldo = x': expected an integer, got 'x'",
        lambda s: {"descriptor": "ldo = x"},
    ),
    (
        ValueError,
        "'descriptor' must be a #tcgen05.smem_desc, got '<ldo = 1, ldo = 2>': 'ldo' is given twice",
        lambda s: {"descriptor": "<ldo = 1, ldo = 2>"},
    ),
    (
        TypeError,
        DESCRIPTOR + "#tcgen05.tmem_layout<() : ()>",
        lambda s: {"descriptor": "#tcgen05.tmem_layout<() : ()>"},
    ),
    (TypeError, DESCRIPTOR + "5 : i64", lambda s: {"descriptor": attribute("5")}),
    (TypeError, DESCRIPTOR + "int", lambda s: {"descriptor": 16}),
    (TypeError, "'predicate' must be a Value, got bool", lambda s: {"predicate": True}),
    (TypeError, "'dst' must be a Value, got NoneType", lambda s: {"dst": None}),
    (TypeError, "'src' must be a Value, got MemRefType", lambda s: {"src": s.plain_type}),
    (
        TypeError,
        "'dst' must be a Value, got builtin.unrealized_conversion_cast with 5 results",
        lambda s: {"dst": s.dst.owner},
    ),
    (
        TypeError,
        "'dst_indices' must be a sequence of Values and integers, got int",
        lambda s: {"dst_indices": 3},
    ),
    (
        TypeError,
        "'src_indices' must be a sequence of Values and integers, got str",
        lambda s: {"src_indices": "3"},
    ),
    (
        TypeError,
        "'dst_indices' must be an integer, got bool True",
        lambda s: {"dst_indices": [True]},
    ),
    (
        TypeError,
        "'src_indices' must be an integer, got float 1.0",
        lambda s: {"src_indices": [0, 1.0]},
    ),
    (
        ValueError,
        f"'src_indices' must fit 64 bits, got {2**63}",
        lambda s: {"src_indices": [2**63]},
    ),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_an_argument_that_cp_refuses(case: int, site: Site) -> None:
    """The whole message, and nothing is built: no constant of an index either."""
    kind, message, arguments = REFUSED[case]
    given = {"dst": site.dst, "src": site.src, "dst_indices": [1, 2], **arguments(site)}
    with refused(kind, message):
        tcgen05.cp(**given)
    assert site.built() == []


VIEWS: list[tuple[type[Exception], str, Callable[[Site], Any]]] = [
    (TypeError, "'result_type' must be a Type, got str", lambda s: tcgen05.view("i32", s.taddr)),
    (TypeError, "'address' must be a Value, got int", lambda s: tcgen05.view(s.tile_type, 0)),
    (
        TypeError,
        "'alignment' must be an integer, got bool True",
        lambda s: tcgen05.view(s.plain_type, s.src, alignment=True),
    ),
    (
        TypeError,
        "'alignment' must be an integer, got str '16'",
        lambda s: tcgen05.view(s.plain_type, s.src, alignment="16"),
    ),
    (
        ValueError,
        f"'alignment' must fit 64 bits, got {-(2**63) - 1}",
        lambda s: tcgen05.view(s.plain_type, s.src, alignment=-(2**63) - 1),
    ),
    (TypeError, "'view' must be a Value, got Site", lambda s: tcgen05.address(s)),
    (
        TypeError,
        "'indices' must be a sequence of Values and integers, got OpResult",
        lambda s: tcgen05.address(s.dst, s.index),
    ),
    (
        TypeError,
        "'indices' must be an integer, got NoneType None",
        lambda s: tcgen05.address(s.dst, [1, None]),
    ),
]


@pytest.mark.parametrize("case", range(len(VIEWS)))
def test_an_argument_that_view_and_address_refuse(case: int, site: Site) -> None:
    kind, message, build = VIEWS[case]
    with refused(kind, message):
        build(site)
    assert site.built() == []


@pytest.mark.parametrize(
    ("message", "build"),
    [
        (
            "'tcgen05.cp' op operand #1 must be memref of any type values, but got 'i32'",
            lambda s: tcgen05.cp(s.dst, s.taddr),
        ),
        (
            "'tcgen05.cp' op operand #2 must be 1-bit signless integer, but got 'i32'",
            lambda s: tcgen05.cp(s.dst, s.src, predicate=s.taddr),
        ),
        (
            "'tcgen05.cp' op 'sdo' must be given: 128x128b reads it [C5]",
            lambda s: tcgen05.cp(s.dst, s.src, descriptor="ldo = 16"),
        ),
        (
            "'tcgen05.view' op 'alignment' must be a power of two in 1..131072 bytes, got -16 [V3]",
            lambda s: tcgen05.view(s.plain_type, s.src, alignment=-16),
        ),
        (
            "'tcgen05.address' op 'indices' must be at most 2, got 3 [V4]",
            lambda s: tcgen05.address(s.dst, [0, 0, 0]),
        ),
    ],
)
def test_the_rest_is_the_verifiers(message: str, build: Callable[[Site], Any], site: Site) -> None:
    build(site)
    assert site.refusal() == message
