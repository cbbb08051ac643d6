//===- Floats.cpp - Instructions on floats, rounded to the nearest ----------------------------===//
//
// A row for each instruction, type and way of writing it. Approximations are the nearest floats:
// what follows from their errors on a GPU is not seen here.
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include <algorithm>

using namespace device;

namespace {
/// What a type is computed with.
template <class T> using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T> bool isNan(T value) { return std::isnan(Computed<T>(value)); }

struct Add {
  template <class T> T operator()(T a, T b) const { return T(Computed<T>(a) + Computed<T>(b)); }
};
struct Sub {
  template <class T> T operator()(T a, T b) const { return T(Computed<T>(a) - Computed<T>(b)); }
};
struct Mul {
  template <class T> T operator()(T a, T b) const { return T(Computed<T>(a) * Computed<T>(b)); }
};
struct Div {
  template <class T> T operator()(T a, T b) const { return T(Computed<T>(a) / Computed<T>(b)); }
};
struct Fma {
  template <class T> T operator()(T a, T b, T c) const {
    if constexpr (isHalf<T>)
      return T(double(a) * double(b) + double(c));
    else
      return std::fma(a, b, c);
  }
};
/// The number, of a number and none; minus zero is less than zero.
template <bool IsMax> struct Extreme {
  template <class T> T operator()(T a, T b) const {
    auto x = Computed<T>(a), y = Computed<T>(b);
    if (isNan(a))
      return isNan(b) ? T(std::numeric_limits<Computed<T>>::quiet_NaN()) : b;
    if (isNan(b))
      return a;
    if (x == y)
      return std::signbit(x) == IsMax ? b : a;
    return (x > y) == IsMax ? a : b;
  }
};
/// No number, of a number and none.
template <bool IsMax> struct ExtremeOrNan {
  template <class T> T operator()(T a, T b) const {
    if (isNan(a) || isNan(b))
      return T(std::numeric_limits<Computed<T>>::quiet_NaN());
    return Extreme<IsMax>()(a, b);
  }
};
struct Neg {
  template <class T> T operator()(T a) const { return T(-Computed<T>(a)); }
};
struct Abs {
  template <class T> T operator()(T a) const { return T(std::fabs(Computed<T>(a))); }
};
/// The sign comes first.
struct CopySign {
  template <class T> T operator()(T sign, T a) const { return std::copysign(a, sign); }
};
struct Sqrt {
  template <class T> T operator()(T a) const { return std::sqrt(a); }
};
struct Reciprocal {
  template <class T> T operator()(T a) const { return T(1) / a; }
};
struct ReciprocalSqrt {
  template <class T> T operator()(T a) const { return T(1 / std::sqrt(double(a))); }
};
struct Exp2 {
  template <class T> T operator()(T a) const { return T(std::exp2(Computed<T>(a))); }
};
struct Log2 {
  template <class T> T operator()(T a) const { return std::log2(a); }
};
struct Sin {
  template <class T> T operator()(T a) const { return std::sin(a); }
};
struct Cos {
  template <class T> T operator()(T a) const { return std::cos(a); }
};
struct Tanh {
  template <class T> T operator()(T a) const { return T(std::tanh(Computed<T>(a))); }
};

/// Both halves of a register.
template <class F> struct Twice {
  template <class T, class... A> Pair<T> operator()(Pair<T> first, A... rest) const {
    return {F()(first.low, rest.low...), F()(first.high, rest.high...)};
  }
};
/// Subnormal operands and results are zeros.
template <class F> struct Flushed {
  template <class... A> float operator()(A... operands) const {
    return flushed(F()(flushed(operands)...));
  }
};
/// Between 0 and 1; what is no number is 0.
template <class F> struct Saturated {
  template <class... A> float operator()(A... operands) const {
    float made = F()(operands...);
    return made > 0 ? std::min(made, 1.0F) : 0.0F;
  }
};
/// As hardware gives it where programs refine it: the upper half of a double.
template <class F> struct UpperHalf {
  double operator()(double a) const {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(F()(a)) & ~uint64_t(0xffffffff));
  }
};

template <class F, class... T>
void addEach(Table &table, std::initializer_list<std::string> names) {
  for (const std::string &name : names)
    table.add(name, rowOf<F, T...>());
}

/// Operations that have `.rn` or not.
template <class F, class... T> void addRounded(Table &table, const std::string &op) {
  addEach<F, float, T...>(table, {op + ".f32", op + ".rn.f32"});
  addEach<Flushed<F>, float, T...>(table, {op + ".ftz.f32", op + ".rn.ftz.f32"});
  addEach<Saturated<F>, float, T...>(table, {op + ".sat.f32", op + ".rn.sat.f32"});
}
template <class F, class T>
void addTwo(Table &table, const std::string &op, const std::string &type) {
  addEach<F, T, T, T>(table, {op + "." + type, op + ".rn." + type});
}
template <class F, class T>
void addHalves(Table &table, const std::string &op, const std::string &type) {
  addTwo<F, T>(table, op, type);
  addTwo<Twice<F>, Pair<T>>(table, op, type + "x2");
}
template <class F> void addSums(Table &table, const std::string &op) {
  addRounded<F, float, float>(table, op);
  addTwo<F, double>(table, op, "f64");
  addHalves<F, Half>(table, op, "f16");
  addHalves<F, BFloat>(table, op, "bf16");
}
template <class F, class FNan> void addExtremes(Table &table, const std::string &op) {
  addTwo<F, float>(table, op, "f32");
  addTwo<Flushed<F>, float>(table, op + ".ftz", "f32");
  addTwo<F, double>(table, op, "f64");
  addHalves<F, Half>(table, op, "f16");
  addHalves<F, BFloat>(table, op, "bf16");
  addTwo<FNan, float>(table, op + ".NaN", "f32");
  addHalves<FNan, Half>(table, op + ".NaN", "f16");
  addHalves<FNan, BFloat>(table, op + ".NaN", "bf16");
}
template <class F> void addSigns(Table &table, const std::string &op) {
  addEach<F, float, float>(table, {op + ".f32"});
  addEach<Flushed<F>, float, float>(table, {op + ".ftz.f32"});
  addEach<F, double, double>(table, {op + ".f64"});
  addEach<F, Half, Half>(table, {op + ".f16"});
  addEach<F, BFloat, BFloat>(table, {op + ".bf16"});
  addEach<Twice<F>, Pair<Half>, Pair<Half>>(table, {op + ".f16x2"});
  addEach<Twice<F>, Pair<BFloat>, Pair<BFloat>>(table, {op + ".bf16x2"});
}
template <class T> void addFmas(Table &table, const std::string &type) {
  addEach<Fma, T, T, T, T>(table, {"fma.rn." + type});
  addEach<Twice<Fma>, Pair<T>, Pair<T>, Pair<T>, Pair<T>>(table, {"fma.rn." + type + "x2"});
}
/// Approximations of functions of one number.
template <class F> void addApproximation(Table &table, const std::string &op) {
  addEach<F, float, float>(table, {op + ".approx.f32"});
  addEach<Flushed<F>, float, float>(table, {op + ".approx.ftz.f32"});
}
} // namespace

void device::addFloats(Table &table) {
  addSums<Add>(table, "add");
  addSums<Sub>(table, "sub");
  addSums<Mul>(table, "mul");
  addExtremes<Extreme<false>, ExtremeOrNan<false>>(table, "min");
  addExtremes<Extreme<true>, ExtremeOrNan<true>>(table, "max");
  addSigns<Neg>(table, "neg");
  addSigns<Abs>(table, "abs");
  addRounded<Fma, float, float, float>(table, "fma");
  addEach<Fma, double, double, double, double>(table, {"fma.rn.f64"});
  addFmas<Half>(table, "f16");
  addFmas<BFloat>(table, "bf16");
  addEach<Div, float, float, float>(table, {"div.rn.f32", "div.approx.f32", "div.full.f32"});
  addEach<Flushed<Div>, float, float, float>(
      table, {"div.rn.ftz.f32", "div.approx.ftz.f32", "div.full.ftz.f32"});
  addEach<Div, double, double, double>(table, {"div.rn.f64"});
  addEach<CopySign, float, float, float>(table, {"copysign.f32"});
  addEach<CopySign, double, double, double>(table, {"copysign.f64"});
  addEach<Sqrt, float, float>(table, {"sqrt.rn.f32"});
  addEach<Flushed<Sqrt>, float, float>(table, {"sqrt.rn.ftz.f32"});
  addEach<Sqrt, double, double>(table, {"sqrt.rn.f64"});
  addEach<Reciprocal, float, float>(table, {"rcp.rn.f32"});
  addEach<Flushed<Reciprocal>, float, float>(table, {"rcp.rn.ftz.f32"});
  addEach<Reciprocal, double, double>(table, {"rcp.rn.f64"});
  addApproximation<Sqrt>(table, "sqrt");
  addApproximation<Reciprocal>(table, "rcp");
  addApproximation<ReciprocalSqrt>(table, "rsqrt");
  addApproximation<Exp2>(table, "ex2");
  addApproximation<Log2>(table, "lg2");
  addApproximation<Sin>(table, "sin");
  addApproximation<Cos>(table, "cos");
  addEach<Tanh, float, float>(table, {"tanh.approx.f32"});
  addEach<Tanh, Half, Half>(table, {"tanh.approx.f16"});
  addEach<Exp2, Half, Half>(table, {"ex2.approx.f16"});
  addEach<UpperHalf<Reciprocal>, double, double>(table, {"rcp.approx.ftz.f64"});
  addEach<UpperHalf<ReciprocalSqrt>, double, double>(table,
                                                     {"rsqrt.approx.ftz.f64", "rsqrt.approx.f64"});
}
