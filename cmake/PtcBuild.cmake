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

# The libraries of LLVM, MLIR and lld. The shared ones cost each process 19 ms for the relocations of all that they
# have, so a program with the property PTC_STATIC_LLVM takes the archives; the linker takes from these only what is
# used, in any order. Under sanitizers everything is shared.
option(PTC_STATIC "Link the archives of LLVM and MLIR into ptc" ON)
if(PTC_SANITIZE OR PTC_FUZZ)
  set(PTC_STATIC OFF)
endif()
find_package(LLD REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
file(GLOB mlir_archives ${LLVM_LIBRARY_DIR}/libMLIR*.a)
list(FILTER mlir_archives EXCLUDE REGEX "CAPI|Test")
file(GLOB lld_archives ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a)
if(NOT llvm_archives OR NOT mlir_archives OR NOT lld_archives)
  set(PTC_STATIC OFF)
endif()
function(ptc_declare_llvm name shared)
  add_library(${name} INTERFACE)
  set(static $<BOOL:$<TARGET_PROPERTY:PTC_STATIC_LLVM>>)
  target_link_libraries(${name} INTERFACE "$<${static}:${ARGN}>" "$<$<NOT:${static}>:${shared}>")
endfunction()
ptc_declare_llvm(ptc_llvm LLVM ${llvm_archives} ZLIB::ZLIB ${zstd_LIBRARY} ${CMAKE_DL_LIBS} rt m)
ptc_declare_llvm(ptc_mlir MLIR ${mlir_archives})
ptc_declare_llvm(ptc_lld "lldELF;lldCommon" ${lld_archives})

# Precompiled headers, one set per kind of unit: what nearly every unit of the kind reads, headers of ours among it
# (a change to one of those compiles nearly all of these units again anyway). They change how long a build takes, never
# whether it passes: test/Style compiles each changed file without them.
set(PTC_PCH_BASE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <set>
  <string> <string_view> <utility> <variant> <vector>
  <llvm/ADT/APInt.h> <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/STLExtras.h>
  <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h>
  <llvm/ADT/Twine.h> <llvm/Support/Error.h> <llvm/Support/JSON.h> <llvm/Support/raw_ostream.h>)
set(PTC_PCH_MLIR ${PTC_PCH_BASE} <mlir/IR/Builders.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/OpImplementation.h>
  <mlir/IR/PatternMatch.h> <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/SCF/IR/SCF.h>
  <ptc/Dialect/Program/IR/Program.h>)
set(PTC_PCH_LOWERING ${PTC_PCH_MLIR} <llvm/ADT/MapVector.h> <llvm/ADT/TypeSwitch.h> <mlir/IR/IRMapping.h>
  <mlir/IR/ImplicitLocOpBuilder.h> <mlir/IR/Matchers.h> <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
  <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/Linalg/IR/Linalg.h> <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h> <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h> <ptc/Dialect/Plan/IR/Cost.h>)
set(PTC_PCH_TOOL ${PTC_PCH_MLIR} <CLI/CLI.hpp> <nlohmann/json.hpp> <ptc/Driver/Pipeline.h>)
set(PTC_PCH_TEST ${PTC_PCH_BASE} <catch2/catch.hpp>)
set(PTC_PCH_TEST_MLIR ${PTC_PCH_LOWERING} <mlir/IR/Verifier.h> <mlir/Parser/Parser.h> <mlir/Pass/PassManager.h>
  <catch2/catch.hpp>)
# Without the times of headers in them, so that ccache finds them again (tools/setup.sh sets its sloppiness).
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/empty.cpp CONTENT "")
foreach(set BASE MLIR LOWERING TOOL TEST TEST_MLIR)
  add_library(ptcPch_${set} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/empty.cpp)
  target_link_libraries(ptcPch_${set} PRIVATE ptc_flags)
  target_precompile_headers(ptcPch_${set} PRIVATE ${PTC_PCH_${set}})
endforeach()
set(PTC_GENERATED_HEADERS ptcAtenTableGen ptcAtenGen ptcProgramIncGen ptcPlanIncGen) # that headers of ours include
add_dependencies(ptcPch_MLIR ${PTC_GENERATED_HEADERS})
add_dependencies(ptcPch_LOWERING ${PTC_GENERATED_HEADERS})
add_dependencies(ptcPch_TOOL ${PTC_GENERATED_HEADERS})
add_dependencies(ptcPch_TEST_MLIR ${PTC_GENERATED_HEADERS})
target_compile_options(ptcPch_BASE PRIVATE -fno-exceptions)
target_compile_options(ptcPch_MLIR PRIVATE -fno-exceptions)
target_compile_options(ptcPch_LOWERING PRIVATE -fno-exceptions)
# Test programs are made to be run once or twice: optimising them costs more than it gives.
set(PTC_TEST_OPTIONS -O0)
# Most of the code of the command line is CLI11's. At -O0 it takes 10 ms of every start.
set(PTC_TOOL_OPTIONS -O1)
target_compile_options(ptcPch_TOOL PRIVATE ${PTC_TOOL_OPTIONS})
target_compile_options(ptcPch_TEST PRIVATE ${PTC_TEST_OPTIONS})
target_compile_options(ptcPch_TEST_MLIR PRIVATE ${PTC_TEST_OPTIONS})
# Executables: CMake compiles these without -fPIC.
set_target_properties(ptcPch_TOOL ptcPch_TEST ptcPch_TEST_MLIR PROPERTIES POSITION_INDEPENDENT_CODE OFF)

# ptc_add_library(NAME [EXCEPTIONS] [MLIR] [PCH set] [PCH_WITH headers...] [OPTIONS flags...] LINK libs...): every *.cpp
# below the calling folder. Libraries are static and without exceptions; MLIR says that libMLIR is linked as well. PCH
# names the set of precompiled headers (default: MLIR or BASE); PCH_WITH adds to it what this library has in common.
function(ptc_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR" "PCH" "LINK;DEPENDS;SOURCES;OPTIONS;PCH_WITH" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ptc_flags ${ARG_LINK} ptc_llvm)
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC ptc_mlir)
  endif()
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(NOT ARG_PCH)
    set(ARG_PCH BASE)
    if(ARG_MLIR)
      set(ARG_PCH MLIR)
    endif()
  endif()
  if(ARG_OPTIONS OR ARG_PCH_WITH) # other language options ask for a set of one's own as well
    target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${PTC_PCH_${ARG_PCH}} ${ARG_PCH_WITH})
  elseif(NOT ARG_EXCEPTIONS)
    target_precompile_headers(${name} REUSE_FROM ptcPch_${ARG_PCH})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# ptc_add_test(NAME [STANDALONE | MLIR | OPTIMISED] LINK libs...): one Catch2 program of the *.cpp in the calling folder, run
# by ctest. STANDALONE: without LLVM, whose headers (the precompiled ones as well) ask for its library. MLIR: its sources
# make IR. OPTIMISED: it runs for longer than optimising it takes.
function(ptc_add_test name)
  cmake_parse_arguments(ARG "STANDALONE;MLIR;OPTIMISED" "" "LINK;SOURCES" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES} $<TARGET_OBJECTS:ptcCatchMain>)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ptc_flags ${ARG_LINK})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/test)
  if(ARG_OPTIMISED) # no set of precompiled headers is for it
    target_compile_options(${name} PRIVATE -O1)
    return()
  endif()
  target_compile_options(${name} PRIVATE ${PTC_TEST_OPTIONS})
  if(ARG_MLIR)
    target_precompile_headers(${name} REUSE_FROM ptcPch_TEST_MLIR)
  elseif(NOT ARG_STANDALONE)
    target_precompile_headers(${name} REUSE_FROM ptcPch_TEST)
  endif()
endfunction()

# ptc_add_test_objects(NAME [MLIR] SOURCES... LINK libs...): what several test programs have, compiled once. They list
# $<TARGET_OBJECTS:NAME> among their sources.
function(ptc_add_test_objects name)
  cmake_parse_arguments(ARG "MLIR" "" "LINK;SOURCES" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ptc_flags ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${PTC_TEST_OPTIONS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/test)
  # As the precompiled headers of executables.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  set(set TEST)
  if(ARG_MLIR)
    set(set TEST_MLIR)
  endif()
  target_precompile_headers(${name} REUSE_FROM ptcPch_${set})
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
