//===- LspServerMain.cpp - mlir-lsp-server as a function -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05-c/OptMain.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int tcgen05LspServerMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(MlirLspServerMain(argc, argv, *unwrap(registry)));
}
