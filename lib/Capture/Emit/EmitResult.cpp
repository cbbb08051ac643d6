//===- EmitResult.cpp - How a call ends ------------------------------------------===//
//
// In: an exit of the program. Out: a region of program.finish: storages placed, views of them, and
// the tree that says how results are made of these.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::capture;
using program::OutAttr;
using program::OutKind;

/// Operands of the program.end that the trees read, and where each storage was placed.
struct Emitter::Tree {
  SmallVector<Ssa> leaves;
  SmallVector<Ssa> storages;
  Location loc;

  int64_t add(Ssa value) {
    auto found = llvm::find(leaves, value);
    if (found != leaves.end())
      return found - leaves.begin();
    leaves.push_back(value);
    return int64_t(leaves.size()) - 1;
  }
};

static OutKind kindOf(OutValue::Kind kind) {
  using K = OutValue::Kind;
  switch (kind) {
  case K::None:
    return OutKind::None;
  case K::Bool:
    return OutKind::Bool;
  case K::Int:
    return OutKind::Int;
  case K::Float:
    return OutKind::Float;
  case K::Str:
    return OutKind::Str;
  case K::Bytes:
    return OutKind::Bytes;
  case K::Other:
    return OutKind::Other;
  case K::Template:
    return OutKind::Template;
  case K::Scalar:
  case K::Tensor:
  case K::TensorList:
    return OutKind::Leaf;
  case K::List:
    return OutKind::List;
  case K::Tuple:
    return OutKind::Tuple;
  case K::Dict:
    return OutKind::Dict;
  case K::Set:
    return OutKind::Set;
  case K::Object:
    return OutKind::Object;
  case K::Choice:
    return OutKind::Choice;
  case K::Same:
    return OutKind::Same;
  }
  llvm_unreachable("closed enum");
}

OutAttr Emitter::treeOf(const OutValue &value, Tree &tree) {
  using K = OutValue::Kind;
  int64_t leaf = -1;
  Attribute constant;
  switch (value.kind) {
  case K::Bool:
  case K::Float:
    constant = constantOf(value.value);
    break;
  case K::Int:
    // Ints beyond 64 bits are their decimal digits.
    if (value.text.empty())
      constant = constantOf(value.value);
    break;
  case K::Scalar:
  case K::TensorList:
  case K::Choice:
    leaf = tree.add(valueOf(value.value, tree.loc));
    break;
  case K::Tensor: {
    Ssa tensor = tree.storages[value.storage];
    if (!value.steps.items.empty()) {
      SmallVector<Ssa> operands;
      ArrayAttr steps = stepsOf(value.steps, operands, tree.loc);
      tensor = program::ViewOp::create(b, tree.loc, typeOf(value.type), tensor, operands, steps);
    }
    leaf = tree.add(tensor);
    break;
  }
  default:
    break;
  }
  bool named = !value.text.empty() || value.kind == K::Str || value.kind == K::Bytes;
  StringAttr text = named ? b.getStringAttr(value.text) : StringAttr();
  SmallVector<OutAttr> children;
  for (const OutValue &child : value.children)
    children.push_back(treeOf(child, tree));
  return OutAttr::get(b.getContext(), kindOf(value.kind), leaf, text, value.identity, constant,
                      children);
}

void Emitter::emitExit(size_t number) {
  const ProgramExit &exit = p.exits[number];
  Tree tree{{}, {}, exit.raisedAt.isKnown() ? locOf(exit.raisedAt) : locOf(owner.definedAt)};
  for (const OutStorage &storage : exit.storages) {
    IntegerAttr input = storage.input < 0 ? IntegerAttr() : b.getI64IntegerAttr(storage.input);
    Ssa contents = valueOf(storage.contents, tree.loc);
    tree.storages.push_back(
        program::PlaceOp::create(b, tree.loc, contents, input, storage.written));
  }
  OutAttr result = treeOf(exit.result, tree);
  SmallVector<Attribute> mutated;
  SmallVector<StringRef> paths;
  for (const auto &[path, value] : exit.mutatedInputs) {
    paths.push_back(path);
    mutated.push_back(treeOf(value, tree));
  }
  program::EndOp::create(b, tree.loc, tree.leaves, result,
                         paths.empty() ? ArrayAttr() : b.getStrArrayAttr(paths),
                         paths.empty() ? ArrayAttr() : b.getArrayAttr(mutated), exit.raised);
}
