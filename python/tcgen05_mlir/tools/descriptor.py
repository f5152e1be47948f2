"""`tcgen05 descriptor`: shared memory descriptors of tcgen05.cp, encoded and decoded."""

from __future__ import annotations

import argparse
from typing import Any


def add_parser(subparsers: Any) -> None:
    """Add `descriptor` to the subcommands of `tcgen05`."""
    parser = subparsers.add_parser(
        "descriptor", help="encode or decode the 64-bit shared memory descriptor of a copy"
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add_encode(actions)
    decode = actions.add_parser("decode", help="the fields of a descriptor")
    decode.add_argument("value", type=_integer, help="64-bit number, such as 0x400800010040")
    decode.set_defaults(run=_decode)


def _add_encode(actions: Any) -> None:
    encode = actions.add_parser("encode", help="the descriptor as a number")
    encode.add_argument(
        "--start", type=_integer, default=0, help="shared address in bytes (default: 0)"
    )
    encode.add_argument("--ldo", type=_integer, help="leading-dimension offset in bytes")
    encode.add_argument("--sdo", type=_integer, help="stride-dimension offset in bytes")
    encode.add_argument(
        "--swizzle",
        type=_integer,
        default=0,
        help="0 none (default), 1 32 bytes, 2 64 bytes, 3 128 bytes",
    )
    encode.set_defaults(run=_encode)


def _encode(arguments: argparse.Namespace) -> int:
    from tcgen05_mlir.model import SmemDescriptor

    descriptor = SmemDescriptor(
        arguments.start, ldo=arguments.ldo, sdo=arguments.sdo, swizzle=arguments.swizzle
    )
    print(f"0x{descriptor.encode():016x}")
    return 0


def _decode(arguments: argparse.Namespace) -> int:
    from tcgen05_mlir.model import SmemDescriptor

    descriptor = SmemDescriptor.decode(arguments.value)
    print(f"start = 0x{descriptor.start:x}")
    for name in ("ldo", "sdo", "swizzle"):
        print(f"{name} = {getattr(descriptor, name)}")
    return 0


def _integer(text: str) -> int:
    """Decimal, or with a prefix: `0x400`."""
    return int(text, 0)


_integer.__name__ = "integer"  # argparse: "invalid integer value: 'x'"
