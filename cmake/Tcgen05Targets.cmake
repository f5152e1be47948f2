# tcgen05_target(<name>): compiles against MLIR's headers as a C++ part of ours.
# Without RTTI and exceptions where MLIR has none; MLIR's and generated headers
# are system headers, our warnings are errors.
function(tcgen05_target name)
  target_compile_definitions(${name} PRIVATE ${TCGEN05_LLVM_DEFINITIONS})
  target_include_directories(${name}
    PRIVATE ${PROJECT_SOURCE_DIR}/dialect/include)
  target_include_directories(${name} SYSTEM
    PRIVATE ${PROJECT_BINARY_DIR}/dialect/include ${MLIR_INCLUDE_DIRS}
            ${LLVM_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
  if(NOT LLVM_ENABLE_EH)
    target_compile_options(${name}
      PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  add_dependencies(${name} Tcgen05Generated)
endfunction()

# tcgen05_tablegen(<output> <source> <flags...>): one generated file under
# dialect/include/tcgen05 of the build folder, collected in TCGEN05_GENERATED.
function(tcgen05_tablegen output source)
  set(file ${PROJECT_BINARY_DIR}/dialect/include/tcgen05/${output})
  set(dir ${PROJECT_SOURCE_DIR}/dialect/include/tcgen05)
  file(GLOB definitions CONFIGURE_DEPENDS ${dir}/*.td)
  set(includes "")
  foreach(include ${MLIR_INCLUDE_DIRS})
    list(APPEND includes -I ${include})
  endforeach()
  add_custom_command(
    OUTPUT ${file}
    COMMAND ${MLIR_TABLEGEN_EXE} ${ARGN} -I ${PROJECT_SOURCE_DIR}/dialect/include
            ${includes} ${dir}/${source} -o ${file}
    DEPENDS ${definitions}
    COMMENT "mlir-tblgen ${output}"
    VERBATIM)
  set(TCGEN05_GENERATED ${TCGEN05_GENERATED} ${file} PARENT_SCOPE)
endfunction()
