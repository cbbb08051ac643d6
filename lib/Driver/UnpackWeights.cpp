//===- UnpackWeights.cpp - The weights that an artefact carries -----------------------===//
//
// In: an artefact with its IR. Out: its weights, out of the panels in which kernels read them. How
// they are packed is what code that is made of the same IR with the same options says.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/UnpackWeights.h"

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Driver/Phases.h"

#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <numeric>

using namespace ptc;

/// Copies a packed weight to where its elements are in the program; gives how many these are.
static int64_t unpack(const cpu::WeightRow &row, const char *from, HostTensor &to) {
  char *bytes = reinterpret_cast<char *>(to.bytes());
  if (!row.format) {
    memcpy(bytes, from, size_t(row.bytes));
    return to.numel();
  }
  // The numbers of the elements, packed, say where each one lies; 0 is none.
  HostTensor numbers = HostTensor::zeros(DType::Int64, {to.numel()});
  std::iota(numbers.data<int64_t>(), numbers.data<int64_t>() + to.numel(), 1);
  HostTensor packed = row.format->pack(numbers);
  const size_t width = to.elementBytes();
  std::vector<bool> seen(size_t(to.numel()));
  for (int64_t i = 0; i < packed.numel(); ++i)
    if (int64_t number = packed.data<int64_t>()[i]) {
      memcpy(bytes + size_t(number - 1) * width, from + size_t(i) * width, width);
      seen[size_t(number - 1)] = true;
    }
  return llvm::count(seen, true);
}

/// What the code of a program behind phase normalise reads its weights as.
static llvm::Expected<cpu::ProgramCode> codeOf(CompiledProgram &program,
                                               const cpu::CodeOptions &options) {
  auto cost = costModelFor(options);
  if (!cost)
    return cost.takeError();
  if (llvm::Error error = advance(program, Phase::Normalise, Phase::Plan, *cost))
    return std::move(error);
  return lowerFor(program.module.get(), options);
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
  auto packed = packedWeightsOf(path, weights);
  if (!packed)
    return packed.takeError();
  const cpu::CodeOptions options = codeOptionsOf(*program);
  if (found.empty() || packed->path.empty() || !options.gpu.empty())
    return std::vector<NamedTensor>();
  auto code = codeOf(*program, options);
  if (!code)
    return code.takeError();
  auto other = [&] {
    return makeError(DiagId::UsageError, {},
                     "the weights of '" + packed->path +
                         "' are packed for other code than this ptc makes: give them with "
                         "--weights, as they were when it was compiled");
  };
  if (packed->bytes != code->weightBytes)
    return other();
  auto bytes = llvm::MemoryBuffer::getFileSlice(packed->path, packed->bytes, packed->offset);
  if (!bytes)
    return makeError(DiagId::FileNotReadable, {}, packed->path, bytes.getError().message());
  std::map<std::string, int64_t> unpacked;
  for (const cpu::WeightRow &row : code->weights)
    if (auto at = found.find(row.name); row.literal.empty() && at != found.end()) {
      int64_t &known = unpacked[row.name];
      known = std::max(known, unpack(row, (*bytes)->getBufferStart() + row.offset, at->second));
    }
  std::vector<NamedTensor> out;
  for (auto &[name, tensor] : found) {
    if (unpacked[name] != tensor.numel())
      return other();
    out.push_back({name, std::move(tensor)});
  }
  return out;
}
