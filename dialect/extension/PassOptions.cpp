//===- PassOptions.cpp - Options declared at run time --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassOptions.h"

#include "mlir/CAPI/Support.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tcgen05;

OptionSpec::OptionSpec(const Tcgen05Option &option)
    : name(unwrap(option.name).str()),
      description(unwrap(option.description).str()),
      valueName(unwrap(option.valueName).str()),
      defaultValue(unwrap(option.defaultValue).str()), isFlag(option.isFlag) {}

std::vector<OptionSpec> tcgen05::copyOptions(intptr_t count,
                                             const Tcgen05Option *options) {
  std::vector<OptionSpec> specs;
  specs.reserve(count);
  for (intptr_t i = 0; i < count; ++i)
    specs.emplace_back(options[i]);
  return specs;
}

bool TextParser::parse(llvm::cl::Option &, StringRef, StringRef arg,
                       std::string &value) {
  if (seen) {
    problem = "is given twice";
    return true;
  }
  seen = true;
  // `{name}` comes without data, `{name=}` with an empty text.
  bool valueMissing = arg.data() == nullptr;
  if (valueMissing && !spec->isFlag) {
    problem = "needs a value";
    return true;
  }
  value = valueMissing ? "true" : arg.str();
  return false;
}

size_t TextParser::getOptionWidth(const llvm::cl::Option &option) const {
  // `--name=<value>` and the two columns before it, as llvm::cl counts.
  size_t width = option.ArgStr.size() + 6;
  return spec->isFlag ? width : width + spec->valueName.size() + 3;
}

void TextParser::printOptionInfo(const llvm::cl::Option &option,
                                 size_t globalWidth) const {
  llvm::outs() << "  --" << option.ArgStr;
  if (!spec->isFlag)
    llvm::outs() << "=<" << spec->valueName << '>';
  llvm::cl::Option::printHelpStr(option.HelpStr, globalWidth,
                                 getOptionWidth(option));
}

std::string tcgen05::listOptions(StringRef owner, ArrayRef<OptionSpec> specs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << owner << " has ";
  if (specs.empty())
    os << "no options";
  llvm::interleaveComma(specs, os, [&](const OptionSpec &spec) {
    os << '\'' << spec.name << '\'';
  });
  return text;
}

LogicalResult tcgen05::reportOptionErrors(
    StringRef owner, ArrayRef<OptionSpec> specs,
    function_ref<LogicalResult(raw_ostream &)> parse,
    function_ref<std::optional<std::string>()> getProblem,
    function_ref<LogicalResult(const Twine &)> errorHandler) {
  std::string upstream;
  llvm::raw_string_ostream os(upstream);
  if (succeeded(parse(os)))
    return success();
  if (std::optional<std::string> problem = getProblem())
    return errorHandler(owner + ": " + *problem);
  return errorHandler(StringRef(upstream).rtrim() + "; " +
                      listOptions(owner, specs));
}

Tcgen05TextSink tcgen05::appendTo(std::string &text) {
  auto append = [](MlirStringRef part, void *userData) {
    static_cast<std::string *>(userData)->append(part.data, part.length);
  };
  return {append, &text};
}
