//===- KernelBuilder.cpp - One kernel in the making --------------------------------------===//
//
// In: the arguments of an operation. Out: a plan.kernel whose region reads them. Sizes that have no
// number are read from inputs by the names that their types give them.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;

KernelBuilder::KernelBuilder(Operation *op, PatternRewriter &rewriter)
    : rewriter(rewriter), op(op), loc(op->getLoc()), b(op->getContext()),
      body(&region.emplaceBlock()) {
  b.setInsertionPointToEnd(body);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

SmallVector<Tensor, 4> KernelBuilder::tensors(StringRef name) {
  SmallVector<Tensor, 4> result;
  for (Value value : arg(name).getValues())
    result.push_back(input(value));
  return result;
}

std::optional<SmallVector<int64_t, 4>> KernelBuilder::ints(StringRef name) {
  aten::OpArg given = arg(name);
  if (given.isNone())
    return SmallVector<int64_t, 4>();
  if (std::optional<int64_t> one = given.getInt())
    return SmallVector<int64_t, 4>{*one};
  return given.getIntList();
}

std::optional<int64_t> KernelBuilder::dim(StringRef name, int64_t rank) {
  std::optional<int64_t> d = arg(name).getInt();
  if (!d)
    return std::nullopt;
  return *d < 0 ? *d + std::max<int64_t>(rank, 1) : *d;
}

Value KernelBuilder::number(aten::OpArg given, DType t, std::optional<DType> first) {
  ElementBuilder e = top();
  auto rounded = [&](Value v, DType from) {
    return first ? e.convert(e.convert(v, from, *first), *first, t) : e.convert(v, from, t);
  };
  if (Value value = given.getValue()) {
    Type type = value.getType();
    if (type.isF64())
      return rounded(scalar(value), DType::Float64);
    if (type.isInteger(64))
      return rounded(scalar(value), DType::Int64);
    return type.isInteger(1) ? rounded(scalar(value), DType::Bool) : Value();
  }
  Attribute attr = given.getAttr();
  auto constant = [&](auto number) -> Value {
    if (first && isHalf(*first))
      return e.real(t, roundTo(*first, double(number)));
    if constexpr (std::is_integral_v<decltype(number)>)
      return e.integer(t, number);
    else
      return e.real(t, number);
  };
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return constant(int64_t(flag.getValue()));
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return constant(integer.getInt());
  if (auto real = dyn_cast<FloatAttr>(attr))
    return constant(real.getValueAsDouble());
  if (OpFoldResult value = isa<aten::ExprAttr>(attr) ? size(attr) : OpFoldResult())
    return rounded(e.fromIndex(toValue(value)), DType::Int64);
  return {};
}

OpFoldResult KernelBuilder::extent(Attribute attr) {
  if (auto ref = dyn_cast<aten::ArgAttr>(attr)) {
    Value outside = op->getOperand(ref.getIndex());
    if (!outside.getType().isInteger(64))
      return {};
    return top().toIndex(scalar(outside));
  }
  return isa<IntegerAttr, aten::ExprAttr>(attr) ? size(attr) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Inputs and sizes
//===----------------------------------------------------------------------===//

Value KernelBuilder::addInput(Input given, Type type) {
  inputs.push_back(std::move(given));
  return body->addArgument(type, loc);
}

/// The texts of the sizes of a tensor of the program; null where they are all numbers.
static ArrayAttr sizeTexts(Value outside) {
  auto meta =
      dyn_cast_or_null<aten::MetaAttr>(cast<RankedTensorType>(outside.getType()).getEncoding());
  return meta ? meta.getSizes() : ArrayAttr();
}

LogicalResult KernelBuilder::refuseComplexOr(const Twine &why) {
  auto isOfComplex = [](Type type) { return isa<ComplexType>(getElementTypeOrSelf(type)); };
  bool isComplex = llvm::any_of(op->getOperandTypes(), isOfComplex) ||
                   llvm::any_of(op->getResultTypes(), isOfComplex);
  return refuse(isComplex ? "complex numbers" : why);
}

Tensor KernelBuilder::input(Value outside) {
  auto type = outside ? dyn_cast<RankedTensorType>(outside.getType()) : RankedTensorType();
  if (!type || isa<ComplexType>(type.getElementType()))
    return {};
  Value &argument = argumentOf[outside];
  if (!argument)
    argument = addInput({outside}, plan::plainType(type));
  return {argument, dtypeOf(type)};
}

Value KernelBuilder::scalar(Value outside) {
  Value &argument = argumentOf[outside];
  if (!argument)
    argument = addInput({outside}, outside.getType());
  return argument;
}

/// Whether the program knows a size of that name: it is read from one of its inputs.
static bool isInputSymbol(Operation *op, StringRef name) {
  auto variant = op->getParentOfType<program::VariantOp>();
  return variant && llvm::any_of(variant.getSymbols().getAsRange<ArrayAttr>(), [&](ArrayAttr row) {
           return cast<StringAttr>(row[0]).getValue() == name;
         });
}

Value KernelBuilder::symbolValue(StringRef name) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    ArrayAttr texts = type ? sizeTexts(operand) : ArrayAttr();
    if (!texts || isa<ComplexType>(type.getElementType()))
      continue;
    for (auto [d, text] : llvm::enumerate(texts))
      if (auto expr = dyn_cast<aten::ExprAttr>(text); expr && expr.getText() == name)
        return tensor::DimOp::create(b, loc, input(operand).value, int64_t(d));
  }
  if (!isInputSymbol(op, name))
    return {};
  return top().toIndex(addInput({{}, name.str()}, b.getI64Type()));
}

Value KernelBuilder::expressionValue(sym::Expr e, sym::Context &symbols) {
  ElementBuilder at = top();
  if (std::optional<int64_t> constant = e.asConstant())
    return at.index(*constant);
  if (e.kind() == sym::ExprKind::Symbol) {
    Value &known = valueOfText[symbols.symbolInfo(e).name];
    return known ? known : known = symbolValue(symbols.symbolInfo(e).name);
  }
  auto fold = [&](ArrayRef<sym::Expr> parts, auto join) {
    Value result;
    for (sym::Expr part : parts) {
      Value value = expressionValue(part, symbols);
      if (!value)
        return Value();
      result = result ? join(result, value) : value;
    }
    return result;
  };
  switch (e.kind()) {
  case sym::ExprKind::FloorDiv:
    return fold(e.operands(), [&](Value x, Value y) { return at.make<arith::FloorDivSIOp>(x, y); });
  case sym::ExprKind::Min:
    return fold(e.operands(), [&](Value x, Value y) { return at.make<arith::MinSIOp>(x, y); });
  case sym::ExprKind::Max:
    return fold(e.operands(), [&](Value x, Value y) { return at.make<arith::MaxSIOp>(x, y); });
  case sym::ExprKind::Sum: {
    Value total;
    for (const sym::Term &term : e.terms()) {
      Value product = at.index(term.coefficient);
      for (const sym::Factor &factor : term.factors)
        for (uint32_t i = 0; i < factor.power; ++i) {
          Value atom = expressionValue(factor.atom, symbols);
          if (!atom)
            return {};
          product = at.mulIndex(product, atom);
        }
      total = total ? at.addIndex(total, product) : product;
    }
    return total;
  }
  case sym::ExprKind::Unsupported:
    return {};
  case sym::ExprKind::Constant:
  case sym::ExprKind::Symbol:
    break;
  }
  llvm_unreachable("handled above");
}

OpFoldResult KernelBuilder::size(Attribute attr) {
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return constant(number.getInt());
  StringRef text = cast<aten::ExprAttr>(attr).getText();
  if (Value known = valueOfText.lookup(text))
    return known;
  // The size may be an input's own, whatever its text.
  Value value = symbolValue(text);
  if (!value) {
    sym::Context symbols;
    auto lookup = [&](StringRef name) -> std::optional<sym::Expr> {
      if (std::optional<sym::SymbolId> id = symbols.findSymbol(name))
        return symbols.symbol(*id);
      sym::SymbolInfo unbounded{.name = name.str()};
      unbounded.lower = sym::Interval::kMin;
      return symbols.symbol(unbounded);
    };
    std::optional<sym::Expr> parsed = symbols.parse(text, lookup);
    value = parsed ? expressionValue(*parsed, symbols) : Value();
  }
  if (!value)
    return {};
  valueOfText[text] = value;
  return value;
}

Sizes KernelBuilder::sizesOf(Tensor t) {
  auto known = sizesOfTensor.find(t.value);
  if (known != sizesOfTensor.end())
    return known->second;
  Sizes sizes;
  ArrayAttr texts;
  if (auto argument = dyn_cast<BlockArgument>(t.value))
    texts = sizeTexts(inputs[argument.getArgNumber()].outside);
  for (int64_t d = 0; d < t.rank(); ++d) {
    OpFoldResult size = texts ? this->size(texts[d]) : OpFoldResult();
    if (t.size(d) != ShapedType::kDynamic)
      size = constant(t.size(d));
    sizes.push_back(size ? size : OpFoldResult(tensor::getMixedSize(b, loc, t.value, d)));
  }
  return sizesOfTensor[t.value] = sizes;
}

std::optional<Sizes> KernelBuilder::resultSizes(unsigned i) {
  RankedTensorType type = resultType(i);
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  Sizes sizes;
  for (auto [d, number] : llvm::enumerate(type.getShape())) {
    OpFoldResult size;
    if (number != ShapedType::kDynamic)
      size = constant(number);
    else if (meta && meta.getSizes())
      size = this->size(meta.getSizes()[d]);
    if (!size)
      return sizesByRule(i);
    sizes.push_back(size);
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

RankedTensorType KernelBuilder::typeFor(ArrayRef<OpFoldResult> sizes, DType t) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, elementType(b.getContext(), t));
}

Tensor KernelBuilder::define(Value value, DType dtype, Sizes sizes) {
  sizesOfTensor[value] = std::move(sizes);
  return {value, dtype};
}

Tensor KernelBuilder::empty(ArrayRef<OpFoldResult> sizes, DType t) {
  return define(tensor::EmptyOp::create(b, loc, sizes, elementType(b.getContext(), t)), t,
                Sizes(sizes));
}

Tensor KernelBuilder::fill(ArrayRef<OpFoldResult> sizes, DType t, Value element) {
  Value filled = linalg::FillOp::create(b, loc, element, empty(sizes, t).value).getResult(0);
  return define(filled, t, Sizes(sizes));
}

SmallVector<Tensor, 2> KernelBuilder::loops(ArrayRef<Access> ins, ArrayRef<Access> outs,
                                            Body build) {
  SmallVector<Value> inValues, outValues;
  SmallVector<AffineMap> maps;
  SmallVector<Type> types;
  for (const Access &in : ins) {
    inValues.push_back(in.tensor.value);
    maps.push_back(in.map);
  }
  for (const Access &out : outs) {
    outValues.push_back(out.tensor.value);
    types.push_back(out.tensor.value.getType());
    maps.push_back(out.map);
  }
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop = 0; loop < maps.front().getNumDims(); ++loop) {
    bool isParallel = llvm::all_of(outs, [&](const Access &out) {
      return llvm::is_contained(out.map.getResults(), b.getAffineDimExpr(loop));
    });
    iterators.push_back(isParallel ? utils::IteratorType::parallel
                                   : utils::IteratorType::reduction);
  }
  auto generic = linalg::GenericOp::create(b, loc, types, inValues, outValues, maps, iterators,
                                           [&](OpBuilder &inner, Location at, ValueRange elements) {
                                             ElementBuilder e{inner, at};
                                             linalg::YieldOp::create(inner, at, build(e, elements));
                                           });
  SmallVector<Tensor, 2> results;
  for (auto [value, out] : llvm::zip_equal(generic.getResults(), outs))
    results.push_back(define(value, out.tensor.dtype, sizesOf(out.tensor)));
  return results;
}

Tensor KernelBuilder::map(ArrayRef<Access> ins, ArrayRef<OpFoldResult> sizes, DType t, Map build) {
  Tensor out = empty(sizes, t);
  return loops(ins, Access{out, identity(out.rank())},
               [&](ElementBuilder &e, ValueRange elements) {
                 return SmallVector<Value, 2>{build(e, elements.drop_back())};
               })
      .front();
}

Tensor KernelBuilder::fromIndices(const Sizes &sizes, DType t, Map build) {
  size_t rank = sizes.size();
  return map({}, sizes, t, [&](ElementBuilder &e, ValueRange) {
    SmallVector<Value> indices;
    for (size_t d = 0; d < rank; ++d)
      indices.push_back(e.make<linalg::IndexOp>(d));
    return build(e, indices);
  });
}

Tensor KernelBuilder::move(Tensor source, const Sizes &sizes, Places places) {
  return fromIndices(sizes, source.dtype, [&](ElementBuilder &e, ValueRange indices) {
    return e.make<tensor::ExtractOp>(source.value, places(e, indices));
  });
}

std::optional<Access> KernelBuilder::reach(Tensor in, ArrayRef<OpFoldResult> sizes) {
  if (AffineMap map = broadcastMap(in, sizes))
    return Access{in, map};
  int64_t shift = int64_t(sizes.size()) - in.rank();
  if (shift < 0)
    return std::nullopt;
  SmallVector<Value> limits = toValues(sizesOf(in));
  // A size is 1 or that of the loops: the last place there is stands for those behind it.
  Tensor copy = move(in, Sizes(sizes), [&](ElementBuilder &e, ValueRange at) {
    SmallVector<Value, 6> from;
    for (auto [i, limit] : llvm::zip_equal(at.drop_front(size_t(shift)), limits))
      from.push_back(e.clampIndex(i, limit));
    return from;
  });
  return Access{copy, identity(copy.rank())};
}

std::optional<Tensor> KernelBuilder::broadcast(ArrayRef<Tensor> ins, const Sizes &sizes, DType t,
                                               Map build) {
  SmallVector<Access> accesses;
  for (Tensor in : ins) {
    std::optional<Access> access = reach(in, sizes);
    if (!access)
      return std::nullopt;
    accesses.push_back(*access);
  }
  return map(accesses, sizes, t, build);
}

std::optional<Tensor> KernelBuilder::update(Tensor t, ArrayRef<Tensor> ins, Map build) {
  SmallVector<Access> accesses;
  for (Tensor in : ins) {
    std::optional<Access> access = reach(in, sizesOf(t));
    if (!access)
      return std::nullopt;
    accesses.push_back(*access);
  }
  return loops(accesses, Access{t, identity(t.rank())},
               [&](ElementBuilder &e, ValueRange x) { return SmallVector<Value, 2>{build(e, x)}; })
      .front();
}

Value KernelBuilder::read(ElementBuilder &e, const Access &in, ValueRange counters) {
  SmallVector<Value> place;
  for (AffineExpr at : in.map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(at);
    place.push_back(loop ? counters[loop.getPosition()]
                         : e.index(cast<AffineConstantExpr>(at).getValue()));
  }
  return e.make<tensor::ExtractOp>(in.tensor.value, place);
}

Tensor KernelBuilder::writeInTurn(Tensor whole, ArrayRef<OpFoldResult> sizes, Write write) {
  Sizes own = sizesOf(whole);
  // A tensor of its own, which the turns may change in place.
  Tensor start = map(Access{whole, identity(whole.rank())}, own, whole.dtype,
                     [](ElementBuilder &, ValueRange x) { return x[0]; });
  SmallVector<Value> ends = toValues(sizes);
  OpFoldResult total = product(own);
  if (!ends.empty() && getConstantIntValue(total).value_or(0) == 0) {
    Value isEmpty = top().compareIndex(arith::CmpIPredicate::eq, toValue(total), top().index(0));
    ends.front() = top().select(isEmpty, top().index(0), ends.front());
  }
  SmallVector<Value> starts(ends.size(), top().index(0)), steps(ends.size(), top().index(1));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, starts, ends, steps, start.value,
      [&](OpBuilder &inner, Location at, ValueRange counters, ValueRange carried) {
        ElementBuilder e{inner, at};
        Written written = write(e, counters, {carried.front(), whole.dtype});
        return scf::ValueVector{
            e.make<tensor::InsertOp>(written.element, carried.front(), written.place)};
      });
  return define(nest.results.front(), whole.dtype, own);
}

Tensor KernelBuilder::reduce(Tensor in, ArrayRef<bool> mask, DType t, Value start, Map build) {
  return reduceOver(Access{in, identity(in.rank())}, sizesOf(in), mask, t, start, build);
}

Tensor KernelBuilder::reduceOver(ArrayRef<Access> ins, ArrayRef<OpFoldResult> sizes,
                                 ArrayRef<bool> mask, DType t, Value start, Map build) {
  Sizes kept;
  for (auto [size, goes] : llvm::zip_equal(sizes, mask))
    if (!goes)
      kept.push_back(size);
  Access out{fill(kept, t, start), without(mask)};
  return loops(ins, out,
               [&](ElementBuilder &e, ValueRange elements) {
                 return SmallVector<Value, 2>{build(e, elements)};
               })
      .front();
}

Tensor KernelBuilder::sumProducts(const Access &left, const Access &right, const Access &sums) {
  DType t = sums.tensor.dtype;
  return loops({left, right}, sums,
               [&](ElementBuilder &e, ValueRange x) {
                 Value product = e.mul(t, e.convert(x[0], left.tensor.dtype, t),
                                       e.convert(x[1], right.tensor.dtype, t));
                 return SmallVector<Value, 2>{e.add(t, x[2], product)};
               })
      .front();
}

Value KernelBuilder::countOf(Tensor in, ArrayRef<bool> mask, DType t) {
  Sizes gone;
  for (auto [size, goes] : llvm::zip_equal(sizesOf(in), mask))
    if (goes)
      gone.push_back(size);
  OpFoldResult count = product(gone);
  if (std::optional<int64_t> known = getConstantIntValue(count))
    return top().integer(t, *known);
  return top().convert(top().fromIndex(toValue(count)), DType::Int64, t);
}

Tensor KernelBuilder::convert(Tensor in, DType to) {
  if (in.dtype == to)
    return in;
  return map(Access{in, identity(in.rank())}, sizesOf(in), to,
             [&](ElementBuilder &e, ValueRange x) { return e.convert(x[0], in.dtype, to); });
}

Tensor KernelBuilder::withOnes(Tensor in, ArrayRef<bool> mask) {
  Sizes sizes, old = sizesOf(in);
  size_t next = 0;
  for (bool isNew : mask)
    sizes.push_back(isNew ? constant(1) : old[next++]);
  return reshape(in, sizes);
}

Tensor KernelBuilder::slice(Tensor in, int64_t d, OpFoldResult start, OpFoldResult length) {
  Sizes sizes = sizesOf(in), starts(sizes.size(), constant(0)), steps(sizes.size(), constant(1));
  starts[size_t(d)] = start;
  sizes[size_t(d)] = length;
  return define(tensor::ExtractSliceOp::create(b, loc, in.value, starts, sizes, steps), in.dtype,
                sizes);
}

Tensor KernelBuilder::insert(Tensor part, Tensor whole, ArrayRef<OpFoldResult> starts,
                             ArrayRef<OpFoldResult> steps) {
  Sizes ones(starts.size(), constant(1));
  return define(tensor::InsertSliceOp::create(b, loc, part.value, whole.value, starts,
                                              sizesOf(part),
                                              steps.empty() ? ArrayRef<OpFoldResult>(ones) : steps),
                whole.dtype, sizesOf(whole));
}

Tensor KernelBuilder::padForWindows(Tensor in, ArrayRef<Span> spans, ArrayRef<OpFoldResult> windows,
                                    Value filler) {
  Sizes sizes = sizesOf(in), starts(sizes.size(), constant(0));
  size_t outer = sizes.size() - spans.size();
  bool isNeeded = false;
  for (auto [d, span] : llvm::enumerate(spans)) {
    OpFoldResult &size = sizes[outer + d];
    std::optional<int64_t> own = getConstantIntValue(size), count = getConstantIntValue(windows[d]);
    starts[outer + d] = constant(span.padding);
    isNeeded |= span.padding != 0 || !own || !count || span.reach(*count) > *own;
    if (own && count) {
      size = constant(std::max(*own + span.padding, span.reach(*count)));
      continue;
    }
    ElementBuilder e = top();
    Value total = e.mulIndex(toValue(windows[d]), e.index(span.stride));
    size = OpFoldResult(e.make<arith::MaxSIOp>(toValue(sum(size, constant(span.padding))),
                                               e.addIndex(total, e.index(span.tail()))));
  }
  if (!isNeeded)
    return in;
  Tensor whole = fill(sizes, in.dtype, filler);
  return in.hasZero() ? whole : insert(in, whole, starts);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

AffineMap KernelBuilder::without(ArrayRef<bool> mask) {
  SmallVector<AffineExpr> kept;
  for (auto [d, goes] : llvm::enumerate(mask))
    if (!goes)
      kept.push_back(at(int64_t(d)));
  return mapOf(int64_t(mask.size()), kept);
}

AffineMap KernelBuilder::broadcastMap(Tensor in, ArrayRef<OpFoldResult> sizes) {
  int64_t shift = int64_t(sizes.size()) - in.rank();
  if (shift < 0)
    return {};
  SmallVector<AffineExpr> places;
  Sizes own = sizesOf(in);
  for (int64_t d = 0; d < in.rank(); ++d) {
    bool repeats = in.isOne(d) && getConstantIntValue(sizes[d + shift]) != 1;
    if (!repeats && own[d] != sizes[d + shift])
      return {};
    places.push_back(repeats ? b.getAffineConstantExpr(0) : at(d + shift));
  }
  return mapOf(int64_t(sizes.size()), places);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

plan::KernelOp KernelBuilder::emit(plan::Family family, ArrayRef<Tensor> results, TypeRange types) {
  SmallVector<Value> yields;
  for (auto [result, type] : llvm::zip_equal(results, types)) {
    RankedTensorType plain = plan::plainType(type);
    yields.push_back(result.value.getType() == plain
                         ? result.value
                         : Value(tensor::CastOp::create(b, loc, plain, result.value)));
  }
  plan::YieldOp::create(b, loc, yields);
  SmallVector<Value> outside;
  for (const Input &input : inputs) {
    Value value = input.outside;
    if (!value)
      value = program::SizeExprOp::create(rewriter, loc, b.getI64Type(), ValueRange(),
                                          b.getStringAttr(input.sizeText), b.getArrayAttr({}));
    outside.push_back(value);
  }
  // What it was made of stays readable when kernels join.
  Location named = NameLoc::get(b.getStringAttr(op->getName().getStringRef()), loc);
  auto kernel = plan::KernelOp::create(rewriter, named, types, family, outside);
  kernel.getBody().takeBody(region);
  return kernel;
}

void KernelBuilder::raiseIf(Tensor failed, ArrayRef<Tensor> values, StringRef errorClass,
                            StringRef text) {
  SmallVector<Tensor> results{failed};
  llvm::append_range(results, values);
  SmallVector<Type> types(results.size(), RankedTensorType::get({}, b.getI64Type()));
  types.front() = RankedTensorType::get({}, b.getI1Type());
  bool reduces =
      region
          .walk([](linalg::LinalgOp loops) {
            return loops.getNumReductionLoops() ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  plan::KernelOp kernel =
      emit(reduces ? plan::Family::Reduction : plan::Family::Pointwise, results, types);
  plan::CheckOp::create(rewriter, loc, kernel.getResult(0), kernel.getResults().drop_front(),
                        errorClass, text);
}

LogicalResult KernelBuilder::finish(plan::Family family, ArrayRef<Tensor> results) {
  rewriter.replaceOp(op, emit(family, results, op->getResultTypes()));
  return success();
}
