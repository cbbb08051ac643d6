//===- MergeOrders.h - One order of what several lists hold ------------------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_MERGEORDERS_H
#define PTC_LIB_CAPTURE_MERGEORDERS_H

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <vector>

namespace ptc::capture {

/// Appends to `merged` what the lists hold, each once and in the order of every list; where several
/// may come next, the one of the first list does. This is the merge of Python's method resolution
/// order (C3; type.__mro__). False if the lists contradict each other: then `lists` is what is left
/// of them, and each first element lies behind another one.
template <typename T>
[[nodiscard]] bool mergeOrders(std::vector<std::vector<T>> &lists, std::vector<T> &merged) {
  for (std::vector<T> &list : lists)
    std::reverse(list.begin(), list.end()); // the next one is the last
  auto isBehind = [&](const T &one) {
    return llvm::any_of(lists, [&](const std::vector<T> &list) {
      return list.back() != one && llvm::is_contained(list, one);
    });
  };
  for (;;) {
    llvm::erase_if(lists, [](const std::vector<T> &list) { return list.empty(); });
    if (lists.empty())
      return true;
    auto found =
        llvm::find_if(lists, [&](const std::vector<T> &list) { return !isBehind(list.back()); });
    if (found == lists.end())
      break;
    const T next = found->back();
    merged.push_back(next);
    for (std::vector<T> &list : lists)
      if (list.back() == next)
        list.pop_back();
  }
  for (std::vector<T> &list : lists)
    std::reverse(list.begin(), list.end());
  return false;
}

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_MERGEORDERS_H
