//===- MetaArgs.h - Host values as what meta takes ----------------*- C++ -*-===//
//
// A call whose arguments are all known, in the terms of Meta.h.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_EVAL_METAARGS_H
#define PTC_DIALECT_ATEN_EVAL_METAARGS_H

#include "ptc/Dialect/Aten/IR/Meta.h"
#include "ptc/TensorFile/HostValue.h"

#include <deque>

namespace ptc::aten {

/// Answers meta's questions: all sizes are constants, but for those that depend on data.
class ConcreteContext final : public MetaContext {
public:
  explicit ConcreteContext(DType defaultDType = DType::Float32) : defaultType(defaultDType) {}
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(Cmp, sym::Expr, sym::Expr, llvm::StringRef) override {
    return std::nullopt;
  }
  sym::Expr freshUnbacked(int64_t lower, sym::Expr, llvm::StringRef) override {
    return context.symbol({"u" + std::to_string(context.numSymbols()), lower, std::nullopt,
                           std::nullopt, sym::SymbolKind::Unbacked});
  }
  DType defaultDType() override { return defaultType; }
  bool isGradEnabled() override { return false; }

private:
  sym::Context context;
  DType defaultType;
};

/// Turns host values into what meta takes. The metas of tensors live as long as this object.
class MetaArgs {
public:
  explicit MetaArgs(sym::Context &symbols) : symbols(symbols) {}

  ArgValue operator()(const HostValue &value) { return std::visit(*this, value.sum); }
  ArgValue operator()(HostValue::None) { return {}; }
  ArgValue operator()(bool value) { return ArgValue::Bool{value}; }
  ArgValue operator()(int64_t value) { return ArgValue::Int{symbols.constant(value)}; }
  ArgValue operator()(double value) { return ArgValue::Float{value}; }
  ArgValue operator()(std::complex<double> value) { return ArgValue::Complex{value}; }
  ArgValue operator()(const std::string &value) { return ArgValue::Str{value}; }
  ArgValue operator()(DType value) { return value; }
  ArgValue operator()(HostValue::Device) { return Device{}; }
  ArgValue operator()(HostValue::Layout) { return Layout::Strided; }
  ArgValue operator()(HostValue::MemoryFormat value) { return MemoryFormat(value.code); }
  ArgValue operator()(HostValue::Generator) { return ArgValue::Generator{}; }
  ArgValue operator()(const HostValue::IntList &values) {
    return ArgValue::IntList{expressions(values)};
  }
  ArgValue operator()(const HostValue::FloatList &values) { return ArgValue::FloatList{values}; }
  ArgValue operator()(const HostValue::BoolList &values) {
    ArgValue::BoolList list;
    list.values.assign(values.begin(), values.end());
    return list;
  }
  ArgValue operator()(const HostTensor &tensor) {
    if (!tensor.isDefined())
      return {};
    return meta(tensor);
  }
  ArgValue operator()(const HostValue::TensorList &tensors) {
    ArgValue::TensorList list;
    for (const HostTensor &tensor : tensors)
      list.values.push_back(tensor.isDefined() ? meta(tensor) : nullptr);
    return list;
  }

private:
  Exprs expressions(llvm::ArrayRef<int64_t> values) {
    Exprs result;
    for (int64_t v : values)
      result.push_back(symbols.constant(v));
    return result;
  }
  const TensorMeta *meta(const HostTensor &tensor) {
    TensorMeta &made = metas.emplace_back();
    made.dtype = tensor.dtype();
    made.sizes = expressions(tensor.sizes());
    made.strides = expressions(tensor.strides());
    return &made;
  }

  sym::Context &symbols;
  std::deque<TensorMeta> metas;
};

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_EVAL_METAARGS_H
