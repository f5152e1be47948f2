"""The op classes that the build generates from Tcgen05Ops.td; `tcgen05.py` is what users import."""

from collections.abc import Sequence
from typing import Any, ClassVar

from mlir import ir

from tcgen05_mlir._mlir_libs._tcgen05 import SmemDescAttr

_Value = ir.Value | ir.Operation | ir.OpView
_Attribute = ir.Attribute | Any
"""An attribute, or what upstream's builder of that kind makes one of."""

class _Dialect(ir.Dialect):
    DIALECT_NAMESPACE: ClassVar[str]

class AddressOp(ir.OpView):
    """`tcgen05.address`: the TMEM address of an element."""

    OPERATION_NAME: ClassVar[str]
    def __init__(
        self,
        address: ir.Type,
        view: _Value,
        indices: Sequence[_Value],
        *,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def view(self) -> ir.Value: ...
    @property
    def indices(self) -> ir.OpOperandList: ...
    @property
    def address(self) -> ir.OpResult: ...

class CpOp(ir.OpView):
    """`tcgen05.cp`: a copy from shared memory to tensor memory."""

    OPERATION_NAME: ClassVar[str]
    def __init__(
        self,
        shape: _Attribute,
        dst: _Value,
        dst_indices: Sequence[_Value],
        src: _Value,
        src_indices: Sequence[_Value],
        *,
        multicast: _Attribute | None = None,
        cta_group: _Attribute | None = None,
        src_format: _Attribute | None = None,
        descriptor: ir.Attribute | None = None,
        predicate: _Value | None = None,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def dst(self) -> ir.Value: ...
    @property
    def dst_indices(self) -> ir.OpOperandList: ...
    @property
    def src(self) -> ir.Value: ...
    @property
    def src_indices(self) -> ir.OpOperandList: ...
    @property
    def predicate(self) -> ir.Value | None: ...
    @property
    def shape(self) -> ir.Attribute: ...
    @shape.setter
    def shape(self, value: ir.Attribute) -> None: ...
    @property
    def multicast(self) -> ir.Attribute: ...
    @multicast.setter
    def multicast(self, value: ir.Attribute) -> None: ...
    @property
    def cta_group(self) -> ir.Attribute: ...
    @cta_group.setter
    def cta_group(self, value: ir.Attribute) -> None: ...
    @property
    def src_format(self) -> ir.Attribute | None: ...
    @src_format.setter
    def src_format(self, value: ir.Attribute | None) -> None: ...
    @src_format.deleter
    def src_format(self) -> None: ...
    @property
    def descriptor(self) -> SmemDescAttr | None: ...
    @descriptor.setter
    def descriptor(self, value: ir.Attribute | None) -> None: ...
    @descriptor.deleter
    def descriptor(self) -> None: ...

class ViewOp(ir.OpView):
    """`tcgen05.view`: an address seen through an explicit layout."""

    OPERATION_NAME: ClassVar[str]
    def __init__(
        self,
        view: ir.Type,
        address: _Value,
        *,
        alignment: ir.IntegerAttr | int | None = None,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None: ...
    @property
    def address(self) -> ir.Value: ...
    @property
    def alignment(self) -> ir.IntegerAttr | None: ...
    @alignment.setter
    def alignment(self, value: ir.IntegerAttr | None) -> None: ...
    @alignment.deleter
    def alignment(self) -> None: ...
    @property
    def view(self) -> ir.OpResult: ...

def address(
    address: ir.Type,
    view: _Value,
    indices: Sequence[_Value],
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult: ...
def cp(
    shape: _Attribute,
    dst: _Value,
    dst_indices: Sequence[_Value],
    src: _Value,
    src_indices: Sequence[_Value],
    *,
    multicast: _Attribute | None = None,
    cta_group: _Attribute | None = None,
    src_format: _Attribute | None = None,
    descriptor: ir.Attribute | None = None,
    predicate: _Value | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> CpOp: ...
def view(
    view: ir.Type,
    address: _Value,
    *,
    alignment: ir.IntegerAttr | int | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult: ...
