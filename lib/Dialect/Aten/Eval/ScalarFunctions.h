//===- ScalarFunctions.h - The functions that payloads call ------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_SCALARFUNCTIONS_H
#define PTC_LIB_DIALECT_ATEN_EVAL_SCALARFUNCTIONS_H

#include "ptc/Support/DType.h"

#include <complex>

namespace ptc::aten {

/// What a scalar function knows besides its operands, and what it reports.
struct ScalarState {
  DType dtype =
      DType::Float32;        ///< the type that eager computes in; int64_t stands for all integers
  uint32_t present = ~0U;    ///< bit i: operand i is not None
  uint32_t single = 0;       ///< bit i: operand i is a number or a tensor of one element
  llvm::StringRef word = {}; ///< the operand that is a string, if there is one
  bool hasZeroDivision = false;
};

/// Operands in, value out; operands that are None or strings are zero.
template <typename T> using ScalarFunction = T (*)(const T *operands, ScalarState &state);

struct ScalarFunctionRow {
  llvm::StringLiteral name;
  ScalarFunction<int64_t> onInt;
  ScalarFunction<float> onFloat;
  ScalarFunction<double> onDouble;
  ScalarFunction<std::complex<float>> onComplexFloat;
  ScalarFunction<std::complex<double>> onComplex;

  /// Null where the function has no meaning for T.
  template <typename T> ScalarFunction<T> get() const {
    if constexpr (std::is_same_v<T, int64_t>)
      return onInt;
    else if constexpr (std::is_same_v<T, float>)
      return onFloat;
    else if constexpr (std::is_same_v<T, double>)
      return onDouble;
    else if constexpr (std::is_same_v<T, std::complex<float>>)
      return onComplexFloat;
    else
      return onComplex;
  }
};

/// Null if there is none of that name.
const ScalarFunctionRow *findScalarFunction(llvm::StringRef name);

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_SCALARFUNCTIONS_H
