//===- TmemLayout.cpp - #tcgen05.tmem_layout ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modes.h"
#include "tcgen05/Tcgen05Dialect.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tcgen05;

/// A TMEM address is lane << 16 | column.
static constexpr int64_t kLaneStep = int64_t(1) << 16;
/// No replica set can be larger than tensor memory: 128 lanes, 512 columns.
static constexpr int64_t kMaxReplicas = 128 * 512;

static ParseResult parseStrideList(AsmParser &parser, const Modes &modes,
                                   SmallVectorImpl<int64_t> &lanes,
                                   SmallVectorImpl<int64_t> &columns) {
  return parseStrides(parser, modes, [&]() -> ParseResult {
    LaneColumn value;
    if (parseLaneColumn(parser, value))
      return failure();
    lanes.push_back(value.lane);
    columns.push_back(value.column);
    return success();
  });
}

/// `(4) : (32@lane)`
static ParseResult parseReplicas(AsmParser &parser, ReplicaModes &replicas) {
  Modes modes;
  if (parseExtents(parser, modes, /*allowDynamic=*/false) ||
      parser.parseColon() ||
      parseStrideList(parser, modes, replicas.lanes, replicas.columns))
    return failure();
  replicas.extents = modes.extents;
  return success();
}

/// `(0@lane, 16@col)`, either field alone too.
static ParseResult parseOffset(AsmParser &parser, LaneColumn &offset) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                        [&]() -> ParseResult {
                                          LaneColumn field;
                                          if (parseLaneColumn(parser, field))
                                            return failure();
                                          offset.lane += field.lane;
                                          offset.column += field.column;
                                          return success();
                                        });
}

Attribute TmemLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Modes modes;
  SmallVector<int64_t> lanes, columns;
  ReplicaModes replicas;
  LaneColumn offset;
  if (parser.parseLess() ||
      parseExtents(parser, modes, /*allowDynamic=*/false) ||
      parser.parseColon() || parseStrideList(parser, modes, lanes, columns))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc keywordLoc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return {};
    ParseResult value = failure();
    if (keyword == "replicas")
      value = parseReplicas(parser, replicas);
    else if (keyword == "offset")
      value = parseOffset(parser, offset);
    else
      parser.emitError(keywordLoc)
          << "expected 'replicas' or 'offset', got '" << keyword << "'";
    if (value)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    ArrayRef(modes.groups), ArrayRef(modes.extents),
                    ArrayRef(lanes), ArrayRef(columns), replicas, offset.lane,
                    offset.column);
}

void TmemLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getGroups(), getExtents());
  printer << " : ";
  printNested(printer, getGroups(), [&](unsigned k) {
    printLaneColumn(printer, {getLaneStrides()[k], getColumnStrides()[k]});
  });
  if (!getReplicaExtents().empty()) {
    printer << ", replicas = (";
    llvm::interleaveComma(getReplicaExtents(), printer);
    printer << ") : (";
    llvm::interleaveComma(
        llvm::zip(getReplicaLanes(), getReplicaColumns()), printer,
        [&](auto step) {
          printLaneColumn(printer, {std::get<0>(step), std::get<1>(step)});
        });
    printer << ")";
  }
  if (getLaneOffset() || getColumnOffset())
    printer << ", offset = (" << getLaneOffset() << "@lane, "
            << getColumnOffset() << "@col)";
  printer << ">";
}

/// Every replica lies at an offset of its own.
static LogicalResult verifyDistinct(EmitError emitError,
                                    ArrayRef<int64_t> extents,
                                    ArrayRef<int64_t> lanes,
                                    ArrayRef<int64_t> columns) {
  SmallVector<std::pair<int64_t, int64_t>> offsets = {{0, 0}};
  for (auto [extent, lane, column] : llvm::zip_equal(extents, lanes, columns)) {
    if (extent * int64_t(offsets.size()) > kMaxReplicas)
      return emitError() << "more replicas than tensor memory has cells ("
                         << kMaxReplicas << ")";
    size_t known = offsets.size();
    for (int64_t i = 1; i < extent; ++i)
      for (size_t k = 0; k < known; ++k)
        offsets.push_back(
            {offsets[k].first + i * lane, offsets[k].second + i * column});
  }
  llvm::DenseSet<std::pair<int64_t, int64_t>> seen;
  for (auto offset : offsets)
    if (!seen.insert(offset).second)
      return emitError() << "replicas must be distinct: offset ("
                         << offset.first << "@lane, " << offset.second
                         << "@col) occurs twice";
  return success();
}

/// No stride is diagonal: the text has one axis per stride.
static LogicalResult verifyOneAxis(EmitError emitError, ArrayRef<int64_t> lanes,
                                   ArrayRef<int64_t> columns) {
  for (auto [lane, column] : llvm::zip_equal(lanes, columns))
    if (lane && column)
      return emitError() << "a stride moves along lanes or along columns, got "
                         << lane << "@lane and " << column << "@col";
  return success();
}

LogicalResult TmemLayoutAttr::verify(
    EmitError emitError, ArrayRef<int64_t> groups, ArrayRef<int64_t> extents,
    ArrayRef<int64_t> laneStrides, ArrayRef<int64_t> columnStrides,
    ArrayRef<int64_t> replicaExtents, ArrayRef<int64_t> replicaLanes,
    ArrayRef<int64_t> replicaColumns, int64_t laneOffset,
    int64_t columnOffset) {
  SmallVector<int64_t> replicaGroups(replicaExtents.size(), 1);
  if (failed(verifyModes(emitError, groups, extents, laneStrides)) ||
      failed(verifyModes(emitError, groups, extents, columnStrides)) ||
      failed(verifyModes(emitError, replicaGroups, replicaExtents,
                         replicaLanes)) ||
      failed(verifyModes(emitError, replicaGroups, replicaExtents,
                         replicaColumns)) ||
      failed(verifyMagnitude(emitError, "offset", laneOffset)) ||
      failed(verifyMagnitude(emitError, "offset", columnOffset)))
    return failure();
  if (failed(verifyOneAxis(emitError, laneStrides, columnStrides)) ||
      failed(verifyOneAxis(emitError, replicaLanes, replicaColumns)))
    return failure();
  if (llvm::any_of(extents, ShapedType::isDynamic))
    return emitError() << "an extent in tensor memory cannot be '?'";
  return verifyDistinct(emitError, replicaExtents, replicaLanes,
                        replicaColumns);
}

AffineMap TmemLayoutAttr::getAffineMap() const {
  SmallVector<int64_t> steps;
  for (auto [lane, column] :
       llvm::zip_equal(getLaneStrides(), getColumnStrides()))
    steps.push_back(lane * kLaneStep + column);
  AffineExpr address =
      linearize(getGroups(), getExtents(), steps, getContext()) +
      (getLaneOffset() * kLaneStep + getColumnOffset());
  return AffineMap::get(getGroups().size(), 0, address);
}

/// Never: passes drop a layout that calls itself the identity.
bool TmemLayoutAttr::isIdentity() const { return false; }

LogicalResult TmemLayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                           EmitError emitError) const {
  return verifyShape(emitError, getGroups(), getExtents(), shape);
}

/// None: a strided memref type would lose the replicas.
LogicalResult TmemLayoutAttr::getStridesAndOffset(ArrayRef<int64_t>,
                                                  SmallVectorImpl<int64_t> &,
                                                  int64_t &) const {
  return failure();
}

OpAsmAliasResult TmemLayoutAttr::getAlias(llvm::raw_ostream &os) const {
  os << "tmem_layout";
  return OpAsmAliasResult::OverridableAlias;
}
