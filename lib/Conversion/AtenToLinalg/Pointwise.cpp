//===- Pointwise.cpp - Elementwise overloads as kernels ---------------------------------===//
//
// In: an aten operation with a payload. Out: a pointwise plan.kernel that holds one linalg.generic
// whose region is the payload, computed in the promoted type of the operands (16-bit floats in
// single precision, bool as a byte) and rounded once. Copies that convert are here as well.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"
#include "PayloadFunctions.h"

#include "ptc/Dialect/Aten/IR/Payload.h"
#include "ptc/Dialect/Aten/IR/Promote.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

//===----------------------------------------------------------------------===//
// The type of the computation
//===----------------------------------------------------------------------===//

/// The type of an operand of the promotion; none for what is no real number.
static std::optional<DType> operandType(aten::OpArg arg) {
  if (Value value = arg.getValue()) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    return aten::toDType(tensor ? tensor.getElementType() : value.getType());
  }
  Attribute attr = arg.getAttr();
  if (isa<BoolAttr>(attr))
    return DType::Bool;
  if (isa<IntegerAttr, aten::ExprAttr>(attr))
    return DType::Int64;
  return isa<FloatAttr>(attr) ? std::optional(DType::Float64) : std::nullopt;
}

/// torch.result_type of the operands; none if one is complex.
static std::optional<DType> promotedType(aten::AtenOp op) {
  SmallVector<aten::PromotedOperand, 4> operands;
  for (auto [i, info] : llvm::enumerate(op.getInfo().args)) {
    aten::OpArg arg = op.getArg(unsigned(i));
    if (!info.isOperand || arg.isNone())
      continue;
    std::optional<DType> dtype = operandType(arg);
    if (!dtype || isComplex(*dtype))
      return std::nullopt;
    auto tensor =
        arg.getValue() ? dyn_cast<RankedTensorType>(arg.getValue().getType()) : RankedTensorType();
    operands.push_back({*dtype, !tensor                 ? aten::OperandClass::Number
                                : tensor.getRank() == 0 ? aten::OperandClass::ZeroDim
                                                        : aten::OperandClass::Dimensioned});
  }
  return aten::resultType(operands, DType::Float32);
}

/// The type that eager computes the operation in, as far as its record and its result say.
static std::optional<DType> computedType(KernelBuilder &k) {
  using R = aten::DTypeRule;
  DType result = k.resultDType();
  switch (k.info().dtypeRule) {
  case R::BoolResult:
    return promotedType(k.aten());
  case R::SameAsSelf:
  case R::SameFloat:
  case R::RealOfSelf:
    return operandType(k.aten().getArg(0U));
  case R::Promote:
  case R::PromoteFloat:
  case R::PerResult:
  case R::FromArgument:
  case R::SumLike:
  case R::MeanLike:
  case R::IndexResult:
    return result;
  }
  llvm_unreachable("closed enum");
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

namespace {

/// One payload on its way into a region.
class PayloadKernel {
public:
  explicit PayloadKernel(KernelBuilder &k)
      : k(k), nodes(aten::parsePayload(k.info())), argumentOf(nodes.size()) {}

  LogicalResult convert() {
    std::optional<DType> computed = computedType(k);
    if (!computed || isComplex(*computed) || isComplex(k.resultDType()))
      return k.refuse("complex numbers");
    dtype = *computed;
    work = isBool(dtype) ? DType::UInt8 : computeType(dtype);
    if (!isFloat(dtype) && llvm::any_of(nodes, [](const aten::PayloadNode &node) {
          return node.kind == aten::PayloadNode::Kind::Number && std::isinf(node.number);
        }))
      work = DType::Float64; // infinities do not fit integers
    std::optional<Sizes> sizes = k.resultSizes();
    if (!sizes)
      return k.refuse("a size of the result is no input's");
    if (failed(collect(*sizes)))
      return failure();
    DType result = k.resultDType();
    Tensor out = k.map(accesses, *sizes, result, [&](ElementBuilder &e, ValueRange elements) {
      return store(e, build(e, elements), result);
    });
    if (mustCheckDivisor && failed(checkDivisor(*sizes)))
      return failure();
    return k.finish(plan::Family::Pointwise, out);
  }

private:
  struct Argument {
    std::optional<size_t> access; ///< of a tensor
    Value number;                 ///< of a number, in the type of the work
  };

  LogicalResult collect(ArrayRef<OpFoldResult> sizes) {
    for (auto [n, node] : llvm::enumerate(nodes)) {
      if (node.kind == aten::PayloadNode::Kind::Call) {
        if (!findPayloadFunction(node.function))
          return k.refuse("the function '" + node.function + "' has no native code yet");
        mustCheckDivisor |= !isFloat(work) && dividesBy(node);
      }
      if (node.kind != aten::PayloadNode::Kind::Argument)
        continue;
      aten::OpArg arg = k.aten().getArg(node.argument);
      if (arg.isNone() || arg.getString())
        continue;
      if (Tensor tensor = k.input(arg.getValue())) {
        std::optional<Access> access = k.reach(tensor, sizes);
        if (!access)
          return k.refuse("an operand has more dimensions than the result");
        argumentOf[n].access = accesses.size();
        accesses.push_back(*access);
        continue;
      }
      // Into a type that eager would round to, or directly where its kernels keep numbers wide.
      bool isWide = aten::keepsNumberWide(k.info(), node.argument) && isFloat(work);
      DType to = isBool(dtype) ? DType::Bool : work;
      Value number =
          k.number(arg, to, isWide || isBool(dtype) ? std::nullopt : std::optional(dtype));
      if (!number)
        return k.refuse("a parameter is no real number");
      argumentOf[n].number = isBool(dtype) ? k.top().convert(number, to, work) : number;
    }
    return success();
  }

  /// Whether eager raises where operand 1 of this call is an integer 0.
  static bool dividesBy(const aten::PayloadNode &node) {
    return llvm::is_contained({"div", "div_mode", "floordiv", "remainder", "fmod"}, node.function);
  }

  Value build(ElementBuilder &e, ValueRange elements) {
    Payload p{e, work, dtype, {}, {}, {}};
    SmallVector<Value, 8> values;
    SmallVector<StringRef, 8> words(nodes.size());
    llvm::SmallBitVector absent(nodes.size());
    for (auto [n, node] : llvm::enumerate(nodes)) {
      Value value;
      switch (node.kind) {
      case aten::PayloadNode::Kind::Number:
        value = e.real(work, node.number);
        break;
      case aten::PayloadNode::Kind::Argument: {
        aten::OpArg arg = k.aten().getArg(node.argument);
        absent[n] = arg.isNone();
        words[n] = arg.getString().value_or("");
        if (std::optional<size_t> access = argumentOf[n].access)
          value =
              load(e, elements[*access], node.argument, accesses[*access].tensor.dtype,
                   isFloat(work) && isSingle(n) && aten::keepsNumberWide(k.info(), node.argument));
        else
          value = argumentOf[n].number ? argumentOf[n].number : e.real(work, 0);
        break;
      }
      case aten::PayloadNode::Kind::Call: {
        SmallVector<Value, 3> operands;
        p.present = p.single = 0;
        p.word = {};
        for (auto [i, operand] : llvm::enumerate(node.operands)) {
          operands.push_back(values[operand]);
          p.present |= uint32_t(!absent[operand]) << i;
          p.single |= uint32_t(isSingle(operand)) << i;
          if (!words[operand].empty())
            p.word = words[operand];
        }
        value = findPayloadFunction(node.function)(p, operands);
        break;
      }
      }
      values.push_back(value);
    }
    return values.back();
  }

  /// An element in the type of the work, or as a truth value.
  Value load(ElementBuilder &e, Value element, unsigned argument, DType from, bool isSingleWide) {
    bool isCondition = from == DType::Bool || from == DType::UInt8;
    if (!k.info().args[argument].isOperand && isCondition)
      return e.notZero(from, element);
    if (isSingleWide)
      return e.convert(element, from, work);
    Value typed = e.convert(element, from, dtype);
    return e.convert(typed, dtype, work);
  }

  /// Is the node's value a number, or a tensor of one element?
  bool isSingle(size_t n) const {
    if (nodes[n].kind == aten::PayloadNode::Kind::Call)
      return false;
    std::optional<size_t> access = argumentOf[n].access;
    return !access || llvm::all_of(accesses[*access].tensor.type().getShape(),
                                   [](int64_t size) { return size == 1; });
  }

  Value store(ElementBuilder &e, Value value, DType result) {
    bool isTruth = value.getType().isInteger(1);
    return e.convert(value, isTruth ? DType::Bool : work, result);
  }

  /// Raises what eager raises where some divisor is 0 and the result has elements.
  LogicalResult checkDivisor(ArrayRef<OpFoldResult> resultSizes) {
    for (const aten::PayloadNode &node : nodes) {
      if (node.kind != aten::PayloadNode::Kind::Call || !dividesBy(node))
        continue;
      if (nodes[node.operands[1]].kind != aten::PayloadNode::Kind::Argument)
        return k.refuse("an integer divisor that is no argument");
      aten::OpArg divisor = k.aten().getArg(nodes[node.operands[1]].argument);
      if (std::optional<double> constant = divisor.getFloat(); constant && *constant != 0)
        continue;
      raiseForZeros(divisor, resultSizes.size());
    }
    return success();
  }

  void raiseForZeros(aten::OpArg divisor, size_t rank) {
    KernelBuilder check(k.op, k.rewriter);
    ElementBuilder top = check.top();
    std::optional<Sizes> sizes = check.resultSizes();
    assert(sizes && sizes->size() == rank && "known to the kernel itself");
    Value hasElements = top.compareIndex(arith::CmpIPredicate::ne,
                                         check.toValue(check.product(*sizes)), top.index(0));
    Tensor found;
    Tensor tensor = check.input(divisor.getValue());
    if (tensor)
      found = check.reduce(tensor, Mask(size_t(tensor.rank()), true), DType::Bool, top.truth(false),
                           [&](ElementBuilder &e, ValueRange x) {
                             return e.either(x[1], e.negate(e.notZero(tensor.dtype, x[0])));
                           });
    Value number = tensor ? Value() : check.number(divisor, DType::Int64);
    Tensor failed =
        check.map(tensor ? ArrayRef<Access>(Access{found, check.identity(0)}) : ArrayRef<Access>(),
                  {}, DType::Bool, [&](ElementBuilder &e, ValueRange x) {
                    Value isZero = tensor ? Value(x[0]) : e.negate(e.notZero(DType::Int64, number));
                    return e.both(isZero, hasElements);
                  });
    check.raiseIf(failed, {}, "RuntimeError", "ZeroDivisionError");
  }

  KernelBuilder &k;
  SmallVector<aten::PayloadNode, 8> nodes;
  SmallVector<Argument, 8> argumentOf; ///< by node
  SmallVector<Access> accesses;
  DType dtype = DType::Float32; ///< what eager computes in
  DType work = DType::Float32;  ///< what the region computes in
  bool mustCheckDivisor = false;
};

} // namespace

/// Eager refuses an element that an integer type cannot hold, which shows when it is read. Numbers
/// of the run have values of the type: capture has asked (MetaResult::openNumbers).
static bool mayOverflow(KernelBuilder &k) {
  if (k.info().shapeRule != aten::ShapeRule::MaskedFill || !isInteger(k.resultDType()))
    return false;
  Value value = k.arg("value").getValue();
  return value && isa<RankedTensorType>(value.getType());
}

LogicalResult ptc::convertPayload(KernelBuilder &k) {
  if (mayOverflow(k))
    return k.refuse("the value is known only at run time and may not fit");
  return PayloadKernel(k).convert();
}

//===----------------------------------------------------------------------===//
// Copies that may convert, and what has no payload
//===----------------------------------------------------------------------===//

static LogicalResult convertCopy(KernelBuilder &k) {
  Value source = k.aten().getArg(0U).getValue();
  if (source.getType() == k.op->getResult(0).getType()) {
    k.rewriter.replaceOp(k.op, source); // values need no copies
    return success();
  }
  Tensor self = k.self();
  if (!self || isComplex(k.resultDType()))
    return k.refuse("complex numbers");
  DType to = k.resultDType();
  Tensor out =
      k.map(Access{self, k.identity(self.rank())}, k.sizesOf(self), to,
            [&](ElementBuilder &e, ValueRange x) { return e.convert(x[0], self.dtype, to); });
  return k.finish(self.dtype == to ? plan::Family::Copy : plan::Family::Pointwise, out);
}

/// The first half of a dimension times the sigmoid of the second.
static LogicalResult convertGlu(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  if (!dim || !sizes)
    return k.refuse("a size or dimension is not known");
  DType t = self.dtype, work = computeType(t);
  OpFoldResult half = (*sizes)[size_t(*dim)];
  SmallVector<Access> ins{{k.slice(self, *dim, k.constant(0), half), k.identity(self.rank())},
                          {k.slice(self, *dim, half, half), k.identity(self.rank())}};
  Tensor out = k.map(ins, *sizes, t, [&](ElementBuilder &e, ValueRange x) {
    Value first = e.convert(x[0], t, work), gate = e.convert(x[1], t, work);
    Value bend = e.make<math::ExpOp>(e.neg(work, gate));
    Value one = e.real(work, 1);
    return e.convert(e.mul(work, first, e.div(work, one, e.add(work, one, bend))), work, t);
  });
  return k.finish(plan::Family::Pointwise, out);
}

/// Negative elements times a slope, of all or of each entry of dimension 1.
static LogicalResult convertPrelu(KernelBuilder &k) {
  Tensor self = k.self(), weight = k.tensor("weight");
  if (!self || !weight || weight.rank() > 1)
    return k.refuseComplexOr("weights with several dimensions");
  DType t = self.dtype, work = computeType(t);
  AffineExpr place = k.b.getAffineConstantExpr(0);
  if (weight.rank() == 1 && !weight.isOne(0))
    place = k.at(self.rank() > 1 ? 1 : 0);
  AffineMap slopes = weight.rank() == 0 ? k.mapOf(self.rank(), {}) : k.mapOf(self.rank(), place);
  SmallVector<Access> ins{{self, k.identity(self.rank())}, {weight, slopes}};
  Tensor out = k.map(ins, k.sizesOf(self), t, [&](ElementBuilder &e, ValueRange x) {
    Value v = e.convert(x[0], t, work), slope = e.convert(x[1], weight.dtype, work);
    Value isPositive = e.compare(work, ElementBuilder::Relation::GT, v, e.real(work, 0));
    return e.convert(e.select(isPositive, v, e.mul(work, v, slope)), work, t);
  });
  return k.finish(plan::Family::Pointwise, out);
}

ArrayRef<ConverterRow> ptc::getPointwiseRows() {
  static constexpr ConverterRow kRows[] = {
      {aten::ShapeRule::To, convertCopy},    {aten::ShapeRule::ToCopy, convertCopy},
      {aten::ShapeRule::Clone, convertCopy}, {aten::ShapeRule::Contiguous, convertCopy},
      {aten::ShapeRule::Glu, convertGlu},    {aten::ShapeRule::Prelu, convertPrelu},
  };
  return kRows;
}
