"""`tcgen05 cmake-dir`: where CMake's find_package finds this project."""

from __future__ import annotations

import argparse
from typing import Any

from tcgen05_mlir.tools.installed import installed_path


def add_parser(subparsers: Any) -> None:
    """Add `cmake-dir` to the subcommands of `tcgen05`."""
    parser = subparsers.add_parser("cmake-dir", help="print the folder for cmake -DTcgen05_DIR=")
    parser.set_defaults(run=_run)


def _run(_: argparse.Namespace) -> int:
    print(installed_path("cmake/Tcgen05Config.cmake").parent)
    return 0
