//===- ProgramText.h - A program for people and for Graphviz ------------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_PROGRAMTEXT_H
#define PTC_TOOLS_PTC_PROGRAMTEXT_H

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Driver/Pipeline.h"

#include "llvm/ADT/DenseMap.h"

namespace ptc::tool {

/// Names of values as people know them: inputs by path, weights by state-dict name, constants by
/// value; others are numbered in the order in which they are asked for.
class ValueNames {
public:
  std::string of(mlir::Value value);
  void name(mlir::Value value, std::string text) { names[value] = std::move(text); }

private:
  llvm::DenseMap<mlir::Value, std::string> names;
  unsigned next = 0;
};

/// `f32[2, B, 16] strides [..] grad`, `int`, `bool`, `list of f32[3]`.
std::string typeText(mlir::Type type);
/// `model.py:12`, empty if it is not known.
std::string placeText(mlir::Operation *op);
/// The operation without results and place: `aten.linear(x, fc.weight, fc.bias)`.
std::string operationText(mlir::Operation *op, ValueNames &names);

/// What is returned, raised or printed, as a Python expression over the leaves' names.
std::string treeText(program::OutAttr tree, mlir::ValueRange leaves, ValueNames &names);

/// Signature, guards, state, effects, control flow, weights, assumptions.
std::string programText(CompiledProgram &program);
/// Nodes are operations, edges values, clusters regions.
std::string programDot(CompiledProgram &program);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_PROGRAMTEXT_H
