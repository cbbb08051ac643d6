//===- Compare.h - Results of the evaluator against eager's ----------*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_COMPARE_H
#define PTC_TEST_NUMERICS_COMPARE_H

#include "Reference.h"

#include <string>

namespace ptc::numerics {

/// Says what differs (type, sizes, strides, values), or nothing. `nextTensor`: how many tensors of
/// the reference's results are behind us.
std::string compareValues(const aten::OpInfo &op, const HostValue &ours, const HostValue &eager,
                          const Reference *reference, size_t &nextTensor);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_COMPARE_H
