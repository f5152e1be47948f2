//===- Fields.cpp - `name = value` in attribute text ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"

using namespace mlir;
using namespace tcgen05;

/// "'ldo', 'sdo' or 'swizzle'"
static std::string describeNames(ArrayRef<Field> fields) {
  std::string text;
  for (auto [k, field] : llvm::enumerate(fields)) {
    if (k)
      text += k + 1 == fields.size() ? " or " : ", ";
    text += ("'" + field.name + "'").str();
  }
  return text;
}

ParseResult tcgen05::parseField(AsmParser &parser,
                                MutableArrayRef<Field> fields) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.emitError(loc) << "expected " << describeNames(fields);
  auto *field =
      llvm::find_if(fields, [&](const Field &f) { return f.name == name; });
  if (field == fields.end())
    return parser.emitError(loc)
           << "expected " << describeNames(fields) << ", got '" << name << "'";
  if (field->given)
    return parser.emitError(loc) << "'" << name << "' is given twice";
  field->given = true;
  return failure(parser.parseEqual() || field->parse());
}

ParseResult tcgen05::parseNumber(AsmParser &parser, int64_t &value) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc) << "expected an integer, got '" << word << "'";
  return parser.parseInteger(value);
}
