"""Rules T4 to T10: device code that LLVM 22.1.8 would end the process over, or PTX cannot say.

Each module has one rule, as a function from an operation to its diagnostics. Conversions and the
backend check these by assertions and fatal errors, which no caller can catch: so they are judged
before. `tcgen05-check-device-code` runs all but the one for inline assembly, which
`tcgen05-check-lowered` runs, behind the operations that become assembly.
"""
