//===- Explore.cpp - --explore ---------------------------------------------------------===//
//
// In: a request, and how to run the phases. Out: the program with a variant for the other side of
// each branch on sizes and numbers: a call that violates the branch's guard and as few others as
// possible is one more example, until none is new. A line that a loop over a size or number asks
// again for each pass gets those sides that do not take much more than the program without them.
//
//===----------------------------------------------------------------------===//
#include "Explore.h"

#include "ptc/Capture/Observe.h"
#include "ptc/Driver/BreakGuards.h"
#include "ptc/Symbolic/DecisionTree.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace ptc;

/// Passes of a loop, and instructions of the calls, that a side may take in any case.
static constexpr uint32_t kAnyPasses = 32;
static constexpr uint64_t kAnySteps = 1 << 20;

/// A condition on sizes or numbers that a line of the program asked.
static bool isBranch(const sym::Guard &guard) {
  switch (guard.kind) {
  case sym::GuardKind::SizeEqual:
  case sym::GuardKind::SizeRange:
  case sym::GuardKind::SizeRelation:
  case sym::GuardKind::SizeDivisible:
  case sym::GuardKind::IntCondition:
  case sym::GuardKind::FloatCondition:
    return llvm::any_of(guard.origins,
                        [](const sym::GuardOrigin &origin) { return !origin.implicit; });
  default:
    return false;
  }
}

/// The origin that is a line of the program.
static const sym::GuardOrigin &askedAt(const sym::Guard &guard) {
  return *llvm::find_if(guard.origins,
                        [](const sym::GuardOrigin &origin) { return !origin.implicit; });
}

/// The guards of all variants.
static std::string guardsText(CompiledProgram &program) {
  std::string text;
  for (const sym::GuardSet &variant : program.guards) {
    for (const sym::Guard &guard : variant.guards())
      text += sym::atomText(*program.observables, guard.atom) + '\n';
    text += '\n';
  }
  return text;
}

namespace {
class Explorer {
public:
  Explorer(const PipelineOptions &options,
           llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> runPhases,
           std::vector<Diagnostic> *left)
      : wanted(options), now(options), runPhases(runPhases), left(left) {
    now.dumpDir.clear();
    now.requireTotal = now.request.general = false;
    now.to = Phase::Capture;
    now.onTiming = nullptr;
  }

  llvm::Expected<CompiledProgram> run() {
    if (wanted.request.examples.empty())
      return runPhases(wanted);
    auto program = runPhases(now);
    if (!program)
      return program;
    limitSides(*program);
    while (addSide(*program))
      if (now.request.examples.size() >= now.maxVariants) {
        notes.push_back(makeDiagnostic(DiagId::ExploreStopped, {}, now.maxVariants));
        break;
      }
    wanted.request.examples = now.request.examples;
    auto final = runPhases(wanted);
    if (final)
      llvm::append_range(final->notes, notes);
    else if (left)
      *left = std::move(notes);
    return final;
  }

private:
  /// Each side may take twice what the program takes without them, and something in any case.
  void limitSides(CompiledProgram &program) {
    capture::CaptureLimits given = now.request.limits;
    const std::string without = guardsText(program);
    uint64_t steps = kAnySteps;
    for (uint32_t passes = kAnyPasses; passes < given.unroll; passes *= 2, steps *= 2) {
      now.request.limits.unroll = passes;
      now.request.limits.steps = std::min(given.steps, steps);
      now.request.limits.areFinal = true;
      auto same = runPhases(now);
      // Where a loop has not enough of them to close, it is unrolled instead.
      if (same && guardsText(*same) == without) {
        program.module = nullptr; // it lives in the context that goes
        program = std::move(*same);
        stepsOfSide = 2 * steps;
        return;
      }
      if (!same)
        llvm::consumeError(same.takeError());
    }
    now.request.limits = given;
  }

  /// Adds one example; false: there is no new one.
  bool addSide(CompiledProgram &program) {
    sym::DecisionTree tree(*program.observables, program.guards);
    sym::DynamicDims declared({}, sym::DynamicMode::None,
                              declaredSizes(now.request.examples, program.parameters));
    auto isNew = [&](const sym::Observation &seen) {
      return sym::fitsDeclared(declared, seen) && !tree.dispatch(*program.observables, seen);
    };
    for (size_t i = 0; i < now.request.examples.size(); ++i) {
      ExampleCall example = now.request.examples[i]; // examples are added while we look
      sym::Observation seen = observe(example, program.parameters);
      std::optional<unsigned> variant = tree.dispatch(*program.observables, seen);
      if (!variant)
        continue;
      llvm::ArrayRef<sym::Guard> guards = program.guards[*variant].guards();
      for (size_t g = 0; g < guards.size(); ++g) {
        if (!isBranch(guards[g]) || exhausted.contains(questionOf(program, guards[g])))
          continue;
        BrokenGuard broken = breakGuard(program, *variant, g, example, isNew);
        if (broken.kind == BrokenGuard::Kind::Call &&
            tryCall(program, guards[g], std::move(broken.call)))
          return true;
      }
    }
    return false;
  }

  /// A place in the program, and what it asks of.
  using Question = std::tuple<std::string, uint32_t, uint32_t, std::string>;
  static Question questionOf(CompiledProgram &program, const sym::Guard &guard) {
    const SourceLoc &loc = askedAt(guard).loc;
    return {loc.file, loc.line, loc.column,
            sym::describeGuard(*program.observables, guard).subject};
  }

  bool tryCall(CompiledProgram &program, const sym::Guard &guard, ExampleCall call) {
    std::string text = sym::atomText(*program.observables, guard.atom);
    const sym::GuardOrigin &origin = askedAt(guard);
    if (refused.count({origin.loc.line, text}))
      return false;
    now.request.examples.push_back(std::move(call));
    if (now.onExplore)
      now.onExplore("example " + std::to_string(now.request.examples.size()) +
                    ", for calls that are not " + text + ", which " + origin.loc.file + ":" +
                    std::to_string(origin.loc.line) + " asks");
    if (stepsOfSide) // the sides that there are are captured with it
      now.request.limits.steps =
          std::min(wanted.request.limits.steps, program.counts.countedSteps + stepsOfSide);
    auto more = runPhases(now);
    if (more) {
      program.module = nullptr; // it lives in the context that goes
      program = std::move(*more);
      return true;
    }
    now.request.examples.pop_back();
    refused.insert({origin.loc.line, text});
    std::vector<Diagnostic> why = takeDiagnostics(more.takeError());
    if (why.front().info().exitCode == ExitCode::LimitExceeded) {
      Question asked = questionOf(program, guard);
      notes.push_back(makeDiagnostic(DiagId::ExploreRepeated, origin.loc, std::get<3>(asked),
                                     why.front().text));
      exhausted.insert(std::move(asked));
      return false;
    }
    notes.push_back(makeDiagnostic(DiagId::SideNotExplored, origin.loc, text, placed(why.front())));
    return false;
  }

  /// Text, line and number of what ended a side.
  static std::string placed(const Diagnostic &diag) {
    std::string text = diag.text;
    if (!diag.loc.file.empty())
      text += " (" + diag.loc.file + ":" + std::to_string(diag.loc.line) + ")";
    return text;
  }

  PipelineOptions wanted, now;
  uint64_t stepsOfSide = 0; ///< 0: all that there are
  llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> runPhases;
  std::vector<Diagnostic> *left;
  std::set<std::pair<uint32_t, std::string>> refused;
  std::set<Question> exhausted; ///< of which another side took too long
  std::vector<Diagnostic> notes;
};
} // namespace

llvm::Expected<CompiledProgram>
ptc::explore(const PipelineOptions &options,
             llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> run,
             std::vector<Diagnostic> *left) {
  return Explorer(options, run, left).run();
}

/// Is it a declared size that the program narrows, and not one that it marks as dynamic itself?
static bool isOfDeclaredSize(const Diagnostic &diag) {
  return diag.id == DiagId::RefusalsCounted ||
         (diag.id == DiagId::DeclaredSizeNarrowed && diag.attachments.size() <= 2);
}

static llvm::Error errorOf(std::vector<Diagnostic> diags) {
  llvm::Error all = llvm::Error::success();
  for (Diagnostic &diag : diags)
    all = llvm::joinErrors(std::move(all), makeError(std::move(diag)));
  return all;
}

llvm::Expected<CompiledProgram>
ptc::coverRanges(const PipelineOptions &options, std::vector<Diagnostic> why,
                 llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> run) {
  if (!llvm::all_of(why, isOfDeclaredSize))
    return errorOf(std::move(why));
  PipelineOptions covering = options;
  covering.explore = covering.requireTotal = covering.request.allowNarrowing = true;
  std::vector<Diagnostic> sides;
  auto program = explore(covering, run, &sides);
  if (program) {
    // What --explore has left out is not needed.
    llvm::erase_if(program->notes, [](const Diagnostic &note) {
      return note.id == DiagId::ExploreStopped || note.id == DiagId::ExploreRepeated ||
             note.id == DiagId::SideNotExplored;
    });
    program->notes.push_back(
        makeDiagnostic(DiagId::RangeCovered, why.front().loc, program->guards.size()));
    return program;
  }
  std::vector<Diagnostic> left = takeDiagnostics(program.takeError());
  if (left.front().id == DiagId::NotTotal || left.front().id == DiagId::TotalNotDecided)
    why.front().note("with variants for the rest of the range, " + left.front().text);
  for (const Diagnostic &side : sides)
    if (side.id != DiagId::ExploreStopped)
      why.front().note(side.text, side.loc);
  return errorOf(std::move(why));
}
