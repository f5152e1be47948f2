//===- Tcgen05Dialect.cpp - The tcgen05 dialect ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Tcgen05Dialect.h"
#include "Clauses.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tcgen05;

#include "tcgen05/Tcgen05Dialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tcgen05/Tcgen05Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "tcgen05/Tcgen05Ops.cpp.inc"

namespace {
/// Every op may move into a caller: a copy says all that it needs.
struct Inliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void Tcgen05Dialect::initialize() {
  addInterfaces<Inliner>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tcgen05/Tcgen05Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tcgen05/Tcgen05Ops.cpp.inc"
      >();
}
