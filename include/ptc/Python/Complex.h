//===- Complex.h - Python's complex -*- C++ -*-===//
//
// Arithmetic with CPython's formulas, which are not those of std::complex where an infinity or a
// nan takes part. A real operand is converted first, as up to 3.13.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_COMPLEX_H
#define PTC_PYTHON_COMPLEX_H

#include "ptc/Python/Float.h"

namespace ptc::py {

using Complex = std::complex<double>;

/// "(1+2j)", "2j", "(-0-0j)"
std::string reprComplex(Complex value);
/// complex(text)
Result<Complex> parseComplex(StrRef text);

Complex mulComplex(Complex a, Complex b);
Result<Complex> divComplex(Complex a, Complex b);
Result<Complex> powComplex(Complex a, Complex b);
Result<double> absComplex(Complex value);

} // namespace ptc::py

#endif // PTC_PYTHON_COMPLEX_H
