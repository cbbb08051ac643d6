//===- ModuleFiles.h - Where the code of a module lies ------------*- C++ -*-===//
//
// What CPython's path finder and its zipimport do, for files that hold bytecode: NAME.pyc, and what
// stands in __pycache__ for a source, if it is up to date.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_MODULEFILES_H
#define PTC_CAPTURE_MODULEFILES_H

#include "ptc/Bytecode/CodeObject.h"
#include "ptc/Capture/PackageFiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace ptc::capture {

/// "model" of "dir/__pycache__/model.cpython-311.opt-1.pyc" and of "model.pyc".
llvm::StringRef moduleNameOf(llvm::StringRef path);
/// The folder that the module's siblings lie in: __pycache__ counts for the one above it. Empty for
/// the current one.
llvm::StringRef moduleFolderOf(llvm::StringRef path);

/// Does the code of a top-level module lie in a folder that has what CPython cannot start without?
bool isOfStandardLibrary(llvm::StringRef file, bool isPackage,
                         llvm::function_ref<bool(llvm::StringRef)> isFile);

struct ModuleFile {
  enum class Kind : uint8_t {
    Absent,
    Code,      ///< `path` is a .pyc
    Namespace, ///< a package without code, made of `folders`
    Native,    ///< `path` is an extension module
    Orphan,    ///< `path` is bytecode in __pycache__ without a source, which no import finds: `why`
    Unusable   ///< it is there, and `path` is no bytecode that counts: `why`
  };
  Kind kind = Kind::Absent;
  std::string path, why;
  bool isPackage = false;
  std::vector<std::string> folders; ///< of a package: where its modules are looked for
};

/// The last part of a module's name in these folders, by CPython's rule: in each folder a package
/// before a module; folders without __init__ make a namespace package if no folder has either. In
/// an archive no extension module is found; what __pycache__ has there stands for its source, which
/// zipimport compiles.
ModuleFile findModuleFile(const PackageFiles &files, llvm::ArrayRef<std::string> folders,
                          llvm::StringRef name, PythonVersion version);

/// The source that importing this bytecode makes its code name: that beside __pycache__, absolute;
/// empty: the code names what it was compiled from.
std::string cachedSourceOf(llvm::StringRef bytecode);

std::string absolutePath(llvm::StringRef given);

/// The bytecode that a command line names as `given`: a .pyc as it is; for MODULE.py, and MODULE
/// where no such file is, what __pycache__ holds of that version, or of the newest one that is up
/// to date. Errors: FileNotReadable.
llvm::Expected<std::string> findEntryFile(llvm::StringRef given,
                                          std::optional<PythonVersion> version);

} // namespace ptc::capture

#endif // PTC_CAPTURE_MODULEFILES_H
