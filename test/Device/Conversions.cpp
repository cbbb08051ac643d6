//===- Conversions.cpp - Numbers of one type as those of another -----------------------===//
//
// A row for each pair of types, rounding and way of writing it. Integers out of the range of a type
// are its limits, what is no number is 0, as GPUs do.
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include <algorithm>
#include <type_traits>

using namespace device;

namespace {
enum class Rounding : uint8_t { Nearest, Zero, Down, Up };

/// Integers of 8 bits are in registers of 16.
template <class T> using Register = std::conditional_t<sizeof(T) == 1, uint16_t, T>;
template <class T> constexpr bool isInteger = std::is_integral_v<T>;

template <Rounding R> double roundedInteger(double value) {
  switch (R) {
  case Rounding::Nearest:
    return std::nearbyint(value);
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  }
}

/// The neighbour to the right side of `near`, the nearest float of `exact`.
template <Rounding R, class T> T towards(T near, long double exact) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  bool isAbove = (long double)(near) > exact, isBelow = (long double)(near) < exact;
  if (isAbove && (R == Rounding::Down || (R == Rounding::Zero && exact > 0)))
    return std::nextafter(near, -kInfinity);
  if (isBelow && (R == Rounding::Up || (R == Rounding::Zero && exact < 0)))
    return std::nextafter(near, kInfinity);
  return near;
}

template <class To, Rounding R, class From> To floatTo(From from) {
  if constexpr (isInteger<To>) {
    double value = roundedInteger<R>(double(from));
    if (std::isnan(value))
      return 0;
    if (value >= std::ldexp(1.0, std::numeric_limits<To>::digits))
      return std::numeric_limits<To>::max();
    return value <= double(std::numeric_limits<To>::min()) ? std::numeric_limits<To>::min()
                                                           : To(value);
  } else if constexpr (isHalf<To> || isHalf<From>) {
    return To(double(from));
  } else {
    return towards<R>(To(from), (long double)(from));
  }
}
template <class To, Rounding R, class From> To integerTo(From from) {
  if constexpr (isInteger<To>)
    return To(from);
  else if constexpr (isHalf<To>)
    return To(sizeof(From) < 8 ? double(from)
                               : double(towards<Rounding::Zero>(double(from), from)));
  else
    return towards<R>(To(from), (long double)(from));
}

template <class To, class From, Rounding R> struct Convert {
  auto operator()(Register<From> from) const {
    To made;
    if constexpr (isInteger<From>)
      made = integerTo<To, R>(From(from));
    else
      made = floatTo<To, R>(from);
    if constexpr (sizeof(To) == 1) // the sign goes on
      return uint16_t(std::is_signed_v<To> ? int16_t(made) : int16_t(uint8_t(made)));
    else
      return made;
  }
};
/// A float without what is behind its point.
template <class T, Rounding R> struct ToInteger {
  T operator()(T from) const { return T(roundedInteger<R>(double(from))); }
};
template <class F> struct Flushed {
  template <class From> auto operator()(From from) const {
    auto flush = [](auto value) {
      if constexpr (std::is_same_v<decltype(value), float>)
        return flushed(value);
      else
        return value;
    };
    return flush(F()(flush(from)));
  }
};
template <class T> struct Saturate {
  T operator()(T from) const { return from > 0 ? std::min(from, T(1)) : T(0); }
};
/// Integers that the other type has not are its limits.
template <class To, class From> struct Clamp {
  Register<To> operator()(Register<From> from) const {
    auto value = __int128(From(from)); // NOLINT(bugprone-signed-char-misuse): it is a number
    value = std::clamp(value, __int128(std::numeric_limits<To>::min()),
                       __int128(std::numeric_limits<To>::max()));
    return Convert<To, To, Rounding::Zero>()(Register<To>(To(value)));
  }
};
/// The second operand is the lower half.
template <class T, bool IsRelu> struct Pack {
  Pair<T> operator()(float high, float low) const {
    auto made = [](float value) {
      if (IsRelu && !std::isnan(value))
        value = std::max(value, 0.0F);
      return T(value);
    };
    return {made(low), made(high)};
  }
};
/// Ten bits behind the point, rounded away from zero in the middle.
struct ToTf32 {
  uint32_t operator()(float value) const {
    auto bits = std::bit_cast<uint32_t>(value);
    return std::isfinite(value) ? (bits + 0x1000) & ~0x1fffU : bits;
  }
};

template <class T> struct Named {
  const char *name;
};

template <class To, class From, Rounding R> void addRow(Table &table, const std::string &name) {
  using F = Convert<To, From, R>;
  table.add(name, rowOf<F, Register<To>, Register<From>>());
}
/// `.rn` and so on, or `.rni` where the result is an integer.
template <class To, class From>
void addRoundings(Table &table, const std::string &mark, const std::string &types) {
  addRow<To, From, Rounding::Nearest>(table, "cvt.rn" + mark + types);
  addRow<To, From, Rounding::Zero>(table, "cvt.rz" + mark + types);
  addRow<To, From, Rounding::Down>(table, "cvt.rm" + mark + types);
  addRow<To, From, Rounding::Up>(table, "cvt.rp" + mark + types);
}
template <class To, class From> void addConversion(Table &table, const char *to, const char *from) {
  std::string types = std::string(".") + to + "." + from;
  if constexpr (isInteger<From> && isInteger<To>) {
    addRow<To, From, Rounding::Zero>(table, "cvt" + types);
    table.add("cvt.sat" + types, rowOf<Clamp<To, From>, Register<To>, Register<From>>());
  } else if constexpr (isInteger<To>) {
    addRoundings<To, From>(table, "i", types);
    if constexpr (std::is_same_v<From, float>)
      table.add("cvt.rzi.ftz" + types,
                rowOf<Flushed<Convert<To, From, Rounding::Zero>>, Register<To>, From>());
  } else if constexpr (isHalf<To> && isHalf<From> && std::is_same_v<To, From>) {
    return;
  } else {
    addRoundings<To, From>(table, "", types);
    addRow<To, From, Rounding::Nearest>(table, "cvt" + types);
    using F = Flushed<Convert<To, From, Rounding::Nearest>>;
    table.add("cvt.ftz" + types, rowOf<F, To, Register<From>>());
    table.add("cvt.rn.ftz" + types, rowOf<F, To, Register<From>>());
  }
}

template <class To, class... From> void addFrom(Table &table, const char *to, Named<From>... from) {
  (addConversion<To, From>(table, to, from.name), ...);
}
template <class... To> void addTo(Table &table, Named<To>... to) {
  (addFrom<To>(table, to.name, Named<uint8_t>{"u8"}, Named<int8_t>{"s8"}, Named<uint16_t>{"u16"},
               Named<int16_t>{"s16"}, Named<uint32_t>{"u32"}, Named<int32_t>{"s32"},
               Named<uint64_t>{"u64"}, Named<int64_t>{"s64"}, Named<Half>{"f16"},
               Named<BFloat>{"bf16"}, Named<float>{"f32"}, Named<double>{"f64"}),
   ...);
}

template <class T> void addIntegral(Table &table, const std::string &type) {
  std::string types = "." + type + "." + type;
  table.add("cvt.rni" + types, rowOf<ToInteger<T, Rounding::Nearest>, T, T>());
  table.add("cvt.rzi" + types, rowOf<ToInteger<T, Rounding::Zero>, T, T>());
  table.add("cvt.rmi" + types, rowOf<ToInteger<T, Rounding::Down>, T, T>());
  table.add("cvt.rpi" + types, rowOf<ToInteger<T, Rounding::Up>, T, T>());
}
template <class T> void addPacks(Table &table, const std::string &type) {
  table.add("cvt.rn." + type + "x2.f32", rowOf<Pack<T, false>, Pair<T>, float, float>());
  table.add("cvt.rn.relu." + type + "x2.f32", rowOf<Pack<T, true>, Pair<T>, float, float>());
}
} // namespace

void device::addConversions(Table &table) {
  addTo(table, Named<uint8_t>{"u8"}, Named<int8_t>{"s8"}, Named<uint16_t>{"u16"},
        Named<int16_t>{"s16"}, Named<uint32_t>{"u32"}, Named<int32_t>{"s32"},
        Named<uint64_t>{"u64"}, Named<int64_t>{"s64"}, Named<Half>{"f16"}, Named<BFloat>{"bf16"},
        Named<float>{"f32"}, Named<double>{"f64"});
  addIntegral<Half>(table, "f16");
  addIntegral<float>(table, "f32");
  addIntegral<double>(table, "f64");
  addPacks<Half>(table, "f16");
  addPacks<BFloat>(table, "bf16");
  table.add("cvt.sat.f32.f32", rowOf<Saturate<float>, float, float>());
  table.add("cvt.sat.f64.f64", rowOf<Saturate<double>, double, double>());
  table.add("cvt.rna.tf32.f32", rowOf<ToTf32, uint32_t, float>());
}
