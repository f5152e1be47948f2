//===- ListCopies.cpp - The dialect in a C++ program ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Tcgen05Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

/// Parses and verifies the file that the argument names, and prints its copies.
int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: list-copies FILE\n";
    return 2;
  }
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect,
                  scf::SCFDialect, tcgen05::Tcgen05Dialect,
                  vector::VectorDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(argv[1], ParserConfig(&context));
  if (!module)
    return 1;
  module->walk([](tcgen05::CpOp op) {
    llvm::outs() << NVVM::stringifyTcgen05CpShape(op.getShape()) << " to "
                 << op.getDst().getType() << "\n";
  });
  return 0;
}
