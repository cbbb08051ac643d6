//===- Verify.cpp - What ptc verify must find --------------------------------------------===//
//
// The null target stands on both sides, one of them with a fault: a verification that does not see
// a wrong operation is worth nothing.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/Verify.h"
#include "ptc/Driver/BreakGuards.h"
#include "ptc/Support/AtomicFile.h"
#include "ptc/Target/Target.h"

#include "llvm/Support/FileSystem.h"

#include <catch2/catch.hpp>

using namespace ptc;

namespace {
/// The null target, but results of one overload are off by `error`.
class FaultyExecutor final : public program::OpExecutor {
public:
  FaultyExecutor(std::string op, double error)
      : inner(findTarget("null")->target.makeExecutor()), wrongOp(std::move(op)), error(error) {}

  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t generator) override {
    auto results = inner->call(op, args, generator);
    if (!results || op.name != wrongOp)
      return results;
    HostTensor wrong = (*results)[0].tensor().clone();
    wrong.data<float>()[wrong.numel() - 1] += float(error);
    (*results)[0] = HostValue(wrong);
    return results;
  }
  void seed(int64_t generator, int64_t seed) override { inner->seed(generator, seed); }

private:
  std::unique_ptr<program::OpExecutor> inner;
  std::string wrongOp;
  double error;
};

ExampleCall callOf(const std::vector<float> &x, int64_t k) {
  ExampleCall call;
  call.args = {ExampleValue::ofTensor(HostTensor::ofValues<float>(x)), ExampleValue::ofInt(k)};
  return call;
}

struct Fixture {
  Fixture() {
    PipelineOptions options;
    options.input = "test/Driver/Inputs/branch.mlir";
    auto compiled = compile(options);
    REQUIRE(bool(compiled));
    program.emplace(std::move(*compiled));
  }

  VerifyReport verify(program::OpExecutor &ours, const VerifyOptions &options) {
    auto eager = findTarget("null")->target.makeExecutor();
    auto report = verifyProgram(*program, {}, {callOf({1, -2, 3}, 0), callOf({-1, 2, 3}, 0)}, ours,
                                *eager, options);
    REQUIRE(bool(report));
    return std::move(*report);
  }

  std::optional<CompiledProgram> program;
};

bool anyDiffers(const VerifyReport &report) {
  return llvm::any_of(report.calls, [](const VerifiedCall &call) {
    return call.outcome == VerifiedCall::Outcome::Differs;
  });
}
} // namespace

TEST_CASE("verify agrees with itself, exceptions and state included") {
  Fixture fixture;
  auto ours = findTarget("null")->target.makeExecutor();
  VerifyReport report = fixture.verify(*ours, {});
  CHECK(report.calls.size() == 8);
  for (const VerifiedCall &call : report.calls)
    CHECK(call.outcome == VerifiedCall::Outcome::Agrees);
}

TEST_CASE("verify finds a wrong operation and bisect names it") {
  Fixture fixture;
  FaultyExecutor ours("add.Tensor", 0.5);
  VerifyOptions options;
  options.bisect = true;
  VerifyReport report = fixture.verify(ours, options);
  REQUIRE(anyDiffers(report));
  CHECK(report.calls[0].outcome == VerifiedCall::Outcome::Differs);
  CHECK(report.calls[0].why.find("element [2]") != std::string::npos);
  // The second example raises before it comes to the addition.
  CHECK(report.calls[4].outcome == VerifiedCall::Outcome::Agrees);
  REQUIRE(report.first);
  CHECK(report.first->call == "example 0");
  CHECK(report.first->operation == "aten.add.Tensor");
  CHECK_FALSE(report.first->alone.empty());
}

TEST_CASE("verify allows errors within tolerance and no more") {
  Fixture fixture;
  FaultyExecutor small("add.Tensor", 1e-6), large("add.Tensor", 1e-2);
  CHECK_FALSE(anyDiffers(fixture.verify(small, {})));
  CHECK(anyDiffers(fixture.verify(large, {})));
}

namespace {
/// The tolerances of a program whose body and results are given.
Tolerances tolerancesOf(llvm::StringRef body, llvm::StringRef results,
                        bool roundsProducts = false) {
  std::string text = (R"(module attributes {ptc.parameters = ["x", "y", "n"]} {
  program.entry @f {
    program.state @s0 "total" : tensor<3xf64>
    program.init {
      %zero = program.literal dense<0.0> : tensor<3xf64> : tensor<3xf64>
      program.set_state @s0, %zero : tensor<3xf64>
    }
    program.variant @v0(%x "x" leaf 0 : tensor<3xf64>, %y "y" leaf 1 : tensor<3xf32>, %n "n" leaf 2 : i64) {
)" + body + "\n      program.finish {\n        program.end <leaf 0>(" +
                      results + ")\n      }\n    }\n  }\n}\n")
                         .str();
  llvm::SmallString<128> path;
  REQUIRE(!llvm::sys::fs::createTemporaryFile("ptc-tolerances", "mlir", path));
  REQUIRE(!writeFileAtomically(path, text));
  PipelineOptions options;
  options.input = path.str().str();
  options.to = Phase::Capture;
  auto program = compile(options);
  INFO(text << llvm::toString(program ? llvm::Error::success() : program.takeError()));
  REQUIRE(!llvm::sys::fs::remove(path));
  REQUIRE(bool(program));
  auto entry = *program->module->getOps<program::EntryOp>().begin();
  return Tolerances(*entry.getBody().getOps<program::VariantOp>().begin(), roundsProducts);
}
} // namespace

TEST_CASE("results are as exact as the types in which they were computed") {
  constexpr llvm::StringLiteral kExp = "%e = aten.exp(%y) : (tensor<3xf32>) -> tensor<3xf32>\n";
  constexpr llvm::StringLiteral kWide =
      "%w = aten.to.dtype(%e, dtype = f64) : (tensor<3xf32>) -> tensor<3xf64>\n";
  constexpr llvm::StringLiteral kAdd =
      "%r = aten.add.Tensor(%x, %w) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>\n";
  const Tolerance half = toleranceOf(DType::Float16), single = toleranceOf(DType::Float32),
                  wide = toleranceOf(DType::Float64);
  auto doubles = [](const std::string &body, llvm::StringRef results = "%r : tensor<3xf64>") {
    return tolerancesOf(body, results).of(DType::Float64).relative;
  };
  CHECK(doubles((kExp + kWide + kAdd).str()) == single.relative);
  // An argument is the same on both sides.
  CHECK(doubles("%w = aten.to.dtype(%y, dtype = f64) : (tensor<3xf32>) -> tensor<3xf64>\n" +
                kAdd.str()) == wide.relative);
  // So is what only decides.
  CHECK(doubles(kExp.str() +
                "%m = aten.gt.Scalar(%e, other = 1) : (tensor<3xf32>) -> tensor<3xi1>\n"
                "%z = aten.exp(%x) : (tensor<3xf64>) -> tensor<3xf64>\n"
                "%r = aten.where.self(%m, %x, %z) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) "
                "-> tensor<3xf64>\n") == wide.relative);
  // Values go through loops, numbers and state.
  CHECK(doubles((kExp + kWide +
                 "%c0 = arith.constant 0 : index\n%c3 = arith.constant 3 : index\n"
                 "%c1 = arith.constant 1 : index\n"
                 "%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<3xf64>) {\n"
                 "%s = aten.add.Tensor(%a, %w) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>\n"
                 "scf.yield %s : tensor<3xf64>\n}\n")
                    .str()) == single.relative);
  CHECK(doubles((kExp + kWide +
                 "program.set_state @s0, %w : tensor<3xf64>\n"
                 "%r = program.get_state @s0 : tensor<3xf64>\n")
                    .str()) == single.relative);
  Tolerances mixed = tolerancesOf(
      (kExp + "%h = aten.to.dtype(%e, dtype = f16) : (tensor<3xf32>) -> tensor<3xf16>\n"
              "%b = aten.to.dtype(%h, dtype = f32) : (tensor<3xf16>) -> tensor<3xf32>\n")
          .str(),
      "%b, %h, %x : tensor<3xf32>, tensor<3xf16>, tensor<3xf64>");
  CHECK(mixed.of(DType::Float32).relative == half.relative);
  CHECK(mixed.of(DType::Float16).relative == half.relative);
  CHECK(mixed.of(DType::Float64).relative == wide.relative);
  CHECK(mixed.of(DType::Int64).relative == 0);
}

TEST_CASE("rounded products are as exact as f16, and nothing else is") {
  const Tolerance half = toleranceOf(DType::Float16), single = toleranceOf(DType::Float32);
  const std::string dot = "%d = aten.dot(%y, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>\n",
                    exp = "%d = aten.exp(%y) : (tensor<3xf32>) -> tensor<3xf32>\n";
  auto relative = [](const std::string &body, llvm::StringRef type, bool roundsProducts) {
    std::string add =
        ("%r = aten.add.Tensor(%y, %d) : (tensor<3xf32>, " + type + ") -> tensor<3xf32>\n").str();
    return tolerancesOf(body + add, "%r : tensor<3xf32>", roundsProducts)
        .of(DType::Float32)
        .relative;
  };
  CHECK(relative(dot, "tensor<f32>", true) == half.relative);
  CHECK(relative(dot, "tensor<f32>", false) == single.relative);
  CHECK(relative(exp, "tensor<3xf32>", true) == single.relative);
  // Products of doubles are exact.
  Tolerances wide =
      tolerancesOf("%d = aten.dot(%x, %x) : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>\n",
                   "%d : tensor<f64>", true);
  CHECK(wide.of(DType::Float64).relative == toleranceOf(DType::Float64).relative);
}

TEST_CASE("verify sees a path that only the reference takes") {
  Fixture fixture;
  FaultyExecutor ours("select.int", -10); // makes the branch take the other side
  VerifyReport report = fixture.verify(ours, {});
  REQUIRE(anyDiffers(report));
  CHECK(report.calls[0].why == "result: raises ValueError at line 7, eager returns");
}

TEST_CASE("each guard is violated alone and refused") {
  Fixture fixture;
  auto ours = findTarget("null")->target.makeExecutor();
  VerifyReport report = fixture.verify(*ours, {});
  REQUIRE(report.guards.size() == 2);
  CHECK(report.guards[0].guard == "x.ndim == 1");
  CHECK(report.guards[0].outcome == VerifiedGuard::Outcome::Refused);
  CHECK(report.guards[1].guard == "x.shape[0] == 3");
  CHECK(report.guards[1].change == "x.shape[0]: 3 -> 4");
  CHECK(report.guards[1].outcome == VerifiedGuard::Outcome::Refused);
  CHECK(report.guards[1].together == 0);
}

TEST_CASE("a clone keeps which arguments share memory") {
  ExampleCall call = callOf({1, 2, 3, 4}, 0);
  call.args.push_back(ExampleValue::ofTensor(call.args[0].tensor.view({2}, {1}, 1)));
  ExampleCall copy = cloneCall(call);
  CHECK(copy.args[0].tensor.sharesStorageWith(copy.args[2].tensor));
  CHECK_FALSE(copy.args[0].tensor.sharesStorageWith(call.args[0].tensor));
  CHECK(copy.args[2].tensor.storageOffset() == 1);
  ExampleCall drawn = redrawCall(call, 5), again = redrawCall(call, 5);
  CHECK(drawn.args[0].tensor.data<float>()[3] != 4);
  CHECK(drawn.args[0].tensor.data<float>()[3] == again.args[0].tensor.data<float>()[3]);
}

TEST_CASE("texts are compared number by number") {
  Comparison same, number, text;
  same.texts("out", "err 1.0000001e-3, n=3\n", "err 0.001, n=3\n");
  CHECK(same.agrees());
  number.texts("out", "n=3", "n=4");
  CHECK_FALSE(number.agrees());
  text.texts("out", "n=3", "m=3");
  CHECK_FALSE(text.agrees());
}
