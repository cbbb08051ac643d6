//===- EmitResult.cpp - How a call ends ------------------------------------------===//
//
// In: an exit of the program. Out: a region of program.finish: storages placed, views of them, and
// the tree that says how results are made of these.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

#include "ptc/Capture/TextTree.h"
#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/KeptResults.h"
#include "ptc/Dialect/Program/IR/ViewOffset.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::capture;
using program::OutAttr;
using program::OutKind;

/// Operands of the program.end that the trees read, and where each storage was placed.
struct Emitter::Tree {
  Leaves leaves;
  SmallVector<Ssa> storages;
  SmallVector<TapeArg> contents; ///< of the storages
  Location loc;
};

int64_t Emitter::Leaves::add(Ssa value) {
  auto found = llvm::find(values, value);
  if (found != values.end())
    return found - values.begin();
  values.push_back(value);
  return int64_t(values.size()) - 1;
}

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
  case K::RunTimeList:
  case K::Views:
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

static OutKind kindOfShown(TapeArg::Kind kind) {
  using K = TapeArg::Kind;
  switch (kind) {
  case K::None:
    return OutKind::None;
  case K::Value:
    return OutKind::Leaf;
  case K::Bool:
    return OutKind::Bool;
  case K::Int:
    return OutKind::Int;
  case K::Float:
    return OutKind::Float;
  case K::Str:
    return OutKind::Str;
  case K::Complex:
  case K::DType:
  case K::Device:
  case K::Layout:
  case K::MemoryFormat:
  case K::List:
    break;
  }
  llvm_unreachable("a template shows numbers, tensors and strings");
}

OutAttr Emitter::textOf(const TapeArg &arg, Leaves &leaves, Location loc) {
  MLIRContext *context = b.getContext();
  if (arg.kind != TapeArg::Kind::List) {
    bool named = arg.kind == TapeArg::Kind::Str;
    int64_t leaf = arg.isValue() ? leaves.add(lookup(arg.id())) : -1;
    Attribute constant;
    if (!named && !arg.isValue() && arg.kind != TapeArg::Kind::None)
      constant = constantOf(arg);
    return OutAttr::get(context, kindOfShown(arg.kind), leaf,
                        named ? b.getStringAttr(arg.text) : StringAttr(), 0, constant, {});
  }
  auto kind = TextNode(arg.items.front().asInt());
  ArrayRef<TapeArg> items = ArrayRef(arg.items).drop_front();
  int64_t leaf = -1;
  StringAttr text;
  OutKind out = OutKind::Template;
  if (kind != TextNode::Sequence) {
    bool field = kind == TextNode::Field;
    out = field ? OutKind::Field : OutKind::Choice;
    if (field)
      text = b.getStringAttr(items.front().text);
    else
      leaf = leaves.add(valueOf(items.front(), loc));
    items = items.drop_front();
  }
  SmallVector<OutAttr> children;
  for (const TapeArg &item : items)
    children.push_back(textOf(item, leaves, loc));
  return OutAttr::get(context, out, leaf, text, 0, Attribute(), children);
}

OutAttr Emitter::treeOf(const OutValue &value, Tree &tree) {
  using K = OutValue::Kind;
  if (value.kind == K::Template)
    return textOf(value.value, tree.leaves, tree.loc);
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
  case K::RunTimeList:
  case K::Choice:
    leaf = tree.leaves.add(valueOf(value.value, tree.loc));
    break;
  case K::Views: {
    SmallVector<Ssa> extents;
    for (const OutValue &extent : value.children)
      extents.push_back(extent.kind == K::RunTimeList
                            ? valueOf(extent.value, tree.loc)
                            : valueOf(extent.value, b.getI64Type(), tree.loc));
    leaf = tree.leaves.add(program::ListViewsOp::create(b, tree.loc, typeOf(value.type),
                                                        tree.storages[value.storage],
                                                        valueOf(value.value, tree.loc), extents));
    break;
  }
  case K::Tensor: {
    Ssa tensor = tree.storages[value.storage];
    if (!value.steps.items.empty()) {
      SmallVector<Ssa> operands;
      ArrayAttr steps = stepsOf(value.steps, operands, tree.loc);
      Naming naming = namingOf(value.type, tree.contents[value.storage], tree.loc);
      auto view =
          program::ViewOp::create(b, tree.loc, typeOf(naming.type), tensor, operands, steps);
      if (value.offset >= 0)
        view->setAttr(program::kViewOffsetAttr, sizeText(value.offset));
      tensor = view;
      tensor = named(tensor, naming, typeOf(value.type), tree.loc);
    }
    leaf = tree.leaves.add(tensor);
    break;
  }
  case K::Other:
    if (value.value.kind == TapeArg::Kind::DType)
      constant = aten::DTypeAttr::get(b.getContext(), DType(value.value.bits));
    else if (value.value.kind == TapeArg::Kind::Device)
      constant = aten::DeviceAttr::get(b.getContext(), unpackDevice(value.value.bits));
    break;
  default:
    break;
  }
  if (value.kind == K::Views)
    return OutAttr::get(b.getContext(), OutKind::Leaf, leaf, StringAttr(), value.identity,
                        Attribute(), {});
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
  Tree tree{{{}}, {}, {}, exit.raisedAt.isKnown() ? locOf(exit.raisedAt) : locOf(owner.definedAt)};
  for (const OutStorage &storage : exit.storages) {
    tree.contents.push_back(storage.contents);
    IntegerAttr input = storage.input < 0 ? IntegerAttr() : b.getI64IntegerAttr(storage.input);
    Ssa contents = valueOf(storage.contents, tree.loc);
    auto place = program::PlaceOp::create(b, tree.loc, contents, input, storage.written);
    if (storage.kept)
      place->setAttr(program::kKeptAttr, b.getUnitAttr());
    tree.storages.push_back(place);
  }
  OutAttr result = treeOf(exit.result, tree);
  SmallVector<Attribute> mutated;
  SmallVector<StringRef> paths;
  for (const auto &[path, value] : exit.mutatedInputs) {
    paths.push_back(path);
    mutated.push_back(treeOf(value, tree));
  }
  program::EndOp::create(b, tree.loc, tree.leaves.values, result,
                         paths.empty() ? ArrayAttr() : b.getStrArrayAttr(paths),
                         paths.empty() ? ArrayAttr() : b.getArrayAttr(mutated), exit.raised);
}
