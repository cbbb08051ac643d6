//===- EvalResult.cpp - How a call ends -------------------------------------------===//
//
// In: program.finish. Out: the chosen outcome's effects, and its trees as values for the caller.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

static ExampleValue leafValue(const HostValue &value);

std::string program::textOf(const HostValue &value) { return exampleStr(leafValue(value)); }

std::string program::textOf(Attribute constant) {
  if (auto text = dyn_cast<StringAttr>(constant))
    return text.getValue().str();
  if (auto flag = dyn_cast<BoolAttr>(constant))
    return flag.getValue() ? "True" : "False";
  if (auto real = dyn_cast<FloatAttr>(constant))
    return floatRepr(real.getValueAsDouble());
  if (auto integer = dyn_cast<IntegerAttr>(constant))
    return std::to_string(integer.getInt());
  return "None";
}

static ExampleValue leafValue(const HostValue &value) {
  if (const bool *flag = value.getIf<bool>())
    return ExampleValue::boolean(*flag);
  if (const int64_t *integer = value.getIf<int64_t>())
    return ExampleValue::ofInt(*integer);
  if (const double *real = value.getIf<double>())
    return ExampleValue::ofFloat(*real);
  if (const auto *list = value.getIf<HostValue::TensorList>()) {
    ExampleValue out(ExampleValue::Kind::List);
    for (const HostTensor &tensor : *list)
      out.items.push_back(ExampleValue::ofTensor(tensor));
    return out;
  }
  return ExampleValue::ofTensor(value.tensor());
}

namespace {
/// Makes values of one outcome's trees. Mutable objects that occur again are equal values.
class TreeBuilder {
public:
  TreeBuilder(Frame &frame, EndOp end) : frame(frame), end(end) {}

  ExampleValue build(OutAttr node) {
    ExampleValue value = make(node);
    if (node.getIdentity() && node.getKind() != OutKind::Same)
      objects[node.getIdentity()] = value;
    return value;
  }

  std::string text(OutAttr node) {
    std::string out;
    for (OutAttr part : node.getChildren()) {
      if (part.getKind() == OutKind::Leaf)
        out += textOf(frame.get(end.getLeaves()[part.getLeaf()]));
      else
        out += part.getText() ? part.getText().getValue().str() : textOf(part.getConstant());
    }
    return out;
  }

private:
  using K = ExampleValue::Kind;

  ExampleValue container(K kind, OutAttr node) {
    ExampleValue value(kind);
    for (OutAttr child : node.getChildren())
      value.items.push_back(build(child));
    if (node.getText())
      value.text = node.getText().getValue().str();
    return value;
  }

  ExampleValue object(OutAttr node) {
    ExampleValue value(K::Object);
    value.text = node.getText().getValue().str();
    for (size_t i = 0; i + 1 < node.getChildren().size(); i += 2) {
      value.names.push_back(node.getChildren()[i].getText().getValue().str());
      value.items.push_back(build(node.getChildren()[i + 1]));
    }
    return value;
  }

  ExampleValue make(OutAttr node) {
    switch (node.getKind()) {
    case OutKind::None:
      return {};
    case OutKind::Bool:
      return ExampleValue::boolean(!cast<IntegerAttr>(node.getConstant()).getValue().isZero());
    case OutKind::Int:
      if (!node.getConstant())
        return ExampleValue::ofStr(node.getText().getValue().str(), K::BigInt);
      return ExampleValue::ofInt(cast<IntegerAttr>(node.getConstant()).getInt());
    case OutKind::Float:
      return ExampleValue::ofFloat(cast<FloatAttr>(node.getConstant()).getValueAsDouble());
    case OutKind::Str:
      return ExampleValue::ofStr(node.getText().getValue().str());
    case OutKind::Bytes:
      return ExampleValue::ofStr(node.getText().getValue().str(), K::Bytes);
    case OutKind::Other:
      return ExampleValue::ofStr(node.getText().getValue().str(), K::Other);
    case OutKind::Template:
      return ExampleValue::ofStr(text(node));
    case OutKind::Leaf:
      return leafValue(frame.get(end.getLeaves()[node.getLeaf()]));
    case OutKind::List:
      return container(K::List, node);
    case OutKind::Tuple:
      return container(K::Tuple, node);
    case OutKind::Dict:
      return container(K::Dict, node);
    case OutKind::Set:
      return container(K::Set, node);
    case OutKind::Object:
      return object(node);
    case OutKind::Choice:
      return build(node.getChildren()[frame.getInt(end.getLeaves()[node.getLeaf()])]);
    case OutKind::Same:
      return objects.lookup(node.getIdentity());
    }
    llvm_unreachable("closed enum");
  }

  Frame &frame;
  EndOp end;
  llvm::DenseMap<int64_t, ExampleValue> objects;
};
} // namespace

/// str(exception) from its arguments.
static std::string exceptionText(const ExampleValue &exception) {
  for (auto [name, value] : llvm::zip(exception.names, exception.items)) {
    if (name != "args")
      continue;
    if (value.items.empty())
      return "";
    if (value.items.size() == 1)
      return exampleStr(value.items[0]);
    return exampleRepr(value);
  }
  return "";
}

static llvm::Error conclude(Frame &frame, EndOp end) {
  TreeBuilder builder(frame, end);
  ExampleValue result = builder.build(end.getResult());
  if (end.getMutated())
    for (auto [path, tree] : llvm::zip_equal(*end.getMutatedPaths(), *end.getMutated()))
      frame.result.mutated.emplace_back(cast<StringAttr>(path).getValue().str(),
                                        builder.build(cast<OutAttr>(tree)));
  if (end.getRaised())
    frame.result.raised =
        CallResult::Raised{result.text, exceptionText(result), sourceLocOf(end.getLoc())};
  else
    frame.result.result = std::move(result);
  return llvm::Error::success();
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
