//===- DependentDialects.cpp - Dialects of a pass, by name ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DependentDialects.h"

#include "tcgen05-c/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <optional>

using namespace mlir;

namespace {
/// A registry inserts by TypeID, but tells only the allocator that belongs to a
/// name. The TypeID comes from an instance in a context of our own.
class DialectIds {
public:
  void setRegistry(const DialectRegistry *newRegistry) {
    std::lock_guard<std::mutex> guard(mutex);
    registry = newRegistry;
  }

  void insert(StringRef name, DialectRegistry &into) {
    std::lock_guard<std::mutex> guard(mutex);
    if (std::optional<TypeID> id = getId(name))
      into.insert(*id, name, DialectAllocatorFunction(allocator(name)));
  }

private:
  DialectAllocatorFunctionRef allocator(StringRef name) {
    return registry ? registry->getDialectAllocator(name)
                    : DialectAllocatorFunctionRef();
  }

  std::optional<TypeID> getId(StringRef name) {
    if (auto it = ids.find(name); it != ids.end())
      return it->second;
    if (!allocator(name))
      return std::nullopt;
    if (!context)
      context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    // Not all at once: a registry may have grown since the last look.
    context->appendDialectRegistry(*registry);
    TypeID id = context->getOrLoadDialect(name)->getTypeID();
    ids.try_emplace(name, id);
    return id;
  }

  std::mutex mutex;
  const DialectRegistry *registry = nullptr;
  std::unique_ptr<MLIRContext> context;
  llvm::StringMap<TypeID> ids;
};

/// Never destroyed: pipelines may still be parsed while the process exits.
DialectIds &getDialectIds() {
  static auto *ids = new DialectIds();
  return *ids;
}
} // namespace

void tcgen05::insertDialects(ArrayRef<std::string> names,
                             DialectRegistry &registry) {
  for (const std::string &name : names)
    getDialectIds().insert(name, registry);
}

void tcgen05SetDialectRegistry(MlirDialectRegistry registry) {
  getDialectIds().setRegistry(unwrap(registry));
}
