//===- MetaInference.cpp - Arguments, questions and results of one inference -===//
//
// In: argument values in schema order. Out: typed access by name, decisions about sizes, results.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "ptc/Dialect/Aten/IR/SizeMark.h"

#include "llvm/Support/ErrorHandling.h"

#include <cassert>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

const ArgValue &Inference::arg(llvm::StringRef name) const {
  std::optional<unsigned> i = op.findArg(name);
  assert(i && "shape function and schema agree on names");
  return args[*i];
}

const TensorMeta *Inference::tensorOrNumber(const ArgValue &value) {
  if (const TensorMeta *t = value.tensor())
    return t;
  if (!value.isNumber())
    return nullptr;
  auto number = std::make_unique<TensorMeta>();
  number->isWrappedNumber = true;
  if (value.is<ArgValue::Bool>())
    number->dtype = DType::Bool;
  else if (value.is<ArgValue::Int>())
    number->dtype = DType::Int64;
  else if (value.is<ArgValue::Float>())
    number->dtype = DType::Float64;
  else
    number->dtype = DType::Complex128;
  numbers.push_back(std::move(number));
  return numbers.back().get();
}

llvm::ArrayRef<const TensorMeta *> Inference::tensors(llvm::StringRef name) const {
  const auto *list = arg(name).getIf<ArgValue::TensorList>();
  assert(list && "a list of tensors");
  return list->values;
}

Expr Inference::intExpr(llvm::StringRef name) {
  const ArgValue &value = arg(name);
  if (const auto *i = value.getIf<ArgValue::Int>()) {
    if (!i->value.isSupported())
      unsupported(llvm::formatv("argument '{0}' is known only at run time", name));
    return i->value;
  }
  if (const auto *b = value.getIf<ArgValue::Bool>(); b && b->value)
    return constant(*b->value);
  unsupported(llvm::formatv("argument '{0}' is not a known integer", name));
  return constant(0);
}

int64_t Inference::intValue(llvm::StringRef name) {
  if (std::optional<int64_t> v = intExpr(name).asConstant())
    return *v;
  unsupported(llvm::formatv("argument '{0}' is not a constant", name));
  return 0;
}

std::optional<int64_t> Inference::optionalInt(llvm::StringRef name) {
  if (isNone(name))
    return std::nullopt;
  return intValue(name);
}

bool Inference::boolValue(llvm::StringRef name) {
  const ArgValue &value = arg(name);
  if (const auto *b = value.getIf<ArgValue::Bool>(); b && b->value)
    return *b->value;
  if (value.is<ArgValue::Int>())
    return intValue(name) != 0;
  if (!value.isNone())
    unsupported(llvm::formatv("argument '{0}' is known only at run time", name));
  return false;
}

std::optional<double> Inference::floatValue(llvm::StringRef name) {
  const ArgValue &value = arg(name);
  if (const auto *f = value.getIf<ArgValue::Float>())
    return f->value;
  if (const auto *b = value.getIf<ArgValue::Bool>(); b && b->value)
    return double(*b->value);
  if (const auto *i = value.getIf<ArgValue::Int>())
    if (std::optional<int64_t> v = i->value.asConstant())
      return double(*v);
  return std::nullopt;
}

llvm::StringRef Inference::strValue(llvm::StringRef name) const {
  const auto *s = arg(name).getIf<ArgValue::Str>();
  return s ? llvm::StringRef(s->value) : llvm::StringRef();
}

std::optional<DType> Inference::dtypeArg(llvm::StringRef name) const {
  const auto *t = arg(name).getIf<DType>();
  return t ? std::optional(*t) : std::nullopt;
}

Device Inference::deviceArg(Device otherwise) const {
  const auto *d = arg("device").getIf<Device>();
  return d ? *d : otherwise;
}

MemoryFormat Inference::memoryFormatArg(MemoryFormat otherwise) const {
  const auto *f = arg("memory_format").getIf<MemoryFormat>();
  return f ? *f : otherwise;
}

llvm::ArrayRef<Expr> Inference::exprList(llvm::StringRef name) {
  const auto *list = arg(name).getIf<ArgValue::IntList>();
  if (!list)
    return {};
  for (Expr e : list->values)
    if (!e.isSupported())
      unsupported(llvm::formatv("an element of '{0}' is known only at run time", name));
  return list->values;
}

llvm::SmallVector<int64_t, 4> Inference::intList(llvm::StringRef name) {
  llvm::SmallVector<int64_t, 4> values;
  for (Expr e : exprList(name)) {
    std::optional<int64_t> v = e.asConstant();
    if (!v)
      unsupported(llvm::formatv("an element of '{0}' is not a constant", name));
    values.push_back(v.value_or(0));
  }
  return values;
}

std::optional<bool> Inference::proves(Cmp cmp, Expr a, Expr b) {
  auto negated = [](std::optional<bool> v) { return v ? std::optional(!*v) : v; };
  switch (cmp) {
  case Cmp::EQ:
    return sym.isEqual(a, b);
  case Cmp::NE:
    return negated(sym.isEqual(a, b));
  case Cmp::LT:
    return sym.isLess(a, b);
  case Cmp::LE:
    return sym.isLessEqual(a, b);
  case Cmp::GT:
    return sym.isLess(b, a);
  case Cmp::GE:
    return sym.isLessEqual(b, a);
  }
  llvm_unreachable("closed enum");
}

bool Inference::isTrue(Cmp cmp, Expr a, Expr b, llvm::StringRef why) {
  if (failed())
    return false;
  if (!a.isSupported() || !b.isSupported()) {
    unsupported(llvm::formatv("a size outside the size algebra is needed for {0}", why));
    return false;
  }
  if (std::optional<bool> known = proves(cmp, a, b))
    return *known;
  if (std::optional<bool> decided = ctx.decide(cmp, a, b, why))
    return *decided;
  fail(MetaResult::pending());
  return false;
}

bool Inference::sameSizes(llvm::ArrayRef<Expr> a, llvm::ArrayRef<Expr> b, llvm::StringRef why) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!isEqual(a[i], b[i], why))
      return false;
  return true;
}

int64_t Inference::wrapDim(int64_t dim, int64_t rank) {
  int64_t bound = std::max<int64_t>(rank, 1);
  if (dim < -bound || dim >= bound) {
    raiseAs(PyErrorKind::IndexError,
            "Dimension out of range (expected to be in range of [{0}, {1}], but got {2})", -bound,
            bound - 1, dim);
    return 0;
  }
  return dim < 0 ? dim + bound : dim;
}

llvm::SmallVector<bool, 8> Inference::dimMask(llvm::ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallVector<bool, 8> mask(std::max<int64_t>(rank, 1), false);
  for (int64_t dim : dims) {
    int64_t d = wrapDim(dim, rank);
    if (mask[d])
      raise("dim {0} appears multiple times in the list of dims", d);
    mask[d] = true;
  }
  mask.resize(rank);
  return mask;
}

std::string Inference::str(Expr e) const {
  return e.isConstant() ? sym.str(e) : kSizeMark + sym.str(e) + kSizeMark;
}

std::string Inference::str(llvm::ArrayRef<Expr> sizes) const {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? ", " : "") + str(sizes[i]);
  return text + "]";
}

TensorMeta Inference::make(DType dtype, llvm::ArrayRef<Expr> sizes) {
  return make(dtype, sizes, contiguous(sizes));
}

TensorMeta Inference::make(DType dtype, llvm::ArrayRef<Expr> sizes, llvm::ArrayRef<Expr> strides) {
  TensorMeta meta;
  meta.dtype = dtype;
  meta.sizes.assign(sizes.begin(), sizes.end());
  meta.strides.assign(strides.begin(), strides.end());
  // Results live where the first tensor of one dimension or more lives; numbers adapt.
  bool found = false;
  auto take = [&](const TensorMeta *t) {
    if (t && !t->isWrappedNumber && (!found || t->device.type != DeviceType::CPU)) {
      meta.device = t->device;
      found = true;
    }
  };
  for (const ArgValue &value : args) {
    take(value.tensor());
    if (const auto *list = value.getIf<ArgValue::TensorList>())
      for (const TensorMeta *t : list->values)
        take(t);
  }
  return meta;
}

void Inference::addAliased(TensorMeta meta, Aliasing aliasing) {
  for (Expr e : meta.sizes)
    if (!e.isSupported())
      unsupported("a size of the result is outside the size algebra");
  for (Expr e : meta.strides)
    if (!e.isSupported())
      unsupported("a stride of the result is outside the size algebra");
  // A number of the caller may make a size negative where the op itself did not ask.
  for (Expr e : meta.sizes)
    if (!failed() && !sym.usesSymbolKind(e, ptc::sym::SymbolKind::Unbacked) &&
        isLess(e, constant(0), "a size must not be negative"))
      unsupported("a size of the result is negative");
  if (failed())
    return;
  ResultValue value;
  value.tensors.push_back({std::move(meta), aliasing});
  result.results.push_back(std::move(value));
}

void Inference::addView(TensorMeta meta, Expr offset) {
  meta.isWrappedNumber = false;
  addAliased(std::move(meta), {Aliasing::Kind::View, 0, offset, false});
}

void Inference::addSame(const TensorMeta &meta, unsigned argIndex) {
  addAliased(meta, {Aliasing::Kind::Same, argIndex, constant(0), false});
}

bool Inference::anyRequiresGrad() const {
  for (const ArgValue &value : args) {
    if (const TensorMeta *t = value.tensor(); t && t->requiresGrad)
      return true;
    if (const auto *list = value.getIf<ArgValue::TensorList>())
      for (const TensorMeta *t : list->values)
        if (t && t->requiresGrad)
          return true;
  }
  return false;
}

void Inference::finish() {
  bool grad = !op.has(OpFlag::NoGrad) && ctx.isGradEnabled() && anyRequiresGrad();
  for (ResultValue &value : result.results)
    for (TensorResult &t : value.tensors)
      if (t.aliasing.kind != Aliasing::Kind::Same)
        t.meta.requiresGrad = grad && (isFloat(t.meta.dtype) || isComplex(t.meta.dtype));
}
