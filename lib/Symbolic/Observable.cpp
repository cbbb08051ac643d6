//===- Observable.cpp - The table of observables and how they are read ---------------===//
//
// In: rows of GuardKinds.def, values of a call. Out: integers, and their texts.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/Observable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <bit>
#include <cassert>
#include <numeric>

using namespace ptc;
using namespace ptc::sym;

static constexpr llvm::StringLiteral kTagNames[] = {
#define PTC_VALUE_TAG(Name, Text) Text,
#include "ptc/Runtime/GuardKinds.def"
};

static constexpr ObservableInfo kObservableInfos[] = {
#define PTC_OBSERVABLE(Name, Keyword, Text, Format, Cost)                                          \
  {ObservableKind::Name, Keyword, Text, ValueFormat::Format, Cost},
#include "ptc/Runtime/GuardKinds.def"
};

llvm::StringRef ptc::sym::getValueTagName(ValueTag tag) {
  assert(size_t(tag) < std::size(kTagNames));
  return kTagNames[size_t(tag)];
}

const ObservableInfo &ptc::sym::getObservableInfo(ObservableKind kind) {
  assert(size_t(kind) < std::size(kObservableInfos));
  return kObservableInfos[size_t(kind)];
}

llvm::ArrayRef<ObservableInfo> ptc::sym::getAllObservableInfos() { return kObservableInfos; }

std::optional<ObservableKind> ptc::sym::parseObservableKind(llvm::StringRef keyword) {
  for (const ObservableInfo &info : kObservableInfos)
    if (info.keyword == keyword)
      return info.kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Codes and layouts
//===----------------------------------------------------------------------===//

int64_t ptc::sym::dtypeCode(DType dtype) {
  const DTypeInfo &info = getDTypeInfo(dtype);
  return info.dlCode | (int64_t(info.bytes) * 8) << 8 | int64_t(1) << 16;
}

std::optional<DType> ptc::sym::dtypeFromCode(int64_t code) {
  for (const DTypeInfo &info : getAllDTypeInfos())
    if (dtypeCode(info.dtype) == code)
      return info.dtype;
  return std::nullopt;
}

int64_t ptc::sym::deviceCode(int32_t type, int32_t index) {
  return int64_t(type) << 32 | uint32_t(index);
}

std::optional<std::string> ptc::sym::deviceName(int64_t code) {
  switch (code >> 32) {
  case kDeviceCpu:
    return "cpu";
  case kDeviceCuda:
    return "cuda:" + std::to_string(code & 0xffffffff);
  default: // other DLPack devices: no name of ours
    return std::nullopt;
  }
}

int64_t ptc::sym::encodeOrder(llvm::ArrayRef<unsigned> order) {
  assert(order.size() <= 16 && "four bits for each dimension");
  uint64_t code = 0;
  for (auto [i, dimension] : llvm::enumerate(order))
    code |= uint64_t(dimension) << (4 * i);
  return int64_t(code);
}

llvm::SmallVector<unsigned, 6> ptc::sym::decodeOrder(int64_t index, unsigned rank) {
  llvm::SmallVector<unsigned, 6> order;
  for (unsigned i = 0; i < rank; ++i)
    order.push_back(unsigned(uint64_t(index) >> (4 * i)) & 15);
  return order;
}

bool ptc::sym::isDense(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
                       llvm::ArrayRef<unsigned> order) {
  if (sizes.size() != strides.size() || sizes.size() != order.size() ||
      llvm::any_of(order, [&](unsigned d) { return d >= sizes.size(); }))
    return false;
  if (llvm::is_contained(sizes, 0))
    return true;
  int64_t expected = 1;
  for (unsigned d : llvm::reverse(order)) {
    if (sizes[d] == 1)
      continue;
    if (strides[d] != expected || __builtin_mul_overflow(expected, sizes[d], &expected))
      return false;
  }
  return true;
}

/// Are the strides those of dimensions that lie in this order, of tensors without elements, too?
static bool haveOrder(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
                      llvm::ArrayRef<unsigned> order) {
  int64_t expected = 1;
  for (unsigned d : llvm::reverse(order)) {
    if (strides[d] != expected)
      return false;
    expected *= std::max<int64_t>(sizes[d], 1);
  }
  return true;
}

std::optional<llvm::SmallVector<unsigned, 6>>
ptc::sym::findDenseOrder(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides) {
  unsigned rank = unsigned(sizes.size());
  if (rank > 16)
    return std::nullopt;
  llvm::SmallVector<unsigned, 6> order(rank);
  std::iota(order.begin(), order.end(), 0);
  // Without elements a tensor lies in every order; eager sees by its strides which one is meant.
  const bool isEmpty = llvm::is_contained(sizes, 0) && !haveOrder(sizes, strides, order);
  if (!isEmpty && isDense(sizes, strides, order))
    return order;
  if (rank == 4 || rank == 5) {
    llvm::SmallVector<unsigned, 6> channelsLast{0};
    for (unsigned d = 2; d < rank; ++d)
      channelsLast.push_back(d);
    channelsLast.push_back(1);
    if (isEmpty ? haveOrder(sizes, strides, channelsLast) : isDense(sizes, strides, channelsLast))
      return channelsLast;
  }
  const llvm::SmallVector<unsigned, 6> rows = order;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return strides[a] != strides[b] ? strides[a] > strides[b] : a < b;
  });
  if (isEmpty)
    return haveOrder(sizes, strides, order) ? order : rows;
  if (isDense(sizes, strides, order))
    return order;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// A float so that Python reads the same value back.
static std::string formatFloat(int64_t bits) {
  double value = std::bit_cast<double>(bits);
  llvm::SmallString<32> shortest;
  for (int digits = 1; digits <= 17; ++digits) {
    shortest.clear();
    llvm::raw_svector_ostream os(shortest);
    os << llvm::format("%.*g", digits, value);
    double back;
    if (!llvm::StringRef(shortest).getAsDouble(back) && back == value)
      break;
  }
  return shortest.str().str();
}

static std::string formatOrder(int64_t index) {
  // The rank is not stored: dimensions end where the highest one stands.
  unsigned highest = 0;
  for (unsigned i = 0; i < 16; ++i)
    highest = std::max(highest, unsigned(uint64_t(index) >> (4 * i)) & 15);
  std::string text = "(";
  for (auto [i, dimension] : llvm::enumerate(decodeOrder(index, highest + 1)))
    text += (i ? ", " : "") + std::to_string(dimension);
  return text + ")";
}

std::string Observable::str() const {
  const ObservableInfo &info = getObservableInfo(kind);
  std::string indexText = kind == ObservableKind::Dense          ? formatOrder(index)
                          : kind == ObservableKind::FloatCompare ? formatFloat(index)
                                                                 : std::to_string(index);
  return llvm::formatv(false, info.text.data(), path, indexText, other).str();
}

int64_t StringTable::intern(llvm::StringRef text) {
  auto [place, fresh] = ids.try_emplace(text, int64_t(texts.size()));
  if (fresh)
    texts.push_back(text.str());
  return place->second;
}

llvm::StringRef StringTable::text(int64_t id) const {
  return id >= 0 && size_t(id) < texts.size() ? llvm::StringRef(texts[size_t(id)]) : "?";
}

/// What is true of every value of an observable, whatever the call.
static SymbolInfo symbolFor(const Observable &observable) {
  SymbolInfo info{.name = observable.str(), .lower = Interval::kMin};
  switch (observable.kind) {
  case ObservableKind::Size:
  case ObservableKind::Rank:
  case ObservableKind::Length:
  case ObservableKind::StorageOffset:
    info.lower = 0;
    break;
  case ObservableKind::Alignment:
    info.lower = 0;
    info.upper = 63;
    break;
  case ObservableKind::RequiresGrad:
  case ObservableKind::Dense:
  case ObservableKind::Overlap:
  case ObservableKind::BoolValue:
  case ObservableKind::FloatCompare:
  case ObservableKind::GradMode:
  case ObservableKind::Training:
    info.lower = 0;
    info.upper = 1;
    break;
  case ObservableKind::Tag:
  case ObservableKind::ClassName:
  case ObservableKind::Keys:
  case ObservableKind::DType:
  case ObservableKind::Device:
  case ObservableKind::Stride:
  case ObservableKind::Value:
  case ObservableKind::StringValue:
  case ObservableKind::DTypeValue:
  case ObservableKind::DeviceValue:
  case ObservableKind::FloatBits:
  case ObservableKind::StateTag:
    break;
  }
  return info;
}

Expr ObservableSpace::symbol(const Observable &observable) {
  auto found = index.find(observable);
  if (found != index.end())
    return found->second;
  SymbolInfo info = symbolFor(observable);
  // An argument's value in two forms (a string here, a number there) has one text; names of
  // symbols are unique.
  while (symbols.findSymbol(info.name))
    info.name += "'";
  Expr symbol = symbols.symbol(std::move(info));
  observables.push_back(observable);
  index.emplace(observable, symbol);
  return symbol;
}

/// As source text: what is not ASCII stands for itself.
static std::string quote(llvm::StringRef text) {
  std::string quoted = "\"";
  for (char c : text) {
    bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else if (control)
      quoted += "\\x" + llvm::toHex(llvm::StringRef(&c, 1), /*LowerCase=*/true);
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string ObservableSpace::formatValue(const Observable &observable, int64_t value) const {
  switch (getObservableInfo(observable.kind).format) {
  case ValueFormat::Int:
    return std::to_string(value);
  case ValueFormat::Bool:
    return value ? "True" : "False";
  case ValueFormat::DType:
    if (std::optional<DType> dtype = dtypeFromCode(value))
      return "torch." + getDTypeInfo(*dtype).torchName.str();
    return "dtype code " + std::to_string(value);
  case ValueFormat::Device:
    return deviceName(value).value_or("device code " + std::to_string(value));
  case ValueFormat::Tag:
    if (value >= 0 && size_t(value) < std::size(kTagNames))
      return kTagNames[value].str();
    return "type code " + std::to_string(value);
  case ValueFormat::String:
    return quote(texts.text(value));
  case ValueFormat::Float:
    return formatFloat(value);
  }
  llvm_unreachable("closed enum");
}

//===----------------------------------------------------------------------===//
// Observations
//===----------------------------------------------------------------------===//

ObservedTensor ObservedTensor::contiguous(DType dtype, llvm::ArrayRef<int64_t> sizes) {
  ObservedTensor tensor;
  tensor.dtype = dtype;
  tensor.sizes.assign(sizes.begin(), sizes.end());
  tensor.strides.resize(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    tensor.strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return tensor;
}

void Observation::add(llvm::StringRef path, ObservedValue value) {
  values.insert_or_assign(path.str(), std::move(value));
}
void Observation::addTensor(llvm::StringRef path, ObservedTensor tensor) {
  ObservedValue value;
  value.tag = ValueTag::Tensor;
  value.tensor = std::move(tensor);
  add(path, std::move(value));
}
void Observation::addInt(llvm::StringRef path, int64_t number) {
  ObservedValue value;
  value.tag = ValueTag::Int;
  value.number = number;
  add(path, std::move(value));
}
void Observation::addBool(llvm::StringRef path, bool flag) {
  ObservedValue value;
  value.tag = ValueTag::Bool;
  value.number = flag;
  add(path, std::move(value));
}
void Observation::addFloat(llvm::StringRef path, double real) {
  ObservedValue value;
  value.tag = ValueTag::Float;
  value.real = real;
  add(path, std::move(value));
}
void Observation::addString(llvm::StringRef path, llvm::StringRef text) {
  ObservedValue value;
  value.tag = ValueTag::Str;
  value.text = text.str();
  add(path, std::move(value));
}
void Observation::addNone(llvm::StringRef path) { add(path, {}); }

const ObservedValue *Observation::find(llvm::StringRef path) const {
  auto found = values.find(std::string_view(path));
  return found == values.end() ? nullptr : &found->second;
}

/// Whether the elements of a and b can share memory: their address ranges meet in one storage.
static bool mayOverlap(const ObservedTensor &a, const ObservedTensor &b) {
  if (a.storage != b.storage)
    return false;
  // [first, last] of the elements, relative to the storage; strides may be negative in theory.
  auto range = [](const ObservedTensor &t) -> std::pair<int64_t, int64_t> {
    int64_t first = t.storageOffset, last = t.storageOffset;
    for (auto [size, stride] : llvm::zip(t.sizes, t.strides))
      (stride < 0 ? first : last) += (size - 1) * stride;
    int64_t bytes = getDTypeInfo(t.dtype).bytes;
    return {first * bytes, (last + 1) * bytes};
  };
  if (llvm::is_contained(a.sizes, 0) || llvm::is_contained(b.sizes, 0))
    return false;
  auto [firstA, endA] = range(a);
  auto [firstB, endB] = range(b);
  return firstA < endB && firstB < endA;
}

/// Truth of `value op constant` with Python's semantics (NaN compares unequal).
static std::optional<int64_t> compareFloat(double value, llvm::StringRef op, double constant) {
  if (op == "==")
    return value == constant;
  if (op == "!=")
    return value != constant;
  if (op == "<")
    return value < constant;
  if (op == "<=")
    return value <= constant;
  if (op == ">")
    return value > constant;
  if (op == ">=")
    return value >= constant;
  return std::nullopt;
}

template <typename Map> static std::optional<int64_t> lookUp(const Map &map, llvm::StringRef path) {
  auto found = map.find(std::string_view(path));
  return found == map.end() ? std::nullopt : std::optional<int64_t>(found->second);
}

static std::optional<int64_t> element(llvm::ArrayRef<int64_t> list, int64_t i) {
  return i >= 0 && size_t(i) < list.size() ? std::optional(list[size_t(i)]) : std::nullopt;
}

static bool isDenseInOrder(const ObservedTensor &t, int64_t order) {
  unsigned rank = unsigned(t.sizes.size());
  return rank <= 16 && isDense(t.sizes, t.strides, decodeOrder(order, rank));
}

static const ObservedTensor *asTensor(const ObservedValue *value) {
  return value && value->tag == ValueTag::Tensor ? &value->tensor : nullptr;
}

/// Dictionaries by their keys, sets by their elements, objects by the names of their attributes.
static bool hasKeys(const ObservedValue &value) {
  return value.tag == ValueTag::Dict || value.tag == ValueTag::Set || value.tag == ValueTag::Object;
}

static bool isContainer(const ObservedValue &value) {
  return value.tag == ValueTag::List || value.tag == ValueTag::Tuple ||
         value.tag == ValueTag::Dict || value.tag == ValueTag::Set;
}

static std::optional<int64_t> numberOf(const ObservedValue *value, ValueTag tag) {
  return value && value->tag == tag ? std::optional(value->number) : std::nullopt;
}

static std::optional<int64_t> bitsOf(const ObservedValue *value) {
  bool isFloat = value && value->tag == ValueTag::Float;
  return isFloat ? std::optional(std::bit_cast<int64_t>(value->real)) : std::nullopt;
}

static std::optional<int64_t> truthOf(const ObservedValue *value, const Observable &condition) {
  if (!value || value->tag != ValueTag::Float)
    return std::nullopt;
  return compareFloat(value->real, condition.other, std::bit_cast<double>(condition.index));
}

std::optional<int64_t> Observation::read(const Observable &observable, StringTable &strings) const {
  using Result = std::optional<int64_t>;
  const ObservedValue *value = find(observable.path);
  const ObservedTensor *t = asTensor(value), *other = asTensor(find(observable.other));
  auto isText = [&](ValueTag tag) { return value && value->tag == tag; };
  switch (observable.kind) {
  case ObservableKind::Tag:
    return value ? Result(int64_t(value->tag)) : Result();
  case ObservableKind::ClassName:
    return isText(ValueTag::Object) ? Result(strings.intern(value->text)) : Result();
  case ObservableKind::Length:
    return value && isContainer(*value) ? Result(value->length) : Result();
  case ObservableKind::Keys:
    return value && hasKeys(*value) ? Result(strings.intern(llvm::join(value->keys, ", ")))
                                    : Result();
  case ObservableKind::Rank:
    return t ? Result(t->sizes.size()) : Result();
  case ObservableKind::DType:
    return t ? Result(dtypeCode(t->dtype)) : Result();
  case ObservableKind::Device:
    return t ? Result(t->device) : Result();
  case ObservableKind::RequiresGrad:
    return t ? Result(t->requiresGrad) : Result();
  case ObservableKind::Size:
    return t ? element(t->sizes, observable.index) : Result();
  case ObservableKind::Stride:
    return t ? element(t->strides, observable.index) : Result();
  case ObservableKind::StorageOffset:
    return t ? Result(t->storageOffset) : Result();
  case ObservableKind::Alignment:
    return t ? Result(t->address % 64) : Result();
  case ObservableKind::Dense:
    return t ? Result(isDenseInOrder(*t, observable.index)) : Result();
  case ObservableKind::Overlap:
    return t && other ? Result(mayOverlap(*t, *other)) : Result();
  case ObservableKind::Value:
    return numberOf(value, ValueTag::Int);
  case ObservableKind::BoolValue:
    return numberOf(value, ValueTag::Bool);
  case ObservableKind::StringValue:
    return isText(ValueTag::Str) ? Result(strings.intern(value->text)) : Result();
  case ObservableKind::DTypeValue:
    return numberOf(value, ValueTag::DType);
  case ObservableKind::DeviceValue:
    return numberOf(value, ValueTag::Device);
  case ObservableKind::FloatBits:
    return bitsOf(value);
  case ObservableKind::FloatCompare:
    return truthOf(value, observable);
  case ObservableKind::GradMode:
    return gradMode;
  case ObservableKind::Training:
    return lookUp(training, observable.path);
  case ObservableKind::StateTag:
    return lookUp(states, observable.path);
  }
  llvm_unreachable("closed enum");
}
