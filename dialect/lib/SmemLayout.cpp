//===- SmemLayout.cpp - #tcgen05.smem_layout ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "Modes.h"
#include "tcgen05/Tcgen05Dialect.h"

using namespace mlir;
using namespace tcgen05;

Attribute SmemLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Modes modes;
  SmallVector<int64_t> strides;
  int64_t offset = 0, swizzle = 0;
  auto parseStride = [&] {
    return parseNumber(parser, strides.emplace_back());
  };
  auto parseOffset = [&] { return parseNumber(parser, offset); };
  auto parseSwizzle = [&] { return parseNumber(parser, swizzle); };
  Field fields[] = {{"offset", parseOffset}, {"swizzle", parseSwizzle}};
  if (parser.parseLess() ||
      parseExtents(parser, modes, /*allowDynamic=*/true) ||
      parser.parseColon() || parseStrides(parser, modes, parseStride))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseField(parser, fields))
      return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    ArrayRef(modes.groups), ArrayRef(modes.extents),
                    ArrayRef(strides), offset, swizzle);
}

void SmemLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getGroups(), getExtents());
  printer << " : ";
  printNested(printer, getGroups(),
              [&](unsigned k) { printer << getStrides()[k]; });
  if (getOffset())
    printer << ", offset = " << getOffset();
  if (getSwizzle())
    printer << ", swizzle = " << getSwizzle();
  printer << ">";
}

LogicalResult SmemLayoutAttr::verify(EmitError emitError,
                                     ArrayRef<int64_t> groups,
                                     ArrayRef<int64_t> extents,
                                     ArrayRef<int64_t> strides, int64_t offset,
                                     int64_t swizzle) {
  if (swizzle < 0 || swizzle > 3)
    return emitError() << "'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 "
                          "bytes) or 3 (128 bytes), got "
                       << swizzle;
  if (failed(verifyModes(emitError, groups, extents, strides)))
    return failure();
  return verifyMagnitude(emitError, "offset", offset);
}

/// Exchanges the bits of a word address: byte-address bits 4 .. 4+swizzle-1
/// are XORed with bits 7 .. 7+swizzle-1, here word-address bits 2.. and 5...
/// A XOR of two bits is their sum modulo 2.
static AffineExpr applySwizzle(AffineExpr word, int64_t swizzle) {
  if (!swizzle)
    return word;
  AffineExpr result = word % 4;
  for (int64_t bit = 0; bit < swizzle; ++bit) {
    AffineExpr low = word.floorDiv(int64_t(1) << (2 + bit));
    AffineExpr high = word.floorDiv(int64_t(1) << (5 + bit));
    result = result + ((low + high) % 2) * (int64_t(1) << (2 + bit));
  }
  int64_t rest = int64_t(1) << (2 + swizzle);
  return result + word.floorDiv(rest) * rest;
}

AffineMap SmemLayoutAttr::getAffineMap() const {
  AffineExpr word =
      linearize(getGroups(), getExtents(), getStrides(), getContext()) +
      getOffset();
  return AffineMap::get(getGroups().size(), 0,
                        applySwizzle(word, getSwizzle()));
}

/// Never: passes drop a layout that calls itself the identity.
bool SmemLayoutAttr::isIdentity() const { return false; }

LogicalResult SmemLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                           EmitError emitError) const {
  return verifyShape(emitError, getGroups(), getExtents(), shape);
}

/// None: a strided memref type would lose the swizzle and the nested modes.
LogicalResult SmemLayoutAttr::getStridesAndOffset(ArrayRef<int64_t>,
                                                  SmallVectorImpl<int64_t> &,
                                                  int64_t &) const {
  return failure();
}

OpAsmAliasResult SmemLayoutAttr::getAlias(llvm::raw_ostream &os) const {
  os << "smem_layout";
  return OpAsmAliasResult::OverridableAlias;
}
