//===- FastFrame.h - A frame while fast instructions run in it --------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPS_FASTFRAME_H
#define PTC_LIB_CAPTURE_OPS_FASTFRAME_H

#include "../Objects.h"

namespace ptc::capture::ops {

/// A frame's locals and stack, in place. Position and depth of the stack are kept here, and are in
/// the heap after sync() only: who is called and may look at the frame needs it.
class Frame {
public:
  Frame(Engine &e, ObjectId id, const CanonicalCode &code)
      : base(slot::kLocals + uint32_t(code.locals.size())),
        slots(e.heap, id, base + code.maxDepth + 1), info(e.frameInfo(id)),
        ip(slots.get(slot::kIp).asIp()), sp(slots.get(slot::kSp).asIp()) {}

  bool mayRead() const { return slots.mayRead(); }
  uint32_t position() const { return ip; }
  ObjectId globals() const { return info.globals; }
  const Value &constant(const Instr &instr) const { return info.record->constants[instr.arg]; }
  NameId name(const Instr &instr) const { return info.record->names[instr.arg]; }

  const Value &local(uint32_t i) const { return slots.get(slot::kLocals + i); }
  void setLocal(uint32_t i, Value v) { slots.set(slot::kLocals + i, std::move(v)); }
  void setReturn(Value v) { slots.set(slot::kReturn, std::move(v)); }

  const Value &top(uint32_t depth = 0) const { return slots.get(base + sp - 1 - depth); }
  void setTop(uint32_t depth, Value v) { slots.set(base + sp - 1 - depth, std::move(v)); }
  void push(Value v) { slots.set(base + sp++, std::move(v)); }
  Value pop() { return slots.take(base + --sp); }
  void drop(uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
      slots.set(base + --sp, Value());
  }
  /// Replaces the n topmost values.
  void replace(uint32_t n, Value v) {
    drop(n - 1);
    slots.set(base + sp - 1, std::move(v));
  }

  bool go(uint32_t to) {
    ip = to;
    return true;
  }
  bool next() { return go(ip + 1); }
  void sync() {
    slots.set(slot::kIp, Value::ip(ip));
    slots.set(slot::kSp, Value::ip(sp));
  }

private:
  uint32_t base;
  Heap::FixedSlots slots;
  const FrameInfo &info;
  uint32_t ip, sp;
};

} // namespace ptc::capture::ops

#endif // PTC_LIB_CAPTURE_OPS_FASTFRAME_H
