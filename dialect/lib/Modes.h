//===- Modes.h - Text and checks of nested modes ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_MODES_H
#define TCGEN05_LIB_MODES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpImplementation.h"

namespace tcgen05 {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// No extent, stride or offset exceeds 32 bits, so that their products and
/// sums stay inside 64.
constexpr int64_t kMaxMagnitude = (int64_t(1) << 31) - 1;

/// A distance in tensor memory, along lanes or along 32-bit columns.
struct Step {
  int64_t distance = 0;
  bool alongLanes = false;

  int64_t lanes() const { return alongLanes ? distance : 0; }
  int64_t columns() const { return alongLanes ? 0 : distance; }
};

/// Nested extents, flattened: groups[d] sub-modes for memref dimension d.
struct Modes {
  llvm::SmallVector<int64_t> groups, extents;
};

/// Parses `((16, 8), 4)`; `?` only as the very first extent, where allowed.
mlir::ParseResult parseExtents(mlir::AsmParser &parser, Modes &modes,
                               bool allowDynamic);

/// Parses strides nested as `modes` are, each leaf by `parseLeaf`.
mlir::ParseResult
parseStrides(mlir::AsmParser &parser, const Modes &modes,
             llvm::function_ref<mlir::ParseResult()> parseLeaf);

/// Parses `4@lane` or `4@col`.
mlir::ParseResult parseStep(mlir::AsmParser &parser, Step &step);

/// Prints a step of which at most one part is not zero; a zero is `0@col`.
void printStep(mlir::AsmPrinter &printer, int64_t lanes, int64_t columns);

/// Prints `(a, (b, c))` with leaf number k by `printLeaf(k)`.
void printNested(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> groups,
                 llvm::function_ref<void(unsigned)> printLeaf);
void printExtents(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> groups,
                  llvm::ArrayRef<int64_t> extents);

/// The sum over all sub-modes of (its coordinate) * steps[k], where dimension
/// d's index is split row-major over the sub-modes of group d.
mlir::AffineExpr linearize(llvm::ArrayRef<int64_t> groups,
                           llvm::ArrayRef<int64_t> extents,
                           llvm::ArrayRef<int64_t> steps,
                           mlir::MLIRContext *context);

/// Extents positive, all values inside kMaxMagnitude, array lengths agreeing.
llvm::LogicalResult verifyModes(EmitError emitError,
                                llvm::ArrayRef<int64_t> groups,
                                llvm::ArrayRef<int64_t> extents,
                                llvm::ArrayRef<int64_t> strides);
llvm::LogicalResult verifyMagnitude(EmitError emitError, llvm::StringRef name,
                                    int64_t value);

/// One mode per dimension, extents equal to the memref's.
llvm::LogicalResult verifyShape(EmitError emitError,
                                llvm::ArrayRef<int64_t> groups,
                                llvm::ArrayRef<int64_t> extents,
                                llvm::ArrayRef<int64_t> shape);

} // namespace tcgen05

#endif // TCGEN05_LIB_MODES_H
