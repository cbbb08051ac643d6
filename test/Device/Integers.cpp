//===- Integers.cpp - Instructions on integers and bits --------------------------------------===//
//
// A row for each instruction and type. Division by 0 gives all bits, as GPUs do.
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include <algorithm>
#include <type_traits>

using namespace device;

namespace {
template <class T> struct Wider;
template <> struct Wider<uint16_t> {
  using Type = uint32_t;
};
template <> struct Wider<int16_t> {
  using Type = int32_t;
};
template <> struct Wider<uint32_t> {
  using Type = uint64_t;
};
template <> struct Wider<int32_t> {
  using Type = int64_t;
};
template <> struct Wider<uint64_t> {
  using Type = unsigned __int128;
};
template <> struct Wider<int64_t> {
  using Type = __int128;
};
template <class T> using Wide = typename Wider<T>::Type;
/// Sums and products that do not overflow.
template <class T> using Wrapped = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

struct Add {
  template <class T> T operator()(T a, T b) const { return T(Wrapped<T>(a) + Wrapped<T>(b)); }
};
struct Sub {
  template <class T> T operator()(T a, T b) const { return T(Wrapped<T>(a) - Wrapped<T>(b)); }
};
struct MulLow {
  template <class T> T operator()(T a, T b) const { return T(Wrapped<T>(a) * Wrapped<T>(b)); }
};
struct MulHigh {
  template <class T> T operator()(T a, T b) const {
    return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
  }
};
struct MulWide {
  template <class T> Wide<T> operator()(T a, T b) const { return Wide<T>(a) * Wide<T>(b); }
};
struct MadLow {
  template <class T> T operator()(T a, T b, T c) const { return Add()(MulLow()(a, b), c); }
};
struct MadHigh {
  template <class T> T operator()(T a, T b, T c) const { return Add()(MulHigh()(a, b), c); }
};
struct MadWide {
  template <class T> Wide<T> operator()(T a, T b, Wide<T> c) const {
    return Add()(MulWide()(a, b), c);
  }
};
struct Div {
  template <class T> T operator()(T a, T b) const {
    if (b == 0)
      return T(-1);
    return std::is_signed_v<T> && b == T(-1) ? Sub()(T(0), a) : T(a / b);
  }
};
struct Rem {
  template <class T> T operator()(T a, T b) const {
    if (b == 0)
      return a;
    return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b);
  }
};
struct Min {
  template <class T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct Max {
  template <class T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct Neg {
  template <class T> T operator()(T a) const { return Sub()(T(0), a); }
};
struct Abs {
  template <class T> T operator()(T a) const { return a < 0 ? Neg()(a) : a; }
};
struct Sad {
  template <class T> T operator()(T a, T b, T c) const {
    return Add()(a < b ? Sub()(b, a) : Sub()(a, b), c);
  }
};
struct And {
  template <class T> T operator()(T a, T b) const { return T(a & b); }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return T(a | b); }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return T(a ^ b); }
};
struct Not {
  template <class T> T operator()(T a) const { return T(~a); }
};
struct IsZero {
  template <class T> T operator()(T a) const { return T(a == 0); }
};
struct ShiftLeft {
  template <class T> T operator()(T a, uint32_t by) const {
    return by < 8 * sizeof(T) ? T(Wrapped<T>(a) << by) : T(0);
  }
};
struct ShiftRight {
  template <class T> T operator()(T a, uint32_t by) const {
    return T(a >> std::min(by, uint32_t(8 * sizeof(T) - 1)) >> (by >= 8 * sizeof(T) ? 1 : 0));
  }
};
template <bool IsLeft, bool Wraps> struct Funnel {
  uint32_t operator()(uint32_t low, uint32_t high, uint32_t by) const {
    uint32_t n = Wraps ? by & 31 : std::min(by, 32U);
    uint64_t both = uint64_t(high) << 32 | low;
    return uint32_t(IsLeft ? both << n >> 32 : both >> n);
  }
};
struct Permute {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t selection) const {
    uint64_t both = uint64_t(b) << 32 | a;
    uint32_t made = 0;
    for (unsigned k = 0; k < 4; ++k, selection >>= 4) {
      auto byte = uint32_t(both >> (8 * (selection & 7)) & 0xff);
      if (selection & 8)
        byte = byte & 0x80 ? 0xff : 0;
      made |= byte << (8 * k);
    }
    return made;
  }
};
struct Extract {
  template <class T> T operator()(T a, uint32_t from, uint32_t length) const {
    const unsigned bits = 8 * sizeof(T);
    from &= 0xff;
    length &= 0xff;
    bool isNegative =
        std::is_signed_v<T> && length && a >> std::min(from + length - 1, bits - 1) & 1;
    using Bits = std::make_unsigned_t<T>;
    Bits mask = length >= bits ? ~Bits(0) : Bits((Bits(1) << length) - 1);
    Bits part = from >= bits ? Bits(0) : Bits(Bits(a) >> from);
    Bits there = from >= bits ? Bits(0) : Bits(~Bits(0) >> from); // bits of a
    part &= mask;
    return T(isNegative ? part | ~(mask & there) : part);
  }
};
struct Insert {
  template <class T> T operator()(T a, T b, uint32_t from, uint32_t length) const {
    const unsigned bits = 8 * sizeof(T);
    from &= 0xff;
    length &= 0xff;
    if (from >= bits)
      return b;
    T mask = (length >= bits ? ~T(0) : T((T(1) << length) - 1)) << from;
    return (b & ~mask) | (T(a << from) & mask);
  }
};
struct Logic3 {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c, uint32_t table) const {
    uint32_t made = 0;
    for (unsigned k = 0; k < 8; ++k)
      if (table >> k & 1)
        made |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return made;
  }
};
struct CountOnes {
  template <class T> uint32_t operator()(T a) const { return uint32_t(std::popcount(a)); }
};
struct LeadingZeros {
  template <class T> uint32_t operator()(T a) const { return uint32_t(std::countl_zero(a)); }
};
struct Reverse {
  template <class T> T operator()(T a) const {
    T made = 0;
    for (unsigned k = 0; k < 8 * sizeof(T); ++k)
      made |= T(a >> k & 1) << (8 * sizeof(T) - 1 - k);
    return made;
  }
};
/// The highest bit that is not as the sign is; `IsShift`: how far it is from the top.
template <bool IsShift> struct FindBit {
  template <class T> uint32_t operator()(T a) const {
    using Bits = std::make_unsigned_t<T>;
    Bits bits = a < 0 ? Bits(~a) : Bits(a);
    auto zeros = uint32_t(std::countl_zero(bits));
    if (bits == 0)
      return ~0U;
    return IsShift ? zeros : uint32_t(8 * sizeof(T) - 1) - zeros;
  }
};

template <class T> void addArithmetic(Table &table, const std::string &type) {
  table.add("add." + type, rowOf<Add, T, T, T>());
  table.add("sub." + type, rowOf<Sub, T, T, T>());
  table.add("mul.lo." + type, rowOf<MulLow, T, T, T>());
  table.add("mul.hi." + type, rowOf<MulHigh, T, T, T>());
  table.add("mad.lo." + type, rowOf<MadLow, T, T, T, T>());
  table.add("mad.hi." + type, rowOf<MadHigh, T, T, T, T>());
  table.add("div." + type, rowOf<Div, T, T, T>());
  table.add("rem." + type, rowOf<Rem, T, T, T>());
  table.add("min." + type, rowOf<Min, T, T, T>());
  table.add("max." + type, rowOf<Max, T, T, T>());
  table.add("sad." + type, rowOf<Sad, T, T, T, T>());
  table.add("shr." + type, rowOf<ShiftRight, T, T, uint32_t>());
}
template <class T> void addSigned(Table &table, const std::string &type) {
  table.add("neg." + type, rowOf<Neg, T, T>());
  table.add("abs." + type, rowOf<Abs, T, T>());
}
template <class T> void addWide(Table &table, const std::string &type) {
  table.add("mul.wide." + type, rowOf<MulWide, Wide<T>, T, T>());
  table.add("mad.wide." + type, rowOf<MadWide, Wide<T>, T, T, Wide<T>>());
}
template <class T> void addBits(Table &table, const std::string &type) {
  table.add("and." + type, rowOf<And, T, T, T>());
  table.add("or." + type, rowOf<Or, T, T, T>());
  table.add("xor." + type, rowOf<Xor, T, T, T>());
  table.add("not." + type, rowOf<Not, T, T>());
  table.add("cnot." + type, rowOf<IsZero, T, T>());
  table.add("shl." + type, rowOf<ShiftLeft, T, T, uint32_t>());
  table.add("shr." + type, rowOf<ShiftRight, T, T, uint32_t>());
}
/// Of 32 and 64 bits.
template <class T> void addWords(Table &table, const std::string &size) {
  using Signed = std::make_signed_t<T>;
  table.add("popc.b" + size, rowOf<CountOnes, uint32_t, T>());
  table.add("clz.b" + size, rowOf<LeadingZeros, uint32_t, T>());
  table.add("brev.b" + size, rowOf<Reverse, T, T>());
  table.add("bfi.b" + size, rowOf<Insert, T, T, T, uint32_t, uint32_t>());
  table.add("bfe.u" + size, rowOf<Extract, T, T, uint32_t, uint32_t>());
  table.add("bfe.s" + size, rowOf<Extract, Signed, Signed, uint32_t, uint32_t>());
  table.add("bfind.u" + size, rowOf<FindBit<false>, uint32_t, T>());
  table.add("bfind.s" + size, rowOf<FindBit<false>, uint32_t, Signed>());
  table.add("bfind.shiftamt.u" + size, rowOf<FindBit<true>, uint32_t, T>());
  table.add("bfind.shiftamt.s" + size, rowOf<FindBit<true>, uint32_t, Signed>());
}

/// Sums and differences that take a carry in, give one, or both. A difference adds the complement:
/// its borrow is a carry that is missing.
enum CarryUse : uint8_t { kGives = 1, kTakes = 2, kIsDifference = 4 };
template <class T, unsigned Use> void addCarrying(Warp &warp, const Instruction &i) {
  constexpr bool isDifference = (Use & kIsDifference) != 0;
  T *to = warp.at<T>(i.at[0]);
  const T *a = warp.at<T>(i.at[1]), *b = warp.at<T>(i.at[2]);
  Mask carry = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bool in = Use & kTakes ? hasLane(warp.carry, lane) != isDifference : isDifference;
    auto sum = Wide<T>(a[lane]) + Wide<T>(isDifference ? T(~b[lane]) : b[lane]) + Wide<T>(in);
    bool out = (sum >> (8 * sizeof(T)) & 1) != 0;
    carry |= Mask(out != isDifference) << lane;
    if (hasLane(warp.active, lane))
      to[lane] = T(sum);
  }
  if constexpr ((Use & kGives) != 0)
    warp.carry = (warp.carry & ~warp.active) | (carry & warp.active);
}
/// Products, low or high parts, added to something.
template <class T, class Product, unsigned Use>
void multiplyCarrying(Warp &warp, const Instruction &i) {
  T *to = warp.at<T>(i.at[0]);
  const T *a = warp.at<T>(i.at[1]), *b = warp.at<T>(i.at[2]), *c = warp.at<T>(i.at[3]);
  Mask carry = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bool in = Use & kTakes && hasLane(warp.carry, lane);
    auto sum = Wide<T>(Product()(a[lane], b[lane])) + Wide<T>(c[lane]) + Wide<T>(in);
    carry |= Mask(sum >> (8 * sizeof(T)) & 1) << lane;
    if (hasLane(warp.active, lane))
      to[lane] = T(sum);
  }
  if constexpr ((Use & kGives) != 0)
    warp.carry = (warp.carry & ~warp.active) | (carry & warp.active);
}

template <class T> void addCarries(Table &table, const std::string &type) {
  constexpr Width w = widthOf<T>;
  const std::vector<Width> two(3, w), three(4, w);
  table.add("add.cc." + type, {addCarrying<T, kGives>, two});
  table.add("addc." + type, {addCarrying<T, kTakes>, two});
  table.add("addc.cc." + type, {addCarrying<T, kTakes | kGives>, two});
  table.add("sub.cc." + type, {addCarrying<T, kIsDifference | kGives>, two});
  table.add("subc." + type, {addCarrying<T, kIsDifference | kTakes>, two});
  table.add("subc.cc." + type, {addCarrying<T, kIsDifference | kTakes | kGives>, two});
  table.add("mad.lo.cc." + type, {multiplyCarrying<T, MulLow, kGives>, three});
  table.add("mad.hi.cc." + type, {multiplyCarrying<T, MulHigh, kGives>, three});
  table.add("madc.lo." + type, {multiplyCarrying<T, MulLow, kTakes>, three});
  table.add("madc.hi." + type, {multiplyCarrying<T, MulHigh, kTakes>, three});
  table.add("madc.lo.cc." + type, {multiplyCarrying<T, MulLow, kTakes | kGives>, three});
  table.add("madc.hi.cc." + type, {multiplyCarrying<T, MulHigh, kTakes | kGives>, three});
}
} // namespace

void device::addIntegers(Table &table) {
  addArithmetic<uint16_t>(table, "u16");
  addArithmetic<int16_t>(table, "s16");
  addArithmetic<uint32_t>(table, "u32");
  addArithmetic<int32_t>(table, "s32");
  addArithmetic<uint64_t>(table, "u64");
  addArithmetic<int64_t>(table, "s64");
  addSigned<int16_t>(table, "s16");
  addSigned<int32_t>(table, "s32");
  addSigned<int64_t>(table, "s64");
  addWide<uint16_t>(table, "u16");
  addWide<int16_t>(table, "s16");
  addWide<uint32_t>(table, "u32");
  addWide<int32_t>(table, "s32");
  addBits<uint16_t>(table, "b16");
  addBits<uint32_t>(table, "b32");
  addBits<uint64_t>(table, "b64");
  addWords<uint32_t>(table, "32");
  addWords<uint64_t>(table, "64");
  table.add("shf.l.wrap.b32", rowOf<Funnel<true, true>, uint32_t, uint32_t, uint32_t, uint32_t>());
  table.add("shf.l.clamp.b32",
            rowOf<Funnel<true, false>, uint32_t, uint32_t, uint32_t, uint32_t>());
  table.add("shf.r.wrap.b32", rowOf<Funnel<false, true>, uint32_t, uint32_t, uint32_t, uint32_t>());
  table.add("shf.r.clamp.b32",
            rowOf<Funnel<false, false>, uint32_t, uint32_t, uint32_t, uint32_t>());
  table.add("prmt.b32", rowOf<Permute, uint32_t, uint32_t, uint32_t, uint32_t>());
  table.add("lop3.b32", rowOf<Logic3, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>());
  addCarries<uint32_t>(table, "u32");
  addCarries<uint64_t>(table, "u64");
}
