//===- Instructions.h - The legal forms of tcgen05.cp -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_INSTRUCTIONS_H
#define TCGEN05_LIB_INSTRUCTIONS_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tcgen05 {

/// One legal (shape, multicast) form. The Python model's table says more; a
/// test compares the two.
struct Instruction {
  mlir::NVVM::Tcgen05CpShape shape;
  mlir::NVVM::Tcgen05CpMulticast multicast;
  int64_t rows, words; // 32-bit words
  llvm::StringLiteral ptx;

  /// LDO separates the two 16-byte halves of an unswizzled 256-bit row.
  bool readsLdo(int64_t swizzle) const { return swizzle == 0 && words == 8; }
  /// SDO separates blocks of eight rows; four rows have one.
  bool readsSdo() const { return rows > 4; }
};

/// The form, or null where there is none.
const Instruction *findInstruction(mlir::NVVM::Tcgen05CpShape shape,
                                   mlir::NVVM::Tcgen05CpMulticast multicast);

/// The multicasts that `shape` takes: "warpx2_02_13 or warpx2_01_23".
std::string describeMulticasts(mlir::NVVM::Tcgen05CpShape shape);

/// All forms in PTX spelling, separated by commas.
std::string describeInstructions();

} // namespace tcgen05

#endif // TCGEN05_LIB_INSTRUCTIONS_H
