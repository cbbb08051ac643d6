//===- LoopBuilder.h - Loops and index arithmetic that folds -----------*- C++ -*-===//
//
// Sizes are values: a constant stays one through every operation here, so that one emitter serves
// sizes known to the compiler and sizes known at run time.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_LOOPBUILDER_H
#define PTC_LIB_TARGET_CPU_EMITTERS_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ptc::cpu {

/// Estimates count a size that only the run knows as this many.
inline constexpr int64_t kTypicalSize = 64;

class LoopBuilder {
public:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Values = llvm::SmallVector<Value>;

  explicit LoopBuilder(mlir::Operation *before) : b(before->getLoc(), before) {}
  /// At the end of a block.
  explicit LoopBuilder(mlir::Block *block)
      : b(mlir::ImplicitLocOpBuilder::atBlockEnd(block->getParentOp()->getLoc(), block)) {}

  mlir::ImplicitLocOpBuilder b;

  //===--- Indices -----------------------------------------------------------===//
  static std::optional<int64_t> constantOf(Value v) { return mlir::getConstantIntValue(v); }
  static bool isConstant(Value v, int64_t c) { return constantOf(v) == c; }
  Value index(int64_t v) { return mlir::arith::ConstantIndexOp::create(b, v); }
  Value index(mlir::OpFoldResult v) {
    return mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), v);
  }
  Value add(Value x, Value y);
  Value sub(Value x, Value y) { return b.createOrFold<mlir::arith::SubIOp>(x, y); }
  Value mul(Value x, Value y);
  Value div(Value x, Value y) { return b.createOrFold<mlir::arith::DivUIOp>(x, y); }
  Value rem(Value x, Value y) { return b.createOrFold<mlir::arith::RemUIOp>(x, y); }
  Value min(Value x, Value y) { return b.createOrFold<mlir::arith::MinSIOp>(x, y); }
  Value max(Value x, Value y) { return b.createOrFold<mlir::arith::MaxSIOp>(x, y); }
  Value ceilDiv(Value x, int64_t y) { return div(add(x, index(y - 1)), index(y)); }
  Value compare(mlir::arith::CmpIPredicate predicate, Value x, Value y) {
    return b.createOrFold<mlir::arith::CmpIOp>(predicate, x, y);
  }
  Value less(Value x, Value y) { return compare(mlir::arith::CmpIPredicate::slt, x, y); }
  Value product(ValueRange values);

  //===--- Control flow --------------------------------------------------------===//
  /// A loop known to be empty vanishes, one known to run once becomes its body. The body gets the
  /// induction variable and what is carried, and gives what is carried on.
  using Body = llvm::function_ref<Values(Value, ValueRange)>;
  Values loop(Value lo, Value hi, Value step, ValueRange init, Body body);
  void loop(Value lo, Value hi, Value step, llvm::function_ref<void(Value)> body);
  /// Loops over 0 … size - 1 of each size, the last one innermost; what is carried goes through
  /// all.
  using NestBody = llvm::function_ref<Values(ValueRange, ValueRange)>;
  Values nest(ValueRange sizes, ValueRange init, NestBody body);
  /// The same over lo … hi - 1 of each; the innermost of known bounds are written out, as far as
  /// they have no more than `most` turns together.
  Values unrolled(ValueRange lo, ValueRange hi, int64_t most, ValueRange init, NestBody body);
  void when(Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = {});
  /// `then` or `otherwise`, which give values of the same types.
  Values choose(Value condition, llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);
  /// body(x) for an x from 1 to `most`: one clone for a constant, else a switch.
  void dispatch(Value x, int64_t most, llvm::function_ref<void(int64_t)> body);

  //===--- Threads -------------------------------------------------------------===//
  /// Threads that run the code together: `thread` of `num`, both of type index.
  struct Team {
    Value thread, num;
  };
  std::optional<Team> team;

  /// Emits code that a team does once: its threads take parts of the loops that `body` shares, and
  /// all of them do what is beside these, which must be for private memory; if it shares none, the
  /// first thread does everything.
  void together(llvm::function_ref<void()> body);
  /// A loop no two steps of which write the same: within `together` each thread takes part of it,
  /// one of them `more` behind it. No loop is shared within a shared one. Not `wanted`: a plain
  /// loop, then `more`.
  void share(bool wanted, Value lo, Value hi, Value step, llvm::function_ref<void(Value)> body,
             llvm::function_ref<void()> more = {});
  /// Loops as of `nest`, with the loop `which` shared.
  void sharedNest(ValueRange sizes, size_t which, llvm::function_ref<void(ValueRange)> body);

private:
  bool isTogether = false; ///< loops may be shared here
  bool isShared = false;   ///< some were
  Values nestFrom(ValueRange sizes, Values &indices, ValueRange init, NestBody body);
};

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_LOOPBUILDER_H
