//===- Sizes.cpp - Sizes at run time ------------------------------------------------===//
//
// In: size expressions. Out: their values on the tape, and symbols for run-time values that became
// sizes. A symbol of an input needs no binding: the artefact reads it from the argument.
//
//===----------------------------------------------------------------------===//
#include "Engine.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

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

sym::Expr Engine::sizeOfScalar(ValueId scalar, int64_t lower) {
  auto [place, fresh] = scalarSizes.try_emplace(scalar);
  if (fresh) {
    sym::Expr symbol = bindSize({scalar, -1}, lower);
    scalarSizes[scalar] = symbol;
    return symbol;
  }
  return place->second;
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
