//===- Cases.h - Arguments to try an overload on -------------------*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_CASES_H
#define PTC_TEST_NUMERICS_CASES_H

#include "Numerics/Day.h"
#include "ptc/Dialect/Aten/IR/OpTable.h"
#include "ptc/TensorFile/HostValue.h"

#include <functional>
#include <map>
#include <random>
#include <variant>
#include <vector>

namespace ptc::numerics {

using Ints = HostValue::IntList;
using Floats = HostValue::FloatList;

/// A tensor to be made for the element type that is tried.
struct TensorSpec {
  enum class Layout { Contiguous, Transposed, Expanded, Sliced, ChannelsLast, Rolled, Inside };
  enum class Fill { Plain, Positive, Unit, Index, Distinct, Sorted };

  Ints sizes;
  Layout layout = Layout::Contiguous;
  Fill fill = Fill::Plain;
  int64_t bound = 0;               ///< Index: values are in [0, bound)
  std::optional<DType> dtype = {}; ///< else the one that is tried
  bool isReal = false;             ///< of a complex type its real part

  TensorSpec with(Layout l) const {
    auto c = *this;
    c.layout = l;
    return c;
  }
  TensorSpec transposed() const { return with(Layout::Transposed); }
  TensorSpec expanded() const { return with(Layout::Expanded); }
  TensorSpec sliced() const { return with(Layout::Sliced); }
  TensorSpec channelsLast() const { return with(Layout::ChannelsLast); }
  TensorSpec as(DType type) const {
    auto c = *this;
    c.dtype = type;
    return c;
  }
  TensorSpec filled(Fill f) const {
    auto c = *this;
    c.fill = f;
    return c;
  }
  TensorSpec positive() const { return filled(Fill::Positive); }
  TensorSpec unit() const { return filled(Fill::Unit); }
  TensorSpec distinct() const { return filled(Fill::Distinct); }
  TensorSpec index(int64_t n) const {
    auto c = filled(Fill::Index).as(DType::Int64);
    c.bound = n;
    return c;
  }
  TensorSpec mask() const { return as(DType::Bool); }
};
inline TensorSpec t(Ints sizes) { return {std::move(sizes)}; }

/// A value, or tensors to be made.
using Argument = std::variant<HostValue, TensorSpec, std::vector<std::optional<TensorSpec>>>;
/// Arguments by name; those left out take the schema's default.
using Case = std::map<std::string, Argument>;
/// Arguments in schema order.
using Call = std::vector<HostValue>;

/// The cases of `op`: a list by name or shape rule, else one made from its schema.
std::vector<Case> casesFor(const aten::OpInfo &op);

/// The same arguments in other memory orders, all tensors in one and the first apart from the rest,
/// and with equal sizes made 0 and 1 in each order.
std::vector<Case> variantsOf(const Case &given);

/// Makes the arguments for element type `dtype`; none if the case leaves out a required one.
std::optional<Call> makeCall(const aten::OpInfo &op, const Case &cases, DType dtype,
                             std::mt19937 &random);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_CASES_H
