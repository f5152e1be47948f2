"""Manifests: JSON out and in, and each thing that may be wrong with one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tcgen05_mlir.runtime import ArgumentInfo, KernelInfo, Manifest
from whole import whole

COPY = KernelInfo(
    name="copy",
    arguments=(ArgumentInfo("memref<128x4xi32>"), ArgumentInfo("i32")),
    block=(128, 1, 1),
    cluster=(2, 1, 1),
    required_block=(128, 1, 1),
    needs_pair=True,
    static_shared=2064,
    dynamic_shared=512,
    dynamic_alignment=1024,
    max_threads=128,
)
MANIFEST = Manifest(
    producer="tcgen05-mlir 0.1.0",
    tools={"ptxas": "13.0.88"},
    chip="sm_100a",
    ptx_version=(8, 6),
    emit="cubin",
    sha256="0" * 64,
    kernels=(COPY, KernelInfo("other")),
    emulated=True,
    emulation=("copy.mlir:12:5: 'nvvm.tcgen05.cp' op",),
)


def test_json_gives_the_manifest_back() -> None:
    assert Manifest.from_json(MANIFEST.to_json()) == MANIFEST
    assert Manifest.from_json(MANIFEST.to_json().encode()) == MANIFEST
    assert next(iter(json.loads(MANIFEST.to_json()))) == "format_version"


def test_a_kernel_by_name() -> None:
    assert MANIFEST.kernel("copy") is COPY
    assert COPY.types == ("memref<128x4xi32>", "i32")
    with pytest.raises(
        ValueError, match=whole("'name' must say which kernel is wanted, of 'copy', 'other'")
    ):
        MANIFEST.kernel()
    with pytest.raises(
        ValueError, match=whole("kernel 'copi' is not there; the kernels are 'copy', 'other'")
    ):
        MANIFEST.kernel("copi")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"chip": "gfx90a"}, "'chip' must be a chip such as sm_100a, got 'gfx90a'"),
        ({"chip": 100}, "'chip' must be a text, got 100"),
        ({"emit": "sass"}, "'emit' must be ptx or cubin, got 'sass'"),
        ({"sha256": "abc"}, "'sha256' must be 64 hexadecimal digits, got 'abc'"),
        ({"ptx_version": [8]}, "'ptx_version' must be 2 numbers, got [8]"),
        ({"ptx_version": "8.6"}, "'ptx_version' must be 2 numbers, got '8.6'"),
        ({"tools": []}, "'tools' must be an object, got []"),
        ({"tools": {"ptxas": 13}}, "'tools.ptxas' must be a text, got 13"),
        ({"emulated": 1}, "'emulated' must be true or false, got 1"),
        ({"emulation": [1]}, "'emulation' must be a list of texts, got [1]"),
        ({"kernels": {}}, "'kernels' must be a list of objects, got {}"),
        ({"kernels": [1]}, "'kernels' must be a list of objects, got [1]"),
        ({"colour": 1}, "'colour' is unknown"),
        ({"chip": "sm_1\u06630"}, "'chip' must be a chip such as sm_100a, got 'sm_1\u06630'"),
        ({"chip": "sm_90\n"}, "'chip' must be a chip such as sm_100a, got 'sm_90\\n'"),
        (
            {"emulation": None},
            "'emulation' must be a list of texts, since 'emulated' is true, got None",
        ),
        (
            {"emulated": False, "emulation": ["a"]},
            "'emulation' must be null without 'emulated', got ['a']",
        ),
        (
            {"emulation": ["a\0"]},
            "'emulation' must be a list of texts without NUL and lone surrogates, got ['a\\x00']",
        ),
        (
            {"kernels": json.loads(MANIFEST.to_json())["kernels"] * 2},
            "'kernels' must have each name once, got 'copy' twice",
        ),
        (
            {"ptx_version": [8, 10**30]},
            f"'ptx_version' must be 2 numbers, each at most 2147483647, got [8, {10**30}]",
        ),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], message: str) -> None:
    _refused({**json.loads(MANIFEST.to_json()), **change}, f"{message} in the manifest")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 5}, "'kernels[1].name' must be a text, got 5"),
        ({"grid": [1, 1]}, "'kernels[1].grid' must be 3 numbers, got [1, 1]"),
        ({"grid": [1, 1, 0]}, "'kernels[1].grid' must be 3 numbers, each 1 or more, got [1, 1, 0]"),
        ({"block": [1, True, 1]}, "'kernels[1].block' must be 3 numbers, got [1, True, 1]"),
        ({"needs_pair": None}, "'kernels[1].needs_pair' must be true or false, got None"),
        ({"dynamic_shared": -1}, "'kernels[1].dynamic_shared' must be a number, 0 or more, got -1"),
        ({"static_shared": 1.5}, "'kernels[1].static_shared' must be a number, 0 or more, got 1.5"),
        ({"arguments": [{"type": 1}]}, "'kernels[1].arguments[0].type' must be a text, got 1"),
        ({"arguments": [{}]}, "'kernels[1].arguments[0].type' is missing"),
        ({"arguments": [{"type": "i32", "x": 1}]}, "'kernels[1].arguments[0].x' is unknown"),
        ({"warps": 4}, "'kernels[1].warps' is unknown"),
        (
            {"tensor_memory": 1},
            "'kernels[1].tensor_memory' must be true or false, got 1",
        ),
        (
            {"name": "a\0b"},
            "'kernels[1].name' must be a text without NUL and lone surrogates, got 'a\\x00b'",
        ),
        (
            {"name": "\ud800"},
            "'kernels[1].name' must be a text without NUL and lone surrogates, got '\\ud800'",
        ),
        (
            {"dynamic_shared": 2**31},
            "'kernels[1].dynamic_shared' must be a number, at most 2147483647, got 2147483648",
        ),
        (
            {"grid": [1, 10**30, 1]},
            f"'kernels[1].grid' must be 3 numbers, each at most 2147483647, got [1, {10**30}, 1]",
        ),
    ],
)
def test_a_wrong_field_of_a_kernel_is_named(change: dict[str, Any], message: str) -> None:
    data = json.loads(MANIFEST.to_json())
    data["kernels"][1].update(change)
    _refused(data, f"{message} in the manifest")


@pytest.mark.parametrize("name", list(json.loads(MANIFEST.to_json()))[1:])
def test_a_missing_field_is_named(name: str) -> None:
    data = json.loads(MANIFEST.to_json())
    del data[name]
    _refused(data, f"'{name}' is missing in the manifest")


@pytest.mark.parametrize("version", [2, None, "1", True, 1.0, [1]])
def test_another_format_is_refused_first(version: Any) -> None:
    _refused(
        {"format_version": version, "kernels": 5},
        "'format_version' of a manifest must be 1, which this version of tcgen05_mlir reads, "
        f"got {version!r}",
    )


def test_what_is_no_manifest() -> None:
    _refused([], "a manifest must be an object, got list")
    with pytest.raises(ValueError, match=r"^a manifest must be JSON: Expecting value: line 1 col"):
        Manifest.from_json("copy")


def test_a_manifest_that_is_nested_too_deeply() -> None:
    message = whole("a manifest must be JSON: this one is nested too deeply")
    for text in ("[" * 100_000, '{"tools": ' + "[" * 100_000):
        with pytest.raises(ValueError, match=message):
            Manifest.from_json(text)


def test_a_field_that_is_there_twice() -> None:
    text = MANIFEST.to_json().rstrip()[:-1] + ', "chip": "sm_90"}'
    with pytest.raises(ValueError, match=whole("'chip' is there twice in the manifest")):
        Manifest.from_json(text)


def test_tensor_memory_of_code_that_is_not_emulated() -> None:
    data = json.loads(replace(MANIFEST, emulated=False, emulation=None).to_json())
    data["kernels"][1]["tensor_memory"] = True
    _refused(
        data,
        "'kernels[1].tensor_memory' must be false without 'emulated', got True in the manifest",
    )


def test_no_kernels() -> None:
    none = replace(MANIFEST, kernels=())
    with pytest.raises(ValueError, match=whole("there is no kernel")):
        none.kernel()
    with pytest.raises(ValueError, match=whole("kernel 'copy' is not there; there is no kernel")):
        none.kernel("copy")


def _refused(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=whole(message)):
        Manifest.from_json(json.dumps(data))
