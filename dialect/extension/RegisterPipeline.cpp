//===- RegisterPipeline.cpp - Pipelines described by a callback ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassOptions.h"

#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::tcgen05;

namespace {
/// One registered pipeline; lives as long as the process.
struct PipelineSpec {
  PipelineSpec(const Tcgen05PipelineInfo &info,
               const Tcgen05PipelineCallbacks &callbacks)
      : name(unwrap(info.name).str()),
        description(unwrap(info.description).str()),
        owner("pipeline '" + name + "'"),
        options(copyOptions(info.numOptions, info.options)),
        callbacks(callbacks) {}

  std::string name, description, owner;
  std::vector<OptionSpec> options;
  Tcgen05PipelineCallbacks callbacks;
};

/// The options of one use of a pipeline.
struct PipelineOptions : detail::PassOptions {
  explicit PipelineOptions(ArrayRef<OptionSpec> specs) : texts(*this, specs) {}

  PipelineTextOptions texts;
};

using ErrorHandler = function_ref<LogicalResult(const Twine &)>;
} // namespace

/// The pipelines that this thread is expanding, outermost first.
static SmallVectorImpl<const PipelineSpec *> &getExpansionStack() {
  static thread_local SmallVector<const PipelineSpec *> stack;
  return stack;
}

static LogicalResult addElements(const PipelineSpec &spec, StringRef elements,
                                 OpPassManager &manager, ErrorHandler error) {
  auto &stack = getExpansionStack();
  if (llvm::is_contained(stack, &spec))
    return error(spec.owner + " expands to itself");
  stack.push_back(&spec);
  llvm::scope_exit leave([&] { stack.pop_back(); });
  std::string message;
  llvm::raw_string_ostream os(message);
  if (succeeded(parsePassPipeline(elements, manager, os)))
    return success();
  return error(StringRef(message).rtrim() + "\nin the expansion of " +
               spec.owner + ": " + elements);
}

static LogicalResult expand(const PipelineSpec &spec, OpPassManager &manager,
                            StringRef text, ErrorHandler error) {
  PipelineOptions options(spec.options);
  if (failed(reportOptionErrors(
          spec.owner, spec.options,
          [&](raw_ostream &os) { return options.parseFromString(text, os); },
          [&] { return options.texts.getProblem(); }, error)))
    return failure();
  std::string elements, problem;
  MlirLogicalResult built =
      options.texts.withValues([&](Tcgen05OptionValues values) {
        return spec.callbacks.build(values, appendTo(elements),
                                    appendTo(problem), spec.callbacks.userData);
      });
  if (failed(unwrap(built)))
    return error(problem);
  return addElements(spec, elements, manager, error);
}

void tcgen05RegisterPipeline(Tcgen05PipelineInfo info,
                             Tcgen05PipelineCallbacks callbacks) {
  auto *spec = new PipelineSpec(info, callbacks);
  registerPassPipeline(
      spec->name, spec->description,
      [spec](OpPassManager &manager, StringRef text, ErrorHandler error) {
        return expand(*spec, manager, text, error);
      },
      [spec](function_ref<void(const detail::PassOptions &)> handle) {
        handle(PipelineOptions(spec->options));
      });
}
