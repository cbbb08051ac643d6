//===- Capture.cpp - From a request to captured programs ------------------------------===//
//
// In: a .pyc, an entry, examples. Out: one program per distinct set of assumptions, with guards.
// Every variant is captured in an engine of its own, from module code on, so that none sees what
// another one's capture did.
//
//===----------------------------------------------------------------------===//
#include "CallLoop.h"
#include "Session.h"

#include "ptc/Capture/Observe.h"
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

namespace {
/// Captures one variant.
class VariantCapture {
public:
  VariantCapture(const CaptureRequest &request, const ExampleCall &example)
      : session(request), request(request), example(example) {
    e.world->lenient = true;
  }

  llvm::Error prepare();
  llvm::Expected<std::unique_ptr<Program>> run(sym::ShapeEnv &shapes);

  std::vector<std::string> parameters;
  std::vector<std::string> takeFilesRead() { return std::move(session.filesRead); }

private:
  llvm::Error findEntry();
  llvm::Error checkFit(const Value &function, bool self);
  llvm::Expected<Value> instantiate(const Value &cls);
  llvm::Error bindWeights(const Value &instance);
  llvm::Error nameParameters();
  CallArgs makeArguments(CallLoop &loop, sym::ShapeEnv &shapes);
  Value argument(CallLoop &loop, sym::ShapeEnv &shapes, const std::string &path,
                 const ExampleValue &v);
  Value tensorArgument(CallLoop &loop, sym::ShapeEnv &shapes, const std::string &path,
                       const ExampleValue &v);
  Value constantArgument(const ExampleValue &v);
  std::optional<Value> attribute(llvm::StringRef name);

  Session session;
  Engine &e = session.engine;
  const CaptureRequest &request;
  const ExampleCall &example;
  Value callee;
  SourceLoc definedAt;
  uint32_t nextLeaf = 0;
};
} // namespace

// The entry
// -------------------------------------------------------------------------------------------

std::optional<Value> VariantCapture::attribute(llvm::StringRef name) {
  Value v = e.heap.get(session.module, attrKey(e.intern(name)));
  if (v.isAbsent())
    return std::nullopt;
  return v;
}

static bool isFunction(Engine &e, const Value &v) { return isRefTo(e, v, ObjectKind::Function); }

/// Was it defined in this module, and not imported?
static bool isOwn(Engine &e, ObjectId module, const Value &v) {
  if (isFunction(e, v))
    return static_cast<const FunctionInfo *>(e.heap.header(v.asRef()).info)->globals == module;
  if (!isClass(e, v))
    return false;
  Value name = e.heap.get(v.asRef(), attrKey(WellKnown::Module));
  return name.is(Kind::Str) &&
         name.asStr() == static_cast<const ModuleInfo *>(e.heap.header(module).info)->name;
}

/// The only subclass of nn.Module that the module defines, else its only public function.
static llvm::Expected<std::string> defaultEntry(Engine &e, ObjectId module,
                                                const std::string &file) {
  std::vector<std::string> classes, functions;
  ObjectId base = 0;
  if (ObjectId nn = findModule(e, "torch.nn.module"))
    if (Value v = e.heap.get(nn, attrKey(e.intern("Module"))); v.is(Kind::Ref))
      base = v.asRef();
  e.heap.forEachSlot(module, [&](uint32_t key, const Value &v) {
    if (!isAttrKey(key) || !isOwn(e, module, v))
      return;
    std::string name = e.nameText(nameOfKey(key)).str();
    if (isClass(e, v) && base && e.isSubclass(v.asRef(), base))
      classes.push_back(name);
    if (isFunction(e, v) && name[0] != '_')
      functions.push_back(name);
  });
  const std::vector<std::string> &candidates = classes.empty() ? functions : classes;
  if (candidates.size() == 1)
    return candidates[0];
  if (candidates.empty()) {
    Diagnostic diag = makeDiagnostic(DiagId::NoEntry, {}, file);
    diag.hint("name a function or class with --entry NAME; names that start with _ and what is "
              "imported are not taken by themselves");
    return makeError(std::move(diag));
  }
  Diagnostic diag = makeDiagnostic(DiagId::SeveralEntries, {}, file);
  diag.note("candidates: " + llvm::join(candidates, ", ")).hint("choose one with --entry NAME");
  return makeError(std::move(diag));
}

llvm::Error VariantCapture::findEntry() {
  std::string entry = request.entry;
  if (size_t colon = entry.find(':'); colon != std::string::npos)
    entry = entry.substr(colon + 1);
  if (entry.empty()) {
    auto only = defaultEntry(e, session.module, request.file);
    if (!only)
      return only.takeError();
    entry = *only;
  }
  auto [head, method] = llvm::StringRef(entry).split('.');
  std::optional<Value> found = attribute(head);
  if (!found)
    return makeError(DiagId::EntryNotFound, {}, entry, request.file);
  callee = *found;
  if (isClass(e, callee)) {
    auto instance = instantiate(callee);
    if (!instance)
      return instance.takeError();
    callee = *instance;
  }
  if (!method.empty()) {
    Value bound = e.getAttr(callee, e.intern(method));
    if (bound.isFail() || Engine::isCalled(bound)) {
      e.pending = {};
      return makeError(DiagId::EntryNotFound, {}, entry, request.file);
    }
    callee = bound;
  }
  return llvm::Error::success();
}

llvm::Expected<Value> VariantCapture::instantiate(const Value &cls) {
  CallArgs args;
  const auto &given =
      example.init ? *example.init : std::pair(request.init.args, request.init.kwargs);
  for (const ExampleValue &v : given.first)
    args.positional.push_back(constantArgument(v));
  for (const auto &[name, v] : given.second)
    args.keywords.push_back({e.intern(name), constantArgument(v)});
  auto instance = session.runCall(cls, std::move(args));
  if (!instance)
    return instance;
  if (llvm::Error error = bindWeights(*instance))
    return std::move(error);
  return instance;
}

llvm::Error VariantCapture::bindWeights(const Value &instance) {
  if (request.weights.empty())
    return llvm::Error::success();
  ObjectId nn = findModule(e, "torch.nn.module");
  if (!nn)
    return llvm::Error::success();
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

/// Do the example's arguments fit the parameters? Asked by entering the function for nothing.
llvm::Error VariantCapture::checkFit(const Value &function, bool self) {
  CallArgs args;
  args.positional.assign(example.args.size() + self, Value::none());
  for (const auto &[name, value] : example.kwargs)
    args.keywords.push_back({e.intern(name), Value::none()});
  Heap::Mark mark = e.heap.mark();
  Value entered = e.enterFunction(function.asRef(), args);
  std::string why;
  if (Pending pending = std::exchange(e.pending, {});
      entered.isFail() && pending.kind == Pending::Kind::Raise)
    why = exceptionLine(e, e.exceptionOf(pending)).value_or("TypeError");
  e.heap.rollback(mark);
  if (why.empty())
    return llvm::Error::success();
  why = llvm::StringRef(why).split(": ").second.str();
  bool byInput = example.file.empty();
  Diagnostic diag =
      byInput ? makeDiagnostic(DiagId::InputUnknown, {}, why)
              : makeDiagnostic(DiagId::CallDoesNotFit, SourceLoc{example.file, 0, 0, 0, 0}, why);
  diag.hint(parameters.empty() ? "it has no parameters"
                               : "its parameters are " + llvm::join(parameters, ", "));
  return makeError(std::move(diag));
}

/// The function that takes the arguments: forward of a module, the method, or the function itself.
llvm::Error VariantCapture::nameParameters() {
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
    return llvm::Error::success();
  const CodeObject &code = *static_cast<const FunctionInfo *>(e.heap.header(f.asRef()).info)->code;
  for (uint32_t i = self; i < code.argCount + code.kwOnlyArgCount; ++i)
    parameters.push_back(code.locals[i].name.str());
  definedAt = {code.fileName.str(), uint32_t(code.firstLine), 1, 0, 0};
  return checkFit(f, self);
}

llvm::Error VariantCapture::prepare() {
  if (llvm::Error error = session.load())
    return error;
  if (llvm::Error error = session.runModule(llvm::sys::path::stem(request.file)))
    return error;
  if (llvm::Error error = findEntry())
    return error;
  return nameParameters();
}

// Arguments
// -----------------------------------------------------------------------------------------------

Value VariantCapture::constantArgument(const ExampleValue &v) {
  using K = ExampleValue::Kind;
  auto parts = [&] {
    std::vector<Value> values;
    for (const ExampleValue &item : v.items)
      values.push_back(constantArgument(item));
    return values;
  };
  switch (v.kind) {
  case K::None:
    return Value::none();
  case K::Bool:
    return Value::boolean(v.flag);
  case K::Int:
    return Value::integer(v.integer);
  case K::BigInt: {
    auto parsed = py::parseInt(v.text);
    return parsed ? Value::bigInt(*parsed) : Value::none();
  }
  case K::Float:
    return Value::real(v.real);
  case K::Str:
    return Value::str(v.text);
  case K::Bytes:
    return Value::bytes(v.text);
  case K::DType:
    return Value::dtype(v.dtype);
  case K::Device:
    return Value::constant(Kind::Device, payloadOf(aten::Device()));
  case K::List:
    return e.makeList(parts());
  case K::Tuple:
    return Value::tuple(parts());
  case K::Set:
    return makeSet(e, parts(), /*frozen=*/false);
  case K::Dict:
    return e.makeDict(parts());
  case K::Tensor: {
    TensorLiteral made{v.tensor.dtype(), v.tensor.sizes().vec(), {}};
    HostTensor dense = v.tensor.clone();
    const char *bytes = reinterpret_cast<const char *>(dense.bytes());
    made.data.assign(bytes, bytes + size_t(dense.numel()) * dense.elementBytes());
    return e.literal(std::move(made));
  }
  case K::Object:
  case K::Other:
    return Value::none();
  }
  llvm_unreachable("closed enum");
}

Value VariantCapture::tensorArgument(CallLoop &loop, sym::ShapeEnv &shapes, const std::string &path,
                                     const ExampleValue &v) {
  sym::GuardOrigin origin{{}, "argument of the entry"};
  TapeValue type;
  type.type = TapeType::Tensor;
  type.dtype = v.tensor.dtype();
  type.requiresGrad = v.requiresGrad;
  type.device = payloadOf(aten::Device());
  llvm::ArrayRef<sym::Expr> sizes = shapes.addTensor(path, origin);
  type.sizes.assign(sizes.begin(), sizes.end());
  type.strides = shapes.strides(path, origin);
  return loop.addTensorInput(path, nextLeaf - 1, std::move(type));
}

/// int and float arguments are specialised with a guard on their value; containers on their length
/// and keys.
Value VariantCapture::argument(CallLoop &loop, sym::ShapeEnv &shapes, const std::string &path,
                               const ExampleValue &v) {
  using K = ExampleValue::Kind;
  using O = sym::ObservableKind;
  sym::GuardOrigin origin{{}, "argument of the entry"};
  shapes.specialize({O::Tag, path, 0, {}}, origin);
  bool container = v.kind == K::List || v.kind == K::Tuple || v.kind == K::Dict;
  if (!container)
    ++nextLeaf;
  switch (v.kind) {
  case K::Tensor:
    return tensorArgument(loop, shapes, path, v);
  case K::List:
  case K::Tuple:
  case K::Dict: {
    shapes.specialize({O::Length, path, 0, {}}, origin);
    if (v.kind == K::Dict)
      shapes.specialize({O::Keys, path, 0, {}}, origin);
    std::vector<Value> parts;
    forEachPart(path, v, [&](const std::string &at, const ExampleValue &part) {
      if (v.kind == K::Dict)
        parts.push_back(constantArgument(v.items[parts.size()]));
      parts.push_back(argument(loop, shapes, at, part));
    });
    if (v.kind == K::Tuple)
      return Value::tuple(std::move(parts));
    Value made = v.kind == K::List ? e.makeList(std::move(parts)) : e.makeDict(std::move(parts));
    loop.addCallerObject(path, made.asRef());
    return made;
  }
  default:
    shapes.specializeValue(path, origin);
  }
  return constantArgument(v);
}

CallArgs VariantCapture::makeArguments(CallLoop &loop, sym::ShapeEnv &shapes) {
  nextLeaf = 0;
  CallArgs args;
  for (const CallLeaf &given : argumentsOf(example, parameters)) {
    Value v = argument(loop, shapes, given.path, *given.value);
    if (args.positional.size() < example.args.size())
      args.positional.push_back(std::move(v));
    else
      args.keywords.push_back({e.intern(example.kwargs[args.keywords.size()].first), std::move(v)});
  }
  return args;
}

// Capturing
// --------------------------------------------------------------------------------------------------

llvm::Expected<std::unique_ptr<Program>> VariantCapture::run(sym::ShapeEnv &shapes) {
  auto program = std::make_unique<Program>();
  e.boundary = e.heap.nextId();
  e.heap.setBoundary(e.boundary);
  e.attach(shapes);
  e.isRecording = true;
  CallLoop loop(session.executor, *program);
  uint64_t stepsBefore = e.steps;
  if (!loop.run(callee, [&] { return makeArguments(loop, shapes); }) || !e.diags.empty())
    return session.failure();
  for (const Diagnostic &diag : shapes.narrowings())
    e.diags.push_back(diag);
  if (!e.diags.empty())
    return session.failure();
  program->counts.steps = e.steps - stepsBefore;
  program->counts.forks = e.forkCount;
  program->entry = request.entry;
  program->sizes = shapes.sharedContext();
  program->sizeExprs = std::move(e.sizeExprs);
  program->literals = std::move(e.literals);
  program->weights = std::move(e.usedWeights);
  program->sources = e.world->sources;
  if (definedAt.isKnown()) {
    program->definedAt = SourceId(program->sources.size());
    program->sources.push_back({definedAt, 0});
  }
  for (sym::SymbolId id = 0; id < shapes.context().numSymbols(); ++id)
    if (std::optional<sym::Observable> source = shapes.source(id))
      for (size_t i = 0; i < program->inputs.size(); ++i)
        if (program->inputs[i].path == source->path &&
            (source->kind == sym::ObservableKind::Size ||
             source->kind == sym::ObservableKind::Stride))
          program->inputSymbols.push_back(
              {id, uint32_t(i),
               int32_t(source->index) +
                   (source->kind == sym::ObservableKind::Stride ? Engine::kStrideDimension : 0)});
  program->top = std::move(e.top);
  program->tape = std::move(e.tape);
  return std::move(program);
}

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

llvm::Expected<CapturedEntry> capture::captureEntry(const CaptureRequest &request) {
  CapturedEntry captured;
  captured.observables = std::make_unique<sym::ObservableSpace>();
  std::vector<ExampleCall> examples = request.examples;
  if (examples.empty())
    examples.emplace_back();
  std::vector<sym::Observation> observations;
  sym::DynamicDims dims;
  for (size_t i = 0; i < examples.size(); ++i) {
    bool covered = i > 0 && llvm::any_of(captured.guards, [&](const sym::GuardSet &guards) {
                     return sym::holds(guards, *captured.observables, observations[i]);
                   });
    if (covered)
      continue;
    VariantCapture variant(request, examples[i]);
    if (llvm::Error error = variant.prepare())
      return std::move(error);
    if (i == 0) {
      captured.parameters = variant.parameters;
      for (const ExampleCall &call : examples)
        observations.push_back(observe(call, captured.parameters));
      dims = sym::DynamicDims(observations, modeOf(request.dynamic),
                              declaredDims(examples, captured.parameters));
    }
    sym::ShapeEnv shapes(*captured.observables, dims, observations[i]);
    auto program = variant.run(shapes);
    if (!program)
      return program.takeError();
    if (!sym::holds(shapes.guards(), *captured.observables, observations[i]))
      return makeError(DiagId::InternalError, {}, "an example does not fit its own guards");
    captured.variants.push_back(std::move(*program));
    captured.guards.push_back(shapes.guards());
    for (std::string &read : variant.takeFilesRead())
      if (!llvm::is_contained(captured.filesRead, read))
        captured.filesRead.push_back(std::move(read));
  }
  return captured;
}
