//===- SetTable.h - The order of a set -*- C++ -*-===//
//
// CPython's set as a table of hashes and item numbers, so that iterating gives CPython's order. The
// owner keeps the items; a table only knows each item's hash and a number for it (one numbering for
// all tables that meet), and asks the owner whether two items are equal. Follows
// Objects/setobject.c of 3.11 to 3.15: linear probes of up to 9 neighbours, then a jump by the
// perturbed hash; growth at 3/5 full.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_SETTABLE_H
#define PTC_PYTHON_SETTABLE_H

#include "ptc/Python/SharedVector.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ptc::py {

struct SetItem {
  int64_t hash = 0;
  uint32_t id = 0;
};

/// Whether item `stored` of a table equals item `key`. Called only where the hashes are equal and
/// the ids differ.
using SetEqualFn = llvm::function_ref<bool(uint32_t stored, uint32_t key)>;

class SetTable {
public:
  /// set()
  SetTable() : slots(kMinSlots) {}
  /// set(items): one by one, as from a list, a tuple, a str or a display {a, b}.
  static SetTable fromItems(llvm::ArrayRef<SetItem> items, SetEqualFn equal);

  size_t size() const { return used; }
  bool empty() const { return used == 0; }
  /// In the order of iteration.
  std::vector<SetItem> items() const;
  /// The stored item that equals `key`.
  std::optional<SetItem> find(SetItem key, SetEqualFn equal) const;

  /// False where an equal item is there already (which stays).
  bool add(SetItem item, SetEqualFn equal);
  /// Items with this hash, in the order in which a search comes by them.
  std::vector<SetItem> candidates(int64_t hash) const;
  /// What set(dict) does before it adds the keys.
  void reserveFor(size_t more);
  /// The item that was taken out.
  std::optional<SetItem> discard(SetItem key, SetEqualFn equal);
  std::optional<SetItem> pop();
  void clear() { takeMembers(SetTable()); }
  /// Gives the members other numbers.
  void renumber(llvm::function_ref<uint32_t(uint32_t)> number);

  /// set(other), other.copy(), frozenset(other).
  SetTable copy() const;
  /// self.update(set or frozenset), self |= other.
  void merge(const SetTable &other, SetEqualFn equal);
  /// self.update(dict), with the dict's keys in order (each once).
  void mergeKeys(llvm::ArrayRef<SetItem> keys, SetEqualFn equal);

  /// self | other, self.union(other).
  SetTable unite(const SetTable &other, SetEqualFn equal) const;
  /// self & other; `equal` must compare both ways round.
  SetTable intersect(const SetTable &other, SetEqualFn equal) const;
  /// self.intersection(iterable)
  SetTable intersectItems(llvm::ArrayRef<SetItem> items, SetEqualFn equal) const;
  /// self &= x, self.intersection_update(x), with the intersection as `members`: all that changes
  /// are the members; where pop goes on stays.
  void takeMembers(SetTable &&members);
  /// self - other
  SetTable subtract(const SetTable &other, SetEqualFn equal) const;
  /// self -= other. Subtracting a set from itself is clear().
  void subtractInPlace(const SetTable &other, SetEqualFn equal);
  /// self.difference_update(iterable); difference(iterable) is a copy with it.
  void subtractItems(llvm::ArrayRef<SetItem> items, SetEqualFn equal);
  /// self ^ other
  SetTable symmetricDifference(const SetTable &other, SetEqualFn equal) const;
  /// self ^= other. With itself it is clear().
  void symmetricDifferenceInPlace(const SetTable &other, SetEqualFn equal);

  /// All that decides what comes next, as numbers, and from them.
  void write(llvm::function_ref<void(uint64_t)> number) const;
  static SetTable read(llvm::function_ref<uint64_t()> number);

private:
  static constexpr size_t kMinSlots = 8;
  enum class State : uint8_t { Free, Dummy, Active };
  struct Slot {
    SetItem item;
    State state = State::Free;
  };

  void resize(size_t atLeast);
  void grow();
  void dropDummies();
  void insertClean(SetItem item);
  /// The slot of an equal item, else the free slot where the search ends; `lastDummy` becomes the
  /// last dummy on the way, which add reuses.
  size_t probe(SetItem key, SetEqualFn equal, std::optional<size_t> *lastDummy = nullptr) const;
  /// Calls see(item) in the order of iteration.
  template <typename F> void forEach(F see) const {
    for (size_t i = 0; i < slots.size(); ++i)
      if (slots[i].state == State::Active)
        see(slots[i].item);
  }
  size_t mask() const { return slots.size() - 1; }

  SharedVector<Slot> slots;
  /// Active and dummy slots; active slots.
  size_t fill = 0, used = 0;
  /// Where pop goes on searching.
  size_t finger = 0;
};

} // namespace ptc::py

#endif // PTC_PYTHON_SETTABLE_H
