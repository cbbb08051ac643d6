//===- Artefact.h - Making libraries, objects and archives -------------*- C++ -*-===//
//
// In: the object of a program's code, and what its tables say. Out: a library or a program that
// needs glibc, an object or an archive; its header. The same input gives the same bytes,
// wherever it is made.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PACKAGE_ARTEFACT_H
#define PTC_PACKAGE_ARTEFACT_H

#include "ptc/Support/AtomicFile.h"
#include "ptc/Symbolic/CallStructure.h"
#include "ptc/TensorFile/PackFormat.h"

namespace ptc {

/// What a result looks like, for readers of the header.
struct ResultNames {
  /// Where its leaves are, `result["a"][0]`, or which argument they write.
  std::vector<std::string> leaves;
  std::vector<std::string> nones; ///< where it is always None
  bool operator==(const ResultNames &) const = default;
};

/// What ptc_variant says.
struct ArtefactVariant {
  std::string name, runSymbol;
  uint64_t arenaBytes = 0, threadBytes = 0;
  uint32_t numOutputs = 0, numRaised = 0, numStorages = 0;
  std::vector<ptc_outcome> outcomes;            ///< `kept` is null
  std::vector<std::vector<uint32_t>> kept = {}; ///< by outcome
  std::vector<ResultNames> names = {};          ///< by outcome; of one that raises: none
};

/// What ptc_state_row says.
struct ArtefactState {
  std::string name;
  ptc_tag tag;
  DLDataType dtype;
  int32_t rank;
  std::vector<int64_t> sizes, strides; ///< of a tensor; PTC_ANY_SIZE: not a constant
};

/// A weight where the code reads it.
struct ArtefactWeight {
  std::string name;
  uint64_t offset;
  HostTensor tensor;
  std::optional<PackFormat> format; ///< none: row-major
  bool isLiteral = false;           ///< it is none of the state dict

  /// What the code reads: dense.
  HostTensor contents() const { return format ? format->pack(tensor) : tensor.contiguous(); }
};

/// What tells weights from others.
struct WeightHashes {
  uint64_t identity; ///< of names, types, places and bytes
  uint64_t content;  ///< XXH64 of the packed bytes
};

enum class WeightPlacement : uint8_t { Embed, External, Argument };

/// What ptc_device_image says.
struct ArtefactImage {
  std::string bytes;
  ptc_image_kind kind;
  uint32_t capability;
};

/// What ptc_device_kernel says.
struct ArtefactKernel {
  std::string name;
  uint32_t threads, sharedBytes, perProcessor, awaits;
};

/// Everything of an artefact but the code itself. There is one entry.
struct ArtefactTables {
  std::string model;                                   ///< MODEL: a C identifier
  std::string entry;                                   ///< its name in the program
  llvm::ArrayRef<std::string> sizes;                   ///< what was declared of them
  std::string dispatchSymbol, entrySymbol, initSymbol; ///< initSymbol may be empty
  const sym::ObservableSpace *space = nullptr;
  llvm::ArrayRef<sym::GuardSet> guards; ///< by variant; empty: there are none
  llvm::ArrayRef<sym::CallStructure> structures;
  llvm::ArrayRef<std::string> parameters; ///< of the entry
  std::vector<ArtefactVariant> variants;
  std::vector<ArtefactState> states;
  uint64_t initArenaBytes = 0;
  uint32_t numGenerators = 1;
  WeightPlacement placement = WeightPlacement::Embed;
  std::vector<ArtefactWeight> weights; ///< by offset
  uint64_t weightBytes = 0;
  std::optional<WeightHashes> hashes;  ///< of them; none: not yet known
  uint64_t cpuFeatures = 0;            ///< that the code may use: rows of Runtime/CpuFeatures.def
  std::vector<ArtefactImage> images;   ///< of a program for a device, the best first; else none
  std::vector<ArtefactKernel> kernels; ///< by the number that the code names
  uint32_t firstDraw = 0;              ///< of these
  std::string manifest;                ///< JSON
  std::string ir;       ///< text of the program, for `ptc` to open the artefact; empty: none
  std::string request;  ///< JSON: what it was compiled from, for --add-variants; empty: none
  std::string exported; ///< a symbol that a library shows beside its own; empty: none
  std::string main;     ///< of a program: the object that makeMainTable gives
};

/// Sections of artefacts that are not loaded, with `ir`, `request` and, beside `ir`, what
/// layoutText gives.
inline constexpr char kIrSection[] = ".ptc.ir", kRequestSection[] = ".ptc.request",
                      kLayoutSection[] = ".ptc.layout";
/// The section of embedded weights, packed; a file of weights has these bytes behind its header.
inline constexpr char kWeightsSection[] = ".ptc.weights";
inline constexpr uint64_t kWeightFileHeader = 4096;
inline constexpr llvm::StringRef kWeightFileMagic("PTCWGT1\0", 8);

/// The object with the tables of Runtime/Frame.h, `MODEL_ptc_v1`, and a place for the weights.
/// Errors: InternalError for a guard that is nested too deeply.
llvm::Expected<std::string> makeTables(const ArtefactTables &tables, const WeightHashes &hashes);

/// Gives the packed bytes of all weights to `put`, in pieces. Pages of their files that were read
/// are forgotten.
void packWeights(const ArtefactTables &tables, llvm::function_ref<void(llvm::StringRef)> put);
WeightHashes hashWeights(const ArtefactTables &tables);

/// How a weight of the state dict lies among the packed bytes; one name may have several rows.
struct WeightLayout {
  std::string name;
  uint64_t offset;
  std::optional<PackFormat> format; ///< none: row-major
};
/// The rows of all weights as JSON, and back. Errors: a text of what is wrong.
std::string layoutText(const ArtefactTables &tables);
llvm::Expected<std::vector<WeightLayout>> readLayout(llvm::StringRef text);

enum class ArtefactKind : uint8_t { Library, Object, Archive, Program };

/// Links `code`, the tables and the stub, and adds the result to `out` as `path`. Weights that are
/// not embedded become `weightsPath`, unless that is empty. Errors: OutputNotWritten, InternalError
/// (names that are not there).
llvm::Error writeArtefact(llvm::StringRef path, ArtefactKind kind, llvm::StringRef code,
                          const ArtefactTables &tables, llvm::StringRef weightsPath,
                          OutputFiles &out);

/// MODEL.h: declares `MODEL_ptc_v1`, and says in comments what the entry takes and gives.
std::string makeHeader(const ArtefactTables &tables);

/// `libmlp.so` -> `mlp`; what is no C identifier becomes `_`.
std::string modelNameOf(llvm::StringRef path);

} // namespace ptc

#endif // PTC_PACKAGE_ARTEFACT_H
