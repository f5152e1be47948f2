"""From device code to PTX by upstream's conversions, and what this project adds to them."""

from __future__ import annotations

import tcgen05_mlir
from device_text import TARGET_100A, diagnostics, gpu_module, run
from mlir import ir
from mlir.dialects import gpu
from tcgen05_mlir.passes import tcgen05_to_ptx

WORKGROUP = "#gpu.address_space<workgroup>"
SHARED = "#nvvm.memory_space<shared>"


def ptx(text: str) -> str:
    """The PTX of the one gpu.module, from `lower` on."""
    pipeline = f"{tcgen05_to_ptx.lower()},{tcgen05_to_ptx.emit()}"
    with ir.Context():
        module = tcgen05_mlir.run_pipeline(ir.Module.parse(text), pipeline)
        (binary,) = [op for op in module.body.operations if op.operation.name == "gpu.binary"]
        return gpu.ObjectAttr(binary.attributes["objects"][0]).object.decode()


def device(body: str, arguments: str = "%m: memref<4x128xf32>, %i: index") -> str:
    """A kernel `k` in a gpu.func, for sm_100a; `body` is line 3 and following."""
    return gpu_module(f"gpu.func @k({arguments}) kernel {{\n{body}\ngpu.return\n}}", TARGET_100A)


def test_memrefs_are_plain_pointers_of_the_kernel():
    text = device('%0 = memref.load %m[%i, %i] : memref<4x128xf32>\ngpu.printf "%f", %0 : f32')
    assert (
        ".visible .entry k(\n\t.param .u64 .ptr .align 1 k_param_0,\n\t.param .u64 k_param_1\n)"
    ) in ptx(text)


def test_subviews_affine_loops_transfers_and_calls_have_a_lowering():
    body = """
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %s = memref.subview %m[%i, 0] [1, 128] [1, 1]
        : memref<4x128xf32> to memref<128xf32, strided<[1], offset: ?>>
      %t = vector.transfer_read %s[%c0], %zero {in_bounds = [true]}
        : memref<128xf32, strided<[1], offset: ?>>, vector<4xf32>
      %u = vector.transfer_read %m[%c0, %c0], %zero {in_bounds = [true, true]}
        : memref<4x128xf32>, vector<2x4xf32>
      vector.transfer_write %u, %m[%i, %c0] {in_bounds = [true, true]}
        : vector<2x4xf32>, memref<4x128xf32>
      affine.for %j = 0 to 4 {
        %r = vector.reduction <add>, %t : vector<4xf32> into f32
        %q = math.exp2 %r : f32
        affine.store %q, %m[%j, %i] : memref<4x128xf32>
      }
      %n = func.call @next(%i) : (index) -> index
      %h = arith.ceildivui %n, %i : index
      memref.store %zero, %m[%h, %n] : memref<4x128xf32>"""
    text = device(body).replace(
        "gpu.func",
        "func.func @next(%i: index) -> index {\n%0 = index.add %i, %i\n"
        "return %0 : index\n}\ngpu.func",
        1,
    )
    assert "ex2.approx.f32" in ptx(text)


def test_vector_accesses_to_workgroup_memory():
    body = f"""
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %s = memref.get_global @s : memref<8x4xf32, {WORKGROUP}>
      %v = vector.load %m[%i, %c0] : memref<4x128xf32>, vector<4xf32>
      vector.store %v, %s[%i, %c0] : memref<8x4xf32, {WORKGROUP}>, vector<4xf32>
      gpu.barrier
      %t = vector.transfer_read %s[%c0, %i], %zero {{in_bounds = [true]}}
        : memref<8x4xf32, {WORKGROUP}>, vector<4xf32>
      vector.store %t, %m[%i, %c0] : memref<4x128xf32>, vector<4xf32>"""
    text = device(body).replace(
        "gpu.func", f'memref.global "private" @s : memref<8x4xf32, {WORKGROUP}>\ngpu.func', 1
    )
    found = ptx(text)
    # The access to a row is as wide as the declared alignment allows, the other one is not.
    assert ".shared .align 16 .b8 s[128];" in found
    assert found.count("st.shared.v2.b64") == 1
    assert found.count("ld.shared.b32") == 4


def test_the_nvvm_spelling_of_shared_memory_becomes_workgroup():
    text = f"""\
gpu.module @m {{
  memref.global "private" @s : memref<8x4xf32, strided<[8, 1]>, {SHARED}>
  func.func @f(%arg0: memref<8x4xf32, {SHARED}>) -> memref<8x4xf32, {SHARED}> {{
    return %arg0 : memref<8x4xf32, {SHARED}>
  }}
  gpu.func @k(%arg0: index) {{
    %0 = memref.get_global @s : memref<8x4xf32, strided<[8, 1]>, {SHARED}>
    %1 = memref.load %0[%arg0, %arg0] : memref<8x4xf32, strided<[8, 1]>, {SHARED}>
    gpu.return
  }}
}}"""
    expected = run(text.replace(SHARED, WORKGROUP), "")
    assert run(text, "tcgen05-shared-to-workgroup") == expected


def test_shared_memory_of_host_code_is_none_of_our_business():
    text = f"func.func private @host(memref<4xf32, {SHARED}>)"
    assert SHARED in run(text, "tcgen05-shared-to-workgroup")


DYNAMIC = f"""
  %c0 = arith.constant 0 : index
  %d = gpu.dynamic_shared_memory : memref<?xi8, {WORKGROUP}>
  %v = memref.view %d[%c0][] : memref<?xi8, {WORKGROUP}> to memref<32xf32, {WORKGROUP}>
  %x = memref.load %v[%i] : memref<32xf32, {WORKGROUP}>
  memref.store %x, %m[%i, %i] : memref<4x128xf32>"""


def test_dynamic_shared_memory_is_external():
    assert ".extern .shared .align 16 .b8 __dynamic_shmem__0[];" in ptx(device(DYNAMIC))


def test_dynamic_shared_memory_has_the_alignment_that_its_views_rely_on():
    viewed = DYNAMIC + "".join(
        f"""
  %w{alignment} = tcgen05.view %v alignment({alignment}) : memref<32xf32, {WORKGROUP}>
    to memref<32xi32, {WORKGROUP}>
  memref.store %n, %w{alignment}[%i] : memref<32xi32, {WORKGROUP}>"""
        for alignment in (256, 1024, 512)
    )
    text = device(viewed, "%m: memref<4x128xf32>, %i: index, %n: i32")
    noted = run(text, "tcgen05-record-dynamic-alignment")
    assert "attributes {tcgen05.dynamic_alignment = 1024 : i64}" in noted
    placed = run(
        noted.replace("tcgen05.view", "builtin.unrealized_conversion_cast")
        .replace(" alignment(256)", "")
        .replace(" alignment(512)", "")
        .replace(" alignment(1024)", ""),
        "gpu.module(convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true}),"
        "tcgen05-place-dynamic-shared",
    )
    assert "external @__dynamic_shmem__0() {addr_space = 3 : i32, alignment = 1024" in placed
    assert "tcgen05.dynamic_alignment" not in placed


def test_static_views_leave_dynamic_shared_memory_alone():
    text = device(f"""
      %s = memref.get_global @s : memref<32xf32, {WORKGROUP}>
      %w = tcgen05.view %s alignment(1024) : memref<32xf32, {WORKGROUP}>
        to memref<32xi32, {WORKGROUP}>""").replace(
        "gpu.func", f'memref.global "private" @s : memref<32xf32, {WORKGROUP}>\ngpu.func', 1
    )
    assert "dynamic_alignment" not in run(text, "tcgen05-record-dynamic-alignment")


def test_host_code_stays_as_it_is():
    host = """\
  func.func @host() {
    %c1 = arith.constant 1 : index
    gpu.launch_func  @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
"""
    text = f"module attributes {{gpu.container_module}} {{\n{device('', '')}\n{host}}}"
    pipeline = f"{tcgen05_to_ptx.lower()},{tcgen05_to_ptx.emit()}"
    found = "".join(f"{line.rstrip()}\n" for line in run(text, pipeline).splitlines())
    assert host in found


def test_an_operation_without_a_lowering_is_named():
    text = device("%0 = tensor.empty() : tensor<4xf32>")
    text = text.replace("tensor.empty()", "tensor.empty()").replace(
        "\ngpu.return",
        "\n%1 = tensor.extract %0[%i] : tensor<4xf32>\n"
        "memref.store %1, %m[%i, %i] : memref<4x128xf32>\ngpu.return",
    )
    assert diagnostics(text, tcgen05_to_ptx.lower()) == [
        "3:6: error: 'tensor.empty' op has no lowering to LLVM on tensor<4xf32>",
        "3:6: note: lower it to llvm and nvvm operations before this pipeline",
        "4:6: error: 'tensor.extract' op has no lowering to LLVM on tensor<4xf32>, index, f32",
        "4:6: note: lower it to llvm and nvvm operations before this pipeline",
    ]


def test_a_cast_that_stays_is_named_where_nothing_else_is():
    text = device("%0 = builtin.unrealized_conversion_cast %i : index to tensor<4xf32>")
    text = text.replace(
        "\ngpu.return",
        "\n%1 = builtin.unrealized_conversion_cast %0 : tensor<4xf32> to f32\n"
        "memref.store %1, %m[%i, %i] : memref<4x128xf32>\ngpu.return",
    )
    left = [line for line in diagnostics(text, tcgen05_to_ptx.lower()) if ": error: " in line]
    assert [line.partition(": ")[2] for line in left] == [
        "error: 'builtin.unrealized_conversion_cast' op has no lowering to LLVM on i64, index",
        "error: 'builtin.unrealized_conversion_cast' op has no lowering to LLVM on index, "
        "tensor<4xf32>",
        "error: 'builtin.unrealized_conversion_cast' op has no lowering to LLVM on tensor<4xf32>, "
        "f32",
    ]


def test_an_operation_that_upstream_refuses_is_named():
    found = diagnostics(device("", "%m: memref<?xf32>"), tcgen05_to_ptx.lower())
    assert found[0] == (
        "2:1: error: failed to legalize operation 'gpu.func' that was explicitly marked illegal"
    )


def test_an_alignment_that_is_there_stays():
    text = device(
        f"%c1 = arith.constant 1 : index\n%0 = memref.get_global @s : memref<8xf32, {WORKGROUP}>\n"
        "%x = memref.load %m[%i, %i] : memref<4x128xf32>\n"
        f"memref.store %x, %0[%i] : memref<8xf32, {WORKGROUP}>\n"
        f"gpu.barrier\n%1 = memref.load %0[%c1] : memref<8xf32, {WORKGROUP}>\n"
        "memref.store %1, %m[%i, %i] : memref<4x128xf32>"
    ).replace(
        "gpu.func",
        f'memref.global "private" @s : memref<8xf32, {WORKGROUP}> {{alignment = 4}}\ngpu.func',
        1,
    )
    assert ".shared .align 4 .b8 s[32];" in ptx(text)
