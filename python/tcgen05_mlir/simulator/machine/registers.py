"""`Registers`: what tcgen05.ld returns, usable after tcgen05.wait::ld."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .events import Event

_MOVES: Final = (np.where, np.stack, np.concatenate, np.broadcast_to, np.reshape, np.copy)
"""Functions of numpy that rename registers and do not compute."""


class Registers(np.ndarray):
    """The registers of a tcgen05.ld, uint32 (n, 32): register i of every lane in row i.

    An ndarray that remembers its loads. Indexing, slicing, reshape, view, where, stack and
    concatenate give Registers again (renaming a register is no use of it); `warp.use(values, site)`
    is a use: it reports P5 until the load was waited for, and returns a plain ndarray. To compute
    with them without `use` raises AssertionError while a load is open: the engine forgot the check.
    """

    loads: tuple[Event, ...]

    @classmethod
    def of(cls, values: np.ndarray, loads: tuple[Event, ...]) -> Registers:
        registers = values.view(cls)
        registers.loads = loads
        return registers

    def __array_finalize__(self, source: Any) -> None:
        self.loads = getattr(source, "loads", ())

    @property
    def open_load(self) -> Event | None:
        """A load that was not waited for."""
        return next((load for load in self.loads if not load.done), None)

    def plain(self) -> np.ndarray:
        return self.view(np.ndarray)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*_waited(inputs), **options)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        if function not in _MOVES:
            return function(*_waited(args), **kwargs)
        loads = tuple(load for value in _flat(args) for load in value.loads)
        return Registers.of(np.asarray(function(*_stripped(args), **kwargs)), loads)


def _flat(values: Any) -> list[Registers]:
    found = []
    for value in values:
        if isinstance(value, Registers):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _flat(value)
    return found


def _stripped(values: Any) -> list[Any]:
    return [
        value.plain()
        if isinstance(value, Registers)
        else _stripped(value)
        if isinstance(value, (list, tuple))
        else value
        for value in values
    ]


def _waited(values: Any) -> list[Any]:
    for value in _flat(values):
        assert value.open_load is None, "registers of a tcgen05.ld are used without Warp.use"
    return _stripped(values)
