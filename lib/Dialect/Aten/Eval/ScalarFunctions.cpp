//===- ScalarFunctions.cpp - The functions that payloads call -------------------===//
//
// In: operands of one compute type. Out: one value, as the scalar code of eager's CPU kernels gives
// it (ATen/native/cpu/*.cpp); vectorised eager differs in the last places of libm functions.
//
//===----------------------------------------------------------------------===//
#include "ScalarFunctions.h"

#include "ptc/Dialect/Aten/IR/SpecialFunctions.h"
#include "ptc/TensorFile/HostTensor.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace ptc;
using namespace ptc::aten;

namespace {

template <typename T> constexpr bool isComplexType = IsComplexElement<T>::value;
template <typename T> constexpr bool isIntType = std::is_same_v<T, int64_t>;
using State = ScalarState;

//===--- Arithmetic ---------------------------------------------------------===//

template <typename T> T add(const T *x, State &) { return x[0] + x[1]; }
template <typename T> T sub(const T *x, State &) { return x[0] - x[1]; }
/// a * b; std::complex makes infinities of NaN, which eager keeps.
template <typename T> T times(T a, T b) {
  if constexpr (isComplexType<T>)
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  else
    return a * b;
}

template <typename T> T mul(const T *x, State &) { return times(x[0], x[1]); }
template <typename T> T neg(const T *x, State &) { return -x[0]; }

/// A step of a kernel whose arithmetic is that of c10::Half and c10::BFloat16, whose results are
/// rounded one by one. Where operand 1 is a single value, eager's kernels work in float.
template <typename T> T step(T v, const State &state) {
  if constexpr (std::is_same_v<T, float>) {
    if (state.single & 2)
      return v;
    if (state.dtype == DType::Float16)
      return float(Half(v));
    if (state.dtype == DType::BFloat16)
      return float(BFloat16(v));
  }
  return v;
}

/// x / y; of complex numbers as c10::complex does it, by the larger part of y.
template <typename T> T quotient(T x, T y) {
  if constexpr (isComplexType<T>) {
    auto a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
    if (c == 0 && d == 0)
      return T(a / std::abs(c), b / std::abs(d));
    bool isByReal = std::abs(c) >= std::abs(d);
    auto ratio = isByReal ? d / c : c / d;
    auto scale = 1 / (isByReal ? c + d * ratio : c * ratio + d);
    return isByReal ? T((a + b * ratio) * scale, (b - a * ratio) * scale)
                    : T((a * ratio + b) * scale, (b * ratio - a) * scale);
  } else {
    return x / y;
  }
}

template <typename T> T div(const T *x, State &state) {
  if constexpr (isIntType<T>) {
    if (x[1] == 0) {
      state.hasZeroDivision = true;
      return 0;
    }
    return x[1] == -1 ? -x[0] : x[0] / x[1];
  } else {
    return quotient(x[0], x[1]);
  }
}

template <typename T> T abs(const T *x, State &) {
  if constexpr (isIntType<T>)
    return x[0] < 0 ? -x[0] : x[0];
  else
    return std::abs(x[0]);
}

template <typename T> T sign(const T *x, State &) {
  if constexpr (isComplexType<T>)
    return x[0] == T(0) ? T(0) : x[0] / std::abs(x[0]);
  else
    return T((x[0] > 0) - (x[0] < 0));
}

template <typename T> T remainder(const T *x, State &state) {
  if constexpr (isIntType<T>) {
    if (x[1] == 0) {
      state.hasZeroDivision = true;
      return 0;
    }
    int64_t rest = x[1] == -1 ? 0 : x[0] % x[1];
    return rest != 0 && (rest < 0) != (x[1] < 0) ? rest + x[1] : rest;
  } else {
    T rest = std::fmod(x[0], x[1]);
    return rest != 0 && (rest < 0) != (x[1] < 0) ? rest + x[1] : rest;
  }
}

template <typename T> T fmod(const T *x, State &state) {
  if constexpr (isIntType<T>) {
    if (x[1] == 0)
      state.hasZeroDivision = true;
    return x[1] == 0 || x[1] == -1 ? 0 : x[0] % x[1];
  } else {
    return std::fmod(x[0], x[1]);
  }
}

/// c10/util/generic_math.h, div_floor_floating: exact where a / b is not.
template <typename T> T floordiv(const T *x, State &state) {
  if constexpr (isIntType<T>) {
    int64_t quotient = div(x, state);
    if (state.hasZeroDivision || x[1] == -1)
      return quotient;
    return x[0] % x[1] != 0 && (x[0] < 0) != (x[1] < 0) ? quotient - 1 : quotient;
  } else {
    T a = x[0], b = x[1];
    if (b == 0)
      return a / b;
    T rest = std::fmod(a, b);
    T quotient = step(step(a - rest, state) / b, state);
    if (rest != 0 && (b < 0) != (rest < 0))
      quotient = step(quotient - T(1), state);
    if (quotient == 0)
      return std::copysign(T(0), a / b);
    T result = std::floor(quotient);
    return quotient - result > T(0.5) ? result + T(1) : result;
  }
}

template <typename T> T divMode(const T *x, State &state) {
  if (!(state.present & 4))
    return div(x, state);
  if constexpr (!isComplexType<T>) {
    if (state.word == "floor")
      return floordiv(x, state);
    if constexpr (isIntType<T>)
      return div(x, state);
    else
      return std::trunc(step(x[0] / x[1], state));
  }
  return div(x, state);
}

template <typename T> T power(const T *x, State &state) {
  if constexpr (isIntType<T>) {
    int64_t base = x[0], exponent = x[1];
    if (exponent < 0)
      return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    int64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
      if (exponent & 1)
        result *= base;
    return result;
  } else {
    if (x[1] == T(2))
      return times(x[0], x[0]);
    return std::pow(x[0], x[1]);
  }
}

/// A product of c10::BFloat16 is one; those of c10::Half are made in float and rounded at the end.
template <typename T> T product(T a, T b, const State &state) {
  if constexpr (std::is_same_v<T, float>)
    if (state.dtype == DType::BFloat16)
      return float(BFloat16(a * b));
  return times(a, b);
}

/// Powers to which eager takes another way if the exponent is a number (PowKernel.cpp,
/// pow_tensor_scalar_kernel): they differ from pow() in the last place, for infinities and for -0.
template <typename T> T powerOfNumber(const T *x, State &state) {
  if constexpr (!isIntType<T>) {
    if (x[1] == T(3))
      return times(product(x[0], x[0], state), x[0]);
    if (state.dtype == DType::Float16)
      return power(x, state);
    if (x[1] == T(0.5))
      return std::sqrt(x[0]);
    if (x[1] == T(-0.5))
      return quotient(T(1), std::sqrt(x[0]));
    if (x[1] == T(-1))
      return quotient(T(1), x[0]);
    if (x[1] == T(-2))
      return quotient(T(1), product(x[0], x[0], state));
  }
  return power(x, state);
}

//===--- Order ---------------------------------------------------------------===//

template <typename T> bool isNan(T x) {
  if constexpr (isIntType<T>)
    return false;
  else if constexpr (isComplexType<T>)
    return std::isnan(x.real()) || std::isnan(x.imag());
  else
    return std::isnan(x);
}
// Of equal operands the first is given, which shows in the sign of zero.
template <typename T> T maximum(const T *x, State &) {
  return isNan(x[0]) || x[0] >= x[1] ? x[0] : x[1];
}
template <typename T> T minimum(const T *x, State &) {
  return isNan(x[0]) || x[0] <= x[1] ? x[0] : x[1];
}
template <typename T> T fmax(const T *x, State &) {
  return isNan(x[1]) || x[0] >= x[1] ? x[0] : x[1];
}
template <typename T> T fmin(const T *x, State &) {
  return isNan(x[1]) || x[0] <= x[1] ? x[0] : x[1];
}
template <typename T> T clamp(const T *x, State &state) {
  T value = x[0];
  if (isNan(value))
    return value;
  if (state.present & 2)
    value = isNan(x[1]) || value < x[1] ? x[1] : value;
  if (isNan(value))
    return value;
  if (state.present & 4)
    value = isNan(x[2]) || value > x[2] ? x[2] : value;
  return value;
}
template <typename T> T eq(const T *x, State &) { return T(x[0] == x[1]); }
template <typename T> T ne(const T *x, State &) { return T(x[0] != x[1]); }
template <typename T> T lt(const T *x, State &) { return T(x[0] < x[1]); }
template <typename T> T le(const T *x, State &) { return T(x[0] <= x[1]); }
template <typename T> T gt(const T *x, State &) { return T(x[0] > x[1]); }
template <typename T> T ge(const T *x, State &) { return T(x[0] >= x[1]); }
template <typename T> T select(const T *x, State &) { return x[0] != T(0) ? x[1] : x[2]; }

//===--- Bits -----------------------------------------------------------------===//

template <typename T> T bitAnd(const T *x, State &) {
  if constexpr (isIntType<T>)
    return x[0] & x[1];
  else
    return T(x[0] != T(0) && x[1] != T(0));
}
template <typename T> T bitOr(const T *x, State &) {
  if constexpr (isIntType<T>)
    return x[0] | x[1];
  else
    return T(x[0] != T(0) || x[1] != T(0));
}
template <typename T> T bitXor(const T *x, State &) {
  if constexpr (isIntType<T>)
    return x[0] ^ x[1];
  else
    return T((x[0] != T(0)) != (x[1] != T(0)));
}
int64_t bitNot(const int64_t *x, State &state) { return isBool(state.dtype) ? !x[0] : ~x[0]; }
int64_t leftShift(const int64_t *x, State &state) {
  int64_t bits = int64_t(getDTypeInfo(state.dtype).bytes) * 8;
  return x[1] < 0 || x[1] >= bits ? 0 : int64_t(uint64_t(x[0]) << x[1]);
}
int64_t rightShift(const int64_t *x, State &state) {
  const DTypeInfo &info = getDTypeInfo(state.dtype);
  int64_t most = info.bytes * 8 - (info.kind == DTypeKind::Signed);
  int64_t count = x[1] < 0 || x[1] >= most ? most : x[1];
  return x[0] >> count;
}

//===--- Rounding and classes ----------------------------------------------------===//

#define PTC_ROUND(NAME, FUNCTION)                                                                  \
  template <typename T> T NAME(const T *x, State &) {                                              \
    if constexpr (isIntType<T>)                                                                    \
      return x[0];                                                                                 \
    else                                                                                           \
      return FUNCTION(x[0]);                                                                       \
  }
PTC_ROUND(floor, std::floor)
PTC_ROUND(ceil, std::ceil)
PTC_ROUND(trunc, std::trunc)
PTC_ROUND(roundEven, std::nearbyint)
#undef PTC_ROUND

template <typename T> T isnan(const T *x, State &) { return T(isNan(x[0])); }
template <typename T> T isinf(const T *x, State &) {
  if constexpr (isIntType<T>)
    return 0;
  else if constexpr (isComplexType<T>)
    return T(std::isinf(x[0].real()) || std::isinf(x[0].imag()));
  else
    return T(std::isinf(x[0]));
}
template <typename T> T isfinite(const T *x, State &) {
  if constexpr (isIntType<T>)
    return 1;
  else if constexpr (isComplexType<T>)
    return T(std::isfinite(x[0].real()) && std::isfinite(x[0].imag()));
  else
    return T(std::isfinite(x[0]));
}
template <typename T> T signbit(const T *x, State &) {
  if constexpr (isIntType<T>)
    return x[0] < 0;
  else
    return T(std::signbit(x[0]));
}
template <typename T> T copysign(const T *x, State &) { return std::copysign(x[0], x[1]); }

double largest(DType dtype) {
  if (dtype == DType::Float16)
    return 65504;
  if (dtype == DType::BFloat16)
    return 0x1.fep127;
  return dtype == DType::Float32 || dtype == DType::Complex64 ? std::numeric_limits<float>::max()
                                                              : std::numeric_limits<double>::max();
}
template <typename T> T nanToNum(const T *x, State &state) {
  if constexpr (isIntType<T>) {
    return x[0];
  } else if constexpr (isComplexType<T>) {
    using Part = typename T::value_type;
    Part real[] = {x[0].real(), x[1].real(), x[2].real(), x[3].real()}, imag[4];
    std::copy(real, real + 4, imag);
    imag[0] = x[0].imag();
    return T(nanToNum<Part>(real, state), nanToNum<Part>(imag, state));
  } else {
    if (std::isnan(x[0]))
      return state.present & 2 ? x[1] : T(0);
    if (std::isinf(x[0]) && x[0] > 0)
      return state.present & 4 ? x[2] : T(largest(state.dtype));
    if (std::isinf(x[0]))
      return state.present & 8 ? x[3] : T(-largest(state.dtype));
    return x[0];
  }
}

//===--- libm --------------------------------------------------------------------===//

#define PTC_LIBM(NAME)                                                                             \
  template <typename T> T NAME(const T *x, State &) { return std::NAME(x[0]); }
PTC_LIBM(sqrt)
PTC_LIBM(exp)
PTC_LIBM(log)
PTC_LIBM(log10)
PTC_LIBM(sin)
PTC_LIBM(cos)
PTC_LIBM(tan)
PTC_LIBM(asin)
PTC_LIBM(acos)
PTC_LIBM(atan)
PTC_LIBM(sinh)
PTC_LIBM(cosh)
PTC_LIBM(tanh)
PTC_LIBM(asinh)
PTC_LIBM(acosh)
PTC_LIBM(atanh)
PTC_LIBM(erf)
PTC_LIBM(erfc)
#undef PTC_LIBM

template <typename T> T exp2(const T *x, State &) {
  if constexpr (isComplexType<T>)
    return std::exp(x[0] * typename T::value_type(std::numbers::ln2));
  else
    return std::exp2(x[0]);
}
template <typename T> T log2(const T *x, State &) {
  if constexpr (isComplexType<T>)
    return std::log(x[0]) / typename T::value_type(std::numbers::ln2);
  else
    return std::log2(x[0]);
}
template <typename T> T expm1(const T *x, State &) {
  if constexpr (isComplexType<T>) {
    auto a = x[0].real(), b = x[0].imag();
    auto half = std::sin(b / 2), er = std::expm1(a) * std::cos(b) - 2 * half * half;
    return T(er, std::exp(a) * std::sin(b));
  } else {
    return std::expm1(x[0]);
  }
}
/// log1p(z) = log|1 + z| + i arg(1 + z), where |1 + z|² = 1 + (a (2 + a) + b²) does not lose a
/// small z. In double, so that floats are right where these summands cancel.
template <typename T> T log1p(const T *x, State &) {
  if constexpr (isComplexType<T>) {
    double a = x[0].real(), b = x[0].imag(), angle = std::atan2(b, 1 + a);
    double excess = a * (2 + a) + b * b;
    bool isSmall = std::abs(excess) < 0.5; // else it may overflow, and 1 + z loses nothing
    double logarithm = excess == 0 ? a     // an underflow, or zero with its sign
                       : isSmall   ? std::log1p(excess) / 2
                                   : std::log(std::hypot(1 + a, b));
    using Real = typename T::value_type;
    return T(Real(logarithm), Real(angle));
  } else {
    return std::log1p(x[0]);
  }
}
/// The arithmetic of SpecialFunctions.h on numbers.
struct Doubles {
  using Value = double;
  static double number(double v) { return v; }
  static double add(double x, double y) { return x + y; }
  static double sub(double x, double y) { return x - y; }
  static double mul(double x, double y) { return x * y; }
  static double div(double x, double y) { return x / y; }
  static double neg(double x) { return -x; }
  static double abs(double x) { return std::fabs(x); }
  static double floor(double x) { return std::floor(x); }
  static double trunc(double x) { return std::trunc(x); }
  static double roundEven(double x) { return std::nearbyint(x); }
  static double sqrt(double x) { return std::sqrt(x); }
  static double exp(double x) { return std::exp(x); }
  static double log(double x) { return std::log(x); }
  static double log1p(double x) { return std::log1p(x); }
  static double sin(double x) { return std::sin(x); }
  static double tan(double x) { return std::tan(x); }
  static double erf(double x) { return std::erf(x); }
  static double erfc(double x) { return std::erfc(x); }
  static double copySign(double x, double sign) { return std::copysign(x, sign); }
  static bool less(double x, double y) { return x < y; }
  static bool equal(double x, double y) { return x == y; }
  static bool isNan(double x) { return std::isnan(x); }
  static bool negate(bool c) { return !c; }
  static bool either(bool c, bool d) { return c || d; }
  static double select(bool c, double x, double y) { return c ? x : y; }
};

template <typename T> T lgamma(const T *x, State &) {
  Doubles m;
  return T(logGamma(m, double(x[0])));
}
template <typename T> T atan2(const T *x, State &) { return std::atan2(x[0], x[1]); }
template <typename T> T hypot(const T *x, State &) { return std::hypot(x[0], x[1]); }

template <typename T> T digamma(const T *x, State &) {
  Doubles m;
  return T(aten::digamma(m, double(x[0])));
}

template <typename T> T erfinv(const T *x, State &) {
  Doubles m;
  return T(inverseErf(m, double(x[0])));
}

//===--- Composites that eager computes as one -------------------------------------===//

template <typename T> T xlogy(const T *x, State &state) {
  if (std::isnan(x[1]))
    return x[1];
  state.single = 0; // no kernel of its own for one value
  return x[0] == 0 ? T(0) : x[0] * step(std::log(x[1]), state);
}
template <typename T> T logaddexp(const T *x, State &) {
  if constexpr (isComplexType<T>) {
    bool isFirst = x[0].real() >= x[1].real();
    T high = isFirst ? x[0] : x[1], low = isFirst ? x[1] : x[0];
    return high + std::log(T(1) + std::exp(low - high));
  } else {
    if (std::isinf(x[0]) && x[0] == x[1])
      return x[0];
    return std::max(x[0], x[1]) + std::log1p(std::exp(-std::abs(x[0] - x[1])));
  }
}
template <typename T> T lerp(const T *x, State &) {
  return std::abs(x[2]) < 0.5 ? x[0] + x[2] * (x[1] - x[0]) : x[1] - (x[1] - x[0]) * (T(1) - x[2]);
}
template <typename T> T logit(const T *x, State &state) {
  T value = x[0];
  if (state.present & 2)
    value = value < x[1] ? x[1] : value > 1 - x[1] ? 1 - x[1] : value;
  return std::log(value / (1 - value));
}
template <typename T> T gelu(const T *x, State &state) {
  if (state.word == "tanh") {
    T inner = T(std::numbers::sqrt2 * std::numbers::inv_sqrtpi) *
              (x[0] + T(0.044715) * x[0] * x[0] * x[0]);
    return T(0.5) * x[0] * (T(1) + std::tanh(inner));
  }
  return x[0] * T(0.5) * (T(1) + std::erf(x[0] * T(std::numbers::sqrt2 / 2)));
}

} // namespace

#define PTC_ALL(F) F<int64_t>, F<float>, F<double>, F<std::complex<float>>, F<std::complex<double>>
#define PTC_ORDERED(F) F<int64_t>, F<float>, F<double>, nullptr, nullptr
#define PTC_REAL(F) nullptr, F<float>, F<double>, nullptr, nullptr
#define PTC_FLOATING(F)                                                                            \
  nullptr, F<float>, F<double>, F<std::complex<float>>, F<std::complex<double>>
#define PTC_INTEGER(F) F, nullptr, nullptr, nullptr, nullptr

static constexpr ScalarFunctionRow kFunctions[] = {
    {"abs", PTC_ALL(abs)},
    {"acos", PTC_FLOATING(acos)},
    {"acosh", PTC_FLOATING(acosh)},
    {"add", PTC_ALL(add)},
    {"and", PTC_ALL(bitAnd)},
    {"asin", PTC_FLOATING(asin)},
    {"asinh", PTC_FLOATING(asinh)},
    {"atan", PTC_FLOATING(atan)},
    {"atan2", PTC_REAL(atan2)},
    {"atanh", PTC_FLOATING(atanh)},
    {"ceil", PTC_ORDERED(ceil)},
    {"clamp", PTC_ORDERED(clamp)},
    {"copysign", PTC_REAL(copysign)},
    {"cos", PTC_FLOATING(cos)},
    {"cosh", PTC_FLOATING(cosh)},
    {"digamma", PTC_REAL(digamma)},
    {"div", PTC_ALL(div)},
    {"div_mode", PTC_ALL(divMode)},
    {"eq", PTC_ALL(eq)},
    {"erf", PTC_REAL(erf)},
    {"erfc", PTC_REAL(erfc)},
    {"erfinv", PTC_REAL(erfinv)},
    {"exp", PTC_FLOATING(exp)},
    {"exp2", PTC_FLOATING(exp2)},
    {"expm1", PTC_FLOATING(expm1)},
    {"floor", PTC_ORDERED(floor)},
    {"floordiv", PTC_ORDERED(floordiv)},
    {"fmax", PTC_ORDERED(fmax)},
    {"fmin", PTC_ORDERED(fmin)},
    {"fmod", PTC_ORDERED(fmod)},
    {"ge", PTC_ORDERED(ge)},
    {"gelu", PTC_REAL(gelu)},
    {"gt", PTC_ORDERED(gt)},
    {"hypot", PTC_REAL(hypot)},
    {"isfinite", PTC_ALL(isfinite)},
    {"isinf", PTC_ALL(isinf)},
    {"isnan", PTC_ALL(isnan)},
    {"le", PTC_ORDERED(le)},
    {"left_shift", PTC_INTEGER(leftShift)},
    {"lerp", PTC_FLOATING(lerp)},
    {"lgamma", PTC_REAL(lgamma)},
    {"log", PTC_FLOATING(log)},
    {"log10", PTC_FLOATING(log10)},
    {"log1p", PTC_FLOATING(log1p)},
    {"log2", PTC_FLOATING(log2)},
    {"logaddexp", PTC_FLOATING(logaddexp)},
    {"logit", PTC_REAL(logit)},
    {"lt", PTC_ORDERED(lt)},
    {"max", PTC_ORDERED(maximum)},
    {"maximum", PTC_ORDERED(maximum)},
    {"min", PTC_ORDERED(minimum)},
    {"minimum", PTC_ORDERED(minimum)},
    {"mul", PTC_ALL(mul)},
    {"nan_to_num", PTC_ALL(nanToNum)},
    {"ne", PTC_ALL(ne)},
    {"neg", PTC_ALL(neg)},
    {"not", PTC_INTEGER(bitNot)},
    {"or", PTC_ALL(bitOr)},
    {"pow", PTC_ALL(power)},
    {"pow_number", PTC_ALL(powerOfNumber)},
    {"remainder", PTC_ORDERED(remainder)},
    {"right_shift", PTC_INTEGER(rightShift)},
    {"roundeven", PTC_ORDERED(roundEven)},
    {"select", PTC_ALL(select)},
    {"sign", PTC_ALL(sign)},
    {"signbit", PTC_ORDERED(signbit)},
    {"sin", PTC_FLOATING(sin)},
    {"sinh", PTC_FLOATING(sinh)},
    {"sqrt", PTC_FLOATING(sqrt)},
    {"sub", PTC_ALL(sub)},
    {"tan", PTC_FLOATING(tan)},
    {"tanh", PTC_FLOATING(tanh)},
    {"trunc", PTC_ORDERED(trunc)},
    {"xlogy", PTC_REAL(xlogy)},
    {"xor", PTC_ALL(bitXor)},
};

const ScalarFunctionRow *ptc::aten::findScalarFunction(llvm::StringRef name) {
  const auto *row = std::lower_bound(
      std::begin(kFunctions), std::end(kFunctions), name,
      [](const ScalarFunctionRow &r, llvm::StringRef n) { return llvm::StringRef(r.name) < n; });
  return row != std::end(kFunctions) && row->name == name ? row : nullptr;
}
