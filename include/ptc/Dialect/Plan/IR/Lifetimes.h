//===- Lifetimes.h - Which storages a program fills, and when they live -*- C++ -*-===//
//
// What placement decides by and what its verifier checks with. Operations are numbered in the order
// of the text; what is defined outside a loop and read inside lives to the end of the loop, so that
// a storage lives in one closed interval of numbers.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_PLAN_IR_LIFETIMES_H
#define PTC_DIALECT_PLAN_IR_LIFETIMES_H

#include "ptc/Dialect/Plan/IR/Plan.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Symbolic/Expr.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ptc::plan {

/// Storages in the arena begin at multiples of it: cache lines, and the widest vectors.
constexpr int64_t kArenaAlignment = 64;

/// How far behind the beginning of a storage another one may begin. At least `bytes` and 0: sizes
/// on ways that a call does not take may be below 0.
sym::Expr reservedBytes(sym::Context &context, sym::Expr bytes);

/// Strides of a dense tensor of rank 2 or more whose dimension 1 varies fastest, then the others
/// from the last on: channels last.
aten::Exprs channelsLastStrides(sym::Context &context, llvm::ArrayRef<sym::Expr> sizes);

/// One storage: of a result that an operation makes, of a value that a loop carries, or where such
/// a value is kept while the others are copied.
struct Buffer {
  /// A result, or an argument of the first region of scf.while.
  mlir::Value value;
  bool isStaging = false;
  int64_t first = 0, last = 0; ///< both inclusive
  sym::Expr bytes = {};        ///< over the variant's symbols; unsupported: not known at entry
};

class Lifetimes {
public:
  explicit Lifetimes(program::VariantOp variant);

  llvm::ArrayRef<Buffer> buffers() const { return all; }
  /// Storages that a tensor may lie in: indices of `buffers`; none for inputs, weights, literals
  /// and slots.
  llvm::ArrayRef<unsigned> rootsOf(mlir::Value tensor) const;
  int64_t positionOf(mlir::Operation *op) const { return positions.lookup(op); }
  /// Whether two storages may live at one time: their intervals overlap, and they are not made on
  /// two sides of one branch.
  bool mayMeet(unsigned a, unsigned b) const;
  /// Holds the symbols of the variant.
  sym::Context &symbols() { return context; }

private:
  using Roots = llvm::SmallVector<unsigned, 1>;
  /// A region in the tree of regions. `jump` is an ancestor so far above that a way up of any
  /// length takes a number of steps that grows as its logarithm (Myers, 1983).
  struct RegionNode {
    mlir::Region *region;
    unsigned parent, jump, depth;
  };
  void visit(mlir::Block &block);
  void visitRegions(mlir::Operation *op);
  void visitLoop(mlir::scf::WhileOp loop);
  void touch(mlir::Value value, int64_t position);
  void passOn(mlir::Value from, mlir::Value to);
  unsigned addBuffer(mlir::Value value, bool isStaging = false);
  unsigned addRegion(mlir::Region *region);
  unsigned ancestorAt(unsigned region, unsigned depth) const;
  bool areOtherSides(unsigned a, unsigned b) const;
  sym::Expr bytesOf(mlir::Value tensor);

  sym::Context context;
  llvm::SmallVector<Buffer, 0> all;
  llvm::SmallVector<mlir::Operation *> homeLoops; ///< by buffer: the loop around its definition
  llvm::SmallVector<unsigned> homes;              ///< by buffer: the region of its maker
  llvm::SmallVector<RegionNode, 0> regions; ///< parents first; the outermost is its own parent
  llvm::DenseMap<mlir::Region *, unsigned> regionIndex;
  llvm::DenseMap<mlir::Value, Roots> roots;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  llvm::SmallVector<std::pair<mlir::Operation *, Roots>>
      loops;                        ///< open ones; what lives to the end
  llvm::SmallVector<unsigned> kept; ///< what slots hold for the next call
  int64_t next = 0;
};

/// Where a storage lies; null if nothing was said.
PlaceAttr placeOf(const Buffer &buffer);
/// The place of a result, or of a value that a loop carries.
PlaceAttr placeOf(mlir::Value value);

/// Whether result `result` of `kernel` may be written over input `input` element by element: no
/// element is read after it, or another one in its place, was written.
bool mayWriteOver(KernelOp kernel, unsigned input, unsigned result);

/// Whether a loop's second region writes `scatter` over what it is a change of: what the loop
/// carries under `base`, which is not read behind it before the loop ends or the turn does.
bool mayWriteOverCarried(Lifetimes &lifetimes, program::ScatterOp scatter);

/// Every storage has a place, and no two that live at one time overlap, but for what is written
/// over an operand that is read for the last time. Proven for all sizes: by the algebra of sizes,
/// or because one lies `reservedBytes` of a storage behind the other.
mlir::LogicalResult verifyPlaces(program::VariantOp variant);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_LIFETIMES_H
