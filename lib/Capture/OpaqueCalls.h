//===- OpaqueCalls.h - What is known of callees without a model -------------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPAQUECALLS_H
#define PTC_LIB_CAPTURE_OPAQUECALLS_H

#include "Engine.h"

namespace ptc::capture {

/// What OpaqueCalls.def says; Unknown: no row.
enum class OpaqueEffect : uint8_t { Unknown, Reads, Acts, Keeps, Checked, AtImport };
enum class OpaqueRaises : uint8_t { May, Never, UnlessText };

struct OpaqueRow {
  llvm::StringLiteral path, name;
  OpaqueEffect effect;
  OpaqueRaises raises;

  /// Null: the arguments are not known.
  bool raisesNothing(const CallArgs *args) const;
};

/// The row of a callee; null: there is none.
const OpaqueRow *rowOfOpaque(llvm::StringRef path);
/// What a call gives may be anything that was put into it: the function that was decorated. No row
/// is about calls of that, but for the function that a decorator with arguments is given.
const OpaqueRow *rowOfOpaqueCall(llvm::StringRef path, bool isDecorator);
OpaqueEffect effectOf(llvm::StringRef path);

/// Does it run code, or set a name, that it is given as text?
bool runsText(llvm::StringRef path);
/// What a module of CPython does when it is imported; empty: nothing that is seen.
llvm::StringRef actOfImport(llvm::StringRef module);

/// Does a call look for a program, or start one?
bool asksForProgram(llvm::StringRef path);
/// Of a call that looks for a program or starts one: what CPython does where the caller of ptc says
/// that this program is not there. Absent: any other call.
Value callForAbsentProgram(Engine &e, llvm::StringRef path, const CallArgs &args);

/// What a user can do who needs a name of CPython or torch that has no model.
llvm::StringRef hintFor(llvm::StringRef path);
/// What to do about a module without code, or without: "do not return it".
std::string hintOnModule(llvm::StringRef without);
/// Refuses that the program sets a variable of a module of CPython which has no model, where the
/// interpreter or the library may read it.
Flow checkModuleStore(Engine &e, ObjectId module, NameId name);

/// "a.b" of "a.b", "a.b.c", "a.b().c", "a.b[…]".
bool isBelowOpaque(llvm::StringRef path, llvm::StringRef owner);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_OPAQUECALLS_H
