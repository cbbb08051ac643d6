// math.hypot, gamma and lgamma, which CPython does not leave to the C library.
// Out: CPython's results, bit for bit where the C library's exp, log, pow, sin and cos are its own.
#include "ptc/Python/Math.h"

#include "Raise.h"

#include <cfloat>
#include <cmath>
#include <vector>

// Products and sums are rounded one by one, as in CPython.
#pragma STDC FP_CONTRACT OFF

namespace ptc::py {

//===----------------------------------------------------------------------===//
// hypot
//===----------------------------------------------------------------------===//

namespace {
/// A sum that starts at 1, of numbers that are no larger in magnitude, and what its additions and
/// the squares lost. The 1 keeps each addend below the sum, so that an addition's error is exact.
struct SquareSum {
  double sum = 1, lostBySquares = 0, lostBySums = 0;

  /// Adds a * b, which are equal in magnitude and at most 1.
  void addProduct(double a, double b) {
    const double product = a * b;
    lostBySquares += std::fma(a, b, -product);
    const double next = sum + product;
    lostBySums += product - (next - sum);
    sum = next;
  }
  double value() const { return sum - 1 + (lostBySquares + lostBySums); }
};
} // namespace

/// The coordinates are finite and `largest`, their maximum, is not 0.
static double finiteNorm(std::vector<double> coordinates, double largest) {
  int exponent = 0;
  (void)std::frexp(largest, &exponent);
  if (exponent < -1023) { // the scale would be infinite: subnormals are made normal first
    for (double &x : coordinates)
      x /= DBL_MIN;
    return DBL_MIN * finiteNorm(std::move(coordinates), largest / DBL_MIN);
  }
  const double scale = std::ldexp(1.0, -exponent);
  SquareSum squares;
  for (double x : coordinates)
    squares.addProduct(x * scale, x * scale);
  // One step of Newton's method: what the root's own square leaves of the sum.
  const double root = std::sqrt(squares.value());
  squares.addProduct(-root, root);
  return (root + squares.value() / (2 * root)) / scale;
}

double vectorNorm(llvm::ArrayRef<double> coordinates) {
  std::vector<double> magnitudes;
  double largest = 0;
  bool isNumber = true;
  for (double x : coordinates) {
    magnitudes.push_back(std::fabs(x));
    isNumber &= !std::isnan(x);
    largest = std::fmax(largest, std::fabs(x));
  }
  if (std::isinf(largest))
    return largest;
  if (!isNumber)
    return NAN;
  if (largest == 0 || magnitudes.size() == 1)
    return largest;
  return finiteNorm(std::move(magnitudes), largest);
}

//===----------------------------------------------------------------------===//
// gamma
//===----------------------------------------------------------------------===//

static constexpr double kPi = 3.141592653589793, kLogPi = 1.1447298858494002;

/// sin(pi * x) of a finite x, exact at multiples of a half.
static double sinPi(double x) {
  const double turn = std::fmod(std::fabs(x), 2.0);
  double sine = 0;
  switch (static_cast<int>(std::round(2 * turn))) {
  case 0:
    sine = std::sin(kPi * turn);
    break;
  case 1:
    sine = std::cos(kPi * (turn - 0.5));
    break;
  case 2: // not sin(pi * (turn - 1)) with the sign changed: this keeps +0
    sine = std::sin(kPi * (1 - turn));
    break;
  case 3:
    sine = -std::cos(kPi * (turn - 1.5));
    break;
  default:
    sine = std::sin(kPi * (turn - 2));
  }
  return std::copysign(1.0, x) * sine;
}

// Lanczos' approximation with N = 13 and this g, as a quotient of polynomials (Boost.Math's
// lanczos13m53). The denominator is x (x + 1) ... (x + 11).
static constexpr double kG = 6.024680040776729583740234375;
static constexpr double kGLessHalf = 5.524680040776729583740234375;
static constexpr double kNumerator[] = {23531376880.410759688572007674451636754734846804940,
                                        42919803642.649098768957899047001988850926355848959,
                                        35711959237.355668049440185451547166705960488635843,
                                        17921034426.037209699919755754458931112671403265390,
                                        6039542586.3520280050642916443072979210699388420708,
                                        1439720407.3117216736632230727949123939715485786772,
                                        248874557.86205415651146038641322942321632125127801,
                                        31426415.585400194380614231628318205362874684987640,
                                        2876370.6289353724412254090516208496135991145378768,
                                        186056.26539522349504029498971604569928220784236328,
                                        8071.6720023658162106380029022722506138218516325024,
                                        210.82427775157934587250973392071336271166969580291,
                                        2.5066282746310002701649081771338373386264310793408};
static constexpr double kDenominator[] = {0,        39916800, 120543840, 150917976, 105258076,
                                          45995730, 13339535, 2637558,   357423,    32670,
                                          1925,     66,       1};

/// Lanczos' sum of a positive x: from 5 on as polynomials in 1/x, which do not overflow.
static double lanczosSum(double x) {
  double numerator = 0, denominator = 0;
  constexpr int n = std::size(kNumerator);
  for (int i = 0; i < n; ++i) {
    const int at = x < 5 ? n - 1 - i : i;
    numerator = (x < 5 ? numerator * x : numerator / x) + kNumerator[at];
    denominator = (x < 5 ? denominator * x : denominator / x) + kDenominator[at];
  }
  return numerator / denominator;
}

static Raised domainError() { return valueError("math domain error"); }
static Raised rangeError() { return overflowError("math range error"); }

/// Gamma of |x| in 1e-20..200, or by reflection of x below 0 that is not whole.
static double lanczosGamma(double x) {
  const double size = std::fabs(x), base = size + kGLessHalf;
  // What the sum's rounding added, which the power would magnify.
  const double rounded = size > kGLessHalf ? base - size - kGLessHalf : base - kGLessHalf - size;
  const double correction = rounded * kG / base;
  const bool isLarge = size >= 140; // its power would overflow, its root does not
  const double power = isLarge ? std::pow(base, size / 2 - 0.25) : std::pow(base, size - 0.5);
  double result = 0;
  if (x < 0) {
    result = -kPi / sinPi(size) / size * std::exp(base) / lanczosSum(size);
    result -= correction * result;
    result /= power;
    return isLarge ? result / power : result;
  }
  result = lanczosSum(size) / std::exp(base);
  result += correction * result;
  result *= power;
  return isLarge ? result * power : result;
}

Result<double> gamma(double x) {
  if (std::isnan(x) || (std::isinf(x) && x > 0))
    return x;
  if (std::isinf(x) || x == 0 || (x < 0 && x == std::floor(x)))
    return domainError();
  constexpr double mostExact = 23; // the factorial of 22 is a double
  if (x == std::floor(x) && x <= mostExact) {
    double factorial = 1;
    for (int i = 2; i < x; ++i)
      factorial *= i;
    return factorial;
  }
  double result = 0;
  if (std::fabs(x) < 1e-20)
    result = 1 / x;
  else if (std::fabs(x) <= 200)
    result = lanczosGamma(x);
  else
    result = x < 0 ? 0.0 / sinPi(x) : HUGE_VAL;
  if (std::isinf(result))
    return rangeError();
  return result;
}

Result<double> logGamma(double x) {
  if (std::isnan(x))
    return x;
  if (std::isinf(x))
    return HUGE_VAL;
  if (x <= 0 && x == std::floor(x))
    return domainError();
  if (x == 1 || x == 2)
    return 0.0;
  const double size = std::fabs(x);
  if (size < 1e-20)
    return -std::log(size);
  double result = std::log(lanczosSum(size)) - kG;
  result += (size - 0.5) * (std::log(size + kG - 0.5) - 1);
  if (x < 0)
    result = kLogPi - std::log(std::fabs(sinPi(size))) - std::log(size) - result;
  if (std::isinf(result))
    return rangeError();
  return result;
}

} // namespace ptc::py
