//===- Code.h - From a plan to x86 code -------------------------------*- C++ -*-===//
//
// In: a module behind phase `plan`. Out: an object with one function per variant, `ptc_status
// f(ptc_frame *)` of Runtime/Frame.h, and what its tables need to know.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TARGET_CPU_CODE_H
#define PTC_TARGET_CPU_CODE_H

#include "ptc/Dialect/Plan/IR/Cost.h"
#include "ptc/Runtime/Frame.h"
#include "ptc/Support/DType.h"
#include "ptc/TensorFile/PackFormat.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ptc::cpu {

/// How exact products of f32 are, as torch.set_float32_matmul_precision has it: all but the first
/// allow that their inputs are rounded to tf32.
enum class MatmulPrecision : uint8_t { Highest, High, Medium };
/// What it calls them.
inline constexpr llvm::StringLiteral kMatmulPrecisions[] = {"highest", "high", "medium"};

struct CodeOptions {
  std::string cpu = "native"; ///< native, x86-64-v3, x86-64-v4, znver5, …
  unsigned level = 2;         ///< -O0 to -O3
  /// Predicted seconds from which on threads share a kernel, and are called to a stretch of them.
  double teamSeconds = 0.5e-6, sectionSeconds = 4e-6;
  /// The GPU that tensors lie on and kernels run on, as `sm_90a`; empty: the CPU.
  std::string gpu = "";
  MatmulPrecision matmulPrecision = MatmulPrecision::Highest;
  /// Code adds up in kKernelTimes what its kernels take. Costs about 20 ns per kernel.
  bool timesKernels = false;
};

/// A variable of code that times its kernels: for each kernel of the program, those of variants one
/// after the other as plan::kernelsOf counts, its ticks of the time stamp counter and its runs, as
/// 64-bit integers; a last pair means nothing.
inline constexpr llvm::StringLiteral kKernelTimes = "ptc_kernel_times";

/// What one thread of `options.cpu` does in a second. Errors: UsageError for a CPU that LLVM does
/// not know.
llvm::Expected<plan::CostModel> costModelOf(const CodeOptions &options);

/// The rows of Runtime/CpuFeatures.def that code for `options.cpu` may use, a bit for each. Errors:
/// UsageError for a CPU that LLVM does not know.
llvm::Expected<uint64_t> cpuFeaturesOf(const CodeOptions &options);

/// A weight as the code reads it, at `offset` of `frame->weights`.
struct WeightRow {
  std::string name; ///< in the state dict; one name may have several rows
  DType dtype;
  uint64_t offset, bytes;
  std::optional<PackFormat> format; ///< none: row-major
  std::string literal;              ///< or its bytes: it is none of the state dict
};

/// One way in which a variant ends: see ptc_outcome.
struct OutcomeRow {
  uint32_t numLeaves;
  bool raises;
};

/// A slot, in the order of program.state: see ptc_state_row.
struct StateRow {
  std::string name;
  mlir::Type type; ///< i1, i64, f64 or a ranked tensor
};

/// How a loop nest became code. Plain loops are what no emitter took.
enum class Form : uint8_t { Panels, Dots, PanelsOrDots, Vectors, Scan, Sort, First, Plain };
llvm::StringRef stringifyForm(Form form);

struct EmittedLoops {
  Form form;
  std::string why; ///< of plain loops: what kept emitters from them
};

/// The code of a kernel, which others may share.
struct KernelCode {
  std::string function; ///< its symbol
  bool forTeam = false; ///< threads may run it together
  bool byRows = false;  ///< its passes go on together, some rows at a time
  std::vector<EmittedLoops> loops;
};

/// What ptc_variant says, but for texts.
struct VariantCode {
  std::string symbol;       ///< of its function
  uint64_t arenaBytes = 0;  ///< 0 too where the function asks for its arena itself
  uint64_t threadBytes = 0; ///< behind these, for each thread of a call
  uint32_t numOutputs = 0, numRaised = 0, numStorages = 0;
  std::vector<OutcomeRow> outcomes;
  size_t firstKernel = 0;          ///< how many the variants before have
  std::vector<KernelCode> kernels; ///< in the order of plan::kernelsOf
};

/// What a kernel of a device draws: numbers of `dtype`.
struct DrawForm {
  ptc_draw_kind kind;
  DType dtype;
  bool isWide; ///< of two words each, not of one

  /// How many a thread makes of four words.
  unsigned perBlock() const { return isWide ? 2 : 4; }
  bool operator==(const DrawForm &) const = default;
};

/// What a program brings along whose tensors lie on a device.
struct DeviceCode {
  /// What ptc_device_image says.
  struct Image {
    ptc_image_kind kind;
    uint32_t capability;
    std::string bytes;
  };
  /// What ptc_device_kernel says.
  struct Kernel {
    std::string name;
    uint32_t threads, sharedBytes;
    uint32_t perProcessor; ///< blocks that go through all work; 0: any number
    bool awaits;           ///< its machine code waits for the kernels before it by itself
  };
  std::vector<Image> images;   ///< the best first
  std::vector<Kernel> kernels; ///< by the number that the host program names
  uint32_t firstDraw = 0;      ///< of these, the first that draws; they follow each other
  uint64_t scratchBytes = 0;   ///< that any kernel fills besides its results, at most
  std::string assembly;        ///< text of the machine code
};

struct ProgramCode {
  /// llvm dialect only. Functions and globals with the prefix `ptc_` are the program's.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<VariantCode> variants;
  std::vector<StateRow> states;
  std::string initSymbol; ///< of program.init; empty: there is none
  uint64_t initArenaBytes = 0;
  uint32_t numGenerators = 1;
  std::vector<DrawForm> draws; ///< that kernels of the device do
  std::vector<WeightRow> weights;
  uint64_t weightBytes = 0;
  DeviceCode device; ///< of programs for one
};

/// What a target for a device does with functions of kernels on memrefs: each becomes one that
/// launches what the device runs, and takes the frame behind its other arguments. Beside them it
/// makes a kernel for each of `draws`.
using DeviceLowering = llvm::function_ref<llvm::Expected<DeviceCode>(
    mlir::ModuleOp kernels, llvm::ArrayRef<DrawForm> draws, const CodeOptions &)>;

/// Of a variant beside others: the calls that it takes, as errors show them.
constexpr llvm::StringLiteral kCallsAttr = "ptc.calls";

/// Code of the one entry of `module`, which stays as it is. With `device`, which programs for
/// `options.gpu` need, kernels run there, and tensors lie in its memory. Errors: NoNativeCode for
/// the first operation that this target cannot do, with its place in the Python program; those of
/// `device`.
llvm::Expected<ProgramCode> lowerProgram(mlir::ModuleOp module, const CodeOptions &options,
                                         DeviceLowering device = nullptr);

enum class CodeForm : uint8_t { Object, Assembly, LLVM };

/// The bytes of an ELF object, assembly text, or LLVM IR text of a module of the llvm dialect.
/// Errors: InternalError; CpuUnknown.
llvm::Expected<std::string> emitCode(mlir::ModuleOp code, CodeForm form,
                                     const CodeOptions &options);

} // namespace ptc::cpu

#endif // PTC_TARGET_CPU_CODE_H
