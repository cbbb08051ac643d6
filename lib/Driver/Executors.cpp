//===- Executors.cpp - Who computes the tensor operations ---------------------------===//
//
// In: ATen overloads on host values. Out: their results, by the reference evaluator or by LibTorch.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/Executors.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"
#include "ptc/Oracle/OracleLibrary.h"

#include <map>

using namespace ptc;

namespace {

class NullExecutor final : public program::OpExecutor {
public:
  llvm::Expected<llvm::SmallVector<HostValue, 1>>
  call(const aten::OpInfo &op, llvm::ArrayRef<HostValue> args, int64_t generator) override {
    aten::EvalContext context;
    context.generator = &generators[generator];
    auto results = aten::evaluate(op, args, context);
    if (results)
      return results;
    return llvm::handleErrors(results.takeError(), [&](aten::EvalFailure &e) -> llvm::Error {
      if (e.kind == aten::EvalFailure::Kind::Raise)
        return llvm::make_error<program::PythonError>(aten::toString(e.pythonClass).str(), e.text);
      return makeError(DiagId::NotEvaluated, {}, op.name, e.text);
    });
  }
  void seed(int64_t generator, int64_t seed) override {
    generators[generator] = aten::Mt19937(uint64_t(seed));
  }

private:
  std::map<int64_t, aten::Mt19937> generators; ///< made with PyTorch's default seed
};

class OracleExecutor final : public program::OpExecutor {
public:
  explicit OracleExecutor(OracleLibrary library) : library(std::move(library)) {
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

std::unique_ptr<program::OpExecutor> ptc::makeNullExecutor() {
  return std::make_unique<NullExecutor>();
}

llvm::Expected<std::unique_ptr<program::OpExecutor>> ptc::makeOracleExecutor(llvm::StringRef path) {
  auto library = OracleLibrary::open(path);
  if (!library)
    return library.takeError();
  return std::make_unique<OracleExecutor>(std::move(*library));
}
