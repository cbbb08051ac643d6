// slice.indices, range and sequence indices.
// In: ints of any size. Out: positions inside a sequence, or CPython's exception.
#include "ptc/Python/Slice.h"

#include "ptc/Python/Hash.h"

#include "Raise.h"

#include "llvm/ADT/Twine.h"

namespace ptc::py {

namespace {
/// The positions of a slice over any length: what slice.indices returns.
struct Positions {
  PyInt start, stop, step;
};
} // namespace

static PyInt clampTo(const PyInt &value, const PyInt &low, const PyInt &high) {
  return value < low ? low : value > high ? high : value;
}

static Result<Positions> resolve(const SliceArgs &slice, const PyInt &length) {
  Positions p;
  p.step = slice.step.value_or(1);
  if (p.step.isZero())
    return valueError("slice step cannot be zero");
  const bool backwards = p.step.isNegative();
  const PyInt low = backwards ? -1 : 0;
  const PyInt high = backwards ? sub(length, 1) : length;
  auto place = [&](const std::optional<PyInt> &at, const PyInt &absent) {
    if (!at)
      return absent;
    return clampTo(at->isNegative() ? add(*at, length) : *at, low, high);
  };
  p.start = place(slice.start, backwards ? high : low);
  p.stop = place(slice.stop, backwards ? low : high);
  return p;
}

/// The number of start, start + step, ... before stop.
static PyInt countSteps(const PyInt &start, const PyInt &stop, const PyInt &step) {
  const bool backwards = step.isNegative();
  const PyInt span = backwards ? sub(start, stop) : sub(stop, start);
  if (span.sign() <= 0)
    return 0;
  return add(*floorDiv(sub(span, 1), abs(step)), 1);
}

Result<SliceIndices> sliceIndices(const SliceArgs &slice, int64_t length) {
  assert(length >= 0 && "a sequence has no negative length");
  Result<Positions> p = resolve(slice, length);
  if (!p)
    return std::move(p).error();
  // A step beyond int64_t takes the first item only, as the clipped one does.
  const int64_t step = std::max(p->step.clampToInt64(), -INT64_MAX);
  return SliceIndices{p->start.clampToInt64(), p->stop.clampToInt64(), step,
                      countSteps(p->start, p->stop, step).clampToInt64()};
}

Result<std::array<PyInt, 3>> sliceIndicesBig(const SliceArgs &slice, const PyInt &length) {
  if (length.isNegative())
    return valueError("length should not be negative");
  Result<Positions> p = resolve(slice, length);
  if (!p)
    return std::move(p).error();
  return std::array<PyInt, 3>{p->start, p->stop, p->step};
}

std::optional<int64_t> normalizeIndex(int64_t index, int64_t length) {
  if (index < 0)
    index += length;
  return index < 0 || index >= length ? std::nullopt : std::optional<int64_t>(index);
}

Result<int64_t> checkIndex(const PyInt &index, int64_t length, llvm::StringRef what) {
  if (!index.asInt64())
    return indexError("cannot fit 'int' into an index-sized integer");
  if (auto position = normalizeIndex(*index.asInt64(), length))
    return *position;
  return indexError(what + (what.empty() ? "" : " ") + "index out of range");
}

//===----------------------------------------------------------------------===//
// range
//===----------------------------------------------------------------------===//

Range::Range(PyInt start, PyInt stop, PyInt step)
    : first(std::move(start)), last(std::move(stop)), stride(std::move(step)),
      count(countSteps(first, last, stride)) {}

Result<Range> Range::make(PyInt start, PyInt stop, PyInt step) {
  if (step.isZero())
    return valueError("range() arg 3 must not be zero");
  return Range(std::move(start), std::move(stop), std::move(step));
}

Result<int64_t> Range::len() const {
  if (auto value = count.asInt64())
    return *value;
  return overflowError("Python int too large to convert to C ssize_t");
}

/// Item number `index`, which may lie outside.
static PyInt itemAt(const Range &range, const PyInt &index) {
  Result<PyInt> offset = mul(index, range.step());
  assert(offset && "an index of a range is not longer than its ends");
  return add(range.start(), *offset);
}

Result<PyInt> Range::at(const PyInt &index) const {
  const PyInt position = index.isNegative() ? add(index, count) : index;
  if (position.isNegative() || position >= count)
    return indexError("range object index out of range");
  return itemAt(*this, position);
}

Result<Range> Range::slice(const SliceArgs &slice) const {
  Result<Positions> p = resolve(slice, count);
  if (!p)
    return std::move(p).error();
  Result<PyInt> newStep = mul(stride, p->step);
  if (!newStep)
    return std::move(newStep).error();
  return Range(itemAt(*this, p->start), itemAt(*this, p->stop), *newStep);
}

bool Range::contains(const PyInt &value) const {
  const bool isInside =
      stride.isNegative() ? value <= first && value > last : value >= first && value < last;
  return isInside && mod(sub(value, first), stride)->isZero();
}

Result<PyInt> Range::index(const PyInt &value) const {
  if (contains(value))
    return floorDiv(sub(value, first), stride);
  Result<std::string> text = toDecimal(value);
  if (!text)
    return std::move(text).error();
  return valueError(*text + " is not in range");
}

Range Range::reversed() const {
  return {itemAt(*this, sub(count, 1)), sub(first, stride), neg(stride)};
}

Result<std::string> Range::repr() const {
  std::string text = "range(";
  for (const PyInt *part : {&first, &last, &stride}) {
    if (part == &stride && stride == PyInt(1))
      break;
    Result<std::string> digits = toDecimal(*part);
    if (!digits)
      return digits;
    text += (part == &first ? "" : ", ") + *digits;
  }
  return text + ")";
}

int64_t Range::hash() const {
  const bool hasStep = count > PyInt(1);
  return hashTuple({hashInt(count), count.isZero() ? kHashNone : hashInt(first),
                    hasStep ? hashInt(stride) : kHashNone});
}

bool operator==(const Range &a, const Range &b) {
  if (a.count != b.count)
    return false;
  if (a.count.isZero())
    return true;
  return a.first == b.first && (a.count == PyInt(1) || a.stride == b.stride);
}

} // namespace ptc::py
