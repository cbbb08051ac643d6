//===- Variants.cpp - The cases of the tables in other orders and sizes -----------===//
//
// In: a case. Out: the same one with its tensors in other memory orders, and with equal sizes of
// its tensors made 0 and 1. Many of them fit no longer: then eager and ptc raise the same.
//
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include <set>

using namespace ptc;
using namespace ptc::numerics;
using Layout = TensorSpec::Layout;

/// Calls `change` with each tensor of `c` and its number.
template <typename Change> static void forTensors(Case &c, Change change) {
  size_t number = 0;
  for (auto &[name, argument] : c) {
    if (auto *spec = std::get_if<TensorSpec>(&argument))
      change(*spec, number++);
    else if (auto *list = std::get_if<std::vector<std::optional<TensorSpec>>>(&argument))
      for (auto &item : *list)
        if (item)
          change(*item, number++);
  }
}

static size_t countTensors(const Case &given) {
  Case c = given;
  size_t count = 0;
  forTensors(c, [&](TensorSpec &, size_t) { ++count; });
  return count;
}

/// `given` with the tensors for which `isMeant` holds in `layout`, where their rank has it.
template <typename IsMeant> static Case laidOut(const Case &given, Layout layout, IsMeant isMeant) {
  Case c = given;
  forTensors(c, [&](TensorSpec &spec, size_t number) {
    bool isPossible = spec.sizes.size() >= 3 || layout != Layout::ChannelsLast;
    if (isPossible && isMeant(number))
      spec.layout = layout;
  });
  return c;
}

static void addOrders(const Case &given, std::vector<Case> &cases) {
  size_t count = countTensors(given);
  for (Layout layout : {Layout::Transposed, Layout::Rolled, Layout::ChannelsLast, Layout::Sliced,
                        Layout::Expanded, Layout::Inside}) {
    cases.push_back(laidOut(given, layout, [](size_t) { return true; }));
    for (size_t one = 0; count > 1 && one < count; ++one)
      cases.push_back(laidOut(given, layout, [=](size_t number) { return number == one; }));
  }
}

std::vector<Case> ptc::numerics::variantsOf(const Case &given) {
  std::vector<Case> cases;
  addOrders(given, cases);
  std::set<int64_t> sizes;
  Case plain = given;
  forTensors(plain, [&](TensorSpec &spec, size_t) {
    sizes.insert(spec.sizes.begin(), spec.sizes.end());
    spec.layout = Layout::Contiguous;
  });
  for (int64_t from : sizes)
    for (int64_t to : {0, 1}) {
      Case c = plain;
      forTensors(c, [&](TensorSpec &spec, size_t) {
        std::replace(spec.sizes.begin(), spec.sizes.end(), from, to);
      });
      if (from == to || from == 0)
        continue;
      cases.push_back(c);
      for (Layout layout : {Layout::Transposed, Layout::ChannelsLast})
        cases.push_back(laidOut(c, layout, [](size_t) { return true; }));
    }
  return cases;
}
