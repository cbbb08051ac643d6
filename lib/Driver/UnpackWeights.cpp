//===- UnpackWeights.cpp - The weights that an artefact carries -----------------------===//
//
// In: an artefact with its IR. Out: its weights, out of the panels in which kernels read them. How
// they are packed is what the artefact says beside its IR.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/UnpackWeights.h"

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/ArtefactRunner.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Driver/Phases.h"
#include "ptc/Runtime/Hash.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <numeric>

using namespace ptc;

/// Copies a weight from `packed` to where its elements are in the program, and counts these. None:
/// the weight does not lie there.
static std::optional<int64_t> unpack(const WeightLayout &row, llvm::StringRef packed,
                                     HostTensor &to) {
  char *bytes = reinterpret_cast<char *>(to.bytes());
  const size_t width = to.elementBytes();
  if (row.format && !row.format->fits(to.numel()))
    return std::nullopt;
  auto count = uint64_t(row.format ? row.format->numElements() : to.numel());
  if (row.offset > packed.size() || count > (packed.size() - row.offset) / width)
    return std::nullopt;
  const char *from = packed.data() + row.offset;
  if (!row.format) {
    memcpy(bytes, from, size_t(count) * width);
    return to.numel();
  }
  // The numbers of the elements, packed, say where each one lies; 0 is none.
  HostTensor numbers = HostTensor::zeros(DType::Int64, {to.numel()});
  std::iota(numbers.data<int64_t>(), numbers.data<int64_t>() + to.numel(), 1);
  HostTensor places = row.format->pack(numbers);
  std::vector<bool> seen(size_t(to.numel()));
  for (int64_t i = 0; i < places.numel(); ++i)
    if (int64_t number = places.data<int64_t>()[i]) {
      memcpy(bytes + size_t(number - 1) * width, from + size_t(i) * width, width);
      seen[size_t(number - 1)] = true;
    }
  return llvm::count(seen, true);
}

/// Whether the bytes of a weight file are those that its header tells, as Api.c asks.
static llvm::Error checkContent(const std::string &file, llvm::StringRef packed) {
  struct Header {
    char magic[8];
    uint64_t bytes, hash, content;
  } header;
  auto start = llvm::MemoryBuffer::getFileSlice(file, sizeof header, 0);
  if (!start || (*start)->getBufferSize() != sizeof header)
    return makeError(DiagId::FileNotReadable, {}, file, "it is no .weights file");
  memcpy(&header, (*start)->getBufferStart(), sizeof header);
  if (header.bytes != packed.size())
    return makeError(DiagId::FileNotReadable, {}, file,
                     llvm::formatv("it has {0} bytes of weights and needs {1}: it is cut short",
                                   packed.size(), header.bytes)
                         .str());
  ptc_hash hash;
  ptc_hash_begin(&hash);
  ptc_hash_add(&hash, packed.data(), packed.size());
  if (header.content && ptc_hash_end(&hash) != header.content)
    return makeError(DiagId::FileNotReadable, {}, file,
                     "its bytes are not those that were compiled: it was changed or is damaged");
  return llvm::Error::success();
}

llvm::Expected<std::vector<NamedTensor>> ptc::readArtefactWeights(const std::string &path,
                                                                  const std::string &weights) {
  PipelineOptions pipeline;
  pipeline.input = path;
  auto program = compile(pipeline);
  if (!program)
    return program.takeError();
  std::map<std::string, HostTensor> found;
  program->module->walk([&](program::WeightOp weight) {
    auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
    if (type.hasStaticShape())
      found[weight.getName().str()] =
          HostTensor::zeros(*aten::toDType(type.getElementType()), type.getShape());
  });
  if (found.empty())
    return std::vector<NamedTensor>();
  if (codeOptionsOf(*program).gpu.empty()) // a GPU would be begun for it
    if (llvm::Error error = checkArtefactWeights(path, weights))
      return std::move(error);
  auto packed = packedWeightsOf(path, weights);
  if (!packed)
    return packed.takeError();
  auto layout = readArtefactLayout(path);
  if (!layout)
    return layout.takeError();
  llvm::StringRef contents;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (!packed->path.empty()) {
    auto bytes = llvm::MemoryBuffer::getFileSlice(packed->path, packed->bytes, packed->offset);
    if (!bytes)
      return makeError(DiagId::FileNotReadable, {}, packed->path, bytes.getError().message());
    buffer = std::move(*bytes);
    contents = buffer->getBuffer();
    if (packed->path != path)
      if (llvm::Error error = checkContent(packed->path, contents))
        return std::move(error);
  }
  std::map<std::string, int64_t> unpacked;
  for (const WeightLayout &row : *layout) {
    auto at = found.find(row.name);
    if (at == found.end())
      continue;
    std::optional<int64_t> count = unpack(row, contents, at->second);
    if (!count)
      return makeError(DiagId::UsageError, {},
                       llvm::formatv("'{0}' has no bytes where the weight '{1}' of '{2}' should be",
                                     packed->path, row.name, path)
                           .str());
    int64_t &known = unpacked[row.name];
    known = std::max(known, *count);
  }
  std::vector<NamedTensor> out;
  for (auto &[name, tensor] : found) {
    // What the code does not read, eager may: LibTorch runs the program as it was captured.
    if (unpacked[name] != tensor.numel())
      return makeError(DiagId::UsageError, {},
                       (llvm::Twine("the code of '") + path +
                        "' reads no more than a part of the weight '" + name +
                        "': give the weights with --weights, as they were when it was compiled")
                           .str());
    out.push_back({name, std::move(tensor)});
  }
  return out;
}

llvm::Expected<std::vector<NamedTensor>> ptc::weightsToRun(std::vector<NamedTensor> given,
                                                           const std::string &path,
                                                           const std::string &weights) {
  if (!given.empty() || !isArtefact(path))
    return given;
  return readArtefactWeights(path, weights);
}
