//===- AtenTypes.cpp - Between metas and MLIR types and attributes -----------===//
//
// In: TensorMeta, ArgValue. Out: tensor types with their encoding, attributes; and back.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::aten;

Type ptc::aten::toType(MLIRContext *context, DType dtype) {
  Builder builder(context);
  switch (dtype) {
  case DType::UInt8:
    return builder.getIntegerType(8, /*isSigned=*/false);
  case DType::Int8:
    return builder.getI8Type();
  case DType::Int16:
    return builder.getI16Type();
  case DType::Int32:
    return builder.getI32Type();
  case DType::Int64:
    return builder.getI64Type();
  case DType::Float16:
    return builder.getF16Type();
  case DType::Float32:
    return builder.getF32Type();
  case DType::Float64:
    return builder.getF64Type();
  case DType::Complex64:
    return ComplexType::get(builder.getF32Type());
  case DType::Complex128:
    return ComplexType::get(builder.getF64Type());
  case DType::Bool:
    return builder.getI1Type();
  case DType::BFloat16:
    return builder.getBF16Type();
  }
  llvm_unreachable("closed enum");
}

std::optional<DType> ptc::aten::toDType(Type type) {
  for (const DTypeInfo &info : getAllDTypeInfos())
    if (toType(type.getContext(), info.dtype) == type)
      return info.dtype;
  return std::nullopt;
}

static Attribute exprAttr(MLIRContext *context, sym::Expr e, sym::Context &symbols) {
  if (std::optional<int64_t> v = e.asConstant())
    return Builder(context).getI64IntegerAttr(*v);
  return ExprAttr::get(context, symbols.str(e));
}

static ArrayAttr exprsAttr(MLIRContext *context, ArrayRef<sym::Expr> exprs, sym::Context &symbols) {
  SmallVector<Attribute> attrs;
  for (sym::Expr e : exprs)
    attrs.push_back(exprAttr(context, e, symbols));
  return ArrayAttr::get(context, attrs);
}

RankedTensorType ptc::aten::toType(MLIRContext *context, const TensorMeta &meta,
                                   sym::Context &symbols) {
  SmallVector<int64_t> shape;
  bool isSymbolic = false;
  for (sym::Expr size : meta.sizes) {
    std::optional<int64_t> constant = size.asConstant();
    isSymbolic |= !constant;
    shape.push_back(constant.value_or(ShapedType::kDynamic));
  }
  bool isContiguous = meta.strides == contiguousStrides(symbols, meta.sizes);
  Attribute encoding;
  if (isSymbolic || !isContiguous || meta.device != Device() || meta.requiresGrad)
    encoding =
        MetaAttr::get(context, isSymbolic ? exprsAttr(context, meta.sizes, symbols) : ArrayAttr(),
                      isContiguous ? ArrayAttr() : exprsAttr(context, meta.strides, symbols),
                      meta.device, meta.requiresGrad);
  return RankedTensorType::get(shape, toType(context, meta.dtype), encoding);
}

static bool readExprs(ArrayAttr attrs, sym::Context &symbols, Exprs &exprs) {
  for (Attribute attr : attrs) {
    std::optional<sym::Expr> e;
    if (auto text = dyn_cast<ExprAttr>(attr))
      e = symbols.parse(text.getText());
    else
      e = symbols.constant(cast<IntegerAttr>(attr).getInt());
    if (!e)
      return false;
    exprs.push_back(*e);
  }
  return true;
}

std::optional<TensorMeta> ptc::aten::toMeta(RankedTensorType type, sym::Context &symbols) {
  std::optional<DType> dtype = toDType(type.getElementType());
  auto encoding = dyn_cast_or_null<MetaAttr>(type.getEncoding());
  if (!dtype || (type.getEncoding() && !encoding))
    return std::nullopt;
  TensorMeta meta;
  meta.dtype = *dtype;
  if (encoding && encoding.getSizes()) {
    if (!readExprs(encoding.getSizes(), symbols, meta.sizes))
      return std::nullopt;
  } else {
    if (!type.hasStaticShape())
      return std::nullopt;
    for (int64_t size : type.getShape())
      meta.sizes.push_back(symbols.constant(size));
  }
  if (!encoding || !encoding.getStrides())
    meta.strides = contiguousStrides(symbols, meta.sizes);
  else if (!readExprs(encoding.getStrides(), symbols, meta.strides))
    return std::nullopt;
  if (encoding) {
    meta.device = encoding.getDevice();
    meta.requiresGrad = encoding.getRequiresGrad();
  }
  return meta;
}

namespace {
/// The constant of each alternative of ArgValue; null where there is none.
struct AttrOf {
  MLIRContext *context;
  sym::Context &symbols;

  Builder builder() const { return Builder(context); }
  Attribute operator()(const ArgValue::None &) const { return NoneAttr::get(context); }
  Attribute operator()(const ArgValue::Bool &v) const {
    return v.value ? builder().getBoolAttr(*v.value) : Attribute();
  }
  Attribute operator()(const ArgValue::Int &v) const {
    return v.value.isSupported() ? exprAttr(context, v.value, symbols) : Attribute();
  }
  Attribute operator()(const ArgValue::Float &v) const {
    return v.value ? builder().getF64FloatAttr(*v.value) : Attribute();
  }
  Attribute operator()(const ArgValue::Complex &v) const {
    if (!v.value)
      return {};
    return ComplexAttr::get(context, builder().getF64FloatAttr(v.value->real()),
                            builder().getF64FloatAttr(v.value->imag()));
  }
  Attribute operator()(const ArgValue::Str &v) const { return builder().getStringAttr(v.value); }
  Attribute operator()(const ArgValue::Generator &) const { return {}; }
  Attribute operator()(DType v) const { return DTypeAttr::get(context, v); }
  Attribute operator()(Device v) const { return DeviceAttr::get(context, v); }
  Attribute operator()(Layout v) const { return LayoutAttr::get(context, v); }
  Attribute operator()(MemoryFormat v) const { return MemoryFormatAttr::get(context, v); }
  Attribute operator()(const ArgValue::IntList &v) const {
    if (llvm::any_of(v.values, [](sym::Expr e) { return !e.isSupported(); }))
      return {};
    return exprsAttr(context, v.values, symbols);
  }
  Attribute operator()(const ArgValue::FloatList &v) const {
    return builder().getF64ArrayAttr(v.values);
  }
  Attribute operator()(const ArgValue::BoolList &v) const {
    return builder().getBoolArrayAttr(v.values);
  }
  Attribute operator()(const TensorMeta *) const { return {}; }
  Attribute operator()(const ArgValue::TensorList &) const { return {}; }
};
} // namespace

Attribute ptc::aten::toAttr(MLIRContext *context, const ArgValue &value, sym::Context &symbols) {
  return std::visit(AttrOf{context, symbols}, value.sum);
}
