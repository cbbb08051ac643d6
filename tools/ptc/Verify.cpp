//===- Verify.cpp - ptc verify: a program against eager PyTorch -----------------------------===//
//
// In: a program or a library made of one, and examples. Out: a table of calls made twice, on the
// target or by the library's code and by LibTorch, and of guards violated, as text or JSON; a
// diagnostic for each that went wrong.
//
//===----------------------------------------------------------------------===//
#include "AddVariants.h"
#include "CaptureOptions.h"
#include "Verb.h"

#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Driver/OracleExecutor.h"
#include "ptc/Driver/UnpackWeights.h"
#include "ptc/Driver/Verify.h"
#include "ptc/Oracle/OracleLibrary.h"
#include "ptc/Target/Target.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "llvm/Support/FileSystem.h"

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;

namespace {
struct VerifyToolOptions {
  VerifyOptions verify;
  std::string target, oracle;
  bool json = false, noGuards = false;
};

using CallOutcome = VerifiedCall::Outcome;
using GuardOutcome = VerifiedGuard::Outcome;
} // namespace

static const char *nameOf(CallOutcome outcome) {
  switch (outcome) {
  case CallOutcome::Agrees:
    return "agrees";
  case CallOutcome::Differs:
    return "differs";
  case CallOutcome::NotCompared:
    return "not compared";
  }
  llvm_unreachable("closed enum");
}

static const char *nameOf(GuardOutcome outcome) {
  switch (outcome) {
  case GuardOutcome::Refused:
    return "refused";
  case GuardOutcome::OtherVariant:
    return "other variant";
  case GuardOutcome::Implied:
    return "implied";
  case GuardOutcome::NotTried:
    return "not tried";
  case GuardOutcome::Accepted:
    return "accepted";
  case GuardOutcome::Differs:
    return "differs";
  }
  llvm_unreachable("closed enum");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Columns as wide as their widest cell; the last one is free.
static void printTable(llvm::ArrayRef<std::vector<std::string>> rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    llvm::outs() << llvm::StringRef(line).rtrim() << '\n';
  }
}

static std::string percentOf(double part) { return llvm::formatv("{0:f1}%", part * 100).str(); }

static void printCalls(const VerifyReport &report) {
  std::vector<std::vector<std::string>> rows{{"call", "variant", "outcome", "error/allowed", "at"}};
  for (const VerifiedCall &call : report.calls) {
    bool measured = call.outcome != CallOutcome::NotCompared;
    rows.push_back({call.name, "v" + std::to_string(call.variant), nameOf(call.outcome),
                    measured ? percentOf(call.comparison.worst) : "-",
                    call.why.empty() ? call.comparison.worstAt : call.why});
  }
  printTable(rows);
}

static void printGuards(const VerifyReport &report) {
  std::vector<std::vector<std::string>> rows{{"guard", "variant", "broken by", "outcome", ""}};
  for (const VerifiedGuard &guard : report.guards) {
    std::string remark;
    if (guard.outcome == GuardOutcome::OtherVariant)
      remark = "v" + std::to_string(guard.other) + " took it";
    else if (guard.outcome != GuardOutcome::Refused)
      remark = guard.why;
    if (guard.together)
      remark += (remark.empty() ? "" : ", ") + std::string("with ") +
                std::to_string(guard.together) + " that depend on it";
    rows.push_back({guard.guard, "v" + std::to_string(guard.variant), guard.change,
                    nameOf(guard.outcome), remark});
  }
  printTable(rows);
}

template <typename Row, typename Outcome>
static size_t countOf(const std::vector<Row> &rows, Outcome outcome) {
  return size_t(llvm::count_if(rows, [&](const Row &row) { return row.outcome == outcome; }));
}

static void printText(const VerifyReport &report) {
  if (!report.calls.empty())
    printCalls(report);
  if (!report.guards.empty()) {
    llvm::outs() << '\n';
    printGuards(report);
  }
  if (const auto &first = report.first) {
    llvm::outs() << "\nfirst difference, in " << first->call << ": " << first->operation
                 << " (tensor operation " << first->number << ") at " << first->loc.file << ':'
                 << first->loc.line << ':' << first->loc.column << "\n  " << first->difference
                 << "\n  "
                 << (first->alone.empty()
                         ? "on eager's own operands it agrees: the error has grown before"
                         : "on eager's own operands: " + first->alone)
                 << '\n';
  }
  llvm::outs() << '\n'
               << countOf(report.calls, CallOutcome::Agrees) << " calls agree, "
               << countOf(report.calls, CallOutcome::Differs) << " differ, "
               << countOf(report.calls, CallOutcome::NotCompared) << " not compared; "
               << report.guards.size()
               << " guards: " << countOf(report.guards, GuardOutcome::Refused)
               << " refused when broken, " << countOf(report.guards, GuardOutcome::OtherVariant)
               << " taken by another variant, " << countOf(report.guards, GuardOutcome::Implied)
               << " implied, " << countOf(report.guards, GuardOutcome::NotTried) << " not tried, "
               << countOf(report.guards, GuardOutcome::Accepted) +
                      countOf(report.guards, GuardOutcome::Differs)
               << " wrong\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printJson(const VerifyReport &report) {
  Json calls = Json::array(), guards = Json::array();
  for (const VerifiedCall &call : report.calls) {
    double worst = call.comparison.worst;
    calls.push_back({{"call", call.name},
                     {"variant", call.variant},
                     {"outcome", nameOf(call.outcome)},
                     {"error", std::isfinite(worst) ? Json(worst) : Json("inf")},
                     {"at", call.comparison.worstAt},
                     {"why", call.why}});
  }
  for (const VerifiedGuard &guard : report.guards)
    guards.push_back({{"guard", guard.guard},
                      {"variant", guard.variant},
                      {"file", guard.loc.file},
                      {"line", guard.loc.line},
                      {"change", guard.change},
                      {"outcome", nameOf(guard.outcome)},
                      {"together", guard.together},
                      {"why", guard.why}});
  Json out{{"calls", std::move(calls)}, {"guards", std::move(guards)}, {"first", nullptr}};
  if (const auto &first = report.first)
    out["first"] = {{"call", first->call},      {"operation", first->operation},
                    {"number", first->number},  {"file", first->loc.file},
                    {"line", first->loc.line},  {"column", first->loc.column},
                    {"why", first->difference}, {"alone", first->alone}};
  llvm::outs() << out.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

//===----------------------------------------------------------------------===//
// The verb
//===----------------------------------------------------------------------===//

/// A diagnostic for each thing that is wrong, and for an example that was not compared.
static void reportProblems(const VerifyReport &report, const VerifyOptions &options,
                           Session &session) {
  for (const VerifiedCall &call : report.calls) {
    if (call.outcome == CallOutcome::Differs) {
      Diagnostic diag = makeDiagnostic(DiagId::AccuracyMiss, {}, call.name, call.why);
      if (!options.bisect)
        diag.hint("--bisect finds the first value that differs");
      else if (!report.first && !options.library.empty())
        diag.note("the operations of its IR agree with eager on the null target: the native code "
                  "differs");
      session.report(diag);
    } else if (call.outcome == CallOutcome::NotCompared &&
               llvm::StringRef(call.name).starts_with("example")) {
      session.report(makeDiagnostic(DiagId::NotCompared, {}, call.name, call.why));
    }
  }
  for (const VerifiedGuard &guard : report.guards)
    if (guard.outcome == GuardOutcome::Accepted)
      session.report(makeDiagnostic(
          DiagId::AccuracyMiss, guard.loc, "a call that breaks the guard '" + guard.guard + "'",
          guard.why.empty() ? "variant v" + std::to_string(guard.variant) + " accepted it"
                            : guard.why));
}

static llvm::Expected<std::unique_ptr<program::OpExecutor>> openOracle(const std::string &path) {
  static int here; // any address in this program
  std::string at = path;
  if (at.empty())
    at = OracleLibrary::defaultPath(llvm::sys::fs::getMainExecutable("ptc", &here));
  auto oracle = makeOracleExecutor(at);
  if (oracle)
    return oracle;
  return llvm::handleErrors(oracle.takeError(), [](DiagError &error) {
    error.diag.hint("build ptc with LibTorch (cmake -DTorch_DIR=…/share/cmake/Torch), or name the "
                    "library with --oracle");
    return makeError(std::move(error.diag));
  });
}

/// What `--target` calls the code of a library.
static constexpr char kNative[] = "native";

static void verify(const CaptureOptions &capture, const VerifyToolOptions &options,
                   Session &session) {
  bool isNative =
      options.target == kNative || (options.target.empty() && isArtefact(capture.input));
  if (isNative && !isArtefact(capture.input))
    return session.report(makeDiagnostic(DiagId::UsageError, {},
                                         "--target native is the code of a library, and " +
                                             capture.input + " is none"));
  PipelineOptions pipeline;
  std::optional<CompiledProgram> program = compileInput(capture, session, pipeline);
  if (!program)
    return;
  auto oracle = openOracle(options.oracle);
  if (!oracle)
    return session.report(oracle.takeError());
  auto examples = examplesFor(capture.input, pipeline);
  if (!examples)
    return session.report(examples.takeError());
  if (examples->empty())
    examples->emplace_back();
  VerifyOptions verifyOptions = options.verify;
  verifyOptions.breakGuards = !options.noGuards;
  if (isNative) {
    verifyOptions.library = capture.input;
    // A state dict is for eager alone.
    if (capture.weights.empty() || isPackedWeights(capture.weights))
      verifyOptions.libraryWeights = capture.weights;
  }
  auto weights = weightsToRun(std::move(program->weights), capture.input, capture.weights);
  if (!weights)
    return session.report(weights.takeError());
  std::unique_ptr<program::OpExecutor> target =
      findTarget(isNative || options.target.empty() ? "null" : options.target)
          ->target.makeExecutor();
  if (!codeOptionsOf(*program).gpu.empty()) { // LibTorch's CPU build draws other numbers
    target = drawAsOnGpu(std::move(target));
    oracle = drawAsOnGpu(std::move(*oracle));
  }
  llvm::Expected<VerifyReport> report = [&] {
    Session::Timer timer(session, "verify");
    return verifyProgram(*program, *weights, *examples, *target, **oracle, verifyOptions);
  }();
  if (!report)
    return session.report(report.takeError());
  if (options.json)
    printJson(*report);
  else
    printText(*report);
  llvm::outs().flush();
  reportProblems(*report, verifyOptions, session);
}

VerbBody tool::declareVerify(CLI::App &app) {
  auto capture = declareCapture(app);
  auto options = std::make_shared<VerifyToolOptions>();
  std::vector<std::string> targets;
  for (const TargetInfo &info : getAllTargets())
    if (info.target.makeExecutor)
      targets.push_back(info.name.str());
  targets.emplace_back(kNative);
  app.add_option("--target", options->target,
                 "what executes; default: the code of a library (native), else null")
      ->check(CLI::IsMember(targets));
  app.add_option("--oracle", options->oracle, "LibTorch as libptc_oracle.so; default: ptc's own");
  app.add_option("--samples", options->verify.samples, "random calls per example")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--seed", options->verify.seed, "of random calls")->capture_default_str();
  app.add_option("--max-ops", options->verify.maxOps, "operations of one call")
      ->check(checkLimit)
      ->capture_default_str();
  app.add_flag("--no-guards", options->noGuards, "do not break guards");
  app.add_flag("--bisect", options->verify.bisect,
               "find the first value that differs, with its Python line");
  app.add_flag("--json", options->json, "the report as JSON");
  return [=](Session &session) { verify(*capture, *options, session); };
}
