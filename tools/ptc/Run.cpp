//===- Run.cpp - ptc run: calls of a program ----------------------------------------------===//
//
// In: a program, examples that it is compiled from, calls. Out: what each call printed and gave
// back; with --save as a file. --python runs a tensor-free .pyc as plain Python.
//
//===----------------------------------------------------------------------===//
#include "AddVariants.h"
#include "CallJson.h"
#include "CaptureOptions.h"
#include "Verb.h"

#include "ptc/Capture/Environment.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/ArtefactRunner.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Driver/UnpackWeights.h"
#include "ptc/Target/Target.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ptc;
using namespace ptc::tool;

namespace {
struct RunOptions {
  std::vector<std::string> calls;
  std::string save, recordMisses;
  std::string target; ///< empty: the code of a library, else null
  bool lines = false;
  bool python = false;
  uint64_t maxOps = UINT64_MAX;
  uint32_t threads = 0; ///< 0: not said
};
} // namespace

static void runPlainPython(const CaptureOptions &options, Session &session) {
  auto resolved = options.resolve(session);
  if (!resolved)
    return session.report(resolved.takeError());
  session.noteFileRead(resolved->input);
  Session::Timer timer(session, "run");
  auto result =
      session.builtins
          ? capture::runPython(resolved->request, *session.builtins, llvm::outs(), llvm::errs())
          : capture::runPython(resolved->request, llvm::outs(), llvm::errs());
  llvm::outs().flush();
  if (!result)
    return session.report(result.takeError());
  llvm::errs() << result->uncaught;
  if (result->exitCode)
    session.report(makeDiagnostic(DiagId::ProgramRaised, result->raisedAt, result->raisedType,
                                  result->raisedText));
}

/// The examples, none of what does not say them.
static std::vector<ExampleCall> callsOfExamples(const std::string &input,
                                                const PipelineOptions &pipeline) {
  auto examples = examplesFor(input, pipeline);
  if (examples)
    return std::move(*examples);
  llvm::consumeError(examples.takeError()); // it was not made of a .pyc
  return {};
}

/// The calls of --call files. Reports what is wrong with any of the files.
static std::optional<std::vector<ExampleCall>> readGivenCalls(const RunOptions &options,
                                                              Session &session) {
  std::vector<ExampleCall> calls;
  std::set<std::string> files;
  bool good = true;
  for (const std::string &path : options.calls) {
    auto read = readCalls(path, files);
    if (read) {
      calls.insert(calls.end(), read->begin(), read->end());
      continue;
    }
    session.report(read.takeError());
    good = false;
  }
  for (const std::string &file : files)
    session.noteFileRead(file);
  return good ? std::optional(std::move(calls)) : std::nullopt;
}

/// Is there a call, and do all of them name parameters that the entry has? Reports what is wrong.
static bool canBeMade(std::vector<ExampleCall> &calls, const CompiledProgram &program,
                      Session &session) {
  std::string names = program.parameters.empty()
                          ? "it has no parameters"
                          : "its parameters are " + llvm::join(program.parameters, ", ");
  if (calls.empty() && program.signature && program.parameters.empty())
    calls.emplace_back();
  if (calls.empty()) {
    Diagnostic diag = makeDiagnostic(DiagId::UsageError, {},
                                     "there is no call to make: --input, --example or --call");
    session.report(diag.hint(names));
    return false;
  }
  if (!program.signature || llvm::StringRef(*program.signature).contains("**"))
    return true;
  bool good = true;
  for (const ExampleCall &call : calls)
    for (const auto &[name, value] : call.kwargs) {
      if (llvm::is_contained(program.parameters, name))
        continue;
      std::string why = "there is no parameter '" + name + "'";
      Diagnostic diag = call.file.empty() ? makeDiagnostic(DiagId::InputUnknown, {}, why)
                                          : makeDiagnostic(DiagId::CallDoesNotFit,
                                                           SourceLoc{call.file, 0, 0, 0, 0}, why);
      session.report(diag.hint(names));
      good = false;
    }
  return good;
}

static void showCall(const CallReport &report, bool quietResult) {
  llvm::errs() << report.call.err;
  llvm::outs() << report.call.out;
  if (!report.call.raised && !quietResult)
    llvm::outs() << describeValue(report.call.result) << '\n';
  llvm::outs().flush();
}

using CallFunction = llvm::function_ref<llvm::Expected<CallReport>(const ExampleCall &)>;

/// Did the call leave the state alone? One that no variant fits, or that lacks an argument, was not
/// begun.
static bool wasNotBegun(const Diagnostic &diag) {
  return diag.id == DiagId::NoVariantFits || diag.id == DiagId::ArgumentMissing;
}

/// Makes the calls one after the other, shows each and saves them. Calls behind one that broke off
/// would see other state than the program's: they are not made.
static void makeCalls(CallFunction makeCall, llvm::ArrayRef<ExampleCall> calls,
                      llvm::ArrayRef<capture::WorldUse> world, const RunOptions &options,
                      Session &session) {
  std::vector<std::optional<CallReport>> reports;
  bool any = false;
  Session::Timer timer(session, "calls");
  for (const ExampleCall &call : calls) {
    auto report = makeCall(call);
    if (!report) {
      std::vector<Diagnostic> diags = takeDiagnostics(report.takeError());
      for (const Diagnostic &diag : diags)
        session.report(diag);
      if (!llvm::all_of(diags, wasNotBegun))
        break;
      reports.emplace_back();
      continue;
    }
    any = true;
    showCall(*report, !options.save.empty());
    if (const auto &raised = report->call.raised)
      session.report(capture::diagnoseRaised(raised->loc, raised->type, raised->text, world));
    reports.emplace_back(std::move(*report));
  }
  bool lines =
      options.lines || llvm::StringRef(options.save).ends_with(".jsonl") || reports.size() > 1;
  if (options.save.empty() || (!any && session.failed()))
    return;
  OutputFiles files;
  if (llvm::Error error = saveReports(options.save, reports, lines, files))
    return session.report(std::move(error));
  session.deliver(std::move(files), options.save);
}

static void run(const CaptureOptions &capture, const RunOptions &options, Session &session) {
  if (options.python)
    return runPlainPython(capture, session);
  if (!options.save.empty())
    if (llvm::Error error = checkOutputPlace(options.save))
      return session.report(std::move(error));
  auto calls = readGivenCalls(options, session);
  if (!calls)
    return;
  PipelineOptions pipeline;
  std::optional<CompiledProgram> program = compileInput(capture, session, pipeline);
  if (!program)
    return;
  if (options.calls.empty())
    calls = callsOfExamples(capture.input, pipeline);
  if (!canBeMade(*calls, *program, session))
    return;
  if (isArtefact(capture.input) && options.target.empty()) {
    auto runner = ArtefactRunner::create(capture.input, *program, capture.weights);
    if (!runner)
      return session.report(runner.takeError());
    if (options.threads)
      ptc_set_threads((*runner)->context(), options.threads);
    if (!options.recordMisses.empty())
      if (llvm::Error error = (*runner)->recordMisses(options.recordMisses, writeExample))
        return session.report(std::move(error));
    return makeCalls([&](auto &call) { return (*runner)->call(call); }, *calls, program->world,
                     options, session);
  }
  for (auto [name, isGiven] : {std::pair("--record-misses", !options.recordMisses.empty()),
                               std::pair("--threads", options.threads != 0)})
    if (isGiven)
      return session.report(
          makeDiagnostic(DiagId::UsageError, {},
                         std::string(name) + " needs a library, and " +
                             (isArtefact(capture.input) ? "--target=null leaves its code alone"
                                                        : capture.input + " is none")));
  std::unique_ptr<program::OpExecutor> executor =
      findTarget(options.target.empty() ? "null" : options.target)->target.makeExecutor();
  if (!codeOptionsOf(*program).gpu.empty())
    executor = drawAsOnGpu(std::move(executor));
  auto weights = weightsToRun(std::move(program->weights), capture.input, capture.weights);
  if (!weights)
    return session.report(weights.takeError());
  auto runner = Runner::create(*program, *weights, *executor);
  if (!runner)
    return session.report(runner.takeError());
  (*runner)->setMaxOps(options.maxOps);
  makeCalls([&](auto &call) { return (*runner)->call(call); }, *calls, program->world, options,
            session);
}

VerbBody tool::declareRun(CLI::App &app) {
  auto capture = declareCapture(app);
  auto options = std::make_shared<RunOptions>();
  app.add_option("--call", options->calls,
                 "a call to make, as JSON (.jsonl: one per line); default: the examples, of a "
                 "library those that it was compiled from, with other contents of tensors")
      ->type_name("FILE");
  std::vector<std::string> targets;
  for (const TargetInfo &info : getAllTargets())
    if (info.target.makeExecutor)
      targets.push_back(info.name.str());
  app.add_option("--target", options->target,
                 "what executes; default: the code of a library, else null; null takes the "
                 "program in a library, so also one for a GPU that is not there, with --to=plan "
                 "its kernels")
      ->check(CLI::IsMember(targets));
  app.add_option("--save", options->save, "write results there; tensors go to .safetensors beside")
      ->check([](const std::string &path) -> std::string {
        bool isTensors = llvm::StringRef(path).ends_with(".safetensors");
        if (isTensors)
          return path + " is where the tensors go: name the JSON file beside it";
        return llvm::sys::fs::is_directory(path) ? path + " is a folder: name a file in it" : "";
      });
  app.add_option("--record-misses", options->recordMisses,
                 "a library: add calls that no variant fits there, for compile --add-variants")
      ->type_name("FILE.jsonl")
      ->check([](const std::string &path) {
        bool isLines = llvm::StringRef(path).ends_with(".jsonl");
        return isLines ? "" : path + " must end in .jsonl: it holds a call per line";
      });
  app.add_option("--threads", options->threads, "a library: that a call may use; default: 1")
      ->check(CLI::Range(1, 64));
  app.add_flag("--jsonl", options->lines, "one object per line, also for one call");
  app.add_option("--max-ops", options->maxOps, "operations of one call; default: no limit")
      ->check(checkLimit);
  auto *python =
      app.add_flag("--python", options->python, "run a tensor-free .pyc as plain Python");
  for (const char *other :
       {"--entry", "--init", "--weights", "--input", "--example", "--call", "--save",
        "--record-misses", "--threads", "--explore", "--require-total", "--dump"})
    python->excludes(app.get_option(other));
  return [=](Session &session) { run(*capture, *options, session); };
}
