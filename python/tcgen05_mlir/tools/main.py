"""The command `tcgen05`: picks the subcommand, and turns what goes wrong into exit codes.

Exit codes: 0; 1 with a diagnostic on stderr; 2 for wrong usage; 130 when interrupted. A subcommand
is a module with `add_parser(subparsers)`; its parser sets `run`, which takes the parsed arguments
and returns the exit code; one that reads stdin leaves the bytes in `arguments.stdin`, for the
excerpts in errors. Such a module imports at its top only what every subcommand has: MLIR comes in
`run`.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tcgen05_mlir import __version__
from tcgen05_mlir.tools import cmake_dir, compile, descriptor, plugin_path, run
from tcgen05_mlir.tools.errors import UsageError, report

_SUBCOMMANDS = (compile, run, descriptor, plugin_path, cmake_dir)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `tcgen05` on `argv` (default: the process's) and return the exit code."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    with _logging(verbose=getattr(arguments, "verbose", False)):
        try:
            return arguments.run(arguments)
        except UsageError as error:
            parser.exit(2, f"tcgen05: error: {error}\n")
        except BrokenPipeError:
            # Whoever read stdout is gone; without this Python would complain at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except KeyboardInterrupt:
            return 130
        except Exception as error:
            if os.environ.get("TCGEN05_MLIR_TRACEBACK") == "1":
                traceback.print_exc()
            report(error, stdin=getattr(arguments, "stdin", b""))
            return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tcgen05", description="Compile, run and inspect kernels with Blackwell's tcgen05.cp."
    )
    parser.add_argument("--version", action="version", version=f"tcgen05 {__version__}")
    subparsers = parser.add_subparsers(title="subcommands", metavar="COMMAND", required=True)
    for subcommand in _SUBCOMMANDS:
        subcommand.add_parser(subparsers)
    return parser


@contextmanager
def _logging(verbose: bool) -> Iterator[None]:
    """What the package logs goes to stderr: warnings, and with `--verbose` what it chose."""
    logger = logging.getLogger("tcgen05_mlir")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("tcgen05: %(message)s"))
    logger.addHandler(handler)
    before = logger.level
    logger.setLevel(logging.INFO if verbose else logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)


if __name__ == "__main__":
    sys.exit(main())
