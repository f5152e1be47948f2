//===- OptMain.cpp - mlir-opt as a function ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05-c/OptMain.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

int tcgen05OptMain(int argc, char **argv, MlirDialectRegistry registry) {
  // The launcher has acted on this flag already; here it is only declared, so
  // that `--help` lists it and the command line is accepted.
  llvm::cl::list<std::string> loadPythonPasses(
      "load-python-passes",
      llvm::cl::desc("Import a Python module or run a .py file that registers "
                     "passes; may be given more than once"),
      llvm::cl::value_desc("module or file"));
  DialectRegistry dialects;
  unwrap(registry)->appendTo(dialects);
  // mlir-opt has these too: gpu-module-to-binary translates to LLVM IR.
  registerAllGPUToLLVMIRTranslations(dialects);
  return asMainReturnCode(MlirOptMain(
      argc, argv, "mlir-opt with the tcgen05 dialect and Python passes\n",
      dialects));
}

const char *tcgen05LlvmVersion() { return LLVM_VERSION_STRING; }
