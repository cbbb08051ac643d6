//===- Calls.cpp - Frames, calls and what happens to their results -------------===//
//
// In: a callee and arguments. Out: a value, a failure, or an entered frame (called). Nothing here
// waits for Python code: results come back through finish().
//
//===----------------------------------------------------------------------===//
#include "Builtins/Builtins.h"
#include "KnownNames.h"
#include "NumberLists.h"
#include "Overrides.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "Signature.h"
#include "Template.h"
#include "Tensors.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::Diagnostic;
namespace py = ptc::py;
using ptc::DiagId;

// The operand stack
// --------------------------------------------------------------------------------

void Engine::push(ObjectId frame, Value v) {
  uint32_t sp = heap.get(frame, slot::kSp).asIp();
  heap.set(frame, stackBase(frame) + sp, std::move(v));
  heap.set(frame, slot::kSp, Value::ip(sp + 1));
}

Value Engine::pop(ObjectId frame) {
  uint32_t sp = heap.get(frame, slot::kSp).asIp() - 1;
  uint32_t key = stackBase(frame) + sp;
  heap.set(frame, slot::kSp, Value::ip(sp));
  Value v = std::exchange(heap.getForUpdate(frame, key), Value());
  return v.is(Kind::Choice) ? known(v) : v;
}

std::vector<Value> Engine::popN(ObjectId frame, size_t n) {
  std::vector<Value> values(n);
  for (size_t i = n; i-- > 0;)
    values[i] = pop(frame);
  return values;
}

uint32_t Engine::stackSlot(ObjectId frame, uint32_t depth) const {
  uint32_t sp = heap.get(frame, slot::kSp).asIp();
  assert(depth < sp && "operand stack underflow");
  return stackBase(frame) + sp - 1 - depth;
}

// Code made ready
// ------------------------------------------------------------------------------------

static Value constantValue(Engine &e, const ptc::Constant *c) {
  using namespace ptc;
  switch (c->kind) {
  case ConstKind::None:
    return Value::none();
  case ConstKind::Ellipsis:
    return Value::ellipsis();
  case ConstKind::Bool:
    return Value::boolean(llvm::cast<BoolConstant>(c)->value);
  case ConstKind::Int: {
    const auto *i = llvm::cast<IntConstant>(c);
    if (std::optional<int64_t> small = i->asInt64())
      return Value::integer(*small);
    std::vector<uint32_t> limbs;
    for (uint64_t word : i->words) {
      limbs.push_back(uint32_t(word));
      limbs.push_back(uint32_t(word >> 32));
    }
    return Value::bigInt(py::PyInt::fromLimbs(i->negative, std::move(limbs)));
  }
  case ConstKind::Float:
    return Value::real(llvm::cast<FloatConstant>(c)->value);
  case ConstKind::Complex:
    return Value::complex(
        {llvm::cast<ComplexConstant>(c)->real, llvm::cast<ComplexConstant>(c)->imag});
  case ConstKind::Str:
    return Value::str(llvm::cast<StrConstant>(c)->text);
  case ConstKind::Bytes:
    return Value::bytes(llvm::cast<BytesConstant>(c)->data);
  case ConstKind::Tuple:
  case ConstKind::FrozenSet: {
    std::vector<Value> parts;
    bool tuple = c->kind == ConstKind::Tuple;
    for (const Constant *item :
         tuple ? llvm::cast<TupleConstant>(c)->items : llvm::cast<FrozenSetConstant>(c)->items)
      parts.push_back(constantValue(e, item));
    // The items of a frozenset come as marshal wrote them; the table that they enter orders them.
    return tuple ? Value::tuple(std::move(parts)) : makeSet(e, parts, /*frozen=*/true);
  }
  case ConstKind::Slice: {
    const auto *s = llvm::cast<SliceConstant>(c);
    return Value::composite(Kind::Slice, {constantValue(e, s->start), constantValue(e, s->stop),
                                          constantValue(e, s->step)});
  }
  case ConstKind::Code:
    return Value::code(llvm::cast<CodeObject>(c));
  }
  llvm_unreachable("closed enum");
}

static void fillRecord(Engine &e, CodeRecord &r, const CodeObject *code) {
  r.code = code;
  for (const ptc::LocalSlot &local : r.canonical.locals)
    r.localNames.push_back(e.intern(local.name));
  for (const ptc::Constant *c : r.canonical.consts)
    r.constants.push_back(constantValue(e, c));
  for (const auto &name : r.canonical.names) {
    r.names.push_back(e.intern(name));
    llvm::StringRef text = e.nameText(r.names.back());
    r.listsLocals |= text == "locals" || text == "vars" || text == "dir";
  }
  r.positional = code->argCount;
  r.positionalOnly = code->posOnlyArgCount;
  r.keywordOnly = code->kwOnlyArgCount;
  r.varArgs = code->hasFlag(ptc::CO_VARARGS);
  r.varKeywords = code->hasFlag(ptc::CO_VARKEYWORDS);
  r.generator = code->isGeneratorLike();
}

CodeRecord *capture::recordOf(Engine &e, const CodeObject *code) {
  std::unique_ptr<CodeRecord> &r = e.world->codes[code];
  if (r)
    return r.get();
  llvm::Expected<const ptc::CanonicalCode *> canonical = ptc::getCanonical(*code);
  if (!canonical) {
    for (Diagnostic &d : ptc::takeDiagnostics(canonical.takeError()))
      (void)e.refuse(std::move(d));
    return nullptr;
  }
  r = std::make_unique<CodeRecord>(**canonical);
  fillRecord(e, *r, code);
  return r.get();
}

/// Generators of the prelude that are instances of a builtin class in CPython.
static ObjectId generatorClassOf(Engine &e, const CodeObject &code) {
  struct Row {
    llvm::StringLiteral function;
    WellKnown type;
  };
  static constexpr Row rows[] = {{"_map1", WellKnown::MapType},
                                 {"_mapn", WellKnown::MapType},
                                 {"_zip", WellKnown::ZipType},
                                 {"_filter", WellKnown::FilterType},
                                 {"_enumerate", WellKnown::EnumerateType},
                                 {"_reversed", WellKnown::ReversedType},
                                 {"_iter_until", WellKnown::CallableIteratorType},
                                 {"_iter_items", WellKnown::IteratorType}};
  for (const Row &row : rows)
    if (code.name == row.function)
      return e.builtinClass(row.type);
  return 0;
}

/// Is a function of lib/Prelude one that CPython or PyTorch has in C?
static bool isBuiltinElsewhere(Engine &e, const CodeObject &code, ObjectId globals) {
  if (globals == e.world->prelude || code.qualName.contains('.'))
    return false;
  std::string module = moduleName(e, globals);
  std::optional<KnownName> known = findKnownName((llvm::Twine(module) + "." + code.qualName).str(),
                                                 e.world->minorVersion(), module);
  return known && known->kind == KnownKind::Function && known->type == "builtin_function_or_method";
}

Value capture::makeFunction(Engine &e, const CodeObject *code, ObjectId globals, bool hidden) {
  FunctionRecord &f = e.world->functions.emplace_back();
  f.code = code;
  f.globals = globals;
  f.hidden = hidden;
  ObjectId cls =
      hidden && isBuiltinElsewhere(e, *code, globals) ? e.builtinClass(WellKnown::BuiltinType) : 0;
  const ObjectId id = e.heap.allocate(ObjectKind::Function, cls, static_cast<FunctionInfo *>(&f));
  e.heap.set(id, attrKey(WellKnown::Name), Value::str(code->name));
  e.heap.set(id, attrKey(WellKnown::QualName), Value::str(code->qualName));
  Value module = e.heap.get(globals, attrKey(WellKnown::Name));
  e.heap.set(id, attrKey(WellKnown::Module), module.isAbsent() ? Value::none() : module);
  const ptc::StrConstant *doc = code->docString();
  e.heap.set(id, attrKey(WellKnown::Doc), doc ? Value::str(doc->text) : Value::none());
  return Value::ref(id);
}

const FunctionRecord &capture::functionOf(const Engine &e, ObjectId function) {
  const auto &f = *static_cast<const FunctionRecord *>(
      static_cast<const FunctionInfo *>(e.heap.header(function).info));
  if (!f.code)
    readCode(e, f);
  return f;
}

const FrameInfo *capture::bodyOf(Engine &e, ObjectId function) {
  const FunctionRecord &f = functionOf(e, function);
  if (f.frame.code)
    return &f.frame;
  const CodeRecord *record = recordOf(e, f.code);
  if (!record)
    return nullptr;
  f.frame = {&record->canonical, f.globals, function, f.hidden, record};
  if (f.globals == e.world->prelude && record->generator)
    f.frame.generatorClass = generatorClassOf(e, *f.code);
  return &f.frame;
}

// Frames
// -----------------------------------------------------------------------------------------------

static ObjectId allocateFrame(Engine &e, const FrameInfo *info, const CodeRecord &record) {
  ObjectId frame = e.heap.allocate(ObjectKind::Frame, info->generatorClass, info);
  uint32_t size = slot::kLocals + uint32_t(record.localNames.size()) + record.canonical.maxDepth;
  e.heap.set(frame, size, Value());
  e.heap.set(frame, slot::kIp, Value::ip(0));
  e.heap.set(frame, slot::kSp, Value::ip(0));
  return frame;
}

/// Makes `frame` the current one; its result goes to the present current frame.
static Value enterFrame(Engine &e, ObjectId frame, ReturnAction action, Value actionArg) {
  const Value &current = e.heap.get(kMachine, slot::kCurrentFrame);
  uint32_t depth = 0;
  if (current.is(Kind::Ref)) {
    depth = e.frameDepth(current.asRef()) + 1;
    if (depth > e.limits.depth)
      return tooDeep(e);
    e.heap.set(frame, slot::kCaller, current);
  } else {
    e.heap.set(frame, slot::kCaller, Value::none());
  }
  e.setFrameDepth(frame, depth);
  e.heap.set(frame, slot::kDepth, Value::ip(depth));
  e.heap.set(frame, slot::kAction, Value::ip(uint32_t(action)));
  if (!actionArg.isAbsent())
    e.heap.set(frame, slot::kActionArg, std::move(actionArg));
  e.heap.set(kMachine, slot::kCurrentFrame, Value::ref(frame));
  return Engine::called();
}

static void copyClosure(Engine &e, ObjectId frame, const CodeRecord &record, const Value &closure) {
  if (!closure.is(Kind::Tuple))
    return;
  llvm::ArrayRef<Value> cells = closure.parts();
  uint32_t first = slot::kLocals + uint32_t(record.localNames.size() - cells.size());
  for (uint32_t i = 0; i < cells.size(); ++i)
    e.heap.set(frame, first + i, cells[i]);
}

Value capture::enterBody(Engine &e, const Value &code, ObjectId globals, const Value &names,
                         const Value &closure, ReturnAction action, Value actionArg) {
  CodeRecord *record = recordOf(e, code.asCode());
  if (!record)
    return Value::fail();
  bool hidden = static_cast<const ModuleInfo *>(e.heap.header(globals).info)->prelude;
  FrameInfo &info =
      e.world->frames.emplace_back(FrameInfo{&record->canonical, globals, 0, hidden, record});
  ObjectId frame = allocateFrame(e, &info, *record);
  e.heap.set(frame, slot::kNamespace, names);
  copyClosure(e, frame, *record, closure);
  return enterFrame(e, frame, action, std::move(actionArg));
}

// Binding arguments
// --------------------------------------------------------------------------------------

namespace {
/// Binds the arguments of one call to the parameters of one Python function.
class Binder {
public:
  Binder(Engine &e, const FrameInfo &body, CallArgs &args)
      : e(e), function(body.function), args(args), r(*body.record) {}

  /// Values of the parameters, in localsplus order.
  std::optional<std::vector<Value>> bind();

private:
  std::string name() const {
    const Value &given = e.heap.get(function, attrKey(WellKnown::QualName));
    return (given.is(Kind::Str) ? given.asStr() : llvm::StringRef(r.code->qualName)).str() + "()";
  }
  Flow keyword(KeywordArg &arg, std::vector<Value> &extra);
  Flow defaults(size_t given);
  FailAny tooMany(size_t given);
  FailAny missing(llvm::ArrayRef<NameId> names, llvm::StringRef kind);
  /// Raises what a function of C says of such a number of arguments, if this one stands for one.
  Flow checkOfC(size_t given, std::optional<NameId> lacks) const;
  bool positionalOnlyNamed(std::string &names) const;
  FailAny unknownToBuiltin(NameId keyword) const;

  Engine &e;
  ObjectId function;
  CallArgs &args;
  const CodeRecord &r;
  std::vector<Value> bound;
};
} // namespace

Flow Binder::checkOfC(size_t given, std::optional<NameId> lacks) const {
  PTC_LET(raised, wrongCountOfC(e, function, args, given, lacks));
  return Flow::Next;
}

FailAny Binder::tooMany(size_t given) {
  PTC_DO(checkOfC(given, std::nullopt));
  const Value &defaults = e.heap.get(function, slot::kDefaults);
  size_t optional = defaults.is(Kind::Tuple) ? defaults.parts().size() : 0;
  std::string text = name() + " takes ";
  size_t most = r.positional;
  if (optional)
    text += "from " + std::to_string(most - optional) + " to " + std::to_string(most);
  else
    text += std::to_string(most);
  bool plural = optional || most != 1;
  text += plural ? " positional arguments but " : " positional argument but ";
  text += std::to_string(given);
  size_t named = 0;
  for (uint32_t i = r.positional; i < r.positional + r.keywordOnly; ++i)
    named += !bound[i].isAbsent();
  if (named)
    text += std::string(" positional argument") + (given != 1 ? "s" : "") + " (and " +
            std::to_string(named) + " keyword-only argument" + (named != 1 ? "s" : "") + ")";
  text += given == 1 && !named ? " was given" : " were given";
  return e.raise(WellKnown::TypeError, text);
}

FailAny Binder::missing(llvm::ArrayRef<NameId> names, llvm::StringRef kind) {
  if (kind == "positional")
    PTC_DO(checkOfC(args.positional.size(), names[0]));
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i)
      list += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    list += ("'" + e.nameText(names[i]) + "'").str();
  }
  return e.raise(WellKnown::TypeError, name() + " missing " + llvm::Twine(names.size()) +
                                           " required " + kind + " argument" +
                                           (names.size() == 1 ? "" : "s") + ": " + list);
}

bool Binder::positionalOnlyNamed(std::string &names) const {
  for (const KeywordArg &arg : args.keywords)
    for (uint32_t i = 0; i < r.positionalOnly; ++i)
      if (r.localNames[i] == arg.name)
        names += (names.empty() ? "" : ", ") + e.nameText(arg.name).str();
  return !names.empty();
}

/// As C functions say it.
FailAny Binder::unknownToBuiltin(NameId keyword) const {
  llvm::StringRef text(r.code->name);
  text.consume_front("_make_");
  if (r.positional + r.keywordOnly == r.positionalOnly)
    return e.raise(WellKnown::TypeError, text + "() takes no keyword arguments");
  if (text == "enumerate")
    return e.raise(WellKnown::TypeError, llvm::Twine("'") + e.nameText(keyword) +
                                             "' is an invalid keyword argument for enumerate()");
  return unknownKeyword(e, text == "sorted" ? "sort" : text, keyword);
}

Flow Binder::keyword(KeywordArg &arg, std::vector<Value> &extra) {
  uint32_t count = r.positional + r.keywordOnly;
  for (uint32_t i = r.positionalOnly; i < count; ++i) {
    if (r.localNames[i] != arg.name)
      continue;
    if (!bound[i].isAbsent())
      return e.raise(WellKnown::TypeError,
                     name() + " got multiple values for argument '" + e.nameText(arg.name) + "'");
    bound[i] = std::move(arg.value);
    return Flow::Next;
  }
  if (r.varKeywords) {
    extra.push_back(Value::str(e.nameText(arg.name)));
    extra.push_back(std::move(arg.value));
    return Flow::Next;
  }
  if (functionOf(e, function).globals == e.world->prelude || isNamedMethodOfC(e, function))
    return unknownToBuiltin(arg.name);
  std::string positionalOnly;
  if (positionalOnlyNamed(positionalOnly))
    return e.raise(WellKnown::TypeError,
                   name() + " got some positional-only arguments passed as keyword arguments: '" +
                       positionalOnly + "'");
  return e.raise(WellKnown::TypeError,
                 name() + " got an unexpected keyword argument '" + e.nameText(arg.name) + "'");
}

Flow Binder::defaults(size_t given) {
  Value positional = e.heap.get(function, slot::kDefaults);
  llvm::ArrayRef<Value> values;
  if (positional.is(Kind::Tuple))
    values = positional.parts();
  std::vector<NameId> absent;
  for (uint32_t i = uint32_t(given); i < r.positional; ++i) {
    if (!bound[i].isAbsent())
      continue;
    if (i + values.size() >= r.positional)
      bound[i] = values[i + values.size() - r.positional];
    else
      absent.push_back(r.localNames[i]);
  }
  if (!absent.empty())
    return missing(absent, "positional");
  Value named = e.heap.get(function, slot::kKwDefaults);
  for (uint32_t i = r.positional; i < r.positional + r.keywordOnly; ++i) {
    if (!bound[i].isAbsent())
      continue;
    if (named.is(Kind::Tuple))
      for (size_t k = 0; k < named.parts().size(); k += 2)
        if (named.parts()[k].asStr() == e.nameText(r.localNames[i]))
          bound[i] = named.parts()[k + 1];
    if (bound[i].isAbsent())
      absent.push_back(r.localNames[i]);
  }
  if (!absent.empty())
    return missing(absent, "keyword-only");
  return Flow::Next;
}

std::optional<std::vector<Value>> Binder::bind() {
  size_t given = args.positional.size();
  bool simple = args.keywords.empty() && !r.varArgs && !r.varKeywords && !r.keywordOnly;
  if (simple && given == r.positional)
    return std::move(args.positional);
  uint32_t named = r.positional + r.keywordOnly;
  bound.resize(named);
  size_t direct = std::min<size_t>(given, r.positional);
  for (size_t i = 0; i < direct; ++i)
    bound[i] = std::move(args.positional[i]);
  std::vector<Value> rest(std::make_move_iterator(args.positional.begin() + ptrdiff_t(direct)),
                          std::make_move_iterator(args.positional.end()));
  std::vector<Value> extra;
  for (KeywordArg &arg : args.keywords)
    PTC_DO(keyword(arg, extra));
  if (!rest.empty() && !r.varArgs)
    return tooMany(given);
  PTC_DO(defaults(direct));
  if (r.varArgs)
    bound.push_back(Value::tuple(std::move(rest)));
  if (r.varKeywords)
    bound.push_back(e.makeDict(std::move(extra)));
  return std::move(bound);
}

Value Engine::enterFunction(ObjectId function, CallArgs &args) {
  const FrameInfo *body = bodyOf(*this, function);
  if (!body)
    return Value::fail();
  Binder binder(*this, *body, args);
  PTC_GET(bound, binder.bind());
  ObjectId frame = allocateFrame(*this, body, *body->record);
  for (uint32_t i = 0; i < bound.size(); ++i)
    heap.set(frame, slot::kLocals + i, std::move(bound[i]));
  Value closure = heap.get(function, slot::kClosure);
  copyClosure(*this, frame, *body->record, closure);
  return enterFrame(*this, frame, args.action, std::move(args.actionArg));
}

// Calling
// ----------------------------------------------------------------------------------------------

/// Natives that take a list of run-time length; the others read elements that are known.
static bool takesGrownList(const BuiltinRow &row) {
  using namespace builtins;
  static constexpr NativeFn kFunctions[] = {
      listAppend,
      listExtend,
      listClear,
      listCopy,
      listSort,
      containerLen,
      containerIter,
      containerGetItem,
      containerContains,
      fnLen,
      fnIter,
      fnCallable,
      fnId,
      fnHash,
      fnRepr,
      ptcIterable,
      ptcItemCount,
      ptcStepCount,
      ptcIsItem,
      ptcListAppend,
      ptcTupleFromList,
      ptcJoinAlike,
      ptcListAssign,
      ptcNumbersOf,
      ptcTableUnordered,
      ptcTableKey,
      ptcIsGrown,
      ptcIsClass,
      ptcIsPython,
      ptcUnbox,
      ptcIsInstance,
      ptcIsNativeIterator,
      ptcIsBuiltinContainer,
      ptcSumConstants,
      ptcExtremeConstant,
      ptcGetAttr,
      objectClass,
      ptcPrint,
      torchTensor,
      torchIsTensor,
  };
  return llvm::is_contained(kFunctions, row.fn) || row.kind == BuiltinKind::Static ||
         llvm::StringRef(row.module) == "torch";
}

static FailAny wrongReceiver(Engine &e, const BuiltinRow &row, const Value &receiver) {
  llvm::StringRef method = row.name;
  std::string owner = className(e, e.builtinClass(row.owner));
  bool slot = method.starts_with("__") && method.ends_with("__");
  return e.raise(WellKnown::TypeError,
                 "descriptor '" + method + "' " + (slot ? "requires a '" : "for '") + owner +
                     (slot ? "' object but received a '" : "' objects doesn't apply to a '") +
                     typeName(e, receiver) + "'" + (slot ? "" : " object"));
}

/// __new__ of a builtin class makes instances of that class and those derived from it.
static Flow checkMadeClass(Engine &e, const BuiltinRow &row, const Value &cls) {
  ObjectId owner = e.builtinClass(row.owner);
  std::string name = className(e, owner) + ".__new__(";
  if (!isClass(e, cls))
    return e.raise(WellKnown::TypeError,
                   name + "X): X is not a type object (" + typeName(e, cls) + ")");
  // The prelude builds bytearray on bytes.
  const Value &frame = e.heap.get(kMachine, slot::kCurrentFrame);
  bool trusted = frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden;
  if (!trusted && !e.isSubclass(cls.asRef(), owner))
    return e.raise(WellKnown::TypeError, name + className(e, cls.asRef()) +
                                             "): " + className(e, cls.asRef()) +
                                             " is not a subtype of " + className(e, owner));
  return Flow::Next;
}

/// A method that is taken from its class may be called on anything; natives rely on its kind.
static Flow checkReceiver(Engine &e, const BuiltinRow &row, const Value &callee, CallArgs &args) {
  if (row.kind == BuiltinKind::Getter)
    return e.raise(WellKnown::TypeError, "'getset_descriptor' object is not callable");
  bool makes = row.kind == BuiltinKind::Static && llvm::StringRef(row.name) == "__new__";
  if (row.kind != BuiltinKind::Method && !makes)
    return Flow::Next;
  if (args.positional.empty())
    return e.raise(WellKnown::TypeError, makes ? className(e, e.builtinClass(row.owner)) +
                                                     ".__new__(): not enough arguments"
                                               : "unbound method " +
                                                     className(e, e.builtinClass(row.owner)) + "." +
                                                     row.name + "() needs an argument");
  // Tensors are not decided: operations on a choice of them are recorded once.
  if (e.isTensorLike(args.positional[0])) {
    bool fits = row.owner == WellKnown::ObjectType || row.owner == WellKnown::TensorType;
    return fits ? Flow::Next : wrongReceiver(e, row, args.positional[0]);
  }
  PTC_LET(receiver, e.decide(args.positional[0]));
  args.positional[0] = receiver;
  if (receiver.is(Kind::Opaque) && row.owner != WellKnown::ObjectType)
    return e.refuseOpaque(receiver);
  if (makes && !isClass(e, receiver))
    return checkMadeClass(e, row, receiver);
  // Some methods are entered in classes that do not derive from their owner, too.
  ObjectId cls = makes ? receiver.asRef() : e.typeOf(receiver);
  if (e.lookupInClass(cls, e.intern(row.name)) == callee)
    return Flow::Next;
  if (makes)
    return checkMadeClass(e, row, receiver);
  if (row.owner == WellKnown::ObjectType || e.isSubclass(cls, e.builtinClass(row.owner)))
    return Flow::Next;
  return wrongReceiver(e, row, receiver);
}

static bool raisedTypeError(const Engine &e) {
  return e.pending.kind == Pending::Kind::Raise && e.pending.cls &&
         e.pending.cls == e.builtinClass(WellKnown::TypeError);
}

/// A constant of the type of a run-time number.
static Value someNumber(const Value &v) {
  switch (numberType(v)) {
  case NumberType::Bool:
    return Value::boolean(true);
  case NumberType::Float:
    return Value::real(1);
  case NumberType::Int:
  case NumberType::NotNumber:
    return Value::integer(1);
  }
  llvm_unreachable("closed enum");
}

/// A native raised TypeError. If that is because it has no rule for what data decides, and not for
/// the types of its arguments, they are decided, or the call is refused.
static Value judgeTypeError(Engine &e, const BuiltinRow &row, CallArgs &given) {
  Pending raised = std::exchange(e.pending, {});
  for (Value &v : given.positional) {
    // An open one is a fork, and the call is made again behind it.
    if (v.is(Kind::Choice) && !e.isTensorLike(v) && e.decide(v).isFail())
      return Value::fail();
    if (v.is(Kind::Template))
      return refuseTemplate(e, llvm::StringRef(row.name) + "() with");
    if (isRunTimeNumber(v))
      v = someNumber(v);
  }
  row.fn(e, given);
  if (!raisedTypeError(e))
    return e.refuse(DiagId::Unsupported,
                    llvm::StringRef(row.name) + "() with a number known at run time only");
  e.pending = std::move(raised);
  return Value::fail();
}

/// Are elements of this form a number or a tensor, or tuples of such?
static bool holdsNumbersOnly(const Value &form) {
  return form.is(Kind::Ip) || (form.is(Kind::Tuple) && TupleTag(form.sub()) == TupleTag::Plain &&
                               llvm::all_of(form.parts(), holdsNumbersOnly));
}

/// Methods that look at one element after the other are loops of the run.
static Value callOnGrownList(Engine &e, const BuiltinRow &row, CallArgs &args) {
  struct Method {
    llvm::StringLiteral name, function;
    size_t most; ///< arguments that the function takes, the list among them
  };
  static constexpr Method kMethods[] = {
      {"index", "_grown_index", 2},     {"count", "_sequence_count", 2},
      {"reverse", "_grown_reverse", 1}, {"insert", "_grown_insert", 3},
      {"pop", "_grown_pop", 2},         {"remove", "_grown_remove", 2},
      {"__reversed__", "_reversed", 1}};
  auto isLast = [&](const Value &v) { return v.isAbsent() || (v.isSmallInt() && v.asInt() == -1); };
  const bool isNumbers = isNumberList(e, args.positional[0]);
  if (row.fn == builtins::listPop && isLast(args.positional[1]) && !isNumbers)
    return popOfGrownList(e, args.positional[0]);
  if (row.fn == builtins::ptcSortConstants) {
    Value keys = e.known(e.heap.get(args.positional[0].asRef(), slot::kContent));
    if (!isNumbers && holdsNumbersOnly(asRunTimeList(keys).form))
      return e.callPrelude("_grown_order", {args.positional[0], args.positional[1]}, args.action);
  }
  if (row.owner == WellKnown::ListType)
    for (const Method &method : kMethods) {
      if (row.name != method.name)
        continue;
      std::vector<Value> given;
      for (const Value &v : args.positional)
        if (!v.isAbsent())
          given.push_back(v);
      if (isNumbers && given.size() == 1 && method.name == "pop")
        given.push_back(Value::integer(-1));
      if (given.size() <= method.most)
        return e.callPrelude(method.function, std::move(given), args.action);
    }
  return e.refuse(DiagId::RunTimeListArgument);
}

static bool changesList(const BuiltinRow &row) {
  static constexpr llvm::StringLiteral kMethods[] = {
      "append",  "extend",      "insert",      "pop",      "remove",   "clear",   "sort",
      "reverse", "__setitem__", "__delitem__", "__iadd__", "__imul__", "__init__"};
  return row.kind == BuiltinKind::Method && llvm::is_contained(kMethods, row.name);
}

/// Does a method of list or dict ask a container for contents that are not known?
static bool asksUnknownContents(Engine &e, const BuiltinRow &row, const CallArgs &args) {
  return row.kind == BuiltinKind::Method &&
         (row.owner == WellKnown::ListType || row.owner == WellKnown::DictType) &&
         hasUnknownContents(e, args.positional[0]);
}

/// What its class in lib/Prelude knows of them, by the method of this name.
static Value callOnUnknownContents(Engine &e, const Value &callee, CallArgs &args) {
  const Value container = args.positional[0];
  Value own = e.lookupInClass(e.typeOf(container), e.intern(builtinRows()[callee.bits()].name));
  return own == callee ? Value(refuseContents(e, container.asRef())) : e.call(own, std::move(args));
}

static Value callNative(Engine &e, const Value &callee, CallArgs &args) {
  const BuiltinRow &row = builtinRows()[callee.bits()];
  PTC_DO(checkReceiver(e, row, callee, args));
  if (asksUnknownContents(e, row, args))
    return callOnUnknownContents(e, callee, args);
  PTC_LET(converted, convertArguments(e, row, callee, args));
  if (!converted.isAbsent())
    return converted;
  PTC_DO(bindNative(e, row, args));
  if (Value made = callOnTable(e, row, args); !made.isAbsent())
    return made;
  // Natives read contents as they are: what a join left open is decided before.
  PTC_DO(decideContents(e, args.positional));
  if (!args.positional.empty() && row.owner == WellKnown::ListType && changesList(row))
    PTC_DO(checkListWrite(e, args.positional[0]));
  // One more element is not behind the numbers that lie side by side.
  const bool appends = row.fn == builtins::listAppend || row.fn == builtins::listExtend;
  if (appends && isNumberList(e, args.positional[0]))
    return e.callPrelude("_append_apart", {callee, args.positional[0], args.positional[1]},
                         args.action);
  if (!args.positional.empty() && isGrownList(e, args.positional[0]) && !takesGrownList(row))
    return callOnGrownList(e, row, args);
  bool onText = row.owner == WellKnown::StrType && row.kind == BuiltinKind::Method;
  if (onText && llvm::any_of(args.positional, [](const Value &v) { return v.is(Kind::Template); }))
    return callTemplateMethod(e, row, args);
  bool open = llvm::any_of(args.positional, [](const Value &v) {
    return isRunTimeNumber(v) || v.is(Kind::Template) || v.is(Kind::Choice);
  });
  if (!open)
    return row.fn(e, args);
  CallArgs given = args;
  Value result = row.fn(e, args);
  return raisedTypeError(e) ? judgeTypeError(e, row, given) : result;
}

/// What is called in place of an object that is no function: its bound __call__.
static Value callMethodOf(Engine &e, const Value &callee) {
  Value call = specialMethod(e, callee, WellKnown::Call);
  if (call.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "'" + llvm::Twine(typeName(e, callee)) + "' object is not callable");
  PTC_LET(method, bindAttribute(e, call, callee, e.typeOf(callee)));
  if (Engine::isCalled(method))
    return e.refuse(DiagId::Unsupported, "__call__ that is a computed attribute");
  return method;
}

/// Does code that is not the user's get what was refused? It would only complain about it.
static bool wastesPoison(Engine &e, const Value &callee, const CallArgs &args) {
  if (e.diags.empty())
    return false;
  bool user = isRefTo(e, callee, ObjectKind::Function) && !functionOf(e, callee.asRef()).hidden;
  if (user || !(callee.is(Kind::Builtin) || callee.is(Kind::TorchOp) ||
                isRefTo(e, callee, ObjectKind::Function)))
    return false;
  return llvm::any_of(args.positional, [&](const Value &v) { return e.isPoison(v); }) ||
         llvm::any_of(args.keywords, [&](const KeywordArg &k) { return e.isPoison(k.value); });
}

Value Engine::call(Value callee, CallArgs args) {
  uint64_t instances = 0; // a __call__ may be an object with a __call__
  bool isMethod = false;
  auto callMethod = [&] {
    if (++instances > limits.depth) {
      callee = tooDeep(*this);
      return;
    }
    callee = callMethodOf(*this, callee);
  };
  for (;;) {
    callee = decide(std::move(callee));
    if (wastesPoison(*this, callee, args))
      return refuseOpaque(poison());
    if (Value other = callOverridden(*this, callee, args, isMethod); !other.isAbsent())
      return other;
    switch (callee.kind()) {
    case Kind::Fail:
      return callee;
    case Kind::Bound: {
      Value bound = callee;
      args.positional.insert(args.positional.begin(), bound.parts()[0]);
      callee = bound.parts()[1];
      isMethod = true;
      continue;
    }
    case Kind::Builtin:
      return callNative(*this, callee, args);
    case Kind::TorchOp:
      return callTorchValue(callee, args);
    case Kind::Opaque:
      return callOpaque(callee, args);
    case Kind::Ref:
      break;
    default:
      callMethod();
      continue;
    }
    switch (heap.kind(callee.asRef())) {
    case ObjectKind::Function:
      return enterFunction(callee.asRef(), args);
    case ObjectKind::Class:
      return instantiate(*this, callee.asRef(), args);
    default:
      callMethod();
    }
  }
}

Value Engine::call(Value callee, std::vector<Value> positional, ReturnAction action) {
  CallArgs args;
  args.positional = std::move(positional);
  args.action = action;
  return call(std::move(callee), std::move(args));
}

Value Engine::callPrelude(llvm::StringRef name, std::vector<Value> positional,
                          ReturnAction action) {
  Value function = heap.get(world->prelude, attrKey(intern(name)));
  assert(!function.isAbsent() && "the prelude lacks a function that the engine calls");
  return call(function, std::move(positional), action);
}
