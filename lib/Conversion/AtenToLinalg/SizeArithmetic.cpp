//===- SizeArithmetic.cpp - Sizes that are numbers or values -------------------------------===//
//
// In: sizes and integers that a conversion knows or the run does. Out: numbers where both are
// known, else values of the kernel.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

using namespace mlir;
using namespace ptc;

std::optional<Sizes> KernelBuilder::extents(StringRef name) {
  Sizes result;
  Attribute given = arg(name).getAttr();
  if (isa<aten::NoneAttr>(given))
    return result;
  auto list = dyn_cast<ArrayAttr>(given);
  for (Attribute attr : list ? list.getValue() : ArrayRef(given)) {
    result.push_back(extent(attr));
    if (!result.back())
      return std::nullopt;
  }
  return result;
}

Value KernelBuilder::toValue(OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  return top().index(cast<IntegerAttr>(cast<Attribute>(size)).getInt());
}

SmallVector<Value> KernelBuilder::toValues(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) { return toValue(size); });
}

OpFoldResult KernelBuilder::product(ArrayRef<OpFoldResult> sizes) {
  int64_t known = 1;
  Value unknown;
  for (OpFoldResult size : sizes) {
    if (std::optional<int64_t> number = getConstantIntValue(size))
      known *= *number;
    else
      unknown = unknown ? top().mulIndex(unknown, cast<Value>(size)) : cast<Value>(size);
  }
  if (!unknown || known == 0)
    return constant(known);
  return known == 1 ? unknown : top().mulIndex(unknown, top().index(known));
}

OpFoldResult KernelBuilder::sum(OpFoldResult x, OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a && c)
    return constant(*a + *c);
  return top().addIndex(toValue(x), toValue(y));
}

OpFoldResult KernelBuilder::difference(OpFoldResult x, OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (c == 0)
    return x;
  if (a && c)
    return constant(*a - *c);
  return top().subIndex(toValue(x), toValue(y));
}

OpFoldResult KernelBuilder::quotient(OpFoldResult x, OpFoldResult y) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (c == 0)
    return constant(0);
  if (a && c)
    return constant(*a / *c);
  if (c == 1)
    return x;
  Value divisor = toValue(y), zero = top().index(0);
  Value isNone = top().compareIndex(arith::CmpIPredicate::eq, divisor, zero);
  Value safe = top().select(isNone, top().index(1), divisor);
  Value all = top().make<arith::DivSIOp>(toValue(x), safe);
  return top().select(isNone, zero, all);
}

OpFoldResult KernelBuilder::positivePart(OpFoldResult x) {
  if (std::optional<int64_t> known = getConstantIntValue(x))
    return constant(std::max<int64_t>(*known, 0));
  return top().make<arith::MaxSIOp>(toValue(x), top().index(0));
}
