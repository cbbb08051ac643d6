//===- ElementOrigins.h - Which tensors may be one element --------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_ELEMENTORIGINS_H
#define PTC_LIB_CAPTURE_ELEMENTORIGINS_H

#include "ptc/Capture/Tape.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ptc::capture {

/// Where the tensors of a tape come from: through lists of the run, into which they are put and out
/// of which they are taken, and through what choices and loops carry.
class ElementOrigins {
public:
  /// Of what is recorded in `block` and in those around it.
  explicit ElementOrigins(const TapeBlock &block);

  /// May what two storages hold be one tensor of the program? That both were computed and are two
  /// is known.
  bool mayMeet(ValueId a, ValueId b) const;
  /// May the tensor be an element of the list?
  bool mayHold(ValueId list, ValueId tensor) const;

private:
  void addBlock(const TapeBlock &block);
  void addInstr(const TapeInstr &instr);
  void addEdge(ValueId to, const TapeArg &from);
  struct Origins {
    llvm::DenseSet<ValueId> values;
    bool areTaken = false; ///< out of a list
    bool areOpen = false;  ///< or others
    bool mayBe(const Origins &other) const;
  };
  Origins originsOf(ValueId id) const;

  llvm::DenseMap<ValueId, llvm::SmallVector<ValueId, 2>> from;
  llvm::DenseSet<ValueId> taken; ///< out of lists
  llvm::DenseSet<ValueId> open;  ///< carried by a loop that has not ended yet
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ELEMENTORIGINS_H
