"""`tcgen05-check-device-code`: rules T4 to T7, T9, T10, before LLVM would end the process."""

from __future__ import annotations

import subprocess
import sys

import pytest
from device_text import diagnostics, gpu_module, run

PASS = "tcgen05-check-device-code"
IDENTIFIER = (
    "'sym_name' must be a PTX identifier, a letter and then letters, digits, '_', '$', or '_' or "
    "'$' and at least one of these, got {} [T5]"
)
ALIGNMENT = "'{}' must be a power of two in 1..131072 bytes, got {} [T6]"
SPACES = (
    "0 is generic, 1 global, 3 shared, 4 constant, 5 local, 6 tensor, 7 a cluster's shared memory, "
    "101 parameters"
)
LAUNCH_REMEDY = "leave the attribute out where the launch decides"
ALIGNMENT_REMEDY = "leave it out where the type's own alignment will do"


def function(name: str = "k", arguments: str = "", rest: str = "", body: str = "") -> str:
    """A gpu.func kernel in line 2, whose body is line 3."""
    return gpu_module(f"gpu.func @{name}({arguments}) {rest} {{\n{body}\ngpu.return\n}}")


def with_attributes(attributes: str) -> str:
    return function(rest=f"kernel attributes {{{attributes}}}")


def said(op: str, message: str, remedy: str, place: str = "2:1") -> list[str]:
    return [f"{place}: error: '{op}' op {message}", f"{place}: note: {remedy}"]


@pytest.mark.parametrize(
    ("attribution", "message", "remedy"),
    [
        (
            "workgroup(%s: memref<?xi32, 3>)",
            "workgroup attribution 0 must have a static shape, got memref<?xi32, 3> [T4]",
            "give it its largest shape, or take it from gpu.dynamic_shared_memory",
        ),
        (
            "private(%s: memref<?xi32, 5>)",
            "private attribution 0 must have a static shape, got memref<?xi32, 5> [T4]",
            "give it its largest shape, or take it from gpu.dynamic_shared_memory",
        ),
        (
            "workgroup(%a: memref<4xi32, 3>, %s: memref<58113xi32, 3>)",
            "workgroup attribution 1 must have at most 232448 bytes, got 232452 [T4]",
            "make it smaller, or keep it in global memory",
        ),
        (
            "workgroup(%s: memref<29057xvector<2xi32>, #gpu.address_space<workgroup>>)",
            "workgroup attribution 0 must have at most 232448 bytes, got 232456 [T4]",
            "make it smaller, or keep it in global memory",
        ),
    ],
)
def test_attributions_have_a_size_and_fit_a_block(attribution, message, remedy):
    text = function(arguments="%x: i32", rest=f"{attribution} kernel")
    assert diagnostics(text, PASS) == said("gpu.func", message, remedy)


def test_an_attribution_whose_size_overflows_is_two_errors():
    kind = "memref<4294967296x4294967296xi32, 3>"
    message = f"workgroup attribution 0 must have at most 232448 bytes, got {4 * 2**64} [T4]"
    assert diagnostics(function(rest=f"workgroup(%s: {kind}) kernel"), PASS) == [
        *said("gpu.func", message, "make it smaller, or keep it in global memory"),
        *said(
            "gpu.func",
            f"must have memrefs of less than 2^60 elements, got {kind} [T9]",
            "make it smaller",
        ),
    ]


def test_an_attribution_as_large_as_a_block_may_have():
    text = function(rest="workgroup(%s: memref<58112xi32, 3>) kernel")
    assert "memref<58112xi32, 3>" in run(text, PASS)


@pytest.mark.parametrize("kind", ["58113xi32", "232449xi8"])
def test_a_shared_global_fits_a_block(kind):
    found = diagnostics(gpu_module(f"memref.global @g : memref<{kind}, 3>"), PASS)
    size = {"58113xi32": 232452, "232449xi8": 232449}[kind]
    message = f"'type' must have at most 232448 bytes, got {size} [T4]"
    assert found == said("memref.global", message, "make it smaller, or keep it in global memory")


@pytest.mark.parametrize("name", ["a-b", "1x", "%x", "_", "a.b", "a@b", "a b", "$"])
def test_a_function_has_a_name_that_ptx_has(name):
    assert diagnostics(function(f'"{name}"', rest="kernel"), PASS) == said(
        "gpu.func", IDENTIFIER.format(f"'{name}'"), "rename it"
    )


@pytest.mark.parametrize(("name", "shown"), [("\\00", "'\\x00'"), ("ä", "'\\xe4'")])
def test_a_name_that_does_not_print_is_escaped(name, shown):
    assert diagnostics(function(f'"{name}"', rest="kernel"), PASS) == said(
        "gpu.func", IDENTIFIER.format(shown), "rename it"
    )


@pytest.mark.parametrize("name", ["x", "_x", "_0", "$x", "a$1_b", "Z9"])
def test_names_that_ptx_has(name):
    assert name in run(function(f'"{name}"', rest="kernel"), PASS)


def test_the_names_of_globals_and_of_other_functions_count_too():
    text = gpu_module(
        'memref.global @"a-b" : memref<4xi32, 3>\nllvm.mlir.global external @"c.d"() : i32\n'
        'func.func private @"e f"()'
    )
    assert diagnostics(text, PASS) == [
        *said("memref.global", IDENTIFIER.format("'a-b'"), "rename it", "2:1"),
        *said("llvm.mlir.global", IDENTIFIER.format("'c.d'"), "rename it", "3:1"),
        *said("func.func", IDENTIFIER.format("'e f'"), "rename it", "4:1"),
    ]


def test_llvm_renames_local_globals_and_knows_its_intrinsics():
    text = gpu_module(
        'llvm.mlir.global internal @"c.d"() : i32\nllvm.func @llvm.nvvm.read.ptx.sreg.tid.x() -> '
        'i32\nmemref.global "private" @"x.y" : memref<4xi32, 3>'
    )
    assert "c.d" in run(text, PASS)


@pytest.mark.parametrize("value", [0, 3, 262144, 8589934592])
def test_alignments_are_powers_of_two_that_can_be(value):
    attribution = f"workgroup(%s: memref<4xi32, 3> {{llvm.align = {value}}}) kernel"
    assert diagnostics(function(rest=attribution), PASS) == said(
        "gpu.func", ALIGNMENT.format("llvm.align", value), ALIGNMENT_REMEDY
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("llvm.store %v, %p {alignment = 3 : i64} : i32, !llvm.ptr", "llvm.store"),
        ("%0 = llvm.load %p {alignment = 3 : i64} : !llvm.ptr -> i32", "llvm.load"),
        ("%0 = llvm.alloca %v x i32 {alignment = 3 : i64} : (i32) -> !llvm.ptr", "llvm.alloca"),
    ],
)
def test_accesses_have_such_alignments_too(text, name):
    place = f"3:{6 if text.startswith('%0') else 1}"
    found = diagnostics(function(arguments="%p: !llvm.ptr, %v: i32", body=text), PASS)
    assert found == said(name, ALIGNMENT.format("alignment", 3), ALIGNMENT_REMEDY, place)


@pytest.mark.parametrize("value", [1, 16, 131072])
def test_alignments_that_can_be(value):
    text = gpu_module(f"memref.global @g : memref<4xi32, 3> {{alignment = {value}}}")
    assert f"alignment = {value}" in run(text, PASS)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("nvvm.cluster_dim = array<i32: 0, 1, 1>", "at least 1 each, got 0, 1, 1"),
        ("nvvm.reqntid = array<i32: -1, 1, 1>", "at least 1 each, got -1, 1, 1"),
        ("nvvm.maxntid = array<i32: 32, 32, 2>", "at most 1024 threads in all, got 32, 32, 2"),
        ("nvvm.cluster_dim = array<i32: 17, 1, 1>", "at most 16 blocks in all, got 17, 1, 1"),
        (
            "known_block_size = array<i32: 1025, 1, 1>",
            "at most 1024 threads in all, got 1025, 1, 1",
        ),
        ("known_cluster_size = array<i32: 0, 1, 1>", "at least 1 each, got 0, 1, 1"),
        ("known_grid_size = array<i32: 0, 1, 1>", "at least 1 each, got 0, 1, 1"),
        ("nvvm.maxnreg = -1 : i32", "at least 1, got -1"),
        ("nvvm.minctasm = 0 : i32", "at least 1, got 0"),
        ("nvvm.cluster_max_blocks = 0 : i32", "at least 1, got 0"),
    ],
)
def test_a_kernel_states_a_launch_that_can_be(attribute, message):
    name = attribute.split(" ")[0]
    assert diagnostics(with_attributes(attribute), PASS) == said(
        "gpu.func", f"'{name}' must be {message} [T7]", LAUNCH_REMEDY
    )


@pytest.mark.parametrize(
    "attribute",
    [
        "nvvm.cluster_dim = array<i32: 4, 2, 2>",
        "nvvm.reqntid = array<i32: 32, 32, 1>",
        "known_grid_size = array<i32: 65536, 65536, 1>",
        "nvvm.minctasm = 1 : i32",
    ],
)
def test_launches_that_can_be(attribute):
    assert attribute in run(with_attributes(attribute), PASS)


@pytest.mark.parametrize(
    ("kind", "message", "remedy"),
    [
        ("f128", "must have types that PTX has, got 'f128' in f128 [T9]", "use f64 at most"),
        ("f80", "must have types that PTX has, got 'f80' in f80 [T9]", "use f64 at most"),
        (
            "vector<2xi4097>",
            "must have integers of 1..4096 bits, got i4097 in vector<2xi4097> [T9]",
            "make it several integers",
        ),
        (
            "i0",
            "must have integers of 1..4096 bits, got i0 in i0 [T9]",
            "make it several integers",
        ),
        (
            "vector<[4]xf32>",
            "must have vectors of fixed size, got vector<[4]xf32> [T9]",
            "give the vector a fixed size",
        ),
        (
            "memref<4xi32, -5>",
            "memory space must be one of 0..7 and 101, got -5 in memref<4xi32, -5> [T9]",
            SPACES,
        ),
        (
            "!llvm.struct<(i32, ptr<9>)>",
            "memory space must be one of 0..7 and 101, got 9 in !llvm.struct<(i32, ptr<9>)> [T9]",
            SPACES,
        ),
    ],
)
def test_types_and_memory_spaces_are_the_machines(kind, message, remedy):
    assert diagnostics(function(arguments=f"%x: {kind}"), PASS) == said("gpu.func", message, remedy)


@pytest.mark.parametrize(
    "kind",
    ["!llvm.ptr<101>", "memref<4xi32, 7>", "vector<4xf32>", "f64", "i4096", "memref<4xf32, 1>"],
)
def test_types_that_the_machine_has(kind):
    assert kind in run(function(arguments=f"%x: {kind}"), PASS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("llvm.mlir.global internal @z() {addr_space = 6 : i32} : i32", "llvm.mlir.global"),
        ("memref.global @z : memref<4xi32, 6>", "memref.global"),
        ("memref.global @z : memref<4xi32, #nvvm.memory_space<tensor>>", "memref.global"),
    ],
)
def test_no_global_is_in_tensor_memory(text, name):
    assert diagnostics(gpu_module(text), PASS) == said(
        name,
        "must be in global, shared or constant memory, got 6, which is tensor memory [T2]",
        "allocate it at run time with nvvm.tcgen05.alloc",
    )


def test_no_global_is_in_local_memory():
    text = gpu_module("llvm.mlir.global internal @z() {addr_space = 5 : i32} : i32")
    message = "memory space of a global must be 0, 1, 3 or 4, got 5 [T9]"
    assert diagnostics(text, PASS) == said("llvm.mlir.global", message, SPACES)


def test_scopes_are_the_backends():
    text = function(body='llvm.fence syncscope("foo") seq_cst')
    assert diagnostics(text, PASS) == said(
        "llvm.fence",
        "'syncscope' must be one of 'singlethread', 'block', 'cluster', 'device', got 'foo' [T10]",
        "leave it out for the whole system",
        "3:1",
    )


@pytest.mark.parametrize("scope", ["singlethread", "block", "cluster", "device"])
def test_scopes_that_the_backend_knows(scope):
    assert scope in run(function(body=f'llvm.fence syncscope("{scope}") seq_cst'), PASS)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (function(rest="workgroup(%s: memref<?xi32, 3>) kernel"), "T4"),
        (function('"a-b"', rest="kernel"), "T5"),
        (gpu_module("memref.global @g : memref<4xi32, 3> {alignment = 8589934592}"), "T6"),
        (with_attributes("nvvm.cluster_dim = array<i32: 0, 1, 1>"), "T7"),
        (function(arguments="%x: memref<4xi32, -5>", rest="kernel"), "T9"),
        (function(rest="kernel", body='llvm.fence syncscope("foo") seq_cst'), "T10"),
        (gpu_module("llvm.mlir.global internal @z() {addr_space = 6 : i32} : i32"), "T2"),
        (
            function(rest="kernel", body='llvm.inline_asm has_side_effects "x $9", "" : () -> ()'),
            "T8",
        ),
    ],
)
def test_the_compiler_says_so_and_the_process_goes_on(text, rule):
    """In a process of its own: without the check LLVM ends it."""
    script = (
        "import sys, tcgen05_mlir\n"
        "try:\n    tcgen05_mlir.compile(sys.argv[1])\n"
        "except tcgen05_mlir.MLIRError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, text], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"[{rule}]" in done.stdout
