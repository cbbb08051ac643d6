//===- MakeArtefact.cpp - From a planned program to a file --------------------------------===//
//
// In: a program behind phase plan, its weights. Out: its code with dispatch, lowered by the target;
// tables of what the target and the guards say; the file that Package makes of both.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/MakeArtefact.h"

#include "ptc/Driver/ArtefactRunner.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/KeptResults.h"
#include "ptc/Package/MainTable.h"
#include "ptc/Package/Manifest.h"
#include "ptc/Symbolic/Observable.h"
#include "ptc/Target/Cpu/Guards.h"
#include "ptc/Target/Cuda/Code.h"

#include "llvm/Support/FormatVariadic.h"

using namespace ptc;

static constexpr char kDispatch[] = "ptc_dispatch_0", kEntry[] = "ptc_entry_0";

/// `hashes`: of an artefact's weights.
static std::string manifestOf(const CompiledProgram &program,
                              const std::optional<WeightHashes> &hashes) {
  ManifestFacts facts;
  if (hashes)
    facts.weightsContent = hashes->content;
  facts.observables = program.observables.get();
  facts.guards = program.guards;
  facts.parameters = program.parameters;
  facts.signature = program.signature;
  facts.sizes = program.sizes;
  for (const auto &assumption : program.assumptions)
    facts.assumptions.push_back({assumption.text, assumption.loc});
  for (const auto &use : program.world)
    facts.world.push_back({use.name, use.answer, use.reason, use.loc});
  for (const auto &package : program.packages)
    facts.packages.emplace_back(package.name, package.version);
  for (const auto &attribute : program.made)
    facts.made.push_back({attribute.object, attribute.name, attribute.value});
  facts.counts = {program.counts.ops, program.counts.steps, program.counts.forks,
                  program.counts.depth};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeManifest(os, program.module.get(), facts);
  return text;
}

std::string ptc::manifestOf(const CompiledProgram &program) {
  return ::manifestOf(program, std::nullopt);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// What the target made, with dispatch, and what dispatch was made of.
struct Code {
  cpu::ProgramCode program;
  std::vector<sym::CallStructure> structures;
  uint64_t cpuFeatures = 0;
};
} // namespace

static program::EntryOp entryOf(const CompiledProgram &program) {
  mlir::ModuleOp module = program.module.get();
  return *module.getOps<program::EntryOp>().begin();
}

/// IR without guards has one structure: the leaves that its variants read.
static std::vector<sym::CallStructure> unguardedStructure(program::EntryOp entry) {
  sym::CallStructure structure;
  std::vector<std::string> leaves;
  for (auto [i, variant] : llvm::enumerate(entry.getBody().getOps<program::VariantOp>())) {
    structure.variants.push_back(unsigned(i));
    for (auto [path, leaf] :
         llvm::zip(variant.getInputs().getAsValueRange<mlir::StringAttr>(), variant.getLeaves())) {
      leaves.resize(std::max(leaves.size(), size_t(leaf) + 1));
      leaves[size_t(leaf)] = path.str();
    }
  }
  for (std::string &path : leaves)
    structure.addLeaf(std::move(path));
  return {structure};
}

llvm::Expected<plan::CostModel> ptc::costModelFor(const cpu::CodeOptions &options,
                                                  const CompiledProgram &program) {
  llvm::Expected<plan::CostModel> cost = options.gpu.empty()
                                             ? cpu::costModelOf(options)
                                             : llvm::Expected<plan::CostModel>(cuda::costModel());
  if (cost && program.typicalSize)
    cost->typicalSize = *program.typicalSize;
  return cost;
}

llvm::Expected<cpu::ProgramCode> ptc::lowerFor(mlir::ModuleOp module,
                                               const cpu::CodeOptions &options) {
  if (options.gpu.empty())
    return cpu::lowerProgram(module, options);
  return cpu::lowerProgram(module, options, cuda::lowerKernels);
}

/// What the program asks of sizes and numbers in calls of a variant.
static std::string askedOf(const CompiledProgram &program, const sym::GuardSet &guards) {
  std::vector<std::string> asked;
  for (const sym::Guard &guard : guards.guards()) {
    bool isOfNumber =
        llvm::is_contained({sym::GuardKind::SizeEqual, sym::GuardKind::SizeRange,
                            sym::GuardKind::SizeRelation, sym::GuardKind::SizeDivisible,
                            sym::GuardKind::IntCondition, sym::GuardKind::FloatCondition},
                           guard.kind);
    if (isOfNumber && llvm::any_of(guard.origins, [](const auto &o) { return !o.implicit; }))
      asked.push_back(sym::atomText(*program.observables, guard.atom));
  }
  return llvm::join(asked, " and ");
}

/// Variants of several say which calls they are for.
static void markVariants(CompiledProgram &program) {
  auto variants = entryOf(program).getBody().getOps<program::VariantOp>();
  if (program.guards.size() < 2)
    return;
  mlir::Builder b(program.module->getContext());
  for (auto [variant, guards] : llvm::zip(variants, program.guards))
    if (std::string asked = askedOf(program, guards); !asked.empty())
      variant->setAttr(cpu::kCallsAttr, b.getStringAttr(asked));
}

static llvm::Expected<Code> makeCode(CompiledProgram &program, const cpu::CodeOptions &options) {
  Code code;
  auto features = cpu::cpuFeaturesOf(options);
  if (!features)
    return features.takeError();
  code.cpuFeatures = *features;
  markVariants(program);
  auto lowered = lowerFor(*program.module, options);
  if (!lowered)
    return lowered.takeError();
  code.program = std::move(*lowered);
  std::vector<sym::GuardSet> guards = program.guards;
  if (guards.empty()) {
    code.structures = unguardedStructure(entryOf(program));
    guards.resize(code.program.variants.size());
  } else {
    auto structures = sym::callStructures(*program.observables, guards);
    if (!structures)
      return structures.takeError();
    code.structures = std::move(*structures);
  }
  mlir::OpBuilder b(code.program.module->getContext());
  b.setInsertionPointToEnd(code.program.module->getBody());
  cpu::emitDispatch(b, b.getUnknownLoc(),
                    {*program.observables, guards, code.structures, kDispatch, kEntry});
  return code;
}

llvm::Expected<std::string> ptc::codeText(CompiledProgram &program, cpu::CodeForm form,
                                          const cpu::CodeOptions &options) {
  llvm::Expected<Code> code = makeCode(program, options);
  if (!code)
    return code.takeError();
  return cpu::emitCode(*code->program.module, form, options);
}

llvm::Expected<std::string> ptc::deviceText(CompiledProgram &program, bool asMachineCode,
                                            const cpu::CodeOptions &options) {
  if (asMachineCode && !cuda::hasAssembler())
    return makeError(DiagId::AssemblerMissing, {});
  auto code = lowerFor(*program.module, options);
  if (!code)
    return code.takeError();
  return asMachineCode ? code->device.images.front().bytes : code->device.assembly;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static DLDataType dlType(DType dtype) {
  int64_t code = sym::dtypeCode(dtype);
  return {uint8_t(code), uint8_t(code >> 8), uint16_t(code >> 16)};
}

/// What the code takes for granted of where the elements of a state lie. Strides that are names are
/// read from the slot; those that follow from its sizes are what a new tensor gets.
static void addLayout(ArtefactState &state, mlir::RankedTensorType type) {
  auto meta = mlir::dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  bool isRowMajor = !meta || !meta.getStrides();
  int64_t stride = 1;
  state.strides.assign(size_t(type.getRank()), PTC_ANY_SIZE);
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    int64_t size = type.isDynamicDim(unsigned(d)) ? PTC_ANY_SIZE : type.getDimSize(unsigned(d));
    state.sizes.insert(state.sizes.begin(), size);
    if (isRowMajor)
      state.strides[size_t(d)] = stride;
    else if (auto known = mlir::dyn_cast<mlir::IntegerAttr>(meta.getStrides()[size_t(d)]))
      state.strides[size_t(d)] = known.getInt();
    bool isKnown = stride != PTC_ANY_SIZE && size != PTC_ANY_SIZE;
    stride = isKnown ? stride * std::max<int64_t>(size, 1) : PTC_ANY_SIZE;
  }
}

static ArtefactState stateOf(const cpu::StateRow &row) {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(row.type)) {
    std::optional<DType> dtype = aten::toDType(tensor.getElementType());
    ArtefactState state = {row.name,
                           ptc_tag_Tensor,
                           dlType(dtype.value_or(DType::Float32)),
                           int32_t(tensor.getRank()),
                           {},
                           {}};
    addLayout(state, tensor);
    return state;
  }
  ptc_tag tag = row.type.isInteger(1) ? ptc_tag_Bool
                : row.type.isF64()    ? ptc_tag_Float
                                      : ptc_tag_Int;
  return {row.name, tag, {0, 0, 0}, 0, {}, {}};
}

static HostTensor bytesOf(llvm::StringRef literal) {
  HostTensor bytes = HostTensor::zeros(DType::UInt8, {int64_t(literal.size())});
  memcpy(bytes.data<uint8_t>(), literal.data(), literal.size());
  return bytes;
}

static llvm::Error addWeights(ArtefactTables &tables, const cpu::ProgramCode &code,
                              llvm::ArrayRef<NamedTensor> weights) {
  for (const cpu::WeightRow &row : code.weights) {
    if (!row.literal.empty()) {
      tables.weights.push_back(
          {row.name, row.offset, bytesOf(row.literal), std::nullopt, /*isLiteral=*/true});
      continue;
    }
    const auto *found =
        llvm::find_if(weights, [&](const NamedTensor &weight) { return weight.name == row.name; });
    if (found == weights.end())
      return makeError(DiagId::WeightMissing, {}, row.name);
    bool isConverted = found->tensor.dtype() != row.dtype;
    assert((!isConverted || (isFloat(found->tensor.dtype()) && isFloat(row.dtype))) &&
           "capture has checked the weights' types");
    tables.weights.push_back({row.name, row.offset,
                              isConverted ? found->tensor.convertedTo(row.dtype) : found->tensor,
                              row.format});
  }
  llvm::sort(tables.weights, [](auto &a, auto &b) { return a.offset < b.offset; });
  return llvm::Error::success();
}

/// What a result looks like, as Python would write it: leaves by their numbers among the outputs,
/// constants by their kinds, and what is deeper than `depth` containers as `…`.
static std::string shapeText(program::OutAttr node, unsigned depth) {
  using K = program::OutKind;
  if (node.getKind() != K::Choice && node.getLeaf() >= 0)
    return "outputs[" + std::to_string(node.getLeaf()) + "]";
  llvm::ArrayRef<program::OutAttr> parts = node.getChildren();
  const bool isDict = node.getKind() == K::Dict;
  const bool isSequence = node.getKind() == K::List || node.getKind() == K::Tuple;
  if (program::isTupleOfList(node))
    return shapeText(parts.front(), depth);
  if (!isDict && !isSequence)
    return stringifyOutKind(node.getKind()).str();
  if (depth == 0)
    return "…";
  std::string text;
  for (size_t i = 0; i < parts.size(); i += isDict ? 2 : 1) {
    text += text.empty() ? "" : ", ";
    if (isDict && parts[i].getText() && !parts[i].getText().getValue().empty())
      text += "\"" + parts[i].getText().str() + "\": ";
    else if (isDict)
      text += shapeText(parts[i], depth - 1) + ": ";
    text += shapeText(parts[isDict ? i + 1 : i], depth - 1);
  }
  return isDict                      ? "{" + text + "}"
         : node.getKind() == K::List ? "[" + text + "]"
                                     : "(" + text + ")";
}

/// Writes the place of each leaf and each None below `node`, which is at `path`, in Python's
/// notation; of several places the first.
static void nameLeaves(program::OutAttr node, const std::string &path, ResultNames &names) {
  using K = program::OutKind;
  llvm::ArrayRef<program::OutAttr> parts = node.getChildren();
  if (node.getKind() == K::None)
    names.nones.push_back(path);
  if (node.getLeaf() >= 0 && names.leaves[size_t(node.getLeaf())].empty()) {
    std::string &name = names.leaves[size_t(node.getLeaf())] = path;
    if (node.getKind() == K::Choice) {
      name += " (which of them:";
      for (auto [i, part] : llvm::enumerate(parts))
        name += (i ? ", " : " ") + std::to_string(i) + ": " + shapeText(part, 2);
      name += ")";
    }
  }
  bool isObject = node.getKind() == K::Object;
  if (isObject || node.getKind() == K::Dict) {
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
      mlir::StringAttr text = parts[i].getText();
      std::string key = text && !text.getValue().empty() ? text.str() : std::to_string(i / 2);
      nameLeaves(parts[i + 1],
                 isObject ? llvm::formatv("{0}.{1}", path, key).str()
                          : llvm::formatv("{0}[\"{1}\"]", path, key).str(),
                 names);
    }
    return;
  }
  bool isIndexed =
      node.getKind() == K::List || (node.getKind() == K::Tuple && !program::isTupleOfList(node));
  const size_t numNones = names.nones.size();
  unsigned numParts = 0; // of a text, that the run makes
  for (auto [i, part] : llvm::enumerate(parts)) {
    std::string place = path;
    if (isIndexed)
      place += "[" + std::to_string(i) + "]";
    else if (node.getKind() == K::Template && part.getKind() != K::Str)
      place += " (part " + std::to_string(numParts++) + " of the text)";
    nameLeaves(part, place, names);
  }
  if (!isIndexed)
    names.nones.resize(numNones); // one of several alternatives, or of a text's parts
}

static ResultNames namesOf(program::EndOp end) {
  ResultNames names;
  names.leaves.resize(end.getLeaves().size());
  nameLeaves(end.getResult(), "result", names);
  const size_t numNones = names.nones.size();
  if (mlir::ArrayAttr mutated = end.getMutatedAttr())
    for (auto [tree, path] :
         llvm::zip_equal(mutated.getAsRange<program::OutAttr>(),
                         end.getMutatedPathsAttr().getAsRange<mlir::StringAttr>()))
      nameLeaves(tree, path.str() + " (written)", names);
  names.nones.resize(numNones); // of the result only
  return names;
}

static void addVariants(ArtefactTables &tables, const CompiledProgram &program,
                        const cpu::ProgramCode &code) {
  auto variants = entryOf(program).getBody().getOps<program::VariantOp>();
  for (auto [variant, row] : llvm::zip_equal(variants, code.variants)) {
    ArtefactVariant &made = tables.variants.emplace_back();
    made = {variant.getSymName().str(),
            row.symbol,
            row.arenaBytes,
            row.threadBytes,
            row.numOutputs,
            row.numRaised,
            row.numStorages,
            {},
            {},
            {}};
    auto finish = mlir::cast<program::FinishOp>(variant.getBody().front().getTerminator());
    for (auto [outcome, region] : llvm::zip_equal(row.outcomes, finish.getOutcomes())) {
      auto end = mlir::cast<program::EndOp>(region.front().getTerminator());
      std::vector<uint32_t> &kept = made.kept.emplace_back();
      made.names.push_back(outcome.raises ? ResultNames() : namesOf(end));
      if (!outcome.raises) // what is raised is a text
        llvm::append_range(kept, program::keptLeaves(end));
      made.outcomes.push_back(
          {outcome.numLeaves, outcome.raises, nullptr, uint32_t(kept.size()), 0});
    }
  }
}

static void addDevice(ArtefactTables &tables, const cpu::DeviceCode &device) {
  for (const auto &image : device.images)
    tables.images.push_back({image.bytes, image.kind, image.capability});
  for (const auto &kernel : device.kernels)
    tables.kernels.push_back({kernel.name, kernel.threads, kernel.sharedBytes, kernel.perProcessor,
                              uint32_t(kernel.awaits)});
  tables.firstDraw = device.firstDraw;
}

/// What a program knows beside its artefact, as an object.
static llvm::Expected<std::string>
mainOf(const CompiledProgram &program, const ArtefactTables &tables, const ExampleCall &example) {
  auto prepared = prepareCall(example, program, tables.structures);
  if (!prepared)
    return prepared.takeError();
  std::optional<ArtefactCall> call = std::move(*prepared);
  if (!call)
    return makeError(DiagId::CallDoesNotFit, {}, "no variant takes arguments of its structure");
  auto results = showResults(entryOf(program));
  if (!results)
    return results.takeError();
  MainExample made = {call->structure, {}, example.seed};
  for (auto [value, leaf] : llvm::zip_equal(call->inputs, call->leaves))
    made.leaves.push_back({leaf.path, value, leaf.value->tensor});
  uint32_t most = 0;
  for (const ArtefactVariant &variant : tables.variants) {
    most = std::max(most, variant.numOutputs);
    for (const ptc_outcome &outcome : variant.outcomes)
      most = std::max(most, outcome.num_leaves);
  }
  return makeMainTable(tables.entry, made, *results, most);
}

/// Of a module: the options that its code was made with.
static constexpr llvm::StringLiteral kCpuAttr = "ptc.cpu", kLevelAttr = "ptc.level",
                                     kGpuAttr = "ptc.gpu",
                                     kMatmulPrecisionAttr = "ptc.matmul_precision";

void ptc::noteCodeOptions(CompiledProgram &program, const cpu::CodeOptions &options) {
  mlir::Builder b(program.context.get());
  (*program.module)->setAttr(kCpuAttr, b.getStringAttr(options.cpu));
  (*program.module)->setAttr(kLevelAttr, b.getI64IntegerAttr(options.level));
  if (!options.gpu.empty())
    (*program.module)->setAttr(kGpuAttr, b.getStringAttr(options.gpu));
  if (options.matmulPrecision != cpu::MatmulPrecision::Highest)
    (*program.module)
        ->setAttr(kMatmulPrecisionAttr,
                  b.getStringAttr(cpu::kMatmulPrecisions[size_t(options.matmulPrecision)]));
}

cpu::CodeOptions ptc::codeOptionsOf(const CompiledProgram &program) {
  cpu::CodeOptions options;
  mlir::ModuleOp module = program.module.get();
  if (auto cpu = module->getAttrOfType<mlir::StringAttr>(kCpuAttr))
    options.cpu = cpu.str();
  if (auto level = module->getAttrOfType<mlir::IntegerAttr>(kLevelAttr))
    options.level = unsigned(level.getInt());
  if (auto gpu = module->getAttrOfType<mlir::StringAttr>(kGpuAttr))
    options.gpu = gpu.str();
  if (auto precision = module->getAttrOfType<mlir::StringAttr>(kMatmulPrecisionAttr))
    for (auto [number, name] : llvm::enumerate(cpu::kMatmulPrecisions))
      if (precision == name)
        options.matmulPrecision = cpu::MatmulPrecision(number);
  return options;
}

/// What the code and the program say; weights are not among it, nor the manifest.
static ArtefactTables tablesOf(const CompiledProgram &program, const Code &code,
                               llvm::StringRef path) {
  ArtefactTables tables;
  tables.model = modelNameOf(path);
  tables.entry = entryOf(program).getSymName().str();
  tables.sizes = program.sizes;
  tables.dispatchSymbol = kDispatch;
  tables.entrySymbol = kEntry;
  tables.initSymbol = code.program.initSymbol;
  tables.initArenaBytes = code.program.initArenaBytes;
  tables.numGenerators = code.program.numGenerators;
  tables.space = program.observables.get();
  tables.guards = program.guards;
  tables.structures = code.structures;
  tables.parameters = program.parameters;
  tables.weightBytes = code.program.weightBytes;
  tables.cpuFeatures = code.cpuFeatures;
  addVariants(tables, program, code.program);
  addDevice(tables, code.program.device);
  for (const cpu::StateRow &row : code.program.states)
    tables.states.push_back(stateOf(row));
  return tables;
}

llvm::Expected<cpu::ProgramCode> ptc::makeTimedLibrary(CompiledProgram &program,
                                                       llvm::ArrayRef<NamedTensor> weights,
                                                       cpu::CodeOptions options,
                                                       llvm::StringRef path) {
  options.timesKernels = true;
  llvm::Expected<Code> code = makeCode(program, options);
  if (!code)
    return code.takeError();
  auto object = cpu::emitCode(*code->program.module, cpu::CodeForm::Object, options);
  if (!object)
    return object.takeError();
  ArtefactTables tables = tablesOf(program, *code, path);
  tables.exported = cpu::kKernelTimes;
  tables.manifest = manifestOf(program);
  tables.placement = weights.empty() ? WeightPlacement::Argument : WeightPlacement::Embed;
  if (!weights.empty())
    if (llvm::Error error = addWeights(tables, code->program, weights))
      return std::move(error);
  OutputFiles files;
  if (llvm::Error error = writeArtefact(path, ArtefactKind::Library, *object, tables, "", files))
    return std::move(error);
  if (llvm::Error error = files.commit())
    return std::move(error);
  return std::move(code->program);
}

llvm::Error ptc::makeArtefact(CompiledProgram &program, llvm::StringRef ir,
                              llvm::ArrayRef<NamedTensor> weights, const ArtefactOptions &options,
                              OutputFiles &out) {
  llvm::Expected<Code> code = makeCode(program, options.code);
  if (!code)
    return code.takeError();
  auto object = cpu::emitCode(*code->program.module, cpu::CodeForm::Object, options.code);
  if (!object)
    return object.takeError();
  ArtefactTables tables = tablesOf(program, *code, options.output);
  tables.placement = options.placement;
  tables.ir = ir.str();
  tables.request = options.request;
  if (llvm::Error error = addWeights(tables, code->program, weights))
    return error;
  tables.hashes = hashWeights(tables);
  tables.manifest = ::manifestOf(program, tables.hashes);
  if (options.kind == ArtefactKind::Program) {
    llvm::Expected<std::string> main = mainOf(program, tables, options.example);
    if (!main)
      return main.takeError();
    tables.main = std::move(*main);
  }
  if (llvm::Error error =
          writeArtefact(options.output, options.kind, *object, tables, options.weightsOutput, out))
    return error;
  return options.headerOutput.empty() ? llvm::Error::success()
                                      : out.add(options.headerOutput, makeHeader(tables));
}
