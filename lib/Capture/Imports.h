//===- Imports.h - Steps of import statements ------------------------------------*- C++ -*-===//
//
// What `from package import name` does beside loading the package, and what a module is while its
// code is run.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_IMPORTS_H
#define PTC_LIB_CAPTURE_IMPORTS_H

#include "Engine.h"

namespace ptc::capture {

/// Is it the frame of a module's own code?
bool isModuleBody(Engine &e, ObjectId frame);
/// Is the code of the module being run?
bool isBeingImported(Engine &e, ObjectId module);
/// Is code of the program's modules being run: of the module that it is, or of one that is imported
/// while its objects are made?
bool isImporting(Engine &e);
/// Makes a module that was imported a name of its package.
void nameInPackage(Engine &e, ObjectId module);

/// Has a module of the program a __getattr__ that is asked for names which it does not have?
bool asksForNames(Engine &e, const Value &module);
/// Imports a module of a package that has no such name, if there is one. None: it is done.
Value importSubmodule(Engine &e, ObjectId module, llvm::StringRef leaf, ReturnAction action);
/// The same of all that a statement names.
Value importNamed(Engine &e, ObjectId module, const Value &fromList);

/// Is a call looked at, and the module of this name there because calls import it? Whether it was
/// there before this call is not known.
bool isByCalls(Engine &e, llvm::StringRef name);

/// Is a module of this name in sys.modules? Refused where it is not known: another module of the
/// standard library may have imported it.
std::optional<bool> isInModules(Engine &e, llvm::StringRef name);
/// Puts a module in the place of the one that is imported under a name.
Flow replaceModule(Engine &e, llvm::StringRef name, const Value &module);

/// Is it a part of PyTorch that is Python on top of what has a model? Such parts are run from where
/// PyTorch is installed.
bool isPartOnTop(llvm::StringRef name);
/// Such a part as the attribute of its package, which imports it; absent: it is none, or cannot be
/// imported now.
Value partOnTop(Engine &e, llvm::StringRef package, NameId name);

/// Raises that a module has no such name to import.
FailAny raiseNotThere(Engine &e, ObjectId module, llvm::StringRef name);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_IMPORTS_H
