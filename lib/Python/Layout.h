//===- Layout.h - Sizes that Python gives as int -*- C++ -*-===//
//
// Widths and repetition counts: from PyInt to a size, or the exception of CPython's conversion.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_LAYOUT_H
#define PTC_LIB_PYTHON_LAYOUT_H

#include "Raise.h"

#include "ptc/Python/BigInt.h"

namespace ptc::py {

inline Raised textTooLong() { return limitExceeded("a text longer than ptc computes"); }

/// A width in columns: negative ones are 0.
inline Result<uint64_t> toWidth(const PyInt &width) {
  auto value = width.asInt64();
  if (!value)
    return overflowError("Python int too large to convert to C ssize_t");
  if (*value > int64_t(kMaxStrBytes))
    return textTooLong();
  return *value < 0 ? 0 : static_cast<uint64_t>(*value);
}

/// How often something of `size` bytes is repeated: negative counts are 0.
inline Result<uint64_t> toRepeat(const PyInt &count, size_t size) {
  auto value = count.asInt64();
  if (!value)
    return overflowError("cannot fit 'int' into an index-sized integer");
  if (*value <= 0 || size == 0)
    return uint64_t(0);
  if (uint64_t(*value) > kMaxStrBytes / size)
    return textTooLong();
  return static_cast<uint64_t>(*value);
}

/// The argument of expandtabs, a C int.
inline Result<int64_t> toTabSize(const PyInt &size) {
  auto value = size.asInt64();
  if (!value || *value > INT32_MAX || *value < INT32_MIN)
    return overflowError("Python int too large to convert to C int");
  return *value;
}

inline std::string repeatBytes(std::string_view bytes, uint64_t count) {
  std::string result;
  result.reserve(bytes.size() * count);
  for (; count > 0; --count)
    result += bytes;
  return result;
}

} // namespace ptc::py

#endif // PTC_LIB_PYTHON_LAYOUT_H
