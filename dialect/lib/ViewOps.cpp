//===- ViewOps.cpp - Verifiers of tcgen05.view and tcgen05.address --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verification.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tcgen05;

static constexpr unsigned kSharedSpace = 3;
static constexpr unsigned kTensorSpace = 6;
/// Shared addresses lie below 2^18; no larger alignment can hold.
static constexpr int64_t kMaxAlignment = int64_t(1) << 17;

static bool isPointer(Type type, unsigned space) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == space;
}

/// V1 for tensor memory.
static LogicalResult verifyTensorAddress(ViewOp op) {
  Type address = op.getAddress().getType();
  if (address.isSignlessInteger(32) || isPointer(address, kTensorSpace))
    return success();
  return op.emitOpError() << "'address' must be an i32 or !llvm.ptr<6> for a "
                             "result in tensor memory, got "
                          << address << " [V1]";
}

/// V1 for shared memory.
static LogicalResult verifySharedAddress(ViewOp op) {
  Type address = op.getAddress().getType();
  if (isPointer(address, kSharedSpace))
    return success();
  auto buffer = dyn_cast<MemRefType>(address);
  if (!buffer || getSpace(buffer) != Space::Shared)
    return op.emitOpError()
           << "'address' must be a memref in shared memory or !llvm.ptr<3> for "
              "a result in shared memory, got "
           << address << " [V1]";
  if (isa<SmemLayoutAttr, TmemLayoutAttr>(buffer.getLayout()))
    return op.emitOpError()
           << "'address' must be a plain or strided buffer, "
              "got one with layout "
           << describeLayout(buffer) << "; view the buffer itself [V1]";
  return success();
}

/// V1: the address fits the result's memory space.
static LogicalResult verifyAddress(ViewOp op, MemRefType view) {
  switch (getSpace(view)) {
  case Space::Tensor:
    return verifyTensorAddress(op);
  case Space::Shared:
    return verifySharedAddress(op);
  case Space::Other:
    break;
  }
  return op.emitOpError() << "'view' must be in tensor memory or in shared "
                             "memory, got "
                          << describeSpace(view) << " [V1]";
}

/// V2: 32-bit elements, and the layout of the space.
static LogicalResult verifyView(ViewOp op, MemRefType view) {
  if (!is32Bit(view.getElementType()))
    return op.emitOpError() << "'view' must have a 32-bit element type, got "
                            << view.getElementType() << " [V2]";
  bool tensor = getSpace(view) == Space::Tensor;
  if (tensor == isa<TmemLayoutAttr>(view.getLayout()))
    return success();
  return op.emitOpError() << "'view' must have "
                          << (tensor ? "a #tcgen05.tmem_layout"
                                     : "a layout of shared memory")
                          << ", got " << describeLayout(view) << " [V2]";
}

/// V3: a power of two of bytes, on shared memory.
static LogicalResult verifyAlignment(ViewOp op, MemRefType view) {
  std::optional<int64_t> alignment = op.getAlignment();
  if (!alignment)
    return success();
  if (getSpace(view) == Space::Tensor)
    return op.emitOpError()
           << "'alignment' applies to shared memory, got a result in tensor "
              "memory [V3]";
  if (*alignment > 0 && *alignment <= kMaxAlignment &&
      llvm::isPowerOf2_64(*alignment))
    return success();
  return op.emitOpError() << "'alignment' must be a power of two in 1.."
                          << kMaxAlignment << " bytes, got " << *alignment
                          << " [V3]";
}

LogicalResult ViewOp::verify() {
  auto view = cast<MemRefType>(getView().getType());
  if (failed(verifyAttributeNames(*this)) ||
      failed(verifyAddress(*this, view)) || failed(verifyView(*this, view)))
    return failure();
  return verifyAlignment(*this, view);
}

Value ViewOp::getViewSource() { return getAddress(); }

/// V4: an element of a tensor-memory view.
LogicalResult AddressOp::verify() {
  if (failed(verifyAttributeNames(*this)))
    return failure();
  auto view = cast<MemRefType>(getView().getType());
  if (getSpace(view) != Space::Tensor)
    return emitOpError() << "'view' must be in tensor memory "
                            "(#nvvm.memory_space<tensor> or 6), got "
                         << describeSpace(view) << " [V4]";
  if (!isa<TmemLayoutAttr>(view.getLayout()))
    return emitOpError() << "'view' must have a #tcgen05.tmem_layout, got "
                         << describeLayout(view) << " [V4]";
  if (int64_t(getIndices().size()) > view.getRank())
    return emitOpError() << "'indices' must be at most " << view.getRank()
                         << ", got " << getIndices().size() << " [V4]";
  return success();
}
