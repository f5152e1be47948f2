"""What emulation refuses: one error for each operation, and the module stays as it was."""

from __future__ import annotations

import pytest
from mlir import ir
from refusing import refused
from tcgen05_mlir import MLIRError, run_pipeline

REMEDY = "compile for a chip with tcgen05 without emulation, or keep it out of this gpu.module"
KNOWN = (
    "emulation has alloc, dealloc, relinquish_alloc_permit, cp, commit, shift, ld, st, wait and "
    "fence [E1]"
)
TARGET = '#nvvm.target<chip = "{}", features = "+ptx80">'


def _errors(body: str, *, chip: str = "sm_90", extra: str = "") -> list[tuple[str, list[str]]]:
    """The messages of the pass, each with its notes; the module is unchanged."""
    text = f"""
    gpu.module @kernels [{TARGET.format(chip)}] {{
      {extra}
      llvm.func @kernel(%t: !llvm.ptr<6>, %d: i64, %b: !llvm.ptr<3>, %i: i32, %m: i16, %p: i1)
          attributes {{gpu.kernel, nvvm.kernel}} {{
        {body}
        llvm.return
      }}
    }}"""
    text = text.replace(">]", ", verifyTarget = false>]")
    with ir.Context():
        return refused(ir.Module.parse(text))


def test_mma_is_named() -> None:
    body = "nvvm.tcgen05.mma %t, %d, %d, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, "
    body += "ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)"
    assert _errors(body) == [(f"'nvvm.tcgen05.mma' op cannot be emulated: {KNOWN}", [REMEDY])]


def test_every_operation_is_reported() -> None:
    call = '"llvm.nvvm.tcgen05.wait.ld"'
    body = f"""
      llvm.call_intrinsic {call}() : () -> ()
      nvvm.tcgen05.fence <after>
      llvm.inline_asm has_side_effects "tcgen05.wait::st.sync.aligned;", "" : () -> ()
    """
    what = "holds tcgen05 instructions that cannot be emulated"
    assert _errors(body) == [
        (f"'llvm.call_intrinsic' op cannot be emulated: {KNOWN}", [REMEDY]),
        (f"'llvm.inline_asm' op {what}: {KNOWN}", [REMEDY]),
    ]


@pytest.mark.parametrize(
    ("text", "constraints"),
    [
        ("tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,l"),
        ("@$2 tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,l,~{memory}"),
        ("tcgen05.cp.cta_group::1.128x128b [$0], $1; tcgen05.fence::after_thread_sync;", "r,l"),
    ],
)
def test_copies_in_assembly_of_another_form(text: str, constraints: str) -> None:
    body = f"""%a = llvm.ptrtoint %t : !llvm.ptr<6> to i32
      llvm.inline_asm has_side_effects "{text}", "{constraints}" %a, %d : (i32, i64) -> ()"""
    what = "holds tcgen05 instructions that cannot be emulated"
    assert _errors(body) == [(f"'llvm.inline_asm' op {what}: {KNOWN}", [REMEDY])]


def test_a_copy_in_assembly_that_does_not_exist() -> None:
    body = """%a = llvm.ptrtoint %t : !llvm.ptr<6> to i32
      llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.64x128b [$0], $1;",
          "r,l,~{memory}" %a, %d : (i32, i64) -> ()"""
    ((message, notes),) = _errors(body)
    assert message == (
        "'llvm.inline_asm' op 'mnemonic' must be tcgen05.cp.cta_group::{1,2}.FORM"
        "{.b8x16.SRC_FORMAT}, got tcgen05.cp.cta_group::1.64x128b; legal forms are 128x256b, "
        "128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4 [C1]"
    )
    assert notes == []


@pytest.mark.parametrize(
    ("types", "what"),
    [
        ("i32", "must have 2 operands to be emulated, got 1 [E1]"),
        ("i32, i64, i1", "must have 2 operands to be emulated, got 3 [E1]"),
        ("f32, i64", "'$0' must be of type i32 or !llvm.ptr<6> to be emulated, got f32 [E1]"),
        (
            "!llvm.ptr<3>, i64",
            "'$0' must be of type i32 or !llvm.ptr<6> to be emulated, got !llvm.ptr<3> [E1]",
        ),
        ("i32, i32", "'$1' must be of type i64 to be emulated, got i32 [E1]"),
        ("i32, i64 -> i32", "must have no result to be emulated, got i32 [E1]"),
        ("@ i32, i64, i32", "'$2' must be of type i1 to be emulated, got i32 [E1]"),
        ("@ i32, i64, i1, i1", "must have 3 operands to be emulated, got 4 [E1]"),
        ("@ i32, i64", "must have 3 operands to be emulated, got 2 [E1]"),
    ],
)
def test_operands_of_assembly(types: str, what: str) -> None:
    guarded = types.startswith("@")
    inputs, _, output = types.removeprefix("@").partition("->")
    kinds = [kind.strip() for kind in inputs.split(",")]
    values = [f"%x{number} = llvm.mlir.undef : {kind}" for number, kind in enumerate(kinds)]
    names = ", ".join(f"%x{number}" for number in range(len(kinds)))
    instruction = "tcgen05.cp.cta_group::1.128x128b [$0], $1;"
    text = f'"@$2 {instruction}", "r,l,b,~{{memory}}"'
    if not guarded:
        text = f'"{instruction}", "r,l,~{{memory}}"'
    kind = f"({', '.join(kinds)}) -> {output or '()'}"
    assembly = f"llvm.inline_asm has_side_effects {text} {names} : {kind}"
    body = "\n".join([*values, f"%r = {assembly}" if output else assembly])
    body += "\nllvm.store %r, %b : i32, !llvm.ptr<3>" if output else ""
    assert _errors(body) == [(f"'llvm.inline_asm' op {what}", [])]


@pytest.mark.parametrize("space", [1, 4, 5, 6, 7])
@pytest.mark.parametrize("name", ["alloc %x, %i : {}, i32", "commit %x : {}"])
def test_pointers_to_other_memory(name: str, space: int) -> None:
    kind = f"!llvm.ptr<{space}>"
    body = f"%x = llvm.mlir.undef : {kind}\nnvvm.tcgen05.{name.format(kind)}"
    assert _errors(body) == [
        (
            f"'nvvm.tcgen05.{name.split()[0]}' op 'addr' must be of type !llvm.ptr<3> or "
            f"!llvm.ptr to be emulated, got {kind} [E1]",
            [],
        )
    ]


@pytest.mark.parametrize(
    "kinds",
    ["i64, i64", "!llvm.ptr<3>, f32", "vector<2x!llvm.ptr<3>>, i64", "!llvm.ptr<3>, vector<2xi64>"],
)
def test_alignments_of_something_else(kinds: str) -> None:
    first, second = kinds.split(", ")
    body = f"""nvvm.tcgen05.fence <after>
      %x = llvm.mlir.undef : {first}
      %y = llvm.mlir.undef : {second}
      llvm.intr.assume %p ["align"(%x, %y : {kinds})] : i1"""
    assert _errors(body) == [
        (
            "'llvm.intr.assume' op operand bundle 'align' must have a pointer and an integer to be "
            f"emulated, got {kinds} [E1]",
            [],
        )
    ]


@pytest.mark.parametrize("place", ["builtin.module", "gpu.module @inside"])
def test_a_module_in_the_gpu_module(place: str) -> None:
    inner = "llvm.func @inner() { nvvm.tcgen05.fence <before> llvm.return }"
    assert _errors("", extra=f"{place} {{ {inner} }}") == [
        (
            "'nvvm.tcgen05.fence' op must be in a function of the gpu.module, not of a module in "
            "it, to be emulated [E1]",
            [],
        )
    ]


def test_operations_of_this_dialect_come_first() -> None:
    text = """
    #tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
    gpu.module @kernels {
      gpu.func @kernel(%t: i32) kernel {
        %v = tcgen05.view %t : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
        gpu.return
      }
    }"""
    with ir.Context(), pytest.raises(MLIRError) as caught:
        run_pipeline(ir.Module.parse(text), "tcgen05-emulate")
    (found,) = caught.value.error_diagnostics
    assert found.message == "'tcgen05.view' op must be lowered before emulation [E1]"
    assert [note.message for note in found.notes] == ["put convert-tcgen05-to-nvvm in front"]


def test_a_chip_that_is_too_old() -> None:
    ((message, _),) = _errors("nvvm.tcgen05.fence <after>", chip="sm_75")
    assert message == (
        "'gpu.module' op chip 'sm_75' is too old to emulate tcgen05, wanted sm_80 or later [T1]"
    )


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("nvvm.tcgen05.commit %b, multicast_mask = %m : !llvm.ptr<3>, i16", "a multicast mask"),
        (
            "nvvm.tcgen05.shift %t {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>",
            "cta_group::2",
        ),
    ],
)
def test_clusters_on_a_chip_without(body: str, what: str) -> None:
    ((message, _),) = _errors(body, chip="sm_80")
    name = body.split()[0]
    assert message == (
        f"'{name}' op has {what}, which needs clusters: wanted sm_90 or later, got sm_80 [T1]"
    )


def test_a_name_that_is_taken() -> None:
    extra = "llvm.mlir.global external @__tcgen05_emulation() {addr_space = 1 : i32} : i64"
    ((message, _),) = _errors("nvvm.tcgen05.fence <after>", extra=extra)
    assert message == (
        "'llvm.mlir.global' op 'sym_name' must not start with __tcgen05_, got "
        "__tcgen05_emulation [E1]"
    )
