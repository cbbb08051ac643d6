//===- Quote.h - Literals in repr -*- C++ -*-===//
//
// What repr of str and of bytes have in common.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_QUOTE_H
#define PTC_LIB_PYTHON_QUOTE_H

#include <string>
#include <string_view>

namespace ptc::py {

/// ' unless only that one occurs.
inline char chooseQuote(std::string_view bytes) {
  return bytes.find('\'') != bytes.npos && bytes.find('"') == bytes.npos ? '"' : '\'';
}

/// Appends the quote, the backslash, \t, \n and \r with a backslash; false for other characters.
inline bool appendEscaped(std::string &out, char32_t point, char quote) {
  char letter = 0;
  if (point == '\t')
    letter = 't';
  else if (point == '\n')
    letter = 'n';
  else if (point == '\r')
    letter = 'r';
  else if (point == '\\' || point == static_cast<char32_t>(quote))
    letter = static_cast<char>(point);
  else
    return false;
  out += '\\';
  out += letter;
  return true;
}

/// \x7f, \u20ac, \U0001f600
inline void appendNumericEscape(std::string &out, char32_t point) {
  const int digits = point < 0x100 ? 2 : point < 0x10000 ? 4 : 8;
  out += '\\';
  out += digits == 2 ? 'x' : digits == 4 ? 'u' : 'U';
  for (int i = digits; i-- > 0;)
    out += "0123456789abcdef"[point >> 4 * i & 0xf];
}

} // namespace ptc::py

#endif // PTC_LIB_PYTHON_QUOTE_H
