//===- BindTools.cpp - mlir-opt and mlir-lsp-server ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

#include "tcgen05-c/OptMain.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

using ToolMain = int (*)(int argc, char **argv, MlirDialectRegistry registry);

/// Runs `tool` without the interpreter lock. `arguments[0]` is its name.
static int runTool(ToolMain tool, std::vector<std::string> arguments) {
  // LLVM's command line parser keeps its state for the life of the process.
  static bool used = false;
  if (used)
    throw std::runtime_error("opt_main and lsp_server_main can run once in a "
                             "process; start another process");
  used = true;
  nb::object registry = nb::module_::import_(MAKE_MLIR_PYTHON_QUALNAME("ir"))
                            .attr("get_dialect_registry")();
  auto dialects = nb::cast<MlirDialectRegistry>(registry);
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  nb::gil_scoped_release release;
  return tool(static_cast<int>(arguments.size()), argv.data(), dialects);
}

void bindTools(nb::module_ &m) {
  m.def(
      "opt_main",
      [](std::vector<std::string> arguments) {
        return runTool(tcgen05OptMain, std::move(arguments));
      },
      "arguments"_a,
      "Run mlir-opt with our dialect and passes; returns the exit code. Once "
      "per process: RuntimeError after that.");
  m.def(
      "lsp_server_main",
      [](std::vector<std::string> arguments) {
        return runTool(tcgen05LspServerMain, std::move(arguments));
      },
      "arguments"_a,
      "Run mlir-lsp-server with our dialect on stdin and stdout; returns the "
      "exit code. Once per process: RuntimeError after that.");
}
