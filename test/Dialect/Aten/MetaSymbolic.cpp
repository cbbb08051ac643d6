//===- MetaSymbolic.cpp - Meta on symbolic sizes, in-place forms, look-up -----===//
//
// What is proven needs no decision, what is not is asked once with a reason, what is not answered
// is pending.
//
//===----------------------------------------------------------------------===//
#include "CallText.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

namespace {
/// Answers by hints and writes down what was asked.
class HintContext : public MetaContext {
public:
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(Cmp cmp, Expr a, Expr b, llvm::StringRef why) override {
    static constexpr const char *kNames[] = {"==", "!=", "<", "<=", ">", ">="};
    asked.push_back(context.str(a) + " " + kNames[int(cmp)] + " " + context.str(b));
    reasons.push_back(why.str());
    std::optional<int64_t> x = context.evaluateHint(a), y = context.evaluateHint(b);
    if (!x || !y)
      return std::nullopt;
    switch (cmp) {
    case Cmp::EQ:
      return *x == *y;
    case Cmp::NE:
      return *x != *y;
    case Cmp::LT:
      return *x < *y;
    case Cmp::LE:
      return *x <= *y;
    case Cmp::GT:
      return *x > *y;
    case Cmp::GE:
      return *x >= *y;
    }
    return std::nullopt;
  }
  Expr freshUnbacked(int64_t lower, Expr upper, llvm::StringRef) override {
    return context.symbol({"u" + std::to_string(unbacked++),
                           lower,
                           upper.asConstant(),
                           {},
                           sym::SymbolKind::Unbacked});
  }
  Expr size(const char *name, int64_t hint) {
    return context.symbol({name, 2, {}, hint, sym::SymbolKind::Input});
  }
  TensorMeta tensor(Exprs sizes) {
    TensorMeta meta;
    meta.strides = contiguousStrides(context, sizes);
    meta.sizes = std::move(sizes);
    return meta;
  }
  Expr num(int64_t v) { return context.constant(v); }
  std::string run(const char *op, llvm::ArrayRef<ArgValue> positional,
                  llvm::ArrayRef<KeywordArg> keywords = {}) {
    const OpInfo *info = findOp(op);
    REQUIRE(info);
    auto args = bindArgs(*info, positional, keywords, context);
    REQUIRE(args);
    return outcomeText(infer(*info, *args, *this), context);
  }

  sym::Context context;
  std::vector<std::string> asked, reasons;
  int unbacked = 0;
};
} // namespace

TEST_CASE("a transformer's reshapes need no decision") {
  HintContext c;
  Expr b = c.size("B", 2), t = c.size("T", 5);
  TensorMeta x = c.tensor({b, t, c.num(64)});
  TensorMeta w = c.tensor({c.num(192), c.num(64)});
  CHECK(c.run("linear", {&x, &w}) == "f32[B,T,192]{192*T,192,1}");
  CHECK(c.run("view", {&x, ArgValue::IntList{{b, t, c.num(4), c.num(16)}}}) ==
        "@0+0 f32[B,T,4,16]{64*T,64,16,1}");
  CHECK(c.run("reshape", {&x, ArgValue::IntList{{c.num(-1), c.num(64)}}}) ==
        "@0+0 f32[B*T,64]{64,1}");
  TensorMeta q = x;
  q.sizes = {b, c.num(4), t, c.num(16)};
  q.strides = {c.context.mul(t, c.num(64)), c.num(16), c.num(64), c.num(1)};
  CHECK(c.run("exp", {&q}) == "f32[B,4,T,16]{64*T,16,64,1}");
  CHECK(c.run("contiguous", {&q}) == "f32[B,4,T,16]{64*T,16*T,16,1}");
  CHECK(c.run("scaled_dot_product_attention", {&q, &q, &q}) == "f32[B,4,T,16]{64*T,16,64,1}");
  CHECK(c.run("add.Tensor", {&x, &x}) == "f32[B,T,64]{64*T,64,1}");
  CHECK(c.asked.empty());
}

TEST_CASE("sizes that the algebra cannot relate are asked, with a reason") {
  HintContext c;
  Expr a = c.size("a", 3), b = c.size("b", 3);
  TensorMeta x = c.tensor({a}), y = c.tensor({b});
  CHECK(c.run("add.Tensor", {&x, &y}) == "f32[a]{1}");
  REQUIRE(c.asked == std::vector<std::string>{"a == b"});
  CHECK(c.reasons.front() == "broadcasting");
}

TEST_CASE("sizes that differ raise eager's text, with marks around those of the run") {
  HintContext c;
  Expr a = c.size("a", 3);
  TensorMeta x = c.tensor({a}), y = c.tensor({c.num(4)});
  CHECK(c.run("add.Tensor", {&x, &y}) ==
        "RuntimeError: The size of tensor a (\x1f"
        "a\x1f) must match the size of tensor b (4) at non-singleton dimension 0");
}

TEST_CASE("run-time sizes without an answer are pending") {
  HintContext c;
  TensorMeta x = c.tensor({c.num(6)}), y = c.tensor({c.num(6)});
  y.dtype = DType::Bool;
  CHECK(c.run("masked_select", {&x, &y}) == "f32[u0]{1}");
  Expr u = c.context.symbol(*c.context.findSymbol("u0"));
  TensorMeta z = c.tensor({u});
  CHECK(c.run("add.Tensor", {&z, &x}) == "pending");
  CHECK(c.run("mul.Tensor", {&z, ArgValue::Float{2.0}}) == "f32[u0]{1}");
  CHECK(c.run("sum", {&z}) == "f32[]{}");
}

TEST_CASE("slices of run-time length become expressions") {
  HintContext c;
  Expr u = c.freshUnbacked(0, c.num(10), "");
  TensorMeta x = c.tensor({c.num(8), c.num(3)});
  std::string text = c.run("slice.Tensor", {&x, ArgValue::Int{c.num(0)}, ArgValue(),
                                            ArgValue::Int{u}, ArgValue::Int{c.num(1)}});
  CHECK(text == "@0+0 f32[min(u0, 8),3]{3,1}");
  CHECK(c.asked.empty());
}

TEST_CASE("in-place forms keep argument 0 and refuse what does not fit") {
  HintContext c;
  TensorMeta i = c.tensor({c.num(3)}), f = c.tensor({c.num(2), c.num(3)}), g = c.tensor({c.num(3)});
  i.dtype = DType::Int64;
  const OpInfo &add = getOpInfo(OpId::add_Tensor);
  auto inplace = [&](const TensorMeta &self, const ArgValue &other) {
    auto args = bindArgs(add, {&self, other}, {}, c.context);
    REQUIRE(args);
    return outcomeText(inferInplace(add, *args, c), c.context);
  };
  CHECK(inplace(f, &g) == "=0");
  CHECK(inplace(f, &i) == "=0");
  CHECK(inplace(i, &g) == "RuntimeError: result type Float can't be cast to the desired output "
                          "type Long");
  CHECK(inplace(g, &f) == "RuntimeError: output with shape [3] doesn't match the broadcast shape "
                          "[2, 3]");
}

TEST_CASE("gradients follow arguments, types and the grad mode") {
  HintContext c;
  TensorMeta x = c.tensor({c.num(3)});
  x.requiresGrad = true;
  auto needsGrad = [&](const char *op) {
    const OpInfo *info = findOp(op);
    auto args = bindArgs(*info, {&x}, {}, c.context);
    return infer(*info, *args, c).tensor().meta.requiresGrad;
  };
  CHECK(needsGrad("exp"));
  CHECK(needsGrad("sum"));
  CHECK_FALSE(needsGrad("detach"));
  CHECK_FALSE(needsGrad("isnan"));
  CHECK_FALSE(needsGrad("argmax"));
  CHECK_FALSE(needsGrad("zeros_like"));
}

TEST_CASE("overloads are found by schema name and by Python spelling") {
  CHECK(findOp("aten.add.Tensor")->id == OpId::add_Tensor);
  CHECK(findOp("aten::relu")->id == OpId::relu);
  CHECK(findOp("relu.default") == nullptr);
  CHECK(findOp("add") == nullptr);
  auto ids = [](const char *name) {
    std::vector<OpId> ids;
    for (const Spelling &s : findSpelling(name))
      ids.push_back(s.id);
    return ids;
  };
  CHECK(ids("Tensor.__rsub__") == std::vector<OpId>{OpId::rsub_Tensor, OpId::rsub_Scalar});
  CHECK(ids("torch.nn.functional.linear") == std::vector<OpId>{OpId::linear});
  CHECK(ids("torch.no_such_thing").empty());
  REQUIRE(findSpelling("Tensor.add_").size() == 2);
  CHECK(findSpelling("Tensor.add_").front().isInplace);
  for (const OpInfo &info : getAllOpInfos())
    CHECK(findOp(info.name) == &info);
}

TEST_CASE("calls are bound as eager's argument parser binds them") {
  HintContext c;
  TensorMeta x = c.tensor({c.num(2), c.num(3)});
  auto i = [&](int64_t v) { return ArgValue(ArgValue::Int{c.num(v)}); };
  CHECK(c.run("view", {&x, i(3), i(2)}) == "@0+0 f32[3,2]{2,1}");
  CHECK(c.run("zeros", {i(3), i(2)}) == "f32[3,2]{2,1}");
  CHECK(c.run("sum.dim_IntList", {&x, i(1)}) == "f32[2]{1}");
  CHECK(c.run("sum.dim_IntList", {&x}, {{"axis", i(0)}, {"keepdims", ArgValue::Bool{true}}}) ==
        "f32[1,3]{3,1}");
  auto fails = [&](const char *op, llvm::ArrayRef<ArgValue> args) {
    std::string error;
    CHECK_FALSE(bindArgs(*findOp(op), args, {}, c.context, &error));
    return error;
  };
  CHECK(fails("relu", {&x, i(1)}) == "relu() takes 1 positional arguments but 2 were given");
  CHECK(fails("relu", {}) == "relu() missing 1 required positional arguments: \"self\"");
  CHECK(fails("maximum", {&x, i(1)}) == "maximum(): argument 'other' given as an int");
}
