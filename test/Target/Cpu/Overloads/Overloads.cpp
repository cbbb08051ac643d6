// Every overload that converts as native code: the calls of the numerics test on every real type,
// with sizes known, with sizes that are symbols and with numbers that are known at run time. A
// fixed part of the calls; PTC_ALL=1: all of them, PTC_OP=name: all of one overload. Then the same
// calls in other memory orders and with sizes of 0 and 1, as the numerics test makes them: another
// part of them each day, or PTC_SEED=N; PTC_ALL=1: a larger one, PTC_OP=name: some of one overload.
#include "Native.h"

#include <catch2/catch.hpp>

#include <chrono>
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

static Stride chooseStride() {
  if (std::getenv("PTC_ALL") || std::getenv("PTC_OP"))
    return {1, 1};
  return {23, 137};
}

TEST_CASE("overloads as native code compute what the evaluator computes", "[table]") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  const char *only = std::getenv("PTC_OP");
  Stride stride = chooseStride();
  std::vector<cpu::CodeOptions> options = cpus();
  REQUIRE_FALSE(options.empty());
  Report report;
  std::unique_ptr<Batch> batch;
  auto flush = [&] {
    if (batch)
      batch->run(options);
    batch = std::make_unique<Batch>(context, report);
  };
  flush();
  unsigned number = 0;
  for (const aten::OpInfo &op : aten::getAllOpInfos()) {
    if (op.has(aten::OpFlag::Random) || (only && op.baseName() != only && op.name != only))
      continue;
    for (const numerics::Case &c : numerics::casesFor(op))
      for (const DTypeInfo &type : getAllDTypeInfos()) {
        if (isComplex(type.dtype))
          continue;
        unsigned one = type.dtype == DType::Float32 ? stride.floats : stride.others;
        std::mt19937 random(++number);
        if (number % one)
          continue;
        std::optional<numerics::Call> call = numerics::makeCall(op, c, type.dtype, random);
        if (!call)
          continue;
        for (Mode mode : {Mode::Constant, Mode::Symbolic, Mode::Apart, Mode::Numbers})
          batch->add(Trial(op, *call, mode, type.dtype));
        if (batch->size() >= kBatch)
          flush();
      }
  }
  flush();
  report.print();
  CHECK(report.failures.empty());
  if (only)
    return;
  CHECK(report.overloads.size() >= 200);
  for (const cpu::CodeOptions &one : options)
    CHECK(report.runs[one.cpu] >= 1500);
}

/// PTC_SEED, or the day.
static unsigned chooseSeed() {
  using Days = std::chrono::duration<unsigned, std::ratio<86400>>;
  const char *given = std::getenv("PTC_SEED");
  return given ? unsigned(std::strtoul(given, nullptr, 10))
               : std::chrono::floor<Days>(std::chrono::system_clock::now().time_since_epoch())
                     .count();
}

TEST_CASE("overloads in other orders and sizes compute what the evaluator computes", "[variants]") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  const char *only = std::getenv("PTC_OP");
  const unsigned stride = only ? 17 : std::getenv("PTC_ALL") ? 199 : 4999, seed = chooseSeed();
  std::cerr << "seed " << seed << " (PTC_SEED)\n";
  std::vector<cpu::CodeOptions> options = cpus();
  REQUIRE_FALSE(options.empty());
  Report report;
  std::unique_ptr<Batch> batch;
  auto flush = [&] {
    if (batch)
      batch->run(options);
    batch = std::make_unique<Batch>(context, report);
  };
  flush();
  unsigned number = seed;
  for (const aten::OpInfo &op : aten::getAllOpInfos()) {
    if (op.has(aten::OpFlag::Random) || (only && op.baseName() != only && op.name != only))
      continue;
    for (const numerics::Case &c : numerics::casesFor(op))
      for (const numerics::Case &variant : numerics::variantsOf(c))
        for (const DTypeInfo &type : getAllDTypeInfos()) {
          if (isComplex(type.dtype) || number++ % stride)
            continue;
          std::mt19937 random(number);
          if (std::optional<numerics::Call> call =
                  numerics::makeCall(op, variant, type.dtype, random))
            batch->add(Trial(op, *call, Mode::Constant, type.dtype));
          if (batch->size() >= kBatch)
            flush();
        }
  }
  flush();
  report.print();
  CHECK(report.failures.empty());
  CHECK((only || report.overloads.size() >= 50));
}
