//===- JoinSizes.cpp - Sizes and strides of joined tensors -----------------------------------===//
//
// In: tensors and ints that sides of a join have in one place. Out: the sizes and strides of what
// stands for them: those that all sides have, else symbols that the joined value binds, which know
// their values where the sides' are constants.
//
//===----------------------------------------------------------------------===//
#include "Join.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

/// A joined int that may be a size is one symbol with the joined sizes that are the same on each
/// side.
void Joiner::shareSize(ValueId joined, const PerSide &values) {
  if (options.head)
    return;
  SizeBySide bySide;
  for (const auto &[s, v] : values) {
    auto known = v.is(Kind::Scalar) ? e.scalarSizes.find(v.scalarId()) : e.scalarSizes.end();
    sym::Expr size;
    if (known != e.scalarSizes.end())
      size = known->second;
    else if (v.is(Kind::Size) || v.is(Kind::Int))
      size = v.is(Kind::Size) ? v.asSize() : e.sizes().constant(v.asInt());
    if (!size.isSupported() || e.sizes().bounds(size).lower < 0)
      return;
    bySide.emplace_back(sides[s].number, size);
  }
  sym::Expr size = sharedSize(std::move(bySide), [&] { return e.sizeOfScalar(joined, 0); });
  e.scalarSizes.try_emplace(joined, size);
}

/// An int that grows evenly in a loop, or that is known behind its end.
sym::Expr Joiner::joinedFormula(const PerSide &values) {
  if (!options.count && !options.end)
    return {};
  SizeBySide bySide;
  for (const auto &[s, v] : values)
    bySide.emplace_back(sides[s].number, formulaOf(e, v));
  return knownSize(bySide);
}

sym::Expr Joiner::knownSize(const SizeBySide &bySide) {
  return options.head ? evenGrowth(bySide) : options.end ? sameAtEnd(bySide) : sym::Expr();
}

sym::Expr Joiner::sharedSize(SizeBySide bySide, llvm::function_ref<sym::Expr()> make) {
  if (sym::Expr known = knownSize(bySide); known.isSupported())
    return known;
  // In a loop the later passes could break what the first promises.
  if (options.head)
    return make();
  llvm::sort(bySide, llvm::less_first());
  for (const auto &[known, size] : joinedSizes)
    if (known == bySide)
      return size;
  sym::Expr size = make();
  joinedSizes.emplace_back(std::move(bySide), size);
  return size;
}

sym::Expr Joiner::joinSizes(llvm::ArrayRef<std::pair<unsigned, sym::Expr>> sizes) {
  sym::Expr first = sizes[0].second;
  bool same = llvm::all_of(sizes, [&](const auto &p) { return p.second == first; });
  if (same && e.sizeKnownBefore(first, options.before))
    return first;
  SizeBySide bySide;
  for (const auto &[s, expr] : sizes)
    bySide.emplace_back(this->sides[s].number, expr);
  if (sym::Expr known = knownSize(bySide); known.isSupported())
    return known;
  std::map<int64_t, TapeArg> yields;
  for (const auto &[s, expr] : sizes)
    yields[sides[s].number] = yieldOf(s, Value::size(expr));
  TapeValue type;
  type.type = TapeType::Int;
  TapeArg joined = result(std::move(yields), type);
  if (!joined.isValue())
    return e.sizes().constant(joined.asInt());
  return e.sizeOfScalar(joined.id(), 0);
}

bool Joiner::sizeAsContents(TensorNode &node) const {
  auto contents = out.find({node.storage, slot::kContent});
  if (!node.steps.empty() || contents == out.end() || !contents->second.is(Kind::Raw))
    return false;
  const TapeValue &type = e.tape.type(contents->second.asRaw());
  node.sizes = type.sizes;
  node.strides = type.strides;
  return true;
}

/// Sizes and strides that are constants, or formulas of input sizes, on every path keep which path
/// has which, as ints do: what asks for the layout then asks once where the program went.
void Joiner::deriveLayout(llvm::ArrayRef<sym::Expr> joined, const LayoutBySide &bySide) {
  constexpr size_t kMaxLayouts = 12;
  if (options.head || options.selector == kUndef || key == callKey())
    return;
  std::vector<llvm::SmallVector<sym::Expr, 4>> layouts;
  std::vector<SidePlaces> sidePlaces;
  for (const auto &[n, sizes] : bySide) {
    std::optional<Engine::SizeCases> cases = e.casesOf(sizes);
    if (!cases)
      return;
    SidePlaces &side = sidePlaces.emplace_back(SidePlaces{n, cases->selector, {}});
    for (const auto &layout : cases->cases) {
      if (!llvm::all_of(layout, [&](sym::Expr size) { return e.isInputSize(size); }))
        return;
      side.places.push_back(layout.empty() ? -1 : rowOf(layouts, layout));
    }
    if (layouts.size() > kMaxLayouts)
      return;
  }
  TapeArg selector = selectorOver(sidePlaces);
  if (!selector.isValue())
    return;
  for (const auto &[i, symbol] : llvm::enumerate(joined)) {
    if (symbol.kind() != sym::ExprKind::Symbol || !e.bindingOf(symbol.symbol()))
      continue;
    Engine::Derived by{selector.id(), {}};
    for (const auto &layout : layouts)
      by.table.push_back(sizeValue(layout[i]));
    e.derivedSizes[symbol.symbol()] = std::move(by);
  }
}

/// Sizes that differ become run-time sizes of the result.
void Joiner::joinTypes(ValueId id, const std::map<int64_t, TapeArg> &yields) {
  TapeValue type = e.tape.type(id);
  bool contiguous = true;
  llvm::SmallVector<bool, 4> sizeDiffers(type.sizes.size()), strideDiffers(type.sizes.size());
  for (const auto &[n, arg] : yields) {
    if (!arg.isValue() || arg.id() == kUndef)
      continue;
    const TapeValue &other = e.tape.type(arg.id());
    contiguous &= e.isContiguous(other.sizes, other.strides);
    for (size_t d = 0; d < type.sizes.size(); ++d) {
      sizeDiffers[d] = sizeDiffers[d] || other.sizes[d] != type.sizes[d] ||
                       !e.sizeKnownBefore(other.sizes[d], options.before);
      strideDiffers[d] = strideDiffers[d] || other.strides[d] != type.strides[d] ||
                         !e.sizeKnownBefore(other.strides[d], options.before);
    }
  }
  if (type.type == TapeType::List) {
    llvm::SmallBitVector which(unsigned(type.sizes.size()));
    for (auto [d, differs] : llvm::enumerate(sizeDiffers))
      which[unsigned(d)] = differs;
    if (forgetSizes(e, type, which)) {
      e.tape.type(id) = std::move(type);
      return;
    }
  }
  for (size_t d = 0; d < type.sizes.size(); ++d) {
    if (!sizeDiffers[d])
      continue;
    SizeBySide bySide;
    for (const auto &[n, arg] : yields)
      if (arg.isValue() && arg.id() != kUndef)
        bySide.emplace_back(n, e.tape.type(arg.id()).sizes[d]);
    type.sizes[d] = sharedSize(std::move(bySide), [&] { return e.bindSize({id, int32_t(d)}); });
  }
  if (contiguous)
    type.strides = e.contiguousStrides(type.sizes);
  else
    for (size_t d = 0; d < type.sizes.size(); ++d)
      if (strideDiffers[d])
        type.strides[d] = e.bindSize({id, int32_t(d) + kStrideDimension});
  auto layoutOf = [](const TapeValue &t) {
    llvm::SmallVector<sym::Expr, 8> layout(t.sizes.begin(), t.sizes.end());
    layout.append(t.strides.begin(), t.strides.end());
    return layout;
  };
  LayoutBySide bySide;
  for (const auto &[n, arg] : yields)
    if (arg.isValue() && arg.id() != kUndef)
      bySide.emplace_back(n, layoutOf(e.tape.type(arg.id())));
  if (llvm::is_contained(strideDiffers, true) || llvm::is_contained(sizeDiffers, true))
    deriveLayout(layoutOf(type), bySide);
  e.tape.type(id) = std::move(type);
}
