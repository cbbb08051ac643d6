//===- Overrides.cpp - Objects with a __torch_function__ -----------------------------===//
//
// In: a call of a function of torch whose arguments may be such objects. Out: the call of
// lib/Prelude/torch/_overridden.py that stands for it, or nothing where the function does not ask.
//
//===----------------------------------------------------------------------===//
#include "Overrides.h"

#include "Builtins/Builtins.h"
#include "Escape.h"
#include "KnownNames.h"
#include "Members.h"
#include "Modes.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;

static constexpr llvm::StringLiteral kModule = "torch._overridden", kForms = "torch._forms";

/// What lib/Prelude/torch/_overridden.py has under a name; Absent while it is not imported.
static Value ownName(Engine &e, llvm::StringRef module, llvm::StringRef name) {
  ObjectId found = findModule(e, module);
  return found ? e.heap.get(found, attrKey(e.intern(name))) : Value();
}

static ObjectId classOf(Engine &e, const Value &v) {
  if (!v.is(Kind::Ref))
    return 0;
  const ObjectHeader &header = e.heap.header(v.asRef());
  return header.kind == ObjectKind::Instance && header.cls > e.world->classes.back() ? header.cls
                                                                                     : 0;
}

bool capture::isDerivedTensorClass(Engine &e, ObjectId cls) {
  return cls > e.world->classes.back() && e.classInfo(cls).layout == Layout::None &&
         e.isSubclass(cls, e.builtinClass(WellKnown::TensorType));
}

bool capture::isDerivedTensor(Engine &e, const Value &v) {
  ObjectId cls = classOf(e, v);
  return cls && isDerivedTensorClass(e, cls);
}

bool capture::isOverriding(Engine &e, const Value &v) {
  ObjectId cls = classOf(e, v);
  return cls && !e.heap.get(cls, slot::kClassOverrides).isAbsent();
}

// Classes and objects
// ------------------------------------------------------------------------------

void capture::addOverridden(Engine &e, std::vector<ObjectId> &mro) {
  const ObjectId tensor = e.builtinClass(WellKnown::TensorType);
  const Value own = ownName(e, kModule, "Overridden");
  auto at = llvm::find(mro, tensor);
  if (at == mro.end() || !isClass(e, own) || llvm::is_contained(mro, own.asRef()))
    return;
  // torch.nn.Parameter and the like have no __torch_function__ that is asked.
  bool isPlain = llvm::any_of(llvm::make_range(mro.begin(), at), [&](ObjectId cls) {
    return e.isSubclass(cls, tensor) && !isProgramClass(e, cls);
  });
  if (!isPlain)
    mro.insert(at, own.asRef());
}

/// Is what a class has as __torch_function__ the function that says there is none?
static bool isNeverAsked(Engine &e, const Value &found) {
  return found == ownName(e, "torch._C", "_disabled_torch_function_impl");
}

void capture::noteOverrides(Engine &e, ObjectId cls) {
  const Value found = e.lookupInClass(cls, e.intern("__torch_function__"));
  if (found.isAbsent() || isNeverAsked(e, found))
    return;
  e.heap.set(cls, slot::kClassOverrides, Value::boolean(true));
  if (isProgramClass(e, cls) || !e.frameInfo(e.currentFrame()).hidden)
    e.heap.set(kMachine, slot::kAnyOverrides, Value::boolean(true));
}

Value capture::makeDerivedTensor(Engine &e, ObjectId cls, const Value &tensor) {
  if (cls == e.builtinClass(WellKnown::TensorType))
    return tensor;
  const Value own = ownName(e, kModule, "Overridden");
  const Value dispatch = e.lookupInClass(cls, e.intern("__torch_dispatch__"));
  if (!isClass(e, own) || !e.isSubclass(cls, own.asRef()) || !dispatch.isAbsent())
    return refuseTensorOfClass(e, cls);
  ObjectId id = e.heap.allocate(ObjectKind::Instance, cls);
  e.heap.set(id, slot::kContent, tensor);
  return Value::ref(id);
}

Value capture::derivedMethod(Engine &e, ObjectId cls, const Value &object, NameId name) {
  if (!isDerivedTensorClass(e, cls) || e.nameText(name).starts_with("_ptc_"))
    return Value();
  PTC_LET(found, tensorClassAttr(e, name));
  if (!found.is(Kind::TorchOp))
    return Value();
  if (!object.isAbsent())
    return Value::bound(object, found);
  const std::string path = ("torch.Tensor." + e.nameText(name)).str(); // computed, such as `T`?
  return isKnownDescriptor(path, e.world->minorVersion()) ? makeOpaqueMember(e, path, false)
                                                          : found;
}

// Calls
// --------------------------------------------------------------------------------------------

/// 0: every object is asked; 1: tensors of derived classes are not; 2: none is.
static int64_t disabledFunctions(Engine &e) {
  const Value &mode = e.heap.get(kMachine, slot::kFunctionsDisabled);
  return mode.isSmallInt() ? mode.asInt() : 0;
}

bool capture::isFunctionModeActive(Engine &e) {
  return e.heap.get(kMachine, slot::kFunctionModes).is(Kind::Tuple) && disabledFunctions(e) < 2;
}

Flow capture::checkNoFunctionMode(Engine &e, llvm::StringRef what) {
  return isFunctionModeActive(e) ? Flow(e.refuse(DiagId::UnsupportedTorchFunction,
                                                 what + " inside a TorchFunctionMode"))
                                 : Flow::Next;
}

bool capture::isAskedInMode(Engine &e, const Value &a, const Value &b) {
  return isFunctionModeActive(e) && (e.isTensorLike(a) || e.isTensorLike(b));
}

Value capture::overriddenMember(Engine &e, NameId name) {
  const Value own = ownName(e, kModule, "Overridden");
  return isClass(e, own) ? e.heap.get(own.asRef(), attrKey(name)) : Value();
}

/// Is there such an object among the arguments, or in a list or tuple among them?
static bool isGiven(Engine &e, const CallArgs &args) {
  if (e.heap.get(kMachine, slot::kAnyOverrides).isAbsent())
    return false;
  const bool isDisabled = disabledFunctions(e) != 0;
  auto counts = [&](const Value &given) {
    Value v = e.known(given);
    return isDerivedTensor(e, v) || (!isDisabled && isOverriding(e, v));
  };
  auto holds = [&](const Value &given) {
    Value v = e.known(given);
    if (v.is(Kind::Tuple) || v.is(Kind::Slice))
      return llvm::any_of(v.parts(), counts);
    if (!v.is(Kind::Ref))
      return false;
    if (e.heap.kind(v.asRef()) == ObjectKind::List) {
      Value content = e.known(e.heap.get(v.asRef(), slot::kContent));
      return content.is(Kind::Tuple) && llvm::any_of(content.parts(), counts);
    }
    return counts(v);
  };
  return llvm::any_of(args.positional, holds) ||
         llvm::any_of(args.keywords, [&](const KeywordArg &k) { return holds(k.value); });
}

Value capture::getOverriddenItem(Engine &e, const Value &container, const Value &key) {
  CallArgs args;
  args.positional = {container, key};
  if (!e.isTensorLike(container) || !(isFunctionModeActive(e) || isGiven(e, args)))
    return Value();
  return e.call(ownName(e, kModule, "_GET_ITEM"), std::move(args));
}

Value capture::setOverriddenItem(Engine &e, const Value &container, const Value &key,
                                 const Value &value) {
  CallArgs args;
  args.positional = {container, key, value};
  if (!e.isTensorLike(container) || !(isFunctionModeActive(e) || isGiven(e, args)))
    return Value();
  args.action = ReturnAction::Drop;
  return e.call(ownName(e, kModule, "_SET_ITEM"), std::move(args));
}

namespace {
/// Which function of torch a callee is; no path: none that is known.
struct TorchFunction {
  std::string path; ///< torch.add, torch.Tensor.add, torch.nn.functional.relu
  bool isOfC = false;
  bool isNative = false; ///< of _ptc_torch
};
} // namespace

/// Natives of _ptc_torch that take such objects as they are.
static bool takesObjects(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {
      "is_tensor",         "is_parameter",       "_refuse",       "_overrides",   "_is_derived",
      "_tensor_of",        "_derived",           "_mark_size",    "_is_data",     "_is_open_size",
      "_calling_part",     "_of_same_fields",    "_named_result", "_is_constant", "_restored",
      "_set_thread_modes", "_set_function_modes"};
  return llvm::is_contained(kNames, name);
}

static bool isOfC(Engine &e, llvm::StringRef path) {
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion());
  return known && known->kind == KnownKind::Function && known->type != "function" &&
         known->type != "method";
}

static TorchFunction functionBehind(Engine &e, const Value &callee, bool isMethod) {
  TorchFunction found;
  if (callee.is(Kind::TorchOp)) {
    llvm::StringRef spelling = e.nameText(NameId(callee.bits()));
    found.path = (spelling.starts_with("torch.") ? "" : "torch.") + spelling.str();
    found.isOfC = true;
    return found;
  }
  if (callee.is(Kind::Builtin)) {
    const BuiltinRow &row = builtinRows()[callee.bits()];
    if (row.kind == BuiltinKind::Method && row.owner == WellKnown::TensorType)
      found = {("torch.Tensor." + llvm::Twine(row.name)).str(), true, false};
    else if (row.kind == BuiltinKind::Function && llvm::StringRef(row.module) == "_ptc_torch")
      found = {("torch." + llvm::Twine(row.name)).str(), true, true};
    return found;
  }
  // What a rule for autocast is in front of.
  const Value &wrapped = e.heap.get(callee.asRef(), attrKey(e.intern("__wrapped__")));
  const ObjectId id = isPythonFunction(e, wrapped) ? wrapped.asRef() : callee.asRef();
  const auto &info = *static_cast<const FunctionInfo *>(e.heap.header(id).info);
  const std::string module = moduleName(e, info.globals);
  if (!info.hidden || !isTorchPath(module) || module == "torch.overrides")
    return found;
  llvm::StringRef name = functionOf(e, id).code->qualName;
  if (name.consume_front("Methods.") ||
      (isMethod && !name.contains('.') &&
       findKnownName(("torch.Tensor." + name).str(), e.world->minorVersion())))
    found.path = ("torch.Tensor." + name).str();
  else if (!name.contains('.'))
    found.path = pathOfFunction(e, module, name);
  if (llvm::StringRef(found.path).starts_with("torch.functional."))
    found.path.erase(6, 11);
  found.isOfC = !found.path.empty() && isOfC(e, found.path);
  return found;
}

/// The function of torch._forms that calls in the way in which this function of Python asks.
static Value formOf(Engine &e, llvm::StringRef path) {
  std::string name;
  for (char c : path)
    name += c == '.' ? std::string("__of__") : std::string(1, c);
  return ownName(e, kForms, name);
}

static Value packed(Engine &e, const CallArgs &args) {
  std::vector<Value> pairs;
  for (const KeywordArg &k : args.keywords) {
    pairs.push_back(Value::str(e.nameText(k.name)));
    pairs.push_back(k.value);
  }
  return e.makeDict(std::move(pairs));
}

/// Natives of _ptc_torch that a mode is asked about where they are called.
static bool makesTensor(llvm::StringRef path) { return path == "torch.tensor"; }
static bool changesMode(llvm::StringRef path) {
  return path == "torch._set_grad_enabled" || path == "torch._set_autocast_mode" ||
         path == "torch._grad_mode";
}

/// What calls a native that has no model of such objects, for a refusal.
static std::string calledPart(Engine &e, llvm::StringRef native) {
  const ObjectId frame = e.currentFrame();
  const std::string name = e.frameInfo(frame).hidden ? e.code(frame).code->qualName.str()
                                                     : native.rsplit('.').second.str();
  return name + " of a tensor of a derived class";
}

Value capture::callOverridden(Engine &e, const Value &callee, CallArgs &args, bool isMethod) {
  const bool isHidden =
      isPythonFunction(e, callee) &&
      static_cast<const FunctionInfo *>(e.heap.header(callee.asRef()).info)->hidden;
  const bool isInMode = isFunctionModeActive(e);
  if (!(callee.is(Kind::TorchOp) || callee.is(Kind::Builtin) || isHidden) ||
      !(isInMode || isGiven(e, args)))
    return Value();
  TorchFunction function = functionBehind(e, callee, isMethod);
  if (function.path.empty())
    return Value();
  if (function.isNative && takesObjects(llvm::StringRef(function.path).rsplit('.').second))
    return Value();
  if (function.isNative && isInMode && changesMode(function.path))
    return e.refuse(DiagId::UnsupportedTorchFunction,
                    "changing a mode of torch inside a TorchFunctionMode");
  if (function.isNative && isInMode && !isGiven(e, args) && !makesTensor(function.path))
    return Value();
  if (function.isNative && !findKnownName(function.path, e.world->minorVersion()))
    return e.refuse(DiagId::UnsupportedTorchFunction, calledPart(e, function.path));
  if (Value form = formOf(e, function.path); isPythonFunction(e, form))
    return e.call(form, std::move(args));
  if (!function.isOfC)
    return Value();
  Value call = ownName(e, kModule, "_call");
  if (call.isAbsent())
    return e.refuse(DiagId::UnsupportedTorchFunction, function.path + " of such an object");
  CallArgs outer;
  outer.action = args.action;
  outer.actionArg = args.actionArg;
  Value keywords = packed(e, args);
  outer.positional = {callee, Value::str(function.path), Value::tuple(std::move(args.positional)),
                      keywords};
  return e.call(call, std::move(outer));
}

// Natives of torch._overridden
// ----------------------------------------------------------------------

/// What an object has as __torch_function__. 0: nothing that is asked; 1: what torch.Tensor has; 2:
/// a class or static method of its own; 3: anything else.
Value builtins::torchOverrides(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!isOverriding(e, v))
    return Value::integer(0);
  const NameId name = e.intern("__torch_function__");
  const Value found = e.lookupInClass(e.typeOf(v), name);
  const Value own = ownName(e, kModule, "Overridden");
  if (isClass(e, own) && e.heap.get(own.asRef(), attrKey(name)) == found)
    return Value::integer(1);
  bool isOfClass = isRefTo(e, found, ObjectKind::Instance) &&
                   (isInstance(e, found, WellKnown::StaticMethodType) ||
                    isInstance(e, found, WellKnown::ClassMethodType));
  return Value::integer(isOfClass ? 2 : 3);
}

Value builtins::torchIsDerived(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(isDerivedTensor(e, v));
}

/// The plain tensor that a tensor of a derived class holds.
Value builtins::torchTensorOf(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!isDerivedTensor(e, v))
    return v;
  return e.decide(e.heap.get(v.asRef(), slot::kContent));
}

/// A plain tensor's memory as a tensor of a class derived from torch.Tensor, or of this itself.
Value builtins::torchDerived(Engine &e, CallArgs &args) {
  PTC_LET(cls, e.decide(arg(args, 0)));
  PTC_LET(tensor, e.decide(arg(args, 1)));
  PTC_LET(alias, e.tensorOp("alias", {tensor}));
  return makeDerivedTensor(e, cls.asRef(), alias);
}

/// A tuple of the same fields as another.
Value builtins::torchOfSameFields(Engine &e, CallArgs &args) {
  PTC_LET(like, e.decide(arg(args, 0)));
  PTC_LET(items, e.decide(arg(args, 1)));
  return Value::tuple(items.parts().vec()).withSub(like.sub());
}

Value builtins::torchFunctionsDisabled(Engine &e, CallArgs &) {
  return Value::integer(disabledFunctions(e));
}

Value builtins::torchSetFunctionsDisabled(Engine &e, CallArgs &args) {
  PTC_LET(mode, plainArg(e, args, 0));
  e.heap.set(kMachine, slot::kFunctionsDisabled,
             mode.isSmallInt() && mode.asInt() ? mode : Value::absent());
  return Value::none();
}

/// The objects of TorchFunctionMode that are asked, the last one first.
Value builtins::torchFunctionModes(Engine &e, CallArgs &) {
  const Value &modes = e.heap.get(kMachine, slot::kFunctionModes);
  return modes.is(Kind::Tuple) ? modes : Value::tuple({});
}

Value builtins::torchSetFunctionModes(Engine &e, CallArgs &args) {
  PTC_LET(modes, e.decide(arg(args, 0)));
  e.heap.set(kMachine, slot::kFunctionModes, modes.parts().empty() ? Value::absent() : modes);
  return Value::none();
}

/// The types that a mode is told of where PyTorch asks it in C, which it may say in two ways.
Value builtins::torchUnknownTypes(Engine &e, CallArgs &) {
  return makeOpaque(e, "the types in a call of a TorchFunctionMode");
}

/// The method of a part of torch that called what is being asked: what PyTorch calls there may be
/// other functions. None: the program did.
Value builtins::torchCallingPart(Engine &e, CallArgs &) {
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller)) {
    const FrameInfo &info = e.frameInfo(frame.asRef());
    if (!info.hidden)
      return Value::none();
    const std::string module = moduleName(e, info.globals);
    if (module == kModule || module == kForms || module == "torch.overrides" ||
        !isTorchPath(module))
      continue;
    return Value::str(e.code(frame.asRef()).code->qualName);
  }
  return Value::none();
}
