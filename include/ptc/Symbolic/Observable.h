//===- Observable.h - What the entry of an artefact can look at ---*- C++ -*-===//
//
// An observable is a 64-bit integer that can be read from the arguments of a call or its context:
// `x.shape[0]`, `batch["mask"].dtype`, `opts.scale`. The kinds are rows of Runtime/GuardKinds.def.
// An ObservableSpace gives each observable of an entry one symbol; guards of all variants are
// formulas over these symbols. An Observation holds one call's values.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_OBSERVABLE_H
#define PTC_SYMBOLIC_OBSERVABLE_H

#include "ptc/Support/DType.h"
#include "ptc/Symbolic/Expr.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ptc::sym {

enum class ValueTag : uint8_t {
#define PTC_VALUE_TAG(Name, Text) Name,
#include "ptc/Runtime/GuardKinds.def"
};
llvm::StringRef getValueTagName(ValueTag tag);

enum class ObservableKind : uint8_t {
#define PTC_OBSERVABLE(Name, Keyword, Text, Format, Cost) Name,
#include "ptc/Runtime/GuardKinds.def"
};

/// How the integer of an observable is shown to people.
enum class ValueFormat : uint8_t { Int, Bool, DType, Device, Tag, String, Float };

/// A row of the table of observables.
struct ObservableInfo {
  ObservableKind kind;
  llvm::StringLiteral keyword;
  llvm::StringLiteral text;
  ValueFormat format;
  unsigned cost; ///< of reading it, in loads
};
const ObservableInfo &getObservableInfo(ObservableKind kind);
llvm::ArrayRef<ObservableInfo> getAllObservableInfos();
std::optional<ObservableKind> parseObservableKind(llvm::StringRef keyword);

/// One observable. Fields that its kind does not use are empty, so that equality is meaningful.
struct Observable {
  ObservableKind kind;
  std::string path = {}; ///< of the argument, as the user wrote it: `batch["mask"]`; context: empty
  int64_t index = 0; ///< Size, Stride: dimension; Dense: order; FloatCompare: bits of the constant
  std::string other = {}; ///< Overlap: the other argument; FloatCompare: the operator

  auto operator<=>(const Observable &) const = default;
  /// As the user would write it: `x.shape[0]`.
  std::string str() const;
};

/// DLPack's type as one integer: code, bits << 8, lanes << 16.
int64_t dtypeCode(DType dtype);
std::optional<DType> dtypeFromCode(int64_t code);
/// Device type (DLPack: 1 CPU, 2 CUDA) << 32 | index.
int64_t deviceCode(int32_t type, int32_t index = 0);
inline constexpr int32_t kDeviceCpu = 1, kDeviceCuda = 2;
/// "cpu", "cuda:1"; none for other types.
std::optional<std::string> deviceName(int64_t code);

/// Order of dimensions (outermost first) as the index of a Dense observable; at most 16 of them.
int64_t encodeOrder(llvm::ArrayRef<unsigned> order);
llvm::SmallVector<unsigned, 6> decodeOrder(int64_t index, unsigned rank);
/// Whether a tensor is dense in `order`; dimensions of size 1 do not matter.
bool isDense(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
             llvm::ArrayRef<unsigned> order);
/// The order in which a tensor is dense: row-major if it is that, else channels-last, else by
/// descending strides; none if it is dense in no order.
std::optional<llvm::SmallVector<unsigned, 6>> findDenseOrder(llvm::ArrayRef<int64_t> sizes,
                                                             llvm::ArrayRef<int64_t> strides);

/// Strings as integers: each distinct text has one number.
class StringTable {
public:
  int64_t intern(llvm::StringRef text);
  /// The text of `id`, "?" if there is none (a value that no guard compares with).
  llvm::StringRef text(int64_t id) const;

private:
  llvm::StringMap<int64_t> ids;
  std::vector<std::string> texts;
};

/// The observables of one entry, shared by its variants: a symbol each.
class ObservableSpace {
public:
  ObservableSpace() = default;
  ObservableSpace(const ObservableSpace &) = delete;

  Context &context() { return symbols; }
  const Context &context() const { return symbols; }
  StringTable &strings() { return texts; }
  const StringTable &strings() const { return texts; }

  /// The symbol of `observable`, made at first use.
  Expr symbol(const Observable &observable);
  const Observable &observable(SymbolId id) const { return observables[id]; }
  uint32_t numObservables() const { return uint32_t(observables.size()); }

  /// A value as people write it: `torch.float32`, `"fast"`, `True`, `8`.
  std::string formatValue(const Observable &observable, int64_t value) const;

private:
  Context symbols;
  StringTable texts;
  std::vector<Observable> observables; ///< by SymbolId
  std::map<Observable, Expr> index;
};

//===----------------------------------------------------------------------===//
// Observations
//===----------------------------------------------------------------------===//

struct ObservedTensor {
  DType dtype = DType::Float32;
  int64_t device = int64_t(kDeviceCpu) << 32; ///< deviceCode
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides; ///< in elements
  bool requiresGrad = false;
  int64_t storageOffset = 0; ///< in elements
  uint64_t address = 0;      ///< of the first element; 0: not known
  uint64_t storage = 0;      ///< identity of the storage; tensors of different ones do not overlap

  /// Row-major strides.
  static ObservedTensor contiguous(DType dtype, llvm::ArrayRef<int64_t> sizes);
};

/// None, a flag, a number, a string, a dtype, a device, a tensor, a container or an object.
struct ObservedValue {
  ValueTag tag = ValueTag::None;
  int64_t number = 0;            ///< Bool, Int; DType: dtypeCode; Device: deviceCode
  double real = 0;               ///< Float
  std::string text;              ///< Str: the string; Object: the class's name
  int64_t length = 0;            ///< List, Tuple, Dict, Set
  std::vector<std::string> keys; ///< Dict: repr of the keys in order; Object: attribute names
  ObservedTensor tensor;         ///< Tensor
};

/// Path of a call's arguments as a whole, whose keys are the names of those that are given.
inline constexpr char kArgumentsPath[] = "arguments()";

/// The values of one call, by path. Children of containers are entries of their own
/// (`batch`, `batch["mask"]`).
class Observation {
public:
  bool gradMode = true;
  std::map<std::string, ObservedValue, std::less<>> values;
  std::map<std::string, bool, std::less<>> training;  ///< by path of the module
  std::map<std::string, int64_t, std::less<>> states; ///< by path of the persistent slot

  void add(llvm::StringRef path, ObservedValue value);
  void addTensor(llvm::StringRef path, ObservedTensor tensor);
  void addInt(llvm::StringRef path, int64_t value);
  void addBool(llvm::StringRef path, bool value);
  void addFloat(llvm::StringRef path, double value);
  void addString(llvm::StringRef path, llvm::StringRef value);
  void addNone(llvm::StringRef path);

  const ObservedValue *find(llvm::StringRef path) const;

  /// The value of `observable`; none if this call does not have it (no such argument, another kind
  /// of value, fewer dimensions). Strings become numbers of `strings`.
  std::optional<int64_t> read(const Observable &observable, StringTable &strings) const;
};

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_OBSERVABLE_H
