//===- Bindings.h - The parts of the Python extension -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_EXTENSION_BINDINGS_H
#define TCGEN05_EXTENSION_BINDINGS_H

#include "mlir/Bindings/Python/NanobindAdaptors.h"

/// Each adds its functions to the extension module.
void bindAttributes(nanobind::module_ &m);
void bindDialect(nanobind::module_ &m);
void bindDiagnostics(nanobind::module_ &m);
void bindPasses(nanobind::module_ &m);
void bindPipelines(nanobind::module_ &m);
void bindTools(nanobind::module_ &m);

/// Throws a ValueError that names the remedy where `context` lacks the dialect:
/// without this check MLIR would end the process.
void requireDialect(MlirContext context);

/// A view of `text`, which must outlive it.
inline MlirStringRef toStringRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

#endif // TCGEN05_EXTENSION_BINDINGS_H
