//===- Bench.cpp - ptc bench: how long calls of an artefact take ------------------------------===//
//
// In: a library, a call. Out: the cold first call, then the distribution of warm ones, in
// microseconds, and what part guards, dispatch and kernels have in it; each kernel; beside another
// library or LibTorch on the same graph, in turns.
//
//===----------------------------------------------------------------------===//
#include "AddVariants.h"
#include "ArtefactVerbs.h"
#include "CallJson.h"
#include "KernelTable.h"

#include "ptc/Driver/ArtefactRunner.h"
#include "ptc/Driver/KernelClock.h"
#include "ptc/Driver/OracleExecutor.h"
#include "ptc/Driver/UnpackWeights.h"
#include "ptc/Oracle/OracleLibrary.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cmath>

using namespace ptc;
using namespace ptc::tool;

namespace {

struct BenchOptions {
  std::string library, against, weights;
  std::vector<std::string> calls;
  unsigned samples = 200, threads = 1;
  double seconds = 1;
  bool json = false, kernels = false;
};

/// --weights names what `ptc compile` wrote beside the library, or a state dict, which is for eager
/// alone.
bool isStateDict(llvm::StringRef file) {
  return llvm::sys::fs::exists(file) && !isPackedWeights(file);
}

std::string fileOfWeights(const BenchOptions &options) {
  return isStateDict(options.weights) ? "" : options.weights;
}

using Clock = std::chrono::steady_clock;

/// How often guards and dispatch run in a row for one number of theirs, and how many numbers.
constexpr uint32_t kProfileRepeats = 1000;
constexpr unsigned kProfiles = 21;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// What is timed: opened anew, then called many times with the same arguments.
class Contender {
public:
  virtual ~Contender() = default;
  virtual llvm::Error call() = 0;
  /// One call, whose parts go to `profiles`; of what has parts.
  virtual llvm::Error profile() { return llvm::Error::success(); }
  std::unique_ptr<KernelClock> clock; ///< of libraries, where kernels are asked for
  std::string name;
  double openMs = 0, coldUs = 0;
  std::vector<double> samples; ///< microseconds of a call
  std::vector<ptc_profile> profiles;
  uint64_t calls = 0;
};

class LibraryContender : public Contender {
public:
  static llvm::Expected<std::unique_ptr<Contender>>
  create(const std::string &path, const ExampleCall &call, const BenchOptions &options);
  llvm::Error call() override;
  llvm::Error profile() override;

private:
  ptc_invocation invocation();
  llvm::Error check(ptc_status status);

  CompiledProgram program;
  std::unique_ptr<ArtefactRunner> runner;
  ExampleCall arguments;
  ArtefactCall made;
  std::vector<ptc_value> outputs;
};

class EagerContender : public Contender {
public:
  static llvm::Expected<std::unique_ptr<Contender>>
  create(const std::string &path, const ExampleCall &call, const BenchOptions &options);
  llvm::Error call() override {
    auto report = runner->call(arguments);
    return report ? llvm::Error::success() : report.takeError();
  }

private:
  CompiledProgram program;
  std::unique_ptr<program::OpExecutor> executor;
  std::unique_ptr<Runner> runner;
  ExampleCall arguments;
};

} // namespace

static llvm::Expected<CompiledProgram> openIr(const std::string &path) {
  PipelineOptions options;
  options.input = path;
  return compile(options);
}

llvm::Expected<std::unique_ptr<Contender>> LibraryContender::create(const std::string &path,
                                                                    const ExampleCall &call,
                                                                    const BenchOptions &options) {
  auto made = std::make_unique<LibraryContender>();
  made->name = path;
  auto program = openIr(path);
  if (!program)
    return program.takeError();
  made->program = std::move(*program);
  auto start = Clock::now();
  auto runner = ArtefactRunner::create(path, made->program, fileOfWeights(options));
  if (!runner)
    return runner.takeError();
  made->openMs = microseconds(Clock::now() - start) / 1000;
  made->runner = std::move(*runner);
  auto prepared = made->runner->prepare(call);
  if (!prepared)
    return prepared.takeError();
  made->made = std::move(*prepared);
  made->arguments = call;
  made->outputs.assign(made->runner->numOutputs(), ptc_of_none());
  ptc_set_allocator(made->runner->context(), nullptr); // results stay in the context's memory
  ptc_set_threads(made->runner->context(), options.threads);
  if (options.kernels) {
    auto clock = KernelClock::ofArtefact(path, fileOfWeights(options), call, options.threads);
    if (!clock)
      return clock.takeError();
    made->clock = std::move(*clock);
  }
  return made;
}

ptc_invocation LibraryContender::invocation() {
  return {0,
          made.structure,
          made.inputs.data(),
          uint32_t(made.inputs.size()),
          uint32_t(outputs.size()),
          outputs.data(),
          0,
          0};
}

llvm::Error LibraryContender::check(ptc_status status) {
  return runner->checkStatus(status, arguments);
}

llvm::Error LibraryContender::call() {
  ptc_invocation call = invocation();
  return check(ptc_invoke(runner->context(), &call));
}

llvm::Error LibraryContender::profile() {
  ptc_invocation call = invocation();
  ptc_profile parts = {sizeof parts, kProfileRepeats, 0, 0, 0};
  ptc_status status = ptc_profile_call(runner->context(), &call, &parts);
  if (status == ptc_status_version) // an artefact that does not measure its calls
    return llvm::Error::success();
  profiles.push_back(parts);
  return check(status);
}

llvm::Expected<std::unique_ptr<Contender>> EagerContender::create(const std::string &path,
                                                                  const ExampleCall &call,
                                                                  const BenchOptions &options) {
  auto made = std::make_unique<EagerContender>();
  made->name = "eager";
  auto program = openIr(path);
  if (!program)
    return program.takeError();
  made->program = std::move(*program);
  auto weights = isStateDict(options.weights) ? readTensorFile(options.weights)
                                              : readArtefactWeights(path, options.weights);
  if (!weights)
    return weights.takeError();
  static int here; // any address in this program
  auto executor = makeOracleExecutor(
      OracleLibrary::defaultPath(llvm::sys::fs::getMainExecutable("ptc", &here)));
  if (!executor)
    return executor.takeError();
  made->executor = std::move(*executor);
  auto runner = Runner::create(made->program, *weights, *made->executor);
  if (!runner)
    return runner.takeError();
  made->runner = std::move(*runner);
  made->arguments = call;
  return made;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// One sample: the mean of `batch` calls, so that the clock does not show.
static llvm::Error sample(Contender &contender, unsigned batch) {
  auto start = Clock::now();
  for (unsigned i = 0; i < batch; ++i)
    if (llvm::Error error = contender.call())
      return error;
  contender.samples.push_back(microseconds(Clock::now() - start) / batch);
  contender.calls += batch;
  return llvm::Error::success();
}

static llvm::Error measure(std::vector<std::unique_ptr<Contender>> &contenders,
                           const BenchOptions &options) {
  std::vector<unsigned> batches;
  for (auto &contender : contenders) {
    if (llvm::Error error = sample(*contender, 1))
      return error;
    contender->coldUs = contender->samples.front();
    if (llvm::Error error = sample(*contender, 10))
      return error;
    double warm = std::max(contender->samples.back(), 0.01);
    batches.push_back(unsigned(std::clamp(20 / warm, 1.0, 1000.0)));
    contender->samples.clear();
    contender->calls = 0;
  }
  // In turns, so that what slows the machine down slows all of them down.
  auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  for (unsigned i = 0; i < options.samples || Clock::now() < end; ++i)
    for (auto [contender, batch] : llvm::zip(contenders, batches)) {
      if (llvm::Error error = sample(*contender, batch))
        return error;
      if (contender->clock)
        if (llvm::Error error = contender->clock->call())
          return error;
    }
  for (unsigned i = 0; i < kProfiles; ++i)
    for (auto &contender : contenders)
      if (llvm::Error error = contender->profile())
        return error;
  return llvm::Error::success();
}

static double percentile(const std::vector<double> &sorted, double part) {
  return sorted[size_t(std::lround(part * double(sorted.size() - 1)))];
}

/// The median of one part of the profiles, in microseconds.
static double partOf(const Contender &contender, double ptc_profile::*part) {
  std::vector<double> sorted;
  sorted.reserve(contender.profiles.size());
  for (const ptc_profile &profile : contender.profiles)
    sorted.push_back(profile.*part / 1000);
  llvm::sort(sorted);
  return percentile(sorted, 0.5);
}

static nlohmann::ordered_json statisticsOf(Contender &contender) {
  std::vector<double> sorted = contender.samples;
  llvm::sort(sorted);
  double sum = 0, squares = 0;
  for (double us : sorted)
    sum += us;
  double mean = sum / double(sorted.size());
  for (double us : sorted)
    squares += (us - mean) * (us - mean);
  nlohmann::ordered_json out;
  out["name"] = contender.name;
  out["calls"] = contender.calls;
  out["open_ms"] = contender.openMs;
  out["cold_us"] = contender.coldUs;
  out["latency_us"] = {{"min", sorted.front()},
                       {"mean", mean},
                       {"median", percentile(sorted, 0.5)},
                       {"p90", percentile(sorted, 0.9)},
                       {"p95", percentile(sorted, 0.95)},
                       {"p99", percentile(sorted, 0.99)}};
  out["variation"] = std::sqrt(squares / double(sorted.size())) / mean;
  out["split"] = nullptr;
  if (!contender.profiles.empty())
    out["split"] = {{"guards", partOf(contender, &ptc_profile::guards)},
                    {"dispatch", partOf(contender, &ptc_profile::dispatch)},
                    {"kernels", partOf(contender, &ptc_profile::kernels)}};
  if (contender.clock) {
    double callSeconds = contender.clock->callSeconds();
    nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
    for (const KernelEntry &entry : contender.clock->kernels())
      kernels.push_back(kernelJson(entry, callSeconds));
    out["timed_call_us"] = callSeconds * 1e6;
    out["kernels"] = std::move(kernels);
  }
  return out;
}

static void printTable(const nlohmann::ordered_json &rows) {
  llvm::outs() << "      cold        min       mean     median        p90        p95        p99"
                  "  variation  us of a call\n";
  for (const auto &row : rows) {
    llvm::outs() << llvm::format("%10.2f", row["cold_us"].get<double>());
    for (const auto &number : row["latency_us"])
      llvm::outs() << llvm::format(" %10.3f", number.get<double>());
    llvm::outs() << llvm::format(" %9.1f%%", 100 * row["variation"].get<double>()) << "  "
                 << row["name"].get<std::string>() << '\n';
  }
  if (llvm::all_of(rows, [](const auto &row) { return row["split"].is_null(); }))
    return;
  llvm::outs() << "\n    guards   dispatch    kernels  us of a call, medians\n";
  for (const auto &row : rows) {
    if (row["split"].is_null())
      continue;
    for (const auto &number : row["split"])
      llvm::outs() << llvm::format("%10.4f ", number.get<double>());
    llvm::outs() << ' ' << row["name"].get<std::string>() << '\n';
  }
}

static void bench(const BenchOptions &options, Session &session) {
  if (isStateDict(options.weights) && options.against != "eager")
    return session.report(
        ptc::makeError(ptc::DiagId::UsageError, {},
                       "--weights '" + options.weights +
                           "' is no .weights file; a state dict is for --against=eager"));
  std::set<std::string> files;
  auto calls = options.calls.empty() ? examplesFor(options.library, {})
                                     : readCalls(options.calls.front(), files);
  if (!calls)
    return session.report(calls.takeError());
  if (calls->empty())
    calls->emplace_back();
  std::vector<std::unique_ptr<Contender>> contenders;
  std::vector<std::string> names = {options.library};
  if (!options.against.empty())
    names.push_back(options.against);
  const ExampleCall &call = typicalCall(*calls);
  for (const std::string &name : names) {
    auto made = name == "eager" ? EagerContender::create(options.library, call, options)
                                : LibraryContender::create(name, call, options);
    if (!made)
      return session.report(made.takeError());
    contenders.push_back(std::move(*made));
  }
  if (llvm::Error error = measure(contenders, options))
    return session.report(std::move(error));
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (auto &contender : contenders)
    rows.push_back(statisticsOf(*contender));
  if (options.json) {
    llvm::outs() << rows.dump(2) << '\n';
    return;
  }
  printTable(rows);
  for (const auto &contender : contenders)
    if (contender->clock)
      llvm::outs() << "\nkernels of " << contender->name << '\n'
                   << measuredTable(contender->clock->kernels(), contender->clock->callSeconds());
}

VerbBody tool::declareBench(CLI::App &app) {
  auto options = std::make_shared<BenchOptions>();
  app.add_option("library", options->library, "what ptc compile made")->required();
  app.add_option("--call", options->calls,
                 "the call to make, as JSON; default: the first example that the library was "
                 "compiled from, of sizes as they typically are")
      ->type_name("FILE")
      ->expected(1);
  app.add_option("--against", options->against,
                 "another library, or `eager`: LibTorch on the same graph");
  app.add_option("--weights", options->weights,
                 "the .weights file beside the library, if it lies elsewhere; or a state dict for "
                 "eager, which else takes the weights of the library")
      ->type_name("FILE");
  app.add_option("--threads", options->threads, "of a call")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--samples", options->samples, "at least so many")->capture_default_str();
  app.add_option("--seconds", options->seconds, "at least so long")->capture_default_str();
  app.add_flag("--kernels", options->kernels,
               "the time of each kernel beside what was predicted, of a library of the same code "
               "made for that, called in turns with the others");
  app.add_flag("--json", options->json, "print an array of objects instead of a table");
  return [=](Session &session) { bench(*options, session); };
}
