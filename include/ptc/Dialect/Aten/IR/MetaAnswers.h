//===- MetaAnswers.h - Shape functions under answers that are tried -*- C++ -*-===//
//
// In: an operation, and answers to the questions about sizes that the algebra leaves open. Out:
// what its shape function gives with them, and which questions make a difference at all.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_IR_METAANSWERS_H
#define PTC_DIALECT_ATEN_IR_METAANSWERS_H

#include "ptc/Dialect/Aten/IR/Meta.h"

namespace ptc::aten {

/// A context that knows more than the algebra and says so without deciding anything.
class KnowingContext : public MetaContext {
public:
  /// Whether `a cmp b` follows from what has been decided before, and from what is supposed; none:
  /// it is open.
  virtual std::optional<bool> prove(Cmp cmp, sym::Expr a, sym::Expr b) = 0;
  /// `a cmp b` holds, or does not, until forget().
  virtual void suppose(Cmp cmp, sym::Expr a, sym::Expr b, bool holds) = 0;
  /// Nothing is supposed any more.
  virtual void forget() = 0;
};

/// Answers what the algebra proves, or `under` knows, which is told to suppose each answer; else
/// what is given, in the order of the questions; then what answers before it leave open, else yes.
/// Numbers of the run that are told apart where answers are looked for may be one where they are
/// used: a question that is answered before counts as well.
class AnsweringContext final : public MetaContext {
public:
  AnsweringContext(sym::Context &context, llvm::ArrayRef<bool> given,
                   KnowingContext *under = nullptr)
      : context(context), answers(given), under(under) {}
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(Cmp cmp, sym::Expr a, sym::Expr b, llvm::StringRef why) override;
  sym::Expr freshUnbacked(int64_t lower, sym::Expr upper, llvm::StringRef why) override;
  DType defaultDType() override {
    return under ? under->defaultDType() : MetaContext::defaultDType();
  }
  Device defaultDevice() override {
    return under ? under->defaultDevice() : MetaContext::defaultDevice();
  }
  bool isGradEnabled() override {
    return under ? under->isGradEnabled() : MetaContext::isGradEnabled();
  }

  /// What was asked, and the answer.
  struct Question {
    Cmp cmp;
    sym::Expr a, b;
    bool answer;
    bool isImplied; ///< by those before it
    /// The answer says that both are one number.
    bool isEquality() const { return cmp == (answer ? Cmp::EQ : Cmp::NE); }
  };
  llvm::ArrayRef<Question> questions() const { return asked; }
  /// A size of the run was asked for, which trying must not make.
  bool madeSizes() const { return isFresh; }

private:
  std::optional<bool> answeredBefore(Cmp cmp, sym::Expr a, sym::Expr b) const;

  sym::Context &context;
  llvm::ArrayRef<bool> answers;
  KnowingContext *under;
  llvm::SmallVector<Question, 4> asked;
  bool isFresh = false;
};

/// The answers to try behind those to `questions`; false if these were the last.
bool nextAnswers(llvm::ArrayRef<AnsweringContext::Question> questions,
                 llvm::SmallVectorImpl<bool> &answers);

/// What of the results of a shape function is looked at.
struct Shown {
  bool idleStrides; ///< strides of dimensions of one element
  bool sharing;     ///< whether a result is a copy or a view of argument 0
};

/// Results for which no size was asked that makes no difference.
struct Indifferent {
  MetaResult result;
  /// Results are copies, and views of argument 0 for some sizes.
  bool maybeView;
  /// Strides of dimensions of one element are others for some sizes.
  bool isLoose;
};

/// As infer(), but the context is not asked what makes no difference: whether a size is 1, where
/// the results are the same formulas of it either way, as far as they are `shown`.
Indifferent inferByDifference(const OpInfo &op, llvm::ArrayRef<ArgValue> args, KnowingContext &ctx,
                              Shown shown);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_METAANSWERS_H
