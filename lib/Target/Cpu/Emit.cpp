//===- Emit.cpp - LLVM dialect to object, assembly or LLVM IR ---------------------------===//
//
// In: a module of the llvm dialect, whose long functions become several. Out: bytes, the same for
// the same module and options.
//
//===----------------------------------------------------------------------===//
#include "Emitters/Isa.h"
#include "Emitters/LoopBuilder.h"
#include "Kernels.h"

#include "ptc/Target/Cpu/Code.h"

#include "ptc/Support/Error.h"
#include "ptc/Support/NearName.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace ptc;
using namespace ptc::cpu;

static llvm::Error internal(llvm::StringRef text) {
  return makeError(DiagId::InternalError, {}, text);
}

/// Features of the machine that ptc runs on, for `native`: the name alone would claim more where a
/// hypervisor hides some.
static std::string findNativeFeatures() {
  llvm::SubtargetFeatures features;
  llvm::SmallVector<std::pair<llvm::StringRef, bool>> rows;
  llvm::StringMap<bool> found = llvm::sys::getHostCPUFeatures();
  for (const auto &feature : found)
    rows.emplace_back(feature.getKey(), feature.getValue());
  llvm::sort(rows);
  for (auto [name, has] : rows)
    features.AddFeature(name, has);
  return features.getString();
}

namespace {

/// What LLVM is asked for.
struct Cpu {
  const llvm::Target *target = nullptr;
  llvm::Triple triple{"x86_64-unknown-linux-gnu"};
  std::string name, features;
};

} // namespace

/// Is it a CPU of LLVM, with 64-bit mode? Errors: UsageError.
static llvm::Error checkCpu(const llvm::Target &target, const llvm::Triple &triple,
                            llvm::StringRef name) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(target.createMCSubtargetInfo(triple, "", ""));
  auto has64Bit = [&](llvm::StringRef cpu) {
    std::unique_ptr<llvm::MCSubtargetInfo> of(target.createMCSubtargetInfo(triple, cpu, ""));
    return of->checkFeatures("+64bit");
  };
  bool isKnown = info->isCPUStringValid(name);
  if (isKnown && has64Bit(name))
    return llvm::Error::success();
  llvm::SmallVector<llvm::StringRef> names;
  for (const llvm::SubtargetSubTypeKV &row : info->getAllProcessorDescriptions())
    if (has64Bit(row.Key))
      names.push_back(row.Key);
  Diagnostic diag = makeDiagnostic(
      DiagId::UsageError, {},
      ("--cpu: " + name +
       (isKnown ? " has no 64-bit mode, which the code needs" : " is no CPU that LLVM knows"))
          .str());
  std::string meant = isKnown ? "" : didYouMean(name, names);
  return makeError(
      std::move(diag.hint((meant.empty() ? "" : meant + " ") + "--cpu takes native, or one of " +
                          llvm::join(names, ", "))));
}

static llvm::Expected<Cpu> findCpu(const CodeOptions &options) {
  static const std::string nativeFeatures = findNativeFeatures();
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  Cpu cpu;
  std::string error;
  cpu.target = llvm::TargetRegistry::lookupTarget(cpu.triple, error);
  if (!cpu.target)
    return internal(error);
  if (options.cpu == "native") {
    cpu.name = llvm::sys::getHostCPUName().str(); // that ptc runs on it says that it has 64 bits
    cpu.features = nativeFeatures;
    return cpu;
  }
  cpu.name = options.cpu;
  if (llvm::Error error = checkCpu(*cpu.target, cpu.triple, cpu.name))
    return std::move(error);
  return cpu;
}

/// What the CPU has. A TargetMachine knows it, too, and takes much longer to make.
static llvm::Expected<std::unique_ptr<llvm::MCSubtargetInfo>>
subtargetOf(const CodeOptions &options) {
  llvm::Expected<Cpu> cpu = findCpu(options);
  if (!cpu)
    return cpu.takeError();
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      cpu->target->createMCSubtargetInfo(cpu->triple, cpu->name, cpu->features));
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeMachine(const CodeOptions &options) {
  llvm::Expected<Cpu> cpu = findCpu(options);
  if (!cpu)
    return cpu.takeError();
  auto level = options.level == 0   ? llvm::CodeGenOptLevel::None
               : options.level >= 3 ? llvm::CodeGenOptLevel::Aggressive
                                    : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(
      cpu->target->createTargetMachine(cpu->triple, cpu->name, cpu->features, llvm::TargetOptions(),
                                       llvm::Reloc::PIC_, std::nullopt, level));
  return machine;
}

llvm::Expected<Isa> ptc::cpu::isaOf(const CodeOptions &options) {
  auto subtarget = subtargetOf(options);
  if (!subtarget)
    return subtarget.takeError();
  const llvm::MCSubtargetInfo &info = **subtarget;
  Isa isa;
  isa.hasFma = info.checkFeatures("+fma");
  if (info.checkFeatures("+avx512f,+avx512bw,+avx512vl,+avx512dq"))
    isa = {512, isa.hasFma, 8, 2, info.checkFeatures("+avx512bf16")};
  else if (info.checkFeatures("+avx2"))
    isa = {256, isa.hasFma, 6, 2, false};
  return isa;
}

llvm::Expected<uint64_t> ptc::cpu::cpuFeaturesOf(const CodeOptions &options) {
  static constexpr const char *kNames[] = {
#define PTC_CPU_FEATURE(Name, Leaf, Subleaf, Register, Shift, Mask, Least, State) "+" Name,
#include "ptc/Runtime/CpuFeatures.def"
  };
  auto subtarget = subtargetOf(options);
  if (!subtarget)
    return subtarget.takeError();
  const llvm::MCSubtargetInfo &info = **subtarget;
  uint64_t features = 0;
  for (auto [i, name] : llvm::enumerate(kNames))
    features |= uint64_t(info.checkFeatures(name)) << i;
  return features;
}

/// Measured on cores of 4 GHz: experiments with loops of FMAs, functions of vectors and copies.
static plan::CostModel costOf(const Isa &isa) {
  plan::CostModel cost;
  double lanes = double(isa.lanes(32));
  cost.machine = "one thread of x86-64, vectors of " + std::to_string(isa.vectorBits) + " bits";
  cost.typicalSize = double(kTypicalSize);
  cost.operations = lanes * 8e9;
  cost.functions = lanes * 0.4e9;
  cost.memories = {{32e3, lanes * 32e9}, {1e6, lanes * 16e9}, {32e6, 100e9}, {1e18, 40e9}};
  return cost;
}

llvm::Expected<plan::CostModel> ptc::cpu::costModelOf(const CodeOptions &options) {
  auto isa = isaOf(options);
  if (!isa)
    return isa.takeError();
  return costOf(*isa);
}

/// Loops are unrolled by emitters, where that is worth it: LLVM's own unrolling of loops with
/// run-time bounds costs up to a quarter of a GEMM's speed.
static void optimise(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopVectorization = level >= 2;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  auto at = level == 0   ? llvm::OptimizationLevel::O0
            : level == 1 ? llvm::OptimizationLevel::O1
            : level == 2 ? llvm::OptimizationLevel::O2
                         : llvm::OptimizationLevel::O3;
  llvm::ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(at) : builder.buildPerModuleDefaultPipeline(at);
  passes.run(module, modules);
}

/// Without F16C they would become calls of functions that an artefact has not.
static bool convertsHalves(const llvm::Module &module) {
  auto isHalf = [](const llvm::Type *type) { return type->getScalarType()->isHalfTy(); };
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instr : llvm::instructions(function))
      if (isHalf(instr.getType()) || llvm::any_of(instr.operands(), [&](const llvm::Use &use) {
            return isHalf(use->getType());
          }))
        return true;
  return false;
}

llvm::Expected<std::string> ptc::cpu::emitCode(mlir::ModuleOp code, CodeForm form,
                                               const CodeOptions &options) {
  auto machine = makeMachine(options);
  if (!machine)
    return machine.takeError();
  boundFunctions(code);
  mlir::registerBuiltinDialectTranslation(*code->getContext());
  mlir::registerLLVMDialectTranslation(*code->getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(code, context, "ptc", /*disableVerification=*/false);
  if (!module)
    return internal("the module does not translate to LLVM IR");
  if (convertsHalves(*module) && !(*machine)->getMCSubtargetInfo()->checkFeatures("+f16c"))
    return makeError(DiagId::UnsupportedOperation, {}, "torch.float16",
                     "--cpu=" + options.cpu + " has no F16C; x86-64-v3 and later have");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  optimise(*module, **machine, options.level);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (form == CodeForm::LLVM) {
    module->print(os, nullptr);
    return std::string(bytes.begin(), bytes.end());
  }
  llvm::legacy::PassManager passes;
  auto type = form == CodeForm::Object ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr, type))
    return internal("LLVM has no emitter for this form");
  passes.run(*module);
  return std::string(bytes.begin(), bytes.end());
}
