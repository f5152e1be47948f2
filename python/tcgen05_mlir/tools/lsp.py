"""``tcgen05-lsp-server``: mlir-lsp-server with the tcgen05 dialect, on stdin and stdout."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tcgen05_mlir._mlir_libs import _tcgen05
from tcgen05_mlir.tools.opt import undecodable, use_default_signals


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client says ``exit``; returns the exit code. Once per process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if problem := undecodable(given):
        print(f"tcgen05-lsp-server: error: {problem}", file=sys.stderr)
        return 1
    use_default_signals()
    return _tcgen05.lsp_server_main(["tcgen05-lsp-server", *given])


if __name__ == "__main__":
    sys.exit(main())
