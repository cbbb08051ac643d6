//===- Members.h - Attributes of objects with a model, by the tables --------------*- C++ -*-===//
//
// A class of CPython or PyTorch that has a model here may lack some of its attributes, and have
// others for itself. The tables of names say which: what is missing exists without a model, and
// what the class does not have is hidden from the program.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_MEMBERS_H
#define PTC_LIB_CAPTURE_MEMBERS_H

#include "Engine.h"
#include "KnownNames.h"

namespace ptc::capture {

/// Where the tables have a class of a library, if they do; empty: a class of the program.
std::string knownPathOf(Engine &e, ObjectId cls);

/// Where CPython or PyTorch define the class that `cls` stands for; empty: a class of the program,
/// or one that only the model has.
std::string definedPathOf(Engine &e, ObjectId cls);

/// Is it a class of lib/Prelude that no library has?
bool isOnlyHere(Engine &e, ObjectId cls);

/// The classes that `mro` has for the program: those of lib/Prelude that no library has are left
/// out. Refused where the class that comes first has others in its library.
std::optional<std::vector<ObjectId>> classesForProgram(Engine &e, llvm::ArrayRef<ObjectId> mro);
/// The same of the bases of a class.
std::optional<std::vector<ObjectId>> basesForProgram(Engine &e, ObjectId cls);

/// Is an attribute of instances of a builtin class a member of their structure, and not computed?
bool isMemberOfC(Engine &e, const struct BuiltinRow &row);

/// The class that CPython or PyTorch has where the model is a function: its path, else empty.
std::string classBehindFunction(Engine &e, const Value &v);

/// Is it a generator of lib/Prelude where CPython may have an iterator of another class?
bool isStandIn(Engine &e, const Value &v);
std::string standInText(Engine &e, const Value &v);

/// What the tables say of the class that `cls` stands for; nothing of a class of the program, and
/// of one that only ptc has.
std::optional<KnownClass> knownClass(Engine &e, ObjectId cls);

/// Does the program ask for an attribute or set it, itself or by getattr(), setattr() and the like?
/// Not so methods of builtins that lib/Prelude writes in Python.
bool isProgramsQuestion(Engine &e);

/// The same by code of the program alone: what lib/Prelude does for it is not meant.
bool isAskedDirectly(Engine &e);

/// An attribute of instances of `derived` (`ofInstance`), or of the class itself, that the model
/// has not: a value that exists and cannot be used, or a refusal where it may or may not be there.
/// Absent if it certainly is not, and where lib/Prelude asks for itself.
Value missingMember(Engine &e, ObjectId derived, NameId name, bool ofInstance);

/// The same of super(): in the classes of an MRO that come `behind` the one that asks.
Value missingOfSuper(Engine &e, llvm::ArrayRef<ObjectId> behind, NameId name, bool ofInstance);

/// Notes that the program sets an attribute of a class of a library, or deletes it: it is no longer
/// what the model has under the name.
void noteOwnOfProgram(Engine &e, ObjectId cls, NameId name, bool isThere);

/// Refuses an attribute that instances of a class have, or may have, in CPython or PyTorch: asked
/// by a __getattr__ of lib/Prelude that does not find it.
Flow checkMissingMember(Engine &e, ObjectId cls, NameId name);

/// Names that lib/Prelude gives what is its own in objects of the program.
inline bool isOwnOfLibrary(llvm::StringRef name) {
  return name.starts_with("_ptc_") || name.starts_with("<program>.");
}

/// Has the class that this one stands for such a member, or may its instances have one?
bool mayHaveMember(Engine &e, ObjectId cls, NameId name);

/// Was `name` found in a class, a base of `derived` or itself, that has no such attribute but in
/// its model? Not so where lib/Prelude asks.
bool isOwnOfModel(Engine &e, ObjectId derived, NameId name, bool ofInstance);

/// object.__new__(cls). Of classes that are derived from torch.Tensor there are no instances:
/// making one is refused.
Value makeInstance(Engine &e, ObjectId cls);
FailAny refuseTensorOfClass(Engine &e, ObjectId cls);
/// Is it a function or a module of lib/Prelude, whose text is not that of the library?
bool isOfPrelude(Engine &e, ObjectId object);
/// Where lib/Prelude has it: `module.function`.
std::string pathOfPrelude(Engine &e, ObjectId object);
/// Has a function of lib/Prelude been told whose it is, as dataclass() and functools.wraps() do? It
/// then has the text and the names that it was given.
bool isToldOfProgram(Engine &e, ObjectId function);
/// `__name__`, `__qualname__` and `__module__` of a function of lib/Prelude, for the program: what
/// the function of the library says, or unknown. `own`: what this one says.
Value nameOfPrelude(Engine &e, ObjectId function, NameId name, const Value &own);
/// Is it a dataclass without a `__doc__`, for which dataclass() makes a text of the signature?
bool hasDocOfFields(Engine &e, ObjectId cls);
/// Refuses the `__doc__` of such a class.
Flow checkDoc(Engine &e, ObjectId derived);

/// Can instances of a class be given attributes that it does not name?
bool hasInstanceDict(Engine &e, ObjectId cls);

/// Is it written in C, so that nothing of it can be set?
bool isBuiltinClass(Engine &e, ObjectId cls);

/// Adds the names that dir() gives of a class of a library and its bases; false: not known for
/// sure; nothing: it stands for no such class.
std::optional<bool> addKnownNames(Engine &e, ObjectId cls, std::vector<std::string> &names);

/// The same of the class alone, as its __dict__ has them, in another order; false: not known.
bool addOwnKnownNames(Engine &e, ObjectId cls, std::vector<std::string> &names);
/// Is a class derived from one of CPython's whose __class_getitem__ makes an alias?
bool makesGenericAliases(Engine &e, ObjectId cls);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_MEMBERS_H
