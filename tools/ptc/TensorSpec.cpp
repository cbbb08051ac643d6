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

/// The dimensions of `f32[B in 1..64,512]`.
static llvm::SmallVector<llvm::StringRef> dimensionsOf(llvm::StringRef spec) {
  llvm::StringRef inner = spec.trim().split('[').second;
  (void)inner.consume_back("]");
  return inner.trim().empty() ? llvm::SmallVector<llvm::StringRef>() : splitList(inner);
}

llvm::Error tool::addFacts(llvm::StringRef spec, SizeFacts &facts) {
  for (llvm::StringRef text : dimensionsOf(spec))
    if (int64_t size; text.getAsInteger(10, size))
      if (llvm::Error error = parseSize(text, facts).takeError())
        return error;
  return llvm::Error::success();
}

llvm::Expected<HostTensor> tool::tensorFromSpec(llvm::StringRef spec, uint64_t seed,
                                                const SizeValues &values,
                                                std::vector<std::string> &dims) {
  auto [head, tail] = spec.trim().split('[');
  std::optional<DType> dtype = parseDType(head.trim());
  if (!dtype) {
    std::string valid;
    for (const DTypeInfo &info : getAllDTypeInfos())
      valid += (valid.empty() ? "" : ", ") + info.alias.str();
    return malformed("no element type is called '" + head.trim() + "'; valid are " + valid);
  }
  if (!tail.ends_with("]"))
    return malformed("'" + spec + "' lacks the closing ]");
  llvm::SmallVector<int64_t> sizes;
  bool declared = false;
  int64_t total = 1;
  for (llvm::StringRef text : dimensionsOf(spec)) {
    int64_t size;
    if (!text.getAsInteger(10, size)) {
      if (size < 0)
        return malformed("a size is negative");
      dims.emplace_back();
    } else {
      SizeFacts said; // they are known
      auto dim = parseSize(text, said);
      if (!dim)
        return dim.takeError();
      std::optional<int64_t> found = evaluateSize(*dim, values);
      if (!found || *found < 0)
        return malformed("'" + *dim + "' is no size" +
                         (found ? " but " + std::to_string(*found) : ""));
      size = *found;
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
