//===- Safetensors.cpp - The safetensors format ---------------------------------===//
//
// In: bytes of a file: u64 header length, a JSON object {name: {dtype, shape, data_offsets}}, data.
// Out: views of those bytes, or a typed error. As the format demands, the tensors cover the data
// exactly: no hole, no overlap, no byte left.
//
//===----------------------------------------------------------------------===//
#include "Bytes.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/TensorFile.h"

#include "ptc/Support/AtomicFile.h"
#include "ptc/Support/JsonScan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <tuple>

using namespace ptc;

/// The format's own limit.
static constexpr uint64_t kMaxHeader = 100'000'000;
static constexpr size_t kMaxDepth = 3;

namespace {

struct Entry {
  std::string name;
  DType dtype;
  llvm::SmallVector<int64_t, 4> shape;
  uint64_t begin;
  uint64_t end;
};

class SafetensorsParser {
public:
  SafetensorsParser(std::shared_ptr<TensorStorage> file, llvm::StringRef path)
      : file(std::move(file)), path(path) {}
  llvm::Expected<std::vector<NamedTensor>> parse();
  /// Of __metadata__, once it is parsed; by name.
  std::vector<std::pair<std::string, std::string>> metadata;

private:
  llvm::Error malformed(const llvm::Twine &why) {
    return makeError(DiagId::SafetensorsMalformed, {}, path, why.str());
  }
  llvm::Error parseHeader(llvm::StringRef text, uint64_t dataSize);
  llvm::Error parseEntry(llvm::StringRef name, const llvm::json::Object &fields, uint64_t dataSize);
  llvm::Error checkCover(uint64_t dataSize);
  llvm::Expected<HostTensor> makeTensor(const Entry &entry, uint64_t dataStart);

  std::shared_ptr<TensorStorage> file;
  llvm::StringRef path;
  std::vector<Entry> entries;
};

} // namespace

llvm::Error SafetensorsParser::parseEntry(llvm::StringRef name, const llvm::json::Object &fields,
                                          uint64_t dataSize) {
  auto bad = [&](const llvm::Twine &why) { return malformed("tensor '" + name + "': " + why); };
  std::optional<llvm::StringRef> type = fields.getString("dtype");
  const llvm::json::Array *shape = fields.getArray("shape");
  const llvm::json::Array *offsets = fields.getArray("data_offsets");
  if (!type || !shape || !offsets || offsets->size() != 2 || fields.size() != 3)
    return bad("it needs exactly dtype, shape and two data_offsets");
  const DTypeInfo *info = llvm::find_if(getAllDTypeInfos(), [&](const DTypeInfo &row) {
    return !row.safetensors.empty() && row.safetensors == *type;
  });
  if (info == getAllDTypeInfos().end())
    return makeError(DiagId::SafetensorsElementType, {}, path, name, *type);

  Entry entry{name.str(), info->dtype, {}, 0, 0};
  if (shape->size() > kMaxDims)
    return bad("it has more than 64 dimensions");
  for (const llvm::json::Value &value : *shape) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size < 0)
      return bad("a size is not a natural number");
    entry.shape.push_back(*size);
  }
  std::optional<int64_t> begin = (*offsets)[0].getAsInteger(), end = (*offsets)[1].getAsInteger();
  if (!begin || !end || *begin < 0 || *begin > *end || uint64_t(*end) > dataSize)
    return bad("its data_offsets lie outside the file");
  if (checkedBytes(entry.shape, info->bytes) != *end - *begin)
    return bad("its data_offsets do not fit its shape and dtype");
  entry.begin = uint64_t(*begin);
  entry.end = uint64_t(*end);
  entries.push_back(std::move(entry));
  return llvm::Error::success();
}

llvm::Error SafetensorsParser::parseHeader(llvm::StringRef text, uint64_t dataSize) {
  JsonScan scan = scanJson(text);
  if (scan.depth > kMaxDepth)
    return malformed("its header is nested too deeply");
  if (scan.overclosed)
    return malformed("its header is not valid JSON: unbalanced brackets");
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return malformed("its header is not valid JSON: " + llvm::toString(json.takeError()));
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return malformed("its header is not a JSON object");
  size_t distinct = object->size();
  for (const auto &[key, value] : *object) {
    const llvm::json::Object *fields = value.getAsObject();
    if (!fields)
      return malformed("'" + key.str() + "' is not an object");
    distinct += fields->size();
    if (key.str() == "__metadata__") {
      if (!llvm::all_of(*fields, [](const auto &kv) { return kv.second.getAsString(); }))
        return malformed("__metadata__ holds something that is not text");
      for (const auto &[name, text] : *fields)
        metadata.emplace_back(name.str(), text.getAsString().value_or("").str());
      llvm::sort(metadata);
      continue;
    }
    if (llvm::Error error = parseEntry(key.str(), *fields, dataSize))
      return error;
  }
  if (distinct != scan.members)
    return malformed("a name occurs twice in its header");
  return llvm::Error::success();
}

llvm::Error SafetensorsParser::checkCover(uint64_t dataSize) {
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t covered = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != covered)
      return malformed(
          "tensor '" + entry.name + "' " +
          (entry.begin < covered ? "overlaps the one before it" : "leaves a hole before it"));
    covered = entry.end;
  }
  if (covered != dataSize)
    return malformed("its data goes on after the last tensor");
  return llvm::Error::success();
}

llvm::Expected<HostTensor> SafetensorsParser::makeTensor(const Entry &entry, uint64_t dataStart) {
  size_t width = getDTypeInfo(entry.dtype).bytes;
  uint64_t start = dataStart + entry.begin;
  std::byte *bytes = file->data() + start;
  size_t size = entry.end - entry.begin;
  if (entry.dtype == DType::Bool &&
      !llvm::all_of(llvm::ArrayRef(bytes, size), [](std::byte b) { return b <= std::byte(1); }))
    return malformed("tensor '" + entry.name + "': a bool is neither 0 nor 1");
  if (reinterpret_cast<uintptr_t>(bytes) % width == 0)
    // A storage of its own that keeps the file: two tensors of a file are not views of each other.
    return HostTensor(entry.dtype, entry.shape, contiguousStrides(entry.shape), 0,
                      std::make_shared<TensorStorage>(bytes, size, file));
  HostTensor copy = HostTensor::zeros(entry.dtype, entry.shape);
  std::copy_n(bytes, size, copy.bytes());
  return copy;
}

llvm::Expected<std::vector<NamedTensor>> SafetensorsParser::parse() {
  ByteReader reader({reinterpret_cast<const char *>(file->data()), file->size()});
  std::optional<uint64_t> length = reader.takeInt<uint64_t>();
  if (!length)
    return malformed("it is shorter than eight bytes");
  if (*length > kMaxHeader)
    return malformed("its header is longer than 100 MB");
  std::optional<llvm::StringRef> text = reader.take(*length);
  if (!text)
    return malformed("its header is longer than the file");
  if (!text->starts_with("{"))
    return malformed("its header does not start with '{'");
  uint64_t dataSize = reader.remaining();
  if (llvm::Error error = parseHeader(*text, dataSize))
    return error;
  if (llvm::Error error = checkCover(dataSize))
    return error;
  std::vector<NamedTensor> tensors;
  for (const Entry &entry : entries) {
    llvm::Expected<HostTensor> tensor = makeTensor(entry, 8 + *length);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back({entry.name, std::move(*tensor)});
  }
  return tensors;
}

llvm::Expected<std::vector<NamedTensor>> ptc::parseSafetensors(std::shared_ptr<TensorStorage> file,
                                                               llvm::StringRef path) {
  return SafetensorsParser(std::move(file), path).parse();
}

llvm::Expected<SafetensorsFile> ptc::readSafetensorsFile(llvm::StringRef path) {
  auto file = mapFile(path);
  if (!file)
    return file.takeError();
  SafetensorsParser parser(std::move(*file), path);
  auto tensors = parser.parse();
  if (!tensors)
    return tensors.takeError();
  return SafetensorsFile{std::move(*tensors), std::move(parser.metadata)};
}

llvm::Expected<std::vector<NamedTensor>> ptc::readSafetensors(llvm::StringRef path) {
  auto read = readSafetensorsFile(path);
  if (!read)
    return read.takeError();
  return std::move(read->tensors);
}

llvm::Error ptc::writeSafetensors(llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors) {
  OutputFiles file;
  if (llvm::Error error = addSafetensors(file, path, tensors))
    return error;
  return file.commit();
}

llvm::Error ptc::addSafetensors(OutputFiles &out, llvm::StringRef path,
                                llvm::ArrayRef<NamedTensor> tensors) {
  std::vector<const NamedTensor *> order;
  for (const NamedTensor &named : tensors) {
    const DTypeInfo &info = getDTypeInfo(named.tensor.dtype());
    if (info.safetensors.empty())
      return makeError(DiagId::SafetensorsElementType, {}, path, named.name, info.torchName);
    order.push_back(&named);
  }
  llvm::sort(order, [](const NamedTensor *a, const NamedTensor *b) {
    return std::make_tuple(-int(a->tensor.elementBytes()), llvm::StringRef(a->name)) <
           std::make_tuple(-int(b->tensor.elementBytes()), llvm::StringRef(b->name));
  });
  std::string header, data;
  llvm::raw_string_ostream os(header);
  llvm::json::OStream json(os);
  json.objectBegin();
  for (const NamedTensor *named : order) {
    HostTensor dense = named->tensor.contiguous();
    llvm::ArrayRef<std::byte> bytes = dense.contiguousBytes();
    json.attributeObject(named->name, [&] {
      json.attribute("dtype", getDTypeInfo(dense.dtype()).safetensors);
      json.attribute("shape", llvm::json::Array(dense.sizes()));
      json.attribute("data_offsets",
                     llvm::json::Array{int64_t(data.size()), int64_t(data.size() + bytes.size())});
    });
    data.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  json.objectEnd();
  header.append(-header.size() % 8, ' ');

  std::string contents(8, '\0');
  llvm::support::endian::write64le(contents.data(), header.size());
  contents += header;
  contents += data;
  return out.add(path, contents);
}
