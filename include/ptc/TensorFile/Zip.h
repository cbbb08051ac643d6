//===- Zip.h - The members of a zip archive ---------------------*- C++ -*-===//
//
// Archives as torch.save and Python's zipfile write them: members that are stored or deflated,
// zip64. Errors are texts for the caller's diagnostic.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_ZIP_H
#define PTC_TENSORFILE_ZIP_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace ptc {

/// What the directory of an archive says of a member. Nothing of it has been checked but that the
/// member lies in the file.
struct ZipMember {
  enum class Method : uint8_t { Stored, Deflated, Other };
  llvm::StringRef name;
  llvm::StringRef packed; ///< its bytes as they lie in the file
  uint64_t size;          ///< without compression
  uint32_t crc;
  Method method;
  bool isEncrypted;
  uint16_t time, date; ///< as MS-DOS has them, in local time
};

/// Does it end as an archive does?
bool isZip(llvm::StringRef bytes);

/// All members in the order of the directory; what stands in front of the archive is skipped where
/// `mayBegin` says so. A name that occurs twice is an error.
llvm::Expected<std::vector<ZipMember>> listZip(llvm::StringRef bytes, bool mayBegin);

/// The bytes of a member, whose size and sum are checked. Who calls it decides before how large a
/// `size` may be.
llvm::Expected<std::string> unpackZip(const ZipMember &member);

/// Name to contents, as slices of `bytes`. Members must be stored, not compressed, as torch.save
/// writes them.
llvm::Expected<llvm::StringMap<llvm::StringRef>> readZip(llvm::StringRef bytes);

} // namespace ptc

#endif // PTC_TENSORFILE_ZIP_H
