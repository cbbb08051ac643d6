//===- ArtefactRunner.cpp - Calls of an artefact ----------------------------------------===//
//
// In: a library that ptc made, its IR, calls. Out: what each call's caller sees, in the form in
// which the null target gives it: leaves of results become values by the trees of program.end.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/ArtefactRunner.h"

#include "ptc/Dialect/Program/Eval/Conclude.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/CallEffects.h"
#include "ptc/Symbolic/DecisionTree.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ptc;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Whether a status is about a GPU or its driver.
static bool isOfDevice(ptc_status status) {
  return llvm::is_contained(
      {ptc_status_device, ptc_status_no_driver, ptc_status_no_device, ptc_status_device_code},
      status);
}

/// Options without weights of their own.
static ptc_options plainOptions() {
  ptc_options options = {};
  options.size = sizeof options;
  return options;
}

/// What follows the name of the file in what the loader says of it.
static llvm::StringRef whyOf(llvm::StringRef file) {
  llvm::StringRef text = ptc_load_error();
  text.consume_front("./");
  file.consume_front("./");
  if (text.consume_front(file))
    text.consume_front(": ");
  return text;
}

static llvm::Error notOpened(llvm::StringRef path, ptc_status status, llvm::StringRef why) {
  bool isOfMachine = isOfDevice(status) || status == ptc_status_cpu;
  DiagId id = isOfMachine ? DiagId::NoDevice : DiagId::FileNotReadable;
  return makeError(id, {}, path, why.str());
}

/// The library's own text begins with its name.
static std::string damaged(llvm::StringRef path) {
  return "the weights in it: " + whyOf(path).split(": ").second.str();
}

/// Weights that are not embedded lie beside the library unless another file is named. `status`:
/// what the library said.
static llvm::Error openModel(llvm::StringRef path, llvm::StringRef weights, ptc_options options,
                             ptc_model **model, ptc_status &status) {
  status = ptc_status_ok;
  if (llvm::Error error = checkIsNoProgram(path))
    return error;
  std::string named = weights.str();
  options.weights_path = named.empty() ? nullptr : named.c_str();
  status = ptc_model_load(path.str().c_str(), &options, model);
  if (status == ptc_status_ok)
    return llvm::Error::success();
  if (status == ptc_status_invalid_argument && !weights.empty())
    return makeError(DiagId::UsageError, {},
                     "--weights are not used: those of " + path.str() +
                         ", if it has any, are in it");
  if (status != ptc_status_weights)
    return notOpened(path, status, whyOf(path));
  if (hasWeightsInside(path)) {
    Diagnostic diag = makeDiagnostic(DiagId::FileNotReadable, {}, path, damaged(path));
    diag.hint("give the library as `ptc compile` wrote it, or compile it again");
    return makeError(std::move(diag));
  }
  llvm::SmallString<128> file(weights);
  if (weights.empty()) {
    file = path;
    llvm::sys::path::replace_extension(file, "weights");
  }
  Diagnostic diag =
      makeDiagnostic(DiagId::FileNotReadable, {}, file,
                     whyOf(file).str() + "; it should have the weights of '" + path.str() + "'");
  diag.hint("name the .weights file that `ptc compile` wrote beside the library: --weights FILE");
  return makeError(std::move(diag));
}

llvm::Error ptc::checkArtefactWeights(llvm::StringRef path, llvm::StringRef weights) {
  ptc_options options = plainOptions();
  options.check_weights = ptc_check_always;
  ptc_model *model = nullptr;
  ptc_status status = ptc_status_ok;
  llvm::Error error = openModel(path, weights, options, &model, status);
  if (model)
    ptc_model_close(model);
  if (status == ptc_status_weights || status == ptc_status_invalid_argument)
    return error;
  llvm::consumeError(std::move(error)); // says nothing about weights
  return llvm::Error::success();
}

/// What is raised is a text, but for containers of the caller that change before.
static bool givesLeaves(program::EndOp end) {
  std::optional<mlir::ArrayAttr> changed = end.getMutated();
  return !end.getRaised() || (changed && !changed->empty());
}

llvm::Expected<std::unique_ptr<ArtefactRunner>>
ArtefactRunner::create(llvm::StringRef path, CompiledProgram &program, llvm::StringRef weights,
                       ptc_weight_check check, ptc_clock clock, void *clockUser) {
  std::unique_ptr<ArtefactRunner> runner(new ArtefactRunner(program));
  ptc_options options = plainOptions();
  options.check_weights = check;
  options.clock = clock;
  options.clock_user = clockUser;
  ptc_status status;
  if (llvm::Error error = openModel(path, weights, options, &runner->model, status))
    return std::move(error);
  if (llvm::Error error = runner->start(path))
    return std::move(error);
  return runner;
}

llvm::Expected<std::unique_ptr<ArtefactRunner>>
ArtefactRunner::create(llvm::StringRef path, CompiledProgram &program,
                       llvm::ArrayRef<uint8_t> weights) {
  std::unique_ptr<ArtefactRunner> runner(new ArtefactRunner(program));
  // Without the header of a file there is no hash to compare.
  ptc_options options = plainOptions();
  options.swap_weights = 1;
  options.weights = weights.data();
  options.weights_bytes = weights.size();
  if (ptc_status status = ptc_model_load(path.str().c_str(), &options, &runner->model))
    return notOpened(path, status, whyOf(path));
  if (llvm::Error error = runner->start(path))
    return std::move(error);
  return runner;
}

/// Makes the context of the model.
llvm::Error ArtefactRunner::start(llvm::StringRef path) {
  auto found = sym::callStructures(*program.observables, program.guards);
  if (!found)
    return found.takeError();
  structures = std::move(*found);
  char why[4608];
  if (ptc_status status = ptc_context_make(model, &handle, why, sizeof why))
    return notOpened(path, status, why);
  auto print = [](void *self, int stream, const char *text, size_t length) {
    auto *runner = static_cast<ArtefactRunner *>(self);
    (stream == 2 ? runner->err : runner->out).append(text, length);
  };
  ptc_set_output(handle, print, this);
  auto allocate = [](void *self, size_t bytes, size_t) -> void * {
    auto *runner = static_cast<ArtefactRunner *>(self);
    if (bytes >> 47) // more than a process addresses
      return nullptr;
    return runner->storages.emplace_back(std::make_shared<TensorStorage>(bytes))->data();
  };
  ptc_allocator allocator = {this, allocate};
  ptc_set_allocator(handle, &allocator);
  program.module->walk([&](program::EndOp end) {
    if (givesLeaves(end))
      maxOutputs = std::max(maxOutputs, uint32_t(end.getLeaves().size()));
  });
  return llvm::Error::success();
}

ArtefactRunner::~ArtefactRunner() {
  if (handle)
    ptc_context_destroy(handle);
  if (model)
    ptc_model_close(model);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static DLDataType dlType(DType dtype) {
  int64_t code = sym::dtypeCode(dtype);
  return {uint8_t(code), uint8_t(code >> 8), uint16_t(code >> 16)};
}

static ptc_value tensorValue(const ExampleValue &value, ArtefactCall &made) {
  HostTensor tensor = value.tensor;
  made.numbers.emplace_back(tensor.sizes());
  made.numbers.emplace_back(tensor.strides());
  std::vector<int64_t> &sizes = *std::prev(made.numbers.end(), 2), &strides = made.numbers.back();
  auto &view = made.tensors.emplace_back(std::make_unique<DLTensor>());
  *view = {tensor.storage()->data(),
           {kDLCPU, 0},
           int32_t(sizes.size()),
           dlType(tensor.dtype()),
           sizes.data(),
           strides.data(),
           uint64_t(tensor.storageOffset()) * tensor.elementBytes()};
  ptc_value leaf = ptc_of_tensor(view.get());
  leaf.requires_grad = value.requiresGrad;
  return leaf;
}

static std::optional<ptc_value> leafValue(const ExampleValue &value, ArtefactCall &made) {
  using K = ExampleValue::Kind;
  ptc_value leaf = ptc_of_none();
  switch (value.kind) {
  case K::None:
    return leaf;
  case K::Bool:
    return ptc_of_bool(value.flag);
  case K::Int:
    return ptc_of_int(value.integer);
  case K::Float:
    return ptc_of_float(value.real);
  case K::Str:
    return ptc_of_str(value.text.data(), value.text.size());
  case K::Tensor:
    return tensorValue(value, made);
  case K::DType:
    leaf.tag = ptc_tag_DType;
    leaf.as.dtype = dlType(value.dtype);
    return leaf;
  case K::Device:
    leaf.tag = ptc_tag_Device;
    leaf.as.device = {value.text == "cpu" ? kDLCPU : kDLCUDA, 0};
    return leaf;
  case K::Set: // a constant of the structure
    leaf.tag = ptc_tag_Set;
    return leaf;
  case K::List:
  case K::Tuple:
  case K::Dict:
  case K::Object:
  case K::BigInt:
  case K::Bytes:
  case K::Call:
  case K::Other:
    break;
  }
  return std::nullopt;
}

static void collectParts(const std::string &path, const ExampleValue &value,
                         std::vector<CallLeaf> &out) {
  out.push_back({path, &value});
  forEachPart(path, value, [&](const std::string &at, const ExampleValue &part) {
    collectParts(at, part, out);
  });
}

llvm::Error ArtefactRunner::recordMisses(const std::string &path,
                                         std::function<std::string(const ExampleCall &)> write) {
  writeMiss = std::move(write);
  if (ptc_record_misses(handle, path.c_str()) == ptc_status_ok)
    return llvm::Error::success();
  return makeError(DiagId::OutputNotWritten, {}, path, ptc_last_error(handle)->text);
}

/// What the null target says of a call that no variant fits, and why it is not recorded.
llvm::Error ArtefactRunner::missed(const ExampleCall &call, llvm::StringRef notRecorded) {
  sym::Observation seen = observe(call, program.parameters);
  sym::Miss miss = sym::explainMiss(program.guards, *program.observables, seen);
  const sym::Guard &guard = program.guards[miss.variant].guards()[miss.failure.guard];
  Diagnostic diag = sym::diagnoseMiss(*program.observables, guard, miss.failure);
  if (!notRecorded.empty())
    diag.note("the call is not recorded: " + notRecorded.str());
  return makeError(std::move(diag));
}

llvm::Expected<std::optional<ArtefactCall>>
ptc::prepareCall(const ExampleCall &call, const CompiledProgram &program,
                 llvm::ArrayRef<sym::CallStructure> structures) {
  sym::Observation seen = observe(call, program.parameters);
  const auto *structure =
      llvm::find_if(structures, [&](auto &s) { return s.matches(*program.observables, seen); });
  if (structure == structures.end())
    return std::nullopt;
  std::vector<CallLeaf> parts;
  for (const CallLeaf &argument : argumentsOf(call, program.parameters))
    collectParts(argument.path, *argument.value, parts);
  ArtefactCall made;
  made.structure = uint32_t(structure - structures.begin());
  for (const std::string &path : structure->leaves()) {
    auto part = llvm::find_if(parts, [&](const CallLeaf &p) { return p.path == path; });
    std::optional<ptc_value> value =
        part == parts.end() ? std::nullopt : leafValue(*part->value, made);
    if (!value && part != parts.end() && part->value->kind == ExampleValue::Kind::BigInt)
      return makeError(DiagId::IntOverflow, {});
    if (!value)
      return makeError(DiagId::ArgumentMissing, {}, path);
    made.inputs.push_back(*value);
    made.leaves.push_back(*part);
  }
  return made;
}

/// Why no example can be like a call: Python could not make it either. Empty: it could, or what the
/// entry takes is not known.
static std::string whyNoExample(const CompiledProgram &program, const ExampleCall &call) {
  llvm::SmallVector<llvm::StringRef> parameters;
  if (program.signature)
    llvm::StringRef(*program.signature).split(parameters, ", ", -1, /*KeepEmpty=*/false);
  size_t position = 0;
  bool isByName = false;
  for (llvm::StringRef parameter : parameters) {
    if (parameter == "/")
      continue;
    isByName |= parameter.starts_with("*");
    if (parameter.starts_with("*"))
      continue;
    bool hasDefault = parameter.consume_back("=");
    bool isNamed =
        llvm::any_of(call.kwargs, [&](const auto &arg) { return arg.first == parameter; });
    bool isPlaced = !isByName && position++ < call.args.size();
    if (isNamed && isPlaced)
      return ("'" + parameter + "' has two values").str();
    if (!isNamed && !isPlaced && !hasDefault)
      return ("'" + parameter + "' has no value and no default").str();
  }
  return {};
}

llvm::Expected<ArtefactCall> ArtefactRunner::prepare(const ExampleCall &call) {
  auto prepared = prepareCall(call, program, structures);
  if (!prepared)
    return prepared.takeError();
  if (std::optional<ArtefactCall> made = std::move(*prepared))
    return std::move(*made);
  if (!writeMiss)
    return missed(call, "");
  if (std::string why = whyNoExample(program, call); !why.empty())
    return missed(call, why);
  std::string text = writeMiss(call);
  bool recorded = ptc_record_call(handle, text.data(), text.size()) == ptc_status_ok;
  return missed(call, recorded ? "" : ptc_last_error(handle)->text);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The text of an exception without its class and place, which the error has beside it.
program::CallResult::Raised ArtefactRunner::raised() const {
  const ptc_error *error = ptc_last_error(handle);
  llvm::StringRef text = error->text;
  text.consume_front(std::string(error->type) + ": ");
  SourceLoc loc;
  loc.file = error->file;
  loc.line = error->line;
  if (*error->file)
    text.consume_back("\nnote: at " + loc.file + ":" + std::to_string(loc.line));
  return {error->type, text.str(), loc};
}

/// The part of a miss's text that says so.
static llvm::StringRef notRecorded(llvm::StringRef text) {
  return text.split("note: the call is not recorded: ").second.split('\n').first;
}

llvm::Error ArtefactRunner::checkStatus(ptc_status status, const ExampleCall &call) {
  if (status == ptc_status_ok || status == ptc_status_raised)
    return llvm::Error::success();
  return status == ptc_status_no_variant ? missed(call, notRecorded(ptc_last_error(handle)->text))
                                         : failure(status);
}

llvm::Error ArtefactRunner::failure(ptc_status status) {
  const ptc_error *error = ptc_last_error(handle);
  SourceLoc loc;
  loc.file = error->file;
  loc.line = error->line;
  if (status == ptc_status_int_overflow)
    return makeError(DiagId::IntOverflow, loc);
  if (status == ptc_status_out_of_memory)
    return makeError(DiagId::OutOfMemory, loc, "the tensors of this call");
  if (status == ptc_status_invalid_argument)
    return makeError(DiagId::CallDoesNotFit, loc, error->text);
  if (isOfDevice(status))
    return makeError(DiagId::NoDevice, loc, ptc_api_of(handle)->name, error->text);
  return makeError(DiagId::InternalError, loc, error->text);
}

/// The tensor in memory of an argument or of a result of this call; what only a text shows lies in
/// the context's memory and is copied. None: its type or its geometry is none.
static std::optional<HostTensor> hostTensor(const DLTensor &t,
                                            llvm::ArrayRef<std::shared_ptr<TensorStorage>> known) {
  std::optional<DType> dtype =
      sym::dtypeFromCode(int64_t(t.dtype.code) | t.dtype.bits << 8 | t.dtype.lanes << 16);
  if (!dtype)
    return std::nullopt;
  auto *data = static_cast<std::byte *>(t.data) + t.byte_offset;
  llvm::ArrayRef<int64_t> sizes(t.shape, size_t(t.ndim)), strides(t.strides, size_t(t.ndim));
  for (const auto &storage : known)
    if (data >= storage->data() && data <= storage->data() + storage->size()) {
      auto offset = int64_t(data - storage->data()) / getDTypeInfo(*dtype).bytes;
      std::optional<size_t> needed = storageBytes(*dtype, sizes, strides, offset);
      if (needed && *needed <= storage->size())
        return HostTensor(*dtype, sizes, strides, offset, storage);
    }
  std::optional<size_t> bytes = storageBytes(*dtype, sizes, strides);
  if (!bytes)
    return std::nullopt;
  auto copied = std::make_shared<TensorStorage>(*bytes);
  std::copy_n(data, *bytes, copied->data());
  return HostTensor(*dtype, sizes, strides, 0, std::move(copied));
}

llvm::Expected<HostValue> ArtefactRunner::valueOf(const ptc_value &value,
                                                  const ArtefactCall &made) const {
  switch (value.tag) {
  case ptc_tag_Bool:
    return HostValue(value.as.integer != 0);
  case ptc_tag_Int:
    return HostValue(value.as.integer);
  case ptc_tag_Float:
    return HostValue(value.as.real);
  case ptc_tag_Tensor: {
    std::vector<std::shared_ptr<TensorStorage>> known = storages;
    for (const CallLeaf &leaf : made.leaves)
      if (leaf.value->kind == ExampleValue::Kind::Tensor)
        known.push_back(leaf.value->tensor.storage());
    if (std::optional<HostTensor> tensor = hostTensor(*value.as.tensor, known))
      return HostValue(*tensor);
    return makeError(DiagId::InternalError, {}, "a result is no tensor");
  }
  default: // what a path does not have
    return HostValue();
  }
}

llvm::Expected<HostValue> ArtefactRunner::listOf(mlir::Type type, const ptc_value &value,
                                                 const ArtefactCall &made) const {
  if (value.tag != ptc_tag_List)
    return HostValue(); // what a path does not have
  llvm::ArrayRef<ptc_value> items(value.as.list.items, value.as.list.length);
  mlir::Type element = llvm::cast<program::ListType>(type).getElementType();
  if (element.isF64()) {
    HostValue::FloatList reals;
    for (const ptc_value &item : items)
      reals.push_back(item.as.real);
    return HostValue(std::move(reals));
  }
  if (element.isInteger(1)) {
    HostValue::BoolList flags;
    for (const ptc_value &item : items)
      flags.push_back(item.as.integer != 0);
    return HostValue(std::move(flags));
  }
  if (element.isInteger()) {
    HostValue::IntList ints;
    for (const ptc_value &item : items)
      ints.push_back(item.as.integer);
    return HostValue(std::move(ints));
  }
  HostValue::TensorList tensors;
  for (const ptc_value &item : items) {
    llvm::Expected<HostValue> tensor = valueOf(item, made);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(tensor->tensor());
  }
  return HostValue(std::move(tensors));
}

program::VariantOp ArtefactRunner::variantOf(const ptc_invocation &call) const {
  auto entry = *program.module->getOps<program::EntryOp>().begin();
  return *std::next(entry.getBody().getOps<program::VariantOp>().begin(), call.variant);
}

llvm::Expected<CallReport> ArtefactRunner::finish(const ArtefactCall &made,
                                                  const ptc_invocation &call,
                                                  llvm::ArrayRef<ptc_value> outputs,
                                                  ptc_status status) {
  CallReport report;
  if (call.outcome != PTC_NO_OUTCOME) {
    auto finish = llvm::cast<program::FinishOp>(variantOf(call).getBody().front().getTerminator());
    mlir::Block &outcome = finish.getOutcomes()[call.outcome].front();
    auto end = llvm::cast<program::EndOp>(outcome.getTerminator());
    llvm::SmallVector<HostValue> leaves;
    for (size_t i = 0; givesLeaves(end) && i < end.getLeaves().size(); ++i) {
      llvm::Expected<HostValue> value = llvm::isa<program::ListType>(end.getLeaves()[i].getType())
                                            ? listOf(end.getLeaves()[i].getType(), outputs[i], made)
                                            : valueOf(outputs[i], made);
      if (!value)
        return value.takeError();
      leaves.push_back(std::move(*value));
    }
    if (givesLeaves(end)) {
      auto result = program::concludeCall(end, leaves);
      if (!result)
        return result.takeError();
      report.call = std::move(*result);
    }
    outcome.walk([&](program::PlaceOp place) {
      if (place.getWritten() && place.getInput())
        report.call.writtenInputs.push_back(unsigned(*place.getInput()));
    });
  }
  if (status == ptc_status_raised)
    report.call.raised = raised();
  report.call.out = std::move(out);
  report.call.err = std::move(err);
  return report;
}

llvm::Expected<CallReport> ArtefactRunner::call(const ExampleCall &call) {
  llvm::Expected<ArtefactCall> made = prepare(call);
  if (!made)
    return made.takeError();
  storages.clear();
  out.clear();
  err.clear();
  if (call.seed)
    ptc_rng_seed(handle, 0, *call.seed);
  std::vector<ptc_value> outputs(maxOutputs, ptc_of_none());
  ptc_invocation invocation = {0,
                               made->structure,
                               made->inputs.data(),
                               uint32_t(made->inputs.size()),
                               uint32_t(outputs.size()),
                               outputs.data(),
                               0,
                               0};
  ptc_status status = ptc_invoke(handle, &invocation);
  if (llvm::Error error = checkStatus(status, call))
    return std::move(error);
  lastVariant = invocation.variant;
  auto report = finish(*made, invocation, outputs, status);
  if (report)
    describeEffects(*report, variantOf(invocation), leavesOf(call, program.parameters));
  return report;
}
