//===- EvalOps.cpp - Control flow, choices, tensors, lists, effects -----------------===//
//
// In: operations of program and scf. Out: their results in the frame.
//
//===----------------------------------------------------------------------===//
#include "Tree.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/SizeSymbols.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

static llvm::Error ok() { return llvm::Error::success(); }

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Runs a region whose last operation yields, and gives the yields to `results`.
static llvm::Error runRegion(Frame &f, Region &region, ValueRange results) {
  Block &block = region.front();
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = f.execute(&op))
      return error;
  for (auto [result, value] : llvm::zip_equal(results, block.getTerminator()->getOperands()))
    f.set(result, f.get(value));
  return ok();
}

/// What nobody reaches on this way may be chosen by a number that it does not have: then it is
/// undefined, too.
static bool choosesNothing(Frame &f, Operation *op, Value selector) {
  if (!f.isUndefined(selector) || !isMemoryEffectFree(op))
    return false;
  for (Value result : op->getResults())
    f.set(result, HostValue());
  return true;
}

static llvm::Error runIf(Frame &f, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  if (choosesNothing(f, op, branch.getCondition()))
    return ok();
  bool taken = f.getInt(branch.getCondition());
  if (!taken && branch.getElseRegion().empty())
    return ok();
  return runRegion(f, taken ? branch.getThenRegion() : branch.getElseRegion(), op->getResults());
}

static llvm::Error runSwitch(Frame &f, Operation *op) {
  auto branch = cast<scf::IndexSwitchOp>(op);
  if (choosesNothing(f, op, branch.getArg()))
    return ok();
  int64_t selector = f.getInt(branch.getArg());
  for (auto [number, region] : llvm::zip(branch.getCases(), branch.getCaseRegions()))
    if (number == selector)
      return runRegion(f, region, op->getResults());
  return runRegion(f, branch.getDefaultRegion(), op->getResults());
}

static llvm::Error runWhile(Frame &f, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
  SmallVector<HostValue> carried;
  for (Value init : loop.getInits())
    carried.push_back(f.get(init));
  while (true) {
    if (llvm::Error error = f.executor.settleCarried(loop, carried))
      return error;
    for (auto [arg, value] : llvm::zip_equal(before.getArguments(), carried))
      f.set(arg, std::move(value));
    for (Operation &inner : before.without_terminator())
      if (llvm::Error error = f.execute(&inner))
        return error;
    auto condition = cast<scf::ConditionOp>(before.getTerminator());
    bool again = f.getInt(condition.getCondition());
    ValueRange targets = again ? ValueRange(after.getArguments()) : ValueRange(op->getResults());
    for (auto [target, value] : llvm::zip_equal(targets, condition.getArgs()))
      f.set(target, f.get(value));
    if (!again)
      return ok();
    for (Operation &inner : after.without_terminator())
      if (llvm::Error error = f.execute(&inner))
        return error;
    carried.clear();
    for (Value value : after.getTerminator()->getOperands())
      carried.push_back(f.get(value));
  }
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static llvm::Error pick(Frame &f, Operation *op) {
  auto choice = cast<PickOp>(op);
  HostValue result;
  if (!f.isUndefined(choice.getSelector())) {
    int64_t selector = f.getInt(choice.getSelector());
    if (selector >= 0 && selector < int64_t(choice.getAlternatives().size())) {
      Value taken = choice.getAlternatives()[selector];
      result = f.get(taken);
      if (auto misfit = f.misfits.find(taken); misfit != f.misfits.end())
        f.misfits[op->getResult(0)] = Frame::Misfit(misfit->second);
    }
  }
  f.set(op->getResult(0), std::move(result));
  return ok();
}

static llvm::Error map(Frame &f, Operation *op) {
  auto look = cast<MapOp>(op);
  int64_t selector = f.isUndefined(look.getSelector()) ? -1 : f.getInt(look.getSelector());
  if (selector < 0 || selector >= int64_t(look.getTable().size())) {
    f.set(op->getResult(0), HostValue());
    return ok();
  }
  Attribute entry = look.getTable()[selector];
  if (auto real = dyn_cast<FloatAttr>(entry))
    f.set(op->getResult(0), real.getValueAsDouble());
  else if (op->getResult(0).getType().isInteger(1))
    f.set(op->getResult(0), !cast<IntegerAttr>(entry).getValue().isZero());
  else if (auto flag = dyn_cast<BoolAttr>(entry))
    f.set(op->getResult(0), int64_t(flag.getValue()));
  else
    f.set(op->getResult(0), cast<IntegerAttr>(entry).getValue().getSExtValue());
  return ok();
}

static llvm::Error home(Frame &f, Operation *op) {
  auto slot = cast<HomeOp>(op);
  HostValue result;
  if (!slot.getNumbers().empty() && !f.isUndefined(slot.getNumbers().back())) {
    int64_t last = f.getInt(slot.getNumbers().back());
    if (last < 0) {
      result = f.get(slot.getOld());
    } else {
      int64_t place = 0;
      while (f.isUndefined(slot.getNumbers()[place]) || f.getInt(slot.getNumbers()[place]) != last)
        ++place;
      result = int64_t(slot.getKept()) + place;
    }
  }
  f.set(op->getResult(0), std::move(result));
  return ok();
}

static llvm::Error undef(Frame &f, Operation *op) {
  f.set(op->getResult(0), HostValue());
  return ok();
}

static llvm::Error retype(Frame &f, Operation *op) {
  f.set(op->getResult(0), f.get(op->getOperand(0)));
  return ok();
}

//===----------------------------------------------------------------------===//
// State, weights, literals
//===----------------------------------------------------------------------===//

static llvm::Error getState(Frame &f, Operation *op) {
  f.set(op->getResult(0), f.states.lookup(cast<GetStateOp>(op).getState()));
  return ok();
}

static llvm::Error setState(Frame &f, Operation *op) {
  auto set = cast<SetStateOp>(op);
  f.nextStates[set.getState()] = f.get(set.getValue());
  return ok();
}

static llvm::Error weight(Frame &f, Operation *op) {
  StringRef name = cast<WeightOp>(op).getName();
  const HostTensor *tensor = f.weights(name);
  if (!tensor)
    return makeError(DiagId::WeightMissing, sourceLocOf(op->getLoc()), name);
  // As load_state_dict copies it into a parameter of another type.
  std::optional<DType> dtype =
      aten::toDType(cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  bool isConverted =
      dtype && *dtype != tensor->dtype() && isFloat(*dtype) && isFloat(tensor->dtype());
  f.set(op->getResult(0), isConverted ? tensor->convertedTo(*dtype) : *tensor);
  return ok();
}

static llvm::Error literal(Frame &f, Operation *op) {
  auto elements = dyn_cast<DenseElementsAttr>(cast<LiteralOp>(op).getValue());
  std::optional<DType> dtype =
      elements ? aten::toDType(elements.getElementType()) : std::optional<DType>();
  if (!dtype)
    return internalError(op, "a literal of a form that is not known");
  HostTensor tensor = HostTensor::zeros(*dtype, elements.getType().getShape());
  size_t size = getDTypeInfo(*dtype).bytes, count = size_t(tensor.numel());
  if (*dtype == DType::Bool) {
    llvm::copy(elements.getValues<bool>(), tensor.data<bool>());
  } else {
    ArrayRef<char> raw = elements.getRawData();
    for (size_t i = 0; i < count; ++i)
      memcpy(tensor.bytes() + i * size, raw.data() + (elements.isSplat() ? 0 : i * size), size);
  }
  f.set(op->getResult(0), std::move(tensor));
  return ok();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static bool anyUndefined(Frame &f, Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value v) { return f.isUndefined(v); });
}

static llvm::Error usesUndefined(Frame &f, Operation *op) {
  for (Value v : op->getOperands())
    if (auto misfit = f.misfits.find(v); misfit != f.misfits.end() && f.isUndefined(v))
      return raise(misfit->second.type, misfit->second.text);
  return internalError(op, "an undefined value is used");
}

static llvm::Error view(Frame &f, Operation *op) {
  auto chain = cast<ViewOp>(op);
  if (anyUndefined(f, op))
    return undef(f, op);
  auto result =
      applySteps(f, op, f.getTensor(chain.getBase()), chain.getSteps(), chain.getValues());
  if (!result)
    return llvm::handleErrors(result.takeError(), [&](const PythonError &error) {
      f.misfits[op->getResult(0)] = {error.type, error.text};
      return undef(f, op);
    });
  f.set(op->getResult(0), std::move(*result));
  return ok();
}

static llvm::Error scatter(Frame &f, Operation *op) {
  auto write = cast<ScatterOp>(op);
  if (anyUndefined(f, op))
    return undef(f, op);
  HostTensor base = cloneStrided(f.getTensor(write.getBase()));
  auto part = applySteps(f, op, base, write.getSteps(), write.getValues());
  if (!part)
    return part.takeError();
  if (!part->sharesStorageWith(base))
    return internalError(op, "the steps copy where they should view");
  const HostTensor &source = f.getTensor(write.getPart());
  if (source.dtype() != part->dtype() || source.sizes() != part->sizes())
    return internalError(op, "what is written is of another type than the view");
  part->copyFrom(source);
  f.set(op->getResult(0), std::move(base));
  return ok();
}

static llvm::Error item(Frame &f, Operation *op) {
  const HostTensor &tensor = f.getTensor(op->getOperand(0));
  if (tensor.numel() != 1)
    return raise("RuntimeError", "a Tensor with " + Twine(tensor.numel()) +
                                     " elements cannot be converted to Scalar");
  SmallVector<int64_t, 4> index(tensor.dim(), 0);
  Type type = op->getResult(0).getType();
  if (type.isF64())
    f.set(op->getResult(0), tensor.getDouble(index));
  else if (!type.isInteger(1))
    f.set(op->getResult(0), tensor.getInt(index));
  else
    f.set(op->getResult(0), tensor.getComplex(index) != std::complex<double>());
  return ok();
}

static llvm::Error sizeOf(Frame &f, Operation *op) {
  auto size = cast<SizeOfOp>(op);
  if (f.isUndefined(size.getTensor())) {
    f.set(op->getResult(0), HostValue());
    return ok();
  }
  const HostTensor &tensor = f.getTensor(size.getTensor());
  auto d = int64_t(size.getDimension());
  if (d < 0 || d >= tensor.dim())
    return internalError(op, "no such dimension");
  f.set(op->getResult(0), size.getStride() ? tensor.stride(d) : tensor.size(d));
  return ok();
}

/// Does a division of the expression, all of whose symbols have values, have a divisor of 0?
static bool dividesByZero(const sym::Context &context, sym::Expr e) {
  switch (e.kind()) {
  case sym::ExprKind::Sum:
    return llvm::any_of(e.terms(), [&](const sym::Term &term) {
      return llvm::any_of(term.factors,
                          [&](const sym::Factor &f) { return dividesByZero(context, f.atom); });
    });
  case sym::ExprKind::FloorDiv:
    if (context.evaluateHint(e.operands()[1]) == 0)
      return true;
    [[fallthrough]];
  case sym::ExprKind::Min:
  case sym::ExprKind::Max:
    return llvm::any_of(e.operands(), [&](sym::Expr o) { return dividesByZero(context, o); });
  case sym::ExprKind::Constant:
  case sym::ExprKind::Symbol:
  case sym::ExprKind::Unsupported:
    return false;
  }
  llvm_unreachable("closed enum");
}

static llvm::Error sizeExpr(Frame &f, Operation *op) {
  auto expr = cast<SizeExprOp>(op);
  if (llvm::any_of(expr.getValues(), [&](Value v) { return f.isUndefined(v); })) {
    f.set(op->getResult(0), HostValue());
    return ok();
  }
  sym::Context context;
  llvm::StringMap<int64_t> known;
  for (auto [name, value] : llvm::zip_equal(expr.getSymbols(), expr.getValues()))
    known[cast<StringAttr>(name).getValue()] = f.getInt(value);
  auto lookup = [&](StringRef name) -> std::optional<sym::Expr> {
    auto found = known.find(name);
    if (found == known.end())
      return std::nullopt;
    if (std::optional<sym::SymbolId> id = context.findSymbol(name))
      return context.symbol(*id);
    return context.symbol(
        {.name = name.str(), .lower = sym::Interval::kMin, .hint = found->second});
  };
  for (const SizeSymbol &symbol :
       f.variant ? sizeSymbols(f.variant) : llvm::SmallVector<SizeSymbol>()) {
    if (!symbol.formula.empty()) {
      std::optional<sym::Expr> parsed = context.parse(symbol.formula, lookup);
      std::optional<int64_t> value = parsed ? context.evaluateHint(*parsed) : std::nullopt;
      if (!value)
        return internalError(op, "the formula of " + symbol.name.str() + " has no value");
      known[symbol.name] = *value;
      continue;
    }
    Value input = f.variant.getBody().getArgument(symbol.input);
    const HostTensor *tensor = f.get(input).getIf<HostTensor>();
    known[symbol.name] = !tensor           ? f.getInt(input)
                         : symbol.isStride ? tensor->stride(symbol.dimension)
                                           : tensor->size(symbol.dimension);
  }
  std::string error;
  std::optional<sym::Expr> parsed = context.parse(expr.getExpr(), lookup, &error);
  if (!parsed)
    return internalError(op, error);
  // Every symbol has a value. Capture asks about divisors before it divides, but the division may
  // stand where it is not read on the paths on which the divisor is 0.
  std::optional<int64_t> result = context.evaluateHint(*parsed);
  if (!result && !dividesByZero(context, *parsed))
    return makeError(DiagId::IntOverflow, sourceLocOf(op->getLoc()));
  f.set(op->getResult(0), result ? HostValue(*result) : HostValue());
  return ok();
}

static llvm::Error tensor(Frame &f, Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<DType> dtype = aten::toDType(type.getElementType());
  if (!dtype)
    return internalError(op, "no such element type");
  HostTensor result = HostTensor::zeros(*dtype, {});
  Value number = op->getOperand(0);
  visitDType(*dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (number.getType().isF64())
      *result.data<T>() = convertElement<T>(f.getFloat(number));
    else
      *result.data<T>() = convertElement<T>(f.getInt(number));
  });
  f.set(op->getResult(0), std::move(result));
  return ok();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static llvm::Error listNew(Frame &f, Operation *op) {
  Type element = cast<ListType>(op->getResult(0).getType()).getElementType();
  HostValue list = HostValue::TensorList();
  if (element.isInteger(1))
    list = HostValue::BoolList();
  else if (element.isInteger(64))
    list = HostValue::IntList();
  else if (element.isF64())
    list = HostValue::FloatList();
  f.set(op->getResult(0), std::move(list));
  return ok();
}

/// Calls `take` with the run-time list that `value` is.
template <typename FnT> static auto withList(HostValue &value, FnT take) {
  if (auto *tensors = std::get_if<HostValue::TensorList>(&value.sum))
    return take(*tensors);
  if (auto *ints = std::get_if<HostValue::IntList>(&value.sum))
    return take(*ints);
  if (auto *floats = std::get_if<HostValue::FloatList>(&value.sum))
    return take(*floats);
  return take(std::get<HostValue::BoolList>(value.sum));
}

static void append(HostValue::TensorList &list, const HostValue &v) {
  list.push_back(cloneStrided(v.tensor()));
}
static void append(HostValue::IntList &list, const HostValue &v) { list.push_back(v.asInt()); }
static void append(HostValue::FloatList &list, const HostValue &v) { list.push_back(v.asDouble()); }
static void append(HostValue::BoolList &list, const HostValue &v) {
  list.push_back(v.asInt() != 0);
}

static llvm::Error listPush(Frame &f, Operation *op) {
  if (anyUndefined(f, op))
    return undef(f, op);
  HostValue longer = f.get(op->getOperand(0));
  withList(longer, [&](auto &list) { append(list, f.get(op->getOperand(1))); });
  f.set(op->getResult(0), std::move(longer));
  return ok();
}

static llvm::Error listDrop(Frame &f, Operation *op) {
  if (anyUndefined(f, op))
    return undef(f, op);
  HostValue shorter = f.get(op->getOperand(0));
  withList(shorter, [](auto &list) {
    if (!list.empty())
      list.pop_back();
  });
  f.set(op->getResult(0), std::move(shorter));
  return ok();
}

static void put(HostValue::TensorList &list, size_t at, const HostValue &v) {
  list[at] = cloneStrided(v.tensor());
}
static void put(HostValue::IntList &list, size_t at, const HostValue &v) { list[at] = v.asInt(); }
static void put(HostValue::FloatList &list, size_t at, const HostValue &v) {
  list[at] = v.asDouble();
}
static void put(HostValue::BoolList &list, size_t at, const HostValue &v) {
  list[at] = v.asInt() != 0;
}

static llvm::Error listSet(Frame &f, Operation *op) {
  if (anyUndefined(f, op))
    return undef(f, op);
  HostValue changed = f.get(op->getOperand(0));
  const int64_t at = f.getInt(op->getOperand(1));
  withList(changed, [&](auto &list) {
    if (at >= 0 && at < int64_t(list.size()))
      put(list, size_t(at), f.get(op->getOperand(2)));
  });
  f.set(op->getResult(0), std::move(changed));
  return ok();
}

static llvm::Error listGet(Frame &f, Operation *op) {
  HostValue given = f.get(op->getOperand(0));
  int64_t i = f.getInt(op->getOperand(1));
  return withList(given, [&](auto &list) -> llvm::Error {
    int64_t n = int64_t(list.size());
    if (i < -n || i >= n)
      return raise("IndexError", "list index out of range");
    f.set(op->getResult(0), HostValue(list[i < 0 ? i + n : i]));
    return ok();
  });
}

static llvm::Error listLen(Frame &f, Operation *op) {
  HostValue given = f.get(op->getOperand(0));
  f.set(op->getResult(0), withList(given, [](auto &list) { return int64_t(list.size()); }));
  return ok();
}

template <typename OpT> static llvm::Error listJoin(Frame &f, Operation *op) {
  auto join = cast<OpT>(op);
  const aten::OpInfo *info = aten::findOp(std::is_same_v<OpT, ListStackOp> ? "stack" : "cat");
  if (!info)
    return internalError(op, "the table of overloads lacks stack or cat");
  HostValue args[] = {f.get(join.getList()), int64_t(join.getDim())};
  auto results = f.executor.call(*info, args, 0);
  if (!results)
    return results.takeError();
  f.set(op->getResult(0), std::move(results->front()));
  return ok();
}

static llvm::Error listViews(Frame &f, Operation *op) {
  auto views = cast<ListViewsOp>(op);
  if (anyUndefined(f, op))
    return undef(f, op);
  const HostTensor &base = f.getTensor(views.getBase());
  const auto offsets = f.get(views.getOffsets()).get<HostValue::IntList>();
  HostValue::TensorList made;
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    llvm::SmallVector<int64_t> extents;
    for (Value extent : views.getExtents()) {
      const HostValue &given = f.get(extent);
      const auto *list = given.getIf<HostValue::IntList>();
      if (list && list->size() != offsets.size())
        return internalError(op, "lists that are not equally long");
      extents.push_back(list ? (*list)[i] : given.asInt());
    }
    const llvm::ArrayRef<int64_t> all = extents, sizes = all.take_front(all.size() / 2);
    made.push_back(base.view(sizes, all.drop_front(sizes.size()), base.storageOffset() + offset));
  }
  f.set(op->getResult(0), std::move(made));
  return ok();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static llvm::Error print(Frame &f, Operation *op) {
  auto print = cast<PrintOp>(op);
  std::string &stream = print.getStream() == Stream::Stderr ? f.result.err : f.result.out;
  TreeBuilder builder(f, print.getValues());
  stream += builder.text(print.getText());
  return builder.takeError();
}

static llvm::Error textLength(Frame &f, Operation *op) {
  auto length = cast<TextLengthOp>(op);
  TreeBuilder builder(f, length.getValues());
  f.set(op->getResult(0), int64_t(py::countCodePoints(builder.text(length.getText()))));
  return builder.takeError();
}

static llvm::Error seed(Frame &f, Operation *op) {
  f.executor.seed(f.getInt(op->getOperand(0)), f.getInt(op->getOperand(1)));
  return ok();
}

static llvm::Error clock(Frame &f, Operation *op) {
  f.set(op->getResult(0), f.executor.clock(cast<ClockOp>(op).getClock()));
  return ok();
}

static llvm::Error place(Frame &f, Operation *op) {
  auto put = cast<PlaceOp>(op);
  if (f.isUndefined(put.getContents())) {
    // An alternative of the result that this path does not have: nothing chooses it.
    f.set(op->getResult(0), HostValue());
    return ok();
  }
  const HostTensor &contents = f.getTensor(put.getContents());
  std::optional<uint64_t> which = put.getInput();
  if (!which) {
    f.set(op->getResult(0), cloneStrided(contents));
    return ok();
  }
  auto input = unsigned(*which);
  HostTensor home = f.callerInputs[input].tensor();
  if (put.getWritten()) {
    if (contents.dtype() != home.dtype() || contents.sizes() != home.sizes())
      return internalError(op, "an input is written with another type");
    home.copyFrom(contents);
    f.result.writtenInputs.push_back(input);
  }
  f.set(op->getResult(0), std::move(home));
  return ok();
}

template <typename OpT> static llvm::detail::DenseMapPair<TypeID, Handler> row(Handler handler) {
  llvm::detail::DenseMapPair<TypeID, Handler> pair;
  pair.first = TypeID::get<OpT>();
  pair.second = handler;
  return pair;
}

Handler program::findProgramHandler(Operation *op) {
  static const llvm::DenseMap<TypeID, Handler> kHandlers{
      row<scf::IfOp>(runIf),
      row<scf::IndexSwitchOp>(runSwitch),
      row<scf::WhileOp>(runWhile),
      row<UndefOp>(undef),
      row<RetypeOp>(retype),
      row<PickOp>(pick),
      row<MapOp>(map),
      row<HomeOp>(home),
      row<GetStateOp>(getState),
      row<SetStateOp>(setState),
      row<WeightOp>(weight),
      row<LiteralOp>(literal),
      row<ViewOp>(view),
      row<ScatterOp>(scatter),
      row<ItemOp>(item),
      row<SizeOfOp>(sizeOf),
      row<SizeExprOp>(sizeExpr),
      row<TensorOp>(tensor),
      row<ListNewOp>(listNew),
      row<ListPushOp>(listPush),
      row<ListDropOp>(listDrop),
      row<ListSetOp>(listSet),
      row<ListGetOp>(listGet),
      row<ListLenOp>(listLen),
      row<ListStackOp>(listJoin<ListStackOp>),
      row<ListCatOp>(listJoin<ListCatOp>),
      row<ListViewsOp>(listViews),
      row<PrintOp>(print),
      row<TextLengthOp>(textLength),
      row<SeedOp>(seed),
      row<ClockOp>(clock),
      row<TurnOp>([](Frame &, Operation *) { return ok(); }),
      row<PlaceOp>(place),
      row<FinishOp>([](Frame &f, Operation *op) { return finish(f, cast<FinishOp>(op)); }),
  };
  return kHandlers.lookup(op->getName().getTypeID());
}

/// Whether `op` looks at its operands itself: it passes undefined ones on, or they are selectors
/// and conditions that are checked where they are read.
static bool mayBeUndefined(Operation *op) {
  return op->hasTrait<Lenient>() ||
         isa<scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, SetStateOp, PlaceOp, PrintOp,
             TextLengthOp>(op) ||
         isConversion(op) || op->getName().getStringRef() == "arith.select";
}

/// Kernels and checks of a plan, which the executor knows.
static llvm::Error executeAbove(Frame &f, Operation *op) {
  SmallVector<HostValue> operands;
  for (Value operand : op->getOperands())
    operands.push_back(f.get(operand));
  auto results = f.executor.execute(op, operands);
  if (!results)
    return results.takeError();
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), *results))
    f.set(result, tensor);
  return ok();
}

llvm::Error Frame::execute(Operation *op) {
  if (llvm::Error error = compute(op))
    return error;
  for (OpResult result : op->getResults()) {
    const auto *tensor = values[result].getIf<HostTensor>();
    if (!tensor)
      continue;
    auto settled = executor.settle(result, *tensor);
    if (!settled)
      return settled.takeError();
    set(result, std::move(*settled));
  }
  return ok();
}

llvm::Error Frame::compute(Operation *op) {
  current = op;
  if (++ops > maxOps)
    return makeError(DiagId::CallTooLong, sourceLocOf(op->getLoc()), maxOps);
  if (!mayBeUndefined(op) && anyUndefined(*this, op))
    return usesUndefined(*this, op);
  if (Handler handler = findNumberHandler(op))
    return handler(*this, op);
  if (Handler handler = findProgramHandler(op))
    return handler(*this, op);
  if (op->getName().getDialectNamespace() == "aten")
    return executeAten(*this, op);
  return executeAbove(*this, op);
}
