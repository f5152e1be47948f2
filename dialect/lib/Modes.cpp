//===- Modes.cpp - Text and checks of nested modes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modes.h"
#include "Fields.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tcgen05;

/// Deeper nesting than any layout needs; bounds the parser's recursion.
static constexpr int kMaxDepth = 16;

/// Parses `x` or `(x, (y, z))`, calling `parseLeaf` for each leaf; `count` is
/// the number of leaves seen.
static ParseResult parseMode(AsmParser &parser, int64_t &count, int depth,
                             function_ref<ParseResult()> parseLeaf) {
  if (failed(parser.parseOptionalLParen())) {
    ++count;
    return parseLeaf();
  }
  if (depth == kMaxDepth)
    return parser.emitError(parser.getCurrentLocation())
           << "modes nest deeper than " << kMaxDepth << " levels";
  do {
    if (parseMode(parser, count, depth + 1, parseLeaf))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRParen();
}

static ParseResult parseGroups(AsmParser &parser,
                               SmallVectorImpl<int64_t> &groups,
                               function_ref<ParseResult()> parseLeaf) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    return parseMode(parser, groups.emplace_back(0), 1, parseLeaf);
  });
}

/// An extent as a number. The smallest int64_t is upstream's mark of a dynamic
/// one, so it is judged before anything reads it as such.
static ParseResult parseExtent(AsmParser &parser, int64_t &extent) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseNumber(parser, extent))
    return failure();
  if (extent > 0)
    return success();
  return parser.emitError(loc) << "'extent' must be positive, got " << extent;
}

ParseResult tcgen05::parseExtents(AsmParser &parser, Modes &modes,
                                  bool allowDynamic) {
  return parseGroups(parser, modes.groups, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalQuestion()))
      return parseExtent(parser, modes.extents.emplace_back());
    if (!allowDynamic || !modes.extents.empty())
      return parser.emitError(loc)
             << (allowDynamic ? "only the leading extent may be '?'"
                              : "an extent in tensor memory cannot be '?'");
    modes.extents.push_back(ShapedType::kDynamic);
    return success();
  });
}

ParseResult tcgen05::parseStrides(AsmParser &parser, const Modes &modes,
                                  function_ref<ParseResult()> parseLeaf) {
  SmallVector<int64_t> groups;
  SMLoc loc = parser.getCurrentLocation();
  if (parseGroups(parser, groups, parseLeaf))
    return failure();
  if (ArrayRef<int64_t>(groups) == ArrayRef<int64_t>(modes.groups))
    return success();
  auto profile = [](ArrayRef<int64_t> counts) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "(";
    llvm::interleaveComma(counts, os);
    os << ")";
    return text;
  };
  return parser.emitError(loc)
         << "strides must nest as the extents do: sub-modes per mode "
         << profile(modes.groups) << ", got " << profile(groups);
}

ParseResult tcgen05::parseStep(AsmParser &parser, Step &step) {
  if (parseNumber(parser, step.distance))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  StringAttr axis;
  if (failed(parser.parseOptionalSymbolName(axis)))
    return parser.emitError(loc) << "expected '@lane' or '@col'";
  step.alongLanes = axis.getValue() == "lane";
  if (step.alongLanes || axis.getValue() == "col")
    return success();
  return parser.emitError(loc)
         << "expected '@lane' or '@col', got '@" << axis.getValue() << "'";
}

void tcgen05::printStep(AsmPrinter &printer, int64_t lanes, int64_t columns) {
  if (lanes)
    printer << lanes << "@lane";
  else
    printer << columns << "@col";
}

void tcgen05::printNested(AsmPrinter &printer, ArrayRef<int64_t> groups,
                          function_ref<void(unsigned)> printLeaf) {
  unsigned leaf = 0;
  auto printGroup = [&](int64_t size) {
    if (size != 1)
      printer << "(";
    for (int64_t i = 0; i < size; ++i) {
      if (i)
        printer << ", ";
      printLeaf(leaf++);
    }
    if (size != 1)
      printer << ")";
  };
  printer << "(";
  llvm::interleaveComma(groups, printer, printGroup);
  printer << ")";
}

void tcgen05::printExtents(AsmPrinter &printer, ArrayRef<int64_t> groups,
                           ArrayRef<int64_t> extents) {
  printNested(printer, groups, [&](unsigned k) {
    if (ShapedType::isDynamic(extents[k]))
      printer << "?";
    else
      printer << extents[k];
  });
}

AffineExpr tcgen05::linearize(ArrayRef<int64_t> groups,
                              ArrayRef<int64_t> extents,
                              ArrayRef<int64_t> steps, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  unsigned first = 0;
  for (auto [dim, size] : llvm::enumerate(groups)) {
    AffineExpr rest = getAffineDimExpr(dim, context);
    for (unsigned k = first + size; k-- > first;) {
      bool slowest = k == first;
      sum = sum + (slowest ? rest : rest % extents[k]) * steps[k];
      if (!slowest)
        rest = rest.floorDiv(extents[k]);
    }
    first += size;
  }
  return sum;
}

LogicalResult tcgen05::verifyMagnitude(EmitError emitError, StringRef name,
                                       int64_t value) {
  if (value >= -kMaxMagnitude && value <= kMaxMagnitude)
    return success();
  return emitError() << "'" << name << "' must be inside +-" << kMaxMagnitude
                     << ", got " << value;
}

LogicalResult tcgen05::verifyModes(EmitError emitError,
                                   ArrayRef<int64_t> groups,
                                   ArrayRef<int64_t> extents,
                                   ArrayRef<int64_t> strides) {
  int64_t leaves = 0;
  for (int64_t size : groups) {
    if (size < 1)
      return emitError() << "a mode must have at least one extent";
    leaves += size;
  }
  if (leaves != int64_t(extents.size()) || extents.size() != strides.size())
    return emitError() << "expected as many strides as extents, got "
                       << extents.size() << " extents and " << strides.size()
                       << " strides";
  for (auto [k, extent] : llvm::enumerate(extents)) {
    if (ShapedType::isDynamic(extent) && k == 0)
      continue;
    if (extent < 1)
      return emitError() << "'extent' must be positive, got " << extent;
    if (failed(verifyMagnitude(emitError, "extent", extent)))
      return failure();
  }
  for (int64_t stride : strides)
    if (failed(verifyMagnitude(emitError, "stride", stride)))
      return failure();
  return success();
}

/// The product of a mode's extents; kDynamic where one is '?', none where it
/// does not fit 64 bits.
static std::optional<int64_t> getModeSize(ArrayRef<int64_t> extents) {
  int64_t size = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent))
      return ShapedType::kDynamic;
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  }
  return size;
}

LogicalResult tcgen05::verifyShape(EmitError emitError,
                                   ArrayRef<int64_t> groups,
                                   ArrayRef<int64_t> extents,
                                   ArrayRef<int64_t> shape) {
  if (shape.size() != groups.size())
    return emitError() << "the layout has " << groups.size()
                       << " modes, the memref " << shape.size()
                       << " dimensions";
  auto text = [](std::optional<int64_t> extent) {
    if (!extent)
      return std::string("past 64 bits");
    return ShapedType::isDynamic(*extent) ? "?" : std::to_string(*extent);
  };
  unsigned first = 0;
  for (auto [dim, size] : llvm::enumerate(groups)) {
    std::optional<int64_t> extent = getModeSize(extents.slice(first, size));
    if (extent != shape[dim])
      return emitError() << "mode " << dim << " of the layout has extent "
                         << text(extent) << ", dimension " << dim
                         << " of the memref " << text(shape[dim]);
    first += size;
  }
  return success();
}
