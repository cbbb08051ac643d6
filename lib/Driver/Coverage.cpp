//===- Coverage.cpp - --require-total -------------------------------------------------===//
//
// In: the guards of all variants. Out: success if they accept every call of the domain, else a
// diagnostic with a call that none accepts, or that it was not decided. The domain is what inputs
// were declared to be: types, dtypes, ranks, layouts and fixed sizes that all variants agree on,
// and what is declared of sizes. What a branch assumed is not part of it.
//
//===----------------------------------------------------------------------===//
#include "Coverage.h"

#include "ptc/Capture/Observe.h"
#include "ptc/Dialect/Guard/Transforms/Simplify.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;

/// Is the guard a statement about what is passed, and not about what the program does with it?
static bool isDeclared(const sym::ObservableSpace &space, const sym::Guard &guard) {
  if (sym::guardPath(space, guard.atom) == kArgumentsPath || guard.kind == sym::GuardKind::Overlap)
    return true;
  return llvm::any_of(guard.origins, [](const sym::GuardOrigin &origin) {
    return origin.reason == kArgumentReason ||
           llvm::StringRef(origin.reason).starts_with("declared: ");
  });
}

/// What the domain says that an observable of `path` is.
static std::optional<sym::UnaryAtom> findValue(const sym::ObservableSpace &space,
                                               llvm::ArrayRef<sym::Atom> domain,
                                               sym::ObservableKind kind, llvm::StringRef path) {
  for (const sym::Atom &atom : domain)
    if (std::optional<sym::UnaryAtom> unary = sym::asUnary(atom);
        unary && unary->relation == sym::Relation::Equal &&
        space.observable(unary->symbol).kind == kind &&
        llvm::StringRef(space.observable(unary->symbol).path) == path)
      return unary;
  return std::nullopt;
}

/// Where a size may be 0 or 1, strides that variants ask for say more than that a tensor is dense:
/// one that is declared has those of its layout.
static void addStridesOfLayouts(sym::ObservableSpace &space, std::vector<sym::Atom> &domain) {
  sym::Context &context = space.context();
  for (uint32_t i = 0, count = space.numObservables(); i < count; ++i) {
    const sym::Observable asked = space.observable(i);
    if (asked.kind != sym::ObservableKind::Stride)
      continue;
    auto dense = findValue(space, domain, sym::ObservableKind::Dense, asked.path);
    auto rank = findValue(space, domain, sym::ObservableKind::Rank, asked.path);
    if (!dense || !rank || dense->value != 1)
      continue;
    const auto order =
        sym::decodeOrder(space.observable(dense->symbol).index, unsigned(rank->value));
    sym::Expr stride = context.constant(1);
    for (unsigned d : llvm::reverse(order)) {
      if (d == asked.index)
        break;
      sym::Expr size = space.symbol({sym::ObservableKind::Size, asked.path, int64_t(d), {}});
      stride = context.mul(stride, context.max(size, context.constant(1)));
    }
    if (std::optional<sym::Atom> atom =
            sym::makeAtom(context, sym::Relation::Equal, space.symbol(asked), stride))
      domain.push_back(*atom);
  }
}

llvm::Error ptc::requireTotal(sym::ObservableSpace &space, llvm::ArrayRef<sym::GuardSet> variants,
                              const sym::GuardSet &declared,
                              llvm::ArrayRef<sym::GuardSet> outside) {
  std::vector<sym::Atom> domain;
  for (const sym::Guard &guard : variants.front().guards()) {
    bool shared = llvm::all_of(variants, [&](const sym::GuardSet &set) {
      return llvm::any_of(set.guards(), [&](const sym::Guard &other) {
        return other.atom == guard.atom && isDeclared(space, other);
      });
    });
    if (shared)
      domain.push_back(guard.atom);
  }
  for (const sym::Guard &guard : declared.guards())
    if (!llvm::is_contained(domain, guard.atom))
      domain.push_back(guard.atom);
  addStridesOfLayouts(space, domain);
  std::vector<sym::GuardSet> all(variants.begin(), variants.end());
  llvm::append_range(all, outside);
  guard::Coverage coverage = guard::findCoverage(space.context(), domain, all);
  switch (coverage.kind) {
  case guard::Coverage::Kind::Covered:
    return llvm::Error::success();
  case guard::Coverage::Kind::CounterExample:
    return makeError(DiagId::NotTotal, {}, guard::pointText(space, coverage.point));
  case guard::Coverage::Kind::Undecided:
    return makeError(DiagId::TotalNotDecided, {});
  }
  llvm_unreachable("closed enum");
}
