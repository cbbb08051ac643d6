//===- PayloadFunctions.h - What payloads call ----------------------*- C++ -*-===//
#ifndef PTC_LIB_CONVERSION_ATENTOLINALG_PAYLOADFUNCTIONS_H
#define PTC_LIB_CONVERSION_ATENTOLINALG_PAYLOADFUNCTIONS_H

#include "ElementBuilder.h"

namespace ptc {

/// Builds the operations of one payload. Values are elements of `type`, or i1 where a comparison
/// gave them; each function takes the form that it needs.
struct Payload {
  ElementBuilder &e;
  DType type;  ///< of the work: no 16-bit float and no bool
  DType eager; ///< what eager computes in: a bool is worked on as a byte, 16 bits as a float
  /// Of the function that is being built: which operands are there, and its word.
  uint32_t present;
  uint32_t single; ///< which operands are numbers or tensors of one element
  llvm::StringRef word;

  using Value = mlir::Value;
  Value number(double value) { return e.real(type, value); }
  Value asNumber(Value v) { return v.getType().isInteger(1) ? e.convert(v, DType::Bool, type) : v; }
  Value asTruth(Value v) { return v.getType().isInteger(1) ? v : e.notZero(type, v); }
  Value compare(ElementBuilder::Relation relation, Value x, Value y) {
    return e.compare(type, relation, asNumber(x), asNumber(y));
  }
  Value select(Value condition, Value x, Value y) {
    return e.select(condition, asNumber(x), asNumber(y));
  }
};

using PayloadFunction = mlir::Value (*)(Payload &, llvm::ArrayRef<mlir::Value>);
/// Null for a function that has no lowering.
PayloadFunction findPayloadFunction(llvm::StringRef name);

/// Functions that no target has, in SpecialFunctions.cpp.
mlir::Value logGamma(Payload &p, llvm::ArrayRef<mlir::Value> operands);
mlir::Value digamma(Payload &p, llvm::ArrayRef<mlir::Value> operands);
mlir::Value inverseErf(Payload &p, llvm::ArrayRef<mlir::Value> operands);

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOLINALG_PAYLOADFUNCTIONS_H
