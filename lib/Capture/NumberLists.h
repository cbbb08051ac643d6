//===- NumberLists.h - Lists of numbers that lie side by side ----------------------*- C++ -*-===//

#ifndef PTC_LIB_CAPTURE_NUMBERLISTS_H
#define PTC_LIB_CAPTURE_NUMBERLISTS_H

#include "Engine.h"

namespace ptc::capture {

/// Do the elements of the list, numbers or lists of these, lie in a storage of their own? Then its
/// contents are a tensor: lists that are elements are views of it.
bool isNumberList(Engine &e, const Value &list);
Value makeNumberList(Engine &e, const Value &tensor);

/// The element at a position that is known to be in range.
Value numberListGet(Engine &e, const Value &contents, const Value &position);
/// list[key] = value
Value numberListSet(Engine &e, const Value &list, const Value &key, const Value &value);
/// All elements; none where their number is not known before the run.
std::optional<std::vector<Value>> numberListItems(Engine &e, const Value &contents);

/// Does a list with these contents consist of known numbers of one type, at least one?
bool areNumbersAlike(const Value &contents);
/// The type of a tensor of such numbers.
TapeValue typeOfNumbers(Engine &e, const Value &contents);
/// Lays such a list's numbers side by side.
Flow layNumbers(Engine &e, const Value &list);

/// What a list shows of elements of lists of the run, which copied what they hold.
enum class Shown {
  Nothing,
  Element, ///< it is an element of one, or was read of one
  Rows     ///< its elements are lists that may be elements of another one, too
};
/// `isFrozen`: has a list of the run copied what the storage holds? Of what is `contents` on one
/// side of a join, that side says.
Shown shownBy(Engine &e, ObjectId list, const Value &contents,
              llvm::function_ref<bool(ObjectId)> isFrozen);

/// May both be one list, which is an element of another one? `a` and `b` are different objects.
bool mayBeOneElement(Engine &e, const Value &a, const Value &b);
/// Why nobody may see what the list holds; none if it was not hidden by a write to its table.
std::optional<llvm::StringRef> whyNotShown(Engine &e, ObjectId list);
/// Refuses a write to the list if it is an element of a list of the run, which copied it.
Flow checkListWrite(Engine &e, const Value &list);
/// The same for putting other contents in its place.
Flow checkListReplaced(Engine &e, const Value &list);

/// Where the program is about to write to an element of the list, which are lists: lays them side
/// by side. `contents` are those of the list; gives what they are then.
Value laidOut(Engine &e, const Value &list, const Value &contents);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_NUMBERLISTS_H
