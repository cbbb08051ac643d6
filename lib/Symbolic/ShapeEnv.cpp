//===- ShapeEnv.cpp - Input symbols, decisions and the guards they need ---------------===//
//
// In: the example, the dynamic dimensions, questions of capture and of meta functions. Out:
// expressions, answers, guards with origins. Proofs are in ShapeFacts.cpp.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <cassert>
#include <numeric>

using namespace ptc;
using namespace ptc::sym;

ShapeEnv::ShapeEnv(ObservableSpace &space, const DynamicDims &dims, const Observation &example,
                   Options options)
    : observables(space), dims(dims), observed(example), options(std::move(options)),
      owner(this->options.context ? this->options.context : std::make_shared<Context>()),
      symbols(*owner) {}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

void ShapeEnv::recordGuard(const Atom &atom, const GuardOrigin &origin) {
  auto key = std::pair(unsigned(atom.kind), atom.expr);
  auto [known, fresh] = guardIndex.try_emplace(key, guardTrail.size());
  if (!fresh) {
    Recorded &recorded = guardTrail[known->second];
    if (isOutside(recorded)) {
      recorded.only.reset();
      recorded.guard.origins = {origin};
    }
    return;
  }
  Recorded recorded{{classify(observables, atom), atom, {origin}}, {}, {}};
  if (!sides.empty()) {
    recorded.only = sides.back();
    for (SymbolId id : observables.context().symbolsOf(atom.expr))
      for (const auto &[symbol, source] : sources)
        if (observables.symbol(source).symbol() == id) {
          recorded.used.push_back(symbol);
          for (const auto &[derived, formula] : formulas)
            if (llvm::is_contained(symbols.symbolsOf(formula), symbol))
              recorded.used.push_back(derived);
        }
  }
  guardTrail.push_back(std::move(recorded));
}

/// Does it remember a side, and is this not in it?
bool ShapeEnv::isOutside(const Recorded &recorded) const {
  return recorded.only && llvm::none_of(sides, [&](const SourceLoc &side) {
           return side.line == recorded.only->line && side.file == recorded.only->file;
         });
}

/// What is known of these symbols was used here: guards of other sides among it are needed here,
/// too.
void ShapeEnv::noteFactsUsed(Expr e) {
  if (llvm::none_of(guardTrail, [&](const Recorded &recorded) { return isOutside(recorded); }))
    return;
  llvm::SmallVector<SymbolId, 4> used = symbols.symbolsOf(e);
  for (Recorded &recorded : guardTrail)
    if (isOutside(recorded) &&
        llvm::any_of(recorded.used, [&](SymbolId id) { return llvm::is_contained(used, id); }))
      recorded.only.reset();
}

void ShapeEnv::markSize(DimMark mark) {
  bool known = llvm::any_of(marked, [&](const DimMark &other) {
    return other.where == mark.where && other.kind == mark.kind;
  });
  if (!known)
    marked.push_back(std::move(mark));
}

/// `a relation b` over observables, unless it always holds.
void ShapeEnv::requireOf(Expr a, Relation relation, Expr b, const GuardOrigin &origin) {
  Context &context = observables.context();
  std::optional<Atom> atom = makeAtom(context, relation, a, b);
  assert(atom && "two sides have an atom: sizes and constants do, others were asked before");
  if (isTrue(context, *atom) != true)
    recordGuard(*atom, origin);
}

void ShapeEnv::addGuardOn(const Observable &observable, int64_t value, const GuardOrigin &origin) {
  requireOf(observables.symbol(observable), Relation::Equal, observables.context().constant(value),
            origin);
}

Expr ShapeEnv::toObservables(Expr e) {
  // 16*K is L again where K is L // 16, which divides it.
  if (!multiples.empty())
    for (SymbolId id : symbols.symbolsOf(e)) {
      auto multiple = multiples.find(id);
      std::optional<int64_t> times = findLinearCoefficient(symbols, e, id);
      if (multiple == multiples.end() || !times || *times % multiple->second.first)
        continue;
      auto [factor, whole] = multiple->second;
      Expr difference =
          symbols.sub(whole, symbols.mul(symbols.constant(factor), symbols.symbol(id)));
      Expr same = symbols.add(e, symbols.mul(symbols.constant(*times / factor), difference));
      e = same.isSupported() ? same : e;
    }
  return observables.context().substitute(e, [&](SymbolId id) {
    if (Expr formula = formulas.lookup(id); formula.isSupported())
      return toObservables(formula);
    auto found = sources.find(id);
    assert(found != sources.end() && "run-time sizes are never guarded");
    return observables.symbol(found->second);
  });
}

void ShapeEnv::noteNarrowing(const Atom &atom, const GuardOrigin &origin) {
  llvm::SmallVector<SymbolId, 4> used = symbols.symbolsOf(atom.expr);
  bool onlyDeclared = llvm::all_of(
      used, [&](SymbolId id) { return symbols.symbolInfo(id).kind == SymbolKind::Declared; });
  if (!onlyDeclared || options.allowNarrowing)
    return;
  std::string names, tried;
  for (SymbolId id : used) {
    const SymbolInfo &info = symbols.symbolInfo(id);
    names += (names.empty() ? "" : ", ") + info.name;
    std::string range = std::to_string(info.lower) + ".." +
                        (info.upper ? std::to_string(*info.upper) : std::string());
    if (info.hint)
      tried += (tried.empty() ? "of a call with " : ", ") + info.name + " = " +
               std::to_string(*info.hint) + " (declared: " + range + ")";
  }
  Diagnostic diag =
      makeDiagnostic(DiagId::DeclaredSizeNarrowed, origin.loc,
                     atomText(observables, {atom.kind, toObservables(atom.expr)}), names);
  std::string why = origin.reason.empty() ? "" : "because " + origin.reason;
  if (!tried.empty())
    why += (why.empty() ? "" : ", ") + tried;
  if (!why.empty())
    diag.note(why, origin.loc);
  diag.hint("declare a size that satisfies it, or compile for such sizes alone with "
            "--allow-narrowing");
  narrowed.push_back(std::move(diag));
}

void ShapeEnv::rollback(const Mark &mark) {
  while (guardTrail.size() > mark.guards) {
    const Atom &atom = guardTrail.back().guard.atom;
    guardIndex.erase({unsigned(atom.kind), atom.expr});
    guardTrail.pop_back();
  }
  narrowed.erase(narrowed.begin() + std::ptrdiff_t(mark.narrowings), narrowed.end());
  if (facts.size() == mark.facts)
    return;
  // What was derived may mix facts from both sides of the mark: derive it again.
  std::vector<Fact> kept(facts.begin(), facts.begin() + std::ptrdiff_t(mark.facts));
  facts.clear();
  replacements.clear();
  refined.clear();
  for (const Fact &fact : kept)
    addFact(fact.atom);
}

GuardSet ShapeEnv::guards() const {
  llvm::SmallVector<Guard, 0> found;
  for (const Recorded &recorded : guardTrail) {
    Guard guard = recorded.guard;
    if (recorded.only) {
      GuardOrigin &origin = guard.origins.front();
      const SourceLoc &side = *recorded.only;
      std::string line = std::to_string(side.line);
      if (side.isKnown())
        origin.reason += (origin.reason.empty() ? "" : "; ") + std::string("needed only if ") +
                         (side.file == origin.loc.file ? "line " + line : side.file + ":" + line) +
                         " is taken";
    }
    found.push_back(std::move(guard));
  }
  return GuardSet(found);
}

std::optional<Observable> ShapeEnv::source(SymbolId symbol) const {
  auto found = sources.find(symbol);
  return found == sources.end() ? std::nullopt : std::optional(found->second);
}

bool ShapeEnv::isOfSizes(SymbolId symbol) const {
  if (Expr formula = formulas.lookup(symbol); formula.isSupported())
    return llvm::any_of(symbols.symbolsOf(formula), [&](SymbolId id) { return isOfSizes(id); });
  auto found = sources.find(symbol);
  return found != sources.end() && (found->second.kind == ObservableKind::Size ||
                                    symbols.symbolInfo(symbol).kind == SymbolKind::Declared);
}

std::string ShapeEnv::uniqueName(llvm::StringRef name) const {
  std::string unique = name.str();
  for (unsigned n = 1; symbols.findSymbol(unique); ++n)
    unique = (name + "_" + llvm::Twine(n)).str();
  return unique;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Expr ShapeEnv::createInputSymbol(SymbolInfo info, const Observable &source) {
  Expr symbol = symbols.symbol(std::move(info));
  sources.try_emplace(symbol.symbol(), source);
  return symbol;
}

/// A size that the program marked with bounds. It stands for no other one, which has none.
Expr ShapeEnv::createBounded(const DimMark &mark, const Observable &source, int64_t hint,
                             const GuardOrigin &specialised) {
  int64_t lower = std::max<int64_t>(mark.lower.value_or(2), 2);
  if (hint < lower || (mark.upper && hint > *mark.upper)) {
    addGuardOn(source, hint, {mark.loc, "the example is out of the bounds that it is marked with"});
    return symbols.constant(hint);
  }
  Expr size = observables.symbol(source);
  Context &context = observables.context();
  GuardOrigin bounds{mark.loc, "the size is marked with bounds"};
  requireOf(size, Relation::GreaterEqual, context.constant(lower),
            mark.lower && *mark.lower >= 2 ? bounds : specialised);
  if (mark.upper)
    requireOf(size, Relation::LessEqual, context.constant(*mark.upper), bounds);
  return createInputSymbol({.name = "s" + std::to_string(symbols.numSymbols()),
                            .lower = lower,
                            .upper = mark.upper,
                            .hint = hint},
                           source);
}

Expr ShapeEnv::createSize(const DimRef &dim, int64_t hint, const GuardOrigin &origin) {
  Observable source = dim.observable();
  if (auto declared = declaredDims.find(dim); declared != declaredDims.end())
    return declared->second;
  GuardOrigin specialised{origin.loc, "sizes 0 and 1 are specialised"};
  if (!dims.isDynamic(dim) || hint <= 1) {
    addGuardOn(source, hint, dims.isDynamic(dim) ? specialised : origin);
    return symbols.constant(hint);
  }
  if (const DimMark *mark = dims.findMark(dim); mark && (mark->lower || mark->upper))
    return createBounded(*mark, source, hint, specialised);
  Expr size = observables.symbol(source);
  for (const auto &[other, symbol] : dynamicSizes) {
    if (symbols.symbolInfo(symbol).hint != hint || !dims.areAlwaysEqual(dim, other))
      continue;
    requireOf(size, Relation::Equal, toObservables(symbol),
              {origin.loc, "sizes that are equal in every example share a symbol"});
    return symbol;
  }
  Expr symbol = createInputSymbol(
      {.name = "s" + std::to_string(symbols.numSymbols()), .lower = 2, .hint = hint}, source);
  dynamicSizes.emplace(dim, symbol);
  requireOf(size, Relation::GreaterEqual, observables.context().constant(2), specialised);
  return symbol;
}

llvm::ArrayRef<Expr> ShapeEnv::addTensor(llvm::StringRef path, const GuardOrigin &origin) {
  auto found = tensors.find(std::string_view(path));
  if (found != tensors.end())
    return found->second;
  const ObservedValue *value = observed.find(path);
  assert(value && value->tag == ValueTag::Tensor && "the example has a tensor at this path");
  llvm::cantFail(declareSizes());
  for (ObservableKind kind : {ObservableKind::Tag, ObservableKind::Rank, ObservableKind::DType,
                              ObservableKind::Device, ObservableKind::RequiresGrad})
    specialize(Observable{kind, path.str(), 0, {}}, origin);
  llvm::SmallVector<Expr, 4> sizes;
  for (auto [dim, size] : llvm::enumerate(value->tensor.sizes))
    sizes.push_back(createSize({path.str(), unsigned(dim)}, size, origin));
  return tensors.emplace(path.str(), std::move(sizes)).first->second;
}

Expr ShapeEnv::createStride(llvm::StringRef path, unsigned dim, int64_t hint,
                            const GuardOrigin &origin) {
  Observable source{ObservableKind::Stride, path.str(), dim, {}};
  addGuardOn(source, hint, origin);
  return symbols.constant(hint);
}

/// Whether results may lie channels last, which eager sees by strides of one element as well.
static bool isPicture(unsigned rank) { return rank == 4 || rank == 5; }

llvm::SmallVector<Expr, 4> ShapeEnv::strides(llvm::StringRef path, const GuardOrigin &origin) {
  llvm::ArrayRef<Expr> sizes = addTensor(path, origin);
  const ObservedTensor &tensor = observed.find(path)->tensor;
  unsigned rank = unsigned(sizes.size());
  llvm::SmallVector<Expr, 4> strides(rank);
  auto order = findDenseOrder(tensor.sizes, tensor.strides);
  if (!order) {
    // Of a dimension of one element the stride means nothing, but in pictures.
    for (unsigned d = 0; d < rank; ++d)
      strides[d] = sizes[d].isOne() && !isPicture(rank)
                       ? symbols.constant(1)
                       : createStride(path, d, tensor.strides[d], origin);
    return strides;
  }
  if (rank > 0)
    addGuardOn({ObservableKind::Dense, path.str(), encodeOrder(*order), {}}, 1, origin);
  Expr stride = symbols.constant(1);
  for (unsigned d : llvm::reverse(*order)) {
    strides[d] = stride;
    stride = symbols.mul(stride, symbols.max(sizes[d], symbols.constant(1)));
  }
  for (unsigned d = 0; d < rank && isPicture(rank); ++d)
    if (sizes[d].isOne() && hint(strides[d]) != tensor.strides[d])
      strides[d] = createStride(path, d, tensor.strides[d], origin);
  return strides;
}

std::optional<int64_t> ShapeEnv::findIdleStride(llvm::StringRef path, unsigned dim) const {
  const ObservedTensor &tensor = observed.find(path)->tensor;
  if (tensor.sizes[dim] != 1 && !llvm::is_contained(tensor.sizes, 0))
    return std::nullopt;
  return tensor.strides[dim];
}

bool ShapeEnv::mayBeIdle(llvm::StringRef path, unsigned dim, const GuardOrigin &origin) {
  llvm::ArrayRef<Expr> sizes = addTensor(path, origin);
  auto mayBe = [&](Expr size, int64_t bound) {
    return symbols.isLess(symbols.constant(bound), size) != true;
  };
  return mayBe(sizes[dim], 1) || llvm::any_of(sizes, [&](Expr size) { return mayBe(size, 0); });
}

bool ShapeEnv::specializeIdleStrides(llvm::StringRef path, const GuardOrigin &origin) {
  bool same = true;
  for (auto [dim, said] : llvm::enumerate(strides(path, origin))) {
    std::optional<int64_t> given = findIdleStride(path, unsigned(dim));
    if (!given && !mayBeIdle(path, unsigned(dim), origin))
      continue;
    Observable source{ObservableKind::Stride, path.str(), int64_t(dim), {}};
    if (!given || hint(said) == given) {
      requireOf(observables.symbol(source), Relation::Equal, toObservables(said), origin);
    } else {
      addGuardOn(source, *given, origin);
      same = false;
    }
  }
  return same;
}

bool ShapeEnv::specializeIdleStrides(const GuardOrigin &origin) {
  bool same = true;
  for (const auto &[id, path] : tensorPaths)
    same &= specializeIdleStrides(path, origin);
  return same;
}

Expr ShapeEnv::addInt(llvm::StringRef path, const GuardOrigin &origin) {
  auto found = tensors.find(std::string_view(path));
  if (found != tensors.end())
    return found->second.front();
  const ObservedValue *value = observed.find(path);
  assert(value && value->tag == ValueTag::Int && "the example has an int at this path");
  llvm::cantFail(declareSizes());
  specialize(Observable{ObservableKind::Tag, path.str(), 0, {}}, origin);
  if (auto declared = declaredDims.find({path.str(), DimRef::kNumber});
      declared != declaredDims.end())
    return declared->second;
  Expr symbol = createInputSymbol({.name = "i" + std::to_string(symbols.numSymbols()),
                                   .lower = Interval::kMin,
                                   .hint = value->number},
                                  {ObservableKind::Value, path.str(), 0, {}});
  tensors.emplace(path.str(), llvm::SmallVector<Expr, 4>{symbol});
  return symbol;
}

std::optional<int64_t> ShapeEnv::specialize(const Observable &observable,
                                            const GuardOrigin &origin) {
  std::optional<int64_t> value = observed.read(observable, observables.strings());
  if (value)
    addGuardOn(observable, *value, origin);
  return value;
}

/// What besides the type says all about a value of this type.
static llvm::SmallVector<ObservableKind, 2> observablesOf(ValueTag tag) {
  switch (tag) {
  case ValueTag::None:
  case ValueTag::Tensor:
  case ValueTag::Complex: // no observable yet: Observation cannot hold one
    return {};
  case ValueTag::Bool:
    return {ObservableKind::BoolValue};
  case ValueTag::Int:
    return {ObservableKind::Value};
  case ValueTag::Float:
    return {ObservableKind::FloatBits};
  case ValueTag::Str:
    return {ObservableKind::StringValue};
  case ValueTag::List:
  case ValueTag::Tuple:
    return {ObservableKind::Length};
  case ValueTag::Set:
  case ValueTag::Dict:
    return {ObservableKind::Length, ObservableKind::Keys};
  case ValueTag::Object:
    return {ObservableKind::ClassName, ObservableKind::Keys};
  case ValueTag::DType:
    return {ObservableKind::DTypeValue};
  case ValueTag::Device:
    return {ObservableKind::DeviceValue};
  }
  llvm_unreachable("closed enum");
}

void ShapeEnv::specializeValue(llvm::StringRef path, const GuardOrigin &origin) {
  const ObservedValue *value = observed.find(path);
  assert(value && "the example has a value at this path");
  specialize(Observable{ObservableKind::Tag, path.str(), 0, {}}, origin);
  for (ObservableKind kind : observablesOf(value->tag))
    specialize(Observable{kind, path.str(), 0, {}}, origin);
}

bool ShapeEnv::decideFloat(llvm::StringRef path, Relation relation, double constant,
                           const GuardOrigin &origin) {
  std::optional<int64_t> truth =
      specialize(Observable{ObservableKind::FloatCompare, path.str(),
                            std::bit_cast<int64_t>(constant), getRelationName(relation).str()},
                 origin);
  assert(truth && "the example has a float at this path");
  return *truth;
}

void ShapeEnv::specializeDistinct(llvm::StringRef a, llvm::StringRef b, const GuardOrigin &origin) {
  std::optional<int64_t> shared =
      specialize(Observable{ObservableKind::Overlap, a.str(), 0, b.str()}, origin);
  if (!shared || !*shared)
    return;
  // They show different elements of one storage: all that says which is as in the example.
  for (llvm::StringRef path : {a, b}) {
    specialize(Observable{ObservableKind::StorageOffset, path.str(), 0, {}}, origin);
    for (size_t d = 0; d < observed.find(path)->tensor.sizes.size(); ++d)
      for (ObservableKind kind : {ObservableKind::Size, ObservableKind::Stride})
        specialize(Observable{kind, path.str(), int64_t(d), {}}, origin);
  }
}

void ShapeEnv::specializeDistinct(uint32_t a, uint32_t b, const GuardOrigin &origin) {
  const std::string *first = findTensor(std::min(a, b)), *second = findTensor(std::max(a, b));
  if (a != b && first && second)
    specializeDistinct(*first, *second, origin);
}

void ShapeEnv::specializeDistinct(uint32_t id, const GuardOrigin &origin) {
  for (const auto &[other, path] : tensorPaths)
    specializeDistinct(id, other, origin);
}

void ShapeEnv::specializeOverlap(llvm::StringRef a, llvm::StringRef b, const GuardOrigin &origin) {
  std::optional<int64_t> shared =
      specialize(Observable{ObservableKind::Overlap, a.str(), 0, b.str()}, origin);
  if (!shared || !*shared)
    return;
  auto equate = [&](ObservableKind kind, int64_t index) {
    requireOf(observables.symbol({kind, a.str(), index, {}}), Relation::Equal,
              observables.symbol({kind, b.str(), index, {}}), origin);
  };
  equate(ObservableKind::StorageOffset, 0);
  for (size_t d = 0; d < observed.find(a)->tensor.sizes.size(); ++d) {
    equate(ObservableKind::Size, int64_t(d));
    equate(ObservableKind::Stride, int64_t(d));
  }
}

Expr ShapeEnv::createUnbacked(int64_t lower, std::optional<int64_t> upper, llvm::StringRef prefix) {
  std::string name;
  do
    name = prefix.str() + std::to_string(unbackedCount++);
  while (symbols.findSymbol(name));
  return symbols.symbol(
      {.name = std::move(name), .lower = lower, .upper = upper, .kind = SymbolKind::Unbacked});
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

std::optional<bool> ShapeEnv::decide(Relation relation, Expr a, Expr b, const GuardOrigin &origin) {
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb)
    return compare(*ca, relation, *cb);
  a = simplify(a);
  b = simplify(b);
  if (std::optional<bool> proven = prove(relation, a, b))
    return proven;
  if (!a.isSupported() || !b.isSupported() || symbols.usesSymbolKind(a, SymbolKind::Unbacked) ||
      symbols.usesSymbolKind(b, SymbolKind::Unbacked))
    return std::nullopt;
  std::optional<int64_t> va = hint(a), vb = hint(b);
  if (!va || !vb)
    return std::nullopt;
  bool truth = compare(*va, relation, *vb);
  Relation holding = truth ? relation : ptc::sym::negate(relation);
  std::optional<Atom> atom = makeAtom(symbols, holding, a, b);
  if (!atom)
    return std::nullopt;
  requireOf(toObservables(a), holding, toObservables(b), origin);
  noteNarrowing(*atom, origin);
  addFact(*atom);
  return truth;
}

std::optional<int64_t> ShapeEnv::specialize(Expr e, const GuardOrigin &origin) {
  e = simplify(e);
  if (std::optional<int64_t> c = e.asConstant())
    return c;
  std::optional<int64_t> value = hint(e);
  if (!value || !decide(Relation::Equal, e, symbols.constant(*value), origin))
    return std::nullopt;
  return value;
}
