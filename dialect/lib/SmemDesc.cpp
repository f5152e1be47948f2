//===- SmemDesc.cpp - #tcgen05.smem_desc ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "tcgen05/Tcgen05Dialect.h"

using namespace mlir;
using namespace tcgen05;

static ParseResult parseOptional(AsmParser &parser,
                                 std::optional<int64_t> &value) {
  return parseNumber(parser, value.emplace());
}

/// `<ldo = 16, sdo = 128, swizzle = 0>`, fields in any order, each at most
/// once. Values are not judged here: the op names them with its rule [C5].
Attribute SmemDescAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> ldo, sdo;
  int64_t swizzle = 0;
  auto parseLdo = [&] { return parseOptional(parser, ldo); };
  auto parseSdo = [&] { return parseOptional(parser, sdo); };
  auto parseSwizzle = [&] { return parseNumber(parser, swizzle); };
  Field fields[] = {
      {"ldo", parseLdo}, {"sdo", parseSdo}, {"swizzle", parseSwizzle}};
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parseField(parser, fields);
      }))
    return {};
  return get(parser.getContext(), ldo, sdo, swizzle);
}

void SmemDescAttr::print(AsmPrinter &printer) const {
  SmallVector<std::pair<StringRef, int64_t>> fields;
  if (getLdo())
    fields.push_back({"ldo", *getLdo()});
  if (getSdo())
    fields.push_back({"sdo", *getSdo()});
  if (getSwizzle())
    fields.push_back({"swizzle", getSwizzle()});
  printer << "<";
  llvm::interleaveComma(fields, printer, [&](auto field) {
    printer << field.first << " = " << field.second;
  });
  printer << ">";
}
