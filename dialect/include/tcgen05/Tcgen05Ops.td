//===- Tcgen05Ops.td - cp, view, address -------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_OPS_TD
#define TCGEN05_OPS_TD

include "mlir/Dialect/LLVMIR/NVVMOps.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tcgen05/Tcgen05Attrs.td"

def Tcgen05_CpOp : Op<Tcgen05_Dialect, "cp", [AttrSizedOperandSegments]> {
  let summary = "Copy from shared memory to tensor memory";
  let description = [{
    Destination first, as in PTX. Indices choose leading dimensions; what
    remains of both memrefs is `(*repeat, row, word)`, the same repeat in both,
    and (row, word) the instruction's atom. Each repeat is one instruction, in
    row-major order. `predicate` gates the instructions and nothing else.

    ```mlir
    tcgen05.cp <shape_32x128b> %sf_tmem, %sf_smem[%stage] multicast(<warpx4>)
        descriptor(<ldo = 16, sdo = 128>) predicate(%p)
        : memref<4x32x4xi32, #sf, #nvvm.memory_space<tensor>>,
          memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
    ```

    Verified here: C1 (legal form), C2 (memory spaces and layouts), C3 (element
    types), C4 (dimensions), C5 (descriptor fields).
  }];
  let arguments = (ins
    Tcgen05CpShapeAttr:$shape,
    Arg<AnyMemRef, "tensor memory", [MemWriteAt<1, FullEffect>]>:$dst,
    Variadic<Index>:$dst_indices,
    Arg<AnyMemRef, "shared memory", [MemReadAt<0, FullEffect>]>:$src,
    Variadic<Index>:$src_indices,
    DefaultValuedAttr<Tcgen05CpMulticastAttr,
        "::mlir::NVVM::Tcgen05CpMulticast::NONE">:$multicast,
    DefaultValuedAttr<CTAGroupKindAttr,
        "::mlir::NVVM::CTAGroupKind::CTA_1">:$cta_group,
    OptionalAttr<Tcgen05CpSrcFormatAttr>:$src_format,
    OptionalAttr<Tcgen05_SmemDescAttr>:$descriptor,
    Optional<I1>:$predicate);
  let assemblyFormat = [{
    $shape $dst (`[` $dst_indices^ `]`)? `,` $src (`[` $src_indices^ `]`)?
    `` custom<Clauses>($multicast, $cta_group, $src_format, $descriptor, $predicate)
    attr-dict `:` type($dst) `,` type($src)
  }];
  let hasVerifier = 1;
}

def Tcgen05_ViewOp : Op<Tcgen05_Dialect, "view", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "An address seen through an explicit layout";
  let description = [{
    From an i32 TMEM address or `!llvm.ptr<6>` to a tensor-memory memref with a
    `tmem_layout`; from a workgroup memref or `!llvm.ptr<3>` to a workgroup
    memref. `alignment` is the user's word, in bytes, on the address.

    ```mlir
    %t = tcgen05.view %taddr : i32
        to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
    %s = tcgen05.view %buffer alignment(1024)
        : memref<16384xi8, #gpu.address_space<workgroup>>
        to memref<128x32xi32, #swizzled, #gpu.address_space<workgroup>>
    ```

    Verified here: V1 (address and result agree), V2 (element type and layout of
    the result), V3 (alignment).
  }];
  let arguments = (ins AnyType:$address, OptionalAttr<I64Attr>:$alignment);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = [{
    $address (`alignment` `(` $alignment^ `)`)? attr-dict
    `:` type($address) `to` type($view)
  }];
  let hasVerifier = 1;
}

def Tcgen05_AddressOp : Op<Tcgen05_Dialect, "address", [Pure]> {
  let summary = "The TMEM address of an element";
  let description = [{
    `lane << 16 | column` of the first replica. Indices that are left out are
    zero. With it, `tcgen05.ld`, `tcgen05.st` and `tcgen05.mma` share the layout
    that the copy was proved against.

    ```mlir
    %a = tcgen05.address %t[%row, %c0]
        : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>> -> i32
    ```

    Verified here: V4 (a tensor-memory view, not more indices than dimensions).
  }];
  let arguments = (ins AnyMemRef:$view, Variadic<Index>:$indices);
  let results = (outs I32:$address);
  let assemblyFormat = [{
    $view (`[` $indices^ `]`)? attr-dict `:` type($view) `->` type($address)
  }];
  let hasVerifier = 1;
}

#endif // TCGEN05_OPS_TD
