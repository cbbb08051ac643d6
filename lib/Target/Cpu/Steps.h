//===- Steps.h - What the steps of views ask ------------------------*- C++ -*-===//
//
// Private to the files that emit views. Sizes of a view may depend on questions that the algebra
// cannot answer: capture has answered them, by a guard or by the path that the view is on. The type
// of the view says how.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_STEPS_H
#define PTC_LIB_TARGET_CPU_STEPS_H

#include "Host.h"

namespace ptc::cpu {

/// Answers what the algebra proves; else what is given, in the order of the questions; then what
/// answers before it leave open, else yes. Numbers of the run that are told apart where answers are
/// looked for may be one where they are used: a question that is answered before counts as well.
class AnsweringContext final : public aten::MetaContext {
public:
  AnsweringContext(sym::Context &context, llvm::ArrayRef<bool> given)
      : context(context), answers(given) {}
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(aten::Cmp cmp, sym::Expr a, sym::Expr b, llvm::StringRef) override;
  sym::Expr freshUnbacked(int64_t, sym::Expr, llvm::StringRef) override { return {}; }

  /// What was asked, and the answer.
  struct Question {
    aten::Cmp cmp;
    sym::Expr a, b;
    bool answer;
    bool isImplied; ///< by those before it
  };
  llvm::ArrayRef<Question> questions() const { return asked; }

private:
  std::optional<bool> answeredBefore(aten::Cmp cmp, sym::Expr a, sym::Expr b) const;

  sym::Context &context;
  llvm::ArrayRef<bool> answers;
  llvm::SmallVector<Question, 4> asked;
};

/// `x[a:b]`, `x[i]` with numbers of the run.
bool isSliceOfRun(mlir::ArrayAttr step);
bool isSelectOfRun(mlir::ArrayAttr step);

/// One of the pieces into which a step takes a dimension.
struct Piece {
  enum class Kind : uint8_t {
    OfSoMany, ///< chunk: at most that many pieces of one size
    OfSize,   ///< split: pieces of that size
    Even,     ///< tensor_split: exactly that many pieces
    Entry,    ///< unbind
  };
  Kind kind;
  int64_t dim, number;
};
/// None if the step takes no pieces, or if sizes are known: then its shape rule says all.
std::optional<Piece> pieceOfRun(mlir::ArrayAttr step, const aten::TensorMeta &meta);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_STEPS_H
