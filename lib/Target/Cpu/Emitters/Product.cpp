//===- Product.cpp - Sums of products -----------------------------------------------------===//
//
// In: a nest of products, read. Out: what panels and dots have in common.
//
//===----------------------------------------------------------------------===//
#include "Product.h"

#include "Body.h"
#include "Epilogue.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

Values Group::sizesIn(const Nest &nest) const {
  Values sizes;
  for (size_t d : loops)
    sizes.push_back(nest.sizes[d]);
  return sizes;
}

double ptc::cpu::countOf(const Product &p, const Group &group) {
  double count = 1;
  for (size_t d : group.loops)
    count *= double(LoopBuilder::constantOf(p.nest.sizes[d]).value_or(kTypicalSize));
  return count;
}

Value Walk::offset(LoopBuilder &l, const Stream &s, Value i) const {
  Value elements = l.index(0);
  for (size_t k = loops.size(); k-- > 0;) {
    Value part = k == 0 ? i : l.rem(i, sizes[k]);
    elements = l.add(elements, l.mul(part, s.strides[loops[k]]));
    if (k)
      i = l.div(i, sizes[k]);
  }
  return elements;
}

Split ptc::cpu::splitOf(const Product &p, int64_t tall, int64_t wide) {
  constexpr double kMany = 16;
  Split batch{Split::Batch};
  double most = 0;
  for (auto [i, d] : llvm::enumerate(p.batch.loops))
    if (double count = countOf(p, Group{{d}}); count > most) {
      most = count;
      batch.batch = i;
    }
  double columns = std::ceil(countOf(p, p.columns) / double(wide));
  double rows = std::ceil(countOf(p, p.rows) / double(tall));
  if (most >= kMany || most >= std::max(columns, rows))
    return batch;
  return {columns >= kMany || columns >= rows ? Split::Columns : Split::Rows};
}

Value ptc::cpu::convertFactor(LoopBuilder &l, const Factor &factor, Value element, int64_t lanes) {
  IRMapping mapping;
  mapping.map(factor.argument, element);
  cloneOnLanes(l, factor.made, mapping, lanes);
  return mapping.lookup(factor.converted);
}

Value ptc::cpu::multiplyAdd(LoopBuilder &l, const Isa &isa, Value x, Value y, Value sum) {
  if (isa.hasFma)
    return math::FmaOp::create(l.b, x, y, sum);
  return arith::AddFOp::create(l.b, sum, arith::MulFOp::create(l.b, x, y));
}

bool ptc::cpu::hasPairs(const Product &p, const Isa &isa) {
  auto isPlain = [](const Factor &factor) {
    return factor.stream.element.isBF16() && factor.made.size() == 1 &&
           mlir::isa<arith::ExtFOp>(factor.made.front());
  };
  return isa.hasPairProducts && p.type.isF32() && isPlain(p.row) && isPlain(p.column);
}

Value ptc::cpu::multiplyAddPairs(LoopBuilder &l, Value x, Value y, Value sum) {
  return LLVM::CallIntrinsicOp::create(l.b, sum.getType(), l.b.getStringAttr(kPairsIntrinsic),
                                       ValueRange{sum, x, y})
      .getResult(0);
}

void ptc::cpu::writeElement(LoopBuilder &l, const Product &p, Value sum, Value address,
                            llvm::function_ref<Value(size_t)> addressIn) {
  if (!p.nest.startsAtZero) {
    Value begin = p.nest.accumulator ? addressIn(*p.nest.accumulator) : address;
    sum = arith::AddFOp::create(l.b, loadElement(l, begin, p.type), sum);
  }
  Value result = finish(l, p.nest, sum, 1, [&](size_t i) {
    const Stream &s = p.nest.more[i];
    return s.isScalar() ? s.pointer : loadElement(l, addressIn(i), s.element);
  });
  storeElement(l, address, result);
}

bool ptc::cpu::isShortStep(const Stream &s, size_t loop) {
  return s.hasStride(loop, 1) || s.hasStride(loop, 2);
}

bool ptc::cpu::suitsVectors(const Product &p) {
  if (p.columns.loops.size() != 1)
    return false;
  size_t along = p.columns.loops[0];
  if (p.nest.accumulator && !p.nest.more[*p.nest.accumulator].hasStride(along, 1))
    return false;
  return p.out.hasStride(along, 1) && llvm::all_of(p.nest.more, [&](const Stream &s) {
           return s.isScalar() || s.hasStride(along, 0) || s.hasStride(along, 1);
         });
}
