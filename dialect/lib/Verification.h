//===- Verification.h - What the op verifiers share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_VERIFICATION_H
#define TCGEN05_LIB_VERIFICATION_H

#include "tcgen05/Tcgen05Dialect.h"

namespace tcgen05 {

enum class Space { Tensor, Shared, Other };

/// Tensor memory is `#nvvm.memory_space<tensor>` or 6; shared memory is
/// `#gpu.address_space<workgroup>`, 3, or `#nvvm.memory_space<shared>`.
Space getSpace(mlir::MemRefType type);

/// The memory space as a message shows it.
std::string describeSpace(mlir::MemRefType type);

/// The layout as a message shows it.
std::string describeLayout(mlir::MemRefType type);

/// An integer or float type of 32 bits.
bool is32Bit(mlir::Type type);

/// Refuses discardable attributes without a dialect prefix: nearly always a
/// misspelt name of one of the op's own.
llvm::LogicalResult verifyAttributeNames(mlir::Operation *op);

} // namespace tcgen05

#endif // TCGEN05_LIB_VERIFICATION_H
