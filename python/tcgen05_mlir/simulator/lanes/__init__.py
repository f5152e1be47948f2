"""Arithmetic on the lanes of a warp as LLVM defines it: numpy alone, no MLIR.

A value is a numpy scalar, the same in all lanes, or an array (32,); a vector is an array (count,
32), or (count, 1) where its lanes agree; an aggregate is a tuple. Integers are unsigned, i1 is
bool, bf16 its bits in uint16. What LLVM leaves undefined is zero.
"""
