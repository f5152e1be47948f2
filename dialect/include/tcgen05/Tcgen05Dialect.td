//===- Tcgen05Dialect.td - The tcgen05 dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_DIALECT_TD
#define TCGEN05_DIALECT_TD

include "mlir/IR/OpBase.td"

def Tcgen05_Dialect : Dialect {
  let name = "tcgen05";
  let cppNamespace = "::tcgen05";
  let summary = "Copies from shared memory to tensor memory (PTX tcgen05.cp)";
  let description = [{
    Blackwell's `tcgen05.cp` copies an image that a 64-bit descriptor defines
    in shared memory into tensor memory (TMEM). This dialect states the copy
    with explicit layouts on both sides, so that a pass can prove it before it
    becomes one instruction per repeat. Everything around the copy (alloc,
    fences, mbarriers, commit, wait, ld) stays in the NVVM dialect.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif // TCGEN05_DIALECT_TD
