//===- Instructions.cpp - The legal forms of tcgen05.cp -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tcgen05;
using Shape = NVVM::Tcgen05CpShape;
using Multicast = NVVM::Tcgen05CpMulticast;

// PTX ISA, tcgen05-cp.
static constexpr Instruction kInstructions[] = {
    {Shape::SHAPE_128x256b, Multicast::NONE, 128, 8, "128x256b"},
    {Shape::SHAPE_128x128b, Multicast::NONE, 128, 4, "128x128b"},
    {Shape::SHAPE_4x256b, Multicast::NONE, 4, 8, "4x256b"},
    {Shape::SHAPE_64x128b, Multicast::WARPX2_02_13, 64, 4,
     "64x128b.warpx2::02_13"},
    {Shape::SHAPE_64x128b, Multicast::WARPX2_01_23, 64, 4,
     "64x128b.warpx2::01_23"},
    {Shape::SHAPE_32x128b, Multicast::WARPX4, 32, 4, "32x128b.warpx4"},
};

const Instruction *tcgen05::findInstruction(Shape shape, Multicast multicast) {
  const auto *found =
      llvm::find_if(kInstructions, [&](const Instruction &instruction) {
        return instruction.shape == shape && instruction.multicast == multicast;
      });
  return found == std::end(kInstructions) ? nullptr : found;
}

std::string tcgen05::describeMulticasts(Shape shape) {
  std::string text;
  for (const Instruction &instruction : kInstructions) {
    if (instruction.shape != shape)
      continue;
    if (!text.empty())
      text += " or ";
    text += NVVM::stringifyTcgen05CpMulticast(instruction.multicast);
  }
  return text;
}

std::string tcgen05::describeInstructions() {
  std::string text;
  for (const Instruction &instruction : kInstructions) {
    if (!text.empty())
      text += ", ";
    text += instruction.ptx;
  }
  return text;
}
