//===- KernelReport.cpp - What is known about the kernels of a program -------------------===//
//
// In: a program behind phase plan, a machine, code of the program. Out: rows of kernels by variant.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/KernelReport.h"

#include "ptc/Driver/MakeArtefact.h"

#include "ptc/Support/Error.h"

using namespace ptc;

double KernelEntry::rooflineShare() const {
  const plan::KernelCost &cost = row.cost;
  double least = std::max(cost.compute, cost.memory);
  double taken = time ? time->seconds / std::max(time->runs, 1.0) : cost.seconds();
  return taken > 0 ? least / taken : 0;
}

bool KernelEntry::hasPlainLoops() const {
  return code &&
         llvm::any_of(code->loops, [](auto &loops) { return loops.form == cpu::Form::Plain; });
}

static auto variantsOf(const CompiledProgram &program) {
  mlir::ModuleOp module = program.module.get();
  return (*module.getOps<program::EntryOp>().begin()).getBody().getOps<program::VariantOp>();
}

KernelReport ptc::reportKernels(const CompiledProgram &program, const plan::CostModel &cost) {
  KernelReport report;
  report.machine = cost.machine;
  for (program::VariantOp variant : variantsOf(program)) {
    VariantKernels &made = report.variants.emplace_back();
    made.name = variant.getSymName().str();
    if (auto arena = variant->getAttrOfType<mlir::StringAttr>(plan::kArenaAttr))
      made.arenaBytes = arena.str();
    for (plan::KernelRow &row : plan::kernelRows(variant, cost)) {
      KernelEntry &entry = made.kernels.emplace_back();
      entry.name = made.name + "." + std::to_string(row.number);
      entry.row = std::move(row);
    }
  }
  return report;
}

void ptc::addCode(KernelReport &report, const cpu::ProgramCode &code) {
  for (auto [variant, made] : llvm::zip_equal(report.variants, code.variants))
    for (auto [entry, kernel] : llvm::zip_equal(variant.kernels, made.kernels))
      entry.code = kernel;
}

llvm::Error ptc::addCode(KernelReport &report, const CompiledProgram &program,
                         const cpu::CodeOptions &options) {
  auto code = lowerFor(*program.module, options);
  if (code) {
    addCode(report, *code);
    return llvm::Error::success();
  }
  return llvm::handleErrors(code.takeError(), [&](const DiagError &error) -> llvm::Error {
    if (error.diag.id != DiagId::UnsupportedOperation)
      return makeError(error.diag);
    report.noCode = error.diag.text;
    return llvm::Error::success();
  });
}
