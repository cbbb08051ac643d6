//===- DynamicDims.h - Which sizes of which arguments are symbols ----*- C++ -*-===//
//
// The rules of `--dynamic`: with `none` no size is a symbol, with `all` every one is, with `auto` a
// size that differs between two examples is. Declared sizes (`--input x=f32[B in 1..64,512]`) and
// those that the program marks are symbols in every mode. Sizes 0 and 1 stay constants (they
// broadcast and make tensors empty), and sizes that are equal in every example share a symbol:
// ShapeEnv applies both.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_DYNAMICDIMS_H
#define PTC_SYMBOLIC_DYNAMICDIMS_H

#include "ptc/Support/Error.h"
#include "ptc/Symbolic/DeclaredSizes.h"

namespace ptc::sym {

enum class DynamicMode : uint8_t { None, Auto, All };
std::optional<DynamicMode> parseDynamicMode(llvm::StringRef text);

/// What the program says about a size of an argument: `torch._dynamo.mark_dynamic(x, 0)`.
struct DimMark {
  enum class Kind : uint8_t {
    Dynamic, ///< a symbol; that it must be one value is an error
    Maybe,   ///< a symbol
    Static,  ///< no symbol, unless it is marked as one, too
  } kind = Kind::Dynamic;
  DimRef where;
  std::optional<int64_t> lower, upper;
  SourceLoc loc;

  bool isSymbol() const { return kind != Kind::Static; }
};

class DynamicDims {
public:
  /// Everything static.
  DynamicDims() = default;
  /// Tensors are compared with the tensors at the same path that have the same rank.
  DynamicDims(llvm::ArrayRef<Observation> examples, DynamicMode mode, DeclaredSizes declared = {},
              llvm::ArrayRef<DimMark> marks = {});

  bool isDynamic(const DimRef &dim) const { return dynamic.count(dim); }
  /// What was declared, a row for each name.
  const DeclaredSizes &declared() const { return declarations; }
  /// The mark that makes it a symbol, Dynamic before Maybe; null: there is none.
  const DimMark *findMark(const DimRef &dim) const;
  /// Whether the two sizes are equal in every example that has both.
  bool areAlwaysEqual(const DimRef &a, const DimRef &b) const;

private:
  /// Sizes by example; -1: the example has no such dimension.
  std::map<DimRef, std::vector<int64_t>> dynamic;
  DeclaredSizes declarations;
  std::vector<DimMark> marks;
};

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_DYNAMICDIMS_H
