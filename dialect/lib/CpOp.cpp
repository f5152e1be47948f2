//===- CpOp.cpp - Verifier of tcgen05.cp, rules C1 to C5 ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "Verification.h"

using namespace mlir;
using namespace tcgen05;

/// LDO and SDO are bytes in a 14-bit field that drops four zero bits.
static constexpr int64_t kOffsetUnit = 16;
static constexpr int64_t kOffsetLimit = int64_t(1) << 18;
static constexpr int64_t kMaxSwizzle = 3;

/// The generic form can give any operand any number of values, and upstream
/// checks that number for variadic ones only.
static LogicalResult verifySegments(CpOp op) {
  unsigned dst = op.getODSOperandIndexAndLength(0).second;
  unsigned src = op.getODSOperandIndexAndLength(2).second;
  if (dst == 1 && src == 1)
    return success();
  return op.emitOpError() << "'dst' and 'src' must be one operand each, got "
                          << dst << " and " << src;
}

/// C1: shape and multicast form one of the legal instructions. Each of them
/// takes every source format.
static LogicalResult verifyForm(CpOp op) {
  if (findInstruction(op.getShape(), op.getMulticast()))
    return success();
  InFlightDiagnostic diag =
      op.emitOpError() << "'multicast' must be "
                       << describeMulticasts(op.getShape()) << " with "
                       << NVVM::stringifyTcgen05CpShape(op.getShape())
                       << ", got "
                       << NVVM::stringifyTcgen05CpMulticast(op.getMulticast())
                       << " [C1]";
  diag.attachNote() << "legal forms are " << describeInstructions()
                    << ", each without 'src_format' or with b4x16_p64 or "
                       "b6x16_p32";
  return diag;
}

/// C2: where the operands live and how they are laid out.
static LogicalResult verifySpaces(CpOp op, MemRefType dst, MemRefType src) {
  if (getSpace(dst) != Space::Tensor)
    return op.emitOpError() << "'dst' must be in tensor memory "
                               "(#nvvm.memory_space<tensor> or 6), got "
                            << describeSpace(dst) << " [C2]";
  if (!isa<TmemLayoutAttr>(dst.getLayout()))
    return op.emitOpError() << "'dst' must have a #tcgen05.tmem_layout, got "
                            << describeLayout(dst) << " [C2]";
  if (getSpace(src) != Space::Shared)
    return op.emitOpError()
           << "'src' must be in shared memory (#gpu.address_space<workgroup>, "
              "3 or #nvvm.memory_space<shared>), got "
           << describeSpace(src) << " [C2]";
  if (isa<TmemLayoutAttr>(src.getLayout()))
    return op.emitOpError() << "'src' must have a layout of shared memory, got "
                            << describeLayout(src) << " [C2]";
  return success();
}

/// C3: the instruction moves 32-bit words.
static LogicalResult verifyElements(CpOp op, MemRefType dst, MemRefType src) {
  Type to = dst.getElementType(), from = src.getElementType();
  if (to == from && is32Bit(to))
    return success();
  return op.emitOpError()
         << "'dst' and 'src' must have the same 32-bit element type, got " << to
         << " and " << from << " [C3]";
}

/// The dimensions that indices leave of an operand: (*repeat, row, word).
static FailureOr<ArrayRef<int64_t>>
getImage(CpOp op, StringRef name, MemRefType type, size_t numIndices) {
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2 || numIndices > shape.size() - 2)
    return op.emitOpError()
           << "'" << name
           << "' must keep two dimensions (row, word) behind its indices, got "
           << shape.size() << " dimensions and " << numIndices
           << " indices [C4]";
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    bool indexed = dim < numIndices;
    if (extent > 0 || (indexed && ShapedType::isDynamic(extent)))
      continue;
    InFlightDiagnostic diag =
        op.emitOpError() << "'" << name << "' dimension " << dim << " must be "
                         << (indexed ? "positive" : "static and positive")
                         << ", got ";
    if (ShapedType::isDynamic(extent))
      diag << "?";
    else
      diag << extent;
    return diag << " [C4]";
  }
  return shape.drop_front(numIndices);
}

/// C4: both images end in the instruction's atom and repeat alike.
static LogicalResult verifyImages(CpOp op, MemRefType dst, MemRefType src) {
  auto dstImage = getImage(op, "dst", dst, op.getDstIndices().size());
  if (failed(dstImage))
    return failure();
  auto srcImage = getImage(op, "src", src, op.getSrcIndices().size());
  if (failed(srcImage))
    return failure();
  const Instruction &atom = *findInstruction(op.getShape(), op.getMulticast());
  auto verifyAtom = [&](StringRef name, ArrayRef<int64_t> image) {
    ArrayRef<int64_t> found = image.take_back(2);
    if (found[0] == atom.rows && found[1] == atom.words)
      return success();
    InFlightDiagnostic diag = op.emitOpError()
                              << "'" << name << "' must end in " << atom.rows
                              << "x" << atom.words
                              << " (rows x 32-bit words of " << atom.ptx
                              << "), got " << found[0] << "x" << found[1];
    return LogicalResult(diag << " [C4]");
  };
  if (failed(verifyAtom("dst", *dstImage)) ||
      failed(verifyAtom("src", *srcImage)))
    return failure();
  ArrayRef<int64_t> dstRepeat = dstImage->drop_back(2);
  ArrayRef<int64_t> srcRepeat = srcImage->drop_back(2);
  if (dstRepeat == srcRepeat)
    return success();
  InFlightDiagnostic diag = op.emitOpError()
                            << "'dst' and 'src' must repeat alike, got (";
  llvm::interleaveComma(dstRepeat, diag);
  diag << ") and (";
  llvm::interleaveComma(srcRepeat, diag);
  return diag << ") [C4]";
}

static LogicalResult verifyOffset(CpOp op, StringRef name,
                                  std::optional<int64_t> value) {
  if (!value ||
      (*value >= 0 && *value < kOffsetLimit && *value % kOffsetUnit == 0))
    return success();
  return op.emitOpError() << "'" << name << "' must be a multiple of "
                          << kOffsetUnit << " in 0.."
                          << kOffsetLimit - kOffsetUnit << " bytes, got "
                          << *value << " [C5]";
}

/// C5: field values, and the presence of those that the hardware reads.
static LogicalResult verifyDescriptor(CpOp op) {
  SmemDescAttr desc = op.getDescriptorAttr();
  if (!desc)
    return success();
  int64_t swizzle = desc.getSwizzle();
  if (swizzle < 0 || swizzle > kMaxSwizzle)
    return op.emitOpError()
           << "'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 "
              "(128 bytes), got "
           << swizzle << " [C5]";
  if (failed(verifyOffset(op, "ldo", desc.getLdo())) ||
      failed(verifyOffset(op, "sdo", desc.getSdo())))
    return failure();
  const Instruction &atom = *findInstruction(op.getShape(), op.getMulticast());
  if (!desc.getLdo() && atom.readsLdo(swizzle))
    return op.emitOpError() << "'ldo' must be given: " << atom.ptx
                            << " reads it when unswizzled [C5]";
  if (!desc.getSdo() && atom.readsSdo())
    return op.emitOpError()
           << "'sdo' must be given: " << atom.ptx << " reads it [C5]";
  return success();
}

LogicalResult CpOp::verify() {
  if (failed(verifySegments(*this)))
    return failure();
  auto dst = cast<MemRefType>(getDst().getType());
  auto src = cast<MemRefType>(getSrc().getType());
  if (failed(verifyAttributeNames(*this)) || failed(verifyForm(*this)) ||
      failed(verifySpaces(*this, dst, src)) ||
      failed(verifyElements(*this, dst, src)) ||
      failed(verifyImages(*this, dst, src)))
    return failure();
  return verifyDescriptor(*this);
}
