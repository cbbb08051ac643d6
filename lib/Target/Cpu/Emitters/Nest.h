//===- Nest.h - A loop nest on memory -----------------------------------*- C++ -*-===//
//
// What a linalg operation on buffers is to an emitter: loops, and streams of elements whose
// addresses are affine in the loops' indices with one stride per loop.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_NEST_H
#define PTC_LIB_TARGET_CPU_EMITTERS_NEST_H

#include "LoopBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ptc::cpu {

/// Of a memref.alloc: each thread of a team has its own.
inline constexpr llvm::StringLiteral kPrivateAttr = "ptc.private";

/// Elements of one operand. Element of the iteration (i0, i1, …): pointer[Σ i_d * strides[d]].
struct Stream {
  mlir::Value pointer;                    ///< or, for an operand that is one element, its value
  mlir::Type element;                     ///< i1 lies in memory as a byte
  llvm::SmallVector<mlir::Value> strides; ///< in elements, one per loop

  bool hasStride(size_t loop, int64_t stride) const {
    return LoopBuilder::isConstant(strides[loop], stride);
  }
  bool isScalar() const { return !llvm::isa<mlir::LLVM::LLVMPointerType>(pointer.getType()); }
};

/// An elementwise body that goes on with the result of the one before.
struct EpilogueStep {
  mlir::Block *body;
  /// For each argument the stream that it is an element of, a number into Nest::more; none: it is
  /// the result so far.
  llvm::SmallVector<std::optional<size_t>> arguments;
};

/// Entries of windows that lie outside do not count: of turn `i` of the loop `place`, those turns
/// `e` of the loop `entry`, which reduces, that have 0 <= i * step + e * dilation - padding <
/// limit.
struct Clip {
  size_t place, entry;
  int64_t step, dilation;
  mlir::Value padding, limit;
};

struct Nest {
  llvm::SmallVector<mlir::Value> sizes;
  llvm::SmallVector<bool> reduces;
  llvm::SmallVector<Stream> inputs, outputs;
  mlir::Block *body = nullptr; ///< scalar: elements of the inputs, then of the outputs; yields
  bool readsIndices = false;   ///< some linalg.index is in the body
  bool startsAtZero = false;   ///< outputs begin as zero and are not read
  mlir::Value start;           ///< the only output begins as this scalar and is not read; or null
  llvm::SmallVector<Clip> clips;
  llvm::SmallVector<EpilogueStep> epilogue; ///< what is written is their last result
  llvm::SmallVector<Stream> more;           ///< what the epilogue reads, and the accumulator
  /// A number into `more`: what the only output begins as, where the epilogue writes other memory,
  /// perhaps of another type; none: it lies in the output.
  std::optional<size_t> accumulator;

  size_t numLoops() const { return sizes.size(); }
  void forEachStream(llvm::function_ref<void(Stream &)> f) {
    for (Stream &s : inputs)
      f(s);
    for (Stream &s : outputs)
      f(s);
    for (Stream &s : more)
      f(s);
  }
};

/// The nest of an operation on memrefs; none if an access is not affine with one stride per loop.
std::optional<Nest> readNest(LoopBuilder &l, mlir::linalg::GenericOp op);

/// All elements of a memref: a loop per dimension.
Stream streamOf(LoopBuilder &l, mlir::Value memref);

/// Loops in the order of memory, far steps first: those that do not reduce by what the output does,
/// then the others by what the first input does. Leaves a nest that reads indices as it is.
void orderLoops(Nest &nest);

/// Loops of size 1 go, and two neighbours become one where every stream passes through both in
/// equal steps. Leaves a nest that reads indices or has windows clipped as it is.
void mergeLoops(LoopBuilder &l, Nest &nest);

/// Moves loop `from` behind all others.
void makeInnermost(Nest &nest, size_t from);

/// The address of the element at `indices`, one per loop.
mlir::Value addressOf(LoopBuilder &l, const Stream &stream, mlir::ValueRange indices);
/// The same stream from there on.
Stream advance(LoopBuilder &l, const Stream &stream, mlir::ValueRange indices);

/// Loads and stores of single elements and of vectors of consecutive ones, with i1 as bytes.
/// `mask`: lanes that are read or written; the others give zero. Null: all.
mlir::Value loadElement(LoopBuilder &l, mlir::Value address, mlir::Type element);
void storeElement(LoopBuilder &l, mlir::Value address, mlir::Value value);
mlir::Value loadVector(LoopBuilder &l, mlir::Value address, mlir::Type element, int64_t lanes,
                       mlir::Value mask = {});
/// Elements 0, 2, 4, …; `count` says how many of them there are, null: `lanes`.
mlir::Value loadEverySecond(LoopBuilder &l, mlir::Value address, mlir::Type element, int64_t lanes,
                            mlir::Value count = {});
/// Elements with `stride` from each to the next.
mlir::Value loadApart(LoopBuilder &l, mlir::Value address, mlir::Type element, mlir::Value stride,
                      int64_t lanes, mlir::Value mask = {});
void storeVector(LoopBuilder &l, mlir::Value address, mlir::Value value, mlir::Value mask = {});
/// The first `count` lanes.
mlir::Value maskOf(LoopBuilder &l, mlir::Value count, int64_t lanes);
mlir::Value broadcast(LoopBuilder &l, mlir::Value scalar, int64_t lanes);

/// Memory of `elements` elements inside a kernel, for each thread its own: a constant number comes
/// from its scratch.
mlir::Value allocate(LoopBuilder &l, mlir::Value elements, mlir::Type element);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_NEST_H
