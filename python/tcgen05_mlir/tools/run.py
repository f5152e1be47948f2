"""`tcgen05 run`: a kernel on the CPU, arguments and results as .npy files."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcgen05_mlir.tools.equal import difference, read_comparison, shape_text
from tcgen05_mlir.tools.errors import UsageError
from tcgen05_mlir.tools.output import STDIN, check_output, read_stdin, write_output

if TYPE_CHECKING:
    from collections.abc import Callable

_DEVICES = ("auto", "simulator")
_MADE = re.compile(r"(new|range):((?:\d+x)*)(\w+)")
_NUMBER = re.compile(r"(i1|i8|i16|i32|i64|index|f16|bf16|f32|f64):(.+)")


def add_parser(subparsers: Any) -> None:
    """Add `run` to the subcommands of `tcgen05`."""
    parser = subparsers.add_parser(
        "run",
        help="run a kernel on the CPU",
        description="Run a kernel on the simulator. Nothing here has run on Blackwell.",
    )
    parser.add_argument("file", metavar="FILE", help="MLIR text or bytecode; - is stdin")
    parser.add_argument("--kernel", help="the kernel's name, where there are several")
    parser.add_argument(
        "--device",
        choices=_DEVICES,
        default="auto",
        help="auto is the best there is: the simulator",
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
        "--seed", type=int, default=0, help="order of warps and completion of copies; default: 0"
    )
    parser.add_argument(
        "--allow",
        metavar="ID",
        action="append",
        default=[],
        help="let a rule, such as P5, be broken; may be given several times",
    )
    parser.add_argument("--verbose", action="store_true", help="say on stderr what is run")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    import numpy as np

    outputs = [_output(text, len(arguments.arguments)) for text in arguments.outputs]
    for _, path in outputs:
        check_output(path, arguments.file, binary=False)
    count = len(arguments.arguments)
    comparisons = [read_comparison(text, count) for text in arguments.comparisons]
    sizes = {name: _sizes(name, getattr(arguments, name)) for name in ("grid", "block", "cluster")}
    values = [_argument(text) for text in arguments.arguments]
    wanted = [
        values[other] if isinstance(other, int) else _argument(other) for _, other in comparisons
    ]
    # Imports MLIR: --help and the other subcommands do without.
    from tcgen05_mlir.simulator import SimulationError, run

    if arguments.file == STDIN:
        arguments.stdin = read_stdin()
    try:
        results = run(
            arguments.stdin if arguments.file == STDIN else Path(arguments.file),
            arguments.kernel,
            *values,
            **sizes,
            smem=arguments.smem,
            seed=arguments.seed,
            allow=arguments.allow,
            device=arguments.device,
            progress=_progress(),
        )
    except SimulationError as error:
        print(_worded(error), file=sys.stderr)
        return 1
    for index, path in outputs:
        write_output(path, _npy(np.asarray(results[index])))
    compared = zip(comparisons, wanted, strict=True)
    return max((_compare(results[i], i, other, right) for (i, other), right in compared), default=0)


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


def _worded(error: Exception) -> str:
    """The report with `error:` behind the place, as MLIR words its own."""
    text = str(error)
    return re.sub(r"^([^\n']*:\d+:\d+: )?", r"\1error: ", text, count=1)


def _argument(text: str) -> Any:
    """The array or the number that a `--arg` names."""
    import numpy as np

    if match := _MADE.fullmatch(text):
        shape = tuple(int(extent) for extent in match[2].split("x")[:-1])
        made = np.zeros(shape, _dtype(match[3]))
        return made if match[1] == "new" else _counted(made)
    if match := _NUMBER.fullmatch(text):
        return _number(match[1], match[2])
    if text.endswith(".npy"):
        try:
            return np.load(text, allow_pickle=False)
        except ValueError as error:
            raise ValueError(f"'{text}' is not an array file: {error}") from None
    raise UsageError(
        "argument --arg: expected FILE.npy, new:SHAPExTYPE, range:SHAPExTYPE or TYPE:NUMBER, "
        f"got '{text}'"
    )


def _counted(array: Any) -> Any:
    """0, 1, 2, ... in row-major order, as far as the type holds them: i8 wraps around."""
    import numpy as np

    return np.arange(array.size).astype(array.dtype).reshape(array.shape)


def _dtype(name: str) -> str:
    known = {"i1": "bool", "bf16": "uint16", "index": "int64"}
    known |= {f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}
    known |= {f"f{bits}": f"float{bits}" for bits in (16, 32, 64)}
    if name not in known:
        raise UsageError(f"argument --arg: type '{name}' is none of {', '.join(known)}")
    return known[name]


def _number(kind: str, text: str) -> Any:
    import numpy as np

    try:
        if kind.startswith("i"):
            number = int(text, 0)
            return number if kind in ("i1", "index") else _sized(kind, number)
        return float(text) if kind == "bf16" else np.dtype(_dtype(kind)).type(float(text))
    except (ValueError, OverflowError):
        raise UsageError(f"argument --arg: '{text}' is no {kind}") from None


def _sized(kind: str, number: int) -> Any:
    """As a numpy integer, signed where it is negative, so that its width is checked."""
    import numpy as np

    dtype = np.dtype(_dtype(kind) if number < 0 else "u" + _dtype(kind))
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise ValueError
    return dtype.type(number)


def _output(text: str, count: int) -> tuple[int, str]:
    index, colon, path = text.partition(":")
    if not colon or not index.isdigit() or not path:
        raise UsageError(f"argument --out: expected INDEX:FILE.npy, got '{text}'")
    if int(index) >= count:
        raise UsageError(f"argument --out: there is no argument {index}, --arg was given {count}x")
    return int(index), path


def _sizes(name: str, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = text.split(",")
    if not 1 <= len(parts) <= 3 or not all(part.isdigit() for part in parts):
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
