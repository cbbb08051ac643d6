//===- Emit.cpp - LLVM dialect to PTX --------------------------------------------------------===//
//
// In: a module of the llvm and nvvm dialects. Out: PTX, the same for the same module and options.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "ptc/Support/Error.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace ptc;
using namespace ptc::cuda;

static llvm::Error internal(llvm::StringRef text) {
  return makeError(DiagId::InternalError, {}, text);
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeMachine(llvm::StringRef gpu, llvm::StringRef version, unsigned optLevel) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return internal(error);
  auto level = optLevel == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, gpu, version, llvm::TargetOptions(), std::nullopt, std::nullopt, level));
}

/// The first function of libdevice that is called; empty: none is.
static std::string calledOfLibdevice(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (llvm::StringRef name = function.getName();
        function.isDeclaration() && name.consume_front("__nv_"))
      return name.str();
  return "";
}

/// Functions of libdevice become part of the module, as far as they are called.
static llvm::Error linkLibdevice(llvm::Module &module) {
  std::string called = calledOfLibdevice(module);
  if (called.empty())
    return llvm::Error::success();
  std::string path = findLibdevice();
  if (path.empty())
    return makeError(DiagId::LibdeviceMissing, {}, called);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError(DiagId::LibdeviceBroken, {}, path, buffer.getError().message());
  auto library = llvm::parseBitcodeFile((*buffer)->getMemBufferRef(), module.getContext());
  if (!library)
    return makeError(DiagId::LibdeviceBroken, {}, path, llvm::toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  auto keepOwn = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded, keepOwn))
    return internal("libdevice does not link");
  if (std::string missing = calledOfLibdevice(module); !missing.empty())
    return makeError(DiagId::LibdeviceBroken, {}, path, "it has no '" + missing + "'");
  return llvm::Error::success();
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                 : builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  passes.run(module, modules);
}

llvm::Expected<std::string> ptc::cuda::emitPtx(mlir::ModuleOp device, llvm::StringRef target,
                                               llvm::StringRef version, unsigned level) {
  auto machine = makeMachine(target, version, level);
  if (!machine)
    return machine.takeError();
  mlir::registerBuiltinDialectTranslation(*device->getContext());
  mlir::registerLLVMDialectTranslation(*device->getContext());
  mlir::registerNVVMDialectTranslation(*device->getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(device, context, "ptc", /*disableVerification=*/false);
  if (!module)
    return internal("the device's module does not translate to LLVM IR");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  if (llvm::Error error = linkLibdevice(*module))
    return std::move(error);
  optimise(*module, **machine, level);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return internal("LLVM has no emitter for PTX");
  passes.run(*module);
  return std::string(bytes.begin(), bytes.end());
}
