// Arbitrary bytes as a .pyc of each version: verified canonical code, or a typed error; whatever
// can be printed as text assembles to the same bytes.
#include "ptc/Bytecode/Decode.h"
#include "ptc/Support/Error.h"

using namespace ptc;

static void expectTyped(llvm::Error error) {
  for (const Diagnostic &diag : takeDiagnostics(std::move(error)))
    if (diag.id != DiagId::PycMalformed && diag.id != DiagId::BytecodeInvalid &&
        diag.id != DiagId::CodeTooLarge && diag.id != DiagId::PycMagicUnknown)
      __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  llvm::Expected<std::unique_ptr<CodeFile>> file = readPyc(bytes, "fuzz");
  if (!file) {
    expectTyped(file.takeError());
  } else {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (llvm::Error error = printCanonical(os, (*file)->top())) {
      expectTyped(std::move(error));
      __builtin_trap(); // it was verified
    }
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = printRaw(os, bytes, "fuzz")) {
    expectTyped(std::move(error));
    return 0;
  }
  llvm::Expected<std::string> back = assemble(text, "fuzz");
  if (!back || *back != bytes)
    __builtin_trap();
  return 0;
}
