//===- Prepared.cpp - Captures that begin from one heap -------------------------------------===//
//
// What a capture does to the program's state is taken back as a whole: the next one from the same
// preparation finds what a capture on its own finds, to the last location.
//
//===----------------------------------------------------------------------===//
#include "Numerics/Day.h"
#include "ptc/Capture/Capture.h"
#include "ptc/Capture/Emit.h"
#include "ptc/Dialect/Guard/IR/GuardConvert.h"
#include "ptc/Driver/Pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>

using namespace ptc;

static ExampleCall callOf(const std::vector<float> &x) {
  ExampleCall call;
  call.args = {ExampleValue::ofTensor(HostTensor::ofValues<float>(x))};
  return call;
}

/// The program and its guards, or the errors.
static std::string textOf(llvm::Expected<capture::CapturedEntry> captured) {
  if (!captured)
    return llvm::toString(captured.takeError());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::arith::ArithDialect, mlir::scf::SCFDialect, aten::AtenDialect,
                      guard::GuardDialect, program::ProgramDialect>();
  std::vector<const capture::Program *> programs;
  for (const auto &variant : captured->variants)
    programs.push_back(variant.get());
  auto module = capture::emitModule(context, programs, *captured->variants.front());
  std::string text = printModule(*module, /*locations=*/true);
  llvm::raw_string_ostream out(text);
  for (const sym::GuardSet &guards : captured->guards) {
    out << "variant\n";
    for (const sym::Guard &guard : guards.guards())
      out << sym::atomText(*captured->observables, guard.atom) << '\n';
  }
  for (const auto &assumption : captured->assumptions)
    out << assumption.text << '\n';
  for (const std::string &file : captured->filesRead)
    out << file << '\n';
  return text;
}

/// Functions of one argument that the module defines.
static std::vector<std::string> entriesOf(const std::string &file) {
  std::vector<std::string> names;
  auto read = readPycFile(file);
  REQUIRE(bool(read));
  for (const CodeObject *code : (*read)->codeObjects())
    if (!code->qualName.contains('.') && !code->name.starts_with("<") && code->argCount == 1 &&
        !code->kwOnlyArgCount && !code->hasFlag(CO_VARARGS))
      names.push_back(code->name.str());
  return names;
}

TEST_CASE("captures of one preparation are those of their own") {
  const unsigned kParts = std::getenv("PTC_ALL") ? 1 : 10;
  std::vector<std::string> files;
  std::error_code ec;
  for (llvm::sys::fs::directory_iterator it("test/EndToEnd/fixtures/3.12", ec), end;
       it != end && !ec; it.increment(ec))
    files.push_back(it->path());
  REQUIRE(!ec);
  llvm::sort(files);
  auto world = capture::BuiltinWorld::make();
  REQUIRE(bool(world));
  size_t turn = numerics::seedOfDay(), compared = 0;
  for (const std::string &file : files)
    for (const std::string &entry : entriesOf(file)) {
      if (turn++ % kParts)
        continue;
      capture::CaptureRequest one, both;
      one.file = file;
      one.entry = entry;
      one.examples = {callOf({1, 2, 3})};
      both = one;
      both.examples.push_back(callOf({-1, 0.5, -2, 4, 0.25}));
      both.allowNarrowing = true;
      const std::string ofOne = textOf(capture::captureEntry(one, *world)),
                        ofBoth = textOf(capture::captureEntry(both, *world));
      capture::Preparation prepared(*world);
      INFO(file << ' ' << entry);
      CHECK(textOf(capture::captureEntry(one, prepared)) == ofOne);
      CHECK(textOf(capture::captureEntry(both, prepared)) == ofBoth);
      CHECK(textOf(capture::captureEntry(one, prepared)) == ofOne);
      ++compared;
    }
  CHECK(compared > 40);
}
