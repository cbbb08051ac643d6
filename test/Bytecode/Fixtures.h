//===- Fixtures.h - The checked-in .pyc files --------------------*- C++ -*-===//
#ifndef PTC_TEST_BYTECODE_FIXTURES_H
#define PTC_TEST_BYTECODE_FIXTURES_H

#include "ptc/Bytecode/Decode.h"
#include "ptc/Support/Error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace ptc::test {

inline std::string readBytes(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  REQUIRE(buffer);
  return (*buffer)->getBuffer().str();
}

inline std::string fixture(llvm::StringRef stem, llvm::StringRef version) {
  return (llvm::Twine(PTC_FIXTURES) + "/" + stem + "." + version + ".pyc").str();
}

/// Paths of all .pyc files in `dir`, sorted.
inline std::vector<std::string> listPycs(const std::string &dir) {
  std::vector<std::string> paths;
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(dir, ec), end; it != end && !ec;
       it.increment(ec))
    if (llvm::StringRef(it->path()).ends_with(".pyc"))
      paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The diagnostic of a failure.
template <typename T> Diagnostic diagnosticOf(llvm::Expected<T> &result) {
  REQUIRE(!result);
  std::vector<Diagnostic> diags = takeDiagnostics(result.takeError());
  REQUIRE(diags.size() == 1);
  return diags[0];
}

template <typename T> T require(llvm::Expected<T> result) {
  if (!result) {
    for (const Diagnostic &diag : takeDiagnostics(result.takeError()))
      FAIL(diag.text);
    std::abort();
  }
  return std::move(*result);
}

inline const char *const kVersions[] = {"3.11", "3.12", "3.13", "3.14", "3.15"};

} // namespace ptc::test

#endif // PTC_TEST_BYTECODE_FIXTURES_H
