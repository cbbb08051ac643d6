//===- Processors.h - Answers of eager that depend on the processor -*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_PROCESSORS_H
#define PTC_TEST_NUMERICS_PROCESSORS_H

#include "Outcome.h"

namespace ptc::numerics {

/// Puts the answers that the record's ProcessorRule documents as ptc's in place of those that eager
/// gives on this processor, where it gives others. What the rule does not name stays.
void applyProcessorRule(const aten::OpInfo &op, const Call &call, Outcome &eager);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_PROCESSORS_H
