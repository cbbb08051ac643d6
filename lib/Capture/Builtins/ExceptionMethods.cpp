//===- ExceptionMethods.cpp - Exceptions with members of their own ----------------------===//
//
// OSError, UnicodeError, SyntaxError and ImportError keep parts of their arguments as members and
// make str() of them (CPython's Objects/exceptions.c). A member is a slot of the instance with a
// descriptor in the class, and None where it was not set.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Template.h"

#include "ptc/Python/Str.h"

#include "llvm/ADT/StringExtras.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using namespace ptc::capture::builtins;

namespace {
struct Members {
  WellKnown cls;
  llvm::StringLiteral names;
};
struct Errno {
  int64_t number;
  WellKnown cls;
};
} // namespace

static constexpr llvm::StringLiteral kUnicodeMembers = "encoding object start end reason";
static constexpr Members kMembers[] = {
    {WellKnown::OSError, "errno strerror filename filename2"},
    {WellKnown::UnicodeEncodeError, kUnicodeMembers},
    {WellKnown::UnicodeDecodeError, kUnicodeMembers},
    {WellKnown::UnicodeTranslateError, kUnicodeMembers},
    {WellKnown::SyntaxError,
     "msg filename lineno offset text end_lineno end_offset print_file_and_line"},
    {WellKnown::ImportError, "msg name path"},
};

/// What OSError itself makes of an errno of Linux (PEP 3151).
static constexpr Errno kErrnos[] = {
    {1, WellKnown::PermissionError},        {2, WellKnown::FileNotFoundError},
    {3, WellKnown::ProcessLookupError},     {4, WellKnown::InterruptedError},
    {10, WellKnown::ChildProcessError},     {11, WellKnown::BlockingIOError},
    {13, WellKnown::PermissionError},       {17, WellKnown::FileExistsError},
    {20, WellKnown::NotADirectoryError},    {21, WellKnown::IsADirectoryError},
    {32, WellKnown::BrokenPipeError},       {103, WellKnown::ConnectionAbortedError},
    {104, WellKnown::ConnectionResetError}, {108, WellKnown::BrokenPipeError},
    {110, WellKnown::TimeoutError},         {111, WellKnown::ConnectionRefusedError},
    {114, WellKnown::BlockingIOError},      {115, WellKnown::BlockingIOError},
};

void capture::addExceptionMembers(Engine &e) {
  for (const Members &row : kMembers)
    for (llvm::StringRef name : llvm::split(row.names, ' ')) {
      ObjectId id = e.heap.allocate(ObjectKind::Instance, e.builtinClass(WellKnown::SlotType));
      e.heap.set(id, slot::kContent, Value::tuple({Value::str(name), Value::none()}));
      e.heap.set(e.builtinClass(row.cls), attrKey(e.intern(name)), Value::ref(id));
    }
}

static void setMember(Engine &e, const Value &exception, llvm::StringRef name, Value v) {
  e.heap.set(exception.asRef(), attrKey(e.intern(name)), std::move(v));
}

/// The member, Absent where it was not set.
static Value member(Engine &e, const Value &exception, llvm::StringRef name) {
  return e.known(e.heap.get(exception.asRef(), attrKey(e.intern(name))));
}

static Flow noKeywords(Engine &e, ObjectId cls, const CallArgs &args) {
  if (args.keywords.empty())
    return Flow::Next;
  return e.raise(WellKnown::TypeError, className(e, cls) + "() takes no keyword arguments");
}

static void setArgs(Engine &e, const Value &self, llvm::ArrayRef<Value> args) {
  e.heap.set(self.asRef(), slot::kContent, Value::tuple(args.vec()));
}

/// The whole number that a constant is, none if it is no int.
static std::optional<int64_t> intOf(Engine &e, const Value &given) {
  Value v = e.unboxed(e.known(given));
  if (!isIntConst(v))
    return std::nullopt;
  return asPyInt(v).asInt64();
}

// Keywords
// ----------------------------------------------------------------------------------------------

/// Exceptions that take some of their members by keyword.
static Flow checkKeyword(Engine &e, const Value &self, llvm::StringRef keyword) {
  struct Row {
    WellKnown cls;
    llvm::StringLiteral names;
  };
  static constexpr Row kRows[] = {{WellKnown::ImportError, "name path name_from"},
                                  {WellKnown::AttributeError, "name obj"},
                                  {WellKnown::NameError, "name"}};
  const uint32_t minor = e.world->minorVersion();
  for (const Row &row : kRows) {
    if (!isInstance(e, self, row.cls))
      continue;
    if (llvm::is_contained(llvm::split(row.names, ' '), keyword) &&
        (keyword != "name_from" || minor >= 12))
      return Flow::Next;
    const std::string name = className(e, e.builtinClass(row.cls));
    if (minor >= 13)
      return e.raise(WellKnown::TypeError,
                     llvm::Twine(name) + "() got an unexpected keyword argument '" + keyword + "'");
    return e.raise(WellKnown::TypeError, "'" + llvm::Twine(keyword) +
                                             "' is an invalid keyword argument for " + name + "()");
  }
  return e.raise(WellKnown::TypeError,
                 capture::typeName(e, self) + "() takes no keyword arguments");
}

Value builtins::exceptionInit(Engine &e, CallArgs &args) {
  Value self = arg(args, 0);
  for (KeywordArg &k : args.keywords) {
    PTC_DO(checkKeyword(e, self, e.nameText(k.name)));
    e.heap.set(self.asRef(), attrKey(k.name), k.value);
  }
  args.positional.erase(args.positional.begin());
  if (args.positional.size() == 1 && isInstance(e, self, WellKnown::ImportError))
    e.heap.set(self.asRef(), attrKey(e.intern("msg")), arg(args, 0));
  e.heap.set(self.asRef(), slot::kContent, Value::tuple(args.positional));
  return Value::none();
}

// OSError
// ----------------------------------------------------------------------------------------------

static bool isRowOf(const Value &v, WellKnown owner) {
  return v.is(Kind::Builtin) && builtinRows()[v.bits()].owner == owner;
}

/// Where only __init__ is written in Python, the arguments are those that it hands on.
static bool fillsInInit(Engine &e, ObjectId cls) {
  return !isRowOf(e.lookupInClass(cls, NameId(WellKnown::Init)), WellKnown::OSError) &&
         isRowOf(e.lookupInClass(cls, NameId(WellKnown::New)), WellKnown::OSError);
}

static Flow fillOSError(Engine &e, const Value &self, llvm::ArrayRef<Value> args) {
  setArgs(e, self, args);
  if (args.size() < 2 || args.size() > 5)
    return Flow::Next;
  setMember(e, self, "errno", args[0]);
  setMember(e, self, "strerror", args[1]);
  Value filename = args.size() > 2 ? e.known(args[2]) : Value::none();
  if (filename.isNone())
    return Flow::Next;
  if (e.typeOf(self) == e.builtinClass(WellKnown::BlockingIOError) &&
      numberType(filename) != NumberType::NotNumber)
    return e.refuse(DiagId::Unsupported, "BlockingIOError with characters_written");
  setMember(e, self, "filename", filename);
  // The fourth argument is Windows's error number.
  if (args.size() == 5 && !e.known(args[4]).isNone())
    setMember(e, self, "filename2", args[4]);
  setArgs(e, self, args.take_front(2));
  return Flow::Next;
}

Value builtins::osErrorNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  llvm::ArrayRef<Value> given = llvm::ArrayRef(args.positional).drop_front();
  if (fillsInInit(e, cls))
    return Value::ref(allocateInstance(e, cls));
  PTC_DO(noKeywords(e, cls, args));
  if (cls == e.builtinClass(WellKnown::OSError) && given.size() >= 2 && given.size() <= 5) {
    PTC_LET(decided, e.decide(given[0]));
    Value number = e.unboxed(decided);
    if (numberType(number) != NumberType::NotNumber && isRunTimeText(number))
      return e.refuse(DiagId::Unsupported, "an OSError whose errno is known at run time only");
    std::optional<int64_t> known = intOf(e, number);
    for (const Errno &row : kErrnos)
      if (known == row.number)
        cls = e.builtinClass(row.cls);
  }
  Value self = Value::ref(allocateInstance(e, cls));
  PTC_DO(fillOSError(e, self, given));
  return self;
}

Value builtins::osErrorInit(Engine &e, CallArgs &args) {
  Value self = arg(args, 0);
  if (!fillsInInit(e, e.typeOf(self)))
    return Value::none();
  PTC_DO(noKeywords(e, e.typeOf(self), args));
  PTC_DO(fillOSError(e, self, llvm::ArrayRef(args.positional).drop_front()));
  return Value::none();
}

// UnicodeError
// ------------------------------------------------------------------------------------------

static Flow checkText(Engine &e, const Value &v, size_t place) {
  if (v.is(Kind::Str) || v.is(Kind::Template))
    return Flow::Next;
  return e.raise(WellKnown::TypeError, "argument " + llvm::Twine(place) + " must be str, not " +
                                           (v.isNone() ? "None" : capture::typeName(e, v)));
}

static Flow checkPosition(Engine &e, const Value &given, int64_t &number) {
  PTC_LET(v, e.decide(given));
  std::optional<int64_t> known = intOf(e, v);
  NumberType type = numberType(v);
  if (!known && (type == NumberType::Int || type == NumberType::Bool))
    return e.refuse(DiagId::Unsupported, "a UnicodeError whose position is not known");
  if (!known)
    return e.raise(WellKnown::TypeError,
                   "'" + capture::typeName(e, v) + "' object cannot be interpreted as an integer");
  number = *known;
  return Flow::Next;
}

static Flow checkBytes(Engine &e, const Value &v) {
  if (v.is(Kind::Bytes))
    return Flow::Next;
  if (isRefTo(e, v, ObjectKind::Instance))
    return e.refuse(DiagId::Unsupported, "a UnicodeDecodeError of what is not bytes");
  return e.raise(WellKnown::TypeError,
                 "a bytes-like object is required, not '" + capture::typeName(e, v) + "'");
}

Value builtins::unicodeErrorInit(Engine &e, CallArgs &args) {
  Value self = arg(args, 0);
  PTC_DO(noKeywords(e, e.typeOf(self), args));
  args.positional.erase(args.positional.begin());
  setArgs(e, self, args.positional);
  bool decodes = isInstance(e, self, WellKnown::UnicodeDecodeError);
  bool translates = isInstance(e, self, WellKnown::UnicodeTranslateError);
  size_t count = translates ? 4 : 5;
  if (args.positional.size() != count)
    return e.raise(WellKnown::TypeError, "function takes exactly " + llvm::Twine(count) +
                                             " arguments (" + llvm::Twine(args.positional.size()) +
                                             " given)");
  size_t at = 0;
  if (!translates) {
    PTC_LET(encoding, plainArg(e, args, at++));
    PTC_DO(checkText(e, encoding, at));
    setMember(e, self, "encoding", encoding);
  }
  PTC_LET(object, plainArg(e, args, at++));
  if (!decodes)
    PTC_DO(checkText(e, object, at));
  int64_t start = 0, end = 0;
  PTC_DO(checkPosition(e, arg(args, at), start));
  PTC_DO(checkPosition(e, arg(args, at + 1), end));
  PTC_LET(reason, plainArg(e, args, at + 2));
  PTC_DO(checkText(e, reason, at + 3));
  if (decodes)
    PTC_DO(checkBytes(e, object));
  setMember(e, self, "object", object);
  setMember(e, self, "start", Value::integer(start));
  setMember(e, self, "end", Value::integer(end));
  setMember(e, self, "reason", reason);
  return Value::none();
}

FailAny capture::raiseUnicodeFault(Engine &e, WellKnown cls, const py::UnicodeFault &fault) {
  Value encoding = Value::str(fault.encoding), reason = Value::str(fault.reason);
  Value object =
      cls == WellKnown::UnicodeDecodeError ? Value::bytes(fault.object) : Value::str(fault.object);
  Value start = Value::integer(int64_t(fault.start)), end = Value::integer(int64_t(fault.end));
  Value exception = e.makeException(e.builtinClass(cls), {encoding, object, start, end, reason});
  setMember(e, exception, "encoding", encoding);
  setMember(e, exception, "object", object);
  setMember(e, exception, "start", start);
  setMember(e, exception, "end", end);
  setMember(e, exception, "reason", reason);
  return e.raiseNew(exception);
}

// SyntaxError
// -------------------------------------------------------------------------------------------

Value builtins::syntaxErrorInit(Engine &e, CallArgs &args) {
  static constexpr llvm::StringLiteral kPlace[] = {"filename", "lineno",     "offset",
                                                   "text",     "end_lineno", "end_offset"};
  Value self = arg(args, 0);
  PTC_DO(noKeywords(e, e.typeOf(self), args));
  args.positional.erase(args.positional.begin());
  setArgs(e, self, args.positional);
  if (args.positional.empty())
    return Value::none();
  setMember(e, self, "msg", args.positional[0]);
  if (args.positional.size() != 2)
    return Value::none();
  PTC_LET(place, e.decide(args.positional[1]));
  std::optional<std::vector<Value>> parts = listElements(e, place);
  if (!parts && specialMethod(e, place, WellKnown::Iter).isAbsent())
    return e.raise(WellKnown::TypeError,
                   "'" + capture::typeName(e, place) + "' object is not iterable");
  if (!parts)
    return e.refuse(DiagId::Unsupported, "a SyntaxError whose place is no builtin sequence");
  size_t n = parts->size();
  if (n < 4 || n > 6)
    return e.raise(WellKnown::TypeError, "function takes at " +
                                             llvm::Twine(n < 4 ? "least 4" : "most 6") +
                                             " arguments (" + llvm::Twine(n) + " given)");
  if (n == 5)
    return e.raise(WellKnown::TypeError, "end_offset must be provided when end_lineno is provided");
  for (size_t i = 0; i < n; ++i)
    setMember(e, self, kPlace[i], (*parts)[i]);
  return Value::none();
}

// str()
// -------------------------------------------------------------------------------------------------

/// Appends str() or repr() of a member; false where Python code would make it.
static bool append(Engine &e, TextBuilder &text, const Value &v, bool repr) {
  std::optional<Value> shown = nativeText(e, v.isAbsent() ? Value::none() : v, repr);
  if (shown)
    text.append(*shown);
  return shown.has_value();
}

/// An OSError without the parts that its own text has.
static bool showsArgs(Engine &e, const Value &v) {
  bool numbered = !member(e, v, "errno").isAbsent() && !member(e, v, "strerror").isAbsent();
  return isInstance(e, v, WellKnown::OSError) && !numbered && member(e, v, "filename").isAbsent();
}

static std::optional<Value> osErrorText(Engine &e, const Value &v) {
  Value filename = member(e, v, "filename"), filename2 = member(e, v, "filename2");
  Value number = member(e, v, "errno"), strerror = member(e, v, "strerror");
  if (showsArgs(e, v))
    return exceptionArgsText(e, v);
  TextBuilder text;
  text += "[Errno ";
  if (!append(e, text, number, false))
    return std::nullopt;
  text += "] ";
  if (!append(e, text, strerror, false))
    return std::nullopt;
  if (filename.isAbsent())
    return text.take();
  text += ": ";
  if (!append(e, text, filename, true))
    return std::nullopt;
  if (filename2.isAbsent())
    return text.take();
  text += " -> ";
  if (!append(e, text, filename2, true))
    return std::nullopt;
  return text.take();
}

/// The one character or byte that could not be converted.
static std::string unicodeUnit(const Value &object, int64_t at) {
  if (object.is(Kind::Bytes))
    return "byte 0x" + llvm::utohexstr(uint8_t(object.asBytes()[size_t(at)]), true, 2);
  char32_t point = py::toCodePoints(strRef(object).bytes())[size_t(at)];
  unsigned width = point < 0x100 ? 2 : point < 0x10000 ? 4 : 8;
  llvm::StringRef prefix = width == 2 ? "x" : width == 4 ? "u" : "U";
  return ("character '\\" + prefix + llvm::utohexstr(point, true, width) + "'").str();
}

static std::optional<Value> unicodeErrorText(Engine &e, const Value &v) {
  Value object = member(e, v, "object");
  if (object.isAbsent())
    return Value::str("");
  std::optional<int64_t> start = intOf(e, member(e, v, "start"));
  std::optional<int64_t> end = intOf(e, member(e, v, "end"));
  bool bytes = object.is(Kind::Bytes);
  int64_t length = bytes                  ? int64_t(object.asBytes().size())
                   : object.is(Kind::Str) ? int64_t(strRef(object).length())
                                          : -1;
  // What positions outside of the object show differs between versions.
  if (!start || !end || *start < 0 || *end <= *start || *end > length)
    return (void)e.refuse(DiagId::Unsupported,
                          "the text of a UnicodeError whose positions are not in its object"),
           std::nullopt;
  TextBuilder text;
  if (isInstance(e, v, WellKnown::UnicodeTranslateError)) {
    text += "can't translate ";
  } else {
    text += "'";
    if (!append(e, text, member(e, v, "encoding"), false))
      return std::nullopt;
    text += bytes ? "' codec can't decode " : "' codec can't encode ";
  }
  if (*end == *start + 1)
    text += unicodeUnit(object, *start) + " in position " + std::to_string(*start);
  else
    text += std::string(bytes ? "bytes" : "characters") + " in position " + std::to_string(*start) +
            "-" + std::to_string(*end - 1);
  text += ": ";
  if (!append(e, text, member(e, v, "reason"), false))
    return std::nullopt;
  return text.take();
}

static std::optional<Value> syntaxErrorText(Engine &e, const Value &v) {
  Value filename = e.unboxed(member(e, v, "filename")), line = member(e, v, "lineno");
  TextBuilder text;
  if (!append(e, text, member(e, v, "msg"), false))
    return std::nullopt;
  bool named = filename.is(Kind::Str), placed = isIntConst(line) && !line.is(Kind::Bool);
  if (!named && !placed)
    return text.take();
  text += " (";
  if (named)
    text += filename.asStr().substr(filename.asStr().rfind('/') + 1); // npos + 1 is 0
  if (named && placed)
    text += ", ";
  if (placed)
    text += "line ";
  if (placed && !append(e, text, line, false))
    return std::nullopt;
  text += ")";
  return text.take();
}

bool capture::hasOwnText(Engine &e, const Value &exception) {
  return isInstance(e, exception, WellKnown::OSError) ||
         isInstance(e, exception, WellKnown::UnicodeEncodeError) ||
         isInstance(e, exception, WellKnown::UnicodeDecodeError) ||
         isInstance(e, exception, WellKnown::UnicodeTranslateError) ||
         isInstance(e, exception, WellKnown::SyntaxError);
}

std::optional<Value> capture::exceptionText(Engine &e, const Value &v) {
  if (isInstance(e, v, WellKnown::OSError))
    return osErrorText(e, v);
  if (isInstance(e, v, WellKnown::SyntaxError))
    return syntaxErrorText(e, v);
  return hasOwnText(e, v) ? unicodeErrorText(e, v) : exceptionArgsText(e, v);
}

/// The text of the arguments.
static Value argumentsText(Engine &e, CallArgs &args, const Value &exception, bool quotesOne) {
  PTC_LET(content, e.decide(e.heap.get(exception.asRef(), slot::kContent)));
  if (content.parts().empty())
    return Value::str("");
  const bool isOne = content.parts().size() == 1;
  CallArgs one;
  one.action = args.action;
  one.positional = {isOne ? content.parts()[0] : content};
  return !isOne || quotesOne ? fnRepr(e, one) : toStr(e, one.positional[0], args.action);
}

Value builtins::exceptionStr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return argumentsText(e, args, v, /*quotesOne=*/false);
}

Value builtins::keyErrorStr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return argumentsText(e, args, v, /*quotesOne=*/true);
}

/// Of the classes whose text is made of more than the arguments.
Value builtins::ownExceptionStr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (showsArgs(e, v))
    return argumentsText(e, args, v, /*quotesOne=*/false);
  if (std::optional<Value> text = exceptionText(e, v))
    return *text;
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.refuse(DiagId::Unsupported,
                  "the text of an exception with members that Python code shows");
}
