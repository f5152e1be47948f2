"""What instructions need of chips and PTX versions, as `tcgen05_mlir.model` knows it."""

from __future__ import annotations

import pytest
from tcgen05_mlir.model.assembly_needs import assembly_needs
from tcgen05_mlir.model.intrinsic_needs import intrinsic_needs
from tcgen05_mlir.model.needs import Needs, features_of
from tcgen05_mlir.model.ptx_text import instructions, joined
from tcgen05_mlir.model.targets import TARGETS, lookup, require_emulation


@pytest.mark.parametrize(
    ("needs", "chip", "ptx", "problem"),
    [
        (Needs(80, 90), "sm_89", 90, "needs sm_90 or later, got chip 'sm_89'"),
        (Needs(80, 90), "sm_90", 78, "needs PTX version 8.0 or later, got 7.8"),
        (Needs(80, 90), "sm_90", 80, ""),
        (Needs(80, only=("sm_90a",)), "sm_90", 90, "needs sm_90a, got chip 'sm_90'"),
        (Needs(80, only=("sm_90a",)), "sm_90a", 80, ""),
        (
            Needs(86, only=("sm_100a", "sm_103a")),
            "sm_120a",
            90,
            "needs one of sm_100a, sm_103a, got chip 'sm_120a'",
        ),
        (Needs(75), "sm_75", 75, ""),
    ],
)
def test_what_is_missing_is_said(needs, chip, ptx, problem):
    assert needs.problem(lookup(chip), ptx) == problem


def test_features_are_of_chips_by_both_names():
    assert features_of((100, 103)) == ("sm_100a", "sm_100f", "sm_103a", "sm_103f")
    assert features_of((110,)) == ("sm_101a", "sm_101f", "sm_110a", "sm_110f")
    assert features_of((120,), "a") == ("sm_120a",)


@pytest.mark.parametrize("chip", TARGETS)
def test_emulation_needs_sm_80(chip):
    target = lookup(chip)
    if target.number >= 80:
        require_emulation(target)
    else:
        with pytest.raises(ValueError, match="too old to emulate tcgen05, wanted sm_80 or later"):
            require_emulation(target)


def test_a_number_is_that_of_the_name():
    assert [lookup(chip).number for chip in ("sm_75", "sm_90a", "sm_103f")] == [75, 90, 103]


def test_an_intrinsic_of_an_operation():
    assert intrinsic_needs("llvm.nvvm.elect.sync") == Needs(80, 90)
    assert intrinsic_needs("llvm.nvvm.vote.ballot.sync") is None
    assert intrinsic_needs("llvm.fabs.f32") is None


def test_names_are_joined_and_comments_left_out():
    text = "@p tcgen05 . cp . cta_group :: 1 [a]; // elect.sync\n/* mapa */ exit;"
    assert joined(text).split()[1] == "tcgen05.cp.cta_group::1"
    assert instructions(text) == ["p", "tcgen05.cp.cta_group::1", "a", "exit"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@p elect.sync _|q, -1;", [("elect.sync", Needs(80, 90))]),
        ("mov.u32 a, %clusterid.x;", [("%clusterid.x", Needs(78, 90))]),
        ("mov.u32 a, %tid.x; mov.u32 b, %ctaid.x;", []),
        ("cp.async.ca.shared.global [a], [b], 16;", [("cp.async.ca.shared.global", Needs(70, 80))]),
        ("wgmma.fence.sync.aligned;", [("wgmma.fence.sync.aligned", Needs(80, only=("sm_90a",)))]),
        ("add.rn.f32x2 a, b, c;", [("add.rn.f32x2", Needs(86, 100))]),
        ("ld.global.v4.b32 {a,b,c,d}, [p]; ld.global.v2.b64 {a,b}, [p];", []),
        ("ld.global.v8.f32 x, [p];", [("ld.global.v8.f32", Needs(88, 100))]),
        ("fma.rn.f32 a, b, c, d; fence.sc.gpu; bar.sync 0; mma.sync.aligned.m16n8k8;", []),
        (
            "fence.acq_rel.cluster; mapa.u64 a, b, c;",
            [("fence.acq_rel.cluster", Needs(78, 90)), ("mapa.u64", Needs(78, 90))],
        ),
    ],
)
def test_assembly(text, found):
    assert list(assembly_needs(text)) == found
