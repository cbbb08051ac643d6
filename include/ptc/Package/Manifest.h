//===- Manifest.h - What a program says about itself -----------------*- C++ -*-===//
//
// The JSON that `ptc inspect-graph --format=json` prints and that an artefact carries. One object:
//
//   entry        name
//   parameters   names of the entry's parameters
//   signature    "x, k=, /, *rest, flag=, **opts": all that `def` says of them but what the
//                defaults are; absent where the entry is no Python function
//   sizes        ["B in 1..64: x.shape[0]"]: what was declared of sizes, a line for each name,
//                formula and relation; absent where nothing was
//   counts       {ops, steps, forks, depth}: operations, executor steps, forks, deepest region
//   state        [{name, type}]: slots that live from call to call; without a name: shared
//   weights      [{name, type}] by state-dict name
//   weights_content   of an artefact: XXH64 of their packed bytes, 16 hexadecimal digits
//   structures   [{leaves: [path], containers: [{path, type, length, keys, class}],
//                variants: [n]}]: how arguments are taken apart into the inputs of a call
//   variants     [{name, inputs: [{path, type}], guards, outcomes, ops}]
//     guards     [{kind, path, formula, origins: [{file, line, reason}]}] in the order of checking
//     outcomes   [{result, tree, leaves: [type], raised, file, line, mutated: [path],
//                contents: [tree]}]: how a call
//                may end; the tree of `#program.out`, as text and as {kind, leaf, text, id, value,
//                items} (of bytes, a character for each); the types of the outputs that it reads
//     ops        operation name -> how often
//   assumptions  [{text, file, line}]: what was taken from outside the code
//   world        [{name, answer, reason, file, line}]: rows of World.def that the program used
//   made         [{class, name, value}]: attributes that a call of the class gives the objects of
//                structures; repr() of those that are constants
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PACKAGE_MANIFEST_H
#define PTC_PACKAGE_MANIFEST_H

#include "ptc/Symbolic/Guard.h"

#include "mlir/IR/BuiltinOps.h"

namespace ptc {

/// What a manifest says beside what stands in the module.
struct ManifestFacts {
  struct Assumption {
    std::string text;
    SourceLoc loc;
  };
  struct WorldUse {
    std::string name, answer, reason;
    SourceLoc loc;
  };
  /// What a call of a class gives the objects among the arguments.
  struct MadeAttribute {
    std::string object, name, value;
  };
  struct Counts {
    uint64_t ops = 0, steps = 0, forks = 0, depth = 0;
  };
  const sym::ObservableSpace *observables = nullptr;
  llvm::ArrayRef<sym::GuardSet> guards; ///< by variant; may be empty
  llvm::ArrayRef<std::string> parameters;
  std::optional<std::string> signature;
  llvm::ArrayRef<std::string> sizes; ///< what was declared of them
  std::vector<Assumption> assumptions;
  std::vector<WorldUse> world;
  std::vector<MadeAttribute> made;
  std::vector<std::pair<std::string, std::string>> packages; ///< name and version
  Counts counts;
  std::optional<uint64_t> weightsContent; ///< of an artefact
};

/// Writes the manifest of the module's entry, indented, with a line end.
void writeManifest(llvm::raw_ostream &os, mlir::ModuleOp module, const ManifestFacts &facts);

} // namespace ptc

#endif // PTC_PACKAGE_MANIFEST_H
