//===- Gemm.cpp - Products of matrices and vectors as kernels ---------------------------===//
//
// In: mm and its relatives. Out: a kernel of family gemm: a contraction into a tensor of zeros,
// then what is added and the rounding. 16-bit floats are summed in single precision.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

using namespace mlir;
using namespace ptc;

namespace {

/// The loops of torch.matmul: batches that broadcast, rows unless the left operand is a vector,
/// columns unless the right one is, and the sum.
class Product {
public:
  /// `isTurned`: the right operand is [columns, sum], as linear has it.
  Product(KernelBuilder &k, Tensor left, Tensor right, ArrayRef<OpFoldResult> sizes, bool isTurned)
      : k(k), left(left), right(right), sizes(sizes), isTurned(isTurned) {}

  /// The sums, in the type that they are computed in; none if batches are not known to broadcast.
  std::optional<Tensor> run() {
    DType t = computeType(left.dtype);
    int64_t batch = int64_t(sizes.size()) - (left.rank() > 1) - (right.rank() > 1);
    int64_t sum = int64_t(sizes.size());
    SmallVector<AffineExpr> leftAt, rightAt;
    if (!reachBatch(left, batch, leftAt) || !reachBatch(right, batch, rightAt))
      return std::nullopt;
    if (left.rank() > 1)
      leftAt.push_back(k.at(batch));
    leftAt.push_back(k.at(sum));
    AffineExpr column = k.at(sum - 1);
    if (right.rank() > 1 && isTurned)
      rightAt.push_back(column);
    rightAt.push_back(k.at(sum));
    if (right.rank() > 1 && !isTurned)
      rightAt.push_back(column);
    Mask mask(sizes.size(), false);
    mask.push_back(true);
    Access out{k.fill(sizes, t, k.top().integer(t, 0)), k.without(mask)};
    return k.sumProducts({left, k.mapOf(sum + 1, leftAt)}, {right, k.mapOf(sum + 1, rightAt)}, out);
  }

private:
  /// Dimensions in front of the matrix, aligned with the result's.
  bool reachBatch(Tensor t, int64_t batch, SmallVectorImpl<AffineExpr> &places) {
    int64_t own = std::max<int64_t>(t.rank() - 2, 0);
    Sizes ownSizes = k.sizesOf(t);
    for (int64_t d = 0; d < own; ++d) {
      int64_t loop = d + batch - own;
      bool repeats = t.isOne(d) && getConstantIntValue(sizes[size_t(loop)]) != 1;
      if (!repeats && ownSizes[size_t(d)] != sizes[size_t(loop)])
        return false;
      places.push_back(repeats ? k.b.getAffineConstantExpr(0) : k.at(loop));
    }
    return true;
  }

  KernelBuilder &k;
  Tensor left, right;
  ArrayRef<OpFoldResult> sizes;
  bool isTurned;
};

/// The arguments of one overload.
struct Names {
  StringRef left, right;
};

} // namespace

static std::optional<Names> namesOf(aten::ShapeRule rule) {
  switch (rule) {
  case aten::ShapeRule::Mm:
  case aten::ShapeRule::Bmm:
    return Names{"self", "mat2"};
  case aten::ShapeRule::Mv:
    return Names{"self", "vec"};
  case aten::ShapeRule::Dot:
    return Names{"self", "tensor"};
  case aten::ShapeRule::Matmul:
    return Names{"self", "other"};
  case aten::ShapeRule::Linear:
    return Names{"input", "weight"};
  case aten::ShapeRule::Addmm:
    return Names{"mat1", "mat2"};
  case aten::ShapeRule::Baddbmm:
    return Names{"batch1", "batch2"};
  case aten::ShapeRule::Addmv:
    return Names{"mat", "vec"};
  default: // of the many rules, these are products
    return std::nullopt;
  }
}

/// What is added to the product, and the factors of both; null: 1.
namespace {
struct Addition {
  Tensor tensor;
  Value beta = {}, alpha = {};
};
} // namespace

/// The factors of addmm's operands. Constants of 1 are left out; a beta of 0 drops what is added.
static std::optional<Addition> readAddition(KernelBuilder &k, DType t) {
  Addition addition{k.tensor("self")};
  auto factor = [&](StringRef name, Value &value) {
    aten::OpArg arg = k.arg(name);
    if (arg.getFloat() == 1.0)
      return true;
    value = k.number(arg, t);
    return bool(value);
  };
  if (!factor("beta", addition.beta) || !factor("alpha", addition.alpha))
    return std::nullopt;
  if (k.arg("beta").getFloat() == 0.0)
    addition.tensor = {};
  return addition;
}

/// beta * added + alpha * product, rounded to the result's type.
static Value addScaled(ElementBuilder &e, DType t, const Addition &addition, Value product,
                       Value added) {
  Value scaled = addition.alpha ? e.mul(t, addition.alpha, product) : product;
  if (!added)
    return scaled;
  if (!addition.beta)
    return e.add(t, added, scaled);
  Value sum = e.add(t, e.mul(t, addition.beta, added), scaled);
  return e.select(e.notZero(t, addition.beta), sum, scaled); // a beta of 0 drops NaN as well
}

static LogicalResult convertProduct(KernelBuilder &k) {
  std::optional<Names> names = namesOf(k.info().shapeRule);
  assert(names && "a row of this family");
  Tensor left = k.tensor(names->left), right = k.tensor(names->right);
  if (!left || !right)
    return k.refuse("complex numbers");
  std::optional<Sizes> sizes = k.resultSizes();
  if (!sizes)
    return k.refuse("a size of the result is no input's");
  DType t = computeType(left.dtype), result = k.resultDType();
  Addition addition;
  bool isLinear = k.info().shapeRule == aten::ShapeRule::Linear;
  if (isLinear) {
    addition.tensor = k.tensor("bias");
  } else if (k.has("beta")) {
    std::optional<Addition> given = readAddition(k, t);
    if (!given)
      return k.refuse("a factor is no real number");
    addition = *given;
  }
  std::optional<Tensor> product = Product(k, left, right, *sizes, isLinear).run();
  if (!product)
    return k.refuse("batches are not known to broadcast");
  if (!addition.tensor && !addition.alpha)
    return k.finish(plan::Family::Gemm, k.convert(*product, result));
  SmallVector<Tensor> ins;
  if (addition.tensor)
    ins.push_back(addition.tensor);
  // What is added comes first, then the product.
  auto add = [&](ElementBuilder &e, ValueRange x) {
    Value added = addition.tensor ? e.convert(x[0], addition.tensor.dtype, t) : Value();
    return e.convert(addScaled(e, t, addition, x[ins.size()], added), t, result);
  };
  std::optional<Tensor> out;
  if (t == result) {
    out = k.update(*product, ins, add);
  } else {
    SmallVector<Tensor> all(ins);
    all.push_back(*product);
    out = k.broadcast(all, *sizes, result, add);
  }
  if (!out)
    return k.refuse("what is added is not known to broadcast");
  return k.finish(plan::Family::Gemm, *out);
}

static LogicalResult convertOuter(KernelBuilder &k) {
  Tensor a = k.self(), c = k.tensor("vec2");
  std::optional<Sizes> sizes = k.resultSizes();
  if (!a || !c || !sizes || isComplex(k.resultDType()))
    return k.refuseComplexOr("a size that is not known");
  DType result = k.resultDType(), t = computeType(result);
  SmallVector<Access> ins{{a, k.mapOf(2, k.at(0))}, {c, k.mapOf(2, k.at(1))}};
  Tensor out = k.map(ins, *sizes, result, [&](ElementBuilder &e, ValueRange x) {
    Value left = e.convert(e.convert(x[0], a.dtype, result), result, t);
    Value right = e.convert(e.convert(x[1], c.dtype, result), result, t);
    return e.convert(e.mul(t, left, right), t, result);
  });
  return k.finish(plan::Family::Pointwise, out);
}

ArrayRef<ConverterRow> ptc::getGemmRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Mm, convertProduct},    {S::Bmm, convertProduct},     {S::Mv, convertProduct},
      {S::Dot, convertProduct},   {S::Matmul, convertProduct},  {S::Linear, convertProduct},
      {S::Addmm, convertProduct}, {S::Baddbmm, convertProduct}, {S::Addmv, convertProduct},
      {S::Outer, convertOuter},
  };
  return kRows;
}
