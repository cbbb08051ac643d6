//===- Unicode.h - What str's methods know about a code point -*- C++ -*-===//
//
// Over the generated Unicode.inc (tools/gen/unicode_table.py).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_UNICODE_H
#define PTC_LIB_PYTHON_UNICODE_H

#include <cstdint>
#include <string>

namespace ptc::py::unicode {

enum Flag : uint16_t {
#define PTC_UNICODE_FLAG(Name, Bit) Name = 1 << Bit,
#include "Unicode.inc"
#undef PTC_UNICODE_FLAG
};

enum class Mapping : uint8_t { Upper, Lower, Title, Fold };

/// The union of Flag bits of `point`.
uint16_t getFlags(char32_t point);
inline bool has(char32_t point, unsigned flags) { return getFlags(point) & flags; }
inline bool isCased(char32_t point) { return has(point, Lower | Upper | Title); }
/// The value of a decimal digit of any script, or -1.
int getDecimal(char32_t point);
/// Appends the full mapping of `point`, one to three code points.
void appendMapped(std::u32string &text, char32_t point, Mapping mapping);

} // namespace ptc::py::unicode

#endif // PTC_LIB_PYTHON_UNICODE_H
