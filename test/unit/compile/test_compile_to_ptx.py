"""`tcgen05-to-ptx` by its name: in Python, in upstream's PassManager and in tcgen05-opt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import tcgen05_mlir
from device_text import diagnostics, gpu_module, kernel, run
from mlir import ir
from mlir.dialects import gpu
from mlir.passmanager import PassManager

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
WORKGROUP = "#gpu.address_space<workgroup>"


def ptx_in(module: ir.Module) -> str:
    """The PTX of the one gpu.binary in a module."""
    (binary,) = [op for op in module.body.operations if op.operation.name == "gpu.binary"]
    return gpu.ObjectAttr(binary.attributes["objects"][0]).object.decode()


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_a_gpu_binary_holds_the_ptx(path):
    with ir.Context():
        module = ir.Module.parseFile(str(EXAMPLE))
        options = f"{{chip=sm_103a ptx=9.0 opt-level=2 path={path}}}"
        result = tcgen05_mlir.run_pipeline(module, f"tcgen05-to-ptx{options}")
        lines = ptx_in(result).splitlines()
    assert ".version 9.0" in lines
    assert ".target sm_103a" in lines
    assert sum("tcgen05.cp.cta_group::1.128x128b" in line for line in lines) == 1


def test_it_gives_what_compile_gives():
    with ir.Context():
        module = ir.Module.parseFile(str(EXAMPLE))
        result = tcgen05_mlir.run_pipeline(module, "tcgen05-to-ptx{chip=sm_100a}")
        assert ptx_in(result) == tcgen05_mlir.compile(EXAMPLE)


def test_it_runs_in_upstreams_pass_manager():
    with ir.Context():
        module = ir.Module.parseFile(str(EXAMPLE))
        PassManager.parse("builtin.module(tcgen05-to-ptx{chip=sm_100a})").run(module.operation)
        assert ptx_in(module) == tcgen05_mlir.compile(EXAMPLE)


def opt(*arguments: str) -> subprocess.CompletedProcess[str]:
    """tcgen05-opt, a child process each time: it runs once per process."""
    command = [sys.executable, "-m", "tcgen05_mlir.tools.opt", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_it_runs_in_tcgen05_opt():
    result = opt(str(EXAMPLE), "--tcgen05-to-ptx=chip=sm_100a")
    assert (result.returncode, result.stderr) == (0, "")
    assert "gpu.binary @kernels  [#gpu.object<#nvvm.target<O = 3, chip = " in result.stdout
    assert result.stdout.count("tcgen05.cp.cta_group::1.128x128b") == 1


def test_a21_in_tcgen05_opt_the_error_is_at_the_instruction():
    result = opt(str(EXAMPLE), "--tcgen05-to-ptx=chip=sm_120a")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "error: 'nvvm.tcgen05.alloc' op chip 'sm_120a' has no tcgen05 in" in result.stderr


def test_a_bad_option_is_said_when_the_pipeline_is_parsed():
    (error,) = diagnostics(gpu_module(kernel("")), "tcgen05-to-ptx{chip=sm_100a opt-level=7}")
    assert error.splitlines()[0] == (
        "pipeline 'tcgen05-to-ptx': option 'opt-level' must be 0, 1, 2 or 3, got '7'"
    )


def test_several_modules_are_compiled_together():
    text = gpu_module(kernel(""), name="a") + gpu_module(kernel("", name="l"), name="b")
    assert run(text, "tcgen05-to-ptx{chip=sm_100a}").count("gpu.binary @") == 2


def test_passes_nest_in_one_gpu_module():
    text = gpu_module(kernel(""), name="a") + gpu_module(kernel("", name="l"), name="b")
    nested = "gpu.module(tcgen05-attach-target{chip=sm_100a},tcgen05-check-cta-group,"
    nested += "tcgen05-check-memory,tcgen05-shared-to-workgroup,tcgen05-align-globals)"
    assert run(text, nested).count('chip = "sm_100a"') == 2


def test_checks_come_before_what_they_would_spoil():
    body = "\n".join(
        [
            "%0 = llvm.load %t : !llvm.ptr<6> -> i32",
            "nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_1>}",
            "nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}",
        ]
    )
    text = gpu_module(kernel(body, "%t: !llvm.ptr<6>"))
    mixed = text.replace("%0 = llvm.load %t : !llvm.ptr<6> -> i32", "")
    loads = text.replace("cta_2", "cta_1")
    for source, chip, rule in (
        (text, "sm_90", "T1"),
        (mixed, "sm_100a", "P2"),
        (loads, "sm_100a", "T2"),
    ):
        found = diagnostics(source, f"tcgen05-to-ptx{{chip={chip}}}")
        assert found[0].endswith(f"[{rule}]")


def test_dynamic_shared_memory_gets_the_alignment_that_a_copy_relies_on():
    text = f"""
#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#swizzled = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
gpu.module @m {{
  gpu.func @k(%base: i32) kernel {{
    %c0 = arith.constant 0 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, {WORKGROUP}>
    %v = memref.view %d[%c0][] : memref<?xi8, {WORKGROUP}> to memref<128x32xi32, {WORKGROUP}>
    %s = tcgen05.view %v alignment(1024) : memref<128x32xi32, {WORKGROUP}>
      to memref<128x8xi32, #swizzled, {WORKGROUP}>
    %t = tcgen05.view %base : i32 to memref<128x8xi32, #tile, #nvvm.memory_space<tensor>>
    %e = nvvm.elect.sync -> i1
    scf.if %e {{
      tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>)
        : memref<128x8xi32, #tile, #nvvm.memory_space<tensor>>,
          memref<128x8xi32, #swizzled, {WORKGROUP}>
    }}
    gpu.return
  }}
}}
"""
    ptx = tcgen05_mlir.compile(text)
    assert isinstance(ptx, str)
    assert ".extern .shared .align 1024 .b8 __dynamic_shmem__0[];" in ptx
    assert ptx.count("tcgen05.cp.cta_group::1.128x256b") == 1


@pytest.mark.parametrize("space", ["3", "#nvvm.memory_space<shared>", WORKGROUP])
def test_a_source_in_any_spelling_of_shared_memory(space):
    text = EXAMPLE.read_text().replace(WORKGROUP, space)
    ptx = tcgen05_mlir.compile(text)
    assert ptx == tcgen05_mlir.compile(EXAMPLE)
