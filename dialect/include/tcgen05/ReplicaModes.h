//===- ReplicaModes.h - Replica sets of a TMEM layout -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_REPLICAMODES_H
#define TCGEN05_REPLICAMODES_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tcgen05 {

/// The modes of a replica set, one (extent, lane stride, column stride) each.
struct ReplicaModes {
  llvm::SmallVector<int64_t> extents, lanes, columns;

  /// Drops extents of 1, sorts (lanes before columns, strides ascending) and
  /// coalesces neighbours: (2, 2) : (64@lane, 32@lane) becomes
  /// (4) : (32@lane).
  void canonicalize();
};

} // namespace tcgen05

#endif // TCGEN05_REPLICAMODES_H
