"""The caller's arguments, checked against the kernel's signature and put into its memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.compiler.signature import Signature
from tcgen05_mlir.runtime.arguments import checked
from tcgen05_mlir.simulator.machine import GlobalMemory, HostBuffer


@dataclass(frozen=True)
class Arguments:
    """`values`: what the kernel gets, as the translated code holds it."""

    given: tuple[Any, ...]
    values: tuple[Any, ...]
    buffers: tuple[HostBuffer | None, ...]

    def results(self) -> tuple[Any, ...]:
        """One per argument: an array as the kernel left it; a number as it was given."""
        return tuple(
            given if buffer is None else _array(buffer, given)
            for given, buffer in zip(self.given, self.buffers, strict=True)
        )


def _array(buffer: HostBuffer, given: NDArray) -> NDArray:
    return buffer.data.view(given.dtype)[: given.size].reshape(given.shape).copy()


def bind(signature: Signature, given: Sequence[Any], memory: GlobalMemory) -> Arguments:
    """Maps copies of the arrays, once where one array is given twice.

    Raises TypeError and ValueError for arguments that are not those of the signature.
    """
    mapped: dict[int, HostBuffer] = {}
    values, buffers = [], []
    for place, (argument, number) in enumerate(checked(signature.name, signature.types, given)):
        buffer: HostBuffer | None = None
        if number is None:
            if id(argument) not in mapped:
                mapped[id(argument)] = memory.add(f"argument {place}", argument)
            buffer = mapped[id(argument)]
        values.append(number if buffer is None else np.uint64(buffer.address))
        buffers.append(buffer)
    return Arguments(tuple(given), tuple(values), tuple(buffers))
