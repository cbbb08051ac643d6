//===- Request.h - What is captured of a damaged file -----------*- C++ -*-===//
#ifndef PTC_TEST_FUZZ_REQUEST_H
#define PTC_TEST_FUZZ_REQUEST_H

#include "ptc/Capture/Capture.h"

namespace ptc::fuzz {

/// Builtin modules, with those that damaged files import, so that no run pays for them.
inline llvm::Expected<capture::BuiltinWorld> importedWorld() {
  return capture::BuiltinWorld::make({"math", "itertools", "functools", "contextlib", "dataclasses",
                                      "enum", "torch.nn.functional"});
}

/// The only entry of the file with one tensor f32[2,4]; limits that end each run within a second.
inline capture::CaptureRequest smallRequest() {
  capture::CaptureRequest request;
  request.file = "damaged.pyc";
  ExampleCall call;
  call.args = {ExampleValue::ofTensor(HostTensor::zeros(DType::Float32, {2, 4}))};
  request.examples.push_back(std::move(call));
  request.limits.steps = 20'000;
  request.limits.stepsPerJoin = 200;
  request.limits.depth = 200;
  request.limits.objects = 50'000;
  request.limits.unroll = 200;
  return request;
}

} // namespace ptc::fuzz

#endif // PTC_TEST_FUZZ_REQUEST_H
