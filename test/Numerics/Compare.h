//===- Compare.h - Results of the evaluator against eager's ----------*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_COMPARE_H
#define PTC_TEST_NUMERICS_COMPARE_H

#include "ptc/Dialect/Aten/IR/OpTable.h"
#include "ptc/TensorFile/HostValue.h"

#include <string>

namespace ptc::numerics {

/// |a - b| <= absolute + relative * |b|. Integers, bool, and zero tolerances: equal.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// The one table: by family of the overload and element type.
Tolerance toleranceOf(const aten::OpInfo &op, DType dtype);

/// Says what differs (type, sizes, strides, values), or nothing.
std::string compareValues(const aten::OpInfo &op, const HostValue &ours, const HostValue &eager);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_COMPARE_H
