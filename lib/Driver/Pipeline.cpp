//===- Pipeline.cpp - Phases as data ----------------------------------------------------===//
//
// In: a .pyc with what was asked of it, or IR that an earlier run dumped. Out: the module behind
// the last phase, verified after each.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/Pipeline.h"

#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/Phases.h"

#include "Coverage.h"
#include "Explore.h"

#include "ptc/Capture/Emit.h"
#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Guard/IR/GuardConvert.h"
#include "ptc/Dialect/Guard/Transforms/Simplify.h"
#include "ptc/Dialect/Plan/Transforms/Passes.h"
#include "ptc/Dialect/Program/Transforms/Passes.h"
#include "ptc/Support/AtomicFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace ptc;

static constexpr PhaseInfo kPhases[] = {
    {Phase::Capture, "capture", "code and inputs -> ptc.program, recorded by symbolic execution"},
    {Phase::Normalise, "normalise", "constants folded, dead code gone, small branches selected"},
    {Phase::Fuse, "fuse", "tensor operations become kernels; those of no family stay"},
    {Phase::Plan, "plan", "kernels and storages get their places in one arena"},
};
llvm::ArrayRef<PhaseInfo> ptc::getAllPhases() { return kPhases; }

std::optional<Phase> ptc::parsePhase(llvm::StringRef name) {
  for (const PhaseInfo &info : kPhases)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Verifier behind each phase
//===----------------------------------------------------------------------===//

/// An undefined value is only yielded, picked or stored; found where it is used directly.
static bool mayTakeUndefined(mlir::Operation *user) {
  return user->hasTrait<program::Lenient>() || user->hasTrait<mlir::OpTrait::IsTerminator>() ||
         mlir::isa<mlir::scf::WhileOp, mlir::arith::SelectOp, program::SetStateOp>(user);
}

/// Of a module: the names of the entry's parameters, its signature as Python shows it, and what was
/// declared of sizes.
static constexpr llvm::StringLiteral kParametersAttr = "ptc.parameters",
                                     kSignatureAttr = "ptc.signature", kSizesAttr = "ptc.sizes",
                                     kTypicalSizeAttr = "ptc.typical_size",
                                     kAssumptionsAttr = "ptc.assumptions", kWorldAttr = "ptc.world",
                                     kPackagesAttr = "ptc.packages", kMadeAttr = "ptc.made";

/// What is legal behind a phase: capture and normalise differ in no dialect, fuse adds kernels.
static mlir::LogicalResult verifyProgramPhase(mlir::ModuleOp module, Phase last) {
  static constexpr llvm::StringLiteral kLegal[] = {"builtin", "program", "aten",
                                                   "guard",   "scf",     "arith"};
  llvm::StringRef phase = kPhases[size_t(last)].name;
  auto result = module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (last >= Phase::Fuse && mlir::isa<plan::PlanDialect>(op->getDialect()))
      return mlir::WalkResult::skip(); // their own verifiers say what stands in them
    if (!llvm::is_contained(kLegal, op->getName().getDialectNamespace())) {
      op->emitOpError() << "is not legal behind phase " << phase;
      return mlir::WalkResult::interrupt();
    }
    if (mlir::isa<program::UndefOp>(op))
      for (mlir::Operation *user : op->getUsers())
        if (!mayTakeUndefined(user)) {
          user->emitOpError() << "uses an undefined value behind phase " << phase;
          return mlir::WalkResult::interrupt();
        }
    return mlir::WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// The phases behind capture, in their order.
static constexpr Phase kPassPhases[] = {Phase::Normalise, Phase::Fuse, Phase::Plan};

static constexpr PassRow kPasses[] = {
    {Phase::Normalise, [](auto &) { return program::createProgramDropDraws(); }},
    {Phase::Normalise, [](auto &) { return program::createProgramCanonicalize(); }},
    {Phase::Normalise, [](auto &) { return program::createProgramRotateLoops(); }},
    {Phase::Normalise, [](auto &) { return program::createProgramHoistInvariants(); }},
    {Phase::Normalise, [](auto &) { return mlir::createCSEPass(); }},
    {Phase::Normalise, [](auto &) { return program::createProgramOrderResults(); }},
    {Phase::Fuse, [](auto &) -> std::unique_ptr<mlir::Pass> { return createSplitComplex(); }},
    {Phase::Fuse, [](auto &) -> std::unique_ptr<mlir::Pass> { return createAtenToKernels(); }},
    {Phase::Fuse, [](auto &cost) { return plan::createPlanFuse(cost); }},
    {Phase::Plan, [](auto &cost) { return plan::createPlanLayout(cost); }},
    {Phase::Plan, [](auto &) { return plan::createPlanShare(); }},
    {Phase::Plan, [](auto &) { return plan::createPlanPlace(); }},
};
llvm::ArrayRef<PassRow> ptc::getAllPasses() { return kPasses; }

static mlir::LogicalResult runPasses(CompiledProgram &program, Phase phase,
                                     const plan::CostModel &cost) {
  mlir::ModuleOp module = *program.module;
  mlir::ScopedDiagnosticHandler remarks(module.getContext(), [&](mlir::Diagnostic &diag) {
    if (diag.getSeverity() != mlir::DiagnosticSeverity::Remark)
      return mlir::failure(); // for whoever looks for it
    program.remarks.push_back({plan::operationsAt(diag.getLocation()), diag.str()});
    return mlir::success();
  });
  mlir::PassManager passes(module.getContext());
  (void)mlir::applyPassManagerCLOptions(passes); // fails where nobody asked for MLIR's flags
  for (const PassRow &row : kPasses)
    if (row.phase == phase)
      passes.addPass(row.make(cost));
  return passes.run(module);
}

/// Input that capture has been done for.
static bool isIr(llvm::StringRef input) { return input.ends_with(".mlir") || isArtefact(input); }

namespace {
/// MLIR's diagnostics while it lives; what is found becomes one error.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diag) {
          if (diag.getSeverity() == mlir::DiagnosticSeverity::Error && text.empty()) {
            text = diag.str();
            if (auto place = diag.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
              loc = {place.getFilename().str(), place.getLine(), place.getColumn(), 0, 0};
          }
        }) {}
  std::string text;
  SourceLoc loc;

private:
  mlir::ScopedDiagnosticHandler handler;
};

class Pipeline {
public:
  Pipeline(const PipelineOptions &options, capture::Preparation &prepared)
      : options(options), prepared(prepared) {}

  llvm::Expected<CompiledProgram> run() {
    out.context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    out.context->loadDialect<mlir::arith::ArithDialect, mlir::scf::SCFDialect, aten::AtenDialect,
                             guard::GuardDialect, plan::PlanDialect, program::ProgramDialect>();
    out.observables = std::make_unique<sym::ObservableSpace>();
    out.weights = options.request.weights;
    Phase done = Phase::Capture;
    if (isIr(options.input)) {
      if (llvm::Error error = timed("read", [&] { return readModule(); }))
        return std::move(error);
      done = options.from;
    } else if (llvm::Error error = timed("capture", [&] { return runCapture(); })) {
      return std::move(error);
    }
    if (llvm::Error error = finishPhase(done))
      return std::move(error);
    if (options.chooseCost) {
      llvm::Expected<plan::CostModel> cost = options.chooseCost(out);
      if (!cost)
        return cost.takeError();
      out.cost = std::move(*cost);
    }
    for (Phase phase : kPassPhases) {
      if (done >= phase || options.to < phase)
        continue;
      llvm::StringRef name = kPhases[size_t(phase)].name;
      auto run = [&] { return check(runPasses(out, phase, out.cost), name); };
      if (llvm::Error error = timed(name, run))
        return std::move(error);
      if (llvm::Error error = finishPhase(phase))
        return std::move(error);
    }
    capture::Program::Counts counted = countOps(*out.module);
    out.counts.ops = counted.ops;
    out.counts.depth = counted.depth;
    return std::move(out);
  }

private:
  llvm::Error timed(llvm::StringRef name, llvm::function_ref<llvm::Error()> body) {
    auto start = std::chrono::steady_clock::now();
    llvm::Error error = body();
    std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    if (options.onTiming)
      options.onTiming(name, ms.count());
    return error;
  }

  llvm::Error check(mlir::LogicalResult result, llvm::StringRef phase) {
    if (mlir::succeeded(result))
      return llvm::Error::success();
    return makeError(DiagId::InternalError, {}, ("phase " + phase + " failed").str());
  }

  llvm::Error readModule() {
    DiagnosticCollector found(out.context.get());
    out.filesRead.push_back(options.input);
    if (!llvm::sys::fs::exists(options.input))
      return makeError(DiagId::FileNotReadable, {}, options.input, "No such file or directory");
    if (isArtefact(options.input)) {
      llvm::Expected<std::string> text = readArtefactIr(options.input);
      if (!text)
        return text.takeError();
      out.module = mlir::parseSourceString<mlir::ModuleOp>(*text, out.context.get());
    } else {
      out.module = mlir::parseSourceFile<mlir::ModuleOp>(options.input, out.context.get());
    }
    if (!out.module || out.module->getOps<program::EntryOp>().empty())
      return makeError(DiagId::IrMalformed, found.loc, options.input,
                       found.text.empty() ? "it has no program.entry" : found.text);
    auto entry = *out.module->getOps<program::EntryOp>().begin();
    llvm::StringRef wanted = llvm::StringRef(options.request.entry).rsplit(':').second;
    if (wanted.empty())
      wanted = options.request.entry;
    if (!wanted.empty() && wanted != entry.getSymName()) {
      Diagnostic diag = makeDiagnostic(DiagId::EntryNotFound, {}, wanted, options.input);
      diag.hint("its entry is " + entry.getSymName().str());
      return makeError(std::move(diag));
    }
    std::vector<std::pair<std::string, sym::GuardSet>> sets;
    for (auto set : entry.getBody().getOps<guard::SetOp>()) {
      mlir::FailureOr<sym::GuardSet> guards = guard::readGuards(set, *out.observables);
      if (mlir::failed(guards))
        return makeError(DiagId::IrMalformed, found.loc, options.input, found.text);
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): failed() tests it
      sets.emplace_back(set.getVariant().str(), std::move(*guards));
    }
    if (!sets.empty())
      for (auto variant : entry.getBody().getOps<program::VariantOp>()) {
        auto set = llvm::find_if(sets, [&](auto &s) { return s.first == variant.getSymName(); });
        out.guards.push_back(set == sets.end() ? sym::GuardSet() : std::move(set->second));
      }
    if (auto names = (*out.module)->getAttrOfType<mlir::ArrayAttr>(kParametersAttr))
      for (auto name : names.getAsRange<mlir::StringAttr>())
        out.parameters.push_back(name.getValue().str());
    if (auto sizes = (*out.module)->getAttrOfType<mlir::ArrayAttr>(kSizesAttr))
      for (auto line : sizes.getAsRange<mlir::StringAttr>())
        out.sizes.push_back(line.getValue().str());
    if (auto typical = (*out.module)->getAttrOfType<mlir::FloatAttr>(kTypicalSizeAttr))
      out.typicalSize = typical.getValueAsDouble();
    if (auto signature = (*out.module)->getAttrOfType<mlir::StringAttr>(kSignatureAttr))
      out.signature = signature.str();
    for (auto &[texts, loc] : readPlaced(kAssumptionsAttr, 1))
      out.assumptions.push_back({texts[0], loc});
    for (auto &[texts, loc] : readPlaced(kWorldAttr, 3))
      out.world.push_back({texts[0], texts[1], texts[2], loc});
    for (auto &[texts, loc] : readPlaced(kPackagesAttr, 2))
      out.packages.push_back({texts[0], texts[1]});
    for (auto &[texts, loc] : readPlaced(kMadeAttr, 3))
      out.made.push_back({texts[0], texts[1], texts[2]});
    return llvm::Error::success();
  }

  /// Adds texts and their place to a list that the module keeps.
  void addPlaced(llvm::StringRef list, llvm::ArrayRef<std::string> texts, const SourceLoc &loc) {
    mlir::Builder b(out.context.get());
    llvm::SmallVector<mlir::Attribute> rows;
    if (auto old = (*out.module)->getAttrOfType<mlir::ArrayAttr>(list))
      llvm::append_range(rows, old);
    llvm::SmallVector<mlir::Attribute> row;
    for (const std::string &text : texts)
      row.push_back(b.getStringAttr(text));
    row.push_back(b.getStringAttr(loc.file));
    row.push_back(b.getI64IntegerAttr(loc.line));
    rows.push_back(b.getArrayAttr(row));
    (*out.module)->setAttr(list, b.getArrayAttr(rows));
  }
  /// What addPlaced() wrote; rows of another form are nothing of ours.
  std::vector<std::pair<std::vector<std::string>, SourceLoc>> readPlaced(llvm::StringRef list,
                                                                         size_t numTexts) {
    std::vector<std::pair<std::vector<std::string>, SourceLoc>> found;
    auto rows = (*out.module)->getAttrOfType<mlir::ArrayAttr>(list);
    for (mlir::Attribute given : rows ? rows.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
      auto row = llvm::dyn_cast<mlir::ArrayAttr>(given);
      if (!row || row.size() != numTexts + 2)
        continue;
      std::vector<std::string> texts;
      for (mlir::Attribute part : row.getValue().drop_back())
        if (auto text = llvm::dyn_cast<mlir::StringAttr>(part))
          texts.push_back(text.str());
      auto number = llvm::dyn_cast<mlir::IntegerAttr>(row.getValue().back());
      if (!number || texts.size() != numTexts + 1)
        continue;
      SourceLoc loc;
      loc.file = texts.back();
      loc.line = unsigned(number.getInt());
      texts.pop_back();
      found.emplace_back(std::move(texts), std::move(loc));
    }
    return found;
  }

  llvm::Error runCapture() {
    auto captured = capture::captureEntry(options.request, prepared);
    if (!captured)
      return captured.takeError();
    if (options.requireTotal)
      if (llvm::Error error = requireTotal(*captured->observables, captured->guards,
                                           captured->domain, captured->outside))
        return error;
    auto arranged = guard::arrangeVariants(*captured->observables, captured->guards);
    if (!arranged)
      return arranged.takeError();
    std::vector<const capture::Program *> programs;
    for (unsigned index : arranged->order)
      programs.push_back(captured->variants[index].get());
    for (const auto &variant : captured->variants) {
      out.counts.steps += variant->counts.steps;
      out.counts.countedSteps += variant->counts.countedSteps;
      out.counts.forks += variant->counts.forks;
      out.counts.turns += variant->counts.turns;
    }
    out.module = capture::emitModule(*out.context, programs, *captured->variants.front());
    out.observables = std::move(captured->observables);
    out.guards = std::move(arranged->guards);
    out.domain = std::move(captured->domain);
    out.sizes = std::move(captured->sizes);
    out.typicalSize = captured->typicalSize;
    out.parameters = std::move(captured->parameters);
    out.signature = std::move(captured->signature);
    out.assumptions = std::move(captured->assumptions);
    out.world = std::move(captured->world);
    out.filesRead = std::move(captured->filesRead);
    out.packages = std::move(captured->packages);
    out.made = std::move(captured->made);
    llvm::append_range(out.weights, captured->loaded);
    llvm::append_range(out.notes, captured->notes);
    auto entry = *out.module->getOps<program::EntryOp>().begin();
    mlir::OpBuilder b(out.context.get());
    b.setInsertionPointToEnd(&entry.getBody().front());
    for (auto [i, set] : llvm::enumerate(out.guards))
      guard::emitGuards(b, entry.getLoc(), "v" + std::to_string(i), *out.observables, set);
    std::vector<llvm::StringRef> names(out.parameters.begin(), out.parameters.end());
    (*out.module)->setAttr(kParametersAttr, b.getStrArrayAttr(names));
    std::vector<llvm::StringRef> sizes(out.sizes.begin(), out.sizes.end());
    if (!sizes.empty())
      (*out.module)->setAttr(kSizesAttr, b.getStrArrayAttr(sizes));
    if (out.typicalSize)
      (*out.module)->setAttr(kTypicalSizeAttr, b.getF64FloatAttr(*out.typicalSize));
    if (out.signature)
      (*out.module)->setAttr(kSignatureAttr, b.getStringAttr(*out.signature));
    for (const auto &assumed : out.assumptions)
      addPlaced(kAssumptionsAttr, {assumed.text}, assumed.loc);
    for (const auto &use : out.world)
      addPlaced(kWorldAttr, {use.name, use.answer, use.reason}, use.loc);
    for (const auto &package : out.packages)
      addPlaced(kPackagesAttr, {package.name, package.version}, {});
    for (const auto &attribute : out.made)
      addPlaced(kMadeAttr, {attribute.object, attribute.name, attribute.value}, {});
    return llvm::Error::success();
  }

  /// Verifies, and dumps if that was asked for.
  llvm::Error finishPhase(Phase phase) {
    llvm::StringRef name = kPhases[size_t(phase)].name;
    DiagnosticCollector found(out.context.get());
    if (mlir::failed(mlir::verify(*out.module)) ||
        mlir::failed(verifyProgramPhase(*out.module, phase)))
      return makeError(DiagId::InternalError, found.loc,
                       ("behind phase " + name + ": " + found.text).str());
    if (options.dumpDir.empty())
      return llvm::Error::success();
    if (std::error_code ec = llvm::sys::fs::create_directories(options.dumpDir))
      return makeError(DiagId::OutputNotWritten, {}, options.dumpDir, ec.message());
    llvm::SmallString<128> path(options.dumpDir);
    llvm::sys::path::append(path, std::to_string(size_t(phase)) + "-" + name + ".mlir");
    return writeFileAtomically(path, printModule(*out.module, /*locations=*/true));
  }

  const PipelineOptions &options;
  capture::Preparation &prepared;
  CompiledProgram out;
};
} // namespace

/// Without the general variant where there can be none.
static llvm::Expected<CompiledProgram> runWithGeneral(const PipelineOptions &options,
                                                      capture::Preparation &prepared) {
  auto program = Pipeline(options, prepared).run();
  if (program || !options.request.general)
    return program;
  PipelineOptions special = options;
  special.request.general = false;
  auto rest = Pipeline(special, prepared).run();
  if (!rest)
    llvm::consumeError(program.takeError());
  else
    for (const Diagnostic &why : takeDiagnostics(program.takeError())) {
      Diagnostic note =
          makeDiagnostic(DiagId::SideNotExplored, why.loc, "the guards of any variant", why.text);
      rest->notes.push_back(note.hint("without --on-miss=fallback such calls are errors, too"));
      break;
    }
  return rest;
}

llvm::Expected<CompiledProgram> ptc::compile(const PipelineOptions &options) {
  // One run after the other differs in examples and in what is asked of their sizes.
  auto owned = options.builtins ? std::make_unique<capture::Preparation>(*options.builtins)
                                : std::make_unique<capture::Preparation>();
  capture::Preparation &prepared = *owned;
  llvm::scope_exit atEnd([&] {
    if (options.buriesState)
      llvm::BuryPointer(std::move(owned));
  });
  auto run = [&](const PipelineOptions &options) { return runWithGeneral(options, prepared); };
  if (isIr(options.input))
    return run(options);
  if (options.explore)
    return explore(options, run);
  auto program = run(options);
  if (program || !options.coverRanges || options.request.allowNarrowing)
    return program;
  return coverRanges(options, takeDiagnostics(program.takeError()), run);
}

llvm::Error ptc::advance(CompiledProgram &program, Phase from, Phase to,
                         const plan::CostModel &cost) {
  DiagnosticCollector found(program.context.get());
  for (Phase phase : kPassPhases) {
    if (phase <= from || phase > to)
      continue;
    if (mlir::failed(runPasses(program, phase, cost)) ||
        mlir::failed(mlir::verify(*program.module)) ||
        mlir::failed(verifyProgramPhase(*program.module, phase)))
      return makeError(DiagId::InternalError, found.loc,
                       ("phase " + kPhases[size_t(phase)].name + ": " + found.text).str());
  }
  return llvm::Error::success();
}

std::string ptc::printModule(mlir::ModuleOp module, bool locations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(locations);
  module.print(os, flags);
  os << '\n';
  return text;
}

capture::Program::Counts ptc::countOps(mlir::ModuleOp module) {
  capture::Program::Counts counts;
  module.walk([&](mlir::Operation *op) {
    auto variant = op->getParentOfType<program::VariantOp>();
    if (!variant || op->hasTrait<mlir::OpTrait::IsTerminator>())
      return;
    ++counts.ops;
    uint64_t depth = 0;
    for (mlir::Operation *up = op->getParentOp(); up != variant; up = up->getParentOp())
      ++depth;
    counts.depth = std::max(counts.depth, depth);
  });
  return counts;
}
