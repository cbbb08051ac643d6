//===- AtenOps.cpp - What all aten operations share --------------------------===//
//
// In: an operation and its row of the table. Out: arguments by name, the check against the schema,
// effects, construction, registration.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

using namespace mlir;
using namespace ptc;
using namespace ptc::aten;

namespace {
/// The one op class behind all names.
class AnyOp
    : public Op<AnyOp, OpTrait::ZeroRegions, OpTrait::VariadicResults, OpTrait::ZeroSuccessors,
                OpTrait::VariadicOperands, MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static bool classof(Operation *op) { return AtenOp::classof(op); }
  static StringRef getOperationName() { return "aten.any"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static ParseResult parse(OpAsmParser &parser, OperationState &result) {
    return AtenOp::parseAssembly(parser, result);
  }
  void print(OpAsmPrinter &printer) { AtenOp(getOperation()).printAssembly(printer); }
  // A hook that Op finds by its name. NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  LogicalResult verify() { return AtenOp(getOperation()).verifySchema(); }
  void getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
    AtenOp(getOperation()).getMemoryEffects(effects);
  }
};

/// AnyOp under the name and identity of one overload.
class OverloadModel : public RegisteredOperationName::Model<AnyOp> {
public:
  OverloadModel(const OpInfo &info, Dialect *dialect, TypeID id) : Model(dialect) {
    name = StringAttr::get(dialect->getContext(), "aten." + info.name);
    typeID = id;
  }
};
} // namespace

void AtenDialect::registerOps() {
  StringRef attributes[] = {"args"};
  for (const OpInfo &info : getAllOpInfos()) {
    TypeID id = typeIds.allocate();
    opIds[id] = info.id;
    RegisteredOperationName::insert(std::make_unique<OverloadModel>(info, this, id), attributes);
  }
}

//===----------------------------------------------------------------------===//
// OpArg
//===----------------------------------------------------------------------===//

Value OpArg::getValue() const {
  if (auto ref = dyn_cast<ArgAttr>(attr))
    return operands[ref.getIndex()];
  return {};
}

SmallVector<Value, 4> OpArg::getValues() const {
  SmallVector<Value, 4> values;
  if (auto list = dyn_cast<ArrayAttr>(attr))
    for (Attribute element : list)
      values.push_back(OpArg(element, operands).getValue());
  return values;
}

std::optional<int64_t> OpArg::getInt() const {
  if (auto integer = dyn_cast<IntegerAttr>(attr); integer && !isa<BoolAttr>(attr))
    return integer.getInt();
  return std::nullopt;
}

std::optional<bool> OpArg::getBool() const {
  if (auto boolean = dyn_cast<BoolAttr>(attr))
    return boolean.getValue();
  return std::nullopt;
}

std::optional<double> OpArg::getFloat() const {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValueAsDouble();
  if (std::optional<int64_t> integer = getInt())
    return double(*integer);
  return std::nullopt;
}

std::optional<StringRef> OpArg::getString() const {
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.getValue();
  return std::nullopt;
}

std::optional<DType> OpArg::getDType() const {
  if (auto dtype = dyn_cast<DTypeAttr>(attr))
    return dtype.getValue();
  return std::nullopt;
}

std::optional<SmallVector<int64_t, 4>> OpArg::getIntList() const {
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return std::nullopt;
  SmallVector<int64_t, 4> values;
  for (Attribute element : list) {
    std::optional<int64_t> value = OpArg(element, operands).getInt();
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// AtenOp
//===----------------------------------------------------------------------===//

bool AtenOp::classof(Operation *op) {
  return op->isRegistered() && isa_and_nonnull<AtenDialect>(op->getDialect());
}

OpId AtenOp::getOpId() {
  OperationName name = (*this)->getName();
  return static_cast<AtenDialect *>(name.getDialect())->getOpId(name.getTypeID());
}

ArrayAttr AtenOp::getArgs() { return (*this)->getAttrOfType<ArrayAttr>("args"); }

OpArg AtenOp::getArg(unsigned index) { return OpArg(getArgs()[index], (*this)->getOperands()); }

OpArg AtenOp::getArg(StringRef name) {
  std::optional<unsigned> index = getInfo().findArg(name);
  assert(index && "an argument of the schema");
  return getArg(*index);
}

/// Whether it is a reduction without identity of a size that may be 0, for which eager raises.
static bool mayReduceNothing(AtenOp op) {
  static constexpr OpId kReductions[] = {OpId::amax,       OpId::amin,    OpId::max,
                                         OpId::min,        OpId::max_dim, OpId::min_dim,
                                         OpId::median_dim, OpId::argmax,  OpId::argmin};
  const OpInfo &info = op.getInfo();
  if (!llvm::is_contained(kReductions, info.id))
    return false;
  auto type = dyn_cast_or_null<RankedTensorType>(op.getArg(0U).getValue().getType());
  auto meta = type ? dyn_cast_or_null<MetaAttr>(type.getEncoding()) : MetaAttr();
  if (!meta || !meta.getSizes())
    return false;
  SmallVector<int64_t, 4> dims;
  if (info.findArg("dim")) {
    OpArg given = op.getArg("dim");
    if (std::optional<int64_t> one = given.getInt())
      dims.push_back(*one);
    else if (std::optional<SmallVector<int64_t, 4>> list = given.getIntList())
      dims = *list;
  }
  for (auto [d, size] : llvm::enumerate(meta.getSizes())) {
    bool isReduced = dims.empty() || llvm::is_contained(dims, int64_t(d)) ||
                     llvm::is_contained(dims, int64_t(d) - type.getRank());
    if (isReduced && isa<ExprAttr>(size))
      return true;
  }
  return false;
}

void AtenOp::getMemoryEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  const OpInfo &info = getInfo();
  // Raising and advancing a generator are writes to the world: order and existence count.
  if (info.has(OpFlag::Random) || info.has(OpFlag::Mutates) || info.has(OpFlag::MayFail) ||
      mayReduceNothing(*this))
    effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

namespace {
/// Checks one op's `args` against its schema; every operand must be used once.
class SchemaVerifier {
public:
  SchemaVerifier(AtenOp op) : op(op), info(op.getInfo()), used(op->getNumOperands(), false) {}

  LogicalResult verify() {
    ArrayAttr args = op.getArgs();
    if (!args)
      return op->emitOpError("needs the attribute 'args'");
    if (args.size() != info.args.size())
      return op->emitOpError() << "has " << args.size() << " arguments, its schema "
                               << info.args.size();
    for (auto [arg, attr] : llvm::zip(info.args, args))
      if (failed(arg.isList ? list(arg, attr) : element(arg, attr, arg.isOptional)))
        return failure();
    for (auto [i, isUsed] : llvm::enumerate(used))
      if (!isUsed)
        return op->emitOpError() << "operand " << i << " is no argument";
    return results();
  }

private:
  InFlightDiagnostic wrong(const ArgInfo &arg, StringRef want) {
    return op->emitOpError() << "argument '" << arg.name << "' must be " << want;
  }

  LogicalResult list(const ArgInfo &arg, Attribute attr) {
    if (isa<NoneAttr>(attr))
      return arg.isOptional ? success() : LogicalResult(wrong(arg, "a list, it is none"));
    auto elements = dyn_cast<ArrayAttr>(attr);
    if (!elements)
      return wrong(arg, "a list");
    for (Attribute element : elements)
      if (failed(this->element(arg, element, arg.hasOptionalElements)))
        return failure();
    return success();
  }

  LogicalResult element(const ArgInfo &arg, Attribute attr, bool isOptional) {
    if (isa<NoneAttr>(attr))
      return isOptional || arg.type == ArgType::Generator
                 ? success()
                 : LogicalResult(wrong(arg, "given, it is none"));
    if (auto ref = dyn_cast<ArgAttr>(attr))
      return operand(arg, ref.getIndex());
    return constant(arg, attr);
  }

  LogicalResult operand(const ArgInfo &arg, unsigned index) {
    if (index >= used.size())
      return op->emitOpError() << "argument '" << arg.name << "' is operand " << index
                               << " of only " << used.size();
    if (used[index])
      return op->emitOpError() << "operand " << index << " is used for two arguments";
    used[index] = true;
    Type type = op->getOperand(index).getType();
    if (isa<RankedTensorType>(type))
      return arg.type == ArgType::Tensor ? success() : LogicalResult(wrong(arg, "no tensor"));
    bool number = type.isInteger(1) || type.isInteger(64) || type.isF64() || isa<ComplexType>(type);
    switch (arg.type) {
    case ArgType::Tensor:
      return number && takesNumbers(arg) ? success() : LogicalResult(wrong(arg, "a tensor"));
    case ArgType::Int:
      return type.isInteger(64) ? success() : LogicalResult(wrong(arg, "an i64"));
    case ArgType::Float:
      return type.isF64() || type.isInteger(64) ? success() : LogicalResult(wrong(arg, "an f64"));
    case ArgType::Bool:
      return type.isInteger(1) ? success() : LogicalResult(wrong(arg, "an i1"));
    case ArgType::Scalar:
      return number ? success() : LogicalResult(wrong(arg, "i1, i64, f64 or complex<f64>"));
    case ArgType::Generator:
      return success();
    case ArgType::Str:
    case ArgType::DType:
    case ArgType::Layout:
    case ArgType::Device:
    case ArgType::MemoryFormat:
      return wrong(arg, "a constant");
    }
    llvm_unreachable("closed enum");
  }

  bool takesNumbers(const ArgInfo &arg) const { return arg.isOperand && info.has(OpFlag::Numbers); }

  LogicalResult constant(const ArgInfo &arg, Attribute attr) {
    bool boolean = isa<BoolAttr>(attr);
    bool integer = isa<ExprAttr>(attr) || (isa<IntegerAttr>(attr) && !boolean);
    bool real = isa<FloatAttr>(attr);
    auto check = [&](bool ok, StringRef want) {
      return ok ? success() : LogicalResult(wrong(arg, want));
    };
    switch (arg.type) {
    case ArgType::Tensor:
      return check(takesNumbers(arg) && (boolean || integer || real || isa<ComplexAttr>(attr)),
                   "a tensor");
    case ArgType::Int:
      return check(integer, "an integer");
    case ArgType::Float:
      return check(real || integer || boolean, "a float");
    case ArgType::Bool:
      return check(boolean, "true or false");
    case ArgType::Scalar:
      return check(boolean || integer || real || isa<ComplexAttr>(attr), "a number");
    case ArgType::Str:
      return check(isa<StringAttr>(attr), "a string");
    case ArgType::DType:
      return check(isa<DTypeAttr>(attr), "an element type");
    case ArgType::Layout:
      return check(isa<LayoutAttr>(attr), "a layout");
    case ArgType::Device:
      return check(isa<DeviceAttr>(attr), "a device");
    case ArgType::MemoryFormat:
      return check(isa<MemoryFormatAttr>(attr), "a memory format");
    case ArgType::Generator:
      return wrong(arg, "none or an operand");
    }
    llvm_unreachable("closed enum");
  }

  LogicalResult results() {
    bool hasList = llvm::any_of(info.returns, [](const ReturnInfo &r) { return r.isList; });
    if (!hasList && op->getNumResults() != info.returns.size())
      return op->emitOpError() << "has " << op->getNumResults() << " results, its schema "
                               << info.returns.size();
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      bool tensor = info.returns[hasList ? 0 : i].type == ArgType::Tensor;
      auto ranked = dyn_cast<RankedTensorType>(type);
      if (tensor && (!ranked || !toDType(ranked.getElementType())))
        return op->emitOpError() << "result " << i << " must be a tensor of a known element type";
      if (!tensor && ranked)
        return op->emitOpError() << "result " << i << " must be a scalar";
    }
    return success();
  }

  AtenOp op;
  const OpInfo &info;
  SmallVector<bool, 8> used;
};
} // namespace

LogicalResult AtenOp::verifySchema() { return SchemaVerifier(*this).verify(); }

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

Attribute OpArgBuilder::reference(Value value) {
  operands.push_back(value);
  return ArgAttr::get(context, unsigned(operands.size() - 1));
}

OpArgBuilder &OpArgBuilder::add(Value value) {
  args.push_back(reference(value));
  return *this;
}

OpArgBuilder &OpArgBuilder::add(ArrayRef<Value> values) {
  SmallVector<Attribute> elements;
  for (Value value : values)
    elements.push_back(value ? reference(value) : Attribute(NoneAttr::get(context)));
  args.push_back(ArrayAttr::get(context, elements));
  return *this;
}

OpArgBuilder &OpArgBuilder::add(const ArgValue &value, sym::Context &symbols) {
  Attribute attr = toAttr(context, value, symbols);
  assert(attr && "a constant; operands are added as values");
  return add(attr);
}

OpArgBuilder &OpArgBuilder::add(Attribute attr) {
  args.push_back(attr);
  return *this;
}

ArrayAttr OpArgBuilder::getArgs() const { return ArrayAttr::get(context, args); }

AtenOp ptc::aten::createOp(OpBuilder &builder, Location loc, OpId id, ValueRange operands,
                           ArrayAttr args, TypeRange results) {
  std::string name = ("aten." + getOpInfo(id).name).str();
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttribute("args", args);
  return AtenOp(builder.create(state));
}
