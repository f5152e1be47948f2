"""What goes wrong between this package and the CUDA driver."""

from __future__ import annotations


class DriverMissing(RuntimeError):
    """This machine has no CUDA driver, no GPU, or not the package that talks to it."""


class CudaError(RuntimeError):
    """A call of the CUDA driver failed, or its context was already unusable.

    `name`: the driver's, such as CUDA_ERROR_INVALID_PTX. `call`: the function, such as
    cuModuleLoadDataEx. `log`: the driver's own words, empty where it has none. Goes through
    pickle, to another process.
    """

    def __init__(self, message: str, name: str, call: str, log: str = "") -> None:
        # All of them: `args` is what an exception is copied from.
        super().__init__(message, name, call, log)
        self.message = message
        self.name = name
        self.call = call
        self.log = log

    def __str__(self) -> str:
        return f"{self.message}\n{self.log}" if self.log else self.message


class EmulationError(CudaError):
    """Emulated tensor memory was used in a way that hardware punishes; the kernel was stopped.

    The message begins with the operation's place, the rule, what was found and what is wanted.
    """
