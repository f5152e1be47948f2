"""tcgen05.commit: its copies are complete when it runs, so it arrives at once.

The address is one of shared::cluster, for a commit of either group: it may be another block's, be
it as a pointer to shared memory. Source: PTX `tcgen05-commit`.
"""

from __future__ import annotations

from functools import partial

from mlir import ir

from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS

from .binding import check_cluster
from .code import Code
from .lanes import register
from .library import Library
from .memory import fence, shared_of_cluster
from .report import check
from .values import Value, integer_type, pointer_type

_MASK_BITS = 16


def commit_function(library: Library, group: int, space: int, multicast: bool) -> str:
    """The function (mbarrier pointer, mask i16 where `multicast`, site i32)."""
    parts = ["commit", "shared" if space == 3 else "generic"]
    parts += ["multicast"] if multicast else []
    parts += ["cta2"] if group == 2 else []
    masks = [integer_type(_MASK_BITS)] if multicast else []
    arguments = [pointer_type(space), *masks, integer_type(32)]
    clusters = library.chip >= FIRST_WITH_CLUSTERS
    write = partial(_write_remote, group, multicast) if clusters else _write_own
    return library.function("_".join(parts), arguments, None, write, "no_inline")


def _write_own(code: Code) -> None:
    """Without clusters every mbarrier is the block's own."""
    barrier, _ = code.arguments
    code.operation("nvvm.mbarrier.arrive", [barrier], [integer_type(64)])
    code.give()


def _write_remote(group: int, multicast: bool, code: Code) -> None:
    barrier, *masks, site = code.arguments
    if group == 2:
        check_cluster(code, site)
    # The copies read shared memory as the async proxy would: before its later writes there.
    code.operation(
        "nvvm.fence.proxy",
        kind="#nvvm.proxy_kind<async.shared>",
        space="#nvvm.shared_space<cta>",
    )
    # Whoever waits sees what was written before, the other block of a pair in its tensor memory.
    fence(code, "cluster")
    shared = _shared(barrier)
    if multicast:
        _arrive_everywhere(code, shared, masks[0].to(32), site)
    else:
        # An address of shared::cta is one of shared::cluster too, that of the block itself.
        _arrive(code, _cast(shared, 7))
    code.give()


def _arrive_everywhere(code: Code, barrier: Value, mask: Value, site: Value) -> None:
    """Once at the same offset in each block of the mask."""
    size = register(code, "cluster.nctarank")
    legal = mask.differs(0) & (mask >> size).equals(0)
    check(code, legal, "commit_mask", site, mask, size)
    with code.repeat(mask) as loop:
        (left,) = loop.values
        _arrive(code, shared_of_cluster(barrier, left.lowest()))
        rest = left & (left - 1)
        loop.again(rest.differs(0), rest)


def _arrive(code: Code, barrier: Value) -> None:
    """Without a state, which only the block's own mbarrier gives. Source: PTX `mbarrier-arrive`."""
    code.operation("nvvm.mbarrier.arrive", [barrier], scope="#nvvm.mem_scope<cluster>")


def _shared(pointer: Value) -> Value:
    return pointer if pointer.ir.type == pointer_type(3) else _cast(pointer, 3)


def _cast(pointer: Value, space: int) -> Value:
    kind: ir.Type = pointer_type(space)
    if pointer.ir.type == pointer_type(3):
        return pointer.address().pointer(space)
    return pointer.code.value("llvm.addrspacecast", [pointer], kind)
