// Arithmetic on natural numbers of any size. In and out: limbs without leading zeros.
// Multiplication is quadratic, division is Knuth's algorithm D (The Art of Computer Programming,
// volume 2, 4.3.1): the callers bound the sizes.
#include "Magnitude.h"

#include "llvm/ADT/bit.h"

#include <cassert>

namespace ptc::py::mag {

void trim(Limbs &a) {
  while (!a.empty() && a.back() == 0)
    a.pop_back();
}

Limbs fromUint64(uint64_t value) {
  Limbs limbs;
  for (; value; value >>= 32)
    limbs.push_back(static_cast<uint32_t>(value));
  return limbs;
}

int compare(Ref a, Ref b) {
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  for (size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

uint64_t bitLength(Ref a) {
  return a.empty() ? 0 : a.size() * uint64_t(32) - llvm::countl_zero(a.back());
}

uint64_t countOnes(Ref a) {
  uint64_t count = 0;
  for (uint32_t limb : a)
    count += llvm::popcount(limb);
  return count;
}

Limbs add(Ref a, Ref b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Limbs sum(a.size() + 1);
  uint64_t carry = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    carry += uint64_t(a[i]) + (i < b.size() ? b[i] : 0);
    sum[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  sum[a.size()] = static_cast<uint32_t>(carry);
  trim(sum);
  return sum;
}

Limbs sub(Ref a, Ref b) {
  assert(compare(a, b) >= 0 && "the difference would be negative");
  Limbs difference(a.size());
  int64_t borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    borrow += int64_t(a[i]) - (i < b.size() ? b[i] : 0);
    difference[i] = static_cast<uint32_t>(borrow);
    borrow >>= 32;
  }
  trim(difference);
  return difference;
}

Limbs mul(Ref a, Ref b) {
  Limbs product(a.size() + b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      carry += uint64_t(a[i]) * b[j] + product[i + j];
      product[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    product[i + b.size()] = static_cast<uint32_t>(carry);
  }
  trim(product);
  return product;
}

void mulAddSmall(Limbs &a, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (uint32_t &limb : a) {
    carry += uint64_t(limb) * factor;
    limb = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry)
    a.push_back(static_cast<uint32_t>(carry));
}

uint32_t divSmall(Limbs &a, uint32_t divisor) {
  assert(divisor != 0 && "division by zero");
  uint64_t remainder = 0;
  for (size_t i = a.size(); i-- > 0;) {
    remainder = remainder << 32 | a[i];
    a[i] = static_cast<uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
  trim(a);
  return static_cast<uint32_t>(remainder);
}

/// Steps D3 to D6 of algorithm D for one digit: u[at .. at+n] -= q * v, and q is returned.
static uint32_t divideStep(Limbs &u, Ref v, size_t at) {
  const size_t n = v.size();
  uint64_t top = uint64_t(u[at + n]) << 32 | u[at + n - 1];
  uint64_t q = top / v[n - 1], r = top % v[n - 1];
  while (q >> 32 || q * v[n - 2] > (r << 32 | u[at + n - 2])) {
    --q;
    r += v[n - 1];
    if (r >> 32)
      break;
  }
  int64_t borrow = 0;
  uint64_t carry = 0;
  for (size_t i = 0; i < n; ++i) {
    carry += q * v[i];
    borrow += int64_t(u[at + i]) - static_cast<uint32_t>(carry);
    u[at + i] = static_cast<uint32_t>(borrow);
    carry >>= 32;
    borrow >>= 32;
  }
  borrow += int64_t(u[at + n]) - int64_t(carry);
  u[at + n] = static_cast<uint32_t>(borrow);
  if (borrow >= 0)
    return static_cast<uint32_t>(q);
  // q was one too large: add v back. The last carry cancels the borrow.
  carry = 0;
  for (size_t i = 0; i < n; ++i) {
    carry += uint64_t(u[at + i]) + v[i];
    u[at + i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  u[at + n] += static_cast<uint32_t>(carry);
  return static_cast<uint32_t>(q - 1);
}

Division divide(Ref a, Ref b) {
  assert(!b.empty() && "division by zero");
  if (compare(a, b) < 0)
    return {{}, a.vec()};
  if (b.size() == 1) {
    Division result{a.vec(), {}};
    result.remainder = fromUint64(divSmall(result.quotient, b[0]));
    return result;
  }
  // D1: scaled so that the divisor's top bit is set, which makes each guess at most two too large.
  const unsigned scale = llvm::countl_zero(b.back());
  Limbs u = shiftLeft(a, scale), v = shiftLeft(b, scale);
  u.resize(a.size() + 1);
  Division result{Limbs(a.size() - b.size() + 1), {}};
  for (size_t i = result.quotient.size(); i-- > 0;)
    result.quotient[i] = divideStep(u, v, i);
  trim(result.quotient);
  trim(u);
  result.remainder = shiftRight(u, scale);
  return result;
}

Limbs shiftLeft(Ref a, uint64_t count) {
  if (a.empty())
    return {};
  const size_t whole = count / 32;
  const unsigned part = count % 32;
  Limbs shifted(a.size() + whole + 1);
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t wide = uint64_t(a[i]) << part;
    shifted[i + whole] |= static_cast<uint32_t>(wide);
    shifted[i + whole + 1] = static_cast<uint32_t>(wide >> 32);
  }
  trim(shifted);
  return shifted;
}

Limbs shiftRight(Ref a, uint64_t count) {
  const uint64_t whole = count / 32;
  const unsigned part = count % 32;
  if (whole >= a.size())
    return {};
  Limbs shifted(a.size() - whole);
  for (size_t i = 0; i < shifted.size(); ++i) {
    uint64_t high = i + whole + 1 < a.size() ? a[i + whole + 1] : 0;
    shifted[i] = static_cast<uint32_t>((high << 32 | a[i + whole]) >> part);
  }
  trim(shifted);
  return shifted;
}

bool anyBitBelow(Ref a, uint64_t count) {
  for (size_t i = 0; i < a.size() && i * uint64_t(32) < count; ++i) {
    uint64_t bits = count - i * uint64_t(32);
    uint32_t mask = bits >= 32 ? ~uint32_t(0) : (uint32_t(1) << bits) - 1;
    if (a[i] & mask)
      return true;
  }
  return false;
}

} // namespace ptc::py::mag
