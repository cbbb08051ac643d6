// str: sequence, search, parts, layout and translation (case and classes: StrCase.cpp).
// Texts of ASCII go through the algorithms of Sequence.h as they are, others as code points.
#include "ptc/Python/Str.h"

#include "Layout.h"
#include "Sequence.h"

namespace ptc::py::str {

using seq::Justify;

namespace {
Str own(std::string_view ascii) { return {std::string(ascii), ascii.size()}; }
Str own(std::u32string_view points) { return fromCodePoints(points); }
Str ownUtf8(std::string_view text) { return Str(StrRef(text)); }

template <typename Views> std::vector<Str> ownAll(const Views &views) {
  std::vector<Str> result;
  result.reserve(views.size());
  for (const auto &view : views)
    result.push_back(own(view));
  return result;
}

/// f(kind, views...) with all texts as ASCII or all as code points.
template <typename F, typename... Texts> auto withViews(F f, Texts... texts) {
  if ((texts.isAscii() && ...))
    return f(seq::Ascii(), texts.bytes()...);
  return [&](const auto &...points) {
    return f(seq::Wide(), std::u32string_view(points)...);
  }(toCodePoints(texts.bytes())...);
}
} // namespace

//===----------------------------------------------------------------------===//
// Sequence
//===----------------------------------------------------------------------===//

/// The byte at which code point number `index` starts.
static size_t byteOffset(StrRef s, size_t index) {
  if (s.isAscii())
    return index;
  size_t at = 0;
  for (; index > 0; --index)
    readCodePoint(s.bytes(), at);
  return at;
}

Result<Str> at(StrRef s, int64_t index) {
  auto position = normalizeIndex(index, static_cast<int64_t>(s.length()));
  if (!position)
    return indexError("string index out of range");
  const size_t start = byteOffset(s, static_cast<size_t>(*position));
  size_t end = start;
  readCodePoint(s.bytes(), end);
  return Str(std::string(s.bytes().substr(start, end - start)), 1);
}

Str slice(StrRef s, const SliceIndices &indices) {
  if (indices.step == 1) {
    const size_t start = byteOffset(s, size_t(indices.start));
    StrRef rest(s.bytes().substr(start), s.length() - size_t(indices.start));
    const size_t size = byteOffset(rest, size_t(indices.count));
    return {std::string(rest.bytes().substr(0, size)), size_t(indices.count)};
  }
  return withViews([&](auto, auto view) { return own(seq::slice(view, indices)); }, s);
}

Str concat(StrRef a, StrRef b) {
  std::string bytes;
  bytes.reserve(a.bytes().size() + b.bytes().size());
  bytes.append(a.bytes()).append(b.bytes());
  return {std::move(bytes), a.length() + b.length()};
}

Result<Str> repeat(StrRef s, const PyInt &count) {
  Result<uint64_t> times = toRepeat(count, s.bytes().size());
  if (!times)
    return std::move(times).error();
  return Str(repeatBytes(s.bytes(), *times), s.length() * *times);
}

Result<Str> chr(const PyInt &point) {
  auto value = point.asInt64();
  if (!value || *value > INT32_MAX || *value < INT32_MIN)
    return overflowError("Python int too large to convert to C int");
  if (*value < 0 || *value > 0x10ffff)
    return valueError("chr() arg not in range(0x110000)");
  std::string bytes;
  appendCodePoint(bytes, static_cast<char32_t>(*value));
  return Str(std::move(bytes), 1);
}

Result<PyInt> ord(StrRef s) {
  if (s.length() != 1)
    return typeError("ord() expected a character, but string of length " + llvm::Twine(s.length()) +
                     " found");
  size_t at = 0;
  return PyInt(uint32_t(readCodePoint(s.bytes(), at)));
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

int64_t find(StrRef s, StrRef sub, Bounds bounds) {
  return withViews([&](auto, auto a, auto b) { return seq::find(a, b, bounds); }, s, sub);
}
int64_t rfind(StrRef s, StrRef sub, Bounds bounds) {
  return withViews([&](auto, auto a, auto b) { return seq::rfind(a, b, bounds); }, s, sub);
}

static Result<int64_t> foundOrRaise(int64_t at) {
  if (at < 0)
    return valueError("substring not found");
  return at;
}
Result<int64_t> index(StrRef s, StrRef sub, Bounds bounds) {
  return foundOrRaise(find(s, sub, bounds));
}
Result<int64_t> rindex(StrRef s, StrRef sub, Bounds bounds) {
  return foundOrRaise(rfind(s, sub, bounds));
}

int64_t count(StrRef s, StrRef sub, Bounds bounds) {
  return withViews([&](auto, auto a, auto b) { return seq::count(a, b, bounds); }, s, sub);
}
bool contains(StrRef s, StrRef sub) { return s.bytes().find(sub.bytes()) != std::string::npos; }

/// Of the whole string, where code points need not be counted: what is equal as UTF-8 is equal.
static bool isWhole(Bounds bounds) { return bounds.start == 0 && bounds.end == INT64_MAX; }

bool startswith(StrRef s, StrRef prefix, Bounds bounds) {
  if (isWhole(bounds))
    return s.bytes().starts_with(prefix.bytes());
  return withViews([&](auto, auto a, auto b) { return seq::hasTail(a, b, bounds, false); }, s,
                   prefix);
}
bool endswith(StrRef s, StrRef suffix, Bounds bounds) {
  if (isWhole(bounds))
    return s.bytes().ends_with(suffix.bytes());
  return withViews([&](auto, auto a, auto b) { return seq::hasTail(a, b, bounds, true); }, s,
                   suffix);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Result<Str> replace(StrRef s, StrRef from, StrRef to, int64_t limit) {
  return withViews(
      [&](auto, auto a, auto b, auto c) -> Result<Str> {
        auto replaced = seq::replace(a, b, c, limit);
        if (!replaced)
          return textTooLong();
        return own(*replaced);
      },
      s, from, to);
}

std::vector<Str> split(StrRef s, int64_t limit) {
  return withViews(
      [&](auto kind, auto a) { return ownAll(seq::splitSpace<decltype(kind)>(a, limit)); }, s);
}
std::vector<Str> rsplit(StrRef s, int64_t limit) {
  return withViews(
      [&](auto kind, auto a) { return ownAll(seq::rsplitSpace<decltype(kind)>(a, limit)); }, s);
}

// What is found of a text that is not empty is found in UTF-8, too: nothing has to be decoded.
Result<std::vector<std::string_view>> split(StrRef s, StrRef separator, int64_t limit) {
  if (separator.empty())
    return valueError("empty separator");
  return seq::split<seq::Ascii>(s.bytes(), separator.bytes(), limit);
}
Result<std::vector<std::string_view>> rsplit(StrRef s, StrRef separator, int64_t limit) {
  if (separator.empty())
    return valueError("empty separator");
  return seq::rsplit<seq::Ascii>(s.bytes(), separator.bytes(), limit);
}

/// Where the line break that stands at `at` ends; `at` if none does.
static size_t endOfLineBreak(std::string_view s, size_t at) {
  const auto byte = static_cast<uint8_t>(s[at]);
  const bool isPrintable = byte >= 0x20 && byte < 0x80, isInside = (byte & 0xc0) == 0x80;
  if (isPrintable || isInside)
    return at;
  size_t end = at;
  const char32_t point = readCodePoint(s, end);
  if (!unicode::has(point, unicode::LineBreak))
    return at;
  return end + (point == '\r' && s.substr(end).starts_with('\n') ? 1 : 0);
}

std::vector<std::string_view> splitlines(StrRef text, bool keepEnds) {
  const std::string_view s = text.bytes();
  std::vector<std::string_view> lines;
  for (size_t start = 0; start < s.size();) {
    size_t end = start, next = start;
    while (end < s.size() && (next = endOfLineBreak(s, end)) == end)
      next = ++end;
    lines.push_back(s.substr(start, (keepEnds ? next : end) - start));
    start = next;
  }
  return lines;
}

static Result<std::array<Str, 3>> partitionAt(StrRef s, StrRef separator, bool fromEnd) {
  if (separator.empty())
    return valueError("empty separator");
  auto parts = seq::partition<seq::Ascii>(s.bytes(), separator.bytes(), fromEnd);
  return std::array<Str, 3>{ownUtf8(parts[0]), ownUtf8(parts[1]), ownUtf8(parts[2])};
}
Result<std::array<Str, 3>> partition(StrRef s, StrRef separator) {
  return partitionAt(s, separator, /*fromEnd=*/false);
}
Result<std::array<Str, 3>> rpartition(StrRef s, StrRef separator) {
  return partitionAt(s, separator, /*fromEnd=*/true);
}

static Str stripSides(StrRef s, const std::optional<StrRef> &chars, seq::Sides sides) {
  const bool isAbsent = !chars;
  return withViews(
      [&](auto kind, auto a, auto b) {
        using View = decltype(a);
        return own(
            seq::strip<decltype(kind)>(a, isAbsent ? std::nullopt : std::optional<View>(b), sides));
      },
      s, chars.value_or(StrRef()));
}
Str strip(StrRef s, std::optional<StrRef> chars) { return stripSides(s, chars, {true, true}); }
Str lstrip(StrRef s, std::optional<StrRef> chars) { return stripSides(s, chars, {true, false}); }
Str rstrip(StrRef s, std::optional<StrRef> chars) { return stripSides(s, chars, {false, true}); }

Str removeprefix(StrRef s, StrRef prefix) {
  if (!s.bytes().starts_with(prefix.bytes()))
    return Str(s);
  return {std::string(s.bytes().substr(prefix.bytes().size())), s.length() - prefix.length()};
}
Str removesuffix(StrRef s, StrRef suffix) {
  if (!s.bytes().ends_with(suffix.bytes()))
    return Str(s);
  return {std::string(s.bytes().substr(0, s.bytes().size() - suffix.bytes().size())),
          s.length() - suffix.length()};
}

Result<Str> join(StrRef separator, llvm::ArrayRef<StrRef> items) {
  std::string bytes;
  size_t length = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      bytes += separator.bytes();
    bytes += items[i].bytes();
    length += items[i].length() + (i > 0 ? separator.length() : 0);
    if (bytes.size() > kMaxStrBytes)
      return textTooLong();
  }
  return Str(std::move(bytes), length);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

static Result<Str> justify(StrRef s, const PyInt &width, StrRef fill, Justify how) {
  if (fill.length() != 1)
    return typeError("The fill character must be exactly one character long");
  Result<uint64_t> columns = toWidth(width);
  if (!columns)
    return std::move(columns).error();
  const seq::Padding padding = seq::pad(s.length(), *columns, how);
  std::string bytes = repeatBytes(fill.bytes(), padding.left);
  bytes.append(s.bytes()).append(repeatBytes(fill.bytes(), padding.right));
  return Str(std::move(bytes), s.length() + padding.left + padding.right);
}

Result<Str> center(StrRef s, const PyInt &width, StrRef fill) {
  return justify(s, width, fill, Justify::Center);
}
Result<Str> ljust(StrRef s, const PyInt &width, StrRef fill) {
  return justify(s, width, fill, Justify::Left);
}
Result<Str> rjust(StrRef s, const PyInt &width, StrRef fill) {
  return justify(s, width, fill, Justify::Right);
}

Result<Str> zfill(StrRef s, const PyInt &width) {
  Result<uint64_t> columns = toWidth(width);
  if (!columns)
    return std::move(columns).error();
  const size_t zeros = seq::pad(s.length(), *columns, Justify::Right).left;
  std::string bytes(s.bytes());
  const bool isSigned = !bytes.empty() && (bytes[0] == '+' || bytes[0] == '-');
  bytes.insert(isSigned ? 1 : 0, zeros, '0');
  return Str(std::move(bytes), s.length() + zeros);
}

Result<Str> expandtabs(StrRef s, const PyInt &tabSize) {
  Result<int64_t> size = toTabSize(tabSize);
  if (!size)
    return std::move(size).error();
  return withViews(
      [&](auto, auto a) -> Result<Str> {
        auto expanded = seq::expandtabs(a, *size);
        if (!expanded)
          return textTooLong();
        return own(*expanded);
      },
      s);
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

Result<Str> translate(StrRef s, TranslateFn table) {
  std::string bytes;
  for (size_t at = 0; at < s.bytes().size();) {
    const char32_t point = readCodePoint(s.bytes(), at);
    Result<std::optional<Str>> entry = table(point);
    if (!entry)
      return std::move(entry).error();
    if (const std::optional<Str> &replacement = *entry)
      bytes += replacement->bytes();
    else
      appendCodePoint(bytes, point);
    if (bytes.size() > kMaxStrBytes)
      return textTooLong();
  }
  return Str(std::move(bytes));
}

Result<std::vector<TranslateRow>> maketrans(StrRef from, StrRef to, StrRef remove) {
  if (from.length() != to.length())
    return valueError("the first two maketrans arguments must have equal length");
  std::vector<TranslateRow> rows;
  size_t toAt = 0;
  for (size_t at = 0; at < from.bytes().size();) {
    const char32_t key = readCodePoint(from.bytes(), at);
    rows.emplace_back(key, readCodePoint(to.bytes(), toAt));
  }
  for (size_t at = 0; at < remove.bytes().size();)
    rows.emplace_back(readCodePoint(remove.bytes(), at), std::nullopt);
  return rows;
}

} // namespace ptc::py::str
