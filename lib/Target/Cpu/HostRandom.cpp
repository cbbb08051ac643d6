//===- HostRandom.cpp - Random numbers ----------------------------------------------------===//
//
// In: random operations of aten. Out: calls of the stub, which draws what eager draws for the same
// seed; here it is said what to draw: the distribution and its numbers. On a device kernels draw
// from the default generator; they are listed here, and made by its target.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "ptc/Dialect/Aten/IR/Promote.h"
#include "ptc/Dialect/Aten/IR/RandomRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// The attribute of argument `name`; null: the overload has none.
static Attribute argumentOf(Operation *op, StringRef name) {
  const aten::OpInfo *info = aten::findOp(op->getName().getStringRef());
  auto args = op->getAttrOfType<ArrayAttr>("args");
  if (!info || !args)
    return {};
  for (auto [arg, attr] : llvm::zip(info->args, args))
    if (arg.name == name)
      return attr;
  return {};
}

/// A real parameter, and a check of one that is known only at run time; null: it is no number.
Value Host::realArgument(Operation *op, StringRef name, double otherwise) {
  Attribute attr = argumentOf(op, name);
  if (auto arg = dyn_cast_or_null<aten::ArgAttr>(attr)) {
    Value number = get(op->getOperand(unsigned(arg.getIndex())));
    if (isa<LLVM::LLVMPointerType>(number.getType()))
      return {};
    checkParameter(op, name, number = toFloat(number));
    return number;
  }
  double constant = otherwise;
  if (auto real = dyn_cast_or_null<FloatAttr>(attr))
    constant = real.getValueAsDouble();
  else if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    constant = double(integer.getInt());
  else if (attr && !isa<aten::NoneAttr>(attr))
    return {};
  return realConstant(constant);
}

Value Host::realConstant(double value) {
  return LLVM::ConstantOp::create(b, b.getF64Type(), b.getF64FloatAttr(value));
}

void Host::checkParameter(Operation *op, StringRef name, Value number) {
  StringRef base = op->getName().stripDialect().split('.').first;
  for (const aten::ParameterRule &rule : aten::getParameterRules()) {
    if (rule.op != base || rule.parameter != name)
      continue;
    Value isEnough =
        LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::oge, number, realConstant(rule.least));
    Value isNotMore =
        LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::ole, number, realConstant(rule.most));
    raiseUnless(op, LLVM::AndOp::create(b, isEnough, isNotMore),
                {{rule.text.str(), -1, 0}, {"g", 0, 'f'}}, number);
  }
}

/// A RuntimeError where `holds` is false.
void Host::raiseUnless(Operation *op, Value holds, ArrayRef<TextPart> text, ValueRange numbers) {
  Block *good = newBlock(), *bad = newBlock();
  cf::CondBranchOp::create(b, holds, good, ValueRange(), bad, ValueRange());
  b.setInsertionPointToEnd(bad);
  raiseWith(op, "RuntimeError", text, numbers);
  b.setInsertionPointToEnd(good);
}

/// Whether constants are bounds of uniform numbers.
static bool areUniformBounds(Value from, Value to, double most) {
  FloatAttr first, last;
  if (!matchPattern(from, m_Constant(&first)) || !matchPattern(to, m_Constant(&last)))
    return false;
  double low = first.getValueAsDouble(), high = last.getValueAsDouble();
  return std::abs(low) <= most && std::abs(high) <= most && low <= high && high - low <= most;
}

/// What eager asks of the bounds of uniform numbers.
void Host::checkUniform(Operation *op, DType dtype, Value from, Value to) {
  double limit = aten::convertibleRange(dtype, /*isFromFloat=*/true).second;
  if (areUniformBounds(from, to, limit))
    return;
  Value most = realConstant(limit);
  auto isWithin = [&](Value number) {
    Value size = LLVM::FAbsOp::create(b, number);
    return LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::ole, size, most);
  };
  raiseUnless(op, isWithin(from), {{aten::outOfBounds("from", dtype), -1, 0}}, {});
  raiseUnless(op, isWithin(to), {{aten::outOfBounds("to", dtype), -1, 0}}, {});
  raiseUnless(op, LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::ole, from, to),
              {{"uniform_ expects to return a [from, to) range, but found from=", -1, 0},
               {"g", 0, 'f'},
               {" > to=", -1, 0},
               {"g", 1, 'f'}},
              {from, to});
  raiseUnless(op, isWithin(LLVM::FSubOp::create(b, to, from)),
              {{"uniform_ expects to-from <= std::numeric_limits<" +
                    aten::scalarTypeName(dtype).str() + ">::max(), but found to=",
                -1, 0},
               {"g", 1, 'f'},
               {" and from=", -1, 0},
               {"g", 0, 'f'},
               {" which result in to-from to exceed the limit", -1, 0}},
              {from, to});
}

/// Sizes that are arguments of the operation itself have no name in its operands.
void Host::bindSizeArgument(Operation *op) {
  auto list = dyn_cast_or_null<ArrayAttr>(argumentOf(op, "size"));
  Attribute count = argumentOf(op, "n");
  SmallVector<Attribute> sizes;
  if (list)
    llvm::append_range(sizes, list.getValue());
  else if (count)
    sizes.push_back(count);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<aten::TensorMeta> meta = aten::toMeta(type, symbols);
  if (!meta || sizes.size() != meta->sizes.size())
    return;
  for (auto [e, attr] : llvm::zip_equal(meta->sizes, sizes))
    if (auto arg = dyn_cast<aten::ArgAttr>(attr))
      if (e.kind() == sym::ExprKind::Symbol && !inputSymbols.contains(e.symbol()))
        bindSymbol(e.symbol(), get(op->getOperand(unsigned(arg.getIndex()))));
}

/// The bounds of random_ and randint; none where one is known only at run time.
static std::optional<aten::RandomRange> rangeOf(Operation *op, DType dtype) {
  auto constant = [&](StringRef name, StringRef otherName) {
    Attribute attr = argumentOf(op, name);
    return attr ? attr : argumentOf(op, otherName);
  };
  Attribute low = constant("low", "from"), high = constant("high", "to");
  auto first = dyn_cast_or_null<IntegerAttr>(low), last = dyn_cast_or_null<IntegerAttr>(high);
  if ((low && !first) || (!last && !isa<aten::NoneAttr>(high)))
    return std::nullopt;
  std::optional<int64_t> end = last ? std::optional(last.getInt()) : std::nullopt;
  aten::RandomRange range = aten::getRandomRange(dtype, first ? first.getInt() : 0, end);
  return range.error.empty() ? std::optional(range) : std::nullopt;
}

namespace {

/// What a distribution is drawn by, and the names of its parameters.
struct Distribution {
  llvm::StringLiteral op;
  ptc_draw_kind kind;
  llvm::StringLiteral first, second; ///< "": it has none
  double firstDefault, secondDefault;
};

} // namespace

static constexpr Distribution kDistributions[] = {
    {"bernoulli", ptc_draw_Bernoulli, "p", "", 0, 0},
    {"cauchy", ptc_draw_Cauchy, "median", "sigma", 0, 1},
    {"exponential", ptc_draw_Exponential, "lambd", "", 1, 0},
    {"geometric", ptc_draw_Geometric, "p", "", 0, 0},
    {"log_normal", ptc_draw_LogNormal, "mean", "std", 1, 2},
    {"normal", ptc_draw_Normal, "mean", "std", 0, 1},
    {"normal_functional", ptc_draw_Normal, "mean", "std", 0, 1},
    {"rand", ptc_draw_Uniform, "from", "to", 0, 1},
    {"rand_like", ptc_draw_Uniform, "from", "to", 0, 1},
    {"randn", ptc_draw_Normal, "mean", "std", 0, 1},
    {"randn_like", ptc_draw_Normal, "mean", "std", 0, 1},
    {"uniform", ptc_draw_Uniform, "from", "to", 0, 1},
};

/// Whether a tensor is row-major; none if that is known only at run time.
std::optional<bool> Host::isRowMajor(Type tensor) {
  std::optional<aten::TensorMeta> meta = aten::toMeta(cast<RankedTensorType>(tensor), symbols);
  if (!meta)
    return std::nullopt;
  bool isKnown = true;
  for (auto [size, stride, dense] :
       llvm::zip_equal(meta->sizes, meta->strides, aten::contiguousStrides(symbols, meta->sizes))) {
    std::optional<bool> isOne = symbols.isEqual(size, symbols.constant(1));
    std::optional<bool> isDense = symbols.isEqual(stride, dense);
    if (isOne == false && isDense == false)
      return false;
    isKnown &= isOne == true || isDense == true;
  }
  return isKnown ? std::optional(true) : std::nullopt;
}

/// Integers of a range, or all of a type.
llvm::Expected<Host::Draw> Host::integersToDraw(Operation *op, DType dtype) {
  if (op->getName().stripDialect() == "random") {
    bool isWide = dtype == DType::Int64 || dtype == DType::Float64;
    return Draw{ptc_draw_All, i64(int64_t(uint64_t(aten::greatestExact(dtype)) + 1)), i64(0),
                isWide};
  }
  std::optional<aten::RandomRange> range = rangeOf(op, dtype);
  if (!range)
    return refuse(op, "a range known only at run time");
  bool isWide = range->count == 0 || range->count >= uint64_t(1) << 28;
  return Draw{ptc_draw_Integers, i64(range->first), i64(int64_t(range->count)), isWide};
}

/// Kernels of a device draw 16-bit floats; so does the host, but not eager's numbers.
bool Host::canDraw(Operation *op, DType dtype) {
  return drawsOnDevice(op) || (dtype != DType::Float16 && dtype != DType::BFloat16);
}

/// Whether it draws from the default generator, in memory of a device. What the program does before
/// it is called is done on the host in eager, too: modules get their weights there, and then move.
bool Host::drawsOnDevice(Operation *op) {
  auto generator = op->getAttrOfType<IntegerAttr>("program.generator");
  bool isPermutation = op->getName().stripDialect().split('.').first == "randperm";
  return program.onDevice && variant && !isPermutation && (!generator || generator.getInt() == 0);
}

llvm::Expected<Host::Draw> Host::numbersToDraw(Operation *op, DType dtype) {
  StringRef base = op->getName().stripDialect().split('.').first;
  if (!canDraw(op, dtype))
    return refuse(op, "random numbers of this type");
  if (base == "randperm")
    return Draw{ptc_draw_Permutation, i64(0), i64(0)};
  if (base == "random" || base == "randint" || base == "randint_like")
    return integersToDraw(op, dtype);
  const Distribution *row =
      llvm::find_if(kDistributions, [&](const Distribution &d) { return d.op == base; });
  if (row == std::end(kDistributions))
    return refuse(op, "random numbers of this distribution");
  bool isReal = isFloat(dtype);
  bool mayBeWhole = row->kind == ptc_draw_Bernoulli || row->kind == ptc_draw_Geometric;
  bool isFlag = drawsOnDevice(op) && row->kind == ptc_draw_Bernoulli && dtype == DType::Bool;
  if (!isReal && !isFlag && !(mayBeWhole && isInteger(dtype)))
    return refuse(op, "random numbers of this type");
  if (base == "bernoulli" && !argumentOf(op, "p"))
    return refuse(op, "a distribution whose parameters are tensors");
  Draw draw{row->kind, i64(0), i64(0), dtype == DType::Float64};
  if (base == "normal_functional" &&
      !drawsOnDevice(op)) { // what is filled decides, not the dense tensor of its numbers
    std::optional<bool> isWhole = isRowMajor(op->getOperand(0).getType());
    if (!isWhole)
      return refuse(op, "normal numbers over strides known only at run time");
    draw.kind = *isWhole ? ptc_draw_Normal : ptc_draw_NormalPairs;
  }
  if (!row->first.empty())
    draw.first = realArgument(op, row->first, row->firstDefault);
  if (!row->second.empty())
    draw.second = realArgument(op, row->second, row->secondDefault);
  if (!draw.first || !draw.second)
    return refuse(op, "a distribution whose parameters are tensors");
  if (row->kind == ptc_draw_Uniform)
    checkUniform(op, dtype, draw.first, draw.second);
  return draw;
}

/// The number of the kernel that draws `form`.
uint32_t Host::kernelFor(const DrawForm &form) {
  std::vector<DrawForm> &forms = program.code.draws;
  auto kernel = uint32_t(llvm::find(forms, form) - forms.begin());
  if (kernel == forms.size())
    forms.push_back(form);
  return kernel;
}

/// A ptc_draw of the default generator, but for pointers.
Value Host::drawOnDevice(const Draw &draw, DType dtype) {
  DrawForm form{draw.kind, dtype, draw.isWide};
  Value row = stackSlot(sizeof(ptc_draw));
  store(i32(draw.kind), row, offsetof(ptc_draw, kind));
  store(i32(0), row, offsetof(ptc_draw, generator));
  store(draw.first, row, offsetof(ptc_draw, first));
  store(draw.second, row, offsetof(ptc_draw, second));
  store(i32(kernelFor(form)), row, offsetof(ptc_draw, kernel));
  store(i32(form.perBlock()), row, offsetof(ptc_draw, per_block));
  return row;
}

/// A ptc_draw of any generator, in memory of the host.
Value Host::drawOnHost(Operation *op, const Draw &draw) {
  auto generator = op->getAttrOfType<IntegerAttr>("program.generator");
  int64_t number = generator ? generator.getInt() : 0;
  program.code.numGenerators = std::max(program.code.numGenerators, uint32_t(number) + 1);
  Value row = stackSlot(sizeof(ptc_draw));
  store(i32(draw.kind), row, offsetof(ptc_draw, kind));
  store(i32(number), row, offsetof(ptc_draw, generator));
  store(draw.first, row, offsetof(ptc_draw, first));
  store(draw.second, row, offsetof(ptc_draw, second));
  store(i32(int32_t(PTC_DRAW_ON_HOST)), row, offsetof(ptc_draw, kernel));
  return row;
}

/// Training: elements are taken, or dropped, in the order of eager's kernel, which is that of
/// memory where a tensor is row-major.
llvm::Error Host::emitDropout(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<DType> dtype = aten::toDType(type.getElementType());
  if (!program.onDevice) {
    Diagnostic diag =
        takeDiagnostics(refuse(op, "dropout in training has code for GPUs alone")).front();
    return makeError(
        std::move(diag.hint("compile for evaluation (--eval, or training=False where the program "
                            "says otherwise), or with --target=cuda")));
  }
  if (!drawsOnDevice(op) || !dtype || !isFloat(*dtype))
    return refuse(op, "random numbers of this distribution");
  auto p = dyn_cast_or_null<FloatAttr>(argumentOf(op, "p"));
  if (!p || p.getValueAsDouble() >= 1)
    return refuse(op, "dropout of everything, or of a share known only at run time");
  Value self = op->getOperand(0);
  if (isRowMajor(self.getType()) != true || isRowMajor(type) != true)
    return refuse(op, "dropout of a tensor that is not known to be row-major");
  SmallVector<Value> places;
  for (OpResult result : op->getResults()) {
    bool isNeeded = result.getResultNumber() == 0 || !result.use_empty();
    llvm::Expected<Value> place =
        isNeeded ? placeFor(result, plan::placeOf(result), op)
                 : LLVM::ZeroOp::create(b, LLVM::LLVMPointerType::get(b.getContext())).getResult();
    if (!place)
      return place.takeError();
    places.push_back(*place);
    set(result, *place);
  }
  llvm::Expected<Value> shape = shapeOf(type, op);
  if (!shape)
    return shape.takeError();
  Draw draw{ptc_draw_Dropout, realConstant(1 - p.getValueAsDouble()), i64(0)};
  Value row = drawOnDevice(draw, *dtype);
  Value none = LLVM::ZeroOp::create(b, LLVM::LLVMPointerType::get(b.getContext()));
  store(use(self, op), row, offsetof(ptc_draw, self));
  store(places.size() > 1 ? places[1] : none, row, offsetof(ptc_draw, mask));
  callService(offsetof(ptc_services, draw), {}, {frame, row, places[0], *shape});
  returnIfDeviceFailed();
  return llvm::Error::success();
}

llvm::Error Host::emitDraw(Operation *op) {
  if (op->getName().stripDialect().ends_with("dropout"))
    return emitDropout(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<DType> dtype = aten::toDType(type.getElementType());
  if (!dtype)
    return refuse(op, "random numbers of this type");
  llvm::Expected<Draw> draw = numbersToDraw(op, *dtype);
  if (!draw)
    return draw.takeError();
  bindSizeArgument(op);
  llvm::Expected<Value> memory = placeFor(op->getResult(0), plan::placeOf(op->getResult(0)), op);
  if (!memory)
    return memory.takeError();
  llvm::Expected<Value> shape = shapeOf(type, op);
  if (!shape)
    return shape.takeError();
  Value row = drawsOnDevice(op) ? drawOnDevice(*draw, *dtype) : drawOnHost(op, *draw);
  callService(offsetof(ptc_services, draw), {}, {frame, row, *memory, *shape});
  returnIfDeviceFailed();
  set(op->getResult(0), *memory);
  return llvm::Error::success();
}

llvm::Error Host::emitSeed(program::SeedOp op) {
  auto number = op.getGenerator().getDefiningOp<arith::ConstantOp>();
  if (!number)
    return refuse(op, "a generator known only at run time");
  int64_t generator = cast<IntegerAttr>(number.getValue()).getInt();
  program.code.numGenerators = std::max(program.code.numGenerators, uint32_t(generator) + 1);
  returnIfFailed(callService(offsetof(ptc_services, seed), b.getI32Type(),
                             {frame, i32(generator), get(op.getSeed())})
                     .getResult());
  return llvm::Error::success();
}
