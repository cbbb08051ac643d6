//===- SizeSymbols.h - Size symbols of a variant ---------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PROGRAM_IR_SIZESYMBOLS_H
#define PTC_DIALECT_PROGRAM_IR_SIZESYMBOLS_H

#include "ptc/Dialect/Program/IR/Program.h"

namespace ptc::program {

/// A row of a variant's `symbols`.
struct SizeSymbol {
  llvm::StringRef name;
  unsigned input = 0; ///< an argument of the body: an int, or a tensor
  int64_t dimension = 0;
  bool isStride = false;
  /// Not empty: instead of reading an input, a formula over the symbols before it.
  llvm::StringRef formula;
};
llvm::SmallVector<SizeSymbol> sizeSymbols(VariantOp variant);

} // namespace ptc::program

#endif // PTC_DIALECT_PROGRAM_IR_SIZESYMBOLS_H
