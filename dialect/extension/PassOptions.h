//===- PassOptions.h - Options declared at run time -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_EXTENSION_PASSOPTIONS_H
#define TCGEN05_EXTENSION_PASSOPTIONS_H

#include "tcgen05-c/Passes.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tcgen05 {

/// An owned Tcgen05Option. llvm::cl keeps references to the strings, so a spec
/// lives as long as the process.
struct OptionSpec {
  explicit OptionSpec(const Tcgen05Option &option);

  std::string name, description, valueName, defaultValue;
  bool isFlag;
};

std::vector<OptionSpec> copyOptions(intptr_t count,
                                    const Tcgen05Option *options);

/// Reads an option as text. llvm::cl prints its complaints to stderr, out of
/// reach of a caller; this parser keeps them for whoever parses the pipeline.
class TextParser : public llvm::cl::parser<std::string> {
public:
  using parser::parser;

  void setSpec(const OptionSpec *newSpec) { spec = newSpec; }

  bool parse(llvm::cl::Option &option, StringRef argName, StringRef arg,
             std::string &value);
  size_t getOptionWidth(const llvm::cl::Option &option) const;
  void printOptionInfo(const llvm::cl::Option &option,
                       size_t globalWidth) const;

  /// Why the text was refused, as the end of a sentence: `is given twice`.
  StringRef getProblem() const { return problem; }

private:
  const OptionSpec *spec = nullptr;
  bool seen = false;
  std::string problem;
};

/// The options of one pass or pipeline instance. `OptionT` is the option class
/// of `ParentT`, a Pass or PassOptions.
template <typename ParentT, typename OptionT> class TextOptions {
public:
  TextOptions(ParentT &parent, ArrayRef<OptionSpec> specs) {
    for (const OptionSpec &spec : specs) {
      // ValueOptional and ZeroOrMore leave all judgement to TextParser.
      options.push_back(std::make_unique<OptionT>(
          parent, spec.name, llvm::cl::desc(spec.description),
          llvm::cl::init(spec.defaultValue), llvm::cl::ValueOptional,
          llvm::cl::ZeroOrMore));
      options.back()->getParser().setSpec(&spec);
    }
  }

  /// `option 'path' is given twice`, for the first option that was refused.
  std::optional<std::string> getProblem() {
    for (auto &option : options)
      if (StringRef problem = option->getParser().getProblem();
          !problem.empty())
        return ("option '" + option->ArgStr + "' " + problem).str();
    return std::nullopt;
  }

  /// Calls `callback` with the values, which live as long as the call.
  template <typename CallbackT> auto withValues(CallbackT callback) {
    SmallVector<MlirStringRef> values;
    for (auto &option : options) {
      const std::string &value = option->getValue();
      values.push_back(mlirStringRefCreate(value.data(), value.size()));
    }
    return callback(Tcgen05OptionValues{static_cast<intptr_t>(values.size()),
                                        values.data()});
  }

private:
  std::vector<std::unique_ptr<OptionT>> options;
};

using PassTextOptions =
    TextOptions<Pass, Pass::Option<std::string, TextParser>>;
using PipelineTextOptions =
    TextOptions<detail::PassOptions,
                detail::PassOptions::Option<std::string, TextParser>>;

/// `pass 'x' has 'a', 'b'`: the remedy after upstream's `no such option`.
std::string listOptions(StringRef owner, ArrayRef<OptionSpec> specs);

/// Parses with `parse(errorStream)` and reports the first problem of a text
/// parser, or upstream's own words with the list of options.
LogicalResult
reportOptionErrors(StringRef owner, ArrayRef<OptionSpec> specs,
                   function_ref<LogicalResult(raw_ostream &)> parse,
                   function_ref<std::optional<std::string>()> getProblem,
                   function_ref<LogicalResult(const Twine &)> errorHandler);

/// A sink that appends to `text`.
Tcgen05TextSink appendTo(std::string &text);

} // namespace mlir::tcgen05

#endif // TCGEN05_EXTENSION_PASSOPTIONS_H
