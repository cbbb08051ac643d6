//===- AddGuard.h - Sets of guards, one guard after the other --------------*- C++ -*-===//
#ifndef PTC_TEST_SYMBOLIC_ADDGUARD_H
#define PTC_TEST_SYMBOLIC_ADDGUARD_H

#include "ptc/Symbolic/Guard.h"

namespace ptc::sym {

inline void addGuard(GuardSet &set, Guard guard) {
  std::vector<Guard> guards(set.guards());
  guards.push_back(std::move(guard));
  set = GuardSet(guards);
}

} // namespace ptc::sym

#endif // PTC_TEST_SYMBOLIC_ADDGUARD_H
