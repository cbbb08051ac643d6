// Every overload that converts, as kernels on plain loops, against the evaluator of aten: the calls
// of the numerics test on every real type, with sizes known, with sizes that are symbols and with
// numbers that are known at run time. A third of the calls, another one each day, or PTC_SEED=N;
// PTC_ALL=1: all of them, PTC_OP=name: all of one overload.
#include "Trial.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>
#include <map>

using namespace ptc;
using namespace ptc::conversion;

namespace {

/// What became of one overload.
struct Outcome {
  size_t calls = 0, converted = 0;
  std::set<std::string> families;
  std::vector<std::string> failures, survivors;
};

} // namespace

static std::vector<Trial> trialsOf(const aten::OpInfo &op, mlir::ModuleOp module) {
  std::vector<Trial> trials;
  const bool isAll = std::getenv("PTC_ALL") || std::getenv("PTC_OP");
  const unsigned parts = isAll ? 1 : 3;
  std::mt19937 random(20240229); // NOLINT(bugprone-random-generator-seed): the same calls each day
  unsigned number = 0, place = numerics::seedOfDay();
  for (const DTypeInfo &type : getAllDTypeInfos()) {
    if (isComplex(type.dtype))
      continue;
    for (const numerics::Case &c : numerics::casesFor(op)) {
      std::optional<numerics::Call> call = numerics::makeCall(op, c, type.dtype, random);
      if (!call || place++ % parts)
        continue;
      for (Mode mode : {Mode::Constant, Mode::Symbolic, Mode::Apart, Mode::Numbers}) {
        Trial trial(op, *call, mode, type.dtype);
        if (trial.build(module, number++))
          trials.push_back(std::move(trial));
      }
    }
  }
  return trials;
}

static Outcome tryOverload(mlir::MLIRContext &context, const aten::OpInfo &op) {
  Outcome outcome;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  std::vector<Trial> trials = trialsOf(op, *module);
  mlir::PassManager passes(&context);
  passes.addPass(createAtenToKernels());
  INFO(op.name.str());
  REQUIRE(mlir::succeeded(mlir::verify(*module)));
  bool isLegal = mlir::succeeded(passes.run(*module));
  CHECK(isLegal);
  if (!isLegal)
    return outcome;
  for (Trial &trial : trials) {
    ++outcome.calls;
    if (!trial.isConverted()) {
      outcome.survivors.push_back(trial.describe());
      continue;
    }
    ++outcome.converted;
    trial.collectFamilies(outcome.families);
    std::string what = trial.compare();
    if (!what.empty())
      outcome.failures.push_back(trial.describe() + ": " + what);
  }
  return outcome;
}

static void report(const aten::OpInfo &op, const Outcome &outcome, bool isVerbose) {
  if (!outcome.failures.empty())
    std::cerr << op.name.str() << ": " << outcome.failures.size() << " differ\n";
  for (size_t i = 0; i < outcome.failures.size() && i < 8; ++i)
    std::cerr << "  " << outcome.failures[i] << '\n';
  if (!isVerbose)
    return;
  std::cerr << op.name.str() << ": " << outcome.converted << " of " << outcome.calls
            << " calls convert\n";
  for (size_t i = 0; i < outcome.survivors.size() && i < 6; ++i)
    std::cerr << "  stays: " << outcome.survivors[i] << '\n';
}

TEST_CASE("overloads as kernels compute what the evaluator computes") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<aten::AtenDialect, plan::PlanDialect, mlir::func::FuncDialect>();
  const char *only = std::getenv("PTC_OP");
  std::map<std::string, std::set<std::string>> takenBy;
  std::set<std::string> taken;
  size_t calls = 0, overloads = 0;
  for (const aten::OpInfo &op : aten::getAllOpInfos()) {
    if (op.has(aten::OpFlag::Random) || (only && op.baseName() != only && op.name != only))
      continue;
    Outcome outcome = tryOverload(context, op);
    report(op, outcome, only != nullptr);
    INFO(op.name.str());
    CHECK(outcome.failures.empty());
    ++overloads;
    calls += outcome.converted;
    for (const std::string &family : outcome.families)
      takenBy[family].insert(op.name.str());
    if (outcome.converted)
      taken.insert(op.name.str());
  }
  for (const auto &[family, names] : takenBy)
    std::cerr << family << ": " << names.size() << " overloads\n";
  std::cerr << taken.size() << " of " << overloads << " overloads convert, " << calls
            << " calls compared\n";
  if (!only)
    CHECK(taken.size() >= 290); // what no family takes stays an aten operation
}
