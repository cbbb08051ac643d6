// Code objects into canonical code: translate, simplify, flow graph; verification is part of it.
// In: a code object read from anywhere. Out: CanonicalCode, or BytecodeInvalid / CodeTooLarge.
#include "ptc/Bytecode/Decode.h"

#include "Translate.h"

#include "ptc/Support/Error.h"

using namespace ptc;

/// Words of the bit matrices over instructions and locals.
static constexpr uint64_t kMaxWords = 1ULL << 23;

llvm::Expected<std::unique_ptr<CanonicalCode>> ptc::decode(const CodeObject &code) {
  SourceLoc where{code.fileName.str(), code.firstLine, 0, 0, 0};
  uint64_t words = (code.locals.size() + 63) / 64 * (code.code.size() + 2);
  if (words > kMaxWords)
    return makeError(DiagId::CodeTooLarge, where, code.qualName,
                     "too many locals for its instructions");
  auto canonical = std::make_unique<CanonicalCode>();
  std::string why;
  if (!translate(code, *canonical, why) || !simplify(*canonical, why))
    return makeError(DiagId::BytecodeInvalid, where, code.qualName, why);
  if (!buildFlowGraph(*canonical))
    return makeError(DiagId::CodeTooLarge, where, code.qualName, "too many loops");
  return canonical;
}

llvm::Expected<const CanonicalCode *> ptc::getCanonical(const CodeObject &code) {
  if (!code.canonical) {
    llvm::Expected<std::unique_ptr<CanonicalCode>> decoded = decode(code);
    if (!decoded)
      return decoded.takeError();
    code.canonical = std::move(*decoded);
  }
  return code.canonical.get();
}
