//===- KernelBuilder.h - One kernel in the making --------------------*- C++ -*-===//
//
// A conversion asks for the arguments of its operation, writes loops over them and yields. The
// region is free until `emit`: a conversion that gives up has changed nothing.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CONVERSION_ATENTOLINALG_KERNELBUILDER_H
#define PTC_LIB_CONVERSION_ATENTOLINALG_KERNELBUILDER_H

#include "ElementBuilder.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/StringMap.h"

namespace ptc {

/// Sizes inside a kernel: numbers, or values of type index.
using Sizes = llvm::SmallVector<mlir::OpFoldResult, 6>;
using Mask = llvm::SmallVector<bool, 6>;

/// A tensor inside a kernel. The type is kept beside it: integers have no sign there.
struct Tensor {
  mlir::Value value;
  DType dtype = DType::Float32;

  explicit operator bool() const { return bool(value); }
  mlir::RankedTensorType type() const {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  int64_t rank() const { return type().getRank(); }
  int64_t size(int64_t d) const { return type().getDimSize(d); } ///< or kDynamic
  bool isOne(int64_t d) const { return size(d) == 1; }
  bool hasZero() const { return llvm::is_contained(type().getShape(), 0); } ///< known to be empty
};

/// Of a tensor of an aten operation.
inline DType dtypeOf(mlir::RankedTensorType type) {
  std::optional<DType> dtype = aten::toDType(type.getElementType());
  assert(dtype && "tensors of aten operations have elements of a DType");
  return *dtype;
}

/// A tensor and how the loops reach it.
struct Access {
  Tensor tensor;
  mlir::AffineMap map;
};

/// How windows lie along one dimension: window i begins at i * stride - padding.
struct Span {
  int64_t kernel = 1, stride = 1, padding = 0, dilation = 1;
  bool isAdaptive = false;

  /// Entries from the first of `windows` to the last of them.
  int64_t reach(int64_t windows) const { return windows * stride + tail(); }
  int64_t tail() const { return (kernel - 1) * dilation + 1 - stride; }
};

class KernelBuilder {
public:
  using Value = mlir::Value;
  /// Builds one element of each output from elements of the inputs, then of the outputs.
  using Body = llvm::function_ref<llvm::SmallVector<Value, 2>(ElementBuilder &, mlir::ValueRange)>;
  using Map = llvm::function_ref<Value(ElementBuilder &, mlir::ValueRange)>;

  KernelBuilder(mlir::Operation *op, mlir::PatternRewriter &rewriter);

  mlir::PatternRewriter &rewriter;
  mlir::Operation *op;
  mlir::Location loc;
  mlir::OpBuilder b; ///< at the end of the region

  mlir::LogicalResult refuse(const llvm::Twine &why) {
    return rewriter.notifyMatchFailure(op, why);
  }
  /// Refuses because of complex numbers, if the operation takes or gives any, else by `why`.
  mlir::LogicalResult refuseComplexOr(const llvm::Twine &why);
  /// Operations between loops.
  ElementBuilder top() { return {b, loc}; }

  //===--- Arguments of an aten operation --------------------------------------===//
  aten::AtenOp aten() { return llvm::cast<aten::AtenOp>(op); }
  const aten::OpInfo &info() { return aten().getInfo(); }
  bool has(llvm::StringRef name) { return info().findArg(name).has_value(); }
  aten::OpArg arg(llvm::StringRef name) { return aten().getArg(name); }
  aten::OpArg arg(unsigned number) { return aten().getArg(number); }
  bool isNone(llvm::StringRef name) { return arg(name).isNone(); }
  /// A tensor argument; false for None and for what is no tensor.
  Tensor tensor(llvm::StringRef name) { return input(arg(name).getValue()); }
  Tensor self() { return input(aten().getArg(0U).getValue()); }
  /// A list of tensors; an element is false for None.
  llvm::SmallVector<Tensor, 4> tensors(llvm::StringRef name);
  /// A constant flag; none if it is known only at run time.
  std::optional<bool> flag(llvm::StringRef name) { return arg(name).getBool(); }
  /// A list of constants; one integer counts as a list, None as an empty one.
  std::optional<llvm::SmallVector<int64_t, 4>> ints(llvm::StringRef name);
  /// The number as an element of `t`, constant or not; null if it is no real number. `first`: a
  /// type to which it is rounded before.
  Value number(aten::OpArg arg, DType t, std::optional<DType> first = {});
  /// An integer that may be a constant, a size or known at run time; null if none of these.
  mlir::OpFoldResult extent(mlir::Attribute attr);
  /// A list of such integers; one integer counts as a list, None as an empty one.
  std::optional<Sizes> extents(llvm::StringRef name);
  /// Dimension `name` of a tensor of `rank`, not negative.
  std::optional<int64_t> dim(llvm::StringRef name, int64_t rank);

  //===--- Inputs, sizes ---------------------------------------------------------===//
  /// What stands for a tensor of the program inside; false for null and for complex elements.
  Tensor input(Value outside);
  /// What stands for a number of the program inside.
  Value scalar(Value outside);
  /// The value of a size, which is an integer or an expression over sizes of inputs; null if some
  /// symbol of it is not known here.
  mlir::OpFoldResult size(mlir::Attribute attr);
  /// Equal sizes are equal values: a size has one name in a kernel.
  Sizes sizesOf(Tensor t);
  mlir::OpFoldResult sizeOf(Tensor t, int64_t d) { return sizesOf(t)[size_t(d)]; }
  /// Those of the operation's result; none if one is not known here.
  std::optional<Sizes> resultSizes(unsigned i = 0);
  /// The value of a size that expressions name so.
  void nameSize(llvm::StringRef name, Value value) { valueOfText[name] = value; }
  mlir::RankedTensorType resultType(unsigned i = 0) {
    return llvm::cast<mlir::RankedTensorType>(op->getResult(i).getType());
  }
  DType resultDType(unsigned i = 0) { return dtypeOf(resultType(i)); }
  Value toValue(mlir::OpFoldResult size);
  llvm::SmallVector<Value> toValues(llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::OpFoldResult constant(int64_t v) { return b.getIndexAttr(v); }
  mlir::OpFoldResult product(llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::OpFoldResult sum(mlir::OpFoldResult x, mlir::OpFoldResult y);
  mlir::OpFoldResult difference(mlir::OpFoldResult x, mlir::OpFoldResult y);
  /// Of a size by one that is not negative; 0 for a divisor of 0.
  mlir::OpFoldResult quotient(mlir::OpFoldResult x, mlir::OpFoldResult y);
  /// x, or 0 where it is negative.
  mlir::OpFoldResult positivePart(mlir::OpFoldResult x);

  //===--- Loops --------------------------------------------------------------------===//
  Tensor empty(llvm::ArrayRef<mlir::OpFoldResult> sizes, DType t);
  Tensor fill(llvm::ArrayRef<mlir::OpFoldResult> sizes, DType t, Value element);
  /// One linalg.generic; loops that some output's map does not name reduce.
  llvm::SmallVector<Tensor, 2> loops(llvm::ArrayRef<Access> ins, llvm::ArrayRef<Access> outs,
                                     Body body);
  /// One element for each point of `sizes`; inputs align at the end, those of size 1 repeat. None
  /// for an input with more dimensions.
  std::optional<Tensor> broadcast(llvm::ArrayRef<Tensor> ins, const Sizes &sizes, DType t,
                                  Map body);
  /// How loops over `sizes` read a tensor that broadcasts to them: through a map, or, where it is
  /// known only at run time which of its sizes are 1, as a copy of these sizes. None for a tensor
  /// with more dimensions.
  std::optional<Access> reach(Tensor in, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// The elements of `t`, which nothing else reads, replaced one by one: the body gets those of the
  /// inputs, which broadcast to it, then its own. None as of `broadcast`.
  std::optional<Tensor> update(Tensor t, llvm::ArrayRef<Tensor> ins, Map body);
  /// One element for each point, from inputs read through maps.
  Tensor map(llvm::ArrayRef<Access> ins, llvm::ArrayRef<mlir::OpFoldResult> sizes, DType t,
             Map body);
  /// One element for each point, from its indices.
  Tensor fromIndices(const Sizes &sizes, DType t, Map body);
  /// Elements of `source` whose places are computed from the indices.
  using Places =
      llvm::function_ref<llvm::SmallVector<Value, 6>(ElementBuilder &, mlir::ValueRange)>;
  Tensor move(Tensor source, const Sizes &sizes, Places places);
  /// What a turn of loops replaces: one element.
  struct Written {
    llvm::SmallVector<Value> place;
    Value element;
  };
  using Write =
      llvm::function_ref<Written(ElementBuilder &, mlir::ValueRange counters, Tensor whole)>;
  /// Loops over `sizes` in row-major order; each turn replaces one element of what the turns before
  /// have left of a copy of `whole`. None runs if `whole` has no elements.
  Tensor writeInTurn(Tensor whole, llvm::ArrayRef<mlir::OpFoldResult> sizes, Write write);
  /// The element that the counters of loops reach.
  static Value read(ElementBuilder &e, const Access &in, mlir::ValueRange counters);
  /// Folds the dimensions in `mask`, which go; `start` is the first accumulator. The body gets the
  /// input's element, then the accumulator.
  Tensor reduce(Tensor in, llvm::ArrayRef<bool> mask, DType t, Value start, Map body);
  /// The same over several inputs, which are read through maps from loops of `sizes`.
  Tensor reduceOver(llvm::ArrayRef<Access> ins, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    llvm::ArrayRef<bool> mask, DType t, Value start, Map body);
  /// Adds to `sums` the products of what the loops reach, in its type.
  Tensor sumProducts(const Access &left, const Access &right, const Access &sums);
  /// How many elements of `in` the dimensions in `mask` hold, as a number of `t`.
  Value countOf(Tensor in, llvm::ArrayRef<bool> mask, DType t);
  /// Elements of another type.
  Tensor convert(Tensor in, DType to);
  /// Dimensions of size 1 where `mask` says so.
  Tensor withOnes(Tensor in, llvm::ArrayRef<bool> mask);
  /// The entries of a dimension from `start` on.
  Tensor slice(Tensor in, int64_t d, mlir::OpFoldResult start, mlir::OpFoldResult length);
  /// `part` at `starts` of `whole`, in steps of 1 where none are given.
  Tensor insert(Tensor part, Tensor whole, llvm::ArrayRef<mlir::OpFoldResult> starts,
                llvm::ArrayRef<mlir::OpFoldResult> steps = {});
  /// `in` between elements `filler`, so that each of `windows` along the last dimensions lies
  /// inside; `in` itself where it does.
  Tensor padForWindows(Tensor in, llvm::ArrayRef<Span> spans,
                       llvm::ArrayRef<mlir::OpFoldResult> windows, Value filler);
  /// The same elements as one dimension.
  Tensor flat(Tensor in);
  /// A tensor without dimensions as one of one element; others as they are.
  Tensor flatIfScalar(Tensor in) { return in.rank() ? in : flat(in); }
  /// Row-major elements with other sizes.
  Tensor reshape(Tensor in, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  //===--- Maps -----------------------------------------------------------------------===//
  mlir::AffineExpr at(int64_t loop) { return b.getAffineDimExpr(unsigned(loop)); }
  mlir::AffineMap mapOf(int64_t numLoops, llvm::ArrayRef<mlir::AffineExpr> places) {
    return mlir::AffineMap::get(unsigned(numLoops), 0, places, b.getContext());
  }
  mlir::AffineMap identity(int64_t rank) { return b.getMultiDimIdentityMap(unsigned(rank)); }
  /// All loops but those in `mask`.
  mlir::AffineMap without(llvm::ArrayRef<bool> mask);
  /// How loops over `sizes` reach a tensor that broadcasts to them; null if it is not known to.
  mlir::AffineMap broadcastMap(Tensor in, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  //===--- The end ------------------------------------------------------------------------===//
  /// Makes the kernel in front of the operation.
  plan::KernelOp emit(plan::Family family, llvm::ArrayRef<Tensor> results, mlir::TypeRange types);
  /// Makes a kernel of a truth value without dimensions, and numbers, and the check that raises.
  void raiseIf(Tensor failed, llvm::ArrayRef<Tensor> values, llvm::StringRef errorClass,
               llvm::StringRef text);
  /// Makes the kernel in place of the operation.
  mlir::LogicalResult finish(plan::Family family, llvm::ArrayRef<Tensor> results);

private:
  /// An argument of the region: a value of the program, or a size that the program computes.
  struct Input {
    Value outside;
    std::string sizeText = {};
  };
  Value addInput(Input input, mlir::Type type);
  Value symbolValue(llvm::StringRef name);
  std::optional<Sizes> sizesByRule(unsigned result);
  Value expressionValue(sym::Expr e, sym::Context &symbols);
  Tensor define(Value value, DType dtype, Sizes sizes);
  /// The first element, for each point of `sizes`.
  Tensor copyElement(Tensor in, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// By groups of dimensions; false if it is not known which belong together.
  Tensor regroup(Tensor in, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::RankedTensorType typeFor(llvm::ArrayRef<mlir::OpFoldResult> sizes, DType t);

  mlir::Region region;
  mlir::Block *body;
  llvm::SmallVector<Input> inputs;
  llvm::DenseMap<Value, Value> argumentOf; ///< by the value outside
  llvm::StringMap<Value> valueOfText;
  llvm::DenseMap<Value, Sizes> sizesOfTensor;
};

/// A conversion of the operations with one shape rule.
using Converter = mlir::LogicalResult (*)(KernelBuilder &);
struct ConverterRow {
  aten::ShapeRule rule;
  Converter convert;
};

// The families: one file each.
mlir::LogicalResult convertPayload(KernelBuilder &k);
llvm::ArrayRef<ConverterRow> getPointwiseRows();
llvm::ArrayRef<ConverterRow> getReductionRows();
llvm::ArrayRef<ConverterRow> getGemmRows();
llvm::ArrayRef<ConverterRow> getRowsRows();
llvm::ArrayRef<ConverterRow> getAttentionRows();
llvm::ArrayRef<ConverterRow> getGatherRows();
llvm::ArrayRef<ConverterRow> getCopyRows();
llvm::ArrayRef<ConverterRow> getCreateRows();
llvm::ArrayRef<ConverterRow> getConvRows();
llvm::ArrayRef<ConverterRow> getWindowRows();
llvm::ArrayRef<ConverterRow> getScanRows();
llvm::ArrayRef<ConverterRow> getSortRows();
llvm::ArrayRef<ConverterRow> getLossRows();
llvm::ArrayRef<ConverterRow> getScatterRows();

/// The value and the place of the median along `dim`, without that dimension (Sort.cpp).
llvm::SmallVector<Tensor, 2> medianOf(KernelBuilder &k, Tensor x, int64_t dim);

/// See plan::OrderAttr.
struct Order {
  int64_t dim;
  bool isDescending, nanFirst;
};
/// Says that the operation that makes `made` is about an order of entries of type `of`.
void markOrder(KernelBuilder &k, Tensor made, DType of, Order order);
/// The first entry of each line in that order and its place, without the dimension (Reduction.cpp).
llvm::SmallVector<Tensor, 2> findExtreme(KernelBuilder &k, Tensor self, Order order);

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOLINALG_KERNELBUILDER_H
