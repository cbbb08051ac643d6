//===- Null.cpp - The null target ----------------------------------------------------===//
//
// In: ATen overloads and kernels on host values. Out: their results by the reference evaluators,
// random numbers as eager draws them; tensors of a plan where it places them.
//
//===----------------------------------------------------------------------===//
#include "ptc/Target/Target.h"

#include "Evaluate.h"
#include "ptc/Dialect/Plan/Eval/KernelEval.h"
#include "ptc/Dialect/Plan/Eval/PlanMemory.h"

#include <map>

using namespace ptc;

llvm::Expected<llvm::SmallVector<HostValue, 1>>
ptc::evaluateOverload(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args,
                      aten::EvalContext &context) {
  auto results = aten::evaluate(op, args, context);
  if (results)
    return results;
  return llvm::handleErrors(results.takeError(), [&](aten::EvalFailure &e) -> llvm::Error {
    if (e.kind == aten::EvalFailure::Kind::Raise)
      return llvm::make_error<program::PythonError>(aten::toString(e.pythonClass).str(), e.text);
    if (e.kind == aten::EvalFailure::Kind::NoMemory)
      return makeError(DiagId::OutOfMemory, {}, e.text);
    return makeError(DiagId::NotEvaluated, {}, op.name, e.text);
  });
}

namespace {

class NullExecutor final : public program::OpExecutor {
public:
  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t generator) override {
    aten::EvalContext context;
    context.generator = &generators[generator];
    return evaluateOverload(op, args, context);
  }
  llvm::Expected<llvm::SmallVector<HostTensor, 1>>
  execute(mlir::Operation *op, llvm::ArrayRef<HostValue> operands) override {
    if (auto kernel = llvm::dyn_cast<plan::KernelOp>(op))
      return plan::evaluateKernel(kernel, operands);
    if (auto check = llvm::dyn_cast<plan::CheckOp>(op)) {
      if (llvm::Error raised = plan::evaluateCheck(check, operands))
        return std::move(raised);
      return llvm::SmallVector<HostTensor, 1>();
    }
    return OpExecutor::execute(op, operands);
  }
  llvm::Error beginCall(program::VariantOp variant, llvm::ArrayRef<HostValue> inputs) override {
    return memory.begin(variant, inputs);
  }
  llvm::Expected<HostTensor> settle(mlir::OpResult result, HostTensor tensor) override {
    return memory.settle(result, std::move(tensor));
  }
  llvm::Error settleCarried(mlir::scf::WhileOp loop,
                            llvm::MutableArrayRef<HostValue> carried) override {
    return memory.settleCarried(loop, carried);
  }
  void seed(int64_t generator, int64_t seed) override {
    generators[generator] = aten::Mt19937(uint64_t(seed));
  }

private:
  std::map<int64_t, aten::Mt19937> generators; ///< made with PyTorch's default seed
  plan::PlanMemory memory;
};

} // namespace

Target ptc::target::getNull() {
  return {.makeExecutor = []() -> std::unique_ptr<program::OpExecutor> {
    return std::make_unique<NullExecutor>();
  }};
}
