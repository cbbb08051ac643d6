//===- KnownNames.h - What is known to exist, modelled or not ----*- C++ -*-===//
//
// Every module of the standard library of each CPython and every module under `torch`, every name
// in them, public and private, and the members of their classes. Three answers: a name exists, it
// certainly does not, or nothing is known.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_KNOWNNAMES_H
#define PTC_LIB_CAPTURE_KNOWNNAMES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ptc::capture {

enum class KnownKind : uint8_t {
  Module,
  Class,
  Function, ///< of Python or C, bound methods among them: callable, no class, true
  Value,    ///< any other object that is not None; one without a type may be anything
  None,
};

/// When an attribute of a package that is one of its modules is there.
enum class KnownSince : uint8_t {
  Import,      ///< with the package, as every name that is no module
  TorchImport, ///< what `import torch` loads
  OwnImport,   ///< the module has to be imported by somebody
};

struct KnownName {
  KnownKind kind = KnownKind::Value;
  KnownSince since = KnownSince::Import;
  bool isCallable = false;
  /// Of a class: isinstance() and issubclass() are those of `type`, so that bases alone decide.
  bool hasPlainInstanceCheck = false;
  /// What type() of the object is: "int", "function", "torch.dtype"; builtins without their module.
  /// Empty: not known, whether it is None neither.
  llvm::StringRef type;
  /// A property of an enumeration's members: the class has none, but may have a member of the name.
  bool isOfEnumMembers() const {
    return type == "enum.property" || type == "types.DynamicClassAttribute";
  }
  /// Of modules and classes: where they are defined, which is another name if this one is imported:
  /// "posixpath" for "os.path", "torch.Tensor" for "torch.nn.functional.Tensor". Else empty.
  llvm::StringRef definedAs;
};

/// What "torch.nn.attention.sdpa_kernel", "os.path.abspath", "re", "torch.Tensor.add" is in CPython
/// 3.`minor` with PyTorch 2.13; nothing if there is no such name, or none is known. `module`: the
/// start of the path that is the module of this name, whatever its package has under it: what
/// `unittest` has as `main` is a class.
std::optional<KnownName> findKnownName(llvm::StringRef path, unsigned minor,
                                       llvm::StringRef module = {});

/// Calls `see` for every name that a module has when it has been imported.
void forEachKnownName(llvm::StringRef module, unsigned minor,
                      llvm::function_ref<void(llvm::StringRef)> see);

/// Whether there is a module of this name, imported or not.
bool isKnownModule(llvm::StringRef name, unsigned minor);
bool isKnownPackage(llvm::StringRef name, unsigned minor);

/// Whether `import torch` loads the module. Of the standard library that was read with
/// CPython 3.11.
bool isLoadedWithTorch(llvm::StringRef name, unsigned minor);

/// Whether every name of this module or class is listed. False, too, of what is not known at all.
bool isCompletelyKnown(llvm::StringRef path, unsigned minor);

/// Whether the module or class before the last dot certainly has no such attribute. `module` as
/// above.
bool isKnownAbsent(llvm::StringRef path, unsigned minor, llvm::StringRef module = {});

/// Whether a class is derived from another or is the same, by their paths; nothing if one of them
/// or a base is not known.
std::optional<bool> isKnownSubclass(llvm::StringRef cls, llvm::StringRef base, unsigned minor);

/// Calls `see` with the path of every base of a class: those that it names itself (`direct`), or
/// all that it is derived from. False: the class is not known, or one that it is derived from is
/// not.
bool forEachKnownBase(llvm::StringRef cls, unsigned minor, bool direct,
                      llvm::function_ref<void(llvm::StringRef)> see);

/// A class as the tables have it.
struct KnownClass {
  bool isComplete = false;      ///< every name is listed
  bool isStatic = false;        ///< not made at run time: instances have no `__module__`
  bool isFixed = false;         ///< its attributes cannot be set
  bool hasInstanceDict = false; ///< instances have attributes of their own

  /// Written in C: what the class itself has is what the tables list.
  bool isListed() const { return isComplete && (isStatic || isFixed); }
};

/// Of a class by its path, where it is defined or under another name; nothing if none is known.
std::optional<KnownClass> findKnownClass(llvm::StringRef path, unsigned minor);

enum class KnownMember : uint8_t {
  No,
  Perhaps, ///< methods of the class set it in instances, or not all names of the class are known
  Yes,
};

struct KnownAttribute {
  KnownMember is = KnownMember::No;
  std::string path; ///< under the class that defines it; empty if it is not there
};

/// Whether instances of a class have an attribute (`ofInstance`), or the class itself; attributes
/// that only metaclasses have aside. Of a class that is not known: No.
KnownAttribute findKnownAttribute(llvm::StringRef cls, llvm::StringRef name, unsigned minor,
                                  bool ofInstance);

/// Whether a class has a member of this name itself.
bool hasKnownMember(llvm::StringRef cls, llvm::StringRef name, unsigned minor);

/// Whether what is under a path of a class is a descriptor of C, which computes what instances
/// have.
bool isKnownDescriptor(llvm::StringRef path, unsigned minor);

/// Calls `see` for every name that a class, and its bases, have.
void forEachKnownMember(llvm::StringRef cls, unsigned minor, bool withBases,
                        llvm::function_ref<void(llvm::StringRef)> see);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_KNOWNNAMES_H
