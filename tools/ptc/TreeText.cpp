//===- TreeText.cpp - Results as people read them ------------------------------------------===//
//
// In: a tree of `#program.out` and the values that its leaves are. Out: the Python expression that
// it stands for.
//
//===----------------------------------------------------------------------===//
#include "ProgramText.h"

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/TensorFile/Example.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::tool;

namespace {

class TreeWriter {
public:
  TreeWriter(ValueRange leaves, ValueNames &names) : leaves(leaves), names(names) {}

  std::string tree(program::OutAttr out) {
    using K = program::OutKind;
    std::string text = out.getText() ? out.getText().getValue().str() : "";
    switch (out.getKind()) {
    case K::None:
      return "None";
    case K::Bool:
    case K::Int:
    case K::Float:
      return constantText(out.getConstant());
    case K::Str:
      return exampleRepr(ExampleValue::ofStr(text));
    case K::Bytes:
      return exampleRepr(ExampleValue::ofStr(text, ExampleValue::Kind::Bytes));
    case K::Other:
      return text;
    case K::Template:
      return templateText(out);
    case K::Leaf:
      return names.of(leaves[size_t(out.getLeaf())]);
    case K::List:
      return "[" + children(out, 1) + "]";
    case K::Tuple:
      return text + "(" + children(out, 1) + ")";
    case K::Dict:
      return "{" + children(out, 2) + "}";
    case K::Set:
      return "{" + children(out, 1) + "}";
    case K::Object:
      return objectText(out);
    case K::Choice:
      return "one of [" + children(out, 1) + "] by " + names.of(leaves[size_t(out.getLeaf())]);
    case K::Field:
      return fieldText(out);
    case K::Same:
      return "object " + std::to_string(out.getIdentity()) + " again";
    }
    llvm_unreachable("closed enum");
  }

private:
  std::string children(program::OutAttr out, size_t step) {
    std::string text;
    for (size_t i = 0; i < out.getChildren().size(); i += step) {
      text += text.empty() ? "" : ", ";
      text += tree(out.getChildren()[i]);
      if (step == 2)
        text += ": " + tree(out.getChildren()[i + 1]);
    }
    return text;
  }

  std::string objectText(program::OutAttr out) {
    std::string text = (out.getText() ? out.getText().getValue().str() : "object") + "(";
    bool first = true;
    for (size_t i = 0; i + 1 < out.getChildren().size(); i += 2) {
      StringRef name = out.getChildren()[i].getText().getValue();
      if (name.starts_with("__"))
        continue; // __traceback__ and the like
      text += first ? "" : ", ";
      first = false;
      text += name.str() + "=" + tree(out.getChildren()[i + 1]);
    }
    return text + ")";
  }

  /// Strings with run-time parts, as an f-string.
  std::string templateText(program::OutAttr out) {
    std::string text = "f'";
    for (program::OutAttr part : out.getChildren()) {
      if (part.getKind() == program::OutKind::Str) {
        std::string quoted = exampleRepr(ExampleValue::ofStr(part.getText().getValue().str()));
        text += quoted.substr(1, quoted.size() - 2);
      } else {
        text += "{" + tree(part) + "}";
      }
    }
    return text + "'";
  }

  /// `x`, `x!r`, `x:.2f`, `'%5d' % x`: what a template shows of a value.
  std::string fieldText(program::OutAttr out) {
    StringRef how = out.getText().getValue();
    std::string value = children(out, 1);
    if (how.consume_front("f"))
      return how.empty() ? value : value + ":" + how.str();
    if (how.starts_with("%"))
      return "'" + how.str() + "' % " + value;
    return how == "s" ? value : value + "!" + how.str();
  }

  static std::string constantText(Attribute constant) {
    if (auto flag = dyn_cast_or_null<BoolAttr>(constant))
      return flag.getValue() ? "True" : "False";
    if (auto number = dyn_cast_or_null<IntegerAttr>(constant))
      return std::to_string(number.getInt());
    if (auto real = dyn_cast_or_null<FloatAttr>(constant))
      return floatRepr(real.getValueAsDouble());
    return "?";
  }

  ValueRange leaves;
  ValueNames &names;
};

} // namespace

std::string tool::treeText(program::OutAttr tree, ValueRange leaves, ValueNames &names) {
  return TreeWriter(leaves, names).tree(tree);
}
