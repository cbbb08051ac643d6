//===- Constructs.cpp - Python programs run by the engine -----------------------===//
//
// The programs of test/Python/constructs that are listed here print what CPython prints. A program
// joins the list when the engine runs it.
//
//===----------------------------------------------------------------------===//
#include "ptc/Bytecode/Reader.h"
#include "ptc/Capture/Interpreter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace ptc;

static std::string compile(const std::string &source) {
  llvm::SmallString<128> out;
  REQUIRE_FALSE(llvm::sys::fs::createTemporaryFile("construct", "pyc", out));
  auto python = llvm::sys::findProgramByName("python3");
  REQUIRE(bool(python));
  std::string script = "import py_compile,sys; py_compile.compile(sys.argv[1], sys.argv[2], "
                       "doraise=True)";
  REQUIRE(llvm::sys::ExecuteAndWait(*python, {*python, "-c", script, source, out}) == 0);
  return std::string(out);
}

static std::string run(const std::string &source) {
  std::string pyc = compile(source);
  auto file = readPycFile(pyc);
  REQUIRE(bool(file));
  llvm::sys::fs::remove(pyc);
  std::string text;
  capture::PythonOptions options;
  options.output = [&](llvm::StringRef s) { text += s; };
  options.errorOutput = [&](llvm::StringRef) {};
  auto result = capture::runPython((*file)->top(), options);
  if (!result) {
    for (Diagnostic &d : takeDiagnostics(result.takeError())) {
      llvm::raw_string_ostream os(text);
      printDiagnostic(os, d);
    }
    return text;
  }
  return text + result->uncaught;
}

static const char *const kPrograms[] = {
    "assertions.py",
    "boolean_ops.py",
    "class_creation.py",
    "classes.py",
    "collections_tools.py",
    "comprehensions.py",
    "container_protocol.py",
    "contextlib_tools.py",
    "copy_module.py",
    "dataclasses_basic.py",
    "decorators.py",
    "defaults.py",
    "descriptors.py",
    "exception_chaining.py",
    "exception_groups.py",
    "floats.py",
    "format_spec.py",
    "fstrings.py",
    "functools_tools.py",
    "int_arithmetic.py",
    "itertools_tools.py",
    "lambdas.py",
    "list_methods.py",
    "loops.py",
    "match_statement.py",
    "operator_module.py",
    "os_path.py",
    "params.py",
    "properties.py",
    "recursion.py",
    "scopes.py",
    "sorting.py",
    "state_machines.py",
    "static_class_methods.py",
    "string_module.py",
    "try_except.py",
    "tuples.py",
    "typing_usage.py",
    "unpacking.py",
    "walrus.py",
    "warnings_logging.py",
    "with_statement.py",
};

/// What CPython prints.
static std::string expected(const std::string &source) {
  llvm::SmallString<128> out;
  REQUIRE_FALSE(llvm::sys::fs::createTemporaryFile("construct", "out", out));
  auto python = llvm::sys::findProgramByName("python3");
  REQUIRE(bool(python));
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(out), std::nullopt};
  ::setenv("PYTHONHASHSEED", "0", 1);
  llvm::sys::ExecuteAndWait(*python, {*python, source}, std::nullopt, redirects);
  auto buffer = llvm::MemoryBuffer::getFile(out);
  REQUIRE(bool(buffer));
  llvm::sys::fs::remove(out);
  return (*buffer)->getBuffer().str();
}

TEST_CASE("constructs print what CPython prints") {
  if (const char *one = std::getenv("PTC_CONSTRUCT")) {
    llvm::outs() << run(one);
    return;
  }
  for (const char *name : kPrograms) {
    std::string source = std::string("test/Python/constructs/") + name;
    INFO(source);
    CHECK(run(source) == expected(source));
  }
}
