//===- Clauses.cpp - Custom syntax of tcgen05.cp --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clauses.h"

using namespace mlir;
using namespace tcgen05;

/// Parses `(<...>)` behind `name`, once.
template <typename AttrT>
static ParseResult parseClause(OpAsmParser &parser, SMLoc loc, StringRef name,
                               AttrT &attr) {
  if (attr)
    return parser.emitError(loc) << "'" << name << "' is given twice";
  return failure(parser.parseLParen() ||
                 parser.parseCustomAttributeWithFallback(attr) ||
                 parser.parseRParen());
}

static ParseResult
parsePredicate(OpAsmParser &parser, SMLoc loc,
               std::optional<OpAsmParser::UnresolvedOperand> &predicate) {
  if (predicate)
    return parser.emitError(loc) << "'predicate' is given twice";
  return failure(parser.parseLParen() ||
                 parser.parseOperand(predicate.emplace()) ||
                 parser.parseRParen());
}

ParseResult tcgen05::parseClauses(
    OpAsmParser &parser, NVVM::Tcgen05CpMulticastAttr &multicast,
    NVVM::CTAGroupKindAttr &ctaGroup, NVVM::Tcgen05CpSrcFormatAttr &srcFormat,
    SmemDescAttr &descriptor,
    std::optional<OpAsmParser::UnresolvedOperand> &predicate) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(
      &name,
      {"multicast", "cta_group", "src_format", "descriptor", "predicate"}))) {
    ParseResult clause = success();
    if (name == "multicast")
      clause = parseClause(parser, loc, name, multicast);
    else if (name == "cta_group")
      clause = parseClause(parser, loc, name, ctaGroup);
    else if (name == "src_format")
      clause = parseClause(parser, loc, name, srcFormat);
    else if (name == "descriptor")
      clause = parseClause(parser, loc, name, descriptor);
    else
      clause = parsePredicate(parser, loc, predicate);
    if (clause)
      return failure();
    loc = parser.getCurrentLocation();
  }
  return success();
}

template <typename AttrT>
static void printClause(OpAsmPrinter &printer, StringRef name, AttrT attr) {
  printer << ' ' << name << '(';
  printer.printStrippedAttrOrType(attr);
  printer << ')';
}

void tcgen05::printClauses(OpAsmPrinter &printer, CpOp,
                           NVVM::Tcgen05CpMulticastAttr multicast,
                           NVVM::CTAGroupKindAttr ctaGroup,
                           NVVM::Tcgen05CpSrcFormatAttr srcFormat,
                           SmemDescAttr descriptor, Value predicate) {
  if (multicast && multicast.getValue() != NVVM::Tcgen05CpMulticast::NONE)
    printClause(printer, "multicast", multicast);
  if (ctaGroup && ctaGroup.getValue() != NVVM::CTAGroupKind::CTA_1)
    printClause(printer, "cta_group", ctaGroup);
  if (srcFormat)
    printClause(printer, "src_format", srcFormat);
  if (descriptor)
    printClause(printer, "descriptor", descriptor);
  if (predicate)
    printer << " predicate(" << predicate << ')';
}
