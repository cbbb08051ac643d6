//===- Weights.cpp - The packed bytes of weights ------------------------------------------===//
//
// In: the weights of an artefact. Out: their bytes as its code reads them, in the order of memory;
// numbers that tell them from others. The stub compares with the same hash (Runtime/Hash.c).
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/Artefact.h"

#include "ptc/Runtime/Hash.h"
#include "ptc/TensorFile/FilePages.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace ptc;

static void putZeros(uint64_t count, llvm::function_ref<void(llvm::StringRef)> put) {
  static constexpr char kZeros[4096] = {};
  for (; count; count -= std::min<uint64_t>(count, sizeof kZeros))
    put(llvm::StringRef(kZeros, std::min<uint64_t>(count, sizeof kZeros)));
}

void ptc::packWeights(const ArtefactTables &tables, llvm::function_ref<void(llvm::StringRef)> put) {
  uint64_t written = 0;
  for (const ArtefactWeight &weight : tables.weights) {
    assert(weight.offset >= written && "weights lie behind one another");
    putZeros(weight.offset - written, put);
    HostTensor whole = weight.contents();
    llvm::ArrayRef<std::byte> bytes = whole.contiguousBytes();
    put(llvm::StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
    written = weight.offset + bytes.size();
    forgetFilePages(weight.tensor);
  }
  putZeros(tables.weightBytes - written, put);
}

WeightHashes ptc::hashWeights(const ArtefactTables &tables) {
  ptc_hash hash;
  ptc_hash_begin(&hash);
  packWeights(tables,
              [&](llvm::StringRef bytes) { ptc_hash_add(&hash, bytes.data(), bytes.size()); });
  uint64_t content = ptc_hash_end(&hash);
  std::string summary = std::to_string(content) + '\0';
  for (const ArtefactWeight &weight : tables.weights) {
    summary += weight.name + '\0' + std::to_string(uint8_t(weight.tensor.dtype())) + '\0' +
               std::to_string(weight.offset) + '\0';
    if (weight.format)
      for (int64_t number : weight.format->toNumbers())
        summary += std::to_string(number) + ',';
  }
  return {llvm::xxh3_64bits(summary), content};
}

//===----------------------------------------------------------------------===//
// How they lie
//===----------------------------------------------------------------------===//

std::string ptc::layoutText(const ArtefactTables &tables) {
  llvm::json::Array rows;
  for (const ArtefactWeight &weight : tables.weights) {
    if (weight.isLiteral)
      continue;
    llvm::json::Object row{{"name", weight.name}, {"offset", int64_t(weight.offset)}};
    if (weight.format)
      row["format"] = llvm::json::Array(weight.format->toNumbers());
    rows.push_back(std::move(row));
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(rows));
  return text;
}

static llvm::Error badLayout(const llvm::Twine &why) {
  return llvm::createStringError("the layout of its weights: " + why);
}

llvm::Expected<std::vector<WeightLayout>> ptc::readLayout(llvm::StringRef text) {
  auto parsed = llvm::json::parse(text);
  if (!parsed)
    return badLayout(llvm::toString(parsed.takeError()));
  const llvm::json::Array *rows = parsed->getAsArray();
  if (!rows)
    return badLayout("it is no list");
  std::vector<WeightLayout> out;
  for (const llvm::json::Value &value : *rows) {
    const llvm::json::Object *row = value.getAsObject();
    std::optional<llvm::StringRef> name = row ? row->getString("name") : std::nullopt;
    std::optional<int64_t> offset = row ? row->getInteger("offset") : std::nullopt;
    if (!name || !offset || *offset < 0)
      return badLayout("a row names no weight or no place");
    WeightLayout &made = out.emplace_back();
    made = {name->str(), uint64_t(*offset), std::nullopt};
    const llvm::json::Array *list = row->getArray("format");
    if (!list)
      continue;
    llvm::SmallVector<int64_t> numbers;
    for (const llvm::json::Value &number : *list)
      numbers.push_back(number.getAsInteger().value_or(-1));
    made.format = PackFormat::fromNumbers(numbers);
    if (!made.format)
      return badLayout("'" + *name + "' lies in no known way");
  }
  return out;
}
