//===- Answers.h - What a program asks about the world ----------*- C++ -*-===//
//
// The rows of World.def for the engine. Whoever gives an answer notes that the program used it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_ANSWERS_H
#define PTC_LIB_CAPTURE_ANSWERS_H

#include "Engine.h"

namespace ptc::capture {

enum class WorldId : uint8_t {
#define PTC_WORLD_CALL(Id, ...) Id,
#define PTC_WORLD_ATTRIBUTE(Id, ...) Id,
#define PTC_WORLD_FACT(Id, ...) Id,
#include "ptc/Capture/World.def"
};

/// The answer to a question; fail where the row refuses.
Value answerAboutWorld(Engine &e, WorldId id);
/// The same for the prelude, by the row's name ("torch.jit.is_tracing"), which must exist.
Value answerAboutWorld(Engine &e, llvm::StringRef name);
/// Notes that what the program does depends on this row.
void noteAboutWorld(Engine &e, WorldId id);
/// A variable of a module that the module does not hold itself; Absent if no row has it.
Value worldAttribute(Engine &e, llvm::StringRef module, NameId name);
/// Has a row the variable?
bool isWorldAttribute(llvm::StringRef module, llvm::StringRef name);
/// What --env gives an environment variable; None: nothing.
Value environmentValue(Engine &e, llvm::StringRef name);
/// All names that --env gives, as a tuple.
Value environmentNames(Engine &e);
/// What the program asks of packages that are installed: notes it, as `name`, and gives the answer.
Value answerInstalled(Engine &e, const std::string &name, Value answer);
/// Notes an assumption of the program, with the line that needs it.
void assume(Engine &e, llvm::StringRef text);
/// `question` ("os.path.exists") of a path: False, and noted, as no file is there; Absent if it may
/// be one of the program's own files, beside one, or a folder around them.
Value isFileThere(Engine &e, llvm::StringRef question, llvm::StringRef path);
/// What lies under the path among the files of installed packages, and that the program depends on
/// it; none: the path is not of one, or asked for while an entry is captured.
std::optional<struct InstalledPath> askInstalled(Engine &e, llvm::StringRef path, bool contents);
/// The same of what an archive of -I holds, which is no file to the system.
std::optional<struct InstalledPath> askArchive(Engine &e, llvm::StringRef path, bool contents);
/// A file of an installed package, opened for reading as text; Absent: another file or another way,
/// of which `open` has no model.
Value openInstalled(Engine &e, CallArgs &args);
enum class ModuleForm : uint8_t { Plain, Package, Namespace, Main };
/// Gives a module of the program, after its package, the names that every module has: what they
/// hold of the import system exists and is not known.
void describeModule(Engine &e, ObjectId module, ModuleForm form);
/// repr() of a module; none where it says where its file is, or another object says what it is.
std::optional<std::string> moduleText(Engine &e, ObjectId module);
/// Makes the modules that rows name.
void bootstrapWorldModules(Engine &e);
/// The program's bytecode is of this version: puts its builtins that ptc does not have into the
/// module builtins.
void setVersion(Engine &e, ptc::PythonVersion version);
/// Does this path of an opaque value ("builtins.open") mean such a builtin?
bool isMissingBuiltin(llvm::StringRef path);
/// The program sees a hash, or the order of a set, which hashes decide: notes what they depend on.
void noteHash(Engine &e, const Value &v);
void noteSetOrder(Engine &e, llvm::ArrayRef<Value> items);

template <WorldId id> Value worldCall(Engine &e, CallArgs &) { return answerAboutWorld(e, id); }

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ANSWERS_H
