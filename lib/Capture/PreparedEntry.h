//===- PreparedEntry.h - A module that has run, and the entry found in it --------*- C++ -*-===//
//
// What captures of one entry begin with: imports have run, the model is built, its weights are
// bound. A capture that is done, or that was given up, is taken back as a whole, and the next one
// begins from the same heap.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_PREPAREDENTRY_H
#define PTC_LIB_CAPTURE_PREPAREDENTRY_H

#include "Session.h"

#include "llvm/ADT/DenseSet.h"

namespace ptc::capture {

/// Modules that calls of an entry import, which are imported before them.
struct LateImports {
  std::vector<std::string> names;
  std::vector<std::string> withEffects; ///< of them: what cannot be imported before
  bool operator==(const LateImports &) const = default;
};

class PreparedEntry {
public:
  PreparedEntry(const CaptureRequest &request, BuiltinWorld &world, const LateImports &known);
  PreparedEntry(const PreparedEntry &) = delete;

  /// Does what captures of `request` begin with stand here already?
  bool isFor(const CaptureRequest &request, const LateImports &imports) const;
  /// Brings the session to where a capture begins.
  llvm::Error begin(const CaptureLimits &limits);
  /// Adds imports that were met since and not known; false: none.
  bool addFound(LateImports &all) const;

  /// Why so many arguments by position and these by name do not fit a function; empty: they do.
  std::string misfit(const Value &function, size_t positional,
                     llvm::ArrayRef<std::pair<std::string, ExampleValue>> keywords);
  Value constantArgument(const ExampleValue &v);
  llvm::Expected<Value> makeInitArgument(const ExampleValue &v);
  /// "module:Name.part", or "Name.part" of the program's own module.
  llvm::Expected<Value> namedByInit(llvm::StringRef name);

private:
  CaptureRequest request; ///< of the first capture, without its examples
  const LateImports known;
  const bool passesTensors; ///< do examples have some?

public:
  Session session;

  // The entry, once begin() has been called:
  Value callee;
  std::optional<Value> function;    ///< what takes the arguments, if it is a Python function
  const CodeObject *code = nullptr; ///< its code
  bool hasSelf = false;
  std::string name; ///< without the module
  std::vector<std::string> parameters;
  std::optional<std::string> signature;
  SourceLoc definedAt;
  std::vector<Diagnostic> notes;
  llvm::DenseSet<SlotKey> readByImports; ///< by modules that calls import

private:
  llvm::Error prepare();
  llvm::Error importFirst();
  bool importsAlone(const std::string &name);
  std::optional<Value> attribute(llvm::StringRef name);
  llvm::Error entryNotFound(llvm::StringRef entry);
  llvm::Error noEntry(Diagnostic diag);
  llvm::Error findEntry();
  llvm::Error checkInit(const Value &cls);
  llvm::Expected<Value> instantiate(const Value &cls);
  llvm::Expected<Value> callIn(ObjectId module, llvm::StringRef function,
                               std::vector<Value> positional);
  llvm::Error prepareModule(const Value &instance);
  llvm::Error bindWeights(const Value &instance, ObjectId nn);
  void noteMode(const Value &instance);
  void nameParameters();
  llvm::Expected<Value> initArgument(const ExampleValue &v);

  Engine &e = session.engine;
  std::vector<std::string> importsWithEffects;
  bool isReady = false;
};

struct Findings;

struct Preparation::State {
  BuiltinWorld *world = nullptr;
  std::optional<BuiltinWorld> own; ///< where none was given
  std::unique_ptr<PreparedEntry> entry;
  LateImports imports;                 ///< of the last capture that came to its end
  std::optional<CaptureLimits> limits; ///< of the first request, under which entries are prepared

  llvm::Expected<CapturedEntry> capture(const CaptureRequest &request);

private:
  /// What an entry that cannot be captured might need to be known: numbers among the arguments,
  /// what follows from constants.
  struct Needs {
    bool numbers = false, folding = false;
  };
  llvm::Expected<CapturedEntry> captureAgain(const CaptureRequest &request,
                                             const Diagnostic *refused, Findings &found,
                                             Needs &needs);
  PreparedEntry &entryFor(const CaptureRequest &request, const LateImports &known);
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_PREPAREDENTRY_H
