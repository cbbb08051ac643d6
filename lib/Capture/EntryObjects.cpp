//===- EntryObjects.cpp - Objects among the arguments of an entry
//------------------------------===//
//
// In: {"$object": "module:Name", …} of the examples. Out: instances of these classes, whose
// attributes are arguments by path. Classes, and what a call of them makes of the attributes that
// are not given, are found before the entry is called: no code of the class runs in a call.
//
//===----------------------------------------------------------------------===//
#include "EntryCapture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::capture;

/// Nothing can be written into it, so that calls may share it.
static bool isImmutable(Engine &e, const Value &v) {
  switch (v.kind()) {
  case Kind::None:
  case Kind::Bool:
  case Kind::Int:
  case Kind::BigInt:
  case Kind::Float:
  case Kind::Str:
  case Kind::Bytes:
  case Kind::DType:
  case Kind::Device:
    return true;
  case Kind::Tuple:
    return llvm::all_of(v.parts(), [&](const Value &part) { return isImmutable(e, part); });
  default:
    return isClass(e, v) || isRefTo(e, v, ObjectKind::Function) ||
           isRefTo(e, v, ObjectKind::Module);
  }
}

/// What a caller's object is compared with, as the loader writes it (_constant_text): repr(), and
/// of a class its name; empty: nobody can tell from outside.
static std::string constantText(Engine &e, const Value &v) {
  if (v.is(Kind::Tuple)) {
    std::string text;
    for (const Value &part : v.parts()) {
      std::string one = constantText(e, part);
      if (one.empty())
        return "";
      text += one + ", ";
    }
    return TupleTag(v.sub()) == TupleTag::Plain ? "(" + text + ")" : "";
  }
  if (isClass(e, v))
    return "<class '" + className(e, v.asRef()) + "'>"; // as the classes of objects are compared
  const bool isConstant = v.isNone() || v.is(Kind::Bool) || v.is(Kind::Int) || v.is(Kind::BigInt) ||
                          v.is(Kind::Float) || v.is(Kind::Str) || v.is(Kind::Bytes) ||
                          v.is(Kind::DType) || v.is(Kind::Device);
  return isConstant ? nativeRepr(e, v).value_or("") : "";
}

/// The results of models in transformers and diffusers: ordered dicts of their fields that are not
/// None, which are attributes, too.
static bool holdsFieldsAsItems(Engine &e, ObjectId cls) {
  return llvm::any_of(e.classInfo(cls).mro, [&](ObjectId base) {
    const std::string name = classFullName(e, base);
    return name == "transformers.utils.generic.ModelOutput" ||
           name == "diffusers.utils.outputs.BaseOutput";
  });
}

static bool isNamedTuple(Engine &e, ObjectId cls, llvm::ArrayRef<std::string> names) {
  const Value fields = e.lookupInClass(cls, e.intern("_fields"));
  if (e.classInfo(cls).layout != Layout::Boxed || !fields.is(Kind::Tuple))
    return false;
  return llvm::equal(fields.parts(), names, [](const Value &field, const std::string &name) {
    return field.is(Kind::Str) && field.asStr() == name;
  });
}

/// Why objects of the class cannot be told by such attributes; empty: they can.
static std::string whyNoObject(Engine &e, ObjectId cls, const ExampleValue &v) {
  const ClassInfo &info = e.classInfo(cls);
  const bool isTuple = isNamedTuple(e, cls, v.names);
  const bool isDict = info.layout == Layout::Dict && holdsFieldsAsItems(e, cls);
  if (llvm::StringRef(className(e, info.meta)).starts_with("Enum"))
    return "it is an enumeration";
  if (info.builtin || e.isSubclass(cls, e.builtinClass(WellKnown::TensorType)) ||
      (info.layout != Layout::Plain && !isTuple && !isDict))
    return info.layout == Layout::Boxed && !info.builtin ? "it is no named tuple with these fields"
                                                         : "its objects hold more than attributes";
  if (!v.maker.empty() && info.layout != Layout::Plain)
    return "args and kwargs are for objects that hold nothing but attributes";
  if (!e.lookupInClass(cls, NameId(WellKnown::Del)).isAbsent())
    return "it has a __del__";
  for (const std::string &name : v.names) {
    const Value inClass = e.lookupInClass(cls, e.intern(name));
    if (isTuple || !isRefTo(e, inClass, ObjectKind::Instance))
      continue;
    const ObjectId type = e.typeOf(inClass);
    const bool isCode = type == e.builtinClass(WellKnown::PropertyType) ||
                        (type != e.builtinClass(WellKnown::SlotType) &&
                         !e.lookupInClass(type, NameId(WellKnown::Set)).isAbsent());
    if (isCode)
      return "its '" + name + "' is made by code";
  }
  return "";
}

/// An object with these attributes, and those of `made` that are not among them. Fail: one cannot
/// be set.
static Value objectWith(Engine &e, const ObjectClass &made, llvm::ArrayRef<std::string> names,
                        llvm::ArrayRef<Value> parts) {
  const ObjectId id = allocateInstance(e, made.cls);
  const Layout layout = e.classInfo(made.cls).layout;
  if (layout == Layout::Boxed) {
    e.heap.set(id, slot::kContent, Value::tuple(parts.vec()));
    return Value::ref(id);
  }
  auto set = [&](NameId name, const Value &value) {
    const Value done = genericSetAttr(e, Value::ref(id), name, value);
    return !done.isFail() && !Engine::isCalled(done);
  };
  for (const auto &[name, value] : made.attributes)
    if (!llvm::is_contained(names, e.nameText(name)) && !set(name, value))
      return Value::fail();
  std::vector<Value> items;
  for (const auto &[name, value] : llvm::zip_equal(names, parts)) {
    if (!set(e.intern(name), value))
      return Value::fail();
    if (value.isNone())
      continue;
    items.push_back(Value::str(name));
    items.push_back(value);
  }
  if (layout == Layout::Dict)
    e.heap.set(id, slot::kContent, Value::composite(Kind::DictItems, std::move(items)));
  return Value::ref(id);
}

/// What the maker leaves in the attributes that are not given.
llvm::Error EntryCapture::addMadeAttributes(ObjectClass &found, const ExampleValue &v,
                                            std::string &why) {
  auto made = entry.makeInitArgument(v.maker.front());
  if (!made)
    return made.takeError();
  if (!isRefTo(e, *made, ObjectKind::Instance) || e.typeOf(*made) != found.cls) {
    why = "a call of it makes a " + typeName(e, *made);
    return llvm::Error::success();
  }
  const std::string object = objectClass(v);
  const bool isNew = llvm::none_of(this->made, [&](auto &row) { return row.object == object; });
  e.heap.forEachSlot(made->asRef(), [&](uint32_t key, const Value &value) {
    if (!isAttrKey(key))
      return;
    const bool isField = llvm::is_contained(v.names, e.nameText(nameOfKey(key)));
    const std::string text = constantText(e, value);
    if (isNew)
      this->made.push_back({object, e.nameText(nameOfKey(key)).str(), text});
    if (isField)
      return;
    if (why.empty() && text.empty() && isImmutable(e, value))
      why = ("its attribute '" + e.nameText(nameOfKey(key)) + "' is a " + typeName(e, value) +
             " that nobody can compare from outside, and no field")
                .str();
    if (why.empty() && !isImmutable(e, value))
      why = ("its attribute '" + e.nameText(nameOfKey(key)) + "' is a " + typeName(e, value) +
             " that calls can change, and no field")
                .str();
    found.attributes.emplace_back(nameOfKey(key), value);
  });
  return llvm::Error::success();
}

/// Finds the class of an object, and checks that such an object can be made.
llvm::Error EntryCapture::findClass(const std::string &path, const ExampleValue &v) {
  auto cls = entry.namedByInit(v.text);
  if (!cls)
    return cls.takeError();
  if (cls->is(Kind::Opaque)) {
    (void)e.refuseOpaque(*cls);
    return session.failure();
  }
  ObjectClass found;
  std::string why = isClass(e, *cls) ? "" : "it is no class";
  if (why.empty()) {
    found.cls = cls->asRef();
    why = whyNoObject(e, found.cls, v);
  }
  if (why.empty() && !v.maker.empty())
    if (llvm::Error error = addMadeAttributes(found, v, why))
      return error;
  if (why.empty()) {
    Heap::Mark mark = e.heap.mark();
    std::vector<Value> parts(v.names.size(), Value::none());
    if (objectWith(e, found, v.names, parts).isFail())
      why = "its objects do not have all of these attributes";
    e.pending = {};
    e.heap.rollback(mark);
  }
  if (why.empty()) {
    objectClasses.try_emplace(&v, std::move(found));
    return llvm::Error::success();
  }
  Diagnostic diag = makeDiagnostic(
      DiagId::CallDoesNotFit, {}, "'" + path + "' cannot be an object of '" + v.text + "': " + why);
  diag.hint("make it in the program, of what is given: of its tensors and numbers");
  return makeError(std::move(diag));
}

llvm::Error EntryCapture::findClasses(const std::string &path, const ExampleValue &v) {
  llvm::Error all = llvm::Error::success();
  if (v.kind == ExampleValue::Kind::Object)
    for (Diagnostic &diag : takeDiagnostics(findClass(path, v))) {
      if (diag.info().severity == Severity::Error && diag.id != DiagId::CallDoesNotFit)
        diag.note("'" + path + "' is an object of '" + objectClass(v) + "'");
      all = llvm::joinErrors(std::move(all), makeError(std::move(diag)));
    }
  forEachPart(path, v, [&](const std::string &at, const ExampleValue &part) {
    all = llvm::joinErrors(std::move(all), findClasses(at, part));
  });
  return all;
}

Value EntryCapture::objectArgument(const ExampleValue &v, llvm::ArrayRef<Value> parts) {
  auto found = objectClasses.find(&v);
  assert(found != objectClasses.end() && "findClasses() has seen all examples");
  Value made = objectWith(e, found->second, v.names, parts);
  assert(!made.isFail() && "findClass() has made one");
  return made;
}
