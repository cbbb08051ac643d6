//===- Error.cpp - Diagnostic rows and their printing ------------------------===//
//
// In: diagnostics. Out: text or JSON on a stream. Reads the user's source file, if it is there,
// for the caret line.
//
//===----------------------------------------------------------------------===//
#include "ptc/Support/Error.h"

#include "ptc/Support/Warning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace ptc;

char DiagError::ID;

static constexpr DiagInfo kDiagInfos[] = {
#define PTC_DIAG(Number, Name, Sev, Exit, ...)                                                     \
  {DiagId::Name, #Name, Severity::Sev, ExitCode::Exit, __VA_ARGS__},
#include "ptc/Support/Diag.def"
};

llvm::ArrayRef<DiagInfo> ptc::getAllDiagInfos() { return kDiagInfos; }

const DiagInfo &ptc::getDiagInfo(DiagId id) {
  const auto *row = std::lower_bound(std::begin(kDiagInfos), std::end(kDiagInfos), id,
                                     [](const DiagInfo &info, DiagId id) { return info.id < id; });
  assert(row != std::end(kDiagInfos) && row->id == id && "Diag.def is sorted by number");
  return *row;
}

Diagnostic &Diagnostic::note(std::string text, SourceLoc loc) {
  attachments.push_back({Attachment::Kind::Note, std::move(loc), std::move(text)});
  return *this;
}

Diagnostic &Diagnostic::hint(std::string text) {
  attachments.push_back({Attachment::Kind::Hint, {}, std::move(text)});
  return *this;
}

std::vector<Diagnostic> ptc::takeDiagnostics(llvm::Error error) {
  std::vector<Diagnostic> diags;
  llvm::handleAllErrors(
      std::move(error), [&](DiagError &e) { diags.push_back(std::move(e.diag)); },
      [&](llvm::ErrorInfoBase &e) {
        diags.push_back(makeDiagnostic(DiagId::InternalError, {}, e.message()));
      });
  return diags;
}

static llvm::StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("closed enum");
}

static void printPlace(llvm::raw_ostream &os, const SourceLoc &loc) {
  if (!loc.isKnown())
    return;
  os << loc.file << ':';
  if (loc.line)
    os << loc.line << ':';
  if (loc.line && loc.column)
    os << loc.column << ':';
  os << ' ';
}

/// The line that `loc` names with a caret below, when the file can be read.
static void printCaret(llvm::raw_ostream &os, const SourceLoc &loc, bool color) {
  if (!loc.line || loc.file.empty())
    return;
  auto buffer = llvm::MemoryBuffer::getFile(loc.file, /*IsText=*/true);
  if (!buffer)
    return;
  llvm::line_iterator line(**buffer, /*SkipBlanks=*/false);
  for (uint32_t n = 1; n < loc.line && !line.is_at_eof(); ++n)
    ++line;
  if (line.is_at_eof())
    return;
  os << "  " << *line << '\n';
  if (!loc.column || loc.column > line->size() + 1)
    return;
  os << "  ";
  for (char c : line->take_front(loc.column - 1))
    os << (c == '\t' ? '\t' : ' ');
  if (color)
    os.changeColor(llvm::raw_ostream::GREEN, /*Bold=*/true);
  os << '^';
  if (loc.endLine == loc.line && loc.endColumn > loc.column + 1)
    os << std::string(std::min<size_t>(loc.endColumn - loc.column - 1, line->size()), '~');
  if (color)
    os.resetColor();
  os << '\n';
}

static void printText(llvm::raw_ostream &os, const Diagnostic &diag, Severity severity,
                      bool color) {
  printPlace(os, diag.loc);
  if (color)
    os.changeColor(severity == Severity::Error ? llvm::raw_ostream::RED
                                               : llvm::raw_ostream::MAGENTA,
                   /*Bold=*/true);
  os << severityName(severity) << ": ";
  if (color)
    os.resetColor();
  os << diag.text << llvm::formatv(" [PTC{0}]\n", unsigned(diag.id));
  printCaret(os, diag.loc, color);
  for (const Diagnostic::Attachment &attached : diag.attachments) {
    printPlace(os, attached.loc);
    os << (attached.kind == Diagnostic::Attachment::Kind::Note ? "note: " : "hint: ")
       << attached.text << '\n';
  }
}

static llvm::json::Object placeToJson(const SourceLoc &loc) {
  llvm::json::Object place{{"file", loc.file}};
  if (loc.line) {
    place["line"] = loc.line;
    place["column"] = loc.column;
    place["endLine"] = loc.endLine;
    place["endColumn"] = loc.endColumn;
  }
  return place;
}

static void printJson(llvm::raw_ostream &os, const Diagnostic &diag, Severity severity) {
  const DiagInfo &info = diag.info();
  llvm::json::Array attached;
  for (const Diagnostic::Attachment &a : diag.attachments) {
    llvm::json::Object item{
        {"kind", a.kind == Diagnostic::Attachment::Kind::Note ? "note" : "hint"}, {"text", a.text}};
    if (a.loc.isKnown())
      item["location"] = placeToJson(a.loc);
    attached.push_back(std::move(item));
  }
  llvm::json::Object object{{"code", llvm::formatv("PTC{0}", unsigned(info.id)).str()},
                            {"name", info.name.str()},
                            {"severity", severityName(severity)},
                            {"text", diag.text},
                            {"attachments", std::move(attached)}};
  if (diag.loc.isKnown())
    object["location"] = placeToJson(diag.loc);
  os << llvm::json::Value(std::move(object)) << '\n';
}

/// With the hint of its row, if it brings none.
static Diagnostic withHint(Diagnostic diag) {
  bool hinted = llvm::any_of(diag.attachments, [](const Diagnostic::Attachment &attached) {
    return attached.kind == Diagnostic::Attachment::Kind::Hint;
  });
  if (!hinted && !diag.info().hint.empty())
    diag.hint(diag.info().hint.str());
  return diag;
}

static void print(llvm::raw_ostream &os, const Diagnostic &given, Severity severity,
                  const DiagStyle &style) {
  Diagnostic diag = withHint(given);
  switch (style.format) {
  case DiagFormat::Text:
    return printText(os, diag, severity, style.color);
  case DiagFormat::Json:
    return printJson(os, diag, severity);
  }
  llvm_unreachable("closed enum");
}

void ptc::printDiagnostic(llvm::raw_ostream &os, const Diagnostic &diag, const DiagStyle &style) {
  print(os, diag, diag.info().severity, style);
}

void ptc::printWarning(llvm::raw_ostream &os, const Diagnostic &diag, const DiagStyle &style) {
  print(os, diag, Severity::Warning, style);
}
