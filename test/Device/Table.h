//===- Table.h - What instructions do, by their names ---------*- C++ -*-===//
//
// Instructions that compute each lane's result of that lane's operands are functions of a table;
// others are taken apart by a function for all with the same first word.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_TABLE_H
#define PTC_TEST_DEVICE_TABLE_H

#include "Numbers.h"
#include "Run.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace device {

/// Widths of a result and of operands.
struct Row {
  Handler run;
  std::vector<Width> widths;
};

class Table {
public:
  Table();
  const Row *find(std::string_view name) const;
  void add(std::string name, Row row) { rows.emplace(std::move(name), std::move(row)); }

private:
  std::unordered_map<std::string, Row> rows;
};

void addIntegers(Table &table);
void addFloats(Table &table);
void addDirected(Table &table);
void addComparisons(Table &table);
void addConversions(Table &table);

template <class T> constexpr Width widthOf = Width(sizeof(T));

/// A bit of every lane as a truth value of it.
inline bool hasLane(Mask mask, unsigned lane) { return (mask >> lane & 1) != 0; }

template <class F, class R, class... A, size_t... K>
void computeLanes(Warp &warp, const Instruction &i, std::index_sequence<K...> /*unused*/) {
  R *to = warp.at<R>(i.at[0]);
  std::tuple<const A *...> from{warp.at<A>(i.at[K + 1])...};
  const Mask active = warp.active;
  if (active == kAll) {
    std::array<R, kLanes> made; // aside, so that it is known not to overlap
    for (unsigned lane = 0; lane < kLanes; ++lane)
      made[lane] = F()(std::get<K>(from)[lane]...);
    std::copy(made.begin(), made.end(), to);
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (hasLane(active, lane))
      to[lane] = F()(std::get<K>(from)[lane]...);
}

template <class F, class R, class... A> void compute(Warp &warp, const Instruction &i) {
  computeLanes<F, R, A...>(warp, i, std::index_sequence_for<A...>());
}

/// A row for F, a function of operands of types A that gives R.
template <class F, class R, class... A> Row rowOf() {
  return {compute<F, R, A...>, {widthOf<R>, widthOf<A>...}};
}

} // namespace device

#endif // PTC_TEST_DEVICE_TABLE_H
