// str: case mappings, classes of characters, repr.
// In: generalised UTF-8. Out: what CPython 3.11 (Unicode 14) says, by the tables of Unicode.h.
#include "ptc/Python/Str.h"

#include "Quote.h"
#include "Unicode.h"

namespace ptc::py::str {

using unicode::Mapping;

//===----------------------------------------------------------------------===//
// Case
//===----------------------------------------------------------------------===//

/// Greek's final sigma: after a cased letter and before none, case-ignorable ones skipped.
static bool isFinalSigma(std::u32string_view text, size_t at) {
  size_t before = at;
  while (before > 0 && unicode::has(text[before - 1], unicode::CaseIgnorable))
    --before;
  if (before == 0 || !unicode::isCased(text[before - 1]))
    return false;
  size_t after = at + 1;
  while (after < text.size() && unicode::has(text[after], unicode::CaseIgnorable))
    ++after;
  return after == text.size() || !unicode::isCased(text[after]);
}

static void appendLower(std::u32string &out, std::u32string_view text, size_t at) {
  constexpr char32_t capitalSigma = 0x3a3, smallSigma = 0x3c3, finalSigma = 0x3c2;
  if (text[at] == capitalSigma)
    out += isFinalSigma(text, at) ? finalSigma : smallSigma;
  else
    unicode::appendMapped(out, text[at], Mapping::Lower);
}

template <typename F> static Str mapEach(StrRef s, F f) {
  const std::u32string text = toCodePoints(s.bytes());
  std::u32string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at)
    f(out, text, at);
  return fromCodePoints(out);
}

Str upper(StrRef s) {
  return mapEach(s, [](auto &out, const auto &text, size_t at) {
    unicode::appendMapped(out, text[at], Mapping::Upper);
  });
}

Str lower(StrRef s) {
  return mapEach(s, [](auto &out, const auto &text, size_t at) { appendLower(out, text, at); });
}

Str title(StrRef s) {
  return mapEach(s, [](auto &out, const auto &text, size_t at) {
    if (at > 0 && unicode::isCased(text[at - 1]))
      appendLower(out, text, at);
    else
      unicode::appendMapped(out, text[at], Mapping::Title);
  });
}

Str capitalize(StrRef s) {
  return mapEach(s, [](auto &out, const auto &text, size_t at) {
    if (at > 0)
      appendLower(out, text, at);
    else
      unicode::appendMapped(out, text[at], Mapping::Title);
  });
}

Str swapcase(StrRef s) {
  return mapEach(s, [](auto &out, const auto &text, size_t at) {
    const uint16_t flags = unicode::getFlags(text[at]);
    if (flags & unicode::Upper)
      appendLower(out, text, at);
    else if (flags & unicode::Lower)
      unicode::appendMapped(out, text[at], Mapping::Upper);
    else
      out += text[at];
  });
}

Str casefold(StrRef s) {
  return mapEach(s, [](auto &out, const auto &text, size_t at) {
    unicode::appendMapped(out, text[at], Mapping::Fold);
  });
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Whether every character has one of `flags`; the empty text gives `ofEmpty`.
static bool all(StrRef s, unsigned flags, bool ofEmpty = false) {
  for (size_t at = 0; at < s.bytes().size();)
    if (!unicode::has(readCodePoint(s.bytes(), at), flags))
      return false;
  return ofEmpty || !s.empty();
}

bool isalpha(StrRef s) { return all(s, unicode::Alpha); }
bool isalnum(StrRef s) {
  return all(s, unicode::Alpha | unicode::Decimal | unicode::Digit | unicode::Numeric);
}
bool isdecimal(StrRef s) { return all(s, unicode::Decimal); }
bool isdigit(StrRef s) { return all(s, unicode::Digit); }
bool isnumeric(StrRef s) { return all(s, unicode::Numeric); }
bool isspace(StrRef s) { return all(s, unicode::Space); }
bool isprintable(StrRef s) { return all(s, unicode::Printable, /*ofEmpty=*/true); }

bool isidentifier(StrRef s) {
  size_t at = 0;
  return !s.empty() && unicode::has(readCodePoint(s.bytes(), at), unicode::IdStart) &&
         all(StrRef(s.bytes().substr(at)), unicode::IdContinue, /*ofEmpty=*/true);
}

/// No character of `forbidden`, and at least one of `wanted`.
static bool hasOnlyCase(StrRef s, unsigned wanted, unsigned forbidden) {
  bool found = false;
  for (size_t at = 0; at < s.bytes().size();) {
    const uint16_t flags = unicode::getFlags(readCodePoint(s.bytes(), at));
    if (flags & forbidden)
      return false;
    found |= (flags & wanted) != 0;
  }
  return found;
}
bool isupper(StrRef s) { return hasOnlyCase(s, unicode::Upper, unicode::Lower | unicode::Title); }
bool islower(StrRef s) { return hasOnlyCase(s, unicode::Lower, unicode::Upper | unicode::Title); }

bool istitle(StrRef s) {
  bool found = false, afterCased = false;
  for (size_t at = 0; at < s.bytes().size();) {
    const uint16_t flags = unicode::getFlags(readCodePoint(s.bytes(), at));
    const bool isCased = flags & (unicode::Upper | unicode::Title | unicode::Lower);
    const bool isStart = flags & (unicode::Upper | unicode::Title);
    if (isCased && isStart == afterCased)
      return false;
    found |= isCased;
    afterCased = isCased;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// repr
//===----------------------------------------------------------------------===//

static Str quoted(StrRef s, bool asciiOnly) {
  const char quote = chooseQuote(s.bytes());
  std::string out(1, quote);
  for (size_t at = 0; at < s.bytes().size();) {
    const char32_t point = readCodePoint(s.bytes(), at);
    if (appendEscaped(out, point, quote))
      continue;
    if (point < 0x80 ? point >= ' ' && point != 0x7f
                     : !asciiOnly && unicode::has(point, unicode::Printable))
      appendCodePoint(out, point);
    else
      appendNumericEscape(out, point);
  }
  return Str(out += quote);
}

Str repr(StrRef s) { return quoted(s, /*asciiOnly=*/false); }
Str ascii(StrRef s) { return quoted(s, /*asciiOnly=*/true); }

} // namespace ptc::py::str
