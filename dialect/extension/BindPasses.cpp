//===- BindPasses.cpp - Registering Python passes and pipelines ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "tcgen05-c/Passes.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

/// (name, description, value name, default, is flag)
using OptionTuple =
    std::tuple<std::string, std::string, std::string, std::string, bool>;

namespace {
/// The Python functions behind a pass or pipeline. Never freed: MLIR's registry
/// refers to them until the process ends.
struct Hooks {
  nb::callable first, second;
};
} // namespace

static std::vector<Tcgen05Option>
viewOptions(const std::vector<OptionTuple> &options) {
  std::vector<Tcgen05Option> views;
  for (const auto &[name, description, valueName, value, isFlag] : options)
    views.push_back({toStringRef(name), toStringRef(description),
                     toStringRef(valueName), toStringRef(value), isFlag});
  return views;
}

static nb::list toList(Tcgen05OptionValues values) {
  nb::list list;
  for (intptr_t i = 0; i < values.count; ++i)
    list.append(nb::str(values.values[i].data, values.values[i].length));
  return list;
}

static void write(Tcgen05TextSink sink, const std::string &text) {
  sink.callback(toStringRef(text), sink.userData);
}

/// `body` with the interpreter lock held. The callers are compiled without
/// exceptions, so none may leave; the Python hooks raise only where they are
/// interrupted or wrong.
template <typename BodyT, typename ReportT>
static MlirLogicalResult guarded(BodyT body, ReportT report) {
  nb::gil_scoped_acquire lock;
  try {
    return body() ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
  } catch (const std::exception &error) {
    report(std::string("internal error in the pass adaptor: ") + error.what());
    return mlirLogicalResultFailure();
  }
}

/// check(values) -> None, or the reason why they are wrong.
static MlirLogicalResult checkOptions(Tcgen05OptionValues values,
                                      Tcgen05TextSink problem, void *userData) {
  auto *hooks = static_cast<Hooks *>(userData);
  auto report = [&](const std::string &text) { write(problem, text); };
  return guarded(
      [&] {
        nb::object answer = hooks->first(toList(values));
        if (!answer.is_none())
          report(nb::cast<std::string>(answer));
        return answer.is_none();
      },
      report);
}

/// run(values, op) -> whether the pass succeeded; it has emitted what went
/// wrong.
static MlirLogicalResult runPass(MlirOperation op, Tcgen05OptionValues values,
                                 void *userData) {
  auto *hooks = static_cast<Hooks *>(userData);
  MlirLocation location = mlirOperationGetLocation(op);
  return guarded(
      [&] { return nb::cast<bool>(hooks->second(toList(values), op)); },
      [&](const std::string &text) { mlirEmitError(location, text.c_str()); });
}

/// build(values) -> (True, the pipeline's elements) or (False, the reason).
static MlirLogicalResult buildPipeline(Tcgen05OptionValues values,
                                       Tcgen05TextSink text,
                                       Tcgen05TextSink problem,
                                       void *userData) {
  auto *hooks = static_cast<Hooks *>(userData);
  return guarded(
      [&] {
        auto [built, answer] = nb::cast<std::pair<bool, std::string>>(
            hooks->first(toList(values)));
        write(built ? text : problem, answer);
        return built;
      },
      [&](const std::string &message) { write(problem, message); });
}

static bool holdsInterpreterLock(void *) { return PyGILState_Check(); }

static void registerPass(const std::string &name, const std::string &className,
                         const std::string &description,
                         const std::vector<OptionTuple> &options,
                         const std::vector<std::string> &dialects,
                         nb::callable check, nb::callable run) {
  std::vector<Tcgen05Option> optionViews = viewOptions(options);
  std::vector<MlirStringRef> dialectViews;
  for (const std::string &dialect : dialects)
    dialectViews.push_back(toStringRef(dialect));
  Tcgen05PassInfo info = {
      toStringRef(name),        toStringRef(className),
      toStringRef(description), static_cast<intptr_t>(optionViews.size()),
      optionViews.data(),       static_cast<intptr_t>(dialectViews.size()),
      dialectViews.data()};
  auto *hooks = new Hooks{std::move(check), std::move(run)};
  tcgen05RegisterPass(info,
                      {hooks, checkOptions, runPass, holdsInterpreterLock});
}

static void registerPipeline(const std::string &name,
                             const std::string &description,
                             const std::vector<OptionTuple> &options,
                             nb::callable build) {
  std::vector<Tcgen05Option> optionViews = viewOptions(options);
  Tcgen05PipelineInfo info = {toStringRef(name), toStringRef(description),
                              static_cast<intptr_t>(optionViews.size()),
                              optionViews.data()};
  auto *hooks = new Hooks{std::move(build), nb::callable()};
  tcgen05RegisterPipeline(info, {hooks, buildPipeline});
}

void bindPasses(nb::module_ &m) {
  // MLIR's registries refer to it until the process ends.
  nb::object dialects = nb::module_::import_(MAKE_MLIR_PYTHON_QUALNAME("ir"))
                            .attr("get_dialect_registry")();
  tcgen05SetDialectRegistry(nb::cast<MlirDialectRegistry>(dialects));
  (void)dialects.release();

  m.def(
      "is_pass_registered",
      [](const std::string &name) {
        return tcgen05IsPassRegistered(toStringRef(name));
      },
      "name"_a, "True when MLIR knows a pass or pipeline of this name.");
  m.def("register_pass", &registerPass, "name"_a, "class_name"_a,
        "description"_a, "options"_a, "dialects"_a, "check"_a, "run"_a,
        "Register a pass for the rest of the process; the name must be free.");
  m.def("register_pipeline", &registerPipeline, "name"_a, "description"_a,
        "options"_a, "build"_a,
        "Register a pipeline for the rest of the process; the name must be "
        "free.");
}
