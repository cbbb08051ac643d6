//===- RandomFill.h - Random overloads ----------------------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_RANDOMFILL_H
#define PTC_LIB_DIALECT_ATEN_EVAL_RANDOMFILL_H

#include "EvalCall.h"

namespace ptc::aten {

/// Fills the result of a random overload, drawing from the context's generator as eager does.
void fillRandom(EvalCall &call);
/// 0 or 1 for each element, as eager's Tensor.bernoulli_(p) draws them.
std::vector<double> drawBernoulli(EvalCall &call, const HostTensor &like, double p);

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_RANDOMFILL_H
