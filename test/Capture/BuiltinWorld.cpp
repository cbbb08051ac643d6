//===- BuiltinWorld.cpp - Builtin modules that serve many programs -------------------===//
//
// One world runs programs of several versions, one after the other, in both orders: each finds the
// version of its own bytecode, though sys was imported before it was read.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Capture.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>

using namespace ptc;

static std::string run(const std::string &version, capture::BuiltinWorld &world) {
  capture::CaptureRequest request;
  request.file = "test/Python/fixtures/" + version + "/builtin_names.pyc";
  std::string text, errors;
  llvm::raw_string_ostream out(text), err(errors);
  auto result = capture::runPython(request, world, out, err);
  if (result)
    return text + result->uncaught;
  return text + llvm::toString(result.takeError());
}

TEST_CASE("a world with sys tells each program its own version") {
  auto expected = llvm::MemoryBuffer::getFile("test/Python/expected/builtin_names.out");
  REQUIRE(bool(expected));
  auto world = capture::BuiltinWorld::make({"sys"});
  REQUIRE(bool(world));
  for (const char *version : {"3.12", "3.15", "3.13", "3.14", "3.15", "3.12"}) {
    INFO(version);
    CHECK(run(version, *world) == (*expected)->getBuffer().str());
  }
}
