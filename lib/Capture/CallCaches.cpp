//===- CallCaches.cpp - Caches of functions in calls of the entry --------------------===//
//
// In: calls of functions with a cache, while a call of the entry is captured. Out: their results
// within the call, and whether caches have to be state.
//
//===----------------------------------------------------------------------===//
#include "CallCaches.h"
#include "Objects.h"

#include <cmath>

using namespace ptc::capture;

void CallCaches::beginTurn() {
  for (SlotKey slot : changed)
    e.heap.watchReads(slot.object);
  watched = changed.size();
  anyBody = false;
}

void CallCaches::begin(ObjectId first) {
  older = first;
  object = e.heap.allocate(ObjectKind::Engine);
  bodies.clear();
  e.heap.onRead = [this](SlotKey slot) { noteRead(slot); };
}

/// Is it read in the body of a cached function?
void CallCaches::noteRead(SlotKey slot) {
  if (isLooking || areState || bodies.empty() || !changed.contains(slot))
    return;
  isLooking = true;
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && !areState) {
    frame = e.heap.get(frame.asRef(), slot::kCaller);
    areState = frame.is(Kind::Ref) &&
               llvm::any_of(bodies, [&](const Body &body) { return body.frame == frame.asRef(); });
  }
  isLooking = false;
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
      if (slot.object < older && e.heap.kind(slot.object) != ObjectKind::Engine)
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

/// Writes what makes keys equal, and all that a key is.
bool CallCaches::print(llvm::raw_ostream &same, llvm::raw_ostream &exact,
                       const Value &given) const {
  Value v = e.known(given);
  auto both = [&](const llvm::Twine &text) {
    same << text;
    exact << text;
    return true;
  };
  auto parts = [&](llvm::ArrayRef<Value> values) {
    both("(");
    for (const Value &part : values)
      if (!print(same, exact, part))
        return false;
    return both(")");
  };
  exact << unsigned(v.kind()) << ':';
  switch (v.kind()) {
  case Kind::None:
  case Kind::Ellipsis:
  case Kind::NotImplemented:
  case Kind::DType:
  case Kind::Device:
  case Kind::Layout:
  case Kind::MemoryFormat:
  case Kind::Builtin:
  case Kind::TorchOp:
    return both("k" + llvm::Twine(unsigned(v.kind())) + "." + llvm::Twine(v.bits()) + ",");
  case Kind::Bool:
  case Kind::Int:
    return both("i" + llvm::Twine(v.is(Kind::Bool) ? int64_t(v.bits()) : v.asInt()) + ",");
  case Kind::Float: {
    double f = v.asFloat();
    if (std::isnan(f) || std::fabs(f) >= 0x1p62)
      return false;
    if (f == std::trunc(f))
      return both("i" + llvm::Twine(int64_t(f)) + ",");
    return both("f" + llvm::Twine(llvm::bit_cast<uint64_t>(f)) + ",");
  }
  case Kind::Str:
    return both("s" + llvm::Twine(v.asStr().size()) + "." + v.asStr());
  case Kind::Bytes:
    return both("y" + llvm::Twine(v.asBytes().size()) + "." + v.asBytes());
  case Kind::Scalar:
    return both("r" + llvm::Twine(v.scalarId()) + ",");
  case Kind::Size:
    return both("z" + llvm::Twine(v.bits()) + ",");
  case Kind::Tuple:
    exact << v.sub();
    return parts(v.parts());
  case Kind::Choice:
    both("c" + llvm::Twine(asChoice(v).selector) + ",");
    return parts(asChoice(v).alternatives);
  case Kind::Ref:
    return isByIdentity(v) && both("o" + llvm::Twine(v.asRef()) + ",");
  default:
    return false;
  }
}

std::optional<std::string> CallCaches::keyOf(ObjectId cached, const Value &arguments) {
  if (!object || areState)
    return std::nullopt;
  std::string same, exact;
  llvm::raw_string_ostream sameText(same), exactText(exact);
  sameText << cached << '(';
  if (!print(sameText, exactText, arguments))
    return std::nullopt;
  // 1 and True are one key: which of them a body is called with is a matter of the order of calls.
  auto [known, isNew] = exactly.try_emplace(same, exact);
  areState |= !isNew && known->second != exact;
  return same;
}

Value CallCaches::find(llvm::StringRef key) const {
  return e.heap.get(object, attrKey(e.intern(key)));
}

// Bodies -----------------------------------------------------------------------------------------

int64_t CallCaches::start() {
  ObjectId first = e.heap.nextId();
  e.heap.noteWritesBelow(first);
  bodies.push_back(
      {e.currentFrame(), first, e.heap.notedWrites().size(), e.block, e.block->instrs.size()});
  anyBody = true;
  return int64_t(bodies.size() - 1);
}

static bool hasEffect(const TapeInstr &instr) {
  if (instr.op != TapeOp::Switch && instr.op != TapeOp::Loop)
    return !isPure(instr.op);
  return llvm::any_of(instr.regions, [](const std::unique_ptr<TapeBlock> &region) {
    return llvm::any_of(region->instrs, hasEffect);
  });
}

/// Does running the body change anything but what it makes?
bool CallCaches::hasEffects(const Body &body) const {
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
  llvm::SmallVector<ObjectId, 16> open;
  auto protect = [&](ObjectId id) {
    if (id < older || e.heap.isProtected(id))
      return;
    e.heap.protect(id);
    open.push_back(id);
  };
  forEachRef(result, protect);
  while (!open.empty())
    e.heap.forEachSlot(open.pop_back_val(),
                       [&](uint32_t, const Value &part) { forEachRef(part, protect); });
  e.heap.set(object, attrKey(e.intern(key)), result);
}
