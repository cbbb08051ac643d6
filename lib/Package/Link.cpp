//===- Link.cpp - From objects to a library ------------------------------------------------===//
//
// In: the objects of an artefact. Out: one file, a library or a program, linked by lld in this
// process against libraries that name what artefacts may use of glibc and nothing else.
// Weights never pass through the linker: it lays out a section without bytes, and the bytes are put
// behind the file it made.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/Artefact.h"

#include "Embedded.h"

#include "ptc/Support/AtomicFile.h"
#include "ptc/Support/Error.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

using namespace ptc;
using namespace llvm::ELF;

static constexpr uint64_t kPage = 4096;

static llvm::Error cannotWrite(llvm::StringRef path, const llvm::Twine &why) {
  return makeError(DiagId::OutputNotWritten, {}, path, why.str());
}

namespace {

/// A folder for the linker's files, gone with this object.
class WorkFolder {
public:
  static llvm::Expected<WorkFolder> create() {
    WorkFolder folder;
    if (std::error_code ec = llvm::sys::fs::createUniqueDirectory("ptc-link", folder.path))
      return cannotWrite("temporary folder", ec.message());
    return folder;
  }
  WorkFolder(WorkFolder &&other) noexcept : path(std::move(other.path)) { other.path.clear(); }
  WorkFolder &operator=(WorkFolder &&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!path.empty())
      ignored = llvm::sys::fs::remove_directories(path);
  }
  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> at(path);
    llvm::sys::path::append(at, name);
    return at.str().str();
  }
  llvm::Error write(llvm::StringRef name, llvm::StringRef contents) const {
    std::error_code ec;
    llvm::raw_fd_ostream os(file(name), ec);
    if (!ec) {
      os << contents;
      os.close();
      ec = os.error();
      os.clear_error();
    }
    return ec ? cannotWrite(file(name), ec.message()) : llvm::Error::success();
  }

private:
  WorkFolder() = default;
  llvm::SmallString<128> path;
};

} // namespace

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

static llvm::Error runLinker(const std::vector<std::string> &arguments) {
  std::vector<const char *> argv = {"ld.lld"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string text;
  llvm::raw_string_ostream os(text);
  lld::Result result = lld::lldMain(argv, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return llvm::Error::success();
  llvm::StringRef said = llvm::StringRef(text).trim();
  // What the linker is given is right, but the disk may be full.
  for (llvm::StringRef failed : {"failed to open ", "failed to write "})
    if (size_t at = said.find(failed); at != llvm::StringRef::npos)
      return cannotWrite("temporary folder", said.substr(at).split('\n').first);
  return makeError(DiagId::InternalError, {}, "linking: " + said.str());
}

static bool isForDevice(const ArtefactTables &tables) { return !tables.images.empty(); }

/// The linker's arguments for the objects of an artefact: the runtime of devices is only for those
/// that have code for one, texts of tensors for those that name what makes them.
static std::vector<std::string> objectsOf(const WorkFolder &folder, const ArtefactTables &tables) {
  std::vector<std::string> objects = {folder.file("code.o"), folder.file("tables.o"),
                                      folder.file("stub.o")};
  if (isForDevice(tables))
    objects.push_back(folder.file("cuda.o"));
  objects.insert(objects.end(), {"--start-lib", folder.file("shown.o"), "--end-lib"});
  return objects;
}

static llvm::Error writeInputs(const WorkFolder &folder, llvm::StringRef code,
                               const ArtefactTables &tables, const WeightHashes &hashes) {
  llvm::Expected<std::string> rows = makeTables(tables, hashes);
  if (!rows)
    return rows.takeError();
  std::string more = tables.exported.empty() ? "" : tables.exported + "; ";
  std::string exports =
      "{ global: " + tables.model + "_ptc_v1; ptc_pool_v2; " + more + "local: *; };\n";
  const std::pair<const char *, llvm::StringRef> files[] = {
      {"code.o", code},
      {"tables.o", *rows},
      {"stub.o", embedded::stub()},
      {"shown.o", embedded::shown()},
      {"cuda.o", embedded::cuda()},
      {"main.o", embedded::program()},
      {"main_table.o", tables.main},
      {"libc.so.6", embedded::libc()},
      {"libm.so.6", embedded::libm()},
      {"libpthread.so.0", embedded::libpthread()},
      {"libdl.so.2", embedded::libdl()},
      {"exports", exports}};
  for (auto [name, contents] : files)
    if (llvm::Error error = folder.write(name, contents))
      return error;
  return llvm::Error::success();
}

/// Links what both libraries and programs consist of; `how` says which it is.
static llvm::Error linkLoaded(const WorkFolder &folder, const ArtefactTables &tables,
                              std::vector<std::string> how) {
  how.insert(how.end(), {"-m", "elf_x86_64", "--build-id=none", "--gc-sections", "-z", "now", "-z",
                         "lrodata-after-bss", "--no-rosegment", "--as-needed"});
  llvm::append_range(how, objectsOf(folder, tables));
  for (const char *library : {"libc.so.6", "libm.so.6", "libpthread.so.0"})
    how.push_back(folder.file(library));
  if (isForDevice(tables))
    how.push_back(folder.file("libdl.so.2"));
  how.insert(how.end(), {"-o", folder.file("out")});
  return runLinker(how);
}

static llvm::Error linkLibrary(const WorkFolder &folder, const ArtefactTables &tables,
                               llvm::StringRef soname) {
  return linkLoaded(folder, tables,
                    {"-shared", "--hash-style=both", "-z", "defs", "-soname", soname.str(),
                     "--version-script=" + folder.file("exports")});
}

/// Without the files of a C compiler: `_start` is our own.
static llvm::Error linkProgram(const WorkFolder &folder, const ArtefactTables &tables) {
  return linkLoaded(folder, tables,
                    {"-pie", "--hash-style=gnu", "--dynamic-linker", "/lib64/ld-linux-x86-64.so.2",
                     "-e", "_start", folder.file("main.o"), folder.file("main_table.o")});
}

/// One object of which only the table's function is visible, so that several can be linked into one
/// program.
static llvm::Expected<std::string> linkObject(const WorkFolder &folder,
                                              const ArtefactTables &tables) {
  std::vector<std::string> how = {"-r", "-m", "elf_x86_64", "-o", folder.file("out")};
  llvm::append_range(how, objectsOf(folder, tables));
  if (llvm::Error error = runLinker(how))
    return std::move(error);
  auto buffer = llvm::MemoryBuffer::getFile(folder.file("out"), false, false);
  if (!buffer)
    return cannotWrite(folder.file("out"), buffer.getError().message());
  auto object = llvm::object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef());
  if (!object)
    return object.takeError();
  llvm::objcopy::ConfigManager config;
  config.Common.OutputFilename = "out";
  config.ELF.LocalizeHidden = true;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **object, os))
    return std::move(error);
  return std::string(bytes.begin(), bytes.end());
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static void writeWeights(llvm::raw_ostream &os, const ArtefactTables &tables) {
  packWeights(tables, [&](llvm::StringRef bytes) { os << bytes; });
}

/// Points the section of the weights, and the segment that loads it, at the end of the file. The
/// linker has given them an address and made them read only.
static llvm::Error placeWeights(llvm::MutableArrayRef<char> file, uint64_t offset) {
  auto *header = reinterpret_cast<Elf64_Ehdr *>(file.data());
  llvm::MutableArrayRef sections(reinterpret_cast<Elf64_Shdr *>(file.data() + header->e_shoff),
                                 header->e_shnum);
  llvm::MutableArrayRef segments(reinterpret_cast<Elf64_Phdr *>(file.data() + header->e_phoff),
                                 header->e_phnum);
  const char *names = file.data() + sections[header->e_shstrndx].sh_offset;
  for (Elf64_Shdr &section : sections) {
    if (llvm::StringRef(names + section.sh_name) != kWeightsSection)
      continue;
    for (Elf64_Phdr &segment : segments) {
      if (segment.p_type != PT_LOAD || segment.p_vaddr != section.sh_addr ||
          segment.p_memsz != section.sh_size || segment.p_filesz != 0)
        continue;
      section.sh_type = SHT_PROGBITS;
      section.sh_offset = segment.p_offset = offset;
      segment.p_filesz = segment.p_memsz;
      return llvm::Error::success();
    }
  }
  return makeError(DiagId::InternalError, {}, "the weights have no segment of their own");
}

static llvm::Error writeLoaded(llvm::StringRef path, llvm::StringRef linked,
                               const ArtefactTables &tables, OutputFiles &out) {
  auto buffer = llvm::WritableMemoryBuffer::getFile(linked);
  if (!buffer)
    return cannotWrite(linked, buffer.getError().message());
  bool hasWeights = tables.placement == WeightPlacement::Embed && tables.weightBytes;
  uint64_t size = (*buffer)->getBufferSize(), offset = (size + kPage - 1) / kPage * kPage;
  if (hasWeights)
    if (llvm::Error error = placeWeights((*buffer)->getBuffer(), offset))
      return error;
  llvm::Expected<llvm::raw_ostream *> os = out.begin(path, /*isExecutable=*/true);
  if (!os)
    return os.takeError();
  **os << llvm::StringRef((*buffer)->getBufferStart(), size);
  if (hasWeights) {
    (*os)->write_zeros(unsigned(offset - size));
    writeWeights(**os, tables);
  }
  return llvm::Error::success();
}

/// As Api.c reads it: a header in a page of its own, then the packed bytes.
static llvm::Error writeWeightFile(llvm::StringRef path, const ArtefactTables &tables,
                                   const WeightHashes &hashes, OutputFiles &out) {
  llvm::Expected<llvm::raw_ostream *> os = out.begin(path);
  if (!os)
    return os.takeError();
  uint64_t numbers[] = {tables.weightBytes, hashes.identity, hashes.content};
  **os << kWeightFileMagic
       << llvm::StringRef(reinterpret_cast<const char *>(numbers), sizeof numbers);
  (*os)->write_zeros(unsigned(kWeightFileHeader - 8 - sizeof numbers));
  writeWeights(**os, tables);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Artefacts
//===----------------------------------------------------------------------===//

static llvm::Error writeBytes(llvm::StringRef path, llvm::StringRef bytes, OutputFiles &out) {
  llvm::Expected<llvm::raw_ostream *> os = out.begin(path);
  if (!os)
    return os.takeError();
  **os << bytes;
  return llvm::Error::success();
}

static llvm::Error writeArchive(llvm::StringRef path, llvm::StringRef object,
                                const std::string &model, OutputFiles &out) {
  std::string member = model + ".o";
  llvm::NewArchiveMember row(llvm::MemoryBufferRef(object, member));
  auto bytes = llvm::writeArchiveToBuffer(row, llvm::SymtabWritingMode::NormalSymtab,
                                          llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                          /*Thin=*/false);
  return bytes ? writeBytes(path, (*bytes)->getBuffer(), out) : bytes.takeError();
}

llvm::Error ptc::writeArtefact(llvm::StringRef path, ArtefactKind kind, llvm::StringRef code,
                               const ArtefactTables &tables, llvm::StringRef weightsPath,
                               OutputFiles &out) {
  llvm::Expected<WorkFolder> folder = WorkFolder::create();
  if (!folder)
    return folder.takeError();
  WeightHashes hashes = tables.hashes ? *tables.hashes : hashWeights(tables);
  if (llvm::Error error = writeInputs(*folder, code, tables, hashes))
    return error;
  if (tables.placement != WeightPlacement::Embed && !weightsPath.empty() && tables.weightBytes)
    if (llvm::Error error = writeWeightFile(weightsPath, tables, hashes, out))
      return error;
  if (kind == ArtefactKind::Library || kind == ArtefactKind::Program) {
    if (llvm::Error error = kind == ArtefactKind::Program
                                ? linkProgram(*folder, tables)
                                : linkLibrary(*folder, tables, llvm::sys::path::filename(path)))
      return error;
    return writeLoaded(path, folder->file("out"), tables, out);
  }
  llvm::Expected<std::string> object = linkObject(*folder, tables);
  if (!object)
    return object.takeError();
  return kind == ArtefactKind::Object ? writeBytes(path, *object, out)
                                      : writeArchive(path, *object, tables.model, out);
}

std::string ptc::modelNameOf(llvm::StringRef path) {
  llvm::StringRef stem = llvm::sys::path::stem(path);
  stem.consume_front("lib");
  std::string name = stem.empty() || llvm::isDigit(stem[0]) ? "model" : "";
  for (char c : stem)
    name += llvm::isAlnum(c) ? c : '_';
  return name;
}

static std::string comment(llvm::StringRef text) {
  std::string safe = text.str();
  for (size_t at = 0; (at = safe.find("*/", at)) != std::string::npos;)
    safe.replace(at, 2, "* /");
  return safe;
}

namespace {
/// What results look like: the places of their leaves, and which outcomes of which variants have
/// them.
class ResultForms {
public:
  explicit ResultForms(const ArtefactTables &tables) {
    for (const ArtefactVariant &variant : tables.variants) {
      std::vector<int> &row = byOutcome.emplace_back();
      for (auto [outcome, names] : llvm::zip_equal(variant.outcomes, variant.names)) {
        auto found = llvm::find(forms, names);
        row.push_back(outcome.raises ? -1 : int(found - forms.begin()));
        if (!outcome.raises && found == forms.end())
          forms.push_back(names);
      }
    }
  }

  void describe(llvm::raw_ostream &os) const {
    for (auto [i, names] : llvm::enumerate(forms)) {
      os << " *\n * result";
      if (forms.size() > 1)
        os << ", form " << i;
      os << ':';
      for (auto [k, name] : llvm::enumerate(names.leaves))
        os << "\n *   outputs[" << k << "]: " << comment(name);
      for (const std::string &name : names.nones)
        os << "\n *   None: " << comment(name);
      os << '\n';
    }
  }

  /// Where results have several forms: a function that says which one a call gave.
  void writeFunction(llvm::raw_ostream &os, llvm::StringRef model) const {
    if (forms.size() < 2)
      return;
    os << "/** Which form of the above the result of a call has, by `variant` and `outcome` of\n"
          "    ptc_call; -1: it raised. */\nstatic inline int "
       << model << "_form(uint32_t variant, uint32_t outcome) {\n  switch (variant) {\n";
    for (auto [variant, row] : llvm::enumerate(byOutcome)) {
      os << "  case " << variant << ":\n    switch (outcome) {\n";
      for (auto [outcome, form] : llvm::enumerate(row))
        if (form >= 0)
          os << "    case " << outcome << ":\n      return " << form << ";\n";
      os << "    default:\n      return -1;\n    }\n";
    }
    os << "  default:\n    return -1;\n  }\n}\n\n";
  }

private:
  std::vector<ResultNames> forms;
  std::vector<std::vector<int>> byOutcome;
};
} // namespace

std::string ptc::makeHeader(const ArtefactTables &tables) {
  std::string text, guard = "PTC_MODEL_" + llvm::StringRef(tables.model).upper() + "_H";
  llvm::raw_string_ostream os(text);
  os << "/* " << tables.model << ".h: the entry `" << comment(tables.entry)
     << "` as a C function table. Made by ptc; see ptc/Runtime/ptc.h.\n";
  for (auto [i, structure] : llvm::enumerate(tables.structures)) {
    os << " *\n * structure " << i << ":";
    for (auto [k, leaf] : llvm::enumerate(structure.leaves()))
      os << "\n *   inputs[" << k << "]: " << comment(leaf);
    os << '\n';
  }
  if (!tables.sizes.empty())
    os << " *\n * sizes as declared:\n";
  for (const std::string &size : tables.sizes)
    os << " *   " << comment(size) << '\n';
  ResultForms results(tables);
  results.describe(os);
  os << " */\n#ifndef " << guard << "\n#define " << guard
     << "\n\n#include \"ptc/Runtime/ptc.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (auto [i, structure] : llvm::enumerate(tables.structures)) {
    os << "enum { ";
    if (i)
      os << tables.model << "_structure_" << i << "_num_inputs";
    else
      os << tables.model << "_num_inputs";
    os << " = " << structure.leaves().size() << " };\n";
  }
  results.writeFunction(os, tables.model);
  uint32_t most = 0;
  for (const ArtefactVariant &variant : tables.variants)
    most = std::max(most, variant.numOutputs);
  os << "/** Most leaves of a result. */\nenum { " << tables.model << "_num_outputs = " << most
     << " };\n\nconst ptc_api *" << tables.model
     << "_ptc_v1(void);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}
