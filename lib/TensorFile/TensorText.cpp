//===- TensorText.cpp - Tensors as torch prints them -------------------------------===//
//
// In: a tensor. Out: repr(tensor) under torch's default print options: four digits, three elements
// at each end of a dimension of a tensor of more than a thousand, lines of 80.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/Example.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <functional>

using namespace ptc;

namespace {

constexpr int64_t kThreshold = 1000, kEdge = 3, kLineWidth = 80;
constexpr int kDigits = 4;

std::string printed(const char *format, double value, int digits = kDigits) {
  char buffer[400];
  int n = snprintf(buffer, sizeof buffer, format, digits, value);
  return {buffer, size_t(n)};
}

/// Width and notation that suit all elements.
struct Formatter {
  bool floating = false, whole = true, scientific = false;
  size_t width = 1;

  std::string text(double v) const {
    std::string out;
    if (std::isnan(v))
      out = "nan";
    else if (std::isinf(v))
      out = v < 0 ? "-inf" : "inf";
    else if (scientific)
      out = printed("%.*e", v);
    else if (whole)
      out = printed("%.*f", v, 0) + ".";
    else
      out = printed("%.*f", v);
    return pad(std::move(out));
  }
  std::string pad(std::string out) const {
    return out.size() < width ? std::string(width - out.size(), ' ') + out : out;
  }

  void fit(llvm::ArrayRef<double> values) {
    floating = true;
    double low = INFINITY, high = 0;
    for (double v : values) {
      if (!std::isfinite(v) || v == 0)
        continue;
      low = std::min(low, std::fabs(v));
      high = std::max(high, std::fabs(v));
      whole &= v == std::ceil(v);
    }
    if (high == 0)
      return;
    scientific = high / low > 1000. || high > 1e8 || low < 1e-4;
    for (double v : values)
      if (std::isfinite(v) && v != 0)
        width = std::max(width, scientific ? printed("%.*e", v).size()
                                : whole    ? printed("%.*f", v, 0).size() + 1
                                           : printed("%.*f", v).size());
  }
};

class Printer {
public:
  explicit Printer(const HostTensor &tensor)
      : tensor(tensor), summarize(tensor.numel() > kThreshold) {
    std::vector<double> first, second;
    size_t longest = 1;
    llvm::SmallVector<int64_t, 6> index(tensor.dim(), 0);
    visit(0, index, [&] {
      if (isComplex(tensor.dtype())) {
        first.push_back(tensor.getComplex(index).real());
        second.push_back(tensor.getComplex(index).imag());
      } else if (isFloat(tensor.dtype())) {
        first.push_back(tensor.getDouble(index));
      } else {
        longest = std::max(longest, plain(index).size());
      }
    });
    real.width = longest;
    if (isComplex(tensor.dtype()) || isFloat(tensor.dtype()))
      real.fit(first);
    if (isComplex(tensor.dtype()))
      imaginary.fit(second);
  }

  std::string print(int64_t indent) {
    llvm::SmallVector<int64_t, 6> index(tensor.dim(), 0);
    return tensor.dim() == 0 ? element(index) : dimension(0, index, indent);
  }

private:
  using Index = llvm::SmallVector<int64_t, 6>;

  bool isCut(int64_t d) const { return summarize && tensor.size(d) > 2 * kEdge; }

  /// Positions of dimension `d` that are shown; -1 stands for the gap.
  std::vector<int64_t> shown(int64_t d) const {
    std::vector<int64_t> out;
    int64_t n = tensor.size(d);
    for (int64_t i = 0; i < n; ++i) {
      if (isCut(d) && i == kEdge) {
        out.push_back(-1);
        i = n - kEdge;
      }
      out.push_back(i);
    }
    return out;
  }

  void visit(int64_t d, Index &index, llvm::function_ref<void()> fn) {
    if (d == tensor.dim())
      return fn();
    for (int64_t i : shown(d)) {
      if (i < 0)
        continue;
      index[d] = i;
      visit(d + 1, index, fn);
    }
  }

  std::string plain(const Index &index) const {
    if (isBool(tensor.dtype()))
      return tensor.getInt(index) ? "True" : "False";
    return std::to_string(tensor.getInt(index));
  }

  std::string element(const Index &index) const {
    if (isComplex(tensor.dtype())) {
      std::complex<double> c = tensor.getComplex(index);
      std::string imag = llvm::StringRef(imaginary.text(c.imag()) + "j").ltrim().str();
      return real.text(c.real()) + (imag[0] == '-' ? "" : "+") + imag;
    }
    return isFloat(tensor.dtype()) ? real.text(tensor.getDouble(index)) : real.pad(plain(index));
  }

  std::string dimension(int64_t d, Index &index, int64_t indent) {
    bool last = d + 1 == tensor.dim();
    std::vector<std::string> parts;
    for (int64_t i : shown(d)) {
      index[d] = std::max<int64_t>(i, 0);
      parts.push_back(i < 0  ? (last ? " ..." : "...")
                      : last ? element(index)
                             : dimension(d + 1, index, indent + 1));
    }
    int64_t width = int64_t(real.width) + 2;
    if (isComplex(tensor.dtype()))
      width += int64_t(imaginary.width) + 1;
    int64_t perLine = last ? std::max<int64_t>(1, (kLineWidth - indent) / width) : 1;
    std::string newline = "," + std::string(size_t(last ? 1 : tensor.dim() - d - 1), '\n') +
                          std::string(size_t(indent + 1), ' ');
    std::string out = "[";
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i)
        out += int64_t(i) % perLine ? ", " : newline;
      out += parts[i];
    }
    return out + "]";
  }

  const HostTensor &tensor;
  bool summarize;
  Formatter real, imaginary;
};

} // namespace

std::string ptc::tensorRepr(const HostTensor &tensor, llvm::StringRef suffix) {
  constexpr llvm::StringLiteral kPrefix = "tensor(";
  DType dtype = tensor.dtype();
  bool empty = tensor.numel() == 0;
  bool usual = dtype == DType::Float32 ||
               (!empty && (dtype == DType::Complex64 || dtype == DType::Int64 || isBool(dtype)));
  std::vector<std::string> suffixes;
  if (empty && tensor.dim() != 1) {
    std::string size;
    for (int64_t n : tensor.sizes())
      size += (size.empty() ? "" : ", ") + std::to_string(n);
    suffixes.push_back("size=(" + size + ")");
  }
  if (!usual)
    suffixes.push_back("dtype=torch." + getDTypeInfo(dtype).torchName.str());
  if (!suffix.empty())
    suffixes.push_back(suffix.str());
  std::string out = kPrefix.str() + (empty ? "[]" : Printer(tensor).print(int64_t(kPrefix.size())));
  size_t newline = out.rfind('\n');
  size_t line = newline == std::string::npos ? out.size() + 2 : out.size() - newline + 1;
  for (const std::string &suffix : suffixes) {
    if (int64_t(line + suffix.size() + 2) > kLineWidth) {
      out += ",\n" + std::string(kPrefix.size(), ' ') + suffix;
      line = kPrefix.size() + suffix.size();
    } else {
      out += ", " + suffix;
      line += suffix.size() + 2;
    }
  }
  return out + ")";
}
