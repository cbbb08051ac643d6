//===- Reference.cpp - A call in double precision, and its condition --------------------===//
//
// In: a call. Out: its results in double precision, and how far they move when the inputs do.
//
//===----------------------------------------------------------------------===//
#include "Reference.h"

#include <cmath>

using namespace ptc;
using namespace ptc::numerics;

static constexpr double kDelta = 0x1p-30;
static constexpr int kTries = 8;

static DType wideOf(DType dtype) {
  switch (getDTypeInfo(dtype).kind) {
  case DTypeKind::Float:
    return DType::Float64;
  case DTypeKind::Complex:
    return DType::Complex128;
  case DTypeKind::Bool:
  case DTypeKind::Unsigned:
  case DTypeKind::Signed:
    return dtype;
  }
  llvm_unreachable("closed enum");
}

static bool isReal(DType dtype) { return isFloat(dtype) || isComplex(dtype); }

/// torch.finfo().eps of the type that eager computes `dtype` in.
static double computeEps(DType dtype) {
  return dtype == DType::Float64 || dtype == DType::Complex128 ? 0x1p-52 : 0x1p-23;
}

namespace {

/// The factors by which an element's parts are changed.
struct Factors {
  double real = 1, imaginary = 1;
};
/// For an element of the argument with this index.
using Change = std::function<Factors(size_t)>;

/// Widens a call; views of one storage stay views of one.
class Widener {
public:
  /// `change` of the elements; null: only types change.
  Widener(const aten::OpInfo &op, const Call &call, const Change &change);
  /// None if there is nothing to widen.
  std::optional<Call> widen();

private:
  HostTensor widen(const HostTensor &t, size_t index);
  HostValue widen(const HostValue &value, size_t index);

  const aten::OpInfo &op;
  const Call &call;
  const Change &change;
  std::map<const TensorStorage *, HostTensor> made;
  std::optional<DType> castFirst; ///< of `dtype=`: what eager converts to before it computes
  bool widensIntegers = false;
  bool roundsNumbers = false; ///< eager computes in float, and with numbers in float
  bool isAnyWidened = false;
};

} // namespace

Widener::Widener(const aten::OpInfo &op, const Call &call, const Change &change)
    : op(op), call(call), change(change) {
  bool isAnyReal = false;
  for (auto [arg, value] : llvm::zip_equal(op.args, call)) {
    const auto *t = value.getIf<HostTensor>();
    isAnyReal |= t && t->isDefined() && isReal(t->dtype());
    // The mean of a half is one of floats.
    if (const auto *type = value.getIf<DType>(); type && isReal(*type) && op.baseName() != "mean")
      castFirst = *type;
  }
  bool isAnyDouble = llvm::any_of(call, [](const HostValue &value) {
    const auto *t = value.getIf<HostTensor>();
    return t && t->isDefined() && isReal(t->dtype()) && computeEps(t->dtype()) < 0x1p-23;
  });
  // A comparison has its step at the number in float.
  roundsNumbers = op.shapeRule == aten::ShapeRule::Pointwise && isAnyReal && !isAnyDouble;
  // A function of integers that gives floats: of its operands, not of an index.
  widensIntegers = !isAnyReal;
}

std::optional<Call> Widener::widen() {
  Call wide;
  for (auto [index, arg, value] : llvm::enumerate(op.args, call)) {
    const auto *t = value.getIf<HostTensor>();
    bool isData = t && t->isDefined() &&
                  (isReal(t->dtype()) || (widensIntegers && (arg.isOperand || arg.name == "self")));
    if (isData)
      wide.push_back(widen(*t, index));
    else if (op.baseName() == "rms_norm" && arg.name == "eps" && value.isNone())
      wide.push_back(computeEps(call[0].tensor().dtype())); // else it would be that of double
    else
      wide.push_back(widen(value, index));
  }
  return isAnyWidened ? std::optional(std::move(wide)) : std::nullopt;
}

HostTensor Widener::widen(const HostTensor &t, size_t index) {
  isAnyWidened = true;
  HostTensor &flat = made[t.storage().get()];
  if (!flat.isDefined()) {
    int64_t count = int64_t(t.storage()->size() / t.elementBytes());
    DType wide = isComplex(t.dtype()) ? DType::Complex128 : DType::Float64;
    flat = HostTensor::zeros(wide, {count});
    HostTensor narrow(t.dtype(), {count}, {1}, 0, t.storage());
    visitDType(t.dtype(), [&](auto from) {
      visitDType(castFirst.value_or(t.dtype()), [&](auto cast) {
        for (int64_t i = 0; i < count; ++i) {
          auto element = convertElement<typename decltype(cast)::Type>(
              narrow.data<typename decltype(from)::Type>()[i]);
          auto z = convertElement<std::complex<double>>(element);
          Factors factors = change ? change(index) : Factors();
          if (wide == DType::Complex128)
            flat.data<std::complex<double>>()[i] = {z.real() * factors.real,
                                                    z.imag() * factors.imaginary};
          else
            flat.data<double>()[i] = z.real() * factors.real;
        }
      });
    });
  }
  return flat.view(t.sizes(), t.strides(), t.storageOffset());
}

HostValue Widener::widen(const HostValue &value, size_t index) {
  if (const auto *t = value.getIf<HostTensor>())
    return t->isDefined() ? t->clone() : *t; // eager may write what it is given
  if (const auto *type = value.getIf<DType>()) {
    isAnyWidened |= isReal(*type);
    return wideOf(*type);
  }
  if (const auto *number = value.getIf<double>(); number && roundsNumbers)
    return double(float(*number));
  if (const auto *list = value.getIf<HostValue::TensorList>()) {
    HostValue::TensorList wide;
    wide.reserve(list->size());
    for (const HostTensor &t : *list)
      wide.push_back(!t.isDefined() ? t : isReal(t.dtype()) ? widen(t, index) : t.clone());
    return wide;
  }
  return value;
}

static void appendValues(const HostTensor &t, std::vector<WideResult> &results) {
  WideResult &result = results.emplace_back();
  if (!t.isDefined())
    return;
  HostTensor dense = t.contiguous();
  visitDType(dense.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i < dense.numel(); ++i)
      result.values.push_back(convertElement<std::complex<double>>(dense.data<T>()[i]));
  });
}

/// The widened call's results; none if it is refused.
static std::optional<std::vector<WideResult>> callWide(const aten::OpInfo &op, const Call &call,
                                                       const Caller &caller, const Change &change) {
  std::optional<Call> wide = Widener(op, call, change).widen();
  if (!wide)
    return std::nullopt;
  auto results = caller(*wide);
  if (!results)
    return std::nullopt;
  std::vector<WideResult> values;
  for (const HostValue &value : *results) {
    if (const auto *t = value.getIf<HostTensor>())
      appendValues(*t, values);
    else if (const auto *list = value.getIf<HostValue::TensorList>())
      for (const HostTensor &t : *list)
        appendValues(t, values);
    else if (value.isNone())
      values.emplace_back();
  }
  return values;
}

/// Steps of a library function, or of what is done to a term before it is summed.
static constexpr double kSteps = 8;

/// Numbers of roundings behind one element of a result, at most.
static double termsOf(const aten::OpInfo &op, const Call &call) {
  if (op.shapeRule == aten::ShapeRule::Pointwise)
    return kSteps;
  double terms = 1;
  for (auto [arg, value] : llvm::zip_equal(op.args, call)) {
    const auto *t = value.getIf<HostTensor>();
    if (!t || !t->isDefined())
      continue;
    // A kernel's output channel sees one kernel of all input channels and the bias.
    bool isKernel = arg.name == "weight" && (op.shapeRule == aten::ShapeRule::Convolution ||
                                             op.shapeRule == aten::ShapeRule::ConvTranspose);
    if (isKernel && t->numel()) {
      double channels = double(std::min(t->size(0), t->size(1)));
      return double(t->numel()) / channels + kSteps;
    }
    terms = std::max(terms, double(t->numel()));
  }
  return terms + kSteps;
}

static double largestOf(const HostTensor &t) {
  std::vector<WideResult> values;
  appendValues(t, values);
  double most = 0;
  for (std::complex<double> z : values[0].values)
    most = std::max(most, std::abs(z));
  return most;
}

static bool productOverflows(const HostTensor &t) {
  std::vector<WideResult> values;
  appendValues(t, values);
  double product = 1;
  for (std::complex<double> z : values[0].values)
    product *= std::max(1.0, std::abs(z));
  return t.dtype() == DType::Float16 ? product > 65504 : product > 0x1p127;
}

/// The elements of one sum over `dim`, or over the classes of a loss.
static int64_t rowOf(const aten::OpInfo &op, const Call &call) {
  const HostTensor &self = call[0].tensor();
  std::optional<unsigned> dim = op.findArg("dim");
  Ints dims{self.dim() > 1 ? 1 : 0};
  if (dim)
    dims = call[*dim].is<Ints>() ? call[*dim].get<Ints>() : Ints{call[*dim].get<int64_t>()};
  int64_t row = 1;
  for (int64_t d : dims)
    row *= self.dim() ? self.size(d < 0 ? d + self.dim() : d) : 1;
  return row;
}

/// log Σ exp(x - max): the sum is at least one, each summand a library function's, and each
/// addition rounds; the logarithm makes their relative error an absolute one.
static double lossOfLogSum(const aten::OpInfo &op, const Call &call, double eps) {
  llvm::StringRef name = op.baseName();
  bool isLogSum = name == "_log_softmax" || name == "log_softmax" || name == "logsumexp" ||
                  name == "cross_entropy_loss";
  return isLogSum ? (double(rowOf(op, call)) + 2) * eps : 0;
}

/// What formulas lose that the condition of the function does not show.
static double lossOfBoth(const aten::OpInfo &op, const Call &call) {
  // Positions are found in float, whatever the elements are: two roundings of the largest one,
  // times the difference of two neighbours.
  if (op.baseName().starts_with("upsample")) {
    const HostTensor &self = call[0].tensor();
    int64_t size = 0;
    for (int64_t d = 2; d < self.dim(); ++d)
      size = std::max(size, self.size(d));
    return 2 * 0x1p-24 * double(size) * 2 * largestOf(self);
  }
  // x / 2 * (1 + erf(x / √2)): erf comes near to -1, with the error of a library function.
  if (op.baseName() == "gelu")
    return largestOf(call[0].tensor()) / 2 * kSteps * computeEps(call[0].tensor().dtype());
  return lossOfLogSum(op, call, 0x1p-52); // ours, and what is called exact
}

/// What eager's formulas lose, and ours in double do not.
static double lossOfEager(const aten::OpInfo &op, const Call &call) {
  // Eager's partial products may overflow before a zero or a small number comes.
  if (op.baseName() == "prod" && productOverflows(call[0].tensor()))
    return std::numeric_limits<double>::infinity();
  const auto *self = call[0].getIf<HostTensor>();
  return self ? lossOfLogSum(op, call, computeEps(self->dtype())) : 0;
}

/// By result and element.
using Movement = std::vector<std::vector<double>>;

/// How far `moved` is from `exact`, over δ, where that is known.
static Movement movementOf(const std::vector<WideResult> &exact,
                           const std::vector<WideResult> &moved) {
  Movement movement(exact.size());
  for (auto [out, to, from] : llvm::zip(movement, exact, moved)) {
    out.resize(to.values.size());
    if (moved.size() != exact.size() || to.values.size() != from.values.size())
      continue;
    for (size_t i = 0; i < to.values.size(); ++i)
      if (double distance = std::abs(from.values[i] - to.values[i]); std::isfinite(distance))
        out[i] = distance / kDelta;
  }
  return movement;
}

/// Takes the larger one of both, element by element.
static void takeLarger(Movement &most, const Movement &other) {
  for (auto [into, from] : llvm::zip_equal(most, other))
    for (size_t i = 0; i < into.size(); ++i)
      into[i] = std::max(into[i], from[i]);
}

/// All elements changed at once, at random.
static Movement movementOfAll(const aten::OpInfo &op, const Call &call, const Caller &caller,
                              const std::vector<WideResult> &exact) {
  Movement movement = movementOf(exact, exact);
  std::mt19937 random(1);
  auto factor = [&] { return 1 + kDelta * (double(random()) / 0x1p31 - 1); };
  for (int n = 0; n < kTries; ++n)
    if (auto moved =
            callWide(op, call, caller, [&](size_t) { return Factors{factor(), factor()}; }))
      takeLarger(movement, movementOf(exact, *moved));
  return movement;
}

/// The elements of one argument after the other, and their parts.
static Movement movementByArgument(const aten::OpInfo &op, const Call &call, const Caller &caller,
                                   const std::vector<WideResult> &exact) {
  Movement sum = movementOf(exact, exact);
  for (auto [index, value] : llvm::enumerate(call)) {
    const auto *t = value.getIf<HostTensor>();
    if (!t || !t->isDefined())
      continue;
    for (bool imaginary : {false, true}) {
      if (imaginary && !isComplex(t->dtype()))
        continue;
      Movement most = movementOf(exact, exact);
      for (double r : {kDelta, -kDelta}) {
        auto change = [&, changed = index](size_t at) {
          Factors factors;
          if (at == changed)
            (imaginary ? factors.imaginary : factors.real) += r;
          return factors;
        };
        if (auto moved = callWide(op, call, caller, change))
          takeLarger(most, movementOf(exact, *moved));
      }
      for (auto [into, from] : llvm::zip_equal(sum, most))
        for (size_t i = 0; i < into.size(); ++i)
          into[i] += from[i];
    }
  }
  return sum;
}

std::optional<Reference> ptc::numerics::referenceOf(const aten::OpInfo &op, const Call &call,
                                                    const Caller &caller) {
  auto exact = callWide(op, call, caller, nullptr);
  if (!exact)
    return std::nullopt;
  Movement movement = op.shapeRule == aten::ShapeRule::Pointwise
                          ? movementByArgument(op, call, caller, *exact)
                          : movementOfAll(op, call, caller, *exact);
  Reference reference{std::move(*exact), termsOf(op, call), lossOfBoth(op, call),
                      lossOfEager(op, call)};
  for (auto [result, moved] : llvm::zip_equal(reference.results, movement))
    result.movement = std::move(moved);
  return reference;
}
