//===- InspectGraph.cpp - ptc inspect-graph: what capture found ------------------------------===//
//
// In: a program. Out: its variants, guards, state, assumptions and operations as text, MLIR, JSON
// or a drawing for Graphviz.
//
//===----------------------------------------------------------------------===//
#include "CaptureOptions.h"
#include "ProgramText.h"
#include "Verb.h"

#include "ptc/Package/Manifest.h"
#include "ptc/Support/AtomicFile.h"

#include <CLI/CLI.hpp>

using namespace ptc;
using namespace ptc::tool;

static std::string asJson(CompiledProgram &p) {
  ManifestFacts facts;
  facts.observables = p.observables.get();
  facts.guards = p.guards;
  facts.parameters = p.parameters;
  for (const auto &assumption : p.assumptions)
    facts.assumptions.push_back({assumption.text, assumption.loc});
  for (const auto &use : p.world)
    facts.world.push_back({use.name, use.answer, use.reason, use.loc});
  facts.counts = {p.counts.ops, p.counts.steps, p.counts.forks, p.counts.depth};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeManifest(os, *p.module, facts);
  return text;
}

VerbBody tool::declareInspectGraph(CLI::App &app) {
  struct Options {
    std::string format = "text", output = "-";
  };
  auto capture = declareCapture(app);
  auto options = std::make_shared<Options>();
  app.add_option("--format", options->format, "how")
      ->check(CLI::IsMember({"text", "mlir", "json", "dot"}))
      ->capture_default_str();
  app.add_option("-o", options->output, "where to; default: standard output");
  return [=](Session &session) {
    PipelineOptions pipeline;
    std::optional<CompiledProgram> program = compileInput(*capture, session, pipeline);
    if (!program)
      return;
    std::string text = options->format == "text"   ? programText(*program)
                       : options->format == "json" ? asJson(*program)
                       : options->format == "dot"  ? programDot(*program)
                                                   : printModule(*program->module, true);
    if (llvm::Error error = writeFileAtomically(options->output, text))
      return session.report(std::move(error));
    session.noteOutput(options->output);
  };
}
