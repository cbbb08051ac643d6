//===- SetMembers.h - What is looked for in a set, what is like one ----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_SETMEMBERS_H
#define PTC_LIB_CAPTURE_SETMEMBERS_H

#include "Objects.h"

namespace ptc::capture {

/// What is looked for in a set: a set stands for the frozenset with its members.
Value asSetKey(Engine &e, const Value &item);
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
/// What Python code gave as the hashes of a dict's keys, by the pair's position. It is not asked
/// again: who makes the contents anew gives them back.
std::map<uint32_t, int64_t> givenHashes(const Value &contents);
void giveHashes(Engine &e, const Value &contents, std::map<uint32_t, int64_t> hashes);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SETMEMBERS_H
