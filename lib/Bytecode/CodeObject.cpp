// Constants and code objects: what can be asked of them. In and out: the tree made by Reader.cpp.
#include "ptc/Bytecode/CodeObject.h"

#include "ptc/Bytecode/Instr.h"

using namespace ptc;

namespace {

struct VersionRow {
  PythonVersion version;
  llvm::StringLiteral name;
};

constexpr VersionRow kVersions[] = {
#define PTC_PYTHON(Minor, ...) {PythonVersion::Py3##Minor, "3." #Minor},
#include "ptc/Bytecode/Versions.def"
};

} // namespace

llvm::StringRef ptc::getVersionName(PythonVersion version) {
  return kVersions[static_cast<unsigned>(version)].name;
}

std::optional<PythonVersion> ptc::parseVersionName(llvm::StringRef name) {
  for (const VersionRow &row : kVersions)
    if (row.name == name)
      return row.version;
  return std::nullopt;
}

std::optional<int64_t> IntConstant::asInt64() const {
  if (words.empty())
    return 0;
  if (words.size() > 1 || words[0] > (1ULL << 63) || (words[0] == (1ULL << 63) && !negative))
    return std::nullopt;
  return static_cast<int64_t>(negative ? 0 - words[0] : words[0]);
}

llvm::APInt IntConstant::asAPInt() const {
  if (words.empty())
    return {64, 0};
  llvm::APInt magnitude(64 * words.size() + 64, words);
  if (negative)
    magnitude.negate();
  return magnitude.trunc(std::max(64U, magnitude.getSignificantBits()));
}

CodeObject::CodeObject() = default;
CodeObject::~CodeObject() = default;

const StrConstant *CodeObject::docString() const {
  bool mayHave =
      version >= PythonVersion::Py314 ? hasFlag(CO_HAS_DOCSTRING) : hasFlag(CO_OPTIMIZED);
  return mayHave && !consts.empty() ? llvm::dyn_cast<StrConstant>(consts[0]) : nullptr;
}
