//===- ReplicaModes.cpp - Replica sets of a TMEM layout -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/ReplicaModes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace tcgen05;

namespace {
struct Mode {
  int64_t extent, lane, column;

  static uint64_t magnitude(int64_t value) {
    return value < 0 ? -uint64_t(value) : uint64_t(value);
  }
  /// Lanes before columns, then by distance, then by sign.
  auto key() const {
    return std::make_tuple(lane == 0, magnitude(lane), magnitude(column), lane,
                           column);
  }
  /// Absorbs `next` where its step is one full run of this mode. Values that
  /// overflow stay apart: the attribute's verifier refuses them.
  bool absorb(const Mode &next) {
    int64_t laneRun, columnRun, product;
    if (llvm::MulOverflow(lane, extent, laneRun) || laneRun != next.lane ||
        llvm::MulOverflow(column, extent, columnRun) ||
        columnRun != next.column ||
        llvm::MulOverflow(extent, next.extent, product))
      return false;
    extent = product;
    return true;
  }
};
} // namespace

void ReplicaModes::canonicalize() {
  llvm::SmallVector<Mode> modes;
  for (auto [extent, lane, column] : llvm::zip_equal(extents, lanes, columns))
    if (extent != 1)
      modes.push_back({extent, lane, column});
  llvm::sort(modes,
             [](const Mode &a, const Mode &b) { return a.key() < b.key(); });
  llvm::SmallVector<Mode> merged;
  for (const Mode &mode : modes)
    if (merged.empty() || !merged.back().absorb(mode))
      merged.push_back(mode);
  extents.clear();
  lanes.clear();
  columns.clear();
  for (const Mode &mode : merged) {
    extents.push_back(mode.extent);
    lanes.push_back(mode.lane);
    columns.push_back(mode.column);
  }
}
