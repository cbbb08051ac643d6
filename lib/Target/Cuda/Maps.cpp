//===- Maps.cpp - Memory as tensor maps show it ----------------------------------------------===//
//
// In: an input of a nest. Out: how far turns of its loops are from each other in memory; on the
// host, what the stub makes a tensor map of.
//
//===----------------------------------------------------------------------===//
#include "Maps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

std::unique_ptr<MappedKernel> ptc::cuda::findMappedKernel(const Step &step) {
  return step.scores.empty() ? findMappedProduct(step) : findMappedAttention(step);
}

//===----------------------------------------------------------------------===//
// Distances in memory
//===----------------------------------------------------------------------===//

/// Elements between neighbours along each dimension.
static std::optional<SmallVector<Extent>> distancesIn(MemRefType type) {
  SmallVector<Extent> distances(size_t(type.getRank()));
  if (type.getLayout().isIdentity()) {
    Extent next;
    for (int64_t i = type.getRank(); i-- > 0;) {
      distances[size_t(i)] = next;
      next = next.times(type.isDynamicDim(unsigned(i)) ? Extent{1, {unsigned(i)}}
                                                       : Extent{type.getDimSize(unsigned(i)), {}});
    }
    return distances;
  }
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [d, stride] : llvm::enumerate(strides))
    distances[d] = ShapedType::isDynamic(stride) ? Extent{1, {}, unsigned(d)} : Extent{stride, {}};
  return distances;
}

Extent Extent::times(const Extent &other) const {
  assert(!stride || !other.stride);
  Extent all{factor * other.factor, dimensions, stride ? stride : other.stride};
  all.dimensions.append(other.dimensions);
  llvm::sort(all.dimensions);
  return all;
}

Strides::Strides(linalg::LinalgOp op, OpOperand &in)
    : map(op.getMatchingIndexingMap(&in)), ranges(op.getStaticLoopRanges()) {
  auto type = dyn_cast<MemRefType>(in.get().getType());
  if (std::optional<SmallVector<Extent>> found = type ? distancesIn(type) : std::nullopt) {
    distances = *found;
    areKnown = true;
  }
}

bool Strides::leavesAlone(ArrayRef<unsigned> loops) const {
  return llvm::none_of(loops, [&](unsigned d) { return ranges[d] != 1 && map.isFunctionOfDim(d); });
}

std::optional<Extent> Strides::ofAll(ArrayRef<unsigned> loops) const {
  std::optional<Extent> innermost, expected;
  for (unsigned d : llvm::reverse(loops)) {
    if (ranges[d] == 1)
      continue;
    std::optional<std::pair<unsigned, int64_t>> at = dimensionOf(d);
    if (!at)
      return std::nullopt;
    Extent distance = distances[at->first];
    distance.factor *= at->second;
    if (expected && *expected != distance)
      return std::nullopt;
    if (!innermost)
      innermost = distance;
    bool isOpen = ShapedType::isDynamic(ranges[d]);
    if (isOpen && !isa<AffineDimExpr>(map.getResult(at->first)))
      return std::nullopt;
    expected = distance.times(isOpen ? Extent{1, {at->first}} : Extent{ranges[d], {}});
  }
  return innermost;
}

/// The dimension that a loop goes through, and the elements of it between turns.
std::optional<std::pair<unsigned, int64_t>> Strides::dimensionOf(unsigned d) const {
  std::optional<std::pair<unsigned, int64_t>> found;
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    if (!result.isFunctionOfDim(d))
      continue;
    if (found)
      return std::nullopt;
    // Turn 1 less turn 0, where all other loops stand still.
    auto at = [&](int64_t turn) -> std::optional<int64_t> {
      SmallVector<AffineExpr> turns(map.getNumDims(), getAffineConstantExpr(0, map.getContext()));
      turns[d] = getAffineConstantExpr(turn, map.getContext());
      auto made = dyn_cast<AffineConstantExpr>(result.replaceDims(turns));
      return made ? std::optional(made.getValue()) : std::nullopt;
    };
    std::optional<int64_t> first = at(0), second = at(1);
    bool isPlain = true;
    result.walk([&](AffineExpr e) {
      isPlain &= e.getKind() != AffineExprKind::Mod && e.getKind() != AffineExprKind::FloorDiv &&
                 e.getKind() != AffineExprKind::CeilDiv;
    });
    if (!first || !second || *second <= *first || !isPlain)
      return std::nullopt;
    found = std::pair(unsigned(i), *second - *first);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

static Value evaluate(ImplicitLocOpBuilder &b, const Extent &extent, Value memory) {
  Value all = arith::ConstantIndexOp::create(b, extent.factor);
  for (unsigned d : extent.dimensions)
    all = arith::MulIOp::create(b, all, Value(memref::DimOp::create(b, memory, int64_t(d))));
  if (extent.stride)
    all = arith::MulIOp::create(b, all, stridesOf(b, memory)[*extent.stride]);
  return all;
}

MapWriter::MapWriter(ImplicitLocOpBuilder &b, linalg::LinalgOp op, unsigned count) : b(b) {
  auto bytes = int64_t(count * sizeof(ptc_tensor_map));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&op->getParentOfType<func::FuncOp>().getBody().front());
    first = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(),
                                   Value(LLVM::ConstantOp::create(b, b.getI32Type(), bytes)), 8);
  }
  // Every byte: calls are compared to find out what changed.
  LLVM::MemsetOp::create(b, first, LLVM::ConstantOp::create(b, b.getI8Type(), 0),
                         LLVM::ConstantOp::create(b, b.getI64Type(), bytes), /*isVolatile=*/false);
}

void MapWriter::begin(linalg::LinalgOp op, OpOperand &in) {
  offset += int64_t(sizeof(ptc_tensor_map));
  memory = in.get();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  AffineMap map = op.getMatchingIndexingMap(&in);
  SmallVector<Value> turns(op.getNumLoops(), zero), first(map.getNumResults(), zero);
  put(offsetof(ptc_tensor_map, data),
      addressOf(b, memory, isPadded(op, in) ? first : placeOf(b, map, turns)));
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  putWord(offsetof(ptc_tensor_map, element), element.isF16()   ? ptc_map_Float16
                                             : element.isF32() ? ptc_map_TFloat32
                                                               : ptc_map_BFloat16);
}

void MapWriter::put(uint64_t member, Value v) {
  if (v.getType().isIndex())
    v = arith::IndexCastOp::create(b, b.getI64Type(), v);
  LLVM::StoreOp::create(
      b, v,
      Value(LLVM::GEPOp::create(b, first.getType(), b.getI8Type(), first,
                                ArrayRef<LLVM::GEPArg>(int32_t(offset + int64_t(member))))));
}

void MapWriter::putWide(uint64_t member, int64_t v) {
  put(member, LLVM::ConstantOp::create(b, b.getI64Type(), v));
}

void MapWriter::putWord(uint64_t member, int64_t v) {
  put(member, LLVM::ConstantOp::create(b, b.getI32Type(), v));
}

void MapWriter::putPitch(uint64_t member, const Extent &elements) {
  int64_t bytes = cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8;
  put(member, evaluate(b, Extent{bytes, {}}.times(elements), memory));
}
