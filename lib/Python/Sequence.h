//===- Sequence.h - Algorithms that str and bytes share -*- C++ -*-===//
//
// Written once over a kind of character: Octets (bytes), Ascii (a str of ASCII) and Wide (any str,
// as code points). Views in, views or owned sequences out; positions are those of the view.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_SEQUENCE_H
#define PTC_LIB_PYTHON_SEQUENCE_H

#include "Unicode.h"

#include "ptc/Python/Bytes.h"

#include <algorithm>

namespace ptc::py::seq {

/// \t \n \v \f \r and space: white space of bytes; str adds the separators 0x1c to 0x1f.
inline bool isAsciiSpace(unsigned c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Octets {
  using Char = char;
  static bool isSpace(char c) { return isAsciiSpace(static_cast<uint8_t>(c)); }
  static bool isLineBreak(char c) { return c == '\n' || c == '\r'; }
};

struct Ascii {
  using Char = char;
  static bool isSpace(char c) { return isAsciiSpace(static_cast<uint8_t>(c)) || isSeparator(c); }

private:
  static bool isSeparator(char c) { return c >= 0x1c && c <= 0x1f; }
};

struct Wide {
  using Char = char32_t;
  static bool isSpace(char32_t c) { return unicode::has(c, unicode::Space); }
};

template <typename Kind> using View = std::basic_string_view<typename Kind::Char>;
template <typename Kind> using Owned = std::basic_string<typename Kind::Char>;
template <typename Kind> using Views = std::vector<View<Kind>>;

/// `bounds` against a length: end - start is negative where nothing can be found.
inline Bounds clip(Bounds bounds, size_t length) {
  const auto n = static_cast<int64_t>(length);
  if (bounds.end > n)
    bounds.end = n;
  else if (bounds.end < 0)
    bounds.end = std::max<int64_t>(bounds.end + n, 0);
  if (bounds.start < 0)
    bounds.start = std::max<int64_t>(bounds.start + n, 0);
  return bounds;
}

template <typename Char>
int64_t find(std::basic_string_view<Char> s, std::basic_string_view<Char> sub, Bounds bounds) {
  bounds = clip(bounds, s.size());
  if (bounds.end - bounds.start < static_cast<int64_t>(sub.size()))
    return -1;
  size_t at = s.substr(0, static_cast<size_t>(bounds.end)).find(sub, size_t(bounds.start));
  return at == s.npos ? -1 : static_cast<int64_t>(at);
}

template <typename Char>
int64_t rfind(std::basic_string_view<Char> s, std::basic_string_view<Char> sub, Bounds bounds) {
  bounds = clip(bounds, s.size());
  if (bounds.end - bounds.start < static_cast<int64_t>(sub.size()))
    return -1;
  const auto start = static_cast<size_t>(bounds.start);
  size_t at = s.substr(start, static_cast<size_t>(bounds.end - bounds.start)).rfind(sub);
  return at == s.npos ? -1 : static_cast<int64_t>(at + start);
}

template <typename Char>
int64_t count(std::basic_string_view<Char> s, std::basic_string_view<Char> sub, Bounds bounds) {
  bounds = clip(bounds, s.size());
  if (bounds.end - bounds.start < static_cast<int64_t>(sub.size()))
    return 0;
  if (sub.empty())
    return bounds.end - bounds.start + 1;
  s = s.substr(size_t(bounds.start), size_t(bounds.end - bounds.start));
  int64_t found = 0;
  for (size_t at = s.find(sub); at != s.npos; at = s.find(sub, at + sub.size()))
    ++found;
  return found;
}

/// Whether `part` stands at the start or the end of s[bounds].
template <typename Char>
bool hasTail(std::basic_string_view<Char> s, std::basic_string_view<Char> part, Bounds bounds,
             bool atEnd) {
  bounds = clip(bounds, s.size());
  if (bounds.end - bounds.start < static_cast<int64_t>(part.size()))
    return false;
  size_t at = atEnd ? size_t(bounds.end) - part.size() : size_t(bounds.start);
  return s.substr(at, part.size()) == part;
}

/// The limit of replacements or splits as a count: negative means all.
inline uint64_t toCount(int64_t limit) {
  return limit < 0 ? UINT64_MAX : static_cast<uint64_t>(limit);
}

/// nullopt where the result is longer than kMaxStrBytes.
template <typename Char>
std::optional<std::basic_string<Char>> replace(std::basic_string_view<Char> s,
                                               std::basic_string_view<Char> from,
                                               std::basic_string_view<Char> to, int64_t limit) {
  std::basic_string<Char> result;
  uint64_t left = toCount(limit);
  size_t done = 0;
  // An empty `from` stands before each character and at the end.
  for (size_t at = 0; left > 0; --left) {
    at = s.find(from, at);
    if (at == s.npos)
      break;
    result.append(s, done, at - done).append(to);
    if (result.size() > kMaxStrBytes)
      return std::nullopt;
    done = at + from.size();
    at = from.empty() ? at + 1 : done;
    if (from.empty() && at > s.size())
      break;
  }
  return result.append(s, done);
}

template <typename Kind> Views<Kind> splitSpace(View<Kind> s, int64_t limit) {
  Views<Kind> parts;
  uint64_t left = toCount(limit);
  size_t at = 0;
  while (true) {
    while (at < s.size() && Kind::isSpace(s[at]))
      ++at;
    if (at == s.size())
      return parts;
    if (left-- == 0)
      break;
    size_t start = at;
    while (at < s.size() && !Kind::isSpace(s[at]))
      ++at;
    parts.push_back(s.substr(start, at - start));
  }
  // The rest is one part and keeps the white space at its end.
  parts.push_back(s.substr(at));
  return parts;
}

template <typename Kind> Views<Kind> rsplitSpace(View<Kind> s, int64_t limit) {
  Views<Kind> parts;
  uint64_t left = toCount(limit);
  size_t end = s.size();
  while (true) {
    while (end > 0 && Kind::isSpace(s[end - 1]))
      --end;
    if (end == 0)
      break;
    if (left-- == 0) {
      parts.push_back(s.substr(0, end));
      break;
    }
    size_t start = end;
    while (start > 0 && !Kind::isSpace(s[start - 1]))
      --start;
    parts.push_back(s.substr(start, end - start));
    end = start;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

/// Requires a separator that is not empty.
template <typename Kind> Views<Kind> split(View<Kind> s, View<Kind> separator, int64_t limit) {
  Views<Kind> parts;
  size_t start = 0;
  for (uint64_t left = toCount(limit); left > 0; --left) {
    size_t at = s.find(separator, start);
    if (at == s.npos)
      break;
    parts.push_back(s.substr(start, at - start));
    start = at + separator.size();
  }
  parts.push_back(s.substr(start));
  return parts;
}

template <typename Kind> Views<Kind> rsplit(View<Kind> s, View<Kind> separator, int64_t limit) {
  Views<Kind> parts;
  for (uint64_t left = toCount(limit); left > 0; --left) {
    size_t at = s.rfind(separator);
    if (at == s.npos)
      break;
    parts.push_back(s.substr(at + separator.size()));
    s = s.substr(0, at);
  }
  parts.push_back(s);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

template <typename Kind> Views<Kind> splitlines(View<Kind> s, bool keepEnds) {
  Views<Kind> lines;
  for (size_t start = 0; start < s.size();) {
    size_t end = start;
    while (end < s.size() && !Kind::isLineBreak(s[end]))
      ++end;
    size_t next = end;
    if (next < s.size())
      next += s[next] == '\r' && next + 1 < s.size() && s[next + 1] == '\n' ? 2 : 1;
    lines.push_back(s.substr(start, (keepEnds ? next : end) - start));
    start = next;
  }
  return lines;
}

template <typename Kind>
std::array<View<Kind>, 3> partition(View<Kind> s, View<Kind> separator, bool fromEnd) {
  size_t at = fromEnd ? s.rfind(separator) : s.find(separator);
  if (at == s.npos)
    return fromEnd ? std::array<View<Kind>, 3>{{{}, {}, s}}
                   : std::array<View<Kind>, 3>{{s, {}, {}}};
  return {{s.substr(0, at), separator, s.substr(at + separator.size())}};
}

struct Sides {
  bool left, right;
};

template <typename Kind>
View<Kind> strip(View<Kind> s, const std::optional<View<Kind>> &chars, Sides sides) {
  auto goes = [&](typename Kind::Char c) {
    return chars ? chars->find(c) != chars->npos : Kind::isSpace(c);
  };
  if (sides.left)
    while (!s.empty() && goes(s.front()))
      s.remove_prefix(1);
  if (sides.right)
    while (!s.empty() && goes(s.back()))
      s.remove_suffix(1);
  return s;
}

template <typename Char>
std::basic_string<Char> slice(std::basic_string_view<Char> s, const SliceIndices &indices) {
  if (indices.step == 1)
    return std::basic_string<Char>(s.substr(size_t(indices.start), size_t(indices.count)));
  std::basic_string<Char> result;
  result.reserve(size_t(indices.count));
  for (int64_t i = 0; i < indices.count; ++i)
    result += s[size_t(indices.start + i * indices.step)];
  return result;
}

/// `width` columns: which of them go left and right of `length` characters.
struct Padding {
  size_t left = 0, right = 0;
};
enum class Justify : uint8_t { Left, Right, Center };
inline Padding pad(size_t length, uint64_t width, Justify justify) {
  if (width <= length)
    return {};
  const size_t margin = width - length;
  switch (justify) {
  case Justify::Left:
    return {0, margin};
  case Justify::Right:
    return {margin, 0};
  case Justify::Center:
    break;
  }
  // The odd column goes left where the width is odd, else right (CPython's rule).
  const size_t left = margin / 2 + (margin & width & 1);
  return {left, margin - left};
}

/// nullopt where the result is longer than kMaxStrBytes.
template <typename Char>
std::optional<std::basic_string<Char>> expandtabs(std::basic_string_view<Char> s, int64_t tabSize) {
  std::basic_string<Char> result;
  int64_t column = 0;
  for (Char c : s) {
    if (c == '\t') {
      const int64_t fill = tabSize > 0 ? tabSize - column % tabSize : 0;
      if (result.size() + uint64_t(fill) > kMaxStrBytes)
        return std::nullopt;
      result.append(size_t(fill), ' ');
      column += fill;
      continue;
    }
    result += c;
    column = c == '\n' || c == '\r' ? 0 : column + 1;
  }
  return result;
}

} // namespace ptc::py::seq

#endif // PTC_LIB_PYTHON_SEQUENCE_H
