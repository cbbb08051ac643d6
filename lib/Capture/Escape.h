//===- Escape.h - What a call without a model may change --------------------------*- C++ -*-===//
//
// Objects and functions that are given to something without a model, and all that can be reached
// from them: contents of containers, attributes, cells, defaults, and the globals that functions
// name.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_ESCAPE_H
#define PTC_LIB_CAPTURE_ESCAPE_H

#include "Engine.h"
#include "KnownNames.h"
#include "Packages.h"

namespace ptc::capture {

/// Refuses a call, or a subscript, of something without a model where the program would catch an
/// exception of it: which side is taken is not known. No arguments: a subscript.
Flow checkUncaught(Engine &e, const Value &callee, const CallArgs *args = nullptr);

/// Takes what a refused statement may have changed out of the program: `receiver`, and what can be
/// reached from it and the other operands. False: it may have changed something else.
bool takeOutOperands(Engine &e, const Value &receiver, llvm::ArrayRef<Value> operands,
                     uint32_t refusal);

/// Is it in a module of CPython or PyTorch?
bool isKnownRoot(Engine &e, llvm::StringRef path);

/// Is it torch, a module below it, or a name in one of these?
bool isTorchPath(llvm::StringRef path);

/// Does a call of it change nothing, whatever it is given, but for what methods of the program do?
bool isPureCall(Engine &e, const Value &callee);
/// The same of a function of the prelude's builtins.
bool isPureFunction(llvm::StringRef name);

/// Does a module of lib/Prelude that only keeps what it is given ask whether it is one of its own
/// objects, and not the program?
bool isAskedByKeeper(Engine &e);
/// Does `typing` ask, which keeps what annotations are made of, and refuses what depends on it?
bool isAskedByTyping(Engine &e);

/// An attribute of an opaque value by the tables; both states are false of what is not known.
struct OpaqueMember {
  std::string path;
  std::optional<KnownName> known;
  bool isAbsent = false;
  PackageMember inPackage{};
  /// By the files of a native package.
  bool isKnownThere() const {
    return inPackage.isBound || inPackage.isImported || inPackage.version;
  }
};
OpaqueMember memberOfOpaque(Engine &e, const Value &v, llvm::StringRef name);
/// Notes that the program sets an attribute of an opaque value: what that is from now on is
/// unknown.
void noteAssigned(Engine &e, const Value &v, NameId name);
/// The function of a library that one of lib/Prelude, in `module`, stands for; "" if none.
std::string pathOfFunction(Engine &e, llvm::StringRef module, llvm::StringRef name);
/// Does the program ask, and not a module of lib/Prelude for itself?
bool isAskedByProgram(Engine &e);
/// The same where `frame` is the one whose code asks.
bool isAskedByProgram(Engine &e, Value frame);
/// Is it a name that a module of lib/Prelude has for itself, and CPython of the program's version
/// has not? The program does not see it.
bool isOwnOfPrelude(Engine &e, ObjectId module, NameId name);
/// Refuses to list the names of a module of lib/Prelude, which does not have all.
Flow checkAllNames(Engine &e, const Value &object);
/// Where a variable of this name that the program gives such a module is kept.
NameId nameForProgram(Engine &e, NameId name);

/// Notes that the program has imported a module without a model, or packages around it.
void noteImported(Engine &e, llvm::StringRef module);
/// Is it there for a program that has imported what this one has? A module may not be.
bool isThereNow(Engine &e, llvm::StringRef path, const KnownName &known);
/// Is it there by the program, or by a model? `torch` is there from the start, for what is native
/// in it.
bool isTorchImported(Engine &e);
FailAny refuseNotImported(Engine &e, llvm::StringRef path);
/// Refuses a module of lib/Prelude as a name of its package, where only others of these have
/// imported it.
Flow checkPartImported(Engine &e, ObjectId package, NameId name);

/// type(v) and callable(v) of an opaque value.
Value typeOfOpaque(Engine &e, const Value &v);
Value isOpaqueCallable(Engine &e, const Value &v);
/// issubclass(v, cls) of a class without a model.
Value isOpaqueSubclass(Engine &e, const Value &v, const Value &cls);

/// Was the class written in the program, and not in lib/Prelude or the engine?
bool isProgramClass(Engine &e, ObjectId cls);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ESCAPE_H
