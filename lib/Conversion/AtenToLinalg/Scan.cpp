//===- Scan.cpp - Running totals as kernels -------------------------------------------------===//
//
// In: cumsum and its relatives. Out: a kernel of family scan: a loop along the dimension that
// carries the total and writes it at each place. Sums of floats are carried as eager carries them:
// in double, those of 16 bits in single precision.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"
#include "PayloadFunctions.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

namespace {
/// What is carried along a line: its first value, and how an element joins it.
struct ScanRow {
  StringLiteral name; ///< of the overload
  double first;
  Value (*join)(ElementBuilder &e, DType t, Value total, Value element);
};
} // namespace

static constexpr ScanRow kScans[] = {
    {"cumsum", 0, [](ElementBuilder &e, DType t, Value x, Value v) { return e.add(t, x, v); }},
    {"cumprod", 1, [](ElementBuilder &e, DType t, Value x, Value v) { return e.mul(t, x, v); }},
    {"logcumsumexp", -HUGE_VAL,
     [](ElementBuilder &e, DType t, Value x, Value v) {
       Payload p{e, t, t, 0, 0, {}};
       return findPayloadFunction("logaddexp")(p, {v, x});
     }},
};

static LogicalResult convertScan(KernelBuilder &k) {
  Tensor self = k.self();
  DType result = k.resultDType();
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  if (!dim || isComplex(result))
    return k.refuseComplexOr("a dimension known only at run time");
  if (self.rank() == 0)
    return k.finish(plan::Family::Pointwise, k.convert(self, result));
  const ScanRow *row =
      llvm::find_if(kScans, [&](const ScanRow &row) { return row.name == k.info().baseName(); });
  assert(row != std::end(kScans) && "a scan without a row");
  DType t = result == DType::Float32 ? DType::Float64 : computeType(result);
  Mask mask(size_t(self.rank()), false);
  mask[size_t(*dim)] = true;
  Sizes kept = k.sizesOf(self);
  kept.erase(kept.begin() + *dim);
  SmallVector<Access> outs{{k.fill(kept, t, k.top().real(t, row->first)), k.without(mask)},
                           {k.empty(k.sizesOf(self), result), k.identity(self.rank())}};
  auto made =
      k.loops(Access{self, k.identity(self.rank())}, outs, [&](ElementBuilder &e, ValueRange x) {
        Value v = e.convert(e.convert(x[0], self.dtype, result), result, t);
        Value total = row->join(e, t, x[1], v);
        return SmallVector<Value, 2>{total, e.convert(total, t, result)};
      });
  return k.finish(plan::Family::Scan, made[1]);
}

/// Differences of neighbours, n times; of truth values whether they differ.
static LogicalResult convertDiff(KernelBuilder &k) {
  Tensor x = k.self();
  std::optional<int64_t> dim = x ? k.dim("dim", x.rank()) : std::nullopt,
                         times = k.arg("n").getInt();
  if (!dim || !times || !k.isNone("prepend") || !k.isNone("append"))
    return k.refuseComplexOr("what is joined before");
  DType t = computeType(x.dtype);
  for (int64_t i = 0; i < *times; ++i) {
    OpFoldResult fewer = k.positivePart(k.sum(k.sizeOf(x, *dim), k.constant(-1)));
    if (isConstantIntValue(fewer, 0))
      return k.refuse("it has no elements"); // the type says so, too
    SmallVector<Access> ins{{k.slice(x, *dim, k.constant(1), fewer), k.identity(x.rank())},
                            {k.slice(x, *dim, k.constant(0), fewer), k.identity(x.rank())}};
    Sizes sizes = k.sizesOf(ins.front().tensor);
    x = k.map(ins, sizes, x.dtype, [&](ElementBuilder &e, ValueRange v) {
      if (isBool(t))
        return e.make<arith::XOrIOp>(v[0], v[1]);
      Value later = e.convert(v[0], x.dtype, t), earlier = e.convert(v[1], x.dtype, t);
      return e.convert(e.sub(t, later, earlier), t, x.dtype);
    });
  }
  return k.finish(plan::Family::Pointwise, x);
}

ArrayRef<ConverterRow> ptc::getScanRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {{S::Scan, convertScan}, {S::Diff, convertDiff}};
  return kRows;
}
