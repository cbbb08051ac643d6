//===- InspectGraph.cpp - ptc inspect-graph: what capture found ------------------------------===//
//
// In: a program. Out: its variants, guards, state, assumptions and operations as text, MLIR, JSON
// or a drawing for Graphviz.
//
//===----------------------------------------------------------------------===//
#include "CaptureOptions.h"
#include "ProgramText.h"
#include "Verb.h"

#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Support/AtomicFile.h"

#include <CLI/CLI.hpp>

using namespace ptc;
using namespace ptc::tool;

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
    if (llvm::Error error = checkOutputPlace(options->output))
      return session.report(std::move(error));
    PipelineOptions pipeline;
    std::optional<CompiledProgram> program = compileInput(*capture, session, pipeline);
    if (!program)
      return;
    std::string text = options->format == "text"   ? programText(*program)
                       : options->format == "json" ? manifestOf(*program)
                       : options->format == "dot"  ? programDot(*program)
                                                   : printModule(*program->module, true);
    session.deliver(options->output, text);
  };
}
