//===- GuardTable.h - Guards as the read-only data of the stub ---------*- C++ -*-===//
#ifndef PTC_PACKAGE_GUARDTABLE_H
#define PTC_PACKAGE_GUARDTABLE_H

#include "ptc/Runtime/GuardTable.h"
#include "ptc/Symbolic/Guard.h"

namespace ptc {

/// The guards of an entry's variants in the form that Runtime/GuardTable.h describes. Observables
/// are numbered as in the ObservableSpace. Owns what `view` points to.
class GuardTable {
public:
  /// Errors: UnsupportedGuard for a formula deeper than PTC_CODE_MAX_DEPTH.
  static llvm::Expected<GuardTable> create(const sym::ObservableSpace &space,
                                           llvm::ArrayRef<sym::GuardSet> variants);
  ptc_guard_table view() const;

private:
  ptc_text intern(llvm::StringRef text);
  /// Appends the postfix form of `e`; the depth of stack that it needs.
  unsigned encode(const sym::Atom &atom);
  unsigned encode(sym::Expr e);
  unsigned encodeTerm(const sym::Term &term);
  void encodeAll(llvm::ArrayRef<sym::Expr> operands, int64_t op, unsigned &depth);
  void nameValues(const sym::ObservableSpace &space, const sym::Atom &atom);
  llvm::Error addGuard(const sym::ObservableSpace &space, const sym::Guard &guard);

  std::vector<int64_t> code;
  std::vector<ptc_observable_row> observables;
  std::vector<ptc_value_name> names;
  std::vector<ptc_guard_row> guards;
  std::vector<uint32_t> variantBegins;
  std::string texts;
  llvm::StringMap<ptc_text> interned;
};

} // namespace ptc

#endif // PTC_PACKAGE_GUARDTABLE_H
