//===- FunctionMethods.cpp - What functions and methods have ----------------------===//
//
// In: a function of Python or C, or a method. Out: its code, defaults and names, and calls of it.
// Of functions of lib/Prelude only what those of the library have, too.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Escape.h"
#include "../Members.h"

#include "llvm/ADT/StringSwitch.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;

/// Functions of lib/Prelude have other code than those of the library.
static Flow checkOwnCode(Engine &e, const Value &function, llvm::StringRef name) {
  const FunctionRecord &f = functionOf(e, function.asRef());
  if (!f.hidden || !isProgramsQuestion(e))
    return Flow::Next;
  return e.refuse(DiagId::Unsupported, "'" + f.code->qualName.str() + "." + name.str() + "'");
}

Value builtins::functionCode(Engine &e, CallArgs &args) {
  if (args.positional.size() == 2)
    return e.refuse(DiagId::Unsupported, "assignment to __code__");
  PTC_DO(checkOwnCode(e, arg(args, 0), "__code__"));
  return Value::code(functionOf(e, arg(args, 0).asRef()).code);
}

static Value functionSlot(Engine &e, CallArgs &args, uint32_t key) {
  if (args.positional.size() == 2) {
    e.heap.set(arg(args, 0).asRef(), key, arg(args, 1).isNone() ? Value() : arg(args, 1));
    return Value::none();
  }
  const Value &v = e.heap.get(arg(args, 0).asRef(), key);
  return v.isAbsent() ? Value::none() : v;
}
Value builtins::functionDefaults(Engine &e, CallArgs &args) {
  if (args.positional.size() == 2 && !arg(args, 1).isNone() && !arg(args, 1).is(Kind::Tuple))
    return e.raise(WellKnown::TypeError, "__defaults__ must be set to a tuple object");
  PTC_DO(checkOwnCode(e, arg(args, 0), "__defaults__"));
  return functionSlot(e, args, slot::kDefaults);
}
Value builtins::functionClosure(Engine &e, CallArgs &args) {
  return functionSlot(e, args, slot::kClosure);
}
static Value setKwDefaults(Engine &e, ObjectId function, const Value &given) {
  PTC_LET(v, e.decide(given));
  if (v.isNone()) {
    e.heap.set(function, slot::kKwDefaults, Value::absent());
    return v;
  }
  if (!isRefTo(e, v, ObjectKind::Dict))
    return e.raise(WellKnown::TypeError, "__kwdefaults__ must be set to a dict object");
  PTC_DO(openContent(e, v));
  llvm::ArrayRef<Value> items = dictItems(e, v);
  for (size_t i = 0; i < items.size(); i += 2)
    if (!items[i].is(Kind::Str))
      return e.refuse(DiagId::Unsupported, "__kwdefaults__ with keys that are no strings");
  e.heap.set(function, slot::kKwDefaults, Value::tuple(items.vec()));
  return Value::none();
}
Value builtins::functionKwDefaults(Engine &e, CallArgs &args) {
  if (args.positional.size() == 2)
    return setKwDefaults(e, arg(args, 0).asRef(), arg(args, 1));
  PTC_DO(checkOwnCode(e, arg(args, 0), "__kwdefaults__"));
  Value named = e.heap.get(arg(args, 0).asRef(), slot::kKwDefaults);
  return named.is(Kind::Tuple) ? e.makeDict(named.parts()) : Value::none();
}
Value builtins::functionGlobals(Engine &e, CallArgs &args) {
  return attributeDict(e, Value::ref(functionOf(e, arg(args, 0).asRef()).globals));
}
Value builtins::functionAnnotations(Engine &e, CallArgs &args) {
  ObjectId id = arg(args, 0).asRef();
  if (args.positional.size() == 2) {
    PTC_LET(v, e.decide(arg(args, 1)));
    if (!isRefTo(e, v, ObjectKind::Dict) && !v.isNone() && !v.is(Kind::Opaque))
      return e.raise(WellKnown::TypeError, "__annotations__ must be set to a dict object");
    e.heap.set(id, slot::kAnnotations, v.isNone() ? Value() : v);
    return Value::none();
  }
  if (const FunctionRecord &f = functionOf(e, id); f.hidden && isProgramsQuestion(e))
    return makeOpaque(e,
                      moduleName(e, f.globals) + "." + f.code->qualName.str() + ".__annotations__");
  PTC_LET(v, e.decide(e.heap.get(id, slot::kAnnotations)));
  if (isPythonFunction(e, v))
    return e.call(v, {Value::integer(1)}, args.action);
  if (isRefTo(e, v, ObjectKind::Dict))
    return v;
  Value dict = e.makeDict({});
  e.heap.set(id, slot::kAnnotations, dict);
  return dict;
}
Value builtins::functionGet(Engine &e, CallArgs &args) {
  PTC_LET(object, e.decide(arg(args, 1)));
  if (object.isNone() && (!given(args, 2) || e.known(arg(args, 2)).isNone()))
    return e.raise(WellKnown::TypeError, "__get__(None, None) is invalid");
  return object.isNone() ? arg(args, 0) : Value::bound(object, arg(args, 0));
}
/// Raised, unless it is what a function of this code has for its free variables.
static Flow checkClosure(Engine &e, const ptc::CodeObject &code, const Value &closure) {
  const size_t free = llvm::count_if(code.locals, [](const auto &local) { return local.isFree; });
  if (!closure.is(Kind::Tuple) && (free || !closure.isNone()))
    return e.raise(WellKnown::TypeError,
                   free ? "arg 5 (closure) must be tuple" : "arg 5 (closure) must be None");
  const size_t count = closure.is(Kind::Tuple) ? closure.parts().size() : 0;
  if (count != free)
    return e.raise(WellKnown::ValueError, code.name + " requires closure of length " +
                                              std::to_string(free) + ", not " +
                                              std::to_string(count));
  if (count)
    for (const Value &cell : closure.parts())
      if (!isRefTo(e, cell, ObjectKind::Cell))
        return e.raise(WellKnown::TypeError,
                       "arg 5 (closure) expected cell, found " + capture::typeName(e, cell));
  return Flow::Next;
}

/// Of code of the program, in a module: what a copy of a function is made by.
Value builtins::functionNew(Engine &e, CallArgs &args) {
  auto part = [&](size_t n) { return given(args, n) ? e.known(arg(args, n)) : Value::none(); };
  const Value code = part(1), names = part(2), name = part(3), defaults = part(4),
              closure = part(5);
  if (!code.is(Kind::Code) || !isRefTo(e, names, ObjectKind::Dict) || given(args, 6))
    return e.refuse(DiagId::Unsupported, "a function that is made of a code object in this way");
  const Value module = e.known(e.heap.get(names.asRef(), slot::kOwner));
  if (!isRefTo(e, module, ObjectKind::Module))
    return e.refuse(DiagId::Unsupported,
                    "a function that is made of a code object and names of no module");
  if (!name.isNone() && !name.is(Kind::Str))
    return e.raise(WellKnown::TypeError, "arg 3 (name) must be None or string");
  PTC_DO(checkClosure(e, *code.asCode(), closure));
  if (!defaults.isNone() && !defaults.is(Kind::Tuple))
    return e.raise(WellKnown::TypeError, "arg 4 (defaults) must be None or tuple");
  Value made = makeFunction(e, code.asCode(), module.asRef(), /*hidden=*/false);
  if (!name.isNone())
    e.heap.set(made.asRef(), attrKey(WellKnown::Name), name);
  if (!defaults.isNone())
    e.heap.set(made.asRef(), slot::kDefaults, defaults);
  if (closure.is(Kind::Tuple))
    e.heap.set(made.asRef(), slot::kClosure, closure);
  return made;
}
/// Of types that CPython makes no instances of when they are called.
Value builtins::newOfNone(Engine &e, CallArgs &args) {
  return e.raise(WellKnown::TypeError,
                 "cannot create '" + e.classInfo(arg(args, 0).asRef()).name + "' instances");
}
Value builtins::callableCall(Engine &e, CallArgs &args) {
  Value f = arg(args, 0);
  args.positional.erase(args.positional.begin());
  return e.call(f, std::move(args));
}
Value builtins::methodNew(Engine &e, CallArgs &args) {
  PTC_LET(function, e.decide(arg(args, 1)));
  PTC_LET(object, e.decide(arg(args, 2)));
  CallArgs one;
  one.positional = {function};
  PTC_LET(isCallable, fnCallable(e, one));
  if (isCallable == Value::boolean(false))
    return e.raise(WellKnown::TypeError, "first argument must be callable");
  if (object.isNone())
    return e.raise(WellKnown::TypeError, "instance must not be None");
  return Value::bound(arg(args, 2), arg(args, 1));
}
Value builtins::methodSelf(Engine &, CallArgs &args) { return arg(args, 0).parts()[0]; }
Value builtins::methodFunc(Engine &, CallArgs &args) { return arg(args, 0).parts()[1]; }
/// A part of what a function of C says of itself that is not known.
static Value unknownOfFunction(Engine &e, llvm::StringRef name, llvm::StringRef part) {
  return makeOpaque(e, (name + "." + part).str());
}

static Value functionOfC(const Value &v) { return v.is(Kind::Bound) ? v.parts()[1] : v; }

/// What methods of torch.Tensor that have another name are made of.
static llvm::StringRef nameOfTensorMethod(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("__pow__", "pow")
      .Case("__ipow__", "pow_")
      .Case("__rtruediv__", "__rdiv__")
      .Default(name);
}

Value builtins::builtinName(Engine &e, CallArgs &args) {
  // What torch.special and the like have is named after the module, too.
  if (isPythonFunction(e, arg(args, 0)) && isProgramsQuestion(e)) {
    const FunctionRecord &f = functionOf(e, arg(args, 0).asRef());
    const std::string module = moduleName(e, f.globals);
    if (isTorchPath(module) && module != "torch" && module != "torch.nn.functional")
      return unknownOfFunction(e, module + "." + f.code->name.str(), "__name__");
  }
  if (isPythonFunction(e, arg(args, 0)))
    return e.heap.get(arg(args, 0).asRef(), attrKey(WellKnown::Name));
  Value v = functionOfC(arg(args, 0));
  if (v.is(Kind::Builtin)) {
    const BuiltinRow &row = builtinRows()[v.bits()];
    const bool isOfTensors = row.owner == WellKnown::TensorType && row.kind == BuiltinKind::Method;
    return Value::str(isOfTensors ? nameOfTensorMethod(row.name) : row.name);
  }
  llvm::StringRef spelling = e.nameText(NameId(v.bits()));
  auto [module, name] = spelling.rsplit('.');
  bool isPlain = module == "torch" || module == "Tensor" ||
                 (module == "torch.nn.functional" && !name.contains("max_pool"));
  return isPlain ? Value::str(name) : unknownOfFunction(e, spelling, "__name__");
}
Value builtins::builtinQualName(Engine &e, CallArgs &args) {
  if (isPythonFunction(e, arg(args, 0))) {
    const FunctionRecord &f = functionOf(e, arg(args, 0).asRef());
    const std::string module = moduleName(e, f.globals);
    return isTorchPath(module) && isProgramsQuestion(e)
               ? unknownOfFunction(e, module + "." + f.code->name.str(), "__qualname__")
               : builtinName(e, args);
  }
  Value v = functionOfC(arg(args, 0));
  if (!v.is(Kind::Builtin))
    return unknownOfFunction(e, e.nameText(NameId(v.bits())), "__qualname__");
  const BuiltinRow &row = builtinRows()[v.bits()];
  if (row.kind == BuiltinKind::Function)
    return Value::str(row.name);
  // Special methods of a class may be those of a base here.
  const std::string owner = className(e, e.builtinClass(row.owner));
  const std::string path = owner + "." + row.name;
  return llvm::StringRef(row.name).starts_with("__") ||
                 !hasKnownMember("builtins." + owner, row.name, e.world->minorVersion())
             ? unknownOfFunction(e, path, "__qualname__")
             : Value::str(path);
}
Value builtins::builtinModule(Engine &e, CallArgs &args) {
  static constexpr llvm::StringLiteral kSame[] = {"builtins", "itertools", "math", "sys"};
  const Value &v = arg(args, 0);
  if (v.is(Kind::Bound)) {
    // Method wrappers have none, methods of C of such a name have None.
    const Value of = functionOfC(v);
    const llvm::StringRef called = of.is(Kind::Builtin) ? builtinRows()[of.bits()].name : "";
    return called.starts_with("__") ? unknownOfFunction(e, called.str(), "__module__")
                                    : Value::none();
  }
  std::string module, name;
  if (v.is(Kind::TorchOp)) {
    name = e.nameText(NameId(v.bits())).str();
  } else if (isPythonFunction(e, v)) {
    const FunctionRecord &f = functionOf(e, v.asRef());
    module = f.globals == e.world->prelude ? "builtins" : moduleName(e, f.globals);
    name = f.code->name.str();
  } else if (v.is(Kind::Builtin)) {
    const BuiltinRow &row = builtinRows()[v.bits()];
    module = row.kind == BuiltinKind::Function ? row.module : "";
    name = row.name;
  }
  if (llvm::is_contained(kSame, module))
    return Value::str(module);
  return unknownOfFunction(e, module.empty() ? name : module + "." + name, "__module__");
}
Value builtins::builtinSelf(Engine &e, CallArgs &args) {
  const Value &v = arg(args, 0);
  if (v.is(Kind::Bound))
    return v.parts()[0];
  return Value::ref(isPythonFunction(e, v) && functionOf(e, v.asRef()).globals != e.world->prelude
                        ? functionOf(e, v.asRef()).globals
                        : e.world->builtins);
}
