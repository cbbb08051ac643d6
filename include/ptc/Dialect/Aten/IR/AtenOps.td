//===- AtenOps.td - All records of the aten dialect --------------*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENOPS_TD
#define PTC_DIALECT_ATEN_IR_ATENOPS_TD

include "ptc/Dialect/Aten/IR/AtenUnary.td"
include "ptc/Dialect/Aten/IR/AtenBinary.td"

#endif // PTC_DIALECT_ATEN_IR_ATENOPS_TD
