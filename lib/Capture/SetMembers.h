//===- SetMembers.h - What is looked for in a set, what is like one ----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_SETMEMBERS_H
#define PTC_LIB_CAPTURE_SETMEMBERS_H

#include "Objects.h"

namespace ptc::capture {

/// What is looked for in a set: a set stands for the frozenset with its members.
Value asSetKey(Engine &e, const Value &item);
/// Does its hash raise TypeError?
bool hasNoHash(Engine &e, const Value &item);
/// The keys or the items of a dict, which have the operators of sets.
bool isSetView(Engine &e, const Value &v);
/// What dict.items() gives.
bool isItemsView(Engine &e, const Value &v);

/// The table behind the contents of a set, as numbers and values, and from them. Written: false
/// where some hashes hold on the present path only.
bool writeSetLayout(const Value &contents, llvm::function_ref<void(uint64_t)> number,
                    llvm::function_ref<void(const Value &)> value);
void readSetLayout(const Value &contents, llvm::function_ref<uint64_t()> number,
                   llvm::function_ref<Value()> value);
/// Contents with these parts in place of their own. The table stays where the hashes do.
Value withMembers(Engine &e, const Value &contents, std::vector<Value> parts);

// Members whose __hash__ is written in Python: who adds one says its hash, and has compared it with
// the members that have the same one.

/// Are there such members, or is `item` one?
bool asksMethods(Engine &e, const Value &set, const Value &item);
/// Is it a set, or the contents of one, that knows the hashes of all of its members?
bool hasHashTable(Engine &e, const Value &set);
/// Members with this hash, in the order in which CPython comes by them; none if the hashes of all
/// members are not known.
std::optional<std::vector<Value>> setCandidates(Engine &e, const Value &set, int64_t hash);
Flow setInsertHashed(Engine &e, const Value &set, const Value &item, int64_t hash);
/// Takes out the candidate with this number.
Flow setEraseHashed(Engine &e, const Value &set, int64_t hash, size_t number);
Flow setReserve(Engine &e, const Value &set, size_t more);
/// The frozenset with the members of a set.
Value frozen(Engine &e, const Value &set);

/// What Python code gave as the hashes of a dict's keys, by the pair's position. It is not asked
/// again: who makes the contents anew gives them back.
std::map<uint32_t, int64_t> givenHashes(const Value &contents);
void giveHashes(Engine &e, const Value &contents, std::map<uint32_t, int64_t> hashes);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SETMEMBERS_H
