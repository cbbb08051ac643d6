//===- TensorFile.cpp - What the tensor file formats share --------------------===//
//
// Mapping files, checked size arithmetic, atomic writing, and the choice of format by suffix.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/TensorFile.h"

#include "Bytes.h"
#include "ptc/Support/Error.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ptc;

llvm::Expected<std::shared_ptr<TensorStorage>> ptc::mapFile(llvm::StringRef path) {
  auto unreadable = [&](std::error_code code) {
    return makeError(DiagId::FileNotReadable, {}, path, code.message());
  };
  llvm::Expected<llvm::sys::fs::file_t> file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return unreadable(llvm::errorToErrorCode(file.takeError()));
  auto close = llvm::scope_exit([&] { (void)llvm::sys::fs::closeFile(*file); });
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(*file, status))
    return unreadable(code);
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return unreadable(std::make_error_code(std::errc::is_a_directory));
  if (status.getSize() == 0)
    return std::make_shared<TensorStorage>(0);
  std::error_code code;
  auto mapped = std::make_shared<llvm::sys::fs::mapped_file_region>(
      *file, llvm::sys::fs::mapped_file_region::priv, status.getSize(), 0, code);
  if (code)
    return unreadable(code);
  auto *data = reinterpret_cast<std::byte *>(mapped->data());
  size_t size = mapped->size();
  return std::make_shared<TensorStorage>(data, size, std::move(mapped));
}

std::optional<int64_t> ptc::checkedBytes(llvm::ArrayRef<int64_t> sizes, int64_t bytes) {
  int64_t padded = bytes; // with sizes of zero as one: bounds every stride
  bool empty = false;
  for (int64_t size : sizes) {
    assert(size >= 0);
    empty |= size == 0;
    if (llvm::MulOverflow(padded, std::max<int64_t>(size, 1), padded))
      return std::nullopt;
  }
  return empty ? 0 : padded;
}

llvm::Expected<std::vector<NamedTensor>> ptc::readTensorFile(llvm::StringRef path) {
  if (path.ends_with(".safetensors"))
    return readSafetensors(path);
  if (path.ends_with(".pt") || path.ends_with(".pth"))
    return readCheckpoint(path);
  if (!path.ends_with(".npy"))
    return makeError(DiagId::TensorFileUnknown, {}, path);
  llvm::Expected<HostTensor> tensor = readNpy(path);
  if (!tensor)
    return tensor.takeError();
  return std::vector<NamedTensor>{{"", std::move(*tensor)}};
}
