//===- ElfObject.h - Writing relocatable objects -----------------------*- C++ -*-===//
#ifndef PTC_PACKAGE_ELFOBJECT_H
#define PTC_PACKAGE_ELFOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"

#include <string>
#include <vector>

namespace ptc {

/// A relocatable ELF object for x86-64 of sections that are made byte by byte: tables, weights, IR.
/// The same calls give the same bytes.
class ElfObject {
public:
  using SectionId = unsigned;

  SectionId addSection(llvm::StringRef name, uint64_t flags, uint64_t align = 16);
  /// A section that takes no bytes of the file.
  SectionId addEmptySection(llvm::StringRef name, uint64_t flags, uint64_t align, uint64_t size);
  std::string &bytes(SectionId section) { return sections[section].bytes; }
  /// Appends, aligned; the offset.
  uint64_t append(SectionId section, llvm::StringRef bytes, uint64_t align = 1);

  /// A hidden symbol for others to refer to, or a visible one.
  void define(llvm::StringRef symbol, SectionId section, uint64_t offset, uint64_t size,
              uint8_t type = llvm::ELF::STT_OBJECT, uint8_t visibility = llvm::ELF::STV_HIDDEN);
  /// The address of `symbol` + `addend` goes to `offset`. What is not defined here is looked for
  /// elsewhere.
  void relocate(SectionId section, uint64_t offset, llvm::StringRef symbol, int64_t addend = 0,
                uint32_t type = llvm::ELF::R_X86_64_64);
  void relocate(SectionId section, uint64_t offset, SectionId target, int64_t addend);

  std::string write() const;

private:
  struct Relocation {
    uint64_t offset;
    uint32_t symbol; ///< index of `symbols`, or of a section if `ofSection`
    bool ofSection;
    uint32_t type;
    int64_t addend;
  };
  struct Section {
    std::string name, bytes;
    uint32_t type;
    uint64_t flags, align, size;
    std::vector<Relocation> relocations;
  };
  struct Symbol {
    std::string name;
    uint8_t type, visibility;
    int section; ///< -1: not defined here
    uint64_t offset, size;
  };
  uint32_t symbolNumber(llvm::StringRef name);

  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  llvm::StringMap<uint32_t> numbers;
};

} // namespace ptc

#endif // PTC_PACKAGE_ELFOBJECT_H
