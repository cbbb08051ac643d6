//===- DevicePayload.h - A device in the bits of a value ---------------------------------===//
//
// Values, tapes and tensors hold a device as one number: its type above, its index plus one below,
// 0 for no index.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_DEVICEPAYLOAD_H
#define PTC_LIB_CAPTURE_DEVICEPAYLOAD_H

#include "ptc/Dialect/Aten/IR/Meta.h"

namespace ptc::capture {

inline aten::Device unpackDevice(uint64_t payload) {
  return {aten::DeviceType(payload >> 32), int16_t(int32_t(uint32_t(payload)) - 1)};
}
inline uint64_t payloadOf(aten::Device device) {
  return uint64_t(device.type) << 32 | uint32_t(device.index + 1);
}

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_DEVICEPAYLOAD_H
