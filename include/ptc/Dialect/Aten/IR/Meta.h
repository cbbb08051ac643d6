//===- Meta.h - What an operation's results look like ------------*- C++ -*-===//
//
// Element types, symbolic sizes, strides, devices and aliasing of the results of ATen overloads,
// as eager PyTorch's CPU kernels give them, or the exception that eager would raise. Free of MLIR.
//
// What depends on sizes that are not known is asked of the caller (MetaContext::decide): capture
// answers from the example and keeps a guard, or forks on run-time sizes.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_IR_META_H
#define PTC_DIALECT_ATEN_IR_META_H

#include "ptc/Dialect/Aten/IR/OpTable.h"
#include "ptc/Support/DType.h"
#include "ptc/Symbolic/Expr.h"

#include "llvm/ADT/SmallVector.h"

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace ptc::aten {

enum class DeviceType : uint8_t { CPU, CUDA, Meta };

struct Device {
  DeviceType type = DeviceType::CPU;
  int16_t index = -1; ///< -1: the current one of that type
  bool operator==(const Device &) const = default;
};
/// "cpu", "cuda", "cuda:1".
std::string toString(Device device);
std::optional<Device> parseDevice(llvm::StringRef text);

/// With c10's numbers.
enum class Layout : uint8_t { Strided = 0 };
enum class MemoryFormat : uint8_t {
  Contiguous = 0,
  Preserve = 1,
  ChannelsLast = 2,
  ChannelsLast3d = 3
};

/// "contiguous_format", "channels_last", …, as after `torch.`.
llvm::StringRef toString(MemoryFormat format);
std::optional<MemoryFormat> parseMemoryFormat(llvm::StringRef text);

using Exprs = llvm::SmallVector<sym::Expr, 4>;

/// What is known of a tensor without its elements. Strides and offset count elements.
struct TensorMeta {
  DType dtype = DType::Float32;
  Exprs sizes;
  Exprs strides;
  Device device;
  bool requiresGrad = false;
  /// Made from a Python number: takes part in type promotion by category only.
  bool isWrappedNumber = false;

  int64_t dim() const { return int64_t(sizes.size()); }
  bool operator==(const TensorMeta &) const = default;
};

/// The value of a schema argument: a closed sum.
class ArgValue {
public:
  struct None {
    bool operator==(const None &) const = default;
  };
  /// Known or, with no value, known only at run time.
  struct Bool {
    std::optional<bool> value;
  };
  /// A constant, a size, or a run-time integer (a symbol; unsupported Expr: nothing known).
  struct Int {
    sym::Expr value;
  };
  struct Float {
    std::optional<double> value;
  };
  struct Complex {
    std::optional<std::complex<double>> value;
  };
  struct Str {
    std::string value;
  };
  struct Generator {}; ///< some generator object; None is the default one
  struct IntList {
    Exprs values;
  };
  struct FloatList {
    llvm::SmallVector<double, 2> values;
  };
  struct BoolList {
    llvm::SmallVector<bool, 3> values;
  };
  /// Metas outlive the call; null elements are None.
  struct TensorList {
    llvm::SmallVector<const TensorMeta *, 4> values;
  };
  using Sum =
      std::variant<None, Bool, Int, Float, Complex, Str, DType, Device, Layout, MemoryFormat,
                   Generator, IntList, FloatList, BoolList, const TensorMeta *, TensorList>;

  ArgValue() = default;
  template <typename T>
    requires std::is_constructible_v<Sum, T>
  ArgValue(T value) : sum(std::move(value)) {}

  bool isNone() const { return std::holds_alternative<None>(sum); }
  template <typename T> bool is() const { return std::holds_alternative<T>(sum); }
  template <typename T> const T *getIf() const { return std::get_if<T>(&sum); }
  /// Null if this is no tensor.
  const TensorMeta *tensor() const {
    const auto *p = std::get_if<const TensorMeta *>(&sum);
    return p ? *p : nullptr;
  }
  /// bool, int, float or complex, known or not.
  bool isNumber() const { return is<Bool>() || is<Int>() || is<Float>() || is<Complex>(); }

  Sum sum;
  /// The caller's handle of a value that is not known (run-time Float and Bool); kept by bindArgs.
  uint32_t tag = 0;
};

/// Comparison that a shape function needs decided.
enum class Cmp : uint8_t { EQ, NE, LT, LE, GT, GE };

/// What meta asks its caller.
class MetaContext {
public:
  virtual ~MetaContext();
  virtual sym::Context &symbols() = 0;
  /// Whether `a cmp b`, where the algebra could not prove either answer. `why` says in a few words
  /// what needs it ("broadcasting", "view of non-contiguous tensor"), for the guard's reason.
  /// None: not decided now; infer gives up with MetaResult::pending().
  virtual std::optional<bool> decide(Cmp cmp, sym::Expr a, sym::Expr b, llvm::StringRef why) = 0;
  /// A new size known only at run time, lower <= size <= upper (upper unsupported: no bound).
  virtual sym::Expr freshUnbacked(int64_t lower, sym::Expr upper, llvm::StringRef why) = 0;
  virtual DType defaultDType() { return DType::Float32; }
  virtual Device defaultDevice() { return {}; }
  virtual bool isGradEnabled() { return true; }
};

/// Python exception types that eager operations raise.
enum class PyErrorKind : uint8_t {
  RuntimeError,
  IndexError,
  ValueError,
  TypeError,
  NotImplementedError
};
llvm::StringRef toString(PyErrorKind kind);

/// How a result relates to the storage of an argument.
struct Aliasing {
  enum class Kind : uint8_t {
    Fresh, ///< own storage
    View,  ///< a view of argument `arg`
    Same,  ///< the tensor object `arg` itself (`x.contiguous()` of a contiguous x)
  };
  Kind kind = Kind::Fresh;
  unsigned arg = 0;
  /// View: storage offset in elements, relative to argument `arg`'s own; as_strided with an
  /// explicit offset: counted from the start of the storage.
  sym::Expr offset = {};
  bool isOffsetAbsolute = false;
  bool operator==(const Aliasing &) const = default;
};

struct TensorResult {
  TensorMeta meta;
  Aliasing aliasing = {};
};

/// One result of the schema: a tensor, a list of tensors, or a run-time scalar (HostRead).
struct ResultValue {
  enum class Kind : uint8_t { Tensor, TensorList, Bool, Int, Float, Complex };
  Kind kind = Kind::Tensor;
  llvm::SmallVector<TensorResult, 1> tensors; ///< Tensor: exactly one
};

/// A number known only at run time that eager converts to `dtype`, where it may have no value.
struct OpenNumber {
  ArgValue number;
  DType dtype;
};

struct MetaResult {
  enum class Status : uint8_t {
    Ok,
    Raise,       ///< eager raises `errorKind(text)`
    Unsupported, ///< ptc cannot say; `text` is the reason
    Pending,     ///< MetaContext::decide had no answer
  };
  Status status = Status::Ok;
  llvm::SmallVector<ResultValue, 1> results;
  llvm::SmallVector<OpenNumber, 0> openNumbers;
  PyErrorKind errorKind = PyErrorKind::RuntimeError;
  std::string text;

  static MetaResult raise(PyErrorKind kind, std::string text);
  static MetaResult unsupported(std::string text);
  static MetaResult pending();

  bool isOk() const { return status == Status::Ok; }
  /// The only tensor of an op with one tensor result.
  const TensorResult &tensor() const { return results.front().tensors.front(); }
};

/// Results of `op` on `args`, one value per schema argument in schema order (complete, defaults
/// filled in: see bindArgs). A number may stand for a Tensor where the op has OpFlag::Numbers.
MetaResult infer(const OpInfo &op, llvm::ArrayRef<ArgValue> args, MetaContext &ctx);

/// The in-place form: as infer, then what writing the result to argument 0 requires (same sizes,
/// castable type). The one result is argument 0 itself. In-place views (unsqueeze_, t_) write no
/// element: the result is the view, which the tensor object of argument 0 becomes.
MetaResult inferInplace(const OpInfo &op, llvm::ArrayRef<ArgValue> args, MetaContext &ctx);

/// The value of an argument that the call leaves out; none if it is required.
std::optional<ArgValue> defaultValue(const ArgInfo &arg, sym::Context &symbols);

/// Whether `value` is acceptable for `arg` of `op` as eager's argument parser decides it.
bool accepts(const OpInfo &op, const ArgInfo &arg, const ArgValue &value);

struct KeywordArg {
  llvm::StringRef name;
  ArgValue value;
};
/// Brings a call's arguments to schema order, fills in defaults, lets a trailing `*sizes` of
/// integers stand for a list (x.view(2, 3)), an integer for `int[n]`, an int for a float. None,
/// and in *error a text, if the overload does not take them. `input`, `axis` and `keepdims` are
/// accepted for `self`, `dim` and `keepdim`. `to.dtype_layout` takes (device, dtype, non_blocking,
/// copy) by position, as Tensor.to does.
std::optional<llvm::SmallVector<ArgValue, 8>>
bindArgs(const OpInfo &op, llvm::ArrayRef<ArgValue> positional, llvm::ArrayRef<KeywordArg> keywords,
         sym::Context &symbols, std::string *error = nullptr);

/// Row-major strides as eager makes them (sizes of 0 count as 1).
Exprs contiguousStrides(sym::Context &symbols, llvm::ArrayRef<sym::Expr> sizes);
/// Strides of a dense tensor of `format`; rank 4 for ChannelsLast, 5 for ChannelsLast3d.
Exprs denseStrides(sym::Context &symbols, llvm::ArrayRef<sym::Expr> sizes, MemoryFormat format);
/// Product of the sizes.
sym::Expr numel(sym::Context &symbols, const TensorMeta &meta);
/// torch.promote_types.
DType promoteTypes(DType a, DType b);
/// torch.can_cast.
bool canCast(DType from, DType to);
/// c10's name of a type in messages: "Long", "Float".
llvm::StringRef scalarTypeName(DType dtype);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_META_H
