//===- Heap.h - All mutable state of the executor, with a trail -*- C++ -*-===//
//
// Objects made of slots; a slot is (object, key). Every first write to a slot after a mark, unless
// its object was made since, is recorded on the trail, so that forking costs what the sides change:
//
//   mark()       costs nothing
//   rollback(m)  restores every slot to its value at the mark and forgets objects made since
//   delta(m)     slots changed since the mark with their values now, in order of first change;
//                those of an object made since stand together, where it was made, whichever of
//                them was written first
//   apply(d)     writes a delta again on the same base state
//
// Object ids are never reused, so deltas of two sides of a fork never collide. Marks nest: a mark
// is live until it is rolled back or released. `release(m)` gives up the marks from `m` on and
// merges their trail into the enclosing one, which keeps the trail as short as the set of changed
// slots; a loop of a million passes does not grow it.
//
// Lowest keys of an object are its fixed slots (an enum per object kind, Layout.h); from kFirstAttr
// on a key is an interned name: attribute of an instance, class, module or function. Slot kExists
// is present in every object, so that a delta names even an object without other slots.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_HEAP_H
#define PTC_CAPTURE_HEAP_H

#include "ptc/Capture/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <memory>

namespace ptc::capture {

enum class ObjectKind : uint8_t {
  Engine, ///< the current frame and the facts about selectors
  Frame,  ///< a call; a generator is one that outlives its call
  Cell,
  Function,
  Class,
  Module,
  Instance,
  List,
  Dict,
  Set,
  ByteArray,
  Iterator,
  Storage,   ///< contents of tensors
  Generator, ///< torch.Generator: handle of a random stream
};

/// Present in every object, with the same content.
inline constexpr uint32_t kExists = 0;
/// Keys below this are fixed slots (frames: locals and stack too); names come after.
inline constexpr uint32_t kFirstAttr = 1u << 24;
inline uint32_t attrKey(NameId name) { return kFirstAttr + name; }
inline bool isAttrKey(uint32_t key) { return key >= kFirstAttr; }
/// Slot of objects that have names: the order in which these were given values, as __dict__ has it.
/// Absent: that of their creation; a Tuple of Value::name(); None: not known, since paths differ.
inline constexpr uint32_t kNameOrder = 9;
inline NameId nameOfKey(uint32_t key) { return key - kFirstAttr; }

struct SlotKey {
  ObjectId object;
  uint32_t key;
  uint64_t packed() const { return (uint64_t(object) << 32) | key; }
  bool operator==(const SlotKey &) const = default;
};

} // namespace ptc::capture

template <> struct llvm::DenseMapInfo<ptc::capture::SlotKey> {
  using SlotKey = ptc::capture::SlotKey;
  static SlotKey getEmptyKey() { return {~0u, ~0u}; }
  static SlotKey getTombstoneKey() { return {~0u, ~1u}; }
  static unsigned getHashValue(const SlotKey &k) {
    return llvm::DenseMapInfo<uint64_t>::getHashValue(k.packed());
  }
  static bool isEqual(const SlotKey &a, const SlotKey &b) { return a == b; }
};

namespace ptc::capture {

/// What never changes about an object, but for its class (setClass): kept after a rollback.
struct ObjectHeader {
  ObjectKind kind;
  ObjectId cls = 0;           ///< class of an Instance or of a subclass of a builtin container
  const void *info = nullptr; ///< Frame: FrameInfo; Class: ClassInfo; owned by the engine
};

/// Slots changed since a mark, with their values, in order of first change.
using Delta = llvm::MapVector<SlotKey, Value, llvm::DenseMap<SlotKey, unsigned>>;

class Heap {
  struct Slot {
    Value value;
    uint32_t epoch = 0; ///< of its last trail entry
  };
  struct Object {
    bool alive = false;
    bool watched = false;
    bool settled = false;                                      ///< unchanged since takeChanged()
    bool isProtected = false, readsWatched = false;            ///< also while it is not alive
    uint32_t birth = 0;                                        ///< epoch of its allocation
    std::vector<Slot> fixed;                                   ///< by key
    std::vector<std::pair<uint32_t, Slot>> named;              ///< by creation
    std::unique_ptr<llvm::DenseMap<uint32_t, uint32_t>> index; ///< key → place, once large
  };

public:
  /// A place on the trail. Marks are numbered by depth: the newest has the highest number.
  using Mark = uint32_t;

  Heap();

  ObjectId allocate(ObjectKind kind, ObjectId cls = 0, const void *info = nullptr);
  /// Id of an object that a join will fill in through a delta.
  ObjectId reserve(const ObjectHeader &header);
  /// Forgets an object that nothing refers to any more. Does nothing while a rollback could bring
  /// it back, that is if it is older than the newest mark.
  void discard(ObjectId id);
  const ObjectHeader &header(ObjectId id) const { return headers[id]; }
  ObjectKind kind(ObjectId id) const { return headers[id].kind; }
  /// Gives an object another class until that is rolled back. Deltas cannot say which: they name
  /// the object by its slot kExists.
  void setClass(ObjectId id, ObjectId cls);
  /// Does the object exist in the present state?
  bool exists(ObjectId id) const { return id < objects.size() && objects[id].alive; }
  /// The id that the next object will get: ids below it were made before.
  ObjectId nextId() const { return ObjectId(headers.size()); }
  /// Number of objects alive.
  size_t size() const { return alive; }

  /// The slot's content, Absent if there is none.
  const Value &get(ObjectId id, uint32_t key) const {
    assert(exists(id) && "reading an object that does not exist");
    const Object &object = objects[id];
    if (key < object.fixed.size() && !object.readsWatched)
      return object.fixed[key].value;
    return getOther(object, {id, key});
  }
  const Value &get(SlotKey slot) const { return get(slot.object, slot.key); }
  void set(ObjectId id, uint32_t key, Value value) {
    if (isAttrKey(key))
      return setName(id, key, std::move(value));
    slotForWriting(id, key, /*keeps=*/true).second.value = std::move(value);
  }
  void set(SlotKey slot, Value value) { set(slot.object, slot.key, std::move(value)); }
  /// As set() where what is written says the order of the names, too.
  void restore(SlotKey slot, Value value) {
    slotForWriting(slot.object, slot.key, /*keeps=*/true).second.value = std::move(value);
  }
  /// For changing a uniquely owned node in place: the slot counts as written; what a rollback gives
  /// back is a version of the node. The reference is good until the next call.
  Value &getForUpdate(ObjectId id, uint32_t key);

  /// The fixed slots of one object, for who reads and writes them many times in a row. Counts as a
  /// write. Good until a mark is made or given up, and while the object exists.
  class FixedSlots {
  public:
    /// `count`: of keys that are used, from 0 on.
    FixedSlots(Heap &heap, ObjectId id, uint32_t count) : heap(heap), id(id) {
      assert(heap.exists(id) && "writing an object that does not exist");
      object = &heap.objects[id];
      if (heap.isNoted(id, *object))
        heap.noteWrite(id, *object);
      if (object->fixed.size() < count)
        object->fixed.resize(count);
      slots = object->fixed.data();
    }
    const Value &get(uint32_t key) const { return slots[key].value; }
    void set(uint32_t key, Value value) { slotForWriting(key).value = std::move(value); }
    /// Leaves the slot absent.
    Value take(uint32_t key) { return std::exchange(slotForWriting(key).value, Value()); }
    /// Does nobody ask to be told of reads?
    bool mayRead() const { return !object->readsWatched; }

  private:
    Slot &slotForWriting(uint32_t key) {
      Slot &slot = slots[key];
      if (heap.isFirstWrite(*object, slot))
        heap.record(id, key, slot, /*keeps=*/true);
      return slot;
    }

    Heap &heap;
    ObjectId id;
    Object *object;
    Slot *slots;
  };

  /// Calls `see(key, value)` for each present slot, fixed slots first, then names in the order in
  /// which they were given values.
  void forEachSlot(ObjectId id, llvm::function_ref<void(uint32_t, const Value &)> see) const;

  /// Is it an object whose names have an order?
  bool hasNames(ObjectId id) const {
    return headers[id].kind != ObjectKind::Engine && headers[id].kind != ObjectKind::Frame;
  }
  bool isNameOrderKnown(ObjectId id) const { return !fixedSlot(objects[id], kNameOrder).isNone(); }
  /// Keys of all names that the object has or had, by creation. Those that have values on a path
  /// come in this order there unless kNameOrder says another one.
  std::vector<uint32_t> createdNames(ObjectId id) const;

  /// From now on, writing to an object that is alive and not below `first` is a disturbance.
  void watch(ObjectId first);
  /// Has somebody written to a watched object?
  bool isDisturbed() const { return disturbed; }
  void setDisturbed(bool value) { disturbed = value; }
  /// Writes while it exists are of the engine's own, and no disturbance.
  class OwnWrites {
  public:
    explicit OwnWrites(Heap &heap) : heap(heap), disturbed(heap.disturbed) {}
    ~OwnWrites() { heap.disturbed = disturbed; }
    OwnWrites(const OwnWrites &) = delete;
    OwnWrites &operator=(const OwnWrites &) = delete;

  private:
    Heap &heap;
    bool disturbed;
  };

  /// From now on writes to objects below `id`, or below what was said before, are listed: what is
  /// taken back later, too.
  void noteWritesBelow(ObjectId id) {
    noted = std::max(noted, id);
    writes.push_back(0); // none, so that what comes is listed again
  }
  llvm::ArrayRef<ObjectId> notedWrites() const { return writes; }
  /// Objects that were made, written, discarded or rolled back since the last call, by id; at first
  /// all that there are.
  std::vector<ObjectId> takeChanged();
  /// Nobody may write to the object from now on.
  void protect(ObjectId id) { objects[id].isProtected = true; }
  bool isProtected(ObjectId id) const { return objects[id].isProtected; }
  /// Has somebody?
  bool wroteProtected() const { return protectedWritten; }
  /// Calls `onRead` whenever a slot of the object is read; with false no more.
  void watchReads(ObjectId id, bool watch = true) { objects[id].readsWatched = watch; }
  std::function<void(SlotKey)> onRead;

  /// Objects below `id` are old from now on: writes to them are noted.
  void setBoundary(ObjectId id) { boundary = id; }
  /// Was this old object ever written since, on any side?
  bool wasWritten(ObjectId id) const { return written.contains(id); }
  void forEachWritten(llvm::function_ref<void(ObjectId)> see) const {
    for (ObjectId id : written)
      see(id);
  }

  Mark mark();
  void rollback(Mark m);
  /// Gives up the mark and all newer ones, keeping the changes: costs what was changed since.
  void release(Mark m);
  /// Rolls back to a mark and makes it anew, with all that was said of objects since. Ids given out
  /// since are given out again: nothing else may remember one.
  void rewind(Mark m);
  Delta delta(Mark m) const;
  void apply(const Delta &delta);
  /// Number of live marks.
  size_t depth() const { return marks.size(); }
  size_t trailLength() const { return trail.size(); }

private:
  struct Entry {
    ObjectId object;
    uint32_t key; ///< kAllocation: the object was made here; kReclassed: it had the class `old`
    uint32_t oldEpoch;
    Value old;
  };
  struct MarkInfo {
    size_t trail;
    uint32_t epoch;
    ObjectId next;
    bool disturbed;
  };
  static constexpr uint32_t kAllocation = ~0u;
  static constexpr uint32_t kReclassed = ~1u;
  static constexpr size_t kIndexFrom = 12;

  /// All objects by id, at places that stay: a table of blocks.
  class Objects {
  public:
    Object &operator[](ObjectId id) { return blocks[id / kBlock][id % kBlock]; }
    const Object &operator[](ObjectId id) const { return blocks[id / kBlock][id % kBlock]; }
    size_t size() const { return count; }
    void append() {
      if (count == blocks.size() * kBlock)
        blocks.push_back(std::make_unique<Object[]>(kBlock));
      ++count;
    }
    void truncate(size_t size) {
      for (; count > size; --count)
        (*this)[ObjectId(count - 1)] = Object();
    }

  private:
    static constexpr size_t kBlock = 512;
    std::vector<std::unique_ptr<Object[]>> blocks;
    size_t count = 0;
  };

  const Value &getOther(const Object &object, SlotKey slot) const;
  /// The slot that is written next, whose content is on the trail if it must be (first); with
  /// `keeps` there, else absent.
  std::pair<bool, Slot &> slotForWriting(ObjectId id, uint32_t key, bool keeps) {
    assert(exists(id) && "writing an object that does not exist");
    Object &object = objects[id];
    if (isNoted(id, object))
      noteWrite(id, object);
    Slot &slot = key < object.fixed.size() ? object.fixed[key] : findOrMake(object, key);
    const bool isFirst = isFirstWrite(object, slot);
    if (isFirst)
      record(id, key, slot, keeps);
    return {isFirst, slot};
  }
  bool isNoted(ObjectId id, const Object &object) const {
    return id < noted || object.watched || object.isProtected || object.settled;
  }
  /// Must what the slot holds go on the trail? An object made since the newest mark goes as a
  /// whole.
  bool isFirstWrite(const Object &object, const Slot &slot) const {
    return slot.epoch < newest && object.birth < newest;
  }
  static const Value &fixedSlot(const Object &object, uint32_t key);
  void setName(ObjectId id, uint32_t key, Value value);
  void placeLast(ObjectId id, uint32_t key, bool wasAbsent);
  void sortNames(llvm::SmallVectorImpl<std::pair<SlotKey, Value>> &changes, uint32_t since) const;
  Slot *find(Object &object, uint32_t key);
  const Slot *find(const Object &object, uint32_t key) const {
    return const_cast<Heap *>(this)->find(const_cast<Object &>(object), key);
  }
  Slot &findOrMake(Object &object, uint32_t key);
  /// Makes the trail entry of a first write.
  void record(ObjectId id, uint32_t key, Slot &slot, bool keeps);
  void revive(ObjectId id);
  void clear(ObjectId id);
  void noteWrite(ObjectId id, Object &object);
  void noteChange(ObjectId id, Object &object) {
    if (std::exchange(object.settled, false))
      changed.push_back(id);
  }
  void dropEmpty(Object &object);

  std::vector<ObjectHeader> headers;
  Objects objects;
  std::vector<Entry> trail;
  std::vector<MarkInfo> marks;
  /// Grows with each mark.
  uint32_t epoch = 0;
  /// Epoch of the newest mark, or 0; a slot whose epoch is below it is recorded when written.
  uint32_t newest = 0;
  size_t alive = 0;
  ObjectId boundary = 0;
  bool disturbed = false;
  llvm::SetVector<ObjectId> written;
  ObjectId noted = 0;
  std::vector<ObjectId> writes;  ///< to objects below `noted`
  std::vector<ObjectId> changed; ///< since takeChanged(), below `changesBelow`
  ObjectId changesBelow = 0;     ///< the next id when it was called
  bool protectedWritten = false;
};

} // namespace ptc::capture

#endif // PTC_CAPTURE_HEAP_H
