//===- Modes.cpp - What eager does beside computing -----------------------------------------===//
//
// In: calls of operations. Out: a refusal where eager warns and the program would see it; the
// device that the program asked for; contents of fresh memory where it asked for deterministic
// algorithms.
//
//===----------------------------------------------------------------------===//
#include "Modes.h"

#include "Objects.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace ptc;
using namespace ptc::capture;
namespace aten = ptc::aten;
using aten::OpId;

/// What warnings._is_watched() of lib/Prelude says; nothing while it is decided.
static std::optional<bool> isWatched(Engine &e) {
  ObjectId module = findModule(e, "warnings");
  if (!module)
    return false;
  auto named = [&](llvm::StringRef name) { return e.heap.get(module, attrKey(e.intern(name))); };
  PTC_LET(watched, e.decide(named("_watched")));
  PTC_LET(shows, e.decide(named("showwarning")));
  return watched == Value::boolean(true) || shows != e.known(named("_showwarning"));
}

Flow ptc::capture::checkWarning(Engine &e, const llvm::Twine &what) {
  PTC_GET(watched, isWatched(e));
  if (!watched)
    return Flow::Next;
  return e.refuse(DiagId::Unsupported, "the warning that eager gives of " + what.str() +
                                           ", where the program looks at warnings");
}

/// A moment whose correction may reach the number of elements: it has one for each result, or the
/// correction is another than the usual one.
static bool mayLackElements(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  auto isPlain = [](ptc::sym::Expr size) { return size.asConstant().value_or(0) > 1; };
  std::optional<unsigned> correction = op.findArg("correction");
  return (correction && !bound[*correction].isNone()) ||
         !llvm::all_of(bound[0].tensor()->sizes, isPlain);
}

/// A kernel of even size whose output is to have the input's: eager may pad a copy.
static bool mayPadCopy(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  std::optional<unsigned> place = op.findArg("padding");
  const auto *padding = place ? bound[*place].getIf<aten::ArgValue::Str>() : nullptr;
  auto isOdd = [](ptc::sym::Expr size) { return size.asConstant().value_or(0) % 2 == 1; };
  return padding && padding->value == "same" &&
         !llvm::all_of(llvm::drop_begin(bound[1].tensor()->sizes, 2), isOdd);
}

/// What the warning is about; empty: there is none.
static llvm::StringRef warningOf(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  switch (op.id) {
  case OpId::std:
  case OpId::std_dim:
  case OpId::std_correction:
  case OpId::var:
  case OpId::var_dim:
  case OpId::var_correction:
  case OpId::var_mean_correction:
  case OpId::std_mean_correction:
    return mayLackElements(op, bound) ? "degrees of freedom that may be 0" : "";
  case OpId::conv1d_padding:
  case OpId::conv2d_padding:
  case OpId::conv3d_padding:
    return mayPadCopy(op, bound) ? "padding='same' with a kernel of even size" : "";
  case OpId::searchsorted_Tensor:
  case OpId::bucketize_Tensor:
    return "a search among elements that may not be contiguous";
  default:
    return "";
  }
}

Flow ptc::capture::checkWarnings(Engine &e, const aten::OpInfo &op,
                                 llvm::ArrayRef<aten::ArgValue> bound) {
  llvm::StringRef what = warningOf(op, bound);
  return what.empty() ? Flow::Next : checkWarning(e, what);
}

static bool isUninitialized(OpId op) {
  switch (op) {
  case OpId::empty_memory_format:
  case OpId::empty_strided:
  case OpId::empty_like:
  case OpId::new_empty:
    return true;
  default:
    return false;
  }
}

/// NaN, or the largest number that the type has. ATen/native/TensorFactories.cpp
static Value fillOf(DType dtype) {
  const DTypeInfo &info = getDTypeInfo(dtype);
  if (isFloat(dtype) || isComplex(dtype))
    return Value::real(std::numeric_limits<double>::quiet_NaN());
  if (isBool(dtype))
    return Value::boolean(true);
  bool isUnsigned = dtype == DType::UInt8;
  return Value::integer(INT64_MAX >> (64 - 8 * info.bytes + (isUnsigned ? -1 : 0)));
}

Value ptc::capture::defaultDeviceOf(Engine &e, llvm::StringRef spelling) {
  // Of _device_constructors in torch.utils._device those that have a model.
  static constexpr llvm::StringLiteral kConstructors[] = {"arange",
                                                          "as_tensor",
                                                          "asarray",
                                                          "bartlett_window",
                                                          "blackman_window",
                                                          "empty",
                                                          "empty_permuted",
                                                          "empty_strided",
                                                          "eye",
                                                          "full",
                                                          "hamming_window",
                                                          "hann_window",
                                                          "kaiser_window",
                                                          "linspace",
                                                          "logspace",
                                                          "ones",
                                                          "rand",
                                                          "randint",
                                                          "randn",
                                                          "randperm",
                                                          "range",
                                                          "scalar_tensor",
                                                          "tensor",
                                                          "tril_indices",
                                                          "triu_indices",
                                                          "zeros"};
  const Value &devices = e.heap.get(kMachine, slot::kDefaultDevices);
  if (!devices.is(Kind::Tuple) || !spelling.consume_front("torch.") ||
      !llvm::is_contained(kConstructors, spelling))
    return Value::none();
  return devices.parts().back();
}

Value ptc::capture::filledIfDeterministic(Engine &e, const aten::OpInfo &op, Value result) {
  if (!isUninitialized(op.id) || !result.is(Kind::Tensor))
    return result;
  ObjectId torch = findModule(e, "torch");
  PTC_LET(mode, e.decide(e.heap.get(torch, attrKey(e.intern("_deterministic")))));
  if (mode != Value::boolean(true))
    return result;
  CallArgs fill;
  fill.positional = {result, fillOf(asTensor(result).dtype)};
  PTC_LET(filled, e.callTorch("Tensor.fill_", fill));
  (void)filled;
  return result;
}
