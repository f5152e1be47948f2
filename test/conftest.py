"""What every run of the tests has to show: that something was tested, and all of it in CI."""

from __future__ import annotations

import os

import pytest


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a run in which no test ran, and with CI=true one in which any was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus != pytest.ExitCode.OK or reporter is None or session.config.option.collectonly:
        return
    skipped, passed = (len(reporter.stats.get(kind, ())) for kind in ("skipped", "passed"))
    if passed == 0 or (skipped and os.environ.get("CI") == "true"):
        reporter.write_line(f"\n{passed} tests passed, {skipped} were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
