//===- Tolerances.cpp - How exact a program's results can be ---------------------------===//
//
// In: a variant of a program. Out: by element type of results, the coarsest float type in which the
// values of such results were computed: a double that was computed as f32 is as exact as that.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/CompareCalls.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "llvm/ADT/SetVector.h"

using namespace ptc;

void Tolerances::coarsen(DType result, DType workedIn) {
  Tolerance other = toleranceOf(workedIn);
  if (other.relative > of(result).relative)
    coarser[result] = other;
}

Tolerance Tolerances::of(DType dtype) const {
  auto found = coarser.find(dtype);
  return found == coarser.end() ? toleranceOf(dtype) : found->second;
}

/// The type of a tensor's elements, or of those of a list of tensors; none of other values, and of
/// ints: errors of rounding do not go through them bit by bit.
static std::optional<DType> floatTypeOf(mlir::Type type) {
  if (auto list = mlir::dyn_cast<program::ListType>(type))
    type = list.getElementType();
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  std::optional<DType> dtype = tensor ? aten::toDType(tensor.getElementType()) : std::nullopt;
  return dtype && (isFloat(*dtype) || isComplex(*dtype)) ? dtype : std::nullopt;
}

namespace {
/// What the float values of a result are computed from.
class Slice {
public:
  explicit Slice(mlir::Value root) {
    add(root);
    for (size_t i = 0; i < values.size(); ++i) // grows
      visit(values[i]);
  }
  llvm::ArrayRef<mlir::Value> getValues() const { return values.getArrayRef(); }

private:
  void add(mlir::Value value) {
    mlir::Type type = value.getType();
    if (type.isF64() || floatTypeOf(type))
      values.insert(value);
  }

  void visit(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op)
      op = value.getParentBlock()->getParentOp();
    if (!op || mlir::isa<program::VariantOp>(op)) // an argument of the call
      return;
    for (mlir::Value operand : op->getOperands())
      add(operand);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        if (block.mightHaveTerminator())
          for (mlir::Value operand : block.getTerminator()->getOperands())
            add(operand);
    if (auto state = mlir::dyn_cast<program::GetStateOp>(op))
      op->getParentOfType<program::EntryOp>().walk([&](program::SetStateOp set) {
        if (set.getState() == state.getState())
          add(set.getValue());
      });
  }

  llvm::SetVector<mlir::Value> values;
};
} // namespace

/// Whether code may make sums of rounded products of it.
static bool mayMultiply(const aten::OpInfo &op) {
  static constexpr aten::ShapeRule rules[] = {aten::ShapeRule::Mm,
                                              aten::ShapeRule::Bmm,
                                              aten::ShapeRule::Mv,
                                              aten::ShapeRule::Dot,
                                              aten::ShapeRule::Addmm,
                                              aten::ShapeRule::Baddbmm,
                                              aten::ShapeRule::Addmv,
                                              aten::ShapeRule::Matmul,
                                              aten::ShapeRule::Linear,
                                              aten::ShapeRule::Convolution,
                                              aten::ShapeRule::ConvNd,
                                              aten::ShapeRule::ConvNdPadding,
                                              aten::ShapeRule::ConvTranspose,
                                              aten::ShapeRule::Attention};
  return llvm::is_contained(rules, op.shapeRule);
}

/// The type as exact as what `op` makes of this type.
static DType exactnessOf(aten::AtenOp op, DType type, bool roundsProducts) {
  bool isRounded = roundsProducts && type == DType::Float32 && mayMultiply(op.getInfo());
  return isRounded ? DType::Float16 : type;
}

Tolerances::Tolerances(program::VariantOp variant, bool roundsProducts) {
  auto addRoot = [&](mlir::Value root) {
    std::optional<DType> result = floatTypeOf(root.getType());
    if (!result)
      return;
    const Slice slice(root);
    for (mlir::Value value : slice.getValues()) {
      std::optional<DType> dtype = floatTypeOf(value.getType());
      if (auto op = mlir::dyn_cast_if_present<aten::AtenOp>(value.getDefiningOp()); op && dtype)
        coarsen(*result, exactnessOf(op, *dtype, roundsProducts));
    }
  };
  variant.walk([&](mlir::Operation *op) {
    if (mlir::isa<program::EndOp, program::PlaceOp>(op))
      for (mlir::Value operand : op->getOperands())
        addRoot(operand);
  });
}
