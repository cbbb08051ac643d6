//===- Decode.h - Code objects into canonical instructions -------*- C++ -*-===//
#ifndef PTC_BYTECODE_DECODE_H
#define PTC_BYTECODE_DECODE_H

#include "ptc/Bytecode/Instr.h"
#include "ptc/Bytecode/Reader.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace ptc {

/// Decodes and verifies `code` on first use and keeps the result in it. After readPyc with
/// ReadOptions::verify this cannot fail.
/// Errors: BytecodeInvalid (where and why), CodeTooLarge.
llvm::Expected<const CanonicalCode *> getCanonical(const CodeObject &code);

/// The same without keeping it.
llvm::Expected<std::unique_ptr<CanonicalCode>> decode(const CodeObject &code);

/// One way: canonical instructions of `code` and the code objects in it, with their handlers.
/// `locations` adds the source range of each instruction.
llvm::Error printCanonical(llvm::raw_ostream &os, const CodeObject &code, bool locations = true);

/// Text of a whole .pyc (or of marshal data, if `version` is given) that `assemble` turns back into
/// the same bytes. Errors as readPyc.
llvm::Error printRaw(llvm::raw_ostream &os, llvm::StringRef bytes, llvm::StringRef name,
                     std::optional<PythonVersion> version = {});

/// The bytes that `text`, as printRaw writes it, stands for. Errors: AssemblyMalformed with the
/// line in `name`.
llvm::Expected<std::string> assemble(llvm::StringRef text, llvm::StringRef name);

} // namespace ptc

#endif // PTC_BYTECODE_DECODE_H
