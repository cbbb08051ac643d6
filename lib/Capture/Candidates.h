//===- Candidates.h - What of a module may be the entry ----------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_CANDIDATES_H
#define PTC_LIB_CAPTURE_CANDIDATES_H

#include "Objects.h"

namespace ptc::capture {

/// What may be an entry, by name.
struct Candidates {
  std::vector<std::string> classes, functions; ///< modules of torch.nn, and public functions
  std::vector<std::string> objects;            ///< public, of a class of torch.nn's modules
  std::vector<std::string> ownObjects;         ///< of them: those of `classes`

  /// What may be taken without being named. An object was made as the program wants it (its
  /// arguments, its mode), which its class alone does not say. `byClass`: arguments of one are
  /// given.
  const std::vector<std::string> &preferred(bool byClass) const {
    if (ownObjects.size() == 1 && !byClass)
      return ownObjects;
    return !classes.empty() ? classes : !functions.empty() ? functions : objects;
  }
  bool isEmpty() const { return classes.empty() && functions.empty() && objects.empty(); }
  /// All of them.
  std::string text() const;
};

/// What a decorator of torch.no_grad and its kind was given, which takes its arguments as they
/// come; else the function itself.
Value unwrapped(Engine &e, Value function);

/// The methods that a class defines, as NAME.METHOD, without those that start with _.
std::vector<std::string> methodsOf(Engine &e, ObjectId cls, llvm::StringRef name);

/// Classes and functions that the module defines itself, and objects that it holds.
Candidates candidatesOf(Engine &e, ObjectId module);

/// The only object that the module holds of a subclass of nn.Module that it defines, else the only
/// such class, else its only public function, else the only nn.Module that it holds.
/// With `byClass` an object is not before its class. Errors: NoEntry, SeveralEntries.
llvm::Expected<std::string> defaultEntry(Engine &e, ObjectId module, const std::string &file,
                                         bool byClass);

/// As a caller of the function names them: a rest of arguments as *name.
std::vector<std::string> parameterNames(const CodeObject &code, bool hasSelf);

/// The parameters of a Python function as `def` has them, without self and with nothing behind the
/// `=` of a default: "x, k=, /, *rest, flag=, **opts".
std::string signatureText(Engine &e, const Value &function, const CodeObject &code, bool hasSelf);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CANDIDATES_H
