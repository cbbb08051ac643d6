//===- Constant.cpp - repr, str and == without Python code ------------------------===//
//
// In: values. Out: what CPython's repr(), str() and == give, or none where a method written
// in Python decides: then the prelude takes over.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "CallCaches.h"
#include "Escape.h"
#include "Members.h"
#include "NamedResults.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "SetMembers.h"
#include "Template.h"
#include "Tensors.h"

#include "llvm/ADT/StringExtras.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Complex.h"
#include "ptc/Python/Slice.h"
#include "ptc/Python/Str.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace aten = ptc::aten;
namespace py = ptc::py;

// repr
// -------------------------------------------------------------------------------------------------

namespace {
class Repr {
public:
  explicit Repr(Engine &e) : e(e) {}
  TextBuilder out;

  /// False: Python code is needed.
  bool write(const Value &given);

private:
  bool sequence(llvm::ArrayRef<Value> items, llvm::StringRef open, llvm::StringRef close,
                bool tuple = false);
  bool tuple(const Value &v);
  bool namedResult(const Value &v);
  bool pairs(llvm::ArrayRef<Value> items);
  /// The text of what is chosen, which `one` writes.
  bool choice(const Value &v, llvm::function_ref<bool(const Value &)> one);
  /// Writes the contents of a list, dict or set; the object may hold one of several.
  bool contents(const Value &given, llvm::function_ref<bool(const Value &)> one) {
    Value v = e.known(given);
    return v.is(Kind::Choice) ? choice(v, one) : one(v);
  }
  bool container(const Value &v, ObjectKind kind);
  /// No text, and a refusal.
  bool refused(const std::string &what) {
    (void)e.refuse(DiagId::Unsupported, what);
    return false;
  }
  bool runTime(const Value &v);
  bool object(const Value &v);
  bool bound(const Value &v);
  // What does not come back to write() has frames of its own: nests are deep.
  LLVM_ATTRIBUTE_NOINLINE bool atom(const Value &v);
  LLVM_ATTRIBUTE_NOINLINE bool single(const Value &v);
  LLVM_ATTRIBUTE_NOINLINE bool instance(const Value &v);
  bool view(const Value &v, WellKnown cls);
  bool set(const Value &v, llvm::ArrayRef<Value> items, bool frozen);
  bool exception(const Value &v);
  void device(const Value &v);
  void builtin(const Value &v, const Value *receiver);
  void address(ObjectId id) {
    out += " at 0x" + llvm::utohexstr(0x7f0000000000 + uint64_t(id) * 16, true);
  }

  Engine &e;
  llvm::SmallVector<ObjectId, 8> active;
  llvm::SmallVector<const Node *, 8> activeTuples;
};
} // namespace

bool Repr::sequence(llvm::ArrayRef<Value> items, llvm::StringRef open, llvm::StringRef close,
                    bool tuple) {
  out += open;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i)
      out += ", ";
    if (!write(items[i]))
      return false;
  }
  if (tuple && items.size() == 1)
    out += ",";
  out += close;
  return true;
}

bool Repr::pairs(llvm::ArrayRef<Value> items) {
  out += "{";
  for (size_t i = 0; i < items.size(); i += 2) {
    if (i)
      out += ", ";
    if (!write(items[i]))
      return false;
    out += ": ";
    if (!write(items[i + 1]))
      return false;
  }
  out += "}";
  return true;
}

bool Repr::choice(const Value &v, llvm::function_ref<bool(const Value &)> one) {
  auto *node = new ChoiceNode;
  Value texts = Value::node(Kind::Choice, node);
  node->selector = asChoice(v).selector;
  TextBuilder before = std::exchange(out, TextBuilder());
  bool ok = true;
  for (const Value &alternative : asChoice(v).alternatives) {
    ok = ok && one(alternative);
    node->alternatives.push_back(std::exchange(out, TextBuilder()).take());
  }
  out = std::move(before);
  out.field(std::move(texts), "s");
  return ok;
}

bool Repr::container(const Value &v, ObjectKind kind) {
  if (hasUnknownContents(e, v))
    return (void)refuseContents(e, v.asRef()), false;
  return contents(e.heap.get(v.asRef(), slot::kContent), [&](const Value &held) {
    if (held.is(Kind::Tensor) || (held.is(Kind::RunTimeList) && isGrownTuple(e, v)))
      return (void)e.refuse(DiagId::RunTimeListArgument), false;
    if (held.is(Kind::RunTimeList))
      return kind == ObjectKind::List ? runTime(held) : ((void)refuseTable(e), false);
    return kind == ObjectKind::List   ? sequence(held.parts(), "[", "]")
           : kind == ObjectKind::Dict ? pairs(held.parts())
                                      : set(v, held.parts(), false);
  });
}

bool Repr::runTime(const Value &v) {
  if (v.is(Kind::RunTimeList) && !asRunTimeList(v).isPlain())
    return (void)e.refuse(DiagId::RunTimeListArgument), false;
  Value text = e.templateOf(v, 'r', {});
  if (text.isFail())
    return false;
  out.append(text);
  return true;
}

bool Repr::set(const Value &v, llvm::ArrayRef<Value> items, bool frozen) {
  noteSetOrder(e, items);
  std::string name = typeName(e, v);
  if (items.empty()) {
    out += name + "()";
    return true;
  }
  if (!frozen && name == "set")
    return sequence(items, "{", "}");
  return sequence(items, name + "({", "})");
}

bool capture::isMemberOfC(Engine &e, const BuiltinRow &row) {
  const std::string path = "builtins." + e.nameText(NameId(row.owner)).str() + "." + row.name;
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion());
  return known && known->type == "member_descriptor";
}

/// Special methods of builtin classes are of other types in CPython, and may be of another class.
static bool isSpecialMethodOfC(const Value &v) {
  const Value f = v.is(Kind::Bound) ? v.parts()[1] : v;
  if (!f.is(Kind::Builtin))
    return false;
  const BuiltinRow &row = builtinRows()[f.bits()];
  return row.kind != BuiltinKind::Function && llvm::StringRef(row.name).starts_with("__");
}

void Repr::builtin(const Value &v, const Value *receiver) {
  const BuiltinRow &row = builtinRows()[v.bits()];
  llvm::StringRef owner = e.nameText(NameId(row.owner));
  if (row.kind == BuiltinKind::Getter)
    out += (llvm::Twine(isMemberOfC(e, row) ? "<member '" : "<attribute '") + row.name + "' of '" +
            owner + "' objects>")
               .str();
  else if (row.kind == BuiltinKind::Method && !receiver)
    out += ("<method '" + llvm::Twine(row.name) + "' of '" + owner + "' objects>").str();
  else if (receiver) {
    out +=
        ("<built-in method " + llvm::Twine(row.name) + " of " + typeName(e, *receiver) + " object")
            .str();
    address(receiver->is(Kind::Ref) ? receiver->asRef() : 0);
    out += ">";
  } else if (row.kind == BuiltinKind::Static) {
    out += ("<built-in method " + llvm::Twine(row.name) + " of type object").str();
    address(e.builtinClass(row.owner));
    out += ">";
  } else
    out += ("<built-in function " + llvm::Twine(row.name) + ">").str();
}

void Repr::device(const Value &v) {
  aten::Device d = unpackDevice(v.bits());
  out += "device(type='" + aten::toString(aten::Device{d.type, -1}) + "'";
  if (d.index >= 0)
    out += ", index=" + std::to_string(d.index);
  out += ")";
}

bool Repr::exception(const Value &v) {
  Value args = e.decide(e.heap.get(v.asRef(), slot::kContent));
  if (args.isFail())
    return false;
  out += className(e, e.typeOf(v));
  return sequence(args.parts(), "(", ")");
}

bool Repr::view(const Value &v, WellKnown cls) {
  Value owner = e.heap.get(v.asRef(), slot::kContent);
  llvm::ArrayRef<Value> items = dictItems(e, owner);
  out += (isOrderedDict(e, owner.asRef()) ? "o" : "") + e.nameText(NameId(cls)).str();
  out += "([";
  for (size_t i = 0; i < items.size(); i += 2) {
    if (i)
      out += ", ";
    bool ok = cls == WellKnown::DictKeysType     ? write(items[i])
              : cls == WellKnown::DictValuesType ? write(items[i + 1])
                                                 : sequence(items.slice(i, 2), "(", ")");
    if (!ok)
      return false;
  }
  out += "])";
  return true;
}

bool Repr::instance(const Value &v) {
  ObjectId cls = e.typeOf(v);
  const ClassInfo &info = e.classInfo(cls);
  if (info.layout == Layout::Boxed) {
    const Value content = e.unboxed(v);
    return content.is(Kind::FrozenSet) ? set(v, content.parts(), true) : write(content);
  }
  if (info.layout == Layout::Exception)
    return exception(v);
  for (WellKnown view :
       {WellKnown::DictKeysType, WellKnown::DictValuesType, WellKnown::DictItemsType})
    if (cls == e.builtinClass(view))
      return this->view(v, view);
  if (cls == e.builtinClass(WellKnown::SuperType)) {
    Value parts = e.heap.get(v.asRef(), slot::kContent);
    const Value &type = parts.parts()[2];
    out += "<super: <class '" + className(e, parts.parts()[0].asRef()) + "'>, " +
           (isClass(e, type) ? "<" + className(e, type.asRef()) + " object>>" : "NULL>");
    return true;
  }
  for (WellKnown wrapper : {WellKnown::StaticMethodType, WellKnown::ClassMethodType})
    if (e.isSubclass(cls, e.builtinClass(wrapper))) {
      Value held = e.heap.get(v.asRef(), slot::kContent);
      out += "<" + className(e, cls) + "(";
      if (!held.is(Kind::Tuple) || !write(held.parts()[0]))
        return false;
      out += ")>";
      return true;
    }
  if (cls == e.builtinClass(WellKnown::SlotType))
    if (const Value &owner = e.heap.get(v.asRef(), attrKey(e.intern("__objclass__")));
        isClass(e, owner)) {
      out += "<member '" + e.heap.get(v.asRef(), slot::kContent).parts()[0].asStr().str() +
             "' of '" +
             (e.classInfo(owner.asRef()).builtin ? classFullName(e, owner.asRef())
                                                 : className(e, owner.asRef())) +
             "' objects>";
      return true;
    }
  if (isOnlyHere(e, cls) && cls > e.world->classes.back() && isProgramsQuestion(e))
    return refused("the name of '" + classFullName(e, cls) + "'");
  out += "<" + classFullName(e, cls) + " object";
  address(v.asRef());
  out += ">";
  return true;
}

/// Of an object that holds no others whose text is part of its own.
bool Repr::single(const Value &v) {
  ObjectId id = v.asRef();
  switch (e.heap.kind(id)) {
  case ObjectKind::Class:
    if (isOnlyHere(e, id) && id > e.world->classes.back() && isProgramsQuestion(e))
      return refused("the name of '" + classFullName(e, id) + "'");
    out += "<class '" + classFullName(e, id) + "'>";
    return true;
  case ObjectKind::Module:
    if (std::optional<std::string> text = moduleText(e, id))
      return out += *text, true;
    return refused("the text of a module, which says where its file is,");
  case ObjectKind::Function: {
    if (std::string path = classBehindFunction(e, v); !path.empty()) {
      llvm::StringRef shown = path;
      shown.consume_front("builtins.");
      out += ("<class '" + shown + "'>").str();
      return true;
    }
    const Value &name = e.heap.get(id, attrKey(WellKnown::QualName));
    if (functionOf(e, id).hidden && isProgramsQuestion(e))
      if (Value said = e.getAttr(v, NameId(WellKnown::QualName)); said.is(Kind::Opaque))
        return refused("the text of a function");
    if (e.typeOf(v) == e.builtinClass(WellKnown::BuiltinType)) {
      out += "<built-in function " + name.asStr().str() + ">";
      return true;
    }
    out += "<function " + (name.is(Kind::Str) ? name.asStr().str() : std::string("?"));
    break;
  }
  case ObjectKind::Frame: {
    // An iterator of another name in CPython has no text here.
    if (isStandIn(e, v))
      return refused("the text of " + standInText(e, v));
    const FrameInfo &frame = e.frameInfo(id);
    const Value name =
        frame.function ? e.heap.get(frame.function, attrKey(WellKnown::QualName)) : Value();
    out += "<" + typeName(e, v) + " object";
    if (!e.heap.header(id).cls)
      out += " " + (name.is(Kind::Str) ? name.asStr().str() : e.code(id).code->qualName.str());
    break;
  }
  default:
    out += "<" + typeName(e, v) + " object";
  }
  address(id);
  out += ">";
  return true;
}

/// Is it a list of the run whose elements are numbers? Its text is made when the program runs.
static bool holdsNumbers(Engine &e, const Value &list) {
  Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  return contents.is(Kind::RunTimeList) && asRunTimeList(contents).isPlain() &&
         e.tape.type(asRunTimeList(contents).columns[0]).number != NumberType::NotNumber;
}

bool Repr::object(const Value &v) {
  ObjectId id = v.asRef();
  if (llvm::is_contained(active, id)) {
    out += e.heap.kind(id) == ObjectKind::Dict  ? "{...}"
           : e.heap.kind(id) == ObjectKind::Set ? typeName(e, v) + "(...)"
                                                : "[...]";
    return true;
  }
  if (overridesBuiltin(e, v, WellKnown::Repr))
    return false;
  if (isUndecided(e, v) || (isGrownList(e, v) && !holdsNumbers(e, v)))
    return false;
  active.push_back(id);
  bool ok = true;
  switch (e.heap.kind(id)) {
  case ObjectKind::Dict:
    (void)dictItems(e, v); // brings obj.__dict__ up to date
    [[fallthrough]];
  case ObjectKind::List:
  case ObjectKind::Set:
    ok = container(v, e.heap.kind(id));
    break;
  case ObjectKind::Instance:
    ok = instance(v);
    break;
  default:
    ok = single(v);
  }
  active.pop_back();
  return ok;
}

bool Repr::namedResult(const Value &v) {
  out += classFullName(e, e.typeOf(v)) + "(";
  llvm::StringRef before = "\n";
  for (const auto &[name, part] : llvm::zip_equal(namedResultFields(v), v.parts())) {
    out += (before + name + "=").str();
    if (!write(part))
      return false;
    before = ",\n";
  }
  out += ")";
  return true;
}

bool Repr::tuple(const Value &v) {
  if (llvm::is_contained(activeTuples, v.node())) {
    out += "(...)";
    return true;
  }
  activeTuples.push_back(v.node());
  bool size = v.sub() == uint8_t(TupleTag::TorchSize);
  bool ok = isNamedResult(v) ? namedResult(v)
            : size           ? sequence(v.parts(), "torch.Size([", "])")
                             : sequence(v.parts(), "(", ")", true);
  activeTuples.pop_back();
  return ok;
}

bool Repr::bound(const Value &v) {
  if (isSpecialMethodOfC(v))
    return refused("the text of a special method of a builtin class");
  if (v.parts()[1].is(Kind::Builtin)) {
    builtin(v.parts()[1], &v.parts()[0]);
    return true;
  }
  Value name = plainAttr(e, v.parts()[1], NameId(WellKnown::QualName));
  const Value &self = v.parts()[0];
  std::optional<KnownClass> known =
      self.is(Kind::Ref) && isPythonFunction(e, v.parts()[1]) &&
              functionOf(e, v.parts()[1].asRef()).hidden
          ? knownClass(e, isClass(e, self) ? self.asRef() : e.typeOf(self))
          : std::nullopt;
  if (known && known->isListed() && name.is(Kind::Str)) {
    out += ("<built-in method " + name.asStr().rsplit('.').second + " of " +
            (isClass(e, self) ? std::string("type") : typeName(e, self)) + " object")
               .str();
    address(self.asRef());
    out += ">";
    return true;
  }
  if (const Value &function = v.parts()[1]; isClass(e, function))
    name = Value::str(className(e, function.asRef()));
  else if (!name.is(Kind::Str) && isRefTo(e, function, ObjectKind::Instance)) // may have a __name__
    return refused("the text of a method of what is no function");
  out += "<bound method " + (name.is(Kind::Str) ? name.asStr().str() : "?") + " of ";
  if (!write(v.parts()[0]))
    return false;
  out += ">";
  return true;
}

/// Of a value that is no object and holds no others.
bool Repr::atom(const Value &v) {
  switch (v.kind()) {
  case Kind::None:
    out += "None";
    return true;
  case Kind::Ellipsis:
    out += "Ellipsis";
    return true;
  case Kind::NotImplemented:
    out += "NotImplemented";
    return true;
  case Kind::Bool:
    out += v.asBool() ? "True" : "False";
    return true;
  case Kind::Int:
    out += std::to_string(v.asInt());
    return true;
  case Kind::Float:
    out += py::reprFloat(v.asFloat());
    return true;
  case Kind::BigInt: {
    py::Result<std::string> text = py::toDecimal(v.asBigInt());
    if (!text)
      return (void)raised(e, text.error()), false;
    out += *text;
    return true;
  }
  case Kind::Complex:
    out += py::reprComplex(v.asComplex());
    return true;
  case Kind::Str:
    out += py::str::repr(strRef(v)).bytes();
    return true;
  case Kind::Bytes:
    out += py::bytes::repr(v.asBytes()).bytes();
    return true;
  case Kind::DType:
    out += ("torch." + getDTypeInfo(v.asDType()).torchName).str();
    return true;
  case Kind::Device:
    device(v);
    return true;
  case Kind::Layout:
    out += "torch.strided";
    return true;
  case Kind::MemoryFormat:
    out += "torch." + aten::toString(aten::MemoryFormat(v.bits())).str();
    return true;
  case Kind::Scalar:
  case Kind::Size:
  case Kind::Tensor:
  case Kind::Template:
    return runTime(v);
  case Kind::Builtin:
    if (isSpecialMethodOfC(v))
      return refused("the text of a special method of a builtin class");
    builtin(v, nullptr);
    return true;
  case Kind::Code:
    out += "<code object>";
    return true;
  case Kind::Opaque:
    if (!isAskedByTyping(e))
      return e.refuseOpaque(v), false;
    out += v.nodeAs<OpaqueNode>(Kind::Opaque).path;
    return true;
  default:
    return false;
  }
}

bool Repr::write(const Value &given) {
  Value v = e.known(given);
  NativeLevel level(e);
  if (!level.ok) {
    (void)tooDeep(e, " while getting the repr of an object");
    return false;
  }
  switch (v.kind()) {
  case Kind::Choice:
    return e.isTensorLike(v) ? runTime(v) : choice(v, [&](const Value &one) { return write(one); });
  case Kind::Tuple:
    return tuple(v);
  case Kind::FrozenSet:
    return set(v, v.parts(), true);
  case Kind::Slice:
    return sequence(v.parts(), "slice(", ")");
  case Kind::Range: {
    llvm::ArrayRef<Value> parts = v.parts();
    bool step = !(parts[2].is(Kind::Int) && parts[2].asInt() == 1);
    return sequence(step ? parts : parts.take_front(2), "range(", ")");
  }
  case Kind::Bound:
    return bound(v);
  case Kind::Ref:
    return object(v);
  default:
    return atom(v);
  }
}

static std::optional<std::string> constantText(std::optional<Value> text) {
  return text && text->is(Kind::Str) ? std::optional(text->asStr().str()) : std::nullopt;
}

std::optional<std::string> capture::nativeRepr(Engine &e, const Value &v) {
  return constantText(nativeText(e, v, /*repr=*/true));
}

std::optional<std::string> capture::nativeStr(Engine &e, const Value &v) {
  return constantText(nativeText(e, v, /*repr=*/false));
}

std::optional<Value> capture::exceptionArgsText(Engine &e, const Value &v) {
  Value content = e.known(e.heap.get(v.asRef(), slot::kContent));
  if (!content.is(Kind::Tuple))
    return std::nullopt;
  llvm::ArrayRef<Value> args = content.parts();
  if (args.empty())
    return Value::str("");
  if (args.size() > 1)
    return nativeText(e, content, /*repr=*/true);
  return nativeText(e, args[0], /*repr=*/isInstance(e, v, WellKnown::KeyError));
}

std::optional<Value> capture::nativeText(Engine &e, const Value &given, bool repr) {
  Value v = e.known(given);
  if (!repr && v.is(Kind::Choice) && !e.isTensorLike(v)) {
    v = e.decide(v);
    if (v.isFail())
      return std::nullopt;
  }
  Repr writer(e);
  if (!repr && (v.is(Kind::Str) || v.is(Kind::Template)))
    return v;
  if (!repr && v.is(Kind::Device))
    return Value::str(aten::toString(unpackDevice(v.bits())));
  if (!repr && v.is(Kind::Ref)) {
    if (overridesBuiltin(e, v, WellKnown::Str))
      return std::nullopt;
    if (isException(e, v))
      return exceptionText(e, v);
    Value content = e.unboxed(v);
    if (content.is(Kind::Str) || content.is(Kind::Template))
      return content;
  }
  if (!writer.write(v))
    return std::nullopt;
  return writer.out.take();
}

// ==
// -----------------------------------------------------------------------------------------------------

static bool numbersEqual(const Value &a, const Value &b) {
  if (isIntConst(a) && isIntConst(b))
    return asPyInt(a) == asPyInt(b);
  if (a.is(Kind::Complex) || b.is(Kind::Complex)) {
    const Value &c = a.is(Kind::Complex) ? a : b;
    const Value &o = a.is(Kind::Complex) ? b : a;
    if (o.is(Kind::Complex))
      return c.asComplex() == o.asComplex();
    return c.asComplex().imag() == 0 && numbersEqual(Value::real(c.asComplex().real()), o);
  }
  if (a.is(Kind::Float) && b.is(Kind::Float))
    return a.asFloat() == b.asFloat();
  return a.is(Kind::Float) ? py::compare(asPyInt(b), a.asFloat()) == 0
                           : py::compare(asPyInt(a), b.asFloat()) == 0;
}

/// Is an element equal to another without asking ==? A NaN is equal to itself in this way; which
/// NaN it is says its payload (freshNaN). Containers are left to ==, for their depth.
static std::optional<bool> itemsEqual(Engine &e, llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (areOneItem(a[i], b[i]))
      continue;
    std::optional<bool> same = nativeEqual(e, a[i], b[i]);
    if (!same || !*same)
      return same;
  }
  return true;
}

static std::optional<bool> dictsEqual(Engine &e, const Value &a, const Value &b) {
  PTC_DO(openContents(e, {a, b})); // the dict of an object holds its attributes when it is asked
  Value left = e.heap.get(a.asRef(), slot::kContent);
  llvm::ArrayRef<Value> items = left.parts();
  if (items.size() != dictItems(e, b).size())
    return false;
  for (size_t i = 0; i < items.size(); i += 2) {
    std::optional<Found> found = dictFind(e, b, items[i]);
    if (!found || found->needsPython)
      return std::nullopt;
    if (found->position < 0)
      return false;
    const Value &other = dictItems(e, b)[size_t(found->position) * 2 + 1];
    if (areOneItem(items[i + 1], other))
      continue;
    std::optional<bool> same = nativeEqual(e, items[i + 1], other);
    if (!same || !*same)
      return same;
  }
  return true;
}

static std::optional<bool> setsEqual(Engine &e, llvm::ArrayRef<Value> a, const Value &b) {
  if (a.size() != setItems(e, b).size())
    return false;
  for (const Value &item : a) {
    std::optional<bool> found = setContains(e, b, item);
    if (!found || !*found)
      return found;
  }
  return true;
}

/// A builtin value or container that an instance of a class derived from it is compared as.
static Value comparable(Engine &e, const Value &v, bool &custom) {
  custom |= v.is(Kind::Ref) && overridesBuiltin(e, v, WellKnown::Eq);
  return e.unboxed(v);
}

static bool isSetLike(Engine &e, const Value &v) {
  return v.is(Kind::FrozenSet) || isRefTo(e, v, ObjectKind::Set);
}

std::optional<bool> capture::nativeEqual(Engine &e, const Value &givenA, const Value &givenB) {
  NativeLevel level(e);
  if (!level.ok)
    return tooDeep(e, " in comparison");
  bool custom = false;
  Value a = comparable(e, e.known(givenA), custom), b = comparable(e, e.known(givenB), custom);
  if (custom || a.is(Kind::Choice) || b.is(Kind::Choice))
    return std::nullopt;
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque))
    return e.sameObject(a, b);
  if (isNumberConst(a) && isNumberConst(b))
    return numbersEqual(a, b);
  bool runTime = a.is(Kind::Scalar) || b.is(Kind::Scalar) || a.is(Kind::Size) || b.is(Kind::Size) ||
                 a.is(Kind::Tensor) || b.is(Kind::Tensor) || a.is(Kind::Template) ||
                 b.is(Kind::Template);
  if (runTime) {
    bool numberA = numberType(a) != NumberType::NotNumber,
         numberB = numberType(b) != NumberType::NotNumber;
    if (numberA != numberB)
      return a.is(Kind::Tensor) || b.is(Kind::Tensor) ? std::nullopt : std::optional<bool>(false);
    // One run-time float may be NaN, and two objects.
    if (a == b && numberType(a) != NumberType::Float)
      return true;
    return std::nullopt;
  }
  if ((isUndecided(e, a) || isUndecided(e, b)) && !(a == b))
    return std::nullopt;
  if ((isGrownTuple(e, a) || isGrownTuple(e, b)) && !(a == b))
    return (void)e.refuse(DiagId::RunTimeListArgument), std::nullopt;
  for (const Value *v : {&a, &b})
    if (isRunTimeTable(e, *v) || isViewOfTable(e, *v))
      return a == b ? std::optional<bool>(true) : refuseTable(e);
  if ((isDictView(e, a) || isDictView(e, b)) && !(a == b))
    return isItemsView(e, a) || isItemsView(e, b) ? std::nullopt : viewsEqual(e, a, b);
  if (a.is(Kind::Ref) && b.is(Kind::Ref)) {
    if (a == b)
      return true;
    noteDistinct(e, a, b);
    ObjectKind kind = e.heap.kind(a.asRef());
    if (isSetLike(e, a) && isSetLike(e, b))
      return setsEqual(e, setItems(e, a), b);
    if (kind != e.heap.kind(b.asRef()))
      return false;
    if (kind == ObjectKind::List) {
      Value left = e.heap.get(a.asRef(), slot::kContent),
            right = e.heap.get(b.asRef(), slot::kContent);
      if (!left.is(Kind::Tuple) || !right.is(Kind::Tuple))
        return std::nullopt;
      return itemsEqual(e, left.parts(), right.parts());
    }
    if (kind == ObjectKind::Dict)
      return dictsEqual(e, a, b);
    if (kind == ObjectKind::Instance)
      return viewsEqual(e, a, b);
    return false;
  }
  if (isSetLike(e, a) && isSetLike(e, b))
    return setsEqual(e, setItems(e, a), b);
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case Kind::Tuple:
  case Kind::Slice:
  case Kind::Bound:
    return itemsEqual(e, a.parts(), b.parts());
  case Kind::Range: {
    auto x = rangeOf(a), y = rangeOf(b);
    return x && y ? std::optional<bool>(*x == *y) : std::nullopt;
  }
  default:
    return a == b;
  }
}
