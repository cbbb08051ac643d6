//===- Create.cpp - Tensors from numbers ------------------------------------------===//
//
// In: sizes and numbers. Out: constant tensors, ranges, identity matrices; numbers read from
// tensors.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"
#include "RandomFill.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;

static void fillWith(HostTensor &out, const HostValue &number) {
  HostTensor value =
      number.is<int64_t>() || number.is<bool>()
          ? convertTensor(HostTensor::ofValues<int64_t>({number.asInt()}), out.dtype())
          : scalarTensor(out.dtype(), number.asComplex());
  out.copyFrom(expandTo(value.view({}, {}, 0), out.sizes()));
}

/// empty and zeros are zero already.
static void fillByName(EvalCall &call) {
  if (call.op.has(OpFlag::Random))
    return fillRandom(call);
  llvm::StringRef name = call.op.baseName();
  if (name.contains("full"))
    fillWith(call.out(), call.arg("fill_value"));
  else if (name.contains("ones"))
    fillWith(call.out(), 1);
  else if (name == "scalar_tensor")
    fillWith(call.out(), call.arg("s"));
}

namespace ptc::aten {

void evalFactory(EvalCall &call) { fillByName(call); }
void evalFactoryLike(EvalCall &call) { fillByName(call); }
void evalNewFactory(EvalCall &call) { fillByName(call); }
void evalEmptyStrided(EvalCall &call) {}
void evalRandomFrom(EvalCall &call) { fillRandom(call); }
void evalRandperm(EvalCall &call) { fillRandom(call); }
void evalMultinomial(EvalCall &call) { fillRandom(call); }

/// start + i * step in the accumulation type: int64 or, for floats, double.
void evalArange(EvalCall &call) {
  HostTensor &out = call.out();
  HostValue start = call.has("start") ? call.arg("start") : HostValue(0);
  HostValue step = call.has("step") ? call.arg("step") : HostValue(1);
  visitWide(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> values(out.numel());
    if constexpr (std::is_same_v<T, int64_t>) {
      for (int64_t i = 0; i < out.numel(); ++i)
        values[i] = start.asInt() + i * step.asInt();
    } else {
      for (int64_t i = 0; i < out.numel(); ++i)
        values[i] = T(start.asDouble() + double(i) * step.asDouble());
    }
    store<T>(values, out);
  });
}

/// From both ends, as eager's kernel: the last half counts down from `end`.
void evalLinspace(EvalCall &call) {
  HostTensor &out = call.out();
  int64_t steps = out.numel();
  auto compute = [&](auto zero) {
    using T = decltype(zero);
    T start = T(call.real("start")), end = T(call.real("end"));
    T step = steps > 1 ? (end - start) / T(steps - 1) : T(0);
    Array<double> values(steps);
    for (int64_t i = 0; i < steps; ++i)
      values[i] = double(i < steps / 2 ? T(start + step * T(i)) : T(end - step * T(steps - i - 1)));
    if (steps == 1)
      values[0] = double(start);
    return values;
  };
  Array<double> values = out.dtype() == DType::Float64 ? compute(0.0) : compute(0.0F);
  store<double>(values, out);
}

void evalEye(EvalCall &call) {
  HostTensor &out = call.out();
  int64_t length = std::min(out.size(0), out.size(1));
  HostTensor diagonal = out.view({length}, {out.stride(0) + out.stride(1)}, out.storageOffset());
  fillWith(diagonal, 1);
}

/// The one element, as a Python number.
void evalItem(EvalCall &call) {
  const HostTensor &self = call.self();
  bool isUnchecked = call.op.baseName() == "_local_scalar_dense"; // reads the first element
  if (self.numel() != 1 && (!isUnchecked || self.numel() == 0))
    return call.raise(PyErrorKind::RuntimeError,
                      "a Tensor with {0} elements cannot be converted to Scalar", self.numel());
  HostTensor one = self.view({}, {}, self.storageOffset());
  Complex value = one.getComplex({});
  if (call.op.baseName() == "is_nonzero")
    call.results.push_back(value != 0.0);
  else if (isBool(one.dtype()))
    call.results.push_back(value != 0.0);
  else if (isInteger(one.dtype()))
    call.results.push_back(one.getInt({}));
  else if (isFloat(one.dtype()))
    call.results.push_back(value.real());
  else
    call.results.push_back(value);
}

void evalEqual(EvalCall &call) {
  const HostTensor &a = call.self(), &b = call.tensor("other");
  bool isSame = a.sizes() == b.sizes();
  DType common = promoteTypes(a.dtype(), b.dtype());
  if (isSame)
    visitWide(common, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      isSame = load<T>(convertTensor(a, common)) == load<T>(convertTensor(b, common));
    });
  call.results.push_back(isSame);
}

} // namespace ptc::aten
