//===- Eval.h - Running a program as it stands --------------------*- C++ -*-===//
//
// The null target: walks the operations of a program.variant with values on the host. State lives
// in an Evaluator from call to call, as in a context of an artefact. Which code executes the tensor
// operations is the caller's choice: the reference evaluator, or LibTorch to compare with.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_PROGRAM_EVAL_EVAL_H
#define PTC_DIALECT_PROGRAM_EVAL_EVAL_H

#include "ptc/Dialect/Aten/IR/OpTable.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/Example.h"
#include "ptc/TensorFile/HostValue.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>
#include <memory>

namespace ptc::program {

/// A Python exception that an operation raises.
class PythonError : public llvm::ErrorInfo<PythonError> {
public:
  static char ID;
  PythonError(std::string type, std::string text) : type(std::move(type)), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << type << ": " << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  std::string type, text;
};

/// Nanoseconds of a clock of the machine.
int64_t readClock(Clock which);

/// Executes ATen overloads and owns the random generators; number 0 is the default one.
class OpExecutor {
public:
  /// What the program reads.
  std::function<int64_t(Clock)> clock = readClock;

  virtual ~OpExecutor();
  /// One value per schema argument. Results of view overloads share storage with their argument;
  /// arguments are never written. Errors: PythonError where eager raises.
  virtual llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t generator) = 0;
  virtual void seed(int64_t generator, int64_t seed) = 0;
  /// The operation of the program whose calls come next; for who wants to know the place.
  virtual void enter(mlir::Operation *op) {}
  /// An operation of a dialect above this one, on defined tensors and numbers. Errors: PythonError;
  /// InternalError where the executor knows none, which is the default.
  virtual llvm::Expected<llvm::SmallVector<HostTensor, 1>>
  execute(mlir::Operation *op, llvm::ArrayRef<HostValue> operands);

  /// Where tensors lie, for an executor that has memory of its own. By default they lie where the
  /// operations put them. A call of `variant` begins; one value per argument. Errors: IntOverflow.
  virtual llvm::Error beginCall(VariantOp variant, llvm::ArrayRef<HostValue> inputs);
  /// `tensor`, which an operation gave as `result`, in the memory that it belongs in.
  virtual llvm::Expected<HostTensor> settle(mlir::OpResult result, HostTensor tensor);
  /// What `loop` carries into its next turn, in the memory that it belongs in.
  virtual llvm::Error settleCarried(mlir::scf::WhileOp loop,
                                    llvm::MutableArrayRef<HostValue> carried);
};

struct CallResult {
  ExampleValue result;
  struct Raised {
    std::string type, text;
    SourceLoc loc;
  };
  std::optional<Raised> raised;
  /// Containers of the caller that changed, by path; written tensors are written in place.
  std::vector<std::pair<std::string, ExampleValue>> mutated;
  std::vector<unsigned> writtenInputs; ///< arguments of the variant whose storage was written
  std::string out, err;                ///< what was printed
};

using WeightLookup = std::function<const HostTensor *(llvm::StringRef name)>;

/// One context of one entry. The module outlives it.
class Evaluator {
public:
  /// Runs program.init. Errors: WeightMissing, and what operations raise.
  static llvm::Expected<std::unique_ptr<Evaluator>> create(EntryOp entry, WeightLookup weights,
                                                           OpExecutor &executor);
  ~Evaluator();

  unsigned numVariants() const;
  /// Argument names and leaf numbers of a variant.
  VariantOp variant(unsigned index) const;

  /// Calls that execute more operations end with CallTooLong; the default has no limit.
  void setMaxOps(uint64_t count);

  /// Runs a variant on its run-time leaves: tensors, bools, ints, floats. Tensors are written as
  /// the program says. A Python exception is part of the result. Errors: IntOverflow, CallTooLong.
  llvm::Expected<CallResult> call(unsigned variant, llvm::ArrayRef<HostValue> inputs);

  struct Impl;

private:
  explicit Evaluator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace ptc::program

#endif // PTC_DIALECT_PROGRAM_EVAL_EVAL_H
