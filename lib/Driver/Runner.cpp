//===- Runner.cpp - Calls on the null target ------------------------------------------===//
//
// In: a compiled program and calls. Out: for each call what its caller sees: result or exception,
// prints, written arguments, aliasing. State goes from call to call.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/Runner.h"

#include "ptc/Symbolic/DecisionTree.h"

using namespace ptc;

//===----------------------------------------------------------------------===//
// Paths and leaves
//===----------------------------------------------------------------------===//

static std::string itemPath(const std::string &path, const ExampleValue &key) {
  if (key.kind == ExampleValue::Kind::Str)
    return path + "[\"" + key.text + "\"]";
  return path + "[" + exampleRepr(key) + "]";
}

/// Calls `see(path, child)` for the parts of a container; false: `value` is a leaf.
template <typename Fn>
static bool forEachPart(const std::string &path, const ExampleValue &value, Fn see) {
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

static void collectLeaves(const std::string &path, const ExampleValue &value,
                          std::vector<CallLeaf> &out) {
  if (!forEachPart(path, value, [&](const std::string &at, const ExampleValue &part) {
        collectLeaves(at, part, out);
      }))
    out.push_back({path, &value});
}

/// Arguments in the order of the parameters, then other keywords as given.
static std::vector<CallLeaf> argumentsOf(const ExampleCall &call,
                                         llvm::ArrayRef<std::string> parameters) {
  std::vector<CallLeaf> out;
  for (size_t i = 0; i < call.args.size(); ++i)
    out.push_back(
        {i < parameters.size() ? parameters[i] : "arg" + std::to_string(i), &call.args[i]});
  std::vector<bool> used(call.kwargs.size());
  for (const std::string &name : parameters)
    for (size_t i = 0; i < call.kwargs.size(); ++i)
      if (call.kwargs[i].first == name) {
        out.push_back({name, &call.kwargs[i].second});
        used[i] = true;
      }
  for (size_t i = 0; i < call.kwargs.size(); ++i)
    if (!used[i])
      out.push_back({call.kwargs[i].first, &call.kwargs[i].second});
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
  seen.address = reinterpret_cast<uint64_t>(tensor.bytes());
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
  case K::Bytes:
  case K::BigInt:
  case K::Other:
    return out.addString(path, value.text);
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
    break;
  case K::Dict:
    container(T::Dict);
    seen.length /= 2;
    for (size_t i = 0; i + 1 < value.items.size(); i += 2)
      seen.keys.push_back(exampleRepr(value.items[i]));
    break;
  case K::Object:
    seen.tag = T::Object;
    seen.text = value.text;
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
  for (const CallLeaf &argument : argumentsOf(call, parameters))
    observeValue(argument.path, *argument.value, out);
  return out;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<Runner>> Runner::create(CompiledProgram &program,
                                                       llvm::ArrayRef<NamedTensor> weights,
                                                       program::OpExecutor &executor) {
  std::unique_ptr<Runner> runner(new Runner(program, executor));
  for (const NamedTensor &weight : weights)
    runner->weights[weight.name] = weight.tensor;
  auto entries = program.module->getOps<program::EntryOp>();
  if (entries.empty())
    return makeError(DiagId::InternalError, {}, "the module has no program.entry");
  auto lookup = [self = runner.get()](llvm::StringRef name) -> const HostTensor * {
    auto found = self->weights.find(name);
    return found == self->weights.end() ? nullptr : &found->second;
  };
  auto evaluator = program::Evaluator::create(*entries.begin(), lookup, executor);
  if (!evaluator)
    return evaluator.takeError();
  runner->evaluator = std::move(*evaluator);
  return runner;
}

llvm::Expected<unsigned> Runner::dispatch(const ExampleCall &call) {
  if (program.guards.empty())
    return 0;
  sym::Observation seen = observe(call, program.parameters);
  sym::DecisionTree tree(*program.observables, program.guards);
  if (std::optional<unsigned> variant = tree.dispatch(*program.observables, seen))
    return *variant;
  sym::Miss miss = sym::explainMiss(program.guards, *program.observables, seen);
  const sym::Guard &guard = program.guards[miss.variant].guards()[miss.failure.guard];
  return makeError(sym::diagnoseMiss(*program.observables, guard, miss.failure));
}

static std::optional<HostValue> hostValueOf(const ExampleValue &value) {
  using K = ExampleValue::Kind;
  switch (value.kind) {
  case K::Bool:
    return HostValue(value.flag);
  case K::Int:
    return HostValue(value.integer);
  case K::Float:
    return HostValue(value.real);
  case K::Tensor:
    return HostValue(value.tensor);
  default:
    return std::nullopt;
  }
}

static void collectTensors(const std::string &path, const ExampleValue &value,
                           std::vector<std::pair<std::string, const HostTensor *>> &out) {
  std::vector<CallLeaf> leaves;
  collectLeaves(path, value, leaves);
  for (const CallLeaf &leaf : leaves)
    if (leaf.value->kind == ExampleValue::Kind::Tensor)
      out.emplace_back(leaf.path, &leaf.value->tensor);
}

llvm::Expected<CallReport> Runner::call(const ExampleCall &call) {
  llvm::Expected<unsigned> index = dispatch(call);
  if (!index)
    return index.takeError();
  if (call.seed)
    executor.seed(0, *call.seed);
  program::VariantOp variant = evaluator->variant(*index);
  std::vector<CallLeaf> leaves = leavesOf(call, program.parameters);
  llvm::SmallVector<HostValue> inputs;
  for (auto [i, path] : llvm::enumerate(variant.getInputs().getAsValueRange<mlir::StringAttr>())) {
    // By path where the call has it under that name, else by number.
    auto leaf = llvm::find_if(leaves, [&](const CallLeaf &l) { return l.path == path; });
    size_t number = size_t(variant.getLeaves()[i]);
    if (leaf == leaves.end() && number < leaves.size())
      leaf = leaves.begin() + int64_t(number);
    std::optional<HostValue> value =
        leaf == leaves.end() ? std::nullopt : hostValueOf(*leaf->value);
    if (!value)
      return makeError(DiagId::ArgumentMissing, {}, path);
    mlir::Type type = variant.getBody().getArgument(unsigned(i)).getType();
    if (type.isF64() && value->is<int64_t>())
      value = double(value->get<int64_t>());
    inputs.push_back(std::move(*value));
  }
  auto result = evaluator->call(*index, inputs);
  if (!result)
    return result.takeError();

  CallReport report;
  report.call = std::move(*result);
  for (unsigned input : report.call.writtenInputs) {
    auto path = llvm::cast<mlir::StringAttr>(variant.getInputs()[input]).getValue().str();
    report.inputs.emplace_back(path, ExampleValue::ofTensor(inputs[input].tensor()));
  }
  for (auto &[path, value] : report.call.mutated)
    report.inputs.emplace_back(path, value);
  std::vector<std::pair<std::string, const HostTensor *>> tensors;
  if (!report.call.raised)
    collectTensors("result", report.call.result, tensors);
  size_t numResults = tensors.size();
  for (const CallLeaf &leaf : leaves)
    if (leaf.value->kind == ExampleValue::Kind::Tensor)
      tensors.emplace_back(leaf.path, &leaf.value->tensor);
  for (size_t i = 0; i < numResults; ++i)
    for (size_t j = i + 1; j < tensors.size(); ++j)
      if (tensors[i].second->sharesStorageWith(*tensors[j].second))
        report.aliases.emplace_back(tensors[i].first, tensors[j].first);
  return report;
}
