//===- RegisterPass.cpp - Passes described by callbacks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DependentDialects.h"
#include "PassOptions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::tcgen05;

namespace {
/// One registered pass; lives as long as the process.
struct PassSpec {
  PassSpec(const Tcgen05PassInfo &info, const Tcgen05PassCallbacks &callbacks,
           TypeID typeID)
      : name(unwrap(info.name).str()), className(unwrap(info.className).str()),
        description(unwrap(info.description).str()),
        owner("pass '" + name + "'"),
        options(copyOptions(info.numOptions, info.options)),
        callbacks(callbacks), typeID(typeID) {
    for (intptr_t i = 0; i < info.numDialects; ++i)
      dialects.push_back(unwrap(info.dialects[i]).str());
  }

  std::string name, className, description, owner;
  std::vector<OptionSpec> options;
  std::vector<std::string> dialects;
  Tcgen05PassCallbacks callbacks;
  TypeID typeID;
};

class CallbackPass : public Pass {
public:
  explicit CallbackPass(const PassSpec &spec)
      : Pass(spec.typeID), spec(spec), options(*this, spec.options) {}

  StringRef getName() const override { return spec.className; }
  StringRef getArgument() const override { return spec.name; }
  StringRef getDescription() const override { return spec.description; }
  bool canScheduleOn(RegisteredOperationName) const override { return true; }

  void getDependentDialects(DialectRegistry &registry) const override {
    insertDialects(spec.dialects, registry);
  }

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override;
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

  std::unique_ptr<Pass> clonePass() const override {
    // Pass::clone copies the option values.
    auto copy = std::make_unique<CallbackPass>(spec);
    copy->callerHoldsLock = callerHoldsLock;
    return copy;
  }

private:
  bool wouldWaitForever() const {
    return callerHoldsLock &&
           !spec.callbacks.holdsLock(spec.callbacks.userData);
  }

  const PassSpec &spec;
  PassTextOptions options;
  /// Whether the thread that started the pipeline holds the callbacks' lock.
  bool callerHoldsLock = false;
};
} // namespace

LogicalResult CallbackPass::initializeOptions(
    StringRef text, function_ref<LogicalResult(const Twine &)> errorHandler) {
  auto parse = [&](raw_ostream &os) {
    return Pass::initializeOptions(text, [&](const Twine &message) {
      os << message;
      return failure();
    });
  };
  if (failed(reportOptionErrors(
          spec.owner, spec.options, parse, [&] { return options.getProblem(); },
          errorHandler)))
    return failure();
  std::string problem;
  MlirLogicalResult checked =
      options.withValues([&](Tcgen05OptionValues values) {
        return spec.callbacks.check(values, appendTo(problem),
                                    spec.callbacks.userData);
      });
  return succeeded(unwrap(checked)) ? success() : errorHandler(problem);
}

LogicalResult CallbackPass::initialize(MLIRContext *context) {
  callerHoldsLock = spec.callbacks.holdsLock(spec.callbacks.userData);
  for (const std::string &dialect : spec.dialects)
    if (!context->getLoadedDialect(dialect))
      return emitError(UnknownLoc::get(context))
             << spec.owner << " needs the dialect '" << dialect
             << "', which is not registered in this context";
  return success();
}

void CallbackPass::runOnOperation() {
  Operation *op = getOperation();
  if (wouldWaitForever()) {
    InFlightDiagnostic error = op->emitError()
                               << spec.owner
                               << " is written in Python and cannot run on a "
                                  "worker thread while the pipeline's caller "
                                  "holds the interpreter lock";
    error.attachNote() << "run the pipeline with tcgen05_mlir.run_pipeline, "
                          "which releases the lock, or disable multithreading "
                          "in the context";
    return signalPassFailure();
  }
  MlirLogicalResult result =
      options.withValues([&](Tcgen05OptionValues values) {
        return spec.callbacks.run(wrap(op), values, spec.callbacks.userData);
      });
  if (failed(unwrap(result)))
    signalPassFailure();
}

bool tcgen05IsPassRegistered(MlirStringRef name) {
  return PassInfo::lookup(unwrap(name)) ||
         PassPipelineInfo::lookup(unwrap(name));
}

void tcgen05RegisterPass(Tcgen05PassInfo info, Tcgen05PassCallbacks callbacks) {
  static auto *typeIDs = new TypeIDAllocator();
  auto *spec = new PassSpec(info, callbacks, typeIDs->allocate());
  registerPass([spec] { return std::make_unique<CallbackPass>(*spec); });
}
