//===- Guards.cpp - Dispatch as generated code ------------------------------------------===//
//
// In: the guards of an entry's variants, by structure of the arguments. Out: a function in the LLVM
// dialect that gives what sym::DecisionTree gives. A conjunction is checked in three steps of one
// branch each: the types of leaves; what the heads of tensors say (rank and dtype are one compare
// of 8 bytes, the device another); sizes, strides and numbers. Each step makes the memory of the
// next one safe to read. Differences are or-ed, so that the cost does not depend on the data. Where
// there are many tensors, the last two steps are made of a few at a time, and steps have several
// branches.
//
//===----------------------------------------------------------------------===//
#include "ptc/Target/Cpu/Guards.h"

#include "GuardReader.h"
#include "Kernels.h"

#include "ptc/Symbolic/DecisionTree.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;
using sym::Atom;
using sym::AtomKind;
using sym::DecisionTree;
using sym::Interval;
using sym::Relation;
using sym::SymbolId;

namespace {

/// Emits the checks of one structure.
class TreeEmitter {
public:
  TreeEmitter(GuardReader &reader, Block *miss) : reader(reader), b(reader.b), miss(miss) {}

  void emit(const DecisionTree &tree, ArrayRef<unsigned> variants);

private:
  /// Continues where all atoms hold, and with what they say; else goes to `fail`.
  void emitConjunction(ArrayRef<Atom> atoms, Facts &facts, Block *fail);
  void emitNode(const DecisionTree &tree, uint32_t index, Facts facts);
  void emitLeaf(const DecisionTree::Node &node, Facts facts);
  void emitChild(const DecisionTree &tree, uint32_t index, Facts facts, Block *block) {
    b.setInsertionPointToStart(block);
    emitNode(tree, index, std::move(facts));
  }

  GuardReader &reader;
  ImplicitLocOpBuilder &b;
  Block *miss;
  ArrayRef<unsigned> numbers; ///< of the tree's variants in the entry
};

} // namespace

void TreeEmitter::emitConjunction(ArrayRef<Atom> atoms, Facts &facts, Block *fail) {
  Requirements needed = reader.requirements(atoms);
  // In each step what follows may rely on the atoms of the steps before.
  reader.checkTags(needed, facts, fail);
  // Of a few tensors at a time: what was read of them stays in registers.
  std::vector<Requirements> parts = reader.byTensors(std::move(needed));
  reader.checkHeads(parts.front(), facts, fail);
  // Sizes are only computed with; but a rank that is not checked yet would let memory be read.
  SmallVector<sym::UnaryAtom> ranks;
  llvm::DenseSet<std::pair<unsigned, sym::Expr>> values;
  for (const Requirements &part : parts)
    for (const Atom &atom : part.values)
      values.insert({unsigned(atom.kind), atom.expr});
  for (const Atom &atom : atoms)
    if (std::optional<sym::UnaryAtom> unary = sym::asUnary(atom)) {
      bool isRank = reader.sourceOf(unary->symbol).kind == ptc_observable_Rank;
      if (isRank && values.contains({unsigned(atom.kind), atom.expr}))
        ranks.push_back(*unary);
      else
        facts.assume(*unary);
    }
  reader.checkValues(parts.front(), facts, fail);
  for (const Requirements &part : llvm::drop_begin(parts)) {
    reader.checkHeads(part, facts, fail);
    reader.checkValues(part, facts, fail);
  }
  for (const sym::UnaryAtom &rank : ranks)
    facts.assume(rank);
}

void TreeEmitter::emitLeaf(const DecisionTree::Node &node, Facts facts) {
  for (const DecisionTree::Candidate &candidate : node.candidates) {
    Block *next = &candidate == &node.candidates.back() ? miss : reader.newBlock();
    Facts known = facts;
    emitConjunction(candidate.checks, known, next);
    reader.returnVariant(int32_t(numbers[candidate.variant]));
    if (next == miss)
      return;
    b.setInsertionPointToStart(next);
  }
  LLVM::BrOp::create(b, ValueRange(), miss);
}

void TreeEmitter::emitNode(const DecisionTree &tree, uint32_t index, Facts facts) {
  const DecisionTree::Node &node = tree.nodes()[index];
  if (node.kind == DecisionTree::Node::Kind::Leaf)
    return emitLeaf(node, std::move(facts));
  Block *otherwise = reader.newBlock();
  Facts known = facts;
  Value value = reader.readOrLeave(node.observable, known, otherwise);
  std::vector<std::pair<Block *, std::pair<uint32_t, Interval>>> children;
  if (node.kind == DecisionTree::Node::Kind::Range) {
    int64_t threshold = node.cases.front().first;
    children = {{reader.newBlock(), {node.cases.front().second, {Interval::kMin, threshold}}},
                {reader.newBlock(), {node.above, {threshold + 1, Interval::kMax}}}};
    Value isLow = reader.compare(LLVM::ICmpPredicate::sle, value, threshold);
    LLVM::CondBrOp::create(b, isLow, children[0].first, children[1].first);
  } else {
    SmallVector<APInt> values;
    SmallVector<Block *> blocks;
    for (auto [number, child] : node.cases) {
      values.emplace_back(64, uint64_t(number));
      children.push_back({blocks.emplace_back(reader.newBlock()), {child, {number, number}}});
    }
    SmallVector<ValueRange> none(blocks.size());
    LLVM::SwitchOp::create(b, value, otherwise, ValueRange(), values, blocks, none);
  }
  for (const auto &[block, child] : children) {
    Facts inside = known;
    inside.assume(node.observable, child.second);
    emitChild(tree, child.first, std::move(inside), block);
  }
  emitChild(tree, node.otherwise, std::move(facts), otherwise);
}

void TreeEmitter::emit(const DecisionTree &tree, ArrayRef<unsigned> variants) {
  numbers = variants;
  Facts facts(reader);
  emitConjunction(tree.common(), facts, miss);
  emitNode(tree, 0, std::move(facts));
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The tree of the variants that calls of `structure` can take.
static void emitStructure(GuardReader &reader, const DispatchRequest &request, Block *miss) {
  std::vector<sym::GuardSet> sets;
  SmallVector<unsigned> variants;
  for (auto [i, set] : llvm::enumerate(request.variants))
    if (std::optional<sym::GuardSet> left = sym::specialise(request.space, set, reader.structure)) {
      sets.push_back(std::move(*left));
      variants.push_back(unsigned(i));
    }
  if (sets.empty()) {
    LLVM::BrOp::create(reader.b, ValueRange(), miss);
    return;
  }
  DecisionTree tree(request.space, sets);
  TreeEmitter(reader, miss).emit(tree, variants);
}

void cpu::emitDispatch(OpBuilder &builder, Location loc, const DispatchRequest &request) {
  ImplicitLocOpBuilder b(loc, builder);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer});
  auto function = LLVM::LLVMFuncOp::create(b, request.function, type);
  function.setVisibility_(LLVM::Visibility::Hidden);
  function->setAttr(kStepsAttr, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *start = function.addEntryBlock(builder);
  Block *miss = builder.createBlock(&function.getBody());
  b.setInsertionPointToStart(miss);
  LLVM::ReturnOp::create(b, LLVM::ConstantOp::create(b, b.getI32Type(), -1));
  b.setInsertionPointToStart(start);
  Value frame = start->getArgument(0);

  SmallVector<Block *> blocks;
  for (size_t i = 0; i < request.structures.size(); ++i)
    blocks.push_back(builder.createBlock(&function.getBody()));
  b.setInsertionPointToStart(start);
  if (blocks.size() == 1) {
    LLVM::BrOp::create(b, ValueRange(), blocks.front());
  } else {
    Value number = loadField(b, b.getI32Type(), frame, offsetof(ptc_frame, structure));
    auto values = llvm::to_vector(llvm::seq<int32_t>(0, int32_t(blocks.size())));
    SmallVector<ValueRange> none(blocks.size());
    LLVM::SwitchOp::create(b, number, miss, ValueRange(), values, blocks, none);
  }
  for (auto [block, structure] : llvm::zip_equal(blocks, request.structures)) {
    b.setInsertionPointToStart(block);
    GuardReader reader(b, request.space, structure, frame, request.entry);
    emitStructure(reader, request, miss);
  }
}
