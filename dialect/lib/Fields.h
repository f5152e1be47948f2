//===- Fields.h - `name = value` in attribute text --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_FIELDS_H
#define TCGEN05_LIB_FIELDS_H

#include "mlir/IR/OpImplementation.h"

namespace tcgen05 {

/// One `name = value`; `parse` takes the value.
struct Field {
  llvm::StringRef name;
  llvm::function_ref<mlir::ParseResult()> parse;
  bool given = false;
};

/// Parses one of `fields`, which must not have been given before.
mlir::ParseResult parseField(mlir::AsmParser &parser,
                             llvm::MutableArrayRef<Field> fields);

/// Parses a decimal integer. Upstream's own reads `true` as -1.
mlir::ParseResult parseNumber(mlir::AsmParser &parser, int64_t &value);

} // namespace tcgen05

#endif // TCGEN05_LIB_FIELDS_H
