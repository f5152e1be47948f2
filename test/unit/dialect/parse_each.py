"""Run in a child process: parse, verify and print every text of a JSON list.

One line of JSON per text: its number before it is parsed, so that the last line names the text
that ended the process, and the first diagnostic after it, empty where the text is accepted.
"""

from __future__ import annotations

import json
import sys

import tcgen05_mlir  # noqa: F401
from mlir import ir


def judge(text: str) -> str:
    try:
        module = ir.Module.parse(text)
    except ir.MLIRError as error:
        return error.error_diagnostics[0].message
    printed = str(module)
    assert str(ir.Module.parse(printed)) == printed
    generic = module.operation.get_asm(print_generic_op_form=True)
    assert str(ir.Module.parse(generic)) == printed
    return ""


def main(file: str) -> None:
    with open(file) as source:
        texts = json.load(source)
    with ir.Context():
        for number, text in enumerate(texts):
            print(json.dumps([number]), flush=True)
            print(json.dumps([number, judge(text)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
