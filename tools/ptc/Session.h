//===- Session.h - One run of ptc: its streams, manners and exit code -*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_SESSION_H
#define PTC_TOOLS_PTC_SESSION_H

#include "ptc/Support/AtomicFile.h"
#include "ptc/Support/Error.h"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace ptc::capture {
class BuiltinWorld;
} // namespace ptc::capture

namespace ptc::tool {

/// Options that every verb has; see `declareManners`.
struct Manners {
  std::string color = "auto";
  std::string diagnosticsFormat = "text";
  int verbosity = 0;
  bool quiet = false;
  bool timing = false;
  std::vector<std::string> debugOnly;
  bool makeDepfile = false;  ///< -MD
  std::string depfile;       ///< -MF
  std::string depfileTarget; ///< -MT
  bool depfilePhony = false; ///< -MP
};

/// Results go to stdout, everything said here to stderr. The exit code is that of the first error
/// that is no exception of the program, else of the first.
class Session {
public:
  Manners manners;

  /// Prints the diagnostics inside `error`; success is silent.
  void report(llvm::Error error);
  void report(const Diagnostic &diag);
  /// Prints an error that is only foreseen, as a warning; the exit code stays. Silent with --quiet.
  void warn(const Diagnostic &diag);
  bool failed() const { return code != ExitCode::Ok; }
  ExitCode exitCode() const { return code; }
  /// An exit code without a diagnostic of its own (the program raised, and said so itself). That a
  /// program raised gives way to what goes wrong later: a call that raises is answered.
  void setExitCode(ExitCode c) {
    if (!failed() || code == ExitCode::ProgramRaised)
      code = c;
  }

  /// Progress `[3/10] capture` with -v.
  void progress(const std::string &text);

  /// The command line with everything expanded, without the program's name.
  std::vector<std::string> arguments;

  /// For captures, where it is made already; else null.
  capture::BuiltinWorld *builtins = nullptr;

  /// Remembered for the depfile; said with -vv. Standard input is no file.
  void noteFileRead(const std::string &path);
  /// What the verb has made, to appear when it ends. The file at `path` is the depfile's default
  /// target, unless it is standard output.
  void deliver(OutputFiles files, const std::string &path);
  /// The same of one file, reported if it cannot be begun.
  void deliver(const std::string &path, llvm::StringRef contents);
  /// At the end: puts the files in their places, with the depfile if -MD or -MF asked for one and
  /// nothing failed: all or none. Errors: UsageError without a name for it or its target.
  llvm::Error finish();

  /// Measures the scope it lives in, for --timing.
  class Timer {
  public:
    Timer(Session &session, std::string name);
    ~Timer();
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

  private:
    Session &session;
    std::string name;
    std::chrono::steady_clock::time_point start;
  };
  void addTiming(std::string name, double ms) { timings.emplace_back(std::move(name), ms); }
  void printTimings();

  /// Writes a shell script that runs the same command in the same folder.
  llvm::Error writeReplay(const std::string &path) const;

private:
  DiagStyle style() const;
  llvm::Error checkReplaced() const;
  llvm::Error addDepfile();

  ExitCode code = ExitCode::Ok;
  std::set<std::string> filesRead;
  std::string output;
  OutputFiles outputs;
  std::vector<std::pair<std::string, double>> timings; ///< milliseconds
};

void declareManners(CLI::App &app, Manners &manners);
/// Acts on options that are process wide (--debug-only). Errors: UsageError for options that do not
/// go together, or that this build does not have.
llvm::Error applyManners(const Manners &manners);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_SESSION_H
