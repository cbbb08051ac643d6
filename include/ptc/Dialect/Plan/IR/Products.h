//===- Products.h - What a kernel sums ----------------------------------*- C++ -*-===//
//
// Whether loops still sum products once factors are folded into them: `x * 1` is no product.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_PLAN_IR_PRODUCTS_H
#define PTC_DIALECT_PLAN_IR_PRODUCTS_H

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ptc::plan {

/// Reduces, and yields an accumulator plus a product.
bool sumsProducts(mlir::linalg::LinalgOp loops);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_PRODUCTS_H
