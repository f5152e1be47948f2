//===- Verification.cpp - What the op verifiers share ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verification.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tcgen05;

static constexpr int64_t kSharedSpace = 3;
static constexpr int64_t kTensorSpace = 6;

Space tcgen05::getSpace(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto number = dyn_cast_or_null<IntegerAttr>(space)) {
    if (number.getValue() == kTensorSpace)
      return Space::Tensor;
    return number.getValue() == kSharedSpace ? Space::Shared : Space::Other;
  }
  if (auto named = dyn_cast_or_null<NVVM::NVVMMemorySpaceAttr>(space)) {
    if (named.getValue() == NVVM::NVVMMemorySpace::Tensor)
      return Space::Tensor;
    return named.getValue() == NVVM::NVVMMemorySpace::Shared ? Space::Shared
                                                             : Space::Other;
  }
  auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  return named && named.getValue() == gpu::AddressSpace::Workgroup
             ? Space::Shared
             : Space::Other;
}

static std::string toString(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto number = dyn_cast<IntegerAttr>(attr))
    os << number.getValue();
  else
    os << attr;
  return text;
}

std::string tcgen05::describeSpace(MemRefType type) {
  Attribute space = type.getMemorySpace();
  return space ? toString(space) : "the default memory space";
}

std::string tcgen05::describeLayout(MemRefType type) {
  if (type.getLayout().isIdentity())
    return "the identity layout";
  return toString(type.getLayout());
}

bool tcgen05::is32Bit(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() == 32;
}

/// The op's attribute that `name` most likely means, or an empty string.
static StringRef findNearest(StringRef name, ArrayRef<StringAttr> known) {
  StringRef nearest;
  unsigned best = name.size() / 2 + 1;
  for (StringAttr attr : known) {
    StringRef candidate = attr.getValue();
    if (candidate == "operandSegmentSizes")
      continue;
    bool partial = candidate.starts_with(name) || name.contains(candidate);
    unsigned distance = partial ? 0 : name.edit_distance(candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

LogicalResult tcgen05::verifyAttributeNames(Operation *op) {
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    StringRef name = attr.getName().getValue();
    if (name.contains('.'))
      continue;
    InFlightDiagnostic diag = op->emitOpError()
                              << "has no attribute '" << name << "'";
    ArrayRef<StringAttr> known = op->getName().getAttributeNames();
    StringRef nearest = findNearest(name, known);
    if (!nearest.empty())
      diag << "; did you mean '" << nearest << "'?";
    diag.attachNote() << "attributes of other dialects carry their prefix, "
                         "such as 'mydialect."
                      << name << "'";
    return diag;
  }
  return success();
}
