"""`compile_artifact`: the manifest says what a host must know."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from pathlib import Path
from typing import Any

import pytest
import tcgen05_mlir
from tcgen05_mlir import compile_artifact, cuda_tools
from tcgen05_mlir.compiler.ptx_text import SharedMemory, shared_memory, version
from tcgen05_mlir.runtime import ArgumentInfo, Artifact, KernelInfo, Manifest
from tcgen05_mlir.tools.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"
COPY, PAIR = EXAMPLES / "copy_readback.mlir", EXAMPLES / "cta_pair.mlir"
BINDINGS = {"xtc-mlir-python-bindings": "22.1.8.4"}


def test_a_kernel_of_one_block() -> None:
    artifact = compile_artifact(COPY, emit="ptx")
    manifest = artifact.manifest
    assert artifact.name == "kernels.ptx"
    assert artifact.code.decode() == tcgen05_mlir.compile(COPY)
    assert manifest.producer == f"tcgen05-mlir {tcgen05_mlir.__version__}"
    assert manifest.tools == BINDINGS
    assert (manifest.chip, manifest.ptx_version, manifest.emit) == ("sm_100a", (8, 6), "ptx")
    assert manifest.sha256 == hashlib.sha256(artifact.code).hexdigest()
    assert (manifest.emulated, manifest.emulation) == (False, None)
    assert manifest.kernels == (
        KernelInfo(
            name="copy",
            arguments=(ArgumentInfo("memref<128x4xi32>"),) * 2,
            block=(128, 1, 1),
            required_block=(128, 1, 1),
            static_shared=2048 + 4 + 4 + 8,
            max_threads=128,
        ),
    )


def test_a_cubin_names_its_ptxas() -> None:
    artifact = compile_artifact(COPY, chip="sm_103a")
    assert artifact.code == tcgen05_mlir.compile(COPY, chip="sm_103a", emit="cubin")
    assert artifact.manifest.tools == {**BINDINGS, "ptxas": cuda_tools.find_tool("ptxas").version}
    assert (artifact.manifest.chip, artifact.manifest.emit) == ("sm_103a", "cubin")


def test_a_pair() -> None:
    (kernel,) = compile_artifact(PAIR, emit="ptx").manifest.kernels
    assert kernel.needs_pair
    assert kernel.cluster == kernel.required_cluster == (2, 1, 1)


def test_emulated_code_keeps_what_the_source_says() -> None:
    artifact = compile_artifact(PAIR, chip="sm_90", emit="ptx", emulate=True)
    (kernel,) = artifact.manifest.kernels
    assert kernel.needs_pair
    assert artifact.manifest.chip == "sm_90"
    assert artifact.manifest.emulated
    sites = artifact.manifest.emulation
    assert sites is not None
    lines = PAIR.read_text().splitlines()
    (place,) = [n for n, line in enumerate(lines, 1) if line.lstrip().startswith("tcgen05.cp ")]
    assert f"{PAIR}:{place}:9: 'nvvm.tcgen05.cp' op" in sites
    assert b".visible .global" in artifact.code


PLAIN = """
gpu.module @plain {{
  llvm.mlir.global external @dynamic() {{addr_space = 3 : i32, alignment = {alignment} : i64}}
      : !llvm.array<0 x i8>
  gpu.func @first(%p: !llvm.ptr, %n: i32, %f: f32) kernel {{
    gpu.return
  }}
  gpu.func @second(%out: memref<4xi32>) kernel attributes {{nvvm.maxntid = array<i32: 64, 2, 1>}} {{
    %memory = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %v = llvm.load %memory : !llvm.ptr<3> -> i32
    %c0 = arith.constant 0 : index
    memref.store %v, %out[%c0] : memref<4xi32>
    gpu.return
  }}
}}
"""


def test_every_kernel_of_the_module_without_tcgen05() -> None:
    artifact = compile_artifact(PLAIN.format(alignment=256), chip="sm_80", emit="ptx", emulate=True)
    assert artifact.manifest.emulated
    assert artifact.manifest.emulation == ()
    assert Manifest.from_json(artifact.manifest.to_json()) == artifact.manifest
    first, second = artifact.manifest.kernels
    assert first == KernelInfo(
        name="first",
        arguments=tuple(map(ArgumentInfo, ("!llvm.ptr", "i32", "f32"))),
        static_shared=0,
    )
    assert (second.max_threads, second.dynamic_alignment) == (128, 256)
    assert (second.block, second.dynamic_shared) == (None, 0)


HOST = """
module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @k(%x: i32) kernel { gpu.return } }
  gpu.module @b { gpu.func @k(%x: i64) kernel { gpu.return } }
  func.func @main(%x: i64) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 512 : i32
    gpu.launch_func @b::@k clusters in (%c2, %c1, %c1) blocks in (%c6, %c1, %c1)
        threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : i64)
    return
  }
}
"""


def test_one_module_of_several_and_what_its_host_code_says() -> None:
    artifact = compile_artifact(HOST, chip="sm_90", emit="ptx", kernel="b::k")
    assert artifact.name == "b.ptx"
    assert artifact.manifest.kernels == (
        KernelInfo(
            name="k",
            arguments=(ArgumentInfo("i64"),),
            grid=(6, 1, 1),
            block=(64, 1, 1),
            cluster=(2, 1, 1),
            static_shared=0,
            dynamic_shared=512,
        ),
    )


PLAIN_TOO = """
  memref.global "private" @other : memref<5x128xi32, 3>
  func.func private @leaf(%out: memref<4xi32>) attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %memory = memref.get_global @other : memref<5x128xi32, 3>
    %thread = gpu.thread_id x
    %word = arith.index_cast %thread : index to i32
    memref.store %word, %memory[%c0, %thread] : memref<5x128xi32, 3>
    gpu.barrier
    %v = memref.load %memory[%c0, %c0] : memref<5x128xi32, 3>
    memref.store %v, %out[%c0] : memref<4xi32>
    return
  }
  gpu.func @plain(%out: memref<4xi32>) kernel { gpu.return }
  gpu.func @calls(%out: memref<4xi32>) kernel {
    func.call @leaf(%out) : (memref<4xi32>) -> ()
    gpu.return
  }
"""


@pytest.fixture(scope="module")
def mixed() -> str:
    """A kernel that uses tensor memory, and two that do not."""
    source = COPY.read_text()
    assert source.count("gpu.module @kernels {") == 1
    return source.replace("gpu.module @kernels {", "gpu.module @kernels {" + PLAIN_TOO)


@pytest.mark.parametrize("emulate", [True, False])
def test_what_each_kernel_of_a_module_needs(mixed: str, emulate: bool) -> None:
    chip = "sm_90" if emulate else "sm_100a"
    artifact = compile_artifact(mixed, chip=chip, emit="ptx", emulate=emulate)
    needs = {one.name: (one.tensor_memory, one.static_shared) for one in artifact.manifest.kernels}
    assert needs == {"copy": (emulate, 2064), "plain": (False, 0), "calls": (False, 2560)}


def test_what_was_emulated_before_is_known_by_its_code(mixed: str) -> None:
    wanted = compile_artifact(mixed, chip="sm_90", emit="ptx", emulate=True).manifest
    text = tcgen05_mlir.compile(mixed, chip="sm_90", emit="mlir", emulate=True)
    assert isinstance(text, str)
    assert compile_artifact(text, chip=None, emit="ptx").manifest == wanted
    # Without the attribute the places are lost, not what has to be bound.
    bare = compile_artifact(_with_sites(text, "unit"), chip=None, emit="ptx").manifest
    assert (bare.emulated, bare.emulation) == (True, ())
    assert bare.kernels == wanted.kernels


def _with_sites(text: str, value: str) -> str:
    """Emulated code with something else for the places of its operations."""
    name = "emulation_sites" if value != "unit" else "other"
    changed, count = re.subn(
        r"tcgen05\.emulation_sites = \[[^\]]*\]", f"tcgen05.{name} = {value}", text
    )
    assert count == 1
    return changed


@pytest.mark.parametrize("value", ['[1, "a"]', "5 : i32", "[[]]"])
def test_places_that_are_no_texts(mixed: str, value: str) -> None:
    text = tcgen05_mlir.compile(mixed, chip="sm_90", emit="mlir", emulate=True)
    assert isinstance(text, str)
    message = (
        "'tcgen05.emulation_sites' of gpu.module @kernels must be an array of strings, which "
        f"tcgen05-emulate writes, got {value}"
    )
    with pytest.raises(ValueError, match=rf"\A{re.escape(message)}\Z"):
        compile_artifact(_with_sites(text, value), chip=None, emit="ptx")


@pytest.mark.parametrize("emit", ["mlir", "sass", None])
def test_only_what_a_host_can_load_is_an_artifact(emit: Any) -> None:
    with pytest.raises(ValueError, match=r"^'emit' of an artifact must be one of ptx, cubin, got"):
        compile_artifact(COPY, emit=emit)


@pytest.mark.parametrize("emit", ["ptx", "cubin"])
def test_tcgen05_compile_writes_the_manifest_beside_the_code(tmp_path: Path, emit: str) -> None:
    out = tmp_path / f"copy.{emit}"
    assert main(["compile", str(COPY), "--emit", emit, "-o", str(out)]) == 0
    assert sorted(os.listdir(tmp_path)) == [out.name, f"{out.name}.json"]
    assert Artifact.read(out) == compile_artifact(COPY, emit=emit)


@pytest.mark.parametrize("emit", ["mlir", "llvm", "sass"])
def test_what_no_host_loads_has_no_manifest(tmp_path: Path, emit: str) -> None:
    assert main(["compile", str(COPY), "--emit", emit, "-o", str(tmp_path / "out")]) == 0
    assert os.listdir(tmp_path) == ["out"]


def test_no_manifest_beside_stdout_or_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compile", str(COPY)]) == 0
    assert ".target sm_100a" in capfd.readouterr().out
    os.mkfifo("pipe")
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_text()))
    reader.start()
    assert main(["compile", str(COPY), "-o", "pipe"]) == 0
    reader.join()
    assert ".target sm_100a" in got[0]
    assert os.listdir(tmp_path) == ["pipe"]


def test_the_manifest_does_not_replace_the_input(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "copy.ptx.json"
    source.write_bytes(COPY.read_bytes())
    with pytest.raises(SystemExit) as error:
        main(["compile", str(source), "-o", str(tmp_path / "copy.ptx")])
    assert error.value.code == 2
    message = f"tcgen05: error: '{source}' is the input: it would be overwritten\n"
    assert capfd.readouterr().err == message
    assert source.read_bytes() == COPY.read_bytes()
    assert os.listdir(tmp_path) == ["copy.ptx.json"]


def test_a_folder_in_the_manifests_place(tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "copy.ptx.json").mkdir()
    assert main(["compile", str(COPY), "-o", str(tmp_path / "copy.ptx")]) == 1
    assert capfd.readouterr().err == (
        f"tcgen05: error: '{tmp_path}/copy.ptx.json': Is a directory\n"
    )
    assert os.listdir(tmp_path) == ["copy.ptx.json"]


PTX = """
.version 9.0
.extern .shared .align 16 .b8 dynamic[];
.extern .shared .align 1024 .b8 other[];
.shared .align 4 .u32 slot;
.visible .shared .align 8 .u64 barriers[3];
.shared .align 16 .b8 tile[2048];
.shared .align 4 .f32 unused;
.func declared(.param .u64 p)
;
.shared .align 4 .u32 behind;
.global .align 8 .u64 table[2] = {unused, behind};
.func helper(.param .u64 p)
{ st.shared.u32 [slot], %r1; }
.func  (.param .b32 func_retval0) caller(
  .param .u64 p
)
{ call.uni (r), helper, (p); ret; }
.func other_helper()
{ st.shared.u32 [behind], %r1; }
.visible .entry first(
  .param .u64 p
)
{ mov.u64 %rd1, tile; mov.u64 %rd2, dynamic; mov.u64 %rd3, barriers; call caller, (p); }
.entry second()
{ mov.u64 %rd1, other; mov.u64 %rd2, dynamic; call declared, (p); }
.entry third()
{ prototype_0 : .callprototype _ (.param .b64 _); call %rd1, (p), prototype_0; }
"""


def test_what_ptx_says() -> None:
    assert version(PTX) == (9, 0)
    # 4, then 8 to 32, then 32 to 2080: in the order in which they are declared.
    assert shared_memory(PTX, "first") == SharedMemory(2080, 16)
    assert shared_memory(PTX, "second") == SharedMemory(0, 1024)
    # Any function may be behind an address: 4, and 4 more.
    assert shared_memory(PTX, "third") == SharedMemory(8, None)
    assert shared_memory(".version 8.6\n.entry k()\n{ ret; }", "k") == SharedMemory(0, None)
