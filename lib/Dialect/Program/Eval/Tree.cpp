//===- Tree.cpp - Values and texts of #program.out trees -----------------------------===//
//
// In: trees and the operands that they read. Out: values as a caller sees them, and text as CPython
// formats it. What a spec must be like was checked when the program was captured.
//
//===----------------------------------------------------------------------===//
#include "Tree.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

template <typename ListT, typename FnT> static ExampleValue leafList(const ListT &list, FnT make) {
  ExampleValue out(ExampleValue::Kind::List);
  out.items.reserve(list.size());
  for (const auto &item : list)
    out.items.push_back(make(item));
  return out;
}

static ExampleValue leafValue(const HostValue &value) {
  if (const bool *flag = value.getIf<bool>())
    return ExampleValue::boolean(*flag);
  if (const int64_t *integer = value.getIf<int64_t>())
    return ExampleValue::ofInt(*integer);
  if (const double *real = value.getIf<double>())
    return ExampleValue::ofFloat(*real);
  if (const auto *list = value.getIf<HostValue::TensorList>())
    return leafList(*list, [](const HostTensor &t) { return ExampleValue::ofTensor(t); });
  if (const auto *list = value.getIf<HostValue::IntList>())
    return leafList(*list, ExampleValue::ofInt);
  if (const auto *list = value.getIf<HostValue::FloatList>())
    return leafList(*list, ExampleValue::ofFloat);
  if (const auto *list = value.getIf<HostValue::BoolList>())
    return leafList(*list, ExampleValue::boolean);
  return ExampleValue::ofTensor(value.tensor());
}

/// What tolist() gives of a tensor, below the element at `index`.
static ExampleValue listed(const HostTensor &t, llvm::SmallVectorImpl<int64_t> &index) {
  if (index.size() == t.sizes().size())
    return t.dtype() == DType::Bool      ? ExampleValue::boolean(t.getInt(index) != 0)
           : t.dtype() == DType::Float64 ? ExampleValue::ofFloat(t.getDouble(index))
                                         : ExampleValue::ofInt(t.getInt(index));
  ExampleValue out(ExampleValue::Kind::List);
  const size_t d = index.size();
  for (int64_t i = 0; i < t.sizes()[d]; ++i) {
    index.push_back(i);
    out.items.push_back(listed(t, index));
    index.pop_back();
  }
  return out;
}

/// A list whose numbers a tensor holds, or a list of such.
static ExampleValue listedValue(const ExampleValue &v) {
  llvm::SmallVector<int64_t> index;
  if (v.kind == ExampleValue::Kind::Tensor)
    return listed(v.tensor, index);
  ExampleValue out(v.kind);
  for (const ExampleValue &item : v.items)
    out.items.push_back(listedValue(item));
  return out;
}

/// Element `i` of a list of tuples: lists among the leaves hold what all elements have in one
/// place.
ExampleValue TreeBuilder::row(OutAttr form, size_t i) {
  if (form.getKind() == OutKind::Leaf) {
    auto [column, fresh] = columns.try_emplace(form.getLeaf());
    if (fresh)
      column->second = make(form);
    return column->second.items[i];
  }
  if (form.getKind() != OutKind::Tuple)
    return make(form);
  ExampleValue out(K::Tuple);
  for (OutAttr part : form.getChildren())
    out.items.push_back(row(part, i));
  return out;
}

static OutAttr firstLeaf(OutAttr form) {
  if (form.getKind() == OutKind::Leaf)
    return form;
  for (OutAttr part : form.getChildren())
    if (OutAttr leaf = firstLeaf(part))
      return leaf;
  return {};
}

ExampleValue TreeBuilder::rows(OutAttr form) {
  ExampleValue out(K::List);
  columns.clear();
  const size_t count = make(firstLeaf(form)).items.size();
  for (size_t i = 0; i < count; ++i)
    out.items.push_back(row(form, i));
  return out;
}

ExampleValue TreeBuilder::build(OutAttr node) {
  int64_t identity = node.getKind() == OutKind::Same ? 0 : node.getIdentity();
  if (!identity)
    return make(node);
  if (auto made = objects.find(identity); made != objects.end())
    return made->second;
  building.insert(identity);
  ExampleValue value = make(node);
  building.erase(identity);
  objects[identity] = value;
  return value;
}

/// An object that another place of the trees describes, which may not have been chosen there.
ExampleValue TreeBuilder::again(int64_t identity) {
  if (building.contains(identity))
    return ExampleValue::ofStr("...", K::Other);
  auto definition = definitions.find(identity);
  assert(definition != definitions.end() && "an object is described where it is met first");
  return build(definition->second);
}

ExampleValue TreeBuilder::container(K kind, OutAttr node) {
  ExampleValue value(kind);
  value.items.reserve(node.getChildren().size());
  for (OutAttr child : node.getChildren())
    value.items.push_back(build(child));
  if (node.getText())
    value.text = node.getText().getValue().str();
  return value;
}

ExampleValue TreeBuilder::object(OutAttr node) {
  ExampleValue value(K::Object);
  value.text = node.getText().getValue().str();
  for (size_t i = 0; i + 1 < node.getChildren().size(); i += 2) {
    value.names.push_back(node.getChildren()[i].getText().getValue().str());
    value.items.push_back(build(node.getChildren()[i + 1]));
  }
  return value;
}

static ExampleValue tupleOf(ExampleValue list) {
  list.kind = ExampleValue::Kind::Tuple;
  return list;
}

ExampleValue TreeBuilder::make(OutAttr node) {
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
    if (auto dtype = dyn_cast_if_present<aten::DTypeAttr>(node.getConstant())) {
      ExampleValue value(K::DType);
      value.dtype = dtype.getValue();
      return value;
    }
    if (auto device = dyn_cast_if_present<aten::DeviceAttr>(node.getConstant()))
      return ExampleValue::ofStr(aten::toString(device.getValue()), K::Device);
    return ExampleValue::ofStr(node.getText().getValue().str(), K::Other);
  case OutKind::Template:
    return ExampleValue::ofStr(text(node));
  case OutKind::Field:
    return ExampleValue::ofStr(field(node));
  case OutKind::Leaf:
    return node.getText() ? listedValue(leafValue(frame.get(leaves[node.getLeaf()])))
                          : leafValue(frame.get(leaves[node.getLeaf()]));
  case OutKind::List:
    return node.getText() ? rows(node.getChildren().front()) : container(K::List, node);
  case OutKind::Tuple:
    return isTupleOfList(node) ? tupleOf(make(node.getChildren().front()))
                               : container(K::Tuple, node);
  case OutKind::Dict:
    return container(K::Dict, node);
  case OutKind::Set:
    return container(K::Set, node);
  case OutKind::Object:
    return object(node);
  case OutKind::Choice:
    return build(node.getChildren()[frame.getInt(leaves[node.getLeaf()])]);
  case OutKind::Same:
    return again(node.getIdentity());
  }
  llvm_unreachable("closed enum");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string TreeBuilder::text(OutAttr node) {
  std::string out;
  for (OutAttr part : node.getChildren())
    out += exampleStr(build(part));
  return out;
}

static py::Result<py::Str> formatted(const ExampleValue &v, py::StrRef spec) {
  using K = ExampleValue::Kind;
  switch (v.kind) {
  case K::Bool:
    return py::formatBool(v.flag, spec);
  case K::Int:
    return py::formatInt(py::PyInt(v.integer), spec);
  case K::Float:
    return py::formatFloat(v.real, spec);
  default:
    return py::formatStr(py::StrRef(exampleStr(v)), spec);
  }
}

static py::Result<py::Str> percent(const ExampleValue &v, const std::string &conversion) {
  py::PercentTemplate parsed = py::parsePercent(py::StrRef(conversion));
  py::PercentValue value;
  if (v.kind == ExampleValue::Kind::Bool)
    value.value = py::PyInt(v.flag);
  else if (v.kind == ExampleValue::Kind::Int)
    value.value = py::PyInt(v.integer);
  else if (v.kind == ExampleValue::Kind::Float)
    value.value = v.real;
  else
    value.value = py::Str(py::StrRef(exampleStr(v)));
  const auto &spec = parsed.parts.front().spec;
  assert(spec && "a template of one conversion");
  return py::formatPercent(*spec, value);
}

std::string TreeBuilder::field(OutAttr node) {
  StringRef how = node.getText().getValue();
  ExampleValue shown = build(node.getChildren().front());
  std::string spec = how.drop_front().str();
  py::Result<py::Str> text = py::Str();
  switch (how.front()) {
  case 's':
  case 'r':
  case 'a': {
    if (shown.kind == K::Tensor)
      return tensorRepr(shown.tensor, spec);
    if (how.front() == 's')
      return exampleStr(shown);
    std::string repr = exampleRepr(shown);
    if (how.front() == 'r')
      return repr;
    text =
        shown.kind == K::Str ? py::str::ascii(py::StrRef(shown.text)) : py::Str(py::StrRef(repr));
    break;
  }
  case 'f':
    text = formatted(shown, py::StrRef(spec));
    break;
  case '%':
    text = percent(shown, how.str());
    break;
  default:
    text = py::Raised{py::ExcKind::ValueError, "unknown conversion " + how.str()};
  }
  if (text)
    return std::string(text->bytes());
  if (!failure)
    failure = text.error();
  return {};
}

llvm::Error TreeBuilder::takeError() {
  if (!failure)
    return llvm::Error::success();
  return raise(py::getExcName(failure->kind), failure->text);
}
