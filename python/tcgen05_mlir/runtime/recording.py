"""Calls of the driver as lines of JSON: `Recorder` writes them, `Replay` answers from them.

A line is `{"call": ..., "arguments": [...], "value": ..., "error": ..., "text": ..., "log": ...}`;
what is empty is left out. Images and memory that go to the driver are kept as their number of bytes
and sha256; the parameters of a launch, and bytes that come back, as `{"hex": ...}`, where they are
many as `{"base64": ...}` of their zlib stream. The first line may be `{"about": ...}`, which says
what was recorded where.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import threading
import zlib
from typing import Any, TextIO

import numpy as np

from .driver import SUCCESS, Answer, Backend

_SHORT = 64
"""Bytes that are still readable as they are."""


class Recorder:
    """Passes calls on to `backend` and writes each, with its answer, to the file `path`.

    The file grows line by line, so that it is whole up to the call that ended the process.
    """

    def __init__(self, backend: Backend, path: str | os.PathLike[str], about: str = "") -> None:
        self._backend = backend
        self._lock = threading.RLock()
        self._file: TextIO | None = open(path, "w")  # noqa: SIM115 - open as long as the driver is.
        if about:
            self._write({"about": about})

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        with self._lock:
            answer = self._backend.invoke(name, arguments)
            line = {"call": name, "arguments": _encode(_given(name, arguments))}
            fields = {"value": _encode(answer.value), "text": answer.text, "log": answer.log}
            line |= {key: value for key, value in fields.items() if value not in (None, "")}
            if answer.error != SUCCESS:
                line["error"] = answer.error
            if answer.cut:
                line["cut"] = True
            self._write(line)
            return answer

    def close(self) -> None:
        self._backend.close()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()


class ReplayError(AssertionError):
    """A call is not the one that was recorded at this place."""


class Replay:
    """Answers calls as the recording in `path` does, in its order and with its arguments.

    Raises ReplayError at the first call that differs; `finish` where calls are left over.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        self.about: str = lines[0]["about"] if lines and "about" in lines[0] else ""
        self._lines = [line for line in lines if "call" in line]
        self._next = 0
        self._lock = threading.RLock()

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        with self._lock:
            found = {"call": name, "arguments": _encode(_given(name, arguments))}
            line = self._lines[self._next] if self._next < len(self._lines) else {}
            wanted = {key: line.get(key) for key in found}
            # Through JSON, where a tuple is a list.
            if json.loads(json.dumps(found)) != wanted:
                raise ReplayError(
                    f"call {self._next + 1} of '{self._path}' must be {_text(wanted)}, "
                    f"got {_text(found)}"
                )
            self._next += 1
            return Answer(
                line.get("error", SUCCESS),
                _decode(line.get("value")),
                line.get("text", ""),
                line.get("log", ""),
                line.get("cut", False),
            )

    def finish(self) -> None:
        """ReplayError where the recording has calls that were not made."""
        left = self._lines[self._next :]
        if left:
            raise ReplayError(
                f"'{self._path}' has {len(left)} more calls, the first is {_text(left[0])}"
            )

    def close(self) -> None:
        """Nothing to give back."""


def _given(name: str, arguments: tuple[Any, ...]) -> Any:
    """What is kept of a call's arguments: of an image or of memory, its digest."""
    if name == "cuLaunchKernelEx":
        return arguments
    return tuple(_digest(one) if isinstance(one, bytes | np.ndarray) else one for one in arguments)


def _digest(data: bytes | np.ndarray) -> dict[str, Any]:
    raw = np.frombuffer(data, np.uint8).tobytes()
    return {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}


def _encode(value: Any) -> Any:
    if isinstance(value, bytes | np.ndarray):
        raw = np.frombuffer(value, np.uint8).tobytes()
        if len(raw) <= _SHORT:
            return {"hex": raw.hex()}
        return {"base64": base64.b64encode(zlib.compress(raw, 9)).decode()}
    if isinstance(value, tuple | list):
        return [_encode(one) for one in value]
    return value


def _decode(value: Any) -> Any:
    if isinstance(value, dict) and "hex" in value:
        return bytes.fromhex(value["hex"])
    if isinstance(value, dict):
        return zlib.decompress(base64.b64decode(value["base64"]))
    if isinstance(value, list):
        return tuple(_decode(one) for one in value)
    return value


def _text(call: dict[str, Any]) -> str:
    if not call.get("call"):
        return "none"
    return f"{call['call']}({', '.join(json.dumps(one) for one in call['arguments'])})"
