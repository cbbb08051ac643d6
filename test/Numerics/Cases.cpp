//===- Cases.cpp - Arguments to try an overload on -------------------------------===//
//
// In: an overload. Out: calls: scalar, empty, broadcast, strided, expanded and odd shapes, and what
// tables say of arguments that need care (indices in range, dimensions, kernel sizes).
//
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include "CaseTable.h"

#include <chrono>
#include <cstdlib>

using namespace ptc;
using namespace ptc::numerics;
using ptc::aten::ArgDefault;
using ptc::aten::ArgInfo;
using ptc::aten::ArgType;
using ptc::aten::OpInfo;

static HostValue defaultOf(const ArgDefault &value, ArgType type) {
  switch (value.kind) {
  case ArgDefault::Kind::Required:
  case ArgDefault::Kind::None:
    return {};
  case ArgDefault::Kind::Bool:
    return value.i != 0;
  case ArgDefault::Kind::Int:
    if (type == ArgType::Float)
      return double(value.i);
    return value.i;
  case ArgDefault::Kind::Float:
    return value.f;
  case ArgDefault::Kind::Str:
    return value.s.str();
  case ArgDefault::Kind::IntList:
    return Ints(value.list.begin(), value.list.end());
  case ArgDefault::Kind::DType:
    return DType(value.i);
  case ArgDefault::Kind::MemoryFormat:
    return HostValue::MemoryFormat{int8_t(value.i)};
  }
  llvm_unreachable("closed enum");
}

/// Shapes and layouts of operands that broadcast, in the order of the operands.
static const std::vector<std::vector<TensorSpec>> &operandShapes() {
  static const std::vector<std::vector<TensorSpec>> kShapes = {
      {t({}), t({}), t({})},
      {t({7}), t({7}), t({7})},
      {t({0}), t({0}), t({1})},
      {t({2, 0, 3}), t({3}), t({2, 1, 1})},
      {t({3, 5}), t({5}), t({3, 1})},
      {t({3, 1}), t({1, 5}), t({5})},
      {t({}), t({2, 3}), t({3})},
      {t({2, 3}), t({}), t({})},
      {t({4, 3}).transposed(), t({4, 3}), t({4, 3}).transposed()},
      {t({4, 3}).transposed(), t({4, 3}).transposed(), t({1, 3})},
      {t({2, 3, 5}).sliced(), t({2, 3, 5}).expanded(), t({5}).sliced()},
      {t({2, 3, 4, 5}).channelsLast(), t({3, 1, 1}), t({2, 3, 4, 5})},
      {t({2, 3, 4, 5}).channelsLast(), t({2, 3, 4, 5}).channelsLast(), t({})},
      {t({33}), t({33}), t({33})},
      {t({1}), t({1, 1}), t({1})},
      {t({2, 1, 3}).transposed(), t({2, 4, 1}), t({1})},
  };
  return kShapes;
}

/// Operands of different types for promotion: the first row's type is the one that is tried.
static const std::vector<std::vector<TensorSpec>> &mixedOperands() {
  static const std::vector<std::vector<TensorSpec>> kMixed = [] {
    std::vector<std::vector<TensorSpec>> rows;
    for (DType other :
         {DType::Bool, DType::UInt8, DType::Int8, DType::Int32, DType::Int64, DType::Float16,
          DType::BFloat16, DType::Float32, DType::Float64, DType::Complex64}) {
      rows.push_back({t({2, 3}), t({3}).as(other), t({3}).as(other)});
      rows.push_back({t({2, 3}), t({}).as(other), t({}).as(other)});
    }
    return rows;
  }();
  return kMixed;
}

/// Fills tensors from `shapes` in order; other required arguments from their kind.
static std::optional<Case> fromShapes(const OpInfo &op, llvm::ArrayRef<TensorSpec> shapes) {
  Case result;
  size_t next = 0;
  for (const ArgInfo &arg : op.args) {
    bool isRequired = arg.defaultValue.kind == ArgDefault::Kind::Required;
    if (arg.type == ArgType::Tensor && !arg.isList) {
      if (next == shapes.size())
        return std::nullopt;
      TensorSpec spec = shapes[next++];
      if (arg.name == "condition" || arg.name == "mask")
        spec = spec.mask();
      result[arg.name.str()] = spec;
    } else if (isRequired && arg.type == ArgType::Scalar) {
      result[arg.name.str()] = HostValue(2);
    } else if (isRequired && arg.type == ArgType::Float) {
      result[arg.name.str()] = HostValue(0.5);
    } else if (isRequired && arg.type == ArgType::Bool) {
      result[arg.name.str()] = HostValue(true);
    } else if (isRequired && arg.type == ArgType::Int) {
      result[arg.name.str()] = HostValue(1);
    } else if (isRequired && !arg.isOptional) {
      return std::nullopt;
    }
  }
  return result;
}

/// Numbers for arguments of type Scalar, each tried on one shape.
static void addNumbers(const OpInfo &op, std::vector<Case> &cases) {
  // Many elements: few show whether a number was rounded to the tensor's type.
  std::optional<Case> base = fromShapes(op, {t({5, 33}), t({5, 33}), t({5, 33})});
  if (!base)
    return;
  for (const ArgInfo &arg : op.args) {
    bool isNumber = arg.type == ArgType::Scalar ||
                    (op.has(aten::OpFlag::Numbers) && arg.isOperand && arg.name != "self");
    if (!isNumber && arg.type != ArgType::Float)
      continue;
    for (const HostValue &number : {HostValue(true), HostValue(3), HostValue(-2), HostValue(0),
                                    HostValue(0.3), HostValue(std::complex<double>(0.5, 1))}) {
      if (arg.type == ArgType::Float && !number.is<double>())
        continue;
      Case c = *base;
      c[arg.name.str()] = number;
      cases.push_back(c);
    }
  }
}

static std::vector<Case> pointwiseCases(const OpInfo &op) {
  std::vector<Case> cases;
  for (const auto &shapes : operandShapes())
    if (std::optional<Case> c = fromShapes(op, shapes))
      cases.push_back(*c);
  size_t tensors = 0;
  for (const ArgInfo &arg : op.args)
    tensors += arg.type == ArgType::Tensor;
  if (tensors > 1)
    for (const auto &shapes : mixedOperands())
      if (std::optional<Case> c = fromShapes(op, shapes))
        cases.push_back(*c);
  addNumbers(op, cases);
  return cases;
}

std::vector<Case> ptc::numerics::casesFor(const OpInfo &op) {
  if (const std::vector<Case> *listed = findCases(op))
    return *listed;
  std::vector<Case> cases = pointwiseCases(op);
  for (const Case &extra : extraCases(op))
    cases.push_back(extra);
  return cases;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

template <typename T>
static void fillElements(HostTensor &tensor, const TensorSpec &spec, std::mt19937 &random) {
  T *data = tensor.data<T>();
  int64_t count = tensor.storage()->size() / sizeof(T), next = 0;
  auto uniform = [&] { return double(random()) / 4294967296.0; };
  auto real = [&]() -> double {
    switch (spec.fill) {
    case TensorSpec::Fill::Plain: {
      // Halves of small integers every third time: ties and equal values, zeros of both signs.
      double half = std::floor(uniform() * 9 - 4) / 2;
      if (next++ % 3)
        return uniform() * 6 - 3;
      return half == 0 && random() % 2 ? -0.0 : half;
    }
    case TensorSpec::Fill::Positive:
      return 0.5 + uniform() * 2;
    case TensorSpec::Fill::Unit:
      return 0.05 + uniform() * 0.9;
    case TensorSpec::Fill::Index:
      return std::floor(uniform() * double(spec.bound));
    case TensorSpec::Fill::Distinct:
      return double((next++ * 37) % 101) - 50;
    case TensorSpec::Fill::Sorted:
      return double(next++);
    }
    llvm_unreachable("closed enum");
  };
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (IsComplexElement<T>::value)
      data[i] = T(typename T::value_type(real()), typename T::value_type(real()));
    else if constexpr (std::is_same_v<T, bool>)
      data[i] = spec.fill == TensorSpec::Fill::Positive || random() % 2;
    else if constexpr (std::is_integral_v<T>)
      data[i] = T(int64_t(spec.fill == TensorSpec::Fill::Plain
                              ? (std::is_unsigned_v<T> ? uniform() * 9 : uniform() * 9 - 4)
                              : real() + (spec.fill == TensorSpec::Fill::Positive)));
    else
      data[i] = convertElement<T>(real());
  }
}

static HostTensor makeTensor(const TensorSpec &spec, DType tried, std::mt19937 &random) {
  DType dtype = spec.dtype.value_or(tried);
  if (spec.isReal && isComplex(dtype))
    dtype = dtype == DType::Complex64 ? DType::Float32 : DType::Float64;
  llvm::SmallVector<int64_t, 4> sizes = spec.sizes, strides = contiguousStrides(sizes);
  int64_t offset = 0, extra = 0;
  switch (spec.layout) {
  case TensorSpec::Layout::Contiguous:
    break;
  case TensorSpec::Layout::Transposed: { // column-major
    int64_t next = 1;
    for (size_t d = 0; d < sizes.size(); ++d) {
      strides[d] = next;
      next *= std::max<int64_t>(sizes[d], 1);
    }
    break;
  }
  case TensorSpec::Layout::Expanded:
    if (!sizes.empty()) {
      strides = contiguousStrides(llvm::ArrayRef(sizes).drop_front());
      strides.insert(strides.begin(), 0);
    }
    break;
  case TensorSpec::Layout::Sliced: // every other element, from the third
    for (int64_t &stride : strides)
      stride *= 2;
    offset = extra = 3;
    break;
  case TensorSpec::Layout::Rolled: // dimension 0 is the fastest, the others are row-major
    if (!sizes.empty()) {
      strides = contiguousStrides(llvm::ArrayRef(sizes).drop_front());
      for (int64_t &stride : strides)
        stride *= std::max<int64_t>(sizes[0], 1);
      strides.insert(strides.begin(), 1);
    }
    break;
  case TensorSpec::Layout::Inside: // the last dimension is one element, repeated
    if (!sizes.empty()) {
      strides = contiguousStrides(llvm::ArrayRef(sizes).drop_back());
      strides.push_back(0);
    }
    break;
  case TensorSpec::Layout::ChannelsLast:
    assert(sizes.size() >= 3);
    strides[1] = 1;
    strides[0] = sizes[1];
    for (size_t d = sizes.size() - 1; d > 1; --d) {
      strides[d] = strides[0];
      strides[0] *= sizes[d];
    }
    break;
  }
  HostTensor base = HostTensor::zerosStrided(dtype, sizes, strides);
  int64_t span = int64_t(base.storage()->size() / base.elementBytes());
  base = HostTensor::zeros(dtype, {span + extra});
  visitDType(dtype,
             [&](auto tag) { fillElements<typename decltype(tag)::Type>(base, spec, random); });
  return base.view(sizes, strides, span ? offset : 0);
}

/// Elements of `t`'s storage from its first one on: an expanded tensor has more elements than that.
static int64_t countInStorage(const HostTensor &t) {
  return int64_t(t.storage()->size() / t.elementBytes()) - t.storageOffset();
}

/// Puts the call's real numbers into its tensors: comparisons with a number have their step there,
/// and where depends on how the number is rounded.
static void plantNumbers(const Call &call) {
  for (const HostValue &number : call) {
    const double *value = number.getIf<double>();
    if (!value)
      continue;
    for (const HostValue &target : call) {
      const auto *given = target.getIf<HostTensor>();
      if (!given || !isFloat(given->dtype()) || given->numel() < 16 || countInStorage(*given) < 12)
        continue;
      HostTensor tensor = *given; // of the same storage
      visitDType(tensor.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (int64_t at : {3, 7, 11})
          tensor.data<T>()[at] = convertElement<T>(at == 7 ? -*value : *value);
      });
    }
  }
}

/// Puts NaN, infinities and a negative zero into the real tensors, elsewhere than plantNumbers.
static void plantSpecials(const Call &call, std::mt19937 &random) {
  constexpr double kSpecials[] = {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL,
                                  -0.0};
  for (const HostValue &target : call) {
    const auto *given = target.getIf<HostTensor>();
    if (!given || !isFloat(given->dtype()) || given->numel() < 12 || countInStorage(*given) < 9)
      continue;
    HostTensor tensor = *given; // of the same storage
    visitDType(tensor.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      for (int64_t at : {0, 2, 5, 8})
        tensor.data<T>()[at] = convertElement<T>(kSpecials[random() % std::size(kSpecials)]);
    });
  }
}

std::optional<Call> ptc::numerics::makeCall(const OpInfo &op, const Case &given, DType dtype,
                                            std::mt19937 &random) {
  Call call;
  for (const ArgInfo &arg : op.args) {
    auto found = given.find(arg.name.str());
    if (found == given.end()) {
      call.push_back(defaultOf(arg.defaultValue, arg.type));
      if (arg.defaultValue.kind == ArgDefault::Kind::Required && !arg.isOptional)
        return std::nullopt;
      if (arg.listSize && call.back().is<int64_t>())
        call.back() = Ints(arg.listSize, call.back().get<int64_t>());
    } else if (const auto *value = std::get_if<HostValue>(&found->second)) {
      call.push_back(*value);
      if (value->isNone() && !arg.isOptional)
        return std::nullopt;
    } else if (const auto *spec = std::get_if<TensorSpec>(&found->second)) {
      call.push_back(makeTensor(*spec, dtype, random));
    } else {
      HostValue::TensorList list;
      for (const auto &item : *std::get_if<2>(&found->second))
        list.push_back(item ? makeTensor(*item, dtype, random) : HostTensor());
      call.push_back(std::move(list));
    }
  }
  if (op.shapeRule == aten::ShapeRule::Pointwise)
    plantNumbers(call);
  if (!op.payload.empty())
    plantSpecials(call, random);
  return call;
}
