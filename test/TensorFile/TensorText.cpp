// repr(tensor) and repr(float) against what torch and CPython print.
#include "ptc/TensorFile/Example.h"

#include <catch2/catch.hpp>

#include <numeric>

using namespace ptc;

static HostTensor range(DType dtype, llvm::ArrayRef<int64_t> sizes, double scale = 1) {
  HostTensor t = HostTensor::zeros(dtype, sizes);
  visitDType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i < t.numel(); ++i)
      t.data<T>()[i] = convertElement<T>(double(i) * scale);
  });
  return t;
}

static HostTensor values(std::vector<float> v) { return HostTensor::ofValues<float>(v); }

TEST_CASE("tensors print as torch prints them") {
  CHECK(tensorRepr(values({1, 2, 3})) == "tensor([1., 2., 3.])");
  CHECK(tensorRepr(values({1.5, -2.25})) == "tensor([ 1.5000, -2.2500])");
  CHECK(tensorRepr(values({1e-6F, 1})) == "tensor([1.0000e-06, 1.0000e+00])");
  CHECK(tensorRepr(values({NAN, 1.5, INFINITY})) == "tensor([   nan, 1.5000,    inf])");
  CHECK(tensorRepr(values({100000, 1})) == "tensor([1.0000e+05, 1.0000e+00])");
  CHECK(tensorRepr(range(DType::Int64, {})) == "tensor(0)");
  CHECK(tensorRepr(HostTensor::ofValues<int64_t>({1, 2, 30, 4}).view({2, 2}, {2, 1}, 0)) ==
        "tensor([[ 1,  2],\n        [30,  4]])");
  CHECK(tensorRepr(range(DType::Bool, {2})) == "tensor([False,  True])");
  CHECK(tensorRepr(HostTensor::zeros(DType::Float32, {2, 0})) == "tensor([], size=(2, 0))");
  CHECK(tensorRepr(HostTensor::zeros(DType::Float32, {0})) == "tensor([])");
  CHECK(tensorRepr(HostTensor::zeros(DType::Int64, {0})) == "tensor([], dtype=torch.int64)");
  CHECK(tensorRepr(range(DType::Float64, {1})) == "tensor([0.], dtype=torch.float64)");
  CHECK(tensorRepr(range(DType::Int64, {1200})) ==
        "tensor([   0,    1,    2,  ..., 1197, 1198, 1199])");
  CHECK(tensorRepr(range(DType::Float32, {2, 3, 4})) ==
        "tensor([[[ 0.,  1.,  2.,  3.],\n         [ 4.,  5.,  6.,  7.],\n"
        "         [ 8.,  9., 10., 11.]],\n\n        [[12., 13., 14., 15.],\n"
        "         [16., 17., 18., 19.],\n         [20., 21., 22., 23.]]])");
  CHECK(tensorRepr(range(DType::Float32, {40})) ==
        "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n"
        "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,\n"
        "        28., 29., 30., 31., 32., 33., 34., 35., 36., 37., 38., 39.])");
  HostTensor complex = HostTensor::ofValues<std::complex<float>>(
      {std::complex<float>(1, 2), std::complex<float>(-0.0F, -0.5F)});
  CHECK(tensorRepr(complex) == "tensor([1.+2.0000j, -0.-0.5000j])");
}

TEST_CASE("floats print as Python prints them") {
  struct Row {
    double value;
    const char *text;
  };
  for (const Row &row : {Row{1, "1.0"},
                         {0.1, "0.1"},
                         {-0.0, "-0.0"},
                         {1e16, "1e+16"},
                         {123456789012345680.0, "1.2345678901234568e+17"},
                         {1e15, "1000000000000000.0"},
                         {0.0001, "0.0001"},
                         {0.00001, "1e-05"},
                         {1e100, "1e+100"},
                         {2.5e-7, "2.5e-07"},
                         {double(NAN), "nan"},
                         {-double(INFINITY), "-inf"},
                         {1234.5, "1234.5"}})
    CHECK(floatRepr(row.value) == row.text);
}

TEST_CASE("values print as Python prints them") {
  using E = ExampleValue;
  using K = E::Kind;
  CHECK(exampleRepr(E::ofItems(K::Tuple, {E::ofInt(1)})) == "(1,)");
  CHECK(exampleRepr(E::ofItems(K::Dict, {E::ofStr("a'b"), E::boolean(true)})) == "{\"a'b\": True}");
  CHECK(exampleRepr(E::ofItems(K::List, {E::none(), E::ofFloat(2)})) == "[None, 2.0]");
  CHECK(exampleStr(E::ofStr("x\n")) == "x\n");
  CHECK(exampleRepr(E::ofStr("x\n")) == "'x\\n'");
}
