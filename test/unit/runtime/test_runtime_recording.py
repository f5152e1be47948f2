"""The recorder and the playback: what is written, and what is said where calls differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_driver import model_gpu
from scenarios import SCENARIOS
from tcgen05_mlir.runtime.driver import Answer, using
from tcgen05_mlir.runtime.recording import Recorder, Replay, ReplayError
from whole import whole

DATA = Path(__file__).parents[2] / "data/driver"


class Scripted:
    """A backend with one answer after another."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.closed = False

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        return self.answers.pop(0)

    def close(self) -> None:
        self.closed = True


def record(path: Path, *pairs: tuple[str, tuple[Any, ...], Answer]) -> None:
    recorder = Recorder(Scripted(*(answer for *_, answer in pairs)), path, "a test")
    for name, arguments, answer in pairs:
        assert recorder.invoke(name, arguments) == answer
    recorder.close()


def test_a_line_for_each_call(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    error = Answer("CUDA_ERROR_INVALID_PTX", None, "a PTX JIT compilation failed", "line 9", True)
    record(
        path,
        ("cuInit", (0,), Answer()),
        ("cuMemcpyHtoD", (4096, b"abc"), Answer()),
        ("cuModuleLoadDataEx", (b"code", 8192), error),
        ("cuLaunchKernelEx", (1, (2, 1, 1), None, (b"\x01\x00",)), Answer(value=(2, 1, 1))),
        ("read_host", (64, 2), Answer(value=b"\xff\x00")),
    )
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    code = "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b"
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"about": "a test"},
        {"call": "cuInit", "arguments": [0]},
        {"call": "cuMemcpyHtoD", "arguments": [4096, {"bytes": 3, "sha256": abc}]},
        {
            "call": "cuModuleLoadDataEx",
            "arguments": [{"bytes": 4, "sha256": code}, 8192],
            "text": "a PTX JIT compilation failed",
            "log": "line 9",
            "error": "CUDA_ERROR_INVALID_PTX",
            "cut": True,
        },
        {
            "call": "cuLaunchKernelEx",
            "arguments": [1, [2, 1, 1], None, [{"hex": "0100"}]],
            "value": [2, 1, 1],
        },
        {"call": "read_host", "arguments": [64, 2], "value": {"hex": "ff00"}},
    ]


def test_what_was_recorded_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    long = np.arange(1000, dtype=np.uint16).view(np.uint8)
    pairs = (
        ("cuDeviceGetName", (0,), Answer(value="GPU")),
        ("cuMemcpyDtoH", (4096, 2000), Answer(value=long)),
        ("cuEventElapsedTime", (1, 2), Answer(value=0.1)),
        ("cuLaunchKernelEx", (1, (2, 1, 1), (b"\x01",)), Answer(value=(2, 1, 1))),
        ("cuMemAlloc", (8,), Answer("CUDA_ERROR_OUT_OF_MEMORY", None, "out of memory")),
    )
    recorder = Recorder(Scripted(*(answer for *_, answer in pairs)), path)
    for name, arguments, _ in pairs:
        recorder.invoke(name, arguments)
    recorder.close()
    replay = Replay(path)
    answers = [replay.invoke(name, arguments) for name, arguments, _ in pairs]
    replay.finish()
    assert answers[1].value == long.tobytes()
    assert [*answers[:1], *answers[2:]] == [pairs[0][2], *(answer for *_, answer in pairs[2:])]


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("cuMemAlloc", (16,), "cuMemAlloc(16)"),
        ("cuMemFree", (8,), "cuMemFree(8)"),
        ("cuMemAlloc", (), "cuMemAlloc()"),
    ],
)
def test_a_call_that_differs(
    tmp_path: Path, name: str, arguments: tuple[Any, ...], found: str
) -> None:
    path = tmp_path / "calls.jsonl"
    record(path, ("cuMemAlloc", (8,), Answer(value=4096)))
    message = f"call 1 of '{path}' must be cuMemAlloc(8), got {found}"
    with pytest.raises(ReplayError, match=whole(message)):
        Replay(path).invoke(name, arguments)


def test_memory_that_differs(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    record(path, ("cuMemcpyHtoD", (4096, b"abc"), Answer()))
    Replay(path).invoke("cuMemcpyHtoD", (4096, np.frombuffer(b"abc", np.uint8)))
    with pytest.raises(ReplayError, match=r"^call 1 of '.*' must be cuMemcpyHtoD"):
        Replay(path).invoke("cuMemcpyHtoD", (4096, b"abd"))


def test_calls_too_few_and_too_many(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    record(path, ("cuInit", (0,), Answer()), ("cuMemAlloc", (8,), Answer(value=4096)))
    replay = Replay(path)
    replay.invoke("cuInit", (0,))
    with pytest.raises(
        ReplayError, match=whole(f"'{path}' has 1 more calls, the first is cuMemAlloc(8)")
    ):
        replay.finish()
    replay.invoke("cuMemAlloc", (8,))
    replay.finish()
    with pytest.raises(ReplayError, match=whole(f"call 3 of '{path}' must be none, got cuInit(0)")):
        replay.invoke("cuInit", (0,))


def test_recording_changes_nothing(tmp_path: Path) -> None:
    path, model = tmp_path / "copy.jsonl", model_gpu()
    with using(Recorder(model, path)):
        SCENARIOS["copy"](DATA)
    assert len(path.read_text().splitlines()) == sum(model.calls.values())
    replay = Replay(path)
    with using(replay):
        SCENARIOS["copy"](DATA)
    replay.finish()


def test_closing_closes_what_is_behind_it(tmp_path: Path) -> None:
    backend = Scripted()
    recorder = Recorder(backend, tmp_path / "calls.jsonl")
    recorder.close()
    assert backend.closed
    recorder.close()
