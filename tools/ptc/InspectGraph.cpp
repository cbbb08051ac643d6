//===- InspectGraph.cpp - ptc inspect-graph: what capture found ------------------------------===//
//
// In: a program. Out: its variants, guards, state, assumptions and operations as text, MLIR, JSON
// or a drawing for Graphviz.
//
//===----------------------------------------------------------------------===//
#include "CaptureOptions.h"
#include "Verb.h"

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Package/Manifest.h"
#include "ptc/Support/AtomicFile.h"

#include <CLI/CLI.hpp>

using namespace ptc;
using namespace ptc::tool;

static program::EntryOp entryOf(CompiledProgram &p) {
  return *p.module->getOps<program::EntryOp>().begin();
}

static std::string placeText(const SourceLoc &loc) {
  return loc.isKnown() ? loc.file + ":" + std::to_string(loc.line) : "";
}

/// One operation per line: name, result types, Python line; regions are indented.
static void printBlock(llvm::raw_ostream &os, mlir::Block &block, unsigned indent) {
  for (mlir::Operation &op : block) {
    os.indent(indent) << op.getName();
    for (mlir::Type type : op.getResultTypes())
      os << ' ' << type;
    if (auto place = op.getLoc()->findInstanceOf<mlir::FileLineColLoc>())
      os << "   # " << place.getFilename().getValue() << ':' << place.getLine();
    os << '\n';
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region) {
        os.indent(indent + 2) << "region " << region.getRegionNumber() << '\n';
        printBlock(os, inner, indent + 4);
      }
  }
}

static std::string asText(CompiledProgram &p) {
  std::string text;
  llvm::raw_string_ostream os(text);
  program::EntryOp entry = entryOf(p);
  os << "entry " << entry.getSymName() << '\n';
  os << "counts: " << p.counts.ops << " operations, " << p.counts.steps << " steps, "
     << p.counts.forks << " forks, depth " << p.counts.depth << '\n';
  for (auto state : entry.getBody().getOps<program::StateOp>())
    if (!state.getName().empty())
      os << "state " << state.getName() << ": " << state.getType() << '\n';
  for (auto [i, variant] : llvm::enumerate(entry.getBody().getOps<program::VariantOp>())) {
    os << "variant " << variant.getSymName() << '\n';
    for (auto [path, arg] : llvm::zip(variant.getInputs().getAsValueRange<mlir::StringAttr>(),
                                      variant.getBody().getArguments()))
      os << "  input " << path << ": " << arg.getType() << '\n';
    if (i < p.guards.size() && !p.guards[i].empty()) {
      os << "  guards\n";
      for (const sym::Guard &guard : p.guards[i].guards())
        os << "    " << sym::atomText(*p.observables, guard.atom) << '\n';
    }
    os << "  body\n";
    printBlock(os, variant.getBody().front(), 4);
  }
  for (const auto &assumption : p.assumptions)
    os << "assumption " << assumption.text << "   # " << placeText(assumption.loc) << '\n';
  for (const std::string &row : p.worldRows)
    os << "world " << row << '\n';
  return text;
}

static std::string asJson(CompiledProgram &p) {
  ManifestFacts facts;
  facts.observables = p.observables.get();
  facts.guards = p.guards;
  facts.parameters = p.parameters;
  for (const auto &assumption : p.assumptions)
    facts.assumptions.push_back({assumption.text, assumption.loc});
  facts.worldRows = p.worldRows;
  facts.counts = {p.counts.ops, p.counts.steps, p.counts.forks, p.counts.depth};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeManifest(os, *p.module, facts);
  return text;
}

/// Nodes are operations, edges are values; regions are clusters.
static std::string asDot(CompiledProgram &p) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  unsigned clusters = 0;
  std::function<void(mlir::Block &, unsigned)> visit = [&](mlir::Block &block, unsigned indent) {
    for (mlir::Operation &op : block) {
      unsigned n = numbers.size();
      numbers[&op] = n;
      os.indent(indent) << 'n' << n << " [label=\"" << op.getName() << "\"];\n";
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &inner : region) {
          os.indent(indent) << "subgraph cluster" << clusters++ << " {\n";
          visit(inner, indent + 2);
          os.indent(indent) << "}\n";
        }
      for (mlir::Value operand : op.getOperands())
        if (mlir::Operation *def = operand.getDefiningOp())
          os.indent(indent) << 'n' << numbers[def] << " -> n" << n << ";\n";
    }
  };
  os << "digraph \"" << entryOf(p).getSymName() << "\" {\n  node [shape=box];\n";
  visit(entryOf(p).getBody().front(), 2);
  os << "}\n";
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
    std::string text = options->format == "text"   ? asText(*program)
                       : options->format == "json" ? asJson(*program)
                       : options->format == "dot"  ? asDot(*program)
                                                   : printModule(*program->module, true);
    if (llvm::Error error = writeFileAtomically(options->output, text))
      return session.report(std::move(error));
    session.report(session.writeDepfile(options->output == "-" ? "" : options->output));
  };
}
