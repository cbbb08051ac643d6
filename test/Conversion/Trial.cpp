//===- Trial.cpp - One call of an overload, as kernels ------------------------------===//
//
// In: a call. Out: a function with the operation in it, whose kernels are run on plain loops when
// they are made, against the evaluator of aten on the same call.
//
//===----------------------------------------------------------------------===//
#include "Trial.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"
#include "ptc/Dialect/Plan/Eval/KernelEval.h"
#include "ptc/Dialect/Program/Eval/Eval.h"

#include <cmath>
#include <deque>

using namespace ptc;
using namespace ptc::conversion;
using aten::ArgValue;

const char *conversion::toString(Mode mode) {
  static constexpr const char *kNames[] = {"constant", "symbolic", "apart", "run-time numbers"};
  return kNames[size_t(mode)];
}

namespace {

/// Answers meta's questions by the sizes of the call, as a capture does.
class HintContext final : public aten::MetaContext {
public:
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(aten::Cmp cmp, sym::Expr a, sym::Expr b, llvm::StringRef) override {
    std::optional<int64_t> x = context.evaluateHint(a), y = context.evaluateHint(b);
    if (!x || !y)
      return std::nullopt;
    switch (cmp) {
    case aten::Cmp::EQ:
      return *x == *y;
    case aten::Cmp::NE:
      return *x != *y;
    case aten::Cmp::LT:
      return *x < *y;
    case aten::Cmp::LE:
      return *x <= *y;
    case aten::Cmp::GT:
      return *x > *y;
    case aten::Cmp::GE:
      return *x >= *y;
    }
    llvm_unreachable("closed enum");
  }
  sym::Expr freshUnbacked(int64_t, sym::Expr, llvm::StringRef) override { return {}; }
  bool isGradEnabled() override { return false; }

private:
  sym::Context context;
};

/// Arguments as meta takes them.
class MetaArguments {
public:
  MetaArguments(sym::Context &symbols, Mode mode) : symbols(symbols), mode(mode) {}

  /// Sizes of weights are known before a call is made.
  bool isWeight = false;
  /// Of Mode::Apart: the number of the argument.
  unsigned argument = 0;

  ArgValue operator()(const HostTensor &tensor) {
    return tensor.isDefined() ? ArgValue(meta(tensor)) : ArgValue();
  }
  ArgValue operator()(const HostValue::TensorList &tensors) {
    ArgValue::TensorList list;
    for (const HostTensor &tensor : tensors)
      list.values.push_back(tensor.isDefined() ? meta(tensor) : nullptr);
    return list;
  }
  ArgValue operator()(HostValue::None) { return {}; }
  ArgValue operator()(bool v) { return ArgValue::Bool{v}; }
  ArgValue operator()(int64_t v) { return ArgValue::Int{symbols.constant(v)}; }
  ArgValue operator()(double v) { return ArgValue::Float{v}; }
  ArgValue operator()(std::complex<double> v) { return ArgValue::Complex{v}; }
  ArgValue operator()(const std::string &v) { return ArgValue::Str{v}; }
  ArgValue operator()(DType v) { return v; }
  ArgValue operator()(HostValue::Device) { return aten::Device(); }
  ArgValue operator()(HostValue::Layout) { return aten::Layout::Strided; }
  ArgValue operator()(HostValue::MemoryFormat v) { return aten::MemoryFormat(v.code); }
  ArgValue operator()(HostValue::Generator) { return ArgValue::Generator(); }
  ArgValue operator()(const HostValue::IntList &values) {
    ArgValue::IntList list;
    for (int64_t v : values)
      list.values.push_back(symbols.constant(v));
    return list;
  }
  ArgValue operator()(const HostValue::FloatList &v) { return ArgValue::FloatList{v}; }
  ArgValue operator()(const HostValue::BoolList &v) {
    ArgValue::BoolList list;
    list.values.assign(v.begin(), v.end());
    return list;
  }

private:
  const aten::TensorMeta *meta(const HostTensor &tensor) {
    aten::TensorMeta &made = metas.emplace_back();
    made.dtype = tensor.dtype();
    for (int64_t size : tensor.sizes())
      made.sizes.push_back(sizeFor(size));
    for (int64_t stride : tensor.strides())
      made.strides.push_back(symbols.constant(stride));
    if (mode == Mode::Symbolic || mode == Mode::Apart)
      made.strides = aten::contiguousStrides(symbols, made.sizes);
    return &made;
  }

  /// Equal sizes have one name, or one for each argument.
  sym::Expr sizeFor(int64_t size) {
    bool isNamed = mode == Mode::Symbolic || mode == Mode::Apart;
    if (!isNamed || size < 2 || isWeight)
      return symbols.constant(size);
    std::string name = "n" + std::to_string(size);
    if (mode == Mode::Apart)
      name += "_" + std::to_string(argument);
    if (std::optional<sym::SymbolId> known = symbols.findSymbol(name))
      return symbols.symbol(*known);
    sym::SymbolInfo info{.name = name};
    info.lower = 2;
    info.hint = size;
    return symbols.symbol(info);
  }

  sym::Context &symbols;
  Mode mode;
  std::deque<aten::TensorMeta> metas;
};

} // namespace

static mlir::Type numberType(mlir::MLIRContext *context, const HostValue &number) {
  mlir::Builder b(context);
  if (number.is<bool>())
    return b.getI1Type();
  return number.is<int64_t>() ? mlir::Type(b.getI64Type()) : b.getF64Type();
}

namespace {

/// The operation of a call, and the types that it takes and gives.
class CallBuilder {
public:
  CallBuilder(const aten::OpInfo &op, const numerics::Call &call, Mode mode,
              std::vector<bool> isOperand)
      : op(op), call(call), mode(mode), convert(meta.symbols(), mode),
        isOperand(std::move(isOperand)) {}

  /// Tensors, and the numbers that are not known, in order; results.
  llvm::SmallVector<mlir::Type> types, results;

  /// False if eager or meta refuses the call, a result is no tensor, or the mode is no other than
  /// Constant for this call.
  bool infer(mlir::MLIRContext *context) {
    if (mode == Mode::Apart && op.payload.empty())
      return false;
    if (mode == Mode::Numbers && llvm::none_of(isOperand, [](bool is) { return is; }))
      return false;
    for (auto [arg, info] : llvm::zip_equal(call, op.args)) {
      ++convert.argument;
      convert.isWeight = info.name == "weight" || info.name == "bias";
      metaArgs.push_back(std::visit(convert, arg.sum));
    }
    aten::MetaResult inferred = aten::infer(op, metaArgs, meta);
    if (!inferred.isOk())
      return false;
    for (const aten::ResultValue &value : inferred.results)
      for (const aten::TensorResult &tensor : value.tensors)
        results.push_back(aten::toType(context, tensor.meta, meta.symbols()));
    for (size_t i = 0; i < call.size(); ++i) {
      if (const auto *tensor = metaArgs[i].tensor())
        types.push_back(aten::toType(context, *tensor, meta.symbols()));
      if (const auto *list = metaArgs[i].getIf<ArgValue::TensorList>())
        for (const aten::TensorMeta *described : list->values)
          if (described)
            types.push_back(aten::toType(context, *described, meta.symbols()));
      if (isOperand[i])
        types.push_back(numberType(context, call[i]));
    }
    return !results.empty();
  }

  /// The operation on values of `types`.
  aten::AtenOp emit(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange values) {
    aten::OpArgBuilder args(b.getContext());
    unsigned next = 0;
    for (size_t i = 0; i < call.size(); ++i) {
      if (metaArgs[i].tensor() || isOperand[i]) {
        args.add(values[next++]);
      } else if (const auto *list = metaArgs[i].getIf<ArgValue::TensorList>()) {
        llvm::SmallVector<mlir::Value> elements;
        for (const aten::TensorMeta *element : list->values)
          elements.push_back(element ? values[next++] : mlir::Value());
        args.add(elements);
      } else {
        mlir::Attribute attr = aten::toAttr(b.getContext(), metaArgs[i], meta.symbols());
        args.add(attr ? attr : aten::NoneAttr::get(b.getContext()));
      }
    }
    return aten::createOp(b, loc, op.id, args, results);
  }

private:
  const aten::OpInfo &op;
  const numerics::Call &call;
  Mode mode;
  HintContext meta;
  MetaArguments convert;
  llvm::SmallVector<ArgValue, 8> metaArgs;
  std::vector<bool> isOperand;
};

} // namespace

Trial::Trial(const aten::OpInfo &op, numerics::Call given, Mode mode, DType dtype)
    : op(op), call(std::move(given)), mode(mode), dtype(dtype) {
  if (mode != Mode::Symbolic && mode != Mode::Apart)
    return;
  // In rows, with the strides of these also where a dimension of one element has any.
  auto dense = [](const HostTensor &t) {
    if (!t.isDefined())
      return t;
    HostTensor rows = t.contiguous();
    return rows.view(rows.sizes(), contiguousStrides(rows.sizes()), rows.storageOffset());
  };
  for (HostValue &value : call) {
    if (const auto *tensor = value.getIf<HostTensor>()) {
      value = HostValue(dense(*tensor));
    } else if (const auto *list = value.getIf<HostValue::TensorList>()) {
      HostValue::TensorList tensors;
      llvm::transform(*list, std::back_inserter(tensors), dense);
      value = HostValue(std::move(tensors));
    }
  }
}

bool Trial::isOperand(size_t arg, const HostValue &value) const {
  bool isNumber = value.is<int64_t>() || value.is<double>() || value.is<bool>();
  return mode == Mode::Numbers && isNumber &&
         (op.args[arg].type == aten::ArgType::Scalar || op.args[arg].type == aten::ArgType::Tensor);
}

std::vector<bool> Trial::operands() const {
  std::vector<bool> flags;
  for (size_t i = 0; i < call.size(); ++i)
    flags.push_back(isOperand(i, call[i]));
  return flags;
}

std::vector<HostValue> Trial::inputsOf(const numerics::Call &given) const {
  std::vector<HostValue> inputs;
  auto add = [&](const HostTensor &tensor) {
    if (tensor.isDefined())
      inputs.emplace_back(tensor);
  };
  for (size_t i = 0; i < given.size(); ++i) {
    if (i == weight)
      continue;
    if (const auto *tensor = given[i].getIf<HostTensor>())
      add(*tensor);
    else if (const auto *list = given[i].getIf<HostValue::TensorList>())
      llvm::for_each(*list, add);
    else if (isOperand(i, given[i]))
      inputs.push_back(given[i]);
  }
  return inputs;
}

bool Trial::build(mlir::ModuleOp module, unsigned number) {
  CallBuilder builder(op, call, mode, operands());
  if (!builder.infer(module.getContext()))
    return false;
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(module.getBody());
  function = mlir::func::FuncOp::create(b, b.getUnknownLoc(), "f" + std::to_string(number),
                                        b.getFunctionType(builder.types, builder.results));
  mlir::Block *body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  aten::AtenOp made = builder.emit(b, b.getUnknownLoc(), body->getArguments());
  mlir::func::ReturnOp::create(b, b.getUnknownLoc(), made->getResults());
  return true;
}

/// Rows [name, input, dimension] of the sizes that are symbols.
static mlir::ArrayAttr symbolsOf(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Type> types) {
  llvm::SmallVector<mlir::Attribute> rows;
  for (auto [input, type] : llvm::enumerate(types)) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    auto meta =
        tensor ? llvm::dyn_cast_or_null<aten::MetaAttr>(tensor.getEncoding()) : aten::MetaAttr();
    if (!meta || !meta.getSizes())
      continue;
    for (auto [d, size] : llvm::enumerate(meta.getSizes()))
      if (auto name = llvm::dyn_cast<aten::ExprAttr>(size))
        rows.push_back(
            b.getArrayAttr({b.getStringAttr(name.getText()), b.getI64IntegerAttr(int64_t(input)),
                            b.getI64IntegerAttr(int64_t(d))}));
  }
  return b.getArrayAttr(rows);
}

bool Trial::buildVariant(program::EntryOp entry, unsigned number) {
  using program::OutAttr, program::OutKind;
  CallBuilder builder(op, call, mode, operands());
  if (!builder.infer(entry.getContext()))
    return false;
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(&entry.getBody().front());
  mlir::Location loc = mlir::FileLineColLoc::get(b.getContext(), "call", number, 1);
  llvm::SmallVector<mlir::Attribute> names;
  llvm::SmallVector<int64_t> leaves;
  for (size_t i = 0; i + bool(weight) < builder.types.size(); ++i) {
    names.push_back(b.getStringAttr("x" + std::to_string(i)));
    leaves.push_back(int64_t(i));
  }
  auto variant =
      program::VariantOp::create(b, loc, "v" + std::to_string(number), b.getArrayAttr(names),
                                 b.getDenseI64ArrayAttr(leaves), symbolsOf(b, builder.types));
  mlir::Block &body = variant.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&body);
  llvm::SmallVector<mlir::Value> inputs;
  for (auto [i, type] : llvm::enumerate(builder.types))
    inputs.push_back(i == weight ? mlir::Value(program::WeightOp::create(
                                       b, loc, type, "w" + std::to_string(number)))
                                 : mlir::Value(body.addArgument(type, loc)));
  aten::AtenOp made = builder.emit(b, loc, inputs);
  auto finish = program::FinishOp::create(b, loc, mlir::Value(), 1);
  b.setInsertionPointToStart(&finish.getOutcomes().front().emplaceBlock());
  llvm::SmallVector<mlir::Value> placed;
  llvm::SmallVector<OutAttr> tree;
  for (mlir::Value result : made->getResults()) {
    tree.push_back(
        OutAttr::get(b.getContext(), OutKind::Leaf, int64_t(placed.size()), {}, 0, {}, {}));
    placed.push_back(program::PlaceOp::create(b, loc, result, mlir::IntegerAttr(), false));
  }
  auto all = OutAttr::get(b.getContext(), OutKind::Tuple, -1, {}, 0, {}, tree);
  program::EndOp::create(b, loc, placed, all, mlir::ArrayAttr(), mlir::ArrayAttr(), false);
  return true;
}

bool Trial::isConverted() {
  return !function.walk([](aten::AtenOp) { return mlir::WalkResult::interrupt(); })
              .wasInterrupted();
}

void Trial::collectFamilies(std::set<std::string> &families) {
  auto last = function.getBody().front().getOps<plan::KernelOp>();
  std::string family;
  for (plan::KernelOp kernel : last)
    family = stringifyFamily(kernel.getFamily()).str();
  if (!family.empty())
    families.insert(family);
}

namespace {

/// Runs a function of kernels and checks.
class FunctionRun {
public:
  FunctionRun(mlir::func::FuncOp function, llvm::ArrayRef<HostValue> inputs) {
    for (auto [arg, input] : llvm::zip_equal(function.getArguments(), inputs))
      values[arg] = input;
    for (mlir::Operation &op : function.getBody().front()) {
      if (auto kernel = llvm::dyn_cast<plan::KernelOp>(op))
        run(kernel);
      else if (auto check = llvm::dyn_cast<plan::CheckOp>(op))
        run(check);
      if (!raised.empty() || !error.empty())
        return;
    }
    for (mlir::Value value : function.getBody().front().getTerminator()->getOperands())
      results.push_back(values.find(value)->second.tensor());
  }

  std::string raised, error;
  std::vector<HostTensor> results;

private:
  void run(plan::KernelOp kernel) {
    std::vector<HostValue> given;
    for (mlir::Value input : kernel.getInputs())
      given.push_back(values.find(input)->second);
    auto made = plan::evaluateKernel(kernel, given);
    if (!made) {
      error = llvm::toString(made.takeError());
      return;
    }
    for (auto [result, tensor] : llvm::zip_equal(kernel.getResults(), *made))
      values[result] = tensor;
  }

  void run(plan::CheckOp check) {
    std::vector<HostValue> given;
    for (mlir::Value operand : check->getOperands())
      given.push_back(values.find(operand)->second);
    llvm::handleAllErrors(plan::evaluateCheck(check, given),
                          [&](const program::PythonError &e) { raised = e.type + ": " + e.text; });
  }

  llvm::DenseMap<mlir::Value, HostValue> values;
};

} // namespace

static double unitOf(DType dtype) {
  switch (dtype) {
  case DType::Float64:
    return 0x1p-52;
  case DType::Float32:
    return 0x1p-23;
  case DType::Float16:
    return 0x1p-10;
  case DType::BFloat16:
    return 0x1p-7;
  default:
    return 0;
  }
}

/// Equal, both NaN, or apart by less than two units in the last place: the two evaluators may write
/// one formula in different order. Sums are taken in the type itself by one and in double by the
/// other: they may differ by what rounding does to sums of some ten elements of that size.
static std::string difference(const HostTensor &want, const HostTensor &got, bool hasSums) {
  if (want.dtype() != got.dtype() || want.sizes() != got.sizes())
    return "another type or other sizes";
  if (want.numel() == 0)
    return "";
  std::vector<double> x, y;
  std::vector<int64_t> index(want.sizes().size(), 0);
  double most = 1;
  bool isInt = !isFloat(want.dtype());
  for (int64_t n = 0; n < want.numel(); ++n) {
    int64_t rest = n;
    for (size_t d = index.size(); d-- > 0; rest /= want.size(int64_t(d)))
      index[d] = rest % want.size(int64_t(d));
    if (isInt) {
      if (want.getInt(index) != got.getInt(index))
        return "element " + std::to_string(n) + ": " + std::to_string(want.getInt(index)) +
               " and not " + std::to_string(got.getInt(index));
      continue;
    }
    x.push_back(want.getDouble(index));
    y.push_back(got.getDouble(index));
    if (std::isfinite(x.back()))
      most = std::max(most, std::abs(x.back()));
  }
  double unit = unitOf(want.dtype());
  double summed = hasSums ? 32 * std::min(unit, unitOf(DType::Float32)) * most : 0;
  for (size_t n = 0; n < x.size(); ++n)
    if (!(x[n] == y[n] || (std::isnan(x[n]) && std::isnan(y[n])) ||
          std::abs(x[n] - y[n]) <= 2 * unit * std::abs(x[n]) + summed))
      return "element " + std::to_string(n) + ": " + std::to_string(x[n]) + " and not " +
             std::to_string(y[n]);
  return "";
}

std::string Trial::compare() {
  FunctionRun run(function, inputsOf(call));
  if (!run.error.empty())
    return run.error;
  aten::EvalContext context;
  auto want = aten::evaluate(op, call, context);
  if (!want) {
    std::string raises;
    llvm::handleAllErrors(want.takeError(), [&](const aten::EvalFailure &failure) {
      if (failure.kind == aten::EvalFailure::Kind::Raise)
        raises = aten::toString(failure.pythonClass).str() + ": " + failure.text;
    });
    if (raises.empty() || raises == run.raised)
      return "";
    return "aten raises " + raises + "; the kernels " + run.raised;
  }
  if (!run.raised.empty())
    return "the kernels raise " + run.raised;
  llvm::SmallVector<HostTensor> tensors;
  for (const HostValue &value : *want) {
    if (const auto *list = value.getIf<HostValue::TensorList>())
      tensors.append(list->begin(), list->end());
    else
      tensors.push_back(value.tensor());
  }
  if (tensors.size() < run.results.size())
    return "more results";
  for (auto [expected, got] : llvm::zip(tensors, run.results)) {
    std::string what = difference(expected, got, op.payload.empty());
    if (!what.empty())
      return what;
  }
  return "";
}

std::string Trial::describe() const {
  std::string text = std::string(toString(mode)) + " " + getDTypeInfo(dtype).alias.str() + " (";
  for (const HostValue &value : call)
    text += ptc::toString(value) + ", ";
  return text + ")";
}
