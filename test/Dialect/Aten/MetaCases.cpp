//===- MetaCases.cpp - Meta against what eager PyTorch did --------------------===//
//
// Every line of meta_cases.txt: the call is bound and inferred, the outcome compared.
//
//===----------------------------------------------------------------------===//
#include "CallText.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::aten;

namespace {
/// Constants only: every question is provable. Sizes that depend on elements take the largest
/// value, which is what the cases' data have.
class ConstantContext : public MetaContext {
public:
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(Cmp, sym::Expr, sym::Expr, llvm::StringRef) override {
    return std::nullopt;
  }
  sym::Expr freshUnbacked(int64_t lower, sym::Expr upper, llvm::StringRef) override {
    return upper.isSupported() ? upper : context.constant(lower);
  }

  sym::Context context;
};
} // namespace

static std::string inferText(llvm::StringRef text, ConstantContext &ctx) {
  Call call = readCall(text, ctx.context);
  if (!call.error.empty())
    return "unreadable: " + call.error;
  std::string error;
  auto args = bindArgs(*call.op, call.positional, call.keywords, ctx.context, &error);
  if (!args)
    return "unbound: " + error;
  return outcomeText(infer(*call.op, *args, ctx), ctx.context);
}

TEST_CASE("meta agrees with eager PyTorch on the recorded calls") {
  auto file = llvm::MemoryBuffer::getFile("test/Dialect/Aten/meta_cases.txt");
  REQUIRE(file);
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  REQUIRE(lines.size() > 1500);
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    auto [call, expected] = line.split(" => ");
    ConstantContext ctx;
    INFO(call.str());
    std::string text = inferText(call, ctx);
    // Whether an index is out of range is for the elements to say.
    if (expected == "raises" && findOp(call.split('(').first)->has(OpFlag::MayFail))
      CHECK(text.find("unbound") == std::string::npos);
    else if (expected == "raises")
      CHECK(text.find("Error: ") != std::string::npos);
    else
      CHECK(text == expected.str());
  }
}
