// Diagnostics: rows are sorted and unique, texts are filled in, both formats print what they hold.
#include "ptc/Support/Error.h"
#include "ptc/Support/Warning.h"

#include <catch2/catch.hpp>

#include <set>

using namespace ptc;

TEST_CASE("rows are sorted by number and named once") {
  std::set<std::string> names;
  uint16_t last = 0;
  for (const DiagInfo &info : getAllDiagInfos()) {
    CHECK(uint16_t(info.id) > last);
    CHECK(names.insert(info.name.str()).second);
    last = uint16_t(info.id);
  }
}

TEST_CASE("a diagnostic prints place, text, code, notes and hints") {
  Diagnostic diag = makeDiagnostic(DiagId::FileNotReadable, {"a.pyc", 3, 5, 3, 9}, "a.pyc", "gone");
  diag.note("seen here", {"b.py", 1, 0, 0, 0}).hint("check the path");
  std::string text;
  llvm::raw_string_ostream os(text);
  printDiagnostic(os, diag);
  CHECK(text == "a.pyc:3:5: error: cannot read 'a.pyc': gone [PTC3001]\n"
                "b.py:1: note: seen here\nhint: check the path\n");
  text.clear();
  printDiagnostic(os, diag, {DiagFormat::Json, false});
  CHECK(text.find("\"code\":\"PTC3001\"") != std::string::npos);
  CHECK(text.find("\"line\":3") != std::string::npos);
}

TEST_CASE("an error that is foreseen prints as a warning") {
  Diagnostic diag = makeDiagnostic(DiagId::ProgramRaised, {"b.py", 1, 0, 0, 0}, "every call", "no");
  std::string text;
  llvm::raw_string_ostream os(text);
  printWarning(os, diag);
  CHECK(text == "b.py:1: warning: every call: no [PTC7003]\n");
  text.clear();
  printWarning(os, diag, {DiagFormat::Json, false});
  CHECK(text.find("\"severity\":\"warning\"") != std::string::npos);
}

TEST_CASE("a row's hint stands in for one of its own") {
  auto printed = [](const Diagnostic &diag) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printDiagnostic(os, diag);
    return text;
  };
  Diagnostic diag = makeDiagnostic(DiagId::StepLimit, {}, 5);
  std::string hint = "hint: " + getDiagInfo(DiagId::StepLimit).hint.str() + "\n";
  CHECK(llvm::StringRef(printed(diag)).ends_with(hint));
  diag.note("a note is no hint");
  CHECK(llvm::StringRef(printed(diag)).ends_with(hint));
  diag.hint("better");
  CHECK(llvm::StringRef(printed(diag)).ends_with("hint: better\n"));
  CHECK(printed(diag).find(hint) == std::string::npos);
}

TEST_CASE("an llvm::Error gives its diagnostics back") {
  llvm::Error error = llvm::joinErrors(makeError(DiagId::UsageError, {}, "one"),
                                       makeError(DiagId::UsageError, {}, "two"));
  std::vector<Diagnostic> diags = takeDiagnostics(std::move(error));
  REQUIRE(diags.size() == 2);
  CHECK(diags[0].text == "one");
  CHECK(diags[1].text == "two");
}
