//===- DeclaredSizes.cpp - Names of sizes, and what they are in a call --------------------===//
//
// In: what was declared, an example. Out: symbols for the names, a formula over what the arguments
// show for each, guards for what was said. A name is the size that it alone was declared for; else
// it follows from an equation in which it is the only one that is not known: `16*K` of a size,
// `L == 16*K` of a name. Where L is 16*K, the program's sizes are formulas of K, so that what is a
// multiple looks like one; `L % 16 == 0` is L == 16*L_16.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/DeclaredSizes.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using namespace ptc;
using namespace ptc::sym;

Observable DimRef::observable() const {
  if (dim == kNumber)
    return {ObservableKind::Value, path, 0, {}};
  return {ObservableKind::Size, path, int64_t(dim), {}};
}

bool SizeDomain::isOwn(int64_t value) const { return llvm::is_contained(own, value); }

std::string SizeFact::str() const {
  return left + " " + getRelationName(relation).str() + " " + right;
}

const SizeDomain *DeclaredSizes::find(llvm::StringRef name) const {
  auto found = llvm::find_if(domains, [&](const SizeDomain &d) { return d.name == name; });
  return found == domains.end() ? nullptr : &*found;
}

void DeclaredSizes::add(const SizeDomain &domain) {
  auto known = llvm::find_if(domains, [&](const SizeDomain &d) { return d.name == domain.name; });
  if (known == domains.end()) {
    domains.push_back(domain);
    return;
  }
  known->lower = std::max(known->lower, domain.lower);
  if (domain.upper)
    known->upper = std::min(known->upper.value_or(*domain.upper), *domain.upper);
  if (!known->typical)
    known->typical = domain.typical;
  std::vector<int64_t> own;
  if (known->isClosed && domain.isClosed)
    llvm::copy_if(known->own, std::back_inserter(own), [&](int64_t v) { return domain.isOwn(v); });
  else if (known->isClosed || domain.isClosed)
    own = known->isClosed ? known->own : domain.own;
  else
    std::set_union(known->own.begin(), known->own.end(), domain.own.begin(), domain.own.end(),
                   std::back_inserter(own));
  known->own = std::move(own);
  known->isClosed |= domain.isClosed;
}

std::optional<double> DeclaredSizes::typicalSize() const {
  double logarithms = 0;
  unsigned count = 0;
  for (const SizeDomain &domain : domains)
    if (domain.typical && *domain.typical > 0) {
      logarithms += std::log(double(*domain.typical));
      ++count;
    }
  return count ? std::optional(std::exp(logarithms / count)) : std::nullopt;
}

static std::string setText(llvm::ArrayRef<int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ",") + std::to_string(value);
  return "{" + text + "}";
}

/// `in 1..64`, `in {1,2}`; empty: nothing is said.
static std::string rangeText(const SizeDomain &domain) {
  if (domain.isClosed)
    return "in " + setText(domain.own);
  if (domain.lower == 0 && !domain.upper)
    return "";
  return "in " + std::to_string(domain.lower) + ".." +
         (domain.upper ? std::to_string(*domain.upper) : "");
}

std::vector<std::string> DeclaredSizes::lines() const {
  std::vector<std::string> out;
  std::vector<std::pair<std::string, std::vector<std::string>>> places; // by formula
  for (const DeclaredDim &dim : dims) {
    auto known = llvm::find_if(places, [&](const auto &row) { return row.first == dim.size; });
    if (known == places.end())
      known = places.insert(places.end(), {dim.size, {}});
    if (std::string place = dim.where.observable().str(); !llvm::is_contained(known->second, place))
      known->second.push_back(std::move(place));
  }
  auto describe = [&](const SizeDomain &domain) {
    std::string text = rangeText(domain);
    if (domain.typical)
      text += (text.empty() ? "" : ", ") + ("typically " + std::to_string(*domain.typical));
    if (!domain.own.empty() && !domain.isClosed)
      text +=
          (text.empty() ? "" : ", ") + ("with variants of their own for " + setText(domain.own));
    return text;
  };
  for (const auto &[size, places] : places) {
    const SizeDomain *domain = find(size);
    std::string text = domain ? describe(*domain) : "";
    out.push_back(
        llvm::join_items("", size, text.empty() ? "" : " ", text, ": ", llvm::join(places, ", ")));
  }
  for (const SizeDomain &domain : domains)
    if (llvm::none_of(dims, [&](const DeclaredDim &d) { return d.size == domain.name; }))
      if (std::string text = describe(domain); !text.empty())
        out.push_back(domain.name + " " + text);
  for (const SizeFact &fact : facts)
    out.push_back(fact.str());
  return out;
}

bool ptc::sym::fitsDeclared(const DynamicDims &dims, const Observation &call) {
  ObservableSpace space;
  ShapeEnv env(space, dims, call);
  if (llvm::Error error = env.declareSizes()) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return !env.contradictsDeclared() && holds(env.guards(), space, call);
}

//===----------------------------------------------------------------------===//
// One example
//===----------------------------------------------------------------------===//

/// What the two levels say of a name: `given` reads arguments, `used` is what the program's sizes
/// are made of.
class ShapeEnv::Declaration {
public:
  explicit Declaration(ShapeEnv &env)
      : env(env), declared(env.dims.declared()), symbols(env.symbols) {}

  llvm::Error run() {
    readDims();
    readFacts();
    for (bool numbers : {false, true}) // a size says more than a number that is to equal it
      for (Dim &dim : dims)
        if ((dim.where.dim == DimRef::kNumber) == numbers)
          defineByName(dim);
    while (llvm::any_of(dims, [&](Dim &dim) { return defineByDim(dim); }) ||
           llvm::any_of(facts, [&](Fact &fact) { return defineByFact(fact); }))
      ;
    for (Fact &fact : facts)
      divide(fact);
    for (const Dim &dim : dims)
      if (llvm::Error error = finish(dim))
        return error;
    if (llvm::Error error = checkNames())
      return error;
    for (const Fact &fact : facts)
      if (!fact.done)
        require(fact);
    for (const auto &[name, known] : names)
      if (!isOwnName(name))
        env.declaredNames[name] = known.used;
    return llvm::Error::success();
  }

private:
  struct Name {
    Expr given, used;
  };
  struct Dim {
    DimRef where;
    std::string text;
    Expr size; ///< over `texts`
    int64_t hint;
    bool done = false; ///< says what a name is
  };
  struct Fact {
    const SizeFact *said;
    Expr left, right; ///< over `texts`
    bool done = false;
  };

  Expr parse(const std::string &text) {
    auto lookup = [&](llvm::StringRef name) -> std::optional<Expr> {
      std::optional<SymbolId> id = texts.findSymbol(name);
      return id ? texts.symbol(*id) : texts.symbol({.name = name.str(), .lower = 0});
    };
    return texts.parse(text, lookup).value_or(Expr());
  }

  void readDims() {
    for (const DeclaredDim &dim : declared.dims) {
      const ObservedValue *value = env.observed.find(dim.where.path);
      bool isNumber = dim.where.dim == DimRef::kNumber;
      bool isThere = value && (isNumber ? value->tag == ValueTag::Int
                                        : value->tag == ValueTag::Tensor &&
                                              dim.where.dim < value->tensor.sizes.size());
      hasAll &= isThere;
      bool isSaid = llvm::any_of(
          dims, [&](const Dim &d) { return d.where == dim.where && d.text == dim.size; });
      if (isThere && !isSaid)
        dims.push_back({dim.where, dim.size, parse(dim.size),
                        isNumber ? value->number : value->tensor.sizes[dim.where.dim]});
    }
  }

  void readFacts() {
    for (const SizeFact &fact : declared.facts)
      facts.push_back({&fact, parse(fact.left), parse(fact.right)});
  }

  /// `e` with what names stand for; unsupported where one is not known.
  Expr fill(Expr e, Expr Name::*level) {
    if (!e.isSupported())
      return {};
    if (!unknownIn(e).empty())
      return {};
    return symbols.substitute(
        e, [&](SymbolId id) { return names.at(texts.symbolInfo(id).name).*level; });
  }

  llvm::SmallVector<SymbolId, 4> unknownIn(Expr e) {
    llvm::SmallVector<SymbolId, 4> unknown;
    for (SymbolId id : texts.symbolsOf(e))
      if (!names.count(texts.symbolInfo(id).name))
        unknown.push_back(id);
    return unknown;
  }

  /// Is it a name that nobody gave?
  bool isOwnName(const std::string &name) const { return llvm::is_contained(ownNames, name); }

  SizeDomain domainOf(const std::string &name) const {
    const SizeDomain *said = declared.find(name);
    SizeDomain domain = said ? *said : SizeDomain{name};
    if (domain.isClosed && !domain.own.empty()) {
      domain.lower = std::max(domain.lower, domain.own.front());
      domain.upper = std::min(domain.upper.value_or(domain.own.back()), domain.own.back());
    }
    return domain;
  }

  static std::string reason(const SizeDomain &domain) {
    std::string range = rangeText(domain);
    return "declared: " + (range.empty() ? domain.name + " in 0.." : domain.name + " " + range);
  }

  void require(Expr a, Relation relation, Expr b, const std::string &why) {
    Context &context = env.observables.context();
    std::optional<Atom> atom = makeAtom(context, relation, a, b);
    std::optional<bool> truth = atom ? isTrue(context, *atom) : false;
    if (truth == false)
      env.contradicts = true;
    else
      env.requireOf(a, relation, b, {{}, why});
  }

  Expr symbolOf(const Dim &dim, const std::string &name, int64_t lower,
                std::optional<int64_t> upper) {
    return env.createInputSymbol({.name = env.uniqueName(name),
                                  .lower = lower,
                                  .upper = upper,
                                  .hint = dim.hint,
                                  .kind = SymbolKind::Declared},
                                 dim.where.observable());
  }

  /// The value with a variant of its own that `value` is; none: it is one of the rest.
  std::optional<int64_t> ownOf(const SizeDomain &domain, int64_t value) {
    if (env.options.ignoreOwn)
      return std::nullopt;
    if (domain.isClosed) {
      if (domain.own.empty())
        env.contradicts = true;
      else if (!domain.isOwn(value)) // no call with it fits
        return domain.own.front();
    }
    return domain.isOwn(value) ? std::optional(value) : std::nullopt;
  }

  /// Requires `number == value`.
  Name constantOf(Expr number, int64_t value, const SizeDomain &domain) {
    Expr constant = symbols.constant(value);
    require(env.toObservables(number), Relation::Equal, env.observables.context().constant(value),
            "declared: " + domain.name + " is " + std::to_string(value) + " of " +
                setText(domain.own));
    return {constant, constant};
  }

  /// Where all sizes are there that were declared, each name that something is said of is known.
  llvm::Error checkNames() {
    if (!hasAll)
      return llvm::Error::success();
    auto unknown = [](const std::string &what, const std::string &name) {
      Diagnostic diag =
          makeDiagnostic(DiagId::InputSpecMalformed, {}, what, "nothing says what " + name + " is");
      diag.hint("give a size or a number that is " + name + ", or leave out what is said of it");
      return makeError(std::move(diag));
    };
    for (const Fact &fact : facts)
      for (Expr side : {fact.left, fact.right})
        for (SymbolId id : side.isSupported() ? unknownIn(side) : llvm::SmallVector<SymbolId, 4>())
          return unknown(fact.said->str(), texts.symbolInfo(id).name);
    for (const SizeDomain &domain : declared.domains)
      if (!names.count(domain.name))
        return unknown(domain.name + " " + rangeText(domain), domain.name);
    return llvm::Error::success();
  }

  /// Of sizes that are a name.
  void defineByName(Dim &dim) {
    if (dim.size.kind() != ExprKind::Symbol)
      return;
    std::string name = texts.symbolInfo(dim.size).name;
    if (names.count(name))
      return;
    dim.done = true;
    SizeDomain domain = domainOf(name);
    if (domain.upper && *domain.upper < domain.lower)
      env.contradicts = true;
    Expr symbol = symbolOf(dim, name, domain.lower, domain.upper);
    if (std::optional<int64_t> own = ownOf(domain, dim.hint)) {
      names[name] = constantOf(symbol, *own, domain);
      return;
    }
    names[name] = {symbol, symbol};
    Expr size = env.observables.symbol(dim.where.observable());
    Context &context = env.observables.context();
    require(size, Relation::GreaterEqual, context.constant(domain.lower), reason(domain));
    if (domain.upper)
      require(size, Relation::LessEqual, context.constant(*domain.upper), reason(domain));
  }

  /// `coefficient * name == number`: makes the name's symbol, within bounds that are known of it.
  void derive(const std::string &name, int64_t coefficient, Expr number, Interval bounds,
              const std::string &why) {
    if (coefficient < 0) {
      coefficient = -coefficient;
      number = symbols.neg(number);
    }
    Context &context = env.observables.context();
    Expr read = env.toObservables(number);
    SizeDomain domain = domainOf(name);
    auto times = [&](int64_t value) {
      return context.mul(context.constant(coefficient), context.constant(value));
    };
    if (coefficient != 1)
      require(context.mod(read, context.constant(coefficient)), Relation::Equal,
              context.constant(0), why);
    Expr value = symbols.floordiv(number, symbols.constant(coefficient));
    std::optional<int64_t> hint = symbols.evaluateHint(value);
    if (!hint) {
      env.contradicts = true;
      hint = domain.lower;
    }
    if (std::optional<int64_t> own = ownOf(domain, *hint)) {
      require(read, Relation::Equal, times(*own),
              "declared: " + name + " is " + std::to_string(*own) + " of " + setText(domain.own));
      names[name] = {symbols.constant(*own), symbols.constant(*own)};
      return;
    }
    domain.lower = std::max<int64_t>(domain.lower, 0);
    require(read, Relation::GreaterEqual, times(domain.lower), reason(domain));
    if (domain.upper)
      require(read, Relation::LessEqual, times(*domain.upper), reason(domain));
    if (value.isConstant()) {
      names[name] = {value, value};
      return;
    }
    int64_t lower = std::max(domain.lower, bounds.lower);
    int64_t upper = std::min(domain.upper.value_or(Interval::kMax), bounds.upper);
    Expr symbol =
        symbols.symbol({.name = env.uniqueName(name),
                        .lower = lower,
                        .upper = upper == Interval::kMax ? std::nullopt : std::optional(upper),
                        .hint = hint,
                        .kind = SymbolKind::Declared});
    env.formulas[symbol.symbol()] = value;
    env.multiples[symbol.symbol()] = {coefficient, number};
    names[name] = {value, symbol};
  }

  /// `16*K` of a size says what K is.
  bool defineByDim(Dim &dim) {
    if (dim.done || !dim.size.isSupported() || dim.size.isConstant())
      return false;
    auto unknown = unknownIn(dim.size);
    if (unknown.size() != 1)
      return false;
    std::optional<int64_t> coefficient = findLinearCoefficient(texts, dim.size, unknown[0]);
    if (!coefficient)
      return false;
    dim.done = true;
    std::string name = texts.symbolInfo(unknown[0]).name;
    Expr rest =
        texts.sub(dim.size, texts.mul(texts.constant(*coefficient), texts.symbol(unknown[0])));
    Expr size = symbolOf(dim, "s" + std::to_string(symbols.numSymbols()), 0, {});
    derive(name, *coefficient, symbols.sub(size, fill(rest, &Name::given)), {0, Interval::kMax},
           "declared: it is " + dim.text);
    return true;
  }

  /// `L == 16*K` of a name that is known says what K is, and what L is in terms of it.
  bool defineByFact(Fact &fact) {
    if (fact.done || fact.said->relation != Relation::Equal || !fact.left.isSupported() ||
        !fact.right.isSupported())
      return false;
    Expr zero = texts.sub(fact.left, fact.right);
    if (!zero.isSupported() || zero.isConstant())
      return false;
    auto unknown = unknownIn(zero);
    if (unknown.size() != 1)
      return false;
    std::optional<int64_t> coefficient = findLinearCoefficient(texts, zero, unknown[0]);
    if (!coefficient || *coefficient == Interval::kMin)
      return false;
    fact.done = true;
    solve(zero, unknown[0], *coefficient, "declared: " + fact.said->str());
    return true;
  }

  /// `zero == 0`, in which `id` is new. A name that occurs once becomes a formula of it.
  void solve(Expr zero, SymbolId id, int64_t coefficient, const std::string &why) {
    Expr term = texts.mul(texts.constant(coefficient), texts.symbol(id));
    Expr rest = texts.sub(zero, term);
    std::optional<SymbolId> whole;
    Interval bounds{0, Interval::kMax};
    Expr others; // whole == others, with the new name in it
    if (!rest.isConstant())
      for (SymbolId other : texts.symbolsOf(rest)) {
        const Name &known = names.at(texts.symbolInfo(other).name);
        std::optional<int64_t> unit = findLinearCoefficient(texts, rest, other);
        bool isPlain = known.used.kind() == ExprKind::Symbol && known.used == known.given;
        if (whole || !isPlain || (unit != 1 && unit != -1))
          continue;
        whole = other;
        Expr left = texts.sub(rest, texts.mul(texts.constant(*unit), texts.symbol(other)));
        others = texts.mul(texts.constant(-*unit), texts.add(term, left));
        int64_t slope = -*unit * coefficient;
        if (std::optional<int64_t> offset = texts.mul(texts.constant(-*unit), left).asConstant();
            offset && slope > 0)
          bounds = quotients(symbols.symbolInfo(known.used).bounds(), *offset, slope);
      }
    derive(texts.symbolInfo(id).name, coefficient, symbols.neg(fill(rest, &Name::given)), bounds,
           why);
    if (whole)
      names.at(texts.symbolInfo(*whole).name).used = fill(others, &Name::used);
  }

  /// The k for which offset + slope*k is within bounds, as far as these are finite.
  Interval quotients(Interval of, int64_t offset, int64_t slope) {
    auto quotient = [&](int64_t bound, bool up) {
      Expr distance = symbols.sub(symbols.constant(bound), symbols.constant(offset));
      Expr by = symbols.constant(slope);
      return (up ? symbols.ceildiv(distance, by) : symbols.floordiv(distance, by)).asConstant();
    };
    Interval out{0, Interval::kMax};
    if (of.hasLower())
      out.lower = std::max<int64_t>(quotient(of.lower, true).value_or(0), 0);
    if (of.hasUpper())
      out.upper = quotient(of.upper, false).value_or(Interval::kMax);
    return out;
  }

  /// `L % 16 == 0`: L is 16 times a name of ours, where it is no formula yet.
  void divide(Fact &fact) {
    if (fact.done || fact.said->relation != Relation::Equal || !fact.left.isSupported() ||
        fact.left.isConstant())
      return;
    auto modulo = Context::asModulo(fact.left);
    std::optional<int64_t> rest = fact.right.asConstant();
    if (!modulo || !rest || modulo->first.kind() != ExprKind::Symbol)
      return;
    std::optional<int64_t> by = modulo->second.asConstant();
    auto known = names.find(texts.symbolInfo(modulo->first).name);
    if (!by || *by < 2 || *rest < 0 || *rest >= *by || known == names.end() ||
        known->second.used.kind() != ExprKind::Symbol || known->second.used != known->second.given)
      return;
    fact.done = true;
    std::string name = known->first + "_" + std::to_string(*by);
    while (texts.findSymbol(name))
      name += "_";
    ownNames.push_back(name);
    Expr quotient = texts.symbol({.name = name, .lower = 0});
    Expr zero =
        texts.sub(texts.add(texts.mul(modulo->second, quotient), fact.right), modulo->first);
    solve(zero, quotient.symbol(), *by, "declared: " + fact.said->str());
  }

  /// The formula of a dimension, which is guarded where it does not say itself what a name is.
  llvm::Error finish(const Dim &dim) {
    Expr used = fill(dim.size, &Name::used);
    if (!used.isSupported()) {
      std::string unknown;
      if (dim.size.isSupported())
        for (SymbolId id : unknownIn(dim.size))
          unknown += (unknown.empty() ? "" : ", ") + texts.symbolInfo(id).name;
      Diagnostic diag = makeDiagnostic(
          DiagId::InputSpecMalformed, {}, dim.where.observable().str() + " is " + dim.text,
          unknown.empty() ? "it does not fit" : "nothing says what " + unknown + " is");
      diag.hint("give a size or a number that is " + (unknown.empty() ? "smaller" : unknown) +
                " alone, or declare it as a multiple of one name");
      return makeError(std::move(diag));
    }
    env.declaredDims[dim.where] = used;
    if (dim.done)
      return llvm::Error::success();
    bool isName = dim.size.kind() == ExprKind::Symbol;
    Expr given = fill(dim.size, &Name::given);
    require(env.observables.symbol(dim.where.observable()), Relation::Equal,
            env.toObservables(given.isSupported() ? given : used),
            (isName ? "declared: both are " : "declared: it is ") + dim.text);
    return llvm::Error::success();
  }

  void require(const Fact &fact) {
    Expr left = fill(fact.left, &Name::used), right = fill(fact.right, &Name::used);
    if (!left.isSupported() || !right.isSupported())
      return; // of sizes that this example does not have
    Relation relation = fact.said->relation;
    std::optional<bool> truth = env.prove(relation, left, right);
    if (truth == false)
      env.contradicts = true;
    if (truth)
      return;
    require(env.toObservables(fill(fact.left, &Name::given)), relation,
            env.toObservables(fill(fact.right, &Name::given)), "declared: " + fact.said->str());
    if (std::optional<Atom> atom = makeAtom(symbols, relation, left, right))
      env.addFact(*atom);
  }

  ShapeEnv &env;
  const DeclaredSizes &declared;
  Context &symbols;
  Context texts; ///< a symbol for each name
  std::map<std::string, Name> names;
  std::vector<std::string> ownNames;
  std::vector<Dim> dims;
  bool hasAll = true; ///< the example has all sizes that were declared
  std::vector<Fact> facts;
};

llvm::Error ShapeEnv::declareSizes() {
  if (isDeclared || dims.declared().empty())
    return llvm::Error::success();
  isDeclared = true;
  return Declaration(*this).run();
}

std::map<std::string, Expr, std::less<>> ShapeEnv::declaredValues() {
  std::map<std::string, Expr, std::less<>> out;
  for (const auto &[name, value] : declaredNames)
    out[name] = toObservables(value);
  return out;
}
