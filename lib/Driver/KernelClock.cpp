//===- KernelClock.cpp - How long each kernel of a call takes -----------------------------===//
//
// In: a planned program, its weights, a call. Out: per kernel the median over calls of what it adds
// to the table of the code, in seconds.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/KernelClock.h"

#include "ptc/Driver/ArtefactRunner.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Driver/Phases.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <dlfcn.h>

using namespace ptc;
using Clock = std::chrono::steady_clock;

namespace {

/// A folder of its own, gone with this object.
class Folder {
public:
  Folder() : problem(llvm::sys::fs::createUniqueDirectory("ptc-bench", path)) {}
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!problem)
      ignored = llvm::sys::fs::remove_directories(path);
  }
  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> at(path);
    llvm::sys::path::append(at, name);
    return at.str().str();
  }

private:
  llvm::SmallString<128> path;

public:
  std::error_code problem;
};

/// A row of kKernelTimes.
struct Ticks {
  uint64_t ticks, runs;
};

struct Sample {
  std::vector<Ticks> kernels;
  uint64_t ticks; ///< of the call
};

} // namespace

/// The time stamp counter that code reads.
static uint64_t readTicks() { return __builtin_ia32_rdtsc(); }

/// What one reading takes at least: it is in each run of a kernel.
static uint64_t ticksOfReading() {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; ++i) {
    uint64_t begin = readTicks();
    least = std::min(least, readTicks() - begin);
  }
  return least;
}

static double median(std::vector<double> numbers) {
  auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return numbers.empty() ? 0 : *middle;
}

struct KernelClock::State {
  CompiledProgram program;
  KernelReport report;
  Folder folder;
  std::unique_ptr<llvm::sys::fs::mapped_file_region> weights;
  std::unique_ptr<ArtefactRunner> runner;
  ArtefactCall made;
  std::vector<ptc_value> outputs;
  const Ticks *table = nullptr;
  size_t numKernels = 0;
  std::vector<Sample> samples;
  Clock::time_point start;
  uint64_t startTicks = 0;
  uint64_t reading = ticksOfReading();

  double secondsOfTick() const {
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return seconds / double(readTicks() - startTicks);
  }
  llvm::ArrayRef<Sample> counted() const {
    return llvm::ArrayRef(samples).drop_front(samples.size() > 1);
  }
};

KernelClock::KernelClock(std::unique_ptr<State> state) : state(std::move(state)) {}
KernelClock::~KernelClock() = default;

/// Maps packed weights of `bytes` bytes. Errors: FileNotReadable, UsageError.
static llvm::Expected<std::unique_ptr<llvm::sys::fs::mapped_file_region>>
mapWeights(const FilePart &part, uint64_t bytes) {
  if (part.path.empty() && bytes)
    return makeError(DiagId::UsageError, {}, "the program has weights: give them with --weights");
  if (part.bytes != bytes)
    return makeError(DiagId::UsageError, {},
                     "the weights of '" + part.path +
                         "' are packed for other code than this ptc makes on this machine: "
                         "compile the library here");
  std::unique_ptr<llvm::sys::fs::mapped_file_region> region;
  if (bytes == 0)
    return region;
  auto file = llvm::sys::fs::openNativeFileForRead(part.path);
  if (!file)
    return makeError(DiagId::FileNotReadable, {}, part.path, llvm::toString(file.takeError()));
  std::error_code ec;
  region = std::make_unique<llvm::sys::fs::mapped_file_region>(
      *file, llvm::sys::fs::mapped_file_region::readonly, bytes, part.offset, ec);
  std::error_code closed = llvm::sys::fs::closeFile(*file);
  if (!ec)
    ec = closed;
  if (ec)
    return makeError(DiagId::FileNotReadable, {}, part.path, ec.message());
  return region;
}

llvm::Expected<std::unique_ptr<KernelClock>>
KernelClock::create(CompiledProgram program, llvm::ArrayRef<NamedTensor> weights,
                    const FilePart &packed, const ExampleCall &call, const Options &options) {
  auto state = std::make_unique<State>();
  state->program = std::move(program);
  if (state->folder.problem)
    return makeError(DiagId::OutputNotWritten, {}, "temporary folder",
                     state->folder.problem.message());
  std::string path = state->folder.file("libtimed.so");
  auto code = makeTimedLibrary(state->program, weights, options.code, path);
  if (!code)
    return code.takeError();
  state->report = reportKernels(state->program, options.cost);
  addCode(state->report, *code);
  for (const VariantKernels &variant : state->report.variants)
    state->numKernels += variant.kernels.size();
  llvm::ArrayRef<uint8_t> bytes;
  if (weights.empty()) {
    auto mapped = mapWeights(packed, code->weightBytes);
    if (!mapped)
      return mapped.takeError();
    state->weights = std::move(*mapped);
    if (state->weights)
      bytes = {reinterpret_cast<const uint8_t *>(state->weights->const_data()),
               size_t(code->weightBytes)};
  }
  auto runner = ArtefactRunner::create(path, state->program, bytes);
  if (!runner)
    return runner.takeError();
  state->runner = std::move(*runner);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  state->table =
      static_cast<const Ticks *>(library ? dlsym(library, cpu::kKernelTimes.data()) : nullptr);
  if (!state->table)
    return makeError(DiagId::InternalError, {}, "the code shows no times of kernels");
  auto made = state->runner->prepare(call);
  if (!made)
    return made.takeError();
  state->made = std::move(*made);
  state->outputs.assign(state->runner->numOutputs(), ptc_of_none());
  ptc_set_allocator(state->runner->context(), nullptr); // results stay in the context's memory
  ptc_set_threads(state->runner->context(), options.threads);
  state->start = Clock::now();
  state->startTicks = readTicks();
  return std::unique_ptr<KernelClock>(new KernelClock(std::move(state)));
}

llvm::Expected<std::unique_ptr<KernelClock>> KernelClock::ofArtefact(const std::string &path,
                                                                     const std::string &weights,
                                                                     const ExampleCall &call,
                                                                     unsigned threads) {
  PipelineOptions pipeline;
  pipeline.input = path;
  auto program = compile(pipeline);
  if (!program)
    return program.takeError();
  Options options{codeOptionsOf(*program), {}, threads};
  if (!options.code.gpu.empty())
    return makeError(DiagId::UsageError, {},
                     "'" + path + "' runs its kernels on a GPU, and only those of a CPU are timed");
  auto cost = costModelFor(options.code, *program);
  if (!cost)
    return cost.takeError();
  options.cost = std::move(*cost);
  if (llvm::Error error = advance(*program, Phase::Normalise, Phase::Plan, options.cost))
    return std::move(error);
  if (llvm::Error error = checkArtefactWeights(path, weights))
    return std::move(error);
  auto packed = packedWeightsOf(path, weights);
  if (!packed)
    return packed.takeError();
  return create(std::move(*program), {}, *packed, call, options);
}

llvm::Error KernelClock::call() {
  State &s = *state;
  std::vector<Ticks> before(s.table, s.table + s.numKernels);
  ptc_invocation call = {0,
                         s.made.structure,
                         s.made.inputs.data(),
                         uint32_t(s.made.inputs.size()),
                         uint32_t(s.outputs.size()),
                         s.outputs.data(),
                         0,
                         0};
  uint64_t begin = readTicks();
  ptc_status status = ptc_invoke(s.runner->context(), &call);
  Sample sample{{}, readTicks() - begin};
  if (status != ptc_status_ok && status != ptc_status_raised)
    return makeError(DiagId::InternalError, {}, ptc_last_error(s.runner->context())->text);
  for (size_t i = 0; i < s.numKernels; ++i) {
    uint64_t runs = s.table[i].runs - before[i].runs;
    uint64_t ticks = s.table[i].ticks - before[i].ticks;
    sample.kernels.push_back({ticks - std::min(ticks, runs * s.reading), runs});
  }
  s.samples.push_back(std::move(sample));
  return llvm::Error::success();
}

std::vector<KernelEntry> KernelClock::kernels() const {
  double tick = state->secondsOfTick();
  std::vector<KernelEntry> found;
  size_t number = 0;
  for (const VariantKernels &variant : state->report.variants)
    for (KernelEntry entry : variant.kernels) {
      std::vector<double> ticks, runs;
      for (const Sample &sample : state->counted()) {
        ticks.push_back(double(sample.kernels[number].ticks));
        runs.push_back(double(sample.kernels[number].runs));
      }
      ++number;
      entry.time = KernelTime{median(std::move(ticks)) * tick, median(std::move(runs))};
      if (entry.time->runs > 0)
        found.push_back(std::move(entry));
    }
  llvm::sort(found, [](const KernelEntry &a, const KernelEntry &b) {
    return std::pair(b.time->seconds, a.name) < std::pair(a.time->seconds, b.name);
  });
  return found;
}

double KernelClock::callSeconds() const {
  std::vector<double> ticks;
  for (const Sample &sample : state->counted())
    ticks.push_back(double(sample.ticks));
  return median(std::move(ticks)) * state->secondsOfTick();
}
