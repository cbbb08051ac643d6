//===- Slice.h - Slices, indices and range -*- C++ -*-===//
//
// slice.indices, range as arithmetic, and indices into sequences.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_SLICE_H
#define PTC_PYTHON_SLICE_H

#include "ptc/Python/BigInt.h"

#include <array>
#include <optional>

namespace ptc::py {

/// A slice against a sequence of known length: `count` positions start, start + step, ..., all of
/// them inside. `stop` is what slice.indices gives.
struct SliceIndices {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
  int64_t count = 0;
};

/// A slice object's attributes; absent ones are None.
struct SliceArgs {
  std::optional<PyInt> start, stop, step;
};

/// slice.indices for a sequence of `length` (0 or more) items. Raises for a step of 0.
Result<SliceIndices> sliceIndices(const SliceArgs &slice, int64_t length);
/// slice.indices as the method: any length.
Result<std::array<PyInt, 3>> sliceIndicesBig(const SliceArgs &slice, const PyInt &length);

/// The position of a Python index, negative ones counted from the end; nullopt outside.
std::optional<int64_t> normalizeIndex(int64_t index, int64_t length);
/// The same, with CPython's IndexError: "<what> index out of range" ("list", "tuple", "string",
/// "list assignment", "pop"); bytes says "index out of range" (what = "").
Result<int64_t> checkIndex(const PyInt &index, int64_t length, llvm::StringRef what);

/// range(start, stop, step) of ints of any size; step is not 0.
class Range {
public:
  static Result<Range> make(PyInt start, PyInt stop, PyInt step = 1);

  const PyInt &start() const { return first; }
  const PyInt &stop() const { return last; }
  const PyInt &step() const { return stride; }
  const PyInt &length() const { return count; }
  bool empty() const { return count.isZero(); }

  /// len(range), with the OverflowError of a length that no C ssize_t holds.
  Result<int64_t> len() const;
  Result<PyInt> at(const PyInt &index) const;
  /// range[slice]
  Result<Range> slice(const SliceArgs &slice) const;
  bool contains(const PyInt &value) const;
  /// range.index(value)
  Result<PyInt> index(const PyInt &value) const;
  /// reversed(range)
  Range reversed() const;
  /// "range(0, 3)", "range(0, 3, 2)"
  Result<std::string> repr() const;
  int64_t hash() const;

  /// Equal as sequences.
  friend bool operator==(const Range &a, const Range &b);

private:
  Range(PyInt start, PyInt stop, PyInt step);
  PyInt first, last, stride, count;
};

} // namespace ptc::py

#endif // PTC_PYTHON_SLICE_H
