//===- BindDiagnostics.cpp - Emitting diagnostics with notes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "tcgen05-c/Passes.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

using Notes = std::vector<std::pair<MlirLocation, std::string>>;

static MlirDiagnosticSeverity toSeverity(const std::string &severity) {
  if (severity == "error")
    return MlirDiagnosticError;
  if (severity == "warning")
    return MlirDiagnosticWarning;
  if (severity == "remark")
    return MlirDiagnosticRemark;
  throw nb::value_error(
      ("severity must be 'error', 'warning' or 'remark', got '" + severity +
       "'")
          .c_str());
}

static void emit(MlirLocation location, const std::string &severity,
                 const std::string &message, const Notes &notes) {
  MlirDiagnosticSeverity level = toSeverity(severity);
  std::vector<MlirLocation> locations;
  std::vector<MlirStringRef> messages;
  for (const auto &[noteLocation, noteMessage] : notes) {
    locations.push_back(noteLocation);
    messages.push_back(toStringRef(noteMessage));
  }
  tcgen05EmitDiagnostic(location, level, toStringRef(message), notes.size(),
                        locations.data(), messages.data());
}

void bindDiagnostics(nb::module_ &m) {
  m.def("emit", &emit, "location"_a, "severity"_a, "message"_a,
        "notes"_a = Notes(),
        "Emit one diagnostic to the handlers of the location's context.");
}
