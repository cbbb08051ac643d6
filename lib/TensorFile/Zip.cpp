//===- Zip.cpp - The members of a zip archive ------------------------------------===//
//
// In: bytes of an archive (PKWARE APPNOTE.TXT: central directory, local headers, zip64). Out:
// slices of those bytes by name, or what they are without compression. Every offset is checked;
// encrypted or repeated members are refused.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/Zip.h"

#include "Bytes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CRC.h"

#include <zlib.h>

using namespace ptc;

namespace {

struct Directory {
  uint64_t offset; ///< as the end record has it: from where the archive begins
  uint64_t count;
  uint64_t size;
  uint64_t end; ///< where its end record, or the zip64 one, lies in the file
};

struct Entry {
  ZipMember member;
  uint64_t packedSize;
  uint64_t offset;
};

} // namespace

static constexpr llvm::StringLiteral kEnd("PK\5\6"), kEnd64("PK\6\6"), kLocator64("PK\6\7"),
    kCentral("PK\1\2"), kLocal("PK\3\4");
static constexpr size_t kEndSize = 22, kLocatorSize = 20;
static constexpr uint16_t kZip64Extra = 1;
static constexpr uint32_t kInExtra = 0xffffffff;

static llvm::Error bad(const llvm::Twine &why) { return llvm::createStringError(why); }

template <typename T> static T read(llvm::StringRef bytes, size_t at) {
  return llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() + at);
}

static llvm::Expected<Directory> findDirectory(llvm::StringRef bytes) {
  // The end record is last but for a comment of at most 65535 bytes.
  llvm::StringRef tail = bytes.take_back(kEndSize + 0xffff);
  size_t at = tail.rfind(kEnd);
  if (at == llvm::StringRef::npos || tail.size() - at < kEndSize)
    return bad(bytes.starts_with(kLocal)
                   ? "it was cut short: the directory at the end of a zip archive is missing"
                   : "it is not a zip archive");
  llvm::StringRef end = tail.drop_front(at);
  size_t endOffset = bytes.size() - tail.size() + at;
  Directory directory{read<uint32_t>(end, 16), read<uint16_t>(end, 10), read<uint32_t>(end, 12),
                      endOffset};
  if (directory.offset != kInExtra && directory.count != 0xffff)
    return directory;
  if (endOffset < kLocatorSize)
    return bad("its zip64 record is missing");
  llvm::StringRef locator = bytes.substr(endOffset - kLocatorSize, kLocatorSize);
  if (!locator.starts_with(kLocator64))
    return bad("its zip64 record is missing");
  uint64_t record = read<uint64_t>(locator, 8);
  if (record > bytes.size() || bytes.size() - record < 56 ||
      !bytes.substr(record).starts_with(kEnd64))
    return bad("its zip64 record is missing");
  return Directory{read<uint64_t>(bytes, record + 48), read<uint64_t>(bytes, record + 32),
                   read<uint64_t>(bytes, record + 40), record};
}

bool ptc::isZip(llvm::StringRef bytes) {
  auto directory = findDirectory(bytes);
  if (!directory)
    llvm::consumeError(directory.takeError());
  return bool(directory);
}

/// Replaces those fields of `entry` that the zip64 extra field holds, in their fixed order.
static bool applyZip64(llvm::StringRef extra, Entry &entry) {
  ByteReader reader(extra);
  while (reader.remaining()) {
    std::optional<uint16_t> id = reader.takeInt<uint16_t>(), size = reader.takeInt<uint16_t>();
    std::optional<llvm::StringRef> field = size ? reader.take(*size) : std::nullopt;
    if (!id || !field)
      return false;
    if (*id != kZip64Extra)
      continue;
    ByteReader values(*field);
    for (uint64_t *value : {&entry.member.size, &entry.packedSize, &entry.offset}) {
      if (*value != kInExtra)
        continue;
      std::optional<uint64_t> wide = values.takeInt<uint64_t>();
      if (!wide)
        return false;
      *value = *wide;
    }
  }
  return true;
}

static ZipMember::Method methodOf(uint16_t number) {
  return number == 0   ? ZipMember::Method::Stored
         : number == 8 ? ZipMember::Method::Deflated
                       : ZipMember::Method::Other;
}

static std::optional<Entry> takeEntry(ByteReader &reader) {
  std::optional<llvm::StringRef> header = reader.take(46);
  if (!header || !header->starts_with(kCentral))
    return std::nullopt;
  std::optional<llvm::StringRef> name = reader.take(read<uint16_t>(*header, 28));
  std::optional<llvm::StringRef> extra = reader.take(read<uint16_t>(*header, 30));
  std::optional<llvm::StringRef> comment = reader.take(read<uint16_t>(*header, 32));
  if (!name || !extra || !comment)
    return std::nullopt;
  Entry entry{{*name,
               {},
               read<uint32_t>(*header, 24),
               read<uint32_t>(*header, 16),
               methodOf(read<uint16_t>(*header, 10)),
               (read<uint16_t>(*header, 8) & 1) != 0,
               read<uint16_t>(*header, 12),
               read<uint16_t>(*header, 14)},
              read<uint32_t>(*header, 20),
              read<uint32_t>(*header, 42)};
  if (!applyZip64(*extra, entry))
    return std::nullopt;
  return entry;
}

/// `archive`: the bytes from where it begins.
static llvm::Expected<llvm::StringRef> packedBytes(llvm::StringRef archive, const Entry &entry) {
  const llvm::StringRef name = entry.member.name;
  if (entry.offset > archive.size())
    return bad("member '" + name + "' lies outside the file");
  ByteReader reader(archive.drop_front(entry.offset));
  std::optional<llvm::StringRef> header = reader.take(30);
  if (!header || !header->starts_with(kLocal) ||
      !reader.take(uint64_t(read<uint16_t>(*header, 26)) + read<uint16_t>(*header, 28)))
    return bad("member '" + name + "' has no local header");
  std::optional<llvm::StringRef> contents = reader.take(entry.packedSize);
  if (!contents)
    return bad("member '" + name + "' is truncated");
  return *contents;
}

llvm::Expected<std::vector<ZipMember>> ptc::listZip(llvm::StringRef bytes, bool mayBegin) {
  llvm::Expected<Directory> directory = findDirectory(bytes);
  if (!directory)
    return directory.takeError();
  // The directory ends where its end record begins, so what stands in front of the archive shows.
  llvm::StringRef archive = bytes;
  if (mayBegin && directory->size <= directory->end &&
      directory->offset <= directory->end - directory->size)
    archive = bytes.drop_front(directory->end - directory->size - directory->offset);
  if (directory->offset > archive.size())
    return bad("its directory lies outside the file");
  std::vector<ZipMember> members;
  llvm::StringSet<> names;
  ByteReader reader(archive.drop_front(directory->offset));
  for (uint64_t i = 0; i < directory->count; ++i) {
    std::optional<Entry> entry = takeEntry(reader);
    if (!entry)
      return bad("its directory is damaged");
    llvm::Expected<llvm::StringRef> packed = packedBytes(archive, *entry);
    if (!packed)
      return packed.takeError();
    if (!names.insert(entry->member.name).second)
      return bad("member '" + entry->member.name + "' occurs twice");
    entry->member.packed = *packed;
    members.push_back(entry->member);
  }
  return members;
}

/// Of raw deflated bytes (RFC 1951), which must give as many as the directory says.
static bool inflateTo(llvm::StringRef packed, std::string &out) {
  z_stream stream{};
  if (packed.size() > UINT32_MAX || out.size() > UINT32_MAX || // what zlib counts in
      inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  char none;
  stream.next_in = const_cast<Bytef *>(packed.bytes_begin());
  stream.avail_in = uInt(packed.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.empty() ? &none : out.data());
  stream.avail_out = uInt(out.size());
  const bool isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return isWhole;
}

llvm::Expected<std::string> ptc::unpackZip(const ZipMember &member) {
  using M = ZipMember::Method;
  // A byte of deflated bits gives 1032 at most.
  constexpr uint64_t kMostOfByte = 1032;
  std::string out;
  if (member.isEncrypted || member.method == M::Other)
    return bad("member '" + member.name +
               "' is encrypted or compressed in another way than zlib's");
  if (member.method == M::Stored ? member.size != member.packed.size()
                                 : member.size / kMostOfByte > member.packed.size())
    return bad("member '" + member.name + "' is not as long as the directory says");
  if (member.method == M::Stored) {
    out = member.packed.str();
  } else {
    out.resize(member.size);
    if (!inflateTo(member.packed, out))
      return bad("member '" + member.name + "' is damaged");
  }
  if (llvm::crc32(llvm::arrayRefFromStringRef(out)) != member.crc)
    return bad("member '" + member.name + "' is damaged: its sum is another");
  return out;
}

llvm::Expected<llvm::StringMap<llvm::StringRef>> ptc::readZip(llvm::StringRef bytes) {
  llvm::Expected<std::vector<ZipMember>> listed = listZip(bytes, /*mayBegin=*/false);
  if (!listed)
    return listed.takeError();
  llvm::StringMap<llvm::StringRef> members;
  for (const ZipMember &member : *listed) {
    if (member.method != ZipMember::Method::Stored || member.size != member.packed.size() ||
        member.isEncrypted)
      return bad("member '" + member.name + "' is compressed or encrypted");
    members[member.name] = member.packed;
  }
  return members;
}
