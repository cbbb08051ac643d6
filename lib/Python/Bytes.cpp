// bytes: all methods except the codecs (Codec.cpp).
// The algorithms are those of str (Sequence.h); letters and digits are ASCII's only.
#include "ptc/Python/Bytes.h"

#include "Layout.h"
#include "Quote.h"
#include "Sequence.h"

#include "llvm/ADT/StringExtras.h"

namespace ptc::py::bytes {

using seq::Justify;
using seq::Octets;

static std::vector<std::string> ownAll(const std::vector<Ref> &views) {
  return {views.begin(), views.end()};
}

//===----------------------------------------------------------------------===//
// Sequence
//===----------------------------------------------------------------------===//

Result<PyInt> at(Ref b, int64_t index) {
  auto position = normalizeIndex(index, static_cast<int64_t>(b.size()));
  if (!position)
    return indexError("index out of range");
  return PyInt(static_cast<uint8_t>(b[size_t(*position)]));
}

std::string slice(Ref b, const SliceIndices &indices) { return seq::slice(b, indices); }

Result<std::string> repeat(Ref b, const PyInt &count) {
  Result<uint64_t> times = toRepeat(count, b.size());
  if (!times)
    return std::move(times).error();
  return repeatBytes(b, *times);
}

Result<std::string> fromInts(llvm::ArrayRef<PyInt> items) {
  std::string result;
  for (const PyInt &item : items) {
    if (item < PyInt(0) || item > PyInt(255))
      return valueError("bytes must be in range(0, 256)");
    result += static_cast<char>(item.clampToInt64());
  }
  return result;
}

Result<std::string> zeros(const PyInt &count) {
  auto value = count.asInt64();
  if (!value)
    return overflowError("cannot fit 'int' into an index-sized integer");
  if (*value < 0)
    return valueError("negative count");
  if (uint64_t(*value) > kMaxStrBytes)
    return textTooLong();
  return std::string(size_t(*value), '\0');
}

Result<PyInt> ord(Ref b) {
  if (b.size() != 1)
    return typeError("ord() expected a character, but string of length " + llvm::Twine(b.size()) +
                     " found");
  return PyInt(static_cast<uint8_t>(b[0]));
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

int64_t find(Ref b, Ref sub, Bounds bounds) { return seq::find(b, sub, bounds); }
int64_t rfind(Ref b, Ref sub, Bounds bounds) { return seq::rfind(b, sub, bounds); }

static Result<int64_t> foundOrRaise(int64_t at) {
  if (at < 0)
    return valueError("subsection not found");
  return at;
}
Result<int64_t> index(Ref b, Ref sub, Bounds bounds) { return foundOrRaise(find(b, sub, bounds)); }
Result<int64_t> rindex(Ref b, Ref sub, Bounds bounds) {
  return foundOrRaise(rfind(b, sub, bounds));
}

int64_t count(Ref b, Ref sub, Bounds bounds) { return seq::count(b, sub, bounds); }
bool contains(Ref b, Ref sub) { return b.find(sub) != b.npos; }
Result<bool> containsInt(Ref b, const PyInt &value) {
  if (value < PyInt(0) || value > PyInt(255))
    return valueError("byte must be in range(0, 256)");
  return b.find(static_cast<char>(value.clampToInt64())) != b.npos;
}
bool startswith(Ref b, Ref prefix, Bounds bounds) {
  return seq::hasTail(b, prefix, bounds, /*atEnd=*/false);
}
bool endswith(Ref b, Ref suffix, Bounds bounds) {
  return seq::hasTail(b, suffix, bounds, /*atEnd=*/true);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Result<std::string> replace(Ref b, Ref from, Ref to, int64_t limit) {
  auto replaced = seq::replace(b, from, to, limit);
  if (!replaced)
    return textTooLong();
  return std::move(*replaced);
}

std::vector<std::string> split(Ref b, int64_t limit) {
  return ownAll(seq::splitSpace<Octets>(b, limit));
}
std::vector<std::string> rsplit(Ref b, int64_t limit) {
  return ownAll(seq::rsplitSpace<Octets>(b, limit));
}
Result<std::vector<std::string>> split(Ref b, Ref separator, int64_t limit) {
  if (separator.empty())
    return valueError("empty separator");
  return ownAll(seq::split<Octets>(b, separator, limit));
}
Result<std::vector<std::string>> rsplit(Ref b, Ref separator, int64_t limit) {
  if (separator.empty())
    return valueError("empty separator");
  return ownAll(seq::rsplit<Octets>(b, separator, limit));
}
std::vector<std::string> splitlines(Ref b, bool keepEnds) {
  return ownAll(seq::splitlines<Octets>(b, keepEnds));
}

static Result<std::array<std::string, 3>> partitionAt(Ref b, Ref separator, bool fromEnd) {
  if (separator.empty())
    return valueError("empty separator");
  auto parts = seq::partition<Octets>(b, separator, fromEnd);
  return std::array<std::string, 3>{std::string(parts[0]), std::string(parts[1]),
                                    std::string(parts[2])};
}
Result<std::array<std::string, 3>> partition(Ref b, Ref separator) {
  return partitionAt(b, separator, /*fromEnd=*/false);
}
Result<std::array<std::string, 3>> rpartition(Ref b, Ref separator) {
  return partitionAt(b, separator, /*fromEnd=*/true);
}

std::string strip(Ref b, std::optional<Ref> chars) {
  return std::string(seq::strip<Octets>(b, chars, {true, true}));
}
std::string lstrip(Ref b, std::optional<Ref> chars) {
  return std::string(seq::strip<Octets>(b, chars, {true, false}));
}
std::string rstrip(Ref b, std::optional<Ref> chars) {
  return std::string(seq::strip<Octets>(b, chars, {false, true}));
}
std::string removeprefix(Ref b, Ref prefix) {
  return std::string(b.starts_with(prefix) ? b.substr(prefix.size()) : b);
}
std::string removesuffix(Ref b, Ref suffix) {
  return std::string(b.ends_with(suffix) ? b.substr(0, b.size() - suffix.size()) : b);
}

Result<std::string> join(Ref separator, llvm::ArrayRef<Ref> items) {
  std::string result;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      result += separator;
    result += items[i];
    if (result.size() > kMaxStrBytes)
      return textTooLong();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Case and questions
//===----------------------------------------------------------------------===//

static bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
static bool isLower(char c) { return c >= 'a' && c <= 'z'; }

std::string upper(Ref b) {
  std::string result(b);
  for (char &c : result)
    c = llvm::toUpper(c);
  return result;
}
std::string lower(Ref b) {
  std::string result(b);
  for (char &c : result)
    c = llvm::toLower(c);
  return result;
}
std::string title(Ref b) {
  std::string result(b);
  bool afterLetter = false;
  for (char &c : result) {
    const bool isLetter = llvm::isAlpha(c);
    c = afterLetter ? llvm::toLower(c) : llvm::toUpper(c);
    afterLetter = isLetter;
  }
  return result;
}
std::string capitalize(Ref b) {
  std::string result = lower(b);
  if (!result.empty())
    result[0] = llvm::toUpper(result[0]);
  return result;
}
std::string swapcase(Ref b) {
  std::string result(b);
  for (char &c : result)
    c = isUpper(c) ? llvm::toLower(c) : llvm::toUpper(c);
  return result;
}

template <typename F> static bool all(Ref b, F f) {
  return !b.empty() && std::all_of(b.begin(), b.end(), f);
}
bool isalpha(Ref b) { return all(b, llvm::isAlpha); }
bool isalnum(Ref b) { return all(b, llvm::isAlnum); }
bool isdigit(Ref b) { return all(b, llvm::isDigit); }
bool isspace(Ref b) { return all(b, Octets::isSpace); }
bool isupper(Ref b) {
  return std::none_of(b.begin(), b.end(), isLower) && std::any_of(b.begin(), b.end(), isUpper);
}
bool islower(Ref b) {
  return std::none_of(b.begin(), b.end(), isUpper) && std::any_of(b.begin(), b.end(), isLower);
}
bool istitle(Ref b) {
  bool found = false, afterLetter = false;
  for (char c : b) {
    const bool isLetter = llvm::isAlpha(c);
    if (isLetter && isUpper(c) == afterLetter)
      return false;
    found |= isLetter;
    afterLetter = isLetter;
  }
  return found;
}
bool isascii(Ref b) {
  return std::none_of(b.begin(), b.end(), [](char c) { return c & 0x80; });
}

//===----------------------------------------------------------------------===//
// Layout and translation
//===----------------------------------------------------------------------===//

static Result<std::string> justify(Ref b, const PyInt &width, Ref fill, Justify how) {
  static constexpr llvm::StringLiteral names[] = {"ljust", "rjust", "center"};
  if (fill.size() != 1)
    return typeError(names[static_cast<unsigned>(how)] +
                     "() argument 2 must be a byte string of length 1, not bytes");
  Result<uint64_t> columns = toWidth(width);
  if (!columns)
    return std::move(columns).error();
  const seq::Padding padding = seq::pad(b.size(), *columns, how);
  return std::string(padding.left, fill[0]).append(b).append(padding.right, fill[0]);
}
Result<std::string> center(Ref b, const PyInt &width, Ref fill) {
  return justify(b, width, fill, Justify::Center);
}
Result<std::string> ljust(Ref b, const PyInt &width, Ref fill) {
  return justify(b, width, fill, Justify::Left);
}
Result<std::string> rjust(Ref b, const PyInt &width, Ref fill) {
  return justify(b, width, fill, Justify::Right);
}

Result<std::string> zfill(Ref b, const PyInt &width) {
  Result<uint64_t> columns = toWidth(width);
  if (!columns)
    return std::move(columns).error();
  std::string result(b);
  const bool isSigned = !b.empty() && (b[0] == '+' || b[0] == '-');
  result.insert(isSigned ? 1 : 0, seq::pad(b.size(), *columns, Justify::Right).left, '0');
  return result;
}

Result<std::string> expandtabs(Ref b, const PyInt &tabSize) {
  Result<int64_t> size = toTabSize(tabSize);
  if (!size)
    return std::move(size).error();
  auto expanded = seq::expandtabs(b, *size);
  if (!expanded)
    return textTooLong();
  return std::move(*expanded);
}

Result<std::string> translate(Ref b, std::optional<Ref> table, Ref remove) {
  if (table && table->size() != 256)
    return valueError("translation table must be 256 characters long");
  std::string result;
  for (char c : b)
    if (remove.find(c) == remove.npos)
      result += table ? (*table)[static_cast<uint8_t>(c)] : c;
  return result;
}

Result<std::string> maketrans(Ref from, Ref to) {
  if (from.size() != to.size())
    return valueError("maketrans arguments must have same length");
  std::string table(256, '\0');
  for (int i = 0; i < 256; ++i)
    table[i] = static_cast<char>(i);
  for (size_t i = 0; i < from.size(); ++i)
    table[static_cast<uint8_t>(from[i])] = to[i];
  return table;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

Str repr(Ref b) {
  const char quote = chooseQuote(b);
  std::string out = {'b', quote};
  for (char c : b) {
    const auto octet = static_cast<uint8_t>(c);
    if (appendEscaped(out, octet, quote))
      continue;
    if (octet >= ' ' && octet < 0x7f)
      out += c;
    else
      appendNumericEscape(out, octet);
  }
  return Str(out += quote);
}

Result<Str> hex(Ref b, std::optional<StrRef> separator, int64_t group) {
  if (separator && separator->length() != 1)
    return valueError("sep must be length 1.");
  if (separator && !separator->isAscii())
    return valueError("sep must be ASCII.");
  // Groups are counted from the right; negative ones from the left.
  const uint64_t size = group < 0 ? ~uint64_t(group) + 1 : uint64_t(group);
  std::string out;
  for (size_t i = 0; i < b.size(); ++i) {
    if (i > 0 && separator && size != 0 && (group < 0 ? i : b.size() - i) % size == 0)
      out += separator->bytes();
    const auto octet = static_cast<uint8_t>(b[i]);
    out += llvm::hexdigit(octet >> 4, /*LowerCase=*/true);
    out += llvm::hexdigit(octet & 15, /*LowerCase=*/true);
  }
  return Str(std::move(out));
}

Result<std::string> fromhex(StrRef text) {
  auto refuse = [](size_t at) {
    return valueError("non-hexadecimal number found in fromhex() arg at position " +
                      llvm::Twine(at));
  };
  const std::string_view s = text.bytes();
  // What is not ASCII is refused first, wherever it stands.
  for (size_t at = 0, position = 0; at < s.size(); ++position)
    if (readCodePoint(s, at) >= 0x80)
      return refuse(position);
  std::string out;
  for (size_t at = 0; at < s.size();) {
    if (seq::isAsciiSpace(static_cast<uint8_t>(s[at]))) {
      ++at;
      continue;
    }
    int value = 0;
    for (size_t i = at; i < at + 2; ++i) {
      if (i >= s.size() || !llvm::isHexDigit(s[i]))
        return refuse(i);
      value = value * 16 + static_cast<int>(llvm::hexDigitValue(s[i]));
    }
    out += static_cast<char>(value);
    at += 2;
  }
  return out;
}

} // namespace ptc::py::bytes
