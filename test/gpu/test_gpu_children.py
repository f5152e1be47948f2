"""Which artifact a case gets on a GPU, and what is said of a child that did not pass."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import children
import pytest
from batches import HOME, Build, builds
from cases import CASES, PATHS
from children import Children
from run_case import artifact_of
from tcgen05_mlir.runtime import Artifact, Device

CASE = CASES["cp-128x128b-g2-s0-b32"]
H200 = Device(
    ordinal=0,
    name="H200",
    capability=(9, 0),
    driver_version=(13, 0),
    multiprocessors=132,
    memory=1 << 37,
    shared_per_block=49152,
    shared_per_block_optin=232448,
    clusters=True,
)


def named(folder: Path, *chips: str) -> list[str]:
    """Empty files with the names of artifacts; the names."""
    files = [Build(HOME[CASE.kernel.name], chip, "emulate", "nvvm").file for chip in chips]
    for file in files:
        (folder / file).touch()
    return [str(file) for file in files]


def test_the_artifact_for_the_gpu_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = named(tmp_path, "sm_100", "sm_80", "sm_90a")
    monkeypatch.setattr(Artifact, "read", staticmethod(lambda path: path))
    assert artifact_of(tmp_path, CASE, "emulate", "nvvm", H200) == tmp_path / names[-1]


def test_a_folder_without_it_says_what_it_has(tmp_path: Path) -> None:
    names = named(tmp_path, "sm_100", "sm_80")
    with pytest.raises(FileNotFoundError) as caught:
        artifact_of(tmp_path, CASE, "emulate", "nvvm", H200)
    assert str(caught.value) == (
        f"'{tmp_path}' holds no artifact of kernel 'cp_128x128b_g2' (emulate, nvvm) for "
        f"device 0 (H200, sm_90); for other chips it holds {', '.join(names)}"
    )
    with pytest.raises(FileNotFoundError, match="for other chips it holds none at all"):
        artifact_of(tmp_path, CASE, "native", "inline-asm", H200)


def test_builds_have_files_of_their_own_and_only_what_the_chip_runs() -> None:
    new, old = builds("sm_90", "emulate"), builds("sm_89", "emulate")
    assert len({build.file for build in new}) == len(new)
    assert {build.batch.name for build in new} > {build.batch.name for build in old}
    assert not any(build.batch.clustered for build in old)
    assert {build.path for build in new} == set(PATHS)
    lacking = {build.batch.name for build in builds("sm_100f", "native")}
    assert "shift_g1" not in lacking
    assert "shift_g1" in {build.batch.name for build in builds("sm_100a", "native")}


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Children without a GPU and without artifacts."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    started = Children(tmp_path, "emulate", [(CASE.name, "nvvm")])
    yield started
    started.close()


def test_a_child_that_fails_is_quoted(running: Children) -> None:
    words = running.result(CASE.name, "nvvm").words
    assert words.startswith("the child ended with exit code 1\nTraceback")


def test_a_child_of_a_case_that_is_not_there(running: Children) -> None:
    words = running.result("nothing", "nvvm").words
    assert words.startswith("the child ended with exit code 2\nusage: run_case.py")


def test_a_child_that_hangs_is_ended(running: Children, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "TIMEOUT_S", 0.01)
    result = running.result(CASE.name, "inline-asm")
    assert result.words == "the child did not end within 0.01 s"


def test_a_child_that_the_system_does_not_start_gets_a_second_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And only one, and only for the fault of address that was seen."""
    starts: list[int] = []

    def fail(fault: int) -> Callable[..., None]:
        def start(*command: object, **options: object) -> None:
            starts.append(fault)
            raise OSError(fault, os.strerror(fault))

        return start

    for fault, count in ((errno.EFAULT, 2), (errno.ENOENT, 1)):
        starts.clear()
        monkeypatch.setattr(children.subprocess, "run", fail(fault))
        with pytest.raises(OSError, match=os.strerror(fault)):
            children._start(["nothing"])
        assert len(starts) == count


FAKE_CASE = """import sys
wrong = sys.argv[1] == "example-cta_pair"
print("argument 1 differs" if wrong else "pass 0.250")
sys.exit(wrong)
"""
FAKE_GPU = """from pathlib import Path
import children
import needs_gpu
from tcgen05_mlir.runtime import Device
needs_gpu.gpus = lambda: (({device!r},), "")
children.RUN_CASE = Path(__file__).with_name("fake_case.py")
"""


def test_a_run_on_a_gpu_ends_in_a_table(tmp_path: Path) -> None:
    """With a GPU and children that only say how they ended."""
    (tmp_path / "fake_case.py").write_text(FAKE_CASE)
    (tmp_path / "fake_gpu.py").write_text(FAKE_GPU.format(device=H200))
    here = Path(__file__).parent
    paths = [tmp_path, here, here.parent, *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "fake_gpu"]
    command += ["test_gpu_launch.py", "-k", "example or schedule-4", "--artifacts", str(tmp_path)]
    done = subprocess.run(
        command,
        cwd=here,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    first = lines.index("| family | passed | failed | seconds in children |")
    assert lines[first + 2 : first + 5] == [
        "| schedules | 2 | 0 | 0.5 |",
        "| examples | 8 | 2 | 2.0 |",
        "| all | 10 | 2 | 2.5 |",
    ]
    assert "example-cta_pair: the child ended with exit code 1\nargument 1 differs" in done.stdout
    assert done.returncode == 1
