//===- Tree.h - Values and texts of #program.out trees ------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_PROGRAM_EVAL_TREE_H
#define PTC_LIB_DIALECT_PROGRAM_EVAL_TREE_H

#include "Frame.h"

#include "ptc/Python/Result.h"
#include "ptc/Python/Text.h"

#include <map>
#include <set>

namespace ptc::program {

/// Makes the values of trees that read `leaves`.
class TreeBuilder {
public:
  TreeBuilder(Frame &frame, mlir::ValueRange leaves) : frame(frame), leaves(leaves) {}

  ExampleValue build(OutAttr node);
  /// The text of a template: its children one after the other.
  std::string text(OutAttr node);
  /// What formatting raised, if it did.
  llvm::Error takeError();

  /// Where a tree says what the mutable object of a number is; filled by the caller.
  std::map<int64_t, OutAttr> definitions;

private:
  using K = ExampleValue::Kind;

  ExampleValue make(OutAttr node);
  ExampleValue container(K kind, OutAttr node);
  ExampleValue object(OutAttr node);
  ExampleValue rows(OutAttr form);
  ExampleValue row(OutAttr form, size_t i);
  ExampleValue again(int64_t identity);
  std::string field(OutAttr node);

  Frame &frame;
  mlir::ValueRange leaves;
  std::map<int64_t, ExampleValue> objects;
  std::map<int64_t, ExampleValue> columns; ///< of the list of tuples that is being made
  std::set<int64_t> building;              ///< objects that hold themselves
  std::optional<py::Raised> failure;
};

} // namespace ptc::program

#endif // PTC_LIB_DIALECT_PROGRAM_EVAL_TREE_H
