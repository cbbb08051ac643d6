//===- InspectGraph.cpp - ptc inspect-graph: what capture found ------------------------------===//
//
// In: a program. Out: its variants, guards, state, assumptions and operations as text, MLIR, JSON
// or a drawing for Graphviz; of a plan its kernels.
//
//===----------------------------------------------------------------------===//
#include "CaptureOptions.h"
#include "KernelTable.h"
#include "ProgramText.h"
#include "Verb.h"

#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Support/AtomicFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

using namespace ptc;
using namespace ptc::tool;

static std::string shown(CompiledProgram &program, const PipelineOptions &pipeline,
                         llvm::StringRef format) {
  bool isPlan = pipeline.to == Phase::Plan;
  if (format == "text")
    return isPlan ? kernelTable(reportKernels(program, program.cost)) : programText(program);
  if (format == "json" && isPlan)
    return planJson(reportKernels(program, program.cost), program.remarks).dump(2) + "\n";
  if (format == "json")
    return manifestOf(program);
  return format == "dot" ? programDot(program) : printModule(*program.module, true);
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
  declareCpu(app, *capture);
  app.add_option("-o", options->output, "where to; default: standard output");
  return [=](Session &session) {
    if (llvm::Error error = checkOutputPlace(options->output))
      return session.report(std::move(error));
    PipelineOptions pipeline;
    std::optional<CompiledProgram> program = compileInput(*capture, session, pipeline);
    if (!program)
      return;
    session.deliver(options->output, shown(*program, pipeline, options->format));
  };
}
