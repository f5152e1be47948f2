//===- BindDialect.cpp - The dialect in registries and contexts ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "tcgen05-c/Dialect.h"

namespace nb = nanobind;
using namespace nb::literals;

void requireDialect(MlirContext context) {
  MlirStringRef name =
      mlirDialectHandleGetNamespace(mlirGetDialectHandle__tcgen05__());
  if (mlirDialectIsNull(mlirContextGetOrLoadDialect(context, name)))
    throw nb::value_error(
        "this Context was made before 'import tcgen05_mlir' and lacks the "
        "dialect: call tcgen05_mlir.register_dialect(context)");
}

void bindDialect(nb::module_ &m) {
  m.def(
      "insert_dialect",
      [](MlirDialectRegistry registry) {
        mlirDialectHandleInsertDialect(mlirGetDialectHandle__tcgen05__(),
                                       registry);
      },
      "registry"_a, "Add the dialect to a registry; idempotent.");
  m.def(
      "register_dialect",
      [](MlirContext context, bool load) {
        MlirDialectHandle dialect = mlirGetDialectHandle__tcgen05__();
        mlirDialectHandleRegisterDialect(dialect, context);
        if (load)
          mlirDialectHandleLoadDialect(dialect, context);
      },
      "context"_a, "load"_a = true,
      "Register the dialect with a context, and load it; idempotent.");
  m.def("require_dialect", &requireDialect, "context"_a,
        "Raise ValueError with the remedy where a context lacks the dialect.");
}
