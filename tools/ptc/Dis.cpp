//===- Dis.cpp - ptc dis: bytecode as text -------------------------------------===//
//
// In: a .pyc, or marshal data with --python-version. Out: text that `ptc asm` turns back into the
// same bytes, or with --canonical the instructions that capture executes (one way).
//
//===----------------------------------------------------------------------===//
#include "Verb.h"

#include "ptc/Bytecode/Decode.h"

#include "llvm/Support/MemoryBuffer.h"

#include <CLI/CLI.hpp>

using namespace ptc;
using namespace ptc::tool;

namespace {

struct DisOptions {
  std::string input, output = "-", pythonVersion;
  bool canonical = false;
};

llvm::Expected<std::string> makeText(const DisOptions &options, llvm::StringRef bytes) {
  std::optional<PythonVersion> version = parseVersionName(options.pythonVersion);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!options.canonical) {
    if (llvm::Error error = printRaw(os, bytes, options.input, version))
      return std::move(error);
    return text;
  }
  auto file = version ? readMarshal(bytes, *version, options.input) : readPyc(bytes, options.input);
  if (!file)
    return file.takeError();
  if (llvm::Error error = printCanonical(os, (*file)->top()))
    return std::move(error);
  return text;
}

void disassemble(const DisOptions &options, Session &session) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.input, /*IsText=*/false,
                                                   /*RequiresNullTerminator=*/false);
  if (!buffer)
    return session.report(
        makeError(DiagId::FileNotReadable, {}, options.input, buffer.getError().message()));
  session.noteFileRead(options.input);
  llvm::Expected<std::string> text = makeText(options, (*buffer)->getBuffer());
  if (!text)
    return session.report(text.takeError());
  session.deliver(options.output, *text);
}

} // namespace

VerbBody ptc::tool::declareDis(CLI::App &app) {
  auto options = std::make_shared<DisOptions>();
  std::vector<std::string> versions;
#define PTC_PYTHON(Minor, ...) versions.emplace_back("3." #Minor);
#include "ptc/Bytecode/Versions.def"
  app.add_option("FILE", options->input, "a .pyc file, or - for standard input")->required();
  app.add_flag("--canonical", options->canonical,
               "print the normal form of all versions instead (cannot be assembled)");
  app.add_option("--python-version", options->pythonVersion,
                 "FILE is marshal data without a header, written by this version")
      ->check(CLI::IsMember(versions));
  app.add_option("-o,--output", options->output, "where the text goes")->capture_default_str();
  return [options](Session &session) { disassemble(*options, session); };
}
