// UTF-16 and UTF-32 for str.encode and bytes.decode.
// In: code points, or any bytes. Out: bytes, or generalised UTF-8, or the Unicode exception with
// CPython's text.
#include "WideCodec.h"

#include "Quote.h"
#include "Raise.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ptc::py {

using Order = WideCodec::Order;

std::string WideCodec::name() const {
  static constexpr llvm::StringLiteral suffixes[] = {"", "-le", "-be"};
  return (unit == 2 ? "utf-16" : "utf-32") + suffixes[unsigned(order)].str();
}

std::optional<WideCodec> findWideCodec(llvm::StringRef key) {
  return llvm::StringSwitch<std::optional<WideCodec>>(key)
      .Cases({"utf_16", "utf16", "u16"}, WideCodec{2, Order::Mark})
      .Cases({"utf_16_le", "utf_16le", "unicodelittleunmarked"}, WideCodec{2, Order::Little})
      .Cases({"utf_16_be", "utf_16be", "unicodebigunmarked"}, WideCodec{2, Order::Big})
      .Cases({"utf_32", "utf32", "u32"}, WideCodec{4, Order::Mark})
      .Cases({"utf_32_le", "utf_32le"}, WideCodec{4, Order::Little})
      .Cases({"utf_32_be", "utf_32be"}, WideCodec{4, Order::Big})
      .Default(std::nullopt);
}

namespace {
enum class Handler : uint8_t { Strict, Ignore, Replace, SurrogatePass };
} // namespace

static Result<Handler> findHandler(llvm::StringRef name) {
  auto handler = llvm::StringSwitch<std::optional<Handler>>(name)
                     .Case("strict", Handler::Strict)
                     .Case("ignore", Handler::Ignore)
                     .Case("replace", Handler::Replace)
                     .Case("surrogatepass", Handler::SurrogatePass)
                     .Default(std::nullopt);
  if (handler)
    return *handler;
  return limitExceeded("the error handler '" + name.str() + "' with a wide encoding");
}

static bool isSurrogate(char32_t point) { return point >= 0xd800 && point <= 0xdfff; }

static void appendUnit(std::string &out, WideCodec codec, uint32_t unit) {
  for (unsigned i = 0; i < codec.unit; ++i) {
    unsigned place = codec.order == Order::Big ? codec.unit - 1 - i : i;
    out += static_cast<char>(unit >> (8 * place));
  }
}

static void appendPoint(std::string &out, WideCodec codec, char32_t point) {
  if (codec.unit == 4 || point < 0x10000)
    return appendUnit(out, codec, point);
  appendUnit(out, codec, 0xd800 + ((point - 0x10000) >> 10));
  appendUnit(out, codec, 0xdc00 + ((point - 0x10000) & 0x3ff));
}

Result<std::string> encodeWide(WideCodec codec, std::u32string_view text, llvm::StringRef errors) {
  std::string out;
  if (codec.order == Order::Mark)
    appendUnit(out, codec, 0xfeff);
  for (size_t at = 0; at < text.size(); ++at) {
    char32_t point = text[at];
    if (isSurrogate(point)) {
      Result<Handler> handler = findHandler(errors);
      if (!handler)
        return std::move(handler).error();
      if (*handler == Handler::Ignore)
        continue;
      if (*handler == Handler::Strict)
        return encodeError(codec.name(), text, at, at + 1, "surrogates not allowed");
      if (*handler == Handler::Replace)
        point = '?';
    }
    appendPoint(out, codec, point);
  }
  return out;
}

namespace {
/// What stands at a position: a code point of `size` bytes, or a fault that covers them.
struct Step {
  size_t size;
  char32_t point = 0;
  const char *fault = nullptr;
};
} // namespace

static uint32_t unitAt(WideCodec codec, std::string_view rest) {
  uint32_t unit = 0;
  for (unsigned i = 0; i < codec.unit; ++i) {
    unsigned place = codec.order == Order::Big ? codec.unit - 1 - i : i;
    unit |= uint32_t(uint8_t(rest[i])) << (8 * place);
  }
  return unit;
}

static Step stepWide(WideCodec codec, std::string_view rest, bool passSurrogates) {
  if (rest.size() < codec.unit)
    return {rest.size(), 0, "truncated data"};
  char32_t first = unitAt(codec, rest);
  if (codec.unit == 4) {
    if (isSurrogate(first) && !passSurrogates)
      return {4, 0, "code point in surrogate code point range(0xd800, 0xe000)"};
    return {4, first, first > 0x10ffff ? "code point not in range(0x110000)" : nullptr};
  }
  if (!isSurrogate(first))
    return {2, first};
  if (first < 0xdc00 && rest.size() >= 4) {
    char32_t second = unitAt(codec, rest.substr(2));
    if (second >= 0xdc00 && second <= 0xdfff)
      return {4, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)};
  }
  if (passSurrogates)
    return {2, first};
  if (first >= 0xdc00)
    return {2, 0, "illegal encoding"};
  if (rest.size() < 4)
    return {rest.size(), 0, "unexpected end of data"};
  return {2, 0, "illegal UTF-16 surrogate"};
}

Result<Str> decodeWide(WideCodec codec, std::string_view bytes, llvm::StringRef errors) {
  size_t at = 0;
  if (codec.order == Order::Mark) {
    codec.order = Order::Little;
    if (bytes.size() >= codec.unit) {
      WideCodec big{codec.unit, Order::Big};
      if (unitAt(codec, bytes) == 0xfeff)
        at = codec.unit;
      else if (unitAt(big, bytes) == 0xfeff)
        codec = big, at = codec.unit;
    }
  }
  std::string out;
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    const Step step = stepWide(codec, rest, errors == "surrogatepass");
    at += step.size;
    if (!step.fault) {
      appendCodePoint(out, step.point);
      continue;
    }
    Result<Handler> handler = findHandler(errors);
    if (!handler)
      return std::move(handler).error();
    if (*handler == Handler::Strict || *handler == Handler::SurrogatePass)
      return decodeError(codec.name(), bytes, at - step.size, at, step.fault);
    if (*handler == Handler::Replace)
      appendCodePoint(out, 0xfffd);
  }
  return Str(std::move(out));
}

} // namespace ptc::py
