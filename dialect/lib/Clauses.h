//===- Clauses.h - Custom syntax of tcgen05.cp ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_CLAUSES_H
#define TCGEN05_LIB_CLAUSES_H

#include "tcgen05/Tcgen05Dialect.h"

namespace tcgen05 {

/// `multicast(<warpx4>) cta_group(<cta_2>) src_format(<b4x16_p64>)
/// descriptor(<...>) predicate(%p)`: each at most once, read in any order,
/// printed in this one, defaults left out.
mlir::ParseResult parseClauses(
    mlir::OpAsmParser &parser, mlir::NVVM::Tcgen05CpMulticastAttr &multicast,
    mlir::NVVM::CTAGroupKindAttr &ctaGroup,
    mlir::NVVM::Tcgen05CpSrcFormatAttr &srcFormat, SmemDescAttr &descriptor,
    std::optional<mlir::OpAsmParser::UnresolvedOperand> &predicate);

void printClauses(mlir::OpAsmPrinter &printer, CpOp op,
                  mlir::NVVM::Tcgen05CpMulticastAttr multicast,
                  mlir::NVVM::CTAGroupKindAttr ctaGroup,
                  mlir::NVVM::Tcgen05CpSrcFormatAttr srcFormat,
                  SmemDescAttr descriptor, mlir::Value predicate);

} // namespace tcgen05

#endif // TCGEN05_LIB_CLAUSES_H
