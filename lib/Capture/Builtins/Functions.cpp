//===- Functions.cpp - Functions of the builtins module -------------------------------===//
//
// What needs no Python code, or only one call of it.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Answers.h"
#include "../Escape.h"
#include "../Members.h"
#include "../NumberLists.h"
#include "../Positions.h"
#include "../SetMembers.h"
#include "../SizeLoops.h"
#include "../Tensors.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Complex.h"
#include "ptc/Python/Hash.h"
#include "ptc/Python/Str.h"
#include "ptc/Symbolic/ShapeEnv.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using namespace ptc::capture::builtins;

Value builtins::fnLen(Engine &e, CallArgs &args) { return lengthOf(e, arg(args, 0)); }

Value builtins::fnIter(Engine &e, CallArgs &args) {
  if (given(args, 1)) {
    CallArgs one;
    one.positional = {arg(args, 0)};
    PTC_LET(isCallable, fnCallable(e, one));
    if (isCallable == Value::boolean(false))
      return e.raise(WellKnown::TypeError, "iter(v, w): v must be callable");
    return e.callPrelude("_iter_until", {arg(args, 0), arg(args, 1)}, args.action);
  }
  return getIterator(e, arg(args, 0), false, args.action);
}

Value builtins::fnNext(Engine &e, CallArgs &args) {
  if (given(args, 1))
    return e.callPrelude("_next_default", {arg(args, 0), arg(args, 1)}, args.action);
  PTC_LET(it, e.decide(arg(args, 0)));
  if (isRefTo(e, it, ObjectKind::Iterator)) {
    PTC_LET(next, nextOf(e, it));
    if (!next.isAbsent())
      return next;
    // That the iterator is exhausted is kept, unlike what a failing native writes.
    return e.callPrelude("_stopped", {}, args.action);
  }
  if (isRefTo(e, it, ObjectKind::Frame) && e.code(it.asRef()).code->hasFlag(ptc::CO_GENERATOR))
    return e.resumeGenerator(it.asRef(), Value::none(), args.action);
  Value method = specialMethod(e, it, WellKnown::Next);
  if (method.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "'" + capture::typeName(e, it) + "' object is not an iterator");
  return e.call(method, {it}, args.action);
}

Value builtins::fnRepr(Engine &e, CallArgs &args) { return toRepr(e, arg(args, 0), args.action); }

Value builtins::fnAscii(Engine &e, CallArgs &args) {
  return toRepr(e, arg(args, 0), args.action, /*ascii=*/true);
}

Value builtins::fnCallable(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (v.is(Kind::Opaque))
    return isOpaqueCallable(e, v);
  return Value::boolean(isCallable(e, v));
}

bool capture::isCallable(Engine &e, const Value &v) {
  if (v.is(Kind::Builtin))
    return builtinRows()[v.bits()].kind != BuiltinKind::Getter;
  if (v.is(Kind::Bound) || v.is(Kind::TorchOp) || isClass(e, v) || isPythonFunction(e, v))
    return true;
  return !specialMethod(e, v, WellKnown::Call).isAbsent();
}

Value builtins::fnId(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (mayBeOneElement(e, v, v))
    return e.refuse(DiagId::Unsupported, "id() of a list that is in a list of the run");
  if (v.is(Kind::Ref))
    return Value::integer(0x7f0000000000 + int64_t(v.asRef()) * 16);
  if (v.is(Kind::Tensor)) {
    // A view is an object of its own.
    const TensorNode &node = asTensor(v);
    if (e.isFrozen(node.storage) || (e.keeps.listedViews && node.made))
      return e.refuse(DiagId::Unsupported, "id() of a tensor that is in a list of the run");
    e.guardIdentity(v);
    e.noteIdentityShown(v);
    return Value::integer(0x7d0000000000 + (node.made ? 0x10000000000 + int64_t(node.made) * 16
                                                      : int64_t(node.storage) * 16));
  }
  return Value::integer(int64_t(v.hash() >> 4) & 0xffffffffff0);
}

Value builtins::fnHash(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (v.is(Kind::Scalar) || v.is(Kind::Size))
    return runTimeHash(e, v);
  bool needsPython = false;
  std::optional<int64_t> h = nativeHash(e, v, needsPython);
  if (h)
    noteHash(e, v);
  if (v.is(Kind::Tensor)) // what torch.Tensor.__hash__ gives
    return fnId(e, args);
  if (h)
    return Value::integer(*h);
  if (!needsPython)
    return Value::fail();
  if (v.is(Kind::Tuple) || v.is(Kind::FrozenSet))
    return e.callPrelude("_hash_tuple", {v}, args.action);
  Value method = specialMethod(e, v, WellKnown::Hash);
  if (!isPythonFunction(e, method))
    return e.refuse(DiagId::Unsupported, "the hash of a run-time value");
  return e.callPrelude("_hash_by_method", {v}, args.action);
}

Value builtins::fnChr(Engine &e, CallArgs &args) {
  PTC_LET(v, plainArg(e, args, 0));
  PTC_LET(code, integerOf(e, v));
  return toValue(e, py::str::chr(asPyInt(code)));
}

Value builtins::fnOrd(Engine &e, CallArgs &args) {
  PTC_LET(v, plainArg(e, args, 0));
  if (v.is(Kind::Str))
    return toValue(e, py::str::ord(strRef(v)));
  if (v.is(Kind::Bytes))
    return toValue(e, py::bytes::ord(v.asBytes()));
  return e.raise(WellKnown::TypeError,
                 "ord() expected string of length 1, but " + capture::typeName(e, v) + " found");
}

static Value digits(Engine &e, CallArgs &args, unsigned base, llvm::StringRef prefix) {
  PTC_LET(v, plainArg(e, args, 0));
  if (isUserObject(e, v))
    return e.callPrelude("_digits_by_index", {v, Value::integer(int64_t(base))}, args.action);
  if ((v.is(Kind::Scalar) || v.is(Kind::Size)) && numberType(v) != NumberType::Float) {
    PTC_LET(number, e.numberCast(v, ScalarType::Int));
    return e.templateOf(number, 'f', ("#" + prefix.drop_front()).str());
  }
  PTC_LET(number, integerOf(e, v));
  py::PyInt i = asPyInt(number);
  return Value::str((i.isNegative() ? "-" : "") + prefix.str() + py::toDigits(i, base));
}
Value builtins::fnBin(Engine &e, CallArgs &args) { return digits(e, args, 2, "0b"); }
Value builtins::fnOct(Engine &e, CallArgs &args) { return digits(e, args, 8, "0o"); }
Value builtins::fnHex(Engine &e, CallArgs &args) { return digits(e, args, 16, "0x"); }

Value builtins::fnAbs(Engine &e, CallArgs &args) {
  PTC_LET(object, e.decide(arg(args, 0)));
  Value own =
      isUserObject(e, object) ? e.lookupInClass(e.typeOf(object), e.intern("__abs__")) : Value();
  if (isPythonFunction(e, own))
    return e.call(own, {object}, args.action);
  PTC_LET(v, plainArg(e, args, 0));
  if (isIntConst(v))
    return ofPyInt(py::abs(asPyInt(v)));
  if (v.is(Kind::Float))
    return Value::real(std::fabs(v.asFloat()));
  if (v.is(Kind::Complex))
    return toValue(e, py::absComplex(v.asComplex()));
  if (v.is(Kind::Scalar) || v.is(Kind::Size))
    return e.numberAbs(v);
  if (v.is(Kind::Tensor))
    return e.tensorUnary("__abs__", v);
  Value method = e.lookupInClass(e.typeOf(v), e.intern("__abs__"));
  if (method.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "bad operand type for abs(): '" + capture::typeName(e, v) + "'");
  return e.call(method, {v}, args.action);
}

Value builtins::fnVars(Engine &e, CallArgs &args) {
  if (!given(args, 0))
    return fnLocals(e, args);
  PTC_LET(v, e.decide(arg(args, 0)));
  if (e.isTensorLike(v))
    return e.getAttr(v, NameId(WellKnown::Dict));
  if (!v.is(Kind::Ref) || (!isClass(e, v) && !hasInstanceDict(e, e.typeOf(v))))
    return e.raise(WellKnown::TypeError, "vars() argument must have __dict__ attribute");
  return e.getAttr(v, NameId(WellKnown::Dict));
}

Value builtins::fnGlobals(Engine &e, CallArgs &) {
  return attributeDict(e, Value::ref(e.frameInfo(e.currentFrame()).globals));
}

Value builtins::fnLocals(Engine &e, CallArgs &args) {
  ObjectId frame = e.currentFrame();
  Value names = e.heap.get(frame, slot::kNamespace);
  if (isRefTo(e, names, ObjectKind::Module))
    return fnGlobals(e, args);
  if (isRefTo(e, names, ObjectKind::Dict))
    return names;
  std::vector<Value> items;
  const CodeRecord &record = *e.world->codes[e.code(frame).code];
  for (size_t i = 0; i < record.localNames.size(); ++i) {
    PTC_LET(v, e.boundValue(e.heap.get(frame, slot::kLocals + uint32_t(i))));
    if (isRefTo(e, v, ObjectKind::Cell)) {
      PTC_LET(content, e.boundValue(e.heap.get(v.asRef(), slot::kContent)));
      v = std::move(content);
    }
    if (v.isAbsent())
      continue;
    items.push_back(Value::str(e.nameText(record.localNames[i])));
    items.push_back(v);
  }
  return e.makeDict(std::move(items));
}

Value builtins::fnFormat(Engine &e, CallArgs &args) {
  return formatValue(e, arg(args, 0), given(args, 1) ? arg(args, 1) : Value::str(""), args.action);
}

Value builtins::fnInput(Engine &e, CallArgs &) {
  return e.refuse(DiagId::Unsupported, "input(): the engine has no access to the host");
}

// Natives of the prelude
// -----------------------------------------------------------------------------------

/// What stands for "no value" in the prelude: an object that the user never sees.
static Value missing(Engine &e) {
  return e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
}

Value builtins::ptcLookup(Engine &e, CallArgs &args) {
  PTC_LET(name, plainArg(e, args, 1));
  PTC_LET(cls, e.decide(arg(args, 0)));
  Value found = e.lookupInClass(cls.asRef(), e.intern(name.asStr()));
  if (found.isAbsent())
    return missing(e);
  if (isRefTo(e, found, ObjectKind::Instance) &&
      (isInstance(e, found, WellKnown::StaticMethodType) ||
       isInstance(e, found, WellKnown::ClassMethodType)))
    return bindAttribute(e, found, Value(), cls.asRef());
  return found;
}

Value builtins::ptcSubclass(Engine &e, CallArgs &args) {
  PTC_LET(sub, e.decide(arg(args, 0)));
  PTC_LET(super, e.decide(arg(args, 1)));
  return Value::boolean(isClass(e, sub) && isClass(e, super) &&
                        e.isSubclass(sub.asRef(), super.asRef()));
}

static std::optional<BinaryOp> operatorOf(llvm::StringRef symbol) {
  for (uint8_t op = 0; op <= uint8_t(BinaryOp::Xor); ++op)
    if (ptc::getBinaryOpSymbol(BinaryOp(op), false) == symbol)
      return BinaryOp(op);
  return std::nullopt;
}

Value builtins::ptcUnsupported(Engine &e, CallArgs &args) {
  llvm::StringRef symbol = arg(args, 0).asStr();
  if (symbol == "divmod()")
    return e.raise(WellKnown::TypeError, "unsupported operand type(s) for divmod(): '" +
                                             capture::typeName(e, arg(args, 1)) + "' and '" +
                                             capture::typeName(e, arg(args, 2)) + "'");
  bool inPlace = symbol.size() > 1 && symbol.ends_with("=");
  std::optional<BinaryOp> op = operatorOf(inPlace ? symbol.drop_back() : symbol);
  return unsupportedOperands(e, op.value_or(BinaryOp::Add), arg(args, 1), arg(args, 2), inPlace);
}

Value builtins::ptcGetAttr(Engine &e, CallArgs &args) {
  PTC_LET(name, plainArg(e, args, 1));
  if (!name.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "attribute name must be string, not '" + capture::typeName(e, name) + "'");
  return e.getAttr(arg(args, 0), e.intern(name.asStr()));
}

Value builtins::ptcMappingProxy(Engine &e, CallArgs &) {
  return e.heap.get(e.world->prelude, attrKey(e.intern("_MappingProxy")));
}
Value builtins::ptcIsClass(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(isClass(e, v));
}
Value builtins::ptcIsPython(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(v.is(Kind::Bound) || isPythonFunction(e, v) ||
                        (isRefTo(e, v, ObjectKind::Instance) && !(v == missing(e))));
}
Value builtins::ptcIsObjectInit(Engine &, CallArgs &args) {
  const Value &v = arg(args, 0);
  return Value::boolean(v.is(Kind::Builtin) &&
                        builtinRows()[v.bits()].owner == WellKnown::ObjectType);
}
Value builtins::ptcUnbox(Engine &e, CallArgs &args) { return plainArg(e, args, 0); }
Value builtins::ptcIsNativeIterator(Engine &e, CallArgs &args) {
  return Value::boolean(isRefTo(e, arg(args, 0), ObjectKind::Iterator) ||
                        isRefTo(e, arg(args, 0), ObjectKind::Frame));
}
Value builtins::ptcIterable(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!specialMethod(e, v, WellKnown::Iter).isAbsent() ||
      !specialMethod(e, v, WellKnown::GetItem).isAbsent())
    return Value::boolean(true);
  return Value::boolean(v.is(Kind::Tensor) || v.is(Kind::Opaque));
}
Value builtins::ptcIsBuiltinContainer(Engine &e, CallArgs &args) {
  const Value &v = arg(args, 0);
  return Value::boolean(v.is(Kind::Tuple) || v.is(Kind::FrozenSet) ||
                        isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
                        isRefTo(e, v, ObjectKind::Set));
}

/// How messages of C name the class of an object.
Value builtins::ptcTypeName(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return v.is(Kind::Opaque) ? Value(e.refuseOpaque(v)) : Value::str(capture::typeName(e, v));
}

Value builtins::ptcIsTensor(Engine &e, CallArgs &args) {
  return Value::boolean(e.isTensorLike(arg(args, 0)));
}
Value builtins::ptcIsOfTheRun(Engine &e, CallArgs &args) {
  Value v = e.known(arg(args, 0));
  return Value::boolean(v.is(Kind::Scalar) || v.is(Kind::Size) || v.is(Kind::Tensor) ||
                        v.is(Kind::Choice));
}
Value builtins::ptcIsItem(Engine &e, CallArgs &args) {
  return identicalItems(e, arg(args, 0), arg(args, 1));
}

Value builtins::ptcBadIndex(Engine &e, CallArgs &args) {
  Value c = plainArg(e, args, 0);
  std::string type = capture::typeName(e, c);
  if (c.is(Kind::Str))
    return e.raise(WellKnown::TypeError, "string indices must be integers, not '" +
                                             capture::typeName(e, arg(args, 1)) + "'");
  if (c.is(Kind::Tuple) || isRefTo(e, c, ObjectKind::List) || c.is(Kind::Range))
    return e.raise(WellKnown::TypeError, type + " indices must be integers or slices, not " +
                                             capture::typeName(e, arg(args, 1)));
  return e.raise(WellKnown::TypeError, "'" + type + "' object is not subscriptable");
}

// Dicts by position.
Value builtins::ptcKeysList(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  std::vector<Value> keys;
  llvm::ArrayRef<Value> items = dictItems(e, arg(args, 0));
  for (size_t i = 0; i < items.size(); i += 2)
    keys.push_back(items[i]);
  return Value::tuple(std::move(keys));
}
static Value placesOf(const std::vector<int64_t> &positions) {
  std::vector<Value> places;
  places.reserve(positions.size());
  for (int64_t position : positions)
    places.push_back(Value::integer(position));
  return Value::tuple(std::move(places));
}
static std::optional<int64_t> hashArg(Engine &e, const Value &given) {
  PTC_LET(h, e.decide(given));
  if (!h.is(Kind::Int))
    return e.refuse(DiagId::Unsupported, "a hash known at run time only");
  return h.asInt();
}
/// What hash() makes of the result of a __hash__ written in Python.
Value builtins::ptcAsHash(Engine &e, CallArgs &args) {
  PTC_LET(given, e.decide(arg(args, 0)));
  Value h = e.unboxed(given);
  if (isNumber(h) && !isNumberConst(h) && numberType(h) != NumberType::Float)
    return h;
  if (!isIntConst(h))
    return e.raise(WellKnown::TypeError, "__hash__ method should return an integer");
  int64_t hash = h.isSmallInt() ? h.asInt() : py::hashInt(asPyInt(h));
  return Value::integer(hash == -1 ? -2 : hash);
}
Value builtins::ptcDictUnhashed(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  return placesOf(dictUnhashed(e, arg(args, 0)));
}
Value builtins::ptcDictNoteHash(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  PTC_GET(h, hashArg(e, arg(args, 2)));
  dictNoteHash(e, arg(args, 0), arg(args, 1).asInt(), h);
  return Value::none();
}
Value builtins::ptcDictCandidates(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  PTC_GET(h, hashArg(e, arg(args, 1)));
  return placesOf(dictCandidates(e, arg(args, 0), h));
}
Value builtins::ptcDictKey(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  llvm::ArrayRef<Value> items = dictItems(e, arg(args, 0));
  const int64_t place = arg(args, 1).asInt(); // negative: from the end
  const size_t at = size_t(place < 0 ? place + int64_t(items.size() / 2) : place) * 2;
  // What compared keys may have changed the dict.
  if (at >= items.size())
    return e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
  return e.known(items[at]);
}
Value builtins::ptcCombinedHash(Engine &e, CallArgs &args) {
  std::vector<int64_t> hashes;
  for (const Value &given : listItems(e, arg(args, 1))) {
    PTC_GET(h, hashArg(e, given));
    hashes.push_back(h);
  }
  return Value::integer(e.known(arg(args, 0)).is(Kind::FrozenSet) ? py::hashFrozenset(hashes)
                                                                  : py::hashTuple(hashes));
}
/// Where Python code found the key, which data may decide.
static std::optional<int64_t> dictPlace(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  auto n = int64_t(dictItems(e, arg(args, 0)).size() / 2);
  return settlePosition(e, selectorOf(e, e.known(arg(args, 1)), n), n);
}

Value builtins::ptcDictAt(Engine &e, CallArgs &args) {
  PTC_GET(place, dictPlace(e, args));
  return e.known(dictItems(e, arg(args, 0))[size_t(place) * 2 + 1]);
}

Value builtins::ptcDictPut(Engine &e, CallArgs &args) {
  PTC_GET(place, dictPlace(e, args));
  dictPut(e, arg(args, 0), place, arg(args, 2));
  return Value::none();
}

Value builtins::ptcDictAppend(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, arg(args, 0)));
  bool needsPython = false;
  if (nativeHash(e, arg(args, 1), needsPython)) {
    dictAppend(e, arg(args, 0), arg(args, 1), arg(args, 2));
    return Value::none();
  }
  PTC_GET(h, hashArg(e, arg(args, 3)));
  dictAppendHashed(e, arg(args, 0), arg(args, 1), arg(args, 2), h);
  return Value::none();
}
Value builtins::ptcDictErase(Engine &e, CallArgs &args) {
  PTC_GET(place, dictPlace(e, args));
  dictErase(e, arg(args, 0), place);
  return Value::none();
}
Value builtins::ptcListAssign(Engine &e, CallArgs &args) {
  PTC_DO(checkListReplaced(e, arg(args, 0)));
  e.heap.set(arg(args, 0).asRef(), slot::kContent,
             e.heap.get(arg(args, 1).asRef(), slot::kContent));
  return Value::none();
}
Value builtins::ptcJoinAlike(Engine &e, CallArgs &args) {
  Value contents = e.known(e.heap.get(arg(args, 0).asRef(), slot::kContent));
  return joinRunTimeList(e, contents, size_t(arg(args, 1).asInt()), arg(args, 2).asBool());
}
/// The list whose numbers a tensor holds that nothing else refers to.
Value builtins::ptcNumberList(Engine &e, CallArgs &args) {
  PTC_LET(tensor, e.decide(arg(args, 0)));
  return makeNumberList(e, tensor);
}
/// The tensor of such a list, None of others.
Value builtins::ptcNumbersOf(Engine &e, CallArgs &args) {
  if (!isNumberList(e, arg(args, 0)))
    return Value::none();
  return e.known(e.heap.get(arg(args, 0).asRef(), slot::kContent));
}
/// Does only the run know how many elements a tensor has along its first dimension?
Value builtins::ptcHasLengthOfRun(Engine &e, CallArgs &args) {
  PTC_LET(tensor, e.decide(arg(args, 0)));
  const TensorNode &t = asTensor(tensor);
  if (!e.recording() || !e.sizeLoops || !e.shapes || t.sizes.empty())
    return Value::boolean(false);
  sym::Expr size = e.shapes->simplify(t.sizes[0]);
  return Value::boolean(!size.isConstant() && (e.sizeLoops->isCount(size) || !e.isInputSize(size)));
}
Value builtins::ptcListAppend(Engine &e, CallArgs &args) {
  PTC_DO(extendList(e, arg(args, 0), arg(args, 1)));
  return Value::none();
}
Value builtins::ptcTupleFromList(Engine &e, CallArgs &args) {
  if (isGrownList(e, arg(args, 0))) {
    const Value contents = e.known(e.heap.get(arg(args, 0).asRef(), slot::kContent));
    if (contents.is(Kind::Tensor) || holdsNumberLists(contents))
      return e.refuse(DiagId::RunTimeListArgument);
    return makeGrownTuple(e, contents);
  }
  return Value::tuple(listItems(e, arg(args, 0)));
}
/// Members with a hash. Where hashes are not known: None, or a refusal.
Value builtins::ptcSetCandidates(Engine &e, CallArgs &args) {
  PTC_LET(set, e.decide(arg(args, 0)));
  PTC_GET(h, hashArg(e, arg(args, 1)));
  std::optional<std::vector<Value>> found = setCandidates(e, set, h);
  if (e.pending.isOpen())
    return Value::fail();
  if (!found && arg(args, 2).asBool())
    return e.refuse(DiagId::Unsupported, "changing a set of objects with a __hash__ of their own "
                                         "that were made on one of the paths that data decides");
  return found ? Value::tuple(std::move(*found)) : Value::none();
}
Value builtins::ptcSetInsert(Engine &e, CallArgs &args) {
  PTC_GET(h, hashArg(e, arg(args, 2)));
  PTC_DO(setInsertHashed(e, arg(args, 0), arg(args, 1), h));
  return Value::none();
}
Value builtins::ptcSetErase(Engine &e, CallArgs &args) {
  PTC_GET(h, hashArg(e, arg(args, 1)));
  PTC_DO(setEraseHashed(e, arg(args, 0), h, size_t(arg(args, 2).asInt())));
  return Value::none();
}
Value builtins::ptcSetReserve(Engine &e, CallArgs &args) {
  PTC_DO(setReserve(e, arg(args, 0), size_t(arg(args, 1).asInt())));
  return Value::none();
}
Value builtins::ptcMakeSet(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  const bool isFrozen = e.isSubclass(cls, e.builtinClass(WellKnown::FrozenSetType));
  const Value &set = arg(args, 1);
  if (isFrozen)
    return box(e, cls, frozen(e, set));
  if (cls <= e.world->classes.back())
    return set;
  ObjectId id = allocateInstance(e, cls);
  e.heap.set(id, slot::kContent, e.heap.get(set.asRef(), slot::kContent));
  return Value::ref(id);
}

/// start + (first + last) * length / 2
static Value sumOfRange(Engine &e, const py::Range &range, const Value &start) {
  if (range.empty())
    return start;
  Value ends = constantBinary(e, BinaryOp::Add, ofPyInt(range.start()),
                              ofPyInt(range.reversed().start()), false);
  PTC_LET(twice, constantBinary(e, BinaryOp::Mul, ends, ofPyInt(range.length()), false));
  PTC_LET(sum, constantBinary(e, BinaryOp::FloorDiv, twice, Value::integer(2), false));
  return constantBinary(e, BinaryOp::Add, start, sum, false);
}

Value builtins::ptcSumConstants(Engine &e, CallArgs &args) {
  Value total = arg(args, 1), given = e.known(arg(args, 0));
  if (std::optional<py::Range> range = given.is(Kind::Range) ? rangeOf(given) : std::nullopt;
      range && isIntConst(total))
    return sumOfRange(e, *range, total);
  std::optional<std::vector<Value>> items = listElements(e, given);
  if (!items || !isNumberConst(total))
    return missing(e);
  for (const Value &item : *items)
    if (!isNumberConst(item))
      return missing(e);
  for (const Value &item : *items) {
    PTC_LET(next, constantBinary(e, BinaryOp::Add, total, item, false));
    total = std::move(next);
  }
  return total;
}

/// Of ints and sizes that the run decides, a size: no branch asks which of them it is. Absent:
/// there is no such size among them, or something else.
static Value extremeSize(Engine &e, llvm::ArrayRef<Value> items, bool larger) {
  auto isOfRun = [&](const Value &v) {
    return v.is(Kind::Size) && llvm::all_of(e.sizes().symbolsOf(v.asSize()),
                                            [&](auto symbol) { return e.bindingOf(symbol); });
  };
  if (!llvm::any_of(items, isOfRun) ||
      !llvm::all_of(items, [&](const Value &v) { return v.is(Kind::Int) || isOfRun(v); }))
    return Value();
  ptc::sym::Expr best;
  for (const Value &item : items) {
    ptc::sym::Expr size = item.is(Kind::Size) ? item.asSize() : e.sizes().constant(item.asInt());
    best = &item == items.begin() ? size
           : larger               ? e.sizes().max(best, size)
                                  : e.sizes().min(best, size);
  }
  return best.isSupported() ? Value::size(best) : Value();
}

/// max() or min() of a range, or of a builtin sequence of numbers, that has items.
Value builtins::ptcExtremeConstant(Engine &e, CallArgs &args) {
  Value given = e.known(arg(args, 0));
  bool larger = arg(args, 1).asBool();
  if (std::optional<py::Range> range = given.is(Kind::Range) ? rangeOf(given) : std::nullopt) {
    if (range->empty())
      return missing(e);
    bool first = range->step().isNegative() == larger;
    return ofPyInt(first ? range->start() : range->reversed().start());
  }
  std::optional<std::vector<Value>> items = listElements(e, given);
  if (!items || items->empty())
    return missing(e);
  for (Value &item : *items)
    item = e.known(item);
  if (Value size = extremeSize(e, *items, larger); !size.isAbsent())
    return size;
  if (!llvm::all_of(*items, isNumberConst))
    return missing(e);
  Value best = items->front();
  for (const Value &item : llvm::drop_begin(*items)) {
    PTC_LET(better, nativeCompare(e, larger ? CompareOp::Gt : CompareOp::Lt, item, best));
    if (better.isAbsent())
      return missing(e);
    if (better.asBool())
      best = item;
  }
  return best;
}

/// Stable; std::stable_sort's buffer is deprecated in C++20's library here.
template <typename Less> static void mergeSort(std::vector<size_t> &order, Less less) {
  std::vector<size_t> from = order;
  for (size_t width = 1; width < order.size(); width *= 2) {
    for (size_t at = 0; at < order.size(); at += 2 * width) {
      size_t mid = std::min(at + width, order.size()), end = std::min(at + 2 * width, order.size());
      std::merge(from.begin() + ptrdiff_t(at), from.begin() + ptrdiff_t(mid),
                 from.begin() + ptrdiff_t(mid), from.begin() + ptrdiff_t(end),
                 order.begin() + ptrdiff_t(at), less);
    }
    from = order;
  }
}

/// May a comparison of keys depend on the run?
static bool mayCompareAtRunTime(Engine &e, const Value &given) {
  return anyKnown(e, given, [&](const Value &v) {
    return v.is(Kind::Scalar) || v.is(Kind::Size) || v.is(Kind::Tensor) || v.is(Kind::Choice) ||
           v.is(Kind::Ref);
  });
}

/// The values at run-time positions, which are known to be in range.
Value builtins::ptcPermuted(Engine &e, CallArgs &args) {
  std::vector<Value> values(listItems(e, arg(args, 0))), order(listItems(e, arg(args, 1)));
  std::vector<Value> result;
  if (values.empty())
    return e.makeList({});
  result.reserve(order.size());
  for (const Value &n : order) {
    PTC_LET(v, elementAt(e, values, selectorOf(e, n, int64_t(values.size()))));
    result.push_back(std::move(v));
  }
  return e.makeList(std::move(result));
}

/// Is a key less than another, where that is known and the keys are ordered: no NaN decides,
/// nothing of the run and no method of the program is asked. As CPython's: the first unequal parts
/// decide.
static std::optional<bool> knownLess(Engine &e, const Value &givenA, const Value &givenB) {
  Value a = e.known(givenA), b = e.known(givenB);
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple)) {
    for (size_t i = 0; i < std::min(a.partCount(), b.partCount()); ++i) {
      std::optional<bool> same = nativeEqual(e, a.parts()[i], b.parts()[i]);
      if (!same)
        return std::nullopt;
      if (!*same)
        return knownLess(e, a.parts()[i], b.parts()[i]);
    }
    return a.partCount() < b.partCount();
  }
  auto isOrdered = [](const Value &v) {
    return isNumberConst(v) && !v.is(Kind::Complex) &&
           !(v.is(Kind::Float) && std::isnan(v.asFloat()));
  };
  if (!(isOrdered(a) && isOrdered(b)) && !(a.is(Kind::Str) && b.is(Kind::Str)))
    return std::nullopt;
  return constantCompare(e, CompareOp::Lt, a, b).asBool();
}

/// Is an entry being called?
Value builtins::ptcIsInCall(Engine &e, CallArgs &) { return Value::boolean(e.recording()); }

/// Stable order of keys whose comparisons are known as a tuple of positions; None where Python code
/// compares, False where comparisons may depend on the run.
Value builtins::ptcSortConstants(Engine &e, CallArgs &args) {
  std::vector<Value> keys(listItems(e, arg(args, 0)));
  PTC_GET(reverse, e.truth(arg(args, 1)));
  std::vector<size_t> order(keys.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  bool known = true;
  auto less = [&](size_t a, size_t b) {
    std::optional<bool> answer = known ? knownLess(e, keys[a], keys[b]) : std::nullopt;
    known = answer.has_value();
    return answer.value_or(false);
  };
  if (reverse)
    std::reverse(order.begin(), order.end());
  mergeSort(order, less);
  if (!known)
    return e.recording() &&
                   llvm::any_of(keys, [&](const Value &v) { return mayCompareAtRunTime(e, v); })
               ? Value::boolean(false)
               : Value::none();
  if (reverse)
    std::reverse(order.begin(), order.end());
  std::vector<Value> result;
  result.reserve(order.size());
  for (size_t i : order)
    result.push_back(Value::integer(int64_t(i)));
  return Value::tuple(std::move(result));
}

Value builtins::reversedKeys(Engine &e, CallArgs &args) {
  Value c = e.unboxed(e.known(arg(args, 0)));
  std::optional<std::vector<Value>> items = listElements(e, c);
  if (!items)
    return e.refuse(DiagId::Unsupported, "reversed() of this object");
  std::reverse(items->begin(), items->end());
  WellKnown type = WellKnown::ListReverseIteratorType;
  if (isRefTo(e, c, ObjectKind::Dict) || e.typeOf(c) == e.builtinClass(WellKnown::DictKeysType))
    type = WellKnown::DictReverseKeyIteratorType;
  else if (e.typeOf(c) == e.builtinClass(WellKnown::DictValuesType))
    type = WellKnown::DictReverseValueIteratorType;
  else if (isDictView(e, c))
    type = WellKnown::DictReverseItemIteratorType;
  return makeIterator(e, Value::tuple(std::move(*items)), Value(), type);
}
