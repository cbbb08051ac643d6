//===- CaptureMeta.cpp - What shape functions ask while capturing ----------------------------===//
//
// In: questions about sizes. Out: what is proven; guards and forks where it is not. Results that
// are copies here, and views for some sizes in eager, are noted: who shows that has the sizes
// asked.
//
//===----------------------------------------------------------------------===//
#include "CaptureMeta.h"
#include "InputNumbers.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

static capture::CompareOp operatorOf(aten::Cmp cmp) {
  using Op = capture::CompareOp;
  static constexpr Op kOps[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
  return kOps[size_t(cmp)];
}

std::optional<bool> CaptureMeta::decide(aten::Cmp cmp, sym::Expr a, sym::Expr b,
                                        llvm::StringRef why) {
  if (!decidePath(operatorOf(cmp), a, b))
    return std::nullopt;
  return e.decideSizes(operatorOf(cmp), a, b, why);
}

std::optional<bool> CaptureMeta::prove(aten::Cmp cmp, sym::Expr a, sym::Expr b) {
  return provenSizes(e, operatorOf(cmp), a, b);
}

void CaptureMeta::suppose(aten::Cmp cmp, sym::Expr a, sym::Expr b, bool holds) {
  if (!e.shapes)
    return;
  if (!supposed)
    supposed = e.shapes->mark();
  sym::Relation relation = relationOf(operatorOf(cmp));
  e.shapes->assume(holds ? relation : sym::negate(relation), a, b);
}

void CaptureMeta::forget() {
  if (supposed)
    e.shapes->rollback(*supposed);
  supposed.reset();
}

/// Sizes that are formulas of input sizes on each path: where these leave the answer open on one of
/// them, the path is decided first, so that a guard can answer. False: a fork is pending.
bool CaptureMeta::decidePath(CompareOp op, sym::Expr &a, sym::Expr &b) {
  if (e.isInputSize(a) && e.isInputSize(b))
    return true;
  std::optional<Engine::SizeCases> known = e.casesOf({a, b});
  if (!known || known->selector == kUndef)
    return true;
  auto isOpen = [&](llvm::ArrayRef<sym::Expr> there) {
    return !there.empty() && e.isInputSize(there[0]) && e.isInputSize(there[1]) &&
           !proven(e.sizes(), op, there[0], there[1]);
  };
  if (llvm::none_of(known->cases, isOpen))
    return true;
  std::optional<uint32_t> n = e.settle(known->selector, uint32_t(known->cases.size()));
  if (n && !known->cases[*n].empty()) {
    a = known->cases[*n][0];
    b = known->cases[*n][1];
  }
  return n.has_value();
}

static void insertStorages(const Value &v, llvm::DenseSet<ObjectId> &storages) {
  if (v.is(Kind::Tensor))
    storages.insert(asTensor(v).storage);
  else if (v.is(Kind::Choice))
    for (const Value &alternative : asChoice(v).alternatives)
      insertStorages(alternative, storages);
  else if (isComposite(v.kind()))
    for (const Value &part : v.parts())
      insertStorages(part, storages);
}

void Engine::noteMaybeViews(const Value &result, const Value &base) {
  insertStorages(result, maybeViews.views);
  llvm::DenseSet<ObjectId> bases;
  insertStorages(base, bases);
  maybeViews.isOfArgument |= llvm::any_of(
      bases, [&](ObjectId id) { return id < boundary || (shapes && shapes->findTensor(id)); });
  maybeViews.bases.insert(bases.begin(), bases.end());
}
