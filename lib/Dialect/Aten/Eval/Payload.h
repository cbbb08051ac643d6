//===- Payload.h - What an element of a pointwise result is ------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_PAYLOAD_H
#define PTC_LIB_DIALECT_ATEN_EVAL_PAYLOAD_H

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

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_PAYLOAD_H
