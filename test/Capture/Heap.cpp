// The heap against one that copies everything: random writes, allocations, marks, releases and
// rollbacks; what a delta says, applied on the same base, gives the same state again.
#include "ptc/Capture/Heap.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace ptc::capture;

namespace {
using Snapshot = std::map<ObjectId, std::map<uint32_t, int64_t>>;

struct Model {
  Heap heap;
  std::mt19937 rng;
  std::vector<Heap::Mark> marks;
  std::vector<Snapshot> copies;
  Snapshot seen; ///< when it was last asked what has changed
  explicit Model(unsigned seed) : rng(seed) {}

  unsigned pick(unsigned n) { return rng() % n; }

  Snapshot snapshot() const {
    Snapshot all;
    for (ObjectId id = 1; id < heap.nextId(); ++id) {
      if (!heap.exists(id))
        continue;
      auto &slots = all[id];
      uint32_t nth = 0; // the names come in an order, which is a part of the state
      heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
        slots[key] = v.isSmallInt() ? v.asInt() : -1;
        if (isAttrKey(key))
          slots[~nth++] = key;
      });
    }
    return all;
  }

  std::vector<ObjectId> alive() const {
    std::vector<ObjectId> ids;
    for (ObjectId id = 1; id < heap.nextId(); ++id)
      if (heap.exists(id))
        ids.push_back(id);
    return ids;
  }

  void write() {
    std::vector<ObjectId> ids = alive();
    if (ids.empty())
      return;
    ObjectId id = ids[pick(unsigned(ids.size()))];
    // Few keys, so that slots are written again; names enough to build an index.
    uint32_t key = pick(2) ? 1 + pick(4) : attrKey(NameId(pick(20)));
    const bool isNew = heap.get(id, key).isAbsent();
    heap.set(id, key, pick(5) ? Value::integer(pick(9)) : Value::absent());
    uint32_t last = 0;
    heap.forEachSlot(id, [&](uint32_t name, const Value &) { last = name; });
    REQUIRE((!isNew || heap.get(id, key).isAbsent() || !isAttrKey(key) || last == key));
  }

  /// Whatever differs from what it was is listed, and not everything is.
  void checkChanged() {
    std::vector<ObjectId> changed = heap.takeChanged();
    REQUIRE(std::is_sorted(changed.begin(), changed.end()));
    Snapshot now = snapshot();
    auto differs = [&](ObjectId id) {
      return now.contains(id) != seen.contains(id) || (now.contains(id) && now[id] != seen[id]);
    };
    for (ObjectId id = 1; id < heap.nextId(); ++id)
      REQUIRE((!differs(id) || std::binary_search(changed.begin(), changed.end(), id)));
    seen = std::move(now);
    REQUIRE(heap.takeChanged().empty());
  }

  void step() {
    unsigned act = pick(100);
    if (pick(20) == 0)
      checkChanged();
    if (act < 12) {
      heap.allocate(ObjectKind::Instance);
    } else if (act < 66) {
      write();
    } else if (act < 80) {
      marks.push_back(heap.mark());
      copies.push_back(snapshot());
    } else if (act < 88 && !marks.empty()) {
      heap.release(marks.back());
      marks.pop_back();
      copies.pop_back();
    } else if (!marks.empty()) {
      rollBack(pick(unsigned(marks.size())));
    }
  }

  /// Back to mark n; half of the time forward again by the delta.
  void rollBack(unsigned n) {
    Snapshot now = snapshot();
    Delta delta = heap.delta(marks[n]);
    heap.rollback(marks[n]);
    REQUIRE(snapshot() == copies[n]);
    marks.resize(n);
    copies.resize(n);
    if (pick(2)) {
      heap.apply(delta);
      REQUIRE(snapshot() == now);
    }
  }
};
} // namespace

TEST_CASE("the trail agrees with a heap that copies") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    Model model(seed);
    for (int i = 0; i < 300; ++i)
      model.step();
    while (!model.marks.empty())
      model.rollBack(unsigned(model.marks.size()) - 1);
  }
}

namespace {
/// A list that is changed in place, as the executor does, beside copies of what it was at each mark
/// and at each time that somebody took hold of it.
struct ListModel {
  explicit ListModel(unsigned seed) : random(seed) {
    for (int64_t i = 0; i < 64; ++i)
      now.push_back(i);
    heap.set(id, 1, made(now));
  }

  static Value made(const std::vector<int64_t> &numbers) {
    std::vector<Value> parts;
    parts.reserve(numbers.size());
    for (int64_t n : numbers)
      parts.push_back(Value::integer(n));
    return Value::tuple(std::move(parts));
  }
  unsigned pick(size_t n) { return unsigned(random() % n); }

  void change() {
    Value &list = heap.getForUpdate(id, 1);
    if (!list.isUnique())
      list = Value::composite(list.kind(), list.parts());
    ++next;
    size_t at = now.empty() ? 0 : pick(now.size());
    switch (now.size() > 4 ? pick(9) : 0) {
    case 0:
    case 1:
    case 2:
      list.addPart(Value::integer(next));
      now.push_back(next);
      return;
    case 3:
      list.addFirstPart(Value::integer(next));
      now.insert(now.begin(), next);
      return;
    case 4:
    case 5:
    case 6:
      list.mutablePart(at) = Value::integer(next);
      now[at] = next;
      return;
    case 7: {
      size_t n = pick(std::min<size_t>(now.size() - at, 3) + 1);
      list.dropParts(at, n);
      now.erase(now.begin() + ptrdiff_t(at), now.begin() + ptrdiff_t(at + n));
      return;
    }
    default:
      if (pick(8) == 0) {
        list.mutableParts().insert(list.mutableParts().begin() + ptrdiff_t(at),
                                   Value::integer(next));
        now.insert(now.begin() + ptrdiff_t(at), next);
      }
    }
  }

  void step() {
    unsigned act = pick(100);
    if (act < 70) {
      change();
    } else if (act < 82) {
      marks.push_back(heap.mark());
      copies.push_back(now);
    } else if (act < 90 && !marks.empty()) {
      heap.release(marks.back());
      marks.pop_back();
      copies.pop_back();
    } else if (act < 93) {
      held.emplace_back(heap.get(id, 1), now);
    } else if (act < 95 && !held.empty()) {
      held.erase(held.begin() + ptrdiff_t(pick(held.size())));
    } else if (!marks.empty()) {
      unsigned n = pick(marks.size());
      heap.rollback(marks[n]);
      now = copies[n];
      marks.resize(n);
      copies.resize(n);
    }
    if (pick(4) == 0)
      REQUIRE(heap.get(id, 1) == made(now));
  }

  Heap heap;
  ObjectId id = heap.allocate(ObjectKind::List);
  std::mt19937 random;
  std::vector<int64_t> now;
  int64_t next = 1000;
  std::vector<Heap::Mark> marks;
  std::vector<std::vector<int64_t>> copies;
  std::vector<std::pair<Value, std::vector<int64_t>>> held;
};
} // namespace

TEST_CASE("what is changed in place comes back as it was") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    ListModel model(seed);
    for (int i = 0; i < 300; ++i)
      model.step();
    for (auto &[value, was] : model.held)
      REQUIRE(value == ListModel::made(was));
  }
}

TEST_CASE("a large list changed in each pass is not copied in each pass") {
  Heap heap;
  ObjectId id = heap.allocate(ObjectKind::List);
  heap.set(id, 1, Value::tuple(std::vector<Value>(1000)));
  Heap::Mark outer = heap.mark();
  const Value *before = nullptr;
  int moves = 0;
  for (int i = 0; i < 900; ++i) {
    Heap::Mark pass = heap.mark();
    heap.getForUpdate(id, 1).mutablePart(7) = Value::integer(i);
    moves += heap.get(id, 1).parts().data() != before;
    before = heap.get(id, 1).parts().data();
    heap.release(pass);
  }
  CHECK(moves == 1);
  heap.rollback(outer);
  CHECK(heap.get(id, 1).parts()[7].isAbsent());
}

TEST_CASE("an object without slots is part of a delta") {
  Heap heap;
  Heap::Mark mark = heap.mark();
  ObjectId id = heap.allocate(ObjectKind::Cell);
  Delta delta = heap.delta(mark);
  heap.rollback(mark);
  CHECK_FALSE(heap.exists(id));
  heap.apply(delta);
  CHECK(heap.exists(id));
}

TEST_CASE("only objects younger than the newest mark are discarded") {
  Heap heap;
  ObjectId old = heap.allocate(ObjectKind::Frame);
  Heap::Mark mark = heap.mark();
  ObjectId young = heap.allocate(ObjectKind::Frame);
  heap.set(young, 1, Value::integer(1));
  heap.discard(old);
  heap.discard(young);
  CHECK(heap.exists(old));
  CHECK_FALSE(heap.exists(young));
  CHECK(heap.delta(mark).empty());
  heap.rollback(mark);
  CHECK(heap.exists(old));
  CHECK_FALSE(heap.exists(young));
}

TEST_CASE("released marks keep the trail short") {
  Heap heap;
  ObjectId id = heap.allocate(ObjectKind::Frame);
  Heap::Mark outer = heap.mark();
  for (int i = 0; i < 100000; ++i) {
    Heap::Mark pass = heap.mark();
    heap.set(id, 1, Value::integer(i));
    heap.set(id, 2, Value::integer(-i));
    heap.release(pass);
  }
  CHECK(heap.delta(outer).size() == 2);
  CHECK(heap.trailLength() <= 2);
  heap.rollback(outer);
  CHECK(heap.get(id, 1).isAbsent());
}

TEST_CASE("releasing a mark gives up the newer ones") {
  Heap heap;
  ObjectId id = heap.allocate(ObjectKind::Dict);
  heap.set(id, 1, Value::integer(0));
  Heap::Mark outer = heap.mark();
  Heap::Mark first = heap.mark();
  for (int i = 1; i <= 3; ++i) {
    heap.set(id, 1, Value::integer(i));
    heap.set(id, uint32_t(1 + i), Value::integer(i));
    (void)heap.mark();
  }
  ObjectId made = heap.allocate(ObjectKind::List);
  heap.release(first);
  CHECK(heap.depth() == 1);
  CHECK(heap.delta(outer).size() == 5); // four slots, and that the list exists
  CHECK(heap.trailLength() == 5);
  heap.rollback(outer);
  CHECK(heap.get(id, 1).asInt() == 0);
  CHECK(heap.get(id, 4).isAbsent());
  CHECK_FALSE(heap.exists(made));
}

TEST_CASE("writes to old objects are noted") {
  Heap heap;
  ObjectId old = heap.allocate(ObjectKind::Module);
  heap.setBoundary(heap.nextId());
  heap.mark();
  ObjectId fresh = heap.allocate(ObjectKind::List);
  heap.set(fresh, 1, Value::none());
  CHECK_FALSE(heap.wasWritten(old));
  heap.set(old, attrKey(NameId(3)), Value::none());
  CHECK(heap.wasWritten(old));
  CHECK_FALSE(heap.wasWritten(fresh));
}

TEST_CASE("writes to older objects are listed, those of sides that were left, too") {
  Heap heap;
  ObjectId older = heap.allocate(ObjectKind::Dict);
  heap.set(older, 1, Value::none());
  CHECK(heap.notedWrites().empty());
  heap.noteWritesBelow(heap.nextId());
  ObjectId younger = heap.allocate(ObjectKind::Dict);
  Heap::Mark side = heap.mark();
  heap.set(older, 1, Value::integer(1));
  heap.set(younger, 1, Value::integer(1));
  heap.rollback(side);
  CHECK(heap.notedWrites() == llvm::ArrayRef<ObjectId>{0, older});
  heap.set(older, 1, Value::none());
  CHECK(heap.notedWrites().size() == 2); // the same object in a row
  heap.noteWritesBelow(older);           // takes nothing back
  heap.set(younger, 1, Value::none());
  (void)heap.getForUpdate(older, 1);
  CHECK(heap.notedWrites() == llvm::ArrayRef<ObjectId>{0, older, 0, older});
}

TEST_CASE("what was made, written, discarded or rolled back has changed") {
  Heap heap;
  ObjectId first = heap.allocate(ObjectKind::List), second = heap.allocate(ObjectKind::List);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{0, first, second});
  CHECK(heap.takeChanged().empty());
  Heap::Mark side = heap.mark();
  heap.set(second, 1, Value::integer(1));
  heap.set(second, 1, Value::integer(2));
  ObjectId third = heap.allocate(ObjectKind::List);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{second, third});
  Delta delta = heap.delta(side);
  heap.rollback(side);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{second, third});
  heap.apply(delta);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{second, third});
  heap.discard(third);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{third});
  (void)heap.getForUpdate(first, 1);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{first});
}

TEST_CASE("all objects of a rewound heap are changed") {
  Heap heap;
  ObjectId old = heap.allocate(ObjectKind::List);
  (void)heap.mark();
  ObjectId made = heap.allocate(ObjectKind::List);
  (void)heap.takeChanged();
  heap.set(made, 1, Value::none());
  heap.rewind(0);
  CHECK(llvm::is_contained(heap.takeChanged(), old));
  CHECK(heap.allocate(ObjectKind::List) == made);
  CHECK(heap.takeChanged() == std::vector<ObjectId>{made});
}

TEST_CASE("writes to protected objects and reads of watched ones are noticed") {
  Heap heap;
  ObjectId first = heap.allocate(ObjectKind::List), second = heap.allocate(ObjectKind::List);
  heap.protect(first);
  std::vector<SlotKey> reads;
  heap.watchReads(second);
  heap.onRead = [&](SlotKey slot) { reads.push_back(slot); };
  heap.set(second, 1, Value::none());
  (void)heap.get(first, 1);
  (void)heap.get(second, 1);
  CHECK(reads.size() == 1);
  CHECK(reads.front() == SlotKey{second, 1});
  heap.forEachSlot(second, [](uint32_t, const Value &) {});
  CHECK(reads.size() > 1);
  CHECK_FALSE(heap.wroteProtected());
  Heap::Mark side = heap.mark();
  heap.set(second, 1, Value::integer(2));
  Delta delta = heap.delta(side);
  delta[{first, 1}] = Value::integer(3);
  heap.rollback(side);
  heap.apply(delta); // what a join found is nobody's write
  CHECK_FALSE(heap.wroteProtected());
  heap.set(first, 1, Value::none());
  CHECK(heap.wroteProtected());
}

TEST_CASE("a rewound heap is as it was marked") {
  Heap heap;
  ObjectId old = heap.allocate(ObjectKind::Instance);
  heap.set(old, attrKey(NameId(1)), Value::integer(1));
  (void)heap.mark();
  ObjectId next = heap.nextId();
  auto names = [&] {
    std::vector<NameId> found;
    heap.forEachSlot(old, [&](uint32_t key, const Value &) {
      if (isAttrKey(key))
        found.push_back(nameOfKey(key));
    });
    return found;
  };
  for (NameId first : {NameId(5), NameId(40)}) {
    heap.setBoundary(heap.nextId());
    (void)heap.mark();
    for (NameId name = 0; name < 20; ++name) // enough for an index
      heap.set(old, attrKey(first + name), Value::integer(name));
    heap.set(old, attrKey(NameId(1)), Value::absent());
    heap.release(1);
    ObjectId made = heap.allocate(ObjectKind::List);
    heap.set(made, 1, Value::integer(3));
    (void)heap.mark();
    heap.discard(made);
    CHECK(names().front() == first);
    heap.rewind(0);
    CHECK(heap.nextId() == next);
    CHECK(heap.depth() == 1);
    CHECK(!heap.wasWritten(old));
    CHECK(heap.get(old, attrKey(NameId(1))).asInt() == 1);
    CHECK(names() == std::vector<NameId>{1});
  }
}

TEST_CASE("a class that an object was given is taken back, and a delta names the object") {
  Heap heap;
  const ObjectId first = heap.allocate(ObjectKind::Class),
                 second = heap.allocate(ObjectKind::Class);
  const ObjectId object = heap.allocate(ObjectKind::Instance, first);
  (void)heap.takeChanged();
  Heap::Mark outer = heap.mark();
  heap.setClass(object, second);
  CHECK(heap.header(object).cls == second);
  CHECK(heap.takeChanged() == std::vector{object});
  Heap::Mark inner = heap.mark();
  heap.setClass(object, first);
  heap.setClass(object, second);
  heap.rollback(inner);
  CHECK(heap.header(object).cls == second);
  inner = heap.mark();
  heap.setClass(object, first);
  heap.release(inner);
  CHECK(heap.header(object).cls == first);
  Delta delta = heap.delta(outer);
  REQUIRE(delta.size() == 1);
  CHECK(delta.front().first == SlotKey{object, kExists});
  heap.rollback(outer);
  CHECK(heap.header(object).cls == first);
  CHECK(heap.takeChanged() == std::vector{object});
}
