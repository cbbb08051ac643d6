//===- EmitSizes.cpp - Sizes at run time --------------------------------------------===//
//
// In: size expressions, types of results that name run-time symbols. Out: operations that compute
// sizes, and operations that say what the names in a type stand for.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

bool Emitter::isInput(sym::SymbolId id) const {
  return llvm::any_of(p.inputSymbols, [&](const InputSymbol &s) { return s.symbol == id; });
}

void Emitter::emitSizeExpr(const TapeInstr &instr, Location loc) {
  sym::Expr expr = owner.sizeExprs[instr.attrs[0].asInt()];
  SmallVector<Ssa> operands;
  SmallVector<StringRef> names;
  for (sym::SymbolId symbol : p.sizes->symbolsOf(expr))
    if (!isInput(symbol))
      names.push_back(p.sizes->symbolInfo(symbol).name);
  for (const TapeArg &arg : instr.args)
    operands.push_back(valueOf(arg, b.getI64Type(), loc));
  assert(names.size() == operands.size() && "a value for each symbol that is no input's");
  bind(instr.results[0], program::SizeExprOp::create(b, loc, b.getI64Type(), operands,
                                                     p.sizes->str(expr), b.getStrArrayAttr(names)));
}

StringAttr Emitter::sizeText(int64_t index) {
  return b.getStringAttr(p.sizes->str(owner.sizeExprs[size_t(index)]));
}

Ssa Emitter::sizeOf(Ssa tensor, int64_t dimension, Location loc) {
  bool isStride = dimension >= kStrideDimension;
  return program::SizeOfOp::create(b, loc, tensor, dimension - (isStride ? kStrideDimension : 0),
                                   isStride);
}

//===----------------------------------------------------------------------===//
// What the names in a type stand for
//===----------------------------------------------------------------------===//

static void addSymbols(const sym::Context &context, ArrayRef<sym::Expr> exprs,
                       Emitter::Symbols &out) {
  for (sym::Expr e : exprs)
    if (e.isSupported())
      for (sym::SymbolId id : context.symbolsOf(e))
        if (!llvm::is_contained(out, id))
          out.push_back(id);
}

/// Names that readers of a result cannot learn: they stand in formulas only, and no tensor among
/// the operands has them.
static Emitter::Symbols hiddenNames(const sym::Context &context, const TapeValue &type,
                                    const Emitter::Symbols &known) {
  Emitter::Symbols all, hidden;
  addSymbols(context, type.sizes, all);
  addSymbols(context, type.strides, all);
  auto isAlone = [](sym::SymbolId id) {
    return [id](sym::Expr e) { return e.kind() == sym::ExprKind::Symbol && e.symbol() == id; };
  };
  for (sym::SymbolId id : all)
    if (!llvm::is_contained(known, id) && llvm::none_of(type.sizes, isAlone(id)))
      hidden.push_back(id);
  return hidden;
}

/// The value that a symbol stands for where the builder stands; null: it is not to be had there.
Ssa Emitter::valueOfSymbol(sym::SymbolId id, Location loc) {
  auto binding = owner.bindings.find(id);
  if (binding == owner.bindings.end() || !isBound(binding->second.value))
    return {};
  Ssa value = lookup(binding->second.value);
  if (!value.getParentRegion()->isAncestor(b.getInsertionBlock()->getParent()))
    return {};
  int32_t dimension = binding->second.dimension;
  return dimension < 0 ? convert(value, b.getI64Type(), loc) : sizeOf(value, dimension, loc);
}

/// The names in the types of tensors among `args`.
void Emitter::addNames(ArrayRef<TapeArg> args, Symbols &out) const {
  for (const TapeArg &arg : args) {
    addNames(arg.items, out);
    if (!arg.isValue() || arg.id() == kUndef)
      continue;
    addSymbols(*p.sizes, owner.tape.type(arg.id()).sizes, out);
    addSymbols(*p.sizes, owner.tape.type(arg.id()).strides, out);
  }
}

Emitter::Naming Emitter::namingOf(const TapeValue &type, ArrayRef<TapeArg> operands, Location loc) {
  Naming naming{type, {}, {}};
  Symbols known;
  for (const InputSymbol &input : p.inputSymbols)
    known.push_back(input.symbol);
  addNames(operands, known);
  Symbols hidden = hiddenNames(*p.sizes, naming.type, known);
  // What is given its type again is an operand without the names of the others.
  if (!hidden.empty()) {
    known.clear();
    for (const InputSymbol &input : p.inputSymbols)
      known.push_back(input.symbol);
    hidden = hiddenNames(*p.sizes, naming.type, known);
  }
  for (sym::SymbolId id : hidden) {
    Ssa value = valueOfSymbol(id, loc);
    if (!value)
      return {type, {}, {}};
    naming.numbers.push_back(value);
    naming.symbols.push_back(b.getStringAttr(p.sizes->symbolInfo(id).name));
  }
  auto isHidden = [&](sym::Expr e) {
    return llvm::any_of(p.sizes->symbolsOf(e),
                        [&](sym::SymbolId id) { return llvm::is_contained(hidden, id); });
  };
  bool isDense = naming.type.strides == aten::contiguousStrides(*p.sizes, naming.type.sizes);
  auto rename = [&](SmallVectorImpl<sym::Expr> &exprs) {
    for (sym::Expr &e : exprs)
      if (isHidden(e))
        e = p.sizes->symbol({.name = "t" + std::to_string(p.sizes->numSymbols()),
                             .lower = 0,
                             .kind = sym::SymbolKind::Unbacked});
  };
  rename(naming.type.sizes);
  if (isDense)
    naming.type.strides = aten::contiguousStrides(*p.sizes, naming.type.sizes);
  else
    rename(naming.type.strides);
  return naming;
}

Ssa Emitter::named(Ssa value, const Naming &naming, Type type, Location loc) {
  if (naming.symbols.empty())
    return value;
  return program::RetypeOp::create(b, loc, type, value, naming.numbers,
                                   b.getArrayAttr(naming.symbols));
}
