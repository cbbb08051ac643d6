//===- Sizes.cpp - Sizes at run time ------------------------------------------------===//
//
// In: size expressions. Out: their values on the tape, and symbols for run-time values that became
// sizes. A symbol of an input needs no binding: the artefact reads it from the argument.
//
//===----------------------------------------------------------------------===//
#include "InputNumbers.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace ptc::capture;
namespace sym = ptc::sym;

/// A symbol for a run-time value, named by the ShapeEnv where there is one.
sym::Expr Engine::unbackedSize(int64_t lower, std::optional<int64_t> upper) {
  if (shapes)
    return shapes->createUnbacked(lower, upper);
  sym::SymbolInfo info;
  info.name = "u" + std::to_string(sizes().numSymbols());
  info.lower = lower;
  info.upper = upper;
  info.kind = sym::SymbolKind::Unbacked;
  return sizes().symbol(std::move(info));
}

sym::Expr Engine::bindSize(SymbolBinding binding, int64_t lower) {
  sym::Expr symbol = unbackedSize(lower, {});
  bindings[symbol.symbol()] = binding;
  return symbol;
}

sym::Expr Engine::freshSize(int64_t lower, sym::Expr upper) {
  std::optional<int64_t> bound;
  if (upper.isSupported())
    if (sym::Interval bounds = sizes().bounds(upper); bounds.hasUpper())
      bound = bounds.upper;
  sym::Expr symbol = unbackedSize(lower, bound);
  unboundSizes.push_back(symbol.symbol());
  return symbol;
}

void Engine::bindFreshSizes(llvm::ArrayRef<ValueId> results) {
  for (ValueId id : results)
    for (size_t d = 0; d < tape.type(id).sizes.size(); ++d) {
      sym::Expr size = tape.type(id).sizes[d];
      if (size.isConstant() || size.kind() != sym::ExprKind::Symbol)
        continue;
      if (llvm::is_contained(unboundSizes, size.symbol()) && !bindings.contains(size.symbol()))
        bindings[size.symbol()] = {id, int32_t(d)};
    }
  unboundSizes.clear();
}

const SymbolBinding *Engine::bindingOf(sym::SymbolId symbol) const {
  auto found = bindings.find(symbol);
  return found == bindings.end() ? nullptr : &found->second;
}

sym::Expr Engine::sizeArithmetic(BinaryOp op, sym::Expr x, sym::Expr y) {
  switch (op) {
  case BinaryOp::Add:
    return sizes().add(x, y);
  case BinaryOp::Sub:
    return sizes().sub(x, y);
  case BinaryOp::Mul:
    return sizes().mul(x, y);
  case BinaryOp::FloorDiv:
    return sizes().floordiv(x, y);
  case BinaryOp::Mod:
    return sizes().mod(x, y);
  default:
    return {};
  }
}

namespace {
/// The formula of a run-time int, found through the operations that made it.
struct IntFormula {
  Engine &e;
  unsigned depth = 0;

  /// Deeper formulas, and formulas of more symbols, say nothing that decides a length.
  static constexpr unsigned kMaxDepth = 32;
  static constexpr size_t kMaxSymbols = 8;

  sym::Expr of(ValueId scalar, int64_t lower) {
    auto known = e.scalarSizes.find(scalar);
    if (known != e.scalarSizes.end())
      return known->second;
    sym::Expr size = ofOperation(scalar);
    if (!size.isSupported())
      size = e.bindSize({scalar, -1}, lower);
    e.scalarSizes[scalar] = size;
    return size;
  }

private:
  sym::Expr operand(const Value &v) {
    if (v.is(Kind::Size))
      return v.asSize();
    return v.is(Kind::Scalar) ? of(v.scalarId(), sym::Interval::kMin)
                              : e.sizes().constant(v.asInt());
  }

  sym::Expr ofOperation(ValueId scalar) {
    auto made = e.intOperations.find(scalar);
    if (made == e.intOperations.end() || depth == kMaxDepth)
      return {};
    ++depth;
    const Engine::IntOperation operation = made->second;
    sym::Expr a = operand(operation.a), b = operand(operation.b);
    sym::Expr size = e.sizeArithmetic(operation.op, a, b);
    if (!size.isSupported() || e.sizes().symbolsOf(size).size() > kMaxSymbols)
      return {};
    if (operation.op != BinaryOp::Mod && operation.op != BinaryOp::FloorDiv)
      return size;
    if (size == a || size.isConstant())
      return size;
    // A formula with a quotient in it hides more than its bounds say.
    return e.boundedSize({scalar, -1}, size);
  }
};
} // namespace

sym::Expr Engine::boundedSize(SymbolBinding binding, sym::Expr like) {
  sym::Interval bounds = sizes().bounds(like);
  sym::Expr symbol =
      unbackedSize(bounds.lower, bounds.hasUpper() ? std::optional(bounds.upper) : std::nullopt);
  bindings[symbol.symbol()] = binding;
  return symbol;
}

sym::Expr Engine::sizeOfScalar(ValueId scalar, int64_t lower) {
  return IntFormula{*this}.of(scalar, lower);
}

std::optional<Engine::SizeCases> Engine::casesOf(llvm::ArrayRef<sym::Expr> given) {
  llvm::SmallDenseMap<sym::SymbolId, const std::vector<Value> *, 4> tables;
  SizeCases result;
  size_t count = 1;
  for (sym::Expr size : given)
    for (sym::SymbolId symbol : sizes().symbolsOf(size)) {
      const SymbolBinding *binding = bindingOf(symbol);
      if (!binding)
        continue; // of an input
      auto known = derivedSizes.find(symbol);
      const Derived *by = known == derivedSizes.end() ? nullptr : &known->second;
      if (auto of = derived.find(binding->value); binding->dimension < 0 && of != derived.end())
        by = &of->second;
      if (!by || (result.selector != kUndef && by->selector != result.selector))
        return std::nullopt;
      result.selector = by->selector;
      tables[symbol] = &by->table;
      count = std::max(count, by->table.size());
    }
  if (count > 64)
    return std::nullopt;
  result.cases.resize(count);
  for (size_t n = 0; n < count; ++n) {
    bool isCase = llvm::all_of(tables, [&](const auto &entry) {
      if (n >= entry.second->size())
        return false;
      const Value &there = (*entry.second)[n];
      return there.isSmallInt() || there.is(Kind::Size);
    });
    if (!isCase)
      continue;
    for (sym::Expr size : given)
      result.cases[n].push_back(sizes().substitute(size, [&](sym::SymbolId symbol) {
        auto table = tables.find(symbol);
        if (table == tables.end())
          return sizes().symbol(symbol);
        const Value &there = (*table->second)[n];
        return there.is(Kind::Size) ? there.asSize() : sizes().constant(there.asInt());
      }));
  }
  return result;
}

sym::Expr Engine::settledSize(sym::Expr size) {
  if (isInputSize(size))
    return size;
  std::optional<SizeCases> known = casesOf({size});
  if (!known || known->selector == kUndef)
    return size;
  uint64_t cases = 0;
  for (const auto &[n, there] : llvm::enumerate(known->cases))
    if (!there.empty())
      cases |= uint64_t(1) << n;
  cases = possible(known->selector, cases);
  return llvm::popcount(cases) == 1 ? known->cases[size_t(llvm::countr_zero(cases))][0] : size;
}

bool Engine::settleSizes(llvm::SmallVectorImpl<sym::Expr> &sizes) {
  bool changed = false;
  for (sym::Expr &size : sizes) {
    sym::Expr now = settledSize(size);
    changed |= now != size;
    size = now;
  }
  return changed;
}

Value Engine::compareByCases(CompareOp op, sym::Expr a, sym::Expr b) {
  std::optional<SizeCases> known = casesOf({a, b});
  if (!known || known->selector == kUndef)
    return {};
  std::vector<Value> answers;
  for (const auto &[n, sizesThere] : llvm::enumerate(known->cases)) {
    answers.push_back(Value::boolean(false));
    if (sizesThere.empty() || !possible(known->selector, uint64_t(1) << n))
      continue;
    std::optional<bool> answer = proven(sizes(), op, sizesThere[0], sizesThere[1]);
    if (!answer)
      return {};
    answers.back() = Value::boolean(*answer);
  }
  return mapOf(known->selector, answers);
}

/// A constant as a fraction of small whole numbers, exactly: 0.75 is 3 / 4.
static std::optional<std::pair<int64_t, int64_t>> fractionOf(double x) {
  constexpr int64_t kMost = 1 << 20;
  int64_t divisor = 1;
  while (x != std::floor(x) && divisor < kMost) {
    x *= 2;
    divisor *= 2;
  }
  if (x != std::floor(x) || x < 1 || x > double(kMost))
    return std::nullopt;
  return std::pair(int64_t(x), divisor);
}

void Engine::noteQuotient(ValueId result, BinaryOp op, const Value &a, const Value &b) {
  auto constant = [&](int64_t i) { return sizes().constant(i); };
  if (op == BinaryOp::TrueDiv && a.is(Kind::Size) && b.is(Kind::Size))
    quotients[result] = {a.asSize(), b.asSize()};
  else if (op == BinaryOp::TrueDiv && a.is(Kind::Size) && b.isSmallInt() && b.asInt() > 0)
    quotients[result] = {a.asSize(), constant(b.asInt())};
  else if (op == BinaryOp::TrueDiv && a.is(Kind::Size) && b.is(Kind::Float)) {
    // Only a whole divisor leaves a quotient of whole numbers, rounded once.
    if (auto fraction = fractionOf(b.asFloat()); fraction && fraction->second == 1)
      quotients[result] = {a.asSize(), constant(fraction->first)};
  } else if (op == BinaryOp::Mul && (a.is(Kind::Size) != b.is(Kind::Size))) {
    const Value &size = a.is(Kind::Size) ? a : b, &factor = a.is(Kind::Size) ? b : a;
    if (!factor.is(Kind::Float))
      return;
    if (auto fraction = fractionOf(factor.asFloat()))
      quotients[result] = {sizes().mul(size.asSize(), constant(fraction->first)),
                           constant(fraction->second)};
  }
}

Value Engine::wholePart(const Value &v, bool up) {
  auto found = v.is(Kind::Scalar) ? quotients.find(v.scalarId()) : quotients.end();
  if (found == quotients.end())
    return {};
  auto [dividend, divisor] = found->second;
  if (!isInputSize(dividend) || !isInputSize(divisor))
    return {};
  // Below 2^51 a quotient that is not whole does not become whole when it is rounded.
  for (sym::Expr size : {dividend, divisor}) {
    PTC_GET(few, decideSizes(CompareOp::Le, size, sizes().constant(int64_t(1) << 51),
                             "a quotient of sizes"));
    PTC_GET(negative, decideSizes(CompareOp::Lt, size, sizes().constant(0), "a quotient of sizes"));
    if (!few || negative)
      return {};
  }
  sym::Expr whole = up ? sizes().neg(sizes().floordiv(sizes().neg(dividend), divisor))
                       : sizes().floordiv(dividend, divisor);
  return whole.isSupported() ? Value::size(whole) : Value();
}

bool Engine::sizeKnownBefore(sym::Expr e, ValueId before) const {
  if (e.isConstant())
    return true;
  return llvm::all_of(sizeContext().symbolsOf(e), [&](sym::SymbolId symbol) {
    const SymbolBinding *binding = bindingOf(symbol);
    return binding ? binding->value < before : !shapes || before > shapes->firstInput;
  });
}

bool Engine::isInputSize(sym::Expr e) const {
  return !sizeContext().usesSymbolKind(e, sym::SymbolKind::Unbacked);
}

TapeArg Engine::sizeOperand(TapeBlock &into, sym::Expr e) {
  if (std::optional<int64_t> constant = e.asConstant())
    return TapeArg::integer(*constant);
  TapeValue type;
  type.type = TapeType::Int;
  if (e.kind() == sym::ExprKind::Symbol) {
    if (const SymbolBinding *binding = bindingOf(e.symbol())) {
      if (binding->dimension < 0)
        return TapeArg::value(binding->value);
      return TapeArg::value(emitIn(into, TapeOp::SizeOf, {TapeArg::value(binding->value)}, type,
                                   {TapeArg::integer(binding->dimension)}));
    }
  }
  // Operands: the values of the run-time symbols, in ascending order of the symbols.
  std::vector<TapeArg> args;
  for (sym::SymbolId symbol : sizeContext().symbolsOf(e))
    if (bindingOf(symbol))
      args.push_back(sizeOperand(into, sizeContext().symbol(symbol)));
  return TapeArg::value(
      emitIn(into, TapeOp::SizeExpr, std::move(args), type, {TapeArg::integer(sizeExprIndex(e))}));
}

int64_t Engine::sizeExprIndex(sym::Expr e) {
  auto found = llvm::find(sizeExprs, e);
  if (found == sizeExprs.end()) {
    sizeExprs.push_back(e);
    return int64_t(sizeExprs.size()) - 1;
  }
  return found - sizeExprs.begin();
}

llvm::SmallVector<sym::Expr, 4> Engine::contiguousStrides(llvm::ArrayRef<sym::Expr> shape) {
  llvm::SmallVector<sym::Expr, 4> strides(shape.size());
  sym::Expr stride = sizes().constant(1);
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride = sizes().mul(stride, sizes().max(shape[d], sizes().constant(1)));
  }
  return strides;
}

bool Engine::isContiguous(llvm::ArrayRef<sym::Expr> shape, llvm::ArrayRef<sym::Expr> strides) {
  return llvm::equal(contiguousStrides(shape), strides);
}
