"""Cases in child processes: what a kernel breaks, or hangs, ends with its process."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

RUN_CASE = Path(__file__).with_name("run_case.py")
TIMEOUT_S = 180
"""Of a child, the start of Python and of the driver included."""

Key = tuple[str, str]
"""(case, path)"""


@dataclass(frozen=True)
class Result:
    """How a child ended: `words` is empty where the case passed."""

    words: str
    seconds: float


class Children:
    """Runs cases ahead of the tests that ask for them, a few at a time.

    Under pytest-xdist nothing runs ahead: its workers are the ones that run side by side.
    """

    def __init__(self, folder: Path, device: str, expected: Sequence[Key], chip: str = "*") -> None:
        self._folder, self._device, self._chip = folder, device, chip
        ahead = "PYTEST_XDIST_WORKER" not in os.environ
        self._pool = ThreadPoolExecutor(min(8, os.cpu_count() or 1) if ahead else 1)
        self._futures: dict[Key, Future[Result]] = {}
        for key in expected if ahead else ():
            self._futures[key] = self._pool.submit(self._run, *key)

    def result(self, case: str, path: str) -> Result:
        """How the case's child ended; started now, if it was not expected."""
        key = case, path
        if key not in self._futures:
            self._futures[key] = self._pool.submit(self._run, *key)
        return self._futures[key].result()

    def close(self) -> None:
        """Start no more children, and wait for those that run."""
        self._pool.shutdown(cancel_futures=True)

    def _run(self, case: str, path: str) -> Result:
        command = [sys.executable, str(RUN_CASE), case, "--path", path]
        command += [
            "--artifacts",
            str(self._folder),
            "--device",
            self._device,
            "--chip",
            self._chip,
        ]
        try:
            done = _start(command)
        except subprocess.TimeoutExpired:
            return Result(f"the child did not end within {TIMEOUT_S} s", TIMEOUT_S)
        last = done.stdout.strip().rpartition("\n")[2]
        if done.returncode == 0 and last.startswith("pass "):
            return Result("", float(last.removeprefix("pass ")))
        ended = f"the child ended with exit code {done.returncode}"
        return Result(f"{ended}\n{done.stdout}{done.stderr}".strip(), 0.0)


def _start(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a child, and once more where the system could not start it.

    On a virtual machine with an H200 about one start in a thousand failed with EFAULT, before the
    child had run anything: that says nothing of the case.
    """
    for last in (False, True):
        try:
            return subprocess.run(
                command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
        except OSError as error:
            if last or error.errno != errno.EFAULT:
                raise
    raise AssertionError("the second start returned or raised")
