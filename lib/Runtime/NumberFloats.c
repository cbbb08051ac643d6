/*===- NumberFloats.c - Functions of floats that CPython computes itself --------------===*
 *
 * In: floats, and ints that fit 64 bits. Out: CPython's results, bit for bit where the C library's
 * exp, log, pow, sin and cos are its own; NaN and infinity where it raises.
 *
 *===----------------------------------------------------------------------------===*/
#include "ptc/Runtime/Numbers.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Products and sums are rounded one by one, as in CPython. */
#pragma STDC FP_CONTRACT OFF

double ptc_number_mantissa(double x) {
  int exponent;
  return isfinite(x) ? frexp(x, &exponent) : x;
}

int64_t ptc_number_exponent(double x) {
  int exponent = 0;
  if (isfinite(x))
    (void)frexp(x, &exponent);
  return exponent;
}

double ptc_number_fraction(double x) {
  if (isnan(x))
    return x;
  return copysign(isinf(x) ? 0 : x - trunc(x), x);
}

double ptc_number_ldexp(double x, int64_t exponent) {
  if (x == 0 || !isfinite(x))
    return x;
  if (exponent > INT_MAX)
    return copysign(HUGE_VAL, x);
  return exponent < INT_MIN ? copysign(0, x) : ldexp(x, (int)exponent);
}

double ptc_number_ulp(double x) {
  double size = fabs(x);
  if (!isfinite(size))
    return size;
  double up = nextafter(size, HUGE_VAL);
  return isinf(up) ? size - nextafter(size, 0) : up - size;
}

bool ptc_number_is_whole(double x) { return isfinite(x) && floor(x) == x; }

/*===----------------------------------------------------------------------------===*
 * hypot
 *===----------------------------------------------------------------------------===*/

/* A sum that starts at 1, of numbers that are no larger in magnitude, and what its additions and
   the squares lost. The 1 keeps each addend below the sum, so that an addition's error is exact. */
typedef struct {
  double sum, lost_by_squares, lost_by_sums;
} square_sum;

/* Adds a * b, which are equal in magnitude and at most 1. */
static void add_product(square_sum *s, double a, double b) {
  double product = a * b;
  s->lost_by_squares += fma(a, b, -product);
  double next = s->sum + product;
  s->lost_by_sums += product - (next - s->sum);
  s->sum = next;
}

static double value_of(const square_sum *s) {
  return s->sum - 1 + (s->lost_by_squares + s->lost_by_sums);
}

/* The coordinates are finite and `largest`, their maximum, is not 0; each is divided by `unit`. */
static double finite_norm(const double *coordinates, int64_t count, double largest, double unit) {
  int exponent;
  (void)frexp(largest, &exponent);
  if (exponent < -1023) /* the scale would be infinite: subnormals are made normal first */
    return DBL_MIN * finite_norm(coordinates, count, largest / DBL_MIN, DBL_MIN);
  double scale = ldexp(1.0, -exponent);
  square_sum squares = {1, 0, 0};
  for (int64_t i = 0; i < count; ++i) {
    double x = fabs(coordinates[i]) / unit * scale;
    add_product(&squares, x, x);
  }
  /* One step of Newton's method: what the root's own square leaves of the sum. */
  double root = sqrt(value_of(&squares));
  add_product(&squares, -root, root);
  return (root + value_of(&squares) / (2 * root)) / scale;
}

double ptc_number_norm(const double *coordinates, int64_t count) {
  double largest = 0;
  bool is_number = true;
  for (int64_t i = 0; i < count; ++i) {
    is_number &= !isnan(coordinates[i]);
    largest = fmax(largest, fabs(coordinates[i]));
  }
  if (isinf(largest))
    return largest;
  if (!is_number)
    return NAN;
  return largest == 0 || count == 1 ? largest : finite_norm(coordinates, count, largest, 1);
}

/*===----------------------------------------------------------------------------===*
 * gamma
 *===----------------------------------------------------------------------------===*/

#define PI 3.141592653589793
#define LOG_PI 1.1447298858494002

/* sin(pi * x) of a finite x, exact at multiples of a half. */
static double sin_pi(double x) {
  double turn = fmod(fabs(x), 2.0), sine;
  switch ((int)round(2 * turn)) {
  case 0:
    sine = sin(PI * turn);
    break;
  case 1:
    sine = cos(PI * (turn - 0.5));
    break;
  case 2: /* not sin(pi * (turn - 1)) with the sign changed: this keeps +0 */
    sine = sin(PI * (1 - turn));
    break;
  case 3:
    sine = -cos(PI * (turn - 1.5));
    break;
  default:
    sine = sin(PI * (turn - 2));
  }
  return copysign(1.0, x) * sine;
}

/* Lanczos' approximation with N = 13 and this g, as a quotient of polynomials (Boost.Math's
   lanczos13m53). The denominator is x (x + 1) ... (x + 11). */
#define TERMS 13
static const double kG = 6.024680040776729583740234375;
static const double kGLessHalf = 5.524680040776729583740234375;
static const double kNumerator[TERMS] = {23531376880.410759688572007674451636754734846804940,
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
static const double kDenominator[TERMS] = {0,        39916800, 120543840, 150917976, 105258076,
                                           45995730, 13339535, 2637558,   357423,    32670,
                                           1925,     66,       1};

/* Lanczos' sum of a positive x: from 5 on as polynomials in 1/x, which do not overflow. */
static double lanczos_sum(double x) {
  double numerator = 0, denominator = 0;
  for (int i = 0; i < TERMS; ++i) {
    int at = x < 5 ? TERMS - 1 - i : i;
    numerator = (x < 5 ? numerator * x : numerator / x) + kNumerator[at];
    denominator = (x < 5 ? denominator * x : denominator / x) + kDenominator[at];
  }
  return numerator / denominator;
}

/* Gamma of |x| in 1e-20..200, or by reflection of x below 0 that is not whole. */
static double lanczos_gamma(double x) {
  double size = fabs(x), base = size + kGLessHalf;
  /* What the sum's rounding added, which the power would magnify. */
  double rounded = size > kGLessHalf ? base - size - kGLessHalf : base - kGLessHalf - size;
  double correction = rounded * kG / base, result;
  bool is_large = size >= 140; /* its power would overflow, its root does not */
  double power = is_large ? pow(base, size / 2 - 0.25) : pow(base, size - 0.5);
  if (x < 0) {
    result = -PI / sin_pi(size) / size * exp(base) / lanczos_sum(size);
    result -= correction * result;
    result /= power;
    return is_large ? result / power : result;
  }
  result = lanczos_sum(size) / exp(base);
  result += correction * result;
  result *= power;
  return is_large ? result * power : result;
}

double ptc_number_gamma(double x) {
  if (isnan(x) || (isinf(x) && x > 0))
    return x;
  if (isinf(x) || x == 0 || (x < 0 && x == floor(x)))
    return NAN;
  const double most_exact = 23; /* the factorial of 22 is a double */
  if (x == floor(x) && x <= most_exact) {
    double factorial = 1;
    for (int i = 2; i < x; ++i)
      factorial *= i;
    return factorial;
  }
  if (fabs(x) < 1e-20)
    return 1 / x;
  if (fabs(x) <= 200)
    return lanczos_gamma(x);
  return x < 0 ? 0.0 / sin_pi(x) : HUGE_VAL;
}

double ptc_number_log_gamma(double x) {
  if (isnan(x))
    return x;
  if (isinf(x))
    return HUGE_VAL;
  if (x <= 0 && x == floor(x))
    return NAN;
  if (x == 1 || x == 2)
    return 0;
  double size = fabs(x);
  if (size < 1e-20)
    return -log(size);
  double result = log(lanczos_sum(size)) - kG;
  result += (size - 0.5) * (log(size + kG - 0.5) - 1);
  if (x < 0)
    result = LOG_PI - log(fabs(sin_pi(size))) - log(size) - result;
  return result;
}

/*===----------------------------------------------------------------------------===*
 * round
 *===----------------------------------------------------------------------------===*/

/* No double has more digits before the point, and none is rounded behind more places. */
enum { MOST_DIGITS = 309, MOST_PLACES = 323, LEAST_PLACES = -308 };

/* |x| rounded to a multiple of 10^places, places > 0, half to even. */
static double round_to_places(double x, size_t places) {
  double whole = trunc(fabs(x));
  bool has_fraction = whole != fabs(x);
  char text[MOST_DIGITS + 3];
  size_t length = (size_t)snprintf(text + 1, sizeof text - 1, "%.0f", whole);
  if (places > length)
    return 0;
  text[0] = '0'; /* room for a carry */
  char *cut = text + 1 + length - places;
  bool is_half = cut[0] == '5' && !has_fraction;
  for (size_t i = 1; i < places; ++i)
    is_half &= cut[i] == '0';
  bool is_odd = (cut[-1] - '0') % 2 != 0;
  bool goes_up = cut[0] > '5' || (cut[0] == '5' && (!is_half || is_odd));
  memset(cut, '0', places);
  if (goes_up) {
    char *digit = cut - 1;
    for (; *digit == '9'; --digit)
      *digit = '0';
    ++*digit;
  }
  return strtod(text, NULL);
}

double ptc_number_round_float(double x, int64_t digits) {
  if (!isfinite(x) || digits > MOST_PLACES)
    return x;
  if (digits < LEAST_PLACES)
    return 0 * x;
  if (digits < 0)
    return copysign(round_to_places(x, (size_t)-digits), x);
  char text[MOST_DIGITS + MOST_PLACES + 16]; /* with the point of the process's locale */
  snprintf(text, sizeof text, "%.*f", (int)digits, fabs(x));
  return copysign(strtod(text, NULL), x);
}

/*===----------------------------------------------------------------------------===*
 * hash
 *===----------------------------------------------------------------------------===*/

#define HASH_BITS 61
#define HASH_MODULUS ((UINT64_C(1) << HASH_BITS) - 1)
#define HASH_INFINITY 314159

static int64_t avoid_minus_one(int64_t hash) { return hash == -1 ? -2 : hash; }

int64_t ptc_number_hash_int(int64_t n) {
  uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  int64_t residue = (int64_t)(size % HASH_MODULUS);
  return avoid_minus_one(n < 0 ? -residue : residue);
}

int64_t ptc_number_hash_float(double x) {
  if (isnan(x))
    return 0;
  if (isinf(x))
    return x > 0 ? HASH_INFINITY : -HASH_INFINITY;
  int exponent;
  /* The mantissa as an integer of 53 bits; 2^61 is 1, so that the exponent rotates. */
  double fraction = frexp(fabs(x), &exponent);
  uint64_t residue = (uint64_t)ldexp(fraction, DBL_MANT_DIG) % HASH_MODULUS;
  int rotate = ((exponent - DBL_MANT_DIG) % HASH_BITS + HASH_BITS) % HASH_BITS;
  residue = (residue << rotate & HASH_MODULUS) | residue >> (HASH_BITS - rotate);
  return avoid_minus_one(x < 0 ? -(int64_t)residue : (int64_t)residue);
}
