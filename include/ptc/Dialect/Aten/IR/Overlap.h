//===- Overlap.h - Which writes into shared memory eager refuses --*- C++ -*-===//
//
// Two elements of a tensor may lie at one place (expand, as_strided), and what an operation writes
// may lie where its operands do. Eager looks at sizes and strides alone, does not solve the hard
// cases, and raises RuntimeError in those that it is sure of. The answers here are eager's own, not
// the truth about the memory.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_IR_OVERLAP_H
#define PTC_DIALECT_ATEN_IR_OVERLAP_H

#include "ptc/Dialect/Aten/IR/Meta.h"

#include "llvm/ADT/ArrayRef.h"

namespace ptc::aten {

/// Where the elements of a tensor lie in its storage.
struct Placement {
  llvm::ArrayRef<sym::Expr> sizes;
  llvm::ArrayRef<sym::Expr> strides; ///< in elements
  sym::Expr offset;                  ///< in elements
  int64_t elementBytes = 1;
  unsigned arg = 0; ///< which of the schema's arguments it is, or is in
};

/// Whether two elements of one tensor are at one place.
enum class SelfOverlap : uint8_t {
  No,      ///< dense, or without elements
  Yes,     ///< a dimension of several elements has stride 0
  TooHard, ///< eager does not work it out, and lets it pass
  Unknown, ///< depends on sizes that are not known
};
SelfOverlap overlapsItself(sym::Context &symbols, llvm::ArrayRef<sym::Expr> sizes,
                           llvm::ArrayRef<sym::Expr> strides);

/// How two tensors of one storage lie to each other.
enum class Overlap : uint8_t {
  No,
  Full,    ///< the same elements in the same order
  Partial, ///< the ranges of memory meet
  TooHard, ///< one is not dense: eager does not work it out, and lets it pass
  Unknown, ///< depends on sizes that are not known
};
Overlap overlapOf(sym::Context &symbols, const Placement &a, const Placement &b);

/// What eager looks at before an in-place operation writes to its first argument.
struct WriteRule {
  enum class Operands : uint8_t {
    Any,     ///< may lie anywhere
    Whole,   ///< may be the written tensor, but not a part of it
    Outside, ///< may not touch the written tensor
  };
  /// When eager looks.
  enum class Order : uint8_t {
    First,  ///< before it looks at anything else
    Kernel, ///< after the operation's own checks, before its iterator and kernel are made
    Last,   ///< when it is about to write
  };
  bool refusesSelfOverlap = true;
  Operands operands = Operands::Whole;
  bool readsValueFirst = false; ///< argument `value` is read as a number, and lies anywhere
  Order order = Order::Kernel;
};
/// The rule of `op`'s in-place form (`index_put_` for index_put) on these arguments.
WriteRule writeRuleOf(const OpInfo &op, llvm::ArrayRef<ArgValue> args);

/// The in-place form, as inferInplace gives it.
struct WriteInference {
  MetaResult meta;
  bool isAfterMemory = false; ///< what it raises comes after eager has looked at memory
};
WriteInference inferWrite(const OpInfo &op, llvm::ArrayRef<ArgValue> args, MetaContext &ctx);

/// What eager raises (RuntimeError) when `op` writes in place to `self`: nothing, a text, or
/// unknown.
struct WriteCheck {
  bool isKnown = true;
  llvm::StringRef text = {}; ///< empty: eager writes
};
/// `self`: where argument 0 lies; `operands`: where the other tensors among the arguments do (those
/// in lists as well) that share storage with it.
WriteCheck checkWrite(sym::Context &symbols, const OpInfo &op, llvm::ArrayRef<ArgValue> args,
                      const Placement &self, llvm::ArrayRef<Placement> operands);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_OVERLAP_H
