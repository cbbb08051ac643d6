// Each overload with a payload, as a kernel on plain loops, against the evaluator of aten: every
// floating type, broadcasting, scalar, empty and strided operands, special values.
#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Aten/Eval/Eval.h"
#include "ptc/Dialect/Plan/Eval/KernelEval.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace ptc;

namespace {

constexpr double kValues[] = {0.0,  -0.0, 1.0,  -1.0,    0.5,      -0.7,      2.5, -2.5, 3.5,
                              0.31, 1e-3, 88.0, -1.0e30, HUGE_VAL, -HUGE_VAL, NAN, 6.5,  -3.0};

/// Elements from the list, begun at another place for each operand.
HostTensor makeTensor(DType dtype, llvm::ArrayRef<int64_t> sizes, size_t start) {
  HostTensor out = HostTensor::zeros(dtype, sizes);
  for (int64_t i = 0; i < out.numel(); ++i) {
    double value = kValues[(start + size_t(i) * (start + 1)) % std::size(kValues)];
    visitDType(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_constructible_v<T, float> && !std::is_integral_v<T>)
        out.data<T>()[i] = T(value);
    });
  }
  return out;
}

HostValue numberFor(const aten::ArgInfo &arg) {
  using K = aten::ArgDefault::Kind;
  switch (arg.defaultValue.kind) {
  case K::Bool:
    return HostValue(arg.defaultValue.i != 0);
  case K::Int:
    return arg.type == aten::ArgType::Int ? HostValue(arg.defaultValue.i)
                                          : HostValue(double(arg.defaultValue.i) * 1.25);
  case K::Float:
    return arg.defaultValue.f;
  case K::Str:
    return std::string(arg.defaultValue.s);
  case K::None:
    return HostValue();
  default:
    switch (arg.type) {
    case aten::ArgType::Int:
      return HostValue(int64_t(2));
    case aten::ArgType::Bool:
      return HostValue(true);
    case aten::ArgType::Str:
      return std::string("floor");
    default:
      return HostValue(0.3);
    }
  }
}

struct Shapes {
  const char *name;
  llvm::SmallVector<int64_t> first, others;
};
const Shapes kShapes[] = {{"same", {3, 6}, {3, 6}},    {"broadcast", {2, 9}, {9}},
                          {"inner", {4, 1}, {1, 5}},   {"scalar", {}, {}},
                          {"empty", {2, 0}, {1}},      {"scalar and tensor", {7}, {}},
                          {"large", {2, 3, 3}, {3, 1}}};

/// The operation alone in a function, as kernels; null if no family took it.
class Lowered {
public:
  Lowered(mlir::MLIRContext &context, const aten::OpInfo &op, llvm::ArrayRef<HostValue> args,
          const HostTensor &result) {
    mlir::OpBuilder b(&context);
    mlir::Location loc = b.getUnknownLoc();
    module = mlir::ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    llvm::SmallVector<mlir::Type> types;
    for (const HostValue &arg : args)
      if (arg.is<HostTensor>())
        types.push_back(typeOf(context, arg.tensor()));
    auto function = mlir::func::FuncOp::create(b, loc, "f", b.getFunctionType(types, {}));
    mlir::Block *body = function.addEntryBlock();
    b.setInsertionPointToEnd(body);
    llvm::SmallVector<mlir::Attribute> attrs;
    unsigned next = 0;
    for (const HostValue &arg : args)
      attrs.push_back(attrOf(context, arg, next));
    aten::createOp(b, loc, op.id, body->getArguments(), b.getArrayAttr(attrs),
                   typeOf(context, result));
    mlir::func::ReturnOp::create(b, loc);
    mlir::PassManager passes(&context);
    passes.addPass(createAtenToKernels());
    REQUIRE(mlir::succeeded(mlir::verify(*module)));
    REQUIRE(mlir::succeeded(passes.run(*module)));
    module->walk([&](plan::KernelOp found) { kernel = found; });
  }
  plan::KernelOp kernel;

private:
  static mlir::Type typeOf(mlir::MLIRContext &context, const HostTensor &tensor) {
    return mlir::RankedTensorType::get(tensor.sizes(), aten::toType(&context, tensor.dtype()));
  }
  static mlir::Attribute attrOf(mlir::MLIRContext &context, const HostValue &arg, unsigned &next) {
    mlir::Builder b(&context);
    if (arg.is<HostTensor>())
      return aten::ArgAttr::get(&context, next++);
    if (const bool *flag = arg.getIf<bool>())
      return b.getBoolAttr(*flag);
    if (const auto *number = arg.getIf<double>())
      return b.getF64FloatAttr(*number);
    if (const auto *integer = arg.getIf<int64_t>())
      return b.getI64IntegerAttr(*integer);
    if (const auto *word = arg.getIf<std::string>())
      return b.getStringAttr(*word);
    return aten::NoneAttr::get(&context);
  }
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Equal, both NaN, or apart by less than two units in the last place: the two evaluators may write
/// one formula in different order.
bool agree(const HostTensor &a, const HostTensor &b, std::string &where) {
  std::vector<int64_t> index(a.sizes().size(), 0);
  double unit = a.dtype() == DType::Float64   ? 0x1p-52
                : a.dtype() == DType::Float32 ? 0x1p-23
                : a.dtype() == DType::Float16 ? 0x1p-10
                                              : 0x1p-7;
  for (int64_t n = 0; n < a.numel(); ++n) {
    int64_t rest = n;
    for (size_t d = index.size(); d-- > 0; rest /= a.size(int64_t(d)))
      index[d] = rest % a.size(int64_t(d));
    double x = a.getDouble(index), y = b.getDouble(index);
    bool same =
        x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 2 * unit * std::abs(x);
    if (!same) {
      where =
          "element " + std::to_string(n) + ": " + std::to_string(x) + " and " + std::to_string(y);
      return false;
    }
  }
  return true;
}

/// One call; false if the evaluator of aten refuses it or no kernel is made.
bool compareCall(mlir::MLIRContext &context, const aten::OpInfo &op, DType dtype,
                 const Shapes &shapes) {
  std::vector<HostValue> args;
  size_t tensors = 0;
  for (const aten::ArgInfo &arg : op.args) {
    bool isTensor = arg.type == aten::ArgType::Tensor && !arg.isList;
    if (isTensor)
      args.push_back(makeTensor(dtype, tensors ? shapes.others : shapes.first, tensors));
    else
      args.push_back(numberFor(arg));
    tensors += isTensor;
  }
  aten::EvalContext evalContext;
  auto want = aten::evaluate(op, args, evalContext);
  if (!want) {
    llvm::consumeError(want.takeError());
    return false;
  }
  Lowered lowered(context, op, args, want->front().tensor());
  if (!lowered.kernel)
    return false;
  std::vector<HostTensor> inputs;
  for (mlir::Value input : lowered.kernel.getInputs())
    inputs.push_back(args[0].is<HostTensor>() ? [&] {
      unsigned n = llvm::cast<mlir::BlockArgument>(input).getArgNumber();
      for (const HostValue &arg : args)
        if (arg.is<HostTensor>() && n-- == 0)
          return arg.tensor();
      llvm_unreachable("an input is an operand");
    }()
                                              : HostTensor());
  auto got = plan::evaluateKernel(lowered.kernel, inputs);
  REQUIRE(bool(got));
  std::string where;
  INFO(op.name.str() << " " << getDTypeInfo(dtype).torchName.str() << " " << shapes.name);
  bool same = agree(want->front().tensor(), got->front(), where);
  INFO(where);
  CHECK(same);
  return true;
}

} // namespace

TEST_CASE("pointwise overloads as kernels compute what the evaluator computes") {
  mlir::MLIRContext context;
  context.loadDialect<aten::AtenDialect, plan::PlanDialect, mlir::func::FuncDialect>();
  std::set<std::string> taken;
  unsigned calls = 0;
  for (const aten::OpInfo &op : aten::getAllOpInfos()) {
    if (op.payload.empty())
      continue;
    for (DType dtype : {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16})
      for (const Shapes &shapes : kShapes)
        if (compareCall(context, op, dtype, shapes)) {
          taken.insert(op.name.str());
          ++calls;
        }
  }
  // What has no lowering yet stays an aten operation; these are the ones that do have one.
  INFO(calls << " calls");
  CHECK(taken.size() >= 100);
}
