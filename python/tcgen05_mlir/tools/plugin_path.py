"""`tcgen05 plugin-path`: what the stock mlir-opt loads to know the dialect."""

from __future__ import annotations

import argparse
from typing import Any

from tcgen05_mlir.tools.installed import installed_path

_PLUGIN = "lib/Tcgen05Plugin.so"


def add_parser(subparsers: Any) -> None:
    """Add `plugin-path` to the subcommands of `tcgen05`."""
    parser = subparsers.add_parser(
        "plugin-path", help="print the plugin for mlir-opt --load-dialect-plugin="
    )
    parser.set_defaults(run=_run)


def _run(_: argparse.Namespace) -> int:
    print(installed_path(_PLUGIN))
    return 0
