//===- ModuleFiles.cpp - Where the code of a module lies ---------------------------------===//
//
// In: folders and a name, or what a command line names. Out: the file with the bytecode, by the
// rules of importlib's FileFinder and SourceFileLoader, and in archives of zipimport; sources are
// not compiled here.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/ModuleFiles.h"

#include "ptc/Bytecode/Reader.h"
#include "ptc/Python/Hash.h"
#include "ptc/Support/Error.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace ptc;
using namespace ptc::capture;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral kCache = "__pycache__", kTag = ".cpython-";

static constexpr llvm::StringLiteral kOrphan =
    "there is no source that it is of, and CPython imports such bytecode only as NAME.pyc beside "
    "__pycache__ (python -m compileall -b)";

static constexpr llvm::StringLiteral kSourceInArchive =
    "it is a source, as wheels have them, and no bytecode: unpack the archive or install the wheel "
    "(pip install --target FOLDER), compile that (python -m compileall FOLDER), and give -I FOLDER";

static constexpr llvm::StringLiteral kNoEntry =
    "the archive has no entry of the folder, where CPython before 3.14 finds no package";

namespace {
struct Version {
  PythonVersion version;
  uint32_t minor, magic;
};
} // namespace

static constexpr Version kVersions[] = {
#define PTC_PYTHON(Minor, Magic, ...) {PythonVersion::Py3##Minor, Minor, Magic},
#include "ptc/Bytecode/Versions.def"
};

llvm::StringRef capture::moduleNameOf(llvm::StringRef file) {
  llvm::StringRef stem = path::stem(file);
  auto [name, tag] = stem.split(kTag);
  return tag.empty() ? stem : name;
}

llvm::StringRef capture::moduleFolderOf(llvm::StringRef file) {
  llvm::StringRef folder = path::parent_path(file);
  return path::filename(folder) == kCache ? path::parent_path(folder) : folder;
}

static std::string joined(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> out(folder);
  path::append(out, name);
  return out.str().str();
}

static std::string cacheOf(llvm::StringRef folder, llvm::StringRef name, uint32_t minor) {
  return joined(joined(folder, kCache), name + kTag + "3" + llvm::Twine(minor) + ".pyc");
}

std::string capture::absolutePath(llvm::StringRef given) {
  llvm::SmallString<128> path(given);
  if (!path.empty() && !fs::make_absolute(path))
    path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::string capture::cachedSourceOf(llvm::StringRef bytecode) {
  if (path::filename(path::parent_path(bytecode)) != kCache)
    return "";
  return absolutePath(joined(moduleFolderOf(bytecode), moduleNameOf(bytecode) + ".py"));
}

bool capture::isOfStandardLibrary(llvm::StringRef file, bool isPackage,
                                  llvm::function_ref<bool(llvm::StringRef)> isFile) {
  llvm::StringRef folder = moduleFolderOf(file);
  if (isPackage)
    folder = path::parent_path(folder);
  return isFile(joined(folder, "_collections_abc.py")) ||
         isFile(joined(folder, "_collections_abc.pyc"));
}

/// Does what the header of a .pyc says of its source still hold (PEP 552)? What is not marked to be
/// checked does.
static bool isUpToDate(const PackageFiles &files, llvm::StringRef pyc, llvm::StringRef source,
                       const Version &version) {
  constexpr uint64_t kHeader = 16;
  const bool isInArchive = files.isInArchive(pyc);
  auto head = isInArchive ? files.read(pyc) : llvm::MemoryBuffer::getFileSlice(pyc, kHeader, 0);
  if (!head || (*head)->getBufferSize() < kHeader)
    return false;
  const char *bytes = (*head)->getBufferStart();
  // The two bytes behind the number are a line's end, so that text mode is noticed.
  if (llvm::support::endian::read32le(bytes) != (version.magic | 0x0a0d0000u))
    return false;
  uint32_t flags = llvm::support::endian::read32le(bytes + 4);
  if (flags & 1) {
    if (!(flags & 2))
      return true;
    auto text = files.read(source);
    return text && py::hashSource(version.magic | 0x0a0d0000u, (*text)->getBuffer()) ==
                       llvm::support::endian::read64le(bytes + 8);
  }
  std::optional<PackageFiles::Stamp> stamp = files.stamp(source);
  if (!stamp)
    return false;
  // Archives know even seconds only (zipimport's _eq_mtime).
  const int64_t apart =
      int64_t(llvm::support::endian::read32le(bytes + 8)) - int64_t(uint32_t(stamp->seconds));
  return std::abs(apart) <= (isInArchive ? 1 : 0) &&
         llvm::support::endian::read32le(bytes + 12) == uint32_t(stamp->size);
}

static const Version &rowOf(PythonVersion version) {
  for (const Version &row : kVersions)
    if (row.version == version)
      return row;
  llvm_unreachable("closed enum");
}

/// "3.12, 3.14": of which versions __pycache__ has code of the module.
static std::string cachedVersions(const PackageFiles &files, llvm::StringRef folder,
                                  llvm::StringRef name) {
  std::string found;
  for (const Version &row : kVersions)
    if (files.isFile(cacheOf(folder, name, row.minor)))
      found += (found.empty() ? "" : ", ") + getVersionName(row.version).str();
  return found;
}

/// The code of NAME.py in a folder, or of NAME/__init__.py: bytecode beside a source counts if it
/// is of that source.
static ModuleFile codeOf(const PackageFiles &files, llvm::StringRef folder, llvm::StringRef name,
                         const Version &version) {
  using K = ModuleFile::Kind;
  const std::string source = joined(folder, name + ".py"),
                    cache = cacheOf(folder, name, version.minor),
                    plain = joined(folder, name + ".pyc");
  const bool hasSource = files.isFile(source), isInArchive = files.isInArchive(folder);
  auto unusable = [](llvm::StringRef path, llvm::StringRef why) {
    return ModuleFile{K::Unusable, path.str(), why.str(), false, {}};
  };
  if (!hasSource && files.isFile(plain))
    return {K::Code, plain, {}, false, {}};
  if (!hasSource && files.isFile(cache))
    return {K::Orphan, cache, kOrphan.str(), false, {}};
  const std::string inOrder[] = {isInArchive ? plain : cache, isInArchive ? cache : plain};
  if (hasSource)
    for (const std::string &made : inOrder)
      if (files.isFile(made) && isUpToDate(files, made, source, version))
        return {K::Code, made, {}, false, {}};
  if (hasSource)
    for (const std::string &made : inOrder)
      if (files.isFile(made))
        return unusable(made, files.whyUnreadable(made).empty()
                                  ? "it was made of another state of '" + source + "'"
                                  : files.whyUnreadable(made));
  if (std::string others = cachedVersions(files, folder, name); !others.empty())
    return unusable(joined(folder, kCache), "its bytecode of '" + name.str() + "' is of Python " +
                                                others + " and the program's is of " +
                                                getVersionName(version.version).str());
  if (hasSource && isInArchive)
    return unusable(source, kSourceInArchive);
  return hasSource ? unusable(source, "it is no bytecode") : ModuleFile();
}

static ModuleFile nativeOf(const PackageFiles &files, llvm::StringRef folder, llvm::StringRef name,
                           const Version &version) {
  if (files.isInArchive(folder))
    return {};
  const std::string suffixes[] = {
      (kTag + "3" + llvm::Twine(version.minor) + "-x86_64-linux-gnu.so").str(), ".abi3.so", ".so"};
  for (const std::string &suffix : suffixes)
    if (std::string file = joined(folder, name + suffix); files.isFile(file))
      return {ModuleFile::Kind::Native, file, {}, false, {}};
  return {};
}

static ModuleFile findIn(const PackageFiles &files, llvm::StringRef folder, llvm::StringRef name,
                         const Version &version) {
  ModuleFile found = nativeOf(files, folder, name, version);
  return found.kind != ModuleFile::Kind::Absent ? found : codeOf(files, folder, name, version);
}

ModuleFile capture::findModuleFile(const PackageFiles &files, llvm::ArrayRef<std::string> folders,
                                   llvm::StringRef name, PythonVersion version) {
  const Version &row = rowOf(version);
  ModuleFile space, orphan;
  /// What CPython would find there, too.
  auto findHere = [&](llvm::StringRef folder, llvm::StringRef file) {
    ModuleFile found = findIn(files, folder, file, row);
    if (found.kind != ModuleFile::Kind::Orphan)
      return found;
    orphan = std::move(found);
    orphan.kind = ModuleFile::Kind::Unusable;
    return ModuleFile();
  };
  for (const std::string &folder : folders) {
    std::string inside = joined(folder, name);
    const bool isFolder = files.isFolder(inside);
    if (isFolder)
      if (ModuleFile package = findHere(inside, "__init__");
          package.kind != ModuleFile::Kind::Absent) {
        package.isPackage = true;
        package.folders.push_back(inside);
        return package;
      }
    if (ModuleFile module = findHere(folder, name); module.kind != ModuleFile::Kind::Absent)
      return module;
    if (isFolder && row.minor < 14 && files.isImplied(inside)) {
      orphan = {ModuleFile::Kind::Unusable, inside, kNoEntry.str(), false, {}};
    } else if (isFolder) {
      space.folders.push_back(inside);
    }
  }
  if (space.folders.empty())
    return orphan;
  space.kind = ModuleFile::Kind::Namespace;
  space.isPackage = true;
  return space;
}

llvm::Expected<std::string> capture::findEntryFile(llvm::StringRef given,
                                                   std::optional<PythonVersion> version) {
  const bool isSource = given.ends_with(".py");
  if (!isSource && (given == "-" || fs::is_regular_file(given) || !path::extension(given).empty()))
    return given.str();
  std::string source = isSource ? given.str() : (given + ".py").str();
  llvm::StringRef folder = path::parent_path(source), name = path::stem(source);
  const PackageFiles files;
  ModuleFile last;
  for (const Version &row : llvm::reverse(kVersions)) {
    if (version && row.version != *version)
      continue;
    ModuleFile found = codeOf(files, folder, name, row);
    if (found.kind == ModuleFile::Kind::Code || found.kind == ModuleFile::Kind::Orphan)
      return found.path;
    if (last.path.empty() || files.isFile(cacheOf(folder, name, row.minor)))
      last = std::move(found);
  }
  if (last.kind == ModuleFile::Kind::Absent)
    return makeError(DiagId::FileNotReadable, {}, given, "No such file or directory");
  Diagnostic diag = makeDiagnostic(DiagId::FileNotReadable, {}, given,
                                   last.path == source ? "there is no bytecode of it"
                                                       : "'" + last.path + "': " + last.why);
  diag.hint("python -m compileall " + source + " makes it");
  return makeError(std::move(diag));
}
