"""`tcgen05 compile`: a kernel to MLIR, LLVM IR, PTX, a cubin or SASS."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tcgen05_mlir.tools.errors import UsageError
from tcgen05_mlir.tools.output import (
    STDIN,
    STDOUT,
    check_output,
    is_regular,
    read_stdin,
    write_output,
)

_EMITS = ("mlir", "llvm", "ptx", "cubin", "sass")
_WITH_MANIFEST = ("ptx", "cubin")
_PATHS = ("nvvm", "inline-asm")
_DEFAULT_CHIP = "sm_100a"


def add_parser(subparsers: Any) -> None:
    """Add `compile` to the subcommands of `tcgen05`."""
    parser = subparsers.add_parser(
        "compile",
        help="compile a kernel to MLIR, LLVM IR, PTX, a cubin or SASS",
        description="Compile the device code of an MLIR file. Nothing here has run on Blackwell.",
    )
    parser.add_argument("file", metavar="FILE", help="MLIR text or bytecode; - is stdin")
    parser.add_argument(
        "--chip",
        help="chip to compile for, at the first PTX version that has what the code uses; default: "
        "the file's target, else sm_100a",
    )
    parser.add_argument(
        "--emulate",
        action="store_true",
        help="replace tcgen05 by code for a chip that has none, sm_80 or later",
    )
    parser.add_argument("--emit", choices=_EMITS, default="ptx", help="default: ptx")
    parser.add_argument(
        "--path",
        choices=_PATHS,
        default="nvvm",
        help="copies through nvvm.tcgen05.cp (default) or inline assembly",
    )
    parser.add_argument(
        "--opt-level",
        type=int,
        choices=(0, 1, 2, 3),
        help="optimization level of LLVM and ptxas; default: the file's target, else 3",
    )
    parser.add_argument(
        "--kernel",
        metavar="[MODULE::]KERNEL",
        help="a kernel in the gpu.module that is wanted",
    )
    parser.add_argument(
        "-o",
        "--output",
        default=STDOUT,
        metavar="OUT",
        help="default: stdout; PTX and cubins get OUT.json beside them, with what a host must know",
    )
    parser.add_argument("--verbose", action="store_true", help="say on stderr which tools are used")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    check_output(arguments.output, arguments.file, binary=arguments.emit == "cubin")
    if arguments.emit in _WITH_MANIFEST and is_regular(arguments.output):
        check_output(f"{arguments.output}.json", arguments.file, binary=False)
    # Imports MLIR: --help and the other subcommands do without.
    from tcgen05_mlir.compiler import carries_target, compile, load

    if arguments.file == STDIN:
        arguments.stdin = read_stdin()
    module = load(arguments.stdin if arguments.file == STDIN else Path(arguments.file))
    chip = arguments.chip or (None if carries_target(module) else _default_chip(arguments))
    options = {
        "chip": chip,
        "emit": arguments.emit,
        "kernel": arguments.kernel,
        "path": arguments.path,
        "opt_level": arguments.opt_level,
        "emulate": arguments.emulate,
    }
    if arguments.emit in _WITH_MANIFEST and is_regular(arguments.output):
        from tcgen05_mlir.compiler.manifest import compile_artifact

        compile_artifact(module, **options).write(arguments.output)
    else:
        write_output(arguments.output, compile(module, **options))
    return 0


def _default_chip(arguments: argparse.Namespace) -> str:
    """sm_100a; what is emulated is for another chip, which the caller knows."""
    if arguments.emulate:
        raise UsageError(
            "argument --emulate: needs --chip, the chip that is to run it, such as sm_90"
        )
    return _DEFAULT_CHIP
