// Memory of mapped files: given back, and read again where it is needed.
#include "ptc/TensorFile/FilePages.h"
#include "ptc/TensorFile/TensorFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Process.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace ptc;

/// Bytes of this process that are in memory.
static size_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * llvm::sys::Process::getPageSizeEstimate();
}

TEST_CASE("memory of a file's tensors is given back, and read again") {
  constexpr int64_t kNumber = 16 << 20; // 64 MiB
  llvm::SmallString<64> path;
  REQUIRE(!llvm::sys::fs::createTemporaryFile("ptc-pages", "safetensors", path));
  llvm::FileRemover remove(path);
  {
    HostTensor made = HostTensor::zeros(DType::Float32, {kNumber});
    made.data<float>()[0] = 1;
    made.data<float>()[kNumber - 1] = 2;
    REQUIRE(!writeSafetensors(path, {{"w", made}}));
  }
  auto read = readTensorFile(path);
  REQUIRE(bool(read));
  HostTensor tensor = (*read)[0].tensor;
  auto sum = [&] {
    double total = 0;
    for (int64_t i = 0; i < kNumber; i += 256)
      total += tensor.data<float>()[i];
    return total + tensor.data<float>()[kNumber - 1];
  };
  CHECK(sum() == 3);
  size_t before = residentBytes();
  forgetFilePages(tensor);
  CHECK(residentBytes() + (60 << 20) < before);
  CHECK(sum() == 3);
  HostTensor own = HostTensor::ofValues<float>(std::vector<float>(4096, 5));
  forgetFilePages(own); // of no file: stays
  CHECK(own.data<float>()[2048] == 5);
}
