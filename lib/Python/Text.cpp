// Generalised UTF-8 to code points and back.
// The input of the readers is well formed: decoders (Codec.cpp) and the .pyc reader see to that.
#include "ptc/Python/Text.h"

#include <algorithm>
#include <cassert>

namespace ptc::py {

size_t countCodePoints(std::string_view bytes) {
  return static_cast<size_t>(
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

char32_t readCodePoint(std::string_view bytes, size_t &at) {
  const auto lead = static_cast<uint8_t>(bytes[at++]);
  if (lead < 0x80)
    return lead;
  const int extra = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  assert(at + extra <= bytes.size() && "truncated UTF-8");
  char32_t point = lead & (0x3f >> extra);
  for (int i = 0; i < extra; ++i)
    point = point << 6 | (static_cast<uint8_t>(bytes[at++]) & 0x3f);
  return point;
}

void appendCodePoint(std::string &bytes, char32_t point) {
  if (point < 0x80) {
    bytes += static_cast<char>(point);
    return;
  }
  const int extra = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  bytes += static_cast<char>((0xf00 >> (extra + 1)) | point >> 6 * extra);
  for (int i = extra; i-- > 0;)
    bytes += static_cast<char>(0x80 | (point >> 6 * i & 0x3f));
}

std::u32string toCodePoints(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (size_t at = 0; at < text.size();)
    points += readCodePoint(text, at);
  return points;
}

Str fromCodePoints(std::u32string_view points) {
  std::string bytes;
  bytes.reserve(points.size());
  for (char32_t point : points)
    appendCodePoint(bytes, point);
  return {std::move(bytes), points.size()};
}

} // namespace ptc::py
