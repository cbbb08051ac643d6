//===- InspectGraph.cpp - ptc inspect-graph: what capture found ------------------------------===//
//
// In: a program. Out: its variants, guards, state, assumptions and operations as text, MLIR, JSON
// or a drawing for Graphviz.
//
//===----------------------------------------------------------------------===//
#include "CaptureOptions.h"
#include "Verb.h"

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Support/AtomicFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;

static program::EntryOp entryOf(CompiledProgram &p) {
  return *p.module->getOps<program::EntryOp>().begin();
}

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
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

static Json opCounts(program::VariantOp variant) {
  std::map<std::string, int> counts;
  variant.walk([&](mlir::Operation *op) {
    if (op != variant.getOperation())
      ++counts[op->getName().getStringRef().str()];
  });
  return counts;
}

static Json guardsJson(CompiledProgram &p, size_t variant) {
  Json out = Json::array();
  if (variant >= p.guards.size())
    return out;
  for (const sym::Guard &guard : p.guards[variant].guards()) {
    Json origins = Json::array();
    for (const sym::GuardOrigin &origin : guard.origins)
      origins.push_back(
          {{"file", origin.loc.file}, {"line", origin.loc.line}, {"reason", origin.reason}});
    out.push_back({{"kind", sym::getGuardKindInfo(guard.kind).keyword.str()},
                   {"path", sym::guardPath(*p.observables, guard.atom)},
                   {"formula", sym::atomText(*p.observables, guard.atom)},
                   {"origins", std::move(origins)}});
  }
  return out;
}

static std::string asJson(CompiledProgram &p) {
  program::EntryOp entry = entryOf(p);
  Json out;
  out["entry"] = entry.getSymName().str();
  out["counts"] = {{"ops", p.counts.ops},
                   {"steps", p.counts.steps},
                   {"forks", p.counts.forks},
                   {"depth", p.counts.depth}};
  out["state"] = Json::array();
  for (auto state : entry.getBody().getOps<program::StateOp>())
    out["state"].push_back({{"name", state.getName().str()}, {"type", typeText(state.getType())}});
  out["variants"] = Json::array();
  for (auto [i, variant] : llvm::enumerate(entry.getBody().getOps<program::VariantOp>())) {
    Json inputs = Json::array();
    for (auto [path, arg] : llvm::zip(variant.getInputs().getAsValueRange<mlir::StringAttr>(),
                                      variant.getBody().getArguments()))
      inputs.push_back({{"path", path.str()}, {"type", typeText(arg.getType())}});
    out["variants"].push_back({{"name", variant.getSymName().str()},
                               {"inputs", std::move(inputs)},
                               {"guards", guardsJson(p, i)},
                               {"ops", opCounts(variant)}});
  }
  out["assumptions"] = Json::array();
  for (const auto &assumption : p.assumptions)
    out["assumptions"].push_back(
        {{"text", assumption.text}, {"file", assumption.loc.file}, {"line", assumption.loc.line}});
  out["world"] = p.worldRows;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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
