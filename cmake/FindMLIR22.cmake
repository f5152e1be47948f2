# Finds MLIR 22.1: in the wheels of the Python that builds, or where
# -DMLIR_DIR says. Sets MLIR_INSTALL_PREFIX, MLIR_TABLEGEN_EXE and the include
# directories.

if(TCGEN05_PYTHON)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
  if(NOT DEFINED MLIR_DIR)
    execute_process(
      COMMAND ${Python_EXECUTABLE} -c
              "import importlib.util as u; print(u.find_spec('mlir').submodule_search_locations[0])"
      OUTPUT_VARIABLE TCGEN05_MLIR_PACKAGE
      OUTPUT_STRIP_TRAILING_WHITESPACE
      ERROR_QUIET)
    if(NOT TCGEN05_MLIR_PACKAGE)
      message(FATAL_ERROR "The Python package 'mlir' (xtc-mlir-python-bindings, xtc-mlir-dev) is not installed for ${Python_EXECUTABLE}; install the build requirements of pyproject.toml or pass -DMLIR_DIR=.")
    endif()
    set(MLIR_DIR ${TCGEN05_MLIR_PACKAGE}/lib/cmake/mlir)
    get_filename_component(TCGEN05_SITE ${TCGEN05_MLIR_PACKAGE} DIRECTORY)
    execute_process(
      COMMAND ${Python_EXECUTABLE} -c
              "import importlib.metadata as m; print(m.version('xtc-mlir-python-bindings'))"
      OUTPUT_VARIABLE TCGEN05_BINDINGS_VERSION
      OUTPUT_STRIP_TRAILING_WHITESPACE
      COMMAND_ERROR_IS_FATAL ANY)
    set(LLVM_DIR ${TCGEN05_SITE}/llvm/lib/cmake/llvm)
  endif()
endif()

find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_PACKAGE_VERSION MATCHES "^22\\.1\\.")
  message(FATAL_ERROR "tcgen05-mlir needs MLIR 22.1, found ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}.")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION}: ${MLIR_INSTALL_PREFIX}")

separate_arguments(TCGEN05_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
# Assertions change inline code of MLIR's headers: follow the library.
if(LLVM_ENABLE_ASSERTIONS)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()
