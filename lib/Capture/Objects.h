//===- Objects.h - Classes, attributes and the builtin world ----*- C++ -*-===//
//
// What the Python side of the engine shares between its files. Python's own state is in the heap;
// `World` holds tables that never change the meaning of a state: who the builtin classes are, code
// objects made ready to run, infos that headers point to.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_OBJECTS_H
#define PTC_LIB_CAPTURE_OBJECTS_H

#include "Engine.h"
#include "Signature.h"

#include "ptc/Capture/Interpreter.h"
#include "ptc/Capture/ModuleFiles.h"
#include "ptc/Python/BigInt.h"
#include "ptc/Python/Slice.h"
#include "ptc/Python/Text.h"

#include "llvm/ADT/StringSet.h"

#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

namespace llvm {
class MemoryBuffer;
}

namespace ptc::capture {

using ptc::CodeObject;
using ptc::Instr;
using ptc::Opcode;

namespace slot {
// Class: what `cls.__name__ = …` wrote.
inline constexpr uint32_t kClassName = 1;
inline constexpr uint32_t kClassQualName = 2;
inline constexpr uint32_t kClassNoDict = 3;  ///< Bool: instances have slots only
inline constexpr uint32_t kClassStandIn = 4; ///< once it was taken out of the program (Aside.h)
inline constexpr uint32_t kClassSolid = 5;   ///< Bool: its instances have slots that it names
inline constexpr uint32_t kClassWeak = 6;    ///< Bool: it gives instances a `__weakref__`
/// Tuple: the name next to which the class has `__dict__` and `__weakref__`, and which it has.
inline constexpr uint32_t kClassOwn = 7;
/// Bool: lib/Prelude made it for the program, and its `__module__` is one of lib/Prelude.
inline constexpr uint32_t kClassOfProgram = 8;
// Exception: Tuple of (file, line, function) Tuples, outermost last.
inline constexpr uint32_t kTrace = 2;
inline constexpr uint32_t kStarted = 3;      ///< Module: its code was entered
inline constexpr uint32_t kUnknownNames = 4; ///< Module: see Aside.h
inline constexpr uint32_t kImported = 5;     ///< Module of lib/Prelude: by the program itself
// Dict: the object whose attributes it shows, for obj.__dict__.
inline constexpr uint32_t kOwner = 2;
// Iterator.
inline constexpr uint32_t kLength = 3;    ///< of a dict or set when the iteration began
inline constexpr uint32_t kDisturbed = 4; ///< Bool: its dict lost keys; False: by clear() alone
inline constexpr uint32_t kFirst = 5;     ///< of enumerate(): Int, the number of its first element
} // namespace slot

/// Builtin classes, in the order of Types.def.
constexpr size_t kNumTypes = 0
#define PTC_TYPE(Id, Text, Base, LayoutKind) +1
#include "Types.def"
    ;

/// How a native function is found and bound.
enum class BuiltinKind : uint8_t {
  Function,    ///< of a module
  Method,      ///< of a class: binds the instance
  ClassMethod, ///< binds the class
  Static,      ///< binds nothing: __new__ and static methods
  Getter,      ///< computes an attribute of the instance
};

struct BuiltinRow {
  BuiltinKind kind;
  WellKnown owner;    ///< class, for all but Function
  const char *module; ///< Function: "builtins", "math" …
  const char *name;
  const char *signature; ///< Signature.h
  NativeFn fn;
};
llvm::ArrayRef<BuiltinRow> builtinRows();

/// A code object made ready to run: shared by all functions made of it.
struct CodeRecord {
  const CodeObject *code = nullptr;
  const CanonicalCode &canonical;
  explicit CodeRecord(const CanonicalCode &canonical) : canonical(canonical) {}
  std::vector<NameId> localNames; ///< localsplus
  std::vector<Value> constants;
  std::vector<NameId> names;
  uint32_t positional = 0, positionalOnly = 0, keywordOnly = 0;
  bool varArgs = false, varKeywords = false, generator = false;
  bool listsLocals = false; ///< names locals(), vars() or dir(), which look at every variable
};

/// A .pyc that is read when one of its functions is first asked for: of a module of the prelude, or
/// one of the program's modules, which was imported before a snapshot was made.
struct LazyFile {
  std::string module; ///< of the prelude; else empty
  const ptc::CodeFile *file = nullptr;
  std::string path{};
  std::shared_ptr<const llvm::MemoryBuffer> bytes{}; ///< of what lies at `path`
};

struct FunctionRecord : FunctionInfo {
  /// While it has no code: the file, one of World::lazyFiles, and which of its code objects.
  uint32_t file = 0, place = 0;
  /// Of its calls; without code until bodyOf() is asked: most functions of the prelude never run.
  mutable FrameInfo frame;
};

/// File, line, column, end line, end column, caller.
using SourceKey = std::tuple<std::string, uint32_t, uint32_t, uint32_t, uint32_t, SourceId>;

/// What is there of a module of the user.
struct ModuleCode {
  ModuleFile::Kind kind = ModuleFile::Kind::Absent;
  bool isPackage = false;
  const CodeObject *code = nullptr; ///< of a native package: to be looked at, not to be run
  std::string path{};               ///< of the file
  const struct OpaquePackage *package = nullptr; ///< the row of the package that it is in
  std::string source{}; ///< of a module with code: its file as CPython names it, absolute
};

/// What lies under a path among the files of packages that are installed in a folder of -I.
struct InstalledPath {
  enum class Kind : uint8_t { Absent, File, Folder } kind = Kind::Absent;
  /// If they are asked for: of a file its bytes, of a folder what is in it, by name; true: folders.
  std::string bytes{};
  std::vector<std::pair<std::string, bool>> entries{};
};

/// What a run changes in a World and later ones must not see.
struct WorldFlags {
  /// A module that is not found becomes an opaque value, and a refusal one that is poisoned: what
  /// is wrong with the program is reported, not met as an exception.
  bool lenient = false;
  bool hookedGetAttribute = false;              ///< some class defines __getattribute__
  ptc::PythonVersion version{};                 ///< of the user's bytecode
  std::vector<WorldUse> worldUses;              ///< in the order in which they were asked
  std::vector<Program::Assumption> assumptions; ///< taken from outside the code
  std::vector<std::string> lateImports;         ///< what only calls of the entry import
  /// Of lateImports of an earlier capture: those whose code does more than make a module.
  std::vector<std::string> importsWithEffects;
  std::vector<std::pair<std::string, std::string>> environment; ///< name and value, as --env says
  int64_t generators = 0;   ///< handles of torch.Generator objects given out; 0 is torch's own
  uint64_t nanCount = 0;    ///< NaNs made by float()
  uint32_t nativeDepth = 0; ///< nesting of native code that walks containers
  /// By root module: functions and classes of the program that something without a model was given,
  /// and may call later.
  std::map<std::string, std::vector<Value>> given;
  /// Refusals of module code that nothing has used yet; those that use one report it.
  std::vector<ptc::Diagnostic> setAside;
  bool importing = false; ///< the program's modules are run
  /// What modules of lib/Prelude have made, by what of: CPython's give it again. An object counts
  /// while it exists.
  struct HashOfValue {
    size_t operator()(const Value &v) const { return v.hash(); }
  };
  std::unordered_map<Value, ObjectId, HashOfValue> kept;
  /// Modules that the caller said are absent, or there without a model.
  llvm::StringSet<> absentModules, opaqueModules;
  /// Packages of OpaquePackages.def that the program has imported.
  llvm::StringMap<const struct OpaquePackage *> opaquePackages;
  /// Modules of the prelude that were loaded in place of being run (Image.h).
  std::shared_ptr<const struct Image> image;
  std::vector<ObjectId> imaged; ///< by unit: its first object, or 0
  size_t ownClasses = 0;        ///< how many there are of builtin names and units
  /// Plain Python only: generators suspended where a handler would see them close, oldest first.
  std::vector<ObjectId> openGenerators;
  ObjectId justSuspended = 0; ///< a generator, for who looks whether somebody holds it
  /// By dict: the iterators that were made of it, to be told when keys are taken out.
  llvm::DenseMap<ObjectId, std::vector<ObjectId>> walkers;
  bool suspendsInHandlers = false; ///< some generator was ever suspended inside a handler
  /// While an entry is captured: those generators, and all that joins have made of several.
  llvm::DenseSet<ObjectId> mayBeOpen;
  std::function<void(llvm::StringRef)> output;
  std::function<void(llvm::StringRef)> errorOutput;
  /// Code of a module that the user's paths hold; null if there is none.
  std::function<ModuleCode(llvm::StringRef name)> resolve;
  /// What is installed in these paths.
  std::function<llvm::ArrayRef<struct Distribution>()> distributions;
};

struct World : WorldFlags {
  /// 13 for 3.13.
  uint32_t minorVersion() const;
  std::array<ObjectId, kNumTypes> classes{};
  std::deque<ClassInfo> classInfos;
  std::deque<ModuleInfo> moduleInfos;
  std::deque<FunctionRecord> functions;
  std::deque<FrameInfo> frames;
  std::vector<std::unique_ptr<ptc::CodeFile>> files; ///< of the prelude
  std::vector<LazyFile> lazyFiles;
  llvm::DenseMap<const CodeObject *, std::unique_ptr<CodeRecord>> codes;
  ObjectId builtins = 0; ///< module
  ObjectId prelude = 0;  ///< module with what the engine calls
  ObjectId modules = 0;  ///< sys.modules: Instance, one attribute per module
  std::vector<std::unique_ptr<Signature>> signatures; ///< by row, once called
  const Signature &signatureOf(Engine &e, const BuiltinRow &row);
  std::vector<SourcePlace> sources = std::vector<SourcePlace>(1); ///< by SourceId
  std::map<SourceKey, SourceId> sourceIds;
  /// None: the path lies in none of these, or cannot be read.
  std::function<std::optional<InstalledPath>(llvm::StringRef path, bool contents)> installedPath;
  /// None: the path lies in no archive of these paths; what does is no file to the system.
  std::function<std::optional<InstalledPath>(llvm::StringRef path, bool contents)> archivedPath;
  /// Does the file lie in one of these paths, other than the program's own folder?
  std::function<bool(llvm::StringRef path)> isOfLibrary;
  /// The program depends on what is in this file.
  std::function<void(llvm::StringRef path)> fileLoaded;
  ObjectId ownObjects = 0; ///< the first object after the builtin names
  /// May modules of the prelude come from the image?
  bool usesImage = true;
  /// If set, gets the names of modules that an import finds loaded.
  std::vector<std::string> *importLog = nullptr;

  /// How much of it there is.
  struct Extent {
    size_t classInfos = 0, moduleInfos = 0, functions = 0, frames = 0, sources = 0;
    size_t files = 0, lazyFiles = 0;
    llvm::DenseSet<const CodeObject *> codes;
    WorldFlags flags;
  };
  Extent extent() const;
  /// Forgets what was added since, which nothing may refer to any more.
  void rewind(const Extent &extent);
  /// The same where all code that was read since stays, and so what was made of it.
  void rewindKeepingCode(const Extent &extent);
};

/// CPython's own limit of nested calls.
inline constexpr uint32_t kRecursionLimit = 1000;
/// Nested deeper than --max-depth: RecursionError as in CPython, which the program may catch. A
/// limit below CPython's is one of this run, which the program must not see.
FailAny tooDeep(Engine &e, llvm::StringRef where = "");
/// That many items in one container: CPython's exceptions, or the limit of this run.
Flow checkItemCount(Engine &e, const py::PyInt &count);

/// One level of a walk over nested values. `ok` is false below `limit` levels.
class WalkLevel {
public:
  explicit WalkLevel(uint32_t &depth, uint32_t limit = kRecursionLimit)
      : depth(depth), ok(++depth <= limit) {}
  ~WalkLevel() { --depth; }
  WalkLevel(const WalkLevel &) = delete;

private:
  uint32_t &depth;

public:
  const bool ok;
};

/// One level of native code that walks containers. `ok` is false where CPython's own recursion
/// would have been stopped.
class NativeLevel : public WalkLevel {
public:
  explicit NativeLevel(Engine &e)
      : WalkLevel(e.world->nativeDepth, std::min(e.limits.depth, kRecursionLimit)) {}
};

// Objects.cpp
void bootstrapTypes(Engine &e);
/// Runs the prelude's first module, which adds what is written in Python to the builtins.
llvm::Error bootstrapPrelude(Engine &e);
/// Runs module code as a program to its end.
llvm::Expected<PythonResult> runMain(Engine &e, const CodeObject &module, llvm::StringRef name);
/// Runs module code in `module` to its end; what it raised is the machine's result.
llvm::Error runBody(Engine &e, const CodeObject &code, ObjectId module);
/// How messages name the type of a value: classes of C in a module are "module.Class".
std::string typeName(Engine &e, const Value &v);
/// Names as the program sees them: of a class of a library, those that CPython or PyTorch give it,
/// wherever the model is.
std::string className(Engine &e, ObjectId cls);
std::string classQualName(Engine &e, ObjectId cls);
std::string classModule(Engine &e, ObjectId cls);
/// "module.Class", without "builtins."
std::string classFullName(Engine &e, ObjectId cls);
/// The same of the model: where lib/Prelude or the engine has the class.
std::string modelName(Engine &e, ObjectId cls);
bool isInstance(Engine &e, const Value &v, WellKnown cls);
inline bool isRefTo(Engine &e, const Value &v, ObjectKind kind) {
  return v.is(Kind::Ref) && e.heap.kind(v.asRef()) == kind;
}
inline bool isClass(Engine &e, const Value &v) { return isRefTo(e, v, ObjectKind::Class); }
inline bool isExceptionClass(Engine &e, const Value &v) {
  return isClass(e, v) && e.classInfo(v.asRef()).layout == Layout::Exception;
}
inline bool isException(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Instance) &&
         e.classInfo(e.heap.header(v.asRef()).cls).layout == Layout::Exception;
}
/// Something without a model that the program asks for here.
Value makeOpaque(Engine &e, llvm::StringRef path, OpaqueIs is = OpaqueIs::Unknown);
/// What a class has under a path, as an attribute of the class or of an instance.
Value makeOpaqueMember(Engine &e, llvm::StringRef path, bool ofInstance);
/// Refuses where the program has given __build_class__ of the builtins another meaning: class
/// statements, and imports of what has some.
Flow checkBuildClass(Engine &e);
/// Would importing the module find it, with a model or without one?
/// An object of an `async def` without yield.
bool isCoroutine(Engine &e, const Value &v);
bool isModuleThere(Engine &e, llvm::StringRef name);
/// What callable() says of a value that is decided and not opaque.
bool isCallable(Engine &e, const Value &v);
/// Was the attribute defined in Python, by the user or the prelude?
bool isPythonFunction(Engine &e, const Value &v);
/// Does an operation on `v` look its special methods up in Python classes?
bool isUserObject(Engine &e, const Value &v);
/// The special method `name` of v's class, Absent if there is none.
inline Value specialMethod(Engine &e, const Value &v, WellKnown name) {
  return e.lookupInClass(e.typeOf(v), NameId(name));
}

// Attributes.cpp
Value genericGetAttr(Engine &e, const Value &object, NameId name, bool fallback);
Value genericSetAttr(Engine &e, const Value &object, NameId name, Value value);
/// What `attribute`, found in a class, is as an attribute of `object` (Absent: of the class alone).
Value bindAttribute(Engine &e, const Value &attribute, const Value &object, ObjectId cls);
/// What the object itself has under a name, Absent if nothing: forks where only some sides gave it
/// a value. No attribute is read in another way.
Value ownAttr(Engine &e, ObjectId object, NameId name);
/// The attribute without calling anything: Absent if there is none or it needs a call.
Value plainAttr(Engine &e, const Value &object, NameId name);
FailAny attributeError(Engine &e, const Value &object, NameId name);

Value superLookup(Engine &e, ObjectId thisClass, const Value &object, ObjectId objectType,
                  NameId name);
Value superAttr(Engine &e, const Value &super, NameId name);

// Classes.cpp
/// type(name, bases, namespace) without calling Python: a class or TypeError.
Value makeUserClass(Engine &e, ObjectId meta, const Value &name, const Value &bases,
                    const Value &names);
/// C3; none (TypeError raised) if there is no order.
std::optional<std::vector<ObjectId>> linearize(Engine &e, llvm::ArrayRef<ObjectId> bases);
Value instantiate(Engine &e, ObjectId cls, CallArgs &args);
ObjectId allocateInstance(Engine &e, ObjectId cls);

// Signature.cpp
/// Brings the arguments into the order of the row's signature; absent ones are Absent.
Flow bindNative(Engine &e, const BuiltinRow &row, CallArgs &args);
/// Makes numbers of the arguments that the row's signature converts, where their classes say which
/// in Python: the call that does and goes on, or Absent where none is needed.
Value convertArguments(Engine &e, const BuiltinRow &row, const Value &callee, CallArgs &args);

// Calls.cpp
CodeRecord *recordOf(Engine &e, const CodeObject *code);
const FunctionRecord &functionOf(const Engine &e, ObjectId function);
/// Gives a function that came from the image its code.
void readCode(const Engine &e, const FunctionRecord &function);
/// What a call of the function runs; null (refused) if its bytecode cannot be decoded.
const FrameInfo *bodyOf(Engine &e, ObjectId function);
Value makeFunction(Engine &e, const CodeObject *code, ObjectId globals, bool hidden);
/// Enters module code or a class body whose names are stored in `names`.
Value enterBody(Engine &e, const Value &code, ObjectId globals, const Value &names,
                const Value &closure, ReturnAction action, Value actionArg);

// Ops/Containers.cpp
/// How a message names a function: "module.qualname()", a builtin without its module.
std::string functionText(Engine &e, const Value &given);

// Exceptions.cpp
Value raised(Engine &e, const py::Raised &raised);
/// Raises `exception` (class or instance) as the raise statement does.
FailAny raiseStatement(Engine &e, const Value &exception, const Value &cause);
/// Gives classes of exceptions the members that their instances have.
void addExceptionMembers(Engine &e);
/// Shows str() of it more than the arguments that it was made with?
bool hasOwnText(Engine &e, const Value &exception);
/// Of an exception that leaves the entry: the slot of what its __str__ gave.
uint32_t exceptionTextKey(Engine &e);
/// An exception about text that a codec cannot convert.
FailAny raiseUnicodeFault(Engine &e, WellKnown cls, const py::UnicodeFault &fault);
/// Does `exception` match `pattern`, a class or tuple of classes?
std::optional<bool> exceptionMatches(Engine &e, const Value &exception, const Value &pattern);
/// The last line of the traceback as CPython prints it; none if Python code makes it.
std::optional<std::string> exceptionLine(Engine &e, const Value &exception);
std::string tracebackText(Engine &e, const Value &exception);

Value makeGroup(Engine &e, Value text, std::vector<Value> exceptions, const Value &like);
Flow splitGroup(Engine &e, const Value &exception, const Value &pattern, Value &match, Value &rest);

// Arithmetic.cpp
/// The float nearest to a constant int or float; raises OverflowError.
std::optional<double> toFloat(Engine &e, const Value &v);

// Constant.cpp
/// Constants, immutable containers of them and builtin containers of such.
std::optional<std::string> nativeRepr(Engine &e, const Value &v);
std::optional<std::string> nativeStr(Engine &e, const Value &v);
/// Is its __str__, __repr__, __eq__ (`method`) another than that of the builtin class that it
/// derives from? Then it has to be called.
bool overridesBuiltin(Engine &e, const Value &v, WellKnown method);
/// Python's ==, for what needs no Python code; none if a user's __eq__ could decide.
std::optional<bool> nativeEqual(Engine &e, const Value &a, const Value &b);
/// hash(), for what needs no Python code. Raises TypeError for what is unhashable.
std::optional<int64_t> nativeHash(Engine &e, const Value &v, bool &needsPython);
/// hash() of a number that is known at run time only.
Value runTimeHash(Engine &e, const Value &number);
py::PyInt asPyInt(const Value &v);
Value ofPyInt(const py::PyInt &i);
inline bool isIntConst(const Value &v) { return v.isSmallInt() || v.is(Kind::BigInt); }
/// An int, a bool or a float, known or not.
inline bool isNumber(const Value &v) { return numberType(v) != NumberType::NotNumber; }
inline bool isNumberConst(const Value &v) {
  return isIntConst(v) || v.is(Kind::Float) || v.is(Kind::Complex);
}
py::StrRef strRef(const Value &v);
inline Value ofStr(const py::Str &s) { return Value::str(s.bytes()); }
Value constantBinary(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace);
Value constantCompare(Engine &e, CompareOp op, const Value &a, const Value &b);
/// Is there such an operator of the two numbers?
bool isOfNumbers(BinaryOp op, const Value &a, const Value &b);
FailAny unsupportedOperands(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace);

// Operators.cpp
/// Without Python code: Absent where the types do not support the operator.
Value nativeBinary(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace);
/// Without Python code: Absent where such is needed.
Value nativeCompare(Engine &e, CompareOp op, const Value &a, const Value &b);
/// `method`: __neg__, __pos__ or __invert__.
Value unaryOperation(Engine &e, llvm::StringRef method, const Value &v, ReturnAction action);
/// Any values:
Value binaryOperation(Engine &e, BinaryOp op, Value a, Value b, bool inPlace, ReturnAction action);
Value compareOperation(Engine &e, CompareOp op, Value a, Value b, ReturnAction action);

// Containers.cpp
/// Is it a list or dict of lib/Prelude whose contents nobody knows, as those of sys.modules? Who
/// reads them is refused.
bool hasUnknownContents(Engine &e, const Value &v);
FailAny refuseContents(Engine &e, ObjectId container);
/// Decides which content a container has.
Flow openContent(Engine &e, const Value &container);
/// The content's parts, to be changed; good until the next write.
/// The contents, unshared; their parts, to be changed in place.
Value &ownContent(Engine &e, ObjectId id);
std::vector<Value> &mutableContent(Engine &e, ObjectId id);
void dictAppend(Engine &e, const Value &dict, const Value &key, Value value);
void dictPut(Engine &e, const Value &dict, int64_t position, Value value);
void dictErase(Engine &e, const Value &dict, int64_t position);
/// A dict of the same pairs.
Value copyDict(Engine &e, const Value &dict);
/// The dict that an iterator walks over, itself or in a view; 0 for other objects.
ObjectId walkedDict(Engine &e, ObjectId iterator);
/// Takes all pairs out of a dict.
Flow dictClear(Engine &e, const Value &dict);
/// As dictAppend(), of a key whose hash Python code gave.
void dictAppendHashed(Engine &e, const Value &dict, const Value &key, Value value, int64_t hash);
/// Positions of the keys whose hash only Python code gives and has not given yet.
std::vector<int64_t> dictUnhashed(Engine &e, const Value &dict);
/// Notes the hash that Python code gave for the key at a position.
void dictNoteHash(Engine &e, const Value &dict, int64_t position, int64_t hash);
/// Positions of the keys of this hash, in order. Those of unknown hash are among them, as
/// ~position.
std::vector<int64_t> dictCandidates(Engine &e, const Value &dict, int64_t hash);
llvm::ArrayRef<Value> listItems(Engine &e, const Value &list);
llvm::ArrayRef<Value> dictItems(Engine &e, const Value &dict);
/// What the object's __dict__ shows; a value may be a choice with "none" among its alternatives.
std::vector<std::pair<NameId, Value>> shownAttributes(Engine &e, const Value &owner);
/// A dict that shows the attributes of the object; refused of a module that may have others.
Value attributeDict(Engine &e, const Value &owner);
/// Makes a dict one thing with the attributes of an object.
void showAttributes(Engine &e, const Value &dict, const Value &owner);
/// A dict, of whatever class, whose contents are decided and its own: methods of dict change it in
/// place.
bool isPlainDict(Engine &e, const Value &v);
llvm::ArrayRef<Value> setItems(Engine &e, const Value &set); ///< set or frozenset
/// Position of the key (of the pair: twice that), -1 if none; fails for unhashable keys and where
/// Python code must decide (`needsPython`).
struct Found {
  int64_t position = -1;
  bool needsPython = false;
};
std::optional<Found> dictFind(Engine &e, const Value &dict, const Value &key);
Value dictGet(Engine &e, const Value &dict, llvm::StringRef key);
Flow dictSet(Engine &e, const Value &dict, const Value &key, Value value);

// Items.cpp
/// The int that an index is, Absent if it is none.
Value indexOf(Engine &e, const Value &v);
/// The constant int that `v` is; TypeError for what is no int.
Value integerOf(Engine &e, const Value &v);
std::optional<py::SliceIndices> sliceOf(Engine &e, const Value &slice, size_t length);
Value getItem(Engine &e, const Value &container, const Value &key);
Value setItem(Engine &e, const Value &container, const Value &key, const Value &value);
Value deleteItem(Engine &e, const Value &container, const Value &key);
/// `in`; called (action as given) for user containers.
Value containsItem(Engine &e, const Value &container, const Value &item, ReturnAction action);
/// The same past the methods of a subclass: what list.__getitem__ and the like do.
Value getItemOf(Engine &e, const Value &container, const Value &key);
Value setItemOf(Engine &e, const Value &container, const Value &key, const Value &value);
Value deleteItemOf(Engine &e, const Value &container, const Value &key);
Value containsItemOf(Engine &e, const Value &container, const Value &item, ReturnAction action);
size_t itemCount(Engine &e, const Value &container);
/// A set whose members' hashes are known on every path: none needs Python, none is a run-time
/// number.
bool hashesAreKnown(Engine &e, const Value &set);
/// Is the key a member of such a set? None where Python code or a fork would have to tell.
std::optional<bool> holdsKey(Engine &e, const Value &set, const Value &key);
/// Notes what the set's order, which is about to be seen, rests on.
void noteOrderOf(Engine &e, const Value &set);
/// Elements of a builtin sequence, set, dict or view, when they can be listed without Python code.
std::optional<std::vector<Value>> listElements(Engine &e, const Value &iterable);
/// The same for who asks first how many there are, as CPython does where it makes lists and tuples:
/// none where code of the program answers that.
std::optional<std::vector<Value>> collectedElements(Engine &e, const Value &iterable);
Value lengthOf(Engine &e, const Value &v);
/// A range of constants; none if a bound is a run-time number.
std::optional<py::Range> rangeOf(const Value &range);
void appendItems(Engine &e, const Value &list, llvm::ArrayRef<Value> items);
Value mergeDicts(Engine &e, const Value &a, const Value &b, bool inPlace);

// Sets.cpp
/// Where Python code must decide or an item is unhashable (raised), these fail.
Value makeSet(Engine &e, llvm::ArrayRef<Value> items, bool frozen);
/// A set of another set's members, as its table lies.
Value copySet(Engine &e, const Value &set, bool frozen);
std::optional<bool> setContains(Engine &e, const Value &set, const Value &item);
Flow setAdd(Engine &e, const Value &set, const Value &item);
/// Takes the item out: was it there?
std::optional<bool> setDiscard(Engine &e, const Value &set, const Value &item);
/// Takes out the member that CPython's pop() takes; the set has one.
Value setPopMember(Engine &e, const Value &set);
/// `self op other`, where `other` is a set or any iterable whose elements can be listed. In place:
/// changes `self`, a set, and returns it.
Value setOperate(Engine &e, BinaryOp op, const Value &self, const Value &other, bool inPlace);
/// | & - ^ of sets, frozensets and dict views; Absent for others.
Value setBinary(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace);
/// == of dict views, identity of other native instances.
std::optional<bool> viewsEqual(Engine &e, const Value &a, const Value &b);

// Iterators.cpp
bool isDictView(Engine &e, const Value &v);
/// Is the dict a collections.OrderedDict?
bool isOrderedDict(Engine &e, ObjectId dict);
/// `type`: one of the iterator classes, object for the one that the sequence's kind says.
Value makeIterator(Engine &e, Value sequence, Value length = Value(),
                   WellKnown type = WellKnown::ObjectType);
/// enumerate() of a tuple, str or list, no object of a derived class; absent of anything else.
Value makeEnumerate(Engine &e, const Value &iterable, const Value &first);
/// iter(v) for builtins, called for user objects. `loop`: for a FOR_ITER, which needs an iterator
/// that the engine can step.
Value getIterator(Engine &e, const Value &v, bool loop, ReturnAction action = ReturnAction::Push);
/// The next element, Absent at the end, fail. Only for Iterator objects.
Value nextOf(Engine &e, const Value &iterator);

// Text.cpp
/// bool(v) as a value; called for objects with __bool__ or __len__ in Python.
Value truthOf(Engine &e, const Value &v, ReturnAction action);
/// a is b, as a Bool or run-time bool.
Value identical(Engine &e, const Value &a, const Value &b);
/// The first half of `x is y or x == y`, by which containers compare items: what `==` tells as well
/// is False here.
Value identicalItems(Engine &e, const Value &a, const Value &b);
/// Are two items of containers equal by their identity? A float may be NaN, and two objects.
bool areOneItem(const Value &a, const Value &b);
/// Do `is or ==` and `==` say the same of two numbers? Not where they may be one object that is
/// NaN.
bool equalityTells(Engine &e, const Value &a, const Value &b);
Value toStr(Engine &e, const Value &v, ReturnAction action);
Value toRepr(Engine &e, const Value &v, ReturnAction action, bool ascii = false);
Value formatValue(Engine &e, const Value &v, const Value &spec, ReturnAction action);
/// Is hash or equality of this key written in Python?
bool needsPythonKey(Engine &e, const Value &v);
/// format % values; called where an argument's text is made by Python code.
Value percentFormat(Engine &e, const Value &format, const Value &values);

// Imports.cpp
/// `import name`, `from name import …`: the module, called where module code was entered first
/// (then the same call again goes on), fail, or an opaque value.
Value importModule(Engine &e, llvm::StringRef name, const Value &fromList, int64_t level,
                   ObjectId globals);
Value loadModule(Engine &e, llvm::StringRef name, ReturnAction action);
/// Of a module whose code raised: another import runs it again.
void forgetModule(Engine &e, ObjectId module);
/// Refuses a module that a call of the entry imports, and whose code does more than make it.
FailAny refuseImport(Engine &e, llvm::StringRef name);
/// Imports a module of the prelude, and the packages that it is in, to its end.
llvm::Error importPrelude(Engine &e, llvm::StringRef name);
/// `from module import name`.
Value importFrom(Engine &e, const Value &module, NameId name);
ObjectId findModule(Engine &e, llvm::StringRef name);
std::string moduleName(Engine &e, ObjectId module);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_OBJECTS_H
