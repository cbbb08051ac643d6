//===- Positions.h - Run-time numbers as positions and keys ------*- C++ -*-===//
//
// An index, a bound of a slice or a key of a dict that is known at run time only. Where the
// elements are numbers or tensors of one kind the element is picked without a fork; anything else
// is a choice or a fork over the positions that exist.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_POSITIONS_H
#define PTC_LIB_CAPTURE_POSITIONS_H

#include "Objects.h"

namespace ptc::capture {

/// A run-time int or bool that no input's size decides.
bool isRunTimeInt(Engine &e, const Value &v);

/// What __index__ gives of an int, bool, or tensor of one int: Int, BigInt or a run-time int;
/// Absent for anything else.
Value indexNumber(Engine &e, const Value &v);

/// One of the positions 0..n-1: known, or named by a selector.
struct Position {
  int64_t known = -1;
  ValueId selector = kUndef;
};

/// `index` as CPython's subscripts take it: negative ones count from the end, others outside raise
/// IndexError with `text`. n is the length.
std::optional<Position> positionOf(Engine &e, const Value &index, int64_t n,
                                   const llvm::Twine &text);
/// The same as a number in 0..n-1.
Value wrappedIndex(Engine &e, const Value &index, int64_t n, const llvm::Twine &text);
/// A number that is known to be in 0..n-1.
Position selectorOf(Engine &e, const Value &number, int64_t n);
/// A bound of a slice (or an index that may be anything) in a sequence of n, by a fork: equivalent
/// to the number given, and in -n-1..n.
std::optional<int64_t> settleBound(Engine &e, const Value &number, int64_t n);
/// The element there, without a fork unless one is a choice already.
Value elementAt(Engine &e, llvm::ArrayRef<Value> items, const Position &position);
/// The position, by a fork.
std::optional<int64_t> settlePosition(Engine &e, const Position &position, int64_t n);
/// A number clamped into low..high, by a fork.
std::optional<int64_t> settleWithin(Engine &e, const Value &number, int64_t low, int64_t high);

/// Is `test` true of `v`, or of an element of it at any depth where it is a tuple? As the path
/// knows them.
bool anyKnown(Engine &e, const Value &v, llvm::function_ref<bool(const Value &)> test);
/// a == b where a run-time number takes part: Bool or a run-time bool; Absent where Python code or
/// a comparison of other run-time values decides.
Value numbersAlike(Engine &e, const Value &a, const Value &b);
/// Is a run-time number among `items`, or is `item` one?
bool comparesRunTime(Engine &e, llvm::ArrayRef<Value> items, const Value &item);
/// `item in items`; Absent as above.
Value amongNumbers(Engine &e, llvm::ArrayRef<Value> items, const Value &item);
/// 0 for none, else one more than the position of the key: Int or a run-time int; Absent as above.
Value keyPlace(Engine &e, llvm::ArrayRef<Value> pairs, const Value &key);
/// Decides a keyPlace: the position of the pair, or -1.
std::optional<int64_t> settleKeyPlace(Engine &e, const Value &place, size_t pairs);

/// Appends to a list, whether its length is known or not.
Flow extendList(Engine &e, const Value &list, llvm::ArrayRef<Value> items);
/// Does the order of a set of these depend on hashes known at run time only?
bool hasUnknownOrder(Engine &e, llvm::ArrayRef<Value> items);
/// Where a suspended generator goes on, from its kGenState where that is decided.
GenPoint pointOf(const Value &place);

/// The dict behind a view, decided where joined views are of several.
Value viewedDict(Engine &e, const Value &view);
/// Decides which contents the builtin containers among `values` have.
Flow openContents(Engine &e, llvm::ArrayRef<Value> values);
/// The same, and leaves those alone that are not known: they are refused where they are read.
Flow decideContents(Engine &e, llvm::ArrayRef<Value> values);
/// Is a mapping merged as the dict that it is, whatever methods its class has?
bool mergesAsDict(Engine &e, const Value &other);
/// A builtin container whose contents a join left open.
bool isUndecided(Engine &e, const Value &v);
/// Does a list's content come from a loop whose number of passes is known at run time only?
bool isGrownList(Engine &e, const Value &v);
/// Is it a tuple whose length only the run knows? Such a one is a list of the run whose class is
/// tuple: it is read as a list is.
bool isGrownTuple(Engine &e, const Value &v);
/// The tuple of what a list of the run holds.
Value makeGrownTuple(Engine &e, const Value &contents);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_POSITIONS_H
