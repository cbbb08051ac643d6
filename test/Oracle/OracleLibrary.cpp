// The oracle: every kind of value goes through LibTorch's dispatcher and back; exceptions stop
// there.
#include "ptc/Oracle/OracleLibrary.h"

#include "ptc/Support/Error.h"

#include <catch2/catch.hpp>

using namespace ptc;

TEST_CASE("a missing oracle is a diagnostic") {
  llvm::Expected<OracleLibrary> none = OracleLibrary::open("/nonexistent/libptc_oracle.so");
  REQUIRE_FALSE(bool(none));
  CHECK(takeDiagnostics(none.takeError()).at(0).id == DiagId::OracleMissing);
  CHECK(OracleLibrary::defaultPath("/opt/bin/ptc") == "/opt/bin/../lib/libptc_oracle.so");
}

#ifdef PTC_ORACLE_LIBRARY
static OracleLibrary &oracle() {
  static OracleLibrary library = llvm::cantFail(OracleLibrary::open(PTC_ORACLE_LIBRARY));
  return library;
}

static HostValue call(llvm::StringRef name, llvm::ArrayRef<HostValue> args) {
  auto results = oracle().call(name, args);
  if (!results)
    FAIL(name.str() << ": " << llvm::toString(results.takeError()));
  REQUIRE(results->size() >= 1);
  return (*results)[0];
}

TEST_CASE("values of every kind pass") {
  HostValue none;
  HostTensor a = HostTensor::ofValues<float>({1, 2, 3, 4, 5, 6}).view({2, 3}, {3, 1}, 0);
  HostTensor transposed = a.view({3, 2}, {1, 3}, 0);
  CHECK(oracle().schema("add.Tensor").find("aten::add.Tensor(Tensor self") == 0);
  CHECK(oracle().schema("no_such_op").empty());
  CHECK(call("add.Tensor", {a, 1.5, 2}).tensor().getDouble({1, 2}) == 9);
  CHECK(call("mm", {a, transposed}).tensor().getDouble({0, 1}) == 32);
  CHECK(
      call("sum.dim_IntList", {a, HostValue::IntList{0}, false, DType::Float64}).tensor().dtype() ==
      DType::Float64);
  CHECK(call("cat", {HostValue::TensorList{a, a}, 0}).tensor().size(0) == 4);
  CHECK(call("index.Tensor",
             {a, HostValue::TensorList{HostTensor(), HostTensor::ofValues<int64_t>({2})}})
            .tensor()
            .getDouble({1, 0}) == 6);
  CHECK(call("item", {HostTensor::ofValues<double>({2.5})}).get<double>() == 2.5);
  CHECK(call("gelu", {a, "tanh"}).tensor().dim() == 2);
  CHECK(call("zeros", {HostValue::IntList{2}, DType::Int64, none, HostValue::Device{}, false})
            .tensor()
            .dtype() == DType::Int64);
  CHECK(call("split.Tensor", {a, 2, 1}).get<HostValue::TensorList>().size() == 2);
  CHECK(call("upsample_nearest1d.vec",
             {a.view({1, 2, 3}, {6, 3, 1}, 0), none, HostValue::FloatList{2.0}})
            .tensor()
            .size(2) == 6);
}

TEST_CASE("results that alias arguments share their storage, and outlive the call") {
  HostTensor a = HostTensor::ofValues<float>({1, 2, 3, 4});
  HostTensor view = call("slice.Tensor", {a, 0, 1, HostValue(), 2}).tensor();
  CHECK(view.sharesStorageWith(a));
  CHECK(view.storageOffset() == 1);
  CHECK(view.strides() == llvm::ArrayRef<int64_t>{2});
  HostTensor fresh = call("neg", {a}).tensor();
  CHECK_FALSE(fresh.sharesStorageWith(a));
  CHECK(fresh.getDouble({3}) == -4);
}

TEST_CASE("the same seed gives the same numbers") {
  HostValue none;
  oracle().manualSeed(7);
  HostTensor a = call("rand", {HostValue::IntList{3}, none, none, none, none}).tensor();
  oracle().manualSeed(7);
  HostTensor b = call("rand", {HostValue::IntList{3}, none, none, none, none}).tensor();
  CHECK(a.contiguousBytes() == b.contiguousBytes());
}

TEST_CASE("exceptions come back as Python's class and text") {
  struct Row {
    const char *name;
    std::vector<HostValue> args;
    const char *pythonClass;
    const char *text;
  } rows[] = {
      {"sum.dim_IntList",
       {HostTensor::zeros(DType::Float32, {2}), HostValue::IntList{5}, false, HostValue()},
       "IndexError",
       "Dimension out of range"},
      {"mm",
       {HostTensor::zeros(DType::Float32, {2, 3}), HostTensor::zeros(DType::Float32, {2, 3})},
       "RuntimeError",
       "cannot be multiplied"},
      {"no_such_op", {}, "RuntimeError", "no_such_op"},
      {"neg", {}, "RuntimeError", "the schema has 1 arguments"}};
  for (const Row &row : rows) {
    auto results = oracle().call(row.name, row.args);
    REQUIRE_FALSE(bool(results));
    llvm::handleAllErrors(results.takeError(), [&](const OracleException &e) {
      CHECK(e.pythonClass == row.pythonClass);
      CHECK_THAT(e.text, Catch::Contains(row.text));
    });
  }
}
#endif
