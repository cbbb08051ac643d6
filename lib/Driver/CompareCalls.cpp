//===- CompareCalls.cpp - What two executions of a call gave back ------------------------===//
//
// In: what a call gave back by two executors. Out: the first difference beyond tolerance with its
// path, and the largest error. Types, sizes, texts, aliasing and exceptions' types are exact.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/CompareCalls.h"

#include <cmath>

using namespace ptc;

Tolerance ptc::toleranceOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return {4e-3, 2e-3};
  case DType::BFloat16:
    return {3e-2, 1.6e-2};
  case DType::Float32: // sums in another order, some layers deep
  case DType::Complex64:
    return {1e-4, 1e-5};
  case DType::Float64:
  case DType::Complex128:
    return {1e-9, 1e-10};
  case DType::Bool:
  case DType::UInt8:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return {};
  }
  llvm_unreachable("closed enum");
}

void Comparison::differ(const std::string &path, const llvm::Twine &what) {
  if (difference.empty())
    difference = (path + ": " + what).str();
}

double Comparison::note(const std::string &path, double error, double allowed) {
  double part = error == 0 ? 0 : allowed > 0 ? error / allowed : HUGE_VAL;
  if (part > worst || (worstAt.empty() && part == worst)) {
    worst = part;
    worstAt = path;
  }
  return part;
}

/// |a - b|; 0 for equal infinities and for two NaNs, infinite for one.
template <typename T> static double distance(T a, T b) {
  if (a == b || (a != a && b != b))
    return 0;
  double d = std::abs(a - b);
  return std::isnan(d) ? HUGE_VAL : d;
}

void Comparison::numbers(const std::string &path, double ours, double eager) {
  Tolerance t = toleranceOf(DType::Float32);
  double allowed = (t.relative + t.absolute) * std::fabs(eager);
  if (note(path, distance(ours, eager), std::isfinite(allowed) ? allowed : 0) > 1)
    differ(path, floatRepr(ours) + ", eager " + floatRepr(eager));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// Elements of one type, walked in step.
template <typename T> struct TensorPair {
  HostTensor a, b;
  Tolerance tolerance;
  int64_t at = -1;  ///< of the largest error
  double worst = 0; ///< fraction of what is allowed
  double error = 0, allowed = 0;

  using Wide = std::conditional_t<IsComplexElement<T>::value, std::complex<double>, double>;

  void run() {
    const T *x = a.data<T>(), *y = b.data<T>();
    double largest = 0;
    for (int64_t i = 0; i < b.numel(); ++i)
      if (double size = std::abs(convertElement<Wide>(y[i])); std::isfinite(size))
        largest = std::max(largest, size);
    for (int64_t i = 0; i < a.numel(); ++i) {
      double d;
      if constexpr (std::is_integral_v<T>)
        d = x[i] == y[i] ? 0 : HUGE_VAL;
      else
        d = distance(convertElement<Wide>(x[i]), convertElement<Wide>(y[i]));
      if (d == 0)
        continue;
      double size = std::abs(convertElement<Wide>(y[i]));
      double limit =
          tolerance.absolute * largest + (std::isfinite(size) ? tolerance.relative * size : 0);
      double part = limit > 0 ? d / limit : HUGE_VAL;
      if (at < 0 || part > worst) {
        at = i;
        worst = part;
        error = d;
        allowed = limit;
      }
    }
  }

  std::string text(int64_t i) const {
    if constexpr (std::is_integral_v<T>)
      return std::to_string(convertElement<int64_t>(a.data<T>()[i])) + ", eager " +
             std::to_string(convertElement<int64_t>(b.data<T>()[i]));
    else if constexpr (IsComplexElement<T>::value)
      return complexText(a.data<T>()[i]) + ", eager " + complexText(b.data<T>()[i]);
    else
      return floatRepr(convertElement<double>(a.data<T>()[i])) + ", eager " +
             floatRepr(convertElement<double>(b.data<T>()[i]));
  }

  static std::string complexText(T value) {
    return "(" + floatRepr(double(value.real())) + ", " + floatRepr(double(value.imag())) + ")";
  }
};
} // namespace

static std::string indexText(int64_t flat, llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 6> index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0;) {
    index[d] = flat % sizes[d];
    flat /= sizes[d];
  }
  std::string text = "[";
  for (int64_t i : index)
    text += (text.size() > 1 ? ", " : "") + std::to_string(i);
  return text + "]";
}

void Comparison::tensors(const std::string &path, const HostTensor &ours, const HostTensor &eager) {
  if (!ours.isDefined() || !eager.isDefined()) {
    if (ours.isDefined() != eager.isDefined())
      differ(path, "one is None");
    return;
  }
  if (ours.dtype() != eager.dtype())
    return differ(path, "dtype " + getDTypeInfo(ours.dtype()).torchName + ", eager " +
                            getDTypeInfo(eager.dtype()).torchName);
  if (ours.sizes() != eager.sizes())
    return differ(path, toString(HostValue(ours)) + ", eager " + toString(HostValue(eager)));
  visitDType(ours.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    TensorPair<T> pair{ours.contiguous(), eager.contiguous(), tolerances.of(ours.dtype())};
    pair.run();
    note(path, pair.error, pair.allowed);
    if (pair.at >= 0 && pair.worst > 1)
      differ(path, "element " + indexText(pair.at, ours.sizes()) + " of " +
                       getDTypeInfo(ours.dtype()).alias + " is " + pair.text(pair.at));
  });
}

void Comparison::hostValues(const std::string &path, const HostValue &ours,
                            const HostValue &eager) {
  const auto *a = ours.getIf<HostTensor>(), *b = eager.getIf<HostTensor>();
  if (a && b)
    return tensors(path, *a, *b);
  const auto *as = ours.getIf<HostValue::TensorList>(), *bs = eager.getIf<HostValue::TensorList>();
  if (as && bs && as->size() == bs->size()) {
    for (size_t i = 0; i < as->size(); ++i)
      tensors(path + "[" + std::to_string(i) + "]", (*as)[i], (*bs)[i]);
    return;
  }
  bool none = (a && !a->isDefined() && eager.isNone()) || (b && !b->isDefined() && ours.isNone());
  if (!none && toString(ours) != toString(eager))
    differ(path, toString(ours) + ", eager " + toString(eager));
}

//===----------------------------------------------------------------------===//
// Python values
//===----------------------------------------------------------------------===//

/// Cuts a number off the front of `text`: digits with sign, point and exponent.
static std::optional<double> takeNumber(llvm::StringRef &text) {
  llvm::StringRef digits = text.ltrim("-+").take_front(1);
  if (digits.empty() || !isdigit(digits[0]))
    return std::nullopt;
  std::string copy = text.take_front(40).str();
  char *end = nullptr;
  double value = std::strtod(copy.c_str(), &end);
  text = text.drop_front(size_t(end - copy.c_str()));
  return value;
}

void Comparison::texts(const std::string &path, llvm::StringRef ours, llvm::StringRef eager) {
  llvm::StringRef a = ours, b = eager;
  while (!a.empty() && !b.empty()) {
    std::optional<double> x = takeNumber(a), y = takeNumber(b);
    if (x && y) {
      numbers(path, *x, *y);
      continue;
    }
    if (x || y || a.front() != b.front())
      break;
    a = a.drop_front();
    b = b.drop_front();
  }
  if (!a.empty() || !b.empty())
    differ(path, "'" + ours + "', eager '" + eager + "'");
}

void Comparison::values(const std::string &path, const ExampleValue &ours,
                        const ExampleValue &eager) {
  using K = ExampleValue::Kind;
  if (ours.kind != eager.kind)
    return differ(path, exampleRepr(ours) + ", eager " + exampleRepr(eager));
  switch (ours.kind) {
  case K::Tensor:
    return tensors(path, ours.tensor, eager.tensor);
  case K::Float:
    return numbers(path, ours.real, eager.real);
  case K::Str:
    return texts(path, ours.text, eager.text);
  case K::List:
  case K::Tuple:
  case K::Set:
  case K::Dict:
  case K::Object:
    break;
  case K::None:
  case K::Bool:
  case K::Int:
  case K::BigInt:
  case K::DType:
  case K::Device:
  case K::Bytes:
  case K::Call:
  case K::Other:
    if (exampleRepr(ours) != exampleRepr(eager))
      differ(path, exampleRepr(ours) + ", eager " + exampleRepr(eager));
    return;
  }
  if (ours.items.size() != eager.items.size() || ours.names != eager.names ||
      ours.text != eager.text)
    return differ(path, exampleRepr(ours) + ", eager " + exampleRepr(eager));
  std::vector<std::pair<std::string, const ExampleValue *>> parts;
  forEachPart(path, ours, [&](const std::string &at, const ExampleValue &part) {
    parts.emplace_back(at, &part);
  });
  size_t i = 0;
  forEachPart(path, eager, [&](const std::string &, const ExampleValue &part) {
    values(parts[i].first, *parts[i].second, part);
    ++i;
  });
}

static std::string pairsText(llvm::ArrayRef<std::pair<std::string, std::string>> pairs) {
  std::string text;
  for (const auto &[a, b] : pairs)
    text.append(text.empty() ? "" : ", ").append(a).append(" is ").append(b);
  return text.empty() ? "none" : text;
}

void Comparison::calls(const CallReport &ours, const CallReport &eager) {
  const auto &a = ours.call.raised, &b = eager.call.raised;
  auto raisedText = [](const std::optional<program::CallResult::Raised> &raised) {
    return raised ? "raises " + raised->type + " at line " + std::to_string(raised->loc.line)
                  : std::string("returns");
  };
  // The texts of what operations raise are LibTorch's own.
  if (raisedText(a) != raisedText(b))
    return differ("result", raisedText(a) + ", eager " + raisedText(b));
  if (!a)
    values("result", ours.call.result, eager.call.result);
  texts("standard output", ours.call.out, eager.call.out);
  texts("standard error", ours.call.err, eager.call.err);
  if (ours.inputs.size() != eager.inputs.size())
    return differ("inputs", std::to_string(ours.inputs.size()) + " are written, eager writes " +
                                std::to_string(eager.inputs.size()));
  for (size_t i = 0; i < ours.inputs.size(); ++i)
    values("input " + ours.inputs[i].first, ours.inputs[i].second, eager.inputs[i].second);
  if (ours.aliases != eager.aliases)
    differ("aliases", pairsText(ours.aliases) + ", eager " + pairsText(eager.aliases));
}
