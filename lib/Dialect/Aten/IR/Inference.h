//===- Inference.h - One run of meta: arguments in, results out --*- C++ -*-===//
//
// Private to the shape functions. An Inference holds the first failure (an exception of eager, an
// unsupported case, an undecided question) and ignores what comes after it, so that a shape
// function may return early (`return inf.raise(…)`) or go on and be discarded.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_ATEN_IR_INFERENCE_H
#define PTC_LIB_DIALECT_ATEN_IR_INFERENCE_H

#include "ptc/Dialect/Aten/IR/Meta.h"

#include "llvm/Support/FormatVariadic.h"

namespace ptc::aten {

class Inference {
public:
  Inference(const OpInfo &op, llvm::ArrayRef<ArgValue> args, MetaContext &ctx)
      : op(op), args(args), ctx(ctx), sym(ctx.symbols()) {}

  const OpInfo &op;
  llvm::ArrayRef<ArgValue> args;
  MetaContext &ctx;
  sym::Context &sym;
  MetaResult result;
  /// The operation's own checks are done: what fails now is of its iterator or kernel.
  bool isIterating = false;
  bool isOfKernel = false; ///< the failure is

  //===--- Failure ---------------------------------------------------------===//
  bool failed() const { return !result.isOk(); }
  void fail(MetaResult why) {
    if (failed())
      return;
    result = std::move(why);
    isOfKernel = isIterating;
  }
  template <typename... Args> void raise(const char *format, Args &&...values) {
    fail(MetaResult::raise(PyErrorKind::RuntimeError,
                           llvm::formatv(false, format, std::forward<Args>(values)...).str()));
  }
  template <typename... Args> void raiseAs(PyErrorKind kind, const char *format, Args &&...values) {
    fail(
        MetaResult::raise(kind, llvm::formatv(false, format, std::forward<Args>(values)...).str()));
  }
  void unsupported(std::string why) { fail(MetaResult::unsupported(std::move(why))); }

  //===--- Arguments -------------------------------------------------------===//
  const ArgValue &arg(llvm::StringRef name) const;
  bool hasArg(llvm::StringRef name) const { return op.findArg(name).has_value(); }
  bool isNone(llvm::StringRef name) const { return arg(name).isNone(); }
  /// Argument 0.
  const TensorMeta &self() const { return *args.front().tensor(); }
  /// Null if None.
  const TensorMeta *tensor(llvm::StringRef name) const { return arg(name).tensor(); }
  /// The tensor, or a number as a 0-dim wrapped one, kept in this Inference.
  const TensorMeta *tensorOrNumber(const ArgValue &value);
  llvm::ArrayRef<const TensorMeta *> tensors(llvm::StringRef name) const;
  /// An integer that may be symbolic.
  sym::Expr intExpr(llvm::StringRef name);
  /// An integer that shape functions must know; else the failure is unsupported.
  int64_t intValue(llvm::StringRef name);
  std::optional<int64_t> optionalInt(llvm::StringRef name);
  bool boolValue(llvm::StringRef name);
  std::optional<double> floatValue(llvm::StringRef name);
  llvm::StringRef strValue(llvm::StringRef name) const;
  std::optional<DType> dtypeArg(llvm::StringRef name = "dtype") const;
  Device deviceArg(Device otherwise) const;
  MemoryFormat memoryFormatArg(MemoryFormat otherwise) const;
  /// A list of integers, symbolic; None is empty.
  llvm::ArrayRef<sym::Expr> exprList(llvm::StringRef name);
  /// A list of known integers.
  llvm::SmallVector<int64_t, 4> intList(llvm::StringRef name);

  //===--- Questions about sizes -------------------------------------------===//
  /// Proven, or decided by the context; false after a failure.
  bool isTrue(Cmp cmp, sym::Expr a, sym::Expr b, llvm::StringRef why);
  bool isEqual(sym::Expr a, sym::Expr b, llvm::StringRef why) { return isTrue(Cmp::EQ, a, b, why); }
  bool isEqual(sym::Expr a, int64_t b, llvm::StringRef why) {
    return isTrue(Cmp::EQ, a, sym.constant(b), why);
  }
  bool isLess(sym::Expr a, sym::Expr b, llvm::StringRef why) { return isTrue(Cmp::LT, a, b, why); }
  /// Only what the algebra shows.
  std::optional<bool> proves(Cmp cmp, sym::Expr a, sym::Expr b);
  sym::Expr constant(int64_t v) { return sym.constant(v); }
  /// Shown to have no elements.
  bool isVacant(const TensorMeta &t) { return proves(Cmp::EQ, numel(sym, t), constant(0)) == true; }
  bool sameSizes(llvm::ArrayRef<sym::Expr> a, llvm::ArrayRef<sym::Expr> b, llvm::StringRef why);

  /// `dim` in 0 … rank - 1; raises IndexError. Rank 0 counts as 1 unless `strict`.
  int64_t wrapDim(int64_t dim, int64_t rank);
  llvm::SmallVector<bool, 8> dimMask(llvm::ArrayRef<int64_t> dims, int64_t rank);

  //===--- Texts -----------------------------------------------------------===//
  /// "2", or marked where it is no constant (SizeMark.h).
  std::string str(sym::Expr e) const;
  /// "[2, 3]".
  std::string str(llvm::ArrayRef<sym::Expr> sizes) const;

  //===--- Types -----------------------------------------------------------===//
  /// torch.result_type of the given tensors.
  DType resultType(llvm::ArrayRef<const TensorMeta *> operands);
  /// Refuses if the record's kernel does not take `dtype`. The first call decides.
  void checkKernel(DType dtype);
  /// Eager runs no kernel for these arguments, or one that takes every type.
  void acceptKernel() { isKernelChecked = true; }
  /// Keeps `"kernel" not implemented for 'Long'` for settle(): eager chooses the kernel when it has
  /// made the result.
  void refuse(llvm::StringRef kernel, DType dtype);
  /// Fails with what refuse() keeps, unless something failed before.
  void settle();
  /// Raises if `number`, where it is known, has no value of `dtype` (c10::Scalar::to).
  void checkNumber(const ArgValue &number, DType dtype);
  /// The same of what fills a tensor of `sizes`: a single half gets infinity.
  void checkFilled(const ArgValue &number, DType dtype, llvm::ArrayRef<sym::Expr> sizes);

  //===--- Sizes and strides -----------------------------------------------===//
  /// Broadcasts `b` into `a`, with eager's message.
  void broadcastInto(Exprs &a, llvm::ArrayRef<sym::Expr> b);
  /// Whether `from` expands to `to`.
  bool expandsTo(llvm::ArrayRef<sym::Expr> from, llvm::ArrayRef<sym::Expr> to);
  bool isContiguous(const TensorMeta &t, MemoryFormat format = MemoryFormat::Contiguous);
  bool isDense(const TensorMeta &t);
  bool isEmpty(const TensorMeta &t); ///< a size is 0
  /// Strides that TensorIterator gives an output of `sizes` computed from `operands`.
  Exprs iteratorStrides(llvm::ArrayRef<sym::Expr> sizes,
                        llvm::ArrayRef<const TensorMeta *> operands);
  /// The same of `t` and a Python number, an operand without dimensions.
  Exprs numberedStrides(const TensorMeta &t);
  /// Strides of `empty_like(t, memory_format)`.
  Exprs likeStrides(const TensorMeta &t, MemoryFormat format = MemoryFormat::Preserve);
  /// Strides of a clone that keeps them: row-major where elements of `t` share memory.
  Exprs cloneStrides(const TensorMeta &t);
  /// is_contiguous(ChannelsLast) or looks like it by strides: Tensor::suggest_memory_format.
  MemoryFormat suggestMemoryFormat(const TensorMeta &t);
  Exprs contiguous(llvm::ArrayRef<sym::Expr> sizes) { return contiguousStrides(sym, sizes); }

  //===--- Results ---------------------------------------------------------===//
  TensorMeta make(DType dtype, llvm::ArrayRef<sym::Expr> sizes);
  TensorMeta make(DType dtype, llvm::ArrayRef<sym::Expr> sizes, llvm::ArrayRef<sym::Expr> strides);
  void add(TensorMeta meta) { addAliased(std::move(meta), {}); }
  void addAliased(TensorMeta meta, Aliasing aliasing);
  /// A view of argument 0.
  void addView(TensorMeta meta, sym::Expr offset);
  void addSame(const TensorMeta &meta, unsigned argIndex = 0);
  void addScalar(ResultValue::Kind kind) { result.results.push_back({kind, {}}); }
  /// Marks results that require a gradient.
  void finish();

private:
  bool anyRequiresGrad() const;

  std::optional<MetaResult> kernelRefusal;
  bool isRefusalOfKernel = false; ///< else it is one of the operation's own checks
  bool isKernelChecked = false;
  llvm::SmallVector<std::unique_ptr<TensorMeta>, 2> numbers;
};

/// caffe2's name of a type in messages: "long int", "float".
llvm::StringRef cppTypeName(DType dtype);
/// Raises where eager draws no integers from `from` to the one below `to`, by default all that the
/// type holds, for `dtype`.
void checkRandomRange(Inference &inf, DType dtype, sym::Expr from, std::optional<sym::Expr> to);
/// The category rule of type promotion: `higher` decides unless `lower` is of a higher category.
DType combineCategories(std::optional<DType> higher, std::optional<DType> lower);
DType toComplex(DType dtype);
DType toReal(DType dtype);

#define PTC_ATEN_SHAPE_RULE(Name) void infer##Name(Inference &inf);
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"

/// Sizes of a reduction's result.
Exprs reducedSizes(Inference &inf, const TensorMeta &t, llvm::ArrayRef<bool> mask, bool keepdim);

/// clamp to numbers, whose type counts only where the tensor is not floating.
inline bool clampsToNumbers(OpId id) {
  return id == OpId::clamp || id == OpId::clamp_min || id == OpId::clamp_max;
}

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_IR_INFERENCE_H
