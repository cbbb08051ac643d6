//===- Runner.cpp - Calls on the null target ------------------------------------------===//
//
// In: a compiled program and calls. Out: for each call what its caller sees: result or exception,
// prints, written arguments, aliasing. State goes from call to call.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/Runner.h"

#include "ptc/Driver/CallEffects.h"

#include "ptc/Symbolic/DecisionTree.h"

using namespace ptc;

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
  return dispatch(observe(call, program.parameters));
}

llvm::Expected<unsigned> Runner::dispatch(const sym::Observation &seen) {
  if (program.guards.empty())
    return 0;
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

/// By path where the call has it under that name, else by number; none: end().
static const CallLeaf *findLeaf(llvm::ArrayRef<CallLeaf> leaves, llvm::StringRef path,
                                size_t number) {
  const auto *leaf = llvm::find_if(leaves, [&](const CallLeaf &l) { return l.path == path; });
  return leaf == leaves.end() && number < leaves.size() ? leaves.begin() + number : leaf;
}

void ptc::describeEffects(CallReport &report, program::VariantOp variant,
                          llvm::ArrayRef<CallLeaf> leaves) {
  for (unsigned input : report.call.writtenInputs) {
    auto path = llvm::cast<mlir::StringAttr>(variant.getInputs()[input]).getValue().str();
    const CallLeaf *own = findLeaf(leaves, path, size_t(variant.getLeaves()[input]));
    assert(own != leaves.end() && "the call had it");
    const HostTensor &written = own->value->tensor;
    report.inputs.emplace_back(path, ExampleValue::ofTensor(written));
    // Others that share its memory changed with it.
    for (const CallLeaf &leaf : leaves)
      if (leaf.path != path && leaf.value->kind == ExampleValue::Kind::Tensor &&
          leaf.value->tensor.sharesStorageWith(written))
        report.inputs.emplace_back(leaf.path, *leaf.value);
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
    const CallLeaf *leaf = findLeaf(leaves, path, size_t(variant.getLeaves()[i]));
    std::optional<HostValue> value =
        leaf == llvm::ArrayRef(leaves).end() ? std::nullopt : hostValueOf(*leaf->value);
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
  describeEffects(report, variant, leaves);
  return report;
}
