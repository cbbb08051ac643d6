//===- CallStructure.h - How arguments are taken apart ---------------*- C++ -*-===//
//
// An artefact takes the leaves of its arguments, depth first, and the number of their structure:
// which arguments are given, and which containers with what keys hold them. Guards fix the
// structure of each variant, so that the structures of an entry are known when it is compiled, and
// what guards say of containers is decided by the number alone.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_CALLSTRUCTURE_H
#define PTC_SYMBOLIC_CALLSTRUCTURE_H

#include "ptc/Runtime/Frame.h"
#include "ptc/Symbolic/Guard.h"

#include "llvm/ADT/StringMap.h"

namespace ptc::sym {

/// One structure of the arguments of an entry.
class CallStructure {
public:
  /// A container, or the arguments as a whole; texts are numbers of the space's StringTable.
  struct Container {
    std::string path;
    ValueTag tag;
    std::optional<int64_t> length, keys, className;
    bool operator==(const Container &) const = default;
  };

  std::vector<unsigned> variants; ///< those whose arguments have it, ascending

  void addLeaf(std::string path);
  /// Made behind the others if it is new.
  Container &containerAt(llvm::StringRef path);
  /// Paths, depth first.
  const std::vector<std::string> &leaves() const { return leafPaths; }
  /// Outer ones first.
  const std::vector<Container> &containers() const { return containerList; }
  bool hasSameShape(const CallStructure &other) const {
    return leafPaths == other.leafPaths && containerList == other.containerList;
  }
  std::optional<uint32_t> findLeaf(llvm::StringRef path) const;
  const Container *findContainer(llvm::StringRef path) const;
  /// How the entry reads an observable from a call of this structure.
  ptc_source source(const Observable &observable) const;
  /// Whether a call has this structure.
  bool matches(const ObservableSpace &space, const Observation &call) const;

private:
  ptc_source containerSource(const Container &container, ObservableKind kind) const;

  std::vector<std::string> leafPaths;
  std::vector<Container> containerList;
  llvm::StringMap<uint32_t> leafNumbers, containerNumbers; ///< by path
};

/// The structures of an entry's variants, in the order of their first variants. A variant whose
/// guards leave the type of an argument open has none: errors: InternalError.
llvm::Expected<std::vector<CallStructure>> callStructures(const ObservableSpace &space,
                                                          llvm::ArrayRef<GuardSet> variants);

/// What is left of `set` for calls of `structure`: guards about containers are decided. None: they
/// do not hold.
std::optional<GuardSet> specialise(const ObservableSpace &space, const GuardSet &set,
                                   const CallStructure &structure);

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_CALLSTRUCTURE_H
