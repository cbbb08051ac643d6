//===- Zip.cpp - The members of a zip archive ------------------------------------===//
//
// In: bytes of an archive (PKWARE APPNOTE.TXT: central directory, local headers, zip64). Out:
// slices of those bytes by name. Every offset is checked; encrypted, compressed or repeated members
// are refused.
//
//===----------------------------------------------------------------------===//
#include "Zip.h"

#include "Bytes.h"

#include "llvm/ADT/Twine.h"

using namespace ptc;

namespace {

struct Directory {
  uint64_t offset;
  uint64_t count;
};

struct Member {
  llvm::StringRef name;
  uint64_t size;
  uint64_t packedSize;
  uint64_t offset;
  uint16_t flags;
  uint16_t method;
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
  Directory directory{read<uint32_t>(end, 16), read<uint16_t>(end, 10)};
  if (directory.offset != kInExtra && directory.count != 0xffff)
    return directory;
  size_t endOffset = bytes.size() - tail.size() + at;
  if (endOffset < kLocatorSize)
    return bad("its zip64 record is missing");
  llvm::StringRef locator = bytes.substr(endOffset - kLocatorSize, kLocatorSize);
  if (!locator.starts_with(kLocator64))
    return bad("its zip64 record is missing");
  uint64_t record = read<uint64_t>(locator, 8);
  if (record > bytes.size() || bytes.size() - record < 56 ||
      !bytes.substr(record).starts_with(kEnd64))
    return bad("its zip64 record is missing");
  return Directory{read<uint64_t>(bytes, record + 48), read<uint64_t>(bytes, record + 32)};
}

/// Replaces those fields of `member` that the zip64 extra field holds, in their fixed order.
static bool applyZip64(llvm::StringRef extra, Member &member) {
  ByteReader reader(extra);
  while (reader.remaining()) {
    std::optional<uint16_t> id = reader.takeInt<uint16_t>(), size = reader.takeInt<uint16_t>();
    std::optional<llvm::StringRef> field = size ? reader.take(*size) : std::nullopt;
    if (!id || !field)
      return false;
    if (*id != kZip64Extra)
      continue;
    ByteReader values(*field);
    for (uint64_t *value : {&member.size, &member.packedSize, &member.offset}) {
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

static std::optional<Member> takeMember(ByteReader &reader) {
  std::optional<llvm::StringRef> header = reader.take(46);
  if (!header || !header->starts_with(kCentral))
    return std::nullopt;
  std::optional<llvm::StringRef> name = reader.take(read<uint16_t>(*header, 28));
  std::optional<llvm::StringRef> extra = reader.take(read<uint16_t>(*header, 30));
  std::optional<llvm::StringRef> comment = reader.take(read<uint16_t>(*header, 32));
  if (!name || !extra || !comment)
    return std::nullopt;
  Member member{*name,
                read<uint32_t>(*header, 24),
                read<uint32_t>(*header, 20),
                read<uint32_t>(*header, 42),
                read<uint16_t>(*header, 8),
                read<uint16_t>(*header, 10)};
  if (!applyZip64(*extra, member))
    return std::nullopt;
  return member;
}

static llvm::Expected<llvm::StringRef> contentsOf(llvm::StringRef bytes, const Member &member) {
  if (member.method != 0 || member.size != member.packedSize || (member.flags & 1))
    return bad("member '" + member.name + "' is compressed or encrypted");
  if (member.offset > bytes.size())
    return bad("member '" + member.name + "' lies outside the file");
  ByteReader reader(bytes.drop_front(member.offset));
  std::optional<llvm::StringRef> header = reader.take(30);
  if (!header || !header->starts_with(kLocal) ||
      !reader.take(uint64_t(read<uint16_t>(*header, 26)) + read<uint16_t>(*header, 28)))
    return bad("member '" + member.name + "' has no local header");
  std::optional<llvm::StringRef> contents = reader.take(member.size);
  if (!contents)
    return bad("member '" + member.name + "' is truncated");
  return *contents;
}

llvm::Expected<llvm::StringMap<llvm::StringRef>> ptc::readZip(llvm::StringRef bytes) {
  llvm::Expected<Directory> directory = findDirectory(bytes);
  if (!directory)
    return directory.takeError();
  if (directory->offset > bytes.size())
    return bad("its directory lies outside the file");
  llvm::StringMap<llvm::StringRef> members;
  ByteReader reader(bytes.drop_front(directory->offset));
  for (uint64_t i = 0; i < directory->count; ++i) {
    std::optional<Member> member = takeMember(reader);
    if (!member)
      return bad("its directory is damaged");
    llvm::Expected<llvm::StringRef> contents = contentsOf(bytes, *member);
    if (!contents)
      return contents.takeError();
    if (!members.try_emplace(member->name, *contents).second)
      return bad("member '" + member->name + "' occurs twice");
  }
  return members;
}
