#include "ptc/TensorFile/PackFormat.h"

#include <catch2/catch.hpp>

using namespace ptc;

TEST_CASE("a matrix in panels of columns") {
  // Row-major [3 columns, 2 rows of the sum].
  PackFormat format{{{2, 1}}, {{3, 2}}, 2};
  HostTensor packed = format.pack(HostTensor::ofValues<float>({1, 2, 3, 4, 5, 6}));
  CHECK(format.numElements() == 8);
  CHECK(std::vector<float>(packed.data<float>(), packed.data<float>() + 8) ==
        std::vector<float>{1, 3, 2, 4, 5, 0, 6, 0});
}

TEST_CASE("formats as numbers") {
  PackFormat format{{{2, 12}, {4, 1}}, {{3, 4}}, 16};
  llvm::SmallVector<int64_t> numbers = format.toNumbers();
  CHECK(numbers == llvm::SmallVector<int64_t>{16, 2, 2, 12, 4, 1, 1, 3, 4});
  CHECK(PackFormat::fromNumbers(numbers)->toNumbers() == numbers);
  CHECK(format.numElements() == 2 * 4 * 16);
}

TEST_CASE("numbers that are no format's, and formats that leave a tensor") {
  using Numbers = std::vector<int64_t>;
  for (const Numbers &numbers :
       {Numbers{}, Numbers{16}, Numbers{0, 0, 0}, Numbers{16, 1, 2}, Numbers{16, -1, 0},
        Numbers{16, 1, 2, 1, 1, 3, 2, 7}, Numbers{16, INT64_MAX, 1}})
    CHECK(!PackFormat::fromNumbers(numbers));
  PackFormat format{{{2, 1}}, {{3, 2}}, 16};
  CHECK(format.fits(6));
  CHECK(!format.fits(5));
  CHECK(!PackFormat{{{2, 1}}, {{3, 1}}, 16}.fits(5)); // takes some twice
  CHECK(!PackFormat{{{2, -1}}, {{3, 2}}, 16}.fits(6));
  CHECK(!PackFormat{{{INT64_MAX, 1}}, {{3, INT64_MAX}}, 16}.fits(6));
  CHECK(!PackFormat{{{2, 1}}, {{3, 2}}, INT64_MAX}.fits(6));
}
