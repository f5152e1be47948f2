"""The chips: which have tcgen05, from which PTX version on, and what the tools call them (rule T1).

A PTX version is an int here, ten times what PTX writes: 86 is `.version 8.6` and LLVM's `+ptx86`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Target:
    """One chip as LLVM 22.1.8 and ptxas 13.0 see it.

    `chip`: LLVM's name, which is PTX's `.target`. `min_ptx`: the first PTX version that knows it
    (below it LLVM ends the process). `tcgen05`: it has tensor memory. `nvvm_verifier`: the
    verifier of the NVVM ops in LLVM 22.1.8 takes tcgen05 ops for it; where it is behind, the
    target says `verifyTarget = false`. `ptxas_chip`: the name that ptxas 13.0 wants.

    `lookup("sm_101a")` is `Target("sm_101a", 86, True, True, "sm_110a")`: chip sm_101a was
    renamed. Source: PTX `target-directive`; both tools were asked, no Blackwell GPU was.
    """

    chip: str
    min_ptx: int
    tcgen05: bool
    nvvm_verifier: bool
    ptxas_chip: str

    @property
    def number(self) -> int:
        """The number in the name, by which chips follow each other: 103 of sm_103a."""
        return int(re.sub(r"\D", "", self.chip))


def _with_tcgen05(
    chip: str, min_ptx: int, nvvm_verifier: bool, ptxas_chip: str | None = None
) -> Target:
    return Target(chip, min_ptx, True, nvvm_verifier, ptxas_chip or chip)


def _without(chip: str, min_ptx: int, ptxas_chip: str | None = None) -> Target:
    return Target(chip, min_ptx, False, True, ptxas_chip or chip)


_TABLE: Final = (
    _with_tcgen05("sm_100a", 86, nvvm_verifier=True),
    _with_tcgen05("sm_100f", 88, nvvm_verifier=False),
    _with_tcgen05("sm_101a", 86, nvvm_verifier=True, ptxas_chip="sm_110a"),
    _with_tcgen05("sm_101f", 88, nvvm_verifier=False, ptxas_chip="sm_110f"),
    _with_tcgen05("sm_103a", 88, nvvm_verifier=False),
    _with_tcgen05("sm_103f", 88, nvvm_verifier=False),
    _with_tcgen05("sm_110a", 90, nvvm_verifier=False),
    _with_tcgen05("sm_110f", 90, nvvm_verifier=False),
    _without("sm_75", 63),
    _without("sm_80", 70),
    _without("sm_86", 71),
    _without("sm_87", 74),
    _without("sm_88", 90),
    _without("sm_89", 78),
    _without("sm_90", 78),
    _without("sm_90a", 80),
    _without("sm_100", 86),
    _without("sm_101", 86, ptxas_chip="sm_110"),
    _without("sm_103", 88),
    _without("sm_110", 90),
    _without("sm_120", 87),
    _without("sm_120a", 87),
    _without("sm_120f", 88),
    _without("sm_121", 88),
    _without("sm_121a", 88),
    _without("sm_121f", 88),
)

TARGETS: Final = {target.chip: target for target in _TABLE}
"""Every chip that can be compiled for, by name."""

TCGEN05_CHIPS: Final = tuple(target.chip for target in _TABLE if target.tcgen05)
"""The names of the chips that have tcgen05."""

FIRST_EMULATED: Final = 80
"""The number of the first chip that can emulate tcgen05: the first one with mbarriers."""

FIRST_WITH_CLUSTERS: Final = 90
"""The number of the first chip with clusters, and with the async proxy."""

EMULATION_PTX: Final = 80
"""The PTX version that emulated code has at least: the one with everything that sm_90 has."""

PTX_VERSIONS: Final = (63, 64, 65, *range(70, 79), *range(80, 89), 90)
"""The PTX versions that LLVM 22.1.8 writes, from sm_75's on."""


def lookup(chip: str) -> Target:
    """The target named `chip`; `lookup("sm_103a").min_ptx` is 88.

    Raises ValueError [T1] that lists the chips for a name that is none of them.
    """
    if chip in TARGETS:
        return TARGETS[chip]
    others = ", ".join(target.chip for target in _TABLE if not target.tcgen05)
    raise ValueError(
        f"chip '{chip}' is unknown, wanted one with tcgen05 ({_accepted()}) "
        f"or, for kernels that do not use it or are emulated, one of {others} [T1]"
    )


def require_tcgen05(target: Target) -> None:
    """Raises ValueError [T1] that lists the chips with tcgen05 where `target` is not among them."""
    if not target.tcgen05:
        raise ValueError(
            f"chip '{target.chip}' has no tcgen05 instructions, wanted one of {_accepted()} [T1]"
        )


def require_emulation(target: Target) -> None:
    """Raises ValueError [T1] for a chip on which tcgen05 cannot be emulated: one below sm_80.

    `require_emulation(lookup("sm_75"))` raises: sm_75 has no mbarrier. Source: PTX `mbarrier`.
    """
    if target.number < FIRST_EMULATED:
        raise ValueError(
            f"chip '{target.chip}' is too old to emulate tcgen05, wanted sm_{FIRST_EMULATED} or "
            "later [T1]"
        )


def parse_ptx(text: str) -> int:
    """`parse_ptx("8.6")`, `parse_ptx("86")` and `parse_ptx("+ptx86")` are 86.

    Raises ValueError for text of another form and for a version that LLVM 22.1.8 does not write.
    """
    match = re.fullmatch(r"(?:\+ptx)?(\d+)\.?(\d)", text)
    if match is None:
        raise ValueError(f"'ptx' must be a PTX version such as 8.6, got '{text}'")
    version = int(match[1] + match[2])
    if version not in PTX_VERSIONS:
        known = ", ".join(map(ptx_text, PTX_VERSIONS))
        raise ValueError(f"'ptx' must be one of {known}, got {ptx_text(version)}")
    return version


def check_ptx(target: Target, version: int) -> None:
    """Raises ValueError [T1] where PTX `version` does not know `target`.

    `check_ptx(lookup("sm_103a"), 86)` raises: sm_103a came with PTX 8.8.
    """
    if version < target.min_ptx:
        raise ValueError(
            f"PTX version must be at least {ptx_text(target.min_ptx)} for chip '{target.chip}', "
            f"got {ptx_text(version)} [T1]"
        )


def ptx_text(version: int) -> str:
    """The version as PTX writes it: `ptx_text(86)` is `8.6`."""
    return f"{version // 10}.{version % 10}"


def _accepted() -> str:
    return ", ".join(TCGEN05_CHIPS)
