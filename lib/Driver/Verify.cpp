//===- Verify.cpp - A program against eager PyTorch ---------------------------------------===//
//
// In: a program, example calls, an executor under test and a reference. Out: for each call whether
// both gave the same, for each guard what became of a call that violates it, and on request the
// first operation that differs.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/Verify.h"

#include "ptc/Driver/ArtefactRunner.h"
#include "ptc/Driver/BreakGuards.h"
#include "ptc/Driver/MakeArtefact.h"

using namespace ptc;

//===----------------------------------------------------------------------===//
// Traces of operations
//===----------------------------------------------------------------------===//

namespace {
/// A tensor operation that was executed.
struct TracedOp {
  std::string name;
  llvm::SmallVector<HostValue, 1> results;
};

/// Passes calls on; remembers results while `isOn`.
class TracingExecutor : public program::OpExecutor {
public:
  explicit TracingExecutor(program::OpExecutor &inner) : inner(inner) {}

  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t generator) override {
    auto results = inner.call(op, args, generator);
    if (results && isOn)
      see(op, args, *results);
    return results;
  }
  void seed(int64_t generator, int64_t seed) override { inner.seed(generator, seed); }
  void enter(mlir::Operation *op) override { current = op; }

  bool isOn = false;

protected:
  virtual void see(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args,
                   const llvm::SmallVector<HostValue, 1> &results) = 0;

  program::OpExecutor &inner;
  mlir::Operation *current = nullptr;
};

class Recorder final : public TracingExecutor {
public:
  using TracingExecutor::TracingExecutor;
  std::vector<TracedOp> trace;

private:
  void see(const aten::OpInfo &op, llvm::ArrayRef<HostValue>,
           const llvm::SmallVector<HostValue, 1> &results) override {
    trace.push_back({op.name.str(), results});
  }
};

/// Compares what the reference executes with a trace; remembers the first difference.
class Comparer final : public TracingExecutor {
public:
  Comparer(program::OpExecutor &eager, const std::vector<TracedOp> &trace,
           program::OpExecutor &ours)
      : TracingExecutor(eager), trace(trace), ours(ours) {}
  std::optional<FirstDifference> first;

private:
  void see(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args,
           const llvm::SmallVector<HostValue, 1> &results) override {
    size_t number = next++;
    if (first)
      return;
    if (number >= trace.size() || trace[number].name != op.name)
      return (void)found(op, number,
                         number < trace.size() ? "the program executes aten." + trace[number].name +
                                                     " here, eager another operation"
                                               : "the program has ended, eager goes on");
    Comparison comparison = compare(trace[number].results, results);
    if (comparison.agrees())
      return;
    FirstDifference &difference = found(op, number, comparison.difference);
    if (!op.has(aten::OpFlag::Random)) // drawing again would give other numbers
      difference.alone = alone(op, args, results);
  }

  std::string alone(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args,
                    llvm::ArrayRef<HostValue> results) {
    auto again = ours.call(op, args, 0);
    return again ? compare(*again, results).difference : llvm::toString(again.takeError());
  }

  FirstDifference &found(const aten::OpInfo &op, size_t number, std::string difference) {
    FirstDifference &out = first.emplace();
    out.operation = "aten." + op.name.str();
    out.number = number;
    out.difference = std::move(difference);
    if (auto place = current->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
      out.loc = {place.getFilename().str(), place.getLine(), place.getColumn(), 0, 0};
    return out;
  }

  static Comparison compare(llvm::ArrayRef<HostValue> a, llvm::ArrayRef<HostValue> b) {
    Comparison out;
    if (a.size() != b.size())
      out.difference = "another number of results";
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      out.hostValues(a.size() == 1 ? "result" : "result " + std::to_string(i), a[i], b[i]);
    return out;
  }

  const std::vector<TracedOp> &trace;
  program::OpExecutor &ours;
  size_t next = 0;
};

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

/// Clocks that both sides read, so that they can be compared: each reading is a millisecond after
/// the one before, each call a second.
class Ticks {
public:
  void begin(int64_t call) { now = call * 1000000000; }
  int64_t read() { return now += 1000000; }

private:
  int64_t now = 0;
};

class Verifier {
public:
  Verifier(CompiledProgram &program, llvm::ArrayRef<NamedTensor> weights, program::OpExecutor &ours,
           program::OpExecutor &eager, const VerifyOptions &options)
      : program(program), weights(weights), ours(ours), eager(eager), options(options) {
    giveClock(ours, ourTicks);
    giveClock(eager, eagerTicks);
  }
  ~Verifier() { ours.clock = eager.clock = program::readClock; }

  llvm::Expected<VerifyReport> run(llvm::ArrayRef<ExampleCall> examples) {
    if (llvm::Error error = openBoth())
      return std::move(error);
    for (auto [i, example] : llvm::enumerate(examples)) {
      if (llvm::Error error = verifyCall("example " + std::to_string(i), example))
        return std::move(error);
      for (unsigned s = 0; s < options.samples; ++s) {
        uint64_t seed = options.seed + (uint64_t(i) << 32) + uint64_t(s) * 1000;
        std::string name = "random " + std::to_string(i) + "." + std::to_string(s);
        if (llvm::Error error = verifyCall(name, redrawCall(example, seed)))
          return std::move(error);
      }
    }
    if (options.breakGuards)
      if (llvm::Error error = verifyGuards(examples))
        return std::move(error);
    if (options.bisect)
      if (llvm::Error error = bisect())
        return std::move(error);
    return std::move(report);
  }

private:
  static void giveClock(program::OpExecutor &executor, Ticks &ticks) {
    executor.clock = [&ticks](program::Clock) { return ticks.read(); };
  }
  void beginCall(int64_t number) {
    for (Ticks *ticks : {&ourTicks, &eagerTicks, &nativeTicks})
      ticks->begin(number);
  }

  /// New contexts, in the state in which the program begins.
  llvm::Error openBoth() {
    beginCall(0);
    if (llvm::Error error = open(ours, a))
      return error;
    if (llvm::Error error = open(eager, b))
      return error;
    if (options.library.empty())
      return llvm::Error::success();
    native.reset();
    auto made = ArtefactRunner::create(
        options.library, program, options.libraryWeights,
        weightsAreRead ? ptc_check_never : ptc_check_always,
        [](void *ticks, int32_t) { return static_cast<Ticks *>(ticks)->read(); }, &nativeTicks);
    if (!made)
      return made.takeError();
    weightsAreRead = true;
    native = std::move(*made);
    return llvm::Error::success();
  }

  llvm::Expected<CallReport> callOurs(const ExampleCall &call) {
    return native ? native->call(call) : a->call(call);
  }

  llvm::Error open(program::OpExecutor &executor, std::unique_ptr<Runner> &runner) {
    executor.seed(0, capture::kDefaultSeed);
    auto made = Runner::create(program, weights, executor);
    if (!made)
      return made.takeError();
    runner = std::move(*made);
    runner->setMaxOps(options.maxOps);
    return llvm::Error::success();
  }

  /// Makes a call on both sides; the outcome goes to the report.
  llvm::Error verifyCall(std::string name, const ExampleCall &call) {
    VerifiedCall out;
    out.name = std::move(name);
    made.push_back(cloneCall(call));
    ExampleCall &first = made.back();
    if (!first.seed)
      first.seed = int64_t(options.seed + made.size());
    ExampleCall x = cloneCall(first), y = cloneCall(first);
    beginCall(int64_t(made.size()));
    auto variant = a->dispatch(x);
    if (!variant)
      return variant.takeError();
    out.variant = *variant;
    auto eagerReport = b->call(y);
    std::vector<Diagnostic> theirs;
    if (!eagerReport)
      theirs = takeDiagnostics(eagerReport.takeError());
    if (native && isTooLong(theirs)) { // native code counts no operations
      fail(out, VerifiedCall::Outcome::NotCompared, theirs[0].text);
      report.calls.push_back(std::move(out));
      return openBoth();
    }
    auto ourReport = callOurs(x);
    if (native && ourReport && native->variant() != out.variant) {
      fail(out, VerifiedCall::Outcome::Differs,
           "the library takes v" + std::to_string(native->variant()) + ", its guards say v" +
               std::to_string(out.variant));
    } else if (ourReport && theirs.empty()) {
      out.comparison.tolerances = tolerances(*variant);
      out.comparison.calls(*ourReport, *eagerReport);
      if (!out.comparison.agrees())
        fail(out, VerifiedCall::Outcome::Differs, out.comparison.difference);
    } else if (llvm::Error error = explainErrors(out, ourReport.takeError(), std::move(theirs))) {
      return error;
    }
    report.calls.push_back(std::move(out));
    return llvm::Error::success();
  }

  const Tolerances &tolerances(unsigned variant) {
    auto [row, isNew] = known.try_emplace(variant);
    if (isNew) {
      auto entry = *program.module->getOps<program::EntryOp>().begin();
      auto variants = entry.getBody().getOps<program::VariantOp>();
      cpu::CodeOptions code = codeOptionsOf(program);
      bool roundsProducts =
          native && !code.gpu.empty() && code.matmulPrecision != cpu::MatmulPrecision::Highest;
      row->second = Tolerances(*std::next(variants.begin(), variant), roundsProducts);
    }
    return row->second;
  }

  static void fail(VerifiedCall &call, VerifiedCall::Outcome outcome, std::string why) {
    call.outcome = outcome;
    call.why = std::move(why);
  }

  static bool isTooLong(llvm::ArrayRef<Diagnostic> diags) {
    return !diags.empty() && diags[0].id == DiagId::CallTooLong;
  }
  /// Native code knows no columns.
  static bool isSameLine(const SourceLoc &x, const SourceLoc &y) {
    return x.file == y.file && x.line == y.line;
  }

  /// At least one side has failed. A limit that both met is agreement; what only the reference
  /// cannot do, or what takes too long, is not compared.
  static llvm::Error explainErrors(VerifiedCall &out, llvm::Error ourError,
                                   std::vector<Diagnostic> theirs) {
    std::vector<Diagnostic> mine = takeDiagnostics(std::move(ourError));
    if (isTooLong(mine) || isTooLong(theirs)) {
      fail(out, VerifiedCall::Outcome::NotCompared, (isTooLong(mine) ? mine : theirs)[0].text);
    } else if (mine.empty()) {
      fail(out, VerifiedCall::Outcome::NotCompared, theirs[0].text);
    } else if (!theirs.empty() && mine[0].id == theirs[0].id &&
               isSameLine(mine[0].loc, theirs[0].loc) && mine[0].id == DiagId::IntOverflow) {
      out.why = "both stop: " + mine[0].text;
    } else {
      return makeError(std::move(mine[0]));
    }
    return llvm::Error::success();
  }

  llvm::Error verifyGuards(llvm::ArrayRef<ExampleCall> examples) {
    for (unsigned v = 0; v < program.guards.size(); ++v) {
      const ExampleCall *base = nullptr;
      for (const ExampleCall &example : examples) {
        auto variant = a->dispatch(example);
        if (variant && *variant == v && !base)
          base = &example;
        llvm::consumeError(variant.takeError());
      }
      for (size_t g = 0; g < program.guards[v].size(); ++g)
        if (llvm::Error error = verifyGuard(v, g, base))
          return error;
    }
    return llvm::Error::success();
  }

  llvm::Error verifyGuard(unsigned variant, size_t index, const ExampleCall *base) {
    using Outcome = VerifiedGuard::Outcome;
    const sym::Guard &guard = program.guards[variant].guards()[index];
    VerifiedGuard out;
    out.variant = variant;
    out.guard = sym::atomText(*program.observables, guard.atom);
    if (!guard.origins.empty())
      out.loc = guard.origins[0].loc;
    BrokenGuard broken;
    if (base)
      broken = breakGuard(program, variant, index, *base);
    out.change = broken.change;
    out.together = broken.others;
    if (broken.kind == BrokenGuard::Kind::Implied)
      out.outcome = Outcome::Implied;
    if (broken.kind == BrokenGuard::Kind::NotFound)
      out.why = base ? "no call that violates it was found" : "no example takes this variant";
    if (broken.kind == BrokenGuard::Kind::Call || broken.kind == BrokenGuard::Kind::Observation) {
      auto taken = a->dispatch(broken.seen);
      if (!taken) {
        out.why = takeDiagnostics(taken.takeError())[0].text;
        out.outcome = Outcome::Refused;
        if (native && broken.kind == BrokenGuard::Kind::Call)
          if (llvm::Error error = refuseNatively(out, broken.call))
            return error;
      } else {
        out.other = *taken;
        out.outcome = *taken == variant ? Outcome::Accepted : Outcome::OtherVariant;
      }
    }
    if (out.outcome == Outcome::OtherVariant && broken.kind == BrokenGuard::Kind::Call) {
      if (llvm::Error error = verifyCall("broken " + out.guard, broken.call))
        return error;
      if (report.calls.back().outcome == VerifiedCall::Outcome::Differs) {
        out.outcome = Outcome::Differs;
        out.why = report.calls.back().why;
      }
    }
    report.guards.push_back(std::move(out));
    return llvm::Error::success();
  }

  /// Makes a call that no variant fits; where the library takes it, state goes its own ways.
  llvm::Error refuseNatively(VerifiedGuard &guard, const ExampleCall &call) {
    ExampleCall mine = cloneCall(call);
    auto taken = native->call(mine);
    std::vector<Diagnostic> why;
    if (!taken)
      why = takeDiagnostics(taken.takeError());
    if (!why.empty() &&
        (why[0].id == DiagId::NoVariantFits || why[0].id == DiagId::ArgumentMissing))
      return llvm::Error::success();
    guard.outcome = VerifiedGuard::Outcome::Accepted;
    guard.other = native->variant();
    guard.why = "the library took it as v" + std::to_string(guard.other);
    return openBoth();
  }

  /// Makes all calls again up to the first that differs, that one under observation.
  llvm::Error bisect() {
    auto differs = llvm::find_if(report.calls, [](const VerifiedCall &call) {
      return call.outcome == VerifiedCall::Outcome::Differs;
    });
    if (differs == report.calls.end())
      return llvm::Error::success();
    size_t last = size_t(differs - report.calls.begin());
    Recorder recorder(ours);
    if (llvm::Error error = replay(recorder, last))
      return error;
    Comparer comparer(eager, recorder.trace, ours);
    if (llvm::Error error = replay(comparer, last))
      return error;
    report.first = std::move(comparer.first);
    if (report.first)
      report.first->call = differs->name;
    return llvm::Error::success();
  }

  llvm::Error replay(TracingExecutor &executor, size_t last) {
    std::unique_ptr<Runner> runner;
    giveClock(executor, ourTicks);
    beginCall(0);
    if (llvm::Error error = open(executor, runner))
      return error;
    for (size_t i = 0; i <= last; ++i) {
      executor.isOn = i == last;
      ExampleCall call = cloneCall(made[i]);
      beginCall(int64_t(i) + 1);
      // What stops a call early was reported when it was made first.
      llvm::consumeError(runner->call(call).takeError());
    }
    return llvm::Error::success();
  }

  CompiledProgram &program;
  llvm::ArrayRef<NamedTensor> weights;
  program::OpExecutor &ours, &eager;
  const VerifyOptions &options;
  Ticks ourTicks, eagerTicks, nativeTicks; ///< outlive what reads them
  std::unique_ptr<Runner> a, b;
  bool weightsAreRead = false;            ///< the library's, and compared with what was compiled
  std::unique_ptr<ArtefactRunner> native; ///< instead of `a`, which still says which variant fits
  std::map<unsigned, Tolerances> known;   ///< by variant
  std::vector<ExampleCall> made; ///< as they were before they were made; one per report.calls
  VerifyReport report;
};
} // namespace

llvm::Expected<VerifyReport>
ptc::verifyProgram(CompiledProgram &program, llvm::ArrayRef<NamedTensor> weights,
                   llvm::ArrayRef<ExampleCall> examples, program::OpExecutor &ours,
                   program::OpExecutor &eager, const VerifyOptions &options) {
  return Verifier(program, weights, ours, eager, options).run(examples);
}
