//===- Pointwise.cpp - Elementwise overloads as kernels ---------------------------------===//
//
// In: an aten operation with a payload. Out: a pointwise plan.kernel that holds one linalg.generic
// whose region is the payload, or a reason why this family does not take it. 16-bit floats are
// computed in single precision and rounded once, as eager does.
//
//===----------------------------------------------------------------------===//
#include "Pointwise.h"

#include "ptc/Dialect/Aten/IR/Payload.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace ptc;

//===----------------------------------------------------------------------===//
// Payload functions
//===----------------------------------------------------------------------===//

namespace {

/// Builds the operations of one payload. Values are floats of the compute type, or i1 where a
/// comparison gave them; each function takes the form that it needs.
struct PayloadBuilder {
  PayloadBuilder(OpBuilder &b, Location loc, FloatType type) : b(b), loc(loc), type(type) {}

  OpBuilder &b;
  Location loc;
  FloatType type;
  /// Of the function that is being built: which operands are there, and its word.
  uint32_t present = ~0U;
  StringRef word;

  /// A constant, rounded to `first` before it is rounded to the compute type.
  Value number(double value, FloatType first = {}) {
    llvm::APFloat rounded(value);
    for (FloatType step : {first ? first : type, type}) {
      bool losesInfo = false;
      rounded.convert(step.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    }
    return arith::ConstantOp::create(b, loc, FloatAttr::get(type, rounded));
  }
  Value asFloat(Value v) {
    return v.getType().isInteger(1) ? arith::UIToFPOp::create(b, loc, type, v) : v;
  }
  Value asBool(Value v) {
    return v.getType().isInteger(1) ? v : compare(arith::CmpFPredicate::UNE, v, number(0));
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, asFloat(x), asFloat(y));
  }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, asFloat(x), asFloat(y));
  }
  Value isNan(Value x) { return compare(arith::CmpFPredicate::UNO, x, x); }
  template <typename Op> Value make(ValueRange x) {
    SmallVector<Value, 3> floats;
    for (Value v : x)
      floats.push_back(asFloat(v));
    return Op::create(b, loc, floats);
  }
};

using Operands = ArrayRef<Value>;
using PayloadFunction = Value (*)(PayloadBuilder &, Operands);

} // namespace

template <typename Op> static Value direct(PayloadBuilder &p, Operands x) { return p.make<Op>(x); }
template <arith::CmpFPredicate Predicate> static Value relation(PayloadBuilder &p, Operands x) {
  return p.compare(Predicate, x[0], x[1]);
}
template <typename Op> static Value logical(PayloadBuilder &p, Operands x) {
  return Op::create(p.b, p.loc, p.asBool(x[0]), p.asBool(x[1]));
}

/// The first operand where it is NaN or as good as the second, else the second: so a NaN in either
/// wins, and of zeros the first.
static Value firstIf(PayloadBuilder &p, Operands x, arith::CmpFPredicate better) {
  Value keep = arith::OrIOp::create(p.b, p.loc, p.isNan(x[0]), p.compare(better, x[0], x[1]));
  return p.choose(keep, x[0], x[1]);
}
static Value maximum(PayloadBuilder &p, Operands x) {
  return firstIf(p, x, arith::CmpFPredicate::OGE);
}
static Value minimum(PayloadBuilder &p, Operands x) {
  return firstIf(p, x, arith::CmpFPredicate::OLE);
}
/// The second operand where the first is NaN or worse, else the first: a NaN loses.
template <arith::CmpFPredicate AsGood> static Value numberOf(PayloadBuilder &p, Operands x) {
  Value keep = arith::OrIOp::create(p.b, p.loc, p.isNan(x[1]), p.compare(AsGood, x[0], x[1]));
  return p.choose(keep, x[0], x[1]);
}

/// -1, 0 or 1; 0 for NaN.
static Value sign(PayloadBuilder &p, Operands x) {
  Value zero = p.number(0);
  Value below = p.choose(p.compare(arith::CmpFPredicate::OLT, x[0], zero), p.number(-1), zero);
  return p.choose(p.compare(arith::CmpFPredicate::OGT, x[0], zero), p.number(1), below);
}

static Value select(PayloadBuilder &p, Operands x) { return p.choose(p.asBool(x[0]), x[1], x[2]); }
static Value notTrue(PayloadBuilder &p, Operands x) {
  return p.compare(arith::CmpFPredicate::OEQ, p.asFloat(x[0]), p.number(0));
}
static Value isNan(PayloadBuilder &p, Operands x) { return p.isNan(x[0]); }
static Value isInfinite(PayloadBuilder &p, Operands x) {
  Value size = math::AbsFOp::create(p.b, p.loc, p.asFloat(x[0]));
  return p.compare(arith::CmpFPredicate::OEQ, size, p.number(HUGE_VAL));
}
static Value isFinite(PayloadBuilder &p, Operands x) {
  Value size = math::AbsFOp::create(p.b, p.loc, p.asFloat(x[0]));
  return p.compare(arith::CmpFPredicate::OLT, size, p.number(HUGE_VAL));
}

/// Limits that are not there do not limit; NaN stays, and a NaN limit gives NaN.
static Value clamp(PayloadBuilder &p, Operands x) {
  Value value = x[0];
  if (p.present & 2)
    value = maximum(p, {value, x[1]});
  if (p.present & 4)
    value = minimum(p, {value, x[2]});
  return value;
}

/// x * Phi(x), or its approximation by tanh (Hendrycks and Gimpel, 2016).
static Value gelu(PayloadBuilder &p, Operands v) {
  Value x = p.asFloat(v[0]);
  auto mul = [&](Value a, Value c) -> Value { return arith::MulFOp::create(p.b, p.loc, a, c); };
  auto add = [&](Value a, Value c) -> Value { return arith::AddFOp::create(p.b, p.loc, a, c); };
  if (p.word == "tanh") {
    Value cube = mul(mul(x, x), x);
    Value inner = mul(p.number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi),
                      add(x, mul(p.number(0.044715), cube)));
    Value bend = math::TanhOp::create(p.b, p.loc, inner);
    return mul(mul(p.number(0.5), x), add(p.number(1), bend));
  }
  Value part = math::ErfOp::create(p.b, p.loc, mul(x, p.number(std::numbers::sqrt2 / 2)));
  return mul(mul(x, p.number(0.5)), add(p.number(1), part));
}

static PayloadFunction findPayloadFunction(StringRef name) {
  using P = arith::CmpFPredicate;
  static const llvm::StringMap<PayloadFunction> kFunctions = {
      {"abs", direct<math::AbsFOp>},
      {"acos", direct<math::AcosOp>},
      {"acosh", direct<math::AcoshOp>},
      {"add", direct<arith::AddFOp>},
      {"and", logical<arith::AndIOp>},
      {"asin", direct<math::AsinOp>},
      {"asinh", direct<math::AsinhOp>},
      {"atan", direct<math::AtanOp>},
      {"atan2", direct<math::Atan2Op>},
      {"atanh", direct<math::AtanhOp>},
      {"ceil", direct<math::CeilOp>},
      {"clamp", clamp},
      {"copysign", direct<math::CopySignOp>},
      {"cos", direct<math::CosOp>},
      {"cosh", direct<math::CoshOp>},
      {"div", direct<arith::DivFOp>},
      {"eq", relation<P::OEQ>},
      {"erf", direct<math::ErfOp>},
      {"erfc", direct<math::ErfcOp>},
      {"exp", direct<math::ExpOp>},
      {"exp2", direct<math::Exp2Op>},
      {"expm1", direct<math::ExpM1Op>},
      {"floor", direct<math::FloorOp>},
      {"fmax", numberOf<P::OGE>},
      {"fmin", numberOf<P::OLE>},
      {"fmod", direct<arith::RemFOp>},
      {"ge", relation<P::OGE>},
      {"gelu", gelu},
      {"gt", relation<P::OGT>},
      {"isfinite", isFinite},
      {"isinf", isInfinite},
      {"isnan", isNan},
      {"le", relation<P::OLE>},
      {"log", direct<math::LogOp>},
      {"log10", direct<math::Log10Op>},
      {"log1p", direct<math::Log1pOp>},
      {"log2", direct<math::Log2Op>},
      {"lt", relation<P::OLT>},
      {"max", maximum},
      {"maximum", maximum},
      {"min", minimum},
      {"minimum", minimum},
      {"mul", direct<arith::MulFOp>},
      {"ne", relation<P::UNE>},
      {"neg", direct<arith::NegFOp>},
      {"not", notTrue},
      {"or", logical<arith::OrIOp>},
      {"roundeven", direct<math::RoundEvenOp>},
      {"select", select},
      {"sign", sign},
      {"sin", direct<math::SinOp>},
      {"sinh", direct<math::SinhOp>},
      {"sqrt", direct<math::SqrtOp>},
      {"sub", direct<arith::SubFOp>},
      {"tan", direct<math::TanOp>},
      {"tanh", direct<math::TanhOp>},
      {"trunc", direct<math::TruncOp>},
      {"xor", logical<arith::XOrIOp>},
  };
  return kFunctions.lookup(name);
}

//===----------------------------------------------------------------------===//
// Which operations this family takes
//===----------------------------------------------------------------------===//

namespace {

/// One operation that is looked at, and what its kernel will be.
struct Candidate {
  aten::AtenOp op;
  SmallVector<aten::PayloadNode, 8> payload;
  SmallVector<std::optional<unsigned>> inputOf; ///< by schema argument: index among the inputs
  SmallVector<Value> inputs;
  RankedTensorType result;
  FloatType computeType;
};

} // namespace

/// The text of a dimension's size, where it has no number.
static Attribute sizeText(RankedTensorType type, int64_t d) {
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  return meta && meta.getSizes() ? meta.getSizes()[d] : Attribute();
}

/// Known to be the result's size, or 1 where it broadcasts.
static bool knownToBroadcast(RankedTensorType input, RankedTensorType result) {
  int64_t shift = result.getRank() - input.getRank();
  if (shift < 0)
    return false;
  for (int64_t d = 0; d < input.getRank(); ++d) {
    bool isDynamic = input.isDynamicDim(d) || result.isDynamicDim(d + shift);
    bool isOne = !input.isDynamicDim(d) && input.getDimSize(d) == 1;
    if (isDynamic && !isOne && sizeText(input, d) != sizeText(result, d + shift))
      return false;
    if (isDynamic && !isOne && !sizeText(input, d))
      return false;
  }
  return true;
}

static bool hasPlainLayout(RankedTensorType type) {
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  return !meta || !meta.getStrides();
}

/// Operands of the payload: tensors of one floating type.
static LogicalResult collectInputs(Candidate &c, PatternRewriter &rewriter) {
  const aten::OpInfo &info = c.op.getInfo();
  c.inputOf.resize(info.args.size());
  for (const aten::PayloadNode &node : c.payload) {
    if (node.kind != aten::PayloadNode::Kind::Argument || c.inputOf[node.argument])
      continue;
    aten::OpArg arg = c.op.getArg(node.argument);
    Value value = arg.getValue();
    if (!value) {
      if (!arg.isNone() && !arg.getFloat() && !arg.getString())
        return rewriter.notifyMatchFailure(c.op, "a parameter is not a number");
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return rewriter.notifyMatchFailure(c.op, "a number is known only at run time");
    auto element = dyn_cast<FloatType>(type.getElementType());
    if (!element || (c.computeType && element != c.computeType))
      return rewriter.notifyMatchFailure(c.op, "the operands are not of one floating type");
    if (!knownToBroadcast(type, c.result))
      return rewriter.notifyMatchFailure(c.op, "sizes are not known to broadcast");
    c.computeType = element;
    c.inputOf[node.argument] = unsigned(c.inputs.size());
    c.inputs.push_back(value);
  }
  return success();
}

static std::optional<Candidate> examine(aten::AtenOp op, PatternRewriter &rewriter) {
  const aten::OpInfo &info = op.getInfo();
  auto refuse = [&](const char *why) -> std::optional<Candidate> {
    (void)rewriter.notifyMatchFailure(op, why);
    return std::nullopt;
  };
  if (info.payload.empty() || op->getNumResults() != 1)
    return refuse("it has no payload");
  Candidate c{op, aten::parsePayload(info), {}, {}, {}, {}};
  c.result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!c.result || !hasPlainLayout(c.result))
    return refuse("the result is not laid out row by row");
  for (const aten::PayloadNode &node : c.payload)
    if (node.kind == aten::PayloadNode::Kind::Call && !findPayloadFunction(node.function))
      return refuse("a function of its payload has no lowering");
  if (failed(collectInputs(c, rewriter)))
    return std::nullopt;
  if (c.inputs.empty())
    return refuse("it has no tensor operand");
  Type element = c.result.getElementType();
  if (element != c.computeType && !element.isInteger(1))
    return refuse("the result has another type than the operands");
  return c;
}

//===----------------------------------------------------------------------===//
// Making the kernel
//===----------------------------------------------------------------------===//

/// How the loops reach an input: trailing dimensions align, those of size 1 stay at 0.
static AffineMap accessOf(RankedTensorType input, RankedTensorType result) {
  Builder b(input.getContext());
  SmallVector<AffineExpr> places;
  int64_t shift = result.getRank() - input.getRank();
  for (int64_t d = 0; d < input.getRank(); ++d) {
    bool broadcasts = input.getDimSize(d) == 1 && result.getDimSize(d + shift) != 1;
    places.push_back(broadcasts ? b.getAffineConstantExpr(0) : b.getAffineDimExpr(d + shift));
  }
  return AffineMap::get(result.getRank(), 0, places, input.getContext());
}

/// An empty tensor of the result's type; sizes that have no number come from an input that has
/// them.
static Value makeEmpty(OpBuilder &b, Location loc, const Candidate &c,
                       Block::BlockArgListType args) {
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < c.result.getRank(); ++d) {
    if (!c.result.isDynamicDim(d))
      continue;
    for (BlockArgument arg : args) {
      auto type = cast<RankedTensorType>(arg.getType());
      int64_t own = d - (c.result.getRank() - type.getRank());
      if (own < 0 || !type.isDynamicDim(own))
        continue;
      sizes.push_back(tensor::DimOp::create(b, loc, arg, own));
      break;
    }
  }
  RankedTensorType plain = plan::plainType(c.result);
  if (int64_t(sizes.size()) != int64_t(plain.getNumDynamicDims()))
    return {};
  return tensor::EmptyOp::create(b, loc, plain, sizes);
}

/// Which input a node is, if it is one.
static std::optional<unsigned> inputOf(const Candidate &c, const aten::PayloadNode &node) {
  return node.kind == aten::PayloadNode::Kind::Argument ? c.inputOf[node.argument] : std::nullopt;
}

static Value buildPayload(Candidate &c, OpBuilder &b, Location loc, ValueRange elements) {
  const aten::OpInfo &info = c.op.getInfo();
  bool isHalf = c.computeType.getWidth() == 16;
  PayloadBuilder p(b, loc, isHalf ? FloatType(b.getF32Type()) : c.computeType);
  SmallVector<Value, 8> values;
  SmallVector<StringRef, 8> words(c.payload.size());
  llvm::SmallBitVector absent(c.payload.size());
  for (auto [n, node] : llvm::enumerate(c.payload)) {
    Value value;
    if (node.kind == aten::PayloadNode::Kind::Number) {
      value = p.number(node.number);
    } else if (std::optional<unsigned> input = inputOf(c, node)) {
      value = elements[*input];
      value = isHalf ? Value(arith::ExtFOp::create(b, loc, p.type, value)) : value;
    } else if (node.kind == aten::PayloadNode::Kind::Argument) {
      aten::OpArg arg = c.op.getArg(node.argument);
      absent[n] = arg.isNone();
      words[n] = arg.getString().value_or("");
      value = p.number(arg.getFloat().value_or(0),
                       aten::keepsNumberWide(info, node.argument) ? FloatType() : c.computeType);
    } else {
      SmallVector<Value, 3> operands;
      p.present = 0;
      p.word = {};
      for (auto [i, operand] : llvm::enumerate(node.operands)) {
        operands.push_back(values[operand]);
        p.present |= uint32_t(!absent[operand]) << i;
        if (!words[operand].empty())
          p.word = words[operand];
      }
      value = findPayloadFunction(node.function)(p, operands);
    }
    values.push_back(value);
  }
  if (c.result.getElementType().isInteger(1))
    return p.asBool(values.back());
  Value result = p.asFloat(values.back());
  return isHalf ? Value(arith::TruncFOp::create(b, loc, c.computeType, result)) : result;
}

namespace {

struct PointwiseToKernel : RewritePattern {
  explicit PointwiseToKernel(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto overload = dyn_cast<aten::AtenOp>(op);
    if (!overload)
      return failure();
    std::optional<Candidate> found = examine(overload, rewriter);
    if (!found)
      return failure();
    Candidate &c = *found;
    Location loc = op->getLoc();
    auto kernel = plan::KernelOp::create(rewriter, loc, TypeRange(c.result),
                                         plan::Family::Pointwise, c.inputs);
    Block &body = kernel.getBody().emplaceBlock();
    SmallVector<AffineMap> maps;
    for (Value input : c.inputs) {
      auto type = cast<RankedTensorType>(input.getType());
      body.addArgument(plan::plainType(type), loc);
      maps.push_back(accessOf(type, c.result));
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(c.result.getRank()));
    OpBuilder b = OpBuilder::atBlockEnd(&body);
    Value empty = makeEmpty(b, loc, c, body.getArguments());
    if (!empty) {
      rewriter.eraseOp(kernel);
      return rewriter.notifyMatchFailure(op, "a size of the result is no input's");
    }
    SmallVector<utils::IteratorType> loops(c.result.getRank(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, loc, plan::plainType(c.result), body.getArguments(), empty, maps, loops,
        [&](OpBuilder &inner, Location at, ValueRange elements) {
          linalg::YieldOp::create(inner, at, buildPayload(c, inner, at, elements));
        });
    plan::YieldOp::create(b, loc, generic.getResults());
    rewriter.replaceOp(op, kernel);
    return success();
  }
};

} // namespace

void ptc::populatePointwisePatterns(RewritePatternSet &patterns) {
  patterns.add<PointwiseToKernel>(patterns.getContext());
}
