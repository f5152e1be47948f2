//===- EmitDiagnostic.cpp - One diagnostic with its notes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05-c/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

static DiagnosticSeverity toSeverity(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return DiagnosticSeverity::Error;
  case MlirDiagnosticWarning:
    return DiagnosticSeverity::Warning;
  case MlirDiagnosticRemark:
    return DiagnosticSeverity::Remark;
  case MlirDiagnosticNote:
    break;
  }
  llvm_unreachable("a note belongs to another diagnostic");
}

void tcgen05EmitDiagnostic(MlirLocation location,
                           MlirDiagnosticSeverity severity,
                           MlirStringRef message, intptr_t numNotes,
                           const MlirLocation *noteLocations,
                           const MlirStringRef *noteMessages) {
  Location at = unwrap(location);
  InFlightDiagnostic diagnostic =
      at->getContext()->getDiagEngine().emit(at, toSeverity(severity));
  diagnostic << unwrap(message);
  for (intptr_t i = 0; i < numNotes; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(noteMessages[i]);
}
