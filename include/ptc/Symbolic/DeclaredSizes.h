//===- DeclaredSizes.h - What is said of the sizes of arguments -------*- C++ -*-===//
//
// `--input x=f32[B=8 in 1..64,L % 16 == 0]` gives sizes names and says what holds for them: ranges,
// sets, relations. These are facts: the capture takes them for granted, each call is checked.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_DECLAREDSIZES_H
#define PTC_SYMBOLIC_DECLAREDSIZES_H

#include "ptc/Symbolic/Guard.h"

namespace ptc::sym {

/// One dimension of an argument, or an argument that is a number.
struct DimRef {
  static constexpr unsigned kNumber = ~0U;
  std::string path;
  unsigned dim = 0;
  auto operator<=>(const DimRef &) const = default;

  /// Size, or Value of a number.
  Observable observable() const;
};

/// A size, or a number, and the formula over names that it is: `B`, `16*K`, `P + L`.
struct DeclaredDim {
  DimRef where;
  std::string size;
  bool operator==(const DeclaredDim &) const = default;
};

/// What is said of one name.
struct SizeDomain {
  std::string name;
  int64_t lower = 0;
  std::optional<int64_t> upper = {};
  /// Values that have variants of their own, in which they are constants; ascending.
  std::vector<int64_t> own = {};
  bool isClosed = false; ///< there are no values but `own`
  /// As in the examples; with more than one of them, of the first.
  std::optional<int64_t> typical = {};

  bool isOwn(int64_t value) const;
};

/// `L == 16*K`, `L % 16 == 0`, `P + L <= 64`.
struct SizeFact {
  std::string left;
  Relation relation = Relation::Equal;
  std::string right;
  bool operator==(const SizeFact &) const = default;
  std::string str() const;
};

struct DeclaredSizes {
  std::vector<DeclaredDim> dims;
  std::vector<SizeDomain> domains; ///< one for each name
  std::vector<SizeFact> facts;

  bool empty() const { return dims.empty(); }
  const SizeDomain *find(llvm::StringRef name) const;
  /// Adds a row, or makes that of the same name narrower: ranges and closed sets meet, own values
  /// are those of both.
  void add(const SizeDomain &domain);
  /// What stands for sizes that are not known when kernels are chosen: the geometric mean of what
  /// is typical; none: nothing is.
  std::optional<double> typicalSize() const;
  /// Lines for people: `B = x.shape[0], 8 in 1..64`.
  std::vector<std::string> lines() const;
};

class DynamicDims;
/// Are the sizes and numbers of a call as they were declared? Dimensions that it does not have say
/// nothing.
bool fitsDeclared(const DynamicDims &dims, const Observation &call);

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_DECLAREDSIZES_H
