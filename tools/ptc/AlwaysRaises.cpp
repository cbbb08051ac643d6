//===- AlwaysRaises.cpp - Programs that only raise -----------------------------------------===//
//
// In: a captured program and its examples. Out: what to say of variants whose every outcome raises.
//
//===----------------------------------------------------------------------===//
#include "AlwaysRaises.h"

#include "ptc/Capture/Environment.h"
#include "ptc/Capture/Observe.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Symbolic/DecisionTree.h"

#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::tool;
using program::OutAttr, program::OutKind;

namespace {
struct Raise {
  std::string type, text;
  SourceLoc loc;
};
} // namespace

static std::string textOf(OutAttr node) {
  if (node.getKind() == OutKind::Str)
    return node.getText().getValue().str();
  if (node.getKind() == OutKind::Choice) {
    std::vector<std::string> texts;
    for (OutAttr part : node.getChildren())
      texts.push_back(textOf(part));
    return llvm::join(texts, " or ");
  }
  if (node.getKind() != OutKind::Template)
    return "…";
  std::string text;
  for (OutAttr part : node.getChildren())
    text += textOf(part);
  return text;
}

/// The tree of program.end: a tuple of exception, text and place, or a choice of such.
static void addRaises(OutAttr tree, std::vector<Raise> &out) {
  if (tree.getKind() == OutKind::Choice) {
    for (OutAttr alternative : tree.getChildren())
      addRaises(alternative, out);
    return;
  }
  if (tree.getKind() != OutKind::Tuple || tree.getChildren().size() != 3)
    return;
  llvm::ArrayRef<OutAttr> parts = tree.getChildren(), place = parts[2].getChildren();
  Raise raise;
  raise.type = parts[0].getText() ? parts[0].getText().getValue().str() : "an exception";
  raise.text = textOf(parts[1]);
  if (place.size() == 2 && place[0].getText())
    raise.loc.file = place[0].getText().getValue().str();
  // A line that only the run knows has no constant.
  if (place.size() == 2)
    if (auto line = mlir::dyn_cast_or_null<mlir::IntegerAttr>(place[1].getConstant()))
      raise.loc.line = uint32_t(line.getInt());
  out.push_back(std::move(raise));
}

/// What the calls of a variant end in; empty if some of them return.
static std::vector<Raise> raisesOf(program::VariantOp variant) {
  std::vector<Raise> out;
  bool returns = false;
  variant.walk([&](program::EndOp end) {
    returns |= !end.getRaised();
    if (end.getRaised())
      addRaises(end.getResult(), out);
  });
  return returns ? std::vector<Raise>() : out;
}

/// How to name the calls of a variant: by the first example that takes it.
static std::string callsOf(const CompiledProgram &program, llvm::ArrayRef<ExampleCall> examples,
                           unsigned variant) {
  if (program.guards.size() < 2)
    return "every call ends in ";
  sym::DecisionTree tree(*program.observables, program.guards);
  for (auto [i, call] : llvm::enumerate(examples))
    if (tree.dispatch(*program.observables, observe(call, program.parameters)) == variant)
      return "every call like example " + std::to_string(i) + " ends in ";
  return "every call of variant v" + std::to_string(variant) + " ends in ";
}

bool tool::raisesAlways(const CompiledProgram &program) {
  mlir::ModuleOp module = program.module.get();
  auto entry = *module.getOps<program::EntryOp>().begin();
  return llvm::all_of(entry.getBody().getOps<program::VariantOp>(),
                      [](program::VariantOp variant) { return !raisesOf(variant).empty(); });
}

std::vector<Diagnostic> tool::findAlwaysRaised(const CompiledProgram &program,
                                               llvm::ArrayRef<ExampleCall> examples) {
  std::vector<Diagnostic> out;
  mlir::ModuleOp module = program.module.get();
  auto entry = *module.getOps<program::EntryOp>().begin();
  for (auto [i, variant] : llvm::enumerate(entry.getBody().getOps<program::VariantOp>())) {
    std::vector<Raise> raises = raisesOf(variant);
    if (raises.empty())
      continue;
    const Raise &first = raises.front();
    Diagnostic diag =
        makeDiagnostic(DiagId::ProgramRaised, first.loc,
                       callsOf(program, examples, unsigned(i)) + first.type, first.text);
    diag.attachments =
        capture::diagnoseRaised(first.loc, first.type, first.text, program.world).attachments;
    for (const Raise &other : llvm::drop_begin(raises))
      diag.note("or in " + other.type + ": " + other.text, other.loc);
    diag.hint("mend the program, or give an --example that it answers, if there is one");
    out.push_back(std::move(diag));
  }
  return out;
}
