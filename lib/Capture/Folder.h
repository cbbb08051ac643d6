//===- Folder.h - What tensors of a module hold already -----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_FOLDER_H
#define PTC_LIB_CAPTURE_FOLDER_H

#include "ptc/Capture/Program.h"
#include "ptc/Capture/Tape.h"
#include "ptc/TensorFile/HostValue.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace ptc::capture {

/// Computes values of the tape that follow from constants alone. While a module is imported and an
/// object is made, numbers and sizes read from such tensors are numbers and sizes of the program:
/// nothing that a call brings, weights and random numbers among it, can change them. In a call
/// they are of the run, so that loops close, unless the entry cannot be captured so.
class Folder {
public:
  Folder(const Tape &tape, const std::vector<TensorLiteral> &literals)
      : tape(tape), literals(literals) {}

  /// The value of `id`, seen from `block`. None: it follows from more than constants, eager would
  /// raise, or computing it takes too long.
  std::optional<HostValue> valueOf(const TapeBlock &block, ValueId id);

private:
  const TapeInstr *find(const TapeBlock &block, ValueId id);
  bool evaluate(const TapeInstr &instr);
  std::optional<HostValue> literal(const TapeInstr &instr) const;
  std::optional<HostValue> scatter(const TapeInstr &instr) const;
  std::optional<HostValue> item(const TapeInstr &instr) const;
  std::optional<HostTensor> apply(HostTensor base, const TapeArg &steps) const;
  bool spend(const HostValue &value);

  const Tape &tape;
  const std::vector<TensorLiteral> &literals;
  llvm::DenseMap<ValueId, HostValue> values;
  llvm::DenseSet<ValueId> others;    ///< that do not follow from constants alone
  int64_t budget = int64_t(1) << 25; ///< elements and steps that are still allowed
};

class Engine;
/// An integer of the run, or the constant that it is: it follows from constants alone.
Value foldedInteger(Engine &e, const Value &number);
/// The elements of a tensor, row by row, where they follow from constants alone; else None.
Value foldedElements(Engine &e, const Value &tensor);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_FOLDER_H
