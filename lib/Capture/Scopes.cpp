//===- Scopes.cpp - Whether every value is used where it is defined -------------------===//
//
// In: a captured program. Out: a refusal if an operation uses a value that is defined behind it, in
// a region that does not enclose it, or nowhere.
//
//===----------------------------------------------------------------------===//
#include "Scopes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

namespace {
class Scopes {
public:
  void define(llvm::ArrayRef<ValueId> ids) { defined.insert(ids.begin(), ids.end()); }

  /// The first operation that uses what is not defined; null: there is none.
  const TapeInstr *misuseIn(const TapeBlock &block) {
    for (const TapeInstr &instr : block.instrs) {
      if (!areDefined(instr.args) || !areDefined(instr.attrs))
        return &instr;
      for (const auto &region : instr.regions)
        if (const TapeInstr *found = misuseInRegion(*region, instr))
          return found;
      define(instr.results);
    }
    return nullptr;
  }

private:
  bool areDefined(llvm::ArrayRef<TapeArg> args) const {
    return llvm::all_of(args, [&](const TapeArg &arg) {
      return areDefined(arg.items) &&
             (!arg.isValue() || arg.id() == kUndef || defined.contains(arg.id()));
    });
  }

  const TapeInstr *misuseInRegion(const TapeBlock &region, const TapeInstr &owner) {
    define(region.args);
    const TapeInstr *found = misuseIn(region);
    if (!found && !areDefined(region.yields))
      found = &owner;
    for (ValueId id : region.args)
      defined.erase(id);
    for (const TapeInstr &instr : region.instrs)
      for (ValueId id : instr.results)
        defined.erase(id);
    return found;
  }

  llvm::DenseSet<ValueId> defined;
};
} // namespace

llvm::Error capture::checkScopes(const Program &program, const TapeBlock &top,
                                 llvm::ArrayRef<SourcePlace> sources) {
  Scopes scopes;
  for (const ProgramInput &input : program.inputs)
    scopes.define(input.value);
  for (const ProgramState &state : program.states)
    scopes.define(state.argument);
  const TapeInstr *found = scopes.misuseIn(top);
  if (!found)
    found = scopes.misuseIn(*program.body);
  if (!found)
    return llvm::Error::success();
  return makeError(std::move(
      makeDiagnostic(DiagId::Unsupported, sources[found->source].loc,
                     "what a loop that the run counts leaves in another form in some turns, here,")
          .hint("keep the shapes and layouts of the tensors that the loop carries the same in "
                "every turn")));
}
