//===- LoopRun.cpp - One linalg operation on plain loops ------------------------------===//
//
// In: a linalg operation and the tensors that it reads. Out: its results. The iteration space is
// walked in order and the region evaluated at each point; nothing is reordered, blocked or skipped.
// Names become numbers of slots once, before the walk.
//
//===----------------------------------------------------------------------===//
#include "LoopRun.h"

#include "ptc/Support/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

Scalar ptc::plan::loadElement(const HostTensor &tensor, int64_t offset) {
  return visitDType(tensor.dtype(), [&](auto tag) -> Scalar {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>)
      return {.integer = int64_t(tensor.data<T>()[offset])};
    else if constexpr (!IsComplexElement<T>::value)
      return {.real = convertElement<double>(tensor.data<T>()[offset])};
    else
      llvm_unreachable("kernels have no complex elements");
  });
}

void ptc::plan::storeElement(HostTensor &tensor, int64_t offset, Scalar value) {
  visitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>)
      tensor.data<T>()[offset] = T(value.integer);
    else if constexpr (!IsComplexElement<T>::value)
      tensor.data<T>()[offset] = convertElement<T>(value.real);
  });
}

std::optional<int64_t> ptc::plan::offsetIn(const HostTensor &tensor, ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [i, size, stride] : llvm::zip_equal(index, tensor.sizes(), tensor.strides())) {
    if (i < 0 || i >= size)
      return std::nullopt;
    offset += i * stride;
  }
  return offset;
}

static llvm::Error failure(Operation *op, const char *why) {
  return makeError(DiagId::InternalError, {},
                   ("no plain evaluation of " + op->getName().getStringRef() + ": " + why).str());
}

namespace {

/// One coordinate as a sum of loop counters with factors.
struct Linear {
  SmallVector<int64_t, 6> factors;
  int64_t start = 0;
};

/// A tensor operand: where it is read or written at each point.
struct Access {
  HostTensor tensor;
  unsigned slot = 0;
  Linear place; ///< in elements from data()
};

/// One operation of the region.
struct Step {
  Operation *op = nullptr;
  ScalarFunction function = nullptr;  ///< of arith and math
  const HostTensor *source = nullptr; ///< of tensor.extract
  unsigned loop = 0;                  ///< of linalg.index
  SmallVector<unsigned, 4> operands;
  unsigned result = 0;
  DType type = DType::Int64; ///< of the result
};

class LoopRun {
public:
  LoopRun(linalg::LinalgOp op, Tensors &tensors, const Scalars &scalars)
      : op(op), tensors(tensors), scalars(scalars) {}

  llvm::Error run() {
    if (llvm::Error error = findSizes())
      return error;
    if (llvm::Error error = findAccesses())
      return error;
    if (llvm::Error error = compileRegion())
      return error;
    bool isDone = llvm::is_contained(sizes, 0);
    SmallVector<int64_t, 6> point(sizes.size(), 0);
    while (!isDone) {
      if (llvm::Error error = runPoint(point))
        return error;
      size_t d = point.size();
      while (d > 0 && ++point[d - 1] == sizes[d - 1])
        point[--d] = 0;
      isDone = d == 0;
    }
    for (auto [result, access] : llvm::zip_equal(op->getResults(), outs))
      tensors[result] = access.tensor;
    return llvm::Error::success();
  }

private:
  /// Sizes of the loops, from the operands whose maps name them.
  llvm::Error findSizes() {
    sizes.assign(op.getNumLoops(), -1);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      const HostTensor &tensor = tensors.find(operand.get())->second;
      for (auto [d, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          sizes[dim.getPosition()] = tensor.size(int64_t(d));
    }
    return llvm::is_contained(sizes, -1) ? failure(op, "a loop has no size")
                                         : llvm::Error::success();
  }

  bool linearise(AffineExpr expr, int64_t factor, Linear &out) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      out.factors[dim.getPosition()] += factor;
      return true;
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      out.start += factor * constant.getValue();
      return true;
    }
    auto both = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!both)
      return false;
    if (expr.getKind() == AffineExprKind::Add)
      return linearise(both.getLHS(), factor, out) && linearise(both.getRHS(), factor, out);
    auto constant = dyn_cast<AffineConstantExpr>(both.getRHS());
    return expr.getKind() == AffineExprKind::Mul && constant &&
           linearise(both.getLHS(), factor * constant.getValue(), out);
  }

  /// Whether a coordinate stays inside `size` at all points.
  bool staysInside(const Linear &coordinate, int64_t size) {
    int64_t least = coordinate.start, most = coordinate.start;
    for (auto [factor, loop] : llvm::zip_equal(coordinate.factors, sizes))
      (factor < 0 ? least : most) += factor * (loop - 1);
    return least >= 0 && most < size;
  }

  llvm::Error findAccess(OpOperand &operand, Access &access) {
    access.place.factors.assign(sizes.size(), 0);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      Linear coordinate;
      coordinate.factors.assign(sizes.size(), 0);
      if (!linearise(expr, 1, coordinate))
        return failure(op, "an access that is not linear");
      if (!llvm::is_contained(sizes, 0) && !staysInside(coordinate, access.tensor.size(int64_t(d))))
        return failure(op, "an access outside of its tensor");
      int64_t stride = access.tensor.stride(int64_t(d));
      access.place.start += coordinate.start * stride;
      for (auto [total, factor] : llvm::zip_equal(access.place.factors, coordinate.factors))
        total += factor * stride;
    }
    return llvm::Error::success();
  }

  llvm::Error findAccesses() {
    Block &body = *op.getBlock();
    slots.resize(body.getNumArguments());
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned n = operand.getOperandNumber();
      slotOf[body.getArgument(n)] = n;
      if (!isa<RankedTensorType>(operand.get().getType())) {
        slots[n] = scalars.lookup(operand.get());
        continue;
      }
      HostTensor tensor = tensors.lookup(operand.get());
      bool isOut = op.isDpsInit(&operand);
      Access access{isOut ? tensor.clone() : tensor, n, {}};
      if (llvm::Error error = findAccess(operand, access))
        return error;
      (isOut ? outs : ins).push_back(std::move(access));
    }
    return llvm::Error::success();
  }

  /// The slot of a value: of the region, or captured.
  unsigned slotFor(Value value) {
    auto [place, isNew] = slotOf.try_emplace(value, unsigned(slots.size()));
    if (isNew)
      slots.push_back(scalars.lookup(value));
    return place->second;
  }

  llvm::Error compileRegion() {
    for (Operation &inner : op.getBlock()->without_terminator()) {
      if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
        slots[slotFor(constant.getResult())] = constantOf(constant.getValue());
        continue;
      }
      Step step;
      step.op = &inner;
      step.function = findScalarFunction(&inner);
      ValueRange operands = inner.getOperands();
      if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
        step.source = &tensors.find(extract.getTensor())->second;
        operands = extract.getIndices();
      } else if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        step.loop = unsigned(index.getDim());
      } else if (!step.function) {
        return failure(&inner, "in a region");
      }
      for (Value operand : operands)
        step.operands.push_back(slotFor(operand));
      step.result = slotFor(inner.getResult(0));
      step.type = storageType(inner.getResult(0).getType());
      steps.push_back(std::move(step));
    }
    for (Value value : op.getBlock()->getTerminator()->getOperands())
      yields.push_back(slotFor(value));
    return llvm::Error::success();
  }

  static int64_t offsetAt(const Access &access, ArrayRef<int64_t> point) {
    int64_t offset = access.place.start;
    for (auto [factor, i] : llvm::zip_equal(access.place.factors, point))
      offset += factor * i;
    return offset;
  }

  llvm::Error runPoint(ArrayRef<int64_t> point) {
    for (const Access &in : ins)
      slots[in.slot] = loadElement(in.tensor, offsetAt(in, point));
    for (const Access &out : outs)
      slots[out.slot] = loadElement(out.tensor, offsetAt(out, point));
    SmallVector<Scalar, 4> operands;
    for (const Step &step : steps) {
      operands.clear();
      for (unsigned slot : step.operands)
        operands.push_back(slots[slot]);
      if (step.function) {
        slots[step.result] = narrow(step.function(step.op, operands), step.type);
      } else if (!step.source) {
        slots[step.result] = {.integer = point[step.loop]};
      } else {
        SmallVector<int64_t, 6> index;
        for (Scalar operand : operands)
          index.push_back(operand.integer);
        std::optional<int64_t> offset = offsetIn(*step.source, index);
        if (!offset)
          return failure(step.op, "a place outside of its tensor");
        slots[step.result] = loadElement(*step.source, *offset);
      }
    }
    for (auto [out, slot] : llvm::zip_equal(outs, yields))
      storeElement(out.tensor, offsetAt(out, point), slots[slot]);
    return llvm::Error::success();
  }

  linalg::LinalgOp op;
  Tensors &tensors;
  const Scalars &scalars;
  SmallVector<int64_t, 6> sizes;
  std::vector<Access> ins, outs;
  std::vector<Scalar> slots;
  llvm::DenseMap<Value, unsigned> slotOf;
  std::vector<Step> steps;
  SmallVector<unsigned, 2> yields;
};

} // namespace

llvm::Error ptc::plan::runLoops(linalg::LinalgOp op, Tensors &tensors, const Scalars &scalars) {
  return LoopRun(op, tensors, scalars).run();
}
