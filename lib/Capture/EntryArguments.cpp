//===- EntryArguments.cpp - What an entry is called with while it is captured -----------------===//
//
// In: the calls of the examples. Out: values with their sources: symbols for sizes, run-time
// scalars, tensors that share memory where the examples do.
//
//===----------------------------------------------------------------------===//
#include "EntryCapture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace ptc;
using namespace ptc::capture;

Value EntryCapture::constantArgument(const ExampleValue &v) {
  using K = ExampleValue::Kind;
  auto parts = [&] {
    std::vector<Value> values;
    values.reserve(v.items.size());
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
    assert(parsed && "the reader of calls lets digits pass only");
    return ofPyInt(*parsed);
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
    return makeSet(e, parts(), /*frozen=*/!v.text.empty());
  case K::Dict:
    return e.makeDict(parts());
  case K::Tensor: {
    TensorLiteral made{v.tensor.dtype(), v.tensor.sizes().vec(), {}};
    HostTensor dense = v.tensor.clone();
    const char *bytes = reinterpret_cast<const char *>(dense.bytes());
    made.data.assign(bytes, bytes + size_t(dense.numel()) * dense.elementBytes());
    return e.literal(std::move(made));
  }
  case K::Call:
  case K::Object:
  case K::Other:
    return Value::none();
  }
  llvm_unreachable("closed enum");
}

/// "module:Name.part", or "Name.part" of the program's own module.
llvm::Expected<Value> EntryCapture::namedByInit(llvm::StringRef name) {
  auto [given, path] = name.contains(':') ? name.split(':') : std::pair(llvm::StringRef(), name);
  ObjectId module = session.module;
  if (!given.empty()) {
    if (llvm::Error error = importPrelude(e, "importlib"))
      return std::move(error);
    llvm::SaveAndRestore importing(e.world->importing, true);
    CallArgs args;
    args.positional = {Value::str(given)};
    auto imported =
        session.runCall(e.heap.get(findModule(e, "importlib"), attrKey(e.intern("import_module"))),
                        std::move(args));
    if (!imported)
      return imported;
    if (imported->is(Kind::Opaque)) {
      (void)e.refuseOpaque(*imported);
      return session.failure();
    }
    module = imported->asRef();
  }
  Value at = Value::ref(module);
  while (!path.empty()) {
    auto [leaf, rest] = path.split('.');
    CallArgs args;
    args.positional = {at, Value::str(leaf)};
    auto next = session.runCall(e.heap.get(e.world->builtins, attrKey(e.intern("getattr"))),
                                std::move(args));
    if (!next)
      return next;
    at = e.known(*next);
    path = rest;
  }
  return at;
}

llvm::Expected<Value> EntryCapture::makeInitArgument(const ExampleValue &v) {
  using K = ExampleValue::Kind;
  std::vector<Value> parts;
  if (v.kind != K::Call && v.kind != K::List && v.kind != K::Tuple && v.kind != K::Dict)
    return constantArgument(v);
  for (const ExampleValue &item : v.items) {
    auto part = initArgument(item);
    if (!part)
      return part;
    parts.push_back(std::move(*part));
  }
  if (v.kind == K::List)
    return e.makeList(std::move(parts));
  if (v.kind == K::Tuple)
    return Value::tuple(std::move(parts));
  if (v.kind == K::Dict)
    return e.makeDict(std::move(parts));
  auto callee = namedByInit(v.text);
  if (!callee)
    return callee;
  if (callee->is(Kind::Opaque)) {
    (void)e.refuseOpaque(*callee);
    return session.failure();
  }
  CallArgs args;
  const size_t positional = parts.size() - v.names.size();
  for (size_t i = 0; i < parts.size(); ++i)
    if (i < positional)
      args.positional.push_back(std::move(parts[i]));
    else
      args.keywords.push_back({e.intern(v.names[i - positional]), std::move(parts[i])});
  return session.runCall(*callee, std::move(args));
}

llvm::Expected<Value> EntryCapture::initArgument(const ExampleValue &v) {
  auto made = makeInitArgument(v);
  if (made || v.kind != ExampleValue::Kind::Call)
    return made;
  llvm::Error all = llvm::Error::success();
  for (Diagnostic &diag : takeDiagnostics(made.takeError())) {
    if (diag.info().severity == Severity::Error)
      diag.note("the arguments of the class call '" + v.text + "'");
    all = llvm::joinErrors(std::move(all), makeError(std::move(diag)));
  }
  return std::move(all);
}

/// Are these the same elements of one storage?
static bool isSameMemory(const HostTensor &a, const HostTensor &b) {
  return a.sharesStorageWith(b) && a.storageOffset() == b.storageOffset() &&
         a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

Value EntryCapture::tensorArgument(CallLoop &loop, const std::string &path, const ExampleValue &v) {
  sym::GuardOrigin origin{{}, kArgumentReason};
  TapeValue type;
  type.type = TapeType::Tensor;
  type.dtype = v.tensor.dtype();
  type.requiresGrad = v.requiresGrad;
  type.device = payloadOf(aten::Device());
  llvm::ArrayRef<sym::Expr> sizes = shapes->addTensor(path, origin);
  type.sizes.assign(sizes.begin(), sizes.end());
  type.strides = shapes->strides(path, origin);
  for (const auto &[leaf, tensor] : tensors)
    if (isSameMemory(leaf.value->tensor, v.tensor) && leaf.value->requiresGrad == v.requiresGrad) {
      shapes->specializeOverlap(leaf.path, path, {{}, "one tensor is passed twice"});
      return tensor;
    }
  Value tensor = loop.addTensorInput(path, nextLeaf - 1, std::move(type));
  tensors.push_back({{path, &v}, tensor});
  return tensor;
}

/// int and float are run-time values; a branch or a shape that needs one makes a guard.
Value EntryCapture::numberArgument(CallLoop &loop, const std::string &path, const ExampleValue &v) {
  sym::GuardOrigin origin{{}, kArgumentReason};
  const bool isSize = v.kind == ExampleValue::Kind::Int && shapes->isDeclaredNumber(path);
  if (refused && !isSize) {
    shapes->specializeValue(
        path, {refused->loc, "it cannot be known at run time only: " + refused->text});
    return constantArgument(v);
  }
  hasRunTimeNumbers |= !isSize; // a size that was declared is no constant of the example
  if (v.kind == ExampleValue::Kind::Int) {
    sym::Expr number = shapes->addInt(path, origin);
    std::optional<int64_t> constant = number.asConstant(); // declared as a size that is one
    return constant ? Value::integer(*constant) : loop.addIntInput(path, nextLeaf - 1, number);
  }
  return loop.addFloatInput(path, nextLeaf - 1);
}

/// bool, str and None are specialised with a guard on their value; containers on their length and
/// keys, objects on their class and the names of their attributes.
Value EntryCapture::argument(CallLoop &loop, const std::string &path, const ExampleValue &v) {
  using K = ExampleValue::Kind;
  sym::GuardOrigin origin{{}, kArgumentReason};
  shapes->specialize({sym::ObservableKind::Tag, path, 0, {}}, origin);
  bool container =
      v.kind == K::List || v.kind == K::Tuple || v.kind == K::Dict || v.kind == K::Object;
  if (!container)
    ++nextLeaf;
  switch (v.kind) {
  case K::Tensor:
    return tensorArgument(loop, path, v);
  case K::Int:
  case K::Float:
    return numberArgument(loop, path, v);
  case K::List:
  case K::Tuple:
  case K::Dict:
  case K::Object: {
    shapes->specializeValue(path, origin);
    std::vector<Value> parts;
    forEachPart(path, v, [&](const std::string &at, const ExampleValue &part) {
      if (v.kind == K::Dict)
        parts.push_back(constantArgument(v.items[parts.size()]));
      parts.push_back(argument(loop, at, part));
    });
    if (v.kind == K::Tuple)
      return Value::tuple(std::move(parts));
    Value made = v.kind == K::Object ? objectArgument(v, parts)
                 : v.kind == K::List ? e.makeList(std::move(parts))
                                     : e.makeDict(std::move(parts));
    loop.addCallerObject(path, made.asRef());
    return made;
  }
  default:
    shapes->specializeValue(path, origin);
  }
  return constantArgument(v);
}

CallArgs EntryCapture::makeArguments(CallLoop &loop, Example &example) {
  nextLeaf = 0;
  shapes = example.shapes.get();
  tensors.clear();
  shapes->specialize({sym::ObservableKind::Keys, kArgumentsPath, 0, {}},
                     {{}, "arguments that are not given have their defaults"});
  CallArgs args;
  for (const CallLeaf &given : argumentsOf(*example.call, parameters)) {
    Value v = argument(loop, given.path, *given.value);
    if (args.positional.size() < example.call->args.size())
      args.positional.push_back(std::move(v));
    else
      args.keywords.push_back({e.intern(llvm::StringRef(given.path).ltrim('*')), std::move(v)});
  }
  return args;
}
