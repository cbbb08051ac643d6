//===- RunTimeTables.h - Dicts and sets whose keys the run decides -----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_RUNTIMETABLES_H
#define PTC_LIB_CAPTURE_RUNTIMETABLES_H

#include "Engine.h"
#include "Objects.h"

namespace ptc::capture {

/// Is it a dict or a set whose keys the run decides? Its contents are a list of the run: of keys,
/// no two of which are equal, or of pairs of a key and its value, in the order in which they were
/// put in.
bool isRunTimeTable(Engine &e, const Value &v);
/// The same for the dict that the view is of.
bool isViewOfTable(Engine &e, const Value &v);
/// Are keys of this form, whose numbers are of these types, ints, or tuples of ints, strings and
/// None?
bool isTableKeyForm(const Value &form, llvm::ArrayRef<TapeValue> leaves);
/// Refuses whatever else asks for such contents.
FailAny refuseTable(Engine &e);

/// A method of a dict or a set, one of whose operands is such a table; Absent: it is no such call.
Value callOnTable(Engine &e, const BuiltinRow &row, CallArgs &args);
/// Operators of sets, one of which is such a table; Absent: not such an operation.
Value tableOperation(Engine &e, llvm::StringRef symbol, const Value &a, const Value &b,
                     bool inPlace, ReturnAction action);
/// A function of lib/Prelude on a table and a key that is looked for in it, which has to be one
/// that is compared as numbers, strings and tuples are.
Value callOnKey(Engine &e, llvm::StringRef function, const Value &table, const Value &key,
                ReturnAction action);
/// table[key] = value
Value setTableItem(Engine &e, const Value &table, const Value &key, const Value &value);
/// set.add(item)
Value addToTable(Engine &e, const Value &set, const Value &item);
/// set(v) of what has members that the run decides, or `items` that branches do not tell apart;
/// Absent: of others.
Value makeTable(Engine &e, const Value &v, const std::optional<std::vector<Value>> &items,
                bool frozen, ReturnAction action);
/// Tells the iterators over a dict that keys are taken out of it: by clear() alone, or else
/// (Containers.cpp).
void disturbWalkers(Engine &e, ObjectId dict, bool clears = false);
/// The iterator over a table, or a view of one.
Value iterateTable(Engine &e, const Value &v, ReturnAction action);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_RUNTIMETABLES_H
