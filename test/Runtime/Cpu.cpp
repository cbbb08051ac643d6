// What CPUs have, as CPUID and XGETBV of other machines would say it.
#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <utility>

extern "C" {
#include "../../lib/Runtime/Stub.h"
}

namespace {

using Words = std::array<uint32_t, 4>;
std::map<std::pair<uint32_t, uint32_t>, Words> leaves;
uint64_t xcr0;

const ptc_cpu kOther = {[](uint32_t leaf, uint32_t subleaf, uint32_t *words) {
                          std::memcpy(words, leaves[{leaf, subleaf}].data(), sizeof(Words));
                        },
                        [] { return xcr0; }};

/// The bit of a row.
uint64_t bitOf(const std::string &name) {
  static const char *const kNames[] = {
#define PTC_CPU_FEATURE(Name, Leaf, Subleaf, Register, Shift, Mask, Least, State) Name,
#include "ptc/Runtime/CpuFeatures.def"
  };
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (name == kNames[i])
      return uint64_t(1) << i;
  FAIL(name);
  return 0;
}

std::string missing(uint64_t wanted, size_t size = 200) {
  std::string text(size, '?');
  bool hasAll = ptc_cpu_has(&kOther, wanted, text.data(), size);
  text.resize(std::strlen(text.c_str()));
  CHECK(hasAll == text.empty());
  return text;
}

} // namespace

TEST_CASE("features that a CPU lacks are named") {
  leaves.clear();
  xcr0 = 0xe7;
  leaves[{7, 0}][1] = 1U << 16 | 1U << 5; // avx512f, avx2
  leaves[{7, 1}][0] = 1U << 5;            // avx512bf16
  CHECK(missing(0).empty());
  CHECK(missing(bitOf("avx512f") | bitOf("avx2") | bitOf("avx512bf16")).empty());
  CHECK(missing(bitOf("avx512f") | bitOf("avx512fp16")) == "avx512fp16");
  CHECK(missing(bitOf("avx512fp16") | bitOf("lzcnt")) == "avx512fp16, lzcnt");
  CHECK(missing(bitOf("avx512fp16") | bitOf("lzcnt"), 14) == "avx512fp16, l");
}

TEST_CASE("registers that the operating system does not save cannot be used") {
  leaves.clear();
  leaves[{7, 0}][1] = 1U << 16 | 1U << 5 | 1U << 8; // avx512f, avx2, bmi2
  uint64_t wanted = bitOf("avx512f") | bitOf("avx2") | bitOf("bmi2");
  xcr0 = 0x7;
  CHECK(missing(wanted) == "avx512f (off in the operating system)");
  xcr0 = 0;
  CHECK(missing(wanted) ==
        "avx2 (off in the operating system), avx512f (off in the operating system)");
  xcr0 = 0x27; // without the upper registers
  CHECK(missing(wanted) == "avx512f (off in the operating system)");
}

TEST_CASE("AVX10 has versions") {
  leaves.clear();
  xcr0 = 0xe7;
  uint64_t both = bitOf("avx10.1") | bitOf("avx10.2");
  CHECK(missing(both) == "avx10.1, avx10.2");
  leaves[{0x24, 0}][1] = 1;
  CHECK(missing(both) == "avx10.2");
  leaves[{0x24, 0}][1] = 3 | 7U << 16;
  CHECK(missing(both).empty());
}

TEST_CASE("this machine has what its compiler takes for granted") {
  char text[64];
  CHECK(ptc_cpu_has(&ptc_this_cpu, 0, text, sizeof text));
  uint64_t wanted = 0;
#define CHECK_BUILTIN(Name)                                                                        \
  if (__builtin_cpu_supports(#Name))                                                               \
    wanted |= bitOf(#Name);
  CHECK_BUILTIN(avx)
  CHECK_BUILTIN(avx2)
  CHECK_BUILTIN(fma)
  CHECK_BUILTIN(bmi)
  CHECK_BUILTIN(bmi2)
  CHECK_BUILTIN(popcnt)
  CHECK_BUILTIN(avx512f)
  CHECK_BUILTIN(avx512bw)
  CHECK_BUILTIN(avx512vl)
  CHECK_BUILTIN(avx512bf16)
  CHECK_BUILTIN(gfni)
#undef CHECK_BUILTIN
  INFO(text);
  CHECK(ptc_cpu_has(&ptc_this_cpu, wanted, text, sizeof text));
  for (const char *name : {"avx", "avx2", "fma", "avx512f", "avx512bf16"})
    if (!(wanted & bitOf(name)))
      CHECK_FALSE(ptc_cpu_has(&ptc_this_cpu, bitOf(name), text, sizeof text));
}
