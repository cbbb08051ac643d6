// str.encode and bytes.decode: UTF-8, ASCII and Latin-1 with the error handlers.
// In: generalised UTF-8, or any bytes. Out: bytes, or generalised UTF-8, or the Unicode exception
// with CPython's text.
#include "ptc/Python/Bytes.h"
#include "ptc/Python/Str.h"

#include "Quote.h"
#include "Raise.h"
#include "WideCodec.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ptc::py {

namespace {
enum class Codec : uint8_t { Utf8, Ascii, Latin1 };

enum class Handler : uint8_t {
  Strict,
  Ignore,
  Replace,
  Backslash,
  XmlCharRef,
  SurrogateEscape,
  SurrogatePass,
};
} // namespace

static llvm::StringRef codecName(Codec codec) {
  static constexpr llvm::StringLiteral names[] = {"utf-8", "ascii", "latin-1"};
  return names[static_cast<unsigned>(codec)];
}

static std::string codecKey(StrRef name) {
  std::string key;
  for (char c : name.bytes())
    key += c == '-' || c == ' ' ? '_' : llvm::toLower(c);
  return key;
}

static Result<Codec> findCodec(StrRef name) {
  const std::string key = codecKey(name);
  std::optional<Codec> codec =
      llvm::StringSwitch<std::optional<Codec>>(key)
          .Cases({"utf_8", "utf8", "u8", "utf", "cp65001", "utf8_ucs2", "utf8_ucs4"}, Codec::Utf8)
          .Cases({"ascii", "us_ascii", "646", "us", "iso646_us", "cp367"}, Codec::Ascii)
          .Cases({"latin_1", "latin1", "latin", "l1", "8859", "cp819", "iso8859", "iso8859_1",
                  "iso_8859_1"},
                 Codec::Latin1)
          .Default(std::nullopt);
  if (codec)
    return *codec;
  // Families of encodings that CPython has and this library has not.
  for (llvm::StringRef family :
       {"utf",    "cp",    "iso",     "koi8",     "mac",         "big5",    "gb",
        "euc",    "shift", "sjis",    "s_jis",    "hz",          "johab",   "kz",
        "ptcp",   "tis",   "idna",    "punycode", "raw_unicode", "unicode", "undefined",
        "rot",    "hex",   "base64",  "bz2",      "zlib",        "zip",     "quopri",
        "quoted", "uu",    "mbcs",    "oem",      "palmos",      "hp",      "latin",
        "l2",     "l3",    "l4",      "l5",       "l6",          "l7",      "l8",
        "l9",     "l10",   "windows", "ibm",      "u16",         "u32",     "u7",
        "ms",     "greek", "hebrew",  "arabic",   "cyrillic",    "korean",  "chinese",
        "uhc",    "dbcs"})
    if (llvm::StringRef(key).starts_with(family))
      return limitExceeded("the encoding '" + key + "'");
  return Raised{ExcKind::LookupError, "unknown encoding: " + std::string(name.bytes())};
}

static Result<Handler> findHandler(StrRef name, bool decoding) {
  auto handler = llvm::StringSwitch<std::optional<Handler>>(name.bytes())
                     .Case("strict", Handler::Strict)
                     .Case("ignore", Handler::Ignore)
                     .Case("replace", Handler::Replace)
                     .Case("backslashreplace", Handler::Backslash)
                     .Case("xmlcharrefreplace", Handler::XmlCharRef)
                     .Case("surrogateescape", Handler::SurrogateEscape)
                     .Case("surrogatepass", Handler::SurrogatePass)
                     .Default(std::nullopt);
  if (name.bytes() == "namereplace")
    return limitExceeded("the error handler 'namereplace'");
  if (!handler)
    return Raised{ExcKind::LookupError,
                  "unknown error handler name '" + std::string(name.bytes()) + "'"};
  if (decoding && *handler == Handler::XmlCharRef)
    return typeError("don't know how to handle UnicodeDecodeError in error callback");
  return *handler;
}

static bool isSurrogate(char32_t point) { return point >= 0xd800 && point <= 0xdfff; }

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

static bool canEncode(Codec codec, char32_t point) {
  switch (codec) {
  case Codec::Utf8:
    return !isSurrogate(point);
  case Codec::Ascii:
    return point < 0x80;
  case Codec::Latin1:
    return point < 0x100;
  }
  llvm_unreachable("Codec is closed");
}

static Raised unicodeError(ExcKind kind, llvm::StringRef did, const std::string &what,
                           UnicodeFault fault) {
  std::string text =
      "'" + fault.encoding + "' codec can't " + did.str() + " " + what + ": " + fault.reason;
  return {kind, std::move(text), std::make_shared<const UnicodeFault>(std::move(fault))};
}

Raised encodeError(llvm::StringRef codec, std::u32string_view text, size_t start, size_t end,
                   llvm::StringRef reason) {
  std::string what =
      "characters in position " + std::to_string(start) + "-" + std::to_string(end - 1);
  if (end - start == 1) {
    what = "character '";
    appendNumericEscape(what, text[start]);
    what += "' in position " + std::to_string(start);
  }
  return unicodeError(ExcKind::UnicodeEncodeError, "encode", what,
                      {codec.str(), fromCodePoints(text).bytes(), start, end, reason.str()});
}

static Raised encodeError(Codec codec, std::u32string_view text, size_t start, size_t end) {
  static constexpr llvm::StringLiteral reasons[] = {
      "surrogates not allowed", "ordinal not in range(128)", "ordinal not in range(256)"};
  return encodeError(codecName(codec), text, start, end, reasons[static_cast<unsigned>(codec)]);
}

/// Appends what stands for text[start, end), of which nothing can be encoded; false: raise, from
/// the moved `start` on.
static bool appendReplacement(std::string &out, Codec codec, Handler handler,
                              std::u32string_view text, size_t &start, size_t end) {
  if (handler == Handler::Strict)
    return false;
  for (; start < end; ++start) {
    const char32_t point = text[start];
    switch (handler) {
    case Handler::Strict:
    case Handler::Ignore:
      break;
    case Handler::Replace:
      out += '?';
      break;
    case Handler::Backslash:
      appendNumericEscape(out, point);
      break;
    case Handler::XmlCharRef:
      out += "&#" + std::to_string(uint32_t(point)) + ";";
      break;
    case Handler::SurrogateEscape:
      if (point < 0xdc80 || point > 0xdcff)
        return false;
      out += static_cast<char>(point - 0xdc00);
      break;
    case Handler::SurrogatePass:
      if (codec != Codec::Utf8)
        return false;
      appendCodePoint(out, point);
      break;
    }
  }
  return true;
}

Result<std::string> str::encode(StrRef s, StrRef encoding, StrRef errors) {
  if (std::optional<WideCodec> wide = findWideCodec(codecKey(encoding)))
    return encodeWide(*wide, toCodePoints(s.bytes()), errors.bytes());
  Result<Codec> codec = findCodec(encoding);
  if (!codec)
    return std::move(codec).error();
  if (s.isAscii())
    return std::string(s.bytes());
  const std::u32string text = toCodePoints(s.bytes());
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (canEncode(*codec, text[at])) {
      if (*codec == Codec::Utf8)
        appendCodePoint(out, text[at]);
      else
        out += static_cast<char>(text[at]);
      ++at;
      continue;
    }
    Result<Handler> handler = findHandler(errors, /*decoding=*/false);
    if (!handler)
      return std::move(handler).error();
    size_t end = at;
    while (end < text.size() && !canEncode(*codec, text[end]))
      ++end;
    if (!appendReplacement(out, *codec, *handler, text, at, end))
      return encodeError(*codec, text, at, end);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// What stands at a position: a character of `size` bytes, or a fault that covers them.
struct Step {
  size_t size;
  const char *fault = nullptr;
};
} // namespace

/// Second bytes that are allowed after `lead`, so that no form is overlong, a surrogate or too big.
static bool canFollow(uint8_t lead, uint8_t second) {
  const uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

static Step stepUtf8(std::string_view rest) {
  const auto lead = static_cast<uint8_t>(rest[0]);
  if (lead < 0x80)
    return {1};
  if (lead < 0xc2 || lead > 0xf4)
    return {1, "invalid start byte"};
  const size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < size; ++i) {
    if (i >= rest.size())
      return {rest.size(), "unexpected end of data"};
    const auto octet = static_cast<uint8_t>(rest[i]);
    if (i == 1 ? !canFollow(lead, octet) : (octet & 0xc0) != 0x80)
      return {i, "invalid continuation byte"};
  }
  return {size};
}

static Step stepDecode(Codec codec, std::string_view rest) {
  switch (codec) {
  case Codec::Utf8:
    return stepUtf8(rest);
  case Codec::Ascii:
    return rest[0] & 0x80 ? Step{1, "ordinal not in range(128)"} : Step{1};
  case Codec::Latin1:
    return {1};
  }
  llvm_unreachable("Codec is closed");
}

Raised decodeError(llvm::StringRef codec, std::string_view bytes, size_t start, size_t end,
                   llvm::StringRef reason) {
  std::string what = "bytes in position " + std::to_string(start) + "-" + std::to_string(end - 1);
  if (end - start == 1) {
    const auto octet = static_cast<uint8_t>(bytes[start]);
    what = "byte 0x" + llvm::utohexstr(octet, /*LowerCase=*/true, /*Width=*/2) + " in position " +
           std::to_string(start);
  }
  return unicodeError(ExcKind::UnicodeDecodeError, "decode", what,
                      {codec.str(), std::string(bytes), start, end, reason.str()});
}

/// Whether a surrogate, encoded by UTF-8's rule, starts `rest`.
static bool startsWithSurrogate(std::string_view rest) {
  return rest.size() >= 3 && rest[0] == '\xed' && (rest[1] & 0xe0) == 0xa0 &&
         (rest[2] & 0xc0) == 0x80;
}

/// Appends what stands for the fault at the start of `rest` and returns how many bytes that
/// covers; 0: raise.
static size_t appendFaulty(std::string &out, Codec codec, Handler handler, std::string_view rest,
                           size_t size) {
  switch (handler) {
  case Handler::Strict:
  case Handler::XmlCharRef:
    return 0;
  case Handler::Ignore:
    return size;
  case Handler::Replace:
    appendCodePoint(out, 0xfffd);
    return size;
  case Handler::Backslash:
    for (char c : rest.substr(0, size))
      appendNumericEscape(out, static_cast<uint8_t>(c));
    return size;
  case Handler::SurrogateEscape:
    for (char c : rest.substr(0, size))
      appendCodePoint(out, 0xdc00 + static_cast<uint8_t>(c));
    return size;
  case Handler::SurrogatePass:
    if (codec != Codec::Utf8 || !startsWithSurrogate(rest))
      return 0;
    out += rest.substr(0, 3);
    return 3;
  }
  llvm_unreachable("Handler is closed");
}

Result<Str> bytes::decode(Ref b, StrRef encoding, StrRef errors) {
  // Nothing is looked up for nothing, not even an encoding that is unknown.
  if (b.empty())
    return Str();
  if (std::optional<WideCodec> wide = findWideCodec(codecKey(encoding)))
    return decodeWide(*wide, b, errors.bytes());
  Result<Codec> codec = findCodec(encoding);
  if (!codec)
    return std::move(codec).error();
  std::string out;
  for (size_t at = 0; at < b.size();) {
    const std::string_view rest = b.substr(at);
    const Step step = stepDecode(*codec, rest);
    if (!step.fault) {
      if (*codec == Codec::Utf8)
        out += rest.substr(0, step.size);
      else
        appendCodePoint(out, static_cast<uint8_t>(rest[0]));
      at += step.size;
      continue;
    }
    Result<Handler> handler = findHandler(errors, /*decoding=*/true);
    if (!handler)
      return std::move(handler).error();
    const size_t covered = appendFaulty(out, *codec, *handler, rest, step.size);
    if (covered == 0)
      return decodeError(codecName(*codec), b, at, at + step.size, step.fault);
    at += covered;
  }
  return Str(std::move(out));
}

} // namespace ptc::py
