/*===- OptMain.h - mlir-opt and mlir-lsp-server as functions -----*- C -*-===*\
|*                                                                            *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TCGEN05_C_OPTMAIN_H
#define TCGEN05_C_OPTMAIN_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs mlir-opt with the dialects of `registry` and every pass registered so
 *  far; returns the exit code. Some flags, `--help` among them, end the process
 *  instead. LLVM's command line serves one call in a process: a second one
 *  would lose every flag. */
MLIR_CAPI_EXPORTED int tcgen05OptMain(int argc, char **argv,
                                      MlirDialectRegistry registry);

/** Runs mlir-lsp-server on stdin and stdout; as above, once per process. */
MLIR_CAPI_EXPORTED int tcgen05LspServerMain(int argc, char **argv,
                                            MlirDialectRegistry registry);

/** The version of LLVM and MLIR that this was compiled against, `22.1.8`. */
MLIR_CAPI_EXPORTED const char *tcgen05LlvmVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* TCGEN05_C_OPTMAIN_H */
