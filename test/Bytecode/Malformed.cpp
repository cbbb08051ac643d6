// Damaged files: cut at every byte, every bit flipped; read, verified and canonicalised in process.
// Each gives a typed error or code that holds together; nothing crashes (run under sanitizers,
// too).
#include "Fixtures.h"

using namespace ptc;
using namespace ptc::test;

namespace {

bool isExpected(DiagId id) {
  return id == DiagId::PycMalformed || id == DiagId::BytecodeInvalid ||
         id == DiagId::CodeTooLarge || id == DiagId::PycMagicUnknown;
}

/// What an executor relies on.
void checkCode(const CanonicalCode &code) {
  REQUIRE(code.size() > 0);
  for (uint32_t i = 0; i < code.size(); ++i) {
    const Instr &instr = code.instrs[i];
    if (instr.target != kNoIndex)
      REQUIRE(instr.target < code.size());
    if (instr.keywords != kNoIndex)
      REQUIRE(llvm::isa<TupleConstant>(code.consts[instr.keywords]));
    REQUIRE(code.depths[i] >= getStackEffect(instr).pops);
    for (uint32_t s : code.flow.successors(i))
      REQUIRE(s < code.size() + 2);
  }
}

void tryRead(const std::string &bytes, unsigned &accepted) {
  auto file = readPyc(bytes, "damaged.pyc");
  if (!file) {
    for (const Diagnostic &diag : takeDiagnostics(file.takeError()))
      if (!isExpected(diag.id))
        FAIL(diag.text);
    return;
  }
  ++accepted;
  for (const CodeObject *code : (*file)->codeObjects())
    checkCode(*require(getCanonical(*code)));
}

} // namespace

TEST_CASE("files cut at every byte") {
  for (const char *version : kVersions) {
    std::string good = readBytes(fixture("model", version));
    unsigned accepted = 0;
    for (size_t size = 0; size < good.size(); ++size)
      tryRead(good.substr(0, size), accepted);
    CHECK(accepted == 0);
  }
}

TEST_CASE("files with every bit flipped") {
  for (const char *version : kVersions) {
    std::string good = readBytes(fixture("model", version));
    unsigned accepted = 0;
    for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
      tryRead(bad, accepted);
    }
    CHECK(accepted > 0);
    CHECK(accepted < 8 * good.size());
  }
}
