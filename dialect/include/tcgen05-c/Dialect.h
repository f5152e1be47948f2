/*===- Dialect.h - C API of the tcgen05 dialect ------------------*- C -*-===*\
|*                                                                            *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef TCGEN05_C_DIALECT_H
#define TCGEN05_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tcgen05, tcgen05);

/*===- Layouts ------------------------------------------------------------===*/

/** True for `#tcgen05.tmem_layout`. */
MLIR_CAPI_EXPORTED bool tcgen05AttributeIsATmemLayout(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID tcgen05TmemLayoutAttrGetTypeID(void);

/** True for `#tcgen05.smem_layout`. */
MLIR_CAPI_EXPORTED bool tcgen05AttributeIsASmemLayout(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID tcgen05SmemLayoutAttrGetTypeID(void);

/*===- Descriptor ---------------------------------------------------------===*/

/** True for `#tcgen05.smem_desc`. */
MLIR_CAPI_EXPORTED bool tcgen05AttributeIsASmemDesc(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID tcgen05SmemDescAttrGetTypeID(void);

/** A descriptor; a null pointer leaves that field out. `ldo` and `sdo` are
 *  bytes, `swizzle` is 0..3. The values are judged by the op's verifier. */
MLIR_CAPI_EXPORTED MlirAttribute tcgen05SmemDescAttrGet(MlirContext context,
                                                        const int64_t *ldo,
                                                        const int64_t *sdo,
                                                        int64_t swizzle);

/** Store the field in `*value` and return true, or return false where it was
 *  left out. */
MLIR_CAPI_EXPORTED bool tcgen05SmemDescAttrGetLdo(MlirAttribute attr,
                                                  int64_t *value);
MLIR_CAPI_EXPORTED bool tcgen05SmemDescAttrGetSdo(MlirAttribute attr,
                                                  int64_t *value);
MLIR_CAPI_EXPORTED int64_t tcgen05SmemDescAttrGetSwizzle(MlirAttribute attr);

#ifdef __cplusplus
}
#endif

#endif /* TCGEN05_C_DIALECT_H */
