//===- StrMethods.cpp - str and bytes ---------------------------------------------------===//
//
// Arguments are brought into the form of lib/Python, which does the work.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Template.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Str.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;
namespace py = ptc::py;
using ptc::DiagId;

static Value self(Engine &e, CallArgs &args) { return e.unboxed(e.known(arg(args, 0))); }

static Value textArg(Engine &e, CallArgs &args, size_t n, llvm::StringRef where) {
  PTC_LET(v, plainArg(e, args, n));
  if (v.is(Kind::Template))
    return e.refuse(DiagId::Unsupported, "a string method on a string with run-time parts");
  if (!v.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   where + (where.empty() ? "" : " ") + "must be str, not " +
                       (v.isNone() && !where.empty() ? "None" : capture::typeName(e, v)));
  return v;
}

/// The bytes of a bytes-like argument.
static Value bytesArg(Engine &e, CallArgs &args, size_t n) {
  PTC_LET(v, plainArg(e, args, n));
  if (!v.is(Kind::Bytes))
    return e.raise(WellKnown::TypeError,
                   "a bytes-like object is required, not '" + capture::typeName(e, v) + "'");
  return v;
}

/// The name of an encoding or of what is done with errors.
static std::optional<std::string> codecArg(Engine &e, CallArgs &args, size_t n,
                                           llvm::StringRef parameter, llvm::StringRef missing) {
  if (!given(args, n))
    return missing.str();
  PTC_LET(text, textArg(e, args, n, parameter));
  return text.asStr().str();
}

static std::optional<int64_t> countArg(Engine &e, CallArgs &args, size_t n, int64_t missing) {
  if (!given(args, n) || arg(args, n).isNone())
    return missing;
  PTC_LET(v, plainArg(e, args, n));
  PTC_LET(index, integerOf(e, v));
  return asPyInt(index).clampToInt64();
}

Flow builtins::checkSliceIndex(Engine &e, CallArgs &args, size_t n, bool takesNone) {
  if (!given(args, n))
    return Flow::Next;
  PTC_LET(v, plainArg(e, args, n));
  const NumberType type = numberType(v);
  if ((v.isNone() && takesNone) || type == NumberType::Int || type == NumberType::Bool ||
      e.isTensorLike(v) || v.is(Kind::Opaque) ||
      !e.lookupInClass(e.typeOf(v), e.intern("__index__")).isAbsent())
    return Flow::Next;
  return e.raise(WellKnown::TypeError,
                 llvm::Twine("slice indices must be integers ") +
                     (takesNone && e.world->minorVersion() < 15 ? "or None " : "") +
                     "or have an __index__ method");
}

static std::optional<py::Bounds> boundsArg(Engine &e, CallArgs &args, size_t n) {
  py::Bounds bounds;
  PTC_DO(checkSliceIndex(e, args, n, /*takesNone=*/true));
  PTC_DO(checkSliceIndex(e, args, n + 1, /*takesNone=*/true));
  PTC_GET(start, countArg(e, args, n, 0));
  PTC_GET(end, countArg(e, args, n + 1, INT64_MAX));
  bounds.start = start;
  bounds.end = end;
  return bounds;
}

static Value listOf(Engine &e, const std::vector<py::Str> &parts) {
  std::vector<Value> items;
  items.reserve(parts.size());
  for (const py::Str &part : parts)
    items.push_back(ofStr(part));
  return e.makeList(std::move(items));
}
static Value listOf(Engine &e, llvm::ArrayRef<std::string_view> parts) {
  std::vector<Value> items;
  items.reserve(parts.size());
  for (std::string_view part : parts)
    items.push_back(Value::str(part));
  return e.makeList(std::move(items));
}

static Value tupleOf(const std::array<py::Str, 3> &parts) {
  return Value::tuple({ofStr(parts[0]), ofStr(parts[1]), ofStr(parts[2])});
}

Value builtins::strNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (!given(args, 1))
    return box(e, cls, Value::str(""));
  if (given(args, 2)) {
    PTC_LET(data, plainArg(e, args, 1));
    if (!data.is(Kind::Bytes))
      return e.raise(WellKnown::TypeError, "decoding to str: need a bytes-like object, " +
                                               capture::typeName(e, data) + " found");
    PTC_GET(encoding, codecArg(e, args, 2, "str() argument 'encoding'", "utf-8"));
    PTC_GET(errors, codecArg(e, args, 3, "str() argument 'errors'", "strict"));
    return toValue(e, py::bytes::decode(data.asBytes(), encoding, errors));
  }
  if (cls <= e.world->classes.back())
    return toStr(e, arg(args, 1), args.action);
  PTC_LET(text, toStr(e, arg(args, 1), args.action));
  if (Engine::isCalled(text))
    return e.refuse(DiagId::Unsupported, "a subclass of str made of an object with __str__");
  return box(e, cls, text);
}

// Simple ones: text to text, text to bool.
#define PTC_TEXT(Fn, Method)                                                                       \
  Value builtins::Fn(Engine &e, CallArgs &args) {                                                  \
    Value s = self(e, args);                                                                       \
    if (s.is(Kind::Bytes))                                                                         \
      return Value::bytes(py::bytes::Method(s.asBytes()));                                         \
    return ofStr(py::str::Method(strRef(s)));                                                      \
  }
#define PTC_ASK(Fn, Method)                                                                        \
  Value builtins::Fn(Engine &e, CallArgs &args) {                                                  \
    Value s = self(e, args);                                                                       \
    if (s.is(Kind::Bytes))                                                                         \
      return Value::boolean(py::bytes::Method(s.asBytes()));                                       \
    return Value::boolean(py::str::Method(strRef(s)));                                             \
  }
#define PTC_ASK_STR(Fn, Method)                                                                    \
  Value builtins::Fn(Engine &e, CallArgs &args) {                                                  \
    return Value::boolean(py::str::Method(strRef(self(e, args))));                                 \
  }
PTC_TEXT(strUpper, upper)
PTC_TEXT(strLower, lower)
PTC_TEXT(strTitle, title)
PTC_TEXT(strCapitalize, capitalize)
PTC_TEXT(strSwapCase, swapcase)
PTC_ASK(strIsAlpha, isalpha)
PTC_ASK(strIsAlnum, isalnum)
PTC_ASK(strIsDigit, isdigit)
PTC_ASK(strIsSpace, isspace)
PTC_ASK(strIsUpper, isupper)
PTC_ASK(strIsLower, islower)
PTC_ASK(strIsTitle, istitle)
PTC_ASK(strIsAscii, isascii)
PTC_ASK_STR(strIsDecimal, isdecimal)
PTC_ASK_STR(strIsNumeric, isnumeric)
PTC_ASK_STR(strIsIdentifier, isidentifier)
PTC_ASK_STR(strIsPrintable, isprintable)
#undef PTC_TEXT
#undef PTC_ASK
#undef PTC_ASK_STR
Value builtins::strCaseFold(Engine &e, CallArgs &args) {
  return ofStr(py::str::casefold(strRef(self(e, args))));
}

// Splitting and joining
// --------------------------------------------------------------------------------

static Value splitText(Engine &e, CallArgs &args, bool right) {
  Value s = self(e, args);
  PTC_GET(limit, countArg(e, args, 2, -1));
  bool white = !given(args, 1) || arg(args, 1).isNone();
  if (s.is(Kind::Bytes)) {
    Value separator = Value::bytes("");
    if (!white) {
      PTC_LET(by, bytesArg(e, args, 1));
      separator = by;
    }
    py::Result<std::vector<std::string>> parts =
        white
            ? (right ? py::bytes::rsplit(s.asBytes(), limit) : py::bytes::split(s.asBytes(), limit))
        : right ? py::bytes::rsplit(s.asBytes(), separator.asBytes(), limit)
                : py::bytes::split(s.asBytes(), separator.asBytes(), limit);
    if (!parts)
      return raised(e, parts.error());
    std::vector<Value> items;
    for (const std::string &part : *parts)
      items.push_back(Value::bytes(part));
    return e.makeList(std::move(items));
  }
  if (white)
    return listOf(e, right ? py::str::rsplit(strRef(s), limit) : py::str::split(strRef(s), limit));
  PTC_LET(separator, plainArg(e, args, 1));
  if (!separator.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "must be str or None, not " + capture::typeName(e, separator));
  py::Result<std::vector<std::string_view>> parts =
      right ? py::str::rsplit(strRef(s), strRef(separator), limit)
            : py::str::split(strRef(s), strRef(separator), limit);
  return parts ? listOf(e, *parts) : raised(e, parts.error());
}
Value builtins::strSplit(Engine &e, CallArgs &args) { return splitText(e, args, false); }
Value builtins::strRSplit(Engine &e, CallArgs &args) { return splitText(e, args, true); }

Value builtins::strSplitLines(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  bool keep = false;
  if (given(args, 1)) {
    PTC_GET(truth, e.truth(arg(args, 1)));
    keep = truth;
  }
  if (s.is(Kind::Bytes)) {
    std::vector<Value> items;
    for (const std::string &line : py::bytes::splitlines(s.asBytes(), keep))
      items.push_back(Value::bytes(line));
    return e.makeList(std::move(items));
  }
  return listOf(e, py::str::splitlines(strRef(s), keep));
}

static Value partition(Engine &e, CallArgs &args, bool right) {
  Value s = self(e, args);
  if (s.is(Kind::Bytes)) {
    PTC_LET(by, bytesArg(e, args, 1));
    auto parts = right ? py::bytes::rpartition(s.asBytes(), by.asBytes())
                       : py::bytes::partition(s.asBytes(), by.asBytes());
    if (!parts)
      return raised(e, parts.error());
    return Value::tuple(
        {Value::bytes((*parts)[0]), Value::bytes((*parts)[1]), Value::bytes((*parts)[2])});
  }
  PTC_LET(separator, textArg(e, args, 1, ""));
  auto parts = right ? py::str::rpartition(strRef(s), strRef(separator))
                     : py::str::partition(strRef(s), strRef(separator));
  return parts ? tupleOf(*parts) : raised(e, parts.error());
}
Value builtins::strPartition(Engine &e, CallArgs &args) { return partition(e, args, false); }
Value builtins::strRPartition(Engine &e, CallArgs &args) { return partition(e, args, true); }

Value builtins::strJoin(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  PTC_LET(iterable, e.decide(arg(args, 1)));
  std::optional<std::vector<Value>> items = listElements(e, iterable);
  if (!items) {
    if (specialMethod(e, iterable, WellKnown::Iter).isAbsent() &&
        specialMethod(e, iterable, WellKnown::GetItem).isAbsent())
      return e.raise(WellKnown::TypeError, "can only join an iterable");
    return e.callPrelude("_str_join", {s, iterable}, args.action);
  }
  bool bytes = s.is(Kind::Bytes);
  if (s.is(Kind::Template))
    return refuseTemplate(e, "joining with");
  TextBuilder text;
  for (size_t i = 0; i < items->size(); ++i) {
    PTC_LET(decided, e.decide((*items)[i]));
    Value item = e.unboxed(decided);
    if (!item.is(s.kind()) && (bytes || !item.is(Kind::Template)))
      return e.raise(WellKnown::TypeError, "sequence item " + llvm::Twine(i) +
                                               (bytes ? ": expected a bytes-like object, "
                                                      : ": expected str instance, ") +
                                               capture::typeName(e, decided) + " found");
    if (i)
      text += bytes ? s.asBytes() : s.asStr();
    if (bytes)
      text += item.asBytes();
    else
      text.append(item);
  }
  return bytes ? Value::bytes(text.constant().value_or("")) : text.take();
}

// Stripping and padding
// ----------------------------------------------------------------------------------

template <typename S, typename B>
static Value strip(Engine &e, CallArgs &args, S ofText, B ofBytes, llvm::StringRef name) {
  Value s = self(e, args);
  bool white = !given(args, 1) || arg(args, 1).isNone();
  if (s.is(Kind::Bytes)) {
    if (white)
      return Value::bytes(ofBytes(s.asBytes(), std::nullopt));
    PTC_LET(chars, bytesArg(e, args, 1));
    return Value::bytes(ofBytes(s.asBytes(), chars.asBytes()));
  }
  std::optional<py::StrRef> chars;
  if (!white) {
    PTC_LET(given, plainArg(e, args, 1));
    if (!given.is(Kind::Str))
      return e.raise(WellKnown::TypeError, name + " arg must be None or str");
    chars = strRef(given);
    return ofStr(ofText(strRef(s), chars));
  }
  return ofStr(ofText(strRef(s), chars));
}
Value builtins::strStrip(Engine &e, CallArgs &args) {
  return strip(e, args, py::str::strip, py::bytes::strip, "strip");
}
Value builtins::strLStrip(Engine &e, CallArgs &args) {
  return strip(e, args, py::str::lstrip, py::bytes::lstrip, "lstrip");
}
Value builtins::strRStrip(Engine &e, CallArgs &args) {
  return strip(e, args, py::str::rstrip, py::bytes::rstrip, "rstrip");
}

Value builtins::strRemovePrefix(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  if (s.is(Kind::Bytes)) {
    PTC_LET(part, bytesArg(e, args, 1));
    return Value::bytes(py::bytes::removeprefix(s.asBytes(), part.asBytes()));
  }
  PTC_LET(prefix, textArg(e, args, 1, "removeprefix() argument"));
  return ofStr(py::str::removeprefix(strRef(s), strRef(prefix)));
}
Value builtins::strRemoveSuffix(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  if (s.is(Kind::Bytes)) {
    PTC_LET(part, bytesArg(e, args, 1));
    return Value::bytes(py::bytes::removesuffix(s.asBytes(), part.asBytes()));
  }
  PTC_LET(suffix, textArg(e, args, 1, "removesuffix() argument"));
  return ofStr(py::str::removesuffix(strRef(s), strRef(suffix)));
}

template <typename S, typename B>
static Value pad(Engine &e, CallArgs &args, S ofText, B ofBytes, llvm::StringRef name) {
  Value s = self(e, args);
  PTC_LET(asked, plainArg(e, args, 1));
  PTC_LET(width, integerOf(e, asked));
  if (s.is(Kind::Bytes)) {
    Value fill = given(args, 2) ? e.unboxed(arg(args, 2)) : Value::bytes(" ");
    if (!fill.is(Kind::Bytes) || fill.asBytes().size() != 1)
      return e.raise(WellKnown::TypeError,
                     name + "() argument 2 must be a byte string of length 1, not " +
                         capture::typeName(e, fill));
    py::Result<std::string> r = ofBytes(s.asBytes(), asPyInt(width), fill.asBytes());
    return r ? Value::bytes(*r) : raised(e, r.error());
  }
  Value fill = given(args, 2) ? e.unboxed(arg(args, 2)) : Value::str(" ");
  if (!fill.is(Kind::Str))
    return e.raise(WellKnown::TypeError, "The fill character must be a unicode character, not " +
                                             capture::typeName(e, fill));
  return toValue(e, ofText(strRef(s), asPyInt(width), strRef(fill)));
}
Value builtins::strCenter(Engine &e, CallArgs &args) {
  return pad(e, args, py::str::center, py::bytes::center, "center");
}
Value builtins::strLJust(Engine &e, CallArgs &args) {
  return pad(e, args, py::str::ljust, py::bytes::ljust, "ljust");
}
Value builtins::strRJust(Engine &e, CallArgs &args) {
  return pad(e, args, py::str::rjust, py::bytes::rjust, "rjust");
}
Value builtins::strZFill(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  PTC_LET(asked, plainArg(e, args, 1));
  PTC_LET(width, integerOf(e, asked));
  if (s.is(Kind::Bytes)) {
    py::Result<std::string> r = py::bytes::zfill(s.asBytes(), asPyInt(width));
    return r ? Value::bytes(*r) : raised(e, r.error());
  }
  return toValue(e, py::str::zfill(strRef(s), asPyInt(width)));
}
Value builtins::strExpandTabs(Engine &e, CallArgs &args) {
  PTC_GET(size, countArg(e, args, 1, 8));
  Value s = self(e, args);
  if (!s.is(Kind::Bytes))
    return toValue(e, py::str::expandtabs(strRef(s), py::PyInt(size)));
  py::Result<std::string> r = py::bytes::expandtabs(s.asBytes(), py::PyInt(size));
  return r ? Value::bytes(*r) : raised(e, r.error());
}

// Searching
// ----------------------------------------------------------------------------------------------

enum class Search { Find, RFind, Index, RIndex, Count };

static Value searchBytes(Engine &e, Search how, const Value &s, const Value &sub, py::Bounds b) {
  std::string one;
  py::bytes::Ref key;
  if (sub.is(Kind::Bytes)) {
    key = sub.asBytes();
  } else if (isIntConst(sub)) {
    int64_t byte = asPyInt(sub).clampToInt64();
    if (byte < 0 || byte > 255)
      return e.raise(WellKnown::ValueError, "byte must be in range(0, 256)");
    one.push_back(char(byte));
    key = one;
  } else {
    return e.raise(WellKnown::TypeError, "argument should be integer or bytes-like object, not '" +
                                             capture::typeName(e, sub) + "'");
  }
  switch (how) {
  case Search::Find:
    return Value::integer(py::bytes::find(s.asBytes(), key, b));
  case Search::RFind:
    return Value::integer(py::bytes::rfind(s.asBytes(), key, b));
  case Search::Index:
    return toValue(e, py::bytes::index(s.asBytes(), key, b));
  case Search::RIndex:
    return toValue(e, py::bytes::rindex(s.asBytes(), key, b));
  case Search::Count:
    return Value::integer(py::bytes::count(s.asBytes(), key, b));
  }
  llvm_unreachable("closed enum");
}

static Value search(Engine &e, CallArgs &args, Search how) {
  Value s = self(e, args);
  PTC_GET(bounds, boundsArg(e, args, 2));
  PTC_LET(sub, plainArg(e, args, 1));
  if (s.is(Kind::Bytes))
    return searchBytes(e, how, s, sub, bounds);
  if (!sub.is(Kind::Str))
    return e.raise(WellKnown::TypeError, "must be str, not " + capture::typeName(e, sub));
  switch (how) {
  case Search::Find:
    return Value::integer(py::str::find(strRef(s), strRef(sub), bounds));
  case Search::RFind:
    return Value::integer(py::str::rfind(strRef(s), strRef(sub), bounds));
  case Search::Index:
    return toValue(e, py::str::index(strRef(s), strRef(sub), bounds));
  case Search::RIndex:
    return toValue(e, py::str::rindex(strRef(s), strRef(sub), bounds));
  case Search::Count:
    return Value::integer(py::str::count(strRef(s), strRef(sub), bounds));
  }
  llvm_unreachable("closed enum");
}
Value builtins::strFind(Engine &e, CallArgs &args) { return search(e, args, Search::Find); }
Value builtins::strRFind(Engine &e, CallArgs &args) { return search(e, args, Search::RFind); }
Value builtins::strIndex(Engine &e, CallArgs &args) { return search(e, args, Search::Index); }
Value builtins::strRIndex(Engine &e, CallArgs &args) { return search(e, args, Search::RIndex); }
Value builtins::strCount(Engine &e, CallArgs &args) { return search(e, args, Search::Count); }

static Value startsOrEnds(Engine &e, CallArgs &args, bool starts) {
  Value s = self(e, args);
  PTC_GET(bounds, boundsArg(e, args, 2));
  PTC_LET(key, plainArg(e, args, 1));
  llvm::ArrayRef<Value> keys(key);
  if (key.is(Kind::Tuple))
    keys = key.parts();
  llvm::StringRef name = starts ? "startswith" : "endswith";
  for (const Value &item : keys) {
    PTC_LET(one, e.decide(item));
    PTC_LET(k, e.decide(e.unboxed(one)));
    if (k.is(Kind::Template))
      return e.refuse(DiagId::RunTimeStringCompared);
    if (!k.is(s.kind()) && key.is(Kind::Tuple))
      return e.raise(WellKnown::TypeError, s.is(Kind::Str)
                                               ? llvm::Twine("tuple for ") + name +
                                                     " must only contain str, not " +
                                                     capture::typeName(e, one)
                                               : "a bytes-like object is required, not '" +
                                                     capture::typeName(e, one) + "'");
    if (!k.is(s.kind()))
      return e.raise(WellKnown::TypeError,
                     llvm::Twine(name) + " first arg must be " +
                         (s.is(Kind::Str) ? "str or a tuple of str, not "
                                          : "bytes or a tuple of bytes, not ") +
                         capture::typeName(e, one));
    bool hit = s.is(Kind::Bytes) ? (starts ? py::bytes::startswith(s.asBytes(), k.asBytes(), bounds)
                                           : py::bytes::endswith(s.asBytes(), k.asBytes(), bounds))
                                 : (starts ? py::str::startswith(strRef(s), strRef(k), bounds)
                                           : py::str::endswith(strRef(s), strRef(k), bounds));
    if (hit)
      return Value::boolean(true);
  }
  return Value::boolean(false);
}
Value builtins::strStartsWith(Engine &e, CallArgs &args) { return startsOrEnds(e, args, true); }
Value builtins::strEndsWith(Engine &e, CallArgs &args) { return startsOrEnds(e, args, false); }

Value builtins::strReplace(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  PTC_GET(limit, countArg(e, args, 3, -1));
  if (s.is(Kind::Bytes)) {
    PTC_LET(from, bytesArg(e, args, 1));
    PTC_LET(to, bytesArg(e, args, 2));
    py::Result<std::string> r =
        py::bytes::replace(s.asBytes(), from.asBytes(), to.asBytes(), limit);
    return r ? Value::bytes(*r) : raised(e, r.error());
  }
  PTC_LET(from, textArg(e, args, 1, "replace() argument 1"));
  PTC_LET(to, textArg(e, args, 2, "replace() argument 2"));
  return toValue(e, py::str::replace(strRef(s), strRef(from), strRef(to), limit));
}

// Translation and codecs
// ------------------------------------------------------------------------------------

Value builtins::strMakeTrans(Engine &e, CallArgs &args) {
  Value dict = e.makeDict({});
  if (!given(args, 1)) {
    PTC_LET(table, e.decide(arg(args, 0)));
    if (!isRefTo(e, table, ObjectKind::Dict))
      return e.raise(WellKnown::TypeError,
                     "if you give only one argument to maketrans it must be a dict");
    std::vector<Value> items(dictItems(e, table));
    for (size_t i = 0; i < items.size(); i += 2) {
      Value key = items[i];
      if (key.is(Kind::Str)) {
        py::Result<py::PyInt> point = py::str::ord(strRef(key));
        if (!point)
          return e.raise(WellKnown::ValueError,
                         "string keys in translate table must be of length 1");
        key = ofPyInt(*point);
      }
      PTC_DO(dictSet(e, dict, key, items[i + 1]));
    }
    return dict;
  }
  PTC_LET(from, e.decide(arg(args, 0)));
  if (!from.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "first maketrans argument must be a string if there is a second argument");
  PTC_LET(to, textArg(e, args, 1, "maketrans() argument 2"));
  Value removed = Value::str("");
  if (given(args, 2)) {
    PTC_LET(chars, textArg(e, args, 2, "maketrans() argument 3"));
    removed = chars;
  }
  auto rows = py::str::maketrans(strRef(from), strRef(to), strRef(removed));
  if (!rows)
    return raised(e, rows.error());
  for (auto &[point, with] : *rows)
    PTC_DO(dictSet(e, dict, Value::integer(point), with ? Value::integer(*with) : Value::none()));
  return dict;
}

Value builtins::strTranslate(Engine &e, CallArgs &args) {
  PTC_LET(table, e.decide(arg(args, 1)));
  if (!isRefTo(e, table, ObjectKind::Dict))
    return e.refuse(DiagId::Unsupported, "str.translate with a table that is no dict");
  bool open = false;   // a run-time number is in the table
  bool failed = false; // a value of it is pending
  auto look = [&](char32_t point) -> py::Result<std::optional<py::Str>> {
    std::optional<Found> found = dictFind(e, table, Value::integer(point));
    if (!found || found->position < 0)
      return std::optional<py::Str>();
    Value given = e.decide(dictItems(e, table)[size_t(found->position) * 2 + 1]);
    Value with = given.isFail() ? given : e.decide(e.unboxed(given));
    failed |= with.isFail();
    if (with.isNone() || failed)
      return std::optional<py::Str>(py::Str(std::string()));
    if (with.is(Kind::Str))
      return std::optional<py::Str>(py::Str(with.asStr().str()));
    if (isNumber(with) && !isIntConst(with) && !with.is(Kind::Float))
      open = true;
    if (!isIntConst(with))
      return py::Raised{py::ExcKind::TypeError,
                        "character mapping must return integer, None or str"};
    py::Result<py::Str> made = py::str::chr(asPyInt(with));
    if (!made)
      return py::Raised{py::ExcKind::ValueError, "character mapping must be in range(0x110000)"};
    return std::optional<py::Str>(*made);
  };
  py::Result<py::Str> made = py::str::translate(strRef(self(e, args)), look);
  if (failed)
    return Value::fail();
  Value result = toValue(e, made);
  if (open)
    return e.refuse(DiagId::Unsupported, "str.translate with a run-time number in the table");
  return result;
}

Value builtins::strEncode(Engine &e, CallArgs &args) {
  PTC_GET(encoding, codecArg(e, args, 1, "encode() argument 'encoding'", "utf-8"));
  PTC_GET(errors, codecArg(e, args, 2, "encode() argument 'errors'", "strict"));
  py::Result<std::string> r = py::str::encode(strRef(self(e, args)), encoding, errors);
  return r ? Value::bytes(*r) : raised(e, r.error());
}
Value builtins::bytesDecode(Engine &e, CallArgs &args) {
  PTC_GET(encoding, codecArg(e, args, 1, "decode() argument 'encoding'", "utf-8"));
  PTC_GET(errors, codecArg(e, args, 2, "decode() argument 'errors'", "strict"));
  return toValue(e, py::bytes::decode(self(e, args).asBytes(), encoding, errors));
}
Value builtins::bytesHex(Engine &e, CallArgs &args) {
  std::string text;
  std::optional<py::StrRef> separator;
  if (given(args, 1)) {
    PTC_LET(by, plainArg(e, args, 1));
    if (!by.is(Kind::Str) && !by.is(Kind::Bytes))
      return e.raise(WellKnown::TypeError, "sep must be str or bytes.");
    text = by.is(Kind::Str) ? by.asStr().str() : std::string(by.asBytes());
    separator = py::StrRef(text);
  }
  PTC_GET(group, countArg(e, args, 2, 1));
  return toValue(e, py::bytes::hex(self(e, args).asBytes(), separator, group));
}
Value builtins::bytesFromHex(Engine &e, CallArgs &args) {
  PTC_LET(text, textArg(e, args, 1, "fromhex() argument"));
  py::Result<std::string> r = py::bytes::fromhex(strRef(text));
  return r ? Value::bytes(*r) : raised(e, r.error());
}
Value builtins::bytesTranslate(Engine &e, CallArgs &args) {
  Value table = Value::none(), removed = Value::bytes("");
  if (!arg(args, 1).isNone()) {
    PTC_LET(map, bytesArg(e, args, 1));
    table = map;
  }
  if (given(args, 2)) {
    PTC_LET(chars, bytesArg(e, args, 2));
    removed = chars;
  }
  std::optional<py::bytes::Ref> bytes;
  if (!table.isNone())
    bytes = table.asBytes();
  py::Result<std::string> r =
      py::bytes::translate(self(e, args).asBytes(), bytes, removed.asBytes());
  return r ? Value::bytes(*r) : raised(e, r.error());
}
Value builtins::bytesMakeTrans(Engine &e, CallArgs &args) {
  PTC_LET(from, bytesArg(e, args, 0));
  PTC_LET(to, bytesArg(e, args, 1));
  py::Result<std::string> r = py::bytes::maketrans(from.asBytes(), to.asBytes());
  return r ? Value::bytes(*r) : raised(e, r.error());
}

Value builtins::bytesNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (!given(args, 1))
    return box(e, cls, Value::bytes(""));
  PTC_LET(source, e.decide(arg(args, 1)));
  bool encoded = given(args, 2) || given(args, 3);
  if (!encoded && isUserObject(e, source) &&
      llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"__bytes__", "__index__"}, [&](auto method) {
        return isPythonFunction(e, e.lookupInClass(e.typeOf(source), e.intern(method)));
      }))
    return e.callPrelude("_bytes_by_method", {arg(args, 0), source}, args.action);
  PTC_LET(plain, plainArg(e, args, 1));
  PTC_LET(v, e.decide(plain));
  if (encoded && !v.is(Kind::Str))
    return e.raise(WellKnown::TypeError, llvm::Twine(given(args, 2) ? "encoding" : "errors") +
                                             " without a string argument");
  if (v.is(Kind::Str)) {
    if (!given(args, 2))
      return e.raise(WellKnown::TypeError, "string argument without an encoding");
    PTC_GET(encoding, codecArg(e, args, 2, "bytes() argument 'encoding'", "utf-8"));
    PTC_GET(errors, codecArg(e, args, 3, "bytes() argument 'errors'", "strict"));
    py::Result<std::string> r = py::str::encode(strRef(v), encoding, errors);
    return r ? box(e, cls, Value::bytes(*r)) : raised(e, r.error());
  }
  if (v.is(Kind::Bytes))
    return box(e, cls, v);
  if (numberType(v) == NumberType::Int || v.is(Kind::Bool)) {
    PTC_LET(count, integerOf(e, v));
    py::Result<std::string> r = py::bytes::zeros(asPyInt(count));
    return r ? box(e, cls, Value::bytes(*r)) : raised(e, r.error());
  }
  if (e.isTensorLike(v))
    return e.refuse(DiagId::Unsupported, "bytes of a tensor");
  PTC_DO(openContent(e, v));
  std::optional<std::vector<Value>> items = collectedElements(e, v);
  for (Value &item :
       items ? llvm::MutableArrayRef<Value>(*items) : llvm::MutableArrayRef<Value>()) {
    PTC_LET(known, e.decide(item));
    item = std::move(known);
  }
  if (!items) {
    if (specialMethod(e, v, WellKnown::Iter).isAbsent())
      return e.raise(WellKnown::TypeError,
                     "cannot convert '" + capture::typeName(e, v) + "' object to bytes");
    return e.callPrelude("_bytes_of", {arg(args, 0), v}, args.action);
  }
  if (llvm::any_of(*items, [&](const Value &item) { return isUserObject(e, e.known(item)); }))
    return e.callPrelude("_bytes_of", {arg(args, 0), v}, args.action);
  std::vector<py::PyInt> ints;
  for (const Value &item : *items) {
    PTC_LET(number, integerOf(e, item));
    ints.push_back(asPyInt(number));
  }
  py::Result<std::string> r = py::bytes::fromInts(ints);
  return r ? box(e, cls, Value::bytes(*r)) : raised(e, r.error());
}

Value builtins::strFormat(Engine &e, CallArgs &args) {
  Value s = self(e, args);
  std::vector<Value> pairs;
  for (const KeywordArg &k : args.keywords) {
    pairs.push_back(Value::str(e.nameText(k.name)));
    pairs.push_back(k.value);
  }
  args.positional.erase(args.positional.begin());
  return e.callPrelude("_str_format", {s, Value::tuple(args.positional), e.makeDict(pairs)},
                       args.action);
}
Value builtins::strFormatMap(Engine &e, CallArgs &args) {
  return e.callPrelude("_str_format", {self(e, args), Value::tuple({}), arg(args, 1)}, args.action);
}
Value builtins::strDunderFormat(Engine &e, CallArgs &args) {
  return formatValue(e, self(e, args), arg(args, 1), args.action);
}
Value builtins::strDunderStr(Engine &e, CallArgs &args) {
  return toStr(e, self(e, args), args.action);
}
Value builtins::plainRepr(Engine &e, CallArgs &args) {
  PTC_LET(v, plainArg(e, args, 0));
  return toRepr(e, v, args.action);
}
Value builtins::intRepr(Engine &e, CallArgs &args) { // that of bool, too
  PTC_LET(v, plainArg(e, args, 0));
  return toRepr(e, numberType(v) == NumberType::Bool ? e.numberCast(v, ScalarType::Int) : v,
                args.action);
}
Value builtins::plainLen(Engine &e, CallArgs &args) { return lengthOf(e, self(e, args)); }
Value builtins::plainContains(Engine &e, CallArgs &args) {
  return containsItem(e, self(e, args), arg(args, 1), args.action);
}
Value builtins::plainGetItem(Engine &e, CallArgs &args) {
  return getItem(e, self(e, args), arg(args, 1));
}
Value builtins::plainIter(Engine &e, CallArgs &args) {
  return getIterator(e, self(e, args), false, args.action);
}
