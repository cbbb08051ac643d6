//===- Create.cpp - Tensors from numbers as kernels ----------------------------------------===//
//
// In: sizes and numbers. Out: a kernel without tensors: a fill, or loops over indices.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

using namespace mlir;
using namespace ptc;

using P = arith::CmpIPredicate;
using R = ElementBuilder::Relation;

/// Those of the type or, where it does not say, the numbers that are given.
static std::optional<Sizes> factorySizes(KernelBuilder &k) {
  if (std::optional<Sizes> known = k.resultSizes())
    return known;
  auto given = k.has("size") ? dyn_cast<ArrayAttr>(k.arg("size").getAttr()) : ArrayAttr();
  if (!given)
    return std::nullopt;
  Sizes sizes;
  for (Attribute attr : given) {
    sizes.push_back(k.extent(attr));
    if (!sizes.back())
      return std::nullopt;
  }
  return sizes;
}

/// full, ones; empty and zeros alike are zero.
static LogicalResult convertFactory(KernelBuilder &k) {
  std::optional<Sizes> sizes = factorySizes(k);
  DType t = k.resultDType();
  if (!sizes || isComplex(t))
    return k.refuseComplexOr("a size that is no input's");
  StringRef name = k.info().baseName();
  Value value = name.contains("full")     ? k.number(k.arg("fill_value"), t)
                : name.contains("ones")   ? k.top().integer(t, 1)
                : name == "scalar_tensor" ? k.number(k.arg("s"), t)
                                          : k.top().integer(t, 0);
  if (!value)
    return k.refuse("the value is no real number");
  return k.finish(plan::Family::Copy, k.fill(*sizes, t, value));
}

/// An index as a number.
static Value counter(ElementBuilder &e, Value index, DType t) {
  return e.convert(e.fromIndex(index), DType::Int64, t);
}

/// How many steps there are, where the type does not say.
static std::optional<Sizes> rangeSizes(KernelBuilder &k) {
  if (std::optional<Sizes> known = k.resultSizes())
    return known;
  ElementBuilder top = k.top();
  OpFoldResult start = k.has("start") ? k.extent(k.arg("start").getAttr()) : k.constant(0);
  OpFoldResult end = k.extent(k.arg("end").getAttr());
  std::optional<int64_t> step = k.has("step") ? k.arg("step").getInt() : std::optional<int64_t>(1);
  if (!start || !end || !step || *step < 1)
    return std::nullopt;
  Value way = top.subIndex(k.toValue(end), k.toValue(start));
  Value rounded = top.addIndex(way, top.index(*step - 1));
  Value count = top.make<arith::FloorDivSIOp>(rounded, top.index(*step));
  return Sizes{top.make<arith::MaxSIOp>(count, top.index(0))};
}

/// start + i * step in int64 or, for floats, double.
static LogicalResult convertArange(KernelBuilder &k) {
  DType result = k.resultDType(), t = isFloat(result) ? DType::Float64 : DType::Int64;
  if (isComplex(result))
    return k.refuse("complex numbers");
  ElementBuilder top = k.top();
  Value start = k.has("start") ? k.number(k.arg("start"), t) : top.integer(t, 0);
  Value step = k.has("step") ? k.number(k.arg("step"), t) : top.integer(t, 1);
  std::optional<Sizes> sizes = rangeSizes(k);
  if (!start || !step || !sizes)
    return k.refuse("a bound is no real number, or the size is not known");
  Tensor out = k.fromIndices(*sizes, result, [&](ElementBuilder &e, ValueRange at) {
    Value way = e.mul(t, counter(e, at[0], t), step);
    return e.convert(e.add(t, start, way), t, result);
  });
  return k.finish(plan::Family::Pointwise, out);
}

/// From both ends: the last half counts down from `end`.
static LogicalResult convertLinspace(KernelBuilder &k) {
  DType result = k.resultDType();
  DType t = result == DType::Float64 ? DType::Float64 : DType::Float32;
  std::optional<Sizes> sizes = k.resultSizes();
  Value start = k.number(k.arg("start"), t), end = k.number(k.arg("end"), t);
  if (!sizes || !start || !end || isComplex(result))
    return k.refuse("a bound is no real number, or the size is not known");
  constexpr DType kCount = DType::Int64;
  ElementBuilder top = k.top();
  Value one = top.integer(kCount, 1), steps = top.fromIndex(k.toValue(sizes->front()));
  Value last = top.sub(kCount, steps, one), isOne = top.compare(kCount, R::EQ, steps, one);
  Value parts = top.convert(top.select(isOne, one, last), kCount, t);
  Value step = top.div(t, top.sub(t, end, start), parts);
  Value middle = top.make<arith::ShRUIOp>(steps, one);
  Tensor out = k.fromIndices(*sizes, result, [&](ElementBuilder &e, ValueRange at) {
    Value i = e.fromIndex(at[0]);
    Value up = e.add(t, start, e.mul(t, step, e.convert(i, kCount, t)));
    Value left = e.convert(e.sub(kCount, last, i), kCount, t);
    Value down = e.sub(t, end, e.mul(t, step, left));
    Value number = e.select(e.compare(kCount, R::LT, i, middle), up, down);
    return e.convert(e.select(isOne, start, number), t, result);
  });
  return k.finish(plan::Family::Pointwise, out);
}

static LogicalResult convertEye(KernelBuilder &k) {
  DType t = k.resultDType();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!sizes || isComplex(t))
    return k.refuseComplexOr("a size that is no input's");
  Tensor out = k.fromIndices(*sizes, t, [&](ElementBuilder &e, ValueRange at) {
    return e.select(e.compareIndex(P::eq, at[0], at[1]), e.integer(t, 1), e.integer(t, 0));
  });
  return k.finish(plan::Family::Copy, out);
}

ArrayRef<ConverterRow> ptc::getCreateRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Factory, convertFactory},
      {S::FactoryLike, convertFactory},
      {S::NewFactory, convertFactory},
      {S::EmptyStrided, convertFactory},
      {S::Arange, convertArange},
      {S::Linspace, convertLinspace},
      {S::Eye, convertEye},
  };
  return kRows;
}
