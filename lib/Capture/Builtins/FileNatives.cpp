//===- FileNatives.cpp - Files of installed packages --------------------------------------===//
//
// In: paths that the program made, while its modules are imported. Out: what lies there, where it
// is a file or a folder of a package that is installed in a folder of -I; nothing of any other
// path.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Answers.h"
#include "../Imports.h"
#include "../Objects.h"

#include "ptc/Capture/Prelude.h"
#include "ptc/TensorFile/Zip.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

/// The text of a path that is known; none: it is another object.
static std::optional<std::string> textOf(Engine &e, const Value &given) {
  Value v = e.unboxed(e.known(given));
  return v.is(Kind::Str) ? std::optional(v.asStr().str()) : std::nullopt;
}

/// The same of a path of pathlib, too.
static std::optional<std::string> pathOf(Engine &e, const Value &given) {
  Value v = e.known(given);
  const ObjectId module = findModule(e, "pathlib");
  const Value cls = module ? e.heap.get(module, attrKey(e.intern("PurePath"))) : Value();
  if (!isClass(e, cls) || !isRefTo(e, v, ObjectKind::Instance) ||
      !e.isSubclass(e.typeOf(v), cls.asRef()))
    return textOf(e, v);
  const Value root = e.known(e.heap.get(v.asRef(), attrKey(e.intern("_ptc_root")))),
              tail = e.known(e.heap.get(v.asRef(), attrKey(e.intern("_ptc_tail"))));
  if (!root.is(Kind::Str) || !tail.is(Kind::Tuple))
    return std::nullopt;
  std::vector<std::string> names;
  for (const Value &name : tail.parts())
    if (std::optional<std::string> text = textOf(e, name))
      names.push_back(std::move(*text));
  return names.size() == tail.parts().size()
             ? std::optional(root.asStr().str() + llvm::join(names, "/"))
             : std::nullopt;
}

static bool isUtf8(llvm::StringRef text) {
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.data()), *end = at + text.size();
  while (at < end) {
    if (*at < 0x80) {
      ++at;
      continue;
    }
    if (!llvm::isLegalUTF8Sequence(at, end))
      return false;
    at += llvm::getNumBytesForUTF8(*at);
  }
  return true;
}

/// Text of a file as universal newlines leave it; none where decoding or a line's end would change
/// it.
static std::optional<std::string> readText(Engine &e, llvm::StringRef path, bool isAscii) {
  std::optional<InstalledPath> found = askInstalled(e, path, /*contents=*/true);
  if (!found || found->kind != InstalledPath::Kind::File || llvm::is_contained(found->bytes, '\r'))
    return std::nullopt;
  const bool isText = isAscii ? llvm::isASCII(found->bytes) : isUtf8(found->bytes);
  return isText ? std::optional(std::move(found->bytes)) : std::nullopt;
}

/// (name, is a folder) of each entry, or None.
Value builtins::ptcInstalledEntries(Engine &e, CallArgs &args) {
  std::optional<std::string> path = textOf(e, arg(args, 0));
  std::optional<InstalledPath> found = path ? askInstalled(e, *path, true) : std::nullopt;
  if (!found || found->kind != InstalledPath::Kind::Folder)
    return Value::none();
  std::vector<Value> entries;
  for (const auto &[name, isFolder] : found->entries)
    entries.push_back(Value::tuple({Value::str(name), Value::boolean(isFolder)}));
  return Value::tuple(std::move(entries));
}

/// The text of a file in UTF-8, or None.
Value builtins::ptcInstalledText(Engine &e, CallArgs &args) {
  std::optional<std::string> path = textOf(e, arg(args, 0));
  std::optional<std::string> text = path ? readText(e, *path, false) : std::nullopt;
  return text ? Value::str(*text) : Value::none();
}

/// The bytes of a file, or None.
Value builtins::ptcInstalledBytes(Engine &e, CallArgs &args) {
  std::optional<std::string> path = textOf(e, arg(args, 0));
  std::optional<InstalledPath> found = path ? askInstalled(e, *path, true) : std::nullopt;
  return found && found->kind == InstalledPath::Kind::File ? Value::bytes(found->bytes)
                                                           : Value::none();
}

/// The path without symbolic links of what is there, or None.
Value builtins::ptcRealPath(Engine &e, CallArgs &args) {
  std::optional<std::string> path = textOf(e, arg(args, 0));
  std::optional<InstalledPath> found = path ? askInstalled(e, *path, false) : std::nullopt;
  llvm::SmallString<128> real;
  if (!found || found->kind == InstalledPath::Kind::Absent || llvm::sys::fs::real_path(*path, real))
    return Value::none();
  return Value::str(real);
}

/// Does a file end as a zip archive does? None: it is none that the program can load or look at.
Value builtins::ptcIsZip(Engine &e, CallArgs &args) {
  std::optional<std::string> path = textOf(e, arg(args, 0));
  if (!path || e.recording())
    return Value::none();
  Value isThere = isFileThere(e, "os.path.isfile", *path);
  if (isThere != Value::boolean(true))
    return isThere.isAbsent() ? Value::none() : isThere;
  auto buffer = llvm::MemoryBuffer::getFile(*path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return Value::none();
  e.world->fileLoaded(*path);
  return Value::boolean(isZip((*buffer)->getBuffer()));
}

/// What an archive of -I has at a path: bytes, the names in a folder, or False; None: it is in no
/// archive.
Value builtins::ptcArchived(Engine &e, CallArgs &args) {
  std::optional<std::string> path = textOf(e, arg(args, 0));
  std::optional<InstalledPath> found = path ? askArchive(e, *path, true) : std::nullopt;
  if (!found)
    return Value::none();
  switch (found->kind) {
  case InstalledPath::Kind::Absent:
    return Value::boolean(false);
  case InstalledPath::Kind::File:
    return Value::bytes(found->bytes);
  case InstalledPath::Kind::Folder:
    break;
  }
  std::vector<Value> names;
  for (const auto &entry : found->entries)
    names.push_back(Value::str(entry.first));
  return Value::tuple(std::move(names));
}

/// Runs the code of the module that an import of the name would find, at that path, in another
/// module.
Value builtins::ptcRunModuleCode(Engine &e, CallArgs &args) {
  const Value module = e.known(arg(args, 0));
  const std::optional<std::string> name = textOf(e, arg(args, 1)), path = textOf(e, arg(args, 2));
  ModuleCode found;
  if (name && e.world->resolve && !findPreludeModule(*name))
    found = e.world->resolve(*name);
  if (!name || found.kind != ModuleFile::Kind::Code || found.package || found.source != path ||
      !isRefTo(e, module, ObjectKind::Module))
    return e.refuse(DiagId::Unsupported, "running the code of '" + path.value_or("?") +
                                             "', which is not where module '" + name.value_or("?") +
                                             "' is found");
  if (e.recording())
    return refuseImport(e, *name);
  return enterBody(e, Value::code(found.code), module.asRef(), module, Value(), args.action,
                   Value());
}

Value capture::openInstalled(Engine &e, CallArgs &args) {
  if (args.positional.empty() || args.positional.size() > 2)
    return Value();
  Value mode = args.positional.size() == 2 ? args.positional[1] : Value::str("r"),
        encoding = Value::none();
  for (const KeywordArg &keyword : args.keywords) {
    if (e.nameText(keyword.name) == "mode" && args.positional.size() == 1)
      mode = keyword.value;
    else if (e.nameText(keyword.name) == "encoding")
      encoding = keyword.value;
    else
      return Value();
  }
  std::optional<std::string> path = pathOf(e, args.positional[0]), how = textOf(e, mode),
                             code = textOf(e, encoding);
  const bool isUtf8 = code && llvm::StringRef(*code).lower() == "utf-8";
  if (!path || !how || (*how != "r" && *how != "rt") || (!isUtf8 && !encoding.isNone()))
    return Value();
  // What the machine tells of itself is not there, as os.path.exists says.
  if (llvm::StringRef(*path).starts_with("/proc/") && !e.recording()) {
    (void)isFileThere(e, "os.path.exists", *path);
    return e.callPrelude("_no_such_file", {Value::str(*path)}, args.action);
  }
  // The encoding of the machine is taken to have ASCII in it.
  std::optional<std::string> text = readText(e, *path, /*isAscii=*/!isUtf8);
  if (!text)
    return Value();
  return e.callPrelude("_opened_text",
                       {args.positional[0], Value::str(*how),
                        isUtf8 ? encoding : Value::str("UTF-8"), Value::str(*text)},
                       args.action);
}
