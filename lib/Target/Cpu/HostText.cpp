//===- HostText.cpp - Texts that are made at run time ---------------------------------------===//
//
// In: trees of text with run-time numbers and tensors in them. Out: tables of parts, which the stub
// puts together, and of what they show; a part that it cannot make is refused.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "ptc/TensorFile/Example.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using K = program::OutKind;

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

namespace {

/// The conversions of parts that ask for a function of their own.
constexpr char kTensorConversion = 't', kSpecConversion = 'n';

bool isTensor(const TextPart &part) { return part.conversion == kTensorConversion; }

/// What shows a part; empty: the stub itself.
StringRef functionOf(const TextPart &part) {
  return isTensor(part)                       ? "ptc_put_tensor"
         : part.conversion == kSpecConversion ? "ptc_put_number"
                                              : "";
}

/// Collects the parts of a text.
class TextParts {
public:
  explicit TextParts(ValueRange values) : values(values) {}

  /// False: a part that native code cannot make. In `str` mode as str(), else as repr().
  bool collect(program::OutAttr node, bool isRepr);

  SmallVector<TextPart> parts;

private:
  bool literal(const std::string &text) {
    parts.push_back({text, -1, 0, choice, alternative});
    return true;
  }
  bool leaf(program::OutAttr node, char conversion, StringRef spec) {
    Type type = values[size_t(node.getLeaf())].getType();
    bool isFormat = conversion == 'f' || conversion == kSpecConversion;
    if (auto list = dyn_cast<program::ListType>(type))
      type = isFormat ? type : list.getElementType();
    if (!isa<IntegerType, Float64Type>(type))
      return isa<RankedTensorType>(values[size_t(node.getLeaf())].getType()) &&
             isa<RankedTensorType>(type) && !isFormat && tensor(node, spec);
    parts.push_back({spec.str(), int32_t(node.getLeaf()), conversion, choice, alternative});
    return true;
  }
  bool tensor(program::OutAttr node, StringRef suffix) {
    parts.push_back(
        {suffix.str(), int32_t(node.getLeaf()), kTensorConversion, choice, alternative});
    return true;
  }
  bool pieces(program::OutAttr node) {
    return llvm::all_of(node.getChildren(),
                        [&](program::OutAttr child) { return collect(child, false); });
  }
  bool quoted(program::OutAttr node);
  bool field(program::OutAttr node, bool isRepr);
  bool formatted(program::OutAttr shown, StringRef spec, bool isPercent);
  bool container(program::OutAttr node, StringRef open, StringRef close);
  bool oneOf(program::OutAttr node, bool isRepr);

  ValueRange values;
  int32_t choice = -1;
  int64_t alternative = 0;
};

} // namespace

/// repr() of a string in which numbers stand, and text without what repr() would show otherwise;
/// what numbers are filled up with is such text.
bool TextParts::quoted(program::OutAttr node) {
  for (program::OutAttr child : node.getChildren()) {
    if (child.getKind() == K::Str || child.getKind() == K::Field) {
      std::string text = child.getText().getValue().str();
      if (exampleRepr(ExampleValue::ofStr(text)) != "'" + text + "'")
        return false;
    }
    if (child.getKind() == K::Str)
      continue;
    program::OutAttr shown = child.getKind() == K::Field ? child.getChildren().front() : child;
    if (shown.getKind() != K::Leaf ||
        !isa<IntegerType, Float64Type>(values[size_t(shown.getLeaf())].getType()))
      return false;
  }
  return literal("'") && pieces(node) && literal("'");
}

/// `[.N]` and one of f e g % d: what the stub itself formats.
static bool isSimpleSpec(StringRef spec, bool isInt) {
  StringRef digits = spec.drop_back();
  bool hasPrecision = digits.consume_front(".");
  unsigned precision = 0;
  if (hasPrecision ? digits.getAsInteger(10, precision) || precision > 64 : !digits.empty())
    return false;
  return spec.back() == 'd' ? !hasPrecision && isInt : StringRef("feg%").contains(spec.back());
}

bool TextParts::formatted(program::OutAttr shown, StringRef spec, bool isPercent) {
  if (shown.getKind() != K::Leaf)
    return false;
  Type type = values[size_t(shown.getLeaf())].getType();
  if (!isa<IntegerType, Float64Type>(type))
    return false;
  if (isSimpleSpec(spec, isa<IntegerType>(type)))
    return leaf(shown, 'f', spec);
  // After % it is the alignment, in a spec the sign.
  if (isPercent && spec.contains('-'))
    return false;
  return ptc_is_number_spec(spec.data(), spec.size(), type.isF64()) &&
         leaf(shown, kSpecConversion, spec);
}

bool TextParts::field(program::OutAttr node, bool isRepr) {
  program::OutAttr shown = node.getChildren().front();
  StringRef how = node.getText().getValue();
  if (isRepr)
    return false;
  if (shown.getKind() == K::Leaf && StringRef("sra").contains(how.front()) &&
      isa<RankedTensorType>(values[size_t(shown.getLeaf())].getType()))
    return tensor(shown, how.drop_front());
  if (how == "s" || how == "f" || how == "%s")
    return collect(shown, false);
  if (how == "r" || how == "%r")
    return collect(shown, true);
  bool isPercent = how.front() == '%';
  // The % operator has no conversion of that name.
  return (how.front() == 'f' || (isPercent && how.back() != '%')) &&
         formatted(shown, how.drop_front(), isPercent);
}

bool TextParts::container(program::OutAttr node, StringRef open, StringRef close) {
  bool isDict = node.getKind() == K::Dict;
  literal(open.str());
  for (auto [i, child] : llvm::enumerate(node.getChildren())) {
    if (i)
      literal(isDict && i % 2 ? ": " : ", ");
    if (!collect(child, true))
      return false;
  }
  if (node.getKind() == K::Tuple && node.getChildren().size() == 1)
    literal(",");
  return literal(close.str());
}

/// A choice within a choice would need two conditions.
bool TextParts::oneOf(program::OutAttr node, bool isRepr) {
  if (choice >= 0)
    return false;
  choice = int32_t(node.getLeaf());
  bool known = true;
  for (auto [i, child] : llvm::enumerate(node.getChildren())) {
    alternative = int64_t(i);
    known &= collect(child, isRepr);
  }
  choice = -1;
  return known;
}

bool TextParts::collect(program::OutAttr node, bool isRepr) {
  switch (node.getKind()) {
  case K::Str: {
    std::string text = node.getText().getValue().str();
    return literal(isRepr ? exampleRepr(ExampleValue::ofStr(text)) : text);
  }
  case K::None:
    return literal("None");
  case K::Bool:
    return literal(cast<IntegerAttr>(node.getConstant()).getValue().isZero() ? "False" : "True");
  case K::Int:
    if (node.getConstant())
      return literal(std::to_string(cast<IntegerAttr>(node.getConstant()).getInt()));
    return literal(node.getText().getValue().str());
  case K::Float:
    return literal(
        exampleRepr(ExampleValue::ofFloat(cast<FloatAttr>(node.getConstant()).getValueAsDouble())));
  case K::Leaf:
    return leaf(node, isRepr ? 'r' : 's', "");
  case K::Template:
    return isRepr ? quoted(node) : pieces(node);
  case K::Field:
    return field(node, isRepr);
  case K::List:
    return container(node, "[", "]");
  case K::Tuple:
    return container(node, "(", ")");
  case K::Dict:
    return container(node, "{", "}");
  case K::Choice:
    return oneOf(node, isRepr);
  case K::Bytes:
  case K::Other:
  case K::Set:
  case K::Object:
  case K::Same:
    return false;
  }
  llvm_unreachable("closed enum");
}

llvm::Expected<std::pair<Value, unsigned>> Host::textParts(program::OutAttr text, ValueRange values,
                                                           Value to, Operation *op) {
  TextParts parts(values);
  if (!parts.collect(text, false))
    return refuse(op, "a text of this form");
  if (llvm::Error error = storeShown(parts.parts, values, to, op))
    return std::move(error);
  return std::pair(textTable(parts.parts), unsigned(parts.parts.size()));
}

static void declareShowing(ModuleOp module, StringRef name) {
  if (name.empty() || module.lookupSymbol(name))
    return;
  MLIRContext *context = module.getContext();
  auto pointer = pointerType(context);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(context), {pointer, pointer, pointer, IntegerType::get(context, 64)});
  ImplicitLocOpBuilder at(unknownLoc(context), context);
  at.setInsertionPointToStart(module.getBody());
  LLVM::LLVMFuncOp::create(at, name, type).setVisibility_(LLVM::Visibility::Hidden);
}

Value Host::textTable(ArrayRef<TextPart> parts) {
  auto pointer = pointerType(b.getContext());
  auto row = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer, b.getI32Type(), b.getI32Type(), b.getI8Type(), b.getI32Type(),
                       b.getI64Type(), pointer});
  for (const TextPart &part : parts)
    declareShowing(*program.code.module, functionOf(part));
  auto table = LLVM::LLVMArrayType::get(row, unsigned(parts.size()));
  return program.constant(b, table, "parts", [&](Builder &at) {
    Value rows = LLVM::PoisonOp::create(at, table);
    for (auto [i, part] : llvm::enumerate(parts)) {
      auto number = [&](Type type, int64_t v) -> Value {
        return LLVM::ConstantOp::create(at, type, at.getIntegerAttr(type, v));
      };
      StringRef name = functionOf(part);
      Value put = name.empty() ? Value(LLVM::ZeroOp::create(at, pointer))
                               : Value(LLVM::AddressOfOp::create(at, pointer, name));
      Value fields[] = {program.text(at, part.text),
                        number(at.getI32Type(), int64_t(part.text.size())),
                        number(at.getI32Type(), part.value),
                        number(at.getI8Type(), part.conversion),
                        number(at.getI32Type(), part.choice),
                        number(at.getI64Type(), part.alternative),
                        put};
      for (auto [f, field] : llvm::enumerate(fields))
        rows =
            LLVM::InsertValueOp::create(at, rows, field, ArrayRef<int64_t>{int64_t(i), int64_t(f)});
    }
    return rows;
  });
}

/// A ptc_value at `to` that is a tensor.
llvm::Error Host::storeTensor(Value tensor, Value to, Operation *op) {
  bindOperands(tensor);
  Value address = use(tensor, op);
  llvm::Expected<Value> shape = shapeOf(tensor.getType(), op);
  if (!shape)
    return shape.takeError();
  auto pointer = pointerType(b.getContext());
  if (program.onDevice) {
    address =
        callService(offsetof(ptc_services, fetch), pointer, {frame, address, *shape}).getResult();
    returnIfNull(address);
  }
  Value view = stackSlot(sizeof(DLTensor));
  store(address, view, offsetof(DLTensor, data));
  store(i32(kDLCPU), view, offsetof(DLTensor, device));
  store(i32(0), view, offsetof(DLTensor, device) + offsetof(DLDevice, device_id));
  auto take = [&](Type type, uint64_t from, uint64_t field) {
    store(load(type, *shape, from), view, field);
  };
  take(b.getI32Type(), offsetof(ptc_shape, rank), offsetof(DLTensor, ndim));
  take(b.getI32Type(), offsetof(ptc_shape, dtype), offsetof(DLTensor, dtype));
  take(pointer, offsetof(ptc_shape, sizes), offsetof(DLTensor, shape));
  take(pointer, offsetof(ptc_shape, strides), offsetof(DLTensor, strides));
  store(i64(0), view, offsetof(DLTensor, byte_offset));
  store(i64(ptc_tag_Tensor), to, offsetof(ptc_value, tag));
  store(view, to, offsetof(ptc_value, as));
  return llvm::Error::success();
}

/// Numbers among `values` and the tensors that `parts` show, in a table of values at `to`. A tensor
/// that is an alternative is looked at where it was chosen: others may be undefined.
llvm::Error Host::storeShown(ArrayRef<TextPart> parts, ValueRange values, Value to, Operation *op) {
  for (auto [i, value] : llvm::enumerate(values)) {
    if (isa<IntegerType, IndexType, Float64Type>(value.getType()))
      storeNumber(get(value), offsetBy(to, i * sizeof(ptc_value)));
    auto list = dyn_cast<program::ListType>(value.getType());
    if (list && !isa<RankedTensorType>(list.getElementType()))
      if (llvm::Error error = storeNumbers(value, offsetBy(to, i * sizeof(ptc_value))))
        return error;
  }
  for (const TextPart &part : parts) {
    if (!isTensor(part))
      continue;
    Block *after = part.choice < 0 ? nullptr : newBlock();
    if (after) {
      Value choice = load(b.getI64Type(), to,
                          uint64_t(part.choice) * sizeof(ptc_value) + offsetof(ptc_value, as));
      Value isThis =
          LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, choice, i64(part.alternative));
      Block *shows = newBlock();
      cf::CondBranchOp::create(b, isThis, shows, ValueRange(), after, ValueRange());
      b.setInsertionPointToEnd(shows);
    }
    auto number = size_t(part.value);
    if (llvm::Error error =
            storeTensor(values[number], offsetBy(to, number * sizeof(ptc_value)), op))
      return error;
    if (after) {
      cf::BranchOp::create(b, after);
      b.setInsertionPointToEnd(after);
    }
  }
  return llvm::Error::success();
}

llvm::Error Host::emitPrint(program::PrintOp op) {
  Value shown = stackSlot(sizeof(ptc_value) * std::max<size_t>(op.getValues().size(), 1));
  auto parts = textParts(op.getText(), op.getValues(), shown, op);
  if (!parts)
    return parts.takeError();
  int64_t stream = op.getStream() == program::Stream::Stderr ? 2 : 1;
  returnIfFailed(callService(offsetof(ptc_services, print), b.getI32Type(),
                             {frame, i32(stream), parts->first, i32(parts->second), shown})
                     .getResult());
  return llvm::Error::success();
}
