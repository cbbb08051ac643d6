//===- Packages.cpp - What pip left in folders of -I ----------------------------------------===//
//
// In: names of modules and distributions. Out: which packages are not run, what their
// Python files say of the names in them, and the versions in METADATA.
//
//===----------------------------------------------------------------------===//
#include "Packages.h"
#include "Answers.h"
#include "Builtins/Builtins.h"
#include "KnownNames.h"
#include "Objects.h"

#include "ptc/Bytecode/Decode.h"
#include "ptc/Capture/Prelude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using ptc::CanonicalCode, ptc::CodeObject, ptc::DiagId, ptc::Opcode;

// NOLINTBEGIN(readability-identifier-naming): the words of the rows
namespace rows {
static constexpr bool Same = true, Other = false;
static constexpr OpaquePackage kPackages[] = {
#define PTC_OPAQUE_PACKAGE(Module, Extension, Distributions, Version)                              \
  {Module, Extension, Distributions, Version},
#include "OpaquePackages.def"
};
} // namespace rows
// NOLINTEND(readability-identifier-naming)

/// Does a distribution of the row lie in the folder? A package of the program's own has none.
static bool isInstalled(const PackageFiles &files, const OpaquePackage &row,
                        llvm::StringRef folder) {
  std::vector<std::string> read;
  llvm::SmallVector<llvm::StringRef, 4> names;
  row.distributions.split(names, ' ');
  for (const Distribution &there : capture::listDistributions(files, {folder.str()}, read))
    if (llvm::any_of(names,
                     [&](llvm::StringRef n) { return capture::distributionKey(n) == there.key; }))
      return true;
  return false;
}

const OpaquePackage *capture::findOpaquePackage(const PackageFiles &files, llvm::StringRef module,
                                                llvm::StringRef folder) {
  for (const OpaquePackage &row : rows::kPackages) {
    if (row.module != module)
      continue;
    if (row.extension.empty())
      return isInstalled(files, row, path::parent_path(folder)) ? &row : nullptr;
    llvm::SmallString<128> beside(path::parent_path(folder));
    path::append(beside, row.extension);
    return files.hasExtension(beside, ".so") ? &row : nullptr;
  }
  return nullptr;
}

// Distributions
// ----------------------------------------------------------------------------------------

std::string capture::distributionKey(llvm::StringRef name) {
  std::string key;
  for (char c : name) {
    const bool isSeparator = c == '-' || c == '_' || c == '.';
    if (!isSeparator)
      key += llvm::toLower(c);
    else if (key.empty() || key.back() != '_')
      key += '_';
  }
  return key;
}

/// A header's value in the text of METADATA (RFC 822: headers end at an empty line).
static std::string headerOf(llvm::StringRef text, llvm::StringRef header) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.rtrim('\r');
    if (line.empty())
      break;
    if (line.consume_front_insensitive(header) && line.consume_front(":"))
      return line.trim().str();
    text = rest;
  }
  return {};
}

/// The file with the name and the version.
static std::string metadataIn(llvm::StringRef folder) {
  llvm::SmallString<128> file(folder);
  path::append(file, path::extension(folder) == ".dist-info" ? "METADATA" : "PKG-INFO");
  return file.str().str();
}

/// None: the entry of a folder is none.
static std::optional<Distribution> distributionAt(const PackageFiles &files, llvm::StringRef entry,
                                                  std::vector<std::string> &read) {
  llvm::StringRef stem = path::stem(entry), kind = path::extension(entry);
  if (kind != ".dist-info" && kind != ".egg-info")
    return std::nullopt;
  const std::string file = metadataIn(entry);
  auto text = files.read(file);
  if (!text)
    return std::nullopt;
  read.push_back(file);
  return Distribution{entry.str(), distributionKey(stem.split('-').first),
                      headerOf((*text)->getBuffer(), "Name"),
                      headerOf((*text)->getBuffer(), "Version")};
}

std::vector<Distribution> capture::listDistributions(const PackageFiles &files,
                                                     llvm::ArrayRef<std::string> folders,
                                                     std::vector<std::string> &read) {
  std::vector<Distribution> all;
  for (const std::string &folder : folders) {
    std::vector<Distribution> here;
    for (const auto &[name, isFolder] : files.list(folder)) {
      llvm::SmallString<128> entry(folder.empty() ? "." : folder);
      path::append(entry, name);
      if (std::optional<Distribution> found = distributionAt(files, entry, read))
        here.push_back(std::move(*found));
    }
    llvm::sort(here, [](const auto &a, const auto &b) { return a.folder < b.folder; });
    for (Distribution &found : here)
      if (llvm::none_of(all, [&](const Distribution &d) { return d.key == found.key; }))
        all.push_back(std::move(found));
  }
  llvm::sort(all, [](const auto &a, const auto &b) { return a.key < b.key; });
  return all;
}

/// The first part of each path that RECORD lists, with '/' behind a folder's: what the distribution
/// put beside itself. A path that needs quotes has none here that a module could be in.
static llvm::StringSet<> topLevelOf(const PackageFiles &files, const Distribution &there) {
  llvm::StringSet<> names;
  llvm::SmallString<128> file(there.folder);
  path::append(file, "RECORD");
  auto text = files.read(file);
  if (!text)
    return names;
  for (llvm::StringRef rest = (*text)->getBuffer(); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    llvm::StringRef listed = line.split(',').first;
    auto [first, below] = listed.split('/');
    names.insert(below.empty() ? first.str() : (first + "/").str());
    rest = next;
  }
  return names;
}

std::vector<PackageRead> capture::packagesRead(const PackageFiles &lying,
                                               llvm::ArrayRef<Distribution> distributions,
                                               llvm::ArrayRef<std::string> files) {
  std::vector<PackageRead> found;
  // By folder of -I, then by what lies in it.
  llvm::StringMap<llvm::StringMap<std::vector<std::string>>> read;
  auto siteOf = [](const Distribution &there) {
    return absolutePath(path::parent_path(there.folder));
  };
  for (const Distribution &there : distributions)
    read[siteOf(there)];
  for (const std::string &file : files) {
    const std::string whole = absolutePath(file); // the program asks for data by such paths
    for (auto &[site, below] : read)
      if (llvm::StringRef rest = whole; rest.consume_front(site) && rest.consume_front("/")) {
        auto [first, inside] = rest.split('/');
        below[inside.empty() ? first.str() : (first + "/").str()].push_back(file);
      }
  }
  for (const Distribution &there : distributions) {
    auto &below = read[siteOf(there)];
    PackageRead package{there.name, there.version, metadataIn(there.folder)};
    const bool mayHave = llvm::any_of(below, [](const auto &entry) {
      llvm::StringRef name = entry.getKey();
      return !name.ends_with(".dist-info/") && !name.ends_with(".egg-info/");
    });
    if (!mayHave)
      continue;
    for (const auto &name : topLevelOf(lying, there))
      if (auto at = below.find(name.getKey());
          at != below.end() && !name.getKey().ends_with(".dist-info/"))
        llvm::append_range(package.files, at->second);
    llvm::sort(package.files);
    package.files.erase(llvm::unique(package.files), package.files.end());
    if (!package.files.empty())
      found.push_back(std::move(package));
  }
  return found;
}

/// What the program is told of one: its place among all, its name and its version.
static Value describe(Engine &e, const Distribution &there) {
  const int64_t place = &there - e.world->distributions().begin();
  return Value::tuple({Value::integer(place), Value::str(there.name), Value::str(there.version)});
}

/// As _distributions, of one name; None: it is not there.
Value builtins::ptcDistribution(Engine &e, CallArgs &args) {
  PTC_LET(name, plainArg(e, args, 0));
  if (!name.is(Kind::Str))
    return e.refuse(DiagId::Unsupported,
                    "a name of a distribution that is made of run-time values");
  const std::string question = ("importlib.metadata.version('" + name.asStr() + "')").str();
  if (e.world->distributions)
    for (const Distribution &there : e.world->distributions())
      if (there.key == distributionKey(name.asStr())) {
        answerInstalled(e, question, Value::str(there.version));
        return describe(e, there);
      }
  return answerInstalled(e, question, Value::none());
}

/// (place, name, version) of all that is installed.
Value builtins::ptcDistributions(Engine &e, CallArgs &) {
  std::vector<Value> all, names;
  if (e.world->distributions)
    for (const Distribution &there : e.world->distributions()) {
      all.push_back(describe(e, there));
      names.push_back(Value::str(there.name + " " + there.version));
    }
  answerInstalled(e, "importlib.metadata.distributions()", Value::tuple(std::move(names)));
  return Value::tuple(std::move(all));
}

/// The text of a file of a distribution, by its place; None: it has none of that name.
Value builtins::ptcDistributionFile(Engine &e, CallArgs &args) {
  PTC_LET(place, plainArg(e, args, 0));
  PTC_LET(name, plainArg(e, args, 1));
  llvm::SmallString<128> file(e.world->distributions()[place.asInt()].folder);
  path::append(file, name.asStr());
  llvm::SmallString<128> absolute(file);
  std::error_code ec = fs::make_absolute(absolute);
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  std::optional<InstalledPath> found = ec ? std::nullopt : askArchive(e, absolute, true);
  if (!found && !ec)
    found = askInstalled(e, absolute, /*contents=*/true);
  if (found)
    return found->kind == InstalledPath::Kind::File ? Value::str(found->bytes) : Value::none();
  auto text = llvm::MemoryBuffer::getFile(file);
  return text ? Value::str((*text)->getBuffer()) : Value::none();
}

// Packages of which no code is run
// --------------------------------------------------------------------------------------

static const OpaquePackage *packageOf(Engine &e, llvm::StringRef module) {
  auto found = e.world->opaquePackages.find(module.split('.').first);
  return found == e.world->opaquePackages.end() ? nullptr : found->second;
}

bool capture::isModelOfPackage(Engine &e, llvm::StringRef module) {
  return !module.starts_with("_") && !module.contains("._") &&
         (findPreludeModule(module) || findPreludeModule(kModelOfPackage.str() + module.str())) &&
         !isKnownModule(module, e.world->minorVersion());
}

bool capture::isInOpaquePackage(Engine &e, llvm::StringRef module) { return packageOf(e, module); }

/// What lies of a module of such a package, whose packages are looked at first.
static ModuleCode codeOfModule(Engine &e, llvm::StringRef module) {
  ModuleCode found;
  for (size_t end = 0; end != llvm::StringRef::npos;) {
    end = module.find('.', end ? end + 1 : 0);
    found = e.world->resolve(module.take_front(end));
  }
  return found;
}

bool capture::hasPackageModule(Engine &e, llvm::StringRef module) {
  return e.world->resolve && codeOfModule(e, module).kind == ModuleFile::Kind::Native;
}

/// May it bind the name, and does it whenever it ends without an exception?
static std::pair<bool, bool> bindingOf(const CodeObject &code, llvm::StringRef name) {
  llvm::Expected<const CanonicalCode *> canonical = ptc::getCanonical(code);
  if (!canonical) {
    llvm::consumeError(canonical.takeError());
    return {true, false};
  }
  const CanonicalCode &body = **canonical;
  bool mayBind = false, binds = false, deletes = false;
  for (uint32_t i = 0; i < body.size(); ++i) {
    const Opcode op = body.instrs[i].op;
    if (op == Opcode::IMPORT_STAR)
      mayBind = true;
    if ((op != Opcode::STORE_NAME && op != Opcode::DELETE_NAME && op != Opcode::STORE_GLOBAL &&
         op != Opcode::DELETE_GLOBAL) ||
        body.names[body.instrs[i].arg] != name)
      continue;
    const bool isStore = op == Opcode::STORE_NAME || op == Opcode::STORE_GLOBAL;
    mayBind |= isStore;
    binds |= isStore && body.flow.dominates(i, body.exitNode());
    deletes |= !isStore;
  }
  return {mayBind, binds && !deletes};
}

/// Is what the code binds to a name made by a class statement without decorators?
static bool bindsClass(const CodeObject &code, llvm::StringRef name) {
  llvm::Expected<const CanonicalCode *> canonical = ptc::getCanonical(code);
  if (!canonical) {
    llvm::consumeError(canonical.takeError());
    return false;
  }
  const CanonicalCode &body = **canonical;
  uint32_t build = ptc::kNoIndex;
  bool isClass = false;
  for (uint32_t i = 0; i < body.size(); ++i) {
    const Opcode op = body.instrs[i].op;
    if (op == Opcode::LOAD_BUILD_CLASS)
      build = i;
    if (op != Opcode::STORE_NAME)
      continue;
    if (body.names[body.instrs[i].arg] == name) {
      if (build == ptc::kNoIndex || body.instrs[i - 1].op != Opcode::CALL ||
          body.depths[i] != body.depths[build] + 1)
        return false;
      isClass = true;
    }
    build = ptc::kNoIndex;
  }
  return isClass;
}

/// Does the module's code bind the name once, to what it imports from `enum` under this name?
static bool isFromEnum(const CanonicalCode &body, llvm::StringRef name) {
  unsigned stores = 0;
  bool isImported = false;
  for (uint32_t i = 0; i < body.size(); ++i) {
    if (body.instrs[i].op != Opcode::STORE_NAME || body.names[body.instrs[i].arg] != name)
      continue;
    ++stores;
    uint32_t from = i; // other names of the same statement
    while (from >= 2 && body.instrs[from - 1].op == Opcode::IMPORT_FROM &&
           body.instrs[from - 2].op == Opcode::STORE_NAME)
      from -= 2;
    isImported = from >= 2 && body.instrs[i - 1].op == Opcode::IMPORT_FROM &&
                 body.names[body.instrs[i - 1].arg] == name &&
                 body.instrs[from - 2].op == Opcode::IMPORT_NAME &&
                 body.names[body.instrs[from - 2].arg] == "enum";
  }
  return stores == 1 && isImported;
}

/// The members that the code of a class statement names; none where it does anything else.
static std::optional<Enumeration> membersOf(const CodeObject &code) {
  llvm::Expected<const CanonicalCode *> canonical = ptc::getCanonical(code);
  if (!canonical) {
    llvm::consumeError(canonical.takeError());
    return std::nullopt;
  }
  const CanonicalCode &body = **canonical;
  Enumeration made;
  for (uint32_t i = 0; i + 1 < body.size(); i += 2) {
    const Instr &value = body.instrs[i], &store = body.instrs[i + 1];
    if (store.op == Opcode::RETURN_VALUE)
      return made;
    if (store.op != Opcode::STORE_NAME)
      return std::nullopt;
    llvm::StringRef name = body.names[store.arg];
    // What the compiler puts there, and a text of documentation.
    static constexpr llvm::StringLiteral kOfCompiler[] = {
        "__module__", "__qualname__", "__firstlineno__", "__static_attributes__"};
    const bool isName = value.op == Opcode::LOAD_NAME && body.names[value.arg] == "__name__";
    if (llvm::is_contained(kOfCompiler, name) &&
        (name == "__module__" ? isName : value.op == Opcode::LOAD_CONST))
      continue;
    if (name == "__doc__" && value.op == Opcode::LOAD_CONST && made.doc.empty())
      if (const auto *text = llvm::dyn_cast<ptc::StrConstant>(body.consts[value.arg])) {
        made.doc = text->text.str();
        continue;
      }
    const auto *number = value.op == Opcode::LOAD_CONST
                             ? llvm::dyn_cast<ptc::IntConstant>(body.consts[value.arg])
                             : nullptr;
    std::optional<int64_t> n = number ? number->asInt64() : std::nullopt;
    if (!n || name.starts_with("_"))
      return std::nullopt;
    made.members.emplace_back(name.str(), *n);
  }
  return std::nullopt;
}

/// The enumeration that a class statement of the module makes; none where that is not known.
static std::optional<Enumeration> enumerationOf(const CodeObject &code, llvm::StringRef name) {
  static constexpr llvm::StringLiteral kBases[] = {"Enum", "IntEnum", "Flag", "IntFlag"};
  static constexpr Opcode kStatement[] = {
      Opcode::LOAD_BUILD_CLASS, Opcode::LOAD_CONST, Opcode::MAKE_FUNCTION, Opcode::LOAD_CONST,
      Opcode::LOAD_NAME,        Opcode::CALL,       Opcode::STORE_NAME};
  llvm::Expected<const CanonicalCode *> canonical = ptc::getCanonical(code);
  if (!canonical) {
    llvm::consumeError(canonical.takeError());
    return std::nullopt;
  }
  const CanonicalCode &body = **canonical;
  constexpr uint32_t kLength = std::size(kStatement);
  std::optional<Enumeration> found;
  for (uint32_t i = 0; i + 1 < body.size(); ++i)
    if (body.instrs[i].op == Opcode::LOAD_NAME && body.names[body.instrs[i].arg] == name &&
        (body.instrs[i + 1].op == Opcode::STORE_ATTR || body.instrs[i + 1].op == Opcode::CALL))
      return std::nullopt; // something else is done to it
  for (uint32_t i = 0; i + kLength <= body.size(); ++i) {
    llvm::ArrayRef<Instr> here = llvm::ArrayRef(body.instrs).slice(i, kLength);
    if (!llvm::equal(here, kStatement, [](const Instr &a, Opcode op) { return a.op == op; }) ||
        body.names[here.back().arg] != name)
      continue;
    const auto *cls = llvm::dyn_cast<CodeObject>(body.consts[here[1].arg]);
    llvm::StringRef base = body.names[here[4].arg];
    if (found || !cls || !llvm::is_contained(kBases, base) || !isFromEnum(body, base))
      return std::nullopt;
    found = membersOf(*cls);
    if (!found || found->members.empty())
      return std::nullopt;
    found->base = base.str();
  }
  return found;
}

/// Does the stub beside a module (PEP 561) have a class statement of the name?
static bool declaresClass(Engine &e, const ModuleCode &module, llvm::StringRef leaf,
                          llvm::StringRef name) {
  llvm::SmallString<128> stub(moduleFolderOf(module.path));
  path::append(stub, (module.isPackage ? "__init__" : leaf) + ".pyi");
  if (fs::make_absolute(stub))
    return false;
  path::remove_dots(stub, /*remove_dot_dot=*/true);
  std::optional<InstalledPath> found = askArchive(e, stub, /*contents=*/true);
  if (!found)
    found = askInstalled(e, stub, /*contents=*/true);
  if (!found || found->kind != InstalledPath::Kind::File)
    return false;
  for (llvm::StringRef rest = found->bytes; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("class ") && line.consume_front(name) &&
        (line.starts_with("(") || line.starts_with(":")))
      return true;
  }
  return false;
}

/// The version of the distribution that the row names, if one is there.
static std::optional<std::string> versionOf(Engine &e, const OpaquePackage &row) {
  if (!row.hasVersion || !e.world->distributions)
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 4> names;
  row.distributions.split(names, ' ');
  std::optional<std::string> version;
  for (const Distribution &there : e.world->distributions())
    if (llvm::any_of(names, [&](llvm::StringRef n) { return distributionKey(n) == there.key; })) {
      if (version) // which of them wrote the files?
        return std::nullopt;
      version = there.version;
    }
  return version;
}

PackageMember capture::findPackageMember(Engine &e, llvm::StringRef module, llvm::StringRef name) {
  PackageMember member;
  const OpaquePackage *row = packageOf(e, module);
  if (!row || !e.world->resolve)
    return member;
  ModuleCode here = codeOfModule(e, module);
  auto [mayBind, binds] = here.code ? bindingOf(*here.code, name) : std::pair(true, false);
  // What the stub declares and the code binds on some way is there.
  member.isClass =
      mayBind && here.code &&
      ((binds && bindsClass(*here.code, name)) ||
       declaresClass(e, here, module.contains('.') ? module.rsplit('.').second : module, name));
  member.isBound = binds || member.isClass;
  if (binds && member.isClass)
    member.enumeration = enumerationOf(*here.code, name);
  if (!mayBind && here.isPackage)
    member.isModule = hasPackageModule(e, (module + "." + name).str());
  member.isImported =
      member.isModule && e.world->opaqueModules.contains((module + "." + name).str());
  if (name == "__version__" && module == row->module)
    member.version = versionOf(e, *row);
  return member;
}
