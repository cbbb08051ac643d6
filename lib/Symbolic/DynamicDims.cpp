//===- DynamicDims.cpp - The rules of --dynamic ---------------------------------------===//
//
// In: the examples' values, the mode, declared sizes. Out: which dimensions become symbols and
// which of them may share one.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/DynamicDims.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace ptc;
using namespace ptc::sym;

std::optional<DynamicMode> ptc::sym::parseDynamicMode(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<DynamicMode>>(text)
      .Case("none", DynamicMode::None)
      .Case("auto", DynamicMode::Auto)
      .Case("all", DynamicMode::All)
      .Default(std::nullopt);
}

/// Sizes of the tensors of one path and rank: one row for each example, -1 where it has none.
using SizesByDim = std::map<DimRef, std::vector<int64_t>>;

static void collectSizes(llvm::ArrayRef<Observation> examples, llvm::StringRef path, size_t rank,
                         SizesByDim &sizes) {
  for (unsigned dim = 0; dim < rank; ++dim) {
    std::vector<int64_t> row;
    for (const Observation &example : examples) {
      const ObservedValue *value = example.find(path);
      bool fits = value && value->tag == ValueTag::Tensor && value->tensor.sizes.size() == rank;
      row.push_back(fits ? value->tensor.sizes[dim] : -1);
    }
    // Ranks that occur at one path: a dimension is dynamic if it is in one of them.
    std::vector<int64_t> &known = sizes[{path.str(), dim}];
    if (known.empty())
      known = std::move(row);
    else
      for (auto [old, now] : llvm::zip(known, row))
        old = old < 0 ? now : old;
  }
}

static bool differs(llvm::ArrayRef<int64_t> row) {
  auto first = llvm::find_if(row, [](int64_t v) { return v >= 0; });
  return llvm::any_of(llvm::make_range(first, row.end()),
                      [&](int64_t v) { return v >= 0 && v != *first; });
}

DynamicDims::DynamicDims(llvm::ArrayRef<Observation> examples, DynamicMode mode,
                         DeclaredSizes declared, llvm::ArrayRef<DimMark> given)
    : declarations(std::move(declared)), marks(given.begin(), given.end()) {
  for (const Observation &example : examples) {
    for (const auto &[path, value] : example.values) {
      if (value.tag != ValueTag::Tensor)
        continue;
      SizesByDim sizes;
      collectSizes(examples, path, value.tensor.sizes.size(), sizes);
      for (auto &[dim, row] : sizes) {
        bool byMode = mode == DynamicMode::All || (mode == DynamicMode::Auto && differs(row));
        bool isStatic = llvm::any_of(
            marks, [&](const DimMark &mark) { return mark.where == dim && !mark.isSymbol(); });
        if (findMark(dim) || (byMode && !isStatic))
          dynamic.try_emplace(dim, std::move(row));
      }
    }
  }
}

const DimMark *DynamicDims::findMark(const DimRef &dim) const {
  for (DimMark::Kind kind : {DimMark::Kind::Dynamic, DimMark::Kind::Maybe})
    for (const DimMark &mark : marks)
      if (mark.where == dim && mark.kind == kind)
        return &mark;
  return nullptr;
}

bool DynamicDims::areAlwaysEqual(const DimRef &a, const DimRef &b) const {
  auto rowA = dynamic.find(a), rowB = dynamic.find(b);
  if (rowA == dynamic.end() || rowB == dynamic.end())
    return false;
  return llvm::all_of(llvm::zip(rowA->second, rowB->second), [](const auto &pair) {
    auto [x, y] = pair;
    return x < 0 || y < 0 || x == y;
  });
}
