"""What is done with the driver, on a GPU to record it and in the tests to play it back.

Each scenario has a process of its own on a GPU, since some of them ruin it. It raises
AssertionError where a result is wrong, and returns the messages of the errors that it provokes.
Needs no MLIR: `folder` holds what `make_driver_artifacts.py` wrote.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import Artifact
from tcgen05_mlir.runtime.tensor_memory import POISON

Scenario = Callable[[Path], list[str]]
SCENARIOS: dict[str, Scenario] = {}


def scenario(function: Scenario) -> Scenario:
    SCENARIOS[function.__name__] = function
    return function


def kernels(folder: Path, name: str = "kernels.ptx") -> Artifact:
    return replace(Artifact.read(folder / name), name=name)


def changed(artifact: Artifact, code: bytes, name: str, **fields: Any) -> Artifact:
    """The artifact with other code."""
    digest = hashlib.sha256(code).hexdigest()
    return Artifact(code, replace(artifact.manifest, sha256=digest, **fields), name)


def message(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """The kind and the message of the error that a call raises."""
    try:
        function(*arguments, **options)
    except Exception as error:
        name = getattr(error, "name", None)
        return f"{type(error).__name__}{f' {name}' if name else ''}: {error}"
    raise AssertionError(f"{function} raised nothing")


def words(count: int) -> np.ndarray:
    return (np.arange(count) * 2654435761 % 2**32).astype(np.uint32)


@scenario
def copy(folder: Path) -> list[str]:
    a = words(256)
    before = a.copy()
    with runtime.load(kernels(folder)) as module:
        source, result = module.kernel("copy").launch(a, np.zeros_like(a), grid=2)
    assert (source == before).all()
    assert (result == before).all()
    assert (a == before).all()
    assert source is not a
    return []


@scenario
def copy_from_cubin(folder: Path) -> list[str]:
    a = words(256)
    with runtime.load(kernels(folder, "kernels.cubin")) as module:
        result = module.kernel("copy").launch(a, np.zeros_like(a), grid=2)[1]
    assert (result == a).all()
    return []


@scenario
def arrays(folder: Path) -> list[str]:
    """Every second word, a Fortran array, one that is read only, one array given twice."""
    spread, out = words(512)[::2], np.zeros(256, np.int32)
    fixed = words(256)
    fixed.flags.writeable = False
    with runtime.load(kernels(folder)) as module:
        kernel = module.kernel("copy")
        assert (kernel.launch(spread, out, grid=2)[1] == spread.view(np.int32)).all()
        assert (kernel.launch(fixed, out, grid=2)[1].view(np.uint32) == fixed).all()
        both = kernel.launch(spread, spread, grid=2)
        assert (both[0] == spread).all()
        assert both[0] is not both[1]
        half = kernel.launch(spread, out, grid=1)[1]
        assert (half[128:] == 0).all()
    return []


@scenario
def arrays_of_nothing(folder: Path) -> list[str]:
    """No elements, and no dimensions."""
    nothing, one, out = np.zeros((0, 4), np.int32), np.array(-3, np.float16), np.zeros(2, np.int32)
    with runtime.load(kernels(folder)) as module:
        found = module.kernel("empty").launch(nothing, one, out)
    assert found[0].shape == (0, 4)
    assert found[1].shape == ()
    assert found[1] == one
    assert found[2].tolist() == [7, -3]
    return []


@scenario
def numbers(folder: Path) -> list[str]:
    """Each width and sign, numpy's and Python's own."""
    given = (True, -2, np.int16(-300), np.uint32(2**32 - 1), 2**63 - 1, -1)
    real = (np.float16(0.1), 0.1, np.float32(0.1), 0.1)
    with runtime.load(kernels(folder)) as module:
        outs = np.zeros(6, np.int64), np.zeros(4, np.float64)
        whole, got = module.kernel("numbers").launch(*given, *real, *outs)[-2:]
    assert whole.tolist() == [1, -2, -300, -1, 2**63 - 1, -1]
    # bf16 keeps the upper half of 0x3dcccccd, rounded to nearest: 0x3dcd.
    bf16 = np.array([0x3DCD0000], np.uint32).view(np.float32)[0]
    assert got.tolist() == [float(np.float16(0.1)), float(bf16), float(np.float32(0.1)), 0.1]
    return []


@scenario
def shared(folder: Path) -> list[str]:
    """Dynamic shared memory below and above 48 KiB, all there is, and more than there is."""
    with runtime.load(kernels(folder)) as module:
        kernel, out = module.kernel("shared"), np.zeros(129, np.int32)
        limit = module.device.shared_per_block_optin - kernel.static_shared
        for size in (1024, 48 << 10, 100 << 10, limit):
            found = kernel.launch(size, out, smem=size)[1]
            assert found.tolist() == [size, *range(128)]
        return [
            message(kernel.launch, 1024, out, smem=limit + 1),
            message(kernel.launch, 1024, out, smem=-1),
            message(kernel.launch, 1024, out, smem=1.5),
        ]


@scenario
def d03_cluster(folder: Path) -> list[str]:
    """Clusters as the kernel sees them, and the largest, which is not portable."""
    with runtime.load(kernels(folder)) as module:
        kernel, out = module.kernel("cluster"), np.zeros((8, 4), np.int32)
        alone = kernel.launch(out, grid=8)[0]
        assert alone.tolist() == [[1, 1, 1, 0]] * 8
        pairs = kernel.launch(out, grid=8, cluster=2)[0]
        assert pairs.tolist() == [[2, 1, 1, block % 2] for block in range(8)]
        plane = kernel.launch(out, grid=(4, 2), cluster=(2, 2))[0]
        assert plane[:4, :3].tolist() == [[2, 2, 1]] * 4
        return [
            message(kernel.launch, out, grid=3, cluster=2),
            message(kernel.launch, out, grid=32, cluster=32),
        ]


@scenario
def d03_pair_refused(folder: Path) -> list[str]:
    """A kernel of cta_group::2, as its manifest says, in clusters without pairs."""
    plain = kernels(folder)
    infos = tuple(replace(info, needs_pair=True) for info in plain.manifest.kernels)
    artifact = replace(plain, manifest=replace(plain.manifest, kernels=infos))
    with runtime.load(artifact) as module:
        kernel, out = module.kernel("cluster"), np.zeros((8, 4), np.int32)
        pairs = kernel.launch(out, cluster=2)[0]
        assert pairs[:2].tolist() == [[2, 1, 1, 0], [2, 1, 1, 1]]
        return [
            message(kernel.launch, out),
            message(kernel.launch, out, grid=3, cluster=3),
        ]


@scenario
def block_limits(folder: Path) -> list[str]:
    with runtime.load(kernels(folder)) as module:
        kernel, out = module.kernel("small"), np.zeros(64, np.int32)
        assert kernel.launch(out, block=64)[0].tolist() == list(range(64))
        a = words(256)
        return [
            message(kernel.launch, out),
            message(kernel.launch, out, block=65),
            message(kernel.launch, out, block=(1, 1, 65)),
            message(kernel.launch, out, block=1025),
            message(module.kernel("copy").launch, a, a, block=64),
        ]


@scenario
def d01_syntax_error(folder: Path) -> list[str]:
    """PTX whose line 9 is no PTX."""
    good = kernels(folder)
    lines = good.code.split(b"\n")
    lines[8] = b"  this is no PTX;"
    return [message(runtime.load, changed(good, b"\n".join(lines), "broken.ptx"))]


@scenario
def d01_long_log(folder: Path) -> list[str]:
    """PTX with so many errors that their log is longer than 8 KiB."""
    good = kernels(folder)
    head = good.code[: good.code.index(b".visible")]
    wrong = b"".join(b"  mov.u32 %%r1, nobody_knows_this_name_%04d;\n" % i for i in range(300))
    code = head + b".visible .entry copy()\n{\n  .reg .b32 %r<2>;\n" + wrong + b"  ret;\n}\n"
    return [message(runtime.load, changed(good, code, "long.ptx"))]


@scenario
def d01_other_target(folder: Path) -> list[str]:
    """PTX and a cubin for sm_100a: refused by us, and by the driver where a manifest is wrong."""
    plain, native = kernels(folder), kernels(folder, "native.cubin")
    code = plain.code.replace(b".target sm_90", b".target sm_100a")
    later = changed(plain, code, "later.ptx", chip="sm_100a")
    mislabelled = changed(native, native.code, "mislabelled.cubin", chip="sm_90")
    return [message(runtime.load, artifact) for artifact in (later, native, mislabelled)]


@scenario
def d01_newer_ptx(folder: Path) -> list[str]:
    """A version of PTX that no driver knows."""
    plain = kernels(folder)
    code = plain.code.replace(b".version 7.8", b".version 9.9")
    return [message(runtime.load, changed(plain, code, "newer.ptx", ptx_version=(9, 9)))]


@scenario
def d01_missing_kernel(folder: Path) -> list[str]:
    """A kernel that the manifest names and the code does not have."""
    plain = kernels(folder)
    infos = tuple(replace(info, name=f"{info.name}_2") for info in plain.manifest.kernels)
    with runtime.load(replace(plain, manifest=replace(plain.manifest, kernels=infos))) as module:
        return [message(module.kernel, "copy_2"), message(module.kernel, "copy")]


def _ruined(folder: Path, kernel: str) -> list[str]:
    """A launch that ruins the context, then everything else that one may try."""
    a = words(256)
    module = runtime.load(kernels(folder))
    good, held = module.kernel("copy"), module.kernel("copy").prepare(a, a, grid=2)
    good.launch(a, a, grid=2)
    said = [
        message(module.kernel(kernel).launch, grid=2),
        message(good.launch, a, a, grid=2),
        message(held.launch),
        message(held.results),
        message(module.kernel, "copy"),
        message(runtime.load, kernels(folder)),
    ]
    held.close()
    module.close()
    assert runtime.devices(), "what needs no context still works"
    return said


@scenario
def d07_trap(folder: Path) -> list[str]:
    return _ruined(folder, "stop")


@scenario
def d07_astray(folder: Path) -> list[str]:
    return _ruined(folder, "astray")


@scenario
def emulated(folder: Path) -> list[str]:
    """Tensor memory of each block is its own, poisoned and free again before each launch."""
    with runtime.load(kernels(folder, "emulated.ptx")) as module:
        kernel, out = module.kernel("columns"), np.zeros((3, 32, 2), np.int32)
        for column in (0, 30):
            found = kernel.launch(column, out, grid=3)[1]
            assert (found[:, :, 0] == range(32)).all()
            assert (found[:, :, 1].view(np.uint32) == POISON).all()
        with kernel.prepare(0, out, grid=3) as launch:
            launch.launch()
            assert 0 < launch.time(3) < 1
            assert (launch.results()[1][:, :, 0] == range(32)).all()
        return [message(kernel.launch, 0, out, grid=(2**31 - 1, 65535))]


@scenario
def d07_emulated_misuse(folder: Path) -> list[str]:
    """A column that was not allocated: the kernel says which, and stops."""
    module = runtime.load(kernels(folder, "emulated.ptx"))
    kernel, out = module.kernel("columns"), np.zeros((3, 32, 2), np.int32)
    kernel.launch(30, out, grid=3)
    said = [message(kernel.launch, 33, out), message(kernel.launch, 0, out)]
    module.close()
    return said


@scenario
def timed(folder: Path) -> list[str]:
    a = words(256)
    with runtime.load(kernels(folder)) as module:
        with module.kernel("copy").prepare(a, np.zeros_like(a), grid=2) as launch:
            assert 0 < launch.time(5) < 1
            assert (launch.results()[1] == a).all()
        return [message(launch.launch), message(launch.results)]


@scenario
def closed(folder: Path) -> list[str]:
    a = words(256)
    module = runtime.load(kernels(folder))
    kernel = module.kernel("copy")
    module.close()
    module.close()
    return [message(module.kernel, "copy"), message(kernel.launch, a, a, grid=2)]
