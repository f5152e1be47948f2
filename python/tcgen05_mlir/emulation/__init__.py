"""tcgen05 on GPUs that have no tensor memory: a pass, its library, and what a host has to do.

`abi` is the contract with whoever launches an emulated kernel; it needs no MLIR.
"""
