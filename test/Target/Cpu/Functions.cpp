// Functions of vectors of f32 against libm in double precision: how many units in the last place
// they are off at most, over values of every exponent, both signs, and the special ones.
// PTC_EVERY=1 tries each of the 2^32 values, by default each 4099th.
#include "Loaded.h"

#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Plan/Transforms/Passes.h"
#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace ptc;

namespace {

constexpr int64_t kBlock = 1 << 14;
/// What codegen promises.
constexpr double kMostUlps = 2;

struct Function {
  const char *name; ///< of the overload
  double (*exact)(double);
};

std::unique_ptr<loaded::Program> compile(mlir::MLIRContext &context, const char *name,
                                         const std::string &cpu, bool isBinary = false) {
  std::string type = "tensor<" + std::to_string(kBlock) + "xf32>";
  std::string second = isBinary ? ", %y \"y\" leaf 1 : " + type : "";
  std::string both = isBinary ? "(%x, %y) : (" + type + ", " + type : "(%x) : (" + type;
  std::string text = "program.entry @f { program.variant @v0(%x \"x\" leaf 0 : " + type + second +
                     ") {\n%0 = aten." + name + both + ") -> " + type + "\n" +
                     "program.finish { %1 = program.place %0 : " + type +
                     "\nprogram.end <leaf 0>(%1 : " + type + ") } } }";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  REQUIRE(module);
  mlir::PassManager passes(&context);
  passes.addPass(createAtenToKernels());
  passes.addPass(plan::createPlanPlace());
  REQUIRE(mlir::succeeded(passes.run(*module)));
  cpu::CodeOptions options{.cpu = cpu};
  auto code = cpu::lowerProgram(*module, options);
  INFO(name << " for " << cpu << (code ? "" : ": " + llvm::toString(code.takeError())));
  REQUIRE(bool(code));
  auto object = cpu::emitCode(*code->module, cpu::CodeForm::Object, options);
  REQUIRE(bool(object));
  auto program = loaded::Program::load(*object, std::move(*code));
  REQUIRE(bool(program));
  return std::move(*program);
}

/// How far `got` is from `exact`, in units of the last place of the nearest float.
double ulpsOff(float got, double exact) {
  auto nearest = float(exact);
  if (exact == 0 && (got != 0 || std::signbit(got) != std::signbit(exact)))
    return HUGE_VAL; // zeros have the sign of their argument
  if (std::isnan(exact) || std::isinf(nearest))
    return std::isnan(exact)
               ? (std::isnan(got) ? 0 : HUGE_VAL)
               : (got == nearest ? 0 : 1 + std::fabs(double(got) / FLT_MAX - 1) / FLT_EPSILON);
  if (std::isnan(got) || std::isinf(got))
    return std::fabs(exact) > FLT_MAX * (1 - FLT_EPSILON) ? 1 : HUGE_VAL;
  float unit = std::nextafter(std::fabs(nearest), HUGE_VALF) - std::fabs(nearest);
  return std::fabs(double(got) - exact) / double(unit);
}

/// Runs `visit` over blocks of all values of which each `every`th is tried.
template <typename Visit> void forEachBlock(uint64_t every, Visit visit) {
  HostTensor block = HostTensor::zeros(DType::Float32, {kBlock});
  auto *elements = reinterpret_cast<float *>(block.bytes());
  int64_t filled = 0;
  for (uint64_t bits = 0; bits >> 32 == 0; bits += every) {
    elements[filled++] = std::bit_cast<float>(uint32_t(bits));
    if (filled == kBlock || (bits + every) >> 32) {
      visit(block, filled);
      filled = 0;
    }
  }
}

} // namespace

TEST_CASE("Functions of vectors are at most two units in the last place off") {
  static constexpr Function kFunctions[] = {
      {"exp", std::exp},     {"log", std::log},     {"tanh", std::tanh},   {"erf", std::erf},
      {"expm1", std::expm1}, {"log1p", std::log1p}, {"sin", std::sin},     {"cos", std::cos},
      {"tan", std::tan},     {"sinh", std::sinh},   {"cosh", std::cosh},   {"asin", std::asin},
      {"acos", std::acos},   {"atan", std::atan},   {"asinh", std::asinh}, {"acosh", std::acosh},
      {"atanh", std::atanh}, {"exp2", std::exp2},   {"log2", std::log2},   {"log10", std::log10},
      {"erfc", std::erfc},   {"sqrt", std::sqrt}};
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::arith::ArithDialect, aten::AtenDialect, plan::PlanDialect,
                      program::ProgramDialect>();
  const char *given = std::getenv("PTC_EVERY");
  uint64_t every = given ? std::strtoull(given, nullptr, 10) : 4099;
  for (const char *cpu : {"x86-64-v3", "native"})
    for (const Function &function : kFunctions) {
      auto program = compile(context, function.name, cpu);
      double worst = 0;
      float worstAt = 0;
      forEachBlock(every, [&](const HostTensor &block, int64_t count) {
        loaded::Outcome outcome = program->call(0, HostValue(block));
        REQUIRE(outcome.status == ptc_status_ok);
        auto *in = reinterpret_cast<const float *>(block.contiguousBytes().data());
        auto *out =
            reinterpret_cast<const float *>(outcome.leaves[0].tensor().contiguousBytes().data());
        for (int64_t i = 0; i < count; ++i)
          if (double off = ulpsOff(out[i], function.exact(double(in[i]))); !(off <= worst)) {
            worst = off;
            worstAt = in[i];
          }
      });
      INFO(function.name << " for " << cpu << ": " << worst << " units at " << worstAt);
      CHECK(worst <= kMostUlps);
      if (given)
        WARN(function.name << " for " << cpu << ": " << worst << " units at " << worstAt);
    }
}

namespace {

/// Pairs of arguments for powers, in blocks: what C says something special of with each other and
/// with numbers next to it, any bits, and those whose power is neither infinite nor zero.
class Pairs {
public:
  static constexpr int kBlocks = 96;

  void fill(int block, float *x, float *y) {
    for (int64_t i = 0; i < kBlock; ++i) {
      auto anyBits = [&] { return std::bit_cast<float>(uint32_t(random())); };
      if (block < 3) {
        size_t at = size_t(block * kBlock + i), count = specials.size();
        x[i] = specials[at % count];
        y[i] = specials[at / count % count];
      } else if (block % 4 == 0) {
        x[i] = anyBits();
        y[i] = block % 8 ? anyBits() : std::nearbyint(std::fmod(anyBits(), 20.0F));
      } else {
        // Any magnitude, or one near 1.
        x[i] = block % 4 == 1 ? std::fabs(anyBits())
                              : 1 + std::ldexp(float(int32_t(random())), -32 - block % 24);
        double power = -155 + 290 * double(random()) / double(random.max());
        y[i] = float(power / std::log2(double(x[i])));
      }
    }
  }

private:
  static std::vector<float> makeSpecials() {
    std::vector<float> made;
    for (float v : {0.0F, 0.5F, 1.0F, 2.0F, 3.0F, 4.0F, 5.5F, 127.0F, 128.0F, 149.0F, 1e-3F, 1e10F,
                    0x1p23F, 0x1p24F, 0x1p31F, 0x1p-126F, 0x1p-149F, FLT_MAX, HUGE_VALF})
      for (float near : {v, std::nextafter(v, 0.0F), std::nextafter(v, HUGE_VALF)})
        for (float sign : {1.0F, -1.0F})
          made.push_back(sign * near);
    made.push_back(std::nanf(""));
    return made;
  }

  std::vector<float> specials = makeSpecials();
  std::mt19937 random{77}; // NOLINT(bugprone-random-generator-seed): the same in every run
};

} // namespace

TEST_CASE("Powers are at most two units in the last place off, and what C says where it does") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::arith::ArithDialect, aten::AtenDialect, plan::PlanDialect,
                      program::ProgramDialect>();
  HostTensor x = HostTensor::zeros(DType::Float32, {kBlock}), y = x.clone();
  for (const char *cpu : {"x86-64-v3", "native"}) {
    auto program = compile(context, "pow.Tensor_Tensor", cpu, /*isBinary=*/true);
    Pairs pairs;
    double worst = 0;
    std::pair<float, float> worstAt;
    for (int block = 0; block < Pairs::kBlocks; ++block) {
      auto *first = reinterpret_cast<float *>(x.bytes()),
           *second = reinterpret_cast<float *>(y.bytes());
      pairs.fill(block, first, second);
      loaded::Outcome outcome = program->call(0, {HostValue(x), HostValue(y)});
      REQUIRE(outcome.status == ptc_status_ok);
      auto *out =
          reinterpret_cast<const float *>(outcome.leaves[0].tensor().contiguousBytes().data());
      for (int64_t i = 0; i < kBlock; ++i) {
        double exact = std::pow(double(first[i]), double(second[i]));
        double off = ulpsOff(out[i], exact);
        if (!(off <= worst)) {
          worst = off;
          worstAt = {first[i], second[i]};
        }
      }
    }
    INFO(cpu << ": " << worst << " units at " << worstAt.first << ", " << worstAt.second);
    CHECK(worst <= kMostUlps);
    if (std::getenv("PTC_EVERY"))
      WARN(cpu << ": " << worst << " units at " << worstAt.first << ", " << worstAt.second);
  }
}
