"""The recordings of the driver, played back: the same calls in the same order, the same words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from record_driver import DATA, as_text
from scenarios import SCENARIOS
from tcgen05_mlir.runtime.driver import using
from tcgen05_mlir.runtime.recording import Replay

RECORDINGS = sorted(DATA.glob("*/*.jsonl"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recording_plays_back(path: Path) -> None:
    replay = Replay(path)
    with using(replay):
        messages = SCENARIOS[path.stem](DATA)
    replay.finish()
    assert as_text(messages) == path.with_suffix(".txt").read_text()


@pytest.mark.parametrize("folder", sorted({path.parent for path in RECORDINGS}), ids=str)
def test_every_scenario_is_recorded_and_says_where(folder: Path) -> None:
    assert {path.stem for path in folder.glob("*.jsonl")} == set(SCENARIOS)
    about = {Replay(path).about for path in folder.glob("*.jsonl")}
    made_by_the_model = {one.startswith("made by model_driver.py") for one in about}
    assert made_by_the_model == {folder.name == "model"}


def test_there_are_recordings() -> None:
    assert len(RECORDINGS) >= len(SCENARIOS)


def _calls(folder: str, scenario: str, name: str) -> list[list[object]]:
    lines = (DATA / folder / f"{scenario}.jsonl").read_text().splitlines()
    calls = [json.loads(line) for line in lines]
    return [call["arguments"] for call in calls if call.get("call") == name]


FOLDERS = sorted({path.parent.name for path in RECORDINGS})


@pytest.mark.parametrize("folder", FOLDERS)
def test_d03_the_driver_gets_the_cluster_only_where_there_is_one(folder: str) -> None:
    sizes = [arguments[1:5] for arguments in _calls(folder, "d03_cluster", "cuLaunchKernelEx")]
    assert sizes == [
        [[8, 1, 1], [32, 1, 1], None, 0],
        [[8, 1, 1], [32, 1, 1], [2, 1, 1], 0],
        [[4, 2, 1], [32, 1, 1], [2, 2, 1], 0],
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_shared_memory_above_48_kib_is_asked_for(folder: str) -> None:
    sizes = [arguments[4] for arguments in _calls(folder, "shared", "cuLaunchKernelEx")]
    asked = [arguments[1:] for arguments in _calls(folder, "shared", "cuFuncSetAttribute")]
    assert sizes == [1024, 49152, 102400, sizes[-1]]
    name = "MAX_DYNAMIC_SHARED_SIZE_BYTES"
    assert asked == [[name, 102400], [name, sizes[-1]]]


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("scenario", ["d07_trap", "d07_astray", "d07_emulated_misuse"])
def test_d07_nothing_is_asked_of_a_ruined_context(folder: str, scenario: str) -> None:
    lines = (DATA / folder / f"{scenario}.jsonl").read_text().splitlines()
    calls = [json.loads(line) for line in lines]
    (ruined,) = [place for place, call in enumerate(calls) if "error" in call]
    assert calls[ruined]["call"] == "cuStreamSynchronize"
    # What needs no context is still asked; the context is left, and given back at the end.
    later = {call["call"] for call in calls[ruined + 1 :]}
    assert later <= {
        "cuCtxPopCurrent",
        "cuDevicePrimaryCtxRelease",
        "cuDeviceGet",
        "cuDeviceGetAttribute",
        "cuDeviceGetCount",
        "cuDeviceGetName",
        "cuDeviceTotalMem",
        "cuDriverGetVersion",
        "read_host",
    }
