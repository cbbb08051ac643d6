/*===- NumberInts.c - Functions of ints that CPython computes itself -------------------===*
 *
 * In: ints that fit 64 bits. Out: CPython's results; false where they do not.
 *
 *===----------------------------------------------------------------------------===*/
#include "ptc/Runtime/Numbers.h"

#include <math.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static uint64_t magnitude(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }

static bool fits(wide n, int64_t *result) {
  *result = (int64_t)n;
  return n >= INT64_MIN && n <= INT64_MAX;
}

int64_t ptc_number_bit_length(int64_t n) { return n == 0 ? 0 : 64 - __builtin_clzll(magnitude(n)); }

int64_t ptc_number_bit_count(int64_t n) { return __builtin_popcountll(magnitude(n)); }

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool ptc_number_gcd(int64_t a, int64_t b, int64_t *result) {
  return fits((wide)common_divisor(magnitude(a), magnitude(b)), result);
}

bool ptc_number_lcm(int64_t a, int64_t b, int64_t *result) {
  uint64_t x = magnitude(a), y = magnitude(b), divisor = common_divisor(x, y);
  unsigned_wide product = divisor ? (unsigned_wide)(x / divisor) * y : 0;
  *result = (int64_t)product;
  return product <= INT64_MAX;
}

int64_t ptc_number_isqrt(int64_t n) {
  int64_t root = (int64_t)sqrt((double)n);
  /* The root of the nearest double may be one beside. */
  while ((wide)root * root > n)
    --root;
  while ((wide)(root + 1) * (root + 1) <= n)
    ++root;
  return root;
}

bool ptc_number_perm(int64_t n, int64_t k, int64_t *result) {
  *result = 0;
  if (k > n)
    return true;
  wide product = 1;
  for (int64_t i = 0; i < k; ++i) {
    product *= n - i;
    if (product > INT64_MAX)
      return false;
  }
  return fits(product, result);
}

bool ptc_number_factorial(int64_t n, int64_t *result) { return ptc_number_perm(n, n, result); }

bool ptc_number_comb(int64_t n, int64_t k, int64_t *result) {
  *result = 0;
  if (k > n)
    return true;
  k = k < n - k ? k : n - k;
  wide product = 1; /* grows with each factor */
  for (int64_t i = 1; i <= k; ++i) {
    /* product * (n - k + i) / i: what of i the product does not have the factor has. */
    int64_t shared = (int64_t)common_divisor((uint64_t)product, (uint64_t)i);
    product = (wide)((int64_t)product / shared) * ((n - k + i) / (i / shared));
    if (product > INT64_MAX)
      return false;
  }
  return fits(product, result);
}

/* a + b and a * b of numbers below `size`. */
static uint64_t add_modulo(uint64_t a, uint64_t b, uint64_t size) {
  return a >= size - b ? a - (size - b) : a + b;
}

static uint64_t multiply_modulo(uint64_t a, uint64_t b, uint64_t size) {
  uint64_t sum = 0;
  for (; b; b >>= 1) {
    if (b & 1)
      sum = add_modulo(sum, a, size);
    a = add_modulo(a, a, size);
  }
  return sum;
}

int64_t ptc_number_power_modulo(int64_t base, int64_t exponent, int64_t modulus) {
  uint64_t size = magnitude(modulus);
  uint64_t square = magnitude(base) % size, result = 1 % size;
  if (base < 0 && square)
    square = size - square;
  for (int64_t left = exponent; left; left >>= 1) {
    if (left & 1)
      result = multiply_modulo(result, square, size);
    square = multiply_modulo(square, square, size);
  }
  /* With the sign of the modulus. */
  return modulus < 0 && result ? (int64_t)((wide)result + modulus) : (int64_t)result;
}

bool ptc_number_round_int(int64_t n, int64_t digits, int64_t *result) {
  enum { MOST_PLACES = 19 };
  *result = digits < 0 ? 0 : n;
  if (digits >= 0 || digits < -MOST_PLACES)
    return true;
  uint64_t unit = 1;
  for (int64_t i = digits; i; ++i)
    unit *= 10;
  uint64_t quotient = magnitude(n) / unit, rest = magnitude(n) % unit;
  if (rest > unit - rest || (rest == unit - rest && quotient % 2 != 0))
    ++quotient;
  wide rounded = (wide)quotient * unit;
  return fits(n < 0 ? -rounded : rounded, result);
}
