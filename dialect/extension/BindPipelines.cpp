//===- BindPipelines.cpp - Running a pipeline on a clone -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {
struct CollectedDiagnostic {
  explicit CollectedDiagnostic(MlirDiagnostic diagnostic);

  MlirDiagnosticSeverity severity;
  MlirLocation location;
  std::string message;
  std::vector<CollectedDiagnostic> notes;
};

/// Takes every diagnostic of a context while it lives. Handlers written in
/// Python must not be called on a thread without the interpreter lock, so all
/// are held back until the run is over.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MlirContext context)
      : context(context),
        id(mlirContextAttachDiagnosticHandler(
            context, &DiagnosticCollector::collect, this, [](void *) {})) {}
  ~DiagnosticCollector() { mlirContextDetachDiagnosticHandler(context, id); }
  DiagnosticCollector(const DiagnosticCollector &) = delete;
  DiagnosticCollector &operator=(const DiagnosticCollector &) = delete;

  const std::vector<CollectedDiagnostic> &get() const { return diagnostics; }

private:
  /// The engine calls this under its own lock, on any thread.
  static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *userData) {
    static_cast<DiagnosticCollector *>(userData)->diagnostics.emplace_back(
        diagnostic);
    return mlirLogicalResultSuccess();
  }

  MlirContext context;
  std::vector<CollectedDiagnostic> diagnostics;
  MlirDiagnosticHandlerID id;
};

struct PassManager {
  explicit PassManager(MlirContext context)
      : manager(mlirPassManagerCreate(context)) {}
  ~PassManager() { mlirPassManagerDestroy(manager); }
  PassManager(const PassManager &) = delete;
  PassManager &operator=(const PassManager &) = delete;

  MlirPassManager manager;
};
} // namespace

static void append(MlirStringRef text, void *userData) {
  static_cast<std::string *>(userData)->append(text.data, text.length);
}

CollectedDiagnostic::CollectedDiagnostic(MlirDiagnostic diagnostic)
    : severity(mlirDiagnosticGetSeverity(diagnostic)),
      location(mlirDiagnosticGetLocation(diagnostic)) {
  mlirDiagnosticPrint(diagnostic, append, &message);
  for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i < e; ++i)
    notes.emplace_back(mlirDiagnosticGetNote(diagnostic, i));
}

static const char *toString(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return "error";
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    return "remark";
  }
  return "error";
}

/// (severity, location, message, notes)
static nb::tuple toTuple(const CollectedDiagnostic &diagnostic) {
  nb::list notes;
  for (const CollectedDiagnostic &note : diagnostic.notes)
    notes.append(toTuple(note));
  return nb::make_tuple(toString(diagnostic.severity), diagnostic.location,
                        diagnostic.message, notes);
}

static void parsePipeline(MlirPassManager manager, const std::string &text) {
  std::string problem;
  if (mlirLogicalResultIsFailure(
          mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                toStringRef(text), append, &problem)))
    throw nb::value_error(problem.c_str());
}

static nb::tuple runPipeline(MlirModule module, const std::string &pipeline,
                             bool verify) {
  PassManager passes(mlirModuleGetContext(module));
  parsePipeline(passes.manager, pipeline);
  mlirPassManagerEnableVerifier(passes.manager, verify);
  MlirOperation clone = mlirOperationClone(mlirModuleGetOperation(module));
  // Python owns the clone from here, whatever happens.
  nb::object owner = nb::cast(mlirModuleFromOperation(clone));
  DiagnosticCollector collector(mlirModuleGetContext(module));
  MlirLogicalResult result;
  {
    nb::gil_scoped_release release;
    result = mlirPassManagerRunOnOp(passes.manager, clone);
  }
  nb::list diagnostics;
  for (const CollectedDiagnostic &diagnostic : collector.get())
    diagnostics.append(toTuple(diagnostic));
  return nb::make_tuple(owner, mlirLogicalResultIsSuccess(result), diagnostics);
}

void bindPipelines(nb::module_ &m) {
  m.def("run_pipeline", &runPipeline, "module"_a, "pipeline"_a,
        "verify"_a = true,
        "Run a pipeline on a clone, without the interpreter lock. Returns the "
        "clone, whether it went well, and the diagnostics. ValueError with "
        "MLIR's text when the pipeline does not parse.");
}
