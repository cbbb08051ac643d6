//===- Signature.cpp - Arguments of native functions ---------------------------===//
//
// In: a row's signature and the arguments of a call. Out: one value per parameter, Absent where
// none was given, then a Tuple for *args and a Tuple of name, value pairs for **kwargs. Wrong
// numbers of arguments raise with CPython's texts.
//
//===----------------------------------------------------------------------===//
#include "Signature.h"
#include "Members.h"
#include "Positions.h"

#include "llvm/ADT/StringSwitch.h"

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

/// Texts about arguments of the functions that `math` has from here name the module.
static bool isOfMath(const BuiltinRow &row) {
  return llvm::StringRef(row.module ? row.module : "") == "_ptc_math";
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

/// Methods of texts and bytes whose arguments PyArg_ParseTuple reads up to CPython 3.12, where
/// others, and all later ones, have code that Argument Clinic makes.
static bool isParsedByFormat(Engine &e, const BuiltinRow &row) {
  const WellKnown owner = row.owner;
  const bool isText = owner == WellKnown::StrType || owner == WellKnown::BytesType ||
                      owner == WellKnown::ByteArrayType;
  return isText && row.kind == BuiltinKind::Method &&
         llvm::StringSwitch<bool>(row.name)
             .Cases({"startswith", "endswith", "find", "rfind", "index", "rindex", "count"}, true)
             .Default(false);
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
    return e.raise(WellKnown::TypeError, (isOfMath(row) ? "math." : "") + name +
                                             "() takes exactly one argument (" +
                                             llvm::Twine(given) + " given)");
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
  if (e.world->minorVersion() < 13 && isParsedByFormat(e, row))
    return e.raise(WellKnown::TypeError, shortName + "() takes " +
                                             (few ? "at least " : "at most ") + llvm::Twine(bound) +
                                             (bound == 1 ? " argument (" : " arguments (") +
                                             llvm::Twine(given) + " given)");
  llvm::StringRef how = least == most && !s.varArgs ? "" : few ? "at least " : "at most ";
  if (row.owner == WellKnown::SuperType)
    shortName += "()";
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
    return e.raise(WellKnown::TypeError, (isOfMath(row) ? "math." : "") + callName(e, row) +
                                             "() takes no keyword arguments");
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

// Functions of lib/Prelude that stand for some of C
// -------------------------------------------------------------------------------------------------

namespace {
struct FunctionOfC {
  std::string name;   ///< "count", "append": of classes their own
  std::string full;   ///< what functions of one argument call themselves: "math.floor"
  bool makes = false; ///< a class
  bool takesSelf = false;
  bool isNamed = false; ///< parameters without a mark may be given by name
};
} // namespace

/// A method of a class of lib/Prelude that is written in C.
static std::optional<FunctionOfC> methodOfC(Engine &e, const FunctionRecord &f) {
  auto [owner, method] = f.code->qualName.rsplit('.');
  const Value &cls = e.heap.get(f.globals, attrKey(e.intern(owner)));
  if (!isClass(e, cls))
    return std::nullopt;
  std::optional<KnownClass> known = knownClass(e, cls.asRef());
  if (!known || !known->isListed())
    return std::nullopt;
  const std::string name = className(e, cls.asRef());
  if (method == "__init__" || method == "__new__")
    return FunctionOfC{name, name, /*makes=*/true, /*takesSelf=*/true};
  const bool isNamed =
      !e.heap.get(cls.asRef(), attrKey(e.intern("_ptc_named_arguments"))).isAbsent();
  return FunctionOfC{method.str(), name + "." + method.str(), /*makes=*/false, /*takesSelf=*/true,
                     isNamed};
}

static std::optional<FunctionOfC> functionOfC(Engine &e, ObjectId function) {
  const FunctionRecord &f = functionOf(e, function);
  if (!f.hidden)
    return std::nullopt;
  llvm::StringRef name = f.code->qualName;
  if (name.contains('.'))
    return methodOfC(e, f);
  const bool isBuiltin = f.globals == e.world->prelude;
  if (isBuiltin)
    name.consume_front("_make_");
  std::string module = isBuiltin ? "builtins" : moduleName(e, f.globals);
  std::optional<KnownName> known =
      findKnownName((module + "." + name).str(), e.world->minorVersion(), module);
  if (!known)
    return std::nullopt;
  if (known->kind == KnownKind::Class)
    return FunctionOfC{name.str(), name.str(), /*makes=*/true};
  if (known->type != "builtin_function_or_method")
    return std::nullopt;
  if (module == "operator")
    module = "_operator"; // where they are defined
  return FunctionOfC{name.str(), isBuiltin ? name.str() : (module + "." + name).str()};
}

bool capture::isNamedMethodOfC(Engine &e, ObjectId function) {
  std::optional<FunctionOfC> f = functionOfC(e, function);
  return f && f->isNamed;
}

/// Texts that follow no rule.
static llvm::StringRef ownCountText(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("map", "map() must have at least two arguments.")
      .Case("attrgetter", "attrgetter expected 1 argument, got 0")
      .Case("itemgetter", "itemgetter expected 1 argument, got 0")
      .Case("log", "math.log requires 1 to 2 arguments")
      .Case("methodcaller", "methodcaller needs at least one argument, the method name")
      .Default("");
}

static std::string counted(size_t n, llvm::StringRef noun) {
  return (llvm::Twine(n) + " " + noun + (n == 1 ? "" : "s")).str();
}

/// Of functions whose parameters are all given by position.
static FailAny wrongPositions(Engine &e, const FunctionOfC &f, size_t given, size_t least,
                              size_t most, bool isOpen) {
  const std::string got = " (" + std::to_string(given) + " given)";
  if (most == 0)
    return e.raise(WellKnown::TypeError, f.full + "() takes no arguments" + got);
  if (least == 1 && most == 1 && !f.makes && !isOpen)
    return e.raise(WellKnown::TypeError, f.full + "() takes exactly one argument" + got);
  const bool few = given < least;
  llvm::StringRef how = least == most && !isOpen ? "" : few ? "at least " : "at most ";
  return e.raise(WellKnown::TypeError, f.name + " expected " + how +
                                           counted(few ? least : most, "argument") + ", got " +
                                           llvm::Twine(given));
}

Value capture::wrongCountOfC(Engine &e, ObjectId function, const CallArgs &args, size_t given,
                             std::optional<NameId> lacks) {
  std::optional<FunctionOfC> f = functionOfC(e, function);
  if (!f)
    return Value();
  if (llvm::StringRef own = ownCountText(f->name); lacks && !own.empty())
    return e.raise(WellKnown::TypeError, own);
  const CodeRecord &r = *bodyOf(e, function)->record;
  const Value &defaults = e.heap.get(function, slot::kDefaults);
  const size_t self = f->takesSelf,
               optional = defaults.is(Kind::Tuple) ? defaults.parts().size() : 0;
  const size_t most = r.positional - self, least = most - optional;
  given -= std::min(given, self);
  if (r.positionalOnly == r.positional && !r.keywordOnly && !r.varKeywords)
    return wrongPositions(e, *f, given, least, most, r.varArgs);
  if (f->takesSelf && !f->makes && !f->isNamed)
    return Value(); // lib/Prelude does not say which have names
  if (f->name == "sorted")
    return wrongPositions(e, {f->name, f->name, /*makes=*/true}, given, 1, 1, false);
  const size_t all = most + r.keywordOnly, named = args.keywords.size();
  if (all == 0)
    return wrongPositions(e, *f, given, 0, 0, false);
  const std::string name = f->name + "()";
  if (!lacks && given + named > all)
    return e.raise(WellKnown::TypeError, name + " takes at most " +
                                             counted(all, given ? "argument" : "keyword argument") +
                                             " (" + llvm::Twine(given + named) + " given)");
  const size_t onlyPlaced =
      std::min<size_t>(r.positionalOnly - std::min<size_t>(self, r.positionalOnly), least);
  if (!lacks || given < onlyPlaced) {
    const size_t bound = lacks ? onlyPlaced : most;
    llvm::StringRef how = onlyPlaced == most || (!lacks && least == most) ? "exactly "
                          : lacks                                         ? "at least "
                                                                          : "at most ";
    return e.raise(WellKnown::TypeError, name + " takes " + how +
                                             counted(bound, "positional argument") + " (" +
                                             llvm::Twine(given) + " given)");
  }
  size_t place = 0;
  while (place < r.positional && r.localNames[place] != *lacks)
    ++place;
  return e.raise(WellKnown::TypeError, name + " missing required argument '" + e.nameText(*lacks) +
                                           "' (pos " + llvm::Twine(place + 1 - self) + ")");
}
