//===- Numeral.h - Text that is read as a number -*- C++ -*-===//
//
// What int(), float() and complex() do to a str before they look at it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_NUMERAL_H
#define PTC_LIB_PYTHON_NUMERAL_H

#include <string>
#include <string_view>

namespace ptc::py {

/// Digits of any script become ASCII digits, white space becomes ' ', what else is not ASCII '?'.
std::string toAsciiNumeral(std::string_view text);
/// Without white space on both sides.
std::string_view trimNumeral(std::string_view text);

} // namespace ptc::py

#endif // PTC_LIB_PYTHON_NUMERAL_H
