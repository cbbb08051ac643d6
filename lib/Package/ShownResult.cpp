//===- ShownResult.cpp - How a program shows its results ---------------------------------===//
//
// In: the trees of program.end. Out: nodes from which C makes repr() of the values that the trees
// stand for, as exampleRepr() makes it: everything that is known is text already.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/ShownResult.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Python/Str.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/Example.h"

#include <map>

using namespace ptc;
using program::OutAttr;
using K = program::OutKind;

namespace {

/// What of a value is shown: str(), repr() or ascii().
enum class Mode : uint8_t { Str, Repr, Ascii };

/// The nodes of one outcome; objects are the same in all of its trees.
class OutcomeWriter {
public:
  OutcomeWriter(ShownResults &out, mlir::ValueRange leaves) : out(out), leaves(leaves) {}

  /// False: a part that C cannot make.
  bool write(OutAttr tree) {
    uint32_t root = reserve(1);
    out.roots.push_back(root);
    bool known = place(root, tree, Mode::Repr);
    for (size_t i = 0; i < again.size(); ++i) { // which grows
      auto [node, identity] = again[i];
      // What only another tree of the outcome describes has no place yet.
      if (!places.contains(identity))
        known = place(reserve(1), definitions.at(identity), Mode::Repr) && known;
      out.nodes[node].first = places.at(identity);
    }
    return known;
  }
  void define(OutAttr node) {
    if (node.getIdentity() && node.getKind() != K::Same)
      definitions.try_emplace(node.getIdentity(), node);
    for (OutAttr child : node.getChildren())
      define(child);
  }

private:
  uint32_t reserve(size_t count) {
    out.nodes.resize(out.nodes.size() + count, {ptc_shown_Text, -1, 0, 0, 0, 0, 0});
    return uint32_t(out.nodes.size() - count);
  }
  /// Children one after the other; `kind` is All, Quoted or Choice.
  uint32_t parent(uint32_t at, ptc_shown_kind kind, size_t count) {
    uint32_t first = reserve(count);
    out.nodes[at].kind = kind;
    out.nodes[at].first = first;
    out.nodes[at].count = uint32_t(count);
    return first;
  }
  bool text(uint32_t at, llvm::StringRef text) {
    out.nodes[at].text = uint32_t(out.texts.size());
    out.nodes[at].length = uint32_t(text.size());
    out.texts += text;
    return true;
  }
  bool value(uint32_t at, const ExampleValue &value, Mode mode);
  bool place(uint32_t at, OutAttr node, Mode mode);
  bool make(uint32_t at, OutAttr node, Mode mode);
  bool container(uint32_t at, OutAttr node, llvm::StringRef open, llvm::StringRef close);
  bool tuple(uint32_t at, OutAttr node);
  bool object(uint32_t at, OutAttr node);
  bool pattern(uint32_t at, OutAttr node, Mode mode);
  bool field(uint32_t at, OutAttr node);
  bool formatted(uint32_t at, OutAttr shown, llvm::StringRef spec);
  bool leaf(uint32_t at, OutAttr node, ptc_shown_kind kind, llvm::StringRef text) {
    out.nodes[at].kind = kind;
    out.nodes[at].leaf = int32_t(node.getLeaf());
    return this->text(at, text);
  }
  bool choice(uint32_t at, OutAttr node, Mode mode) {
    llvm::ArrayRef<OutAttr> children = node.getChildren();
    uint32_t first = parent(at, ptc_shown_Choice, children.size());
    out.nodes[at].leaf = int32_t(node.getLeaf());
    bool known = true;
    for (auto [i, child] : llvm::enumerate(children))
      known = place(first + uint32_t(i), child, mode) && known;
    return known;
  }

  ShownResults &out;
  mlir::ValueRange leaves;
  std::map<int64_t, OutAttr> definitions;
  std::map<int64_t, uint32_t> places;              ///< nodes by identity
  std::vector<std::pair<uint32_t, int64_t>> again; ///< nodes that name an identity
};

} // namespace

bool OutcomeWriter::value(uint32_t at, const ExampleValue &value, Mode mode) {
  if (mode == Mode::Str)
    return text(at, exampleStr(value));
  if (mode == Mode::Ascii && value.kind == ExampleValue::Kind::Str)
    return text(at, py::str::ascii(py::StrRef(value.text)).bytes());
  return text(at, exampleRepr(value));
}

/// `[.N]` and one of f e g % d: what the stub formats.
bool OutcomeWriter::formatted(uint32_t at, OutAttr shown, llvm::StringRef spec) {
  if (shown.getKind() != K::Leaf)
    return false;
  mlir::Type type = leaves[size_t(shown.getLeaf())].getType();
  llvm::StringRef digits = spec.drop_back();
  bool hasPrecision = digits.consume_front(".");
  unsigned precision = 0;
  if (hasPrecision ? digits.getAsInteger(10, precision) || precision > 64 : !digits.empty())
    return false;
  bool isInt = type.isInteger();
  if (spec.back() == 'd'
          ? hasPrecision || !isInt
          : !llvm::StringRef("feg%").contains(spec.back()) || !(isInt || type.isF64()))
    return false;
  return leaf(at, shown, ptc_shown_Format, spec);
}

bool OutcomeWriter::field(uint32_t at, OutAttr node) {
  OutAttr shown = node.getChildren().front();
  llvm::StringRef how = node.getText().getValue();
  bool isPercent = how.front() == '%';
  llvm::StringRef spec = how.drop_front();
  bool isTensor = shown.getKind() == K::Leaf &&
                  mlir::isa<mlir::TensorType>(leaves[size_t(shown.getLeaf())].getType());
  if (!isPercent && how.front() != 'f' && isTensor)
    return leaf(at, shown, ptc_shown_Leaf, spec); // what torch appends
  if (how == "s" || how == "f" || how == "%s")
    return make(at, shown, Mode::Str);
  if (how == "r" || how == "%r")
    return make(at, shown, Mode::Repr);
  if (how == "a" || how == "%a")
    return make(at, shown, Mode::Ascii);
  return (how.front() == 'f' || (isPercent && how.back() != '%')) && !spec.empty() &&
         formatted(at, shown, spec);
}

bool OutcomeWriter::container(uint32_t at, OutAttr node, llvm::StringRef open,
                              llvm::StringRef close) {
  llvm::ArrayRef<OutAttr> children = node.getChildren();
  bool isDict = node.getKind() == K::Dict, known = true;
  uint32_t next = parent(at, ptc_shown_All, 2 * children.size() + 1);
  text(next++, open);
  for (auto [i, child] : llvm::enumerate(children)) {
    known = place(next++, child, Mode::Repr) && known;
    bool isLast = i + 1 == children.size();
    text(next++, isLast ? close : isDict && i % 2 == 0 ? ": " : ", ");
  }
  return known;
}

bool OutcomeWriter::tuple(uint32_t at, OutAttr node) {
  std::string name = node.getText() ? node.getText().getValue().str() : "";
  if (name == "torch.Size")
    return node.getChildren().empty() ? text(at, "torch.Size([])")
                                      : container(at, node, "torch.Size([", "])");
  if (node.getChildren().empty())
    return text(at, name + "()");
  return container(at, node, name + "(", node.getChildren().size() == 1 ? ",)" : ")");
}

bool OutcomeWriter::object(uint32_t at, OutAttr node) {
  llvm::ArrayRef<OutAttr> children = node.getChildren();
  std::string before = node.getText().getValue().str() + "(";
  bool known = true;
  uint32_t next = parent(at, ptc_shown_All, children.size() + 1);
  for (size_t i = 0; i + 1 < children.size(); i += 2) {
    text(next++, before + children[i].getText().getValue().str() + "=");
    known = place(next++, children[i + 1], Mode::Repr) && known;
    before = ", ";
  }
  text(next, children.size() < 2 ? before + ")" : ")");
  return known;
}

/// A text with run-time parts. ascii() of it is repr() where all its parts are of ASCII.
bool OutcomeWriter::pattern(uint32_t at, OutAttr node, Mode mode) {
  llvm::ArrayRef<OutAttr> children = node.getChildren();
  uint32_t first =
      parent(at, mode == Mode::Str ? ptc_shown_All : ptc_shown_Quoted, children.size());
  size_t begin = out.texts.size();
  bool known = true;
  for (auto [i, child] : llvm::enumerate(children))
    known = place(first + uint32_t(i), child, Mode::Str) && known;
  auto isAscii = [](char c) { return uint8_t(c) < 128; };
  return known && (mode != Mode::Ascii ||
                   llvm::all_of(llvm::StringRef(out.texts).drop_front(begin), isAscii));
}

bool OutcomeWriter::place(uint32_t at, OutAttr node, Mode mode) {
  if (node.getIdentity() && node.getKind() != K::Same) {
    places.try_emplace(node.getIdentity(), at);
    out.nodes[at].identity = uint32_t(node.getIdentity());
    out.numIdentities = std::max(out.numIdentities, uint32_t(node.getIdentity()));
  }
  return make(at, node, mode);
}

bool OutcomeWriter::make(uint32_t at, OutAttr node, Mode mode) {
  std::string name = node.getText() ? node.getText().getValue().str() : "";
  mlir::Attribute constant = node.getConstant();
  switch (node.getKind()) {
  case K::None:
    return text(at, "None");
  case K::Bool:
    return text(at, mlir::cast<mlir::IntegerAttr>(constant).getValue().isZero() ? "False" : "True");
  case K::Int:
    return text(at,
                constant ? std::to_string(mlir::cast<mlir::IntegerAttr>(constant).getInt()) : name);
  case K::Float:
    return text(at, floatRepr(mlir::cast<mlir::FloatAttr>(constant).getValueAsDouble()));
  case K::Str:
    return value(at, ExampleValue::ofStr(name), mode);
  case K::Bytes:
    return value(at, ExampleValue::ofStr(name, ExampleValue::Kind::Bytes), mode);
  case K::Other:
    if (auto dtype = mlir::dyn_cast_if_present<aten::DTypeAttr>(constant))
      return text(at, "torch." + getDTypeInfo(dtype.getValue()).torchName.str());
    if (auto device = mlir::dyn_cast_if_present<aten::DeviceAttr>(constant))
      return value(
          at, ExampleValue::ofStr(aten::toString(device.getValue()), ExampleValue::Kind::Device),
          mode);
    return text(at, name);
  case K::Template:
    return pattern(at, node, mode);
  case K::Field: {
    uint32_t shown = mode == Mode::Str ? at : parent(at, ptc_shown_Quoted, 1);
    return field(shown, node);
  }
  case K::Leaf:
    return !node.getText() && leaf(at, node, ptc_shown_Leaf, "");
  case K::List:
    if (node.getText())
      return false;
    return node.getChildren().empty() ? text(at, "[]") : container(at, node, "[", "]");
  case K::Tuple:
    return !program::isTupleOfList(node) && tuple(at, node);
  case K::Dict:
    return node.getChildren().empty() ? text(at, "{}") : container(at, node, "{", "}");
  case K::Set:
    if (node.getText())
      return node.getChildren().empty() ? text(at, "frozenset()")
                                        : container(at, node, "frozenset({", "})");
    return node.getChildren().empty() ? text(at, "set()") : container(at, node, "{", "}");
  case K::Object:
    return object(at, node);
  case K::Choice:
    return choice(at, node, mode);
  case K::Same:
    out.nodes[at].kind = ptc_shown_Same;
    again.emplace_back(at, node.getIdentity());
    return true;
  }
  llvm_unreachable("closed enum");
}

static llvm::Error showOutcome(ShownResults &out, program::EndOp end) {
  OutcomeWriter writer(out, end.getLeaves());
  if (end.getRaised()) { // only the error is shown
    out.roots.push_back(0);
    return llvm::Error::success();
  }
  writer.define(end.getResult());
  if (std::optional<mlir::ArrayAttr> changed = end.getMutated())
    for (OutAttr tree : changed->getAsRange<OutAttr>())
      writer.define(tree);
  if (writer.write(end.getResult()))
    return llvm::Error::success();
  SourceLoc loc;
  if (auto where = end.getLoc()->findInstanceOf<mlir::FileLineColLoc>()) {
    loc.file = where.getFilename().getValue().str();
    loc.line = where.getLine();
  }
  return makeError(DiagId::UnsupportedOperation, loc, "a result",
                   "a text of this form in a result");
}

llvm::Expected<ShownResults> ptc::showResults(program::EntryOp entry) {
  ShownResults out;
  for (auto variant : entry.getBody().getOps<program::VariantOp>()) {
    out.variantBegins.push_back(uint32_t(out.roots.size()));
    auto finish = llvm::cast<program::FinishOp>(variant.getBody().front().getTerminator());
    for (mlir::Region &outcome : finish.getOutcomes())
      if (llvm::Error error =
              showOutcome(out, llvm::cast<program::EndOp>(outcome.front().getTerminator())))
        return std::move(error);
  }
  out.variantBegins.push_back(uint32_t(out.roots.size()));
  return out;
}
