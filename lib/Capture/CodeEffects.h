//===- CodeEffects.h - What code of the program may do when it is run -------------*- C++ -*-===//
//
// Read off the instructions, for code that something without a model may run: nobody follows it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_CODEEFFECTS_H
#define PTC_LIB_CAPTURE_CODEEFFECTS_H

#include "Engine.h"

#include "ptc/Bytecode/CodeObject.h"

namespace ptc::capture {

/// A global variable that code names.
struct GlobalUse {
  enum class How : uint8_t { Part, Called, Whole }; ///< Part: one of its attributes, by name
  Value value;
  How how;
};

struct CodeEffects {
  bool changes = false;          ///< it may change an object that it reaches
  bool storesAttributes = false; ///< of anything but its first parameter
  bool storesOfFirst = false;    ///< attributes of its first parameter
  bool storesOfClass = false;    ///< attributes, and it asks for classes of objects
  bool setsAnything = false;     ///< by functions of the builtins that run text or import
  bool setsAllGlobals = false;   ///< its own, under any name
  bool setsCells = false;
  std::vector<GlobalUse> uses;
  std::vector<NameId> names;   ///< of globals, attributes and modules
  std::vector<NameId> imports; ///< modules
  std::vector<NameId> sets;    ///< its own globals
  std::vector<NameId> deletes; ///< the same
};

/// What the computation of that refusal may have given, had it not been refused while modules are
/// imported. Of a function that was not made: its code and its globals.
std::vector<Value> &refusedCandidates(Engine &e, uint32_t refusal);

/// Of the code itself, without that of functions that it makes.
CodeEffects effectsOf(Engine &e, const CodeObject &code, ObjectId globals);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CODEEFFECTS_H
