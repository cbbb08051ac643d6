// Random overloads against eager for the same seed: the numbers as exact as their rows say, and the
// generator left at the same place.
#include "Cases.h"
#include "OracleFixture.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <iostream>

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

static const RandomRow *rowOf(const OpInfo &op) {
  for (const RandomRow &row : getRandomRows())
    if (row.op == op.baseName())
      return &row;
  return nullptr;
}

/// Sizes around the path that starts at 16 elements, and layouts.
static std::vector<Case> randomCases(const OpInfo &op) {
  std::vector<Case> cases;
  for (const Ints &sizes : {Ints{}, Ints{0}, Ints{1}, Ints{5}, Ints{15}, Ints{16}, Ints{17},
                            Ints{3, 5}, Ints{40}, Ints{2, 3, 4, 5}, Ints{1000}}) {
    Case c{{"size", HostValue(sizes)}, {"high", HostValue(10)},       {"low", HostValue(-3)},
           {"p", HostValue(0.3)},      {"train", HostValue(true)},    {"self", t(sizes).unit()},
           {"input", t(sizes).unit()}, {"num_samples", HostValue(2)}, {"std", HostValue(0.7)},
           {"mean", HostValue(0.1)},   {"median", HostValue(0.1)},    {"sigma", HostValue(0.3)}};
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    c["n"] = HostValue(count);
    if (op.baseName() == "random") {
      for (auto [from, to] : {std::pair<int64_t, int64_t>{-3, 10}, {5, 1 << 30}, {0, 200}}) {
        c["from"] = HostValue(op.name == "random.to" ? 0 : from);
        c["to"] = HostValue(to);
        cases.push_back(c);
      }
      if (op.findArg("from")) {
        c["from"] = HostValue(7);
        c["to"] = HostValue();
      }
    } else if (op.findArg("from")) {
      c["from"] = HostValue(-0.3); // scaling rounds
      c["to"] = HostValue(0.7);
    }
    cases.push_back(c);
    if (op.findArg("replacement")) {
      c["replacement"] = HostValue(true);
      cases.push_back(c);
      c["num_samples"] = HostValue(1);
      cases.push_back(c);
      c.erase("replacement");
      cases.push_back(c);
    }
    for (double p : {0.0, 1.0})
      if (op.findArg("p")) {
        Case certain = c;
        certain["p"] = HostValue(p);
        cases.push_back(certain);
        certain["train"] = HostValue(false);
        cases.push_back(certain);
      }
    if (op.findArg("high")) {
      c["high"] = HostValue(int64_t(1) << 40);
      c["low"] = HostValue(0);
      cases.push_back(c);
      c["high"] = HostValue(int64_t(1) << 30);
      cases.push_back(c);
    }
    if (sizes.size() == 4) {
      c["self"] = c["input"] = t(sizes).channelsLast().unit();
      cases.push_back(c);
      c["self"] = c["input"] = t(sizes).transposed().unit();
      cases.push_back(c);
    }
  }
  return cases;
}

static std::string compareNumbers(const HostTensor &ours, const HostTensor &eager,
                                  RandomFidelity fidelity) {
  if (ours.dtype() != eager.dtype() || ours.sizes() != eager.sizes())
    return "type or sizes differ";
  std::string difference;
  HostTensor a = ours.contiguous(), b = eager.contiguous();
  visitDType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    double ulp = 0x1p-22;
    if constexpr (isHalfElement<T>)
      ulp = std::is_same_v<T, Half> ? 0x1p-9 : 0x1p-6;
    else if constexpr (std::is_same_v<T, double>)
      ulp = 0x1p-50;
    for (int64_t i = 0; i < a.numel() && difference.empty(); ++i) {
      double x = convertElement<double>(a.data<T>()[i]), y = convertElement<double>(b.data<T>()[i]);
      double allowed = fidelity == RandomFidelity::Exact ? 0 : ulp * (std::fabs(y) + 1);
      if (!(std::fabs(x - y) <= allowed))
        difference = "element " + std::to_string(i) + ": " + std::to_string(x) + ", eager " +
                     std::to_string(y);
    }
  });
  return difference;
}

/// Calls both from the same seed; says what differs. `succeeded` counts calls that both accept.
static std::string tryCall(const OpInfo &op, const Call &call, RandomFidelity fidelity,
                           size_t &succeeded) {
  oracle().manualSeed(seed());
  Mt19937 generator(seed());
  EvalContext context;
  context.generator = &generator;
  auto eager = oracle().call(op.name, call);
  auto ours = evaluate(op, call, context);
  bool isRefused = false;
  if (!ours)
    ours = llvm::handleExpected(
        std::move(ours), [] { return llvm::SmallVector<HostValue, 1>(); },
        [&](std::unique_ptr<EvalFailure> failure) -> llvm::Error {
          isRefused = failure->kind == EvalFailure::Kind::Unsupported;
          if (isRefused)
            return llvm::Error::success();
          return llvm::Error(std::move(failure));
        });
  if (isRefused) {
    llvm::consumeError(eager.takeError());
    return "";
  }
  if (!ours || !eager) {
    std::string why = ours ? "" : llvm::toString(ours.takeError());
    std::string eagerWhy = eager ? "" : llvm::toString(eager.takeError());
    bool isEmpty = llvm::any_of(call, [](const HostValue &arg) {
      const auto *size = arg.getIf<Ints>();
      const auto *like = arg.getIf<HostTensor>();
      return (like && like->numel() == 0) || (size && llvm::is_contained(*size, 0));
    });
    if (eagerWhy.empty() && isEmpty && why.find("not implemented for") != std::string::npos)
      return ""; // eager's kernels look at the type only when there are elements
    return why.empty() == eagerWhy.empty() ? "" : "ours: " + why + " eager: " + eagerWhy;
  }
  ++succeeded;
  for (size_t i = 0; i < eager->size(); ++i) {
    std::string difference = compareNumbers((*ours)[i].tensor(), (*eager)[i].tensor(), fidelity);
    if (!difference.empty())
      return difference;
  }
  // The next numbers show where the generator is, its cached normal included.
  const OpInfo &next = getOpInfo(OpId::randn);
  Call draw{HostValue(Ints{3}), DType::Float64, {}, {}, {}};
  HostTensor a = (*evaluate(next, draw, context))[0].tensor();
  HostTensor b = llvm::cantFail(oracle().call("randn", draw))[0].tensor();
  std::string difference = compareNumbers(a, b, RandomFidelity::Ulp);
  return difference.empty() ? "" : "the generator is elsewhere: " + difference;
}

TEST_CASE("random overloads draw eager's numbers") {
  for (const OpInfo &op : getAllOpInfos()) {
    if (!op.has(OpFlag::Random))
      continue;
    INFO(op.name.str());
    const RandomRow *row = rowOf(op);
    REQUIRE(row);
    std::mt19937 random(static_cast<uint32_t>(seed()));
    size_t succeeded = 0, differ = 0;
    for (DType dtype : {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16,
                        DType::Int64, DType::Int32}) {
      for (Case c : randomCases(op)) {
        if (op.findArg("dtype"))
          c["dtype"] = HostValue(dtype);
        std::optional<Call> call = makeCall(op, c, dtype, random);
        REQUIRE(call);
        const auto *first = call->front().getIf<HostTensor>();
        if (op.baseName() == "native_dropout" && first->numel() == 0)
          continue; // eager's mask has the input's type then
        if (row->fidelity == RandomFidelity::Refused) {
          EvalContext context;
          Mt19937 generator;
          context.generator = &generator;
          auto refused = evaluate(op, *call, context);
          CHECK_FALSE(bool(refused));
          llvm::consumeError(refused.takeError());
          ++succeeded;
          continue;
        }
        std::string difference = tryCall(op, *call, row->fidelity, succeeded);
        if (!difference.empty() && differ++ < 8) {
          std::cerr << op.name.str() << ':';
          for (const HostValue &value : *call)
            std::cerr << ' ' << toString(value);
          std::cerr << ": " << difference << '\n';
        }
      }
    }
    CHECK(differ == 0);
    CHECK(succeeded > 0);
  }
}
