"""Loads and stores, in a block that has columns 0 to 31, that emulated code must refuse."""

from __future__ import annotations

from itertools import starmap

from .refusal import NUMBERS, Refusal, numbers
from .refused_kernel import ALLOC, ISSUER, LIVE, kernel_of


def _cases() -> list[Refusal]:
    """%n2: what is added to the address; %n0: what one thread adds."""
    body = f"""{ALLOC}
    gpu.barrier
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %more = arith.select %issues, %n0, %zero : i32
    %moved = arith.addi %base, %n2 : i32
    %at = arith.addi %moved, %more : i32
    %target = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    %words = arith.constant dense<7> : vector<4xi32>
    %stores = arith.cmpi ne, %n1, %zero : i32
    scf.if %stores {{
      nvvm.tcgen05.st %target, %words {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}}
        : vector<4xi32>
    }}
    %got = nvvm.tcgen05.ld %target {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}}
      : vector<2xi32>
    nvvm.tcgen05.wait <load>
    %c0 = arith.constant 0 : index
    %first = vector.extract %got[0] : i32 from vector<2xi32>
    memref.store %first, %numbers[%c0] : memref<{NUMBERS}xi32>"""
    kernel = kernel_of("refused_access", body)
    allocated = "must stay inside allocated columns, got columns"
    lanes = "must stay inside the lanes of its warp, 0 to 31, got lanes 32 to 63 [S6]"
    one = "must get one address in all threads of its warp, got 0x0 and 0x4 [S6]"

    def access(name: str, check: str, op: str, words: str, given, threads=range(32)) -> Refusal:
        op = f"nvvm.tcgen05.{op}"
        return Refusal(name, check, kernel, op, op, words, (numbers(*given),), threads)

    return list(
        starmap(
            access,
            [
                ("S2-ld", "access_columns", "ld", f"{allocated} 31 to 32; {LIVE} [S2]", (0, 0, 31)),
                ("S2-st", "access_columns", "st", f"{allocated} 40 to 43; {LIVE} [S2]", (0, 1, 40)),
                ("S6-lanes", "warp_lanes", "ld", lanes, (0, 0, 32 << 16)),
                ("S6-address", "one_address", "ld", one, (4,), ISSUER),
            ],
        )
    )


CASES = _cases()
