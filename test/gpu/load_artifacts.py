"""Loads artifacts on the GPU, and prints a line for each that is refused before any launch."""

from __future__ import annotations

import sys

from tcgen05_mlir import runtime


def main() -> None:
    for file in sys.argv[1:]:
        try:
            with runtime.load(runtime.Artifact.read(file)):
                pass
        except ValueError as error:
            print(f"ValueError: {error}")


if __name__ == "__main__":
    main()
