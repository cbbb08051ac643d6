//===- ComplexOps.cpp - Operations on complex numbers in parts ----------------------------===//
//
// In: an aten operation of which some operands or the result are complex. Out: operations on the
// parts, by the formulas that stand at each.
//
// Left out, as they would need more than a formula to be right for all numbers: powers and roots.
//
//===----------------------------------------------------------------------===//
#include "SplitComplex.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <complex>

using namespace mlir;
using namespace ptc;
using aten::OpId;

namespace {

/// How an operation is taken apart.
enum class Way : uint8_t {
  None,
  Product,   ///< (a + bi)(c + di) = (ac - bd) + (ad + bc)i
  Quotient,  ///< (a + bi) / (c + di) = ((ac + bd) + (bc - ad)i) / (cc + dd), or by a real
  Inverse,   ///< (c - di) / (cc + dd)
  Sum,       ///< of parts; reals are added to the first
  Parts,     ///< pairs as they stand, dimensions counted from the start
  Each,      ///< the same operation on each part
  Bilinear,  ///< f(a, c) - f(b, d) and f(a, d) + f(b, c)
  Cast,      ///< reals become a + 0i, of complex numbers the first parts are reals
  One,       ///< 1 + 0i everywhere
  Number,    ///< one number everywhere
  Choice,    ///< where()
  Magnitude, ///< hypot(a, b)
  Exp,       ///< exp(a) cos(b) + exp(a) sin(b) i
};

/// The schema argument that names dimensions, of a tensor of the operand's rank and so many more;
/// or the list of sizes or repeats, which goes on with `last` for the parts.
struct WayRow {
  OpId id;
  Way way;
  StringLiteral dims = "";
  int8_t more = 0;
  StringLiteral list = "";
  int8_t last = 0;
};

constexpr WayRow kWays[] = {
    {OpId::mul_Tensor, Way::Product},
    {OpId::mul_Scalar, Way::Product},
    {OpId::div_Tensor, Way::Quotient},
    {OpId::div_Scalar, Way::Quotient},
    {OpId::reciprocal, Way::Inverse},
    {OpId::add_Tensor, Way::Sum},
    {OpId::sub_Tensor, Way::Sum},
    {OpId::rsub_Tensor, Way::Sum},
    {OpId::rsub_Scalar, Way::Sum},
    {OpId::add_Scalar, Way::Sum},
    {OpId::sub_Scalar, Way::Sum},
    {OpId::neg, Way::Parts},
    {OpId::clone, Way::Parts},
    {OpId::copy, Way::Parts},
    {OpId::contiguous, Way::Parts},
    {OpId::reshape, Way::Parts, "", 0, "shape", 2},
    {OpId::repeat, Way::Parts, "", 0, "repeats", 1},
    {OpId::index_Tensor, Way::Parts},
    {OpId::index_select, Way::Parts, "dim"},
    {OpId::index_put, Way::Parts},
    {OpId::cat, Way::Parts, "dim"},
    {OpId::stack, Way::Parts, "dim", 1},
    {OpId::flip, Way::Parts, "dims"},
    {OpId::sum_dim_IntList, Way::Parts, "dim"},
    {OpId::mean_dim, Way::Parts, "dim"},
    {OpId::sum, Way::Each},
    {OpId::mean, Way::Each},
    {OpId::cumsum, Way::Each},
    {OpId::roll, Way::Each},
    {OpId::tril, Way::Each},
    {OpId::triu, Way::Each},
    {OpId::empty_memory_format, Way::Each},
    {OpId::zeros, Way::Each},
    {OpId::empty_like, Way::Each},
    {OpId::zeros_like, Way::Each},
    {OpId::new_empty, Way::Each},
    {OpId::new_zeros, Way::Each},
    {OpId::ones, Way::One},
    {OpId::ones_like, Way::One},
    {OpId::new_ones, Way::One},
    {OpId::full, Way::Number},
    {OpId::full_like, Way::Number},
    {OpId::new_full, Way::Number},
    {OpId::mm, Way::Bilinear},
    {OpId::bmm, Way::Bilinear},
    {OpId::mv, Way::Bilinear},
    {OpId::dot, Way::Bilinear},
    {OpId::matmul, Way::Bilinear},
    {OpId::to_dtype, Way::Cast},
    {OpId::to_device, Way::Cast},
    {OpId::to_dtype_layout, Way::Cast},
    {OpId::where_self, Way::Choice},
    {OpId::abs, Way::Magnitude},
    {OpId::exp, Way::Exp},
};

/// A row that says nothing for other operations.
const WayRow &rowOf(aten::AtenOp op) {
  static constexpr WayRow kNone = {OpId(), Way::None};
  const WayRow *row = llvm::find_if(kWays, [&](auto &row) { return row.id == op.getOpId(); });
  return row == std::end(kWays) ? kNone : *row;
}

/// A number that is an operand or constant, and no complex one.
bool isRealNumber(aten::OpArg arg) {
  if (Value value = arg.getValue())
    return value.getType().isF64() || value.getType().isInteger(64);
  return isa<FloatAttr, IntegerAttr>(arg.getAttr());
}

std::optional<double> realConstant(aten::OpArg arg) {
  if (auto real = dyn_cast<FloatAttr>(arg.getAttr()))
    return real.getValueAsDouble();
  if (auto whole = dyn_cast<IntegerAttr>(arg.getAttr()))
    return double(whole.getInt());
  return std::nullopt;
}

/// (real, imaginary) of a complex constant.
std::optional<std::pair<FloatAttr, FloatAttr>> complexNumber(aten::OpArg arg) {
  auto number = dyn_cast<aten::ComplexAttr>(arg.getAttr());
  if (!number)
    return std::nullopt;
  return std::pair(number.getReal(), number.getImag());
}

/// A real tensor that computes in the element type of the parts: integers do, and so do floats of
/// that type. Others promote by their number of dimensions, which overParts() changes.
bool isRealOf(Value value, RankedTensorType complex) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  Type element = type ? type.getElementType() : Type();
  return element && (element == cast<ComplexType>(complex.getElementType()).getElementType() ||
                     isa<IntegerType>(element));
}

//===----------------------------------------------------------------------===//
// What is taken
//===----------------------------------------------------------------------===//

/// No other type, and no memory format that counts dimensions.
bool hasDefaults(aten::AtenOp op) {
  for (auto [i, arg] : llvm::enumerate(op.getInfo().args)) {
    aten::OpArg given = op.getArg(unsigned(i));
    auto format = dyn_cast<aten::MemoryFormatAttr>(given.getAttr());
    bool isPlain =
        given.isNone() || (format && format.getValue() == aten::MemoryFormat::Contiguous);
    if ((arg.name == "memory_format" || arg.name == "dtype") && !isPlain)
      return false;
  }
  return true;
}

/// Every tensor is an argument of its own, and no memory format asks for another order.
bool canTakeEach(aten::AtenOp op) {
  for (auto [i, arg] : llvm::enumerate(op.getInfo().args)) {
    aten::OpArg given = op.getArg(unsigned(i));
    auto list = dyn_cast<ArrayAttr>(given.getAttr());
    if (list && llvm::any_of(list, [](Attribute one) { return isa<aten::ArgAttr>(one); }) &&
        !given.getValues().empty() && isa<RankedTensorType>(given.getValues().front().getType()))
      return false;
    if (arg.name == "memory_format" && isa<aten::MemoryFormatAttr>(given.getAttr()) &&
        cast<aten::MemoryFormatAttr>(given.getAttr()).getValue() !=
            aten::MemoryFormat::Contiguous &&
        cast<aten::MemoryFormatAttr>(given.getAttr()).getValue() != aten::MemoryFormat::Preserve)
      return false;
  }
  return true;
}

bool hasDefaultFormat(aten::AtenOp op) {
  aten::OpArg given = op.getArg("memory_format");
  auto format = dyn_cast<aten::MemoryFormatAttr>(given.getAttr());
  return given.isNone() || (format && format.getValue() == aten::MemoryFormat::Preserve);
}

bool canTakeParts(aten::AtenOp op, const WayRow &row) {
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      if (!complexTensor(type) && op.getOpId() != OpId::index_Tensor &&
          op.getOpId() != OpId::index_select &&
          !(op.getOpId() == OpId::index_put && isa<IntegerType>(type.getElementType())))
        return false; // a real tensor among complex ones
  if (!hasDefaults(op))
    return false;
  if (row.dims.empty())
    return true;
  aten::OpArg dims = op.getArg(row.dims);
  return dims.getInt() || dims.getIntList();
}

bool haveSameSizes(RankedTensorType one, RankedTensorType other, ComplexParts &parts) {
  std::optional<aten::TensorMeta> from = parts.metaOf(one), to = parts.metaOf(other);
  return from && to && from->sizes == to->sizes;
}

/// other - self
bool isReversed(aten::AtenOp op) {
  return op.getOpId() == OpId::rsub_Tensor || op.getOpId() == OpId::rsub_Scalar;
}

/// `left`, `right`: of complex operands.
bool canAdd(aten::AtenOp op, RankedTensorType left, RankedTensorType right, RankedTensorType result,
            ComplexParts &parts) {
  aten::OpArg alpha = op.getArg("alpha"), other = op.getArg(1u);
  Value a = op.getArg(0u).getValue(), b = other.getValue();
  bool isFromOther = isReversed(op);
  if (alpha.getValue() || !isRealNumber(alpha))
    return false;
  if (left && right)
    return !isFromOther;
  if (alpha.getFloat() != 1.0)
    return false;
  // What is added to one part only is no broadcast of the other.
  bool isPart = a && isRealOf(a, result) && isa<FloatType>(getElementTypeOrSelf(a.getType())) &&
                haveSameSizes(cast<RankedTensorType>(a.getType()), result, parts);
  if (right)
    return isPart && !isFromOther && haveSameSizes(right, result, parts);
  if (complexNumber(other))
    return left || isPart;
  if (!left || !(isRealNumber(other) || isRealOf(b, result)))
    return false;
  // The sign of x decides that of a zero in the other part: see splitSum.
  std::optional<double> constant = realConstant(other);
  bool isWhole = b && isa<IntegerType>(getElementTypeOrSelf(b.getType()));
  if (!(constant  ? std::isfinite(*constant)
        : isWhole ? op.getOpId() == OpId::add_Tensor
                  : !isFromOther && isRealOf(b, result)))
    return false;
  return haveSameSizes(left, result, parts);
}

bool canCombine(aten::AtenOp op, RankedTensorType result, ComplexParts &parts) {
  aten::OpArg self = op.getArg(0u), other = op.getArg(1u);
  Value a = self.getValue(), b = other.getValue();
  RankedTensorType left = a ? complexTensor(a.getType()) : RankedTensorType();
  RankedTensorType right = b ? complexTensor(b.getType()) : RankedTensorType();
  for (RankedTensorType type : {left, right})
    if (type && type.getElementType() != result.getElementType())
      return false;
  Way way = rowOf(op).way;
  if (way == Way::Sum)
    return canAdd(op, left, right, result, parts);
  if (left && right && (way == Way::Product || way == Way::Bilinear || way == Way::Quotient))
    return true;
  if (way == Way::Bilinear)
    return false;
  if (way == Way::Product && right)
    return isRealNumber(self) || isRealOf(a, result);
  if (auto number = complexNumber(other); number && way == Way::Quotient)
    return left && std::isnormal(std::hypot(number->first.getValueAsDouble(),
                                            number->second.getValueAsDouble()));
  if (way == Way::Product && complexNumber(other))
    return left || (isRealOf(a, result) && isa<FloatType>(getElementTypeOrSelf(a.getType())));
  return left && (isRealNumber(other) || isRealOf(b, result));
}

} // namespace

bool ptc::canSplitComplex(aten::AtenOp op, ComplexParts &parts) {
  if (op->getNumResults() != 1)
    return false;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result)
    return false;
  const WayRow &row = rowOf(op);
  switch (row.way) {
  case Way::None:
    return false;
  case Way::Magnitude:
    return true;
  case Way::Exp:
  case Way::Inverse:
    return complexTensor(result) && parts.orderOf(parts.knownMeta(result));
  case Way::Cast:
    return hasDefaultFormat(op) &&
           (!complexTensor(result) || parts.orderOf(parts.knownMeta(result)));
  case Way::Each:
  case Way::One:
  case Way::Number:
    return complexTensor(result) && parts.orderOf(parts.knownMeta(result)) && canTakeEach(op) &&
           (row.way != Way::Number || complexNumber(op.getArg("fill_value")) ||
            realConstant(op.getArg("fill_value")));
  case Way::Parts:
    return complexTensor(result) && canTakeParts(op, row);
  case Way::Choice: {
    Value yes = op.getArg(1u).getValue(), no = op.getArg(2u).getValue();
    return yes && no && complexTensor(yes.getType()) && complexTensor(no.getType()) &&
           op.getArg(0u).getValue();
  }
  case Way::Product:
  case Way::Bilinear:
  case Way::Quotient:
  case Way::Sum:
    return complexTensor(result) && parts.orderOf(parts.knownMeta(result)) &&
           canCombine(op, result, parts);
  }
  llvm_unreachable("closed enum");
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

namespace {

class OpSplitter {
public:
  OpSplitter(aten::AtenOp op, ComplexParts &parts)
      : op(op), parts(parts), result(parts.typeBefore(op->getResult(0))) {
    parts.b.setInsertionPoint(op);
    parts.loc = op->getLoc();
  }

  void run() {
    const WayRow &row = rowOf(op);
    switch (row.way) {
    case Way::None:
      llvm_unreachable("asked before");
    case Way::Parts:
      return row.list.empty() ? countDims(row) : extend(row);
    case Way::Choice:
      return setOperand(0, parts.overParts(op.getArg(0u).getValue()));
    case Way::Magnitude:
      return replace(parts.binary(OpId::hypot, real(0), imag(0), result));
    case Way::Exp:
      return splitExp();
    case Way::Inverse:
      return splitInverse();
    case Way::Each:
      return replace(onPart(op.getOpId(), 0), onPart(op.getOpId(), 1));
    case Way::One:
      return replace(onPart(op.getOpId(), 0), onPart(zerosFor(op.getOpId()), 1));
    case Way::Number:
      return replace(onPart(op.getOpId(), 0), onPart(op.getOpId(), 1));
    case Way::Cast:
      return splitCast();
    case Way::Product:
      return splitProduct();
    case Way::Bilinear:
      return replaceByProducts(op.getOpId());
    case Way::Quotient:
      if (auto number = complexNumber(op.getArg(1u)))
        return divideByNumber(
            {number->first.getValueAsDouble(), number->second.getValueAsDouble()});
      return isComplex(1) ? splitQuotient() : combineWithReal(OpId::div_Tensor, 0, 1);
    case Way::Sum:
      return splitSum();
    }
    llvm_unreachable("closed enum");
  }

private:
  Value operand(unsigned argument) { return op.getArg(argument).getValue(); }
  bool isComplex(unsigned argument) {
    Value value = operand(argument);
    RankedTensorType type = value ? parts.typeBefore(value) : RankedTensorType();
    return type && complexTensor(type);
  }
  Value real(unsigned argument) {
    return parts.part(operand(argument), parts.typeBefore(operand(argument)), 0);
  }
  Value imag(unsigned argument) {
    return parts.part(operand(argument), parts.typeBefore(operand(argument)), 1);
  }
  /// As one of the parts of `type` is made.
  RankedTensorType plain(RankedTensorType type) { return parts.partType(type); }

  void replace(Value made) {
    op->getResult(0).replaceAllUsesWith(made);
    parts.replaced.push_back(op);
  }
  void replace(Value realPart, Value imagPart) {
    Value pair = parts.pair(realPart, imagPart, result);
    parts.was.insert({pair, result});
    replace(pair);
  }
  void setOperand(unsigned argument, Value value) {
    op->setOperand(cast<aten::ArgAttr>(op.getArg(argument).getAttr()).getIndex(), value);
  }

  /// The product with a real x, or the quotient by it: x + 0i, as eager computes, so that infinite
  /// parts give the NaNs that eager gives.
  void combineWithReal(OpId id, unsigned complex, unsigned factor) {
    RankedTensorType own = plain(parts.typeBefore(operand(complex))), part = plain(result);
    FloatAttr zero = parts.b.getF64FloatAttr(0);
    Value a = real(complex), b = imag(complex);
    Value noReal = parts.scaled(a, zero, own), noImag = parts.scaled(b, zero, own);
    auto with = [&](Value value) {
      aten::OpArgBuilder args(op->getContext());
      args.add(value);
      if (Value other = operand(factor))
        args.add(other);
      else
        args.add(op.getArg(factor).getAttr());
      return parts.make(id, args, part);
    };
    if (id == OpId::mul_Tensor)
      return replace(parts.binary(OpId::sub_Tensor, with(a), noImag, part),
                     parts.binary(OpId::add_Tensor, noReal, with(b), part));
    replace(with(parts.binary(OpId::add_Tensor, a, noImag, own)),
            with(parts.binary(OpId::sub_Tensor, b, noReal, own)));
  }

  static OpId zerosFor(OpId ones) {
    return ones == OpId::ones        ? OpId::zeros
           : ones == OpId::ones_like ? OpId::zeros_like
                                     : OpId::new_zeros;
  }

  /// `id`, which takes what this operation takes but for a number that fills, on part 0 or 1.
  Value onPart(OpId id, int64_t index) {
    aten::OpArgBuilder args(op->getContext());
    for (auto [i, arg] : llvm::enumerate(op.getInfo().args)) {
      aten::OpArg given = op.getArg(unsigned(i));
      auto type = dyn_cast<aten::DTypeAttr>(given.getAttr());
      if (Value value = given.getValue())
        args.add(isComplex(unsigned(i)) ? index ? imag(unsigned(i)) : real(unsigned(i)) : value);
      else if (arg.name == "dtype" && (!type || isComplexType(type)))
        args.add(realType(result));
      else if (arg.name == "fill_value")
        args.add(fillPart(given, index));
      else if (!addList(args, given))
        args.add(given.getAttr());
    }
    return parts.make(id, args, plain(result));
  }

  /// A list of numbers of which some are the run's.
  bool addList(aten::OpArgBuilder &args, aten::OpArg given) {
    auto list = dyn_cast<ArrayAttr>(given.getAttr());
    if (!list || llvm::none_of(list, [](Attribute one) { return isa<aten::ArgAttr>(one); }))
      return false;
    args.add(given.getValues());
    return true;
  }

  static bool isComplexType(aten::DTypeAttr type) { return ptc::isComplex(type.getValue()); }
  Attribute realType(RankedTensorType complex) {
    Type element = cast<ComplexType>(complex.getElementType()).getElementType();
    return aten::DTypeAttr::get(op->getContext(),
                                element.isF32() ? DType::Float32 : DType::Float64);
  }
  Attribute fillPart(aten::OpArg number, int64_t index) {
    if (auto both = complexNumber(number))
      return index ? both->second : both->first;
    return parts.b.getF64FloatAttr(index ? 0 : realConstant(number).value_or(0));
  }

  Value castTo(Value value, Attribute type, RankedTensorType made) {
    aten::OpArgBuilder args(op->getContext());
    for (auto [i, arg] : llvm::enumerate(op.getInfo().args))
      if (i == 0)
        args.add(value);
      else
        args.add(arg.name == "dtype" ? type : op.getArg(unsigned(i)).getAttr());
    return parts.make(op.getOpId(), args, made);
  }

  void splitCast() {
    if (!complexTensor(result)) {
      setOperand(0, real(0));
      return;
    }
    RankedTensorType part = plain(result);
    if (isComplex(0))
      return replace(castTo(real(0), realType(result), part),
                     castTo(imag(0), realType(result), part));
    Value first = castTo(operand(0), realType(result), part);
    replace(first, like(OpId::zeros_like, first, Attribute(), part));
  }

  void replaceByProducts(OpId id) {
    RankedTensorType part = plain(result);
    Value a = real(0), b = imag(0), c = real(1), d = imag(1);
    auto product = [&](Value x, Value y) { return parts.binary(id, x, y, part); };
    Value first = parts.binary(OpId::sub_Tensor, product(a, c), product(b, d), part);
    replace(first, parts.binary(OpId::add_Tensor, product(a, d), product(b, c), part));
  }

  /// c c + d d
  Value squared(Value c, Value d, RankedTensorType type) {
    return parts.binary(OpId::add_Tensor, parts.binary(OpId::mul_Tensor, c, c, type),
                        parts.binary(OpId::mul_Tensor, d, d, type), type);
  }

  /// All parts times 1 / max(|c|, |d|), so that squares are in range (Vectorized<c10::complex>).
  void splitQuotient() {
    RankedTensorType part = plain(result), own = plain(parts.typeBefore(operand(1)));
    Value largest = parts.binary(OpId::maximum, parts.unary(OpId::abs, real(1), own),
                                 parts.unary(OpId::abs, imag(1), own), own);
    Value scale = parts.unary(OpId::reciprocal, largest, own);
    auto times = [&](Value x, Value y, RankedTensorType type) {
      return parts.binary(OpId::mul_Tensor, x, y, type);
    };
    Value a = times(real(0), scale, part), b = times(imag(0), scale, part);
    Value c = times(real(1), scale, own), d = times(imag(1), scale, own);
    Value below = squared(c, d, own);
    Value first = parts.binary(OpId::add_Tensor, times(a, c, part), times(b, d, part), part);
    Value second = parts.binary(OpId::sub_Tensor, times(b, c, part), times(a, d, part), part);
    replace(parts.binary(OpId::div_Tensor, first, below, part),
            parts.binary(OpId::div_Tensor, second, below, part));
  }

  void divideByNumber(std::complex<double> number) {
    RankedTensorType part = plain(result);
    std::complex<double> inverse = 1.0 / number;
    FloatAttr p = parts.b.getF64FloatAttr(inverse.real()),
              q = parts.b.getF64FloatAttr(inverse.imag());
    Value a = real(0), b = imag(0);
    Value first =
        parts.binary(OpId::sub_Tensor, parts.scaled(a, p, part), parts.scaled(b, q, part), part);
    replace(first, parts.binary(OpId::add_Tensor, parts.scaled(a, q, part),
                                parts.scaled(b, p, part), part));
  }

  void splitInverse() {
    RankedTensorType part = plain(result);
    Value c = real(0), d = imag(0), below = squared(c, d, part);
    replace(parts.binary(OpId::div_Tensor, c, below, part),
            parts.binary(OpId::div_Tensor, parts.unary(OpId::neg, d, part), below, part));
  }

  void splitProduct() {
    if (isComplex(0) && isComplex(1))
      return replaceByProducts(OpId::mul_Tensor);
    if (isComplex(1))
      return combineWithReal(OpId::mul_Tensor, 1, 0);
    auto number = complexNumber(op.getArg(1u));
    if (!number)
      return combineWithReal(OpId::mul_Tensor, 0, 1);
    RankedTensorType part = plain(result);
    auto [c, d] = *number;
    if (!isComplex(0)) {
      Value x = operand(0); // (x + 0i)(c + di)
      return replace(parts.plus(parts.scaled(x, c, part), -(0 * d.getValueAsDouble()), part),
                     parts.plus(parts.scaled(x, d, part), 0 * c.getValueAsDouble(), part));
    }
    Value a = real(0), b = imag(0);
    Value first =
        parts.binary(OpId::sub_Tensor, parts.scaled(a, c, part), parts.scaled(b, d, part), part);
    replace(first, parts.binary(OpId::add_Tensor, parts.scaled(a, d, part),
                                parts.scaled(b, c, part), part));
  }

  /// z + s (c + di), or c + di - z; z may be real.
  void addNumber(double c, double d, double s) {
    RankedTensorType part = plain(result);
    if (isReversed(op)) {
      Value first = isComplex(0) ? real(0) : operand(0);
      Value second = isComplex(0) ? parts.unary(OpId::neg, imag(0), part)
                                  : parts.scaled(first, parts.b.getF64FloatAttr(0), part);
      return replace(parts.plus(parts.unary(OpId::neg, first, part), c, part),
                     parts.plus(second, d, part));
    }
    double re = s * c - 0 * d, im = s * d + 0 * c;
    if (isComplex(0))
      return replace(parts.plus(real(0), re, part), parts.plus(imag(0), im, part));
    Value first = parts.plus(operand(0), re, part);
    replace(first, like(OpId::full_like, first, parts.b.getF64FloatAttr(im), part));
  }

  /// zeros_like, or full_like with a number.
  Value like(OpId id, Value value, Attribute number, RankedTensorType type) {
    aten::OpArgBuilder args(op->getContext());
    args.add(value);
    if (number)
      args.add(number);
    for (int i = 0; i < 5; ++i)
      args.add(aten::NoneAttr::get(op->getContext()));
    return parts.make(id, args, type);
  }

  /// z + x is z + (s + 0i)(x + 0i) with s of 1, or of -1 for a difference, as eager computes: zeros
  /// and NaNs of the other part are those of 0 x.
  void splitSum() {
    if (isComplex(0) && isComplex(1))
      return; // part by part, as it stands
    RankedTensorType part = plain(result);
    const double one =
        op.getOpId() == OpId::add_Tensor || op.getOpId() == OpId::add_Scalar ? 1 : -1;
    if (isComplex(1)) // real + complex
      return replace(
          parts.binary(one > 0 ? OpId::add_Tensor : OpId::sub_Tensor, operand(0), real(1), part),
          parts.plus(one > 0 ? imag(1) : parts.unary(OpId::neg, imag(1), part), 0, part));
    if (auto both = complexNumber(op.getArg(1u)))
      return addNumber(both->first.getValueAsDouble(), both->second.getValueAsDouble(), one);
    std::optional<double> x = realConstant(op.getArg(1u));
    if (x && isReversed(op))
      return addNumber(*x, 0, one);
    if (x)
      return replace(parts.plus(real(0), *x * one - 0.0, part),
                     parts.plus(imag(0), *x * 0.0 + 0 * one, part));
    Value other = operand(1);
    if (isa<IntegerType>(getElementTypeOrSelf(other.getType()))) {
      aten::OpArgBuilder args(op->getContext());
      args.add(real(0)).add(other).add(op.getArg("alpha").getAttr());
      return replace(parts.make(op.getOpId(), args, part), parts.plus(imag(0), 0, part));
    }
    auto type = cast<RankedTensorType>(other.getType());
    auto times = [&](double factor) {
      return parts.scaled(other, parts.b.getF64FloatAttr(factor), type);
    };
    replace(parts.binary(OpId::add_Tensor, real(0), times(one), part),
            parts.binary(OpId::add_Tensor, imag(0), parts.plus(times(0), 0 * one, type), part));
  }

  /// exp(a + 0i) has no imaginary part, infinite or not.
  void splitExp() {
    RankedTensorType part = plain(result);
    Value a = real(0), b = imag(0);
    Value size = parts.unary(OpId::exp, a, part);
    Value first = parts.binary(OpId::mul_Tensor, size, parts.unary(OpId::cos, b, part), part);
    Value second = parts.binary(OpId::mul_Tensor, size, parts.unary(OpId::sin, b, part), part);
    aten::OpArgBuilder isZero(op->getContext()), choice(op->getContext());
    isZero.add(b).add(parts.b.getF64FloatAttr(0));
    choice.add(parts.make(OpId::eq_Scalar, isZero, parts.truthType(result))).add(b).add(second);
    replace(first, parts.make(OpId::where_self, choice, part));
  }

  void extend(const WayRow &row) {
    Builder b(op->getContext());
    SmallVector<Attribute> args(op.getArgs().begin(), op.getArgs().end());
    for (auto [i, arg] : llvm::enumerate(op.getInfo().args))
      if (arg.name == row.list) {
        auto list = cast<ArrayAttr>(args[i]);
        SmallVector<Attribute> elements(list.begin(), list.end());
        elements.push_back(b.getI64IntegerAttr(row.last));
        args[i] = b.getArrayAttr(elements);
      }
    op->setAttr("args", b.getArrayAttr(args));
  }

  void countDims(const WayRow &row) {
    if (row.dims.empty())
      return;
    Builder b(op->getContext());
    int64_t rank = result.getRank();
    for (Value value : op->getOperands())
      if (RankedTensorType type = parts.typeBefore(value); type && complexTensor(type))
        rank = type.getRank() + row.more;
    auto count = [&](int64_t dim) -> Attribute {
      return b.getI64IntegerAttr(dim < 0 ? dim + rank : dim);
    };
    SmallVector<Attribute> args(op.getArgs().begin(), op.getArgs().end());
    for (auto [i, arg] : llvm::enumerate(op.getInfo().args)) {
      if (arg.name != row.dims)
        continue;
      if (std::optional<int64_t> dim = op.getArg(unsigned(i)).getInt()) {
        args[i] = count(*dim);
        continue;
      }
      auto list = op.getArg(unsigned(i)).getIntList().value_or(SmallVector<int64_t, 4>());
      SmallVector<Attribute> dims(llvm::map_range(list, count));
      if (dims.empty()) // of a sum: all of them
        for (int64_t dim = 0; dim < rank; ++dim)
          dims.push_back(count(dim));
      args[i] = b.getArrayAttr(dims);
    }
    op->setAttr("args", b.getArrayAttr(args));
  }

  aten::AtenOp op;
  ComplexParts &parts;
  RankedTensorType result;
};

} // namespace

void ptc::splitComplex(aten::AtenOp op, ComplexParts &parts) { OpSplitter(op, parts).run(); }
