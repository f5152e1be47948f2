"""`tcgen05 run --device`: what is chosen and said, and what is refused."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from tcgen05_mlir.launching import gpus
from tcgen05_mlir.tools import main

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
ARGUMENTS = ["--arg=range:128x4xi32", "--arg=new:128x4xi32", "--equal=1:0"]
EQUAL = "argument 1 equals argument 0 as given: 128x4xi32\n"


@pytest.fixture(autouse=True)
def _no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpus, "devices", lambda: ())
    monkeypatch.setattr(gpus, "why_none", lambda: "no CUDA driver: libcuda.so.1 was not found")


def tcgen05(capfd: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str, str]:
    code = main.main(["run", str(EXAMPLE), *ARGUMENTS, *flags])
    return code, *capfd.readouterr()


def test_auto_says_which_and_why(capfd: pytest.CaptureFixture[str]) -> None:
    why = "device: simulator (no CUDA driver: libcuda.so.1 was not found)\n"
    assert tcgen05(capfd) == (0, "", why + EQUAL)
    assert tcgen05(capfd, "--device=auto") == (0, "", why + EQUAL)


def test_what_was_asked_for_is_not_repeated(capfd: pytest.CaptureFixture[str]) -> None:
    assert tcgen05(capfd, "--device=simulator", "--seed=0") == (0, "", EQUAL)


def test_options_of_the_simulator_choose_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu = SimpleNamespace(
        ordinal=0, name="NVIDIA H200", chip="sm_90", capability=(9, 0), has_tcgen05=False
    )
    monkeypatch.setattr(gpus, "devices", lambda: (gpu,))
    assert tcgen05(capfd, "--seed=0") == (0, "", f"device: simulator (only it has 'seed')\n{EQUAL}")
    assert tcgen05(capfd, "--allow=P3", "--seed=1") == (
        0,
        "",
        f"device: simulator (only it has 'seed' and 'allow')\n{EQUAL}",
    )


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--device=native", "--seed=0"],
            "argument --seed: only the simulator has it, got --device native",
        ),
        (
            ["--device=emulate", "--allow=P3"],
            "argument --allow: only the simulator has it, got --device emulate",
        ),
        (["--gpu=1", "--seed=2"], "argument --seed: only the simulator has it, got --gpu 1"),
        (["--gpu=0", "--device=simulator"], "argument --gpu: the simulator has no GPUs"),
    ],
)
def test_wrong_usage(capfd: pytest.CaptureFixture[str], flags: list[str], message: str) -> None:
    with pytest.raises(SystemExit) as caught:
        tcgen05(capfd, *flags)
    assert caught.value.code == 2
    assert capfd.readouterr() == ("", f"tcgen05: error: {message}\n")
