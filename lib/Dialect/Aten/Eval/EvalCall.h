//===- EvalCall.h - One evaluation: arguments in, results out ----*- C++ -*-===//
//
// Private to the kernels. A kernel reads arguments by name, fills `out(i)` (allocated with the
// dtype, sizes and strides that meta gave) or adds results whose sizes depend on data.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_EVALCALL_H
#define PTC_LIB_DIALECT_ATEN_EVAL_EVALCALL_H

#include "ptc/Dialect/Aten/Eval/Eval.h"

#include "llvm/Support/FormatVariadic.h"

#include <vector>

namespace ptc::aten {

using Ints = llvm::SmallVector<int64_t, 6>;

class EvalCall {
public:
  EvalCall(const OpInfo &op, llvm::ArrayRef<HostValue> args, EvalContext &context)
      : op(op), args(args), context(context) {}

  const OpInfo &op;
  llvm::ArrayRef<HostValue> args;
  EvalContext &context;
  /// Filled by the kernel, or from `outs` when it returns.
  llvm::SmallVector<HostValue, 1> results;
  /// New values of running statistics, see evaluate().
  llvm::SmallVector<HostValue, 2> updated;
  llvm::SmallVector<HostTensor, 3> outs;
  std::optional<EvalFailure> failure;

  //===--- Failure: the first one counts; kernels return after it ----------===//
  bool failed() const { return failure.has_value(); }
  template <typename... Args> void raise(PyErrorKind kind, const char *format, Args &&...values) {
    if (!failure)
      failure.emplace(EvalFailure::Kind::Raise, kind,
                      llvm::formatv(false, format, std::forward<Args>(values)...).str());
  }
  void lacksMemory(std::string what) {
    if (!failure)
      failure.emplace(EvalFailure::Kind::NoMemory, PyErrorKind::RuntimeError, std::move(what));
  }
  void unsupported(std::string why) {
    if (!failure)
      failure.emplace(EvalFailure::Kind::Unsupported, PyErrorKind::RuntimeError, std::move(why));
  }

  /// Raises if the one element of `value` has no value of `dtype`, as eager's conversion of an
  /// item.
  void checkItem(const HostTensor &value, DType dtype);

  //===--- Arguments --------------------------------------------------------===//
  bool has(llvm::StringRef name) const { return op.findArg(name).has_value(); }
  const HostValue &arg(llvm::StringRef name) const {
    std::optional<unsigned> index = op.findArg(name);
    assert(index && "an argument of the schema");
    return args[*index];
  }
  /// Argument 0.
  const HostTensor &self() const { return args.front().tensor(); }
  const HostTensor &tensor(llvm::StringRef name) const { return arg(name).tensor(); }
  /// Null for None.
  const HostTensor *optional(llvm::StringRef name) const {
    const auto *tensor = arg(name).getIf<HostTensor>();
    return tensor && tensor->isDefined() ? tensor : nullptr;
  }
  int64_t integer(llvm::StringRef name) const { return arg(name).asInt(); }
  double real(llvm::StringRef name) const { return arg(name).asDouble(); }
  bool flag(llvm::StringRef name) const { return arg(name).asInt() != 0; }
  llvm::StringRef text(llvm::StringRef name) const { return arg(name).get<std::string>(); }
  /// A list of integers, or one integer; None is empty.
  Ints ints(llvm::StringRef name) const;
  /// Exactly `count` integers: a single one is repeated, an empty list gives `otherwise`.
  Ints ints(llvm::StringRef name, size_t count, llvm::ArrayRef<int64_t> otherwise) const;
  /// Dimension `name` of a tensor of `rank`, not negative; a scalar counts as one dimension.
  int64_t dim(llvm::StringRef name, int64_t rank) const { return wrapDim(integer(name), rank); }
  static int64_t wrapDim(int64_t dim, int64_t rank) {
    return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim;
  }
  /// True at each dimension named in `dims`; all if there are none.
  llvm::SmallVector<bool, 6> dimMask(llvm::ArrayRef<int64_t> dims, int64_t rank) const;

  HostTensor &out(size_t index = 0) { return outs[index]; }
};

/// Kernels are chosen by the shape rule, so that a rule without one does not link.
#define PTC_ATEN_SHAPE_RULE(Name) void eval##Name(EvalCall &call);
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_EVALCALL_H
