//===- Tcgen05Attrs.td - Layouts and descriptors -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_ATTRS_TD
#define TCGEN05_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "tcgen05/Tcgen05Dialect.td"

class Tcgen05_LayoutAttr<string name, string attrMnemonic>
    : AttrDef<Tcgen05_Dialect, name, [
        DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
            ["getAffineMap", "isIdentity", "verifyLayout",
             "getStridesAndOffset"]>,
        DeclareAttrInterfaceMethods<OpAsmAttrInterface, ["getAlias"]>]> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tcgen05_TmemLayoutAttr
    : Tcgen05_LayoutAttr<"TmemLayout", "tmem_layout"> {
  let summary = "Where each element of a memref lies in tensor memory";
  let description = [{
    One mode per memref dimension; a mode may hold several sub-modes, the last
    of which is the fastest. A stride moves along lanes or along 32-bit columns.

    ```mlir
    // Row r in lane 64 * (r / 32) + r % 32, repeated 32 lanes further on.
    #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col),
                         replicas = (2) : (32@lane), offset = (0@lane, 16@col)>
    ```

    The affine map is `lane * 65536 + column`, the TMEM address of the first
    replica relative to the base. Replica sets are canonical: extents of 1 are
    dropped, modes sorted (lanes before columns, strides ascending), neighbours
    coalesced; `(2, 2) : (64@lane, 32@lane)` is `(4) : (32@lane)`.

    It reports no strides: upstream would turn them into a `strided` layout and
    lose the replicas.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "sub-modes of each memref dimension">:$groups,
    ArrayRefParameter<"int64_t", "extents of all sub-modes">:$extents,
    ArrayRefParameter<"int64_t", "lane strides">:$laneStrides,
    ArrayRefParameter<"int64_t", "column strides">:$columnStrides,
    ArrayRefParameter<"int64_t", "replica extents">:$replicaExtents,
    ArrayRefParameter<"int64_t", "replica lane strides">:$replicaLanes,
    ArrayRefParameter<"int64_t", "replica column strides">:$replicaColumns,
    "int64_t":$laneOffset, "int64_t":$columnOffset);
  let skipDefaultBuilders = 1;
  let builders = [
    // The only way to make one, so that equal replica sets are equal attributes.
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$groups,
                     "::llvm::ArrayRef<int64_t>":$extents,
                     "::llvm::ArrayRef<int64_t>":$laneStrides,
                     "::llvm::ArrayRef<int64_t>":$columnStrides,
                     "::tcgen05::ReplicaModes":$replicas,
                     "int64_t":$laneOffset, "int64_t":$columnOffset), [{
      replicas.canonicalize();
      return $_get($_ctxt, groups, extents, laneStrides, columnStrides,
                   replicas.extents, replicas.lanes, replicas.columns,
                   laneOffset, columnOffset);
    }]>
  ];
}

def Tcgen05_SmemLayoutAttr
    : Tcgen05_LayoutAttr<"SmemLayout", "smem_layout"> {
  let summary = "Where each 32-bit word of a memref lies in shared memory";
  let description = [{
    Modes as in `tmem_layout`; strides and offset are 32-bit words from the base
    of the root buffer. `swizzle` 0..3 (none, 32, 64, 128 bytes) exchanges
    address bits: bits 4.. are XORed with bits 7.., on absolute addresses.
    The leading extent may be `?`.

    ```mlir
    // 8x16-byte core matrices, two side by side.
    #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>
    // The second 32-byte column of a tile with 128-byte swizzle.
    #tcgen05.smem_layout<(128, 8) : (32, 1), offset = 8, swizzle = 3>
    ```

    It reports no strides: take subviews of the plain buffer first.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "sub-modes of each memref dimension">:$groups,
    ArrayRefParameter<"int64_t", "extents of all sub-modes">:$extents,
    ArrayRefParameter<"int64_t", "strides in 32-bit words">:$strides,
    "int64_t":$offset, "int64_t":$swizzle);
}

def Tcgen05_SmemDescAttr : AttrDef<Tcgen05_Dialect, "SmemDesc"> {
  let mnemonic = "smem_desc";
  let summary = "The fields of a shared-memory descriptor that a user chooses";
  let description = [{
    `ldo` and `sdo` are bytes, multiples of 16 below 2^18; `swizzle` is 0..3 for
    none, 32, 64 and 128 bytes (not the hardware field's number). A field that
    the hardware does not read may be left out: `ldo` when swizzled or with
    128-bit shapes, `sdo` with 4-row shapes. Values are judged by the op [C5].

    ```mlir
    #tcgen05.smem_desc<ldo = 16, sdo = 128>
    #tcgen05.smem_desc<sdo = 1024, swizzle = 3>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"std::optional<int64_t>", "bytes">:$ldo,
    OptionalParameter<"std::optional<int64_t>", "bytes">:$sdo,
    DefaultValuedParameter<"int64_t", "0">:$swizzle);
  let hasCustomAssemblyFormat = 1;
}

#endif // TCGEN05_ATTRS_TD
