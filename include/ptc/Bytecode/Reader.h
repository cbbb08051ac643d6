//===- Reader.h - .pyc files and marshal data into code objects --*- C++ -*-===//
#ifndef PTC_BYTECODE_READER_H
#define PTC_BYTECODE_READER_H

#include "ptc/Bytecode/CodeObject.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptc {

/// What stands before the marshal data of a .pyc (PEP 552).
struct PycHeader {
  uint32_t flags = 0; ///< bit 0: hash-based, bit 1: check the source
  uint64_t stamp = 0; ///< source hash, or modification time | size << 32
};

/// Bounds on what is read; beyond them: CodeTooLarge.
struct ReadLimits {
  uint64_t bytes = 256u << 20;
  uint32_t objects = 20u << 20;
  uint32_t nesting = 200;
};

struct ReadOptions {
  ReadLimits limits;
  /// Decode and verify every code object now; otherwise each on first use.
  bool verify = true;
  /// The source that the code is of, where that is known: all that was compiled from the file that
  /// the module's code names is of it, as importing makes it (_imp._fix_co_filename).
  std::string source = {};
};

/// The owner of everything that was read from one file.
class CodeFile {
public:
  ~CodeFile();
  /// The module's code.
  const CodeObject &top() const { return *topCode; }
  PythonVersion version() const { return pythonVersion; }
  /// None for bare marshal data.
  const std::optional<PycHeader> &header() const { return pycHeader; }
  /// As given to the reader, for messages.
  llvm::StringRef name() const { return fileName; }
  /// All code objects, outer before inner.
  llvm::ArrayRef<const CodeObject *> codeObjects() const { return codes; }

private:
  friend class CodeFileBuilder;
  CodeFile();
  struct Storage;
  std::unique_ptr<Storage> storage;
  const CodeObject *topCode = nullptr;
  PythonVersion pythonVersion{};
  std::optional<PycHeader> pycHeader;
  std::string fileName;
  std::vector<const CodeObject *> codes;
};

/// Reads the bytes of a .pyc; they need not outlive the call. `name` is for messages.
/// Errors: PycMalformed, PycMagicUnknown, BytecodeInvalid, CodeTooLarge.
llvm::Expected<std::unique_ptr<CodeFile>> readPyc(llvm::StringRef bytes, llvm::StringRef name,
                                                  const ReadOptions &options = {});

/// Reads marshal data without a header, written by `version`.
llvm::Expected<std::unique_ptr<CodeFile>> readMarshal(llvm::StringRef bytes, PythonVersion version,
                                                      llvm::StringRef name,
                                                      const ReadOptions &options = {});

/// Reads a file. Errors as readPyc, and FileNotReadable.
llvm::Expected<std::unique_ptr<CodeFile>> readPycFile(llvm::StringRef path,
                                                      const ReadOptions &options = {});

} // namespace ptc

#endif // PTC_BYTECODE_READER_H
