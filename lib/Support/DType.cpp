//===- DType.cpp - The table of element types --------------------------------===//
//
// In: names. Out: rows of DType.def.
//
//===----------------------------------------------------------------------===//
#include "ptc/Support/DType.h"

#include <cassert>

using namespace ptc;

static constexpr DTypeInfo kDTypeInfos[] = {
#define PTC_DTYPE(Name, Torch, Alias, Kind, Bytes, TorchCode, DLCode, Safetensors)                 \
  {DType::Name, Torch, Alias, DTypeKind::Kind, Bytes, TorchCode, DLCode, Safetensors},
#include "ptc/Support/DType.def"
};

llvm::ArrayRef<DTypeInfo> ptc::getAllDTypeInfos() { return kDTypeInfos; }

const DTypeInfo &ptc::getDTypeInfo(DType dtype) {
  assert(size_t(dtype) < std::size(kDTypeInfos) && "a row of DType.def");
  return kDTypeInfos[size_t(dtype)];
}

std::optional<DType> ptc::parseDType(llvm::StringRef name) {
  for (const DTypeInfo &info : kDTypeInfos)
    if (info.alias == name || info.torchName == name)
      return info.dtype;
  return std::nullopt;
}
