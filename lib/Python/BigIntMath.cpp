// int: the integer functions of CPython's module math.
#include "ptc/Python/BigInt.h"

#include "Magnitude.h"
#include "Raise.h"

namespace ptc::py {

static Raised tooLarge() { return limitExceeded("an int larger than ptc computes"); }

Result<PyInt> isqrt(const PyInt &a) {
  if (a.isNegative())
    return valueError("isqrt() argument must be nonnegative");
  if (a.isZero())
    return a;
  // Newton's iteration from above falls until it reaches the root.
  PyInt root = *shiftLeft(1, (bitLength(a) + 1) / 2);
  while (true) {
    PyInt next = *shiftRight(add(root, *floorDiv(a, root)), 1);
    if (next >= root)
      return root;
    root = next;
  }
}

Result<PyInt> gcd(const PyInt &a, const PyInt &b) {
  // Euclid's steps number as many as the smaller operand has bits.
  if (std::min(bitLength(a), bitLength(b)) > kMaxIntBits / 8)
    return tooLarge();
  PyInt x = abs(a), y = abs(b);
  while (!y.isZero()) {
    PyInt rest = *mod(x, y);
    x = y;
    y = rest;
  }
  return x;
}

Result<PyInt> lcm(const PyInt &a, const PyInt &b) {
  if (a.isZero() || b.isZero())
    return PyInt(0);
  Result<PyInt> common = gcd(a, b);
  if (!common)
    return common;
  return mul(abs(*floorDiv(a, *common)), abs(b));
}

/// first * (first + step) * ... (`count` factors), divided after each by 1, 2, 3, ... when
/// `divided` (each partial quotient is then a binomial coefficient, so that it is exact).
static Result<PyInt> product(PyInt first, int64_t step, const PyInt &count, bool divided) {
  PyInt result = 1;
  for (int64_t i = 1; PyInt(i) <= count; ++i) {
    Result<PyInt> next = mul(result, first);
    if (!next)
      return next;
    result = divided ? *floorDiv(*next, i) : *next;
    first = add(first, step);
  }
  return result;
}

Result<PyInt> factorial(const PyInt &n) {
  if (n.isNegative())
    return valueError("factorial() not defined for negative values");
  return perm(n, n);
}

/// Whether `count` factors of at least `factor` exceed the limit for sure: said before the product
/// is computed, because its last steps are the slow ones.
static bool isTooLarge(const PyInt &factor, const PyInt &count) {
  return uint64_t(count.clampToInt64()) >
             kMaxIntBits / std::max<uint64_t>(bitLength(factor) - 1, 1) &&
         bitLength(factor) > 1;
}

static std::optional<Raised> checkNonNegative(const PyInt &n, const PyInt &k) {
  if (n.isNegative())
    return valueError("n must be a non-negative integer");
  if (k.isNegative())
    return valueError("k must be a non-negative integer");
  return std::nullopt;
}

Result<PyInt> perm(const PyInt &n, const PyInt &k) {
  if (auto raised = checkNonNegative(n, k))
    return *raised;
  if (k > n)
    return PyInt(0);
  // The larger half of the factors alone.
  PyInt half = *shiftRight(k, 1);
  if (isTooLarge(add(sub(n, half), 1), half))
    return tooLarge();
  return product(n, -1, k, /*divided=*/false);
}

Result<PyInt> comb(const PyInt &n, const PyInt &k) {
  if (auto raised = checkNonNegative(n, k))
    return *raised;
  if (k > n)
    return PyInt(0);
  const PyInt rest = sub(n, k);
  const PyInt &count = rest < k ? rest : k;
  // (n over k) >= (n / k) ** k
  if (!count.isZero() && isTooLarge(*floorDiv(n, count), count))
    return tooLarge();
  return product(n, -1, count, /*divided=*/true);
}

} // namespace ptc::py
