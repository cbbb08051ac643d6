//===- ArtefactIr.cpp - The IR that an artefact carries ------------------------------------===//
//
// In: a library that ptc made. Out: the texts in its sections that are not loaded; where its packed
// weights are.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/ArtefactIr.h"

#include "ptc/Package/Artefact.h"
#include "ptc/Support/Error.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace ptc;

bool ptc::isArtefact(llvm::StringRef path) {
  if (llvm::sys::path::extension(path) == ".so")
    return true;
  llvm::file_magic magic;
  return !llvm::identify_magic(path, magic) && magic == llvm::file_magic::elf_shared_object;
}

using Elf = llvm::object::ELF64LEObjectFile;

/// Programs of whatever place in memory are marked so; libc has an entry point, too.
static bool isProgram(const llvm::object::ObjectFile &object) {
  const auto *elf = llvm::dyn_cast<Elf>(&object);
  if (!elf)
    return false;
  if (elf->getELFFile().getHeader().e_type == llvm::ELF::ET_EXEC)
    return true;
  auto entries = elf->getELFFile().dynamicEntries();
  if (entries)
    return llvm::any_of(*entries, [](const auto &entry) {
      return entry.d_tag == llvm::ELF::DT_FLAGS_1 && (entry.d_un.d_val & llvm::ELF::DF_1_PIE);
    });
  llvm::consumeError(entries.takeError());
  return false;
}

static llvm::Error isAProgram(llvm::StringRef path) {
  std::string command = (path.contains('/') ? "" : "./") + path.str();
  Diagnostic diag = makeDiagnostic(DiagId::UsageError, {},
                                   "'" + path.str() + "' is a program, and a library is needed");
  diag.hint("run it itself: " + command + ", " + command + " --bench; --help lists its options");
  return makeError(std::move(diag));
}

llvm::Error ptc::checkIsNoProgram(llvm::StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (file)
    return isProgram(*file->getBinary()) ? isAProgram(path) : llvm::Error::success();
  llvm::consumeError(file.takeError()); // who opens it says what is wrong
  return llvm::Error::success();
}

static llvm::Error notOurs(llvm::StringRef path, const std::string &why) {
  Diagnostic diag = makeDiagnostic(DiagId::FileNotReadable, {}, path, why);
  diag.hint("give a library that `ptc compile` wrote, whole");
  return makeError(std::move(diag));
}

static llvm::Expected<std::string> readSection(llvm::StringRef path, llvm::StringRef wanted,
                                               llvm::StringRef whyNot) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(DiagId::FileNotReadable, {}, path, buffer.getError().message());
  auto object = llvm::object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef());
  if (!object) {
    std::string why = llvm::toString(object.takeError());
    return notOurs(path, "it is no shared library, or a part of one: " + why);
  }
  const auto &elf = llvm::cast<llvm::object::ELFObjectFileBase>(**object);
  bool isOurs = llvm::any_of(elf.getDynamicSymbolIterators(), [](const auto &symbol) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    bool isTable = name && name->ends_with("_ptc_v1");
    llvm::consumeError(name.takeError());
    return isTable;
  });
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName(), contents = section.getContents();
    if (name && contents && *name == wanted)
      return contents->str();
    llvm::consumeError(name.takeError());
    llvm::consumeError(contents.takeError());
  }
  if (!isOurs && isProgram(**object))
    return isAProgram(path);
  if (!isOurs)
    return notOurs(path, "it is no library that ptc made");
  return makeError(DiagId::IrMalformed, {}, path, whyNot.str());
}

llvm::Expected<std::string> ptc::readArtefactIr(llvm::StringRef path) {
  return readSection(path, kIrSection, "the library carries none (--strip-ir)");
}

llvm::Expected<std::string> ptc::readArtefactRequest(llvm::StringRef path) {
  return readSection(path, kRequestSection,
                     "the library does not say what it was compiled from (--strip-ir, or not from "
                     "a .pyc)");
}

llvm::Expected<std::vector<WeightLayout>> ptc::readArtefactLayout(llvm::StringRef path) {
  auto text = readSection(path, kLayoutSection,
                          "the library does not say how its weights lie (--strip-ir, or made by an "
                          "older ptc)");
  if (!text)
    return text.takeError();
  auto rows = readLayout(*text);
  if (!rows)
    return makeError(DiagId::IrMalformed, {}, path, llvm::toString(rows.takeError()));
  return rows;
}

bool ptc::isPackedWeights(llvm::StringRef path) {
  auto magic = llvm::MemoryBuffer::getFileSlice(path, kWeightFileMagic.size(), 0);
  return magic && (*magic)->getBuffer() == kWeightFileMagic;
}

/// Where the section of packed weights lies; none: there is no such section. Errors:
/// FileNotReadable.
static llvm::Expected<std::optional<FilePart>> weightsInside(llvm::StringRef path) {
  auto object = llvm::object::ObjectFile::createObjectFile(path);
  if (!object)
    return notOurs(path, llvm::toString(object.takeError()));
  if (const auto *elf = llvm::dyn_cast<Elf>(object->getBinary()))
    for (const llvm::object::ELFSectionRef section : elf->sections()) {
      llvm::Expected<llvm::StringRef> name = section.getName();
      if (name && *name == kWeightsSection)
        return FilePart{path.str(), section.getOffset(), section.getSize()};
      llvm::consumeError(name.takeError());
    }
  return std::nullopt;
}

bool ptc::hasWeightsInside(llvm::StringRef path) {
  auto found = weightsInside(path);
  if (found)
    return found->has_value();
  llvm::consumeError(found.takeError());
  return false;
}

/// Whether the code of an artefact reads weights, as far as it says so.
static bool readsWeights(llvm::StringRef path) {
  auto layout = readArtefactLayout(path);
  if (layout)
    return !layout->empty();
  llvm::consumeError(layout.takeError());
  return false;
}

llvm::Expected<FilePart> ptc::packedWeightsOf(llvm::StringRef path, llvm::StringRef weights) {
  auto inside = weightsInside(path);
  if (!inside)
    return inside.takeError();
  if (const std::optional<FilePart> &part = *inside)
    return *part;
  if (!readsWeights(path))
    return FilePart{};
  llvm::SmallString<128> file(weights);
  if (weights.empty()) {
    file = path;
    llvm::sys::path::replace_extension(file, "weights");
  }
  uint64_t size = 0;
  std::error_code ec = llvm::sys::fs::file_size(file, size);
  if (!ec && size >= kWeightFileHeader && isPackedWeights(file))
    return FilePart{file.str().str(), kWeightFileHeader, size - kWeightFileHeader};
  std::string why = ec ? ec.message() : "it is no .weights file";
  Diagnostic diag = makeDiagnostic(DiagId::FileNotReadable, {}, file,
                                   why + "; it should have the weights of '" + path.str() + "'");
  diag.hint("name the .weights file that `ptc compile` wrote beside the library: --weights FILE");
  return makeError(std::move(diag));
}
