//===- Share.cpp - plan-share -------------------------------------------------------------===//
//
// In: kernels. Out: elementwise kernels of which many differ in numbers alone have these numbers as
// operands, in double precision, as numbers of the run are: targets make one function of them.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/Transforms/Passes.h"

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace ptc::plan {
#define GEN_PASS_DEF_PLANSHARE
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace ptc::plan

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

/// So many operations are compiled once more rather than that a number is known nowhere.
static constexpr size_t kFewOperations = 50;
/// What a kernel is given at most: arguments of a launch have 4 KB.
static constexpr size_t kMostNumbers = 128;

namespace {

/// What a kernel computes but for its numbers: kernels with the same words may be one function.
class Outline {
public:
  explicit Outline(KernelOp kernel) { addOperation(kernel); }

  std::vector<uint64_t> words;
  SmallVector<arith::ConstantOp> numbers; ///< in the order of the text

private:
  void add(const void *unique) { words.push_back(uint64_t(uintptr_t(unique))); }
  void addOperation(Operation *op);

  DenseMap<Value, uint64_t> names;
};

} // namespace

/// A number that arithmetic takes as it takes any other.
static bool isPlainNumber(arith::ConstantOp constant) {
  if (!isa<FloatAttr>(constant.getValue()) ||
      !(constant.getType().isF32() || constant.getType().isF64()))
    return false;
  return llvm::all_of(constant->getUsers(), [](Operation *user) {
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(user);
  });
}

void Outline::addOperation(Operation *op) {
  add(op->getName().getAsOpaquePointer());
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (constant && isa<KernelOp>(op->getParentOp()) && isPlainNumber(constant))
    numbers.push_back(constant);
  else
    add(op->getAttrDictionary().getAsOpaquePointer());
  words.push_back(op->getNumOperands());
  // Operands of the kernel itself come from outside.
  if (!isa<KernelOp>(op))
    for (Value operand : op->getOperands())
      words.push_back(names.lookup(operand));
  words.push_back(op->getNumResults());
  for (Value result : op->getResults()) {
    add(result.getType().getAsOpaquePointer());
    names[result] = names.size() + 1;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      words.push_back(block.getNumArguments());
      for (BlockArgument arg : block.getArguments()) {
        add(arg.getType().getAsOpaquePointer());
        names[arg] = names.size() + 1;
      }
      for (Operation &inside : block)
        addOperation(&inside);
    }
}

/// Makes operands of those numbers of the kernel that `places` says.
static void takeNumbers(KernelOp kernel, ArrayRef<arith::ConstantOp> numbers,
                        ArrayRef<size_t> places) {
  OpBuilder b(kernel);
  Block &body = kernel.getBody().front();
  for (size_t place : places) {
    arith::ConstantOp constant = numbers[place];
    APFloat value = cast<FloatAttr>(constant.getValue()).getValue();
    bool losesInfo = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    Location loc = constant.getLoc();
    b.setInsertionPoint(kernel);
    Value given = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value.convertToDouble()));
    kernel.getInputsMutable().append(given);
    Value taken = body.addArgument(b.getF64Type(), loc);
    if (!constant.getType().isF64()) {
      b.setInsertionPoint(constant);
      taken = arith::TruncFOp::create(b, loc, constant.getType(), taken);
    }
    constant.replaceAllUsesWith(taken);
    constant.erase();
  }
}

namespace {

struct PlanShare : plan::impl::PlanShareBase<PlanShare> {
  void runOnOperation() override {
    using Numbers = SmallVector<arith::ConstantOp>;
    // In the order of the text: attributes' addresses differ from run to run.
    llvm::MapVector<std::vector<uint64_t>, SmallVector<std::pair<KernelOp, Numbers>, 0>,
                    std::map<std::vector<uint64_t>, unsigned>>
        groups;
    getOperation().walk([&](KernelOp kernel) {
      if (kernel.getFamily() != Family::Pointwise)
        return;
      Outline outline(kernel);
      if (!outline.numbers.empty())
        groups[outline.words].emplace_back(kernel, std::move(outline.numbers));
    });
    for (auto &[words, group] : groups) {
      size_t operations = 0;
      group.front().first.getBody().walk([&](Operation *) { ++operations; });
      if ((group.size() - 1) * operations < kFewOperations)
        continue;
      Numbers &first = group.front().second;
      SmallVector<size_t> places; // of numbers that differ
      for (size_t i = 0; i < first.size(); ++i)
        if (llvm::any_of(group, [&](auto &kernel) {
              return kernel.second[i].getValue() != first[i].getValue();
            }))
          places.push_back(i);
      if (places.empty() || places.size() > kMostNumbers)
        continue;
      for (auto &[kernel, numbers] : group)
        takeNumbers(kernel, numbers, places);
      taken += unsigned(group.size());
    }
  }
};

} // namespace
