//===- OracleLibrary.h - Loads and calls the LibTorch oracle -----*- C++ -*-===//
#ifndef PTC_ORACLE_ORACLELIBRARY_H
#define PTC_ORACLE_ORACLELIBRARY_H

#include "ptc/TensorFile/HostValue.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

struct ptc_oracle_api;

namespace ptc {

/// The Python exception that eager PyTorch raised for a call.
class OracleException : public llvm::ErrorInfo<OracleException> {
public:
  static char ID;
  OracleException(std::string pythonClass, std::string text)
      : pythonClass(std::move(pythonClass)), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << pythonClass << ": " << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  std::string pythonClass; ///< "RuntimeError", "IndexError", …
  std::string text;
};

/// libptc_oracle.so, opened with dlopen(RTLD_LOCAL). Loading LibTorch takes a good part of a
/// second: open it only when a reference result is needed. Not thread-safe; never unloaded, because
/// LibTorch cannot be.
class OracleLibrary {
public:
  /// Errors: OracleMissing.
  static llvm::Expected<OracleLibrary> open(llvm::StringRef path);
  /// Where the library is for a tool at `executable`: `../lib/libptc_oracle.so`.
  static std::string defaultPath(llvm::StringRef executable);

  llvm::StringRef torchVersion() const;
  /// The schema of an overload (`add.Tensor`, `relu`), empty if LibTorch has none of that name.
  std::string schema(llvm::StringRef name) const;
  /// Calls the overload `name` through the dispatcher: one value per schema argument, all given.
  /// Tensor results share storage with arguments where eager's do. Errors: OracleException.
  llvm::Expected<llvm::SmallVector<HostValue, 1>> call(llvm::StringRef name,
                                                       llvm::ArrayRef<HostValue> args) const;
  /// torch.manual_seed of the default CPU generator.
  void manualSeed(uint64_t seed) const;
  void setNumThreads(int count) const;

private:
  explicit OracleLibrary(const ptc_oracle_api *api) : api(api) {}
  const ptc_oracle_api *api;
};

} // namespace ptc

#endif // PTC_ORACLE_ORACLELIBRARY_H
