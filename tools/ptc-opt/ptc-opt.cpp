//===- ptc-opt.cpp - mlir-opt with ptc's dialects -----------------------------===//
//
// In: IR of any phase as text, pass options. Out: IR as text. For tests and for working on passes.
//
//===----------------------------------------------------------------------===//
#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Guard/Transforms/Passes.h"
#include "ptc/Dialect/Plan/Transforms/Passes.h"
#include "ptc/Dialect/Program/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                  ptc::aten::AtenDialect, ptc::guard::GuardDialect, ptc::plan::PlanDialect,
                  ptc::program::ProgramDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  ptc::guard::registerGuardPasses();
  ptc::plan::registerPlanPasses();
  ptc::program::registerProgramPasses();
  ptc::registerConversionPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "ptc-opt\n", registry));
}
