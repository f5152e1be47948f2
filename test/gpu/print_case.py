"""The MLIR text of cases of the table, as one module: `python test/gpu/print_case.py CASE ...`."""

from __future__ import annotations

import argparse

from cases import CASES, module_text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", choices=CASES, metavar="CASE", nargs="+")
    kernels = [CASES[name].kernel for name in parser.parse_args().cases]
    print(kernels[0].text if len(kernels) == 1 else module_text(kernels), end="")


if __name__ == "__main__":
    main()
