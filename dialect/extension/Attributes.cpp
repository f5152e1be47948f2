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

static nb::object fromModel(const char *name) {
  return nb::module_::import_("tcgen05_mlir.model").attr(name);
}

/// The model's value of `layout`, which may be its text. The model's parser
/// judges that, so a bad one is a ValueError.
static nb::object toModel(nb::object layout, const char *name) {
  nb::object model = fromModel(name);
  if (nb::isinstance<nb::str>(layout))
    return model.attr("parse")(layout);
  if (nb::isinstance(layout, model))
    return layout;
  std::string message = std::string("'layout' must be a ") + name +
                        " or its text, got " +
                        nb::str(layout.type().attr("__name__")).c_str();
  throw nb::type_error(message.c_str());
}

/// A layout class: `get` takes a layout of `tcgen05_mlir.model` or its text,
/// `layout` gives the model's value back. Text is their common form.
static void bindLayout(nb::module_ &m, const char *name, const char *modelName,
                       bool (*isA)(MlirAttribute), MlirTypeID (*getTypeID)()) {
  mlir_attribute_subclass(m, name, isA, getTypeID)
      .def_classmethod(
          "get",
          [=](const nb::object &cls, const nb::object &layout,
              MlirContext context) {
            requireDialect(context);
            auto text =
                nb::cast<std::string>(nb::str(toModel(layout, modelName)));
            MlirAttribute attr =
                mlirAttributeParseGet(context, toStringRef(text));
            if (mlirAttributeIsNull(attr))
              throw nb::value_error((text + " is not a layout").c_str());
            return cls(attr);
          },
          "cls"_a, "layout"_a.none(), "context"_a = nb::none(),
          "The attribute of a model layout, or of its text. ValueError for a "
          "text that is not one.")
      .def_property_readonly(
          "layout",
          [=](MlirAttribute self) {
            return fromModel(modelName).attr("parse")(nb::str(nb::cast(self)));
          },
          "The layout as a value of tcgen05_mlir.model.");
}

/// An integer of 64 bits. TypeError for another kind, ValueError for one that
/// does not fit.
static int64_t toNumber(const nb::object &value, const char *name) {
  nb::object number = nb::module_::import_("tcgen05_mlir.model.values")
                          .attr("as_int")(value, name);
  int64_t result;
  if (nb::try_cast(number, result))
    return result;
  std::string message = std::string("'") + name + "' must fit 64 bits, got " +
                        nb::str(number).c_str();
  throw nb::value_error(message.c_str());
}

static Field toField(const nb::object &value, const char *name) {
  return value.is_none() ? std::nullopt : Field(toNumber(value, name));
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
          [](const nb::object &cls, const nb::object &ldo,
             const nb::object &sdo, const nb::object &swizzle,
             MlirContext context) {
            requireDialect(context);
            Field ldoBytes = toField(ldo, "ldo"),
                  sdoBytes = toField(sdo, "sdo");
            return cls(tcgen05SmemDescAttrGet(context, toPointer(ldoBytes),
                                              toPointer(sdoBytes),
                                              toNumber(swizzle, "swizzle")));
          },
          "cls"_a, nb::kw_only(), "ldo"_a = nb::none(), "sdo"_a = nb::none(),
          "swizzle"_a.none() = 0, "context"_a = nb::none(),
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
