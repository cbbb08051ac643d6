//===- OracleExecutor.cpp - LibTorch as executor ------------------------------------===//
//
// In: ATen overloads on host values. Out: their results by LibTorch's dispatcher.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/OracleExecutor.h"

#include "ptc/Oracle/OracleLibrary.h"

using namespace ptc;

namespace {

class OracleExecutor final : public program::OpExecutor {
public:
  explicit OracleExecutor(OracleLibrary library) : library(library) {
    this->library.setNumThreads(1);
    this->library.manualSeed(67280421310721ULL);
  }

  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t generator) override {
    if (generator != 0)
      return makeError(DiagId::NotEvaluated, {}, op.name,
                       "the oracle has only the default generator");
    auto results = library.call(op.name, args);
    if (results)
      return results;
    return llvm::handleErrors(results.takeError(), [](OracleException &e) -> llvm::Error {
      return llvm::make_error<program::PythonError>(e.pythonClass, e.text);
    });
  }
  void seed(int64_t generator, int64_t seed) override {
    if (generator == 0)
      library.manualSeed(uint64_t(seed));
  }

private:
  OracleLibrary library;
};

} // namespace

llvm::Expected<std::unique_ptr<program::OpExecutor>> ptc::makeOracleExecutor(llvm::StringRef path) {
  auto library = OracleLibrary::open(path);
  if (!library)
    return library.takeError();
  return std::make_unique<OracleExecutor>(*library);
}
