//===- Signature.h - How a native function takes its arguments --*- C++ -*-===//
//
// Written in Builtins.def as in a Python def, with "=" behind a parameter that may be missing:
// "self, sep=, maxsplit=", "value, /", "*args, key=, default=". "..." takes arguments as they come.
// ":index" and ":float" behind a name say what __index__, or __float__, of an argument is asked
// for.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_SIGNATURE_H
#define PTC_LIB_CAPTURE_SIGNATURE_H

#include "Engine.h"

namespace ptc::capture {

struct Signature {
  enum class Conversion : uint8_t { None, Index, Float };
  struct Parameter {
    NameId name;
    bool optional;
    bool keywordOnly;
    bool positionalOnly;
    Conversion conversion;
  };
  std::vector<Parameter> parameters;
  uint32_t positional = 0; ///< how many may be given by position
  uint32_t required = 0;   ///< of the positional ones
  bool raw = false, varArgs = false, varKeywords = false;
  bool keywords = false; ///< some parameter may be named
  bool converts = false; ///< some parameter has a conversion
};

Signature parseSignature(Engine &e, llvm::StringRef text);

/// TypeError: a built-in function has no parameter of that name.
/// Is it a method of lib/Prelude that stands for one of C whose parameters have names?
bool isNamedMethodOfC(Engine &e, ObjectId function);
FailAny unknownKeyword(Engine &e, const llvm::Twine &function, NameId keyword);

/// TypeError: a call of a function of lib/Prelude has `given` arguments by position, too many or,
/// with the first of those that it lacks, too few, as the function in C says it that it stands for.
/// Absent: it stands for none.
Value wrongCountOfC(Engine &e, ObjectId function, const CallArgs &args, size_t given,
                    std::optional<NameId> lacks);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SIGNATURE_H
