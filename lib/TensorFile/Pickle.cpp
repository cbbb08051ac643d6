//===- Pickle.cpp - Data of a pickle, without running it --------------------------===//
//
// In: the bytes of `data.pkl`. Out: its objects, or why not. A GLOBAL names a row of kGlobals or is
// refused; REDUCE on a row does what the row says and nothing else; BUILD keeps the attributes of
// an OrderedDict (module versions of a state dict). Objects refer to each other by index, so
// nothing recurses.
//
//===----------------------------------------------------------------------===//
#include "Pickle.h"

#include "Bytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <bit>

using namespace ptc;

char PickleFailure::ID;

static constexpr size_t kMaxObjects = 4'000'000, kMaxItems = 16'000'000;

namespace {

using Kind = PickleObject::Kind;

/// What a name in a pickle stands for here.
enum class Meaning : uint8_t { Dict, Set, Tensor, Parameter, Size, Device, DType, StorageType };

struct GlobalRow {
  llvm::StringLiteral module;
  llvm::StringLiteral name;
  Meaning meaning;
  DType dtype = DType::Float32; ///< StorageType, DType
};

enum class Op : uint8_t {
  Mark = '(',
  Stop = '.',
  Pop = '0',
  PopMark = '1',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  None = 'N',
  BinPersid = 'Q',
  Reduce = 'R',
  BinUnicode = 'X',
  Append = 'a',
  Build = 'b',
  Global = 'c',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  EmptyList = ']',
  EmptyTuple = ')',
  EmptyDict = '}',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  Tuple = 't',
  SetItems = 'u',
  BinFloat = 'G',
  Proto = 0x80,
  NewObj = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8a,
  ShortBinUnicode = 0x8c,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
};

} // namespace

static constexpr GlobalRow kGlobals[] = {
    {"collections", "OrderedDict", Meaning::Dict},
    {"torch._utils", "_rebuild_tensor_v2", Meaning::Tensor},
    {"torch._utils", "_rebuild_parameter", Meaning::Parameter},
    {"torch", "Size", Meaning::Size},
    {"torch", "device", Meaning::Device},
    {"builtins", "set", Meaning::Set},
    {"__builtin__", "set", Meaning::Set},
    {"torch", "ByteStorage", Meaning::StorageType, DType::UInt8},
    {"torch", "CharStorage", Meaning::StorageType, DType::Int8},
    {"torch", "ShortStorage", Meaning::StorageType, DType::Int16},
    {"torch", "IntStorage", Meaning::StorageType, DType::Int32},
    {"torch", "LongStorage", Meaning::StorageType, DType::Int64},
    {"torch", "HalfStorage", Meaning::StorageType, DType::Float16},
    {"torch", "FloatStorage", Meaning::StorageType, DType::Float32},
    {"torch", "DoubleStorage", Meaning::StorageType, DType::Float64},
    {"torch", "ComplexFloatStorage", Meaning::StorageType, DType::Complex64},
    {"torch", "ComplexDoubleStorage", Meaning::StorageType, DType::Complex128},
    {"torch", "BoolStorage", Meaning::StorageType, DType::Bool},
    {"torch", "BFloat16Storage", Meaning::StorageType, DType::BFloat16},
    {"torch", "uint8", Meaning::DType, DType::UInt8},
    {"torch", "int8", Meaning::DType, DType::Int8},
    {"torch", "int16", Meaning::DType, DType::Int16},
    {"torch", "int32", Meaning::DType, DType::Int32},
    {"torch", "int64", Meaning::DType, DType::Int64},
    {"torch", "float16", Meaning::DType, DType::Float16},
    {"torch", "float32", Meaning::DType, DType::Float32},
    {"torch", "float64", Meaning::DType, DType::Float64},
    {"torch", "complex64", Meaning::DType, DType::Complex64},
    {"torch", "complex128", Meaning::DType, DType::Complex128},
    {"torch", "bool", Meaning::DType, DType::Bool},
    {"torch", "bfloat16", Meaning::DType, DType::BFloat16},
};

namespace {

class Unpickler {
public:
  Unpickler(llvm::StringRef bytes, const StorageLookup &storages)
      : reader(bytes), storages(storages) {
    pickle.objects.resize(3); // None, False, True
    pickle.objects[kFalse].kind = pickle.objects[kTrue].kind = Kind::Bool;
    pickle.objects[kTrue].number = 1;
  }
  llvm::Expected<Pickle> run();

private:
  static constexpr PickleRef kNone = 0, kFalse = 1, kTrue = 2;

  static llvm::Error damaged(const llvm::Twine &why) {
    return llvm::make_error<PickleFailure>(false, why.str());
  }
  static llvm::Error refused(const llvm::Twine &what) {
    return llvm::make_error<PickleFailure>(true, what.str());
  }
  static llvm::Error truncated() { return damaged("its pickle is truncated"); }

  PickleObject &object(PickleRef ref) { return pickle.objects[ref]; }
  PickleObject &push(Kind kind) {
    stack.push_back(PickleRef(pickle.objects.size()));
    PickleObject &made = pickle.objects.emplace_back();
    made.kind = kind;
    return made;
  }
  /// The lowest index that the running opcode may pop.
  size_t floor() const { return marks.empty() ? 0 : marks.back(); }
  bool has(size_t count) const { return stack.size() >= floor() + count; }
  PickleRef pop() {
    PickleRef top = stack.back();
    stack.pop_back();
    return top;
  }
  std::optional<std::vector<PickleRef>> popToMark();

  llvm::Error step(Op op, bool &stop);
  llvm::Error stepLiteral(Op op);
  llvm::Error stepContainer(Op op);
  llvm::Error stepMemo(Op op);
  llvm::Error pushTuple(size_t count);
  llvm::Error pushString(std::optional<uint64_t> size);
  llvm::Error pushGlobal(llvm::StringRef module, llvm::StringRef name);
  llvm::Error readGlobal();
  llvm::Error readStackGlobal();
  llvm::Error addItems(PickleRef target, llvm::ArrayRef<PickleRef> items, Kind kind);
  llvm::Error reduce();
  llvm::Error build();
  llvm::Error checkBools(const TensorStorage &storage);
  llvm::Error loadStorage();
  llvm::Error rebuildTensor(const PickleObject &args);
  std::optional<llvm::SmallVector<int64_t, 4>> naturals(PickleRef ref);

  ByteReader reader;
  const StorageLookup &storages;
  Pickle pickle;
  std::vector<PickleRef> stack;
  std::vector<size_t> marks;
  size_t numItems = 0;                         ///< that containers got, copies counted
  llvm::DenseSet<const TensorStorage *> bools; ///< whose bytes have been looked at
  llvm::DenseMap<uint32_t, PickleRef> memo;
};

} // namespace

std::optional<std::vector<PickleRef>> Unpickler::popToMark() {
  if (marks.empty())
    return std::nullopt;
  std::vector<PickleRef> items(stack.begin() + std::ptrdiff_t(marks.back()), stack.end());
  stack.resize(marks.back());
  marks.pop_back();
  return items;
}

llvm::Error Unpickler::pushTuple(size_t count) {
  if (!has(count))
    return damaged("its pickle pops an empty stack");
  std::vector<PickleRef> items(stack.end() - std::ptrdiff_t(count), stack.end());
  stack.resize(stack.size() - count);
  push(Kind::Tuple).items = std::move(items);
  return llvm::Error::success();
}

llvm::Error Unpickler::pushString(std::optional<uint64_t> size) {
  std::optional<llvm::StringRef> text = size ? reader.take(*size) : std::nullopt;
  if (!text)
    return truncated();
  if (!llvm::json::isUTF8(*text))
    return damaged("a text in its pickle is not UTF-8");
  push(Kind::String).text = *text;
  return llvm::Error::success();
}

llvm::Error Unpickler::pushGlobal(llvm::StringRef module, llvm::StringRef name) {
  if (!llvm::json::isUTF8(module) || !llvm::json::isUTF8(name))
    return damaged("a text in its pickle is not UTF-8");
  const GlobalRow *row = llvm::find_if(
      kGlobals, [&](const GlobalRow &r) { return r.module == module && r.name == name; });
  if (row == std::end(kGlobals))
    return refused("a reference to " + module + "." + name);
  if (row->meaning == Meaning::DType)
    push(Kind::DType).dtype = row->dtype;
  else
    push(Kind::Global).number = row - kGlobals;
  return llvm::Error::success();
}

llvm::Error Unpickler::readGlobal() {
  llvm::StringRef lines[2];
  for (llvm::StringRef &line : lines) {
    const char *start = nullptr;
    size_t length = 0;
    while (true) {
      std::optional<llvm::StringRef> c = reader.take(1);
      if (!c)
        return truncated();
      if (!start)
        start = c->data();
      if (*c == "\n")
        break;
      ++length;
    }
    line = llvm::StringRef(start, length);
  }
  return pushGlobal(lines[0], lines[1]);
}

llvm::Error Unpickler::readStackGlobal() {
  if (!has(2))
    return damaged("its pickle pops an empty stack");
  PickleRef name = pop(), module = pop();
  if (object(name).kind != Kind::String || object(module).kind != Kind::String)
    return damaged("a global's name is not text");
  return pushGlobal(object(module).text, object(name).text);
}

llvm::Error Unpickler::addItems(PickleRef target, llvm::ArrayRef<PickleRef> items, Kind kind) {
  const PickleObject &container = object(target);
  if (kind == Kind::Dict ? !container.isDict() || items.size() % 2 : container.kind != kind)
    return damaged("its pickle adds items to what is not a container");
  numItems += items.size();
  llvm::append_range(object(target).items, items);
  return llvm::Error::success();
}

std::optional<llvm::SmallVector<int64_t, 4>> Unpickler::naturals(PickleRef ref) {
  const PickleObject &tuple = object(ref);
  if ((tuple.kind != Kind::Tuple && tuple.kind != Kind::Size) || tuple.items.size() > kMaxDims)
    return std::nullopt;
  llvm::SmallVector<int64_t, 4> values;
  for (PickleRef item : tuple.items) {
    if (object(item).kind != Kind::Int || object(item).number < 0)
      return std::nullopt;
    values.push_back(object(item).number);
  }
  return values;
}

/// Pops ('storage', StorageType, key, location, number of elements).
llvm::Error Unpickler::loadStorage() {
  if (!has(1))
    return damaged("its pickle pops an empty stack");
  PickleRef id = pop();
  llvm::ArrayRef<PickleRef> fields = object(id).items;
  if (object(id).kind != Kind::Tuple || fields.size() != 5 ||
      object(fields[0]).kind != Kind::String || object(fields[0]).text != "storage" ||
      object(fields[1]).kind != Kind::Global ||
      kGlobals[object(fields[1]).number].meaning != Meaning::StorageType ||
      object(fields[2]).kind != Kind::String || object(fields[3]).kind != Kind::String)
    return damaged("a persistent id is not a storage");
  llvm::StringRef key = object(fields[2]).text, location = object(fields[3]).text;
  DType dtype = kGlobals[object(fields[1]).number].dtype;
  std::shared_ptr<TensorStorage> storage = storages(key);
  if (!storage)
    return damaged("storage '" + key + "' is missing");
  PickleObject &made = push(Kind::Storage);
  made.payload = std::move(storage);
  made.dtype = dtype;
  made.text = location;
  return llvm::Error::success();
}

llvm::Error Unpickler::checkBools(const TensorStorage &storage) {
  if (!bools.insert(&storage).second)
    return llvm::Error::success();
  for (size_t i = 0; i < storage.size(); ++i)
    if (storage.data()[i] > std::byte(1))
      return damaged("a bool is neither 0 nor 1");
  return llvm::Error::success();
}

/// (storage, offset, sizes, strides, requires_grad, hooks [, metadata])
llvm::Error Unpickler::rebuildTensor(const PickleObject &args) {
  if (args.items.size() < 6 || object(args.items[0]).kind != Kind::Storage ||
      object(args.items[1]).kind != Kind::Int)
    return damaged("a tensor's arguments are wrong");
  const PickleObject &stored = object(args.items[0]);
  int64_t offset = object(args.items[1]).number;
  auto sizes = naturals(args.items[2]), strides = naturals(args.items[3]);
  if (!sizes || !strides || sizes->size() != strides->size() || offset < 0)
    return damaged("a tensor's sizes or strides are wrong");
  auto storage = std::static_pointer_cast<TensorStorage>(stored.payload);
  size_t width = getDTypeInfo(stored.dtype).bytes;
  std::optional<size_t> needed = storageBytes(stored.dtype, *sizes, *strides, offset);
  if (!checkedBytes(*sizes, int64_t(width)) || !needed || *needed > storage->size() ||
      uint64_t(offset) > storage->size() / width)
    return damaged("a tensor reaches beyond its storage");
  if (stored.dtype == DType::Bool)
    if (llvm::Error error = checkBools(*storage))
      return error;
  auto tensor = std::make_shared<HostTensor>(stored.dtype, *sizes, *strides, offset, storage);
  const llvm::StringRef location = stored.text;
  PickleObject &made = push(Kind::Tensor);
  made.payload = std::move(tensor);
  made.text = location;
  made.requiresGrad = args.items[4] == kTrue;
  return llvm::Error::success();
}

llvm::Error Unpickler::reduce() {
  if (!has(2))
    return damaged("its pickle pops an empty stack");
  PickleRef argsRef = pop(), callee = pop();
  if (object(callee).kind != Kind::Global || object(argsRef).kind != Kind::Tuple)
    return damaged("its pickle calls what is not callable");
  const PickleObject args = object(argsRef);
  numItems += args.items.size();
  switch (kGlobals[object(callee).number].meaning) {
  case Meaning::Dict:
    if (!args.items.empty())
      return refused("an OrderedDict with arguments");
    push(Kind::OrderedDict);
    return llvm::Error::success();
  case Meaning::Set: {
    if (args.items.size() != 1 || object(args.items[0]).kind != Kind::List)
      return damaged("a set's arguments are wrong");
    std::vector<PickleRef> members = object(args.items[0]).items;
    numItems += members.size();
    push(Kind::Set).items = std::move(members);
    return llvm::Error::success();
  }
  case Meaning::Device: {
    if (args.items.empty() || object(args.items[0]).kind != Kind::String)
      return damaged("a device's arguments are wrong");
    const llvm::StringRef name = object(args.items[0]).text;
    if (args.items.size() > 1)
      return refused("a device with a number");
    push(Kind::Device).text = name;
    return llvm::Error::success();
  }
  case Meaning::Tensor:
    return rebuildTensor(args);
  case Meaning::Parameter: // (tensor, requires_grad, hooks)
    if (args.items.size() < 2 || object(args.items[0]).kind != Kind::Tensor)
      return damaged("a parameter's arguments are wrong");
    {
      PickleObject made = object(args.items[0]);
      made.kind = Kind::Parameter;
      made.requiresGrad = args.items[1] == kTrue;
      push(Kind::Parameter) = std::move(made);
    }
    return llvm::Error::success();
  case Meaning::Size: {
    if (args.items.size() != 1 || !naturals(args.items[0]))
      return damaged("a torch.Size's arguments are wrong");
    std::vector<PickleRef> sizes = object(args.items[0]).items;
    push(Kind::Size).items = std::move(sizes);
    return llvm::Error::success();
  }
  case Meaning::DType:
  case Meaning::StorageType:
    return refused("a call of a storage or element type");
  }
  llvm_unreachable("closed enum");
}

/// Attributes of an OrderedDict; other objects here have none.
llvm::Error Unpickler::build() {
  if (!has(2))
    return damaged("its pickle pops an empty stack");
  const PickleRef state = pop();
  PickleObject &target = object(stack.back());
  if (target.kind != Kind::OrderedDict || object(state).kind != Kind::Dict)
    return refused("the state of an object");
  target.state = state;
  return llvm::Error::success();
}

llvm::Error Unpickler::stepLiteral(Op op) {
  auto pushInt = [&](std::optional<int64_t> value) -> llvm::Error {
    if (!value)
      return truncated();
    push(Kind::Int).number = *value;
    return llvm::Error::success();
  };
  switch (op) {
  case Op::BinInt:
    return pushInt(reader.takeInt<int32_t>());
  case Op::BinInt1:
    return pushInt(reader.takeInt<uint8_t>());
  case Op::BinInt2:
    return pushInt(reader.takeInt<uint16_t>());
  case Op::Long1: {
    std::optional<uint8_t> size = reader.takeInt<uint8_t>();
    std::optional<llvm::StringRef> digits = size ? reader.take(*size) : std::nullopt;
    if (!digits)
      return truncated();
    if (*size > 8)
      return refused("an integer wider than 64 bits");
    uint64_t value = *size && (digits->back() & 0x80) ? ~uint64_t(0) : 0;
    for (char c : llvm::reverse(*digits))
      value = value << 8 | uint8_t(c);
    return pushInt(int64_t(value));
  }
  case Op::BinFloat: {
    std::optional<uint64_t> bits = reader.takeInt<uint64_t>();
    if (!bits)
      return truncated();
    push(Kind::Float).real = std::bit_cast<double>(llvm::byteswap(*bits));
    return llvm::Error::success();
  }
  case Op::BinUnicode:
    return pushString(reader.takeInt<uint32_t>());
  case Op::ShortBinUnicode:
    return pushString(reader.takeInt<uint8_t>());
  case Op::None:
    stack.push_back(kNone);
    return llvm::Error::success();
  case Op::NewTrue:
  case Op::NewFalse:
    stack.push_back(op == Op::NewTrue ? kTrue : kFalse);
    return llvm::Error::success();
  default: // the byte is foreign data, so every other value is possible
    return refused("pickle opcode " + llvm::Twine(unsigned(op)));
  }
}

llvm::Error Unpickler::stepContainer(Op op) {
  switch (op) {
  case Op::EmptyTuple:
    return pushTuple(0);
  case Op::Tuple1:
  case Op::Tuple2:
  case Op::Tuple3:
    return pushTuple(size_t(op) - size_t(Op::Tuple1) + 1);
  case Op::Tuple: {
    auto items = popToMark();
    if (!items)
      return damaged("its pickle has no mark");
    push(Kind::Tuple).items = std::move(*items);
    return llvm::Error::success();
  }
  case Op::EmptyList:
    push(Kind::List);
    return llvm::Error::success();
  case Op::EmptyDict:
    push(Kind::Dict);
    return llvm::Error::success();
  case Op::Append:
  case Op::SetItem: {
    size_t count = op == Op::Append ? 1 : 2;
    if (!has(count + 1))
      return damaged("its pickle pops an empty stack");
    std::vector<PickleRef> items(stack.end() - std::ptrdiff_t(count), stack.end());
    stack.resize(stack.size() - count);
    return addItems(stack.back(), items, op == Op::Append ? Kind::List : Kind::Dict);
  }
  case Op::Appends:
  case Op::SetItems: {
    auto items = popToMark();
    if (!items || !has(1))
      return damaged("its pickle has no mark");
    return addItems(stack.back(), *items, op == Op::Appends ? Kind::List : Kind::Dict);
  }
  default: // the byte is foreign data
    return stepLiteral(op);
  }
}

llvm::Error Unpickler::stepMemo(Op op) {
  bool wide = op == Op::LongBinGet || op == Op::LongBinPut;
  std::optional<uint32_t> slot = memo.size();
  if (wide)
    slot = reader.takeInt<uint32_t>();
  else if (op != Op::Memoize)
    slot = reader.takeInt<uint8_t>();
  // The map's own marker values are no slots that a pickle of this size has.
  if (!slot || *slot >= kMaxObjects)
    return damaged("a memo slot is out of range");
  if (op == Op::BinGet || op == Op::LongBinGet) {
    auto found = memo.find(*slot);
    if (found == memo.end())
      return damaged("a memo slot is empty");
    stack.push_back(found->second);
  } else {
    if (!has(1))
      return damaged("its pickle pops an empty stack");
    memo[*slot] = stack.back();
  }
  return llvm::Error::success();
}

llvm::Error Unpickler::step(Op op, bool &stop) {
  switch (op) {
  case Op::Proto:
    return reader.take(1) ? llvm::Error::success() : truncated();
  case Op::Frame:
    return reader.take(8) ? llvm::Error::success() : truncated();
  case Op::Mark:
    marks.push_back(stack.size());
    return llvm::Error::success();
  case Op::Stop:
    stop = true;
    return llvm::Error::success();
  case Op::Pop:
    if (!has(1))
      return damaged("its pickle pops an empty stack");
    pop();
    return llvm::Error::success();
  case Op::Build:
    return build();
  case Op::PopMark:
    return popToMark() ? llvm::Error::success() : damaged("its pickle has no mark");
  case Op::Global:
    return readGlobal();
  case Op::StackGlobal:
    return readStackGlobal();
  case Op::Reduce:
  case Op::NewObj:
    return reduce();
  case Op::BinPersid:
    return loadStorage();
  case Op::BinGet:
  case Op::LongBinGet:
  case Op::BinPut:
  case Op::LongBinPut:
  case Op::Memoize:
    return stepMemo(op);
  default: // the byte is foreign data
    return stepContainer(op);
  }
}

llvm::Expected<Pickle> Unpickler::run() {
  bool stop = false;
  while (!stop) {
    std::optional<uint8_t> op = reader.takeInt<uint8_t>();
    if (!op)
      return truncated();
    if (llvm::Error error = step(Op(*op), stop))
      return error;
    if (pickle.objects.size() > kMaxObjects)
      return damaged("it holds more than 4,000,000 objects");
    if (numItems > kMaxItems)
      return damaged("its containers hold more than 16,000,000 objects");
  }
  if (stack.size() != 1)
    return damaged("its pickle does not end with one object");
  pickle.root = stack.back();
  return std::move(pickle);
}

llvm::Expected<Pickle> ptc::readPickle(llvm::StringRef bytes, const StorageLookup &storages) {
  return Unpickler(bytes, storages).run();
}
