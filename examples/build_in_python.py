"""Builds the kernel of copy_readback.mlir with op classes instead of text, and prints it.

    python examples/build_in_python.py > copy.mlir
    tcgen05 compile copy.mlir --chip sm_100a --emit ptx

The protocol around the copy (why each fence, barrier and wait is there) is explained in
copy_readback.mlir; the two modules are equal but for comments and names. The kernel has been
compiled, never run on Blackwell hardware.
"""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith, gpu, llvm, memref, nvvm, scf, vector
from mlir.extras import types as T
from tcgen05_mlir.dialects import tcgen05  # every Context made from here on knows it

ROWS, WORDS, COLUMNS = 128, 4, 32
SHARED = 3  # the number of the shared memory space in LLVM's terms


def workgroup_type() -> ir.MemRefType:
    """The tile in shared memory: rows of 16 bytes, one after the other."""
    space = ir.Attribute.parse("#gpu.address_space<workgroup>")
    return ir.MemRefType.get([ROWS, WORDS], T.i32(), memory_space=space)


def tensor_type() -> ir.MemRefType:
    """The tile in tensor memory: row r in lane r, word w in column w."""
    layout = tcgen05.TmemLayoutAttr.get("(128, 4) : (1@lane, 1@col)")
    space = ir.Attribute.parse("#nvvm.memory_space<tensor>")
    return ir.MemRefType.get([ROWS, WORDS], T.i32(), layout, space)


def pointer(space: int) -> ir.Type:
    return ir.Type.parse(f"!llvm.ptr<{space}>")


def shared_word(name: str, type_: ir.Type, alignment: int) -> None:
    """One uninitialised word of shared memory under a name."""
    llvm.mlir_global(
        type_,
        name,
        ir.Attribute.parse("#llvm.linkage<internal>"),
        alignment=alignment,
        addr_space=SHARED,
    )


@dataclass(frozen=True)
class Values:
    """What the parts of the kernel share."""

    zero: ir.Value
    one: ir.Value
    words: ir.Value
    warp_size: ir.Value
    columns: ir.Value
    arrivals: ir.Value
    parity: ir.Value
    ticks: ir.Value
    tile: ir.Value
    slot: ir.Value
    mbar: ir.Value
    tid: ir.Value
    warp: ir.Value
    is_warp0: ir.Value

    @classmethod
    def build(cls) -> Values:
        index, i32 = T.index(), T.i32()
        constants = [arith.constant(index, n) for n in (0, 1, WORDS, 32)]
        constants += [arith.constant(i32, n) for n in (COLUMNS, 1, 0, 1_000_000)]
        tile = memref.get_global(workgroup_type(), "tile")
        slot = llvm.mlir_addressof(pointer(SHARED), "taddr")
        mbar = llvm.mlir_addressof(pointer(SHARED), "copied")
        tid = gpu.thread_id(gpu.Dimension.x)
        warp = arith.divui(tid, constants[3])
        is_warp0 = arith.cmpi(arith.CmpIPredicate.eq, warp, constants[0])
        return cls(*constants, tile, slot, mbar, tid, warp, is_warp0)


def then(condition: ir.Value) -> ir.InsertionPoint:
    """The body of an scf.if without results and without an else."""
    branch = scf.IfOp(condition)
    with ir.InsertionPoint(branch.then_block):
        end = scf.YieldOp([])
    return ir.InsertionPoint(end)


def elected() -> ir.InsertionPoint:
    """A branch that one thread of the warp takes."""
    return then(nvvm.elect_sync(T.bool()))


def allocate(v: Values) -> None:
    with then(v.is_warp0):
        nvvm.tcgen05_alloc(v.slot, v.columns)
        with elected():
            nvvm.mbarrier_init(v.mbar, v.arrivals)


def fill(v: Values, source: ir.Value) -> None:
    loop = scf.ForOp(v.zero, v.words, v.one)
    with ir.InsertionPoint(loop.body):
        where = [v.tid, loop.induction_variable]
        memref.store(memref.load(source, where), v.tile, where)
        scf.yield_([])
    kind = ir.Attribute.parse("#nvvm.proxy_kind<async.shared>")
    nvvm.fence_proxy(kind, space=ir.Attribute.parse("#nvvm.shared_space<cta>"))
    gpu.barrier()


def copy(v: Values, tmem: ir.Value) -> None:
    with then(v.is_warp0), elected():
        descriptor = tcgen05.SmemDescAttr.get(ldo=16, sdo=128)
        tcgen05.cp(tmem, v.tile, "128x128b", descriptor=descriptor)
        nvvm.tcgen05_commit(v.mbar)
    nvvm.mbarrier_try_wait_parity(v.mbar, v.parity, v.ticks)
    nvvm.tcgen05_fence(ir.Attribute.parse("#nvvm.tcgen05_fence<after>"))


def read_back(v: Values, tmem: ir.Value, destination: ir.Value) -> None:
    row = arith.muli(v.warp, v.warp_size)
    source = llvm.inttoptr(pointer(6), tcgen05.address(tmem, [row, v.zero]))
    shape = ir.Attribute.parse("#nvvm.tcgen05_ldst_shape<shape_32x32b>")
    words = nvvm.tcgen05_ld(ir.VectorType.get([WORDS], T.i32()), shape, source)
    nvvm.tcgen05_wait(ir.Attribute.parse("#nvvm.tcgen05_wait<load>"))
    vector.store(words, destination, [v.tid, v.zero])
    nvvm.tcgen05_fence(ir.Attribute.parse("#nvvm.tcgen05_fence<before>"))
    gpu.barrier()


def free(v: Values, base: ir.Value) -> None:
    with then(v.is_warp0):
        nvvm.tcgen05_relinquish_alloc_permit()
        nvvm.tcgen05_dealloc(llvm.inttoptr(pointer(6), base), v.columns)


def body(kernel: gpu.GPUFuncOp) -> None:
    source, destination = kernel.entry_block.arguments
    v = Values.build()
    allocate(v)
    fill(v, source)
    base = llvm.load(T.i32(), v.slot)
    tmem = tcgen05.view(tensor_type(), base)
    copy(v, tmem)
    read_back(v, tmem, destination)
    free(v, base)
    gpu.return_([])


def build() -> ir.Module:
    """The module of copy_readback.mlir, in a Context of its own.

    One gpu.module with one kernel, copy(A, Out), on 128x4 words of 32 bits.
    """
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            kernels = gpu.GPUModuleOp("kernels")
        with ir.InsertionPoint(kernels.bodyRegion.blocks.append()):
            memref.global_("tile", workgroup_type(), sym_visibility="private", alignment=16)
            shared_word("taddr", T.i32(), 4)
            shared_word("copied", T.i64(), 8)
            tile = ir.MemRefType.get([ROWS, WORDS], T.i32())
            signature = ir.FunctionType.get([tile, tile], [])
            kernel = gpu.GPUFuncOp(signature, "copy", kernel=True, body_builder=body)
            kernel.attributes["nvvm.reqntid"] = ir.DenseI32ArrayAttr.get([ROWS, 1, 1])
        module.operation.verify()
        return module


if __name__ == "__main__":
    print(build())
