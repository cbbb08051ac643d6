//===- Example.h - Arguments of a call as data -------------------*- C++ -*-===//
//
// What `--example`, `--call`, `--input` and `--init` say, and what a call gave back, in the
// notation of the command line ({"$tensor": …}, {"$tuple": …}) after parsing: a closed sum without
// JSON.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_EXAMPLE_H
#define PTC_TENSORFILE_EXAMPLE_H

#include "ptc/TensorFile/HostTensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptc {

/// What a call says of a name of sizes: `B=8 in 1..64`, `B={1,8} in 1..64`, `B in {1,2}`.
struct DeclaredSize {
  std::string name;
  std::optional<int64_t> lower, upper, typical;
  std::vector<int64_t> own; ///< with variants of their own; ascending
  bool isClosed = false;    ///< it is one of `own`
};

/// `L == 16*K`, `L % 16 == 0`: two formulas over names of sizes, and an operator of Python.
struct DeclaredRelation {
  std::string left, relation, right;
};

/// One argument, or a part of one.
struct ExampleValue {
  enum class Kind : uint8_t {
    None,
    Bool,   ///< flag
    Int,    ///< integer; dims if it was declared to be a size
    BigInt, ///< text: decimal digits of an int beyond 64 bits
    Float,  ///< real
    Str,    ///< text, UTF-8
    DType,  ///< dtype
    Device, ///< text: "cpu"
    Tensor, ///< tensor; dims if they were declared
    List,   ///< items
    Tuple,  ///< items; text: class of a named tuple, "torch.Size"
    Set,    ///< items; text: "frozenset" of these
    Dict,   ///< items are keys and values in turn
    Object, ///< text: class name; fields by names[i], items[i]; of an argument, maker
    Bytes,  ///< text: the bytes
    Call,   ///< text: what is called, "module:Name"; items; names of the last of these
    Other,  ///< text: repr of something that has no other form here
  };

  Kind kind = Kind::None;
  bool flag = false;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  DType dtype = DType::Float32;
  HostTensor tensor;
  bool requiresGrad = false;
  /// Formulas over names of sizes, empty ones for plain numbers: none, or one per dimension of a
  /// tensor; of an int one.
  std::vector<std::string> dims;
  std::vector<ExampleValue> items;
  std::vector<std::string> names;
  /// Of an Object whose other attributes a call makes: that Call. None: it has no others.
  std::vector<ExampleValue> maker;

  static ExampleValue none() { return {}; }
  static ExampleValue boolean(bool b) {
    ExampleValue v(Kind::Bool);
    v.flag = b;
    return v;
  }
  static ExampleValue ofInt(int64_t i) {
    ExampleValue v(Kind::Int);
    v.integer = i;
    return v;
  }
  static ExampleValue ofFloat(double d) {
    ExampleValue v(Kind::Float);
    v.real = d;
    return v;
  }
  static ExampleValue ofStr(std::string s, Kind kind = Kind::Str) {
    ExampleValue v(kind);
    v.text = std::move(s);
    return v;
  }
  static ExampleValue ofTensor(HostTensor t) {
    ExampleValue v(Kind::Tensor);
    v.tensor = std::move(t);
    return v;
  }
  static ExampleValue ofItems(Kind kind, std::vector<ExampleValue> items) {
    ExampleValue v(kind);
    v.items = std::move(items);
    return v;
  }

  ExampleValue() = default;
  explicit ExampleValue(Kind kind) : kind(kind) {}
};

/// One call: what is passed to the entry, and optionally the seed set before it.
struct ExampleCall {
  std::vector<ExampleValue> args;
  std::vector<std::pair<std::string, ExampleValue>> kwargs;
  /// Arguments of the class when the entry is one; none: those of --init.
  std::optional<
      std::pair<std::vector<ExampleValue>, std::vector<std::pair<std::string, ExampleValue>>>>
      init;
  std::optional<int64_t> seed;
  std::vector<DeclaredSize> sizes; ///< what is said of the names in `dims`
  std::vector<DeclaredRelation> relations;
  std::string file; ///< where it was read, for diagnostics
};

/// str(value) and repr(value) as Python gives them; tensors as torch prints them.
std::string exampleStr(const ExampleValue &value);
std::string exampleRepr(const ExampleValue &value);

/// What an Object is, for guards: its class, or the call that makes it.
std::string objectClass(const ExampleValue &value);

/// repr(float).
std::string floatRepr(double value);
/// repr(tensor) with torch's default print options: `tensor([1., 2.])`. `suffix` comes last:
/// "requires_grad=True".
std::string tensorRepr(const HostTensor &tensor, llvm::StringRef suffix = {});

} // namespace ptc

#endif // PTC_TENSORFILE_EXAMPLE_H
