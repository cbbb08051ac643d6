//===- CaptureMeta.h - What shape functions ask while capturing ---*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_CAPTUREMETA_H
#define PTC_LIB_CAPTURE_CAPTUREMETA_H

#include "Engine.h"
#include "ptc/Dialect/Aten/IR/MetaAnswers.h"
#include "ptc/Symbolic/ShapeEnv.h"

namespace ptc::capture {

/// Answers meta's questions about sizes: proven, by a guard, or by a fork.
class CaptureMeta final : public aten::KnowingContext {
public:
  explicit CaptureMeta(Engine &e) : CaptureMeta(e, e.defaultDType()) {}
  CaptureMeta(Engine &e, DType defaultType) : e(e), defaultType(defaultType) {}

  sym::Context &symbols() override { return e.sizes(); }
  std::optional<bool> decide(aten::Cmp cmp, sym::Expr a, sym::Expr b, llvm::StringRef why) override;
  std::optional<bool> prove(aten::Cmp cmp, sym::Expr a, sym::Expr b) override;
  void suppose(aten::Cmp cmp, sym::Expr a, sym::Expr b, bool holds) override;
  void forget() override;
  sym::Expr freshUnbacked(int64_t lower, sym::Expr upper, llvm::StringRef) override {
    return e.freshSize(lower, upper);
  }
  DType defaultDType() override { return defaultType; }
  bool isGradEnabled() override { return e.isGradEnabled(); }

private:
  bool decidePath(CompareOp op, sym::Expr &a, sym::Expr &b);

  Engine &e;
  DType defaultType;
  std::optional<sym::ShapeEnv::Mark> supposed; ///< what held before
};

/// Before an operation: what it shows of operands for which no size was asked.
void noteShownBy(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                 llvm::ArrayRef<Value> operands);
/// Behind it: which of its results have strides that are not known. `isLoose`: Indifferent.
void noteLooseStrides(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<Value> operands,
                      const Value &result, bool isLoose);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CAPTUREMETA_H
