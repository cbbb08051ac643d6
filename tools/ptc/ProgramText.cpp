//===- ProgramText.cpp - A program as people read it
//---------------------------------------------===//
//
// In: a compiled program. Out: per variant its inputs, guards with the lines that needed them, body
// with control flow indented and the Python line behind each operation, and ends; then what all
// variants share: state, weights, assumptions.
//
//===----------------------------------------------------------------------===//
#include "ProgramText.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/TensorFile/Example.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace ptc;
using namespace ptc::tool;

namespace {

constexpr size_t kPlaceColumn = 88;

class ProgramWriter {
public:
  ProgramWriter(llvm::raw_ostream &os, CompiledProgram &program) : os(os), p(program) {}

  void write() {
    program::EntryOp entry = *p.module->getOps<program::EntryOp>().begin();
    std::string parameters;
    for (const std::string &parameter : p.parameters)
      parameters.append(parameters.empty() ? "" : ", ").append(parameter);
    line(0, "entry " + entry.getSymName().str() + "(" + parameters + ")", placeText(entry));
    writeCounts(entry);
    writeSizes();
    writeState(entry);
    for (auto [i, variant] : llvm::enumerate(entry.getBody().getOps<program::VariantOp>()))
      writeVariant(variant, i);
    for (auto init : entry.getBody().getOps<program::InitOp>()) {
      os << "\nonce per context\n";
      names = ValueNames();
      writeBlock(init.getBody().front(), 2);
    }
    writeWeights(entry);
    writeAssumptions();
  }

private:
  /// A line with a place in the right-hand column.
  void line(unsigned indent, const std::string &text, const std::string &place = "") {
    os.indent(indent) << text;
    if (!place.empty())
      os.indent(indent + text.size() < kPlaceColumn ? kPlaceColumn - indent - text.size() : 2)
          << "# " << place;
    os << '\n';
  }

  void writeCounts(program::EntryOp entry) {
    std::map<std::string, unsigned> ops;
    unsigned decisions = 0, loops = 0, prints = 0, random = 0, raises = 0;
    entry.walk([&](Operation *op) {
      decisions += isa<scf::IfOp, scf::IndexSwitchOp>(op);
      loops += isa<scf::WhileOp>(op);
      prints += isa<program::PrintOp>(op);
      if (auto end = dyn_cast<program::EndOp>(op))
        raises += end.getRaised();
      if (auto aten = dyn_cast<aten::AtenOp>(op)) {
        ++ops[op->getName().getStringRef().str()];
        random += aten.getInfo().has(aten::OpFlag::Random);
      }
    });
    unsigned tensors = 0;
    for (const auto &[name, count] : ops)
      tensors += count;
    os << "  " << tensors << " tensor operations, " << decisions << " decisions on data, " << loops
       << " loops on data; " << p.counts.ops << " operations in all, nested " << p.counts.depth
       << " deep\n";
    os << "  effects: " << prints << " prints, " << random << " random draws, " << raises
       << " ways to raise\n";
    if (p.counts.steps)
      os << "  capture ran " << p.counts.steps << " instructions and forked " << p.counts.forks
         << " times\n";
    std::vector<std::pair<std::string, unsigned>> sorted(ops.begin(), ops.end());
    llvm::sort(sorted, [](const auto &a, const auto &b) {
      return std::pair(b.second, a.first) < std::pair(a.second, b.first);
    });
    std::string text;
    for (const auto &[name, count] : sorted)
      text.append(text.empty() ? "" : ", ").append(name).append(" ").append(std::to_string(count));
    if (!text.empty())
      os << "  " << text << '\n';
  }

  void writeSizes() {
    if (!p.sizes.empty())
      os << "\nsizes as declared\n";
    for (const std::string &size : p.sizes)
      line(2, size);
  }

  void writeState(program::EntryOp entry) {
    bool first = true;
    for (auto state : entry.getBody().getOps<program::StateOp>()) {
      if (first)
        os << "\nstate over calls\n";
      first = false;
      std::string what =
          state.getName().empty() ? "constant of the program" : state.getName().str();
      line(2, state.getSymName().str() + ": " + typeText(state.getType()) + "  " + what,
           placeText(state));
    }
  }

  void writeVariant(program::VariantOp variant, size_t index) {
    os << "\nvariant " << variant.getSymName() << '\n';
    names = ValueNames();
    os << "  inputs\n";
    for (auto [path, arg] : llvm::zip(variant.getInputs().getAsValueRange<StringAttr>(),
                                      variant.getBody().getArguments())) {
      names.name(arg, path.str());
      os << "    " << path << ": " << typeText(arg.getType()) << '\n';
    }
    if (index < p.guards.size() && !p.guards[index].empty()) {
      os << "  guards\n";
      for (const sym::Guard &guard : p.guards[index].guards())
        writeGuard(guard);
    }
    os << "  body\n";
    writeBlock(variant.getBody().front(), 4);
  }

  void writeGuard(const sym::Guard &guard) {
    std::string text = sym::atomText(*p.observables, guard.atom), place;
    for (const sym::GuardOrigin &origin : guard.origins) {
      place += place.empty() ? "" : "; ";
      if (origin.loc.isKnown())
        place += origin.loc.file + ":" + std::to_string(origin.loc.line) + " ";
      place += origin.reason;
    }
    line(4, text, place);
  }

  //===--------------------------------------------------------------------===//
  // Bodies
  //===--------------------------------------------------------------------===//

  std::string list(ValueRange values) {
    std::string text;
    for (Value value : values)
      text.append(text.empty() ? "" : ", ").append(names.of(value));
    return text;
  }

  static std::string types(TypeRange types) {
    std::string text;
    for (Type type : types)
      text.append(text.empty() ? "" : ", ").append(typeText(type));
    return text;
  }

  /// `%1, %2 = `; nothing without results.
  std::string results(Operation &op) {
    std::string text = list(op.getResults());
    return text.empty() ? text : text + " = ";
  }

  std::string ofTypes(Operation &op) {
    std::string text = types(op.getResultTypes());
    return text.empty() ? text : "  : " + text;
  }

  void writeBlock(Block &block, unsigned indent) {
    for (Operation &op : block)
      writeOperation(op, indent);
  }

  void writeOperation(Operation &op, unsigned indent) {
    if (isa<arith::ConstantOp, program::WeightOp, program::UndefOp>(op))
      return; // named where they are used
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return writeIf(branch, indent);
    if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
      return writeSwitch(choice, indent);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return writeLoop(loop, indent);
    if (auto finish = dyn_cast<program::FinishOp>(op))
      return writeFinish(finish, indent);
    if (isa<scf::YieldOp>(op)) {
      if (op.getNumOperands())
        line(indent, "gives " + list(op.getOperands()));
      return;
    }
    line(indent, results(op) + operationText(&op, names) + ofTypes(op), placeText(&op));
  }

  void writeIf(scf::IfOp op, unsigned indent) {
    line(indent, results(*op) + "if " + names.of(op.getCondition()) + ofTypes(*op), placeText(op));
    writeBlock(op.getThenRegion().front(), indent + 2);
    if (op.getElseRegion().empty())
      return;
    line(indent, "else");
    writeBlock(op.getElseRegion().front(), indent + 2);
  }

  void writeSwitch(scf::IndexSwitchOp op, unsigned indent) {
    line(indent, results(*op) + "choose by " + names.of(op.getArg()) + ofTypes(*op), placeText(op));
    for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
      line(indent, "case " + std::to_string(number));
      writeBlock(region.front(), indent + 2);
    }
    line(indent, "otherwise");
    writeBlock(op.getDefaultRegion().front(), indent + 2);
  }

  void writeLoop(scf::WhileOp op, unsigned indent) {
    Block &before = op.getBefore().front(), &after = op.getAfter().front();
    std::string carried;
    for (auto [arg, init] : llvm::zip(before.getArguments(), op.getInits()))
      carried.append(carried.empty() ? "" : ", ").append(names.of(arg) + " from " + names.of(init));
    line(indent, results(*op) + "loop with " + carried + ofTypes(*op), placeText(op));
    auto condition = cast<scf::ConditionOp>(before.getTerminator());
    for (Operation &inner : before.without_terminator())
      writeOperation(inner, indent + 2);
    line(indent + 2,
         "while " + names.of(condition.getCondition()) + " pass on " + list(condition.getArgs()));
    for (auto [arg, passed] : llvm::zip(after.getArguments(), condition.getArgs()))
      names.name(arg, names.of(passed));
    writeBlock(after, indent + 2);
  }

  void writeFinish(program::FinishOp op, unsigned indent) {
    bool several = op.getOutcomes().size() > 1;
    if (several)
      line(indent, "ends by " + names.of(op.getSelector()), placeText(op));
    for (auto [i, region] : llvm::enumerate(op.getOutcomes())) {
      if (several)
        line(indent, "end " + std::to_string(i));
      for (Operation &inner : region.front())
        writeEnding(inner, indent + (several ? 2 : 0));
    }
  }

  void writeEnding(Operation &op, unsigned indent) {
    if (auto place = dyn_cast<program::PlaceOp>(op)) {
      names.name(place.getResult(), names.of(place.getContents()));
      if (std::optional<uint64_t> input = place.getInput(); input && place.getWritten())
        line(indent,
             "writes input " + std::to_string(*input) + " with " + names.of(place.getContents()));
      return;
    }
    auto end = dyn_cast<program::EndOp>(op);
    if (!end)
      return writeOperation(op, indent);
    // What is raised comes with its text and place.
    program::OutAttr shown = end.getResult();
    if (end.getRaised() && shown.getKind() == program::OutKind::Tuple)
      shown = shown.getChildren().front();
    line(indent,
         (end.getRaised() ? "raises " : "returns ") + treeText(shown, end.getLeaves(), names),
         placeText(end));
    std::optional<ArrayAttr> paths = end.getMutatedPaths(), trees = end.getMutated();
    if (paths && trees)
      for (auto [path, mutated] :
           llvm::zip(paths->getAsValueRange<StringAttr>(), trees->getValue()))
        line(indent, "leaves " + path.str() + " = " +
                         treeText(cast<program::OutAttr>(mutated), end.getLeaves(), names));
  }

  //===--------------------------------------------------------------------===//
  // What variants share
  //===--------------------------------------------------------------------===//

  void writeWeights(program::EntryOp entry) {
    std::map<std::string, Type> weights;
    entry.walk(
        [&](program::WeightOp weight) { weights.emplace(weight.getName(), weight.getType()); });
    if (weights.empty())
      return;
    os << "\nweights\n";
    for (const auto &[name, type] : weights)
      os << "  " << name << ": " << typeText(type) << '\n';
  }

  void writeAssumptions() {
    if (!p.assumptions.empty())
      os << "\nassumptions\n";
    auto place = [](const SourceLoc &loc) {
      return loc.isKnown() ? loc.file + ":" + std::to_string(loc.line) : "";
    };
    for (const auto &assumption : p.assumptions)
      line(2, assumption.text, place(assumption.loc));
    if (!p.world.empty())
      os << "\nanswers about the world\n";
    for (const auto &use : p.world)
      line(2, use.name + " = " + use.answer + "  (" + use.reason + ")", place(use.loc));
    if (!p.packages.empty())
      os << "\npackages\n";
    for (const auto &package : p.packages)
      line(2, package.name + " " + package.version, "");
  }

  llvm::raw_ostream &os;
  CompiledProgram &p;
  ValueNames names;
};

} // namespace

std::string tool::programText(CompiledProgram &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgramWriter(os, program).write();
  return text;
}
