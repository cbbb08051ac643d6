//===- InitArguments.cpp - What the class of an entry is made with
//-----------------------------===//
//
// In: values of --init, or of an example. Out: the same as values of the engine: constants, objects
// that the program's classes or those of packages make.
//
//===----------------------------------------------------------------------===//
#include "PreparedEntry.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace ptc;
using namespace ptc::capture;

Value PreparedEntry::constantArgument(const ExampleValue &v) {
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
llvm::Expected<Value> PreparedEntry::namedByInit(llvm::StringRef name) {
  auto [given, path] = name.contains(':') ? name.split(':') : std::pair(llvm::StringRef(), name);
  ObjectId module = session.module;
  if (!given.empty()) {
    if (llvm::Error error = importPrelude(e, "importlib"))
      return std::move(error);
    llvm::SaveAndRestore importing(e.world->importing, true);
    auto imported = callIn(findModule(e, "importlib"), "import_module", {Value::str(given)});
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
    auto next = callIn(e.world->builtins, "getattr", {at, Value::str(leaf)});
    if (!next)
      return next;
    at = e.known(*next);
    path = rest;
  }
  return at;
}

llvm::Expected<Value> PreparedEntry::makeInitArgument(const ExampleValue &v) {
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

llvm::Expected<Value> PreparedEntry::initArgument(const ExampleValue &v) {
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
