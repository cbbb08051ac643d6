//===- Error.h - Numbered diagnostics and the errors that carry them -*- C++ -*-===//
//
// Every failure that a user can cause is a Diagnostic: a row of Diag.def, a place in the user's
// file, a text, notes and hints. Libraries return it inside llvm::Error / llvm::Expected; nothing
// throws and nothing exits. Broken invariants are asserts, not diagnostics.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SUPPORT_ERROR_H
#define PTC_SUPPORT_ERROR_H

#include "ptc/Support/SourceLoc.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace ptc {

enum class Severity : uint8_t { Error, Warning, Note };

/// What the tool returns to the shell; the numbers are documented in README.md and never change.
enum class ExitCode : uint8_t {
  Ok = 0,
  CannotCompile = 1,
  Usage = 2,
  InputUnreadable = 3,
  InputMalformed = 4,
  PythonVersion = 5,
  OutputNotWritten = 6,
  Incomplete = 7,
  AccuracyMiss = 8,
  SlowerThanBaseline = 9,
  LimitExceeded = 10,
  ToolMissing = 11,
  NoDevice = 12,
  ProgramRaised = 13,
  NoVariantFits = 14,
  Internal = 70,
};

/// One enumerator per row of Diag.def.
enum class DiagId : uint16_t {
#define PTC_DIAG(Number, Name, ...) Name = Number,
#include "ptc/Support/Diag.def"
};

/// A row of Diag.def.
struct DiagInfo {
  DiagId id;
  llvm::StringLiteral name;
  Severity severity;
  ExitCode exitCode;
  llvm::StringLiteral text;
  /// What the user can do; printed where the diagnostic brings no hint of its own. May be empty.
  llvm::StringLiteral hint = "";
};

/// The row of `id`.
const DiagInfo &getDiagInfo(DiagId id);
/// All rows, by number.
llvm::ArrayRef<DiagInfo> getAllDiagInfos();

/// One thing said to the user: where, what, and what else helps.
struct Diagnostic {
  struct Attachment {
    enum class Kind : uint8_t { Note, Hint } kind;
    SourceLoc loc;
    std::string text;
  };

  DiagId id;
  SourceLoc loc;
  std::string text;
  std::vector<Attachment> attachments;

  const DiagInfo &info() const { return getDiagInfo(id); }
  Diagnostic &note(std::string text, SourceLoc loc = {});
  Diagnostic &hint(std::string text);
};

/// Fills in the text of row `id`.
template <typename... Args> Diagnostic makeDiagnostic(DiagId id, SourceLoc loc, Args &&...args) {
  return {id,
          std::move(loc),
          llvm::formatv(false, getDiagInfo(id).text.data(), std::forward<Args>(args)...).str(),
          {}};
}

/// llvm::Error payload that carries one diagnostic.
class DiagError : public llvm::ErrorInfo<DiagError> {
public:
  static char ID;
  explicit DiagError(Diagnostic diag) : diag(std::move(diag)) {}
  void log(llvm::raw_ostream &os) const override { os << diag.text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  Diagnostic diag;
};

inline llvm::Error makeError(Diagnostic diag) {
  return llvm::make_error<DiagError>(std::move(diag));
}
template <typename... Args> llvm::Error makeError(DiagId id, SourceLoc loc, Args &&...args) {
  return makeError(makeDiagnostic(id, std::move(loc), std::forward<Args>(args)...));
}

/// The diagnostics inside `error`, in order; an error of another kind becomes InternalError.
std::vector<Diagnostic> takeDiagnostics(llvm::Error error);

enum class DiagFormat : uint8_t { Text, Json };

struct DiagStyle {
  DiagFormat format = DiagFormat::Text;
  bool color = false;
};

/// Prints as clang does: `file:line:col: error: text [PTCnnnn]`, the source line with a caret when
/// the file is there, then notes and hints. As JSON: one object per line.
void printDiagnostic(llvm::raw_ostream &os, const Diagnostic &diag, const DiagStyle &style = {});

} // namespace ptc

#endif // PTC_SUPPORT_ERROR_H
