//===- PreparedEntry.cpp - Finds an entry ------------------------------------------------===//
//
// In: a .pyc, the name of an entry, what its class is made with. Out: the engine behind the
// module's code, with the entry in it.
//
//===----------------------------------------------------------------------===//
#include "PreparedEntry.h"
#include "Candidates.h"

#include "ptc/Capture/Prelude.h"
#include "ptc/Support/NearName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::capture;

std::optional<Value> PreparedEntry::attribute(llvm::StringRef name) {
  Value v = e.heap.get(session.module, attrKey(e.intern(name)));
  if (v.isAbsent())
    return std::nullopt;
  return v;
}

static bool isFunction(Engine &e, const Value &v) { return isRefTo(e, v, ObjectKind::Function); }

static const CodeObject &codeOf(Engine &e, const Value &function) {
  return *functionOf(e, function.asRef()).code;
}

llvm::Error PreparedEntry::entryNotFound(llvm::StringRef entry) {
  Candidates found = candidatesOf(e, session.module);
  std::vector<std::string> names(found.classes);
  llvm::append_range(names, found.functions);
  llvm::append_range(names, found.objects);
  llvm::StringRef head = entry.split('.').first;
  if (std::optional<Value> cls = attribute(head); cls && isClass(e, *cls))
    llvm::append_range(names, methodsOf(e, cls->asRef(), head));
  std::vector<llvm::StringRef> candidates(names.begin(), names.end());
  Diagnostic diag = makeDiagnostic(DiagId::EntryNotFound, {}, entry, request.file);
  if (std::string meant = didYouMean(entry, candidates); !meant.empty())
    diag.hint(std::move(meant));
  return noEntry(std::move(diag));
}

llvm::Error PreparedEntry::noEntry(Diagnostic diag) {
  if (Candidates found = candidatesOf(e, session.module); !found.isEmpty())
    diag.note("candidates: " + found.text());
  diag.hint("an entry is a class, a function or an object of the module, or CLASS.METHOD");
  return makeError(std::move(diag));
}

llvm::Error PreparedEntry::findEntry() {
  std::string entry = request.entry;
  if (size_t colon = entry.find(':'); colon != std::string::npos)
    entry = entry.substr(colon + 1);
  if (entry.empty()) {
    bool hasInit = !request.init.args.empty() || !request.init.kwargs.empty();
    auto only = defaultEntry(e, session.module, request.file, hasInit);
    // What would have been one may have been refused.
    if (!only && candidatesOf(e, session.module).isEmpty() && !e.world->setAside.empty()) {
      llvm::consumeError(only.takeError());
      e.diags = e.world->setAside;
      return session.failure();
    }
    if (!only)
      return only.takeError();
    entry = *only;
  }
  name = entry;
  auto [head, method] = llvm::StringRef(entry).split('.');
  std::optional<Value> found = attribute(head);
  if (!found)
    return entryNotFound(entry);
  callee = *found;
  if (isClass(e, callee)) {
    auto instance = instantiate(callee);
    if (!instance)
      return instance.takeError();
    callee = *instance;
    noteMode(callee);
  } else {
    if (!request.init.args.empty() || !request.init.kwargs.empty())
      return makeError(DiagId::UsageError, {},
                       "arguments of a class are given, and '" + entry + "' is no class");
    if (llvm::Error error = prepareModule(callee))
      return error;
  }
  if (!method.empty()) {
    Value bound = e.getAttr(callee, e.intern(method));
    if (bound.isFail() || Engine::isCalled(bound)) {
      e.pending = {};
      return entryNotFound(entry);
    }
    callee = bound;
  }
  callee = e.known(callee);
  if (callee.is(Kind::Opaque)) {
    (void)e.refuseOpaque(callee);
    return session.failure();
  }
  if (!isCallable(e, callee))
    return noEntry(makeDiagnostic(DiagId::UsageError, {},
                                  "the entry '" + entry +
                                      "' is no function, class or callable instance: its type is " +
                                      typeName(e, callee)));
  return llvm::Error::success();
}

/// Do the arguments of --init, or of the examples' `init`, fit the constructor?
llvm::Error PreparedEntry::checkInit(const Value &cls) {
  Value init = e.lookupInClass(cls.asRef(), NameId(WellKnown::Init));
  if (!isFunction(e, init))
    return llvm::Error::success();
  const ExampleCall &given = request.init;
  std::string why = misfit(init, given.args.size() + 1, given.kwargs);
  if (why.empty())
    return llvm::Error::success();
  std::vector<std::string> names = parameterNames(codeOf(e, init), /*hasSelf=*/true);
  Diagnostic diag =
      makeDiagnostic(DiagId::UsageError, {}, "--init does not fit '" + name + "': " + why);
  diag.hint(names.empty() ? "it takes no arguments"
                          : "its parameters are " + llvm::join(names, ", "));
  return makeError(std::move(diag));
}

llvm::Expected<Value> PreparedEntry::instantiate(const Value &cls) {
  if (llvm::Error error = checkInit(cls))
    return std::move(error);
  CallArgs args;
  for (const ExampleValue &v : request.init.args) {
    auto value = initArgument(v);
    if (!value)
      return value;
    args.positional.push_back(std::move(*value));
  }
  for (const auto &[name, v] : request.init.kwargs) {
    auto value = initArgument(v);
    if (!value)
      return value;
    args.keywords.push_back({e.intern(name), std::move(*value)});
  }
  auto instance = session.runCall(cls, std::move(args));
  if (!instance)
    return instance;
  if (llvm::Error error = prepareModule(*instance))
    return std::move(error);
  return instance;
}

llvm::Expected<Value> PreparedEntry::callIn(ObjectId module, llvm::StringRef function,
                                            std::vector<Value> positional) {
  CallArgs args;
  args.positional = std::move(positional);
  return session.runCall(e.heap.get(module, attrKey(e.intern(function))), std::move(args));
}

/// Elements of the type asked for, then the contents of the weight file.
llvm::Error PreparedEntry::prepareModule(const Value &instance) {
  if (request.weights.empty() && !request.dtype && !request.training)
    return llvm::Error::success();
  ObjectId nn = findModule(e, "torch.nn.module");
  Value base = nn ? e.heap.get(nn, attrKey(e.intern("Module"))) : Value();
  if (!base.is(Kind::Ref) || !isRefTo(e, instance, ObjectKind::Instance) ||
      !e.isSubclass(e.typeOf(instance), base.asRef()))
    return makeError(DiagId::UsageError, {},
                     llvm::StringRef(request.dtype      ? "a dtype is"
                                     : request.training ? "a mode is"
                                                        : "weights are") +
                         " given, and '" + name + "' is no torch.nn.Module");
  if (request.dtype)
    if (auto done = callIn(nn, "_convert", {instance, Value::dtype(*request.dtype)}); !done)
      return done.takeError();
  if (request.training)
    if (auto done = callIn(nn, "_set_mode", {instance, Value::boolean(*request.training)}); !done)
      return done.takeError();
  return request.weights.empty() ? llvm::Error::success() : bindWeights(instance, nn);
}

/// Says so where nobody has chosen training mode and it makes a difference.
void PreparedEntry::noteMode(const Value &instance) {
  ObjectId nn = findModule(e, "torch.nn.module");
  if (request.training || !nn)
    return;
  auto found = callIn(nn, "_differs_in_training", {instance});
  if (!found)
    return llvm::consumeError(found.takeError()); // a module's own attributes may raise
  if (Value text = e.known(*found); text.is(Kind::Str))
    notes.push_back(makeDiagnostic(DiagId::TrainingMode, {}, name, text.asStr()));
}

llvm::Error PreparedEntry::bindWeights(const Value &instance, ObjectId nn) {
  for (const NamedTensor &weight : request.weights) {
    auto &sizes = e.weightTable[weight.name];
    sizes.dtype = weight.tensor.dtype();
    sizes.sizes.assign(weight.tensor.sizes().begin(), weight.tensor.sizes().end());
  }
  auto done = callIn(nn, "_bind_weights", {instance});
  if (!done)
    return done.takeError();
  std::vector<Diagnostic> problems = e.checkWeights();
  llvm::Error all = llvm::Error::success();
  for (Diagnostic &diag : problems)
    all = llvm::joinErrors(std::move(all), makeError(std::move(diag)));
  return all;
}

/// Why so many arguments by position and these by name do not fit a function; empty: they do. Asked
/// by entering it for nothing.
std::string PreparedEntry::misfit(const Value &function, size_t positional,
                                  llvm::ArrayRef<std::pair<std::string, ExampleValue>> keywords) {
  CallArgs args;
  args.positional.assign(positional, Value::none());
  for (const auto &[name, value] : keywords)
    args.keywords.push_back({e.intern(name), Value::none()});
  Heap::Mark mark = e.heap.mark();
  Value entered = e.enterFunction(function.asRef(), args);
  std::string why;
  if (Pending pending = std::exchange(e.pending, {});
      entered.isFail() && pending.kind == Pending::Kind::Raise)
    why = exceptionLine(e, e.exceptionOf(pending)).value_or("TypeError");
  e.heap.rollback(mark);
  return llvm::StringRef(why).split(": ").second.str();
}
/// The function that takes the arguments: forward of a module, the method, or the function itself.
void PreparedEntry::nameParameters() {
  Value f = callee;
  bool self = false;
  if (f.is(Kind::Bound)) {
    f = f.parts()[1];
    self = true;
  } else if (isRefTo(e, f, ObjectKind::Instance)) {
    Value forward = e.lookupInClass(e.typeOf(f), e.intern("forward"));
    f = forward.isAbsent() ? specialMethod(e, f, WellKnown::Call) : forward;
    self = true;
  }
  if (!isFunction(e, f))
    return;
  f = unwrapped(e, f);
  code = &codeOf(e, f);
  parameters = parameterNames(*code, self);
  signature = signatureText(e, f, *code, self);
  definedAt = {code->fileName.str(), uint32_t(code->firstLine), 1, 0, 0};
  function = f;
  hasSelf = self;
}

/// Does a write to what was there already make only a module, as seen from outside?
/// `started`: modules whose code had been entered before.
static bool isOfImport(Engine &e, SlotKey slot, const Value &v,
                       const llvm::DenseSet<ObjectId> &started) {
  if (slot.object == kMachine)
    return slot.key != slot::kGradMode && slot.key != slot::kDefaultDType;
  if (slot.object == e.world->modules)
    return true;
  ObjectKind kind = e.heap.kind(slot.object);
  if (!isAttrKey(slot.key)) // a class knows those that are derived from it
    return kind == ObjectKind::Class || kind == ObjectKind::Module || kind == ObjectKind::Engine;
  if (kind != ObjectKind::Module)
    return false;
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(slot.object).info);
  const bool isMade =
      !started.contains(slot.object) && !e.heap.get(slot.object, slot::kStarted).isAbsent();
  return (info && info->prelude && isMade) || isRefTo(e, v, ObjectKind::Module);
}

/// Imports a module whose import in a call was met. False: its code does more than make it, or
/// raises.
bool PreparedEntry::importsAlone(const std::string &name) {
  bool prints = false;
  auto printed = [&](llvm::StringRef) { prints = true; };
  auto output = std::exchange(e.world->output, printed);
  auto errorOutput = std::exchange(e.world->errorOutput, printed);
  const ObjectId before = e.heap.nextId();
  const size_t numInstrs = e.top.instrs.size();
  Heap::Mark mark = e.heap.mark();
  llvm::DenseSet<ObjectId> started;
  for (ObjectId id = kMachine + 1; id < before; ++id)
    if (e.heap.exists(id)) {
      if (e.heap.kind(id) == ObjectKind::Module && !e.heap.get(id, slot::kStarted).isAbsent())
        started.insert(id);
      e.heap.watchReads(id);
    }
  e.heap.onRead = [&](SlotKey slot) { readByImports.insert(slot); };
  auto done = callIn(e.world->builtins, "__import__", {Value::str(name)});
  e.heap.onRead = nullptr;
  for (ObjectId id = kMachine + 1; id < before; ++id)
    if (e.heap.exists(id))
      e.heap.watchReads(id, false);
  e.world->output = std::move(output);
  e.world->errorOutput = std::move(errorOutput);
  if (!done) {
    llvm::consumeError(done.takeError());
    return false;
  }
  if (findPreludeModule(name))
    return true;
  // Numbers that it draws are others before the model is built than in the call.
  for (const TapeInstr &instr : llvm::drop_begin(e.top.instrs, numInstrs))
    if (!isPure(instr.op))
      return false;
  for (const auto &[slot, value] : e.heap.delta(mark))
    if (slot.object < before && !isOfImport(e, slot, value, started))
      return false;
  return !prints;
}

/// Notes that a module of the program's own is there because a call imports it: whether it is there
/// in a call, only calls before this one say.
static void noteByCalls(Engine &e, ObjectId before) {
  for (ObjectId id = before; id < e.heap.nextId(); ++id)
    if (e.heap.exists(id) && e.heap.kind(id) == ObjectKind::Module &&
        !static_cast<const ModuleInfo *>(e.heap.header(id).info)->prelude)
      e.heap.set(id, slot::kImported, Value::boolean(false));
}

/// What is there before the program is called: modules that its calls import, and torch. Who passes
/// a tensor has imported torch, whether this module does or not: methods of tensors that are Python
/// stand there.
llvm::Error PreparedEntry::importFirst() {
  std::vector<std::string> names = known.names;
  if (passesTensors)
    names.insert(names.begin(), "torch");
  const ObjectId before = e.heap.nextId();
  for (const std::string &name : names)
    if (!llvm::is_contained(known.withEffects, name) && !importsAlone(name)) {
      importsWithEffects.push_back(name);
      return makeError(DiagId::InternalError, {}, "'" + name + "' cannot be imported");
    }
  noteByCalls(e, before);
  e.world->importsWithEffects = known.withEffects;
  return llvm::Error::success();
}

llvm::Error PreparedEntry::prepare() {
  if (llvm::Error error = session.load())
    return error;
  if (llvm::Error error = session.runModule(moduleNameOf(request.file)))
    return error;
  if (llvm::Error error = importFirst())
    return error;
  if (llvm::Error error = findEntry())
    return error;
  nameParameters();
  return llvm::Error::success();
}

llvm::Error PreparedEntry::begin(const CaptureLimits &limits) {
  if (isReady) {
    session.rewind();
  } else {
    if (llvm::Error error = prepare())
      return error;
    session.keep();
    isReady = true;
  }
  session.setLimits(limits);
  return llvm::Error::success();
}

static CaptureRequest withoutExamples(CaptureRequest request) {
  request.examples.clear();
  return request;
}

static bool holdsTensor(const ExampleValue &v) {
  return v.kind == ExampleValue::Kind::Tensor || llvm::any_of(v.items, holdsTensor);
}

static bool passTensors(llvm::ArrayRef<ExampleCall> calls) {
  return llvm::any_of(calls, [](const ExampleCall &call) {
    return llvm::any_of(call.args, holdsTensor) ||
           llvm::any_of(llvm::make_second_range(call.kwargs), holdsTensor);
  });
}

PreparedEntry::PreparedEntry(const CaptureRequest &given, BuiltinWorld &world,
                             const LateImports &known)
    : request(withoutExamples(given)), known(known), passesTensors(passTensors(given.examples)),
      session(request, world) {
  e.world->lenient = true;
}

bool PreparedEntry::isFor(const CaptureRequest &asked, const LateImports &imports) const {
  return isReady && imports == known && passTensors(asked.examples) == passesTensors;
}

bool PreparedEntry::addFound(LateImports &all) const {
  const size_t before = all.names.size() + all.withEffects.size();
  for (const std::string &name : e.world->lateImports)
    if (!llvm::is_contained(all.names, name))
      all.names.push_back(name);
  llvm::append_range(all.withEffects, importsWithEffects);
  return all.names.size() + all.withEffects.size() > before;
}

// What lives from one capture to the next
// -----------------------------------------------------------------------------------------------

Preparation::Preparation() : state(std::make_unique<State>()) {}
Preparation::Preparation(BuiltinWorld &world) : Preparation() { state->world = &world; }
Preparation::~Preparation() = default;

PreparedEntry &Preparation::State::entryFor(const CaptureRequest &request,
                                            const LateImports &known) {
  if (!entry || !entry->isFor(request, known)) {
    entry.reset(); // it has the world
    CaptureRequest first = request;
    first.limits = limits.value_or(request.limits);
    limits = first.limits;
    entry = std::make_unique<PreparedEntry>(first, *world, known);
  }
  return *entry;
}
