// Functions of ints and floats by their names. In: operands. Out: what the C function of the row
// gives, or CPython's exception.
#include "ptc/Python/Math.h"

#include "Raise.h"

#include "ptc/Runtime/Numbers.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cmath>

namespace ptc::py {

namespace {
template <typename T> T numberAs(Number n) {
  if constexpr (std::is_same_v<T, double>)
    return n.real;
  else
    return n.integer;
}

template <typename T> constexpr NumberKind kKindOf = NumberKind::Int;
template <> constexpr NumberKind kKindOf<double> = NumberKind::Float;
template <> constexpr NumberKind kKindOf<bool> = NumberKind::Bool;

/// What a C type says of a function: its operands, its result, and how it is called.
template <typename Fn> struct Shape;

template <typename R, typename... A> struct Shape<R(A...)> {
  static constexpr std::array<NumberKind, sizeof...(A)> kOperands{kKindOf<A>...};
  static constexpr NumberKind kResult = kKindOf<R>;
  template <R (*fn)(A...)> static bool compute(llvm::ArrayRef<Number> operands, Number &result) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      R r = fn(numberAs<A>(operands[I])...);
      if constexpr (std::is_same_v<R, double>)
        result.real = r;
      else
        result.integer = r;
      return true;
    }(std::index_sequence_for<A...>());
  }
};
template <> struct Shape<bool(int64_t, int64_t *)> {
  static constexpr std::array<NumberKind, 1> kOperands{NumberKind::Int};
  static constexpr NumberKind kResult = NumberKind::CheckedInt;
  template <bool (*fn)(int64_t, int64_t *)>
  static bool compute(llvm::ArrayRef<Number> operands, Number &result) {
    return fn(operands[0].integer, &result.integer);
  }
};
template <> struct Shape<bool(int64_t, int64_t, int64_t *)> {
  static constexpr std::array<NumberKind, 2> kOperands{NumberKind::Int, NumberKind::Int};
  static constexpr NumberKind kResult = NumberKind::CheckedInt;
  template <bool (*fn)(int64_t, int64_t, int64_t *)>
  static bool compute(llvm::ArrayRef<Number> operands, Number &result) {
    return fn(operands[0].integer, operands[1].integer, &result.integer);
  }
};
template <> struct Shape<double(const double *, int64_t)> {
  static constexpr std::array<NumberKind, 1> kOperands{NumberKind::Floats};
  static constexpr NumberKind kResult = NumberKind::Float;
  template <double (*fn)(const double *, int64_t)>
  static bool compute(llvm::ArrayRef<Number> operands, Number &result) {
    llvm::SmallVector<double, 4> reals;
    for (Number n : operands)
      reals.push_back(n.real);
    result.real = fn(reals.data(), int64_t(reals.size()));
    return true;
  }
};
} // namespace

// std::acos and its like have several types: the row's is named.
#define PTC_NUMBER_FUNCTION(Name, Symbol, Type, Errors)                                            \
  {Name,                                                                                           \
   #Symbol,                                                                                        \
   Shape<Type>::kOperands,                                                                         \
   Shape<Type>::kResult,                                                                           \
   NumberErrors::Errors,                                                                           \
   &Shape<Type>::compute<static_cast<std::add_pointer_t<Type>>(&::Symbol)>},
static constexpr NumberFunction kFunctions[] = {
#include "ptc/Runtime/NumberFunctions.def"
};

const NumberFunction *findNumberFunction(llvm::StringRef name) {
  const auto *row = llvm::find_if(kFunctions, [&](const auto &row) { return row.name == name; });
  return row == std::end(kFunctions) ? nullptr : row;
}

std::optional<Raised> raisedForNaN(NumberErrors errors) {
  switch (errors) {
  case NumberErrors::None:
  case NumberErrors::Rounded:
    return std::nullopt;
  case NumberErrors::Domain:
  case NumberErrors::Range:
    return valueError("math domain error");
  }
  llvm_unreachable("closed enum");
}

std::optional<Raised> raisedForInfinity(NumberErrors errors) {
  switch (errors) {
  case NumberErrors::None:
    return std::nullopt;
  case NumberErrors::Domain:
    return valueError("math domain error");
  case NumberErrors::Range:
    return overflowError("math range error");
  case NumberErrors::Rounded:
    return overflowError("rounded value too large to represent");
  }
  llvm_unreachable("closed enum");
}

Result<Number> evaluate(const NumberFunction &function, llvm::ArrayRef<Number> operands,
                        bool &overflowed) {
  Number result{};
  overflowed = !function.compute(operands, result);
  if (function.result != NumberKind::Float)
    return result;
  auto isEach = [&](bool (*holds)(double)) {
    for (size_t i = 0; i < operands.size(); ++i)
      if (function.operandKind(i) == NumberKind::Float && !holds(operands[i].real))
        return false;
    return true;
  };
  std::optional<Raised> raised;
  if (std::isnan(result.real) && isEach([](double x) { return !std::isnan(x); }))
    raised = raisedForNaN(function.errors);
  else if (std::isinf(result.real) && isEach([](double x) { return std::isfinite(x); }))
    raised = raisedForInfinity(function.errors);
  if (raised)
    return *raised;
  return result;
}

double vectorNorm(llvm::ArrayRef<double> coordinates) {
  return ptc_number_norm(coordinates.data(), int64_t(coordinates.size()));
}

static Result<double> evaluateReal(llvm::StringRef name, double x) {
  bool overflowed;
  Result<Number> result = evaluate(*findNumberFunction(name), Number{.real = x}, overflowed);
  if (!result)
    return result.error();
  return result->real;
}

Result<double> gamma(double x) { return evaluateReal("gamma", x); }
Result<double> logGamma(double x) { return evaluateReal("lgamma", x); }

} // namespace ptc::py
