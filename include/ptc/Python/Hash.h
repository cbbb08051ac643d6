//===- Hash.h - hash() -*- C++ -*-===//
//
// CPython's hashes of builtin values on a 64-bit machine with PYTHONHASHSEED=0, which is what the
// order of a printed set follows. Objects that CPython hashes by address (nan since 3.10, Ellipsis,
// NotImplemented, None before 3.12) have no such number: nan and the singletons get a constant.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_HASH_H
#define PTC_PYTHON_HASH_H

#include "ptc/Python/BigInt.h"
#include "ptc/Python/Text.h"

#include "llvm/ADT/ArrayRef.h"

#include <complex>

namespace ptc::py {

/// hash(None) of 3.12 and later; before, it is an address.
inline constexpr int64_t kHashNone = 0xfca86420;
/// Addresses in CPython; any constants will do.
inline constexpr int64_t kHashEllipsis = 0x7ca86431;
inline constexpr int64_t kHashNotImplemented = 0x7ca86442;

int64_t hashInt(const PyInt &value);
int64_t hashFloat(double value);
int64_t hashComplex(std::complex<double> value);
/// By CPython's own representation: one, two or four bytes per character (PEP 393).
int64_t hashStr(StrRef value);
int64_t hashBytes(std::string_view value);
/// What a hash-based .pyc says of its source (PEP 552); `magic`: its first four bytes.
uint64_t hashSource(uint32_t magic, std::string_view source);
/// Of the items' hashes, in order.
int64_t hashTuple(llvm::ArrayRef<int64_t> items);
/// Of the items' hashes, in any order.
int64_t hashFrozenset(llvm::ArrayRef<int64_t> items);
/// hash(slice(a, b, c)), which 3.12 introduced.
int64_t hashSlice(int64_t start, int64_t stop, int64_t step);

} // namespace ptc::py

#endif // PTC_PYTHON_HASH_H
