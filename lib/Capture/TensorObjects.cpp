//===- TensorObjects.cpp - Parameters, and tensors that become others ------------------------===//
//
// In: tensors that stay the objects which they are while eager gives them other data: `p.data = t`,
// and Module.half() and its like. Out: a heap in which whoever held them holds what they are now. A
// tensor value is immutable, and so are its type and storage.
//
//===----------------------------------------------------------------------===//
#include "TensorObjects.h"
#include "KnownNames.h"

#include "Modes.h"
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

// Who holds a tensor
// -------------------------------------------------------------------------------

/// The parts of a composite value, what a choice may be.
static llvm::ArrayRef<Value> partsOf(const Value &v) {
  if (isComposite(v.kind()))
    return v.parts();
  return v.is(Kind::Choice) ? llvm::ArrayRef<Value>(asChoice(v).alternatives)
                            : llvm::ArrayRef<Value>();
}

void TensorHolders::update(Heap &heap) {
  llvm::SmallVector<llvm::ArrayRef<Value>> open;
  for (ObjectId id : heap.takeChanged()) {
    if (!heap.exists(id))
      continue;
    heap.forEachSlot(id, [&](uint32_t, const Value &held) {
      for (open.push_back(held); !open.empty();) {
        for (const Value &v : open.pop_back_val()) {
          if (v.is(Kind::Tensor) && known.insert({asTensor(v).storage, id}).second)
            holders[asTensor(v).storage].push_back(id);
          if (llvm::ArrayRef<Value> parts = partsOf(v); !parts.empty())
            open.push_back(parts);
        }
      }
    });
  }
}

std::vector<ObjectId> TensorHolders::holdersOf(Heap &heap, llvm::ArrayRef<ObjectId> storages) {
  update(heap);
  std::vector<ObjectId> found;
  for (ObjectId storage : storages)
    if (auto at = holders.find(storage); at != holders.end())
      llvm::append_range(found, at->second);
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  llvm::erase_if(found, [&](ObjectId id) { return !heap.exists(id); });
  return found;
}

// Other data --------------------------------------------------------------------------------------

namespace {
class Replacement {
public:
  Replacement(Engine &e, llvm::ArrayRef<std::pair<Value, Value>> pairs) : e(e) {
    for (const auto &[old, now] : pairs)
      changes[asTensor(old).storage].emplace_back(asTensor(old).made, now);
  }

  Flow run() {
    if (!e.tensorHolders)
      e.tensorHolders = std::make_unique<TensorHolders>();
    llvm::SmallVector<ObjectId> storages(llvm::make_first_range(changes));
    for (ObjectId id : e.tensorHolders->holdersOf(e.heap, storages))
      PTC_DO(replaceIn(id));
    return Flow::Next;
  }

private:
  /// What the tensor is now; null: it is none of those.
  const Value *find(const Value &v) const {
    if (!v.is(Kind::Tensor))
      return nullptr;
    auto of = changes.find(asTensor(v).storage);
    if (of == changes.end())
      return nullptr;
    auto found = llvm::find_if(
        of->second, [&](const auto &change) { return change.first == asTensor(v).made; });
    return found == of->second.end() ? nullptr : &found->second;
  }
  bool mentions(const Value &v) const {
    return find(v) || llvm::any_of(partsOf(v), [&](const Value &part) { return mentions(part); });
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
  /// By storage: which tensor of it (TensorNode::made) is which one now.
  llvm::DenseMap<ObjectId, llvm::SmallVector<std::pair<ValueId, Value>, 1>> changes;
};
} // namespace

// What the program gives tensors -----------------------------------------------------------------

/// Stands between a name and the number of the object, which no name of a program has in it.
static constexpr char kOfObject = '\x01';

static std::string suffixOf(const TensorNode &t) { return kOfObject + std::to_string(t.made); }

static uint32_t givenKey(Engine &e, const TensorNode &t, llvm::StringRef name) {
  return attrKey(e.intern(name.str() + suffixOf(t)));
}

/// (name, value) of all that a tensor was given.
static std::vector<std::pair<std::string, Value>> givenAttrs(Engine &e, const TensorNode &t) {
  std::vector<std::pair<std::string, Value>> found;
  const std::string suffix = suffixOf(t);
  e.heap.forEachSlot(t.storage, [&](uint32_t key, const Value &v) {
    if (!isAttrKey(key) || v.isAbsent())
      return;
    llvm::StringRef name = e.nameText(nameOfKey(key));
    if (name.consume_back(suffix))
      found.emplace_back(name.str(), v);
  });
  return found;
}

bool capture::hasGivenAttrs(Engine &e, const Value &tensor) {
  return tensor.is(Kind::Tensor) && !givenAttrs(e, asTensor(tensor)).empty();
}

Value capture::givenTensorAttr(Engine &e, const Value &tensor, NameId name) {
  auto find = [&](const Value &t) {
    return t.is(Kind::Tensor)
               ? e.heap.get(asTensor(t).storage, givenKey(e, asTensor(t), e.nameText(name)))
               : Value::absent();
  };
  if (!tensor.is(Kind::Choice))
    return find(tensor);
  for (const Value &alternative : asChoice(tensor).alternatives)
    if (!find(alternative).isAbsent())
      return e.refuse(DiagId::UnsupportedTorchFunction,
                      "'" + e.nameText(name).str() + "' of one of several tensors");
  return Value::absent();
}

/// Names that torch.Tensor has mean something else, and methods are not found behind them.
static bool mayBeGiven(Engine &e, NameId name) {
  llvm::StringRef text = e.nameText(name);
  return !text.starts_with("__") &&
         e.lookupInClass(e.builtinClass(WellKnown::TensorType), name).isAbsent() &&
         findKnownAttribute("torch.Tensor", text, e.world->minorVersion(), true).is ==
             KnownMember::No;
}

Flow capture::replaceTensors(Engine &e, llvm::ArrayRef<std::pair<Value, Value>> pairs) {
  e.writesTensors |= e.isRecording;
  llvm::SmallVector<std::pair<Value, Value>> same;
  for (const auto &[was, fresh] : pairs) {
    if (!asTensor(was).isParameter || !asTensor(fresh).isParameter) {
      for (const auto &[name, value] : givenAttrs(e, asTensor(was)))
        e.heap.set(asTensor(fresh).storage, givenKey(e, asTensor(fresh), name), value);
      same.emplace_back(was, fresh);
      continue;
    }
    auto *node = new TensorNode(asTensor(fresh)); // the object that it was
    node->refs = 0;
    node->made = asTensor(was).made;
    const Value now = Value::node(Kind::Tensor, node).withSource(fresh.source());
    for (const auto &[name, value] : givenAttrs(e, asTensor(was)))
      e.heap.set(node->storage, givenKey(e, *node, name), value);
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
  PTC_DO(checkKeptCasts(e, t.storage));
  PTC_LET(fresh, e.tensorOp("detach", {data}));
  if (t.isParameter)
    fresh = makeParameter(e, fresh, requiresGrad(e, t));
  PTC_DO(replaceTensors(e, std::pair(tensor, fresh)));
  return Value::none();
}

Value capture::setTensorAttr(Engine &e, const Value &tensor, NameId name, const Value &value) {
  llvm::StringRef text = e.nameText(name);
  if (tensor.is(Kind::Tensor) && !e.recording() && mayBeGiven(e, name)) {
    const uint32_t key = givenKey(e, asTensor(tensor), text);
    if (value.isAbsent() && e.heap.get(asTensor(tensor).storage, key).isAbsent())
      return e.raise(WellKnown::AttributeError,
                     "'" + typeName(e, tensor) + "' object has no attribute '" + text + "'");
    e.writesTensors |= e.isRecording;
    e.heap.set(asTensor(tensor).storage, key, value);
    return Value::none();
  }
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
