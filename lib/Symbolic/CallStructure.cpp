//===- CallStructure.cpp - How arguments are taken apart -----------------------------===//
//
// In: the guards of variants. Out: the structures that their arguments have, and the guards that
// are left to be checked once the structure is known.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/CallStructure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::sym;

/// Lists, tuples, dicts and objects are taken apart. Sets are constants: they count as one leaf,
/// as in the numbering of program.variant, of which only the structure says what it is.
static bool isTakenApart(ValueTag tag) {
  return tag == ValueTag::List || tag == ValueTag::Tuple || tag == ValueTag::Dict ||
         tag == ValueTag::Object;
}
static bool isContainer(ValueTag tag) { return isTakenApart(tag) || tag == ValueTag::Set; }

void CallStructure::addLeaf(std::string path) {
  leafNumbers.try_emplace(path, uint32_t(leafPaths.size()));
  leafPaths.push_back(std::move(path));
}

CallStructure::Container &CallStructure::containerAt(llvm::StringRef path) {
  auto [number, isNew] = containerNumbers.try_emplace(path, uint32_t(containerList.size()));
  if (isNew)
    containerList.push_back({path.str(), ValueTag::Dict, {}, {}, {}});
  return containerList[number->second];
}

std::optional<uint32_t> CallStructure::findLeaf(llvm::StringRef path) const {
  auto found = leafNumbers.find(path);
  return found == leafNumbers.end() ? std::nullopt : std::optional(found->second);
}

const CallStructure::Container *CallStructure::findContainer(llvm::StringRef path) const {
  auto found = containerNumbers.find(path);
  return found == containerNumbers.end() ? nullptr : &containerList[found->second];
}

ptc_source CallStructure::containerSource(const Container &container, ObservableKind kind) const {
  std::optional<int64_t> value;
  if (kind == ObservableKind::Tag)
    value = int64_t(container.tag);
  else if (kind == ObservableKind::Length)
    value = container.length;
  else if (kind == ObservableKind::Keys)
    value = container.keys;
  else if (kind == ObservableKind::ClassName)
    value = container.className;
  if (!value)
    return {ptc_observable_absent, 0, 0, 0};
  return {ptc_observable_constant, 0, 0, *value};
}

/// PTC_FLOAT_… of an operator of FloatCompare.
static uint32_t floatOperator(llvm::StringRef op) {
  static constexpr llvm::StringLiteral kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
  const auto *found = llvm::find(kOperators, op);
  assert(found != std::end(kOperators) && "the operators of FloatCompare");
  return uint32_t(found - kOperators);
}

ptc_source CallStructure::source(const Observable &observable) const {
  ObservableKind kind = observable.kind;
  constexpr ptc_source kAbsent = {ptc_observable_absent, 0, 0, 0};
  if (kind == ObservableKind::GradMode)
    return {uint32_t(kind), 0, 0, 0};
  if (const Container *container = findContainer(observable.path))
    return containerSource(*container, kind);
  std::optional<uint32_t> leaf = findLeaf(observable.path);
  // Nothing sets the mode of a module, or the kind of a slot, behind the program's back.
  bool ofContainer = kind == ObservableKind::ClassName || kind == ObservableKind::Length ||
                     kind == ObservableKind::Keys || kind == ObservableKind::Training ||
                     kind == ObservableKind::StateTag;
  if (!leaf || ofContainer)
    return kAbsent;
  ptc_source source = {uint32_t(kind), *leaf, 0, observable.index};
  if (kind == ObservableKind::FloatCompare)
    source.other = floatOperator(observable.other);
  if (kind == ObservableKind::Overlap) {
    std::optional<uint32_t> other = findLeaf(observable.other);
    if (!other)
      return kAbsent;
    source.other = *other;
  }
  return source;
}

bool CallStructure::matches(const ObservableSpace &space, const Observation &call) const {
  auto has = [&](const Container &container) {
    const ObservedValue *value = call.find(container.path);
    if (!value || value->tag != container.tag)
      return false;
    std::string keys = llvm::join(value->keys, ", ");
    return (!container.length || value->length == *container.length) &&
           (!container.keys || keys == space.strings().text(*container.keys)) &&
           (!container.className || value->text == space.strings().text(*container.className));
  };
  auto isLeaf = [&](const std::string &path) {
    const ObservedValue *value = call.find(path);
    return value && (findContainer(path) || !isContainer(value->tag));
  };
  return llvm::all_of(containerList, has) && llvm::all_of(leafPaths, isLeaf);
}

//===----------------------------------------------------------------------===//
// From guards
//===----------------------------------------------------------------------===//

/// Guards of a variant come in the order of its arguments, containers before their parts.
static CallStructure structureOf(const ObservableSpace &space, const GuardSet &set) {
  CallStructure structure;
  for (const Guard &guard : set.guards()) {
    std::optional<UnaryAtom> unary = asUnary(guard.atom);
    if (!unary || unary->relation != Relation::Equal)
      continue;
    const Observable &observable = space.observable(unary->symbol);
    const std::string &path = observable.path;
    if (guard.kind == GuardKind::Type) {
      auto tag = ValueTag(unary->value);
      if (isContainer(tag))
        structure.containerAt(path).tag = tag;
      if (!isTakenApart(tag))
        structure.addLeaf(path);
    } else if (guard.kind == GuardKind::Length) {
      structure.containerAt(path).length = unary->value;
    } else if (guard.kind == GuardKind::Keys) {
      structure.containerAt(path).keys = unary->value;
    } else if (guard.kind == GuardKind::Class) {
      structure.containerAt(path).className = unary->value;
    }
  }
  return structure;
}

llvm::Expected<std::vector<CallStructure>>
ptc::sym::callStructures(const ObservableSpace &space, llvm::ArrayRef<GuardSet> variants) {
  std::vector<CallStructure> structures;
  for (auto [i, set] : llvm::enumerate(variants)) {
    CallStructure found = structureOf(space, set);
    for (const Guard &guard : set.guards()) {
      const std::string path = guardPath(space, guard.atom);
      if (!path.empty() && !found.findLeaf(path) && !found.findContainer(path))
        return makeError(DiagId::InternalError, {}, "no guard says what '" + path + "' is");
    }
    auto same = llvm::find_if(structures, [&](auto &s) { return s.hasSameShape(found); });
    if (same == structures.end())
      same = structures.insert(structures.end(), std::move(found));
    same->variants.push_back(unsigned(i));
  }
  return structures;
}

std::optional<GuardSet> ptc::sym::specialise(const ObservableSpace &space, const GuardSet &set,
                                             const CallStructure &structure) {
  llvm::SmallVector<Guard, 0> left;
  for (const Guard &guard : set.guards()) {
    bool isDecided = true;
    for (SymbolId id : space.context().symbolsOf(guard.atom.expr)) {
      uint32_t kind = structure.source(space.observable(id)).kind;
      if (kind == ptc_observable_absent)
        return std::nullopt;
      isDecided &= kind == ptc_observable_constant;
    }
    if (!isDecided) {
      left.push_back(guard);
      continue;
    }
    auto value = [&](SymbolId id) -> std::optional<int64_t> {
      return structure.source(space.observable(id)).index;
    };
    if (evaluate(space.context(), guard.atom, value) != true)
      return std::nullopt;
  }
  return GuardSet(left);
}
