//===- Bytes.h - Bounded reading of foreign bytes ---------------*- C++ -*-===//
#ifndef PTC_LIB_TENSORFILE_BYTES_H
#define PTC_LIB_TENSORFILE_BYTES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>

namespace ptc {

/// A cursor over bytes; each read gives nothing where the bytes end.
class ByteReader {
public:
  explicit ByteReader(llvm::StringRef bytes) : rest(bytes) {}

  size_t remaining() const { return rest.size(); }
  std::optional<llvm::StringRef> take(uint64_t count) {
    if (count > rest.size())
      return std::nullopt;
    llvm::StringRef taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  }
  /// A little-endian integer.
  template <typename T> std::optional<T> takeInt() {
    std::optional<llvm::StringRef> taken = take(sizeof(T));
    if (!taken)
      return std::nullopt;
    return llvm::support::endian::read<T, llvm::endianness::little>(taken->data());
  }

private:
  llvm::StringRef rest;
};

/// The product of non-negative sizes and `bytes`, if it and all partial products fit in int64_t
/// (sizes of zero included, so that strides cannot overflow).
std::optional<int64_t> checkedBytes(llvm::ArrayRef<int64_t> sizes, int64_t bytes);

/// Tensors deeper than this are not read: eager supports 64 dimensions.
inline constexpr size_t kMaxDims = 64;

} // namespace ptc

#endif // PTC_LIB_TENSORFILE_BYTES_H
