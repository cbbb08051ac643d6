//===- Asm.cpp - ptc asm: text of ptc dis into bytes ---------------------------===//
//
// In: text as `ptc dis` writes it. Out: the .pyc or marshal data that it stands for.
//
//===----------------------------------------------------------------------===//
#include "Verb.h"

#include "ptc/Bytecode/Decode.h"

#include "llvm/Support/MemoryBuffer.h"

#include <CLI/CLI.hpp>

using namespace ptc;
using namespace ptc::tool;

namespace {

struct AsmOptions {
  std::string input, output;
};

void assembleFile(const AsmOptions &options, Session &session) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.input);
  if (!buffer)
    return session.report(
        makeError(DiagId::FileNotReadable, {}, options.input, buffer.getError().message()));
  session.noteFileRead(options.input);
  llvm::Expected<std::string> bytes = assemble((*buffer)->getBuffer(), options.input);
  if (!bytes)
    return session.report(bytes.takeError());
  session.deliver(options.output, *bytes);
}

} // namespace

VerbBody ptc::tool::declareAsm(CLI::App &app) {
  auto options = std::make_shared<AsmOptions>();
  app.add_option("FILE", options->input, "text of ptc dis, or - for standard input")->required();
  app.add_option("-o,--output", options->output, "where the bytes go, - for standard output")
      ->required();
  return [options](Session &session) { assembleFile(*options, session); };
}
