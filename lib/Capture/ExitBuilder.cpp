//===- ExitBuilder.cpp - What the caller gets at an end of the program -------------------===//
//
// In: the heap at an end. Out: the result as a tree of leaves, in which shared objects and shared
// storages keep their identity, and the caller's tensors that were written.
//
//===----------------------------------------------------------------------===//
#include "CallLoop.h"

using namespace ptc::capture;

uint32_t ExitBuilder::storage(ObjectId id) {
  auto [place, fresh] = storages.try_emplace(id, uint32_t(exit.storages.size()));
  if (fresh) {
    OutStorage out;
    out.contents = TapeArg::value(e.heap.get(id, slot::kContent).asRaw());
    for (size_t i = 0; i < inputStorages.size(); ++i)
      if (inputStorages[i] == id)
        out.input = int32_t(i);
    exit.storages.push_back(std::move(out));
  }
  return place->second;
}

OutValue ExitBuilder::tensor(const TensorNode &t) {
  OutValue out;
  out.kind = OutValue::Kind::Tensor;
  out.storage = storage(t.storage);
  std::vector<TapeArg> steps;
  for (const ViewStep &step : t.steps) {
    std::vector<TapeArg> row{TapeArg::integer(step.op)};
    for (const Value &arg : step.args)
      row.push_back(e.stepArg(arg));
    steps.push_back(TapeArg::list(std::move(row)));
  }
  out.steps = TapeArg::list(std::move(steps));
  out.type.type = TapeType::Tensor;
  out.type.dtype = t.dtype;
  out.type.sizes = t.sizes;
  out.type.strides = t.strides;
  out.type.device = t.device;
  out.type.requiresGrad = t.requiresGrad;
  return out;
}

static OutValue::Kind kindOfObject(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::List:
    return OutValue::Kind::List;
  case ObjectKind::Dict:
    return OutValue::Kind::Dict;
  case ObjectKind::Set:
    return OutValue::Kind::Set;
  case ObjectKind::Instance:
    return OutValue::Kind::Object;
  case ObjectKind::Engine:
  case ObjectKind::Frame:
  case ObjectKind::Cell:
  case ObjectKind::Function:
  case ObjectKind::Class:
  case ObjectKind::Module:
  case ObjectKind::ByteArray:
  case ObjectKind::Iterator:
  case ObjectKind::Storage:
  case ObjectKind::Generator:
    return OutValue::Kind::Other;
  }
  llvm_unreachable("closed enum");
}

OutValue ExitBuilder::object(ObjectId id) {
  OutValue out;
  auto [place, fresh] = identities.try_emplace(id, uint32_t(identities.size()) + 1);
  out.identity = place->second;
  if (!fresh) {
    out.kind = OutValue::Kind::Same;
    return out;
  }
  out.kind = kindOfObject(e.heap.kind(id));
  if (out.kind == OutValue::Kind::Other) {
    out.text = e.describeObject(id);
    return out;
  }
  Value contents = e.heap.get(id, slot::kContent);
  if (out.kind != OutValue::Kind::Object) {
    Value now = e.known(contents);
    if (now.is(Kind::TensorList) || now.is(Kind::Choice)) {
      OutValue held = value(now);
      held.identity = out.identity;
      return held;
    }
    for (const Value &part : now.parts())
      out.children.push_back(value(part));
    return out;
  }
  out.text = e.classInfo(e.heap.header(id).cls).name;
  auto child = [&](llvm::StringRef name, const Value &v) {
    OutValue key;
    key.kind = OutValue::Kind::Str;
    key.text = name.str();
    out.children.push_back(std::move(key));
    out.children.push_back(value(v));
  };
  if (!contents.isAbsent())
    child("args", contents);
  e.heap.forEachSlot(id, [&](uint32_t slotKey, const Value &v) {
    if (isAttrKey(slotKey))
      child(e.nameText(nameOfKey(slotKey)), v);
  });
  return out;
}

OutValue ExitBuilder::value(const Value &given) {
  Value v = e.known(given);
  OutValue out;
  switch (v.kind()) {
  case Kind::None:
    return out;
  case Kind::Bool:
    out.kind = OutValue::Kind::Bool;
    out.value = TapeArg::boolean(v.asBool());
    return out;
  case Kind::Int:
    out.kind = OutValue::Kind::Int;
    out.value = TapeArg::integer(v.asInt());
    return out;
  case Kind::Float:
    out.kind = OutValue::Kind::Float;
    out.value = TapeArg::real(v.asFloat());
    return out;
  case Kind::Str:
    out.kind = OutValue::Kind::Str;
    out.text = v.asStr().str();
    return out;
  case Kind::Bytes:
    out.kind = OutValue::Kind::Bytes;
    out.text = v.asBytes().str();
    return out;
  case Kind::Scalar:
  case Kind::Size:
    out.kind = OutValue::Kind::Scalar;
    out.value = e.operand(v);
    out.type.type = numberType(v) == NumberType::Bool  ? TapeType::Bool
                    : numberType(v) == NumberType::Int ? TapeType::Int
                                                       : TapeType::Float;
    return out;
  case Kind::Tensor:
    return tensor(asTensor(v));
  case Kind::TensorList:
    out.kind = OutValue::Kind::TensorList;
    out.value = TapeArg::value(v.nodeAs<TensorListNode>(Kind::TensorList).list);
    return out;
  case Kind::Ref:
    return object(v.asRef());
  case Kind::Choice:
    out.kind = OutValue::Kind::Choice;
    out.value = TapeArg::value(asChoice(v).selector);
    for (const Value &alternative : asChoice(v).alternatives)
      out.children.push_back(value(alternative));
    return out;
  case Kind::Tuple:
  case Kind::Template:
    out.kind = v.is(Kind::Tuple) ? OutValue::Kind::Tuple : OutValue::Kind::Template;
    if (v.is(Kind::Tuple) && v.sub() == uint8_t(TupleTag::TorchSize))
      out.text = "torch.Size";
    for (const Value &part : v.parts())
      out.children.push_back(value(part));
    return out;
  case Kind::Opaque: {
    const auto &node = v.nodeAs<OpaqueNode>(Kind::Opaque);
    Diagnostic diag =
        makeDiagnostic(ptc::DiagId::OpaqueUsed, e.locationOfSource(node.importedAt), node.path);
    diag.note("it is part of what the entry returns");
    diag.hint("give the folder that holds the module with -I, or do not return it");
    e.diags.push_back(std::move(diag));
    return out;
  }
  default:
    out.kind = OutValue::Kind::Other;
    out.text = e.describeConstant(v);
    return out;
  }
}

ProgramExit ExitBuilder::build(bool raised) {
  exit.raised = raised;
  Value result = e.heap.get(kMachine, slot::kResult);
  // The caller's tensors come first: what was written to them is seen whatever is returned.
  for (size_t i = 0; i < inputStorages.size(); ++i)
    if (inputStorages[i] && e.heap.exists(inputStorages[i])) {
      uint32_t n = storage(inputStorages[i]);
      exit.storages[n].written =
          !exit.storages[n].contents.isValue() || exit.storages[n].contents.id() != inputs[i].value;
    }
  exit.result = value(result);
  if (raised)
    exit.raisedAt = e.raisedAt(result);
  return exit;
}
