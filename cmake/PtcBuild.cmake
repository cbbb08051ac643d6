# How ptc's own libraries and tests are declared: one call per folder, sources found by glob.

add_library(ptc_flags INTERFACE)
target_compile_options(ptc_flags INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wdeprecated-declarations -Wswitch-enum -Wno-error=switch-enum -Wno-switch-enum>)
target_include_directories(ptc_flags INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
target_include_directories(ptc_flags SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(PTC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(ptc_flags INTERFACE ${PTC_LLVM_DEFINITIONS})
target_link_options(ptc_flags INTERFACE -fuse-ld=lld)
if(PTC_SANITIZE OR PTC_FUZZ)
  target_compile_options(ptc_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-sanitize=vptr -fno-omit-frame-pointer -g1)
  target_link_options(ptc_flags INTERFACE -fsanitize=address,undefined)
endif()
if(PTC_FUZZ)
  target_compile_options(ptc_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Precompiled headers, three sets: what nearly every unit of a kind reads. They change how long a
# build takes, never whether it passes: test/Style compiles each changed file without them.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON for a build that shares a compiler cache between folders.
set(PTC_PCH_BASE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <set>
  <string> <string_view> <utility> <variant> <vector>
  <llvm/ADT/APInt.h> <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/STLExtras.h>
  <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h>
  <llvm/ADT/Twine.h> <llvm/Support/Error.h> <llvm/Support/JSON.h> <llvm/Support/raw_ostream.h>)
set(PTC_PCH_MLIR ${PTC_PCH_BASE} <mlir/IR/Builders.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/OpImplementation.h>
  <mlir/IR/PatternMatch.h> <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/SCF/IR/SCF.h>)
set(PTC_PCH_TEST ${PTC_PCH_BASE} <catch2/catch.hpp>)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/empty.cpp CONTENT "")
foreach(set BASE MLIR TEST)
  add_library(ptcPch_${set} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/empty.cpp)
  target_link_libraries(ptcPch_${set} PRIVATE ptc_flags)
  target_precompile_headers(ptcPch_${set} PRIVATE ${PTC_PCH_${set}})
endforeach()
target_compile_options(ptcPch_BASE PRIVATE -fno-exceptions)
target_compile_options(ptcPch_MLIR PRIVATE -fno-exceptions)
set_target_properties(ptcPch_TEST PROPERTIES POSITION_INDEPENDENT_CODE OFF)

# ptc_add_library(NAME [EXCEPTIONS] [MLIR] [OPTIONS flags...] LINK libs...): every *.cpp below the calling folder.
# Libraries are static and without exceptions; MLIR says that libMLIR is linked as well.
function(ptc_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR" "" "LINK;DEPENDS;SOURCES;OPTIONS" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ptc_flags ${ARG_LINK} LLVM)
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC MLIR)
  endif()
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(ARG_OPTIONS) # other language options: a set of its own
    target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${PTC_PCH_BASE})
  elseif(ARG_MLIR)
    target_precompile_headers(${name} REUSE_FROM ptcPch_MLIR)
  elseif(NOT ARG_EXCEPTIONS)
    target_precompile_headers(${name} REUSE_FROM ptcPch_BASE)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# ptc_add_test(NAME [STANDALONE] LINK libs...): one Catch2 program of the *.cpp in the calling folder, run by
# ctest. STANDALONE: without LLVM, whose headers (the precompiled ones as well) ask for its library.
function(ptc_add_test name)
  cmake_parse_arguments(ARG "STANDALONE" "" "LINK;SOURCES" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES} $<TARGET_OBJECTS:ptcCatchMain>)
  target_link_libraries(${name} PRIVATE ptc_flags ${ARG_LINK})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/test)
  if(NOT ARG_STANDALONE)
    target_precompile_headers(${name} REUSE_FROM ptcPch_TEST)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

# ptc_tablegen(TARGET FILE.td OUTDIR name;generator...): each generator's output as
# build/include/OUTDIR/<name>.inc, where `#include "OUTDIR/<name>.inc"` finds it.
function(ptc_tablegen target td outdir)
  set(out ${CMAKE_BINARY_DIR}/include/${outdir})
  file(MAKE_DIRECTORY ${out})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/ptc/*.td)
  set(outputs)
  while(ARGN)
    list(POP_FRONT ARGN name generator)
    separate_arguments(generator NATIVE_COMMAND "${generator}")
    add_custom_command(OUTPUT ${out}/${name}.inc
      COMMAND ${MLIR_TABLEGEN_EXE} ${generator} -I ${CMAKE_SOURCE_DIR}/include
              -I ${MLIR_INCLUDE_DIRS} ${td} -o ${out}/${name}.inc --write-if-changed
      DEPENDS ${sources} VERBATIM)
    list(APPEND outputs ${out}/${name}.inc)
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()
