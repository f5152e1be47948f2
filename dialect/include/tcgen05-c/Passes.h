/*===- Passes.h - Passes and pipelines described by callbacks ----*- C -*-===*\
|*                                                                            *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TCGEN05_C_PASSES_H
#define TCGEN05_C_PASSES_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===- Options ------------------------------------------------------------===*/

/** One option of a pass or a pipeline. Values are text on this side; their
 *  types and limits belong to the `check` callback. All strings are copied. */
typedef struct Tcgen05Option {
  MlirStringRef name;
  MlirStringRef description;
  /** Shown in help as `--name=<valueName>`. */
  MlirStringRef valueName;
  MlirStringRef defaultValue;
  /** Given without a value, the option means `true`. */
  bool isFlag;
} Tcgen05Option;

/** The value of every option, in the order of their declaration. */
typedef struct Tcgen05OptionValues {
  intptr_t count;
  const MlirStringRef *values;
} Tcgen05OptionValues;

/** Takes one text, such as an error message, during a callback. */
typedef struct Tcgen05TextSink {
  MlirStringCallback callback;
  void *userData;
} Tcgen05TextSink;

/*===- Passes -------------------------------------------------------------===*/

/** A pass, described. All strings are copied. */
typedef struct Tcgen05PassInfo {
  /** The name in pipelines, `convert-x-to-y`. */
  MlirStringRef name;
  /** The name in IR dumps, `ConvertXToY`. */
  MlirStringRef className;
  MlirStringRef description;
  intptr_t numOptions;
  const Tcgen05Option *options;
  /** Dialects that the pass creates entities of; loaded before it runs. */
  intptr_t numDialects;
  const MlirStringRef *dialects;
} Tcgen05PassInfo;

/** What a pass does. `userData` lives as long as the process. */
typedef struct Tcgen05PassCallbacks {
  void *userData;
  /** Judges the option values while the pipeline is parsed; on failure it has
   *  written the reason to `problem`. */
  MlirLogicalResult (*check)(Tcgen05OptionValues values,
                             Tcgen05TextSink problem, void *userData);
  /** Runs on `op`. It emits its own diagnostics; failure fails the pass. */
  MlirLogicalResult (*run)(MlirOperation op, Tcgen05OptionValues values,
                           void *userData);
  /** True when this thread holds the lock that `run` takes. A pass whose
   *  pipeline was started by a holder cannot run on another thread: it would
   *  wait for ever, so it fails with an error instead. */
  bool (*holdsLock)(void *userData);
} Tcgen05PassCallbacks;

/** True when MLIR knows a pass or a pipeline of this name. */
MLIR_CAPI_EXPORTED bool tcgen05IsPassRegistered(MlirStringRef name);

/** Registers a pass for the rest of the process. The name must be free:
 *  see tcgen05IsPassRegistered. Not thread safe. */
MLIR_CAPI_EXPORTED void tcgen05RegisterPass(Tcgen05PassInfo info,
                                            Tcgen05PassCallbacks callbacks);

/** The registry in which passes find their dependent dialects by name. It must
 *  outlive every pipeline. */
MLIR_CAPI_EXPORTED void tcgen05SetDialectRegistry(MlirDialectRegistry registry);

/*===- Pipelines ----------------------------------------------------------===*/

/** A named pipeline, described. All strings are copied. */
typedef struct Tcgen05PipelineInfo {
  MlirStringRef name;
  MlirStringRef description;
  intptr_t numOptions;
  const Tcgen05Option *options;
} Tcgen05PipelineInfo;

/** What a pipeline expands to. `userData` lives as long as the process. */
typedef struct Tcgen05PipelineCallbacks {
  void *userData;
  /** Writes the pipeline's elements, `a{x=1},gpu.module(b)`, to `text`; or the
   *  reason why it cannot to `problem`, and fails. */
  MlirLogicalResult (*build)(Tcgen05OptionValues values, Tcgen05TextSink text,
                             Tcgen05TextSink problem, void *userData);
} Tcgen05PipelineCallbacks;

/** Registers a pipeline; the name must be free. Not thread safe. */
MLIR_CAPI_EXPORTED void
tcgen05RegisterPipeline(Tcgen05PipelineInfo info,
                        Tcgen05PipelineCallbacks callbacks);

/*===- Diagnostics --------------------------------------------------------===*/

/** Emits one diagnostic with notes. `severity` is not a note. */
MLIR_CAPI_EXPORTED void tcgen05EmitDiagnostic(
    MlirLocation location, enum MlirDiagnosticSeverity severity,
    MlirStringRef message, intptr_t numNotes, const MlirLocation *noteLocations,
    const MlirStringRef *noteMessages);

#ifdef __cplusplus
}
#endif

#endif /* TCGEN05_C_PASSES_H */
