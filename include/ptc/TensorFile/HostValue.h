//===- HostValue.h - A value of an ATen schema on the host -------*- C++ -*-===//
//
// What an operation takes and gives when it is executed: by the reference evaluator or by LibTorch.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_HOSTVALUE_H
#define PTC_TENSORFILE_HOSTVALUE_H

#include "ptc/TensorFile/HostTensor.h"

#include <string>
#include <variant>
#include <vector>

namespace ptc {

/// A closed sum. Lists are homogeneous; a list of tensors holds undefined HostTensors for None.
class HostValue {
public:
  struct None {};
  /// c10::DeviceType and index (-1: the current one).
  struct Device {
    int8_t type = 0;
    int8_t index = -1;
  };
  /// c10::Layout.
  struct Layout {
    int8_t code = 0;
  };
  /// c10::MemoryFormat.
  struct MemoryFormat {
    int8_t code = 0;
  };
  /// "The generator": executors keep its state, see their call.
  struct Generator {};
  using IntList = llvm::SmallVector<int64_t, 4>;
  using FloatList = llvm::SmallVector<double, 2>;
  using BoolList = llvm::SmallVector<bool, 4>;
  using TensorList = std::vector<HostTensor>;
  using Sum = std::variant<None, bool, int64_t, double, std::complex<double>, std::string, DType,
                           Device, Layout, MemoryFormat, Generator, IntList, FloatList, BoolList,
                           HostTensor, TensorList>;

  HostValue() = default;
  HostValue(int value) : sum(int64_t(value)) {}
  HostValue(const char *value) : sum(std::string(value)) {}
  template <typename T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, HostValue>)
  HostValue(T value) : sum(std::move(value)) {}

  bool isNone() const { return std::holds_alternative<None>(sum); }
  template <typename T> bool is() const { return std::holds_alternative<T>(sum); }
  template <typename T> const T *getIf() const { return std::get_if<T>(&sum); }
  /// Asserts that it is a T.
  template <typename T> const T &get() const {
    assert(is<T>() && "the alternative that the schema promises");
    return *std::get_if<T>(&sum);
  }
  const HostTensor &tensor() const { return get<HostTensor>(); }
  /// bool, int, float or complex: a Python number.
  bool isNumber() const {
    return is<bool>() || is<int64_t>() || is<double>() || is<std::complex<double>>();
  }
  /// A number as complex; asserts that it is one.
  std::complex<double> asComplex() const;
  /// A real number; asserts that it is a bool, int or float.
  double asDouble() const;
  /// A bool or int; a float is cut as a C cast does.
  int64_t asInt() const;

  Sum sum;
};

/// One line for messages: `f32[2,3]`, `[1, 2]`, `None`.
std::string toString(const HostValue &value);

} // namespace ptc

#endif // PTC_TENSORFILE_HOSTVALUE_H
