//===- Cuda.cpp - NVIDIA GPUs as a device of the host program --------------------------------===//
//
// In: functions of kernels on memrefs, a GPU. Out: functions that launch, and images of what they
// launch: machine code of that GPU and PTX of the oldest one that is supported.
//
//===----------------------------------------------------------------------===//
#include "Draws.h"
#include "Kernels.h"

#include "ptc/Support/Error.h"

using namespace ptc;
using namespace ptc::cuda;

namespace {
struct Gpu {
  llvm::StringLiteral name;
  uint32_t capability;         ///< as ptc_device_image has it
  bool isExact;                ///< its machine code runs on GPUs of that capability alone
  llvm::StringLiteral version; ///< the least PTX that knows it
  bool hasWarpgroups = false;  ///< wgmma
};
} // namespace

/// The first one is that of the PTX in artefacts.
static constexpr Gpu kGpus[] = {
    {"sm_80", 80, false, "+ptx80"},       {"sm_86", 86, false, "+ptx80"},
    {"sm_89", 89, false, "+ptx80"},       {"sm_90", 90, false, "+ptx80"},
    {"sm_90a", 90, true, "+ptx80", true}, {"sm_100a", 100, true, "+ptx86"},
    {"sm_120a", 120, true, "+ptx87"}};

std::vector<std::string> cuda::gpuNames() {
  std::vector<std::string> names;
  for (const Gpu &gpu : kGpus)
    names.push_back(gpu.name.str());
  return names;
}

/// Measured on an H200: kernels of a graph that begin while the one before them ends, products of
/// `MappedTiles.cpp`, copies outside of its cache. By its data sheet, about: instructions of all
/// lanes, functions of the special units, copies inside. Estimated: calls and plain loops.
plan::CostModel cuda::costModel() {
  plan::CostModel cost;
  cost.machine = "an NVIDIA H200";
  cost.launch = 0.9e-6;
  cost.operations = 25e12;
  cost.functions = 2e12;
  cost.calls = 0.5e12;
  cost.steps = 0.1e12;
  cost.products = 330e12;
  cost.memories = {{40e6, 6e12}, {1e18, 4e12}};
  cost.channelsLastBits = 16;
  cost.productsReadMemory = true;
  return cost;
}

/// Kernels that draw, behind the others.
static void addDraws(SplitKernels &split, llvm::ArrayRef<cpu::DrawForm> draws) {
  for (auto [i, form] : llvm::enumerate(draws)) {
    std::string name = "ptc_draw_" + std::to_string(i);
    emitDraw(*split.module, name, form, /*waits=*/false);
    if (split.withWarpgroups)
      emitDraw(*split.withWarpgroups, name, form, /*waits=*/true);
    split.kernels.push_back({name, kDrawThreads, /*sharedBytes=*/0, /*perProcessor=*/0,
                             static_cast<bool>(split.withWarpgroups)});
  }
}

llvm::Expected<cpu::DeviceCode> cuda::lowerKernels(mlir::ModuleOp kernels,
                                                   llvm::ArrayRef<cpu::DrawForm> draws,
                                                   const cpu::CodeOptions &options) {
  const Gpu *gpu = llvm::find_if(kGpus, [&](const Gpu &row) { return row.name == options.gpu; });
  if (gpu == std::end(kGpus))
    return makeError(DiagId::InternalError, {}, "no GPU is called '" + options.gpu + "'");
  llvm::Expected<SplitKernels> split = splitKernels(
      kernels, {gpu->hasWarpgroups, options.matmulPrecision != cpu::MatmulPrecision::Highest});
  if (!split)
    return split.takeError();
  auto firstDraw = uint32_t(split->kernels.size());
  addDraws(*split, draws);
  for (mlir::ModuleOp module : {*split->module, *split->withWarpgroups})
    if (module)
      if (llvm::Error error = lowerToNvvm(module))
        return std::move(error);
  auto ptxFor = [&](const Gpu &row) {
    mlir::ModuleOp module = row.hasWarpgroups ? *split->withWarpgroups : *split->module;
    return emitPtx(module, row.name, row.version, options.level);
  };
  llvm::Expected<std::string> own = ptxFor(*gpu);
  if (!own)
    return own.takeError();
  llvm::Expected<std::string> common = ptxFor(kGpus[0]);
  if (!common)
    return common.takeError();
  llvm::Expected<std::string> machine = assemble(*own, gpu->name, options.level);
  if (!machine)
    return machine.takeError();
  cpu::DeviceCode code;
  if (!machine->empty())
    code.images.push_back(
        {gpu->isExact ? ptc_image_exact : ptc_image_machine, gpu->capability, std::move(*machine)});
  code.images.push_back({ptc_image_ptx, kGpus[0].capability, *common + '\0'});
  code.assembly = std::move(*own);
  code.kernels = std::move(split->kernels);
  code.scratchBytes = split->scratchBytes;
  code.firstDraw = firstDraw;
  return code;
}
