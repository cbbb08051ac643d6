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

/// Whether the tensors of both are the same to the last bit: then they need no reference, which
/// takes ten calls in double precision.
bool haveSameBits(const HostValue &ours, const HostValue &eager);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_COMPARE_H
