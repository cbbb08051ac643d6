//===- Answers.cpp - What a program asks about the world ---------------------------------===//
//
// In: a row of World.def, by id or name. Out: its answer as a value, noted with the place that
// asked first; a diagnostic where there is none. Also the builtins that CPython has and ptc has
// not: names that are there, and whose use is refused.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Escape.h"
#include "Objects.h"
#include "Template.h"

#include "ptc/Capture/Environment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId, ptc::Diagnostic, ptc::SourceLoc;

namespace {
struct Answer {
  enum class Kind : uint8_t { None, Bool, Int, Text, Kept, ByVersion, Refused } kind;
  int64_t number = 0;
  llvm::StringLiteral text = "";
};
struct Row {
  llvm::StringLiteral module, name;
  Answer answer;
  llvm::StringLiteral reason;
};
struct LaterMethod {
  WellKnown owner;
  llvm::StringLiteral name;
  uint32_t minor;
};
struct MissingBuiltin {
  llvm::StringLiteral name;
  uint32_t minor;
};
} // namespace

// NOLINTBEGIN(readability-identifier-naming): the words of World.def's rows
namespace answers {
static constexpr Answer None{Answer::Kind::None}, Kept{Answer::Kind::Kept},
    ByVersion{Answer::Kind::ByVersion}, Refused{Answer::Kind::Refused}, True{Answer::Kind::Bool, 1},
    False{Answer::Kind::Bool, 0};
static constexpr Answer Int(int64_t n) { return {Answer::Kind::Int, n}; }
static constexpr Answer Text(llvm::StringLiteral text) { return {Answer::Kind::Text, 0, text}; }

static constexpr Row kRows[] = {
#define PTC_WORLD_CALL(Id, Module, Name, Signature, Answer, Reason) {Module, Name, Answer, Reason},
#define PTC_WORLD_ATTRIBUTE(Id, Module, Name, Answer, Reason) {Module, Name, Answer, Reason},
#define PTC_WORLD_FACT(Id, Name, Answer, Reason) {"", Name, Answer, Reason},
#include "ptc/Capture/World.def"
};
} // namespace answers
// NOLINTEND(readability-identifier-naming)

/// Rows that are variables of modules.
static constexpr WorldId kAttributes[] = {
#define PTC_WORLD_ATTRIBUTE(Id, ...) WorldId::Id,
#include "ptc/Capture/World.def"
};

static constexpr LaterMethod kLaterMethods[] = {
#define PTC_LATER_METHOD(Class, Name, Minor) {WellKnown::Class, Name, Minor},
#include "ptc/Capture/World.def"
};

static constexpr MissingBuiltin kMissingBuiltins[] = {
#define PTC_MISSING_BUILTIN(Name, Minor) {Name, Minor},
#include "ptc/Capture/World.def"
};

static const Row &rowOf(WorldId id) { return answers::kRows[size_t(id)]; }

static std::string nameOf(const Row &row) {
  bool bare = row.module.empty() || row.module == "builtins";
  return bare ? row.name.str() : (row.module + "." + row.name).str();
}

/// What the Python part of the row's module holds.
static Value keptIn(Engine &e, const Row &row) {
  ObjectId module = findModule(e, row.module);
  assert(module && "a kept answer of a module that is not loaded");
  return e.heap.get(module, attrKey(e.intern(("_" + row.name).str())));
}

static Value valueOf(Engine &e, const Row &row) {
  switch (row.answer.kind) {
  case Answer::Kind::None:
    return Value::none();
  case Answer::Kind::Bool:
    return Value::boolean(row.answer.number != 0);
  case Answer::Kind::Int:
    return Value::integer(row.answer.number);
  case Answer::Kind::Text:
    return Value::str(row.answer.text);
  case Answer::Kind::Kept:
    return keptIn(e, row);
  case Answer::Kind::ByVersion:
    return dictGet(e, keptIn(e, row), ptc::getVersionName(e.world->version));
  case Answer::Kind::Refused:
    return e.refuse(
        std::move(ptc::makeDiagnostic(DiagId::Unsupported, e.here(), "'" + nameOf(row) + "'")
                      .note(row.reason.str())));
  }
  llvm_unreachable("closed enum");
}

/// Is a module of the prelude being loaded? What its code asks for itself is not the program's.
static bool loadsPrelude(Engine &e) {
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden) {
    if (e.code(frame.asRef()).code->name == "<module>")
      return true;
    frame = e.heap.get(frame.asRef(), slot::kCaller);
  }
  return false;
}

static void noteUse(Engine &e, const std::string &name, const Value &answer,
                    llvm::StringRef reason) {
  if (llvm::any_of(e.world->worldUses, [&](const WorldUse &use) { return use.name == name; }))
    return;
  std::optional<Value> text;
  if (!hasUnknownContents(e, e.known(answer)))
    text = nativeText(e, e.unboxed(e.known(answer)), /*repr=*/true);
  if (!text) // an object that has another one for the program
    e.pending = {};
  assert((!text || text->is(Kind::Str)) && "an answer whose text is not known");
  e.world->worldUses.push_back(
      {name, text ? text->asStr().str() : "what the program adds", reason.str(), e.here()});
}

void capture::noteAboutWorld(Engine &e, WorldId id) {
  if (loadsPrelude(e))
    return;
  const Row &row = rowOf(id);
  noteUse(e, nameOf(row), valueOf(e, row), row.reason);
}

/// How uses name a variable of the environment, whose own name is given as Python's repr.
static std::string environmentUse(llvm::StringRef name) {
  return ("os.environ[" + name + "]").str();
}

ptc::Diagnostic capture::diagnoseRaised(const SourceLoc &loc, llvm::StringRef type,
                                        llvm::StringRef text, llvm::ArrayRef<WorldUse> world) {
  Diagnostic diag = makeDiagnostic(DiagId::ProgramRaised, loc, type, text);
  bool isUnset = type == "KeyError" && llvm::any_of(world, [&](const WorldUse &use) {
                   return use.name == environmentUse(text) && use.answer == "None";
                 });
  if (isUnset)
    diag.hint(("give the variable of the environment a value: --env " +
               text.drop_front().drop_back() + "=VALUE; the program sees no others")
                  .str());
  if (type == "ImportError" && text == "attempted relative import with no known parent package")
    diag.hint("the file is run by itself, as no part of a package: compile one beside the package "
              "that imports what is "
              "the entry, `from package.module import name`");
  return diag;
}

Value capture::environmentValue(Engine &e, llvm::StringRef name) {
  Value found = Value::none();
  for (const auto &[given, value] : e.world->environment)
    if (given == name)
      found = Value::str(value);
  std::optional<Value> key = nativeText(e, Value::str(name), /*repr=*/true);
  noteUse(e, environmentUse(key ? key->asStr() : name), found,
          found.isNone() ? "a variable that --env does not give is not set" : "given by --env");
  return found;
}

Value capture::environmentNames(Engine &e) {
  std::vector<Value> names;
  for (const auto &[name, value] : e.world->environment)
    names.push_back(Value::str(name));
  Value all = Value::tuple(std::move(names));
  noteUse(e, "os.environ", all, "the variables that --env gives, and no others");
  return all;
}

Value capture::answerInstalled(Engine &e, const std::string &name, Value answer) {
  noteUse(e, name, answer,
          answer.isNone() ? "no distribution of the name is in the folders of -I"
                          : "what is installed in the folders of -I");
  return answer;
}

void capture::assume(Engine &e, llvm::StringRef text) {
  const SourceLoc at = e.here();
  bool noted = llvm::any_of(e.world->assumptions, [&](const Program::Assumption &known) {
    return known.text == text && known.loc == at;
  });
  if (!noted)
    e.world->assumptions.push_back({text.str(), at});
}

static bool isNearProgram(Engine &e, llvm::StringRef path) {
  if (path.find_first_not_of("./") == llvm::StringRef::npos)
    return true;
  return llvm::any_of(e.world->moduleInfos, [&](const ModuleInfo &module) {
    llvm::StringRef file = module.file, folder = file.take_front(file.rfind('/') + 1);
    return !module.prelude && !file.empty() &&
           (file.starts_with(path) || (file.contains('/') && path.starts_with(folder)));
  });
}

void capture::describeModule(Engine &e, ObjectId module, ModuleForm form) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  auto set = [&](llvm::StringRef attribute, Value value) {
    e.heap.set(module, attrKey(e.intern(attribute)), std::move(value));
  };
  auto unknown = [&](llvm::StringRef attribute) {
    return makeOpaque(e, info.name + "." + attribute.str(), OpaqueIs::Object);
  };
  set("__loader__", unknown("__loader__"));
  set("__spec__", form == ModuleForm::Main ? Value::none() : unknown("__spec__"));
  if (form == ModuleForm::Package || form == ModuleForm::Namespace)
    set("__path__", unknown("__path__"));
  if (form == ModuleForm::Namespace) {
    set("__file__", Value::none());
    return;
  }
  set("__file__", Value::str(info.file));
  if (e.world->minorVersion() < 15)
    set("__cached__", unknown("__cached__"));
  set("__builtins__", unknown("__builtins__"));
}

std::optional<std::string> capture::moduleText(Engine &e, ObjectId module) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  const bool isAsked = isAskedByProgram(e);
  if (info.prelude && isAsked)
    return info.name == "sys" || info.name == "builtins"
               ? std::optional("<module '" + info.name + "' (built-in)>")
               : std::nullopt;
  const auto isSet = [&](llvm::StringRef attribute) {
    const Value &own = e.heap.get(module, attrKey(e.intern(attribute)));
    return !own.isAbsent() && !own.isNone();
  };
  const Value &name = e.heap.get(module, attrKey(WellKnown::Name));
  const bool isPlain = info.file.empty() && !isSet("__file__") && !isSet("__loader__") &&
                       !isSet("__spec__") && (name.isAbsent() || name.is(Kind::Str));
  if (isAsked && !isPlain)
    return std::nullopt;
  return "<module '" + (name.isAbsent() ? "?" : moduleName(e, module)) + "'>";
}

std::optional<InstalledPath> capture::askInstalled(Engine &e, llvm::StringRef path, bool contents) {
  if (e.recording() || !e.world->installedPath)
    return std::nullopt;
  return e.world->installedPath(path, contents);
}

std::optional<InstalledPath> capture::askArchive(Engine &e, llvm::StringRef path, bool contents) {
  if (e.recording() || !e.world->archivedPath)
    return std::nullopt;
  std::optional<InstalledPath> found = e.world->archivedPath(path, contents);
  if (found)
    assume(e, "the archives of -I are those that are there now");
  return found;
}

/// Is it one that the program can load, and there?
static bool isTensorFile(llvm::StringRef path) {
  static constexpr llvm::StringLiteral kSuffixes[] = {".pt", ".pth", ".ckpt", ".bin",
                                                      ".safetensors"};
  return llvm::any_of(kSuffixes, [&](llvm::StringRef suffix) { return path.ends_with(suffix); }) &&
         llvm::sys::fs::is_regular_file(path);
}

Value capture::isFileThere(Engine &e, llvm::StringRef question, llvm::StringRef path) {
  if (std::optional<InstalledPath> found = askInstalled(e, path, /*contents=*/false))
    return Value::boolean(question.ends_with(".isdir") ? found->kind == InstalledPath::Kind::Folder
                          : question.ends_with(".isfile")
                              ? found->kind == InstalledPath::Kind::File
                              : found->kind != InstalledPath::Kind::Absent);
  if (!e.recording() && isTensorFile(path)) {
    assume(e, ("'" + path + "' is there").str());
    return Value::boolean(!question.ends_with(".isdir"));
  }
  if (!path.empty() && isNearProgram(e, path))
    return Value::absent();
  std::optional<Value> text = nativeText(e, Value::str(path), /*repr=*/true);
  noteUse(e, (question + "(" + (text ? text->asStr() : path) + ")").str(), Value::boolean(false),
          "no file is there, and what the program writes is not seen");
  return Value::boolean(false);
}

Value capture::answerAboutWorld(Engine &e, WorldId id) {
  Value answer = valueOf(e, rowOf(id));
  if (!answer.isFail())
    noteAboutWorld(e, id);
  else // asking changes nothing
    e.pending.isPure = e.pending.raisesNothing = e.pending.kind == Pending::Kind::Refuse;
  return answer;
}

Value capture::answerAboutWorld(Engine &e, llvm::StringRef name) {
  for (const auto &[n, row] : llvm::enumerate(answers::kRows))
    if (name == nameOf(row))
      return answerAboutWorld(e, WorldId(n));
  llvm_unreachable("the prelude asks for a row that World.def does not have");
}

Value capture::worldAttribute(Engine &e, llvm::StringRef module, NameId name) {
  for (WorldId id : kAttributes)
    if (e.nameText(name) == rowOf(id).name && module == rowOf(id).module)
      return answerAboutWorld(e, id);
  return Value::absent();
}

bool capture::isWorldAttribute(llvm::StringRef module, llvm::StringRef name) {
  return llvm::any_of(kAttributes, [&](WorldId id) {
    return name == rowOf(id).name && module == rowOf(id).module;
  });
}

void capture::bootstrapWorldModules(Engine &e) {
  for (WorldId id : kAttributes)
    if (!findModule(e, rowOf(id).module))
      e.makeModule(rowOf(id).module, "", /*prelude=*/true);
}

void capture::noteHash(Engine &e, const Value &given) {
  if (loadsPrelude(e))
    return;
  Value v = e.unboxed(e.known(given));
  if (v.is(Kind::Str) || v.is(Kind::Bytes))
    return noteAboutWorld(e, WorldId::HashSeed);
  if (v.is(Kind::Tuple) || v.is(Kind::FrozenSet)) {
    anyElement(v, [&](const Value &part) {
      if (!part.is(Kind::Tuple) && !part.is(Kind::FrozenSet))
        noteHash(e, part);
      return false;
    });
    return;
  }
  bool byAddress = v.is(Kind::Tensor) ||
                   (v.is(Kind::Ref) && !isPythonFunction(e, specialMethod(e, v, WellKnown::Hash)));
  static constexpr llvm::StringLiteral kText =
      "addresses, which are hashes of objects, grow in the order in which the objects are made";
  if (byAddress && llvm::none_of(e.world->assumptions, [](const Program::Assumption &known) {
        return known.text == kText;
      }))
    e.world->assumptions.push_back({kText.str(), e.here()});
}

void capture::noteSetOrder(Engine &e, llvm::ArrayRef<Value> items) {
  if (items.size() > 1)
    for (const Value &item : items)
      noteHash(e, item);
}

// Builtins that are missing
// ----------------------------------------------------------------------------

/// What the paths of opaque values for missing builtins start with.
static constexpr llvm::StringLiteral kBuiltins = "builtins.";

void capture::setVersion(Engine &e, ptc::PythonVersion version) {
  e.world->version = version;
  Heap::OwnWrites own(e.heap); // images know the version
  for (const LaterMethod &later : kLaterMethods)
    if (later.minor > e.world->minorVersion())
      e.heap.set(e.builtinClass(later.owner), attrKey(e.intern(later.name)), Value::absent());
  for (const MissingBuiltin &missing : kMissingBuiltins) {
    if (missing.minor > e.world->minorVersion())
      continue;
    e.heap.set(e.world->builtins, attrKey(e.intern(missing.name)),
               makeOpaque(e, (kBuiltins + missing.name).str()));
  }
  if (e.world->minorVersion() < 12)
    e.heap.set(e.builtinClass(WellKnown::SliceType), attrKey(WellKnown::Hash), Value::none());
}

bool capture::isMissingBuiltin(llvm::StringRef path) { return path.starts_with(kBuiltins); }
