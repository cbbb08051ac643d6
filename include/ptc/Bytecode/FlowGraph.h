//===- FlowGraph.h - Flow graph of canonical instructions --------*- C++ -*-===//
//
// Nodes are instruction indices; two pseudo nodes follow the last instruction: `exit` (return) and
// `unwind` (an exception leaves the frame). Every instruction that may raise has an edge to its
// handler or to `unwind`.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_BYTECODE_FLOWGRAPH_H
#define PTC_BYTECODE_FLOWGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

#include <cstdint>
#include <vector>

namespace ptc {

struct CanonicalCode;

/// A natural loop; loops with the same head are one.
struct Loop {
  uint32_t head = 0;
  llvm::BitVector body;           ///< over nodes; the head included
  std::vector<uint32_t> controls; ///< instructions of the body with a way out other than `unwind`
};

class FlowGraph {
public:
  static constexpr uint32_t kNone = ~0U;

  llvm::ArrayRef<uint32_t> successors(uint32_t node) const {
    return llvm::ArrayRef(succ).slice(succBegin[node], succBegin[node + 1] - succBegin[node]);
  }
  llvm::ArrayRef<uint32_t> predecessors(uint32_t node) const {
    return llvm::ArrayRef(pred).slice(predBegin[node], predBegin[node + 1] - predBegin[node]);
  }
  /// Immediate dominator; kNone for the entry and for `exit` or `unwind` that is not reached.
  uint32_t immediateDominator(uint32_t node) const { return idom[node]; }
  /// True for node == by.
  bool dominates(uint32_t by, uint32_t node) const {
    while (node != kNone && depth[node] > depth[by])
      node = idom[node];
    return node == by;
  }
  /// Position in reverse post-order in which a loop's body comes before what lies behind the loop,
  /// and `unwind` last.
  uint32_t order(uint32_t node) const { return rpo[node]; }
  bool isMergePoint(uint32_t node) const { return predecessors(node).size() > 1; }

  llvm::ArrayRef<Loop> loops() const { return allLoops; }
  /// The loop whose head is `node`, or null.
  const Loop *loopAt(uint32_t node) const {
    return loopOf[node] == kNone ? nullptr : &allLoops[loopOf[node]];
  }

  /// Slots of CanonicalCode::locals whose value before `node` may still be read; slots that hold
  /// cells are always live. One bit per slot, 64 to a word.
  llvm::ArrayRef<uint64_t> liveLocals(uint32_t node) const {
    return llvm::ArrayRef(live).slice(size_t(node) * liveWords, liveWords);
  }
  bool isLive(uint32_t node, uint32_t slot) const {
    return liveLocals(node)[slot / 64] >> (slot % 64) & 1;
  }

private:
  friend class FlowGraphBuilder;
  std::vector<uint32_t> succ, succBegin, pred, predBegin, idom, depth, rpo, loopOf;
  std::vector<Loop> allLoops;
  std::vector<uint64_t> live;
  size_t liveWords = 0;
};

/// Fills `code.flow` from its instructions and handlers; false if there are too many loops.
bool buildFlowGraph(CanonicalCode &code);

} // namespace ptc

#endif // PTC_BYTECODE_FLOWGRAPH_H
