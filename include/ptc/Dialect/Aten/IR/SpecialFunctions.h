//===- SpecialFunctions.h - lgamma, digamma and erfinv --------------*- C++ -*-===//
//
// The formulas, once: for the evaluator, whose values are doubles, and for payloads, whose values
// are SSA values. `Arithmetic` has a type `Value` and the functions that the formulas call. All
// cases are computed and one is selected.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_IR_SPECIALFUNCTIONS_H
#define PTC_DIALECT_ATEN_IR_SPECIALFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numbers>

namespace ptc::aten {

/// 1 less Euler's constant, then (-1)^k (zeta(k) - 1) / k from k = 2 on: the coefficients of
/// lgamma(2 + z) / z (Abramowitz and Stegun, 6.1.33). Exact to double precision for |z| <= 1/2.
inline constexpr double kLogGammaNearTwo[] = {
    0.42278433509846713,     0.3224670334241132,     -0.0673523010531981,
    0.020580808427784546,    -0.007385551028673986,  0.0028905103307415234,
    -0.001192753911703261,   0.0005096695247430425,  -0.00022315475845357939,
    9.945751278180853e-05,   -4.492623673813314e-05, 2.050721277567069e-05,
    -9.439488275268397e-06,  4.374866789907488e-06,  -2.039215753801366e-06,
    9.55141213040742e-07,    -4.492469198764566e-07, 2.1207184805554665e-07,
    -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08,
    1.0838659214896955e-08,  -5.183475041970047e-09, 2.4836745438024785e-09,
    -1.1921401405860912e-09, 5.731367241678862e-10,  -2.7595228851242334e-10};

/// Stirling's series: the Bernoulli numbers B(2n) over 2n (2n - 1).
inline constexpr double kStirling[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                       1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
inline constexpr double kHalfLogTwoPi = 0.91893853320467274;

/// The Bernoulli numbers B(2n) over 2n.
inline constexpr double kDigammaSeries[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                            1.0 / 132, -691.0 / 32760, 1.0 / 12};

template <typename Arithmetic>
auto polynomial(Arithmetic &m, typename Arithmetic::Value x, llvm::ArrayRef<double> coefficients) {
  auto sum = m.number(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = m.add(m.mul(sum, x), m.number(c));
  return sum;
}

/// Below 3/2 the series about 1, which is that about 2 less log(1 + z), and below 1/2 less log(a);
/// below 8 the series about 2 and the logarithm of what the recurrence multiplies by; else
/// Stirling's. At most 3 units in the last place.
template <typename Arithmetic>
auto logGammaOfPositive(Arithmetic &m, typename Arithmetic::Value a) {
  auto isTiny = m.less(a, m.number(0.5)), isSmall = m.less(a, m.number(1.5));
  auto isLarge = m.negate(m.less(a, m.number(8)));
  auto one = m.number(1), down = a, product = one;
  for (int i = 0; i < 6; ++i) {
    auto goes = m.less(m.number(2.5), down);
    down = m.select(goes, m.sub(down, one), down);
    product = m.select(goes, m.mul(product, down), product);
  }
  auto z = m.select(isTiny, a, m.select(isSmall, m.sub(a, one), m.sub(down, m.number(2))));
  auto series = m.mul(z, polynomial(m, z, kLogGammaNearTwo));
  auto argument = m.select(m.either(isTiny, isLarge), a, m.select(isSmall, one, product));
  auto log = m.log(argument);
  auto aboutOne = m.sub(m.sub(series, m.log1p(z)), log);
  auto inverse = m.div(one, a);
  auto rest = m.mul(inverse, polynomial(m, m.mul(inverse, inverse), kStirling));
  auto stirling = m.sub(m.mul(a, m.sub(log, one)), m.mul(m.number(0.5), log));
  stirling = m.add(stirling, m.add(m.number(kHalfLogTwoPi), rest));
  auto infinity = m.number(std::numeric_limits<double>::infinity());
  stirling = m.select(m.equal(a, infinity), a, stirling);
  return m.select(isLarge, stirling, m.select(isSmall, aboutOne, m.add(series, log)));
}

/// Of a negative number by reflection: log(pi / (|x| sin(pi |x|))) - lgamma(|x|); infinity at the
/// poles.
template <typename Arithmetic> auto logGamma(Arithmetic &m, typename Arithmetic::Value x) {
  auto a = m.abs(x), positive = logGammaOfPositive(m, a), pi = m.number(std::numbers::pi);
  auto angle = m.mul(pi, m.abs(m.sub(a, m.roundEven(a))));
  auto reflected = m.sub(m.sub(m.log(m.div(pi, m.sin(angle))), m.log(a)), positive);
  reflected = m.select(m.equal(m.floor(x), x), m.number(std::numeric_limits<double>::infinity()),
                       reflected);
  auto isPositive = m.less(m.number(0), x);
  return m.select(m.isNan(x), x, m.select(isPositive, positive, reflected));
}

/// The recurrence up to 10, then the asymptotic series.
template <typename Arithmetic> auto digammaOfPositive(Arithmetic &m, typename Arithmetic::Value a) {
  auto one = m.number(1), none = m.number(0), x = a, sum = none;
  for (int i = 0; i < 10; ++i) {
    auto goes = m.less(x, m.number(10));
    sum = m.sub(sum, m.select(goes, m.div(one, x), none));
    x = m.select(goes, m.add(x, one), x);
  }
  auto inverse = m.div(one, m.mul(x, x)), power = inverse;
  for (double term : kDigammaSeries) {
    sum = m.sub(sum, m.mul(m.number(term), power));
    power = m.mul(power, inverse);
  }
  return m.sub(m.add(sum, m.log(x)), m.div(m.number(0.5), x));
}

/// Of a negative number by reflection: digamma(1 - x) - pi / tan(pi x). Infinity at zero, NaN at
/// the other poles.
template <typename Arithmetic> auto digamma(Arithmetic &m, typename Arithmetic::Value x) {
  auto pi = m.number(std::numbers::pi), whole = m.trunc(x);
  auto isNegative = m.less(x, m.number(0));
  auto positive = digammaOfPositive(m, m.select(isNegative, m.sub(m.number(1), x), x));
  auto reflected = m.sub(positive, m.div(pi, m.tan(m.mul(pi, m.sub(x, whole)))));
  reflected =
      m.select(m.equal(whole, x), m.number(std::numeric_limits<double>::quiet_NaN()), reflected);
  auto atZero = m.copySign(m.number(std::numeric_limits<double>::infinity()), m.neg(x));
  return m.select(m.equal(x, m.number(0)), atZero, m.select(isNegative, reflected, positive));
}

/// Winitzki's approximation, then two of Halley's steps, each of which triples the digits. Above
/// 1/2 the difference of erfc keeps its digits.
template <typename Arithmetic> auto inverseErf(Arithmetic &m, typename Arithmetic::Value y) {
  constexpr double kShape = 0.147;
  auto a = m.abs(y), one = m.number(1);
  auto log = m.log1p(m.neg(m.mul(a, a)));
  auto middle = m.add(m.number(2 / (std::numbers::pi * kShape)), m.mul(m.number(0.5), log));
  auto under = m.sub(m.mul(middle, middle), m.div(log, m.number(kShape)));
  auto x = m.sqrt(m.sub(m.sqrt(under), middle));
  auto isNear = m.less(m.number(0.5), a);
  for (int i = 0; i < 2; ++i) {
    auto error = m.select(isNear, m.sub(m.sub(one, a), m.erfc(x)), m.sub(m.erf(x), a));
    auto bell = m.exp(m.neg(m.mul(x, x)));
    auto step = m.div(error, m.mul(m.number(2 * std::numbers::inv_sqrtpi), bell));
    x = m.sub(x, m.div(step, m.add(one, m.mul(x, step))));
  }
  x = m.select(m.equal(a, one), m.number(std::numeric_limits<double>::infinity()), x);
  return m.copySign(x, y);
}

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_SPECIALFUNCTIONS_H
