//===- Verb.h - What every verb of ptc is and has ----------------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_VERB_H
#define PTC_TOOLS_PTC_VERB_H

#include "Session.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>

namespace CLI {
class App;
} // namespace CLI

namespace ptc::tool {

/// A verb declares its options on `app`; what it returns is run after parsing.
using VerbBody = std::function<void(Session &)>;

struct Verb {
  const char *name;
  const char *summary;
  /// Printed under "Examples:" by --help; one command per line.
  const char *examples;
  VerbBody (*declare)(CLI::App &app);
};

VerbBody declareAsm(CLI::App &app);
VerbBody declareBatch(CLI::App &app);
VerbBody declareDis(CLI::App &app);
VerbBody declareExplain(CLI::App &app);
VerbBody declareInspectGraph(CLI::App &app);
VerbBody declareList(CLI::App &app);
VerbBody declareRun(CLI::App &app);
VerbBody declareVerify(CLI::App &app);

/// All verbs; a new one is a file and a row.
llvm::ArrayRef<Verb> getVerbs();

/// One run of ptc with these arguments, the program's name not among them: its exit code.
int runCommand(llvm::ArrayRef<const char *> arguments, capture::BuiltinWorld *builtins = nullptr);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_VERB_H
