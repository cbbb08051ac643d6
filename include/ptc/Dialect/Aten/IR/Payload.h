//===- Payload.h - What an element of a pointwise result is ------*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_PAYLOAD_H
#define PTC_DIALECT_ATEN_IR_PAYLOAD_H

#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "llvm/ADT/SmallVector.h"

namespace ptc::aten {

/// A node of a record's payload: an argument, a number, or a call of a scalar function. Operands
/// come before their users; the last node is the result.
struct PayloadNode {
  enum class Kind : uint8_t { Argument, Number, Call } kind = Kind::Number;
  unsigned argument = 0;                   ///< Argument: index in the schema
  double number = 0;                       ///< Number
  llvm::StringRef function = {};           ///< Call
  llvm::SmallVector<unsigned, 3> operands; ///< Call: indices of nodes
};

/// Parses `add(self, mul(alpha, other))`. Records are ours, so a text that does not parse is an
/// assertion.
llvm::SmallVector<PayloadNode, 8> parsePayload(const OpInfo &op);

/// Whether a number passed as `argument` enters a payload in its compute type; otherwise it is
/// rounded to the tensors' type before. Eager's kernels of mul, div and floor_divide keep a second
/// operand of one element, a number or a tensor of any type (iter.is_scalar(2) in
/// native/cpu/BinaryOpsKernel.cpp); add and sub round theirs and its factor.
bool keepsNumberWide(const OpInfo &op, unsigned argument);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_PAYLOAD_H
