//===- TensorIndex.cpp - x[...] and x[...] = v ------------------------------------------===//
//
// In: a tensor and a Python index. Out: the chain of ATen operations that eager makes of it:
// select, slice, unsqueeze for basic indices, then one index or index_put_ for the tensors among
// them.
//
//===----------------------------------------------------------------------===//
#include "Failures.h"
#include "Modes.h"
#include "NumpyObjects.h"
#include "Objects.h"
#include "Overrides.h"
#include "Positions.h"
#include "SizeLoops.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

Value Engine::tensorOp(llvm::StringRef name, llvm::ArrayRef<Value> positional) {
  const aten::OpInfo *op = aten::findOp(name);
  if (!op)
    return refuse(DiagId::UnsupportedTorchFunction, llvm::Twine("aten.") + name);
  TensorCall call(*this);
  llvm::SmallVector<aten::ArgValue, 8> args;
  for (const Value &v : positional) {
    PTC_GET(arg, call.convert(v));
    args.push_back(std::move(arg));
  }
  std::string error;
  auto bound = aten::bindArgs(*op, args, {}, sizes(), &error);
  if (!bound)
    return raise(WellKnown::TypeError, error);
  return callFunctional(*op, *bound, call);
}

namespace {
/// An index taken apart: the basic part as a view, the tensors that remain.
struct Indexed {
  Value view;
  std::vector<Value> tensors; ///< per dimension of the view: a tensor or None
  bool advanced = false;
};
} // namespace

static bool isIndexTensor(Engine &e, const Value &v) { return e.isTensorLike(v); }

/// How many dimensions of the tensor one item of the index takes up.
static int64_t dimensionsTaken(Engine &e, const Value &item) {
  if (isIndexTensor(e, item)) {
    Value t = e.readable(item);
    const TensorNode &node = anyTensor(t);
    return node.dtype == DType::Bool ? int64_t(node.sizes.size()) : 1;
  }
  return item.isNone() || item.is(Kind::Ellipsis) || item.is(Kind::Bool) ? 0 : 1;
}

/// Sequences among the items become index tensors, as NumPy and eager do.
static Value asIndexItem(Engine &e, const Value &given) {
  if (e.isTensorLike(given)) {
    // An int in a tensor is an int: the result is a view, as of x[2].
    PTC_LET(t, e.readable(given));
    const TensorNode &node = anyTensor(t);
    bool number = node.sizes.empty() && !isFloat(node.dtype) && !isComplex(node.dtype) &&
                  !isBool(node.dtype) && node.dtype != DType::UInt8;
    return number ? e.tensorItem(t) : given;
  }
  PTC_LET(item, e.decide(given));
  if (Value tensor = tensorOfNumpy(e, item); e.isTensorLike(tensor))
    return asIndexItem(e, tensor);
  bool isRange = item.is(Kind::Range) && rangeOf(item);
  if (!isRefTo(e, item, ObjectKind::List) && !item.is(Kind::Tuple) && !isRange)
    return e.unboxed(item);
  CallArgs args;
  args.positional = {item};
  PTC_LET(index, e.makeTensor(args));
  DType dtype = anyTensor(index).dtype;
  if (isBool(dtype) || dtype == DType::Int64)
    return index;
  // No elements, or floats: eager makes a tensor of int64 of all but bools.
  args = {};
  args.positional = {item};
  args.keywords = {{e.intern("dtype"), Value::dtype(DType::Int64)}};
  return e.makeTensor(args);
}

/// Whether eager takes a list for a tuple of indices: a short one that does not hold numbers alone
/// (python_variable_indexing.cpp, treatSequenceAsTuple).
static std::optional<bool> isTupleOfIndices(Engine &e, const Value &index) {
  constexpr size_t kLongest = 32;
  if (index.is(Kind::Tuple))
    return true;
  if (isGrownTuple(e, index))
    return (void)e.refuse(DiagId::RunTimeListArgument), std::nullopt;
  if (!isRefTo(e, index, ObjectKind::List) || isGrownList(e, index))
    return false;
  PTC_DO(openContent(e, index));
  std::vector<Value> items = listItems(e, index);
  if (items.size() >= kLongest)
    return false;
  for (const Value &given : items) {
    if (e.isTensorLike(given))
      return true;
    PTC_LET(item, e.decide(given));
    if (item.isNone() || item.is(Kind::Ellipsis) || item.is(Kind::Slice) || item.is(Kind::Tuple) ||
        item.is(Kind::Range) || isRefTo(e, item, ObjectKind::List))
      return true;
  }
  return false;
}

static Value rankOf(Engine &e, const Value &tensor, int64_t &rank) {
  PTC_LET(t, e.readable(tensor));
  rank = int64_t(anyTensor(t).sizes.size());
  return t;
}

/// The step of a slice is positive, or eager's exception.
static Flow checkStep(Engine &e, const Value &step) {
  sym::Expr number = step.is(Kind::Scalar) ? e.sizeOfScalar(step.scalarId())
                     : step.is(Kind::Size) ? step.asSize()
                     : step.isSmallInt()   ? e.sizes().constant(step.asInt())
                                           : e.sizes().constant(1);
  if (!number.isSupported())
    return Flow::Next;
  sym::Expr zero = e.sizes().constant(0);
  constexpr llvm::StringLiteral why = "sign of the step of a slice";
  auto isLess = [&](sym::Expr a, sym::Expr b) {
    std::optional<bool> proven = e.sizes().isLess(a, b);
    return proven ? proven : e.decideSizes(CompareOp::Lt, a, b, why);
  };
  PTC_GET(isPositive, isLess(zero, number));
  if (isPositive)
    return Flow::Next;
  PTC_GET(isNegative, isLess(number, zero));
  return e.raise(WellKnown::ValueError,
                 isNegative ? "step must be greater than zero" : "slice step cannot be zero");
}

/// What the path knows of the bounds of a slice makes its size the difference of them: `x[i:i + 1]`
/// for each row is one row.
static Value withKnownSize(Engine &e, const Value &part, const Value &x, int64_t dim,
                           const Value &low, const Value &high) {
  if (!e.sizeLoops || !part.is(Kind::Tensor) || !x.is(Kind::Tensor))
    return part;
  sym::Expr size = asTensor(x).sizes[size_t(dim)], zero = e.sizes().constant(0);
  sym::Expr from = low.isNone() ? zero : formulaOf(e, low);
  sym::Expr to = high.isNone() ? size : formulaOf(e, high);
  auto isAtMost = [&](sym::Expr a, sym::Expr b) {
    std::optional<bool> holds = e.sizes().isLessEqual(a, b);
    return (holds ? holds : e.sizeLoops->prove(CompareOp::Le, a, b)) == true;
  };
  if (!from.isSupported() || !to.isSupported() || !isAtMost(zero, from) || !isAtMost(from, to) ||
      !isAtMost(to, size))
    return part;
  auto *node = new TensorNode(asTensor(part));
  node->refs = 0;
  node->sizes[size_t(dim)] = e.sizes().sub(to, from);
  return Value::node(Kind::Tensor, node).withSource(part.source());
}

/// x[start:stop:step] as eager: bounds None mean the ends.
static Value sliceDimension(Engine &e, const Value &x, int64_t dim, const Value &slice) {
  PTC_LET(start, e.decide(slice.parts()[0]));
  PTC_LET(stop, e.decide(slice.parts()[1]));
  PTC_LET(step, e.decide(slice.parts()[2]));
  auto asNumber = [&](const Value &v) -> Value {
    return e.isTensorLike(v) ? e.tensorItem(v) : e.unboxed(v);
  };
  PTC_LET(low, asNumber(start));
  PTC_LET(high, asNumber(stop));
  PTC_LET(stride, asNumber(step));
  PTC_DO(checkStep(e, stride));
  if (low.isNone() && high.isNone() && (stride.isNone() || stride == Value::integer(1)))
    return x;
  const bool isDense = stride.isNone() || stride == Value::integer(1);
  PTC_LET(part, e.tensorOp("slice.Tensor", {x, Value::integer(dim), low, high,
                                            isDense ? Value::integer(1) : stride}));
  return isDense ? withKnownSize(e, part, x, dim, low, high) : part;
}

/// An int index, in range: else eager's exception, which names the place among the items of the
/// index, not the dimension. An index of the run is looked at where somebody notices; else the
/// operation itself ends the call.
static Flow checkIndex(Engine &e, const Value &view, int64_t dim, int64_t named,
                       const Value &index) {
  if (index.is(Kind::Scalar) && !isNoticed(e, WellKnown::IndexError))
    return Flow::Next;
  const TensorNode &node = anyTensor(view);
  sym::Expr size = node.sizes[size_t(dim)], zero = e.sizes().constant(0);
  sym::Expr at = index.is(Kind::Scalar) ? e.sizeOfScalar(index.scalarId())
                 : index.is(Kind::Size) ? index.asSize()
                                        : e.sizes().constant(index.asInt());
  if (!at.isSupported())
    return Flow::Next;
  auto isLess = [&](sym::Expr a, sym::Expr b, llvm::StringRef why) {
    std::optional<bool> proven = e.sizes().isLess(a, b);
    return proven ? proven : e.decideSizes(CompareOp::Lt, a, b, why);
  };
  PTC_GET(negative, isLess(at, zero, "sign of an index"));
  sym::Expr place = negative ? e.sizes().add(at, size) : at;
  PTC_GET(below, isLess(place, zero, "range of an index"));
  bool inside = false;
  if (!below) {
    PTC_GET(less, isLess(place, size, "range of an index"));
    inside = less;
  }
  if (inside)
    return Flow::Next;
  auto digits = [&](const Value &v) {
    return v.isSmallInt() ? Value::str(std::to_string(v.asInt())) : e.templateOf(v, 's', "");
  };
  PTC_LET(shown, digits(index));
  PTC_LET(first, e.templateConcat(Value::str("index "), shown));
  std::string middle =
      (" is out of bounds for dimension " + llvm::Twine(named) + " with size ").str();
  PTC_LET(second, e.templateConcat(first, Value::str(middle)));
  PTC_LET(width, digits(Value::size(size)));
  PTC_LET(text, e.templateConcat(second, width));
  return e.raiseNew(e.makeException(e.builtinClass(WellKnown::IndexError), {text}));
}

static bool isMask(const aten::TensorMeta &index) {
  return isBool(index.dtype) || index.dtype == DType::UInt8;
}

/// Do the sizes of a mask equal those of `self` from `dim` on?
static std::optional<bool> maskFits(Engine &e, const aten::TensorMeta &mask,
                                    const aten::TensorMeta &self, size_t dim) {
  if (dim + mask.sizes.size() > self.sizes.size())
    return false;
  for (auto [size, wanted] : llvm::zip(mask.sizes, llvm::ArrayRef(self.sizes).drop_front(dim))) {
    std::optional<bool> same = e.sizes().isEqual(size, wanted);
    if (!same)
      same = e.decideSizes(CompareOp::Eq, size, wanted, "shape of a mask");
    if (!same || !*same)
      return same;
  }
  return true;
}

Flow capture::expandMasks(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> &bound,
                          TensorCall &call, std::vector<aten::ArgValue> &storage) {
  if (op.id != aten::OpId::index_Tensor && op.id != aten::OpId::index_put)
    return Flow::Next;
  const aten::TensorMeta &self = *bound[0].tensor();
  aten::ArgValue::TensorList expanded;
  size_t dim = 0;
  for (const aten::TensorMeta *index : bound[1].getIf<aten::ArgValue::TensorList>()->values) {
    const bool isExpanded = index && isMask(*index);
    if (isExpanded && !isBool(index->dtype))
      PTC_DO(checkWarning(e, "indices of uint8"));
    if (!isExpanded || index->sizes.empty()) {
      expanded.values.push_back(index);
      ++dim;
      continue;
    }
    PTC_GET(fits, maskFits(e, *index, self, dim));
    if (!fits)
      return Flow::Next; // which eager's exception says
    PTC_LET(positions, e.tensorOp("nonzero", {call.valueOf(index)}));
    for (size_t d = 0; d < index->sizes.size(); ++d, ++dim) {
      PTC_LET(column,
              e.tensorOp("select.int", {positions, Value::integer(1), Value::integer(int64_t(d))}));
      PTC_GET(converted, call.convert(column));
      expanded.values.push_back(converted.tensor());
    }
  }
  storage = bound.vec();
  storage[1] = aten::ArgValue(std::move(expanded));
  bound = storage;
  return Flow::Next;
}

Value capture::fillUnderMask(Engine &e, const aten::OpInfo &op,
                             llvm::ArrayRef<aten::ArgValue> bound, const TensorCall &call,
                             bool isInPlace) {
  if (op.id != aten::OpId::index_put)
    return {};
  const aten::TensorMeta &self = *bound[0].tensor(), &value = *bound[2].tensor();
  const auto *accumulates = bound[3].getIf<aten::ArgValue::Bool>();
  const auto &indices = bound[1].getIf<aten::ArgValue::TensorList>()->values;
  const auto *given = llvm::find_if(indices, [](const auto *index) { return index; });
  if (!accumulates || accumulates->value != false || given == indices.end() ||
      llvm::any_of(llvm::make_range(given + 1, indices.end()), [](auto *index) { return index; }) ||
      !isMask(**given) || (*given)->sizes.empty() ||
      !llvm::all_of(value.sizes, [](sym::Expr size) { return size.isOne(); }))
    return {};
  size_t dim = size_t(given - indices.begin()) + (*given)->sizes.size();
  PTC_GET(fits, maskFits(e, **given, self, size_t(given - indices.begin())));
  if (!fits)
    return {}; // which eager's exception says
  // Under one of uint8 eager warns, and raises what masked_fill_ raises.
  if (!isBool((*given)->dtype))
    PTC_DO(checkWarning(e, "indices of uint8"));
  Value mask = call.valueOf(*given), filler = call.valueOf(&value);
  for (; dim < self.sizes.size(); ++dim) {
    PTC_LET(longer, e.tensorOp("unsqueeze", {mask, Value::integer(-1)}));
    mask = longer;
  }
  if (!value.sizes.empty()) {
    PTC_LET(scalar, e.tensorOp("view", {filler, Value::tuple({})}));
    filler = scalar;
  }
  Value target = call.valueOf(&self);
  if (!isInPlace) {
    CallArgs copied;
    copied.positional = {target};
    PTC_LET(copy, e.callTorch("Tensor.clone", copied));
    target = copy;
  }
  CallArgs args;
  args.positional = {target, mask, filler};
  return e.callTorch("Tensor.masked_fill_", args);
}

static std::optional<Indexed> takeApart(Engine &e, const Value &tensor, const Value &index) {
  std::vector<Value> items;
  Value whole = e.isTensorLike(index) ? index : e.decide(index);
  if (whole.isFail())
    return std::nullopt;
  PTC_GET(isTuple, isTupleOfIndices(e, whole));
  // A copy: deciding an item may open other containers.
  std::vector<Value> given = !isTuple                ? std::vector<Value>{whole}
                             : whole.is(Kind::Tuple) ? std::vector<Value>(whole.parts())
                                                     : std::vector<Value>(listItems(e, whole));
  int64_t taken = 0;
  for (const Value &g : given) {
    PTC_LET(item, asIndexItem(e, g));
    taken += dimensionsTaken(e, item);
    items.push_back(std::move(item));
  }
  Indexed result;
  int64_t rank = 0;
  result.view = rankOf(e, tensor, rank);
  if (result.view.isFail())
    return std::nullopt;
  if (taken > rank) {
    e.raise(WellKnown::IndexError,
            llvm::Twine("too many indices for tensor of dimension ") + llvm::Twine(rank));
    return std::nullopt;
  }
  int64_t dim = 0;
  auto place = [&](Value t) {
    result.tensors.resize(size_t(dim), Value::none());
    result.tensors.push_back(std::move(t));
    result.advanced = true;
  };
  for (const auto &[position, item] : llvm::enumerate(items)) {
    Value next = result.view;
    if (isIndexTensor(e, item)) {
      place(item);
      dim += dimensionsTaken(e, item);
      continue;
    }
    switch (item.kind()) {
    case Kind::None:
      next = e.tensorOp("unsqueeze", {result.view, Value::integer(dim)});
      ++dim;
      break;
    case Kind::Ellipsis:
      dim += rank - taken;
      break;
    case Kind::Slice:
      next = sliceDimension(e, result.view, dim, item);
      ++dim;
      break;
    case Kind::Bool: {
      next = e.tensorOp("unsqueeze", {result.view, Value::integer(dim)});
      if (next.isFail())
        return std::nullopt;
      CallArgs args;
      args.positional = {Value::tuple({item})};
      Value mask = e.makeTensor(args);
      if (mask.isFail())
        return std::nullopt;
      place(std::move(mask));
      ++dim;
      break;
    }
    default:
      if (numberType(item) == NumberType::Bool || item.is(Kind::Range)) {
        e.refuse(DiagId::Unsupported, "indexing a tensor with " +
                                          (item.is(Kind::Range) ? llvm::Twine("a range of the run")
                                                                : llvm::Twine("a run-time bool")));
        return std::nullopt;
      }
      if (numberType(item) != NumberType::Int) {
        e.raise(WellKnown::IndexError,
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
                "are valid indices (got " +
                    e.classInfo(e.typeOf(item)).name + ")");
        return std::nullopt;
      }
      if (checkIndex(e, result.view, dim, int64_t(position), item) == Flow::Fail)
        return std::nullopt;
      next = e.tensorOp("select.int", {result.view, Value::integer(dim), item});
    }
    if (next.isFail())
      return std::nullopt;
    result.view = std::move(next);
  }
  return result;
}

Value Engine::tensorGetItem(const Value &tensor, const Value &index) {
  PTC_DO(checkNoFunctionMode(*this, "elements of tensors"));
  PTC_GET(indexed, takeApart(*this, tensor, index));
  if (indexed.advanced)
    return tensorOp("index.Tensor", {indexed.view, Value::tuple(std::move(indexed.tensors))});
  // x[...] and x[:] are new views of x.
  if (indexed.view == known(tensor))
    return tensorOp("alias", {indexed.view});
  return indexed.view;
}

/// `source` as it is copied into `view`: without leading dimensions of one element; raises what
/// expanding it raises.
static Value fitInto(Engine &e, const TensorNode &view, const Value &source) {
  PTC_LET(fitting, e.readable(source));
  auto sizesOf = [](const Value &t) { return llvm::ArrayRef(anyTensor(t).sizes); };
  while (sizesOf(fitting).size() > view.sizes.size() && sizesOf(fitting).front().isOne()) {
    PTC_LET(row, e.tensorOp("select.int", {fitting, Value::integer(0), Value::integer(0)}));
    fitting = std::move(row);
  }
  if (sizesOf(fitting) != llvm::ArrayRef(view.sizes)) {
    std::vector<Value> sizes;
    for (sym::Expr size : view.sizes)
      sizes.push_back(Value::size(size));
    PTC_LET(expanded, e.tensorOp("expand", {fitting, Value::tuple(std::move(sizes))}));
    fitting = std::move(expanded);
  }
  return fitting;
}

Flow Engine::tensorSetItem(const Value &tensor, const Value &index, const Value &value) {
  PTC_DO(checkNoFunctionMode(*this, "elements of tensors"));
  PTC_LET(target, decide(tensor));
  PTC_GET(indexed, takeApart(*this, target, index));
  Value source = isTensorLike(value) ? value : decide(value);
  if (source.isFail())
    return Flow::Fail;
  CallArgs args;
  if (!isTensorLike(source)) {
    source = unboxed(source);
    if (typeOf(source) == builtinClass(WellKnown::ComplexType))
      return refuse(DiagId::Unsupported, "a complex number that is assigned to elements");
    if (numberType(source) == NumberType::NotNumber)
      return raise(WellKnown::TypeError,
                   "can't assign a " + classInfo(typeOf(source)).name + " to a torch.FloatTensor");
    args.positional = {source};
    args.keywords = {{intern("dtype"), Value::dtype(asTensor(indexed.view).dtype)}};
    source = makeTensor(args);
    if (source.isFail())
      return Flow::Fail;
    args = {};
  }
  if (indexed.advanced) {
    args.positional = {indexed.view, Value::tuple(std::move(indexed.tensors)), source};
  } else {
    PTC_LET(fitting, fitInto(*this, asTensor(indexed.view), source));
    args.positional = {indexed.view, fitting};
  }
  PTC_LET(done, callTorch(indexed.advanced ? "Tensor.index_put_" : "Tensor.copy_", args));
  return Flow::Next;
}

Value Engine::tensorLen(const Value &tensor) {
  PTC_DO(checkNoFunctionMode(*this, "len() of tensors"));
  PTC_LET(t, readable(tensor));
  const TensorNode &node = anyTensor(t);
  if (node.sizes.empty())
    return raise(WellKnown::TypeError, "len() of a 0-d tensor");
  return Value::size(node.sizes[0]);
}

static ScalarType itemTypeOf(DType t) {
  return isBool(t) ? ScalarType::Bool : isFloat(t) ? ScalarType::Float : ScalarType::Int;
}

/// item() of `count` elements, which are not one.
static Value raiseItemOf(Engine &e, sym::Expr count) {
  PTC_LET(shown, e.templateOf(Value::size(count), 's', ""));
  PTC_LET(begun, e.templateConcat(Value::str("a Tensor with "), shown));
  PTC_LET(text, e.templateConcat(begun, Value::str(" elements cannot be converted to Scalar")));
  return e.raiseNew(e.makeException(e.builtinClass(WellKnown::RuntimeError), {text}));
}

Value Engine::tensorItem(const Value &tensor) {
  PTC_DO(checkNoFunctionMode(*this, "the number in a tensor"));
  PTC_LET(t, readable(tensor));
  const TensorNode &node = anyTensor(t);
  sym::Expr count = sizes().product(node.sizes);
  PTC_GET(single, decideSizes(CompareOp::Eq, count, sizes().constant(1), "item() of a tensor"));
  if (!single)
    return raiseItemOf(*this, count);
  if (isComplex(node.dtype))
    return refuse(DiagId::UnsupportedOperation, "item()", "of a complex tensor");
  ScalarType scalar = itemTypeOf(node.dtype);
  TapeValue type;
  type.type = scalar == ScalarType::Bool    ? TapeType::Bool
              : scalar == ScalarType::Float ? TapeType::Float
                                            : TapeType::Int;
  ValueId number = emit(TapeOp::Item, {TapeArg::value(readTensor(t))}, type);
  if (Value folded = foldedNumber(number, scalar); !folded.isAbsent())
    return folded.withSource(sourceHere());
  itemTypes.try_emplace(number, anyTensor(t).dtype);
  return Value::scalar(number, scalar).withSource(sourceHere());
}

Value Engine::tensorTruth(const Value &tensor) {
  PTC_LET(t, readable(tensor));
  const TensorNode &node = anyTensor(t);
  sym::Expr count = sizes().product(node.sizes), one = sizes().constant(1);
  PTC_GET(single, decideSizes(CompareOp::Eq, count, one, "truth of a tensor"));
  if (single)
    return tensorItem(t);
  PTC_GET(empty, decideSizes(CompareOp::Eq, count, sizes().constant(0), "truth of a tensor"));
  return raise(WellKnown::RuntimeError,
               empty ? "Boolean value of Tensor with no values is ambiguous"
                     : "Boolean value of Tensor with more than one value is ambiguous");
}
