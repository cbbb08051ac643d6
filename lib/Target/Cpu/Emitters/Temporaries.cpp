//===- Temporaries.cpp - In which order temporary memory lies -----------------------------===//
//
// In: a kernel's function on memrefs, its temporary memory row-major. Out: memory that a tensor is
// copied into, as an input between the zeros around it, has its dimensions in the order in which
// they lie in that tensor: the copy goes along both, and what reads it goes along memory.
//
//===----------------------------------------------------------------------===//
#include "Emitters.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc::cpu;

using Order = SmallVector<unsigned>;

/// Dimensions of a memref, far steps first. A step that only the run knows is a product of sizes,
/// longer than all others; a dimension of size 1 has no steps and goes with the one before it.
static std::optional<Order> orderOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [d, stride] : llvm::enumerate(strides)) {
    if (type.getDimSize(unsigned(d)) == 1)
      stride = d ? strides[d - 1] : INT64_MAX;
    else if (ShapedType::isDynamic(stride))
      stride = INT64_MAX;
  }
  Order order = llvm::to_vector(llvm::seq(unsigned(strides.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-strides[a], a) < std::pair(-strides[b], b);
  });
  return order;
}

/// The order of what is copied into `memory`; none if nothing is, or if some user needs its type.
static std::optional<Order> wantedOrder(memref::AllocOp memory) {
  std::optional<Order> order;
  auto visit = [&](Value part, auto &self) -> bool {
    return llvm::all_of(part.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto view = dyn_cast<memref::SubViewOp>(user))
        return view.getType().getRank() == memory.getType().getRank() &&
               self(view.getResult(), self);
      if (auto copy = dyn_cast<linalg::CopyOp>(user); copy && copy.isDpsInit(&use))
        order = orderOf(cast<MemRefType>(copy.getInputs()[0].getType()));
      return isa<linalg::LinalgOp>(user) || isa<memref::DimOp>(user);
    });
  };
  return visit(memory.getResult(), visit) ? order : std::nullopt;
}

/// Views have the type that follows from what they are views of now.
static void retypeViews(Value memory) {
  for (Operation *user : memory.getUsers())
    if (auto view = dyn_cast<memref::SubViewOp>(user)) {
      Type type = memref::SubViewOp::inferResultType(cast<MemRefType>(memory.getType()),
                                                     view.getMixedOffsets(), view.getMixedSizes(),
                                                     view.getMixedStrides());
      view.getResult().setType(cast<MemRefType>(type));
      retypeViews(view);
    }
}

void ptc::cpu::orderTemporaries(func::FuncOp function) {
  SmallVector<memref::AllocOp> all;
  function.walk([&](memref::AllocOp memory) { all.push_back(memory); });
  for (memref::AllocOp memory : all) {
    std::optional<Order> order = wantedOrder(memory);
    if (!order || llvm::is_sorted(*order))
      continue;
    ImplicitLocOpBuilder b(memory.getLoc(), memory);
    SmallVector<OpFoldResult> sizes = memory.getMixedSizes(), permuted;
    SmallVector<unsigned> back(order->size());
    for (auto [to, from] : llvm::enumerate(*order)) {
      permuted.push_back(sizes[from]);
      back[from] = unsigned(to);
    }
    SmallVector<int64_t> known;
    SmallVector<Value> others;
    dispatchIndexOpFoldResults(permuted, others, known);
    auto type = MemRefType::get(known, memory.getType().getElementType());
    Value made = memref::AllocOp::create(b, type, others);
    Value seen = memref::TransposeOp::create(
        b, made, AffineMapAttr::get(AffineMap::getPermutationMap(back, b.getContext())));
    memory.getResult().replaceAllUsesWith(seen);
    memory.erase();
    retypeViews(seen);
  }
}
