//===- Capture.cpp - From a request to captured programs ------------------------------===//
//
// In: a .pyc, an entry, examples. Out: one program per distinct set of assumptions, with guards.
// One engine captures all variants, so that the state that one of them changes is run-time state of
// all; what a call does to the heap is rolled back behind it, so that none sees another's.
//
//===----------------------------------------------------------------------===//
#include "CallCaches.h"
#include "Candidates.h"
#include "EntryCapture.h"
#include "Scopes.h"

#include "ptc/Capture/Prelude.h"
#include "ptc/Support/NearName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

// The entry
// -------------------------------------------------------------------------------------------

std::optional<Value> EntryCapture::attribute(llvm::StringRef name) {
  Value v = e.heap.get(session.module, attrKey(e.intern(name)));
  if (v.isAbsent())
    return std::nullopt;
  return v;
}

static bool isFunction(Engine &e, const Value &v) { return isRefTo(e, v, ObjectKind::Function); }

static const CodeObject &codeOf(Engine &e, const Value &function) {
  return *functionOf(e, function.asRef()).code;
}

llvm::Error EntryCapture::entryNotFound(llvm::StringRef entry) {
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

llvm::Error EntryCapture::noEntry(Diagnostic diag) {
  if (Candidates found = candidatesOf(e, session.module); !found.isEmpty())
    diag.note("candidates: " + found.text());
  diag.hint("an entry is a class, a function or an object of the module, or CLASS.METHOD");
  return makeError(std::move(diag));
}

llvm::Error EntryCapture::findEntry() {
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
  entryName = entry;
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
llvm::Error EntryCapture::checkInit(const Value &cls) {
  Value init = e.lookupInClass(cls.asRef(), NameId(WellKnown::Init));
  if (!isFunction(e, init))
    return llvm::Error::success();
  const ExampleCall &given = request.init;
  std::string why = misfit(init, given.args.size() + 1, given.kwargs);
  if (why.empty())
    return llvm::Error::success();
  std::vector<std::string> names = parameterNames(codeOf(e, init), /*hasSelf=*/true);
  Diagnostic diag =
      makeDiagnostic(DiagId::UsageError, {}, "--init does not fit '" + entryName + "': " + why);
  diag.hint(names.empty() ? "it takes no arguments"
                          : "its parameters are " + llvm::join(names, ", "));
  return makeError(std::move(diag));
}

llvm::Expected<Value> EntryCapture::instantiate(const Value &cls) {
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

/// Elements of the type asked for, then the contents of the weight file.
llvm::Error EntryCapture::prepareModule(const Value &instance) {
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
                         " given, and '" + entryName + "' is no torch.nn.Module");
  if (request.dtype) {
    CallArgs args;
    args.positional = {instance, Value::dtype(*request.dtype)};
    auto done = session.runCall(e.heap.get(nn, attrKey(e.intern("_convert"))), std::move(args));
    if (!done)
      return done.takeError();
  }
  if (request.training) {
    CallArgs args;
    args.positional = {instance, Value::boolean(*request.training)};
    auto done = session.runCall(e.heap.get(nn, attrKey(e.intern("_set_mode"))), std::move(args));
    if (!done)
      return done.takeError();
  }
  return request.weights.empty() ? llvm::Error::success() : bindWeights(instance, nn);
}

/// Says so where nobody has chosen training mode and it makes a difference.
void EntryCapture::noteMode(const Value &instance) {
  ObjectId nn = findModule(e, "torch.nn.module");
  if (request.training || !nn)
    return;
  CallArgs args;
  args.positional = {instance};
  auto found =
      session.runCall(e.heap.get(nn, attrKey(e.intern("_differs_in_training"))), std::move(args));
  if (!found)
    return llvm::consumeError(found.takeError()); // a module's own attributes may raise
  if (Value text = e.known(*found); text.is(Kind::Str))
    notes.push_back(makeDiagnostic(DiagId::TrainingMode, {}, entryName, text.asStr()));
}

llvm::Error EntryCapture::bindWeights(const Value &instance, ObjectId nn) {
  for (const NamedTensor &weight : request.weights) {
    auto &sizes = e.weightTable[weight.name];
    sizes.dtype = weight.tensor.dtype();
    sizes.sizes.assign(weight.tensor.sizes().begin(), weight.tensor.sizes().end());
  }
  CallArgs args;
  args.positional = {instance};
  auto done = session.runCall(e.heap.get(nn, attrKey(e.intern("_bind_weights"))), std::move(args));
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
std::string EntryCapture::misfit(const Value &function, size_t positional,
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

/// Do the example's arguments fit the parameters?
llvm::Error EntryCapture::checkFit(const ExampleCall &call) {
  if (!function)
    return llvm::Error::success();
  std::string why = misfit(*function, call.args.size() + hasSelf, call.kwargs);
  if (why.empty())
    return llvm::Error::success();
  bool byInput = call.file.empty();
  if (request.examples.empty())
    why = "none is given, and " + why;
  Diagnostic diag =
      byInput ? makeDiagnostic(DiagId::InputUnknown, {}, why)
              : makeDiagnostic(DiagId::CallDoesNotFit, SourceLoc{call.file, 0, 0, 0, 0}, why);
  diag.hint(parameters.empty() ? "it has no parameters"
                               : "its parameters are " + llvm::join(parameters, ", "));
  return makeError(std::move(diag));
}

/// The function that takes the arguments: forward of a module, the method, or the function itself.
void EntryCapture::nameParameters() {
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

static bool holdsTensor(const ExampleValue &v) {
  return v.kind == ExampleValue::Kind::Tensor || llvm::any_of(v.items, holdsTensor);
}

/// Does a write to what was there already make only a module, as seen from outside?
static bool isOfImport(Engine &e, SlotKey slot, const Value &v) {
  if (slot.object == kMachine || slot.object == e.world->modules)
    return true;
  ObjectKind kind = e.heap.kind(slot.object);
  if (!isAttrKey(slot.key)) // a class knows those that are derived from it
    return kind == ObjectKind::Class || kind == ObjectKind::Module || kind == ObjectKind::Engine;
  if (kind != ObjectKind::Module)
    return false;
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(slot.object).info);
  return (info && info->prelude) || isRefTo(e, v, ObjectKind::Module);
}

/// Imports a module whose import in a call was met. False: its code does more than make it, or
/// raises.
bool EntryCapture::importsAlone(const std::string &name) {
  bool prints = false;
  auto printed = [&](llvm::StringRef) { prints = true; };
  auto output = std::exchange(e.world->output, printed);
  auto errorOutput = std::exchange(e.world->errorOutput, printed);
  const ObjectId before = e.heap.nextId();
  const size_t numInstrs = e.top.instrs.size();
  Heap::Mark mark = e.heap.mark();
  for (ObjectId id = kMachine + 1; id < before; ++id)
    if (e.heap.exists(id))
      e.heap.watchReads(id);
  e.heap.onRead = [&](SlotKey slot) { readByImports.insert(slot); };
  CallArgs args;
  args.positional = {Value::str(name)};
  auto done = session.runCall(e.heap.get(e.world->builtins, attrKey(e.intern("__import__"))),
                              std::move(args));
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
  for (const TapeInstr &instr : llvm::drop_begin(e.top.instrs, numInstrs))
    prints |= instr.op == TapeOp::Print;
  for (const auto &[slot, value] : e.heap.delta(mark))
    if (slot.object < before && !isOfImport(e, slot, value))
      return false;
  return !prints;
}

/// What is there before the program is called: modules that its calls import, and torch. Who passes
/// a tensor has imported torch, whether this module does or not: methods of tensors that are Python
/// stand there.
llvm::Error EntryCapture::importFirst() {
  auto passesTensor = [](const ExampleCall &call) {
    return llvm::any_of(call.args, holdsTensor) ||
           llvm::any_of(llvm::make_second_range(call.kwargs), holdsTensor);
  };
  std::vector<std::string> names = known.imports;
  if (llvm::any_of(request.examples, passesTensor))
    names.insert(names.begin(), "torch");
  for (const std::string &name : names)
    if (!llvm::is_contained(known.importsWithEffects, name) && !importsAlone(name)) {
      importsWithEffects.push_back(name);
      return makeError(DiagId::InternalError, {}, "'" + name + "' cannot be imported");
    }
  e.world->importsWithEffects = known.importsWithEffects;
  return llvm::Error::success();
}

/// What a call imports was imported before it, and read what was there then: the calls must not
/// change that. Tensors aside, which code of a module can use, but not look at.
void EntryCapture::checkImports(llvm::ArrayRef<CallVariant> variants,
                                const llvm::DenseSet<SlotKey> &memos) {
  bool readsMemo = llvm::any_of(memos, [&](SlotKey slot) { return readByImports.contains(slot); });
  for (const std::string &name : known.imports) {
    if (findPreludeModule(name))
      continue;
    for (const CallVariant &variant : variants)
      if (variant.active &&
          (readsMemo || llvm::any_of(variant.program->states, [&](const ProgramState &state) {
             return e.tape.type(state.argument).type != TapeType::Tensor;
           }))) {
        e.diags.push_back(makeDiagnostic(DiagId::ImportInCall, definedAt, name));
        break;
      }
  }
}

llvm::Error EntryCapture::prepare() {
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

// Capturing
// --------------------------------------------------------------------------------------------------

static sym::DynamicMode modeOf(capture::DynamicMode mode) {
  switch (mode) {
  case capture::DynamicMode::None:
    return sym::DynamicMode::None;
  case capture::DynamicMode::Auto:
    return sym::DynamicMode::Auto;
  case capture::DynamicMode::All:
    return sym::DynamicMode::All;
  }
  llvm_unreachable("closed enum");
}

/// The numbers between values that a name has, as variants that nobody needs.
static void addGaps(sym::Context &context, sym::Expr value, llvm::ArrayRef<int64_t> values,
                    std::vector<sym::GuardSet> &out) {
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    auto above = sym::makeAtom(context, sym::Relation::Greater, value, context.constant(values[i]));
    auto below =
        sym::makeAtom(context, sym::Relation::Less, value, context.constant(values[i + 1]));
    if (above && below && values[i] + 1 < values[i + 1])
      out.emplace_back(llvm::ArrayRef<sym::Guard>{{sym::GuardKind::SizeRange, *above, {}},
                                                  {sym::GuardKind::SizeRange, *below, {}}});
  }
}

/// A name for each size.
static sym::DeclaredSizes allSizes(const sym::Observation &seen) {
  sym::DeclaredSizes out;
  for (const auto &[path, value] : seen.values)
    for (unsigned d = 0; value.tag == sym::ValueTag::Tensor && d < value.tensor.sizes.size(); ++d)
      out.dims.push_back({{path, d}, "d" + std::to_string(out.dims.size())});
  return out;
}

llvm::Error EntryCapture::observeExamples(CapturedEntry &captured) {
  calls = request.examples;
  if (calls.empty())
    calls.emplace_back();
  std::vector<sym::Observation> observations;
  for (const ExampleCall &call : calls) {
    if (llvm::Error error = checkFit(call))
      return error;
    for (const CallLeaf &argument : argumentsOf(call, parameters))
      if (llvm::Error error = findClasses(argument.path, *argument.value))
        return error;
    observations.push_back(observe(call, parameters));
  }
  dims = sym::DynamicDims(observations, modeOf(request.dynamic), declaredSizes(calls, parameters),
                          known.marks);
  for (auto [call, seen] : llvm::zip(calls, observations))
    examples.push_back({&call, std::move(seen), nullptr});
  if (request.general)
    examples.push_back({&calls.front(), examples.front().seen, nullptr, true});
  generalDims = sym::DynamicDims({}, sym::DynamicMode::None, allSizes(examples.front().seen));
  sym::ShapeEnv::Options options;
  options.context = sizes;
  options.allowNarrowing = request.allowNarrowing;
  for (Example &example : examples) {
    options.allowNarrowing = request.allowNarrowing || example.isGeneral;
    example.shapes = std::make_unique<sym::ShapeEnv>(
        *captured.observables, example.isGeneral ? generalDims : dims, example.seen, options);
  }
  for (Example &example : examples) {
    if (llvm::Error error = example.shapes->declareSizes())
      return error;
    if (example.shapes->contradictsDeclared() ||
        !sym::holds(example.shapes->guards(), *captured.observables, example.seen))
      return makeError(DiagId::UsageError, {},
                       "an example has other sizes than what is declared of them: " +
                           llvm::join(dims.declared().lines(), "; "));
  }
  return declareDomain(captured);
}

/// What was declared, as the calls that --require-total asks about.
llvm::Error EntryCapture::declareDomain(CapturedEntry &captured) {
  captured.sizes = dims.declared().lines();
  captured.typicalSize = dims.declared().typicalSize();
  sym::Context &context = captured.observables->context();
  for (const Example &example : examples) {
    if (example.isGeneral)
      continue;
    sym::ShapeEnv::Options options;
    options.ignoreOwn = true;
    sym::ShapeEnv general(*captured.observables, dims, example.seen, options);
    if (llvm::Error error = general.declareSizes())
      return error;
    sym::GuardSet domain = general.guards();
    // Examples of other arguments have other sizes: only what is said of all of them is a domain.
    if (&example == &examples.front())
      captured.domain = domain;
    else if (!llvm::equal(domain.guards(), captured.domain.guards(),
                          [](auto &a, auto &b) { return a.atom == b.atom; }))
      captured.domain = {};
    if (&example != &examples.front())
      continue;
    for (const auto &[name, value] : general.declaredValues())
      if (const sym::SizeDomain *size = dims.declared().find(name); size && size->isClosed)
        addGaps(context, value, size->own, captured.outside);
  }
  return llvm::Error::success();
}

/// Do the guards of a variant that was captured before hold for this example?
bool EntryCapture::isCovered(size_t index, llvm::ArrayRef<CallVariant> variants) {
  if (examples[index].isGeneral)
    return false;
  for (size_t i = 0; i < index; ++i)
    if (variants[i].active &&
        sym::holds(examples[i].shapes->guards(), *space, examples[index].seen))
      return true;
  return false;
}

std::vector<InputSymbol> EntryCapture::inputSymbols(const Example &example,
                                                    const Program &program) {
  using O = sym::ObservableKind;
  std::vector<InputSymbol> found;
  for (sym::SymbolId id = 0; id < sizes->numSymbols(); ++id) {
    if (sym::Expr formula = example.shapes->formula(id); formula.isSupported()) {
      found.push_back({id, uint32_t(e.sizeExprs.size()), -1});
      e.sizeExprs.push_back(formula);
      continue;
    }
    std::optional<sym::Observable> source = example.shapes->source(id);
    if (!source)
      continue;
    for (size_t i = 0; i < program.inputs.size(); ++i)
      if (program.inputs[i].path == source->path)
        found.push_back(
            {id, uint32_t(i),
             int32_t(source->index) + (source->kind == O::Stride ? kStrideDimension : 0)});
  }
  return found;
}

/// The first line of the entry that ran and reads the argument at `path`; where the entry is
/// defined if none does.
SourceLoc EntryCapture::firstUse(llvm::StringRef path, const llvm::BitVector &ran) const {
  if (!code || path == kArgumentsPath)
    return definedAt;
  llvm::StringRef root = path.take_until([](char c) { return c == '.' || c == '['; });
  bool isParameter = llvm::any_of(parameters, [&](const std::string &name) {
    return llvm::StringRef(name).ltrim('*') == root;
  });
  // What is no parameter came as a keyword for **more.
  if (!isParameter && code->hasFlag(CO_VARKEYWORDS))
    root = code->locals[code->argCount + code->kwOnlyArgCount + code->hasFlag(CO_VARARGS)].name;
  const CanonicalCode *canonical = code->canonical.get();
  for (unsigned i : ran.set_bits()) {
    const Instr &instr = canonical->instrs[i];
    switch (instr.op) {
    case Opcode::LOAD_FAST:
    case Opcode::LOAD_FAST_CHECK:
    case Opcode::LOAD_FAST_AND_CLEAR:
    case Opcode::LOAD_DEREF:
    case Opcode::LOAD_CLOSURE:
      if (canonical->locals[instr.arg].name == root)
        return canonical->location(i);
      break;
    default:
      break;
    }
  }
  return definedAt;
}

/// Guards that no line asked for name the line that uses the argument first.
sym::GuardSet EntryCapture::placeGuards(const sym::GuardSet &guards,
                                        const llvm::BitVector &ran) const {
  llvm::SmallVector<sym::Guard, 0> placed;
  for (sym::Guard guard : guards.guards()) {
    for (sym::GuardOrigin &origin : guard.origins)
      if (!origin.loc.isKnown()) {
        origin.loc = firstUse(sym::guardPath(*space, guard.atom), ran);
        origin.implicit = true;
      }
    placed.push_back(std::move(guard));
  }
  return sym::GuardSet(placed);
}

/// The guard that says which number a size is; none where that follows from several.
const sym::Guard *EntryCapture::guardOfSize(const sym::Observable &size,
                                            const sym::GuardSet &guards) {
  sym::SymbolId id = space->symbol(size).symbol();
  for (const sym::Guard &guard : guards.guards())
    if (auto unary = sym::asUnary(guard.atom);
        unary && unary->symbol == id && unary->relation == sym::Relation::Equal)
      return &guard;
  return nullptr;
}

/// With --dynamic=all: sizes that are a single number all the same.
void EntryCapture::noteFixedSizes(const Example &example, const Program &program,
                                  const sym::GuardSet &guards) {
  if (request.dynamic != DynamicMode::All)
    return;
  for (const auto &input : program.inputs) {
    const sym::ObservedValue *value = example.seen.find(input.path);
    if (!value || value->tag != sym::ValueTag::Tensor)
      continue;
    for (uint32_t d = 0; d < value->tensor.sizes.size(); ++d) {
      if (!example.shapes->simplify(example.shapes->addTensor(input.path, {})[d]).isConstant())
        continue;
      sym::Observable read{sym::ObservableKind::Size, input.path, d, {}};
      const sym::Guard *guard = guardOfSize(read, guards);
      SourceLoc loc = guard ? guard->origins.front().loc : SourceLoc();
      Diagnostic diag = makeDiagnostic(DiagId::SizeStaysFixed, loc, read.str(),
                                       std::to_string(value->tensor.sizes[d]));
      if (guard && !guard->origins.front().reason.empty())
        diag.note("because " + guard->origins.front().reason, loc);
      notes.push_back(std::move(diag));
    }
  }
}

/// A size that the program marks as dynamic must not be a single one.
void EntryCapture::checkMarks(const Example &example, const sym::GuardSet &guards) {
  for (const sym::DimMark &mark : known.marks) {
    const sym::ObservedValue *value = example.seen.find(mark.where.path);
    bool exists =
        value && value->tag == sym::ValueTag::Tensor && mark.where.dim < value->tensor.sizes.size();
    if (mark.kind != sym::DimMark::Kind::Dynamic || !exists || request.allowNarrowing)
      continue;
    sym::Expr size = example.shapes->addTensor(mark.where.path, {})[mark.where.dim];
    if (!example.shapes->simplify(size).isConstant())
      continue;
    sym::Observable read{sym::ObservableKind::Size, mark.where.path, mark.where.dim, {}};
    sym::GuardOrigin origin{mark.loc, ""};
    if (const sym::Guard *guard = guardOfSize(read, guards))
      origin = guard->origins.front();
    int64_t found = value->tensor.sizes[mark.where.dim];
    Diagnostic diag = makeDiagnostic(DiagId::DeclaredSizeNarrowed, origin.loc,
                                     read.str() + " == " + std::to_string(found), read.str());
    if (!origin.reason.empty())
      diag.note("because " + origin.reason, origin.loc);
    diag.note("marked as dynamic here", mark.loc);
    diag.hint("mark it with maybe_mark_dynamic, or allow a variant for it with --allow-narrowing; "
              "with --explore there are others for the rest of the sizes");
    e.diags.push_back(std::move(diag));
  }
}

llvm::Error EntryCapture::finish(CapturedEntry &captured,
                                 llvm::MutableArrayRef<CallVariant> variants,
                                 const llvm::DenseSet<SlotKey> &memos) {
  for (size_t i = 0; i < variants.size(); ++i) {
    if (!variants[i].active)
      continue;
    for (const Diagnostic &diag : examples[i].shapes->narrowings())
      e.diags.push_back(diag);
    sym::GuardSet guards = examples[i].shapes->guards();
    if (!sym::holds(guards, *space, examples[i].seen))
      return makeError(DiagId::InternalError, {}, "an example does not fit its own guards");
    variants[i].program->inputSymbols = inputSymbols(examples[i], *variants[i].program);
    guards = placeGuards(guards, variants[i].ran);
    checkMarks(examples[i], guards);
    noteFixedSizes(examples[i], *variants[i].program, guards);
    captured.guards.push_back(std::move(guards));
  }
  checkImports(variants, memos);
  if (!e.diags.empty())
    return session.failure();
  for (CallVariant &variant : variants) {
    if (!variant.active)
      continue;
    if (llvm::Error error = checkScopes(*variant.program, e.top, e.world->sources))
      return error;
    variant.program->entry = entryName;
    variant.program->sizes = sizes;
    captured.variants.push_back(std::move(variant.program));
  }
  // The first one holds what the engine recorded for all.
  Program &first = *captured.variants.front();
  first.sizeExprs = std::move(e.sizeExprs);
  first.bindings = std::move(e.bindings);
  first.literals = std::move(e.literals);
  first.weights = std::move(e.usedWeights);
  first.sources = e.world->sources;
  if (definedAt.isKnown()) {
    first.definedAt = SourceId(first.sources.size());
    first.sources.push_back({definedAt, 0});
  }
  first.top = std::move(e.top);
  first.tape = std::move(e.tape);
  captured.parameters = std::move(parameters);
  captured.signature = std::move(signature);
  captured.assumptions = std::move(e.world->assumptions);
  captured.world = std::move(e.world->worldUses);
  captured.packages = session.packages();
  captured.made = std::move(made);
  captured.loaded = std::move(e.loadedWeights);
  captured.filesRead = std::move(session.filesRead);
  captured.notes = std::move(notes);
  return llvm::Error::success();
}

llvm::Expected<CapturedEntry> EntryCapture::run() {
  if (llvm::Error error = prepare())
    return std::move(error);
  CapturedEntry captured;
  captured.observables = std::make_unique<sym::ObservableSpace>();
  space = captured.observables.get();
  if (llvm::Error error = observeExamples(captured))
    return std::move(error);
  std::vector<CallVariant> variants(examples.size());
  for (size_t i = 0; i < variants.size(); ++i) {
    variants[i].shapes = examples[i].shapes.get();
    variants[i].makeArguments = [this, i](CallLoop &loop) {
      return makeArguments(loop, examples[i]);
    };
    variants[i].isCovered = [this, i, &variants] { return isCovered(i, variants); };
  }
  e.boundary = e.heap.nextId();
  e.heap.setBoundary(e.boundary);
  e.isRecording = true;
  e.entryAt = definedAt;
  if (!known.cachesAreState)
    e.caches = std::make_unique<CallCaches>(e);
  e.sizeLoops = std::make_unique<SizeLoops>(
      e, session.executor,
      SizeLoops::Unrolled{known.unrolled, known.unrollsAll, known.unrollsKnown});
  CallLoop loop(session.executor, code);
  uint64_t stepsBefore = e.steps;
  if (!loop.run(callee, variants) || !e.diags.empty())
    return session.failure();
  if (llvm::Error error = finish(captured, variants, loop.memoSlots))
    return std::move(error);
  Program::Counts &counts = captured.variants.front()->counts;
  counts.steps = e.steps - stepsBefore;
  counts.forks = e.forkCount;
  return captured;
}

bool EntryCapture::addFindings(Findings &all) const {
  const size_t before = all.size();
  for (const Example &example : examples)
    for (const sym::DimMark &mark : example.shapes->marks())
      if (llvm::none_of(all.marks, [&](const sym::DimMark &other) {
            return other.where == mark.where && other.kind == mark.kind;
          }))
        all.marks.push_back(mark);
  for (const std::string &name : e.world->lateImports)
    if (!llvm::is_contained(all.imports, name))
      all.imports.push_back(name);
  llvm::append_range(all.importsWithEffects, importsWithEffects);
  all.cachesAreState |= e.caches && e.caches->mustBeState();
  if (e.sizeLoops)
    llvm::append_range(all.unrolled, e.sizeLoops->found());
  return all.size() > before;
}

/// Captures again when the program has marked sizes, which are symbols from the start, or imported
/// modules in a call.
static llvm::Expected<CapturedEntry> captureAgain(const CaptureRequest &request,
                                                  BuiltinWorld &world, const Diagnostic *refused,
                                                  Findings &found, bool &hasRunTimeNumbers) {
  llvm::Error overSizes = llvm::Error::success();
  for (;;) {
    Findings known = found;
    EntryCapture capture(request, world, refused, known);
    llvm::Expected<CapturedEntry> captured = capture.run();
    hasRunTimeNumbers = capture.hasRunTimeNumbers;
    if (capture.addFindings(found)) {
      if (!captured)
        llvm::consumeError(captured.takeError());
      continue;
    }
    if (captured) {
      llvm::consumeError(std::move(overSizes));
      return captured;
    }
    if (capture.rollsKnownLoops()) {
      llvm::consumeError(captured.takeError());
      found.unrollsKnown = true;
      continue;
    }
    if (overSizes) {
      // Unrolled, the loops narrow the sizes: what is in the way of a loop says more.
      llvm::consumeError(captured.takeError());
      return std::move(overSizes);
    }
    if (!capture.loopsOverSizes())
      return captured;
    overSizes = captured.takeError();
    found.unrollsAll = true;
  }
}

llvm::Expected<CapturedEntry> capture::captureEntry(const CaptureRequest &request,
                                                    BuiltinWorld &world) {
  Findings found;
  bool hasRunTimeNumbers = false;
  llvm::Expected<CapturedEntry> captured =
      captureAgain(request, world, nullptr, found, hasRunTimeNumbers);
  if (captured || !hasRunTimeNumbers)
    return captured;
  // Where a number is needed now, its value is an assumption like any other.
  std::vector<Diagnostic> why = takeDiagnostics(captured.takeError());
  return captureAgain(request, world, &why.front(), found, hasRunTimeNumbers);
}

llvm::Expected<CapturedEntry> capture::captureEntry(const CaptureRequest &request) {
  llvm::Expected<BuiltinWorld> world = BuiltinWorld::make();
  if (!world)
    return world.takeError();
  return captureEntry(request, *world);
}
