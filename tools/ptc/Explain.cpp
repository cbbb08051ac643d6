//===- Explain.cpp - ptc explain: why ------------------------------------------------------===//
//
// In: a program. Out: each guard with the places that needed it; what became one kernel and what
// did not; what each kernel costs; and, for the calls given, the variant that each would take or
// the first guard that fails.
//
//===----------------------------------------------------------------------===//
#include "AddVariants.h"
#include "CallJson.h"
#include "CaptureOptions.h"
#include "KernelTable.h"
#include "Verb.h"

#include "ptc/Driver/ArtefactRunner.h"
#include "ptc/Driver/KernelClock.h"
#include "ptc/Driver/Phases.h"
#include "ptc/Symbolic/DecisionTree.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "llvm/Support/Format.h"

using namespace ptc;
using namespace ptc::tool;

namespace {
struct ExplainOptions {
  bool guards = false, tree = false, fusion = false, kernels = false, measure = false;
  std::vector<std::string> calls;
  std::string format = "text";

  bool namesSection() const { return guards || tree || fusion || kernels || !calls.empty(); }
};
} // namespace

static void explainCalls(CompiledProgram &program, const std::vector<std::string> &files,
                         Session &session) {
  std::set<std::string> read;
  for (const std::string &path : files) {
    auto calls = readCalls(path, read);
    if (!calls)
      return session.report(calls.takeError());
    for (auto [i, call] : llvm::enumerate(*calls)) {
      llvm::outs() << path << " call " << i << ": ";
      sym::Observation seen = observe(call, program.parameters);
      if (program.guards.empty()) {
        llvm::outs() << "variant v0\n";
        continue;
      }
      sym::DecisionTree tree(*program.observables, program.guards);
      if (std::optional<unsigned> variant = tree.dispatch(*program.observables, seen)) {
        llvm::outs() << "variant v" << *variant << '\n';
        continue;
      }
      sym::Miss miss = sym::explainMiss(program.guards, *program.observables, seen);
      llvm::outs() << "none; of v" << miss.variant << ", " << miss.failure.subject << " is "
                   << miss.failure.found << ", expected " << miss.failure.expected << '\n';
      const sym::Guard &guard = program.guards[miss.variant].guards()[miss.failure.guard];
      for (const sym::GuardOrigin &origin : guard.origins) {
        llvm::outs() << "    ";
        if (origin.loc.isKnown())
          llvm::outs() << origin.loc.file << ':' << origin.loc.line << ": ";
        llvm::outs() << origin.reason << '\n';
      }
    }
  }
}

static void explainGuards(const CompiledProgram &program) {
  for (auto [i, set] : llvm::enumerate(program.guards)) {
    llvm::outs() << "variant v" << i << ": " << set.size() << " guards\n";
    sym::printGuards(llvm::outs(), *program.observables, set);
  }
}

/// Of a program without a section named: what there is to ask for.
static void summarise(const CompiledProgram &program, const KernelReport &report,
                      llvm::StringRef gpu) {
  for (auto [i, variant] : llvm::enumerate(report.variants)) {
    size_t numGuards = i < program.guards.size() ? program.guards[i].size() : 0;
    double seconds = 0, flops = 0;
    unsigned numPlain = 0;
    for (const KernelEntry &entry : variant.kernels) {
      seconds += entry.predicted();
      flops += entry.row.cost.flops;
      numPlain += entry.hasPlainLoops();
    }
    llvm::outs() << "variant " << variant.name << ": " << numGuards << " guards (--guards), ";
    llvm::outs() << variant.kernels.size() << " kernels ";
    if (gpu.empty())
      llvm::outs() << "(--kernels), " << numPlain << " of them with plain loops; ";
    else
      llvm::outs() << "of " << gpu << "; ";
    llvm::outs() << llvm::format("%.3g flops, about %.1f us\n", flops, seconds * 1e6);
  }
  llvm::outs() << "decisions: " << program.remarks.size() << " (--fusion)\n";
  if (!report.noCode.empty())
    llvm::outs() << "no native code: " << report.noCode << '\n';
}

/// Goes on to the plan and its code. None: something was reported.
static std::optional<KernelReport> planOf(CompiledProgram &program, const PipelineOptions &pipeline,
                                          const cpu::CodeOptions &code, Session &session) {
  auto failed = [&](llvm::Error error) {
    session.report(std::move(error));
    return std::nullopt;
  };
  if (llvm::Error error = advance(program, pipeline.to, Phase::Plan, program.cost))
    return failed(std::move(error));
  KernelReport report = reportKernels(program, program.cost);
  if (!code.gpu.empty())
    return report; // what emitters say is about CPUs
  Session::Timer timer(session, "code");
  if (llvm::Error error = addCode(report, program, code))
    return failed(std::move(error));
  return report;
}

/// Calls that --measure makes.
static constexpr unsigned kMeasuredCalls = 101;

/// The kernels that the first example runs, with their times. Takes the program, which is behind
/// phase plan.
static llvm::Expected<std::unique_ptr<KernelClock>> measure(const CaptureOptions &capture,
                                                            const PipelineOptions &pipeline,
                                                            CompiledProgram program,
                                                            const cpu::CodeOptions &code) {
  auto examples = examplesFor(capture.input, pipeline);
  if (!examples)
    return examples.takeError();
  if (examples->empty())
    return makeError(DiagId::UsageError, {},
                     "--measure makes the call of the first example, and there is none");
  FilePart packed;
  if (isArtefact(capture.input) && program.weights.empty()) {
    if (llvm::Error error = checkArtefactWeights(capture.input, capture.weights))
      return std::move(error);
    auto found = packedWeightsOf(capture.input, capture.weights);
    if (!found)
      return found.takeError();
    packed = std::move(*found);
  }
  plan::CostModel cost = program.cost;
  std::vector<NamedTensor> weights = std::move(program.weights);
  auto clock = KernelClock::create(std::move(program), weights, packed, examples->front(),
                                   {code, std::move(cost)});
  for (unsigned i = 0; clock && i < kMeasuredCalls; ++i)
    if (llvm::Error error = (*clock)->call())
      return std::move(error);
  return clock;
}

/// What is wrong with the options; empty: nothing.
static llvm::StringRef problemOf(const ExplainOptions &options) {
  if (options.format == "json" && (options.guards || options.tree || !options.calls.empty()))
    return "--format=json shows fusion and kernels; guards are in `ptc inspect-graph "
           "--format=json`";
  if (options.measure && !options.kernels)
    return "--measure adds to --kernels";
  return "";
}

static void explainPlan(CompiledProgram program, const CaptureOptions &capture,
                        const PipelineOptions &pipeline, const ExplainOptions &options,
                        Session &session) {
  cpu::CodeOptions code = codeOptionsFor(capture.cpu.value_or(""), program);
  bool isJson = options.format == "json";
  if (!code.gpu.empty() && (options.kernels || isJson))
    return session.report(
        makeDiagnostic(DiagId::UsageError, {},
                       "'" + capture.input + "' is for " + code.gpu +
                           ", and what code is made of is known for CPUs alone: --cpu shows "
                           "kernels as one has them, "
                           "and `ptc inspect-graph --to=plan` what they cost a GPU"));
  std::optional<KernelReport> report = planOf(program, pipeline, code, session);
  if (!report)
    return;
  nlohmann::ordered_json json = planJson(*report, program.remarks);
  if (!options.namesSection() && !isJson)
    summarise(program, *report, code.gpu);
  if (options.fusion && !isJson)
    llvm::outs() << remarkList(program.remarks);
  if (options.kernels && !isJson)
    llvm::outs() << kernelTable(*report);
  if (options.measure) {
    auto clock = measure(capture, pipeline, std::move(program), code);
    if (!clock)
      return session.report(clock.takeError());
    std::vector<KernelEntry> kernels = (*clock)->kernels();
    double seconds = (*clock)->callSeconds();
    if (isJson) {
      json["measured"] = nlohmann::ordered_json::array();
      for (const KernelEntry &entry : kernels)
        json["measured"].push_back(kernelJson(entry, seconds));
    } else {
      llvm::outs() << "\nmeasured: medians of " << kMeasuredCalls
                   << " calls of the first example, one thread\n"
                   << measuredTable(kernels, seconds);
    }
  }
  if (isJson)
    llvm::outs() << json.dump(2) << '\n';
}

static void explain(const CaptureOptions &capture, const ExplainOptions &options,
                    Session &session) {
  if (llvm::StringRef problem = problemOf(options); !problem.empty())
    return session.report(makeError(DiagId::UsageError, {}, problem));
  PipelineOptions pipeline;
  std::optional<CompiledProgram> program = compileInput(capture, session, pipeline);
  if (!program)
    return;
  if (options.guards)
    explainGuards(*program);
  if (options.tree && !program->guards.empty())
    sym::DecisionTree(*program->observables, program->guards)
        .print(llvm::outs(), *program->observables);
  explainCalls(*program, options.calls, session);
  if (!options.namesSection() || options.fusion || options.kernels)
    explainPlan(std::move(*program), capture, pipeline, options, session);
}

VerbBody tool::declareExplain(CLI::App &app) {
  auto capture = declareCapture(app);
  auto options = std::make_shared<ExplainOptions>();
  app.add_flag("--guards", options->guards, "each guard and the lines that needed it");
  app.add_flag("--tree", options->tree, "the decision tree over the variants");
  app.add_flag("--fusion", options->fusion, "what became one kernel, and what did not and why");
  app.add_flag("--kernels", options->kernels,
               "each kernel: work, bytes, predicted time, how it became code, memory, lines");
  app.add_flag("--measure", options->measure,
               "with --kernels: what they take in calls of the first example");
  app.add_option("--call", options->calls, "which variant this call would take");
  app.add_option("--format", options->format, "json: fusion and kernels")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  declareCpu(app, *capture);
  return [=](Session &session) { explain(*capture, *options, session); };
}
