//===- Evaluate.cpp - From an overload and host values to its kernel -----------===//
//
// In: an overload and its arguments. Meta (Meta.h) says what the results look like or what eager
// raises; views are made from its answer alone; for the rest results are allocated and the kernel
// of the shape rule fills them. Out: host values, or EvalFailure.
//
//===----------------------------------------------------------------------===//
#include "EvalCall.h"

#include "Elements.h"

#include "ptc/Dialect/Aten/Eval/MetaArgs.h"
#include "ptc/Dialect/Aten/IR/Promote.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

using namespace ptc;
using namespace ptc::aten;

char EvalFailure::ID;

void EvalFailure::log(llvm::raw_ostream &os) const {
  if (kind == Kind::Raise)
    os << toString(pythonClass) << ": ";
  os << text;
}

void EvalCall::checkItem(const HostTensor &value, DType dtype) {
  assert(value.numel() == 1 && "an item");
  HostTensor item = value.view({}, {}, value.storageOffset());
  sym::Context symbols;
  ArgValue number = ArgValue::Bool{};
  if (isComplex(item.dtype()))
    number = ArgValue::Complex{item.getComplex({})};
  else if (isFloat(item.dtype()))
    number = ArgValue::Float{item.getDouble({})};
  else if (isInteger(item.dtype()))
    number = ArgValue::Int{symbols.constant(item.getInt({}))};
  if (std::optional<std::string> error = conversionError(number, dtype))
    raise(PyErrorKind::RuntimeError, "{0}", *error);
}

Ints EvalCall::ints(llvm::StringRef name) const {
  const HostValue &value = arg(name);
  if (const auto *list = value.getIf<HostValue::IntList>())
    return Ints(list->begin(), list->end());
  if (const auto *one = value.getIf<int64_t>())
    return {*one};
  assert(value.isNone() && "a list of integers");
  return {};
}

Ints EvalCall::ints(llvm::StringRef name, size_t count, llvm::ArrayRef<int64_t> otherwise) const {
  Ints values = ints(name);
  if (values.empty())
    values.assign(otherwise.begin(), otherwise.end());
  if (values.size() == 1)
    values.resize(count, values[0]);
  assert(values.size() == count && "meta checked the length");
  return values;
}

llvm::SmallVector<bool, 6> EvalCall::dimMask(llvm::ArrayRef<int64_t> dims, int64_t rank) const {
  llvm::SmallVector<bool, 6> mask(rank, dims.empty());
  if (rank > 0)
    for (int64_t d : dims)
      mask[wrapDim(d, rank)] = true;
  return mask;
}

/// The numbers, if all are known.
static std::optional<Ints> known(llvm::ArrayRef<sym::Expr> values) {
  Ints result;
  for (sym::Expr e : values) {
    std::optional<int64_t> value = e.asConstant();
    if (!value)
      return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

/// Whether there can be a storage for sizes, strides and an offset; eager's error where not.
/// Whether an allocation of so many bytes would be given; small ones are not asked for.
static bool hasMemory(size_t bytes) {
  constexpr size_t kSmall = size_t(1) << 28;
  void *volatile asked = bytes < kSmall ? nullptr : std::malloc(bytes);
  std::free(asked);
  return asked || bytes < kSmall;
}

/// Fails where there is no memory for the numbers that kernels make of elements, eight bytes each
/// at least; `views` may show elements that no memory holds.
static bool checkMemory(EvalCall &call) {
  size_t bytes = 0;
  auto add = [&](const HostTensor &tensor) {
    size_t count = 8;
    for (int64_t size : tensor.sizes())
      count = llvm::SaturatingMultiply(count, size_t(size));
    bytes = llvm::SaturatingAdd(bytes, count);
  };
  for (const HostValue &arg : call.args)
    if (const HostTensor *tensor = arg.getIf<HostTensor>(); tensor && tensor->isDefined())
      add(*tensor);
  for (const HostTensor &out : call.outs)
    add(out);
  if (!hasMemory(bytes))
    call.lacksMemory(llvm::formatv("what aten.{0} computes: {1} bytes", call.op.name, bytes));
  return !call.failed();
}

static bool checkStorage(EvalCall &call, DType dtype, llvm::ArrayRef<int64_t> sizes,
                         llvm::ArrayRef<int64_t> strides, std::optional<size_t> available,
                         int64_t offset = 0) {
  std::optional<size_t> needed = storageBytes(dtype, sizes, strides, offset);
  if (!needed) {
    auto listed = [](llvm::ArrayRef<int64_t> values) {
      return llvm::join(llvm::map_range(values, [](int64_t v) { return std::to_string(v); }), ", ");
    };
    std::string shown = listed(sizes) + "]";
    if (strides != llvm::ArrayRef(contiguousStrides(sizes)))
      shown += " and strides=[" + listed(strides) + "]";
    call.raise(PyErrorKind::RuntimeError, "Storage size calculation overflowed with sizes=[{0}",
               shown);
    return false;
  }
  if (!available && !hasMemory(*needed)) {
    call.lacksMemory(llvm::formatv("a tensor of {0} bytes", *needed));
    return false;
  }
  if (!available || *needed <= *available)
    return true;
  call.raise(
      PyErrorKind::RuntimeError,
      "setStorage: sizes, strides and storage offset require more bytes than the storage has");
  return false;
}

/// The view of an argument that meta describes; the result's type may be narrower or wider. None if
/// it reaches beyond the storage, which as_strided may ask for.
static std::optional<HostTensor> makeView(EvalCall &call, const HostTensor &base,
                                          const TensorResult &described) {
  DType dtype = described.meta.dtype;
  std::optional<Ints> sizes = known(described.meta.sizes), strides = known(described.meta.strides);
  std::optional<int64_t> first = described.aliasing.offset.asConstant();
  assert(sizes && strides && first && "views of known tensors are known");
  int64_t offset = *first;
  int64_t bytes = int64_t(getDTypeInfo(dtype).bytes);
  int64_t startByte = base.storageOffset() * int64_t(base.elementBytes()),
          start = startByte / bytes;
  if (startByte % bytes) {
    call.raise(PyErrorKind::RuntimeError,
               "self.storage_offset() must be divisible by {0} to view {1} as {2} (different "
               "element sizes), but got {3}",
               bytes / int64_t(base.elementBytes()), scalarTypeName(base.dtype()),
               scalarTypeName(dtype), base.storageOffset());
    return std::nullopt;
  }
  if (!described.aliasing.isOffsetAbsolute && llvm::AddOverflow(offset, start, offset))
    offset = INT64_MAX; // beyond every storage
  if (!checkStorage(call, dtype, *sizes, *strides, base.storage()->size(), offset))
    return std::nullopt;
  return HostTensor(dtype, *sizes, *strides, offset, base.storage());
}

/// Results that alias arguments go to `results`, allocated ones to `outs`. False: run the kernel.
static bool prepareResults(EvalCall &call, const MetaResult &meta) {
  bool needsKernel = meta.results.empty();
  for (const ResultValue &value : meta.results) {
    if (value.kind != ResultValue::Kind::Tensor && value.kind != ResultValue::Kind::TensorList) {
      needsKernel = true;
      continue;
    }
    HostValue::TensorList list;
    for (const TensorResult &described : value.tensors) {
      if (described.aliasing.kind == Aliasing::Kind::Same) {
        list.push_back(call.args[described.aliasing.arg].tensor());
      } else if (described.aliasing.kind == Aliasing::Kind::View) {
        const HostTensor &base = call.args[described.aliasing.arg].tensor();
        std::optional<HostTensor> view = makeView(call, base, described);
        if (!view)
          return true;
        list.push_back(std::move(*view));
      } else {
        needsKernel = true;
        std::optional<Ints> sizes = known(described.meta.sizes),
                            strides = known(described.meta.strides);
        if (!sizes || !strides)
          continue;
        if (!checkStorage(call, described.meta.dtype, *sizes, *strides, std::nullopt))
          return true;
        call.outs.push_back(HostTensor::zerosStrided(described.meta.dtype, *sizes, *strides));
      }
    }
    if (needsKernel)
      continue;
    if (value.kind == ResultValue::Kind::Tensor)
      call.results.push_back(std::move(list.front()));
    else
      call.results.push_back(std::move(list));
  }
  assert((!needsKernel || call.results.empty()) && "all results are views, or none");
  return !needsKernel;
}

static void runKernel(EvalCall &call) {
  using Kernel = void (*)(EvalCall &);
  static constexpr Kernel kKernels[] = {
#define PTC_ATEN_SHAPE_RULE(Name) eval##Name,
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"
  };
  kKernels[size_t(call.op.shapeRule)](call);
}

llvm::Expected<llvm::SmallVector<HostValue, 1>>
ptc::aten::evaluate(const OpInfo &op, llvm::ArrayRef<HostValue> args, EvalContext &context) {
  assert(args.size() == op.args.size() && "one value per schema argument");
  ConcreteContext concrete(context.defaultDType);
  MetaArgs convert(concrete.symbols());
  llvm::SmallVector<ArgValue, 8> metaArgs;
  for (const HostValue &arg : args)
    metaArgs.push_back(convert(arg));
  MetaResult meta = infer(op, metaArgs, concrete);
  switch (meta.status) {
  case MetaResult::Status::Ok:
    break;
  case MetaResult::Status::Raise:
    return llvm::make_error<EvalFailure>(EvalFailure::Kind::Raise, meta.errorKind, meta.text);
  case MetaResult::Status::Unsupported:
  case MetaResult::Status::Pending:
    return llvm::make_error<EvalFailure>(EvalFailure::Kind::Unsupported, meta.errorKind,
                                         meta.text.empty() ? "a size is not known" : meta.text);
  }
  EvalCall call(op, args, context);
  bool isDone = prepareResults(call, meta);
  if (call.failure)
    return llvm::make_error<EvalFailure>(std::move(*call.failure));
  if (isDone)
    return std::move(call.results);
  if (op.has(OpFlag::Random) && !context.generator && !context.philox)
    call.unsupported("a random operation needs a generator");
  else if (checkMemory(call))
    runKernel(call);
  if (call.failure)
    return llvm::make_error<EvalFailure>(std::move(*call.failure));
  if (call.results.empty())
    for (HostTensor &out : call.outs)
      call.results.push_back(std::move(out));
  llvm::append_range(call.results, call.updated);
  return std::move(call.results);
}
