"""`#nvvm.target` as a value: read from a gpu.module, checked (rule T1), written back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mlir import ir

from tcgen05_mlir.model import targets
from tcgen05_mlir.passes.texts import string_text

_PREFIX = "#nvvm.target"
_TRIPLE = "nvptx64-nvidia-cuda"
DEFAULT_OPT_LEVEL = 3


@dataclass(frozen=True)
class NvvmTarget:
    """The fields of one `#nvvm.target`, those that nothing here reads kept as text.

    `chip`: LLVM's name, empty where the attribute prints none. `features`: `+ptx86`, or empty for
    the chip's first PTX version.
    `opt_level`: 0 to 3. `extras`: the printed `flags` and `link`, which do not depend on the chip.
    `verify`: upstream's verifier judges the NVVM ops for the chip.
    """

    chip: str
    features: str = ""
    opt_level: int = DEFAULT_OPT_LEVEL
    extras: tuple[str, ...] = ()
    verify: bool = True

    @staticmethod
    def read(attribute: ir.Attribute) -> NvvmTarget:
        """The value of an attribute; raises ValueError for another kind of target."""
        text = str(attribute)
        if not text.startswith(_PREFIX):
            raise ValueError(f"'targets' must hold {_PREFIX} attributes, got {text}")
        # The parameters print as a dictionary's entries do, so that upstream's parser reads them.
        inner = text.removeprefix(_PREFIX).removeprefix("<").removesuffix(">")
        fields = {
            named.name: named.attr
            for named in ir.DictAttr(ir.Attribute.parse(f"{{{inner}}}", attribute.context))
        }
        triple = _string(fields, "triple", _TRIPLE)
        if triple != _TRIPLE:
            raise ValueError(f"'triple' of the target must be {_TRIPLE}, got '{triple}'")
        return NvvmTarget(
            _string(fields, "chip", ""),
            _string(fields, "features", ""),
            ir.IntegerAttr(fields["O"]).value if "O" in fields else 2,
            tuple(f"{name} = {fields[name]}" for name in ("flags", "link") if name in fields),
            "verifyTarget" not in fields,
        )

    @property
    def ptx(self) -> int:
        """The PTX version of a known chip: that of the features, else the chip's first."""
        versions = re.findall(r"\+ptx(\d+)", self.features)
        return int(versions[-1]) if versions else targets.lookup(self.chip).min_ptx

    def attribute(self, context: ir.Context) -> ir.Attribute:
        """The `#nvvm.target<O = 3, chip = "sm_100a", features = "+ptx86">` of this value."""
        fields = [f"O = {self.opt_level}", f'chip = "{self.chip}"']
        fields += [f'features = "{self.features}"'] if self.features else []
        fields += [*self.extras] + ([] if self.verify else ["verifyTarget = false"])
        return ir.Attribute.parse(f"{_PREFIX}<{', '.join(fields)}>", context)

    def checked(self) -> NvvmTarget:
        """This target with verification off where upstream's list of chips is behind.

        Raises ValueError for an unknown chip or a PTX version below its first [T1], and for
        features that are no PTX version: LLVM would end the process, or pass over them.
        """
        if not self.chip:
            raise ValueError(
                "'chip' of the target must be a chip with a name, got none, which is LLVM's "
                'default sm_50: write one, such as chip = "sm_100a", or give the chip when '
                "compiling [T1]"
            )
        target = targets.lookup(self.chip)
        for feature in filter(None, self.features.split(",")):
            if not feature.startswith("+ptx"):
                raise ValueError(
                    "'features' of the target must be '+ptx' and a version, such as '+ptx86', "
                    f"got '{feature}'"
                )
            targets.check_ptx(target, targets.parse_ptx(feature))
        return replace(self, verify=self.verify and target.nvvm_verifier)


def target_array(values: Iterable[NvvmTarget], context: ir.Context) -> ir.Attribute:
    """What a gpu.module holds as its targets."""
    return ir.ArrayAttr.get([value.attribute(context) for value in values], context)


@dataclass(frozen=True)
class Chip:
    """A chip that a gpu.module is compiled for, and the PTX version for it, 86 for 8.6."""

    target: targets.Target
    ptx: int


def module_chips(module: ir.Operation) -> list[Chip]:
    """The chips of a gpu.module's targets; those that are unknown, or no NVVM's, are left out."""
    attributes = module.attributes.get("targets", None)
    present = [] if attributes is None else list(ir.ArrayAttr(attributes))
    values = [NvvmTarget.read(one) for one in present if str(one).startswith(_PREFIX)]
    return [
        Chip(targets.TARGETS[value.chip], value.ptx)
        for value in values
        if value.chip in targets.TARGETS
    ]


def _string(fields: dict[str, ir.Attribute], name: str, default: str) -> str:
    return string_text(fields[name]) if name in fields else default
