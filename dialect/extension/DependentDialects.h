//===- DependentDialects.h - Dialects of a pass, by name --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_EXTENSION_DEPENDENTDIALECTS_H
#define TCGEN05_EXTENSION_DEPENDENTDIALECTS_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mlir::tcgen05 {

/// Inserts into `registry` those of the named dialects that the registry of
/// tcgen05SetDialectRegistry holds. Thread safe.
void insertDialects(ArrayRef<std::string> names, DialectRegistry &registry);

} // namespace mlir::tcgen05

#endif // TCGEN05_EXTENSION_DEPENDENTDIALECTS_H
