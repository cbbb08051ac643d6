//===- Autocast.cpp - Element types that torch.autocast chooses -----------------------------===//
//
// In: a bound call of an operation, and the modes that torch.autocast has set. Out: the call with
// the arguments that eager's dispatcher would go on with. Forms in place and out= have no rules
// there.
//
//===----------------------------------------------------------------------===//
#include "Modes.h"

#include "Objects.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/OpTable.h"

using namespace ptc;
using namespace ptc::capture;
namespace aten = ptc::aten;
using aten::OpId;

namespace {
/// at::autocast::CastPolicy, and what has no rule here.
enum class CastPolicy : uint8_t {
  None,
  Lower,    ///< everything in the type of the region
  Float32,  ///< everything in float32
  Result32, ///< a float32 result, where the call does not say another type
  Promote,  ///< the widest type among the arguments
  Unsafe,   ///< raises
  NotModelled,
};
} // namespace

/// The mode of torch.nn.functional.pad() has an operation of its own, with a rule on CPUs.
static bool padsInFloat32(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  const auto *mode = bound[op.findArg("mode").value_or(0)].getIf<aten::ArgValue::Str>();
  const auto *pads = bound[op.findArg("pad").value_or(0)].getIf<aten::ArgValue::IntList>();
  size_t dims = pads ? pads->values.size() / 2 : 0;
  return mode && ((mode->value == "reflect" && dims <= 2) || mode->value == "replicate");
}

/// ATen/autocast_mode.cpp, AutocastCPU. Operations that are composed of others there have the rule
/// of what they call.
static CastPolicy policyOnCpu(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  switch (op.id) {
  case OpId::conv1d:
  case OpId::conv1d_padding:
  case OpId::conv2d:
  case OpId::conv2d_padding:
  case OpId::conv3d:
  case OpId::conv3d_padding:
  case OpId::conv_transpose1d:
  case OpId::conv_transpose2d_input:
  case OpId::conv_transpose3d_input:
  case OpId::bmm:
  case OpId::mm:
  case OpId::baddbmm:
  case OpId::addmm:
  case OpId::linear:
  case OpId::matmul:
  case OpId::prelu:
  case OpId::scaled_dot_product_attention:
    return CastPolicy::Lower;
  case OpId::avg_pool3d:
  case OpId::max_pool3d:
  case OpId::prod:
  case OpId::prod_dim_int:
  case OpId::view_as_complex:
  case OpId::mse_loss:
  case OpId::l1_loss:
  case OpId::smooth_l1_loss:
  case OpId::huber_loss:
  case OpId::nll_loss:
  case OpId::nll_loss_nd:
  case OpId::cross_entropy_loss:
  case OpId::kl_div:
  case OpId::binary_cross_entropy:
  case OpId::binary_cross_entropy_with_logits:
    return CastPolicy::Float32;
  case OpId::pad:
    return padsInFloat32(op, bound) ? CastPolicy::Float32 : CastPolicy::None;
  case OpId::stack:
  case OpId::cat:
  case OpId::index_copy:
    return CastPolicy::Promote;
  default: // the others fall through
    return CastPolicy::None;
  }
}

/// The same for tensors of GPUs: the lists of ATen/autocast_mode.h.
static CastPolicy policyOnCuda(const aten::OpInfo &op) {
  switch (op.id) {
  case OpId::conv1d:
  case OpId::conv1d_padding:
  case OpId::conv2d:
  case OpId::conv2d_padding:
  case OpId::conv3d:
  case OpId::conv3d_padding:
  case OpId::conv_transpose1d:
  case OpId::conv_transpose2d_input:
  case OpId::conv_transpose3d_input:
  case OpId::convolution:
  case OpId::prelu:
  case OpId::addmm:
  case OpId::addmv:
  case OpId::matmul:
  case OpId::mm:
  case OpId::mv:
  case OpId::linear:
  case OpId::baddbmm:
  case OpId::bmm:
  case OpId::scaled_dot_product_attention:
    return CastPolicy::Lower;
  case OpId::acos:
  case OpId::asin:
  case OpId::cosh:
  case OpId::erfinv:
  case OpId::exp:
  case OpId::expm1:
  case OpId::log:
  case OpId::log10:
  case OpId::log2:
  case OpId::log1p:
  case OpId::reciprocal:
  case OpId::rsqrt:
  case OpId::sinh:
  case OpId::tan:
  case OpId::pow_Tensor_Scalar:
  case OpId::pow_Tensor_Tensor:
  case OpId::pow_Scalar:
  case OpId::square: // pow()
  case OpId::softplus:
  case OpId::layer_norm:
  case OpId::native_layer_norm:
  case OpId::rms_norm:
  case OpId::group_norm:
  case OpId::norm_Scalar: // with the type of the result, which is that of what is added up
  case OpId::norm_ScalarOpt_dim:
  case OpId::nll_loss:
  case OpId::nll_loss_nd:
  case OpId::kl_div:
  case OpId::l1_loss:
  case OpId::smooth_l1_loss:
  case OpId::huber_loss:
  case OpId::mse_loss:
  case OpId::binary_cross_entropy_with_logits:
  case OpId::logsumexp:
  case OpId::upsample_nearest1d_vec:
  case OpId::upsample_nearest2d:
  case OpId::upsample_nearest2d_vec:
  case OpId::upsample_bilinear2d:
  case OpId::upsample_bilinear2d_vec:
    return CastPolicy::Float32;
  case OpId::prod:
  case OpId::prod_dim_int:
  case OpId::softmax_int:
  case OpId::log_softmax_int:
  case OpId::cumprod:
  case OpId::cumsum:
  case OpId::linalg_vector_norm:
  case OpId::sum:
  case OpId::sum_dim_IntList:
    return CastPolicy::Result32;
  case OpId::addcdiv:
  case OpId::addcmul:
  case OpId::atan2:
  case OpId::dot:
  case OpId::index_put:
  case OpId::scatter_add:
    return CastPolicy::Promote;
  case OpId::binary_cross_entropy:
    return CastPolicy::Unsafe;
  case OpId::cross_entropy_loss: // log_softmax() in the given type, nll_loss() in float32
    return CastPolicy::NotModelled;
  default: // the others fall through
    return CastPolicy::None;
  }
}

namespace {
/// The arguments of one call, of which those of a device are cast.
struct Casts {
  Engine &e;
  aten::DeviceType device;
  TensorCall &call;
  llvm::MutableArrayRef<aten::ArgValue> bound;

  bool isEligible(const aten::TensorMeta *t) const {
    return t && t->device.type == device && isFloat(t->dtype) && t->dtype != DType::Float64;
  }

  template <typename Fn> void forEachTensor(Fn visit) const {
    for (const aten::ArgValue &arg : bound)
      if (const auto *list = arg.getIf<aten::ArgValue::TensorList>())
        llvm::for_each(list->values, visit);
      else
        visit(arg.tensor());
  }

  std::optional<const aten::TensorMeta *> cast(const aten::TensorMeta *t, DType to) {
    if (!isEligible(t) || t->dtype == to)
      return t;
    CallArgs args;
    args.positional = {call.valueOf(t), Value::dtype(to)};
    PTC_LET(converted, e.callTorch("Tensor.to", args));
    PTC_GET(made, call.convert(converted));
    return made.tensor();
  }

  Flow castAll(DType to) {
    for (aten::ArgValue &arg : bound) {
      if (const auto *list = arg.getIf<aten::ArgValue::TensorList>()) {
        aten::ArgValue::TensorList made;
        for (const aten::TensorMeta *t : list->values) {
          PTC_GET(converted, cast(t, to));
          made.values.push_back(converted);
        }
        arg = aten::ArgValue(std::move(made));
      } else if (const aten::TensorMeta *t = arg.tensor(); isEligible(t)) {
        PTC_GET(converted, cast(t, to));
        arg = aten::ArgValue(converted);
      }
    }
    return Flow::Next;
  }

  /// at::autocast::prioritize over all arguments.
  std::optional<DType> widest(DType lower) const {
    DType current = lower;
    bool isKnown = true;
    forEachTensor([&](const aten::TensorMeta *t) {
      if (!isEligible(t))
        return;
      if (t->dtype == DType::Float32)
        current = DType::Float32;
      else if (current != DType::Float32)
        isKnown &= t->dtype == lower;
    });
    if (isKnown)
      return current;
    e.raise(WellKnown::RuntimeError, "Unexpected floating ScalarType in at::autocast::prioritize");
    return std::nullopt;
  }
};
} // namespace

static bool isOn(Engine &e, uint32_t mode) {
  return e.heap.get(kMachine, mode) == Value::boolean(true);
}

static DType typeOf(Engine &e, aten::DeviceType device) {
  bool isCuda = device == aten::DeviceType::CUDA;
  const Value &set =
      e.heap.get(kMachine, isCuda ? slot::kAutocastCudaType : slot::kAutocastCpuType);
  return set.isAbsent() ? (isCuda ? DType::Float16 : DType::BFloat16) : set.asDType();
}

Flow capture::castArguments(Engine &e, const aten::OpInfo &op,
                            llvm::MutableArrayRef<aten::ArgValue> bound, TensorCall &call) {
  bool onCpu = isOn(e, slot::kAutocastCpu), onCuda = isOn(e, slot::kAutocastCuda);
  if (!onCpu && !onCuda)
    return Flow::Next;
  bool hasCpu = false, hasCuda = false;
  Casts casts{e, aten::DeviceType::CPU, call, bound};
  casts.forEachTensor([&](const aten::TensorMeta *t) {
    hasCpu |= t && t->device.type == aten::DeviceType::CPU;
    hasCuda |= t && t->device.type == aten::DeviceType::CUDA;
  });
  bool isCuda = onCuda && hasCuda;
  if (!isCuda && !(onCpu && hasCpu))
    return Flow::Next;
  if (isCuda && onCpu && hasCpu)
    return e.refuse(DiagId::UnsupportedOperation, op.name,
                    "torch.autocast is enabled for CPUs and for GPUs, and it has tensors of both");
  casts.device = isCuda ? aten::DeviceType::CUDA : aten::DeviceType::CPU;
  switch (isCuda ? policyOnCuda(op) : policyOnCpu(op, bound)) {
  case CastPolicy::None:
    return Flow::Next;
  case CastPolicy::Lower:
    return casts.castAll(typeOf(e, casts.device));
  case CastPolicy::Float32:
    return casts.castAll(DType::Float32);
  case CastPolicy::Result32: {
    aten::ArgValue &dtype = bound[*op.findArg("dtype")];
    if (casts.isEligible(bound[0].tensor()) && dtype.isNone())
      dtype = aten::ArgValue(DType::Float32);
    return Flow::Next;
  }
  case CastPolicy::Promote: {
    PTC_GET(to, casts.widest(typeOf(e, casts.device)));
    return casts.castAll(to);
  }
  case CastPolicy::Unsafe:
    return e.raise(
        WellKnown::RuntimeError,
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
        "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
        "In this case, combine the two layers using "
        "torch.nn.functional.binary_cross_entropy_with_logits\n"
        "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
        "safe to autocast.");
  case CastPolicy::NotModelled:
    return e.refuse(DiagId::UnsupportedOperation, op.name, "it is inside torch.autocast('cuda')");
  }
  llvm_unreachable("closed enum");
}

Flow capture::checkKeptCasts(Engine &e, ObjectId storage) {
  bool isLeaf = !e.heap.get(storage, slot::kLeaf).isAbsent() ||
                !e.heap.get(storage, slot::kGradient).isAbsent();
  // Where nothing is kept now, something may have been before.
  bool mayBeKept =
      llvm::any_of(llvm::ArrayRef({slot::kAutocastRegion, slot::kAutocastCpu, slot::kAutocastCuda}),
                   [&](auto mode) { return isOn(e, mode); });
  if (!isLeaf || !mayBeKept)
    return Flow::Next;
  return e.refuse(
      DiagId::UnsupportedTorchFunction,
      "inside torch.autocast, which keeps casts of parameters: giving a parameter other "
      "data");
}
