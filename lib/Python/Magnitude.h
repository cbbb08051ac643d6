//===- Magnitude.h - Natural numbers as limbs -*- C++ -*-===//
//
// Schoolbook arithmetic on vectors of 32-bit limbs, least significant first, without leading zero
// limbs (0 is the empty vector). BigInt.cpp gives it signs; kMaxIntBits keeps the squares small.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_MAGNITUDE_H
#define PTC_LIB_PYTHON_MAGNITUDE_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace ptc::py::mag {

using Limbs = std::vector<uint32_t>;
using Ref = llvm::ArrayRef<uint32_t>;

struct Division {
  Limbs quotient, remainder;
};

void trim(Limbs &a);
Limbs fromUint64(uint64_t value);
/// -1, 0 or 1.
int compare(Ref a, Ref b);
uint64_t bitLength(Ref a);
uint64_t countOnes(Ref a);

Limbs add(Ref a, Ref b);
/// Requires a >= b.
Limbs sub(Ref a, Ref b);
Limbs mul(Ref a, Ref b);
/// a = a * factor + addend.
void mulAddSmall(Limbs &a, uint32_t factor, uint32_t addend);
/// a = a / divisor; the remainder is returned. Requires divisor != 0.
uint32_t divSmall(Limbs &a, uint32_t divisor);
/// Requires b != 0.
Division divide(Ref a, Ref b);

Limbs shiftLeft(Ref a, uint64_t count);
Limbs shiftRight(Ref a, uint64_t count);
/// Whether a bit below `count` is set: what shiftRight loses.
bool anyBitBelow(Ref a, uint64_t count);

} // namespace ptc::py::mag

#endif // PTC_LIB_PYTHON_MAGNITUDE_H
