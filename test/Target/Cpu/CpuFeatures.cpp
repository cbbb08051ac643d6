// Rows of Runtime/CpuFeatures.def against all features that LLVM has: what code may use is looked
// for when an artefact is opened.
#include "ptc/Target/Cpu/Code.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/TargetSelect.h"

#include <catch2/catch.hpp>

using namespace ptc;

static constexpr const char *kRows[] = {
#define PTC_CPU_FEATURE(Name, Leaf, Subleaf, Register, Shift, Mask, Least, State) Name,
#include "ptc/Runtime/CpuFeatures.def"
};

/// Other names of LLVM's for what is not in code.
static constexpr const char *kNotOfCode =
    // Part of x86-64, and modes.
    "16bit-mode 32bit-mode 64bit 64bit-mode cmov cx8 fxsr mmx nopl soft-float sse sse2 x32 x87 "
    // Other names of rows.
    "avx10.1-512 avx10.2-512 evex512 "
    // By intrinsics alone, which no emitter uses.
    "adx aes amx-avx512 amx-bf16 amx-complex amx-fp16 amx-fp8 amx-int8 amx-movrs amx-tf32 amx-tile "
    "avx512vp2intersect cldemote clflushopt clwb clzero crc32 enqcmd fsgsbase hreset invpcid kl "
    "lwp "
    "movdir64b movdiri movrs mwaitx pclmul pconfig pku ptwrite raoint rdpid rdpru rdrnd rdseed rtm "
    "serialize sgx sha sha512 sm3 sm4 tsxldtrk uintr usermsr vaes vpclmulqdq waitpkg wbnoinvd "
    "widekl "
    "xsave xsavec xsaveopt xsaves "
    // Hints: what does not know them goes on.
    "branch-hint prefetchi prfchw "
    // Only where it is asked for: protection of code.
    "harden-sls-ijmp harden-sls-ret inline-asm-use-gpr32 lvi-cfi lvi-load-hardening retpoline "
    "retpoline-external-thunk retpoline-indirect-branches retpoline-indirect-calls seses shstk "
    "tagged-globals "
    // Which of several ways is fast.
    "allow-light-256-bit branchfusion ermsb false-deps-getmant false-deps-lzcnt-tzcnt "
    "false-deps-mulc false-deps-mullq false-deps-perm false-deps-popcnt false-deps-range "
    "fast-11bytenop fast-15bytenop fast-7bytenop fast-bextr fast-dpwssd fast-gather fast-hops "
    "fast-imm16 fast-lzcnt fast-movbe fast-scalar-fsqrt fast-scalar-shift-masks fast-shld-rotate "
    "fast-variable-crosslane-shuffle fast-variable-perlane-shuffle fast-vector-fsqrt "
    "fast-vector-shift-masks faster-shift-than-shuffle fsrm idivl-to-divb idivq-to-divl lea-sp "
    "lea-uses-ag macrofusion no-bypass-delay no-bypass-delay-blend no-bypass-delay-mov "
    "no-bypass-delay-shuffle pad-short-functions prefer-128-bit prefer-256-bit "
    "prefer-legacy-setcc prefer-mask-registers prefer-movmsk-over-vtest prefer-no-gather "
    "prefer-no-scatter sbb-dep-breaking slow-3ops-lea slow-incdec slow-lea slow-pmaddwd "
    "slow-pmulld "
    "slow-pmullq slow-shld slow-two-mem-ops slow-unaligned-mem-16 slow-unaligned-mem-32 "
    "sse-unaligned-mem tuning-fast-imm-vector-shift use-glm-div-sqrt-costs use-slm-arith-costs "
    "vzeroupper";

TEST_CASE("every feature that LLVM has is looked for, or is none of code") {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  REQUIRE(target);
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  llvm::StringSet<> rows, others;
  for (const char *row : kRows)
    CHECK(rows.insert(row).second);
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(kNotOfCode).split(names, ' ');
  for (llvm::StringRef name : names)
    CHECK(others.insert(name).second);
  for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures()) {
    INFO(feature.Key);
    CHECK(rows.contains(feature.Key) != others.contains(feature.Key));
    rows.erase(feature.Key);
    others.erase(feature.Key);
  }
  CHECK(rows.empty());
  for (const auto &name : others)
    FAIL_CHECK(name.getKey().str());
}

static bool mayUse(const char *cpu, llvm::StringRef name) {
  cpu::CodeOptions options;
  options.cpu = cpu;
  llvm::Expected<uint64_t> features = cpu::cpuFeaturesOf(options);
  REQUIRE(bool(features));
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (name == kRows[i])
      return *features >> i & 1;
  FAIL(name.str());
  return false;
}

TEST_CASE("code for a CPU may use what that CPU has") {
  struct {
    const char *cpu, *feature;
    bool may;
  } rows[] = {{"x86-64", "sse3", false},
              {"x86-64-v2", "popcnt", true},
              {"x86-64-v2", "avx", false},
              {"x86-64-v3", "avx2", true},
              {"x86-64-v3", "fma", true},
              {"x86-64-v3", "avx512f", false},
              {"x86-64-v4", "avx512vl", true},
              {"x86-64-v4", "avx512fp16", false},
              {"sapphirerapids", "avx512fp16", true},
              {"sapphirerapids", "avx512bf16", true},
              {"diamondrapids", "avx10.2", true},
              {"diamondrapids", "egpr", true},
              {"znver4", "avx512bf16", true},
              {"znver4", "avx512fp16", false},
              {"bdver2", "fma4", true}};
  for (auto &row : rows) {
    INFO(row.cpu << " " << row.feature);
    CHECK(mayUse(row.cpu, row.feature) == row.may);
  }
}
