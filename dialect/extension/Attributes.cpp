//===- Attributes.cpp - Python classes of the dialect's attributes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "tcgen05-c/Dialect.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using mlir::python::nanobind_adaptors::mlir_attribute_subclass;

using Field = std::optional<int64_t>;

/// A layout class: `get` takes a layout of `tcgen05_mlir.model` or its text,
/// `layout` gives the model's value back. The text is the common form, and the
/// model's parser is the one that judges it, so a bad one is a ValueError.
static void bindLayout(nb::module_ &m, const char *name, const char *modelName,
                       bool (*isA)(MlirAttribute), MlirTypeID (*getTypeID)()) {
  auto modelClass = [modelName] {
    return nb::module_::import_("tcgen05_mlir.model").attr(modelName);
  };
  mlir_attribute_subclass(m, name, isA, getTypeID)
      .def_classmethod(
          "get",
          [=](const nb::object &cls, nb::object layout, MlirContext context) {
            nb::object model = modelClass();
            if (nb::isinstance<nb::str>(layout))
              layout = model.attr("parse")(layout);
            if (!nb::isinstance(layout, model))
              throw nb::type_error((std::string("'layout' must be a ") +
                                    modelName + " or its text")
                                       .c_str());
            auto text = nb::cast<std::string>(nb::str(layout));
            MlirAttribute attr =
                mlirAttributeParseGet(context, toStringRef(text));
            if (mlirAttributeIsNull(attr))
              throw nb::value_error((text + " is not a layout").c_str());
            return cls(attr);
          },
          "cls"_a, "layout"_a, "context"_a = nb::none(),
          "The attribute of a model layout, or of its text. ValueError for a "
          "text that is not one.")
      .def_property_readonly(
          "layout",
          [=](MlirAttribute self) {
            return modelClass().attr("parse")(nb::str(nb::cast(self)));
          },
          "The layout as a value of tcgen05_mlir.model.");
}

static const int64_t *toPointer(const Field &field) {
  return field ? &*field : nullptr;
}

static Field getField(MlirAttribute attr,
                      bool (*get)(MlirAttribute, int64_t *)) {
  int64_t value;
  return get(attr, &value) ? Field(value) : std::nullopt;
}

static void bindDescriptor(nb::module_ &m) {
  mlir_attribute_subclass(m, "SmemDescAttr", tcgen05AttributeIsASmemDesc,
                          tcgen05SmemDescAttrGetTypeID)
      .def_classmethod(
          "get",
          [](const nb::object &cls, Field ldo, Field sdo, int64_t swizzle,
             MlirContext context) {
            return cls(tcgen05SmemDescAttrGet(context, toPointer(ldo),
                                              toPointer(sdo), swizzle));
          },
          "cls"_a, nb::kw_only(), "ldo"_a = nb::none(), "sdo"_a = nb::none(),
          "swizzle"_a = 0, "context"_a = nb::none(),
          "A descriptor's fields: ldo and sdo in bytes, swizzle 0..3. None "
          "leaves a field out. The operation judges the values [C5].")
      .def_property_readonly("ldo",
                             [](MlirAttribute self) {
                               return getField(self, tcgen05SmemDescAttrGetLdo);
                             })
      .def_property_readonly("sdo",
                             [](MlirAttribute self) {
                               return getField(self, tcgen05SmemDescAttrGetSdo);
                             })
      .def_property_readonly("swizzle", [](MlirAttribute self) {
        return tcgen05SmemDescAttrGetSwizzle(self);
      });
}

void bindAttributes(nb::module_ &m) {
  bindLayout(m, "TmemLayoutAttr", "TmemLayout", tcgen05AttributeIsATmemLayout,
             tcgen05TmemLayoutAttrGetTypeID);
  bindLayout(m, "SmemLayoutAttr", "SmemLayout", tcgen05AttributeIsASmemLayout,
             tcgen05SmemLayoutAttrGetTypeID);
  bindDescriptor(m);
}
