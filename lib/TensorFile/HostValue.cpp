//===- HostValue.cpp - Values of ATen schemas on the host ---------------------===//
//
// In: a value. Out: its number, or a line of text for messages.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/HostValue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptc;

std::complex<double> HostValue::asComplex() const {
  if (const auto *value = getIf<std::complex<double>>())
    return *value;
  return asDouble();
}

double HostValue::asDouble() const {
  if (const double *value = getIf<double>())
    return *value;
  return double(asInt());
}

int64_t HostValue::asInt() const {
  if (const bool *value = getIf<bool>())
    return *value;
  if (const double *value = getIf<double>())
    return convertElement<int64_t>(*value);
  return get<int64_t>();
}

namespace {

/// Prints each alternative.
struct Printer {
  llvm::raw_ostream &os;

  template <typename T> void list(const T &values) {
    os << '[';
    llvm::interleaveComma(values, os);
    os << ']';
  }
  void operator()(HostValue::None) { os << "None"; }
  void operator()(bool value) { os << (value ? "True" : "False"); }
  void operator()(int64_t value) { os << value; }
  void operator()(double value) { os << llvm::formatv("{0}", value); }
  void operator()(std::complex<double> value) {
    os << '(' << value.real() << ", " << value.imag() << "j)";
  }
  void operator()(const std::string &value) { os << '\'' << value << '\''; }
  void operator()(DType value) { os << getDTypeInfo(value).torchName; }
  void operator()(HostValue::Device value) { os << "device:" << int(value.type); }
  void operator()(HostValue::Layout value) { os << "layout:" << int(value.code); }
  void operator()(HostValue::MemoryFormat value) { os << "memory_format:" << int(value.code); }
  void operator()(HostValue::Generator) { os << "generator"; }
  void operator()(const HostValue::IntList &values) { list(values); }
  void operator()(const HostValue::FloatList &values) { list(values); }
  void operator()(const HostValue::BoolList &values) { list(values); }
  void operator()(const HostTensor &tensor) {
    if (!tensor.isDefined()) {
      os << "None";
      return;
    }
    os << getDTypeInfo(tensor.dtype()).alias;
    list(tensor.sizes());
    if (!tensor.isContiguous()) {
      os << '/';
      list(tensor.strides());
    }
  }
  void operator()(const HostValue::TensorList &tensors) {
    os << '(';
    for (const HostTensor &tensor : tensors) {
      (*this)(tensor);
      os << ' ';
    }
    os << ')';
  }
};

} // namespace

std::string ptc::toString(const HostValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::visit(Printer{os}, value.sum);
  return text;
}
