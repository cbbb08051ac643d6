//===- Session.cpp - Streams, manners and exit code of one run ---------------===//
//
// In: options that every verb has, diagnostics, files read. Out: text on stderr, a depfile, an
// exit code.
//
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Support/AtomicFile.h"
#include "ptc/Support/Warning.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <map>

using namespace ptc;
using namespace ptc::tool;

DiagStyle Session::style() const {
  DiagStyle style;
  style.format = manners.diagnosticsFormat == "json" ? DiagFormat::Json : DiagFormat::Text;
  style.color = manners.color == "always" || (manners.color == "auto" && !std::getenv("NO_COLOR") &&
                                              llvm::sys::Process::StandardErrHasColors());
  return style;
}

void Session::report(const Diagnostic &diag) {
  const DiagInfo &info = diag.info();
  if (info.severity == Severity::Error)
    setExitCode(info.exitCode);
  else if (manners.quiet)
    return;
  DiagStyle how = style();
  if (how.color)
    llvm::errs().enable_colors(true);
  printDiagnostic(llvm::errs(), diag, how);
}

void Session::warn(const Diagnostic &diag) {
  if (manners.quiet)
    return;
  DiagStyle how = style();
  if (how.color)
    llvm::errs().enable_colors(true);
  printWarning(llvm::errs(), diag, how);
}

/// Of errors that say the same of several places, the first alone, with the others' number.
static std::vector<Diagnostic> withoutRepeats(std::vector<Diagnostic> all) {
  constexpr size_t kMostAlone = 3, kMostShown = 5;
  std::vector<Diagnostic> out;
  std::map<std::pair<DiagId, std::string>, std::vector<SourceLoc>> places;
  for (const Diagnostic &diag : all)
    places[{diag.id, diag.text}].push_back(diag.loc);
  std::set<std::pair<DiagId, std::string>> seen;
  for (Diagnostic &diag : all) {
    const std::pair<DiagId, std::string> key(diag.id, diag.text);
    const std::vector<SourceLoc> &same = places[key];
    if (diag.info().severity != Severity::Error || same.size() <= kMostAlone) {
      out.push_back(std::move(diag));
      continue;
    }
    if (!seen.insert(key).second)
      continue;
    std::string text = "the same at " + std::to_string(same.size() - 1) + " more places: ";
    for (size_t n = 1; n < std::min(same.size(), kMostShown + 1); ++n)
      text += (n > 1 ? ", " : "") + same[n].file + ":" + std::to_string(same[n].line);
    diag.note(text + (same.size() > kMostShown + 1 ? ", …" : ""));
    out.push_back(std::move(diag));
  }
  return out;
}

void Session::report(llvm::Error error) {
  for (const Diagnostic &diag : withoutRepeats(takeDiagnostics(std::move(error))))
    report(diag);
}

static constexpr llvm::StringLiteral kStandardStream = "-";

void Session::deliver(OutputFiles files, const std::string &path) {
  outputs = std::move(files);
  if (path != kStandardStream)
    output = path;
}

void Session::deliver(const std::string &path, llvm::StringRef contents) {
  OutputFiles files;
  if (llvm::Error error = files.add(path, contents))
    return report(std::move(error));
  deliver(std::move(files), path);
}

void Session::noteFileRead(const std::string &path) {
  if (path == kStandardStream)
    return;
  if (filesRead.insert(path).second && manners.verbosity > 1 && !manners.quiet)
    llvm::errs() << "read " << path << '\n';
}

/// In single quotes, as a POSIX shell takes it literally.
static std::string shellQuoted(llvm::StringRef text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

llvm::Error Session::writeReplay(const std::string &path) const {
  llvm::SmallString<128> folder;
  if (std::error_code ec = llvm::sys::fs::current_path(folder))
    return makeError(DiagId::OutputNotWritten, {}, path, ec.message());
  std::string text =
      "#!/bin/sh\n# Runs the command that wrote this folder. PTC names another ptc.\n"
      "cd " +
      shellQuoted(folder) + " && \\\nexec \"${PTC:-ptc}\"";
  for (const std::string &argument : arguments)
    text += " " + shellQuoted(argument);
  return writeFileAtomically(path, text + "\n");
}

void Session::progress(const std::string &text) {
  if (manners.verbosity > 0 && !manners.quiet)
    llvm::errs() << text << '\n';
}

/// Make's quoting: blanks and `#` by a backslash, `$` doubled.
static std::string makeQuoted(llvm::StringRef path) {
  std::string out;
  for (char c : path) {
    if (c == ' ' || c == '#')
      out += '\\';
    if (c == '$')
      out += '$';
    out += c;
  }
  return out;
}

/// Nothing takes the place of what the user wrote; an artefact may be made anew of itself.
llvm::Error Session::checkReplaced() const {
  llvm::Error error = llvm::Error::success();
  for (const std::string &path : outputs.paths())
    for (const std::string &file : filesRead)
      if (path != kStandardStream && llvm::sys::fs::equivalent(path, file) && !isArtefact(file) &&
          llvm::sys::fs::is_regular_file(file))
        error = llvm::joinErrors(
            std::move(error),
            makeError(DiagId::UsageError, {}, "'" + path + "' would be written and was read"));
  return error;
}

llvm::Error Session::finish() {
  if (!failed())
    if (llvm::Error error = addDepfile())
      return error;
  if (llvm::Error error = checkReplaced())
    return error;
  return outputs.commit();
}

llvm::Error Session::addDepfile() {
  if (!manners.makeDepfile && manners.depfile.empty())
    return llvm::Error::success();
  if (output.empty() && (manners.depfile.empty() || manners.depfileTarget.empty()))
    return makeError(DiagId::UsageError, {},
                     "-MD without an output file needs both -MF FILE and -MT TARGET");
  const std::string target = manners.depfileTarget.empty() ? output : manners.depfileTarget;
  std::string text = makeQuoted(target) + ":";
  for (const std::string &file : filesRead)
    text += " \\\n  " + makeQuoted(file);
  text += '\n';
  if (manners.depfilePhony)
    for (const std::string &file : filesRead)
      text += "\n" + makeQuoted(file) + ":\n";
  return outputs.add(manners.depfile.empty() ? output + ".d" : manners.depfile, text);
}

Session::Timer::Timer(Session &session, std::string name)
    : session(session), name(std::move(name)), start(std::chrono::steady_clock::now()) {}

Session::Timer::~Timer() {
  std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  session.timings.emplace_back(std::move(name), ms.count());
}

void Session::printTimings() {
  if (!manners.timing)
    return;
  for (const auto &[name, ms] : timings)
    llvm::errs() << llvm::formatv("timing: {0,-12} {1,10:f3} ms\n", name, ms);
}

void ptc::tool::declareManners(CLI::App &app, Manners &m) {
  const char *group = "Manners";
  app.add_option("--color", m.color, "colour of diagnostics; NO_COLOR is respected")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--diagnostics-format", m.diagnosticsFormat, "one JSON object per line, or text")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->group(group);
  app.add_flag("-v", m.verbosity, "say what is done; -vv: more")->group(group);
  app.add_flag("-q,--quiet", m.quiet, "errors only")->group(group);
  app.add_flag("--timing", m.timing, "print the time of each phase on stderr")->group(group);
  app.add_option("--debug-only", m.debugOnly, "debug output of these types (LLVM_DEBUG)")
      ->delimiter(',')
      ->group(group);
  app.add_flag("--MD", m.makeDepfile, "write a Make depfile with every file read (spelled -MD)")
      ->group(group);
  app.add_option("--MF", m.depfile, "where to (-MF); default: the output's name with .d")
      ->group(group);
  app.add_option("--MT", m.depfileTarget, "the rule's target (-MT); default: the output")
      ->group(group);
  app.add_flag("--MP", m.depfilePhony, "a phony rule per file read (-MP)")->group(group);
}

llvm::Error ptc::tool::applyManners(const Manners &manners) {
  bool wantsDepfile = manners.makeDepfile || !manners.depfile.empty();
  if (!wantsDepfile && (manners.depfilePhony || !manners.depfileTarget.empty()))
    return makeError(DiagId::UsageError, {}, "-MT and -MP say how the depfile of -MD is written");
  if (!manners.depfile.empty())
    if (llvm::Error error = checkOutputPlace(manners.depfile))
      return error;
  if (manners.debugOnly.empty())
    return llvm::Error::success();
#ifdef NDEBUG
  return makeError(DiagId::UsageError, {},
                   "--debug-only needs a build with assertions, which this one is not");
#else
  llvm::SmallVector<const char *> types;
  for (const std::string &type : manners.debugOnly)
    types.push_back(type.c_str());
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(types.data(), types.size());
  return llvm::Error::success();
#endif
}
