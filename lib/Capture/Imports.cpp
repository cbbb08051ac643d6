//===- Imports.cpp - Modules of the prelude, of the user, and opaque ones ---------===//
//
// In: names. Out: module objects, entered module code, or opaque values for what is not found where
// no handler would catch the ImportError.
//
//===----------------------------------------------------------------------===//
#include "Imports.h"
#include "Answers.h"
#include "Aside.h"
#include "Escape.h"
#include "Failures.h"
#include "Image.h"
#include "Objects.h"
#include "OpaqueCalls.h"
#include "Packages.h"
#include "Tensors.h"

#include "ptc/Capture/Interpreter.h"
#include "ptc/Capture/ModuleFiles.h"
#include "ptc/Capture/Prelude.h"

#include "llvm/Support/FileSystem.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;
using ptc::SourceLoc;

std::string capture::moduleName(Engine &e, ObjectId module) {
  Value name = e.known(e.heap.get(module, attrKey(WellKnown::Name)));
  if (name.is(Kind::Str))
    return name.asStr().str();
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(module).info);
  return info ? info->name : "?";
}

ObjectId capture::findModule(Engine &e, llvm::StringRef name) {
  Value v = e.known(e.heap.get(e.world->modules, attrKey(e.intern(name))));
  return v.is(Kind::Ref) ? v.asRef() : 0;
}

static const CodeObject *embeddedCode(Engine &e, llvm::StringRef name, bool &isPackage) {
  const PreludeModule *module = findPreludeModule(name);
  if (!module)
    return nullptr;
  isPackage = module->isPackage;
  auto file = ptc::readPyc(module->bytes, ("<" + name + ">").str(), {{}, false});
  if (!file) {
    for (ptc::Diagnostic &d : ptc::takeDiagnostics(file.takeError()))
      e.diags.push_back(std::move(d));
    return nullptr;
  }
  e.world->files.push_back(std::move(*file));
  return &e.world->files.back()->top();
}

/// The model of a package of which no code is run and that is installed; null: it has none.
static const CodeObject *modelOfPackage(Engine &e, llvm::StringRef name) {
  bool isPackage = false;
  return embeddedCode(e, kModelOfPackage.str() + name.str(), isPackage);
}

/// The files of lib/Prelude/_builtins, in an order in which each needs only those before it when it
/// is run.
static constexpr llvm::StringLiteral kBuiltinParts[] = {
    "operators", "containers", "lists",      "iteration",   "text",       "objects",
    "types",     "files",      "bytearrays", "memoryviews", "coroutines", "tables"};

/// Runs all parts of the built-in names in one namespace, where the engine finds them by name.
static llvm::Error runBuiltinParts(Engine &e, ObjectId module) {
  for (llvm::StringLiteral part : kBuiltinParts) {
    bool isPackage = false;
    const CodeObject *code = embeddedCode(e, ("_builtins." + part).str(), isPackage);
    if (!code)
      return ptc::makeError(DiagId::InternalError, {}, "the prelude cannot be read");
    if (llvm::Error error = runBody(e, *code, module))
      return error;
    Value raised = e.heap.get(kMachine, slot::kResult);
    if (isException(e, raised))
      return ptc::makeError(DiagId::InternalError, {},
                            "the prelude raised " + exceptionLine(e, raised).value_or("?") + "\n" +
                                tracebackText(e, raised));
  }
  return llvm::Error::success();
}

llvm::Error capture::bootstrapPrelude(Engine &e) {
  World &w = *e.world;
  e.heap.set(w.builtins, slot::kStarted, Value::boolean(true));
  w.prelude = e.makeModule("_ptc_builtins", "", true);
  e.heap.set(w.prelude, attrKey(WellKnown::Name), Value::str("builtins"));
  ObjectId natives = findModule(e, "_ptc");
  std::vector<std::pair<uint32_t, Value>> names;
  auto collect = [&](uint32_t key, const Value &v) {
    if (isAttrKey(key) && !e.nameText(nameOfKey(key)).starts_with("__"))
      names.emplace_back(key, v);
  };
  e.heap.forEachSlot(natives, collect);
  for (auto &[key, v] : names)
    e.heap.set(w.prelude, key, v);
  ObjectId missing = e.heap.allocate(ObjectKind::Instance, e.builtinClass(WellKnown::ObjectType));
  e.heap.set(w.prelude, attrKey(e.intern("_missing")), Value::ref(missing));
  e.heap.set(w.builtins, attrKey(e.intern("None")), Value::none());
  e.heap.set(w.builtins, attrKey(e.intern("True")), Value::boolean(true));
  e.heap.set(w.builtins, attrKey(e.intern("False")), Value::boolean(false));
  e.heap.set(w.builtins, attrKey(e.intern("NotImplemented")), Value::notImplemented());
  e.heap.set(w.builtins, attrKey(e.intern("Ellipsis")), Value::ellipsis());
  // The limits are for the program.
  uint64_t limit = std::exchange(e.limits.steps, ~uint64_t(0));
  if (llvm::Error error = runBuiltinParts(e, w.prelude))
    return error;
  e.limits.steps = limit;
  e.steps = 0;
  names.clear();
  e.heap.forEachSlot(w.prelude, [&](uint32_t key, const Value &v) {
    if (isAttrKey(key) && (!e.nameText(nameOfKey(key)).starts_with("_") ||
                           e.nameText(nameOfKey(key)) == "__build_class__" ||
                           e.nameText(nameOfKey(key)) == "__import__"))
      names.emplace_back(key, v);
  });
  for (auto &[key, v] : names)
    e.heap.set(w.builtins, key, v);
  e.heap.set(w.builtins, attrKey(e.intern("__builtins__")), Value::ref(w.builtins));
  w.ownClasses = w.classInfos.size();
  w.ownObjects = e.heap.nextId();
  e.heap.watch(kMachine + 1);
  return llvm::Error::success();
}

// import
// -------------------------------------------------------------------------------------------------

/// Would an ImportError be caught where the user's program stands?
static bool importErrorIsCaught(Engine &e) {
  return fateOf(e, e.builtinClass(WellKnown::ModuleNotFoundError)) == Fate::Caught;
}

static FailAny raiseImportError(Engine &e, WellKnown cls, const Value &text, llvm::StringRef name) {
  Value exception = e.makeException(e.builtinClass(cls), {text});
  e.heap.set(exception.asRef(), attrKey(e.intern("msg")), text);
  e.heap.set(exception.asRef(), attrKey(e.intern("name")), Value::str(name));
  return e.raiseNew(exception);
}

/// Does the list name the module, or a package that it is in?
static bool isListed(const llvm::StringSet<> &list, llvm::StringRef name) {
  while (!name.empty()) {
    if (list.contains(name))
      return true;
    name = name.contains('.') ? name.rsplit('.').first : "";
  }
  return false;
}

/// Modules of CPython and PyTorch are there in every program's world.
static bool isKnown(Engine &e, llvm::StringRef name) {
  return isKnownModule(name, e.world->minorVersion());
}

/// The program goes on without a module: its output says so.
static void noteAbsent(Engine &e, llvm::StringRef name) {
  assume(e, ("module '" + name + "' is not found, as on a machine without it").str());
}

/// Does lib/Prelude import something for itself?
static bool isPreludes(Engine &e) {
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller)) {
    const FrameInfo &info = e.frameInfo(frame.asRef());
    // Functions that import for others.
    const std::string name = moduleName(e, info.globals);
    bool forOthers = info.function && (info.globals == e.world->prelude || name == "importlib" ||
                                       name == "importlib.util");
    if (!forOthers)
      return info.hidden;
  }
  return false;
}

/// Is it a module that was imported and is no package?
static bool isPlainModule(Engine &e, llvm::StringRef name) {
  ObjectId module = findModule(e, name);
  if (!module)
    return false;
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(module).info);
  if (info && info->prelude)
    return !isKnownPackage(name, e.world->minorVersion());
  return e.heap.get(module, attrKey(e.intern("__path__"))).isAbsent();
}

static bool isOfStandardLibrary(Engine &e, const ModuleCode &found) {
  return capture::isOfStandardLibrary(found.path, found.isPackage, [&](llvm::StringRef path) {
    if (e.world->archivedPath)
      if (std::optional<InstalledPath> there = e.world->archivedPath(path, /*contents=*/false))
        return there->kind == InstalledPath::Kind::File;
    return llvm::sys::fs::is_regular_file(path);
  });
}

/// Does a module of the user's standard library ask for the part of it that is written in C? All of
/// that are in Python as well, which it has ready (PEP 399).
static bool isAccelerator(Engine &e, llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {"_bisect",    "_datetime", "_decimal",
                                                   "_functools", "_heapq",    "_operator",
                                                   "_pickle",    "_stat",     "_statistics"};
  if (!llvm::is_contained(kNames, name))
    return false;
  const std::string asking = moduleName(e, e.frameInfo(e.currentFrame()).globals);
  if (asking.find('.') != asking.npos || findPreludeModule(asking) || !e.world->resolve)
    return false;
  ModuleCode found = e.world->resolve(asking);
  return found.code && isOfStandardLibrary(e, found);
}

/// A module that nobody has: absent where the program is ready for that, and then everywhere.
static Value notFound(Engine &e, llvm::StringRef name) {
  World &w = *e.world;
  if (isAccelerator(e, name))
    return raiseImportError(e, WellKnown::ModuleNotFoundError,
                            Value::str(("No module named '" + name + "'").str()), name);
  bool absent = isListed(w.absentModules, name);
  if (!absent && isInOpaquePackage(e, name) && !hasPackageModule(e, name) && importErrorIsCaught(e))
    return e.refuse(DiagId::Unsupported,
                    "'" + name.str() + "', a module that is not among the files " +
                        "of its native package and may be there all the same,");
  if (!absent && !isKnown(e, name) && !isListed(w.opaqueModules, name))
    absent = importErrorIsCaught(e) || !w.lenient;
  if (!absent) {
    if (!isKnown(e, name) && !isListed(w.opaqueModules, name))
      assume(e, ("module '" + name + "' is not found, and taken to be there").str());
    if (!isKnown(e, name))
      w.opaqueModules.insert(name);
    if (llvm::StringRef act = actOfImport(name); !act.empty() && (e.recording() || e.plainPython))
      return e.refuse(DiagId::Unsupported, ("importing '" + name + "', which " + act + ",").str());
    if (!isPreludes(e))
      noteImported(e, name);
    return makeOpaque(e, name, OpaqueIs::Module);
  }
  w.absentModules.insert(name);
  noteAbsent(e, name);
  std::string text = ("No module named '" + name + "'").str();
  if (llvm::StringRef parent = name.rsplit('.').first; parent != name && isPlainModule(e, parent))
    text += ("; '" + parent + "' is not a package").str();
  if (ObjectId sys = findModule(e, "sys")) // of the program, behind CPython's own
    if (Value finders = e.known(e.heap.get(sys, attrKey(e.intern("_finders"))));
        isRefTo(e, finders, ObjectKind::List) && !listItems(e, finders).empty())
      return e.callPrelude("_ask_finders", {finders, Value::str(name), Value::str(text)});
  return raiseImportError(e, WellKnown::ModuleNotFoundError, Value::str(text), name);
}

bool capture::isModuleThere(Engine &e, llvm::StringRef name) {
  World &w = *e.world;
  if (isListed(w.absentModules, name)) {
    noteAbsent(e, name);
    return false;
  }
  if (isListed(w.opaqueModules, name) || isKnown(e, name) || findModule(e, name) ||
      findPreludeModule(name) || (w.resolve && w.resolve(name).kind != ModuleFile::Kind::Absent))
    return true;
  w.absentModules.insert(name);
  noteAbsent(e, name);
  return false;
}

/// `from package import module`, of a package without a model.
static void noteNamedModules(Engine &e, llvm::StringRef package, const Value &names) {
  if (names.is(Kind::Tuple))
    for (const Value &name : names.parts())
      if (std::string path = (package + "." + name.asStr()).str(); isKnown(e, path))
        noteImported(e, path);
}

/// Makes a module, or takes the one of the same name that has natives only.
static ObjectId startedModule(Engine &e, llvm::StringRef name, llvm::StringRef file, bool isPackage,
                              bool prelude) {
  ObjectId module = findModule(e, name);
  if (!module)
    module = e.makeModule(name, file, prelude);
  // What is one module in CPython may be a package here.
  const bool isTold = prelude ? isKnownPackage(name, e.world->minorVersion()) : isPackage;
  llvm::StringRef package = isTold ? name : name.contains('.') ? name.rsplit('.').first : "";
  e.heap.set(module, attrKey(e.intern("__package__")), Value::str(package));
  if (!prelude)
    describeModule(e, module,
                   file.empty() ? ModuleForm::Namespace
                   : isPackage  ? ModuleForm::Package
                                : ModuleForm::Plain);
  e.heap.set(module, slot::kStarted, Value::boolean(true));
  return module;
}

/// What a module does but make itself it may do at that place of a call only, not before the call.
static FailAny importBefore(Engine &e, llvm::StringRef name) {
  if (llvm::is_contained(e.world->importsWithEffects, name))
    return refuseImport(e, name);
  if (!llvm::is_contained(e.world->lateImports, name))
    e.world->lateImports.push_back(name.str());
  return e.refuse(DiagId::InternalError, ("'" + name + "' is imported in a call").str());
}

FailAny capture::refuseImport(Engine &e, llvm::StringRef name) {
  return e.refuse(DiagId::ImportInCall, name);
}

/// Is a function of the builtins that statements call the program's?
static Flow checkIsOwn(Engine &e, llvm::StringRef name) {
  const uint32_t key = attrKey(e.intern(name));
  Value own = e.heap.get(e.world->prelude, key);
  if (e.known(e.heap.get(e.world->builtins, key)) == own)
    return Flow::Next;
  return e.refuse(DiagId::Unsupported, "'" + name + "' that the program has replaced");
}

Flow capture::checkBuildClass(Engine &e) { return checkIsOwn(e, "__build_class__"); }

/// A package that is native at heart: it is there, as by --opaque, and all modules in it.
static Value importOpaquePackage(Engine &e, llvm::StringRef name, const OpaquePackage &package) {
  World &w = *e.world;
  w.opaquePackages.try_emplace(name, &package);
  w.opaqueModules.insert(name);
  assume(e, ("package '" + name + "' is taken to be there, and its code is not run").str());
  if (!isPreludes(e))
    noteImported(e, name);
  return makeOpaque(e, name, OpaqueIs::Module);
}

/// Is a numpy installed in a folder of -I that is older than the one which lib/Prelude has?
static bool hasOlderNumpy(Engine &e, llvm::StringRef name) {
  return name.split('.').first == "numpy" && e.world->resolve && e.world->distributions &&
         !isPreludes(e) && llvm::any_of(e.world->distributions(), [](const Distribution &there) {
           return there.key == "numpy" && llvm::StringRef(there.version).starts_with("1.");
         });
}

/// Enters the code of one module, whose result is dropped; none if it has no code. Absent: there is
/// no such module.
static Value startModule(Engine &e, llvm::StringRef name, ReturnAction action) {
  using K = ModuleFile::Kind;
  ModuleCode found;
  const CodeObject *code = embeddedCode(e, name, found.isPackage);
  const bool prelude = code;
  if (!prelude && e.world->resolve) {
    found = e.world->resolve(name);
    code = found.code;
  }
  const CodeObject *model = found.package ? modelOfPackage(e, name) : nullptr;
  if (found.package && !model)
    return importOpaquePackage(e, name, *found.package);
  if (found.kind == K::Native && !model)
    return makeOpaque(e, name, OpaqueIs::Module);
  if (model)
    code = model;
  if (!code && found.kind != K::Namespace)
    return Value();
  // A module that is there before the entry is called is no state over calls.
  if (e.recording())
    return importBefore(e, name);
  llvm::StringRef file = !found.source.empty() ? llvm::StringRef(found.source)
                         : code                ? llvm::StringRef(code->fileName)
                                               : "";
  ObjectId module = startedModule(e, name, file, found.isPackage, prelude || model);
  if (!code)
    return Value::none();
  return enterBody(e, Value::code(code), module, Value::ref(module), Value(), action, Value());
}

/// The whole name; Absent: there is none, which is raised.
static std::optional<std::string> absoluteName(Engine &e, llvm::StringRef name, int64_t level,
                                               ObjectId globals) {
  if (level == 0)
    return name.str();
  Value package = e.known(e.heap.get(globals, attrKey(e.intern("__package__"))));
  llvm::StringRef base = package.is(Kind::Str) ? package.asStr() : "";
  const bool isTop = base.empty();
  for (int64_t i = 1; i < level && !base.empty(); ++i)
    base = base.contains('.') ? base.rsplit('.').first : "";
  if (base.empty()) {
    e.raise(WellKnown::ImportError, isTop ? "attempted relative import with no known parent package"
                                          : "attempted relative import beyond top-level package");
    return std::nullopt;
  }
  return name.empty() ? base.str() : (base + "." + name).str();
}

/// Forks where an earlier call of the entry may have imported the module.
static std::optional<bool> isLoaded(Engine &e, llvm::StringRef name) {
  Value module = e.decide(e.heap.get(e.world->modules, attrKey(e.intern(name))));
  if (!module.is(Kind::Ref))
    return module.isFail() ? std::nullopt : std::optional(false);
  Value started = e.decide(e.heap.get(module.asRef(), slot::kStarted));
  if (started.isFail())
    return std::nullopt;
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(module.asRef()).info);
  // Native modules may have a Python part that is not run yet.
  return !started.isAbsent() || !info || !findPreludeModule(info->name);
}

/// Modules that are there before a program's own are looked for: built in, frozen, or imported as
/// the interpreter starts.
static constexpr llvm::StringLiteral kFirst[] = {
    "_collections_abc", "abc",     "atexit", "builtins",  "codecs",
    "encodings",        "errno",   "gc",     "importlib", "io",
    "itertools",        "marshal", "ntpath", "os",        "posix",
    "posixpath",        "site",    "stat",   "sys",       "time",
    "zipimport"};

/// The file of the program, beside it or under -I, that CPython finds before the module of the
/// standard library of which the prelude has a model; empty: there is none. A package of
/// OpaquePackages.def is what the model stands for.
static std::string findBefore(Engine &e, llvm::StringRef name) {
  using K = ModuleFile::Kind;
  if (name.contains('.') || name == "torch" || !findPreludeModule(name) || !isKnown(e, name) ||
      llvm::is_contained(kFirst, name) || !e.world->resolve || isPreludes(e))
    return {};
  ModuleCode found = e.world->resolve(name);
  // Packages that were installed come behind the standard library.
  llvm::StringRef path = found.path;
  bool isInstalled = path.contains("site-packages") || path.contains("dist-packages");
  return found.kind == K::Absent || found.kind == K::Namespace || isInstalled || found.package ||
                 isOfStandardLibrary(e, found)
             ? ""
             : found.path;
}

/// One module of a dotted name: none if it is there, called if its code was entered.
static Value load(Engine &e, llvm::StringRef name, ReturnAction action, bool optional) {
  const World &w = *e.world;
  const bool isOwn = findPreludeModule(name) && !isKnown(e, name) && !isModelOfPackage(e, name);
  if ((isOwn || isListed(w.absentModules, name) || isListed(w.opaqueModules, name)) &&
      e.heap.get(kMachine, slot::kCurrentFrame).is(Kind::Ref) && !isPreludes(e)) {
    const bool isAbsent = isListed(w.absentModules, name);
    if (isAbsent)
      noteAbsent(e, name);
    return optional && (isOwn || isAbsent) ? Value::none() : notFound(e, name);
  }
  if (std::string path = findBefore(e, name); !path.empty())
    return e.refuse(DiagId::Unsupported, "'" + path + "' in place of the module '" + name.str() +
                                             "' of the standard library: give it another name");
  std::optional<bool> loaded = isLoaded(e, name);
  if (!loaded)
    return Value::fail();
  if (*loaded) {
    if (w.importLog)
      w.importLog->push_back(name.str());
    return Value::none();
  }
  if (!isPreludes(e))
    PTC_DO(checkBuildClass(e));
  if (hasOlderNumpy(e, name))
    if (ModuleCode found = w.resolve(name); found.package)
      return importOpaquePackage(e, name, *found.package);
  if (w.usesImage && loadFromImage(e, name))
    return Value::none();
  ObjectId module = findModule(e, name);
  Value entered = startModule(e, name, action);
  if (entered.isAbsent())
    return module || (optional && !isKnown(e, name)) ? Value::none() : notFound(e, name);
  if (entered.isFail() || entered.is(Kind::Opaque))
    return entered;
  // A module of the program's is a name of its package when its code has been run.
  module = findModule(e, name);
  if (entered.isNone() || static_cast<const ModuleInfo *>(e.heap.header(module).info)->prelude)
    nameInPackage(e, module);
  return entered;
}

void capture::nameInPackage(Engine &e, ObjectId module) {
  std::string name = moduleName(e, module);
  auto [parent, leaf] = llvm::StringRef(name).rsplit('.');
  ObjectId up = leaf.empty() ? 0 : findModule(e, parent);
  // The program may have put another one in its place.
  if (ObjectId now = up ? findModule(e, name) : 0)
    e.heap.set(up, attrKey(e.intern(leaf)), Value::ref(now));
}

bool capture::isModuleBody(Engine &e, ObjectId frame) {
  const FrameInfo &info = e.frameInfo(frame);
  return info.function == 0 && e.heap.get(frame, slot::kNamespace) == Value::ref(info.globals);
}

bool capture::isBeingImported(Engine &e, ObjectId module) {
  if (moduleName(e, module) == "__main__")
    return false; // it has no __spec__
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller))
    if (e.frameInfo(frame.asRef()).globals == module && isModuleBody(e, frame.asRef()))
      return true;
  return false;
}

bool capture::isImporting(Engine &e) {
  if (e.world->importing || e.recording() || e.plainPython)
    return e.world->importing;
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller))
    if (!e.frameInfo(frame.asRef()).hidden && isModuleBody(e, frame.asRef()))
      return true;
  return false;
}

/// Notes that the program itself imports a module that is there.
static Flow noteOwnImport(Engine &e, llvm::StringRef name) {
  ObjectId module = findModule(e, name);
  if (!module || !e.heap.get(module, slot::kImported).isAbsent())
    return Flow::Next;
  if (!static_cast<const ModuleInfo *>(e.heap.header(module).info)->prelude)
    return Flow::Next;
  // That a module was imported is asked of those in packages, and by sys.modules.
  if (e.recording())
    return name.contains('.') ? Flow(importBefore(e, name)) : Flow::Next;
  Heap::OwnWrites own(e.heap); // code of the prelude does not ask
  e.heap.set(module, slot::kImported, Value::boolean(true));
  return Flow::Next;
}

/// As load(), for the program or for a model.
static Value loadNoted(Engine &e, llvm::StringRef name, ReturnAction action, bool optional) {
  const bool isOwn = !isPreludes(e); // not of the code that is entered
  Value loaded = load(e, name, action, optional);
  if (isOwn && (loaded.isNone() || Engine::isCalled(loaded)))
    PTC_DO(noteOwnImport(e, name));
  return loaded;
}

void capture::forgetModule(Engine &e, ObjectId module) {
  std::string name = moduleName(e, module);
  auto isIt = [&](ObjectId holder, llvm::StringRef as) {
    return e.heap.get(holder, attrKey(e.intern(as))) == Value::ref(module);
  };
  if (isIt(e.world->modules, name))
    e.heap.set(e.world->modules, attrKey(e.intern(name)), Value::absent());
  auto [parent, leaf] = llvm::StringRef(name).rsplit('.');
  if (ObjectId package = leaf.empty() ? 0 : findModule(e, parent); package && isIt(package, leaf))
    e.heap.set(package, attrKey(e.intern(leaf)), Value::absent());
}

Value capture::loadModule(Engine &e, llvm::StringRef name, ReturnAction action) {
  return loadNoted(e, name, action, false);
}

Value capture::importModule(Engine &e, llvm::StringRef given, const Value &fromList, int64_t level,
                            ObjectId globals) {
  if (!e.frameInfo(e.currentFrame()).hidden)
    PTC_DO(checkIsOwn(e, "__import__"));
  std::optional<std::string> whole = absoluteName(e, given, level, globals);
  if (!whole)
    return Value::fail();
  const std::string &name = *whole;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(name).split(parts, '.');
  std::string at;
  for (llvm::StringRef part : parts) {
    at += (at.empty() ? "" : ".") + part.str();
    Value loaded = loadNoted(e, at, ReturnAction::DropAgain, false);
    if (loaded.is(Kind::Opaque) && at != parts[0]) {
      // Its name in the package says the same, as `import a.b as c` looks there.
      ObjectId package = findModule(e, llvm::StringRef(at).rsplit('.').first);
      e.heap.set(package, attrKey(e.intern(part)), loaded);
    }
    if (loaded.is(Kind::Opaque) && at == name)
      noteNamedModules(e, name, fromList);
    if (loaded.is(Kind::Opaque) && at != name) {
      PTC_LET(rest, notFound(e, name));
      noteNamedModules(e, name, fromList);
      if (fromList.is(Kind::Tuple))
        return rest;
    }
    if (loaded.is(Kind::Opaque) && at != parts[0] && !fromList.is(Kind::Tuple))
      break;
    if (!loaded.isNone())
      return loaded;
  }
  return Value::ref(
      findModule(e, level || fromList.is(Kind::Tuple) ? llvm::StringRef(name) : parts[0]));
}

bool capture::asksForNames(Engine &e, const Value &module) {
  if (!isRefTo(e, module, ObjectKind::Module) ||
      static_cast<const ModuleInfo *>(e.heap.header(module.asRef()).info)->prelude)
    return false;
  const ObjectId cls = e.typeOf(module);
  return !e.heap.get(module.asRef(), attrKey(WellKnown::GetAttr)).isAbsent() ||
         isPythonFunction(e, e.lookupInClass(cls, NameId(WellKnown::GetAttr))) ||
         isPythonFunction(e, e.lookupInClass(cls, NameId(WellKnown::GetAttribute)));
}

bool capture::isByCalls(Engine &e, llvm::StringRef name) {
  ObjectId module = e.recording() ? findModule(e, name) : ObjectId();
  return module && e.heap.get(module, slot::kImported).is(Kind::Bool) &&
         !e.heap.get(module, slot::kImported).asBool();
}

std::optional<bool> capture::isInModules(Engine &e, llvm::StringRef name) {
  World &w = *e.world;
  if (isListed(w.absentModules, name)) {
    noteAbsent(e, name);
    return false;
  }
  Value module = e.decide(e.heap.get(w.modules, attrKey(e.intern(name))));
  if (module.isFail())
    return std::nullopt;
  // Another version of a package than the one with a model is there without one.
  if (!w.opaqueModules.contains(name) && (isKnown(e, name) || findPreludeModule(name))) {
    bool isThere =
        llvm::is_contained(kFirst, name) ||
        (isTorchImported(e) && isLoadedWithTorch(name, w.minorVersion())) ||
        (module.is(Kind::Ref) && !e.heap.get(module.asRef(), slot::kImported).isAbsent());
    return isThere ? std::optional(true) : refuseNotImported(e, name);
  }
  if (isByCalls(e, name))
    return refuseNotImported(e, name);
  if (!module.isAbsent() || w.opaqueModules.contains(name) ||
      (isListed(w.opaqueModules, name) && !isInOpaquePackage(e, name)))
    return true;
  if (!isModuleThere(e, name))
    return false;
  // PyTorch imports numpy where it is installed; native packages import what nobody follows.
  return name == "numpy" || !w.opaquePackages.empty() ? refuseNotImported(e, name)
                                                      : std::optional(false);
}

Flow capture::replaceModule(Engine &e, llvm::StringRef name, const Value &module) {
  if (e.recording())
    return e.refuse(DiagId::Unsupported, "a store to sys.modules while a call is captured");
  if (!isRefTo(e, module, ObjectKind::Module) || isKnown(e, name))
    return e.refuse(DiagId::Unsupported, "'" + name.str() + "' of sys.modules, which is set,");
  e.heap.set(e.world->modules, attrKey(e.intern(name)), module);
  return Flow::Next;
}

Value capture::importSubmodule(Engine &e, ObjectId module, llvm::StringRef leaf,
                               ReturnAction action) {
  const std::string name = moduleName(e, module) + "." + leaf.str();
  PTC_LET(own, ownAttr(e, module, e.intern(leaf)));
  if (!own.isAbsent()) {
    if (!isPreludes(e))
      PTC_DO(noteOwnImport(e, name));
    return Value::none();
  }
  PTC_DO(checkNoName(e, module));
  Value loaded = loadNoted(e, name, action, true);
  if (loaded.is(Kind::Opaque))
    e.heap.set(module, attrKey(e.intern(leaf)), loaded);
  return loaded.is(Kind::Opaque) ? Value::none() : loaded;
}

Value capture::importNamed(Engine &e, ObjectId module, const Value &fromList) {
  for (const Value &item : fromList.parts()) {
    llvm::SmallVector<Value> names{item};
    if (item.asStr() == "*") { // `__all__` of a package may name modules
      Value all = e.known(e.heap.get(module, attrKey(e.intern("__all__"))));
      names.clear();
      if (!all.isAbsent() && !all.is(Kind::Opaque) && !isPlainModule(e, moduleName(e, module)))
        if (std::optional<std::vector<Value>> listed = listElements(e, all))
          names.append(listed->begin(), listed->end());
    }
    for (const Value &name : names)
      if (name.is(Kind::Str)) {
        PTC_LET(loaded, importSubmodule(e, module, name.asStr(), ReturnAction::DropAgain));
        if (!loaded.isNone())
          return loaded;
      }
  }
  return Value::ref(module);
}

FailAny capture::raiseNotThere(Engine &e, ObjectId module, llvm::StringRef name) {
  std::string full = moduleName(e, module);
  bool isPartial = isBeingImported(e, module);
  std::string text = "cannot import name '" + name.str() + "' from " +
                     (isPartial ? "partially initialized module " : "") + "'" + full + "'" +
                     (isPartial ? " (most likely due to a circular import)" : "");
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  if (info.prelude && info.name != "sys" && info.name != "builtins" && isAskedByProgram(e))
    return raiseImportError(e, WellKnown::ImportError, makeOpaque(e, full + ".__file__"), full);
  text += " (" + (info.file.empty() ? "unknown location" : info.file) + ")";
  return raiseImportError(e, WellKnown::ImportError, Value::str(text), full);
}

/// A name of a package of which no code is run: one of its modules, or what its code binds; of any
/// other it is not known whether it is there.
static Value importFromOpaque(Engine &e, const Value &module, NameId name) {
  const OpaqueMember member = memberOfOpaque(e, module, e.nameText(name));
  if (member.inPackage.isModule) {
    e.world->opaqueModules.insert(member.path);
    return makeOpaque(e, member.path, OpaqueIs::Module);
  }
  std::optional<SourceLoc> catcher = catcherOf(e, e.builtinClass(WellKnown::ImportError));
  if (member.isKnownThere() || !catcher)
    return e.opaqueAttr(module, name);
  return e.refuse(std::move(
      ptc::makeDiagnostic(DiagId::Unsupported, e.here(), "an import of '" + member.path + "'")
          .note("whether the package has it is not known")
          .note("the program catches here that it is not there", *catcher)));
}

Value capture::importFrom(Engine &e, const Value &module, NameId name) {
  if (module.is(Kind::Opaque)) {
    const auto &node = module.nodeAs<OpaqueNode>(Kind::Opaque);
    if (node.is == OpaqueIs::Module && memberOfOpaque(e, module, e.nameText(name)).isAbsent)
      return raiseImportError(e, WellKnown::ImportError, makeOpaque(e, node.path + ".__file__"),
                              node.path);
    return node.is == OpaqueIs::Module && isInOpaquePackage(e, node.path)
               ? importFromOpaque(e, module, name)
               : e.opaqueAttr(module, name);
  }
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module.asRef()).info);
  std::string full = moduleName(e, module.asRef());
  const Value hook = e.lookupInClass(e.typeOf(module), NameId(WellKnown::GetAttribute));
  if (!info.prelude && isPythonFunction(e, hook))
    return e.callPrelude("_import_from", {module, Value::str(full), Value::str(e.nameText(name))});
  bool isHidden = isOwnOfPrelude(e, module.asRef(), name);
  PTC_LET(v, ownAttr(e, module.asRef(), isHidden ? nameForProgram(e, name) : name));
  if (!v.isAbsent())
    return v;
  PTC_DO(checkNoName(e, module.asRef()));
  if (isHidden)
    return raiseNotThere(e, module.asRef(), e.nameText(name));
  if (info.prelude)
    if (Value found = worldAttribute(e, info.name, name); !found.isAbsent())
      return found;
  if (asksForNames(e, module))
    return e.callPrelude("_import_from", {module, Value::str(full), Value::str(e.nameText(name))});
  if (ObjectId sub = findModule(e, full + "." + e.nameText(name).str()))
    return Value::ref(sub);
  if (info.prelude && isModelOfPackage(e, full) && isAskedByProgram(e))
    return importFromOpaque(e, makeOpaque(e, full, OpaqueIs::Module), name);
  if (info.prelude)
    if (Value found = torchModuleAttr(e, full, name); !found.isAbsent())
      return found;
  return raiseNotThere(e, module.asRef(), e.nameText(name));
}

bool capture::isPartOnTop(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kParts[] = {
      "torch.distributions", "torch.nn.utils.parametrizations", "torch.nn.utils.parametrize",
      "torch.nn.utils.prune"};
  return llvm::any_of(kParts, [&](llvm::StringRef part) {
    return name.consume_front(part) && (name.empty() || name.starts_with("."));
  });
}

Value capture::partOnTop(Engine &e, llvm::StringRef package, NameId name) {
  const std::string path = (package + "." + e.nameText(name)).str();
  if (!isPartOnTop(path) || e.recording() || !isAskedByProgram(e))
    return Value();
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion(), package);
  return known && isThereNow(e, path, *known)
             ? e.callPrelude("_part_of_package", {Value::str(path)})
             : Value();
}
