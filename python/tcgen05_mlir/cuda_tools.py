"""ptxas and nvdisasm: found by us, named with their version, run with their whole log kept.

They are looked for in PATH, then in CUDA_HOME and CUDA_PATH, then in the wheels of the extra
`[cuda]`. The first one found is the one used: where it does not work that is an error, not a
reason to look on. What was chosen is logged at level INFO, what ptxas warns of at WARNING.
"""

from __future__ import annotations

import importlib.metadata
import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .model.targets import lookup
from .runtime.files import keep

_log = logging.getLogger("tcgen05_mlir")

CUDA_FOLDERS = ("CUDA_HOME", "CUDA_PATH")
"""Environment variables that name a CUDA toolkit's folder."""

_RENAMED_IN = 13
"""The major version of ptxas from which the names in the chip table hold."""

_WHEELS = {
    "ptxas": ("nvidia-cuda-nvcc", "nvidia-cuda-nvcc-cu12"),
    "nvdisasm": ("nvidia-cuda-nvdisasm", "nvidia-cuda-nvdisasm-cu12"),
}


class ToolError(RuntimeError):
    """A CUDA tool is missing, is not what its name says, or refused its input."""


@dataclass(frozen=True)
class Tool:
    """A CUDA tool that answered `--version`; as text `ptxas 13.0.88 at /usr/bin/ptxas (PATH)`.

    `source` says where it was found: `PATH`, the name of a variable, or `wheel NAME`.
    """

    name: str
    path: Path
    version: str
    source: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} at {self.path} ({self.source})"


def find_tool(name: str) -> Tool:
    """The `ptxas` or `nvdisasm` that is used, after asking it for its version.

    Raises ToolError, saying what was looked for and where, when there is none; with its path and
    what it printed, when the first one found does not answer as such a tool does.
    """
    for source, path in _candidates(name):
        if path is not None:
            tool = Tool(name, path, _version(name, path), source)
            _log.info("using %s", tool)
            return tool
    raise ToolError(_absent(name))


def assemble(ptx: str, chip: str, opt_level: int = 3, tool: Tool | None = None) -> bytes:
    """The cubin that ptxas makes of `ptx` for `chip`, at `-O opt_level` (0 to 3).

    `tool`: the ptxas that `find_tool` gave, for a caller who wants to know its version.
    Chips that ptxas 13 renamed go by the name that this ptxas has: PTX for sm_101a is assembled
    for sm_110a from 13.0 on.
    Raises ToolError with ptxas's whole log and the path of a file that keeps the PTX when ptxas
    refuses it, and what `find_tool` raises.
    """
    tool = tool or find_tool("ptxas")
    source = Path(keep(ptx.encode(), ".ptx"))
    with tempfile.TemporaryDirectory(prefix="tcgen05-") as folder:
        cubin = Path(folder, "kernel.cubin")
        arch = f"-arch={_arch(tool, chip)}"
        result = _run(tool.path, arch, f"-O{opt_level}", source, "-o", cubin)
        if result.returncode != 0 or not cubin.exists():
            raise ToolError(_failed(tool, result, f"; the PTX is kept in '{source}'"))
        source.unlink()
        if log := _printed(result):
            _log.warning("%s", log)
        return cubin.read_bytes()


def disassemble(cubin: bytes) -> str:
    """The SASS of a cubin, code sections only, as nvdisasm prints it.

    Raises ToolError with nvdisasm's log when it refuses the cubin, and what `find_tool` raises.
    """
    tool = find_tool("nvdisasm")
    with tempfile.TemporaryDirectory(prefix="tcgen05-") as folder:
        source = Path(folder, "kernel.cubin")
        source.write_bytes(cubin)
        result = _run(tool.path, "-c", source)
    if result.returncode != 0:
        raise ToolError(_failed(tool, result))
    return result.stdout


def _arch(tool: Tool, chip: str) -> str:
    renamed = int(tool.version.split(".")[0]) >= _RENAMED_IN
    return lookup(chip).ptxas_chip if renamed else chip


def _candidates(name: str) -> Iterator[tuple[str, Path | None]]:
    """Every place that is looked in, as (what it is, the tool there or None), in order."""
    yield "PATH", _executable(shutil.which(name))
    for variable in CUDA_FOLDERS:
        if folder := os.environ.get(variable):
            yield variable, _executable(Path(folder, "bin", name))
    for wheel in _WHEELS[name]:
        yield f"wheel {wheel}", _in_wheel(wheel, name)


def _in_wheel(wheel: str, name: str) -> Path | None:
    """The file called `name` that an installed wheel brought; its folder differs by release."""
    try:
        files = importlib.metadata.distribution(wheel).files or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = (_executable(Path(str(file.locate()))) for file in files if file.name == name)
    return next(filter(None, found), None)


def _executable(path: str | Path | None) -> Path | None:
    return Path(path) if path and os.access(path, os.X_OK) and Path(path).is_file() else None


def _version(name: str, path: Path) -> str:
    """`13.0.88` from the tool's own words; anything else at that path is a ToolError."""
    try:
        result = _run(path, "--version", timeout_s=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"'{path}' cannot be run as {name}: {error}") from None
    match = re.search(rf"^{name}:.*\bV(\d+\.\d+\.\d+)", result.stdout, re.MULTILINE | re.DOTALL)
    if result.returncode != 0 or match is None:
        printed = _printed(result) or "nothing"
        raise ToolError(
            f"'{path}' is not a working {name}: '--version' ended with exit code "
            f"{result.returncode} and printed:\n{printed}"
        )
    return match[1]


def _absent(name: str) -> str:
    lines = [f"{name} not found; looked for:"]
    lines += [f"  '{name}' in PATH ({os.environ.get('PATH', '') or 'empty'})"]
    for variable in CUDA_FOLDERS:
        folder = os.environ.get(variable)
        where = f"'{Path(folder, 'bin', name)}'" if folder else "not set"
        lines += [f"  {variable}: {where}"]
    lines += [f"  the wheels {' and '.join(_WHEELS[name])}: not installed, or without {name}"]
    lines += ["install a CUDA toolkit, or the wheels: pip install 'tcgen05-mlir[cuda]'"]
    return "\n".join(lines)


def _run(
    path: Path, *arguments: str | Path, timeout_s: float | None = None
) -> subprocess.CompletedProcess[str]:
    command = [str(path), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, timeout=timeout_s
    )


def _printed(result: subprocess.CompletedProcess[str]) -> str:
    return (result.stdout + result.stderr).strip()


def _failed(tool: Tool, result: subprocess.CompletedProcess[str], more: str = "") -> str:
    return f"{tool} failed with exit code {result.returncode}{more}:\n{_printed(result)}"
