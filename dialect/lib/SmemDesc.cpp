//===- SmemDesc.cpp - #tcgen05.smem_desc ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Tcgen05Dialect.h"

using namespace mlir;
using namespace tcgen05;

/// `<ldo = 16, sdo = 128, swizzle = 0>`, fields in any order, each at most
/// once. Values are not judged here: the op names them with its rule [C5].
Attribute SmemDescAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> ldo, sdo, swizzle;
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<int64_t> *field = name == "ldo"       ? &ldo
                                    : name == "sdo"     ? &sdo
                                    : name == "swizzle" ? &swizzle
                                                        : nullptr;
    if (!field)
      return parser.emitError(loc)
             << "expected 'ldo', 'sdo' or 'swizzle', got '" << name << "'";
    if (*field)
      return parser.emitError(loc) << "'" << name << "' is given twice";
    int64_t value;
    if (parser.parseEqual() || parser.parseInteger(value))
      return failure();
    *field = value;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  return get(parser.getContext(), ldo, sdo, swizzle.value_or(0));
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
