//===- Tcgen05Dialect.h - The tcgen05 dialect -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TCGEN05DIALECT_H
#define TCGEN05_TCGEN05DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "tcgen05/ReplicaModes.h"
#include "tcgen05/Tcgen05Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tcgen05/Tcgen05Attrs.h.inc"

#define GET_OP_CLASSES
#include "tcgen05/Tcgen05Ops.h.inc"

#endif // TCGEN05_TCGEN05DIALECT_H
