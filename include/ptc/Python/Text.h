//===- Text.h - How str is stored -*- C++ -*-===//
//
// A str is generalised UTF-8 (every code point from 0 to 0x10ffff, lone surrogates included, in
// the bytes that UTF-8's rule gives it) together with its number of code points, which makes len()
// and "is it ASCII?" O(1). Such strings compare like their code points. bytes is std::string.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_TEXT_H
#define PTC_PYTHON_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ptc::py {

/// The number of code points in generalised UTF-8.
size_t countCodePoints(std::string_view bytes);

/// A str that somebody else owns.
class StrRef {
public:
  StrRef() = default;
  StrRef(std::string_view bytes) : data(bytes), count(countCodePoints(bytes)) {}
  StrRef(const std::string &bytes) : StrRef(std::string_view(bytes)) {}
  StrRef(const char *bytes) : StrRef(std::string_view(bytes)) {}
  /// Requires count == countCodePoints(bytes).
  StrRef(std::string_view bytes, size_t count) : data(bytes), count(count) {}

  std::string_view bytes() const { return data; }
  /// len(): in code points.
  size_t length() const { return count; }
  bool empty() const { return count == 0; }
  bool isAscii() const { return data.size() == count; }

  friend bool operator==(StrRef a, StrRef b) { return a.data == b.data; }
  friend auto operator<=>(StrRef a, StrRef b) { return a.data <=> b.data; }

private:
  std::string_view data;
  size_t count = 0;
};

/// A str that is owned here.
class Str {
public:
  Str() = default;
  explicit Str(std::string bytes) : data(std::move(bytes)), count(countCodePoints(data)) {}
  explicit Str(StrRef text) : data(text.bytes()), count(text.length()) {}
  Str(std::string bytes, size_t count) : data(std::move(bytes)), count(count) {}

  operator StrRef() const { return {data, count}; }
  const std::string &bytes() const & { return data; }
  std::string bytes() && { return std::move(data); }
  size_t length() const { return count; }
  bool isAscii() const { return data.size() == count; }

  friend bool operator==(const Str &a, const Str &b) { return a.data == b.data; }

private:
  std::string data;
  size_t count = 0;
};

/// The code points of `text`.
std::u32string toCodePoints(std::string_view text);
Str fromCodePoints(std::u32string_view points);
void appendCodePoint(std::string &bytes, char32_t point);
/// The code point that starts at `at`, which is moved behind it. Requires at < bytes.size().
char32_t readCodePoint(std::string_view bytes, size_t &at);

} // namespace ptc::py

#endif // PTC_PYTHON_TEXT_H
