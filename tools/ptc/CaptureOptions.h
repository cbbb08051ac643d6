//===- CaptureOptions.h - Options of every verb that captures ---------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_CAPTUREOPTIONS_H
#define PTC_TOOLS_PTC_CAPTUREOPTIONS_H

#include "Session.h"
#include "ptc/Driver/Pipeline.h"
#include "ptc/Target/Cpu/Code.h"

namespace ptc::tool {

/// As given on the command line; `resolve` reads the files that they name.
struct CaptureOptions {
  std::string input, entry, init, weights, dtype, pythonVersion;
  std::vector<std::string> includeDirs, absent, opaque, inputs, examples;
  std::string dynamic = "auto";
  std::vector<std::string> environment;
  bool envReport = false;
  bool train = false, eval = false;
  bool explore = false, noExplore = false, allowNarrowing = false, requireTotal = false;
  unsigned maxVariants = 16;
  capture::CaptureLimits limits;
  std::string from = "capture", to = "normalise", dump;
  std::optional<std::string> cpu; ///< of verbs that show a plan; empty: the artefact's, or native
  std::string onMiss = "error";   ///< `compile` declares it
  std::string addVariants;        ///< an artefact whose examples come first; `compile` declares it
  const CLI::Option *dynamicOption = nullptr;

  /// Notes files read in `session`. Errors: those of the files.
  llvm::Expected<PipelineOptions> resolve(Session &session) const;
};

std::shared_ptr<CaptureOptions> declareCapture(CLI::App &app);
/// --cpu, of verbs that show a plan.
void declareCpu(CLI::App &app, CaptureOptions &options);
/// How code of `program` is made: for that CPU, or, if none is named, as its artefact was.
cpu::CodeOptions codeOptionsFor(llvm::StringRef cpu, const CompiledProgram &program);

/// What CLI11 says against `text` where a limit is asked for; empty: it is a whole number of at
/// least 1.
std::string checkLimit(const std::string &text);

/// Compiles as the options say; reports and returns none if that fails. `resolved` keeps what was
/// read.
std::optional<CompiledProgram> compileInput(const CaptureOptions &options, Session &session,
                                            PipelineOptions &resolved);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_CAPTUREOPTIONS_H
