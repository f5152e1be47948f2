"""`tcgen05_mlir.compile`: sources, arguments, and what comes back in each form."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tcgen05_mlir
from device_text import TARGET_100A, gpu_module, kernel, lines, whole
from mlir import ir
from tcgen05_mlir.model.targets import TCGEN05_CHIPS

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
ACCEPTED = "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f"
STORE = "llvm.store %v, %p : i32, !llvm.ptr"
PLAIN = kernel(STORE, "%p: !llvm.ptr, %v: i32")


def compiled(source, **options) -> str:
    """What `compile` returns where that is text."""
    result = tcgen05_mlir.compile(source, **options)
    assert isinstance(result, str)
    return result


def directives(ptx: str) -> list[str]:
    """The lines of PTX that say for what it is."""
    return [line for line in ptx.splitlines() if line.startswith((".version", ".target"))]


def test_ptx_for_sm_100a_is_the_default():
    ptx = compiled(EXAMPLE)
    assert directives(ptx) == [".version 8.6", ".target sm_100a"]
    assert "\x00" not in ptx


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
@pytest.mark.parametrize("chip", TCGEN05_CHIPS)
def test_every_chip_by_both_paths_has_one_copy(chip, path):
    ptx = compiled(EXAMPLE, chip=chip, path=path)
    assert directives(ptx)[1] == f".target {chip}"
    (copy,) = [" ".join(line.split()) for line in ptx.splitlines() if "tcgen05.cp" in line]
    assert re.fullmatch(r"tcgen05\.cp\.cta_group::1\.128x128b \[%r\d+\], %rd\d+;", copy)


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
@pytest.mark.parametrize("chip", TCGEN05_CHIPS)
def test_ptxas_takes_every_chip_by_both_paths(chip, path, ptxas):
    cubin = tcgen05_mlir.compile(EXAMPLE, chip=chip, path=path, emit="cubin")
    assert isinstance(cubin, bytes)
    assert cubin.startswith(b"\x7fELF")


def test_sources_of_every_kind_give_the_same():
    text = EXAMPLE.read_text()
    expected = compiled(EXAMPLE)
    assert compiled(str(EXAMPLE)) == expected
    assert compiled(text) == expected
    assert compiled(text.encode()) == expected
    with ir.Context():
        module = ir.Module.parse(text)
        before = str(module)
        assert compiled(module) == expected
        assert str(module) == before


def test_bytecode_is_a_source(tmp_path):
    with ir.Context(), (tmp_path / "k.mlirbc").open("wb") as file:
        ir.Module.parseFile(str(EXAMPLE)).operation.write_bytecode(file)
    assert compiled(tmp_path / "k.mlirbc") == compiled(EXAMPLE)
    assert compiled((tmp_path / "k.mlirbc").read_bytes()) == compiled(EXAMPLE)


def test_mlir_is_the_whole_module_after_our_passes():
    text = compiled(EXAMPLE, emit="mlir")
    assert text.count("nvvm.tcgen05.cp ") == 1
    assert not any(word.startswith("tcgen05.") for word in text.split())
    assert "gpu.func @copy" in text
    assert 'chip = "sm_100a"' in text


def test_llvm_is_the_device_code_as_llvm_ir():
    text = compiled(EXAMPLE, emit="llvm")
    assert "define ptx_kernel void @copy(ptr %0, ptr %1)" in text
    assert text.count("call void @llvm.nvvm.tcgen05.cp.128x128b.cg1(ptr addrspace(6) ") == 1


def test_the_level_reaches_llvm():
    loops = {level: compiled(EXAMPLE, opt_level=level).count("bra") for level in (0, 3)}
    assert loops[0] > loops[3]


def test_a_file_with_a_target_keeps_it_when_no_chip_is_asked_for():
    target = '[#nvvm.target<chip = "sm_90a", features = "+ptx82", O = 1>]'
    text = gpu_module(PLAIN, target)
    assert directives(compiled(text, chip=None)) == [".version 8.2", ".target sm_90a"]
    assert directives(compiled(text, chip="sm_90")) == [".version 7.8", ".target sm_90"]


def test_several_targets_need_a_chip():
    text = gpu_module(PLAIN, '[#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_100a">]')
    message = "gpu.module @m is for several chips, sm_90, sm_100a: 'chip' must say which"
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile(text, chip=None)


def two_modules() -> str:
    return gpu_module(PLAIN, name="a") + gpu_module(PLAIN.replace("@k", "@other"), name="b")


def test_a_kernel_picks_its_module():
    assert ".entry other(" in compiled(two_modules(), kernel="other")
    assert ".entry k(" in compiled(two_modules(), kernel="k")


def test_two_modules_need_a_kernel():
    message = (
        "'kernel' must say, as KERNEL or MODULE::KERNEL, which gpu.module is wanted where there "
        "are several; the kernels are 'k' in gpu.module @a, 'other' in gpu.module @b"
    )
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile(two_modules())


def test_a_kernel_of_a_module_where_two_have_its_name():
    writes_half = PLAIN.replace("i32", "i16")
    text = gpu_module(PLAIN, name="a") + gpu_module(writes_half, name="b")
    assert "i16" in tcgen05_mlir.compile(text, kernel="b::k", emit="llvm")
    assert "i16" not in tcgen05_mlir.compile(text, kernel="a::k", emit="llvm")
    several = (
        "'kernel' must say, as MODULE::KERNEL, which gpu.module is wanted where there are several; "
        "the kernels are 'k' in gpu.module @a, 'k' in gpu.module @b"
    )
    with pytest.raises(ValueError, match=whole(several)):
        tcgen05_mlir.compile(text, kernel="k")
    missing = (
        "kernel 'c::k' is not there; the kernels are 'k' in gpu.module @a, 'k' in gpu.module @b"
    )
    with pytest.raises(ValueError, match=whole(missing)):
        tcgen05_mlir.compile(text, kernel="c::k")


@pytest.mark.parametrize("emit", ["mlir", "ptx"])
def test_a_kernel_that_is_not_there(emit):
    message = (
        "kernel 'copy' is not there; the kernels are 'k' in gpu.module @a, 'other' in gpu.module @b"
    )
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile(two_modules(), kernel="copy", emit=emit)


def test_no_gpu_module():
    message = "there is no gpu.module, so there is nothing to compile"
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile("module {}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"emit": "foo"}, "'emit' must be one of mlir, llvm, ptx, cubin, sass, got 'foo'"),
        ({"path": "foo"}, "'path' must be one of nvvm, inline-asm, got 'foo'"),
        ({"opt_level": 9}, "'opt_level' must be 0, 1, 2 or 3, got 9"),
        ({"opt_level": -1}, "'opt_level' must be 0, 1, 2 or 3, got -1"),
    ],
)
def test_b06_values_that_llvm_would_end_the_process_over(options, message):
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile(EXAMPLE, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chip": 100}, "'chip' must be a str, got int 100"),
        ({"kernel": 1}, "'kernel' must be a str, got int 1"),
        ({"emit": None}, "'emit' must be a str, got NoneType None"),
        ({"opt_level": "3"}, "'opt_level' must be an int, got str '3'"),
        ({"opt_level": True}, "'opt_level' must be an int, got bool True"),
    ],
)
def test_arguments_of_another_kind(options, message):
    with pytest.raises(TypeError, match=whole(message)):
        tcgen05_mlir.compile(EXAMPLE, **options)


def test_a_source_of_another_kind():
    message = "'source' must be a module, MLIR text, bytecode or a path, got int"
    with pytest.raises(TypeError, match=whole(message)):
        tcgen05_mlir.compile(3)  # pyright: ignore[reportArgumentType]


def test_a_file_that_is_not_there():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.mlir"):
        tcgen05_mlir.compile("nowhere.mlir")


@pytest.mark.parametrize("chip", ["sm_100", "sm_120a", "sm_90a"])
@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_a21_a_chip_without_tcgen05_is_refused_at_its_first_use(chip, path):
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        tcgen05_mlir.compile(EXAMPLE, chip=chip, path=path)
    assert [text.partition(": ")[2] for text in lines(error.value)] == [
        f"error: 'nvvm.tcgen05.alloc' op chip '{chip}' has no tcgen05 instructions, wanted one of "
        f"{ACCEPTED} [T1]",
        "note: emulate it there: --emulate, or emulate=true in a pipeline, emulate=True in Python",
    ]


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_a21_an_unknown_chip_is_refused(path):
    message = rf"\Achip 'sm_999z' is unknown, wanted one with tcgen05 \({ACCEPTED}\) or, .* \[T1\]"
    with pytest.raises(ValueError, match=message):
        tcgen05_mlir.compile(EXAMPLE, chip="sm_999z", path=path)


def test_a20_a_kernel_that_mixes_groups_gets_no_ptx():
    text = EXAMPLE.read_text().replace(
        "nvvm.tcgen05.alloc %slot, %columns",
        "nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>}",
    )
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        tcgen05_mlir.compile(text)
    found = [line.partition(": ")[2] for line in lines(error.value)]
    assert found == [
        "error: 'tcgen05.cp' op cta_group must be 2, as in 'nvvm.tcgen05.alloc', everywhere in "
        "kernel 'copy', got 1 [P2]",
        "note: 'nvvm.tcgen05.alloc' with cta_group 2 is here",
        "note: use one cta_group throughout, or make two kernels of it",
    ]


def test_a20_two_kernels_one_of_each_compile():
    def one(name: str, group: int) -> str:
        body = f"nvvm.tcgen05.relinquish_alloc_permit {{group = #nvvm.cta_group<cta_{group}>}}"
        return kernel(body, name=name)

    ptx = compiled(gpu_module(f"{one('one', 1)}\n{one('two', 2)}"))
    assert ptx.count("tcgen05.relinquish_alloc_permit.cta_group::1.") == 1
    assert ptx.count("tcgen05.relinquish_alloc_permit.cta_group::2.") == 1


def test_upstreams_list_of_chips_being_behind_has_a_remedy():
    target = TARGET_100A.replace("sm_100a", "sm_103a").replace("86", "88")
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        tcgen05_mlir.compile(gpu_module(kernel("nvvm.tcgen05.wait <load>"), target))
    assert lines(error.value) == [
        "3:1: error: 'nvvm.tcgen05.wait' op is not supported on sm_103a",
        "3:1: note: LLVM 22.1.8 does not know that sm_103a has it: leave the target out of the "
        "file and give the chip when compiling, or add verifyTarget = false to the target",
    ]


def test_b06_the_interpreter_outlives_every_bad_value():
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_compile_attach_target import NVVM
from device_text import gpu_module, kernel
import tcgen05_mlir
def target(fields):
    return gpu_module(kernel(NVVM), f"[#nvvm.target<{{fields}}>]")
for source, options in [
    (target('chip = "sm_100a", features = "+ptx80"'), {{}}),
    (target('chip = "sm_100a", features = "ptx86"'), {{}}),
    (target('chip = "sm_120a", verifyTarget = false'), {{}}),
    (target('chip = "sm_100a", O = 9'), {{}}),
    (target('chip = "sm_100a"'), {{"emit": "foo"}}),
    (target('chip = "sm_100a"'), {{"opt_level": 9}}),
]:
    try:
        tcgen05_mlir.compile(source, chip=None, **options)
    except (ValueError, tcgen05_mlir.MLIRError):
        print("refused")
print("alive:", len(tcgen05_mlir.compile(target('chip = "sm_100a"'), chip=None)) > 0)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "refused\n" * 6 + "alive: True\n")


@pytest.mark.parametrize("source", [b"module {}\n// \xff", "module {}\n// \udcff"])
def test_text_that_is_not_utf_8(source):
    message = "'source' must be UTF-8 text or bytecode, line 2 is neither"
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile(source)


def test_a_file_that_is_not_utf_8(tmp_path):
    file = tmp_path / "k.mlir"
    file.write_bytes(b'gpu.module @"\xff" {}')
    message = f"'{file}' must be UTF-8 text or bytecode, line 1 is neither"
    with pytest.raises(ValueError, match=whole(message)):
        tcgen05_mlir.compile(file)


def test_an_escaped_name_that_is_not_utf_8():
    text = gpu_module(PLAIN.replace("@k", '@"\\FF"'))
    with pytest.raises(tcgen05_mlir.MLIRError, match=r"got '\\\\xff' \[T5\]"):
        tcgen05_mlir.compile(text)
