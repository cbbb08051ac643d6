//===- FixedSizes.cpp - Sizes that the guards of a variant say ------------------------------===//
//
// In: variants whose guards are known. Out: their types, sizes and results with numbers in the
// place of symbols that are one number in every call that the guards let in.
//
//===----------------------------------------------------------------------===//
#include "EntryCapture.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

namespace {
class FixedSizes {
public:
  explicit FixedSizes(sym::Context &sizes) : sizes(sizes) {}

  /// What the guards of one variant say of its symbols.
  void learn(sym::ShapeEnv &shapes) {
    for (sym::SymbolId id = 0; id < sizes.numSymbols(); ++id) {
      if (!shapes.source(id) && !shapes.formula(id).isSupported())
        continue;
      if (sym::Expr is = shapes.simplify(sizes.symbol(id)); is.isConstant())
        numbers[id] = is;
    }
  }

  bool isEmpty() const { return numbers.empty(); }

  void apply(llvm::MutableArrayRef<sym::Expr> exprs) const {
    for (sym::Expr &e : exprs)
      if (e.isSupported() && !e.isConstant())
        e = sizes.substitute(e, [&](sym::SymbolId id) {
          sym::Expr is = numbers.lookup(id);
          return is.isSupported() ? is : sizes.symbol(id);
        });
  }
  void apply(TapeValue &type) const {
    apply(type.sizes);
    apply(type.strides);
  }
  void apply(OutValue &out) const {
    apply(out.type);
    for (OutValue &child : out.children)
      apply(child);
  }

private:
  sym::Context &sizes;
  llvm::DenseMap<sym::SymbolId, sym::Expr> numbers;
};
} // namespace

void EntryCapture::fixSizes(llvm::MutableArrayRef<CallVariant> variants) {
  FixedSizes fixed(*sizes);
  for (const auto &[variant, example] : llvm::zip(variants, examples))
    if (variant.active)
      fixed.learn(*example.shapes);
  if (fixed.isEmpty())
    return;
  for (ValueId id = 0; id < e.tape.nextId(); ++id)
    fixed.apply(e.tape.type(id));
  // Operands of an expression are the values of its symbols of the run: none may get lost.
  for (sym::Expr &size : e.sizeExprs)
    if (!sizes->usesSymbolKind(size, sym::SymbolKind::Unbacked))
      fixed.apply(size);
  for (CallVariant &variant : variants) {
    if (!variant.active)
      continue;
    for (ProgramExit &exit : variant.program->exits) {
      fixed.apply(exit.result);
      for (auto &[path, contents] : exit.mutatedInputs)
        fixed.apply(contents);
    }
  }
}
