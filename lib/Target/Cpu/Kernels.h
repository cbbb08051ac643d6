//===- Kernels.h - Functions of kernels --------------------------------*- C++ -*-===//
//
// Private to lib/Target/Cpu.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_KERNELS_H
#define PTC_LIB_TARGET_CPU_KERNELS_H

#include "Emitters/Isa.h"

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace ptc::cpu {

/// Sizes and strides of a tensor in elements: constants, or i64 values of the function that uses
/// it.
struct Geometry {
  llvm::SmallVector<mlir::OpFoldResult, 4> sizes, strides;
};

/// One function per kernel that differs: `void f(tensors of inputs…, results…, scratch, sizes and
/// strides that are no constants…, numbers of inputs…)`, all pointers first. What a kernel fills
/// besides its results lies in `scratch`.
class KernelLibrary {
public:
  /// `cost`: of the machine.
  KernelLibrary(mlir::ModuleOp code, plan::CostModel cost) : code(code), cost(std::move(cost)) {}

  /// The function of `kernel` for tensors and results that lie like this. `dynamic` gets the sizes
  /// and strides that it takes behind its pointers; the numbers among its inputs follow these.
  /// `areWeights`: inputs that are row-major weights; the function may want them packed.
  mlir::func::FuncOp functionFor(plan::KernelOp kernel, llvm::ArrayRef<Geometry> inputs,
                                 llvm::ArrayRef<Geometry> results, llvm::ArrayRef<bool> areWeights,
                                 llvm::SmallVectorImpl<mlir::Value> &dynamic);

  /// `void f(from, to, scratch, sizes and strides that are no constants…)`: copies elements.
  /// `arguments` gets what comes behind the scratch.
  mlir::func::FuncOp copyFor(mlir::Type element, const Geometry &from, const Geometry &to,
                             llvm::SmallVectorImpl<mlir::Value> &arguments);
  /// `void f(to, scratch, bits)`: writes an element of so many bits.
  mlir::func::FuncOp storeFor(mlir::Type element);

private:
  /// The function itself, or one with the same text that was there before.
  mlir::func::FuncOp onlyOne(mlir::func::FuncOp function, llvm::StringRef name);

  mlir::ModuleOp code;
  plan::CostModel cost;
  llvm::StringMap<mlir::func::FuncOp> known; ///< by text
};

/// Bytes of scratch that any kernel needs at most: once, and for each thread.
struct Scratch {
  uint64_t shared = 0, perThread = 0;
};

/// What became of all kernels.
struct LoweredKernels {
  Scratch scratch;
  llvm::StringMap<KernelCode> code; ///< by function
};

/// The functions of kernels, taken out of `code` into a module of their own, on buffers.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> bufferizeKernels(mlir::ModuleOp code);
/// Kernels of `code` become loops, on vectors of `isa` where some emitter takes them. Those that
/// are worth it take TeamArguments behind their others: runSections gives them to their calls.
llvm::Expected<LoweredKernels> lowerKernels(mlir::ModuleOp code, const Isa &isa,
                                            const CodeOptions &options);
/// Kernels that pick rows of weights by places that they compute, as they were before they became
/// loops: where a product reads such a weight in panels, they pick out of these.
class TablesInPanels {
public:
  explicit TablesInPanels(mlir::ModuleOp kernels);
  /// Gives calls in `code` of weights that kernels of `kernels`, which are loops now, want in
  /// panels to new functions; these are not loops yet.
  llvm::SmallVector<mlir::func::FuncOp> redirect(mlir::ModuleOp code, mlir::ModuleOp kernels);
  /// Erases what `redirect` has left without a call.
  void eraseUncalled(mlir::ModuleOp code, mlir::ModuleOp kernels) const;

private:
  llvm::StringMap<mlir::OwningOpRef<mlir::func::FuncOp>> pickers; ///< by name
};
/// Of a call of a kernel: which of the program's kernels it is, those of variants one after the
/// other as plan::kernelsOf counts.
inline constexpr llvm::StringLiteral kKernelAttr = "ptc.kernel";
/// Places what the loops of a kernel allocate; how much scratch it needs.
Scratch placeAllocations(mlir::func::FuncOp function);
/// The functions, in no module yet, that a kernel of many loops calls now. Its memory is placed.
llvm::SmallVector<mlir::func::FuncOp> splitLoops(mlir::func::FuncOp function);
/// Gives calls of kernels that ask for memory the frame, the first argument of each public
/// function, and ends the call where there was none.
void giveFrames(mlir::ModuleOp code);
/// Ends the call behind `call`, in a public function, where a service wrote an error.
void returnIfFailed(mlir::func::FuncOp function, mlir::Operation *call);
/// Of a function: it takes the frame, in front of the arguments of a team.
inline constexpr llvm::StringLiteral kFrameAttr = "ptc.frame";
/// The offset of a weight, which `placeWeights` fills in.
mlir::Value weightOffset(mlir::ImplicitLocOpBuilder &b, const WeightRow &row);
/// The name of the weight at this address; empty: it is none's.
llvm::StringRef weightOf(mlir::Value address);
/// Gives kernels that want it packed weights, fills in all offsets and the rows of `program`.
void placeWeights(mlir::ModuleOp code, ProgramCode &program);
/// Measures kernels by the time stamp counter: adds what passes between two places of a function to
/// the row of the kernel whose call stands between them.
class KernelTimer {
public:
  /// Declares kKernelTimes in `code`.
  KernelTimer(mlir::ModuleOp code, size_t numKernels);
  /// The counter's value there.
  static mlir::Value now(mlir::ImplicitLocOpBuilder &b);
  /// Adds what passed since `begin`; in a section on its first `thread` alone.
  void add(mlir::ImplicitLocOpBuilder &b, mlir::Operation *call, mlir::Value begin,
           mlir::Value thread = {}) const;

private:
  size_t numKernels;
};

/// Gives each call of a kernel for a team its arguments: calls that follow each other and are worth
/// it go into a function that threads run together, the others run on one thread. `frame` is the
/// first argument of each public function. `timer`: of code that measures its kernels.
void runSections(mlir::ModuleOp code, const CodeOptions &options, const KernelTimer *timer);
/// Of a function: what it does follows one after the other, as much of it as a program has. Such
/// functions may be made several.
inline constexpr llvm::StringLiteral kStepsAttr = "ptc.steps";
/// Makes such functions, of the llvm dialect, several of a bounded length, and calls of functions
/// of the object take a bounded number of arguments.
void boundFunctions(mlir::ModuleOp code);
/// Everything becomes the llvm dialect.
llvm::Error lowerToLLVM(mlir::ModuleOp code);
/// Dialects and interfaces that lowering needs.
void loadDialects(mlir::MLIRContext &context);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_KERNELS_H
