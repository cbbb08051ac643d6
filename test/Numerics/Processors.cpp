//===- Processors.cpp - Answers of eager that depend on the processor -------------===//
//
// In: eager's outcome of a call. Out: the same with what its record documents as ptc's answer on
// all processors, worked out here from the arguments alone.
//
//===----------------------------------------------------------------------===//
#include "Processors.h"

#include "ptc/Dialect/Aten/IR/ByProcessor.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

using Strides = llvm::SmallVector<int64_t, 6>;
static constexpr unsigned kChannelsLast[] = {1, 4, 3, 2, 0}; ///< from the fastest dimension on

static HostTensor batched(const HostTensor &t) {
  if (t.dim() == 5)
    return t;
  Strides sizes(t.sizes()), strides(t.strides());
  strides.insert(strides.begin(), sizes[0] * strides[0]);
  sizes.insert(sizes.begin(), 1);
  return t.view(sizes, strides, t.storageOffset());
}

/// c10's is_channels_last_strides_3d.
static bool looksChannelsLast(const HostTensor &given) {
  HostTensor t = batched(given);
  int64_t min = 0;
  if (t.stride(1) == 0)
    return false;
  for (unsigned d : kChannelsLast) {
    if (t.size(d) == 0 || t.stride(d) < min || (d == 0 && min == t.stride(1)))
      return false;
    min = t.stride(d) * std::max<int64_t>(t.size(d), 1);
  }
  return true;
}

static constexpr unsigned kRowMajor[] = {4, 3, 2, 1, 0};

static HostTensor inOrder(const HostTensor &t, llvm::ArrayRef<unsigned> order) {
  Strides sizes(batched(t).sizes()), strides(5);
  int64_t next = 1;
  for (unsigned d : order) {
    strides[d] = next;
    next *= sizes[d];
  }
  HostTensor made = HostTensor::zerosStrided(t.dtype(), t.sizes(),
                                             llvm::ArrayRef(strides).take_back(size_t(t.dim())));
  made.copyFrom(t);
  return made;
}

static void applyToVolumes(const Call &call, Outcome &eager) {
  const HostTensor &input = call[0].tensor(), &weight = call[1].tensor();
  const bool isBFloat16 = input.dtype() == DType::BFloat16;
  if ((!isBFloat16 && input.dtype() != DType::Float16) || weight.dim() != 5)
    return;
  HostTensor result = eager.results[0].tensor();
  if (result.numel() && (looksChannelsLast(input) || looksChannelsLast(weight)))
    eager.results[0] = inOrder(result, isBFloat16 ? kChannelsLast : kRowMajor);
}

template <typename T> static void applyToGelu(const HostTensor &self, HostTensor result) {
  HostTensor from = self.contiguous();
  Strides at(size_t(result.dim()), 0);
  for (int64_t i = 0; i < result.numel(); ++i) {
    int64_t place = 0;
    for (int64_t d = result.dim() - 1, rest = i; d >= 0; rest /= result.size(d), --d)
      place += rest % result.size(d) * result.stride(d);
    double x = convertElement<double>(from.data<T>()[i]);
    T &y = result.data<T>()[place];
    bool isNegativeZero = std::signbit(x) && convertElement<double>(y) == 0;
    if (x == HUGE_VAL || isNegativeZero)
      y = convertElement<T>(isNegativeZero ? -0.0 : HUGE_VAL);
  }
}

void ptc::numerics::applyProcessorRule(const OpInfo &op, const Call &call, Outcome &eager) {
  if (!eager.raised.empty() || eager.results.empty() || !eager.results[0].is<HostTensor>())
    return;
  switch (getProcessorRule(op.id)) {
  case ProcessorRule::SameOnAll:
    return;
  case ProcessorRule::VolumesOf16Bits:
    return applyToVolumes(call, eager);
  case ProcessorRule::GeluOfFloats:
    if (call[0].tensor().dtype() == DType::Float32)
      applyToGelu<float>(call[0].tensor(), eager.results[0].tensor());
    if (call[0].tensor().dtype() == DType::BFloat16)
      applyToGelu<BFloat16>(call[0].tensor(), eager.results[0].tensor());
    if (call[0].tensor().dtype() == DType::Float16)
      applyToGelu<Half>(call[0].tensor(), eager.results[0].tensor());
    return;
  }
}
