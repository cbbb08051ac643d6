//===- Reach.cpp - What the code behind a key can see ----------------------------===//
//
// In: the present state and a place to go on from. Out: the objects that what runs from there on
// can reach, and whether a slot is live there. Only reachable state joins (control.md, "The join").
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Objects.h"

using namespace ptc::capture;

uint32_t Executor::stackBelow(uint32_t stack, ObjectId frame, uint32_t ip) const {
  return calls.insert({stack, frame, ip});
}

uint32_t Executor::stackAbove(ObjectId frame) const {
  // (frame, its caller, position of the call), as far as it is not known already.
  llvm::SmallVector<std::tuple<ObjectId, ObjectId, uint32_t>, 16> chain;
  uint32_t stack = 0;
  for (ObjectId at = frame;;) {
    if (auto known = stackOf.find(at); known != stackOf.end()) {
      stack = known->second;
      break;
    }
    const Value &up = e.heap.get(at, slot::kCaller);
    if (!up.is(Kind::Ref))
      break;
    chain.emplace_back(at, up.asRef(), e.heap.get(up.asRef(), slot::kIp).asIp() - 1);
    at = up.asRef();
  }
  for (const auto &[callee, caller, ip] : llvm::reverse(chain)) {
    stack = stackBelow(stack, caller, ip);
    if (e.heap.get(callee, slot::kGenState).isAbsent())
      stackOf[callee] = stack;
  }
  return stack;
}

llvm::SmallVector<std::pair<ObjectId, uint32_t>, 8> Executor::callers(uint32_t stack) const {
  llvm::SmallVector<std::pair<ObjectId, uint32_t>, 8> chain;
  while (stack) {
    auto [above, frame, ip] = calls[stack];
    chain.emplace_back(frame, ip);
    stack = above;
  }
  return chain;
}

/// Does the frame's code look at all of its variables, named or not?
bool Executor::listsLocals(ObjectId frame) const {
  const CodeRecord *record = e.frameInfo(frame).record;
  return record && record->listsLocals;
}

llvm::DenseSet<ObjectId> Executor::reachable(const ExitKey &key) const {
  llvm::DenseSet<ObjectId> seen;
  llvm::SmallVector<ObjectId, 64> work;
  llvm::DenseMap<ObjectId, uint32_t> live; ///< frames that go on → where
  auto see = [&](ObjectId id) {
    // What a call returned is gone when the next one begins.
    if (id == kMachine && key == callKey())
      return;
    // What existed before the entry is always reachable; what it holds matters only if it changed.
    if (alwaysReachable(id) ? e.heap.wasWritten(id) : true)
      if (e.heap.exists(id) && seen.insert(id).second)
        work.push_back(id);
  };
  for (ObjectId id : persistent)
    see(id);
  e.heap.forEachWritten([&](ObjectId id) { see(id); });
  if (key.frame) {
    live[key.frame] = key.ip;
    for (const auto &[frame, ip] : callers(key.stack))
      live[frame] = ip;
    for (const auto &[frame, ip] : live)
      see(frame);
  }
  while (!work.empty()) {
    ObjectId id = work.pop_back_val();
    const bool isFrame = e.heap.kind(id) == ObjectKind::Frame;
    auto at = live.find(id);
    const CanonicalCode *filtered =
        isFrame && at != live.end() && !listsLocals(id) ? &e.code(id) : nullptr;
    const uint32_t end = filtered ? slot::kLocals + uint32_t(filtered->locals.size()) : 0;
    e.heap.forEachSlot(id, [&](uint32_t slotKey, const Value &v) {
      if (isFrame && slotKey == slot::kCaller)
        return;
      if (id == kMachine && (slotKey == slot::kCurrentFrame || key == callKey()))
        return;
      if (slotKey < end && slotKey >= slot::kLocals &&
          !filtered->flow.isLive(at->second, slotKey - slot::kLocals))
        return;
      forEachRef(v, see);
    });
  }
  return seen;
}

/// Can what runs from `key` on read this slot?
bool Executor::slotIsLive(const ExitKey &key, SlotKey slot) const {
  if (!key.frame || e.heap.kind(slot.object) != ObjectKind::Frame || slot.key < slot::kLocals)
    return true;
  const CanonicalCode &code = e.code(slot.object);
  if (slot.key >= slot::kLocals + code.locals.size())
    return true;
  if (listsLocals(slot.object))
    return true;
  uint32_t local = slot.key - slot::kLocals;
  if (slot.object == key.frame)
    return code.flow.isLive(key.ip, local);
  for (const auto &[frame, ip] : callers(key.stack))
    if (frame == slot.object)
      return code.flow.isLive(ip, local);
  return true;
}
