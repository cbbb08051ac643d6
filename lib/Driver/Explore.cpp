//===- Explore.cpp - --explore ---------------------------------------------------------===//
//
// In: a request, and how to run the phases. Out: the program with a variant for the other side of
// each branch on sizes and numbers: a call that violates the branch's guard and as few others as
// possible is one more example, until none is new.
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

/// More than this is not a program's branches but an unrolled loop's.
static constexpr size_t kMostExamples = 32;

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

/// Are the sizes of a call as they were declared?
static bool isDeclared(const sym::Observation &seen, llvm::ArrayRef<sym::DeclaredDim> dims) {
  std::map<llvm::StringRef, int64_t> byName;
  return llvm::all_of(dims, [&](const sym::DeclaredDim &dim) {
    const sym::ObservedValue *value = seen.find(dim.where.path);
    if (!value || value->tag != sym::ValueTag::Tensor ||
        dim.where.dim >= value->tensor.sizes.size())
      return false;
    int64_t size = value->tensor.sizes[dim.where.dim];
    return size >= dim.lower && (!dim.upper || size <= *dim.upper) &&
           byName.try_emplace(dim.name, size).first->second == size;
  });
}

namespace {
class Explorer {
public:
  Explorer(const PipelineOptions &options,
           llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> runPhases)
      : wanted(options), now(options), runPhases(runPhases) {
    now.dumpDir.clear();
    now.requireTotal = false;
    now.to = Phase::Capture;
    now.onTiming = nullptr;
  }

  llvm::Expected<CompiledProgram> run() {
    if (wanted.request.examples.empty())
      return runPhases(wanted);
    auto program = runPhases(now);
    if (!program)
      return program;
    while (addSide(*program))
      if (now.request.examples.size() >= kMostExamples) {
        notes.push_back(makeDiagnostic(DiagId::ExploreStopped, {}, kMostExamples));
        break;
      }
    wanted.request.examples = now.request.examples;
    auto final = runPhases(wanted);
    if (final)
      llvm::append_range(final->notes, notes);
    return final;
  }

private:
  /// Adds one example; false: there is no new one.
  bool addSide(CompiledProgram &program) {
    sym::DecisionTree tree(*program.observables, program.guards);
    std::vector<sym::DeclaredDim> declared = declaredDims(now.request.examples, program.parameters);
    auto isNew = [&](const sym::Observation &seen) {
      return isDeclared(seen, declared) && !tree.dispatch(*program.observables, seen);
    };
    for (size_t i = 0; i < now.request.examples.size(); ++i) {
      ExampleCall example = now.request.examples[i]; // examples are added while we look
      sym::Observation seen = observe(example, program.parameters);
      std::optional<unsigned> variant = tree.dispatch(*program.observables, seen);
      if (!variant)
        continue;
      llvm::ArrayRef<sym::Guard> guards = program.guards[*variant].guards();
      for (size_t g = 0; g < guards.size(); ++g) {
        if (!isBranch(guards[g]))
          continue;
        BrokenGuard broken = breakGuard(program, *variant, g, example, isNew);
        if (broken.kind == BrokenGuard::Kind::Call &&
            tryCall(program, guards[g], std::move(broken.call)))
          return true;
      }
    }
    return false;
  }

  bool tryCall(CompiledProgram &program, const sym::Guard &guard, ExampleCall call) {
    std::string text = sym::atomText(*program.observables, guard.atom);
    const auto &origin = *llvm::find_if(
        guard.origins, [](const sym::GuardOrigin &origin) { return !origin.implicit; });
    if (refused.count({origin.loc.line, text}))
      return false;
    now.request.examples.push_back(std::move(call));
    auto more = runPhases(now);
    if (more) {
      program.module = nullptr; // it lives in the context that goes
      program = std::move(*more);
      return true;
    }
    now.request.examples.pop_back();
    refused.insert({origin.loc.line, text});
    std::vector<Diagnostic> why = takeDiagnostics(more.takeError());
    notes.push_back(makeDiagnostic(DiagId::SideNotExplored, origin.loc, text, why.front().text));
    return false;
  }

  PipelineOptions wanted, now;
  llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> runPhases;
  std::set<std::pair<uint32_t, std::string>> refused;
  std::vector<Diagnostic> notes;
};
} // namespace

llvm::Expected<CompiledProgram>
ptc::explore(const PipelineOptions &options,
             llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> run) {
  return Explorer(options, run).run();
}
