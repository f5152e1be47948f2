//===- Module.cpp - The extension tcgen05_mlir._mlir_libs._tcgen05 -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "tcgen05-c/OptMain.h"

namespace nb = nanobind;

NB_MODULE(_tcgen05, m) {
  // MLIR's registries keep the registered passes for the rest of the process.
  nb::set_leak_warnings(false);
  m.doc() = "The tcgen05 dialect and its driver on MLIR's Python bindings.";
  m.attr("llvm_version") = tcgen05LlvmVersion();
  bindDialect(m);
  bindAttributes(m);
  bindDiagnostics(m);
  bindPasses(m);
  bindPipelines(m);
  bindTools(m);
}
