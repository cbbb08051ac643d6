//===- Comparisons.cpp - Predicates, and selections by them ----------------------------===//
//
// A predicate is one mask for all lanes of a warp.
//
//===----------------------------------------------------------------------===//
#include "Table.h"

using namespace device;

namespace {
/// Lanes that the instruction is for have what is new.
void put(Warp &warp, uint32_t place, Mask mask) {
  Mask &to = *warp.at<Mask>(place);
  to = (to & ~warp.active) | (mask & warp.active);
}

template <class F, class T> Mask compareLanes(Warp &warp, const Instruction &i) {
  const T *a = warp.at<T>(i.at[1]), *b = warp.at<T>(i.at[2]);
  Mask mask = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    mask |= Mask(F()(a[lane], b[lane])) << lane;
  return mask;
}
template <class F, class T> void compare(Warp &warp, const Instruction &i) {
  put(warp, i.at[0], compareLanes<F, T>(warp, i));
}

template <class T> void select(Warp &warp, const Instruction &i) {
  T *to = warp.at<T>(i.at[0]);
  const T *a = warp.at<T>(i.at[1]), *b = warp.at<T>(i.at[2]);
  const Mask which = *warp.at<Mask>(i.at[3]), active = warp.active;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    T made = hasLane(which, lane) ? a[lane] : b[lane];
    to[lane] = hasLane(active, lane) ? made : to[lane];
  }
}

Mask operand(Warp &warp, const Instruction &i, unsigned k) { return *warp.at<Mask>(i.at[k]); }
void andMasks(Warp &warp, const Instruction &i) {
  put(warp, i.at[0], operand(warp, i, 1) & operand(warp, i, 2));
}
void orMasks(Warp &warp, const Instruction &i) {
  put(warp, i.at[0], operand(warp, i, 1) | operand(warp, i, 2));
}
void xorMasks(Warp &warp, const Instruction &i) {
  put(warp, i.at[0], operand(warp, i, 1) ^ operand(warp, i, 2));
}
void notMask(Warp &warp, const Instruction &i) { put(warp, i.at[0], ~operand(warp, i, 1)); }
void moveMask(Warp &warp, const Instruction &i) { put(warp, i.at[0], operand(warp, i, 1)); }

/// Numbers as they are compared.
template <class T> auto compared(T value) {
  if constexpr (isHalf<T>)
    return float(value);
  else
    return value;
}
struct Eq {
  template <class T> bool operator()(T a, T b) const { return compared(a) == compared(b); }
};
struct Ne {
  template <class T> bool operator()(T a, T b) const {
    return compared(a) < compared(b) || compared(a) > compared(b);
  }
};
struct Lt {
  template <class T> bool operator()(T a, T b) const { return compared(a) < compared(b); }
};
struct Le {
  template <class T> bool operator()(T a, T b) const { return compared(a) <= compared(b); }
};
struct Gt {
  template <class T> bool operator()(T a, T b) const { return compared(a) > compared(b); }
};
struct Ge {
  template <class T> bool operator()(T a, T b) const { return compared(a) >= compared(b); }
};
/// What is false of numbers, and true where one is none.
template <class F> struct Not {
  template <class T> bool operator()(T a, T b) const { return !F()(a, b); }
};
struct AreNumbers {
  template <class T> bool operator()(T a, T b) const {
    return compared(a) == compared(a) && compared(b) == compared(b);
  }
};
template <class F> struct Flushed {
  bool operator()(float a, float b) const { return F()(flushed(a), flushed(b)); }
};

template <class F, class T> void test(Warp &warp, const Instruction &i) {
  const T *a = warp.at<T>(i.at[1]);
  Mask mask = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    mask |= Mask(F()(a[lane])) << lane;
  put(warp, i.at[0], mask);
}
struct IsFinite {
  template <class T> bool operator()(T a) const { return std::isfinite(a); }
};
struct IsInfinite {
  template <class T> bool operator()(T a) const { return std::isinf(a); }
};
struct IsNumber {
  template <class T> bool operator()(T a) const { return !std::isnan(a); }
};
struct IsNoNumber {
  template <class T> bool operator()(T a) const { return std::isnan(a); }
};
struct IsNormal {
  template <class T> bool operator()(T a) const { return std::isnormal(a); }
};
struct IsSubnormal {
  template <class T> bool operator()(T a) const { return std::fpclassify(a) == FP_SUBNORMAL; }
};
template <class T> void addTests(Table &table, const std::string &type) {
  const std::vector<Width> widths{kPredicate, widthOf<T>};
  table.add("testp.finite." + type, {test<IsFinite, T>, widths});
  table.add("testp.infinite." + type, {test<IsInfinite, T>, widths});
  table.add("testp.number." + type, {test<IsNumber, T>, widths});
  table.add("testp.notanumber." + type, {test<IsNoNumber, T>, widths});
  table.add("testp.normal." + type, {test<IsNormal, T>, widths});
  table.add("testp.subnormal." + type, {test<IsSubnormal, T>, widths});
}

template <class F, class T>
void addComparison(Table &table, const std::string &name, const std::string &type) {
  table.add("setp." + name + "." + type, {compare<F, T>, {kPredicate, widthOf<T>, widthOf<T>}});
  if constexpr (std::is_same_v<T, float>)
    table.add("setp." + name + ".ftz." + type,
              {compare<Flushed<F>, T>, {kPredicate, widthOf<T>, widthOf<T>}});
}
template <class T> void addOrder(Table &table, const std::string &type) {
  addComparison<Eq, T>(table, "eq", type);
  addComparison<Ne, T>(table, "ne", type);
  addComparison<Lt, T>(table, "lt", type);
  addComparison<Le, T>(table, "le", type);
  addComparison<Gt, T>(table, "gt", type);
  addComparison<Ge, T>(table, "ge", type);
}
template <class T> void addUnordered(Table &table, const std::string &type) {
  addOrder<T>(table, type);
  addComparison<Not<Ne>, T>(table, "equ", type);
  addComparison<Not<Eq>, T>(table, "neu", type);
  addComparison<Not<Ge>, T>(table, "ltu", type);
  addComparison<Not<Gt>, T>(table, "leu", type);
  addComparison<Not<Le>, T>(table, "gtu", type);
  addComparison<Not<Lt>, T>(table, "geu", type);
  addComparison<AreNumbers, T>(table, "num", type);
  addComparison<Not<AreNumbers>, T>(table, "nan", type);
}
template <class T> void addSelections(Table &table, std::initializer_list<const char *> types) {
  for (const char *type : types)
    table.add(std::string("selp.") + type,
              {select<T>, {widthOf<T>, widthOf<T>, widthOf<T>, kPredicate}});
}
/// Of words that are only the same or not.
template <class T> void addEquality(Table &table, const std::string &type) {
  addComparison<Eq, T>(table, "eq", type);
  addComparison<Ne, T>(table, "ne", type);
}
} // namespace

void device::addComparisons(Table &table) {
  addOrder<uint16_t>(table, "u16");
  addOrder<int16_t>(table, "s16");
  addOrder<uint32_t>(table, "u32");
  addOrder<int32_t>(table, "s32");
  addOrder<uint64_t>(table, "u64");
  addOrder<int64_t>(table, "s64");
  addEquality<uint16_t>(table, "b16");
  addEquality<uint32_t>(table, "b32");
  addEquality<uint64_t>(table, "b64");
  addUnordered<float>(table, "f32");
  addUnordered<double>(table, "f64");
  addTests<float>(table, "f32");
  addTests<double>(table, "f64");
  addUnordered<Half>(table, "f16");
  addUnordered<BFloat>(table, "bf16");
  addSelections<uint16_t>(table, {"b16", "u16", "s16", "f16", "bf16"});
  addSelections<uint32_t>(table, {"b32", "u32", "s32", "f32", "f16x2", "bf16x2"});
  addSelections<uint64_t>(table, {"b64", "u64", "s64", "f64"});
  const std::vector<Width> one(2, kPredicate), two(3, kPredicate);
  table.add("and.pred", {andMasks, two});
  table.add("or.pred", {orMasks, two});
  table.add("xor.pred", {xorMasks, two});
  table.add("not.pred", {notMask, one});
  table.add("mov.pred", {moveMask, one});
}
