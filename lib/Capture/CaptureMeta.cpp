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

namespace {
/// What a shape function does with strides of dimensions of one element.
enum class IdleStrides : uint8_t {
  Reads,   ///< a memory format, or whether bytes fit, follows from them
  Carries, ///< those of the results follow from them
  Drops,   ///< results are laid out anew
};
} // namespace

static IdleStrides idleStridesIn(aten::ShapeRule rule) {
  using R = aten::ShapeRule;
  switch (rule) {
  case R::Attention:
  case R::Baddbmm:
  case R::Bmm:
  case R::Embedding:
  case R::Item:
  case R::Linear:
  case R::Matmul:
  case R::Mm:
  case R::Mv:
    return IdleStrides::Drops;
  case R::Alias:
  case R::Chunk:
  case R::Contiguous:
  case R::Expand:
  case R::ExpandAs:
  case R::Flatten:
  case R::Gather:
  case R::IndexSelect:
  case R::MaskedFill:
  case R::MatrixTranspose:
  case R::Movedim:
  case R::Narrow:
  case R::Permute:
  case R::Pointwise:
  case R::Reduce:
  case R::Reshape:
  case R::ReshapeAs:
  case R::Select:
  case R::Slice:
  case R::Softmax:
  case R::Split:
  case R::SplitSizes:
  case R::Squeeze:
  case R::Transpose:
  case R::Unbind:
  case R::Unflatten:
  case R::Unsqueeze:
  case R::View:
  case R::ViewAs:
  case R::Where:
    return IdleStrides::Carries;
  default:
    return IdleStrides::Reads;
  }
}

static llvm::DenseSet<ObjectId> storagesOf(llvm::ArrayRef<Value> tensors) {
  llvm::DenseSet<ObjectId> storages;
  for (const Value &tensor : tensors)
    insertStorages(tensor, storages);
  return storages;
}

static bool holdsAny(const llvm::DenseSet<ObjectId> &set, llvm::ArrayRef<Value> tensors) {
  return !set.empty() &&
         llvm::any_of(storagesOf(tensors), [&](ObjectId id) { return set.contains(id); });
}

void capture::noteShownBy(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                          llvm::ArrayRef<Value> operands) {
  using R = aten::ShapeRule;
  // Without another format a copy keeps the order that its operand has.
  std::optional<unsigned> format = op.findArg("memory_format");
  bool isPlainCopy = llvm::is_contained({R::To, R::ToCopy, R::Clone}, op.shapeRule) &&
                     (!format || bound[*format].isNone());
  if (!isPlainCopy && idleStridesIn(op.shapeRule) == IdleStrides::Reads)
    e.shows.idleStrides |= holdsAny(e.looseStrides, operands);
  // These say where in its memory a tensor begins.
  if (llvm::is_contained({R::AsStrided, R::AsStridedScatter}, op.shapeRule))
    e.shows.sharing |= holdsAny(e.maybeViews.views, operands);
}

void capture::noteLooseStrides(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<Value> operands,
                               const Value &result, bool isLoose) {
  isLoose |=
      idleStridesIn(op.shapeRule) != IdleStrides::Drops && holdsAny(e.looseStrides, operands);
  if (isLoose)
    insertStorages(result, e.looseStrides);
}
