//===- TensorFile.h - npy, safetensors and PyTorch checkpoints --*- C++ -*-===//
//
// Reads and writes files of tensors. Files are mapped, every number in them is checked before use,
// and nothing in them is ever executed: a checkpoint's pickle is interpreted by an allow-list.
// A file that changes or shrinks while it is mapped is outside the contract.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_TENSORFILE_H
#define PTC_TENSORFILE_TENSORFILE_H

#include "ptc/TensorFile/HostTensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace ptc {

class OutputFiles;

struct NamedTensor {
  std::string name;
  HostTensor tensor;
};

/// The bytes of a file, mapped privately: writable, and the file never changes.
/// Errors: FileNotReadable.
llvm::Expected<std::shared_ptr<TensorStorage>> mapFile(llvm::StringRef path);

/// Reads `.npy` (format 1 to 3; both byte orders; Fortran order becomes strides).
/// Errors: FileNotReadable, NpyMalformed, NpyElementType.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path);
/// The same on bytes; `path` is for diagnostics.
llvm::Expected<HostTensor> parseNpy(std::shared_ptr<TensorStorage> file, llvm::StringRef path);
/// Errors: OutputNotWritten, NpyElementType (bfloat16 has no npy form).
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

/// A `.safetensors` file: its tensors, and the texts of its __metadata__ by name.
struct SafetensorsFile {
  std::vector<NamedTensor> tensors;
  std::vector<std::pair<std::string, std::string>> metadata;
};

/// Reads `.safetensors`; tensors are views of the mapped file, in order of their data.
/// Errors: FileNotReadable, SafetensorsMalformed, SafetensorsElementType.
llvm::Expected<std::vector<NamedTensor>> readSafetensors(llvm::StringRef path);
llvm::Expected<SafetensorsFile> readSafetensorsFile(llvm::StringRef path);
llvm::Expected<std::vector<NamedTensor>> parseSafetensors(std::shared_ptr<TensorStorage> file,
                                                          llvm::StringRef path);
/// Writes `.safetensors`: widest elements first, then by name, so equal tensors give equal bytes
/// and every tensor is aligned. Names are unique. A file that already has these bytes is untouched.
/// Errors: OutputNotWritten, SafetensorsElementType.
llvm::Error writeSafetensors(llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors);
/// The same, as one of several files that appear together.
llvm::Error addSafetensors(OutputFiles &out, llvm::StringRef path,
                           llvm::ArrayRef<NamedTensor> tensors);

/// Reads the state dict that `torch.save(model.state_dict(), path)` wrote (zip form). Tied tensors
/// share storage. Errors: FileNotReadable, CheckpointMalformed, CheckpointRefused.
llvm::Expected<std::vector<NamedTensor>> readCheckpoint(llvm::StringRef path);
llvm::Expected<std::vector<NamedTensor>> parseCheckpoint(std::shared_ptr<TensorStorage> file,
                                                         llvm::StringRef path);

/// Reads any of the three by its suffix; an npy file gives one tensor with an empty name.
/// Errors: those above, TensorFileUnknown.
llvm::Expected<std::vector<NamedTensor>> readTensorFile(llvm::StringRef path);

} // namespace ptc

#endif // PTC_TENSORFILE_TENSORFILE_H
