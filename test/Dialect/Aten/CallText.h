//===- CallText.h - Calls of overloads as text -------------------*- C++ -*-===//
//
// `add.Tensor(f32[2,3]{1,2}, 2.5, alpha=2)` to arguments, results of meta to text; the grammar is
// that of make_meta_cases.py.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DIALECT_ATEN_CALLTEXT_H
#define PTC_TEST_DIALECT_ATEN_CALLTEXT_H

#include "ptc/Dialect/Aten/IR/Meta.h"

#include <deque>

namespace ptc::aten {

/// A call that was read; owns the metas that the values point to.
struct Call {
  const OpInfo *op = nullptr;
  llvm::SmallVector<ArgValue, 8> positional;
  llvm::SmallVector<KeywordArg, 4> keywords;
  std::deque<TensorMeta> tensors;
  std::string error;
};

Call readCall(llvm::StringRef text, sym::Context &symbols);
/// The outcome in the form of meta_cases.txt.
std::string outcomeText(const MetaResult &result, sym::Context &symbols);

} // namespace ptc::aten

#endif // PTC_TEST_DIALECT_ATEN_CALLTEXT_H
