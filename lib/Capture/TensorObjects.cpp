//===- TensorObjects.cpp - Parameters, and tensors that become others ------------------------===//
//
// In: tensors that stay the objects which they are while eager gives them other data: `p.data = t`,
// and Module.half() and its like. Out: a heap in which whoever held them holds what they are now. A
// tensor value is immutable, and so are its type and storage.
//
//===----------------------------------------------------------------------===//
#include "TensorObjects.h"

#include "Objects.h"
#include "Tensors.h"

#include "ptc/Symbolic/ShapeEnv.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

Value capture::makeParameter(Engine &e, const Value &data, bool requiresGrad) {
  auto *node = new TensorNode(asTensor(data));
  node->refs = 0;
  node->requiresGrad = requiresGrad;
  node->isParameter = true;
  node->made = e.tape.makeValue({});
  if (node->steps.empty())
    e.heap.set(node->storage, slot::kLeaf, Value::boolean(true));
  return Value::node(Kind::Tensor, node).withSource(data.source());
}

namespace {
class Replacement {
public:
  Replacement(Engine &e, llvm::ArrayRef<std::pair<Value, Value>> pairs) : e(e), pairs(pairs) {}

  Flow run() {
    for (ObjectId id = 0; id < e.heap.nextId(); ++id)
      if (e.heap.exists(id))
        PTC_DO(replaceIn(id));
    return Flow::Next;
  }

private:
  /// What the tensor is now; null: it is none of those.
  const Value *find(const Value &v) const {
    if (!v.is(Kind::Tensor))
      return nullptr;
    const TensorNode &t = asTensor(v);
    for (const auto &[old, now] : pairs)
      if (t.storage == asTensor(old).storage && t.made == asTensor(old).made)
        return &now;
    return nullptr;
  }
  bool mentions(const Value &v) const {
    llvm::ArrayRef<Value> parts;
    if (isComposite(v.kind()))
      parts = v.parts();
    else if (v.is(Kind::Choice))
      parts = asChoice(v).alternatives;
    return find(v) || llvm::any_of(parts, [&](const Value &part) { return mentions(part); });
  }

  Flow replaceIn(ObjectId id) {
    std::vector<std::pair<uint32_t, Value>> found;
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (mentions(v))
        found.emplace_back(key, v);
    });
    for (auto &[key, v] : found) {
      PTC_LET(now, replaced(v));
      e.heap.set(id, key, std::move(now));
    }
    return Flow::Next;
  }
  Value replaced(const Value &v) {
    if (const Value *now = find(v))
      return now->withSource(v.source());
    if (!mentions(v))
      return v;
    if (v.is(Kind::Choice)) {
      auto *node = new ChoiceNode;
      Value choice = Value::node(Kind::Choice, node).withSource(v.source());
      node->selector = asChoice(v).selector;
      for (const Value &alternative : asChoice(v).alternatives) {
        PTC_LET(now, replaced(alternative));
        node->alternatives.push_back(std::move(now));
      }
      return choice;
    }
    // What is looked up by hashes that the program computed cannot be made again without it.
    if (v.is(Kind::DictItems) && v.nodeAs<DictNode>(Kind::DictItems).hasUnknownHashes())
      return e.refuse(DiagId::UnsupportedTorchFunction,
                      "new data of a tensor in a dict whose keys have a __hash__ of their own");
    std::vector<Value> parts;
    for (const Value &part : v.parts()) {
      PTC_LET(now, replaced(part));
      parts.push_back(std::move(now));
    }
    return Value::composite(v.kind(), std::move(parts)).withSub(v.sub()).withSource(v.source());
  }

  Engine &e;
  llvm::ArrayRef<std::pair<Value, Value>> pairs;
};
} // namespace

Flow capture::replaceTensors(Engine &e, llvm::ArrayRef<std::pair<Value, Value>> pairs) {
  llvm::SmallVector<std::pair<Value, Value>> same;
  for (const auto &[was, fresh] : pairs) {
    if (!asTensor(was).isParameter || !asTensor(fresh).isParameter) {
      same.emplace_back(was, fresh);
      continue;
    }
    auto *node = new TensorNode(asTensor(fresh)); // the object that it was
    node->refs = 0;
    node->made = asTensor(was).made;
    const Value now = Value::node(Kind::Tensor, node).withSource(fresh.source());
    same.emplace_back(was, now);
    same.emplace_back(fresh, now);
  }
  return Replacement(e, same).run();
}

static Value setTensorData(Engine &e, const Value &tensor, const Value &given) {
  PTC_LET(data, e.decide(given));
  if (!data.is(Kind::Tensor))
    return e.raise(WellKnown::TypeError,
                   "Variable data has to be a tensor, but got " + e.classInfo(e.typeOf(data)).name);
  const TensorNode &t = asTensor(tensor);
  bool isArgument = e.shapes && e.shapes->findTensor(t.storage);
  bool isKnownObject = t.isParameter || (!t.made && t.steps.empty() && !requiresGrad(e, t));
  if (isArgument || !isKnownObject || e.isFrozen(t.storage)) {
    Diagnostic diag =
        makeDiagnostic(DiagId::UnsupportedTorchFunction, e.here(),
                       isArgument ? "assigning torch.Tensor.data of an argument"
                                  : "assigning torch.Tensor.data of what is no parameter");
    diag.hint("write into it with .data.copy_(…), which does the same where shape and dtype stay "
              "and nothing else shares memory with either of them");
    return e.refuse(std::move(diag));
  }
  if (requiresGrad(e, t) && !ptc::isFloat(asTensor(data).dtype))
    return e.raise(WellKnown::RuntimeError, "data set to a tensor that requires gradients must be "
                                            "floating point or complex dtype");
  PTC_LET(fresh, e.tensorOp("detach", {data}));
  if (t.isParameter)
    fresh = makeParameter(e, fresh, requiresGrad(e, t));
  PTC_DO(replaceTensors(e, std::pair(tensor, fresh)));
  return Value::none();
}

Value capture::setTensorAttr(Engine &e, const Value &tensor, NameId name, const Value &value) {
  llvm::StringRef text = e.nameText(name);
  if (value.isAbsent())
    return e.refuse(DiagId::UnsupportedTorchFunction, "deleting torch.Tensor." + text);
  if (text == "grad" && e.known(value).isNone())
    return Value::none();
  if (text == "requires_grad") {
    PTC_LET(changed, setRequiresGrad(e, tensor, value));
    return Value::none();
  }
  if (text == "data")
    return setTensorData(e, tensor, value);
  return e.refuse(DiagId::UnsupportedTorchFunction, "assigning torch.Tensor." + text);
}
