"""Fences of proxies and of cluster scope on chips that have neither."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.texts import string_text

_ALIAS = "#nvvm.proxy_kind<alias>"
_SHARED = "#nvvm.proxy_kind<async.shared>"
_CLUSTER = "#nvvm.mem_scope<cluster>"


def fence_block(op: ir.Operation) -> None:
    """In place of a fence of the cluster: the block is all of it."""
    _replace(op, "cta")


def fence_proxy(op: ir.Operation) -> None:
    """In place of a fence between proxies; `alias` stays, which these chips have."""
    kind = str(op.attributes["kind"]) if op.name == "nvvm.fence.proxy" else ""
    if kind == _SHARED:
        _replace(op, "cta")
    elif kind != _ALIAS:
        system = str(op.attributes.get("scope", "")).endswith("<sys>")
        _replace(op, "sys" if system else "gpu")


def block_scope(op: ir.Operation) -> None:
    """Cluster scope, of a memory barrier or of LLVM's atomics and fences, becomes block scope."""
    if op.name == "nvvm.memory.barrier" and str(op.attributes["scope"]) == _CLUSTER:
        op.attributes["scope"] = _scope("cta")
    scope = op.attributes.get("syncscope", None)
    if isinstance(scope, ir.StringAttr) and string_text(scope) == "cluster":
        op.attributes["syncscope"] = ir.StringAttr.get("block")


def _replace(op: ir.Operation, scope: str) -> None:
    ir.Operation.create(
        "nvvm.memory.barrier",
        attributes={"scope": _scope(scope)},
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.erase()


def _scope(name: str) -> ir.Attribute:
    return ir.Attribute.parse(f"#nvvm.mem_scope<{name}>")
