"""`Manifest`: what a host must know to launch the kernels of an artifact; JSON in and out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from .fields import FieldError, Fields
from .geometry import Triple

FORMAT_VERSION = 1
"""Grows with each change that an older reader would misunderstand."""

EMITS = ("ptx", "cubin")
_CHIP = re.compile(r"sm_[0-9]{2,3}[af]?")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class ArgumentInfo:
    """One argument of a kernel. `type`: as MLIR writes it, such as `memref<128x4xi32>` or `i32`."""

    type: str


@dataclass(frozen=True)
class KernelInfo:
    """One kernel.

    `grid`, `block`, `cluster`: (x, y, z), what a launch has that says nothing else; None where
    neither the kernel nor its host code says it. `required_block`, `required_cluster`: what a
    launch must have. `needs_pair`: it uses cta_group::2, so a cluster must hold pairs of blocks.
    `tensor_memory`: it is emulated, so that a launch must be given tensor memory.
    `static_shared`: bytes of shared memory that it holds by itself, None where only the driver
    will know. `dynamic_shared`: bytes that a launch adds if it says nothing else.
    `dynamic_alignment`: bytes to which that memory is aligned, None where the kernel uses none.
    `max_threads`: of a block, None where the kernel sets no limit.
    """

    name: str
    arguments: tuple[ArgumentInfo, ...] = ()
    grid: Triple | None = None
    block: Triple | None = None
    cluster: Triple | None = None
    required_block: Triple | None = None
    required_cluster: Triple | None = None
    needs_pair: bool = False
    tensor_memory: bool = False
    static_shared: int | None = None
    dynamic_shared: int = 0
    dynamic_alignment: int | None = None
    max_threads: int | None = None

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(argument.type for argument in self.arguments)


@dataclass(frozen=True)
class Manifest:
    """What an artifact is and how its kernels are launched.

    `producer`: the version of this project. `tools`: versions of what had a part in it, by name.
    `chip`: what it was compiled for, such as sm_100a. `ptx_version`: (8, 6). `emit`: ptx or cubin.
    `sha256`: of the code. `emulated`: tcgen05 was replaced by code for a GPU that has none;
    `emulation` then holds the operations' places, for messages, none where the code had no tcgen05
    to begin with, and is None otherwise.
    """

    producer: str
    tools: dict[str, str]
    chip: str
    ptx_version: tuple[int, int]
    emit: str
    sha256: str
    kernels: tuple[KernelInfo, ...]
    emulated: bool = False
    emulation: tuple[str, ...] | None = None
    format_version: int = FORMAT_VERSION

    def kernel(self, name: str | None = None) -> KernelInfo:
        """The kernel of this name, or the only one; ValueError where that is none, or several."""
        names = ", ".join(f"'{kernel.name}'" for kernel in self.kernels)
        if name is None and len(self.kernels) > 1:
            raise ValueError(f"'name' must say which kernel is wanted, of {names}")
        found = [kernel for kernel in self.kernels if name in (None, kernel.name)]
        if found:
            return found[0]
        there = f"the kernels are {names}" if names else "there is no kernel"
        raise ValueError(there if name is None else f"kernel '{name}' is not there; {there}")

    def to_json(self) -> str:
        """The text that `from_json` reads."""
        fields = {"format_version": self.format_version, **asdict(self)}
        return json.dumps(fields, indent=2) + "\n"

    @staticmethod
    def from_json(text: str | bytes) -> Manifest:
        """The manifest that a text describes; ValueError that names the field which is wrong."""
        data = _parsed(text)
        if not isinstance(data, dict):
            raise ValueError(f"a manifest must be an object, got {_kind(data)}")
        version = data.get("format_version")
        if type(version) is not int or version != FORMAT_VERSION:
            raise ValueError(
                f"'format_version' of a manifest must be {FORMAT_VERSION}, which this version of "
                f"tcgen05_mlir reads, got {version!r}"
            )
        try:
            return _manifest(Fields("", data))
        except FieldError as error:
            raise ValueError(f"{error} in the manifest") from None


def looks_like_manifest(text: bytes) -> bool:
    """Whether it was written as a manifest, of whatever version, and may be replaced by another."""
    try:
        data = _parsed(text)
    except ValueError:
        return False
    return isinstance(data, dict) and {"format_version", "producer", "sha256"} <= data.keys()


def _parsed(text: str | bytes) -> Any:
    """ValueError for what is no JSON, or names a field twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except FieldError as error:
        raise ValueError(f"{error} in the manifest") from None
    except ValueError as error:
        raise ValueError(f"a manifest must be JSON: {error}") from None
    except RecursionError:
        raise ValueError("a manifest must be JSON: this one is nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise FieldError(f"'{name}' is there twice")
        found[name] = value
    return found


def _manifest(fields: Fields) -> Manifest:
    chip, emit, sha256 = fields.text("chip"), fields.text("emit"), fields.text("sha256")
    fields.check("chip", bool(_CHIP.fullmatch(chip)), "a chip such as sm_100a")
    fields.check("emit", emit in EMITS, "ptx or cubin")
    fields.check("sha256", bool(_HASH.fullmatch(sha256)), "64 hexadecimal digits")
    ptx = fields.numbers("ptx_version", 2)
    tools = fields.inside("tools")
    emulated, sites = _emulation(fields)
    kernels = tuple(_kernel(kernel) for kernel in fields.objects("kernels"))
    _check_once(kernel.name for kernel in kernels)
    for place, kernel in enumerate(kernels):
        if kernel.tensor_memory and not emulated:
            raise FieldError(
                f"'kernels[{place}].tensor_memory' must be false without 'emulated', got True"
            )
    manifest = Manifest(
        producer=fields.text("producer"),
        tools={name: tools.text(name) for name in tools.data},
        chip=chip,
        ptx_version=(ptx[0], ptx[1]),
        emit=emit,
        sha256=sha256,
        kernels=kernels,
        emulated=emulated,
        emulation=sites,
    )
    fields.check_all_read()
    return manifest


def _emulation(fields: Fields) -> tuple[bool, tuple[str, ...] | None]:
    """Places of operations in code that is emulated, and only there."""
    emulated = fields.boolean("emulated")
    sites = None if fields.optional("emulation") is None else fields.texts("emulation")
    wanted = "a list of texts, since 'emulated' is true" if emulated else "null without 'emulated'"
    fields.check("emulation", emulated == (sites is not None), wanted)
    return emulated, sites


def _check_once(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FieldError(f"'kernels' must have each name once, got '{name}' twice")
        seen.add(name)


def _kernel(fields: Fields) -> KernelInfo:
    sizes = {
        name: fields.sizes(name)
        for name in ("grid", "block", "cluster", "required_block", "required_cluster")
    }
    kernel = KernelInfo(
        name=fields.text("name"),
        arguments=tuple(_argument(argument) for argument in fields.objects("arguments")),
        needs_pair=fields.boolean("needs_pair"),
        tensor_memory=fields.boolean("tensor_memory"),
        static_shared=fields.optional_number("static_shared"),
        dynamic_shared=fields.number("dynamic_shared"),
        dynamic_alignment=fields.optional_number("dynamic_alignment"),
        max_threads=fields.optional_number("max_threads"),
        **sizes,
    )
    fields.check_all_read()
    return kernel


def _argument(fields: Fields) -> ArgumentInfo:
    argument = ArgumentInfo(fields.text("type"))
    fields.check_all_read()
    return argument


def _kind(value: Any) -> str:
    return type(value).__name__
