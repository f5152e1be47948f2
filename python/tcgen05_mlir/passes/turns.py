"""Pipelines on one Context take turns.

Two at once would mix their diagnostics and exceptions: MLIR gives each diagnostic to the handler
that was attached last.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mlir import ir

_guard = threading.Lock()
_turns: dict[int, tuple[threading.RLock, int]] = {}
"""By id of the context: its lock, and how many hold it or wait."""
_inside = threading.local()


@contextmanager
def turn(context: ir.Context) -> Iterator[None]:
    """Wait until no other thread's pipeline runs on ``context``; hold others off meanwhile.

    A pass that runs a pipeline on its own context has the turn of the pipeline around it, on
    whatever thread it is.
    """
    if id(context) in _contexts():
        yield
        return
    lock = _enter(id(context))
    try:
        with lock:
            yield
    finally:
        _leave(id(context))


@contextmanager
def inside(context: ir.Context) -> Iterator[None]:
    """A pass runs on this thread, on ``context``."""
    contexts = _contexts()
    contexts.append(id(context))
    try:
        yield
    finally:
        contexts.pop()


def _contexts() -> list[int]:
    if not hasattr(_inside, "contexts"):
        _inside.contexts = []
    return _inside.contexts


def _enter(key: int) -> threading.RLock:
    with _guard:
        lock, users = _turns.get(key, (threading.RLock(), 0))
        _turns[key] = (lock, users + 1)
    return lock


def _leave(key: int) -> None:
    with _guard:
        lock, users = _turns.pop(key)
        if users > 1:
            _turns[key] = (lock, users - 1)
