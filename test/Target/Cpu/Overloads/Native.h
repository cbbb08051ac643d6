//===- Native.h - Calls of overloads as native code ---------------------*- C++ -*-===//
//
// Many calls become variants of one program, which is compiled for a CPU and called, each variant
// with its call's arguments between pages that cannot be touched. Results are held against the
// evaluator of aten within the bounds of the numerics test, which come from the call in double
// precision: the code stands in for eager there.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_TARGET_CPU_OVERLOADS_NATIVE_H
#define PTC_TEST_TARGET_CPU_OVERLOADS_NATIVE_H

#include "Loaded.h"
#include "Reference.h"
#include "Trial.h"

#include "mlir/IR/OwningOpRef.h"

namespace overloads {

/// The CPUs to compile for, of those whose instructions this machine has; says which it lacks.
/// PTC_CPU names one.
class Cpus {
public:
  Cpus();
  /// For the next program: one in turn, beginning with that of the day; all of them with PTC_ALL=1
  /// or PTC_OP.
  llvm::ArrayRef<ptc::cpu::CodeOptions> next();
  llvm::ArrayRef<ptc::cpu::CodeOptions> all() const { return options; }

private:
  std::vector<ptc::cpu::CodeOptions> options;
  unsigned turn = ptc::numerics::seedOfDay();
};

/// What became of calls.
struct Report {
  struct Row {
    size_t planned = 0, refused = 0, run = 0;
  };
  std::map<std::string, Row> families;    ///< of kernels
  std::map<std::string, size_t> runs;     ///< by CPU
  std::map<std::string, size_t> stays;    ///< operations that become no kernels: calls
  std::map<std::string, size_t> refusals; ///< texts: calls
  std::vector<std::string> failures;
  std::set<std::string> overloads; ///< of which some call was run

  void print() const;
};

/// What a call gives by the evaluator.
class Wanted {
public:
  Wanted(const ptc::aten::OpInfo &op, const ptc::numerics::Call &call);
  /// The evaluator cannot follow eager.
  bool isUnknown() const { return unknown; }
  /// What differs, or nothing.
  std::string compare(const loaded::Outcome &got) const;

private:
  std::string compareTensors(const loaded::Outcome &got,
                             const ptc::numerics::Reference *reference) const;

  const ptc::aten::OpInfo &op;
  const ptc::numerics::Call call;
  llvm::SmallVector<ptc::HostTensor> tensors;
  std::string raised; ///< the exception's class
  bool unknown = false;
};

/// Calls that are compiled together.
class Batch {
public:
  Batch(mlir::MLIRContext &context, Report &report);
  /// `more`: further calls of the same variant. False if the call is none for a program.
  bool add(ptc::conversion::Trial trial, std::vector<ptc::numerics::Call> more = {});
  size_t size() const { return items.size(); }
  /// Compiles for each of the CPUs and makes the calls.
  void run(llvm::ArrayRef<ptc::cpu::CodeOptions> options);

private:
  struct Item {
    ptc::conversion::Trial trial;
    std::vector<ptc::numerics::Call> calls;
    std::vector<Wanted> wanted;
    std::string family;
    bool isRefused = false;
  };
  void plan();
  void compileAndRun(mlir::OwningOpRef<mlir::ModuleOp> part, const ptc::cpu::CodeOptions &options);
  void runAll(loaded::Program &program, mlir::ModuleOp part, const ptc::cpu::CodeOptions &options);
  std::string runOne(loaded::Program &program, unsigned variant, const Item &item, size_t call);

  Report &report;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ptc::program::EntryOp entry;
  std::vector<Item> items; ///< item n is variant v<n>
};

} // namespace overloads

#endif // PTC_TEST_TARGET_CPU_OVERLOADS_NATIVE_H
