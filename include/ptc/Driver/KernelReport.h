//===- KernelReport.h - What is known about the kernels of a program ----*- C++ -*-===//
#ifndef PTC_DRIVER_KERNELREPORT_H
#define PTC_DRIVER_KERNELREPORT_H

#include "ptc/Driver/Pipeline.h"
#include "ptc/Target/Cpu/Code.h"

namespace ptc {

/// What a kernel takes in one call of the program, as it was measured.
struct KernelTime {
  double seconds = 0; ///< median over calls, all its runs together
  double runs = 0;    ///< how often it runs in a call
};

/// One kernel: its row of the plan; its code and its time where these were asked for.
struct KernelEntry {
  plan::KernelRow row;
  std::string name; ///< `v0.3`: the variant and the number
  std::optional<cpu::KernelCode> code;
  std::optional<KernelTime> time;

  /// Seconds that the cost model gives to what was measured, or to one run.
  double predicted() const { return row.cost.seconds() * (time ? time->runs : 1); }
  /// The part of its time, measured or predicted, that the machine needs at least for the work.
  double rooflineShare() const;
  bool hasPlainLoops() const;
};

struct VariantKernels {
  std::string name;
  std::string arenaBytes; ///< a text over its sizes; empty before phase plan
  std::vector<KernelEntry> kernels;
};

struct KernelReport {
  std::string machine; ///< that costs are of
  std::vector<VariantKernels> variants;
  std::string noCode; ///< why there is no native code; empty: there is, or it was not asked for
};

/// The kernels of a program that is behind phase plan.
KernelReport reportKernels(const CompiledProgram &program, const plan::CostModel &cost);

/// Adds what `code`, made of the same program, has of each kernel.
void addCode(KernelReport &report, const cpu::ProgramCode &code);

/// Makes native code of the program to see how. Errors: those of the options; what has no native
/// code is said in the report.
llvm::Error addCode(KernelReport &report, const CompiledProgram &program,
                    const cpu::CodeOptions &options);

} // namespace ptc

#endif // PTC_DRIVER_KERNELREPORT_H
