//===- Float.h - Python's float -*- C++ -*-===//
//
// What CPython's float does beyond the C operators + - * and comparison.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_FLOAT_H
#define PTC_PYTHON_FLOAT_H

#include "ptc/Python/BigInt.h"
#include "ptc/Python/Text.h"

#include <complex>

namespace ptc::py {

/// The fewest digits that read back as `value`: 1e+16, 0.0001, -0.0, inf, nan.
std::string reprFloat(double value);
/// float(text) of a str, and of bytes: white space, underscores, inf and nan in any case.
Result<double> parseFloat(StrRef text);
Result<double> parseFloatBytes(std::string_view text);

struct FloatPair {
  double quotient, remainder;
};
Result<double> divFloat(double a, double b);
Result<double> floorDivFloat(double a, double b);
Result<double> modFloat(double a, double b);
Result<FloatPair> divModFloat(double a, double b);

using FloatOrComplex = std::variant<double, std::complex<double>>;
/// a ** b: a complex where a is negative and b is no integer.
Result<FloatOrComplex> powFloat(double a, double b);

/// round(value, digits): correctly rounded, half to even. (Without digits: roundToInt, BigInt.h.)
Result<double> roundFloat(double value, const PyInt &digits);

struct IntRatio {
  PyInt numerator, denominator;
};
Result<IntRatio> asIntegerRatio(double value);
bool isInteger(double value);

/// float.hex and float.fromhex
std::string hexFloat(double value);
Result<double> parseHexFloat(StrRef text);

} // namespace ptc::py

#endif // PTC_PYTHON_FLOAT_H
