//===- CallCaches.cpp - Caches of functions in calls of the entry --------------------===//
//
// In: calls of functions with a cache, while a call of the entry is captured. Out: their results
// within the call, and whether caches have to be state.
//
//===----------------------------------------------------------------------===//
#include "CallCaches.h"
#include "Modes.h"
#include "Objects.h"

#include <cmath>

using namespace ptc::capture;
namespace capture = ptc::capture;

void CallCaches::beginTurn() {
  for (SlotKey slot : changed)
    e.heap.watchReads(slot.object);
  watched = changed.size();
  anyBody = false;
}

void CallCaches::begin(ObjectId first) {
  older = first;
  watchedBelow = e.boundary;
  object = e.heap.allocate(ObjectKind::Engine);
  bodies.clear();
  made.clear();
  e.heap.onRead = [this](SlotKey slot) { noteRead(slot); };
}

/// Is it read in the body of a cached function that must not?
void CallCaches::noteRead(SlotKey slot) {
  if (isLooking || e.isBetween || areState || bodies.empty())
    return;
  // What earlier calls made is new in each turn.
  bool isMade = slot.object >= e.boundary;
  bool isHarmless =
      slot.object >= older ? e.heap.isProtected(slot.object) : !isMade && !changed.contains(slot);
  if (isHarmless)
    return;
  isLooking = true;
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && !areState) {
    frame = e.heap.get(frame.asRef(), slot::kCaller);
    areState = frame.is(Kind::Ref) && llvm::any_of(bodies, [&](const Body &body) {
                 return body.frame == frame.asRef() && slot.object < body.first;
               });
  }
  isLooking = false;
}

void CallCaches::noteForgotten(uint32_t key, const llvm::DenseSet<ObjectId> &reach) {
  areState |= llvm::any_of(made[key], [&](ObjectId id) { return reach.contains(id); });
}

void CallCaches::end(const End &end) {
  e.heap.onRead = nullptr;
  object = 0;
  areState |= e.heap.wroteProtected();
  for (const Exit &exit : end.exits) {
    std::map<ObjectId, llvm::SmallVector<const Value *, 4>> made;
    llvm::SmallVector<const Value *, 16> open;
    for (const auto &[slot, value] : exit.delta) {
      if (slot.object >= older) {
        made[slot.object].push_back(&value);
      } else if (e.heap.kind(slot.object) != ObjectKind::Engine) {
        open.push_back(&value);
      }
    }
    llvm::DenseSet<ObjectId> seen;
    while (!open.empty())
      forEachRef(*open.pop_back_val(), [&](ObjectId id) {
        auto found = made.find(id);
        if (found == made.end() || !seen.insert(id).second)
          return;
        // A result that outlives the call is the one that later calls get.
        areState |= e.heap.isProtected(id);
        open.append(found->second);
      });
  }
}

void CallCaches::noteChanges(const End &end) {
  for (const Exit &exit : end.exits)
    for (const auto &[slot, value] : exit.delta)
      if (slot.object < e.boundary && e.heap.kind(slot.object) != ObjectKind::Engine)
        changed.insert(slot);
}

// Keys -------------------------------------------------------------------------------------------

/// Is it equal to itself only?
bool CallCaches::isByIdentity(const Value &v) const {
  Value hash = e.lookupInClass(e.typeOf(v), NameId(WellKnown::Hash));
  Value equal = e.lookupInClass(e.typeOf(v), NameId(WellKnown::Eq));
  auto isDefault = [](const Value &method) {
    return method.isAbsent() || method.is(Kind::Builtin);
  };
  return !hash.isNone() && isDefault(equal) && e.unboxed(v) == v;
}

/// False: keys like this one have no text.
bool CallCaches::writeKey(llvm::raw_ostream &text, const Value &given) const {
  Value v = e.known(given);
  text << unsigned(v.kind()) << ':';
  auto writeParts = [&](llvm::ArrayRef<Value> parts) {
    text << '(';
    bool done = llvm::all_of(parts, [&](const Value &part) { return writeKey(text, part); });
    text << ')';
    return done;
  };
  switch (v.kind()) {
  case Kind::None:
  case Kind::Ellipsis:
  case Kind::NotImplemented:
  case Kind::Bool:
  case Kind::Int:
  case Kind::DType:
  case Kind::Device:
  case Kind::Layout:
  case Kind::MemoryFormat:
  case Kind::Builtin:
  case Kind::TorchOp:
  case Kind::Scalar:
  case Kind::Size:
    text << v.bits() << ',';
    return true;
  case Kind::Float:
    // Zeros are equal, and NaN is not.
    text << llvm::bit_cast<uint64_t>(v.asFloat()) << ',';
    return !std::isnan(v.asFloat()) && !(v.asFloat() == 0 && std::signbit(v.asFloat()));
  case Kind::Str:
    text << v.asStr().size() << '.' << v.asStr();
    return true;
  case Kind::Bytes:
    text << v.asBytes().size() << '.' << v.asBytes();
    return true;
  case Kind::Tuple:
    return writeParts(v.parts());
  case Kind::Choice:
    text << asChoice(v).selector;
    return writeParts(asChoice(v).alternatives);
  case Kind::Ref:
    text << v.asRef() << ',';
    return isByIdentity(v);
  default:
    return false;
  }
}

/// Writes the types of numbers in a key, which may be equal all the same, and what else its form
/// is.
bool CallCaches::writeForm(llvm::raw_ostream &rest, llvm::raw_ostream &types,
                           const Value &given) const {
  Value v = e.known(given);
  NumberType number = numberType(v);
  if (number != NumberType::NotNumber) {
    rest << 'n';
    types << unsigned(number);
    return true;
  }
  if (v.is(Kind::Choice)) {
    llvm::SmallVector<std::pair<std::string, std::string>, 4> forms;
    for (const Value &one : asChoice(v).alternatives) {
      auto &[restForm, typesForm] = forms.emplace_back();
      llvm::raw_string_ostream restOf(restForm), typesOf(typesForm);
      if (!writeForm(restOf, typesOf, one))
        return false;
    }
    rest << forms.front().first;
    types << forms.front().second;
    return llvm::all_equal(forms);
  }
  rest << unsigned(v.kind());
  if (!v.is(Kind::Tuple))
    return true;
  types << 't' << unsigned(v.sub());
  rest << '(';
  bool done =
      llvm::all_of(v.parts(), [&](const Value &part) { return writeForm(rest, types, part); });
  rest << ')';
  return done;
}

/// The modes as text; None: data decides them.
std::optional<std::string> CallCaches::modes() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (uint32_t key : slot::kModes) {
    Value mode = e.known(e.heap.get(kMachine, key));
    if (!mode.is(Kind::Bool) && !mode.is(Kind::DType) && !mode.isAbsent())
      return std::nullopt;
    os << unsigned(mode.kind()) << ':' << (mode.isAbsent() ? 0 : mode.bits()) << ',';
  }
  return text;
}

std::optional<std::string> CallCaches::keyOf(ObjectId cached, const Value &key,
                                             std::optional<size_t> room) {
  if (!object || areState || cached >= older)
    return std::nullopt;
  std::string text = std::to_string(cached), rest, types;
  llvm::raw_string_ostream textOf(text), restOf(rest), typesOf(types);
  Keys &known = keys[cached];
  if (known.areState)
    return std::nullopt;
  if (!writeKey(textOf, key) || !writeForm(restOf, typesOf, key)) {
    known.areState = true;
    areState |= !known.modes.empty();
    return std::nullopt;
  }
  std::optional<std::string> now = modes();
  areState |= !now || known.modes.try_emplace(text, *now).first->second != *now ||
              known.types.try_emplace(rest, types).first->second != types ||
              (room && known.modes.size() > *room);
  return areState ? std::nullopt : std::optional(text);
}

void capture::noteDistinct(Engine &e, const Value &a, const Value &b) {
  if (!e.caches || !e.caches->results() || a.kind() != b.kind())
    return;
  auto isResult = [&](const Value &v) {
    return (v.is(Kind::Ref) && e.heap.isProtected(v.asRef())) ||
           (v.is(Kind::Tensor) && e.heap.isProtected(asTensor(v).storage));
  };
  bool isOne = a.is(Kind::Tensor) ? asTensor(a).storage == asTensor(b).storage : a == b;
  if (!isOne && isResult(a) && isResult(b))
    e.caches->giveUp();
}

Value CallCaches::find(llvm::StringRef key) const {
  return e.heap.get(object, attrKey(e.intern(key)));
}

// Bodies -----------------------------------------------------------------------------------------

int64_t CallCaches::start() {
  ObjectId first = e.heap.nextId();
  for (; watchedBelow < first; ++watchedBelow)
    if (e.heap.exists(watchedBelow) && e.heap.kind(watchedBelow) != ObjectKind::Frame)
      e.heap.watchReads(watchedBelow);
  e.heap.noteWritesBelow(first);
  bodies.push_back({e.currentFrame(), first, e.heap.notedWrites().size(), e.block,
                    e.block->instrs.size(), modes().value_or("")});
  anyBody = true;
  return int64_t(bodies.size() - 1);
}

bool capture::hasEffect(const TapeInstr &instr) {
  if (instr.op != TapeOp::Switch && instr.op != TapeOp::Loop)
    return !isPure(instr.op);
  return llvm::any_of(instr.regions, [](const std::unique_ptr<TapeBlock> &region) {
    return llvm::any_of(region->instrs, hasEffect);
  });
}

/// Does running the body change anything but what it makes?
bool CallCaches::hasEffects(const Body &body) const {
  if (modes() != body.modes)
    return true;
  for (ObjectId id : llvm::drop_begin(e.heap.notedWrites(), body.writes))
    if (id < body.first && id != body.frame && e.heap.kind(id) != ObjectKind::Engine)
      return true;
  // It may go on in a block further in.
  for (const TapeBlock *block = e.block; block; block = block->parent) {
    size_t from = block == body.block ? body.instrs : 0;
    if (llvm::any_of(llvm::drop_begin(block->instrs, from), hasEffect))
      return true;
    if (block == body.block)
      return false;
  }
  return true;
}

void CallCaches::finish(int64_t run, llvm::StringRef key, const Value &result) {
  areState |= hasEffects(bodies[size_t(run)]);
  if (areState)
    return;
  const uint32_t slot = attrKey(e.intern(key));
  llvm::SmallVector<ObjectId, 16> open;
  llvm::DenseSet<ObjectId> seen;
  auto protect = [&](ObjectId id) {
    if (id < older || !seen.insert(id).second)
      return;
    e.heap.protect(id);
    made[slot].push_back(id);
    open.push_back(id);
  };
  forEachRef(result, protect);
  while (!open.empty())
    e.heap.forEachSlot(open.pop_back_val(),
                       [&](uint32_t, const Value &part) { forEachRef(part, protect); });
  e.heap.set(object, slot, result);
}
