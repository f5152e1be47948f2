"""`tcgen05 run`: a kernel on a GPU or the CPU, arguments and results as .npy files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcgen05_mlir.tools.equal import difference, read_comparison, shape_text
from tcgen05_mlir.tools.errors import UsageError
from tcgen05_mlir.tools.output import STDIN, check_output, read_stdin, write_output
from tcgen05_mlir.tools.run_artifact import is_artifact, manifest_of, run_artifact
from tcgen05_mlir.tools.values import check_values, is_number, read_value

if TYPE_CHECKING:
    from collections.abc import Callable

_DEVICES = ("auto", "native", "emulate", "simulator")


def add_parser(subparsers: Any) -> None:
    """Add `run` to the subcommands of `tcgen05`."""
    parser = subparsers.add_parser(
        "run",
        help="run a kernel on a GPU or on the CPU",
        description="Run a kernel on a GPU with tcgen05, on another GPU by emulation, or on the "
        "CPU. Nothing here has run on Blackwell.",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="MLIR text or bytecode, - is stdin; or PTX or a cubin of `tcgen05 compile -o`",
    )
    parser.add_argument(
        "--kernel", metavar="[MODULE::]KERNEL", help="the kernel's name, where there are several"
    )
    parser.add_argument(
        "--device",
        choices=_DEVICES,
        default="auto",
        help="a GPU with tcgen05; one of sm_80 or later; the CPU; auto (default) is the first of "
        "them that there is, and says which and why",
    )
    parser.add_argument(
        "--gpu", metavar="N", type=int, help="this GPU alone, as the CUDA driver counts"
    )
    parser.add_argument(
        "--arg",
        dest="arguments",
        metavar="VALUE",
        action="append",
        default=[],
        help="the next argument: FILE.npy, new:128x4xi32 (zeros), range:128x4xi32 (0, 1, 2, ...), "
        "or a number as i32:5, f32:1.5",
    )
    parser.add_argument(
        "--out",
        dest="outputs",
        metavar="INDEX:FILE.npy",
        action="append",
        default=[],
        help="save argument INDEX (from 0) as the kernel left it; - is stdout",
    )
    parser.add_argument(
        "--equal",
        dest="comparisons",
        metavar="INDEX:OTHER",
        action="append",
        default=[],
        help="after the run argument INDEX must equal argument OTHER as it was given, or a "
        "FILE.npy, bit for bit",
    )
    for name, what in (("grid", "blocks"), ("block", "threads"), ("cluster", "blocks")):
        parser.add_argument(
            f"--{name}", metavar="X,Y,Z", help=f"{what}; default: what the kernel states"
        )
    parser.add_argument(
        "--smem", metavar="BYTES", type=int, help="dynamic shared memory; default: 0"
    )
    parser.add_argument(
        "--seed",
        type=int,
        help="of the simulator: order of warps and completion of copies; default: 0",
    )
    parser.add_argument(
        "--allow",
        metavar="ID",
        action="append",
        default=[],
        help="of the simulator: let a rule, such as P5, be broken; may be given several times",
    )
    parser.add_argument("--verbose", action="store_true", help="say on stderr what is run")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    import numpy as np

    _check_device(arguments)
    outputs = [_output(text, len(arguments.arguments)) for text in arguments.outputs]
    for _, path in outputs:
        for source in (arguments.file, *manifest_of(arguments.file)):
            check_output(path, source, binary=False)
    count = len(arguments.arguments)
    comparisons = [read_comparison(text, count) for text in arguments.comparisons]
    sizes = {name: _sizes(name, getattr(arguments, name)) for name in ("grid", "block", "cluster")}
    values = [read_value(text) for text in arguments.arguments]
    wanted = [
        values[other] if isinstance(other, int) else read_value(other) for _, other in comparisons
    ]
    results = _results(arguments, values, sizes)
    for index, path in outputs:
        write_output(path, _npy(np.asarray(results[index])))
    compared = zip(comparisons, wanted, strict=True)
    return max((_compare(results[i], i, other, right) for (i, other), right in compared), default=0)


def _check_device(arguments: argparse.Namespace) -> None:
    """Raises UsageError for options that the device does not have."""
    if arguments.device == "simulator" and arguments.gpu is not None:
        raise UsageError("argument --gpu: the simulator has no GPUs")
    on = f"--device {arguments.device}" if arguments.device in ("native", "emulate") else ""
    if arguments.gpu is not None:
        on = on or f"--gpu {arguments.gpu}"
    for option in _simulator_options(arguments):
        if on:
            raise UsageError(f"argument --{option}: only the simulator has it, got {on}")


def _simulator_options(arguments: argparse.Namespace) -> list[str]:
    given = {"seed": arguments.seed is not None, "allow": bool(arguments.allow)}
    return [name for name, used in given.items() if used]


def _results(arguments: argparse.Namespace, values: list[Any], sizes: dict[str, Any]) -> Any:
    """The arguments as the kernel left them; says which device is taken where that is open."""
    if is_artifact(arguments.file):
        return run_artifact(arguments, values, sizes, _simulator_options(arguments))
    # Imports MLIR: --help and the other subcommands do without.
    from tcgen05_mlir import launching
    from tcgen05_mlir.compiler import load
    from tcgen05_mlir.compiler.signature import find_kernel

    if arguments.file == STDIN:
        arguments.stdin = read_stdin()
    module = load(arguments.stdin if arguments.file == STDIN else Path(arguments.file))
    kernel = find_kernel(module, arguments.kernel)
    check_values(kernel.name, kernel.types, values)
    choice = launching.choose_for(
        module,
        arguments.kernel,
        device=arguments.device,
        gpu=arguments.gpu,
        cluster=sizes["cluster"],
        simulator_options=_simulator_options(arguments),
    )
    if arguments.device == "auto":
        print(f"device: {choice}", file=sys.stderr)
    only = {"seed": arguments.seed, "allow": arguments.allow, "progress": _progress()}
    return launching.run(
        module,
        arguments.kernel,
        *values,
        **sizes,
        smem=arguments.smem,
        device=choice,
        **(only if choice.device == "simulator" else {}),
    )


def _compare(found: Any, index: int, other: int | str, wanted: Any) -> int:
    """Says whether they are equal; the exit code."""
    name = f"argument {other} as given" if isinstance(other, int) else f"'{other}'"
    problem = difference(found, wanted)
    if problem:
        print(f"error: argument {index} does not equal {name}: {problem}", file=sys.stderr)
        return 1
    import numpy as np

    print(f"argument {index} equals {name}: {shape_text(np.asarray(found))}", file=sys.stderr)
    return 0


def _output(text: str, count: int) -> tuple[int, str]:
    index, colon, path = text.partition(":")
    if not colon or not is_number(index) or not path:
        raise UsageError(f"argument --out: expected INDEX:FILE.npy, got '{text}'")
    if int(index) >= count:
        raise UsageError(f"argument --out: there is no argument {index}, --arg was given {count}x")
    return int(index), path


def _sizes(name: str, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = text.split(",")
    if not 1 <= len(parts) <= 3 or not all(map(is_number, parts)):
        raise UsageError(f"argument --{name}: expected X, X,Y or X,Y,Z, got '{text}'")
    return tuple(map(int, parts))


def _npy(array: Any) -> bytes:
    import io

    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _progress() -> Callable[[int, int], None] | None:
    """A line on a terminal's stderr, rewritten once a second; nothing for short runs."""
    if not sys.stderr.isatty():
        return None
    import time

    shown = [time.monotonic(), 0.0]

    def progress(ended: int, total: int) -> None:
        now = time.monotonic()
        if now - max(shown) > 1.0 or (shown[1] and ended == total):
            shown[1] = now
            last = "\n" if ended == total else ""
            print(f"\r{ended} of {total} clusters", end=last, file=sys.stderr, flush=True)

    return progress
