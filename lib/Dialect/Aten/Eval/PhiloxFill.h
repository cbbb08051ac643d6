//===- PhiloxFill.h - Random overloads as on a GPU ----------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_PHILOXFILL_H
#define PTC_LIB_DIALECT_ATEN_EVAL_PHILOXFILL_H

#include "EvalCall.h"

namespace ptc::aten {

/// Fills the result of a random overload, drawing from the context's Philox as eager does on a GPU.
void fillByPhilox(EvalCall &call);
/// 0 or 1 for each element that dropout in training takes or leaves, in row-major order.
std::vector<double> drawDropout(EvalCall &call, double p);

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_PHILOXFILL_H
