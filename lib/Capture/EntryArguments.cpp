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
    return entry.constantArgument(v);
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
        parts.push_back(entry.constantArgument(v.items[parts.size()]));
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
  return entry.constantArgument(v);
}

CallArgs EntryCapture::makeArguments(CallLoop &loop, Example &example) {
  nextLeaf = 0;
  shapes = example.shapes.get();
  tensors.clear();
  shapes->specialize({sym::ObservableKind::Keys, kArgumentsPath, 0, {}},
                     {{}, "arguments that are not given have their defaults"});
  CallArgs args;
  for (const CallLeaf &given : argumentsOf(*example.call, entry.parameters)) {
    Value v = argument(loop, given.path, *given.value);
    if (args.positional.size() < example.call->args.size())
      args.positional.push_back(std::move(v));
    else
      args.keywords.push_back({e.intern(llvm::StringRef(given.path).ltrim('*')), std::move(v)});
  }
  return args;
}
