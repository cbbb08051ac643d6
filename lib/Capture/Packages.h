//===- Packages.h - What pip left in folders of -I ---------------*- C++ -*-===//
//
// Distributions with their names and versions, and packages of which no
// code is run: OpaquePackages.def.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_PACKAGES_H
#define PTC_LIB_CAPTURE_PACKAGES_H

#include "Engine.h"

#include "ptc/Capture/Capture.h"
#include "ptc/Capture/PackageFiles.h"

namespace ptc::capture {

/// A row of OpaquePackages.def.
struct OpaquePackage {
  llvm::StringLiteral module, extension, distributions;
  bool hasVersion; ///< `__version__` is that of the distribution
};

/// The row of a top-level module whose package lies in `folder`; null: its code is run.
const OpaquePackage *findOpaquePackage(const PackageFiles &files, llvm::StringRef module,
                                       llvm::StringRef folder);

/// What is installed: NAME-VERSION.dist-info, or .egg-info.
struct Distribution {
  std::string folder; ///< of its files
  std::string key;    ///< its name as names are compared (PEP 503), with '_'
  std::string name, version;
};

/// "scikit_learn" of "Scikit-Learn".
std::string distributionKey(llvm::StringRef name);
/// Those in folders, the earlier one of two with the same name, ordered by `key`. `read` gets the
/// paths of files that were looked into.
std::vector<Distribution> listDistributions(const PackageFiles &files,
                                            llvm::ArrayRef<std::string> folders,
                                            std::vector<std::string> &read);

/// Which of the distributions these files are of: those of RECORD (PEP 376), and what lies in its
/// own folder. Only distributions of which something was read are given, ordered by `key`.
std::vector<PackageRead> packagesRead(const PackageFiles &lying,
                                      llvm::ArrayRef<Distribution> distributions,
                                      llvm::ArrayRef<std::string> files);

/// Begins the names of files of lib/Prelude that stand for a package of OpaquePackages.def where it
/// is installed.
inline constexpr llvm::StringLiteral kModelOfPackage = "_package_";
/// Is it the model in lib/Prelude of a package, installed with PyTorch or by itself, and no part of
/// a model of another module? The tables do not have its names: whether others are there is
/// unknown.
bool isModelOfPackage(Engine &e, llvm::StringRef module);
/// Does the program's world have a package of which no code is run, and this module in it?
bool isInOpaquePackage(Engine &e, llvm::StringRef module);
/// An enumeration whose class statement names its members' numbers and does nothing else.
struct Enumeration {
  std::string base; ///< of module `enum`
  std::string doc;  ///< empty: none
  std::vector<std::pair<std::string, int64_t>> members;
};
/// What the files of such a package say of a name in one of its modules, which has been imported.
struct PackageMember {
  bool isBound = false;               ///< the module's code binds it, always or as its stub says
  bool isClass = false;               ///< and by a class statement, as its code or its stub says
  bool isModule = false;              ///< a module of the package, and no other name of it
  bool isImported = false;            ///< the same, and the program has imported it
  std::optional<std::string> version; ///< what it holds
  std::optional<Enumeration> enumeration; ///< what kind of class it is, where that is known
};
/// Does one lie among the files of its package?
bool hasPackageModule(Engine &e, llvm::StringRef module);
PackageMember findPackageMember(Engine &e, llvm::StringRef module, llvm::StringRef name);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_PACKAGES_H
