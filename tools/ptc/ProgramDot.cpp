//===- ProgramDot.cpp - A program as a drawing ------------------------------------------------===//
//
// In: a compiled program. Out: a graph in Graphviz's language. Inputs, weights and operations are
// nodes, values edges; a region is a cluster that says which side or part of a loop it is.
//
//===----------------------------------------------------------------------===//
#include "ProgramText.h"

#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::tool;

namespace {

/// A string in quotes; line breaks stay.
std::string quotedLabel(llvm::StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

class DotWriter {
public:
  explicit DotWriter(llvm::raw_ostream &os) : os(os) {}

  void write(program::EntryOp entry) {
    os << "digraph " << quotedLabel(entry.getSymName()) << " {\n"
       << "  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
       << "  edge [fontname=\"sans-serif\", fontsize=8];\n";
    for (Operation &op : entry.getBody().front())
      if (isa<program::InitOp, program::VariantOp>(op))
        writeTop(op);
    os << "}\n";
  }

private:
  void writeTop(Operation &op) {
    auto variant = dyn_cast<program::VariantOp>(op);
    std::string title = variant ? "variant " + variant.getSymName().str() : "once per context";
    openCluster(title, 2);
    Block &block = op.getRegion(0).front();
    if (variant)
      for (auto [path, arg] :
           llvm::zip(variant.getInputs().getAsValueRange<StringAttr>(), block.getArguments())) {
        names.name(arg, path.str());
        producers[arg] = node(path.str() + "\n" + typeText(arg.getType()), "shape=ellipse", 4);
      }
    writeBlock(block, 4);
    os.indent(2) << "}\n";
  }

  void openCluster(const std::string &title, unsigned indent) {
    os.indent(indent) << "subgraph cluster" << clusters++ << " {\n";
    os.indent(indent + 2) << "label=" << quotedLabel(title) << ";\n";
  }

  unsigned node(const std::string &label, llvm::StringRef attributes, unsigned indent) {
    os.indent(indent) << 'n' << nodes << " [label=" << quotedLabel(label);
    if (!attributes.empty())
      os << ", " << attributes;
    os << "];\n";
    return nodes++;
  }

  static std::string regionTitle(Operation &op, unsigned number) {
    if (isa<scf::IfOp>(op))
      return number == 0 ? "then" : "else";
    if (isa<scf::WhileOp>(op))
      return number == 0 ? "test" : "body";
    if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
      return number == 0 ? "otherwise" : "case " + std::to_string(choice.getCases()[number - 1]);
    return "end " + std::to_string(number);
  }

  static std::string titleOf(Operation &op, ValueNames &names) {
    if (isa<scf::IfOp>(op))
      return "if";
    if (isa<scf::WhileOp>(op))
      return "loop";
    if (isa<scf::IndexSwitchOp>(op))
      return "choose";
    if (isa<program::FinishOp>(op))
      return "end";
    if (auto end = dyn_cast<program::EndOp>(op))
      return end.getRaised() ? "raises" : "returns";
    if (auto weight = dyn_cast<program::WeightOp>(op))
      return weight.getName().str() + "\n" + typeText(weight.getType());
    if (isa<scf::YieldOp, scf::ConditionOp, program::PlaceOp>(op))
      return op.getName().stripDialect().str();
    if (isa<program::ViewOp, program::ScatterOp, program::GetStateOp, program::SetStateOp,
            program::PrintOp, program::SizeExprOp>(op))
      return operationText(&op, names);
    return op.getName().getStringRef().str();
  }

  void writeOperation(Operation &op, unsigned indent) {
    if (isa<arith::ConstantOp, program::UndefOp>(op))
      return; // part of the text of who uses them
    std::string label = titleOf(op, names);
    if (std::string place = placeText(&op); !place.empty() && !isa<program::WeightOp>(op))
      label += "\n" + place;
    llvm::StringRef shape = isa<program::WeightOp>(op)                      ? "shape=cylinder"
                            : op.getNumRegions() || isa<program::EndOp>(op) ? "style=rounded"
                                                                            : "";
    unsigned number = node(label, shape, indent);
    for (Value result : op.getResults())
      producers[result] = number;
    for (Value operand : op.getOperands())
      edge(operand, number, indent);
    for (auto [i, region] : llvm::enumerate(op.getRegions())) {
      if (region.empty())
        continue;
      openCluster(regionTitle(op, unsigned(i)), indent);
      for (Value arg : region.front().getArguments())
        producers[arg] = number; // carried by the loop
      writeBlock(region.front(), indent + 2);
      os.indent(indent) << "}\n";
    }
  }

  void writeBlock(Block &block, unsigned indent) {
    for (Operation &op : block)
      writeOperation(op, indent);
  }

  void edge(Value from, unsigned to, unsigned indent) {
    auto producer = producers.find(from);
    if (producer == producers.end())
      return;
    os.indent(indent) << 'n' << producer->second << " -> n" << to
                      << " [label=" << quotedLabel(typeText(from.getType())) << "];\n";
  }

  llvm::raw_ostream &os;
  ValueNames names;
  llvm::DenseMap<Value, unsigned> producers;
  unsigned nodes = 0, clusters = 0;
};

} // namespace

std::string tool::programDot(CompiledProgram &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  DotWriter(os).write(*program.module->getOps<program::EntryOp>().begin());
  return text;
}
