//===- DType.h - Element types of tensors ------------------------*- C++ -*-===//
#ifndef PTC_SUPPORT_DTYPE_H
#define PTC_SUPPORT_DTYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace ptc {

/// The element types that ptc knows; the rows are in DType.def.
enum class DType : uint8_t {
#define PTC_DTYPE(Name, Torch, Alias, Kind, Bytes, TorchCode, DLCode, Safetensors) Name,
#include "ptc/Support/DType.def"
};

/// Ordered as PyTorch's type promotion orders categories (bool < integral < floating < complex).
enum class DTypeKind : uint8_t { Bool, Unsigned, Signed, Float, Complex };

struct DTypeInfo {
  DType dtype;
  llvm::StringLiteral torchName; ///< "float32", as in torch.float32
  llvm::StringLiteral alias;     ///< "f32", as in --input x=f32[2,3]
  DTypeKind kind;
  uint8_t bytes;     ///< size of one element
  uint8_t torchCode; ///< c10::ScalarType
  uint8_t dlCode;    ///< DLDataTypeCode
  llvm::StringLiteral safetensors;
};

const DTypeInfo &getDTypeInfo(DType dtype);
/// All rows, in the order of the enumerators.
llvm::ArrayRef<DTypeInfo> getAllDTypeInfos();
/// By alias ("f32") or PyTorch name ("float32"); none if there is no such row.
std::optional<DType> parseDType(llvm::StringRef name);

inline bool isFloat(DType t) { return getDTypeInfo(t).kind == DTypeKind::Float; }
inline bool isComplex(DType t) { return getDTypeInfo(t).kind == DTypeKind::Complex; }
inline bool isBool(DType t) { return t == DType::Bool; }
/// Integers of either sign; bool is not one.
inline bool isInteger(DType t) {
  DTypeKind kind = getDTypeInfo(t).kind;
  return kind == DTypeKind::Signed || kind == DTypeKind::Unsigned;
}

} // namespace ptc

#endif // PTC_SUPPORT_DTYPE_H
