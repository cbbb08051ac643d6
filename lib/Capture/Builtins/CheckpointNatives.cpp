//===- CheckpointNatives.cpp - Files of tensors that the program loads ---------------------===//
//
// In: paths of checkpoints and of safetensors files, while modules are imported and the entry's
// object is made. Out: what they hold, for the prelude to make objects of. Their tensors are
// weights of the program, named after the file and the keys that lead to them: their elements are
// no constants of it.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Answers.h"
#include "../Objects.h"
#include "../Tensors.h"

#include "ptc/TensorFile/Checkpoint.h"
#include "ptc/TensorFile/TensorFile.h"

#include "llvm/ADT/StringMap.h"

using namespace ptc;
using namespace ptc::capture;
using namespace ptc::capture::builtins;

namespace {
/// The tensors of one file as the program's.
class LoadedTensors {
public:
  LoadedTensors(Engine &e, llvm::StringRef file) : e(e), file(file) {}

  /// `key`: what leads to it in the file.
  Value add(llvm::StringRef key, const HostTensor &tensor);

private:
  Value weight(llvm::StringRef key, HostTensor whole);

  Engine &e;
  std::string file;
  llvm::StringMap<unsigned> names; ///< how many tensors have it
  /// By storage: a tensor of all its elements.
  llvm::DenseMap<const TensorStorage *, Value> storages;
};
} // namespace

static bool fillsStorage(const HostTensor &tensor) {
  return tensor.isContiguous() && tensor.storageOffset() == 0 &&
         size_t(tensor.numel()) * tensor.elementBytes() == tensor.storage()->size();
}

Value LoadedTensors::weight(llvm::StringRef key, HostTensor whole) {
  std::string name = (file + ":" + key).str();
  if (const unsigned before = names[name]++)
    name += "#" + std::to_string(before + 1);
  aten::TensorMeta meta;
  meta.dtype = whole.dtype();
  for (int64_t size : whole.sizes())
    meta.sizes.push_back(e.sizes().constant(size));
  meta.strides = e.contiguousStrides(meta.sizes);
  const ValueId id = e.emitIn(e.top, TapeOp::Weight, {}, tapeTypeOf(meta), {TapeArg::str(name)});
  e.usedWeights.push_back(name);
  e.loadedValues.insert(id);
  e.loadedWeights.push_back({std::move(name), std::move(whole)});
  return e.newTensor(id);
}

Value LoadedTensors::add(llvm::StringRef key, const HostTensor &tensor) {
  auto [found, isNew] = storages.try_emplace(tensor.storage().get());
  const bool isWhole = fillsStorage(tensor);
  if (isNew) {
    const int64_t room = int64_t(tensor.storage()->size() / tensor.elementBytes());
    found->second = weight(
        key, isWhole ? tensor : HostTensor(tensor.dtype(), {room}, {1}, 0, tensor.storage()));
    if (isWhole)
      return found->second;
  }
  if (asTensor(found->second).dtype != tensor.dtype())
    return e.refuse(DiagId::Unsupported, "'" + file +
                                             "', where tensors of different element types "
                                             "share a storage,");
  auto tupleOf = [](llvm::ArrayRef<int64_t> numbers) {
    std::vector<Value> parts;
    for (int64_t number : numbers)
      parts.push_back(Value::integer(number));
    return Value::tuple(std::move(parts));
  };
  return e.tensorOp("as_strided",
                    {found->second, tupleOf(tensor.sizes()), tupleOf(tensor.strides()),
                     Value::integer(tensor.storageOffset())});
}

/// The path of a file that the program loads; empty after a refusal.
static std::string pathToLoad(Engine &e, const Value &given) {
  const Value path = e.unboxed(e.known(given));
  if (!path.is(Kind::Str)) {
    (void)e.refuse(DiagId::Unsupported, "loading a file whose name is not known");
    return "";
  }
  if (e.recording()) {
    Diagnostic diag = makeDiagnostic(DiagId::Unsupported, e.here(),
                                     "loading '" + path.asStr().str() + "' in a call");
    diag.hint("load it where the module is made: the program has no files when it is called");
    (void)e.refuse(std::move(diag));
    return "";
  }
  return path.asStr().str();
}

static FailAny refuseFile(Engine &e, llvm::Error error) {
  std::vector<Diagnostic> diags = takeDiagnostics(std::move(error));
  Diagnostic &first = diags.front();
  if (!first.loc.isKnown())
    first.loc = e.here();
  return e.refuse(std::move(first));
}

/// What `read` makes of the file that the program loads and from now on depends on.
template <typename T>
static std::optional<T> load(Engine &e, const std::string &path,
                             llvm::Expected<T> (*read)(llvm::StringRef)) {
  if (path.empty())
    return std::nullopt;
  llvm::Expected<T> found = read(path);
  if (!found)
    return refuseFile(e, found.takeError());
  e.world->fileLoaded(path);
  assume(e, "'" + path + "' holds what it holds now: its tensors are weights of the program");
  return std::move(*found);
}

namespace {
/// The objects that the root of a checkpoint reaches, parts first.
class CheckpointRows {
public:
  CheckpointRows(Engine &e, const Pickle &pickle, llvm::StringRef file)
      : e(e), pickle(pickle), tensors(e, file) {}
  Value make();

private:
  struct Open {
    PickleRef ref;
    std::string key; ///< of this part alone
    std::vector<PickleRef> parts;
    size_t next = 0;
  };
  void open(PickleRef ref, std::string key);
  std::string keyOfPart(const Open &of) const;
  std::string keyOfAll() const;
  Value row(const Open &done);

  Engine &e;
  const Pickle &pickle;
  LoadedTensors tensors;
  std::vector<Open> path;
  llvm::DenseMap<PickleRef, int64_t> places;
  llvm::DenseSet<PickleRef> opened;
};
} // namespace

void CheckpointRows::open(PickleRef ref, std::string key) {
  const PickleObject &object = pickle.objects[ref];
  opened.insert(ref);
  path.push_back({ref, std::move(key), object.items});
  if (object.state)
    path.back().parts.push_back(*object.state);
}

/// What leads to the part that comes next: the key in a dict, the place in a list.
std::string CheckpointRows::keyOfPart(const Open &of) const {
  const PickleObject &object = pickle.objects[of.ref];
  if (!object.isDict() || of.next >= object.items.size())
    return std::to_string(of.next);
  const PickleObject &key = pickle.objects[object.items[of.next & ~size_t(1)]];
  return key.kind == PickleObject::Kind::String ? key.text.str() : std::to_string(key.number);
}

/// What leads to the innermost of the objects that are open.
std::string CheckpointRows::keyOfAll() const {
  std::string key;
  for (const Open &open : llvm::drop_begin(path))
    key += (key.empty() ? "" : ".") + open.key;
  return key;
}

/// (kind, payload): a value, or the places of the parts.
Value CheckpointRows::row(const Open &done) {
  using K = PickleObject::Kind;
  const PickleObject &object = pickle.objects[done.ref];
  auto make = [](llvm::StringRef kind, Value payload) {
    return Value::tuple({Value::str(kind), std::move(payload)});
  };
  auto parts = [&] {
    std::vector<Value> found;
    found.reserve(object.items.size());
    for (PickleRef part : object.items)
      found.push_back(Value::integer(places.lookup(part)));
    return Value::tuple(std::move(found));
  };
  switch (object.kind) {
  case K::None:
    return make("value", Value::none());
  case K::Bool:
    return make("value", Value::boolean(object.number));
  case K::Int:
    return make("value", Value::integer(object.number));
  case K::Float:
    return make("value", Value::real(object.real));
  case K::String:
    return make("value", Value::str(object.text));
  case K::DType:
    return make("value", Value::dtype(object.dtype));
  case K::Device:
    return make("device", Value::str(object.text));
  case K::Tuple:
    return make("tuple", parts());
  case K::Size:
    return make("size", parts());
  case K::List:
    return make("list", parts());
  case K::Set:
    return make("set", parts());
  case K::Dict:
    return make("dict", parts());
  case K::OrderedDict:
    return make("ordered",
                Value::tuple({parts(), object.state ? Value::integer(places.lookup(*object.state))
                                                    : Value::none()}));
  case K::Tensor:
  case K::Parameter: {
    Value tensor = tensors.add(keyOfAll(), object.tensor());
    if (tensor.isFail())
      return tensor;
    return make(
        object.kind == K::Tensor ? "tensor" : "parameter",
        Value::tuple({tensor, Value::str(object.text), Value::boolean(object.requiresGrad)}));
  }
  case K::Global:
  case K::Storage:
    return e.refuse(DiagId::Unsupported, "a checkpoint with a storage or a type in it");
  }
  llvm_unreachable("closed enum");
}

Value CheckpointRows::make() {
  std::vector<Value> rows;
  open(pickle.root, "");
  while (!path.empty()) {
    if (path.back().next < path.back().parts.size()) {
      const PickleRef part = path.back().parts[path.back().next];
      std::string key = keyOfPart(path.back());
      ++path.back().next;
      if (!opened.contains(part))
        open(part, std::move(key));
      else if (!places.contains(part))
        return e.refuse(DiagId::Unsupported, "a checkpoint with an object that holds itself");
      continue;
    }
    PTC_LET(made, row(path.back()));
    places[path.back().ref] = int64_t(rows.size());
    rows.push_back(std::move(made));
    path.pop_back();
  }
  return Value::tuple(std::move(rows));
}

/// The objects in a file that torch.save wrote, parts first: (kind, payload) each.
Value builtins::ptcCheckpoint(Engine &e, CallArgs &args) {
  const std::string path = pathToLoad(e, arg(args, 0));
  PTC_GET(read, load(e, path, readCheckpointObjects));
  return CheckpointRows(e, read, path).make();
}

/// Of a safetensors file: (name, tensor) of each tensor, in the order of their data, and the pairs
/// of its metadata.
Value builtins::ptcSafetensors(Engine &e, CallArgs &args) {
  const std::string path = pathToLoad(e, arg(args, 0));
  PTC_GET(read, load(e, path, readSafetensorsFile));
  LoadedTensors tensors(e, path);
  std::vector<Value> rows, metadata;
  for (const NamedTensor &tensor : read.tensors) {
    PTC_LET(made, tensors.add(tensor.name, tensor.tensor));
    rows.push_back(Value::tuple({Value::str(tensor.name), made}));
  }
  for (const auto &[name, text] : read.metadata)
    metadata.push_back(Value::tuple({Value::str(name), Value::str(text)}));
  return Value::tuple({Value::tuple(std::move(rows)), Value::tuple(std::move(metadata))});
}
