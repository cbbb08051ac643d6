//===- EvalResult.cpp - How a call ends -------------------------------------------===//
//
// In: program.finish. Out: the chosen outcome's effects, and its trees as values for the caller.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/Eval/Conclude.h"

#include "Tree.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

static void defineObjects(OutAttr node, std::map<int64_t, OutAttr> &definitions) {
  if (node.getIdentity() && node.getKind() != OutKind::Same)
    definitions.try_emplace(node.getIdentity(), node);
  for (OutAttr child : node.getChildren())
    defineObjects(child, definitions);
}

/// Objects are the same in all trees of an outcome, whatever alternatives are chosen.
static TreeBuilder builderOf(Frame &frame, EndOp end) {
  TreeBuilder builder(frame, end.getLeaves());
  defineObjects(end.getResult(), builder.definitions);
  if (std::optional<ArrayAttr> mutated = end.getMutated())
    for (OutAttr tree : mutated->getAsRange<OutAttr>())
      defineObjects(tree, builder.definitions);
  return builder;
}

static llvm::Error conclude(Frame &frame, EndOp end) {
  TreeBuilder builder = builderOf(frame, end);
  ExampleValue result = builder.build(end.getResult());
  std::optional<ArrayAttr> paths = end.getMutatedPaths(), trees = end.getMutated();
  if (paths && trees)
    for (auto [path, tree] : llvm::zip_equal(*paths, *trees))
      frame.result.mutated.emplace_back(cast<StringAttr>(path).getValue().str(),
                                        builder.build(cast<OutAttr>(tree)));
  if (!end.getRaised()) {
    frame.result.result = std::move(result);
    return builder.takeError();
  }
  const ExampleValue &exception = result.items[0], &place = result.items[2];
  SourceLoc where;
  where.file = place.items[0].text;
  where.line = uint32_t(place.items[1].integer);
  frame.result.raised = CallResult::Raised{exception.text, result.items[1].text, where};
  return builder.takeError();
}

llvm::Error program::finish(Frame &frame, FinishOp op) {
  int64_t which = op.getSelector() ? frame.getInt(op.getSelector()) : 0;
  if (which < 0 || which >= int64_t(op.getOutcomes().size()))
    return internalError(op, "a selector beyond the outcomes");
  Block &block = op.getOutcomes()[which].front();
  for (Operation &inner : block.without_terminator())
    if (llvm::Error error = frame.execute(&inner))
      return error;
  frame.current = block.getTerminator();
  return conclude(frame, cast<EndOp>(block.getTerminator()));
}

namespace {
/// Trees call nothing.
class NoExecutor : public OpExecutor {
public:
  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &, llvm::ArrayRef<HostValue>, int64_t) override {
    return makeError(DiagId::InternalError, {}, "a tree calls no operation");
  }
  void seed(int64_t, int64_t) override {}
};
} // namespace

llvm::Expected<CallResult> program::concludeCall(EndOp end, llvm::ArrayRef<HostValue> leaves) {
  NoExecutor executor;
  WeightLookup weights;
  llvm::StringMap<HostValue> states;
  Frame frame(executor, weights, states);
  for (auto [operand, value] : llvm::zip_equal(end.getLeaves(), leaves))
    frame.set(operand, value);
  frame.current = end;
  if (llvm::Error error = conclude(frame, end))
    return std::move(error);
  return std::move(frame.result);
}
