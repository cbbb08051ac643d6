//===- TensorChecks.cpp - Where operations on tensors fail for certain elements -------------===//
//
// In: an overload that raises for some elements, with its arguments, under a handler that notices.
// Out: a recorded test of the elements that is decided, and eager's exception on the side that
// fails. What has no test here is refused where a handler would take the exception.
//
//===----------------------------------------------------------------------===//
#include "ElementBounds.h"
#include "Failures.h"
#include "Objects.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/IndexKernels.h"
#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace aten = ptc::aten;
namespace sym = ptc::sym;
using aten::OpId;
using ptc::DiagId;

namespace {
enum class Test : uint8_t {
  Indices,     ///< each of a list indexes its dimension; negative ones count from the end
  Rows,        ///< indexes `dim` of the tensor; negative ones are outside
  WrappedRows, ///< the same, but negative ones count from the end
  Classes,     ///< a target among the classes, or the one that is ignored
  Labels,      ///< not negative, and less than the number of classes where it is given
  Unit,        ///< between 0 and 1
  NotNegative,
  Divisor, ///< no zero, where integers are divided
};

/// What an overload tests, and what it raises; `{0}` in the text is the first element outside,
/// `{1}` the dimension, `{2}` its size.
struct Row {
  OpId op;
  Test test;
  llvm::StringLiteral tested;  ///< the argument whose elements are tested
  llvm::StringLiteral indexed; ///< the argument that they index
  WellKnown raises;
  llvm::StringLiteral text;
};
} // namespace

#define PTC_OUTSIDE "index {0} is out of bounds for dimension {1} with size {2}"
#define PTC_ZERO(Id)                                                                               \
  {OpId::Id, Test::Divisor, "other", "", WellKnown::RuntimeError, "ZeroDivisionError"}
#define PTC_ALONG(Id, Index)                                                                       \
  {OpId::Id, Test::Rows, Index, "self", WellKnown::RuntimeError, PTC_OUTSIDE}
#define PTC_TARGET(Id)                                                                             \
  {OpId::Id, Test::Classes, "target", "self", WellKnown::IndexError, "Target {0} is out of bounds."}
static constexpr llvm::StringLiteral kRange = "index out of range in self";
static constexpr llvm::StringLiteral kInData =
    "INDICES element is out of DATA bounds, id={0} axis_dim={2}";
static constexpr Row kRows[] = {
    {OpId::index_Tensor, Test::Indices, "indices", "self", WellKnown::IndexError, PTC_OUTSIDE},
    {OpId::index_put, Test::Indices, "indices", "self", WellKnown::IndexError, PTC_OUTSIDE},
    {OpId::index_select, Test::Rows, "index", "self", WellKnown::IndexError, kRange},
    {OpId::index_add, Test::Rows, "index", "self", WellKnown::IndexError, kRange},
    {OpId::index_copy, Test::Rows, "index", "self", WellKnown::IndexError,
     "index_copy_(): " PTC_OUTSIDE},
    {OpId::index_fill_int_Scalar, Test::WrappedRows, "index", "self", WellKnown::IndexError,
     PTC_OUTSIDE},
    {OpId::index_fill_int_Tensor, Test::WrappedRows, "index", "self", WellKnown::IndexError,
     PTC_OUTSIDE},
    {OpId::embedding, Test::Rows, "indices", "weight", WellKnown::IndexError, kRange},
    PTC_ALONG(gather, "index"),
    PTC_ALONG(take_along_dim, "indices"),
    PTC_ALONG(scatter_src, "index"),
    PTC_ALONG(scatter_value, "index"),
    PTC_ALONG(scatter_add, "index"),
    PTC_ALONG(scatter_reduce_two, "index"),
    PTC_TARGET(nll_loss_nd),
    PTC_TARGET(nll_loss),
    PTC_TARGET(nll_loss_forward),
    PTC_TARGET(cross_entropy_loss),
    {OpId::one_hot, Test::Labels, "self", "", WellKnown::RuntimeError, ""},
    {OpId::bernoulli, Test::Unit, "self", "", WellKnown::RuntimeError,
     "Expected p_in >= 0 && p_in <= 1 to be true"},
    {OpId::binary_cross_entropy, Test::Unit, "self", "", WellKnown::RuntimeError,
     "all elements of input should be between 0 and 1"},
    {OpId::binary_cross_entropy, Test::Unit, "target", "", WellKnown::RuntimeError,
     "all elements of target should be between 0 and 1"},
    {OpId::repeat_interleave_self_Tensor, Test::NotNegative, "repeats", "", WellKnown::RuntimeError,
     "repeats can not be negative"},
    PTC_ZERO(div_Tensor_mode),
    PTC_ZERO(div_Scalar_mode),
    PTC_ZERO(floor_divide),
    PTC_ZERO(floor_divide_Scalar),
    PTC_ZERO(remainder_Tensor),
    PTC_ZERO(remainder_Scalar),
    PTC_ZERO(remainder_Scalar_Tensor),
    PTC_ZERO(fmod_Tensor),
    PTC_ZERO(fmod_Scalar),
};
#undef PTC_ZERO
#undef PTC_ALONG
#undef PTC_TARGET

static FailAny refuseFailure(Engine &e, const aten::OpInfo &op) {
  return e.refuse(DiagId::UnsupportedOperation, llvm::Twine("aten.") + op.name,
                  "a handler around it may catch a failure that only its elements decide");
}

namespace {
/// The test of one call.
class ElementTest {
public:
  ElementTest(Engine &e, Row row, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
              TensorCall &call)
      : e(e), row(row), op(op), bound(bound), call(call) {}

  Flow run();

private:
  const aten::ArgValue &arg(llvm::StringRef name) const {
    std::optional<unsigned> at = op.findArg(name);
    assert(at && "a name of the operation's schema");
    return bound[*at];
  }
  Value tensor(llvm::StringRef name) const { return call.valueOf(arg(name).tensor()); }

  sym::Expr number(int64_t n) { return e.sizes().constant(n); }
  /// Whether one of the sizes is 0.
  std::optional<bool> isAnyZero(llvm::ArrayRef<sym::Expr> sizes);

  Flow indices();
  Flow rows();
  Flow dividesBy(const aten::TensorMeta &self, size_t dim);
  Flow rowsOfNothing(const aten::TensorMeta &self, size_t dim);
  Flow classes();
  Flow labels();
  Flow divisor();
  Flow unlessEmpty();
  Value outside(const Value &index, sym::Expr size, bool wraps);
  Value either(const Value &a, const Value &b);
  std::optional<bool> any(const Value &mask);
  Flow within(const aten::TensorMeta *tested, sym::Expr size, int64_t dim, bool wraps);
  FailAny raiseFor(const Value &index, const Value &bad, int64_t dim, sym::Expr size);

  Engine &e;
  Row row;
  const aten::OpInfo &op;
  llvm::ArrayRef<aten::ArgValue> bound;
  TensorCall &call;
};
} // namespace

Value ElementTest::either(const Value &a, const Value &b) {
  PTC_LET(left, a);
  PTC_LET(right, b);
  return e.tensorOp("logical_or", {left, right});
}

std::optional<bool> ElementTest::any(const Value &mask) {
  PTC_LET(tested, mask);
  PTC_LET(found, e.tensorOp("any", {tested}));
  PTC_LET(number, e.tensorItem(found));
  return e.truth(number);
}

Value ElementTest::outside(const Value &index, sym::Expr size, bool wraps) {
  Value least = wraps ? Value::size(e.sizes().neg(size)) : Value::integer(0);
  PTC_LET(below, e.tensorOp("lt.Scalar", {index, least}));
  return either(below, e.tensorOp("ge.Scalar", {index, Value::size(size)}));
}

/// Raises the row's text with the first element that is outside.
FailAny ElementTest::raiseFor(const Value &index, const Value &bad, int64_t dim, sym::Expr size) {
  auto [front, back] = row.text.split("{1}");
  std::string pattern = row.text.str();
  if (front.size() != row.text.size())
    pattern = (front + llvm::Twine(dim) + back).str();
  auto [before, after] = llvm::StringRef(pattern).split("{0}");
  if (before.size() == pattern.size())
    return e.raise(row.raises, row.text);
  PTC_LET(found, e.tensorOp("masked_select", {index, bad}));
  PTC_LET(first, e.tensorOp("select.int", {found, Value::integer(0), Value::integer(0)}));
  PTC_LET(number, e.tensorItem(first));
  PTC_LET(shown, e.templateOf(number, 's', ""));
  PTC_LET(text, e.templateConcat(Value::str(before), shown));
  auto [middle, last] = after.split("{2}");
  PTC_LET(longer, e.templateConcat(text, Value::str(middle)));
  if (middle.size() == after.size())
    return e.raiseNew(e.makeException(e.builtinClass(row.raises), {longer}));
  PTC_LET(width, e.templateOf(Value::size(size), 's', ""));
  PTC_LET(whole, e.templateConcat(longer, width));
  return e.raiseNew(e.makeException(e.builtinClass(row.raises), {whole}));
}

std::optional<bool> ElementTest::isAnyZero(llvm::ArrayRef<sym::Expr> sizes) {
  for (sym::Expr size : sizes) {
    std::optional<bool> isZero =
        e.decideSizes(CompareOp::Eq, size, number(0), "what has no elements has no places");
    if (!isZero || *isZero)
      return isZero;
  }
  return false;
}

Flow ElementTest::within(const aten::TensorMeta *tested, sym::Expr size, int64_t dim, bool wraps) {
  if (haveElementsBelow(e, call.idOf(tested), size))
    return Flow::Next;
  const Value index = call.valueOf(tested);
  PTC_LET(bad, outside(index, size, wraps));
  PTC_GET(found, any(bad));
  if (found)
    return raiseFor(index, bad, dim, size);
  return Flow::Next;
}

Flow ElementTest::indices() {
  const auto &list = arg(row.tested).getIf<aten::ArgValue::TensorList>()->values;
  const aten::TensorMeta &self = *arg(row.indexed).tensor();
  struct Tested {
    const aten::TensorMeta *index;
    size_t dim;
    int64_t shown; ///< of the dimensions with an index, masks included
  };
  llvm::SmallVector<Tested, 4> tested;
  int64_t shown = 0;
  llvm::SmallVector<sym::Expr, 4> whole(self.sizes);
  size_t dim = 0;
  for (const aten::TensorMeta *index : list) {
    bool isMask = index && (isBool(index->dtype) || index->dtype == ptc::DType::UInt8);
    if (index && !isMask)
      tested.push_back({index, dim, shown});
    size_t next = dim + (isMask ? size_t(index->dim()) : 1);
    shown += index ? int64_t(next - dim) : 0;
    for (; dim < next; ++dim)
      if (index)
        whole[dim] = number(1);
  }
  // Nothing is looked at where the indices name nothing, and where what they name has no elements.
  for (const Tested &one : tested) {
    PTC_GET(isEmpty, isAnyZero(one.index->sizes));
    if (isEmpty)
      return Flow::Next;
  }
  for (const Tested &one : tested) {
    PTC_GET(isEmpty, isAnyZero(self.sizes[one.dim]));
    if (isEmpty)
      return e.raise(row.raises, "index is out of bounds for dimension with size 0");
  }
  PTC_GET(isEmpty, isAnyZero(whole));
  if (isEmpty)
    return Flow::Next;
  for (const Tested &one : tested)
    PTC_DO(within(one.index, self.sizes[one.dim], one.shown, /*wraps=*/true));
  return Flow::Next;
}

/// Indices of take_along_dim count on from the start, by a division by the size.
Flow ElementTest::dividesBy(const aten::TensorMeta &self, size_t dim) {
  PTC_GET(isNone, isAnyZero(self.sizes[dim]));
  if (!isNone)
    return Flow::Next;
  llvm::SmallVector<sym::Expr, 4> others(self.sizes);
  others.erase(others.begin() + ptrdiff_t(dim));
  llvm::append_range(others, arg(row.tested).tensor()->sizes);
  PTC_GET(isEmpty, isAnyZero(others));
  return isEmpty ? Flow(Flow::Next) : Flow(e.raise(row.raises, "ZeroDivisionError"));
}

/// What eager raises where rows of index_select or embedding have no elements; see isRow in
/// lib/Dialect/Aten/Eval/Index.cpp.
Flow ElementTest::rowsOfNothing(const aten::TensorMeta &self, size_t dim) {
  sym::Expr rows = self.sizes[dim];
  PTC_GET(isAny, isAnyZero(self.sizes));
  if (!isAny)
    return within(arg(row.tested).tensor(), rows, int64_t(dim), false);
  PTC_GET(isUnasked, isAnyZero(arg(row.tested).tensor()->sizes));
  if (isUnasked)
    return Flow::Next;
  PTC_GET(isNone, isAnyZero(rows));
  if (isNone)
    return e.raise(WellKnown::RuntimeError,
                   "index_select(): self indexing axis dim should be positive");
  row.raises = WellKnown::RuntimeError;
  row.text = kInData;
  return within(arg(row.tested).tensor(), rows, int64_t(dim), false);
}

Flow ElementTest::rows() {
  const aten::TensorMeta &self = *arg(row.indexed).tensor();
  // Nothing is written to rows without elements, and no index is looked at.
  if (llvm::is_contained({OpId::index_add, OpId::index_copy, OpId::index_fill_int_Scalar,
                          OpId::index_fill_int_Tensor},
                         op.id) &&
      self.dim() > 1) {
    PTC_GET(isEmpty, isAnyZero(self.sizes));
    if (isEmpty)
      return Flow::Next;
  }
  int64_t dim = 0;
  if (std::optional<unsigned> at = op.findArg("dim"); at && !bound[*at].isNone()) {
    std::optional<int64_t> given = bound[*at].getIf<aten::ArgValue::Int>()->value.asConstant();
    if (!given)
      return refuseFailure(e, op);
    dim = *given < 0 ? *given + std::max<int64_t>(self.dim(), 1) : *given;
    if (op.id == OpId::take_along_dim)
      return self.dim() ? dividesBy(self, size_t(dim)) : Flow::Next;
  } else if (at) {
    // Without a dimension the tensor counts as flat.
    return within(arg(row.tested).tensor(), e.sizes().product(self.sizes), 0, false);
  }
  if (llvm::is_contained({OpId::index_select, OpId::embedding}, op.id) && self.dim() > 1)
    return rowsOfNothing(self, size_t(dim));
  sym::Expr size = self.dim() ? self.sizes[size_t(dim)] : number(1);
  return within(arg(row.tested).tensor(), size, dim, row.test == Test::WrappedRows);
}

Flow ElementTest::classes() {
  const aten::TensorMeta &self = *arg("self").tensor(), &target = *arg("target").tensor();
  if (isFloat(target.dtype) || self.dim() == 0)
    return Flow::Next; // probabilities
  sym::Expr count = self.sizes[self.dim() == 1 ? 0 : 1];
  Value index = tensor("target");
  Value ignored = Value::size(arg("ignore_index").getIf<aten::ArgValue::Int>()->value);
  PTC_LET(counts, e.tensorOp("ne.Scalar", {index, ignored}));
  PTC_LET(beyond, outside(index, count, false));
  PTC_LET(bad, e.tensorOp("logical_and", {counts, beyond}));
  PTC_GET(found, any(bad));
  if (found)
    return raiseFor(index, bad, 0, count);
  return Flow::Next;
}

Flow ElementTest::labels() {
  Value label = tensor("self");
  PTC_GET(negative, any(e.tensorOp("lt.Scalar", {label, Value::integer(0)})));
  if (negative)
    return e.raise(row.raises, "Class values must be non-negative.");
  Value count = Value::size(arg("num_classes").getIf<aten::ArgValue::Int>()->value);
  PTC_LET(given, e.numberOrConstantCompare(CompareOp::Ge, count, Value::integer(0)));
  PTC_GET(isGiven, e.truth(given));
  if (!isGiven)
    return Flow::Next;
  PTC_GET(beyond, any(e.tensorOp("ge.Scalar", {label, count})));
  if (beyond)
    return e.raise(row.raises, "Class values must be smaller than num_classes.");
  return Flow::Next;
}

/// Raises, if there is something to divide.
Flow ElementTest::unlessEmpty() {
  if (const aten::TensorMeta *divided = arg("self").tensor()) {
    PTC_GET(isEmpty, isAnyZero(divided->sizes));
    if (isEmpty)
      return Flow::Next;
  }
  return e.raise(row.raises, row.text);
}

/// Zero divides integers only; floats become infinite. Of a mask and an integer, False is zero,
/// too.
Flow ElementTest::divisor() {
  auto divides = [](const aten::ArgValue &v) {
    if (const aten::TensorMeta *t = v.tensor())
      return isInteger(t->dtype) || isBool(t->dtype);
    return v.is<aten::ArgValue::Int>() || v.is<aten::ArgValue::Bool>();
  };
  auto isMask = [](const aten::ArgValue &v) { return v.tensor() && isBool(v.tensor()->dtype); };
  if (!divides(arg("self")) || !divides(arg("other")) ||
      (isMask(arg("self")) && isMask(arg("other"))))
    return Flow::Next;
  if (op.findArg("rounding_mode") && arg("rounding_mode").isNone())
    return Flow::Next;
  const aten::ArgValue &other = arg("other");
  if (other.tensor()) {
    PTC_GET(zero, any(e.tensorOp("eq.Scalar", {tensor("other"), Value::integer(0)})));
    if (zero)
      return unlessEmpty();
  } else if (const auto *number = other.getIf<aten::ArgValue::Int>()) {
    // The number is made one of the tensor's type first, where it may become 0.
    Value divisor = Value::size(number->value);
    ptc::DType dtype = arg("self").tensor() ? arg("self").tensor()->dtype : ptc::DType::Int64;
    if (unsigned bytes = getDTypeInfo(dtype).bytes; bytes < 8 && !isBool(dtype)) {
      PTC_LET(wrapped, nativeBinary(e, BinaryOp::And, divisor,
                                    Value::integer((int64_t(1) << 8 * bytes) - 1), false));
      divisor = wrapped;
    }
    PTC_LET(isZero, e.numberOrConstantCompare(CompareOp::Eq, divisor, Value::integer(0)));
    PTC_GET(zero, e.truth(isZero));
    if (zero)
      return unlessEmpty();
  }
  return Flow::Next;
}

Flow ElementTest::run() {
  Value low = Value::integer(0), high = Value::integer(1);
  switch (row.test) {
  case Test::Indices:
    return indices();
  case Test::Rows:
  case Test::WrappedRows:
    return rows();
  case Test::Classes:
    return classes();
  case Test::Labels:
    return labels();
  case Test::Divisor:
    return divisor();
  case Test::Unit: {
    // NaN lies nowhere.
    PTC_LET(above, e.tensorOp("ge.Scalar", {tensor(row.tested), low}));
    PTC_LET(below, e.tensorOp("le.Scalar", {tensor(row.tested), high}));
    PTC_LET(inside, e.tensorOp("logical_and", {above, below}));
    PTC_GET(found, any(e.tensorOp("logical_not", {inside})));
    return found ? Flow(e.raise(row.raises, row.text)) : Flow::Next;
  }
  case Test::NotNegative: {
    PTC_GET(found, any(e.tensorOp("lt.Scalar", {tensor(row.tested), low})));
    return found ? Flow(e.raise(row.raises, row.text)) : Flow::Next;
  }
  }
  llvm_unreachable("closed enum");
}

/// The row of the kernel that eager chooses: some index_add and index_select along the second
/// dimension have kernels of their own, which raise otherwise.
static Row rowFor(const Row &row, llvm::ArrayRef<aten::ArgValue> bound) {
  Row chosen = row;
  const aten::TensorMeta &self = *bound[0].tensor();
  if (row.op == OpId::index_add) {
    const auto *dim = bound[1].getIf<aten::ArgValue::Int>();
    std::optional<int64_t> along = dim ? dim->value.asConstant() : std::nullopt;
    int64_t rank = self.dim();
    if (!along || !aten::isIndexAddScattered(rank, *along < 0 ? *along + rank : *along,
                                             bound[2].tensor()->dtype))
      return chosen;
    chosen.raises = WellKnown::RuntimeError;
    chosen.text = PTC_OUTSIDE;
  } else if (row.op == OpId::index_select && self.dim() > 1) {
    const auto *dim = bound[1].getIf<aten::ArgValue::Int>();
    if (dim && (dim->value.isOne() || dim->value.is(1 - self.dim()))) {
      chosen.raises = WellKnown::RuntimeError;
      chosen.text = kInData;
    }
  }
  return chosen;
}

/// Reductions without identity.
static constexpr OpId kOrderStatistics[] = {OpId::amax,       OpId::amin,    OpId::max,
                                            OpId::min,        OpId::max_dim, OpId::min_dim,
                                            OpId::median_dim, OpId::argmax,  OpId::argmin};

static FailAny raiseEmpty(Engine &e, const aten::OpInfo &op, WellKnown cls) {
  bool index = cls == WellKnown::IndexError;
  return e.raise(cls, op.baseName() +
                          "(): Expected reduction dim to be specified for input.numel() == 0." +
                          (index ? "" : " Specify the reduction dim with the 'dim' argument."));
}

/// The dimensions that are reduced are not empty, where data decides their size.
static Flow checkNotEmpty(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  const aten::TensorMeta &self = *bound[0].tensor();
  const sym::Expr zero = e.sizes().constant(0);
  auto isEmpty = [&](sym::Expr size) {
    std::optional<bool> proven = e.sizes().isEqual(size, zero);
    return proven ? proven : e.decideSizes(CompareOp::Eq, size, zero, "a reduction of nothing");
  };
  llvm::SmallVector<sym::Expr, 4> dims;
  if (std::optional<unsigned> at = op.findArg("dim")) {
    if (const auto *one = bound[*at].getIf<aten::ArgValue::Int>())
      dims.push_back(one->value);
    else if (const auto *list = bound[*at].getIf<aten::ArgValue::IntList>())
      dims = list->values;
  }
  if (dims.empty()) {
    bool index = op.id == OpId::argmax || op.id == OpId::argmin;
    WellKnown cls = index ? WellKnown::IndexError : WellKnown::RuntimeError;
    if (!isNoticed(e, cls))
      return Flow::Next;
    PTC_GET(empty, isEmpty(e.sizes().product(self.sizes)));
    return empty ? Flow(raiseEmpty(e, op, cls)) : Flow::Next;
  }
  if (!isNoticed(e, WellKnown::IndexError))
    return Flow::Next;
  for (sym::Expr dim : dims) {
    std::optional<int64_t> d = dim.asConstant();
    if (!d || self.dim() == 0)
      continue;
    int64_t at = *d < 0 ? *d + self.dim() : *d;
    PTC_GET(empty, isEmpty(self.sizes[size_t(at)]));
    if (empty)
      return e.raise(WellKnown::IndexError, op.baseName() + "(): Expected reduction dim " +
                                                llvm::Twine(at) + " to have non-zero size.");
  }
  return Flow::Next;
}

#undef PTC_OUTSIDE

/// Whether a parameter of a distribution has been looked at when the operation was inferred.
static bool isKnown(const aten::ArgValue &parameter) {
  const auto *number = parameter.getIf<aten::ArgValue::Float>();
  return !number || number->value.has_value();
}

/// Eager does not come back from a failure on a GPU: what was written before is not looked at.
static bool isOnGpu(llvm::ArrayRef<aten::ArgValue> bound) {
  return llvm::any_of(bound, [](const aten::ArgValue &one) {
    return one.tensor() && one.tensor()->device.type == aten::DeviceType::CUDA;
  });
}

Flow capture::checkElements(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                            TensorCall &call) {
  if (llvm::is_contained(kOrderStatistics, op.id))
    return checkNotEmpty(e, op, bound);
  if (!op.has(aten::OpFlag::MayFail))
    return Flow::Next;
  bool isTested = false;
  for (const Row &row : kRows) {
    if (row.op != op.id)
      continue;
    isTested = true;
    Row chosen = rowFor(row, bound);
    const Fate fate = fateOf(e, e.builtinClass(chosen.raises));
    if (fate == Fate::Caught || (fate == Fate::Passes && !isOnGpu(bound))) {
      PTC_DO(ElementTest(e, chosen, op, bound, call).run());
    }
  }
  if (isTested || (op.shapeRule == aten::ShapeRule::RandomFrom && llvm::all_of(bound, isKnown)))
    return Flow::Next;
  if (fateOf(e, e.builtinClass(WellKnown::RuntimeError)) == Fate::Caught)
    return refuseFailure(e, op);
  return Flow::Next;
}

namespace {
/// A text, a number, or a list of numbers in a message.
struct Part {
  Value value;
  Part(const char *text) : value(Value::str(text)) {}
  Part(llvm::StringRef text) : value(Value::str(text)) {}
  Part(sym::Expr number) : value(Value::size(number)) {}
  Part(llvm::ArrayRef<sym::Expr> items) {
    std::vector<Value> parts;
    for (sym::Expr item : items)
      parts.push_back(Value::size(item));
    value = Value::tuple(std::move(parts));
  }
};
} // namespace

/// RuntimeError with these parts, one after the other, as its text.
static Flow raiseText(Engine &e, std::initializer_list<Part> parts) {
  Value text = Value::str("");
  auto append = [&](const Value &v) -> Flow {
    std::optional<int64_t> known = v.is(Kind::Size) ? v.asSize().asConstant() : std::nullopt;
    PTC_LET(shown, v.is(Kind::Str) ? v
                   : known         ? Value::str(std::to_string(*known))
                                   : e.templateOf(v, 's', ""));
    PTC_LET(joined, e.templateConcat(text, shown));
    text = joined;
    return Flow::Next;
  };
  for (const Part &part : parts) {
    if (!part.value.is(Kind::Tuple)) {
      PTC_DO(append(part.value));
      continue;
    }
    PTC_DO(append(Value::str("[")));
    for (const auto &[i, item] : llvm::enumerate(part.value.parts())) {
      if (i)
        PTC_DO(append(Value::str(", ")));
      PTC_DO(append(item));
    }
    PTC_DO(append(Value::str("]")));
  }
  return e.raiseNew(e.makeException(e.builtinClass(WellKnown::RuntimeError), {text}));
}

namespace {
/// as_strided(): what it shows must lie inside its storage.
class ExtentTest {
public:
  ExtentTest(Engine &e, llvm::ArrayRef<sym::Expr> sizes, llvm::ArrayRef<sym::Expr> strides)
      : e(e), sizes(sizes), strides(strides) {}

  Flow run(const TensorNode &t, sym::Expr offset) {
    PTC_DO(checkSigns(offset));
    if (isEmpty)
      return Flow::Next;
    const TapeValue &all = e.tape.type(e.heap.get(t.storage, slot::kContent).asRaw());
    sym::Expr held = extentOf(all.sizes, all.strides);
    for (sym::Expr size : all.sizes) {
      PTC_GET(none, e.decideSizes(CompareOp::Eq, size, number(0), kWhy));
      if (none)
        held = number(0);
    }
    // The view's elements may be larger or smaller than those that the storage was made of.
    sym::Expr bytes = bytesOf(t.dtype);
    held = e.sizes().mul(held, bytesOf(all.dtype));
    sym::Expr needed = e.sizes().mul(e.sizes().add(offset, extentOf(sizes, strides)), bytes);
    PTC_GET(fits, e.decideSizes(CompareOp::Le, needed, held, kWhy));
    if (fits)
      return Flow::Next;
    return raiseText(e, {"setStorage: sizes ", sizes, ", strides ", strides, ", storage offset ",
                         offset, ", and itemsize ", bytes, " requiring a storage size of ", needed,
                         " are out of bounds for storage of size ", held});
  }

private:
  static constexpr char kWhy[] = "extent of a view by strides";

  sym::Expr number(int64_t n) { return e.sizes().constant(n); }
  sym::Expr bytesOf(ptc::DType dtype) { return number(int64_t(ptc::getDTypeInfo(dtype).bytes)); }
  sym::Expr extentOf(llvm::ArrayRef<sym::Expr> of, llvm::ArrayRef<sym::Expr> by) {
    sym::Expr last = number(1);
    for (auto [size, stride] : llvm::zip_equal(of, by))
      last = e.sizes().add(last, e.sizes().mul(e.sizes().sub(size, number(1)), stride));
    return last;
  }
  Flow checkSigns(sym::Expr offset) {
    for (sym::Expr stride : strides) {
      PTC_GET(negative, e.decideSizes(CompareOp::Lt, stride, number(0), kWhy));
      if (negative)
        return raiseText(e, {"as_strided: Negative strides are not supported at the moment, got "
                             "strides: ",
                             strides});
    }
    PTC_GET(before, e.decideSizes(CompareOp::Lt, offset, number(0), kWhy));
    if (before)
      return raiseText(e, {"Tensor: invalid storage offset ", offset});
    for (sym::Expr size : sizes) {
      PTC_GET(negative, e.decideSizes(CompareOp::Lt, size, number(0), kWhy));
      if (negative)
        return raiseText(e,
                         {"Trying to create tensor with negative dimension ", size, ": ", sizes});
      PTC_GET(none, e.decideSizes(CompareOp::Eq, size, number(0), kWhy));
      isEmpty |= none;
    }
    return Flow::Next;
  }

  Engine &e;
  llvm::ArrayRef<sym::Expr> sizes, strides;
  bool isEmpty = false;
};
} // namespace

/// Whether a view of `ratio` elements as one begins at one; `offset` is set to where it begins.
static std::optional<bool> beginsWhole(Engine &e, const Value &self, int64_t ratio,
                                       sym::Expr &offset) {
  for (const Value &alternative : alternativesOf(self)) {
    PTC_GET(known, storageOffsetOf(e, asTensor(alternative), "a view as larger elements"));
    offset = known;
    PTC_GET(isWhole, e.decideSizes(CompareOp::Eq, e.sizes().mod(offset, e.sizes().constant(ratio)),
                                   e.sizes().constant(0), "place of a view as larger elements"));
    if (isWhole)
      continue;
    if (self.is(Kind::Choice))
      return e.refuse(DiagId::Unsupported,
                      "a view as larger elements of a tensor that data chooses");
    return false;
  }
  return true;
}

Flow capture::checkStart(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                         const TensorCall &call) {
  const auto *to = op.id == OpId::view_dtype ? bound[1].getIf<ptc::DType>() : nullptr;
  if (!to)
    return Flow::Next;
  const aten::TensorMeta &self = *bound[0].tensor();
  const int64_t ratio = ptc::getDTypeInfo(*to).bytes / ptc::getDTypeInfo(self.dtype).bytes;
  if (ratio <= 1 || self.sizes.empty())
    return Flow::Next;
  PTC_GET(divides,
          e.decideSizes(CompareOp::Eq, e.sizes().mod(self.sizes.back(), e.sizes().constant(ratio)),
                        e.sizes().constant(0), "size of a view as larger elements"));
  if (!divides) // which eager says first
    return Flow::Next;
  sym::Expr offset;
  PTC_GET(isWhole, beginsWhole(e, call.valueOf(&self), ratio, offset));
  if (isWhole)
    return Flow::Next;
  return raiseText(e, {"self.storage_offset() must be divisible by ", e.sizes().constant(ratio),
                       " to view ", aten::scalarTypeName(self.dtype), " as ",
                       aten::scalarTypeName(*to), " (different element sizes), but got ", offset});
}

Flow capture::checkExtent(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                          const TensorCall &call) {
  if (op.id == OpId::view_as_complex) {
    sym::Expr offset;
    PTC_GET(isWhole, beginsWhole(e, call.valueOf(bound[0].tensor()), 2, offset));
    return isWhole ? Flow::Next
                   : raiseText(e, {"Tensor must have a storage_offset divisible by 2"});
  }
  if (op.id != aten::OpId::as_strided)
    return Flow::Next;
  const auto &sizes = bound[1].getIf<aten::ArgValue::IntList>()->values;
  const auto &strides = bound[2].getIf<aten::ArgValue::IntList>()->values;
  const Value &self = call.valueOf(bound[0].tensor());
  for (const Value &alternative : alternativesOf(self)) {
    const TensorNode &t = asTensor(alternative);
    if (e.isFrozen(t.storage)) // an element may be a view of what the list does not know
      return e.refuse(DiagId::Unsupported,
                      "as_strided of a tensor in a list whose length the run knows");
    sym::Expr offset = e.sizes().constant(0);
    if (const auto *given = bound[3].getIf<aten::ArgValue::Int>())
      offset = given->value;
    else if (!t.isOffsetKnown)
      return e.refuse(DiagId::Unsupported, "as_strided of a view whose place is not known");
    else if (t.offset.isSupported())
      offset = t.offset;
    PTC_DO(ExtentTest(e, sizes, strides).run(t, offset));
  }
  return Flow::Next;
}
