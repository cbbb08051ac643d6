//===- Meta.cpp - Entry points of meta ---------------------------------------===//
//
// In: a record, complete arguments, a context that decides. Out: what the results look like, or
// why not. The shape functions are in MetaPointwise.cpp and its neighbours, one per ShapeRule.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "ptc/Dialect/Aten/IR/Overlap.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>

using namespace ptc;
using namespace ptc::aten;

MetaContext::~MetaContext() = default;

std::string ptc::aten::toString(Device device) {
  std::string text;
  switch (device.type) {
  case DeviceType::CPU:
    text = "cpu";
    break;
  case DeviceType::CUDA:
    text = "cuda";
    break;
  case DeviceType::Meta:
    text = "meta";
    break;
  }
  if (device.index >= 0)
    text += ":" + std::to_string(device.index);
  return text;
}

std::optional<Device> ptc::aten::parseDevice(llvm::StringRef text) {
  auto [name, index] = text.split(':');
  auto type = llvm::StringSwitch<std::optional<DeviceType>>(name)
                  .Case("cpu", DeviceType::CPU)
                  .Case("cuda", DeviceType::CUDA)
                  .Case("meta", DeviceType::Meta)
                  .Default(std::nullopt);
  if (!type)
    return std::nullopt;
  Device device{*type, -1};
  if (text.contains(':') &&
      (index.getAsInteger(10, device.index) || device.index < 0 || index.front() == '+'))
    return std::nullopt;
  return device;
}

static constexpr llvm::StringLiteral kMemoryFormats[] = {"contiguous_format", "preserve_format",
                                                         "channels_last", "channels_last_3d"};

llvm::StringRef ptc::aten::toString(MemoryFormat format) { return kMemoryFormats[size_t(format)]; }

std::optional<MemoryFormat> ptc::aten::parseMemoryFormat(llvm::StringRef text) {
  for (size_t i = 0; i < std::size(kMemoryFormats); ++i)
    if (kMemoryFormats[i] == text)
      return MemoryFormat(i);
  return std::nullopt;
}

llvm::StringRef ptc::aten::toString(PyErrorKind kind) {
  switch (kind) {
  case PyErrorKind::RuntimeError:
    return "RuntimeError";
  case PyErrorKind::IndexError:
    return "IndexError";
  case PyErrorKind::ValueError:
    return "ValueError";
  case PyErrorKind::TypeError:
    return "TypeError";
  case PyErrorKind::NotImplementedError:
    return "NotImplementedError";
  }
  llvm_unreachable("closed enum");
}

MetaResult MetaResult::raise(PyErrorKind kind, std::string text) {
  MetaResult result;
  result.status = Status::Raise;
  result.errorKind = kind;
  result.text = std::move(text);
  return result;
}

MetaResult MetaResult::unsupported(std::string text) {
  MetaResult result;
  result.status = Status::Unsupported;
  result.text = std::move(text);
  return result;
}

MetaResult MetaResult::pending() {
  MetaResult result;
  result.status = Status::Pending;
  return result;
}

static void runShapeRule(Inference &inf) {
  switch (inf.op.shapeRule) {
#define PTC_ATEN_SHAPE_RULE(Name)                                                                  \
  case ShapeRule::Name:                                                                            \
    return infer##Name(inf);
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"
  }
  llvm_unreachable("closed enum");
}

/// Arguments of the kinds that the schema says; a broken one is the caller's bug.
[[maybe_unused]] static bool areComplete(const OpInfo &op, llvm::ArrayRef<ArgValue> args) {
  if (args.size() != op.args.size())
    return false;
  for (size_t i = 0; i < args.size(); ++i)
    if (!accepts(op, op.args[i], args[i]))
      return false;
  return true;
}

/// Whether some kernel computes the results of an op whose argument 0 is a tensor.
static bool makesNew(const Inference &inf) {
  if (inf.args.empty() || !inf.args.front().tensor())
    return false;
  for (const ResultValue &value : inf.result.results)
    for (const TensorResult &t : value.tensors)
      if (t.aliasing.kind != Aliasing::Kind::Fresh)
        return false;
  return true;
}

/// All but settle().
static void runMeta(Inference &inf) {
  assert(areComplete(inf.op, inf.args) && "one acceptable value per schema argument");
  runShapeRule(inf);
  if (!inf.failed() && makesNew(inf))
    inf.checkKernel(inf.self().dtype); // unless the shape function has checked another type
  if (!inf.failed())
    inf.finish();
}

MetaResult ptc::aten::infer(const OpInfo &op, llvm::ArrayRef<ArgValue> args, MetaContext &ctx) {
  Inference inf(op, args, ctx);
  runMeta(inf);
  inf.settle();
  return std::move(inf.result);
}

/// Whether argument 0 can hold what was computed, as eager's in-place form asks it.
static void checkWritten(Inference &inf, DType computed) {
  DType self = inf.self().dtype;
  switch (inf.op.id) {
  case OpId::abs:
    if (isComplex(self))
      inf.raise("In-place abs is not supported for complex tensors.");
    return;
  case OpId::cumsum:
  case OpId::cumprod: // computed in the type of argument 0
    if (DType asked = inf.dtypeArg().value_or(self); asked != self)
      inf.raise("Bad in-place call: input tensor dtype {0} and output tensor dtype {1} should "
                "match",
                cppTypeName(self), cppTypeName(asked));
    else if (isBool(self) && inf.self().dim() > 0 && !inf.isEmpty(inf.self())) // one is copied
      inf.refuse(inf.op.baseName().str() + "_out_cpu", self);
    return;
  default: // any type that is wide enough
    break;
  }
  bool isClamp = clampsToNumbers(inf.op.id);
  inf.isIterating = !isClamp; // to numbers: it asks itself
  if (!canCast(computed, self))
    inf.raise("result type {0} can't be cast to the desired output type {1}",
              scalarTypeName(computed), isClamp ? cppTypeName(self) : scalarTypeName(self));
}

/// What the in-place form needs beyond infer().
static void runInplace(Inference &inf) {
  assert(inf.op.has(OpFlag::Inplace) && "a record with an in-place form");
  runMeta(inf);
  if (inf.failed() || inf.result.results.empty() || inf.op.has(OpFlag::View))
    return inf.settle();
  const TensorMeta &self = inf.self();
  const TensorMeta computed = inf.result.tensor().meta;
  inf.isIterating = false;
  checkWritten(inf, computed.dtype);
  inf.isIterating = true;
  bool same = computed.dim() == self.dim() &&
              inf.sameSizes(computed.sizes, self.sizes, "writing in place keeps the sizes");
  if (!same)
    inf.raise("output with shape {0} doesn't match the broadcast shape {1}", inf.str(self.sizes),
              inf.str(computed.sizes));
  inf.settle();
  if (inf.failed())
    return;
  inf.result.results.clear();
  TensorMeta meta = self;
  meta.requiresGrad |= computed.requiresGrad;
  inf.addSame(meta);
}

MetaResult ptc::aten::inferInplace(const OpInfo &op, llvm::ArrayRef<ArgValue> args,
                                   MetaContext &ctx) {
  Inference inf(op, args, ctx);
  runInplace(inf);
  return std::move(inf.result);
}

WriteInference ptc::aten::inferWrite(const OpInfo &op, llvm::ArrayRef<ArgValue> args,
                                     MetaContext &ctx) {
  using Order = WriteRule::Order;
  Inference inf(op, args, ctx);
  runInplace(inf);
  Order order = writeRuleOf(op, args).order;
  bool isRaised = inf.result.status == MetaResult::Status::Raise;
  bool isBehind = order == Order::First || (order == Order::Kernel && inf.isOfKernel);
  return {std::move(inf.result), isRaised && isBehind};
}

sym::Expr ptc::aten::numel(sym::Context &symbols, const TensorMeta &meta) {
  return symbols.product(meta.sizes);
}
