"""Allocations and what is given back, step by step, that emulated code must refuse.

`alloc_stuck` is not among them: columns that are allocated in powers of two, none larger than the
one before, leave no hole that is too small.
"""

from __future__ import annotations

from .refusal import NUMBERS, Refusal, numbers
from .refused_kernel import LIVE, kernel_of

SCRIPT = f"""scf.for %step = %i0 to %i4 step %i1 {{
      %twice = arith.muli %step, %i2 : index
      %next = arith.addi %twice, %i1 : index
      %action = memref.load %numbers[%twice] : memref<{NUMBERS}xi32>
      %count = memref.load %numbers[%next] : memref<{NUMBERS}xi32>
      %action_index = arith.index_cast %action : i32 to index
      scf.index_switch %action_index
      case 1 {{
        nvvm.tcgen05.alloc %slot, %count : !llvm.ptr<3>, i32
        scf.yield
      }}
      case 2 {{
        nvvm.tcgen05.relinquish_alloc_permit
        scf.yield
      }}
      case 3 {{
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        %pointer = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        nvvm.tcgen05.dealloc %pointer, %count : !llvm.ptr<6>, i32
        scf.yield
      }}
      case 4 {{
        llvm.store %count, %slot : i32, !llvm.ptr<3>
        scf.yield
      }}
      default {{
      }}
    }}"""
"""Four steps: an action and a number each."""
TAKE, STOP, GIVE, PLACE = 1, 2, 3, 4


def _cases() -> list[Refusal]:
    kernel = kernel_of("refused_script", SCRIPT)

    def one(name: str, check: str, op: str, words: str, *script: int, **more) -> Refusal:
        op, given = f"nvvm.tcgen05.{op}", (numbers(*script),)
        return Refusal(name, check, kernel, op, op, f"{words} [P6]", given, **more)

    power = "must allocate a power of two columns in 32..512, got 48"
    more = "must not allocate more columns than an earlier alloc of its block, got 64 after 32"
    room = "must keep at most 512 columns live, got 256 more with 512 live; live are columns 0 to "
    start = "must give back an allocation from its start, got lane"
    count = f"must give back all columns of an allocation, 32, got 64; {LIVE}"
    return [
        one("P6-count", "alloc_count", "alloc", power, TAKE, 48),
        one("P6-more", "alloc_increase", "alloc", more, TAKE, 32, TAKE, 64),
        one(
            "P6-relinquished",
            "alloc_relinquished",
            "alloc",
            "must not allocate after relinquish_alloc_permit, got 32 columns",
            *(TAKE, 32, STOP, 0, TAKE, 32),
        ),
        one(
            "P6-sum",
            "alloc_sum",
            "alloc",
            f"{room}255, columns 256 to 511",
            *(TAKE, 256, TAKE, 256, TAKE, 256),
        ),
        one(
            "P6-start",
            "dealloc_start",
            "dealloc",
            f"{start} 0, column 32; live are columns 0 to 63",
            *(TAKE, 64, PLACE, 32, GIVE, 32),
        ),
        one(
            "P6-lane",
            "dealloc_start",
            "dealloc",
            f"{start} 32, column 0; {LIVE}",
            *(TAKE, 32, PLACE, 32 << 16, GIVE, 32),
        ),
        one("P6-all", "dealloc_count", "dealloc", count, TAKE, 32, GIVE, 64),
        one(
            "P6-twice",
            "dealloc_start",
            "dealloc",
            f"{start} 0, column 0; live are none",
            *(TAKE, 32, GIVE, 32, GIVE, 32),
        ),
    ]


CASES = _cases()
