"""``tcgen05-opt``: mlir-opt with the tcgen05 dialect and passes written in Python.

Every flag of mlir-opt works. One is added, and may be given more than once:
``--load-python-passes=MODULE_OR_FILE`` imports a Python module, or runs a ``.py`` file, that
registers passes. Installed packages name theirs by the entry point group ``tcgen05_mlir.passes``.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

from tcgen05_mlir._mlir_libs import _tcgen05
from tcgen05_mlir.file_kinds import shown
from tcgen05_mlir.passes import PluginError, load_entry_points, load_passes

_FLAG = "load-python-passes"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run mlir-opt on ``arguments`` (those of the process if None); returns the exit code: 0, 1.

    Once per process: RuntimeError after that. Flags such as ``--help`` end the process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if problem := undecodable(given):
        print(f"tcgen05-opt: error: {problem}", file=sys.stderr)
        return 1
    try:
        load_entry_points()
        for source in python_passes(given):
            load_passes(source)
    except PluginError as error:
        print(f"tcgen05-opt: error: {error}", file=sys.stderr)
        return 1
    use_default_signals()
    sys.stdout.flush()
    return _tcgen05.opt_main(["tcgen05-opt", *given])


def python_passes(arguments: Sequence[str]) -> list[str]:
    """The values of ``--load-python-passes``, in any spelling that LLVM accepts.

    ``python_passes(["--load-python-passes=a", "-load-python-passes", "b"]) == ["a", "b"]``
    """
    values = []
    pending = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if pending:
            values.append(argument)
            pending = False
        elif name in (f"-{_FLAG}", f"--{_FLAG}"):
            pending = not equals
            if equals:
                values.append(value)
    return values


def undecodable(arguments: Sequence[str]) -> str:
    """What to say where an argument, such as a file's name, is no UTF-8; empty where all are.

    MLIR holds the name of the input in every location.
    """
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            return (
                f"argument '{shown(argument)}' must be UTF-8: rename the file, or give it on stdin"
            )
    return ""


def use_default_signals() -> None:
    """End the process at Ctrl-C, and quietly when the reader of its output is gone.

    Python's own handlers would wait for C++ code to return, and turn a closed pipe into an error.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
