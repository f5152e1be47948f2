//===- Dialect.cpp - C API of the tcgen05 dialect -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05-c/Dialect.h"
#include "tcgen05/Tcgen05Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;
using namespace tcgen05;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tcgen05, tcgen05, Tcgen05Dialect)

bool tcgen05AttributeIsATmemLayout(MlirAttribute attr) {
  return isa<TmemLayoutAttr>(unwrap(attr));
}

MlirTypeID tcgen05TmemLayoutAttrGetTypeID() {
  return wrap(TmemLayoutAttr::getTypeID());
}

bool tcgen05AttributeIsASmemLayout(MlirAttribute attr) {
  return isa<SmemLayoutAttr>(unwrap(attr));
}

MlirTypeID tcgen05SmemLayoutAttrGetTypeID() {
  return wrap(SmemLayoutAttr::getTypeID());
}

bool tcgen05AttributeIsASmemDesc(MlirAttribute attr) {
  return isa<SmemDescAttr>(unwrap(attr));
}

MlirTypeID tcgen05SmemDescAttrGetTypeID() {
  return wrap(SmemDescAttr::getTypeID());
}

static std::optional<int64_t> toOptional(const int64_t *value) {
  return value ? std::optional(*value) : std::nullopt;
}

MlirAttribute tcgen05SmemDescAttrGet(MlirContext context, const int64_t *ldo,
                                     const int64_t *sdo, int64_t swizzle) {
  return wrap(SmemDescAttr::get(unwrap(context), toOptional(ldo),
                                toOptional(sdo), swizzle));
}

static bool store(std::optional<int64_t> field, int64_t *value) {
  if (field)
    *value = *field;
  return field.has_value();
}

bool tcgen05SmemDescAttrGetLdo(MlirAttribute attr, int64_t *value) {
  return store(cast<SmemDescAttr>(unwrap(attr)).getLdo(), value);
}

bool tcgen05SmemDescAttrGetSdo(MlirAttribute attr, int64_t *value) {
  return store(cast<SmemDescAttr>(unwrap(attr)).getSdo(), value);
}

int64_t tcgen05SmemDescAttrGetSwizzle(MlirAttribute attr) {
  return cast<SmemDescAttr>(unwrap(attr)).getSwizzle();
}
