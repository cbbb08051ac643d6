//===- Signature.cpp - Arguments of native functions ---------------------------===//
//
// In: a row's signature and the arguments of a call. Out: one value per parameter, Absent where
// none was given, then a Tuple for *args and a Tuple of name, value pairs for **kwargs. Wrong
// numbers of arguments raise with CPython's texts.
//
//===----------------------------------------------------------------------===//
#include "Signature.h"
#include "Positions.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

Signature capture::parseSignature(Engine &e, llvm::StringRef text) {
  Signature s;
  if (text == "...") {
    s.raw = true;
    return s;
  }
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',', -1, false);
  bool keywordOnly = false;
  for (llvm::StringRef part : parts) {
    part = part.trim();
    if (part == "/") {
      for (Signature::Parameter &p : s.parameters)
        p.positionalOnly = true;
      continue;
    }
    if (part.starts_with("**")) {
      s.varKeywords = true;
      continue;
    }
    if (part.starts_with("*")) {
      keywordOnly = true;
      s.varArgs = part.size() > 1;
      continue;
    }
    bool optional = part.consume_back("=");
    auto conversion = Signature::Conversion::None;
    if (part.consume_back(":index"))
      conversion = Signature::Conversion::Index;
    else if (part.consume_back(":float"))
      conversion = Signature::Conversion::Float;
    assert(!part.contains(':') && "a conversion that there is");
    s.converts |= conversion != Signature::Conversion::None;
    s.parameters.push_back({e.intern(part), optional, keywordOnly, false, conversion});
    if (keywordOnly)
      continue;
    ++s.positional;
    s.required += !optional;
  }
  for (const Signature::Parameter &p : s.parameters)
    s.keywords |= !p.positionalOnly;
  return s;
}

/// Messages of these name the class.
static bool constructs(const BuiltinRow &row) {
  const llvm::StringRef name = row.name;
  return row.kind == BuiltinKind::Static ? name == "__new__"
                                         : row.kind == BuiltinKind::Method && name == "__init__";
}

static std::string callName(Engine &e, const BuiltinRow &row) {
  if (row.kind == BuiltinKind::Function)
    return row.name;
  if (constructs(row))
    return e.nameText(NameId(row.owner)).str();
  return (e.nameText(NameId(row.owner)) + "." + row.name).str();
}

FailAny capture::unknownKeyword(Engine &e, const llvm::Twine &function, NameId keyword) {
  if (e.world->minorVersion() < 13)
    return e.raise(WellKnown::TypeError, llvm::Twine("'") + e.nameText(keyword) +
                                             "' is an invalid keyword argument for " + function +
                                             "()");
  return e.raise(WellKnown::TypeError,
                 function + "() got an unexpected keyword argument '" + e.nameText(keyword) + "'");
}

static FailAny wrongCount(Engine &e, const BuiltinRow &row, const Signature &s, size_t given) {
  bool method = row.kind != BuiltinKind::Function;
  uint32_t hidden = method ? 1 : 0;
  uint32_t least = s.required - std::min(hidden, s.required);
  uint32_t most = s.positional - std::min(hidden, s.positional);
  given -= std::min<size_t>(hidden, given);
  std::string name = callName(e, row);
  if (!s.keywords && !s.varArgs && most == 0)
    return e.raise(WellKnown::TypeError,
                   name + "() takes no arguments (" + llvm::Twine(given) + " given)");
  if (!s.keywords && !s.varArgs && least == 1 && most == 1)
    return e.raise(WellKnown::TypeError,
                   name + "() takes exactly one argument (" + llvm::Twine(given) + " given)");
  bool few = given < least;
  uint32_t bound = few ? least : most;
  std::string shortName = constructs(row) ? name : row.name;
  if (s.keywords && !few && bound == 0)
    return e.raise(WellKnown::TypeError, shortName + "() takes no positional arguments");
  if (s.keywords && !few)
    return e.raise(WellKnown::TypeError, shortName + "() takes at most " + llvm::Twine(bound) +
                                             (bound == 1 ? " argument (" : " arguments (") +
                                             llvm::Twine(given) + " given)");
  if (s.keywords && given < s.required) {
    NameId missing = s.parameters[given + hidden].name;
    return e.raise(WellKnown::TypeError, shortName + "() missing required argument '" +
                                             e.nameText(missing) + "' (pos " +
                                             llvm::Twine(given + 1) + ")");
  }
  llvm::StringRef how = least == most && !s.varArgs ? "" : few ? "at least " : "at most ";
  return e.raise(WellKnown::TypeError, shortName + " expected " + how + llvm::Twine(bound) +
                                           (bound == 1 ? " argument, got " : " arguments, got ") +
                                           llvm::Twine(given));
}

static Flow bindKeyword(Engine &e, const BuiltinRow &row, const Signature &s,
                        std::vector<Value> &bound, std::vector<Value> &extra, KeywordArg &arg) {
  for (size_t i = 0; i < s.parameters.size(); ++i) {
    const Signature::Parameter &p = s.parameters[i];
    if (p.name != arg.name || p.positionalOnly)
      continue;
    if (!bound[i].isAbsent())
      return e.raise(WellKnown::TypeError, llvm::Twine("argument for ") + row.name +
                                               "() given by name ('" + e.nameText(arg.name) +
                                               "') and position (" + llvm::Twine(i + 1) + ")");
    bound[i] = std::move(arg.value);
    return Flow::Next;
  }
  if (s.varKeywords) {
    extra.push_back(Value::str(e.nameText(arg.name)));
    extra.push_back(std::move(arg.value));
    return Flow::Next;
  }
  if (!s.keywords)
    return e.raise(WellKnown::TypeError,
                   (llvm::StringRef(row.module ? row.module : "") == "_ptc_math" ? "math." : "") +
                       callName(e, row) + "() takes no keyword arguments");
  // Texts of torch's own functions do not depend on the version.
  if (row.kind == BuiltinKind::Function && llvm::StringRef(row.module).contains("torch"))
    return e.raise(WellKnown::TypeError, llvm::Twine("'") + e.nameText(arg.name) +
                                             "' is an invalid keyword argument for " + row.name +
                                             "()");
  return unknownKeyword(e, constructs(row) ? callName(e, row) : row.name, arg.name);
}

/// Does Python code say which number an object is where one is asked for?
static bool isConverted(Engine &e, const Value &v, Signature::Conversion conversion) {
  if (conversion == Signature::Conversion::None || !isUserObject(e, v))
    return false;
  auto has = [&](llvm::StringRef name) {
    return isPythonFunction(e, e.lookupInClass(e.typeOf(v), e.intern(name)));
  };
  // What a subclass of int or float holds is the number, except that an int is asked for a float.
  Value content = e.unboxed(v);
  bool isInteger = numberType(content) == NumberType::Int;
  if (conversion == Signature::Conversion::Index)
    return !isInteger && has("__index__");
  return numberType(content) != NumberType::Float &&
         (has("__float__") || (!isInteger && has("__index__")));
}

static Value conversionName(Signature::Conversion conversion) {
  switch (conversion) {
  case Signature::Conversion::None:
    return Value::none();
  case Signature::Conversion::Index:
    return Value::str("index");
  case Signature::Conversion::Float:
    return Value::str("float");
  }
  llvm_unreachable("closed enum");
}

Value capture::convertArguments(Engine &e, const BuiltinRow &row, const Value &callee,
                                CallArgs &args) {
  const Signature &s = e.world->signatureOf(e, row);
  if (!s.converts)
    return Value();
  bool python = false;
  std::vector<Value> how, names, values;
  auto convert = [&](Value &v, Signature::Conversion conversion) {
    Value now = e.known(v);
    // The number that a tensor holds is read without Python code.
    if (conversion == Signature::Conversion::Index && now.is(Kind::Tensor))
      if (Value number = indexNumber(e, now); !number.isAbsent())
        v = std::move(number);
    bool asks = isConverted(e, now, conversion);
    python |= asks;
    return asks ? conversionName(conversion) : Value::none();
  };
  for (size_t i = 0; i < args.positional.size(); ++i)
    how.push_back(convert(args.positional[i], i < s.positional ? s.parameters[i].conversion
                                                               : Signature::Conversion::None));
  for (KeywordArg &arg : args.keywords) {
    auto p = llvm::find_if(s.parameters, [&](const auto &p) { return p.name == arg.name; });
    how.push_back(
        convert(arg.value, p == s.parameters.end() ? Signature::Conversion::None : p->conversion));
    names.push_back(Value::str(e.nameText(arg.name)));
    values.push_back(arg.value);
  }
  if (!python)
    return Value();
  return e.callPrelude("_call_converted",
                       {callee, Value::tuple(args.positional), Value::tuple(std::move(names)),
                        Value::tuple(std::move(values)), Value::tuple(std::move(how))},
                       args.action);
}

Flow capture::bindNative(Engine &e, const BuiltinRow &row, CallArgs &args) {
  const Signature &s = e.world->signatureOf(e, row);
  if (s.raw)
    return Flow::Next;
  if (args.keywords.empty() && !s.varArgs && !s.varKeywords &&
      args.positional.size() == s.parameters.size() && s.positional == s.parameters.size())
    return Flow::Next;
  size_t given = args.positional.size();
  std::vector<Value> rest;
  if (given > s.positional) {
    if (!s.varArgs)
      return wrongCount(e, row, s, given);
    rest.assign(std::make_move_iterator(args.positional.begin() + s.positional),
                std::make_move_iterator(args.positional.end()));
    args.positional.resize(s.positional);
  }
  std::vector<Value> &bound = args.positional;
  size_t positional = bound.size();
  bound.resize(s.parameters.size());
  std::vector<Value> extra;
  for (KeywordArg &arg : args.keywords)
    PTC_DO(bindKeyword(e, row, s, bound, extra, arg));
  for (size_t i = positional; i < bound.size(); ++i)
    if (bound[i].isAbsent() && !s.parameters[i].optional) {
      if (!s.parameters[i].keywordOnly)
        return wrongCount(e, row, s, positional);
      return e.raise(WellKnown::TypeError, llvm::Twine(row.name) +
                                               "() missing required argument '" +
                                               e.nameText(s.parameters[i].name) + "'");
    }
  if (s.varArgs)
    bound.push_back(Value::tuple(std::move(rest)));
  if (s.varKeywords)
    bound.push_back(Value::tuple(std::move(extra)));
  args.keywords.clear();
  return Flow::Next;
}
