//===- ComplexOps.cpp - Operations on complex numbers in parts ----------------------------===//
//
// In: an aten operation of which some operands or the result are complex. Out: operations on the
// parts, by the formulas that stand at each.
//
// Left out, as they would need more than a formula to be right for all numbers: quotients of two
// complex numbers, powers, roots, products of matrices.
//
//===----------------------------------------------------------------------===//
#include "SplitComplex.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace ptc;
using aten::OpId;

namespace {

/// How an operation is taken apart.
enum class Way : uint8_t {
  None,
  Product,   ///< (a + bi)(c + di) = (ac - bd) + (ad + bc)i
  Quotient,  ///< by a real
  Sum,       ///< of parts; reals are added to the first
  Parts,     ///< each part by itself, dimensions counted from the start
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
    {OpId::add_Tensor, Way::Sum},
    {OpId::sub_Tensor, Way::Sum},
    {OpId::neg, Way::Parts},
    {OpId::clone, Way::Parts},
    {OpId::contiguous, Way::Parts},
    {OpId::reshape, Way::Parts, "", 0, "shape", 2},
    {OpId::repeat, Way::Parts, "", 0, "repeats", 1},
    {OpId::index_Tensor, Way::Parts},
    {OpId::index_select, Way::Parts, "dim"},
    {OpId::cat, Way::Parts, "dim"},
    {OpId::stack, Way::Parts, "dim", 1},
    {OpId::flip, Way::Parts, "dims"},
    {OpId::sum_dim_IntList, Way::Parts, "dim"},
    {OpId::mean_dim, Way::Parts, "dim"},
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

bool canTakeParts(aten::AtenOp op, const WayRow &row) {
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      if (!complexTensor(type) && op.getOpId() != OpId::index_Tensor &&
          op.getOpId() != OpId::index_select)
        return false; // a real tensor among complex ones
  if (!hasDefaults(op))
    return false;
  if (row.dims.empty())
    return true;
  aten::OpArg dims = op.getArg(row.dims);
  return dims.getInt() || dims.getIntList();
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
  if (way == Way::Sum) {
    aten::OpArg alpha = op.getArg("alpha");
    if (alpha.getValue() || !isRealNumber(alpha))
      return false;
    if (left && right)
      return true;
    // What is added to one part only is no broadcast of the other.
    if (!left || alpha.getFloat() != 1.0 || !(isRealNumber(other) || isRealOf(b, result)))
      return false;
    // The sign of x decides that of a zero in the other part: see splitSum.
    std::optional<double> constant = realConstant(other);
    bool isWhole = b && isa<IntegerType>(getElementTypeOrSelf(b.getType()));
    if (!(constant  ? std::isfinite(*constant)
          : isWhole ? op.getOpId() == OpId::add_Tensor
                    : bool(isRealOf(b, result))))
      return false;
    std::optional<aten::TensorMeta> from = parts.metaOf(left), to = parts.metaOf(result);
    return from && to && from->sizes == to->sizes;
  }
  if (way == Way::Product && left && right)
    return true;
  if (way == Way::Product && right)
    return isRealNumber(self) || isRealOf(a, result);
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
    return complexTensor(result) && parts.orderOf(parts.knownMeta(result));
  case Way::Parts:
    return complexTensor(result) && canTakeParts(op, row);
  case Way::Choice: {
    Value yes = op.getArg(1u).getValue(), no = op.getArg(2u).getValue();
    return yes && no && complexTensor(yes.getType()) && complexTensor(no.getType()) &&
           op.getArg(0u).getValue();
  }
  case Way::Product:
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
    case Way::Product:
      return splitProduct();
    case Way::Quotient:
      return combineWithReal(OpId::div_Tensor, 0, 1);
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

  void splitProduct() {
    if (isComplex(0) && isComplex(1)) {
      RankedTensorType part = plain(result);
      Value a = real(0), b = imag(0), c = real(1), d = imag(1);
      auto product = [&](Value x, Value y) { return parts.binary(OpId::mul_Tensor, x, y, part); };
      Value first = parts.binary(OpId::sub_Tensor, product(a, c), product(b, d), part);
      return replace(first, parts.binary(OpId::add_Tensor, product(a, d), product(b, c), part));
    }
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

  /// z + x is z + (s + 0i)(x + 0i) with s of 1, or of -1 for a difference, as eager computes: zeros
  /// and NaNs of the other part are those of 0 x.
  void splitSum() {
    if (isComplex(0) && isComplex(1))
      return; // part by part, as it stands
    RankedTensorType part = plain(result);
    const double one = op.getOpId() == OpId::add_Tensor ? 1 : -1;
    if (std::optional<double> x = realConstant(op.getArg(1u)))
      return replace(parts.plus(real(0), *x * one - 0.0, part),
                     parts.plus(imag(0), *x * 0.0 + 0 * one, part));
    Value x = operand(1);
    if (isa<IntegerType>(getElementTypeOrSelf(x.getType()))) {
      aten::OpArgBuilder args(op->getContext());
      args.add(real(0)).add(x).add(op.getArg("alpha").getAttr());
      return replace(parts.make(op.getOpId(), args, part), parts.plus(imag(0), 0, part));
    }
    auto type = cast<RankedTensorType>(x.getType());
    auto times = [&](double factor) {
      return parts.scaled(x, parts.b.getF64FloatAttr(factor), type);
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
