//===- Objects.cpp - Builtin classes, types of values ----------------------------===//
//
// In: Types.def and Builtins.def. Out: class objects in the heap with their native attributes, and
// the answers that only need these: type(), subclass tests, names.
//
//===----------------------------------------------------------------------===//
#include "Objects.h"
#include "Answers.h"
#include "Members.h"
#include "NamedResults.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

namespace {
struct TypeRow {
  WellKnown id, base;
  const char *name;
  Layout layout;
};
} // namespace

static constexpr TypeRow kTypes[] = {
#define PTC_TYPE(Id, Text, Base, LayoutKind)                                                       \
  {WellKnown::Id, WellKnown::Base, Text, Layout::LayoutKind},
#include "Types.def"
};

ObjectId Engine::builtinClass(WellKnown name) const {
  size_t n = size_t(name) - size_t(WellKnown::ObjectType);
  assert(n < kNumTypes && "no builtin class has this name");
  return world->classes[n];
}

ObjectId Engine::makeClass(ClassInfo info) {
  ClassInfo &kept = world->classInfos.emplace_back(std::move(info));
  ObjectId id = heap.allocate(ObjectKind::Class, kept.meta, &kept);
  kept.self = id;
  kept.mro.insert(kept.mro.begin(), id);
  return id;
}

ObjectId Engine::makeModule(llvm::StringRef name, llvm::StringRef file, bool prelude) {
  ModuleInfo &info = world->moduleInfos.emplace_back(ModuleInfo{name.str(), file.str(), prelude});
  ObjectId id = heap.allocate(ObjectKind::Module, 0, &info);
  heap.set(id, attrKey(WellKnown::Name), Value::str(name));
  heap.set(id, attrKey(WellKnown::Doc), Value::none());
  if (!world->modules)
    return id;
  Heap::OwnWrites own(heap);
  heap.set(world->modules, attrKey(intern(name)), Value::ref(id));
  return id;
}

static llvm::StringRef moduleOfType(WellKnown id) {
  return id >= WellKnown::TensorType && id <= WellKnown::TorchGeneratorType ? "torch" : "builtins";
}

/// Has the class a name in the module builtins?
static bool isNamedBuiltin(const TypeRow &row) {
  bool maker = row.id >= WellKnown::MapType && row.id <= WellKnown::ReversedType;
  return maker || row.id == WellKnown::RangeType || row.id == WellKnown::SliceType ||
         (row.layout != Layout::None && row.id != WellKnown::ModuleType);
}

void capture::bootstrapTypes(Engine &e) {
  World &w = *e.world;
  for (size_t i = 0; i < kNumTypes; ++i) {
    const TypeRow &row = kTypes[i];
    ClassInfo info;
    info.name = row.name;
    info.module = moduleOfType(row.id).str();
    info.layout = row.layout;
    info.builtin = true;
    if (i) {
      ObjectId base = e.builtinClass(row.base);
      info.bases = {base};
      info.mro = e.classInfo(base).mro;
    }
    w.classes[i] = e.makeClass(std::move(info));
    if (row.id == WellKnown::TorchSizeType)
      makeNamedResultClasses(e);
  }
  for (ClassInfo &info : w.classInfos)
    info.meta = e.builtinClass(WellKnown::TypeType);
  w.modules = e.heap.allocate(ObjectKind::Instance, e.builtinClass(WellKnown::ObjectType));
  w.builtins = e.makeModule("builtins", "", true);
  for (size_t i = 0; i < kNumTypes; ++i)
    if (moduleOfType(kTypes[i].id) == "builtins" && isNamedBuiltin(kTypes[i]))
      e.heap.set(w.builtins, attrKey(e.intern(kTypes[i].name)), Value::ref(w.classes[i]));
  ObjectId base = e.builtinClass(WellKnown::BaseException);
  e.heap.set(base, attrKey(WellKnown::Cause), Value::none());
  e.heap.set(base, attrKey(WellKnown::Context), Value::none());
  e.heap.set(base, attrKey(WellKnown::Traceback), Value::none());
  e.heap.set(base, attrKey(WellKnown::SuppressContext), Value::boolean(false));
  addExceptionMembers(e);
  // Unhashable builtins.
  for (WellKnown id :
       {WellKnown::ListType, WellKnown::DictType, WellKnown::SetType, WellKnown::ByteArrayType,
        WellKnown::DictKeysType, WellKnown::DictItemsType, WellKnown::CellType})
    e.heap.set(e.builtinClass(id), attrKey(WellKnown::Hash), Value::none());
  auto rows = builtinRows();
  w.signatures.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    Value v = Value::constant(Kind::Builtin, i);
    NameId name = e.intern(rows[i].name);
    if (rows[i].kind != BuiltinKind::Function) {
      e.heap.set(e.builtinClass(rows[i].owner), attrKey(name), v);
      continue;
    }
    ObjectId module = findModule(e, rows[i].module);
    if (!module)
      module = e.makeModule(rows[i].module, "", true);
    e.heap.set(module, attrKey(name), v);
  }
  bootstrapWorldModules(e);
}

uint32_t World::minorVersion() const {
  uint32_t minor = 0;
  (void)ptc::getVersionName(version).split('.').second.getAsInteger(10, minor);
  return minor;
}

const Signature &World::signatureOf(Engine &e, const BuiltinRow &row) {
  size_t n = size_t(&row - builtinRows().data());
  if (!signatures[n])
    signatures[n] = std::make_unique<Signature>(parseSignature(e, row.signature));
  return *signatures[n];
}

// Types of values
// ----------------------------------------------------------------------------------------

/// Is the function a builtin that the prelude writes in Python: print, sorted …?
static bool isBuiltinInPython(Engine &e, ObjectId id) {
  const FunctionRecord &f = functionOf(e, id);
  return f.globals == e.world->prelude && !f.code->name.starts_with("_");
}

static WellKnown typeOfObject(Engine &e, ObjectId id) {
  switch (e.heap.kind(id)) {
  case ObjectKind::Engine:
    return WellKnown::ObjectType;
  case ObjectKind::Frame:
    if (e.heap.get(id, slot::kGenState).isAbsent())
      return WellKnown::FrameType;
    return e.code(id).code->hasFlag(ptc::CO_COROUTINE)         ? WellKnown::CoroutineType
           : e.code(id).code->hasFlag(ptc::CO_ASYNC_GENERATOR) ? WellKnown::AsyncGeneratorType
                                                               : WellKnown::GeneratorType;
  case ObjectKind::Cell:
    return WellKnown::CellType;
  case ObjectKind::Function:
    return isBuiltinInPython(e, id) ? WellKnown::BuiltinType : WellKnown::FunctionType;
  case ObjectKind::Class:
    return WellKnown::TypeType;
  case ObjectKind::Module:
    return WellKnown::ModuleType;
  case ObjectKind::Instance:
    return WellKnown::ObjectType;
  case ObjectKind::List:
    return WellKnown::ListType;
  case ObjectKind::Dict:
    return WellKnown::DictType;
  case ObjectKind::Set:
    return WellKnown::SetType;
  case ObjectKind::ByteArray:
    return WellKnown::ByteArrayType;
  case ObjectKind::Iterator:
    return WellKnown::IteratorType;
  case ObjectKind::Storage:
    return WellKnown::ObjectType;
  case ObjectKind::Generator:
    return WellKnown::TorchGeneratorType;
  }
  llvm_unreachable("closed enum");
}

static WellKnown typeOfBuiltin(const Value &v) {
  switch (builtinRows()[v.bits()].kind) {
  case BuiltinKind::Method:
  case BuiltinKind::ClassMethod:
    return WellKnown::MethodDescriptorType;
  case BuiltinKind::Getter:
    return WellKnown::GetSetType;
  case BuiltinKind::Function:
  case BuiltinKind::Static:
    return WellKnown::BuiltinType;
  }
  llvm_unreachable("closed enum");
}

static WellKnown typeOfNumber(NumberType type) {
  switch (type) {
  case NumberType::Bool:
    return WellKnown::BoolType;
  case NumberType::Int:
    return WellKnown::IntType;
  case NumberType::Float:
    return WellKnown::FloatType;
  case NumberType::NotNumber:
    break;
  }
  llvm_unreachable("not a number");
}

/// A function that is written in C and bound by types.MethodType() is none.
static bool isMethodOfC(const Value &bound) {
  const Value &function = bound.parts()[1];
  return function.is(Kind::TorchOp) ||
         (function.is(Kind::Builtin) &&
          builtinRows()[function.bits()].kind != BuiltinKind::Function);
}

static WellKnown builtinTypeOf(Engine &e, const Value &v) {
  switch (v.kind()) {
  case Kind::None:
    return WellKnown::NoneTypeType;
  case Kind::Ellipsis:
    return WellKnown::EllipsisType;
  case Kind::NotImplemented:
    return WellKnown::NotImplementedTypeType;
  case Kind::Bool:
  case Kind::Int:
  case Kind::BigInt:
  case Kind::Float:
  case Kind::Scalar:
  case Kind::Size:
    return typeOfNumber(numberType(v));
  case Kind::DType:
    return WellKnown::TorchDTypeType;
  case Kind::Device:
    return WellKnown::TorchDeviceType;
  case Kind::Layout:
    return WellKnown::TorchLayoutType;
  case Kind::MemoryFormat:
    return WellKnown::TorchMemoryFormatType;
  case Kind::Builtin:
    return typeOfBuiltin(v);
  case Kind::TorchOp:
    return WellKnown::BuiltinType;
  case Kind::Ref:
    return typeOfObject(e, v.asRef());
  case Kind::Complex:
    return WellKnown::ComplexType;
  case Kind::Str:
  case Kind::Template:
    return WellKnown::StrType;
  case Kind::Bytes:
    return WellKnown::BytesType;
  case Kind::Code:
    return WellKnown::CodeType;
  case Kind::Tuple:
    return v.sub() == uint8_t(TupleTag::TorchSize) ? WellKnown::TorchSizeType
                                                   : WellKnown::TupleType;
  case Kind::FrozenSet:
    return WellKnown::FrozenSetType;
  case Kind::Slice:
    return WellKnown::SliceType;
  case Kind::Range:
    return WellKnown::RangeType;
  case Kind::Bound:
    return isMethodOfC(v) ? WellKnown::BuiltinType : WellKnown::MethodType;
  case Kind::Tensor:
    return WellKnown::TensorType;
  case Kind::Opaque:
    return WellKnown::OpaqueType;
  case Kind::Fail:
  case Kind::Absent:
  case Kind::Null:
  case Kind::Ip:
  case Kind::Raw:
  case Kind::DictItems:
  case Kind::SetItems:
  case Kind::RunTimeList:
  case Kind::Choice:
    break;
  }
  llvm_unreachable("a value without a type");
}

ObjectId Engine::typeOf(const Value &v) {
  if (v.is(Kind::Ref)) {
    const ObjectHeader &header = heap.header(v.asRef());
    if (header.kind == ObjectKind::Class)
      return classInfo(v.asRef()).meta;
    if (header.kind == ObjectKind::Module)
      if (const Value &set = heap.get(v.asRef(), attrKey(WellKnown::Class)); set.is(Kind::Ref))
        return set.asRef();
    if (header.cls)
      return header.cls;
  }
  if (v.is(Kind::Choice) && isTensorLike(v))
    return builtinClass(WellKnown::TensorType);
  if (isNamedResult(v))
    return namedResultClass(*this, v);
  return builtinClass(builtinTypeOf(*this, v));
}

bool Engine::isSubclass(ObjectId cls, ObjectId base) const {
  return cls == base || llvm::is_contained(classInfo(cls).mro, base);
}

bool capture::isInstance(Engine &e, const Value &v, WellKnown cls) {
  return e.isSubclass(e.typeOf(v), e.builtinClass(cls));
}

Value Engine::lookupInClass(ObjectId cls, NameId name) {
  uint32_t key = attrKey(name);
  for (ObjectId c : classInfo(cls).mro) {
    const Value &v = heap.get(c, key);
    if (v.isAbsent())
      continue;
    if (!v.is(Kind::Choice))
      return v;
    // That some sides have none is decided here; until it is, the fork is pending and what is found
    // means nothing.
    if (Value bound = boundValue(v); !bound.isAbsent() && !bound.isFail())
      return bound;
  }
  return Value();
}

Value Engine::unboxed(const Value &v) const {
  if (!v.is(Kind::Ref))
    return v;
  const ObjectHeader &header = heap.header(v.asRef());
  if (header.kind != ObjectKind::Instance || !header.cls ||
      classInfo(header.cls).layout != Layout::Boxed)
    return v;
  return heap.get(v.asRef(), slot::kContent);
}

Value Engine::makeList(std::vector<Value> items) {
  ObjectId id = heap.allocate(ObjectKind::List);
  heap.set(id, slot::kContent, Value::tuple(std::move(items)));
  return Value::ref(id);
}

Value Engine::makeDict(std::vector<Value> keysAndValues) {
  ObjectId id = heap.allocate(ObjectKind::Dict);
  heap.set(id, slot::kContent, Value::composite(Kind::DictItems, std::move(keysAndValues)));
  return Value::ref(id);
}

// Names
// --------------------------------------------------------------------------------------------------

static std::string givenName(Engine &e, ObjectId cls, uint32_t slot) {
  const Value &given = e.heap.get(cls, slot);
  return given.is(Kind::Str) ? given.asStr().str() : e.classInfo(cls).name;
}

static std::string givenModule(Engine &e, ObjectId cls) {
  const Value &given = e.heap.get(cls, attrKey(WellKnown::Module));
  return given.is(Kind::Str) ? given.asStr().str() : e.classInfo(cls).module;
}

static std::string joinName(const std::string &module, const std::string &name) {
  return module == "builtins" || module.empty() ? name : module + "." + name;
}

/// Module and name of a class of a library; nothing of one of the program, and of one that only the
/// model has.
static std::optional<std::pair<std::string, std::string>> libraryName(Engine &e, ObjectId cls) {
  if (cls <= e.world->classes.back() && e.classInfo(cls).module == "builtins")
    return std::nullopt;
  const std::string path = definedPathOf(e, cls);
  llvm::StringRef module = path;
  while (module.contains('.')) {
    module = module.rsplit('.').first;
    if (isKnownModule(module, e.world->minorVersion()))
      return std::pair(module.str(), path.substr(module.size() + 1));
  }
  return std::nullopt;
}

std::string capture::className(Engine &e, ObjectId cls) {
  auto known = libraryName(e, cls);
  return known ? llvm::StringRef(known->second).rsplit('.').second.empty()
                     ? known->second
                     : llvm::StringRef(known->second).rsplit('.').second.str()
               : givenName(e, cls, slot::kClassName);
}

std::string capture::classQualName(Engine &e, ObjectId cls) {
  auto known = libraryName(e, cls);
  return known ? known->second : givenName(e, cls, slot::kClassQualName);
}

std::string capture::classModule(Engine &e, ObjectId cls) {
  auto known = libraryName(e, cls);
  return known ? known->first : givenModule(e, cls);
}

std::string capture::classFullName(Engine &e, ObjectId cls) {
  if (auto known = libraryName(e, cls))
    return joinName(known->first, known->second);
  return modelName(e, cls);
}

std::string capture::modelName(Engine &e, ObjectId cls) {
  return joinName(givenModule(e, cls), givenName(e, cls, slot::kClassQualName));
}

/// Of a choice the first alternative's: callNative() decides it before anybody sees the text.
std::string capture::typeName(Engine &e, const Value &v) {
  ObjectId cls = e.typeOf(alternativesOf(v).front());
  std::optional<KnownClass> known = knownClass(e, cls);
  // What the tables do not have, and is said to be known, is of C.
  const bool isOfC = known ? known->isListed() : !definedPathOf(e, cls).empty();
  return isOfC ? classFullName(e, cls) : className(e, cls);
}

bool capture::isPythonFunction(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Function);
}

bool capture::isUserObject(Engine &e, const Value &v) {
  if (!v.is(Kind::Ref))
    return false;
  const ObjectHeader &header = e.heap.header(v.asRef());
  switch (header.kind) {
  case ObjectKind::Instance:
    return header.cls > e.world->classes.back() ||
           header.cls == e.builtinClass(WellKnown::ByteArrayType);
  case ObjectKind::Class:
    return !e.classInfo(e.classInfo(v.asRef()).meta).builtin;
  default:
    return header.cls != 0 && !e.classInfo(header.cls).builtin;
  }
}
