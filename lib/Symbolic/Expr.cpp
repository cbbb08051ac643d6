//===- Expr.cpp - Interning, symbols, evaluation and substitution --------------===//
//
// In: kinds, operands and terms in normal form. Out: one node per distinct expression. The normal
// form itself is made by ExprArith.cpp and ExprDivide.cpp.
//
//===----------------------------------------------------------------------===//
#include "ExprNode.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <cassert>

using namespace ptc;
using namespace ptc::sym;

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

ExprKind Expr::kind() const {
  if (bits & 1)
    return ExprKind::Constant;
  return bits ? node()->kind : ExprKind::Unsupported;
}

std::optional<int64_t> Expr::asWideConstant() const {
  if (bits == 0 || node()->kind != ExprKind::Constant)
    return std::nullopt;
  return node()->value;
}

SymbolId Expr::symbol() const {
  assert(kind() == ExprKind::Symbol && "not a symbol");
  return SymbolId(node()->value);
}

llvm::ArrayRef<Term> Expr::terms() const {
  assert(isSupported() && !isConstant() && "constants have no term list");
  return node()->terms;
}

llvm::ArrayRef<Expr> Expr::operands() const {
  assert(isSupported() && !(bits & 1) && "constants have no operands");
  return node()->operands;
}

//===----------------------------------------------------------------------===//
// Interning
//===----------------------------------------------------------------------===//

void Node::profile(llvm::FoldingSetNodeID &key, ExprKind kind, int64_t value,
                   llvm::ArrayRef<Expr> operands, llvm::ArrayRef<Term> terms) {
  key.AddInteger(unsigned(kind));
  switch (kind) {
  case ExprKind::Constant:
  case ExprKind::Symbol:
    key.AddInteger(value);
    return;
  case ExprKind::FloorDiv:
  case ExprKind::Min:
  case ExprKind::Max:
    for (Expr operand : operands)
      key.AddInteger(uint64_t(operand.opaque()));
    return;
  case ExprKind::Sum:
    for (const Term &term : terms) {
      key.AddInteger(term.coefficient);
      key.AddInteger(unsigned(term.factors.size()));
      for (const Factor &factor : term.factors) {
        key.AddInteger(uint64_t(factor.atom.opaque()));
        key.AddInteger(factor.power);
      }
    }
    return;
  case ExprKind::Unsupported:
    break;
  }
  llvm_unreachable("unsupported expressions are not interned");
}

static uint32_t nestingOf(Expr e) { return e.isConstant() ? 0 : Context::Impl::node(e)->nesting; }

static uint32_t textSizeOf(Expr e) { return e.isConstant() ? 1 : Context::Impl::node(e)->textSize; }

/// A sum is as deep as its deepest atom, an atom one deeper than its operands.
static void measure(Node &node) {
  for (Expr operand : node.operands) {
    node.nesting = std::max(node.nesting, nestingOf(operand) + 1);
    node.textSize += textSizeOf(operand);
  }
  if (node.kind != ExprKind::Sum)
    return;
  for (const Term &term : node.terms)
    for (const Factor &factor : term.factors) {
      node.nesting = std::max(node.nesting, nestingOf(factor.atom));
      node.textSize += factor.power * textSizeOf(factor.atom);
    }
}

template <typename T>
static llvm::ArrayRef<T> copyArray(llvm::BumpPtrAllocator &allocator, llvm::ArrayRef<T> from) {
  return from.copy(allocator);
}

Expr Context::Impl::intern(ExprKind kind, int64_t value, llvm::ArrayRef<Expr> operands,
                           llvm::ArrayRef<Term> terms) {
  llvm::FoldingSetNodeID key;
  Node::profile(key, kind, value, operands, terms);
  void *place;
  if (Node *found = nodes.FindNodeOrInsertPos(key, place))
    return Expr(found);
  Node *node = new (allocator.Allocate<Node>()) Node();
  node->kind = kind;
  node->id = nextId++;
  node->value = value;
  node->operands = copyArray(allocator, operands);
  if (kind == ExprKind::Sum) {
    llvm::SmallVector<Term> owned(terms);
    for (Term &term : owned)
      term.factors = copyArray(allocator, term.factors);
    node->terms = copyArray(allocator, llvm::ArrayRef<Term>(owned));
  } else if (kind != ExprKind::Constant) {
    node->self = {Expr(node), 1};
    node->selfTerm = {1, llvm::ArrayRef<Factor>(node->self)};
    node->terms = llvm::ArrayRef<Term>(node->selfTerm);
  }
  measure(*node);
  nodes.InsertNode(node, place);
  return Expr(node);
}

bool Context::Impl::fits(Expr e) {
  return node(e)->nesting <= kMaxNesting && node(e)->textSize <= kMaxTextSize;
}

Expr Context::Impl::atom(ExprKind kind, llvm::ArrayRef<Expr> operands) {
  Expr made = intern(kind, 0, operands, {});
  return fits(made) ? made : Expr();
}

Context::Context() : impl(std::make_unique<Impl>(*this)) {}
Context::~Context() = default;

Expr Context::wideConstant(int64_t v) { return impl->intern(ExprKind::Constant, v, {}, {}); }

Expr Context::symbol(SymbolInfo info) {
  SymbolId id = SymbolId(impl->symbols.size());
  [[maybe_unused]] bool fresh = impl->symbolsByName.try_emplace(info.name, id).second;
  assert(fresh && "a symbol's name is unique in its context");
  impl->symbols.push_back(std::move(info));
  impl->symbolExprs.push_back(impl->intern(ExprKind::Symbol, id, {}, {}));
  return impl->symbolExprs.back();
}

Expr Context::symbol(SymbolId id) const {
  assert(id < impl->symbols.size());
  return impl->symbolExprs[id];
}

const SymbolInfo &Context::symbolInfo(SymbolId id) const {
  assert(id < impl->symbols.size());
  return impl->symbols[id];
}

std::optional<SymbolId> Context::findSymbol(llvm::StringRef name) const {
  auto found = impl->symbolsByName.find(name);
  if (found == impl->symbolsByName.end())
    return std::nullopt;
  return found->second;
}

uint32_t Context::numSymbols() const { return uint32_t(impl->symbols.size()); }

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static std::optional<int64_t> evaluateOperands(ExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case ExprKind::FloorDiv:
    if (b == 0 || (a == Interval::kMin && b == -1))
      return std::nullopt;
    return floorDiv(a, b);
  case ExprKind::Min:
    return std::min(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  case ExprKind::Unsupported:
  case ExprKind::Constant:
  case ExprKind::Symbol:
  case ExprKind::Sum:
    break;
  }
  llvm_unreachable("not an atom with operands");
}

namespace {

/// Evaluates an expression; atoms that stand in several places once.
class Evaluator {
public:
  explicit Evaluator(Context::Assignment values) : values(values) {}

  std::optional<int64_t> evaluate(Expr e) {
    if (std::optional<int64_t> c = e.asConstant())
      return c;
    switch (e.kind()) {
    case ExprKind::Unsupported:
      return std::nullopt;
    case ExprKind::Symbol:
      return values(e.symbol());
    case ExprKind::Sum:
      return evaluateSum(e);
    case ExprKind::FloorDiv:
    case ExprKind::Min:
    case ExprKind::Max:
      return evaluateAtom(e);
    case ExprKind::Constant:
      break;
    }
    llvm_unreachable("constants are handled above");
  }

private:
  std::optional<int64_t> evaluateSum(Expr e) {
    int64_t sum = 0;
    for (const Term &term : e.terms()) {
      std::optional<int64_t> v = evaluateTerm(term);
      if (!v || __builtin_add_overflow(sum, *v, &sum))
        return std::nullopt;
    }
    return sum;
  }

  std::optional<int64_t> evaluateTerm(const Term &term) {
    int64_t product = term.coefficient;
    for (const Factor &factor : term.factors) {
      std::optional<int64_t> v = evaluate(factor.atom);
      if (!v)
        return std::nullopt;
      for (uint32_t i = 0; i < factor.power; ++i)
        if (__builtin_mul_overflow(product, *v, &product))
          return std::nullopt;
    }
    return product;
  }

  std::optional<int64_t> evaluateAtom(Expr e) {
    if (auto found = known.find(e); found != known.end())
      return found->second;
    std::optional<int64_t> result = evaluate(e.operands().front());
    for (Expr operand : e.operands().drop_front()) {
      std::optional<int64_t> v = evaluate(operand);
      result = result && v ? evaluateOperands(e.kind(), *result, *v) : std::nullopt;
    }
    known.try_emplace(e, result);
    return result;
  }

  Context::Assignment values;
  llvm::SmallDenseMap<Expr, std::optional<int64_t>, 4> known;
};

} // namespace

std::optional<int64_t> Context::evaluate(Expr e, Assignment values) const {
  return Evaluator(values).evaluate(e);
}

std::optional<int64_t> Context::evaluateHint(Expr e) const {
  return evaluate(e, [&](SymbolId id) { return symbolInfo(id).hint; });
}

//===----------------------------------------------------------------------===//
// Substitution and walks
//===----------------------------------------------------------------------===//

namespace {

/// Rebuilds an expression with its symbols replaced; atoms that stand in several places once.
class Substitution {
public:
  Substitution(Context &context, Context::Replacement replace)
      : context(context), replace(replace) {}

  Expr apply(Expr e) {
    if (std::optional<int64_t> c = e.asConstant())
      return context.constant(*c); // wide ones may belong to another context
    switch (e.kind()) {
    case ExprKind::Unsupported:
      return e;
    case ExprKind::Symbol:
      return replace(e.symbol());
    case ExprKind::Sum:
      return applySum(e);
    case ExprKind::FloorDiv:
    case ExprKind::Min:
    case ExprKind::Max:
      return applyAtom(e);
    case ExprKind::Constant:
      break;
    }
    llvm_unreachable("constants are handled above");
  }

private:
  Expr applySum(Expr e) {
    Expr total = context.constant(0);
    for (const Term &term : e.terms()) {
      Expr product = context.constant(term.coefficient);
      for (const Factor &factor : term.factors) {
        Expr value = apply(factor.atom);
        for (uint32_t i = 0; i < factor.power; ++i)
          product = context.mul(product, value);
      }
      total = context.add(total, product);
    }
    return total;
  }

  Expr applyAtom(Expr e) {
    if (auto found = known.find(e); found != known.end())
      return found->second;
    Expr result = apply(e.operands().front());
    for (Expr operand : e.operands().drop_front()) {
      Expr other = apply(operand);
      result = e.kind() == ExprKind::FloorDiv ? context.floordiv(result, other)
               : e.kind() == ExprKind::Min    ? context.min(result, other)
                                              : context.max(result, other);
    }
    known.try_emplace(e, result);
    return result;
  }

  Context &context;
  Context::Replacement replace;
  llvm::SmallDenseMap<Expr, Expr, 4> known;
};

} // namespace

Expr Context::substitute(Expr e, Replacement replace) {
  return Substitution(*this, replace).apply(e);
}

static void collectSymbols(Expr e, llvm::SmallVectorImpl<SymbolId> &found,
                           llvm::DenseSet<Expr> &seen) {
  if (!e.isSupported() || e.isConstant() || !seen.insert(e).second)
    return;
  if (e.kind() == ExprKind::Symbol)
    return found.push_back(e.symbol());
  for (Expr operand : e.operands())
    collectSymbols(operand, found, seen);
  if (e.kind() == ExprKind::Sum)
    for (const Term &term : e.terms())
      for (const Factor &factor : term.factors)
        collectSymbols(factor.atom, found, seen);
}

llvm::SmallVector<SymbolId, 4> Context::symbolsOf(Expr e) const {
  llvm::SmallVector<SymbolId, 4> found;
  if (!e.isSupported() || e.isConstant())
    return found;
  // Nearly all expressions are sums of products of symbols: no table of visited nodes for those.
  auto isPlain = [](const Term &term) {
    return llvm::all_of(
        term.factors, [](const Factor &factor) { return factor.atom.kind() == ExprKind::Symbol; });
  };
  if (llvm::all_of(e.terms(), isPlain)) {
    for (const Term &term : e.terms())
      for (const Factor &factor : term.factors)
        found.push_back(factor.atom.symbol());
  } else {
    llvm::DenseSet<Expr> seen;
    collectSymbols(e, found, seen);
  }
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool Context::usesSymbolKind(Expr e, SymbolKind kind) const {
  if (e.isConstant())
    return false;
  for (SymbolId id : symbolsOf(e))
    if (symbolInfo(id).kind == kind)
      return true;
  return false;
}
