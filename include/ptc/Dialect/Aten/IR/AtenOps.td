//===- AtenOps.td - All records of the aten dialect --------------*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENOPS_TD
#define PTC_DIALECT_ATEN_IR_ATENOPS_TD

include "ptc/Dialect/Aten/IR/AtenBinary.td"
include "ptc/Dialect/Aten/IR/AtenCreate.td"
include "ptc/Dialect/Aten/IR/AtenIndex.td"
include "ptc/Dialect/Aten/IR/AtenNN.td"
include "ptc/Dialect/Aten/IR/AtenReduce.td"
include "ptc/Dialect/Aten/IR/AtenUnary.td"
include "ptc/Dialect/Aten/IR/AtenView.td"

#endif // PTC_DIALECT_ATEN_IR_ATENOPS_TD
