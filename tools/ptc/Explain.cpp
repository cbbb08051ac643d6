//===- Explain.cpp - ptc explain: why ------------------------------------------------------===//
//
// In: a program. Out: each guard with the places that needed it, and, for the calls given, the
// variant that each would take or the first guard that fails.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"
#include "CaptureOptions.h"
#include "Verb.h"

#include "ptc/Symbolic/DecisionTree.h"

#include <CLI/CLI.hpp>

using namespace ptc;
using namespace ptc::tool;

static void explainCalls(CompiledProgram &program, const std::vector<std::string> &files,
                         Session &session) {
  std::set<std::string> read;
  for (const std::string &path : files) {
    auto calls = readCalls(path, read);
    if (!calls)
      return session.report(calls.takeError());
    for (auto [i, call] : llvm::enumerate(*calls)) {
      llvm::outs() << path << " call " << i << ": ";
      sym::Observation seen = observe(call, program.parameters);
      if (program.guards.empty()) {
        llvm::outs() << "variant v0\n";
        continue;
      }
      sym::DecisionTree tree(*program.observables, program.guards);
      if (std::optional<unsigned> variant = tree.dispatch(*program.observables, seen)) {
        llvm::outs() << "variant v" << *variant << '\n';
        continue;
      }
      sym::Miss miss = sym::explainMiss(program.guards, *program.observables, seen);
      llvm::outs() << "none; of v" << miss.variant << ", " << miss.failure.subject << " is "
                   << miss.failure.found << ", expected " << miss.failure.expected << '\n';
      const sym::Guard &guard = program.guards[miss.variant].guards()[miss.failure.guard];
      for (const sym::GuardOrigin &origin : guard.origins) {
        llvm::outs() << "    ";
        if (origin.loc.isKnown())
          llvm::outs() << origin.loc.file << ':' << origin.loc.line << ": ";
        llvm::outs() << origin.reason << '\n';
      }
    }
  }
}

VerbBody tool::declareExplain(CLI::App &app) {
  struct Options {
    bool guards = false, tree = false;
    std::vector<std::string> calls;
  };
  auto capture = declareCapture(app);
  auto options = std::make_shared<Options>();
  app.add_flag("--guards", options->guards, "each guard and the lines that needed it (default)");
  app.add_flag("--tree", options->tree, "the decision tree over the variants");
  app.add_option("--call", options->calls, "which variant this call would take");
  return [=](Session &session) {
    PipelineOptions pipeline;
    std::optional<CompiledProgram> program = compileInput(*capture, session, pipeline);
    if (!program)
      return;
    bool guards = options->guards || (!options->tree && options->calls.empty());
    for (auto [i, set] : llvm::enumerate(program->guards)) {
      if (!guards)
        break;
      llvm::outs() << "variant v" << i << ": " << set.size() << " guards\n";
      sym::printGuards(llvm::outs(), *program->observables, set);
    }
    if (options->tree && !program->guards.empty())
      sym::DecisionTree(*program->observables, program->guards)
          .print(llvm::outs(), *program->observables);
    explainCalls(*program, options->calls, session);
  };
}
