//===- Checkpoint.cpp - State dicts written by torch.save --------------------------===//
//
// In: a zip with `NAME/data.pkl` and `NAME/data/KEY`. Out: its objects, or, of a state dict, named
// tensors in the dict's order; tensors of one storage share it. Anything in a state dict that is
// not a tensor is refused, so that a training checkpoint is not half read.
//
//===----------------------------------------------------------------------===//
#include "Bytes.h"
#include "Pickle.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/TensorFile.h"
#include "ptc/TensorFile/Zip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace ptc;

static llvm::Error fromPickle(llvm::Error error, llvm::StringRef path) {
  llvm::Error result = llvm::Error::success();
  llvm::handleAllErrors(std::move(error), [&](const PickleFailure &failure) {
    llvm::consumeError(std::move(result));
    result = makeError(failure.refused ? DiagId::CheckpointRefused : DiagId::CheckpointMalformed,
                       {}, path, failure.text);
  });
  return result;
}

/// The dict's tensors; a dict of dicts gets a hint that names the one to save.
static llvm::Expected<std::vector<NamedTensor>> tensorsOf(const Pickle &pickle,
                                                          llvm::StringRef path) {
  const PickleObject &root = pickle.objects[pickle.root];
  if (!root.isDict())
    return makeError(DiagId::CheckpointRefused, {}, path, "something that is not a dict");
  std::vector<NamedTensor> tensors;
  llvm::StringSet<> names;
  for (size_t i = 0; i < root.items.size(); i += 2) {
    const PickleObject &key = pickle.objects[root.items[i]];
    const PickleObject &value = pickle.objects[root.items[i + 1]];
    if (key.kind != PickleObject::Kind::String)
      return makeError(DiagId::CheckpointRefused, {}, path, "a key that is not text");
    if (!value.isTensor()) {
      Diagnostic diag = makeDiagnostic(DiagId::CheckpointRefused, {}, path,
                                       "'" + key.text.str() + "' that is not a tensor");
      diag.hint(value.isDict()
                    ? "save that dict alone: torch.save(checkpoint['" + key.text.str() + "'], ...)"
                    : "save model.state_dict() alone");
      return makeError(std::move(diag));
    }
    if (!names.insert(key.text).second)
      return makeError(DiagId::CheckpointMalformed, {}, path,
                       "'" + key.text.str() + "' occurs twice");
    tensors.push_back({key.text.str(), value.tensor()});
  }
  return tensors;
}

/// Pickles in a row, as before PyTorch 1.6: the first one is the number 0x1950a86a20f9469cfc6c, of
/// any protocol from 2 on.
static bool isOldFormat(llvm::StringRef bytes) {
  static constexpr llvm::StringLiteral kMagic("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.");
  return bytes.starts_with("\x80") && bytes.drop_front(2).starts_with(kMagic);
}

static llvm::Expected<Pickle> parseObjects(std::shared_ptr<TensorStorage> file,
                                           llvm::StringRef path) {
  auto malformed = [&](const llvm::Twine &why) {
    return makeError(DiagId::CheckpointMalformed, {}, path, why.str());
  };
  llvm::StringRef bytes(reinterpret_cast<const char *>(file->data()), file->size());
  if (isOldFormat(bytes)) {
    Diagnostic diag =
        makeDiagnostic(DiagId::CheckpointMalformed, {}, path,
                       "it has the old format of torch.save, which is no zip archive");
    return makeError(std::move(
        diag.hint("save it anew: torch.save(torch.load('" + path.str() +
                  "', map_location='cpu', weights_only=True), NEW), or as .safetensors")));
  }
  llvm::Expected<llvm::StringMap<llvm::StringRef>> members = readZip(bytes);
  if (!members)
    return malformed(llvm::toString(members.takeError()));
  auto isPickle = [](const auto &member) { return member.getKey().ends_with("/data.pkl"); };
  auto found = llvm::find_if(*members, isPickle);
  if (found == members->end() || llvm::count_if(*members, isPickle) != 1)
    return malformed("it has no data.pkl");
  std::string root = found->getKey().drop_back(llvm::StringRef("data.pkl").size()).str();
  if (auto order = members->find(root + "byteorder");
      order != members->end() && order->second != "little")
    return makeError(DiagId::CheckpointRefused, {}, path, "data that is not little-endian");

  llvm::StringMap<std::shared_ptr<TensorStorage>> storages;
  auto lookup = [&](llvm::StringRef key) -> std::shared_ptr<TensorStorage> {
    std::shared_ptr<TensorStorage> &storage = storages[key];
    auto member = members->find(root + "data/" + key.str());
    if (storage || member == members->end())
      return storage;
    auto *data = file->data() + (member->second.data() - bytes.data());
    size_t size = member->second.size();
    if (reinterpret_cast<uintptr_t>(data) % alignof(std::max_align_t) == 0) {
      storage = std::make_shared<TensorStorage>(data, size, file);
    } else { // older archives align by hand or not at all
      storage = std::make_shared<TensorStorage>(size);
      std::copy_n(data, size, storage->data());
    }
    return storage;
  };
  llvm::Expected<Pickle> pickle = readPickle(found->second, lookup);
  if (!pickle)
    return fromPickle(pickle.takeError(), path);
  pickle->file = std::move(file);
  return pickle;
}

llvm::Expected<Pickle> ptc::readCheckpointObjects(llvm::StringRef path) {
  auto file = mapFile(path);
  if (!file)
    return file.takeError();
  return parseObjects(std::move(*file), path);
}

llvm::Expected<std::vector<NamedTensor>> ptc::parseCheckpoint(std::shared_ptr<TensorStorage> file,
                                                              llvm::StringRef path) {
  llvm::Expected<Pickle> pickle = parseObjects(std::move(file), path);
  if (!pickle)
    return pickle.takeError();
  return tensorsOf(*pickle, path);
}

llvm::Expected<std::vector<NamedTensor>> ptc::readCheckpoint(llvm::StringRef path) {
  auto file = mapFile(path);
  if (!file)
    return file.takeError();
  return parseCheckpoint(std::move(*file), path);
}
