//===- TensorSpec.cpp - f32[B in 1..64,512] -----------------------------------------===//
//
// In: an element type and dimensions as text. Out: a tensor drawn from a seed, so that the same
// command gives the same numbers on every machine.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"

#include "ptc/TensorFile/Draw.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::tool;

static llvm::Error malformed(const llvm::Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

/// A size for a dimension that only has a name: within the bounds that a tensor of the call gives
/// it, neither 0 nor 1 if they allow that.
static int64_t sizeFor(const DeclaredDim &dim, const DeclaredRanges &ranges) {
  auto range = ranges.find(dim.name);
  const DeclaredDim &bounds = range == ranges.end() ? dim : range->second;
  int64_t size = 5;
  for (char c : dim.name)
    size = 3 + (size * 31 + c) % 11;
  size = std::max(size, bounds.lower.value_or(0));
  return std::min(size, bounds.upper.value_or(INT64_MAX));
}

static llvm::Expected<DeclaredDim> parseDim(llvm::StringRef text) {
  DeclaredDim dim;
  auto [name, range] = text.split(" in ");
  dim.name = name.trim().str();
  auto isPart = [](char c) { return isalnum(c) || c == '_'; };
  bool word = !dim.name.empty() && !isdigit(dim.name[0]) && llvm::all_of(dim.name, isPart);
  if (!word)
    return malformed("'" + text + "' is no dimension: a number, NAME, or NAME in LOW..HIGH");
  if (range.empty())
    return dim;
  auto [low, high] = range.trim().split("..");
  int64_t bound;
  if (low.getAsInteger(10, bound))
    return malformed("'" + range + "' is no range LOW..HIGH");
  dim.lower = bound;
  if (high.getAsInteger(10, bound) || bound < *dim.lower)
    return malformed("'" + range + "' is no range LOW..HIGH");
  dim.upper = bound;
  return dim;
}

void tool::addRanges(llvm::StringRef spec, DeclaredRanges &ranges) {
  llvm::SmallVector<llvm::StringRef> texts;
  spec.split('[').second.split(']').first.split(texts, ',');
  for (llvm::StringRef text : texts)
    if (auto dim = parseDim(text.trim()); !dim)
      llvm::consumeError(dim.takeError()); // said where the tensor is made
    else if (dim->lower)
      ranges.try_emplace(dim->name, *dim);
}

llvm::Expected<HostTensor> tool::tensorFromSpec(llvm::StringRef spec, uint64_t seed,
                                                const DeclaredRanges &ranges,
                                                std::vector<DeclaredDim> &dims) {
  auto [head, tail] = spec.trim().split('[');
  std::optional<DType> dtype = parseDType(head.trim());
  if (!dtype) {
    std::string valid;
    for (const DTypeInfo &info : getAllDTypeInfos())
      valid += (valid.empty() ? "" : ", ") + info.alias.str();
    return malformed("no element type is called '" + head.trim() + "'; valid are " + valid);
  }
  if (!tail.consume_back("]"))
    return malformed("'" + spec + "' lacks the closing ]");
  llvm::SmallVector<llvm::StringRef> texts;
  if (!tail.trim().empty())
    tail.split(texts, ',');
  llvm::SmallVector<int64_t> sizes;
  bool declared = false;
  int64_t total = 1;
  for (llvm::StringRef text : texts) {
    int64_t size;
    if (!text.trim().getAsInteger(10, size)) {
      if (size < 0)
        return malformed("a size is negative");
      dims.emplace_back();
    } else {
      auto dim = parseDim(text.trim());
      if (!dim)
        return dim.takeError();
      size = sizeFor(*dim, ranges);
      dims.push_back(std::move(*dim));
      declared = true;
    }
    sizes.push_back(size);
    if (__builtin_mul_overflow(total, std::max<int64_t>(size, 1), &total) || total > kMaxElements)
      return malformed("'" + spec + "' is too large");
  }
  if (!declared)
    dims.clear();
  return drawnTensor(*dtype, sizes, seed);
}
