// Every overload that converts as native code: the calls of the numerics test on every real type,
// with sizes known, with sizes that are symbols and with numbers that are known at run time. Then
// the same calls in other memory orders and with sizes of 0 and 1, as the numerics test makes them.
// Of both another part each day, half of the modes of a call, or PTC_SEED=N; PTC_ALL=1: all of the
// former and a larger part of the latter, PTC_OP=name: the same of one overload.
#include "Native.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

using namespace ptc;
using namespace ptc::conversion;
using namespace overloads;

/// Calls that are compiled as one program.
static constexpr size_t kBatch = 96;

namespace {

/// Which calls are made: one of so many.
struct Stride {
  unsigned floats, others;
};

} // namespace

/// PTC_OP: the overload, or all of a name, that is wanted; null: every one.
static const char *chosenOp() { return std::getenv("PTC_OP"); }

static bool isAll() { return std::getenv("PTC_ALL") || chosenOp(); }

static Stride chooseStride() { return isAll() ? Stride{1, 1} : Stride{37, 211}; }

/// A call has two of its four modes on its day, and the others when that comes again.
static llvm::ArrayRef<Mode> modesOf(unsigned turn) {
  static constexpr Mode kModes[] = {Mode::Constant, Mode::Numbers, Mode::Symbolic, Mode::Apart};
  return isAll() ? llvm::ArrayRef(kModes) : llvm::ArrayRef(kModes).slice(turn % 2 * 2, 2);
}

/// Calls `see` with every overload that is wanted, a call of it, and a real element type.
static void
forEachCase(llvm::function_ref<void(const aten::OpInfo &, const numerics::Case &, DType)> see,
            llvm::function_ref<std::vector<numerics::Case>(const numerics::Case &)> variants) {
  const char *only = chosenOp();
  for (const aten::OpInfo &op : aten::getAllOpInfos()) {
    if (op.has(aten::OpFlag::Random) || (only && op.baseName() != only && op.name != only))
      continue;
    for (const numerics::Case &c : numerics::casesFor(op))
      for (const numerics::Case &variant : variants(c))
        for (const DTypeInfo &type : getAllDTypeInfos())
          if (!isComplex(type.dtype))
            see(op, variant, type.dtype);
  }
}

namespace {

/// Compiles and runs trials, so many in one program.
class Batches {
public:
  void add(Trial trial) {
    if (!batch)
      batch = std::make_unique<Batch>(context, report);
    batch->add(std::move(trial));
  }
  /// Between the calls of one trial's kind: whether the program is large enough.
  void runIfFull() {
    if (batch && batch->size() >= kBatch)
      run();
  }
  /// Runs what is left, and says what came of all.
  const Report &finish() {
    run();
    report.print();
    CHECK(report.failures.empty());
    return report;
  }

  Cpus cpus;

private:
  void run() {
    if (batch)
      batch->run(cpus.next());
    batch.reset();
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Report report;
  std::unique_ptr<Batch> batch;
};

} // namespace

TEST_CASE("overloads as native code compute what the evaluator computes", "[table]") {
  const Stride stride = chooseStride();
  Batches batches;
  const unsigned today = numerics::seedOfDay();
  unsigned number = 0;
  auto see = [&](const aten::OpInfo &op, const numerics::Case &c, DType type) {
    std::mt19937 random(++number);
    const unsigned of = type == DType::Float32 ? stride.floats : stride.others;
    if ((number + today) % of)
      return;
    if (std::optional<numerics::Call> call = numerics::makeCall(op, c, type, random))
      for (Mode mode : modesOf((number + today) / of))
        batches.add(Trial(op, *call, mode, type));
    batches.runIfFull();
  };
  forEachCase(see, [](const numerics::Case &c) { return std::vector{c}; });
  const Report &report = batches.finish();
  if (chosenOp())
    return;
  CHECK(report.overloads.size() >= 200);
  for (const cpu::CodeOptions &one : batches.cpus.all())
    CHECK(report.runs.at(one.cpu) >= (isAll() ? 400 : 200));
}

TEST_CASE("overloads in other orders and sizes compute what the evaluator computes", "[variants]") {
  const unsigned stride = chosenOp() ? 17 : std::getenv("PTC_ALL") ? 199 : 4999;
  unsigned number = numerics::seedOfDay();
  std::cerr << "seed " << number << " (PTC_SEED)\n";
  Batches batches;
  auto see = [&](const aten::OpInfo &op, const numerics::Case &c, DType type) {
    if (number++ % stride)
      return;
    std::mt19937 random(number);
    if (std::optional<numerics::Call> call = numerics::makeCall(op, c, type, random))
      batches.add(Trial(op, *call, Mode::Constant, type));
    batches.runIfFull();
  };
  forEachCase(see, numerics::variantsOf);
  const Report &report = batches.finish();
  CHECK((chosenOp() || report.overloads.size() >= 50));
}
