//===- Text.h - Constants and bytes as text ----------------------*- C++ -*-===//
#ifndef PTC_LIB_BYTECODE_TEXT_H
#define PTC_LIB_BYTECODE_TEXT_H

#include "ptc/Bytecode/CodeObject.h"

#include "llvm/Support/raw_ostream.h"

namespace ptc {

/// `"…"` with \\, \", \n, \r, \t and \xNN for bytes that are not printable ASCII.
void printQuoted(llvm::raw_ostream &os, llvm::StringRef bytes);

/// One line, as Python would write it; cut off beyond `limit` characters.
std::string describeConstant(const Constant *constant, size_t limit = 80);

} // namespace ptc

#endif // PTC_LIB_BYTECODE_TEXT_H
