//===- Pipeline.h - Phases as data, and running what they make ------*- C++ -*-===//
//
// The only place that orders phases. A phase has a name, a body and a verifier that says what is
// legal behind it; the body may be a capture, or passes on the module.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DRIVER_PIPELINE_H
#define PTC_DRIVER_PIPELINE_H

#include "ptc/Capture/Capture.h"
#include "ptc/Dialect/Plan/IR/KernelRows.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir {
class Pass;
} // namespace mlir

namespace ptc {

enum class Phase : uint8_t { Capture, Normalise, Fuse, Plan };

struct PhaseInfo {
  Phase phase;
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
};
llvm::ArrayRef<PhaseInfo> getAllPhases();
std::optional<Phase> parsePhase(llvm::StringRef name);

/// A pass on the module, and the phase that it belongs to; in the order of running.
struct PassRow {
  Phase phase;
  std::unique_ptr<mlir::Pass> (*make)(const plan::CostModel &);
};
llvm::ArrayRef<PassRow> getAllPasses();

struct CompiledProgram;

struct PipelineOptions {
  capture::CaptureRequest request;
  std::string input;           ///< a .pyc, or .mlir that an earlier run dumped
  Phase from = Phase::Capture; ///< for .mlir: the first phase to run is the one behind it
  Phase to = Phase::Normalise;
  bool explore = false;      ///< a variant for the other side of each branch on sizes and numbers
  bool requireTotal = false; ///< an error if a call of the declared inputs has no variant
  /// Where the program narrows a declared size, the rest of its range gets variants of its own.
  bool coverRanges = true;
  unsigned maxVariants = 16; ///< that `explore` and `coverRanges` make
  std::string dumpDir;       ///< one file per phase; empty: none
  /// That no other capture uses meanwhile; null: one is made.
  capture::BuiltinWorld *builtins = nullptr;
  /// The process ends soon: what a capture leaves, which may be a gigabyte, is not taken apart.
  bool buriesState = false;
  /// The machine that kernels are made for, once the program is read; null: CostModel's own.
  std::function<llvm::Expected<plan::CostModel>(const CompiledProgram &)> chooseCost;
  std::function<void(llvm::StringRef phase, double ms)> onTiming;
  /// With `explore`: what is captured next.
  std::function<void(const std::string &text)> onExplore;
};

/// What a pass of the phases behind normalise says of one decision.
struct PlanRemark {
  std::vector<plan::FusedOperation> operations; ///< of the kernel that it is about
  std::string text;
  bool operator==(const PlanRemark &) const = default;
};

/// A module with one program.entry, and what is known about it beside the IR.
struct CompiledProgram {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Guards by variant, read from the module; empty sets where it has none.
  std::unique_ptr<sym::ObservableSpace> observables;
  std::vector<sym::GuardSet> guards;
  sym::GuardSet domain; ///< what was declared, where it was captured; else empty
  std::vector<std::string> parameters;
  std::vector<std::string> sizes;       ///< what was declared of sizes, line by line
  std::optional<double> typicalSize;    ///< stands for those that only the run knows
  std::optional<std::string> signature; ///< as in the manifest, where the entry is Python
  std::vector<capture::Program::Assumption> assumptions;
  std::vector<capture::WorldUse> world;
  std::vector<std::string> filesRead;
  std::vector<capture::MadeAttribute> made;
  std::vector<capture::PackageRead> packages; ///< without files where the program was not captured
  /// Those of the request, and those of files that the program itself loads.
  std::vector<NamedTensor> weights;
  std::vector<Diagnostic> notes;   ///< of the capture, and what --explore could not compile
  plan::CostModel cost;            ///< of the machine that `compile` made kernels for
  std::vector<PlanRemark> remarks; ///< in the order in which they were made
  capture::Program::Counts counts;
};

/// Errors: whatever the phases report.
llvm::Expected<CompiledProgram> compile(const PipelineOptions &options);

/// Operations in all bodies, regions included; and the deepest nesting of regions.
capture::Program::Counts countOps(mlir::ModuleOp module);

/// The module as text with locations.
std::string printModule(mlir::ModuleOp module, bool locations);

} // namespace ptc

#endif // PTC_DRIVER_PIPELINE_H
