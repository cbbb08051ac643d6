//===- HostViews.cpp - Parts of tensors -----------------------------------------------------===//
//
// In: chains of view operations, and what is written through them. Out: addresses; sizes that are
// known at run time only become numbers beside them. A view whose steps do not fit is the address
// null, and who reads it raises what eager raises.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Aten/IR/Refused.h"
#include "ptc/Dialect/Program/IR/ViewOffset.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using IP = arith::CmpIPredicate;

llvm::Error Host::noteMisfit(Operation *op, Value isOut, const aten::TensorMeta &meta, int64_t dim,
                             Value index) {
  Misfit misfit{isOut, {{"select(): index ", -1, 0}, {"", 0, 's'}}, {index}};
  misfit.parts.push_back({" out of range for tensor of size [", -1, 0});
  for (auto [i, size] : llvm::enumerate(meta.sizes)) {
    llvm::Expected<Value> value = evaluate(size, op);
    if (!value)
      return value.takeError();
    if (i)
      misfit.parts.push_back({", ", -1, 0});
    misfit.parts.push_back({"", int32_t(misfit.values.size()), 's'});
    misfit.values.push_back(*value);
  }
  misfit.parts.push_back({"] at dimension " + std::to_string(dim), -1, 0});
  misfits[op].push_back(std::move(misfit));
  return llvm::Error::success();
}

/// `x[i]` in one dimension, with an index known at run time. Out of range the view is undefined:
/// its address is null, and who reads it raises.
llvm::Expected<Value> Host::selectAt(Operation *op, Value base, aten::TensorMeta &meta, int64_t dim,
                                     Value index) {
  if (dim < 0)
    dim += meta.dim();
  if (dim < 0 || dim >= meta.dim())
    return refuse(op, "a dimension that is not there");
  llvm::Expected<Value> size = evaluate(meta.sizes[dim], op);
  if (!size)
    return size.takeError();
  llvm::Expected<Value> stride = evaluate(meta.strides[dim], op);
  if (!stride)
    return stride.takeError();
  Value zero = arith::ConstantIntOp::create(b, 0, 64);
  Value isBelow = arith::CmpIOp::create(b, IP::slt, index, zero);
  Value wrapped =
      arith::SelectOp::create(b, isBelow, arith::AddIOp::create(b, index, *size), index);
  Value isOut = arith::CmpIOp::create(b, IP::uge, wrapped, *size);
  if (llvm::Error error = noteMisfit(op, isOut, meta, dim, index))
    return std::move(error);
  meta.sizes.erase(meta.sizes.begin() + dim);
  meta.strides.erase(meta.strides.begin() + dim);
  Value unit = arith::ConstantIntOp::create(b, int64_t(getDTypeInfo(meta.dtype).bytes), 64);
  Value bytes = arith::MulIOp::create(b, arith::MulIOp::create(b, wrapped, *stride), unit);
  return Value(arith::SelectOp::create(b, isOut, LLVM::ZeroOp::create(b, base.getType()),
                                       offsetBy(base, bytes)));
}

/// Whether a tensor may be undefined, which is the address null.
bool Host::mayBeUndefined(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return !isa<program::VariantOp>(cast<BlockArgument>(tensor).getOwner()->getParentOp());
  if (auto retype = dyn_cast<program::RetypeOp>(op))
    return mayBeUndefined(retype.getValue());
  if (auto view = dyn_cast<program::ViewOp>(op))
    return !view.getValues().empty() || !dataSymbolsOf(view.getBase().getType()).empty() ||
           mayBeUndefined(view.getBase());
  if (auto scatter = dyn_cast<program::ScatterOp>(op))
    return mayBeUndefined(scatter.getBase()) || mayBeUndefined(scatter.getPart());
  // What is drawn has memory; of dropout, only what is read.
  const aten::OpInfo *info = aten::findOp(op->getName().getStringRef());
  if (info && info->has(aten::OpFlag::Random) && op->getNumResults() == 1)
    return false;
  // A slot that no call has set yet has no memory.
  return !isa<plan::KernelOp, program::TensorOp, program::LiteralOp, program::WeightOp>(op);
}

Value Host::use(Value tensor, Operation *op) {
  Value address = get(tensor);
  if (!mayBeUndefined(tensor))
    return address;
  Block *bad = newBlock(), *good = newBlock();
  cf::CondBranchOp::create(b, isNull(address), bad, ValueRange(), good, ValueRange());
  b.setInsertionPointToEnd(bad);
  raiseMisfit(tensor, op);
  b.setInsertionPointToEnd(good);
  return address;
}

Value Host::isNull(Value address) {
  Value null = LLVM::ZeroOp::create(b, address.getType());
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, address, null);
}

/// The first step that did not fit, from the innermost view on.
void Host::raiseMisfit(Value tensor, Operation *op) {
  SmallVector<Operation *> views;
  for (Operation *op = tensor.getDefiningOp();
       isa_and_nonnull<program::ViewOp, program::RetypeOp>(op);
       op = op->getOperand(0).getDefiningOp())
    views.push_back(op);
  raiseFirstOf(llvm::to_vector(llvm::reverse(views)), op);
}

void Host::raiseFirstOf(ArrayRef<Operation *> views, Operation *op) {
  for (Operation *view : views)
    for (const Misfit &misfit : misfits[view]) {
      Block *raises = newBlock(), *next = newBlock();
      cf::CondBranchOp::create(b, misfit.isOut, raises, ValueRange(), next, ValueRange());
      b.setInsertionPointToEnd(raises);
      raiseWith(op, "IndexError", misfit.parts, misfit.values);
      b.setInsertionPointToEnd(next);
    }
  // No step: an error of the compiler, not of the program.
  auto call = callService(offsetof(ptc_services, fail), b.getI32Type(),
                          {frame, i32(ptc_status_internal),
                           siteAt(op->getLoc(), "", "a view fits none of the expected sizes")});
  func::ReturnOp::create(b, call.getResult());
}

/// A number that a step names.
llvm::Expected<Value> Host::stepNumber(Operation *op, Attribute attr, ValueRange operands) {
  if (auto arg = dyn_cast<aten::ArgAttr>(attr))
    return get(operands[arg.getIndex()]);
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return i64(integer.getInt());
  auto text = dyn_cast<aten::ExprAttr>(attr);
  std::optional<sym::Expr> e = text ? symbols.parse(text.getText()) : std::nullopt;
  return e ? evaluate(*e, op) : refuse(op, "a step with what is no number");
}

/// A bound of a slice: negative ones count from the end, and all are cut to what is there.
llvm::Expected<Value> Host::sliceBound(Operation *op, Attribute bound, Value size, Value missing,
                                       ValueRange operands) {
  if (isa<aten::NoneAttr>(bound))
    return missing;
  llvm::Expected<Value> at = stepNumber(op, bound, operands);
  if (!at)
    return at.takeError();
  Value zero = i64(0);
  Value wrapped = arith::MaxSIOp::create(b, arith::AddIOp::create(b, *at, size), zero);
  Value isBelow = arith::CmpIOp::create(b, IP::slt, *at, zero);
  return Value(arith::MinSIOp::create(b, arith::SelectOp::create(b, isBelow, wrapped, *at), size));
}

/// `x[start:end:step]` in one dimension, with bounds known at run time.
llvm::Expected<Value> Host::sliceAt(Operation *op, Value base, aten::TensorMeta &meta,
                                    ArrayAttr step, ValueRange operands) {
  int64_t dim = cast<IntegerAttr>(step[1]).getInt(), by = cast<IntegerAttr>(step[4]).getInt();
  if (dim < 0)
    dim += meta.dim();
  if (dim < 0 || dim >= meta.dim() || by < 1)
    return refuse(op, "a slice of a dimension that is not there");
  llvm::Expected<Value> size = evaluate(meta.sizes[dim], op);
  if (!size)
    return size.takeError();
  llvm::Expected<Value> stride = evaluate(meta.strides[dim], op);
  if (!stride)
    return stride.takeError();
  llvm::Expected<Value> from = sliceBound(op, step[2], *size, i64(0), operands);
  if (!from)
    return from.takeError();
  llvm::Expected<Value> to = sliceBound(op, step[3], *size, *size, operands);
  if (!to)
    return to.takeError();
  Value length = arith::MaxSIOp::create(b, arith::SubIOp::create(b, *to, *from), i64(0));
  if (by > 1)
    length = arith::DivSIOp::create(b, arith::AddIOp::create(b, length, i64(by - 1)), i64(by));
  meta.sizes[dim] = symbolOf(length, 0);
  meta.strides[dim] = symbols.mul(meta.strides[dim], symbols.constant(by));
  Value unit = i64(getDTypeInfo(meta.dtype).bytes);
  return offsetBy(base, arith::MulIOp::create(b, arith::MulIOp::create(b, *from, *stride), unit));
}

/// One of the pieces of a dimension: guards have seen to it that there is such a piece.
llvm::Expected<Value> Host::pieceAt(Operation *op, Value base, aten::TensorMeta &meta,
                                    const Piece &piece, ArrayAttr step, ValueRange operands) {
  auto d = size_t(piece.dim);
  llvm::Expected<Value> size = evaluate(meta.sizes[d], op);
  if (!size)
    return size.takeError();
  llvm::Expected<Value> stride = evaluate(meta.strides[d], op);
  if (!stride)
    return stride.takeError();
  Value number = i64(piece.number), start = number, length;
  if (piece.kind == Piece::Kind::Entry) {
    meta.sizes.erase(meta.sizes.begin() + piece.dim);
    meta.strides.erase(meta.strides.begin() + piece.dim);
  } else {
    llvm::Expected<Value> given = stepNumber(op, step[1], operands);
    if (!given)
      return given.takeError();
    Value each = *given;
    if (piece.kind == Piece::Kind::Even) { // the first ones have one more
      each = arith::DivSIOp::create(b, *size, *given);
      Value rest = arith::RemSIOp::create(b, *size, *given);
      start = arith::AddIOp::create(b, arith::MulIOp::create(b, each, number),
                                    arith::MinSIOp::create(b, number, rest));
      Value isLonger = arith::CmpIOp::create(b, IP::slt, number, rest);
      length = arith::AddIOp::create(b, each, arith::ExtUIOp::create(b, b.getI64Type(), isLonger));
    } else {
      if (piece.kind == Piece::Kind::OfSoMany)
        each = arith::CeilDivSIOp::create(b, *size, *given);
      start = arith::MulIOp::create(b, each, number);
      length = arith::MinSIOp::create(b, each, arith::SubIOp::create(b, *size, start));
    }
    meta.sizes[d] = symbolOf(arith::MaxSIOp::create(b, length, i64(0)), 0);
  }
  Value unit = i64(getDTypeInfo(meta.dtype).bytes);
  return offsetBy(base, arith::MulIOp::create(b, arith::MulIOp::create(b, start, *stride), unit));
}

/// Is it written when a context is made, and in no call?
static bool isConstant(program::GetStateOp state) {
  auto module = state->getParentOfType<ModuleOp>();
  return !module
              .walk([&](program::SetStateOp set) {
                bool isInCall =
                    set.getState() == state.getState() && !set->getParentOfType<program::InitOp>();
                return isInCall ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Is what the views are of at the start of its storage? An argument of the caller need not be, nor
/// what may be one.
static bool isWholeStorage(Operation *op) {
  if (isa<program::ScatterOp>(op)) // a part of its own result
    return true;
  Operation *made = op->getOperand(0).getDefiningOp();
  if (auto place = dyn_cast_or_null<program::PlaceOp>(made))
    made = place.getContents().getDefiningOp();
  if (auto state = dyn_cast_or_null<program::GetStateOp>(made))
    return isConstant(state);
  return made &&
         (isa<program::WeightOp, program::LiteralOp, program::ScatterOp, plan::KernelOp>(made) ||
          isa<aten::AtenDialect>(made->getDialect()));
}

/// The operation because of which the body has complex tensors, or null.
Operation *Host::keepsComplex() {
  Operation *found = nullptr;
  owner->walk([&](Operation *other) {
    if (other->hasAttr(aten::kOfComplexAttr))
      found = other;
  });
  return found;
}

/// The address behind one step from `base`, which changes the geometry. `start`: of the first one.
llvm::Expected<Value> Host::walkStep(Operation *op, ArrayAttr step, ValueRange operands,
                                     AnsweringContext &context, Value start, Value base,
                                     aten::TensorMeta &meta) {
  if (isSliceOfRun(step))
    return sliceAt(op, base, meta, step, operands);
  if (isSelectOfRun(step)) {
    auto index = cast<aten::ArgAttr>(step[2]);
    return selectAt(op, base, meta, cast<IntegerAttr>(step[1]).getInt(),
                    get(operands[index.getIndex()]));
  }
  if (std::optional<Piece> piece = pieceOfRun(step, meta))
    return pieceAt(op, base, meta, *piece, step, operands);
  std::optional<aten::TensorResult> view = inferStep(step, meta, context, operands);
  if (!view) {
    if (Operation *ofComplex = keepsComplex())
      return refuse(ofComplex, "complex numbers");
    return refuse(op, "the view " + cast<StringAttr>(step[0]).getValue() + " of these sizes");
  }
  if (view->aliasing.isOffsetAbsolute) {
    if (!isWholeStorage(op))
      return refuse(op, "the view " + cast<StringAttr>(step[0]).getValue() +
                            " with an offset in a storage that is not the program's own");
    base = start;
  }
  if (view->aliasing.kind == aten::Aliasing::Kind::View && view->aliasing.offset.isSupported()) {
    llvm::Expected<Value> offset = evaluate(view->aliasing.offset, op);
    if (!offset)
      return offset.takeError();
    Value unit = i64(int64_t(getDTypeInfo(meta.dtype).bytes));
    base = offsetBy(base, b.createOrFold<arith::MulIOp>(*offset, unit));
  }
  meta = std::move(view->meta);
  return base;
}

/// Where the one holds the other is not looked at.
llvm::Error Host::choosePlace(Operation *op, Value holds, const Place &one, Place &other) {
  other.address = arith::SelectOp::create(b, holds, one.address, other.address);
  auto choose = [&](ArrayRef<sym::Expr> from, MutableArrayRef<sym::Expr> to) -> llvm::Error {
    for (auto [a, c] : llvm::zip_equal(from, to)) {
      if (a == c)
        continue;
      llvm::Expected<Value> x = evaluate(a, op);
      if (!x)
        return x.takeError();
      llvm::Expected<Value> y = evaluate(c, op);
      if (!y)
        return y.takeError();
      c = symbolOf(arith::SelectOp::create(b, holds, *x, *y), 0);
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = choose(one.meta.sizes, other.meta.sizes))
    return error;
  return choose(one.meta.strides, other.meta.strides);
}

llvm::Expected<Value> Host::applySteps(Operation *op, Value base, RankedTensorType type,
                                       ArrayAttr steps, ValueRange operands,
                                       RankedTensorType wanted, aten::TensorMeta *out) {
  std::optional<aten::TensorMeta> meta = aten::toMeta(type, symbols);
  if (!meta)
    return refuse(op, "a tensor whose sizes depend on data");
  llvm::Expected<SmallVector<Answers, 2>> all = answersOf(op, *meta, steps, operands, wanted);
  if (!all)
    return all.takeError();
  bool isChosen = all->size() > 1;
  Place found;
  for (const Answers &answers : llvm::reverse(*all)) {
    AnsweringContext context(symbols, answers);
    Place place{base, *meta};
    for (auto step : steps.getAsRange<ArrayAttr>()) {
      llvm::Expected<Value> at =
          walkStep(op, step, operands, context, base, place.address, place.meta);
      if (!at)
        return at.takeError();
      place.address = *at;
    }
    useEqualities(context, place.meta);
    llvm::Expected<Value> fits = checkAnswers(op, context, isChosen);
    if (!fits)
      return fits.takeError();
    if (!*fits) {
      found = std::move(place);
      continue;
    }
    misfits[op]; // nothing is written to the address null
    if (!found.address)
      found = Place{LLVM::ZeroOp::create(b, base.getType()), place.meta};
    if (llvm::Error error = choosePlace(op, *fits, place, found))
      return std::move(error);
  }
  *out = std::move(found.meta);
  return found.address;
}

/// Readers see the geometry of the result's type: names that stand alone in it get the numbers of
/// the view, and what else it says must be what the view has.
llvm::Error Host::bindView(program::ViewOp op, const aten::TensorMeta &meta, Value address) {
  auto wanted = aten::toMeta(cast<RankedTensorType>(op.getResult().getType()), symbols);
  std::optional<Meaning> meaning =
      wanted ? meaningOf(*wanted, meta, /*withStrides=*/true) : std::nullopt;
  if (!meaning)
    return wanted ? bindByNumbers(op, *wanted, meta, address)
                  : refuse(op, "a view whose sizes or strides its type does not say");
  SmallVector<std::pair<sym::SymbolId, Value>> numbers;
  for (auto [id, e] : *meaning) {
    llvm::Expected<Value> number = evaluate(e, op);
    if (!number)
      return number.takeError();
    numbers.emplace_back(id, *number);
  }
  for (auto [id, number] : numbers)
    bindSymbol(id, number);
  return llvm::Error::success();
}

/// The same where the algebra cannot show it: names that stand alone get numbers, and what the type
/// computes from names is compared with what the view has. A difference would be an error of the
/// compiler, which ends the call.
llvm::Error Host::bindByNumbers(program::ViewOp op, const aten::TensorMeta &wanted,
                                const aten::TensorMeta &meta, Value address) {
  SmallVector<std::pair<sym::Expr, Value>> pairs;
  size_t rank = meta.sizes.size();
  for (size_t i = 0; i < 2 * rank; ++i) {
    sym::Expr has = i < rank ? meta.sizes[i] : meta.strides[i - rank];
    llvm::Expected<Value> number = evaluate(has, op);
    if (!number)
      return number.takeError();
    pairs.emplace_back(i < rank ? wanted.sizes[i] : wanted.strides[i - rank], *number);
  }
  llvm::DenseSet<sym::SymbolId> named;
  for (auto [says, number] : pairs)
    if (says.kind() == sym::ExprKind::Symbol && !inputSymbols.contains(says.symbol()) &&
        named.insert(says.symbol()).second)
      bindSymbol(says.symbol(), number);
  Value otherSize = arith::ConstantIntOp::create(b, 0, 1), isEmpty = otherSize,
        otherStride = isEmpty;
  for (auto [i, pair] : llvm::enumerate(pairs)) {
    auto [says, number] = pair;
    llvm::Expected<Value> expected = evaluate(says, op);
    if (!expected)
      return expected.takeError();
    Value isOther = arith::CmpIOp::create(b, IP::ne, *expected, number), one = i64(1);
    if (i < rank) {
      otherSize = arith::OrIOp::create(b, otherSize, isOther);
      Value isNone = arith::CmpIOp::create(b, IP::slt, number, one);
      isEmpty = arith::OrIOp::create(b, isEmpty, isNone);
      continue;
    }
    Value hasMore = arith::CmpIOp::create(b, IP::sgt, pairs[i - rank].second, one);
    otherStride = arith::OrIOp::create(b, otherStride, arith::AndIOp::create(b, isOther, hasMore));
  }
  // Of a tensor without elements no stride matters.
  Value no = arith::ConstantIntOp::create(b, 0, 1);
  Value differs =
      arith::OrIOp::create(b, otherSize, arith::SelectOp::create(b, isEmpty, no, otherStride));
  Value isThere = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, address,
                                       Value(LLVM::ZeroOp::create(b, address.getType())));
  failIf(arith::AndIOp::create(b, differs, isThere), op, ptc_status_internal);
  return llvm::Error::success();
}

/// Where sizes of inputs say where a view begins in `base`: there; else null.
llvm::Expected<Value> Host::findSaidStart(Operation *op, Value base, DType dtype) {
  auto offset = op->getAttrOfType<StringAttr>(program::kViewOffsetAttr);
  std::optional<sym::Expr> elements = offset ? symbols.parse(offset.getValue()) : std::nullopt;
  if (!elements || !isOfInputs(*elements))
    return Value();
  if (elements->isZero())
    return base;
  llvm::Expected<Value> count = evaluate(*elements, op);
  if (!count)
    return count.takeError();
  Value unit = i64(int64_t(getDTypeInfo(dtype).bytes));
  return offsetBy(base, b.createOrFold<arith::MulIOp>(*count, unit));
}

/// Where they say all of it, nothing is left to find out.
llvm::Expected<Value> Host::findSaidView(program::ViewOp op) {
  std::optional<aten::TensorMeta> meta =
      aten::toMeta(cast<RankedTensorType>(op.getResult().getType()), symbols);
  auto isSaid = [&](sym::Expr e) { return isOfInputs(e); };
  if (!meta || !llvm::all_of(meta->sizes, isSaid) || !llvm::all_of(meta->strides, isSaid))
    return Value();
  return findSaidStart(op, get(op.getBase()), meta->dtype);
}

/// The same of a part that is written, and its strides there.
llvm::Expected<Value> Host::findSaidPart(program::ScatterOp op, Value base, aten::TensorMeta *out) {
  auto strides = op->getAttrOfType<ArrayAttr>(program::kPartStridesAttr);
  std::optional<aten::TensorMeta> meta =
      aten::toMeta(cast<RankedTensorType>(op.getPart().getType()), symbols);
  if (!strides || !meta || strides.size() != meta->strides.size())
    return Value();
  for (auto [text, stride] : llvm::zip_equal(strides.getAsRange<StringAttr>(), meta->strides)) {
    std::optional<sym::Expr> e = symbols.parse(text.getValue());
    if (!e || !isOfInputs(*e))
      return Value();
    stride = *e;
  }
  *out = std::move(*meta);
  return findSaidStart(op, base, out->dtype);
}

llvm::Error Host::emitView(program::ViewOp op) {
  llvm::Expected<Value> address = findSaidView(op);
  if (!address)
    return address.takeError();
  if (!*address) {
    aten::TensorMeta meta;
    address = applySteps(op, get(op.getBase()), cast<RankedTensorType>(op.getBase().getType()),
                         op.getSteps(), op.getValues(),
                         cast<RankedTensorType>(op.getResult().getType()), &meta);
    if (!address)
      return address.takeError();
    if (llvm::Error error = bindView(op, meta, *address))
      return error;
  }
  if (mayBeUndefined(op.getBase())) {
    Value null = LLVM::ZeroOp::create(b, address->getType());
    Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, get(op.getBase()), null);
    address = Value(arith::SelectOp::create(b, isNull, null, *address));
  }
  set(op.getResult(), *address);
  return llvm::Error::success();
}

/// Of something undefined, it is undefined, too.
llvm::Error Host::emitScatter(program::ScatterOp op) {
  if (!mayBeUndefined(op.getBase()) && !mayBeUndefined(op.getPart()))
    return writePart(op);
  Value base = get(op.getBase()), part = get(op.getPart());
  Value isUndefined = LLVM::OrOp::create(b, isNull(base), isNull(part));
  Block *writes = newBlock(), *after = newBlock({base.getType()});
  cf::CondBranchOp::create(b, isUndefined, after,
                           ValueRange(LLVM::ZeroOp::create(b, base.getType())), writes,
                           ValueRange());
  b.setInsertionPointToEnd(writes);
  if (llvm::Error error = writePart(op))
    return error;
  cf::BranchOp::create(b, after, get(op.getResult()));
  b.setInsertionPointToEnd(after);
  set(op.getResult(), after->getArgument(0));
  return llvm::Error::success();
}

llvm::Error Host::writePart(program::ScatterOp op) {
  llvm::Expected<Value> memory = placeFor(op.getResult(), plan::placeOf(op.getResult()), op);
  if (!memory)
    return memory.takeError();
  if (op.getBase().getType() != op.getResult().getType())
    return refuse(op, "a result of another type than its base");
  // Without a step all elements are replaced; what lies between them is nobody's.
  plan::PlaceAttr place = plan::placeOf(op.getResult());
  bool isInPlace = place && place.getOver() == 0;
  if (!op.getSteps().empty() && !isInPlace)
    if (llvm::Error error = copy(get(op.getBase()), *memory, op.getBase().getType(), op))
      return error;
  aten::TensorMeta meta;
  llvm::Expected<Value> part = findSaidPart(op, *memory, &meta);
  if (part && !*part)
    part = applySteps(op, *memory, cast<RankedTensorType>(op.getResult().getType()), op.getSteps(),
                      op.getValues(), cast<RankedTensorType>(op.getPart().getType()), &meta);
  if (!part)
    return part.takeError();
  if (misfits.contains(op)) {
    Block *bad = newBlock(), *good = newBlock();
    cf::CondBranchOp::create(b, isNull(*part), bad, ValueRange(), good, ValueRange());
    b.setInsertionPointToEnd(bad);
    raiseFirstOf({op}, op);
    b.setInsertionPointToEnd(good);
  }
  llvm::Expected<Geometry> from = geometryOf(op.getPart().getType(), op);
  if (!from)
    return from.takeError();
  Geometry to{from->sizes, {}};
  for (sym::Expr stride : meta.strides) {
    llvm::Expected<Value> value = evaluate(stride, op);
    if (!value)
      return value.takeError();
    to.strides.push_back(*value);
  }
  if (to.strides.size() != from->strides.size())
    return refuse(op, "a part of another shape");
  copy(get(op.getPart()), *from, *part, to,
       cast<RankedTensorType>(op.getPart().getType()).getElementType());
  set(op.getResult(), *memory);
  return llvm::Error::success();
}
