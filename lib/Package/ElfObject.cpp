//===- ElfObject.cpp - Writing relocatable objects --------------------------------------===//
//
// In: sections, symbols, relocations. Out: the bytes of an ELF object: header, sections, their
// relocations, symbols, names, section headers.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/ElfObject.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace llvm::ELF;

ElfObject::SectionId ElfObject::addSection(llvm::StringRef name, uint64_t flags, uint64_t align) {
  sections.push_back({name.str(), {}, SHT_PROGBITS, flags, align, 0, {}});
  return unsigned(sections.size() - 1);
}

ElfObject::SectionId ElfObject::addEmptySection(llvm::StringRef name, uint64_t flags,
                                                uint64_t align, uint64_t size) {
  sections.push_back({name.str(), {}, SHT_NOBITS, flags, align, size, {}});
  return unsigned(sections.size() - 1);
}

static void alignTo(std::string &bytes, uint64_t align) {
  bytes.resize((bytes.size() + align - 1) / align * align);
}

uint64_t ElfObject::append(SectionId section, llvm::StringRef bytes, uint64_t align) {
  std::string &all = sections[section].bytes;
  alignTo(all, align);
  uint64_t offset = all.size();
  all.append(bytes.data(), bytes.size());
  return offset;
}

uint32_t ElfObject::symbolNumber(llvm::StringRef name) {
  auto [place, isNew] = numbers.try_emplace(name, uint32_t(symbols.size()));
  if (isNew)
    symbols.push_back({name.str(), STT_NOTYPE, STV_DEFAULT, -1, 0, 0});
  return place->second;
}

void ElfObject::define(llvm::StringRef name, SectionId section, uint64_t offset, uint64_t size,
                       uint8_t type, uint8_t visibility) {
  Symbol &symbol = symbols[symbolNumber(name)];
  assert(symbol.section < 0 && "a symbol is defined once");
  symbol.type = type;
  symbol.visibility = visibility;
  symbol.section = int(section);
  symbol.offset = offset;
  symbol.size = size;
}

void ElfObject::relocate(SectionId section, uint64_t offset, llvm::StringRef symbol, int64_t addend,
                         uint32_t type) {
  sections[section].relocations.push_back({offset, symbolNumber(symbol), false, type, addend});
}

void ElfObject::relocate(SectionId section, uint64_t offset, SectionId target, int64_t addend) {
  sections[section].relocations.push_back({offset, target, true, R_X86_64_64, addend});
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

template <typename T> static void put(std::string &out, const T &row) {
  out.append(reinterpret_cast<const char *>(&row), sizeof row);
}

namespace {
/// The file in the making: sections are appended, their headers kept.
struct Layout {
  std::string file = std::string(sizeof(Elf64_Ehdr), '\0');
  std::string names = std::string(1, '\0');
  std::vector<Elf64_Shdr> headers = {Elf64_Shdr()};

  Elf64_Shdr &add(llvm::StringRef name, uint32_t type, uint64_t flags, uint64_t align,
                  llvm::StringRef bytes) {
    Elf64_Shdr header = {};
    header.sh_name = uint32_t(names.size());
    names += name;
    names += '\0';
    header.sh_type = type;
    header.sh_flags = flags;
    header.sh_addralign = align;
    alignTo(file, type == SHT_NOBITS ? 1 : align);
    header.sh_offset = file.size();
    header.sh_size = bytes.size();
    file.append(bytes.data(), bytes.size());
    headers.push_back(header);
    return headers.back();
  }
};
} // namespace

static void finishFile(Layout &layout) {
  layout.add(".shstrtab", SHT_STRTAB, 0, 1, "");
  Elf64_Shdr &names = layout.headers.back();
  names.sh_size = layout.names.size();
  layout.file += layout.names;
  alignTo(layout.file, 8);
  Elf64_Ehdr header = {};
  std::copy_n(ElfMagic, 4, header.e_ident);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = layout.file.size();
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = uint16_t(layout.headers.size());
  header.e_shstrndx = uint16_t(layout.headers.size() - 1);
  for (const Elf64_Shdr &section : layout.headers)
    put(layout.file, section);
  layout.file.replace(0, sizeof header, reinterpret_cast<const char *>(&header), sizeof header);
}

std::string ElfObject::write() const {
  Layout layout;
  for (const Section &section : sections) {
    Elf64_Shdr &header =
        layout.add(section.name, section.type, section.flags, section.align, section.bytes);
    if (section.type == SHT_NOBITS)
      header.sh_size = section.size;
  }
  // Symbols: none, one per section, then ours, which are all global.
  std::string table(sizeof(Elf64_Sym), '\0'), names(1, '\0');
  for (size_t i = 0; i < sections.size(); ++i) {
    Elf64_Sym row = {};
    row.setBindingAndType(STB_LOCAL, STT_SECTION);
    row.st_shndx = uint16_t(i + 1);
    put(table, row);
  }
  for (const Symbol &symbol : symbols) {
    Elf64_Sym row = {};
    row.st_name = uint32_t(names.size());
    (names += symbol.name) += '\0';
    row.setBindingAndType(STB_GLOBAL, symbol.type);
    row.st_other = symbol.visibility;
    row.st_shndx = uint16_t(symbol.section + 1);
    row.st_value = symbol.offset;
    row.st_size = symbol.size;
    put(table, row);
  }
  auto strings = uint32_t(layout.headers.size()), symbolTable = strings + 1;
  layout.add(".strtab", SHT_STRTAB, 0, 1, names);
  Elf64_Shdr &header = layout.add(".symtab", SHT_SYMTAB, 0, 8, table);
  header.sh_link = strings;
  header.sh_info = uint32_t(sections.size()) + 1;
  header.sh_entsize = sizeof(Elf64_Sym);
  for (auto [i, section] : llvm::enumerate(sections)) {
    if (section.relocations.empty())
      continue;
    std::string rows;
    for (const Relocation &relocation : section.relocations) {
      Elf64_Rela row = {};
      row.r_offset = relocation.offset;
      uint32_t base = relocation.ofSection ? 1 : uint32_t(sections.size()) + 1;
      row.setSymbolAndType(base + relocation.symbol, relocation.type);
      row.r_addend = relocation.addend;
      put(rows, row);
    }
    Elf64_Shdr &rela = layout.add(".rela" + section.name, SHT_RELA, SHF_INFO_LINK, 8, rows);
    rela.sh_link = symbolTable;
    rela.sh_info = uint32_t(i) + 1;
    rela.sh_entsize = sizeof(Elf64_Rela);
  }
  layout.add(".note.GNU-stack", SHT_PROGBITS, 0, 1, "");
  finishFile(layout);
  return layout.file;
}
