//===- FloatText.h - Doubles and decimal text -*- C++ -*-===//
//
// The one place where digits of a double are made and read; Float.cpp and Format.cpp lay them out.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_FLOATTEXT_H
#define PTC_LIB_PYTHON_FLOATTEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ptc::py {

/// How a double is written.
struct FloatStyle {
  /// e E f F g G as printf has them; r for the shortest digits that read back.
  char type = 'r';
  /// Digits after the point (e, f) or significant digits (g); not used by r.
  int precision = 0;
  /// A sign before positive numbers, too.
  bool plus = false;
  /// #: always a point, and g keeps its zeros.
  bool alternate = false;
  /// "1.0" instead of "1" where neither point nor exponent would show that it is a float.
  bool dotZero = false;
  /// No sign where all digits are zeros.
  bool noNegativeZero = false;
};

std::string writeFloat(double value, const FloatStyle &style);

/// Reads the longest number at the start of `text` (sign, digits, point, exponent, or inf,
/// infinity, nan in any case); `size` says how long it is, 0 where there is none. Too large is an
/// infinity.
double readFloat(std::string_view text, size_t &size);

/// Takes the underscores between digits out of `text`; false where one stands elsewhere.
bool dropUnderscores(std::string &text);

/// value * 2**shift, with `sticky` for a positive rest below value's last bit; rounds half to even.
/// Where sticky is set, value has 55 to 62 bits.
double roundScaled(uint64_t value, int64_t shift, bool sticky);

} // namespace ptc::py

#endif // PTC_LIB_PYTHON_FLOATTEXT_H
