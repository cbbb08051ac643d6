//===- NumberArguments.h - Tensors in places of numbers -----------*- C++ -*-===//
//
// Where a schema asks for an integer or a number, eager takes a tensor without dimensions for what
// it holds: torch.zeros(n), x.split(n), torch.full((2,), n). A run-time tensor is a number of the
// run.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_NUMBERARGUMENTS_H
#define PTC_LIB_CAPTURE_NUMBERARGUMENTS_H

#include "Engine.h"

#include "ptc/Dialect/Aten/IR/OpTable.h"

#include <optional>

namespace ptc::capture {

/// Whether a list among the arguments holds such tensors beside integers.
bool mixesNumbers(Engine &e, const CallArgs &args);

/// Places of tensors that `op` takes for numbers, by argument and by item of a list.
class NumberArguments {
public:
  NumberArguments(Engine &e, const aten::OpInfo &op, const CallArgs &args);

  bool isEmpty() const { return !isAny; }
  /// The call with a number of the type for each of them: what types and lists decide does not
  /// change. Records nothing.
  CallArgs probe() const { return probed; }
  /// The call with what the tensors hold; none after a failure.
  std::optional<CallArgs> read();

private:
  /// Calls `replace` on each tensor among the arguments that is a number to `op`.
  template <typename Replace> void visit(CallArgs &args, Replace replace);

  Engine &e;
  const aten::OpInfo &op;
  CallArgs given, probed;
  bool isAny = false;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_NUMBERARGUMENTS_H
