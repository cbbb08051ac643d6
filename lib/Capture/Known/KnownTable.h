//===- KnownTable.h - The packed table of names that exist -------*- C++ -*-===//
//
// What pack.py makes of the tables in this folder, read where it lies. Numbers are 32 bits, little
// end first.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_KNOWN_KNOWNTABLE_H
#define PTC_LIB_CAPTURE_KNOWN_KNOWNTABLE_H

#include "llvm/ADT/StringRef.h"

namespace ptc::capture::known {

// Sorted strings: their text, and where each begins, with one offset more than there are strings.
// A module and a class may have one path: the module comes first.
llvm::StringRef getNameText();
llvm::StringRef getNameOffsets();
llvm::StringRef getTypeText();
llvm::StringRef getTypeOffsets();
llvm::StringRef getPathText();
llvm::StringRef getPathOffsets();

/// For each path, what kSpaceWords says.
llvm::StringRef getSpaces();
/// First entry, entries, first link, links, bits: whether it is a class, then five masks of
/// versions of five bits: exists, may have other names, has its own instance check, is a file of
/// Python code, is a package.
constexpr unsigned kSpaceWords = 5;

/// Per name of a module or class: name << 9 | kind << 6 | after its own import << 5 | versions;
/// then the place of the module or class, or of the type, all ones if it is not known.
llvm::StringRef getEntries();
constexpr unsigned kEntryWords = 2;

/// place << 8 | what (base, metaclass, the module that is meant) << 5 | versions.
llvm::StringRef getLinks();

/// Places of the modules that an import of torch loads.
llvm::StringRef getTorchLoads();

} // namespace ptc::capture::known

#endif // PTC_LIB_CAPTURE_KNOWN_KNOWNTABLE_H
