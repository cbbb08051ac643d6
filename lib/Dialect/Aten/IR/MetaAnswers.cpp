//===- MetaAnswers.cpp - Shape functions under answers that are tried ------------------------===//
//
// In: an operation and a context that decides what is asked about sizes. Out: its results; where
// they are the same formulas for every answer, nothing is decided.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/MetaAnswers.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;
using Question = AnsweringContext::Question;

/// Ways to answer that are tried.
static constexpr unsigned kMaxRuns = 64;

/// Which of less, equal, greater a comparison takes for true: bits 0 to 2.
static unsigned casesOf(Cmp cmp) {
  switch (cmp) {
  case Cmp::LT:
    return 1;
  case Cmp::EQ:
    return 2;
  case Cmp::LE:
    return 3;
  case Cmp::GT:
    return 4;
  case Cmp::NE:
    return 5;
  case Cmp::GE:
    return 6;
  }
  llvm_unreachable("closed enum");
}

std::optional<bool> AnsweringContext::answeredBefore(Cmp cmp, Expr a, Expr b) const {
  unsigned left = 7; // cases that the answers so far leave
  for (const Question &question : asked) {
    unsigned cases = casesOf(question.cmp) ^ (question.answer ? 0U : 7U);
    if (question.a == a && question.b == b)
      left &= cases;
    else if (question.a == b && question.b == a)
      left &= (cases & 2) | (cases & 1) << 2 | cases >> 2;
  }
  unsigned wanted = casesOf(cmp);
  if ((left & ~wanted) == 0)
    return true;
  return (left & wanted) == 0 ? std::optional(false) : std::nullopt;
}

std::optional<bool> AnsweringContext::decide(Cmp cmp, Expr a, Expr b, llvm::StringRef) {
  auto inverse = [](std::optional<bool> v) { return v ? std::optional(!*v) : std::nullopt; };
  auto proven = [&]() -> std::optional<bool> {
    switch (cmp) {
    case Cmp::EQ:
      return context.isEqual(a, b);
    case Cmp::NE:
      return inverse(context.isEqual(a, b));
    case Cmp::LT:
      return context.isLess(a, b);
    case Cmp::LE:
      return context.isLessEqual(a, b);
    case Cmp::GT:
      return inverse(context.isLessEqual(a, b));
    case Cmp::GE:
      return inverse(context.isLess(a, b));
    }
    llvm_unreachable("closed enum");
  };
  if (std::optional<bool> known = under ? under->prove(cmp, a, b) : proven())
    return known;
  std::optional<bool> before = answeredBefore(cmp, a, b);
  bool answer = asked.size() < answers.size() ? answers[asked.size()] : before.value_or(true);
  asked.push_back({cmp, a, b, answer, before == answer});
  if (under)
    under->suppose(cmp, a, b, answer);
  return answer;
}

Expr AnsweringContext::freshUnbacked(int64_t, Expr, llvm::StringRef) {
  isFresh = true;
  return {};
}

bool ptc::aten::nextAnswers(llvm::ArrayRef<Question> questions,
                            llvm::SmallVectorImpl<bool> &answers) {
  answers.clear();
  for (const Question &question : questions)
    answers.push_back(question.answer);
  while (!answers.empty() && (!answers.back() || questions[answers.size() - 1].isImplied))
    answers.pop_back();
  if (answers.empty())
    return false;
  answers.back() = false;
  return true;
}

namespace {
/// What the answers of one run led to.
struct Run {
  MetaResult result;
  llvm::SmallVector<Question, 4> questions;
};

/// Compares formulas where what a run answered holds.
class UnderAnswers {
public:
  UnderAnswers(KnowingContext &ctx, llvm::ArrayRef<Question> questions, Shown shown)
      : shown(shown), ctx(ctx) {
    for (const Question &question : questions)
      ctx.suppose(question.cmp, question.a, question.b, question.answer);
  }
  UnderAnswers(const UnderAnswers &) = delete;
  ~UnderAnswers() { ctx.forget(); }

  bool isSame(Expr a, Expr b) const {
    if (!a.isSupported() || !b.isSupported())
      return a.isSupported() == b.isSupported();
    return a == b || ctx.prove(Cmp::EQ, a, b) == true;
  }
  bool areSame(llvm::ArrayRef<Expr> a, llvm::ArrayRef<Expr> b) const {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](const auto &pair) {
             return isSame(std::get<0>(pair), std::get<1>(pair));
           });
  }
  /// Of one element a stride says nothing by itself.
  bool lieAlike(const TensorMeta &a, const TensorMeta &b) const {
    return areSame(a.sizes, b.sizes) && a.strides.size() == b.strides.size() &&
           llvm::all_of(llvm::zip(a.sizes, a.strides, b.strides), [&](const auto &dim) {
             const auto &[size, mine, other] = dim;
             return (!shown.idleStrides && isSame(size, ctx.symbols().constant(1))) ||
                    isSame(mine, other);
           });
  }
  /// `a` a copy and `b` a view of argument 0, or it, count as the same unless that is shown.
  bool shareAlike(const Aliasing &a, const Aliasing &b) const {
    if (!shown.sharing && a.kind == Aliasing::Kind::Fresh)
      return b.kind == Aliasing::Kind::Fresh || b.arg == 0;
    return a.kind == b.kind && a.arg == b.arg && a.isOffsetAbsolute == b.isOffsetAbsolute &&
           isSame(a.offset, b.offset);
  }
  bool areSame(const TensorResult &a, const TensorResult &b) const {
    return a.meta.dtype == b.meta.dtype && a.meta.device == b.meta.device &&
           a.meta.requiresGrad == b.meta.requiresGrad &&
           a.meta.isWrappedNumber == b.meta.isWrappedNumber && lieAlike(a.meta, b.meta) &&
           shareAlike(a.aliasing, b.aliasing);
  }
  bool areSame(const MetaResult &a, const MetaResult &b) const {
    return a.openNumbers.size() == b.openNumbers.size() && a.results.size() == b.results.size() &&
           llvm::all_of(llvm::zip(a.results, b.results), [&](const auto &pair) {
             const auto &[x, y] = pair;
             return x.kind == y.kind && x.tensors.size() == y.tensors.size() &&
                    llvm::all_of(llvm::zip(x.tensors, y.tensors), [&](const auto &tensors) {
                      return areSame(std::get<0>(tensors), std::get<1>(tensors));
                    });
           });
  }

  Shown shown;

private:
  KnowingContext &ctx;
};
} // namespace

/// Whether no result shares memory with an argument.
static bool isFresh(const MetaResult &result) {
  return llvm::all_of(result.results, [](const ResultValue &value) {
    return llvm::all_of(value.tensors, [](const TensorResult &tensor) {
      return tensor.aliasing.kind == Aliasing::Kind::Fresh;
    });
  });
}

/// The results of all ways to answer, which are those of the run that was told of the fewest
/// equalities. None: they differ, an answer makes it fail, or the run decides a size.
static std::optional<Indifferent> sameForAllAnswers(const OpInfo &op, llvm::ArrayRef<ArgValue> args,
                                                    KnowingContext &ctx, Shown shown) {
  sym::Context &symbols = ctx.symbols();
  std::vector<Run> runs;
  llvm::SmallVector<bool, 8> answers;
  do {
    if (runs.size() == kMaxRuns)
      return std::nullopt;
    AnsweringContext trial(symbols, answers, &ctx);
    MetaResult result = infer(op, args, trial);
    ctx.forget();
    bool isOpen = llvm::any_of(trial.questions(), [&](const Question &question) {
      return symbols.usesSymbolKind(question.a, sym::SymbolKind::Unbacked) ||
             symbols.usesSymbolKind(question.b, sym::SymbolKind::Unbacked);
    });
    if (!result.isOk() || trial.madeSizes() || isOpen)
      return std::nullopt;
    runs.push_back({std::move(result), {trial.questions().begin(), trial.questions().end()}});
  } while (nextAnswers(runs.back().questions, answers));
  auto equalities = [](const Run &run) {
    return llvm::count_if(run.questions, [](const Question &q) { return q.isEquality(); });
  };
  Run &general = *llvm::min_element(
      runs, [&](const Run &a, const Run &b) { return equalities(a) < equalities(b); });
  bool maybeView = false, isLoose = false;
  for (const Run &run : runs) {
    if (&run == &general)
      continue;
    UnderAnswers under(ctx, run.questions, shown);
    if (!under.areSame(general.result, run.result))
      return std::nullopt;
    under.shown.idleStrides = true;
    isLoose |= !under.areSame(general.result, run.result);
    maybeView |= isFresh(general.result) && !isFresh(run.result);
  }
  if (maybeView && !args.front().tensor())
    return std::nullopt;
  return Indifferent{std::move(general.result), maybeView, isLoose};
}

Indifferent ptc::aten::inferByDifference(const OpInfo &op, llvm::ArrayRef<ArgValue> args,
                                         KnowingContext &ctx, Shown shown) {
  if (std::optional<Indifferent> same = sameForAllAnswers(op, args, ctx, shown))
    return std::move(*same);
  return {infer(op, args, ctx), false, false};
}
