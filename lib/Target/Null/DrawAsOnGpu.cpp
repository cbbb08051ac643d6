//===- DrawAsOnGpu.cpp - Random numbers of a GPU, everything else of another executor --------===//
//
// In: an executor. Out: one that draws from the default generator as eager does on a GPU once the
// program is called, and leaves the rest to it: what programs for a GPU are compared with on the
// host.
//
//===----------------------------------------------------------------------===//
#include "Evaluate.h"

#include "ptc/Target/Target.h"

using namespace ptc;

namespace {

class GpuDraws final : public program::OpExecutor {
public:
  GpuDraws(std::unique_ptr<program::OpExecutor> inner, aten::GridLimits limits)
      : inner(std::move(inner)), limits(limits) {
    generator.limits = limits;
  }

  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t number) override {
    if (!op.has(aten::OpFlag::Random) || number != 0 || !isCalled)
      return inner->call(op, args, number);
    aten::EvalContext context;
    context.philox = &generator;
    return evaluateOverload(op, args, context);
  }
  void seed(int64_t number, int64_t seed) override {
    if (number == 0)
      generator = aten::Philox(uint64_t(seed), limits);
    inner->seed(number, seed);
  }
  void enter(mlir::Operation *op) override { inner->enter(op); }
  llvm::Expected<llvm::SmallVector<HostTensor, 1>>
  execute(mlir::Operation *op, llvm::ArrayRef<HostValue> operands) override {
    return inner->execute(op, operands);
  }
  llvm::Error beginCall(program::VariantOp variant, llvm::ArrayRef<HostValue> inputs) override {
    isCalled = true;
    return inner->beginCall(variant, inputs);
  }
  llvm::Expected<HostTensor> settle(mlir::OpResult result, HostTensor tensor) override {
    return inner->settle(result, std::move(tensor));
  }
  llvm::Error settleCarried(mlir::scf::WhileOp loop,
                            llvm::MutableArrayRef<HostValue> carried) override {
    return inner->settleCarried(loop, carried);
  }

private:
  std::unique_ptr<program::OpExecutor> inner;
  aten::GridLimits limits;
  aten::Philox generator;
  bool isCalled = false; ///< else the program begins
};

} // namespace

std::unique_ptr<program::OpExecutor> ptc::drawAsOnGpu(std::unique_ptr<program::OpExecutor> inner,
                                                      aten::GridLimits limits) {
  return std::make_unique<GpuDraws>(std::move(inner), limits);
}
