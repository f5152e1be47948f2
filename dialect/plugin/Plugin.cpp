//===- Plugin.cpp - The dialect for mlir-opt --load-dialect-plugin --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Tcgen05Dialect.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"

static void registerDialect(mlir::DialectRegistry *registry) {
  registry->insert<tcgen05::Tcgen05Dialect>();
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tcgen05", LLVM_VERSION_STRING,
          registerDialect};
}
