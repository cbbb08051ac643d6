//===- GuardText.cpp - Guards in words: formulas, failures, misses -----------------------===//
//
// In: guards, and a call that breaks one. Out: Python text of the formula; expected and found; the
// diagnostic with the place that needed the guard and what to do.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/Guard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cassert>

using namespace ptc;
using namespace ptc::sym;

/// Observables whose text is a statement already: `dense(x, (0, 1))`, `scale > 0.5`.
static bool isStatement(ObservableKind kind) {
  return kind == ObservableKind::Dense || kind == ObservableKind::Overlap ||
         kind == ObservableKind::FloatCompare;
}

static std::string exprText(const ObservableSpace &space, Expr e) {
  std::string text;
  llvm::raw_string_ostream os(text);
  space.context().print(
      os, e, [&](llvm::raw_ostream &os, SymbolId id) { os << space.observable(id).str(); });
  return text;
}

static std::string unaryText(const ObservableSpace &space, const UnaryAtom &unary) {
  const Observable &observable = space.observable(unary.symbol);
  std::string subject = observable.str();
  if (isStatement(observable.kind) && unary.relation == Relation::Equal)
    return unary.value ? subject : "not " + subject;
  return subject + " " + getRelationName(unary.relation).str() + " " +
         space.formatValue(observable, unary.value);
}

static bool isWholeTerm(const Term &term) {
  return (term.coefficient == 1 || term.coefficient == -1) && term.factors.size() == 1 &&
         term.factors.front().power == 1;
}

/// Text of a sum given by its terms, each times `sign`.
static std::string sideText(const ObservableSpace &space, llvm::ArrayRef<Term> terms, int sign) {
  std::string text;
  for (const Term &term : terms) {
    int64_t coefficient = term.coefficient;
    assert((coefficient < 0) == (sign < 0) && "terms of one sign");
    uint64_t size = coefficient < 0 ? 0 - uint64_t(coefficient) : uint64_t(coefficient);
    text += text.empty() ? "" : " + ";
    std::string factors;
    for (const Factor &factor : term.factors) {
      std::string atom = exprText(space, factor.atom);
      if (factor.atom.kind() == ExprKind::FloorDiv && !isWholeTerm(term))
        atom.insert(0, "(").append(")");
      for (uint32_t i = 0; i < factor.power; ++i)
        factors.append(factors.empty() ? "" : "*").append(atom);
    }
    if (factors.empty())
      text += std::to_string(size);
    else
      text += (size == 1 ? "" : std::to_string(size) + "*") + factors;
  }
  return text.empty() ? "0" : text;
}

/// `x % 8 == c`, where the expression is a remainder and a constant.
static std::optional<std::string> remainderText(const ObservableSpace &space, const Atom &atom) {
  if (atom.kind == AtomKind::IsNonPositive || atom.expr.kind() != ExprKind::Sum)
    return std::nullopt;
  auto modulo = Context::asModulo(atom.expr);
  if (!modulo)
    return std::nullopt;
  return exprText(space, atom.expr) + (atom.kind == AtomKind::IsZero ? " == 0" : " != 0");
}

std::string ptc::sym::atomText(const ObservableSpace &space, const Atom &atom) {
  if (std::optional<UnaryAtom> unary = asUnary(atom))
    return unaryText(space, *unary);
  if (std::optional<std::string> text = remainderText(space, atom))
    return *text;
  llvm::SmallVector<Term, 4> left, right;
  if (std::optional<int64_t> c = atom.expr.asConstant()) {
    (*c < 0 ? right : left).push_back({*c, {}});
  } else {
    for (const Term &term : atom.expr.terms())
      (term.coefficient < 0 ? right : left).push_back(term);
  }
  const char *op = atom.kind == AtomKind::IsZero      ? " == "
                   : atom.kind == AtomKind::IsNonZero ? " != "
                                                      : " <= ";
  // a + 1 <= b is a < b.
  if (atom.kind == AtomKind::IsNonPositive && left.size() > 1 && left.back().factors.empty() &&
      left.back().coefficient == 1 && !right.empty()) {
    left.pop_back();
    op = " < ";
  }
  // 2 <= a*b reads better as a*b >= 2.
  if (atom.kind == AtomKind::IsNonPositive && left.size() <= 1 && !right.empty() &&
      (left.empty() || left.front().factors.empty()))
    return sideText(space, right, -1) + " >= " + sideText(space, left, 1);
  return sideText(space, left, 1) + op + sideText(space, right, -1);
}

//===----------------------------------------------------------------------===//
// Checking a call
//===----------------------------------------------------------------------===//

static bool holdsGuard(const Guard &guard, ObservableSpace &space, const Observation &call) {
  return evaluate(space.context(), guard.atom, [&](SymbolId id) {
           return call.read(space.observable(id), space.strings());
         }) == true;
}

bool ptc::sym::holds(const GuardSet &set, ObservableSpace &space, const Observation &call) {
  return llvm::all_of(set.guards(),
                      [&](const Guard &guard) { return holdsGuard(guard, space, call); });
}

std::optional<GuardFailure> ptc::sym::findFailure(const GuardSet &set, ObservableSpace &space,
                                                  const Observation &call) {
  for (auto [i, guard] : llvm::enumerate(set.guards()))
    if (!holdsGuard(guard, space, call))
      return describeFailure(set, i, space, call);
  return std::nullopt;
}

size_t ptc::sym::countFailures(const GuardSet &set, ObservableSpace &space,
                               const Observation &call) {
  return size_t(llvm::count_if(
      set.guards(), [&](const Guard &guard) { return !holdsGuard(guard, space, call); }));
}

/// Is it read from the value at its path, as against the context of the call?
static bool isOfArgument(ObservableKind kind) {
  return kind != ObservableKind::GradMode && kind != ObservableKind::Training &&
         kind != ObservableKind::StateTag;
}

static std::string foundText(ObservableSpace &space, const Observation &call, SymbolId id) {
  const Observable &observable = space.observable(id);
  std::optional<int64_t> value = call.read(observable, space.strings());
  return value ? space.formatValue(observable, *value) : "absent";
}

GuardText ptc::sym::describeGuard(const ObservableSpace &space, const Guard &guard) {
  std::string path = guardPath(space, guard.atom), formula = atomText(space, guard.atom);
  const GuardKindInfo &info = getGuardKindInfo(guard.kind);
  GuardText text{path, formula, llvm::formatv(false, info.text.data(), path, formula).str(),
                 guard.kind, path};
  if (path == kArgumentsPath)
    text.assumption = "the arguments that are given are those of the example";
  if (std::optional<UnaryAtom> unary = asUnary(guard.atom)) {
    const Observable &observable = space.observable(unary->symbol);
    text.subject = observable.str();
    text.expected = space.formatValue(observable, unary->value);
    if (unary->relation != Relation::Equal)
      text.expected = getRelationName(unary->relation).str() + " " + text.expected;
  }
  return text;
}

std::string GuardText::hint(llvm::StringRef found) const {
  if (path == kArgumentsPath)
    return "add an --example with these arguments";
  return llvm::formatv(false, getGuardKindInfo(kind).hint.data(), path, found).str();
}

/// The first argument of the call that it should not have, or that it lacks.
static std::optional<GuardFailure> describeArguments(const Guard &guard, ObservableSpace &space,
                                                     const Observation &call) {
  std::optional<UnaryAtom> unary = asUnary(guard.atom);
  const ObservedValue *given = call.find(kArgumentsPath);
  if (guard.kind != GuardKind::Keys || !unary || !given ||
      space.observable(unary->symbol).path != kArgumentsPath)
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 8> wanted;
  space.strings().text(unary->value).split(wanted, ", ", -1, /*KeepEmpty=*/false);
  GuardFailure failure;
  failure.expected = wanted.empty() ? "no arguments" : "the arguments " + llvm::join(wanted, ", ");
  for (llvm::StringRef name : wanted)
    if (!llvm::is_contained(given->keys, name)) {
      failure.subject = name.str();
      failure.found = "missing";
      return failure;
    }
  for (const std::string &name : given->keys)
    if (!llvm::is_contained(wanted, name)) {
      failure.subject = name;
      failure.found = "given";
      return failure;
    }
  return std::nullopt;
}

GuardFailure ptc::sym::describeFailure(const GuardSet &set, size_t index, ObservableSpace &space,
                                       const Observation &call) {
  const Guard &guard = set.guards()[index];
  if (std::optional<GuardFailure> failure = describeArguments(guard, space, call)) {
    failure->guard = index;
    return std::move(*failure);
  }
  GuardText text = describeGuard(space, guard);
  GuardFailure failure{index, std::move(text.subject), std::move(text.expected), {}};
  for (SymbolId id : space.context().symbolsOf(guard.atom.expr))
    if (const Observable &observable = space.observable(id); isOfArgument(observable.kind))
      if (!call.find(observable.path))
        return {index, observable.path, atomText(space, guard.atom), "missing"};
  if (std::optional<UnaryAtom> unary = asUnary(guard.atom)) {
    failure.found = foundText(space, call, unary->symbol);
    return failure;
  }
  // `x.shape[0]` is `40, x.shape[1] = 48`.
  for (SymbolId id : space.context().symbolsOf(guard.atom.expr)) {
    std::string name = space.observable(id).str();
    if (failure.found.empty())
      failure.subject = std::move(name);
    else
      failure.found += ", " + name + " = ";
    failure.found += foundText(space, call, id);
  }
  return failure;
}

Diagnostic ptc::sym::diagnoseMiss(const ObservableSpace &space, const Guard &guard,
                                  const GuardFailure &failure) {
  GuardText text = describeGuard(space, guard);
  bool isSeveral = llvm::StringRef(failure.found).contains(" = ");
  std::string found = failure.found;
  if (isSeveral)
    found = llvm::join(llvm::split(failure.found, " = "), " is ");
  Diagnostic diag =
      makeDiagnostic(DiagId::NoVariantFits, {}, failure.subject, failure.expected, found);
  for (const GuardOrigin &origin : guard.origins)
    diag.note("assumed here: " + text.assumption +
                  (origin.reason.empty() ? "" : " (" + origin.reason + ")"),
              origin.loc);
  diag.hint(text.hint(isSeveral ? failure.subject + " = " + failure.found : failure.found));
  return diag;
}

void ptc::sym::printGuards(llvm::raw_ostream &os, const ObservableSpace &space,
                           const GuardSet &set) {
  for (const Guard &guard : set.guards()) {
    os << atomText(space, guard.atom) << '\n';
    for (const GuardOrigin &origin : guard.origins) {
      os << "    ";
      if (origin.loc.isKnown())
        os << origin.loc.file << ':' << origin.loc.line << ": ";
      os << (origin.reason.empty() ? "assumed" : origin.reason) << '\n';
    }
  }
}
