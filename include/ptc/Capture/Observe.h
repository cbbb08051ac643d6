//===- Observe.h - The arguments of a call by path ---------------*- C++ -*-===//
#ifndef PTC_CAPTURE_OBSERVE_H
#define PTC_CAPTURE_OBSERVE_H

#include "ptc/Symbolic/DynamicDims.h"
#include "ptc/Symbolic/Observable.h"
#include "ptc/TensorFile/Example.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptc {

/// A part of a call's arguments: its path as the user wrote it, and value.
struct CallLeaf {
  std::string path;
  const ExampleValue *value;
};

/// Calls `see(path, part)` for the parts of a container, in order; false: `value` is a leaf.
bool forEachPart(const std::string &path, const ExampleValue &value,
                 llvm::function_ref<void(const std::string &, const ExampleValue &)> see);

/// Appends the leaves of `value`, depth first.
void collectLeaves(const std::string &path, const ExampleValue &value, std::vector<CallLeaf> &out);

/// The arguments in the order of the parameters, then other keywords as given; `parameters` names
/// the positional ones.
std::vector<CallLeaf> argumentsOf(const ExampleCall &call, llvm::ArrayRef<std::string> parameters);

/// All leaves of the arguments, depth first.
std::vector<CallLeaf> leavesOf(const ExampleCall &call, llvm::ArrayRef<std::string> parameters);

/// The reason of guards on what an argument is, whatever the program does with it.
inline constexpr char kArgumentReason[] = "argument of the entry";
using sym::kArgumentsPath;

/// The observables of a call.
sym::Observation observe(const ExampleCall &call, llvm::ArrayRef<std::string> parameters);

/// What the examples say of sizes: of all of them together.
sym::DeclaredSizes declaredSizes(llvm::ArrayRef<ExampleCall> examples,
                                 llvm::ArrayRef<std::string> parameters);

} // namespace ptc

#endif // PTC_CAPTURE_OBSERVE_H
