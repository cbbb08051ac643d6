//===- Observe.cpp - The arguments of a call by path -------------------------------------===//
//
// In: a call. Out: its parts with their paths, and the observables that guards look at. Capture and
// dispatch use the same functions, so that a guard means the same to both.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Observe.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;

static std::string itemPath(const std::string &path, const ExampleValue &key) {
  if (key.kind == ExampleValue::Kind::Str)
    return path + "[\"" + key.text + "\"]";
  return path + "[" + exampleRepr(key) + "]";
}

bool ptc::forEachPart(const std::string &path, const ExampleValue &value,
                      llvm::function_ref<void(const std::string &, const ExampleValue &)> see) {
  using K = ExampleValue::Kind;
  switch (value.kind) {
  case K::List:
  case K::Tuple:
  case K::Set:
    for (size_t i = 0; i < value.items.size(); ++i)
      see(path + "[" + std::to_string(i) + "]", value.items[i]);
    return true;
  case K::Dict:
    for (size_t i = 0; i + 1 < value.items.size(); i += 2)
      see(itemPath(path, value.items[i]), value.items[i + 1]);
    return true;
  case K::Object:
    for (size_t i = 0; i < value.items.size(); ++i)
      see(path + "." + value.names[i], value.items[i]);
    return true;
  default:
    return false;
  }
}

void ptc::collectLeaves(const std::string &path, const ExampleValue &value,
                        std::vector<CallLeaf> &out) {
  if (!forEachPart(path, value, [&](const std::string &at, const ExampleValue &part) {
        collectLeaves(at, part, out);
      }))
    out.push_back({path, &value});
}

std::vector<CallLeaf> ptc::argumentsOf(const ExampleCall &call,
                                       llvm::ArrayRef<std::string> parameters) {
  std::vector<CallLeaf> out;
  out.reserve(call.args.size() + call.kwargs.size());
  // What is behind *rest is not taken by position.
  const auto *rest =
      llvm::find_if(parameters, [](const std::string &name) { return name.starts_with('*'); });
  size_t named = size_t(rest - parameters.begin());
  std::string restName = rest == parameters.end() ? "args" : rest->substr(1);
  for (size_t i = 0; i < call.args.size(); ++i)
    out.push_back({i < named ? parameters[i] : restName + "[" + std::to_string(i - named) + "]",
                   &call.args[i]});
  std::vector<bool> used(call.kwargs.size());
  // A keyword may have the name of a parameter that is taken by position only: one of **opts, in
  // whose order it stays.
  size_t positional = out.size();
  auto clashes = [&](size_t i) {
    return llvm::any_of(llvm::ArrayRef(out).take_front(positional),
                        [&](const CallLeaf &a) { return a.path == call.kwargs[i].first; });
  };
  auto take = [&](size_t i) {
    out.push_back({(clashes(i) ? "**" : "") + call.kwargs[i].first, &call.kwargs[i].second});
    used[i] = true;
  };
  for (const std::string &name : parameters)
    for (size_t i = 0; i < call.kwargs.size(); ++i)
      if (!used[i] && call.kwargs[i].first == name && !clashes(i))
        take(i);
  for (size_t i = 0; i < call.kwargs.size(); ++i)
    if (!used[i])
      take(i);
  return out;
}

std::vector<CallLeaf> ptc::leavesOf(const ExampleCall &call,
                                    llvm::ArrayRef<std::string> parameters) {
  std::vector<CallLeaf> out;
  for (const CallLeaf &argument : argumentsOf(call, parameters))
    collectLeaves(argument.path, *argument.value, out);
  return out;
}

//===----------------------------------------------------------------------===//
// Observables
//===----------------------------------------------------------------------===//

static sym::ObservedTensor observedTensor(const HostTensor &tensor, bool requiresGrad) {
  sym::ObservedTensor seen;
  seen.dtype = tensor.dtype();
  seen.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  seen.strides.assign(tensor.strides().begin(), tensor.strides().end());
  seen.requiresGrad = requiresGrad;
  seen.storageOffset = tensor.storageOffset();
  seen.address = reinterpret_cast<uint64_t>(tensor.storage()->address()) +
                 uint64_t(tensor.storageOffset()) * tensor.elementBytes();
  seen.storage = reinterpret_cast<uint64_t>(tensor.storage().get());
  return seen;
}

static void observeValue(const std::string &path, const ExampleValue &value,
                         sym::Observation &out) {
  using K = ExampleValue::Kind;
  using T = sym::ValueTag;
  sym::ObservedValue seen;
  auto container = [&](T tag) {
    seen.tag = tag;
    seen.length = int64_t(value.items.size());
  };
  switch (value.kind) {
  case K::None:
    return out.addNone(path);
  case K::Bool:
    return out.addBool(path, value.flag);
  case K::Int:
    return out.addInt(path, value.integer);
  case K::Float:
    return out.addFloat(path, value.real);
  case K::Str:
    return out.addString(path, value.text);
  case K::Bytes:
  case K::BigInt:
  case K::Call:
  case K::Other:
    // No tag of their own: a text that no string has.
    return out.addString(path, std::string(1, char(0xff)) + exampleRepr(value));
  case K::Tensor:
    return out.addTensor(path, observedTensor(value.tensor, value.requiresGrad));
  case K::DType:
    seen.tag = T::DType;
    seen.number = sym::dtypeCode(value.dtype);
    break;
  case K::Device:
    seen.tag = T::Device;
    seen.number = sym::deviceCode(value.text == "cpu" ? sym::kDeviceCpu : sym::kDeviceCuda);
    break;
  case K::List:
    container(T::List);
    break;
  case K::Tuple:
    container(T::Tuple);
    break;
  case K::Set:
    container(T::Set);
    for (const ExampleValue &item : value.items)
      seen.keys.push_back(exampleRepr(item));
    break;
  case K::Dict:
    container(T::Dict);
    seen.length /= 2;
    for (size_t i = 0; i + 1 < value.items.size(); i += 2)
      seen.keys.push_back(exampleRepr(value.items[i]));
    break;
  case K::Object:
    seen.tag = T::Object;
    seen.text = objectClass(value);
    seen.keys = value.names;
    break;
  }
  out.add(path, std::move(seen));
  forEachPart(path, value, [&](const std::string &at, const ExampleValue &part) {
    observeValue(at, part, out);
  });
}

sym::Observation ptc::observe(const ExampleCall &call, llvm::ArrayRef<std::string> parameters) {
  sym::Observation out;
  sym::ObservedValue given;
  given.tag = sym::ValueTag::Dict;
  for (const CallLeaf &argument : argumentsOf(call, parameters)) {
    given.keys.push_back(argument.path);
    observeValue(argument.path, *argument.value, out);
  }
  given.length = int64_t(given.keys.size());
  out.add(kArgumentsPath, std::move(given));
  return out;
}

static void declare(const std::string &path, const ExampleValue &value, sym::DeclaredSizes &out) {
  bool isNumber = value.kind == ExampleValue::Kind::Int;
  for (size_t d = 0; d < value.dims.size(); ++d) {
    if (value.dims[d].empty())
      continue;
    sym::DeclaredDim dim{{path, isNumber ? sym::DimRef::kNumber : unsigned(d)}, value.dims[d]};
    if (!llvm::is_contained(out.dims, dim))
      out.dims.push_back(std::move(dim));
  }
  forEachPart(path, value,
              [&](const std::string &at, const ExampleValue &part) { declare(at, part, out); });
}

static sym::Relation relationOf(llvm::StringRef text) {
  using R = sym::Relation;
  for (R relation : {R::Equal, R::NotEqual, R::Less, R::LessEqual, R::Greater, R::GreaterEqual})
    if (sym::getRelationName(relation) == text)
      return relation;
  llvm_unreachable("the reader of calls lets these pass only");
}

sym::DeclaredSizes ptc::declaredSizes(llvm::ArrayRef<ExampleCall> examples,
                                      llvm::ArrayRef<std::string> parameters) {
  sym::DeclaredSizes out;
  for (const ExampleCall &call : examples) {
    for (const CallLeaf &argument : argumentsOf(call, parameters))
      declare(argument.path, *argument.value, out);
    for (const DeclaredSize &size : call.sizes)
      out.add(
          {size.name, size.lower.value_or(0), size.upper, size.own, size.isClosed, size.typical});
    for (const DeclaredRelation &said : call.relations) {
      sym::SizeFact fact{said.left, relationOf(said.relation), said.right};
      if (!llvm::is_contained(out.facts, fact))
        out.facts.push_back(std::move(fact));
    }
  }
  return out;
}
