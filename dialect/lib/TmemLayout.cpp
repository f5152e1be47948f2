//===- TmemLayout.cpp - #tcgen05.tmem_layout ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
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
    Step step;
    if (parseStep(parser, step))
      return failure();
    lanes.push_back(step.lanes());
    columns.push_back(step.columns());
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

/// `(0@lane, 16@col)`, in any order, either field alone too.
static ParseResult parseOffset(AsmParser &parser, std::optional<int64_t> &lane,
                               std::optional<int64_t> &column) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        Step step;
        if (parseStep(parser, step))
          return failure();
        std::optional<int64_t> &field = step.alongLanes ? lane : column;
        if (field)
          return parser.emitError(loc)
                 << "'" << (step.alongLanes ? "@lane" : "@col")
                 << "' is given twice";
        field = step.distance;
        return success();
      });
}

Attribute TmemLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Modes modes;
  SmallVector<int64_t> lanes, columns;
  ReplicaModes replicas;
  std::optional<int64_t> lane, column;
  auto parseReplicaField = [&] { return parseReplicas(parser, replicas); };
  auto parseOffsetField = [&] { return parseOffset(parser, lane, column); };
  Field fields[] = {{"replicas", parseReplicaField},
                    {"offset", parseOffsetField}};
  if (parser.parseLess() ||
      parseExtents(parser, modes, /*allowDynamic=*/false) ||
      parser.parseColon() || parseStrideList(parser, modes, lanes, columns))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseField(parser, fields))
      return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    ArrayRef(modes.groups), ArrayRef(modes.extents),
                    ArrayRef(lanes), ArrayRef(columns), replicas,
                    lane.value_or(0), column.value_or(0));
}

void TmemLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getGroups(), getExtents());
  printer << " : ";
  printNested(printer, getGroups(), [&](unsigned k) {
    printStep(printer, getLaneStrides()[k], getColumnStrides()[k]);
  });
  if (!getReplicaExtents().empty()) {
    printer << ", replicas = (";
    llvm::interleaveComma(getReplicaExtents(), printer);
    printer << ") : (";
    llvm::interleaveComma(llvm::zip(getReplicaLanes(), getReplicaColumns()),
                          printer, [&](auto step) {
                            printStep(printer, std::get<0>(step),
                                      std::get<1>(step));
                          });
    printer << ")";
  }
  if (getLaneOffset() || getColumnOffset())
    printer << ", offset = (" << getLaneOffset() << "@lane, "
            << getColumnOffset() << "@col)";
  printer << ">";
}

/// No stride is diagonal: the text has one axis per stride.
static LogicalResult verifySteps(EmitError emitError, ArrayRef<int64_t> lanes,
                                 ArrayRef<int64_t> columns) {
  for (auto [lane, column] : llvm::zip_equal(lanes, columns)) {
    if (lane && column)
      return emitError() << "a stride moves along lanes or along columns, got "
                         << lane << "@lane and " << column << "@col";
    if (failed(verifyMagnitude(emitError, "stride", lane ? lane : column)))
      return failure();
  }
  return success();
}

/// Positive extents whose product is at most kMaxReplicas.
static LogicalResult verifyReplicaCount(EmitError emitError,
                                        ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents) {
    if (extent < 1)
      return emitError() << "'extent' must be positive, got " << extent;
    // No overflow where it stays at or below the limit.
    if (extent > kMaxReplicas / count)
      return emitError() << "'replicas' must be at most " << kMaxReplicas
                         << ", the cells of tensor memory, got (" << extents
                         << ")";
    count *= extent;
  }
  return success();
}

/// Every replica lies at an offset of its own.
static LogicalResult verifyDistinct(EmitError emitError,
                                    ArrayRef<int64_t> extents,
                                    ArrayRef<int64_t> lanes,
                                    ArrayRef<int64_t> columns) {
  SmallVector<std::pair<int64_t, int64_t>> offsets = {{0, 0}};
  for (auto [extent, lane, column] : llvm::zip_equal(extents, lanes, columns)) {
    size_t known = offsets.size();
    for (int64_t i = 1; i < extent; ++i)
      for (size_t k = 0; k < known; ++k)
        offsets.push_back(
            {offsets[k].first + i * lane, offsets[k].second + i * column});
  }
  llvm::DenseSet<std::pair<int64_t, int64_t>> seen;
  for (auto offset : offsets)
    if (!seen.insert(offset).second)
      return emitError() << "'replicas' must be distinct: offset ("
                         << offset.first << "@lane, " << offset.second
                         << "@col) occurs twice";
  return success();
}

static LogicalResult verifyReplicas(EmitError emitError,
                                    ArrayRef<int64_t> extents,
                                    ArrayRef<int64_t> lanes,
                                    ArrayRef<int64_t> columns) {
  return failure(failed(verifySteps(emitError, lanes, columns)) ||
                 failed(verifyReplicaCount(emitError, extents)) ||
                 failed(verifyDistinct(emitError, extents, lanes, columns)));
}

LogicalResult TmemLayoutAttr::verify(
    EmitError emitError, ArrayRef<int64_t> groups, ArrayRef<int64_t> extents,
    ArrayRef<int64_t> laneStrides, ArrayRef<int64_t> columnStrides,
    ArrayRef<int64_t> replicaExtents, ArrayRef<int64_t> replicaLanes,
    ArrayRef<int64_t> replicaColumns, int64_t laneOffset,
    int64_t columnOffset) {
  if (llvm::any_of(extents, ShapedType::isDynamic))
    return emitError() << "an extent in tensor memory cannot be '?'";
  return failure(
      failed(verifyModes(emitError, groups, extents, laneStrides)) ||
      failed(verifyModes(emitError, groups, extents, columnStrides)) ||
      failed(verifySteps(emitError, laneStrides, columnStrides)) ||
      failed(verifyReplicas(emitError, replicaExtents, replicaLanes,
                            replicaColumns)) ||
      failed(verifyMagnitude(emitError, "offset", laneOffset)) ||
      failed(verifyMagnitude(emitError, "offset", columnOffset)));
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
