// Kernels of a few lines: what they compute, and what they are stopped for.
#include "Memory.h"
#include "Numbers.h"
#include "Run.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <numeric>

using namespace device;
using Words = std::vector<uint32_t>;

/// A kernel of a pointer: %rd1 points at the thread's word, %rd2 at the first, %r1 is the thread of
/// all, %r2 that of the block.
static std::string kernelOf(const std::string &body) {
  return R"(
.version 8.0
.target sm_80
.address_size 64
.func  (.param .b32 func_retval0) twice(
	.param .b32 twice_param_0
)
;
.global .align 4 .b8 table[8] = {1, 0, 0, 0, 255, 255, 255, 127};
.extern .shared .align 16 .b8 added[];
.shared .align 16 .b8 own[512];
.func  (.param .b32 func_retval0) twice(
	.param .b32 twice_param_0
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	ld.param.b32 	%r1, [twice_param_0];
	and.b32 	%r3, %r1, 1;
	setp.eq.b32 	%p1, %r3, 0;
	add.s32 	%r2, %r1, %r1;
	st.param.b32 	[func_retval0], %r2;
	@%p1 ret; // even ones leave early
	add.s32 	%r2, %r2, 1000;
	st.param.b32 	[func_retval0], %r2;
	ret;
}
	// .globl	kernel
.visible .entry kernel(
	.param .u64 .ptr .align 1 kernel_param_0
)
.maxntid 256, 1, 1
{
	.local .align 8 .b8 __local_depot0[16];
	.reg .pred %p<20>;
	.reg .b16 %rs<20>;
	.reg .b32 %r<60>;
	.reg .b64 %rd<40>;
	ld.param.b64 	%rd2, [kernel_param_0];
	mov.u32 	%r2, %tid.x;
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mad.lo.s32 	%r1, %r3, %r4, %r2;
	mul.wide.u32 	%rd3, %r1, 4;
	add.s64 	%rd1, %rd2, %rd3;
)" + body +
         "\n\tret;\n}\n";
}

namespace {
struct Grid {
  unsigned blocks = 1, threads = 32, shared = 0;
};
uint64_t allocateHere(size_t bytes) { return allocate(bytes, 0xff); }

/// Words of memory behind the kernel.
Words resultOf(const std::string &body, Words memory, Grid grid = {}) {
  auto module = readModule(kernelOf(body), allocateHere);
  size_t bytes = memory.size() * 4;
  uint64_t address = allocateHere(bytes);
  std::memcpy(behind(address, bytes), memory.data(), bytes);
  Launch launch;
  launch.module = module.get();
  launch.kernel = module->kernel("kernel");
  launch.grid[0] = grid.blocks;
  launch.threads[0] = grid.threads;
  launch.sharedBytes = grid.shared;
  launch.arguments.resize(8);
  std::memcpy(launch.arguments.data(), &address, 8);
  std::string fault;
  try {
    run(launch);
  } catch (const Fault &stopped) {
    fault = stopped.what();
  }
  std::memcpy(memory.data(), behind(address, bytes), bytes);
  release(address);
  for (const auto &variable : module->globals)
    release(variable->address);
  if (!fault.empty())
    throw Fault(fault);
  return memory;
}
std::string faultOf(const std::string &body, Grid grid = {}) {
  try {
    resultOf(body, Words(65), grid);
  } catch (const Fault &fault) {
    return fault.what();
  }
  return "";
}
uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }
} // namespace

TEST_CASE("instructions of one lane") {
  struct Case {
    const char *code; ///< the result is %r10
    uint32_t expected;
  };
  const Case cases[] = {
      {"add.s32 %r10, 5, -7;", uint32_t(-2)},
      {"mul.hi.s32 %r10, -2, 3;", uint32_t(-1)},
      {"mul.wide.s16 %r10, -2, 3;", uint32_t(-6)},
      {"div.s32 %r10, -7, 2;", uint32_t(-3)},
      {"div.s32 %r10, 7, 0;", ~0U},
      {"rem.s32 %r10, -7, 2;", uint32_t(-1)},
      {"rem.s32 %r10, 0x80000000, -1;", 0},
      {"shl.b32 %r10, 1, 33;", 0},
      {"shr.s32 %r10, -8, 40;", ~0U},
      {"shr.u32 %r10, -8, 1;", 0x7ffffffc},
      {"shf.l.wrap.b32 %r10, 0x80000001, 2, 4;", 0x28},
      {"shf.r.clamp.b32 %r10, 1, 2, 40;", 2},
      {"prmt.b32 %r10, 0x03020100, 0x87060504, 0xf410;", 0xff040100},
      {"bfe.s32 %r10, 0xf0, 4, 4;", ~0U},
      {"bfe.u32 %r10, 0xf0, 5, 8;", 7},
      {"bfi.b32 %r10, 5, 0xffff, 4, 4;", 0xff5f},
      {"lop3.b32 %r10, 12, 10, 6, 0x96;", 12 ^ 10 ^ 6},
      {"brev.b32 %r10, 1;", 0x80000000},
      {"clz.b32 %r10, 1;", 31},
      {"popc.b32 %r10, 0xff;", 8},
      {"bfind.u32 %r10, 0x100;", 8},
      {"bfind.shiftamt.u32 %r10, 0x100;", 23},
      {"add.cc.u32 %r11, -1, 1; addc.u32 %r10, 5, 0;", 6},
      {"sub.cc.u32 %r11, 0, 1; subc.u32 %r10, 5, 0;", 4},
      {"mad.lo.cc.u32 %r11, -1, 1, 1; madc.hi.u32 %r10, 2, 0x80000000, 0;", 2},
      {"cvt.rni.s32.f32 %r10, 0f40200000;", 2},
      {"cvt.rzi.u32.f32 %r10, 0fBF800000;", 0},
      {"cvt.rzi.s32.f32 %r10, 0f7FC00000;", 0},
      {"cvt.rpi.s32.f32 %r10, 0f40200000;", 3},
      {"mov.b16 %rs1, 0x80; cvt.s32.s8 %r10, %rs1;", uint32_t(-128)},
      {"mov.b64 %rd5, 0x5fffffff0; cvt.s64.s32 %rd6, %rd5; cvt.u32.u64 %r10, %rd6;", uint32_t(-16)},
      {"cvt.rn.f32.s32 %r10, -3;", bitsOf(-3)},
      {"cvt.rz.f32.s32 %r10, 0x1000003;", bitsOf(0x1000002p0F)},
      {"cvt.rn.bf16x2.f32 %r10, 0f40000000, 0f3F800000;", 0x40003f80},
      {"cvt.rn.f16x2.f32 %r10, 0f40000000, 0f3F800000;", 0x40003c00},
      {"cvt.rna.tf32.f32 %r10, 0f3F801000;", 0x3f802000},
      {"cvt.rn.bf16.f32 %rs1, 0f3F808000; cvt.u32.u16 %r10, %rs1;", 0x3f80},
      {"fma.rn.f32 %r10, 0f3F800001, 0f3F800001, 0fBF800002;", bitsOf(0x1p-46F)},
      {"add.rz.f32 %r10, 0f3F800000, 0f33FFFFFF;", bitsOf(1)},
      {"add.rp.f32 %r10, 0f3F800000, 0f00000001;", 0x3f800001},
      {"add.ftz.f32 %r10, 0f00000001, 0f00000001;", 0},
      {"max.f32 %r10, 0f7FC00000, 0f3F800000;", bitsOf(1)},
      {"max.NaN.f32 %r11, 0f7FC00000, 0f3F800000; abs.f32 %r10, %r11;", 0x7fc00000},
      {"min.f32 %r10, 0f00000000, 0f80000000;", 0x80000000},
      {"mul.rn.bf16x2 %r10, 0x40004040, 0x40003f80;", 0x40804040},
      {"fma.rn.f16x2 %r10, 0x3c004000, 0x3c004000, 0x3c003c00;", 0x40004500},
      {"ex2.approx.ftz.f32 %r10, 0f40400000;", bitsOf(8)},
      {"rcp.approx.ftz.f32 %r10, 0f40000000;", bitsOf(0.5)},
      {"setp.ltu.f32 %p1, 0f7FC00000, 0f0; selp.b32 %r10, 1, 2, %p1;", 1},
      {"setp.ne.f32 %p1, 0f7FC00000, 0f0; selp.b32 %r10, 1, 2, %p1;", 2},
      {"setp.lt.s32 %p1, -1, 0; setp.lt.u32 %p2, -1, 0; xor.pred %p3, %p1, %p2; not.pred %p4, %p3; "
       "selp.b32 %r10, 1, 2, %p4;",
       2},
      {"mov.b64 %rd5, {7, 9}; shr.u64 %rd6, %rd5, 32; cvt.u32.u64 %r10, %rd6;", 9},
      {"mov.b64 {%r11, %r10}, 0x900000007;", 9},
      {"mov.b32 {%rs1, _}, 0x90007; mov.b32 %r10, {%rs1, %rs1};", 0x70007},
      {"mov.b64 %rd5, table; ld.global.b32 %r10, [%rd5+4];", 0x7fffffff},
      {"ld.global.s8 %r10, [table+4];", ~0U},
      {"st.local.b64 [__local_depot0+8], 0x500000006; ld.local.v2.b32 {%r11, %r10}, "
       "[__local_depot0+8];",
       5},
      {"mov.b64 %rd5, __local_depot0; cvta.local.u64 %rd6, %rd5; st.b32 [%rd6], 4; ld.local.b32 "
       "%r10, [%rd5];",
       4},
      {"mov.b64 %rd5, own; cvta.shared.u64 %rd6, %rd5; st.shared.b32 [own+4], 4; ld.b32 %r10, "
       "[%rd6+4];",
       4},
      {"{ .reg .pred p; setp.eq.b32 p, 1, 1; @p mov.b32 %r10, 3; }", 3},
      {"{ .reg .u32 alo, ahi; mov.b64 {alo, ahi}, 0x900000007; add.u32 %r10, alo, ahi; }", 16},
      {"testp.infinite.f32 %p1, 0fFF800000; testp.finite.f32 %p2, 0fFF800000; selp.b32 %r10, 1, 2, "
       "%p1; @%p2 mov.b32 %r10, 3;",
       1},
      {"mov.b32 %r10, 1; bra.uni $end; mov.b32 %r10, 2; $end:", 1},
  };
  for (const Case &c : cases) {
    INFO(c.code);
    std::string code = c.code;
    for (size_t at = 0; (at = code.find("0f0;", at)) != std::string::npos;)
      code.replace(at, 4, "0f00000000;");
    CHECK(resultOf(code + "\nst.global.b32 [%rd1], %r10;", Words(32))[5] == c.expected);
  }
}

TEST_CASE("approximations of doubles have an upper half") {
  Words made = resultOf("rcp.approx.ftz.f64 %rd5, 0d4008000000000000; st.global.b64 [%rd2], %rd5;",
                        Words(32));
  CHECK(made[0] == 0);
  CHECK(made[1] == 0x3fd55555);
}

TEST_CASE("lanes that part come together again") {
  // Each lane goes round as often as it is numbered; then all of them take part.
  Words made = resultOf(R"(
	mov.b32 %r10, 0;
	setp.eq.b32 %p1, %r2, 0;
	@%p1 bra $after;
$loop:
	add.s32 %r10, %r10, 3;
	mul.lo.s32 %r11, %r2, 3;
	setp.lt.s32 %p2, %r10, %r11;
	@%p2 bra $loop;
$after:
	shfl.sync.idx.b32 %r12, %r10, 31, 31, -1;
	activemask.b32 %r13;
	add.s32 %r14, %r12, %r10;
	@!%p1 st.global.b32 [%rd1], %r14;
	@%p1 st.global.b32 [%rd1], %r13;)",
                        Words(32));
  CHECK(made[0] == ~0U);
  for (unsigned lane = 1; lane < 32; ++lane)
    CHECK(made[lane] == 93 + 3 * lane);
}

TEST_CASE("lanes wait for those that an instruction names") {
  // The branch that lies behind comes to the shuffle first.
  Words made = resultOf(R"(
	setp.lt.u32 %p1, %r2, 16;
	mov.b32 %r10, %r2;
	@%p1 bra $far;
	bra.uni $join;
$join:
	shfl.sync.bfly.b32 %r11, %r10, 16, 31, -1;
	st.global.b32 [%rd1], %r11;
	ret;
$far:
	add.s32 %r10, %r10, 100;
	bra.uni $join;)",
                        Words(32));
  for (unsigned lane = 0; lane < 32; ++lane)
    CHECK(made[lane] == (lane < 16 ? lane + 16 : lane - 16 + 100));
}

TEST_CASE("shuffles, votes and sums of a warp") {
  struct Case {
    const char *code;
    uint32_t of3, of30;
  };
  const Case cases[] = {
      {"shfl.sync.up.b32 %r10, %r2, 4, 0, -1;", 3, 26},
      {"shfl.sync.down.b32 %r10, %r2, 4, 31, -1;", 7, 30},
      {"shfl.sync.bfly.b32 %r10, %r2, 1, 31, -1;", 2, 31},
      {"shfl.sync.idx.b32 %r10, %r2, 1, 0x181f, -1;", 1, 25},
      {"shfl.sync.down.b32 %r11|%p1, %r2, 4, 31, -1; selp.b32 %r10, 1, 0, %p1;", 1, 0},
      {"setp.gt.u32 %p1, %r2, 29; vote.sync.ballot.b32 %r10, %p1, -1;", 0xc0000000, 0xc0000000},
      {"setp.gt.u32 %p1, %r2, 29; vote.sync.any.pred %p2, !%p1, -1; selp.b32 %r10, 1, 0, %p2;", 1,
       1},
      {"setp.gt.u32 %p1, %r2, 29; vote.sync.all.pred %p2, %p1, -1; selp.b32 %r10, 1, 0, %p2;", 0,
       0},
      {"redux.sync.add.s32 %r10, %r2, -1;", 496, 496},
      {"redux.sync.max.u32 %r10, %r2, -1;", 31, 31},
  };
  for (const Case &c : cases) {
    INFO(c.code);
    Words made = resultOf(std::string(c.code) + "\nst.global.b32 [%rd1], %r10;", Words(32));
    CHECK(made[3] == c.of3);
    CHECK(made[30] == c.of30);
  }
}

static const char *const kReverse = R"(
	shl.b32 %r10, %r2, 2;
	cvt.u64.u32 %rd5, %r10;
	mov.b64 %rd6, own;
	add.s64 %rd7, %rd6, %rd5;
	st.shared.b32 [%rd7], %r1;
	bar.sync 0;
	sub.s64 %rd8, 252, %rd5;
	add.s64 %rd9, %rd6, %rd8;
	ld.shared.b32 %r11, [%rd9];
	st.global.b32 [%rd1], %r11;)";

TEST_CASE("threads of a block wait for each other") {
  Words made = resultOf(kReverse, Words(128), {2, 64});
  for (unsigned thread = 0; thread < 64; ++thread) {
    CHECK(made[thread] == 63 - thread);
    CHECK(made[64 + thread] == 127 - thread);
  }
}

TEST_CASE("functions are called by lanes that return in their own time") {
  Words made = resultOf(R"(
	{ // callseq 0, 0
	.param .b32 param0;
	.param .b32 retval0;
	st.param.b32 	[param0], %r2;
	call.uni (retval0), twice, (param0);
	ld.param.b32 	%r10, [retval0];
	} // callseq 0
	st.global.b32 [%rd1], %r10;)",
                        Words(32));
  for (unsigned lane = 0; lane < 32; ++lane)
    CHECK(made[lane] == 2 * lane + (lane % 2 ? 1000 : 0));
}

TEST_CASE("copies arrive when they are waited for") {
  Words memory(64);
  std::iota(memory.begin(), memory.end(), 1);
  Words made = resultOf(R"(
	mul.wide.u32 %rd4, %r2, 16;
	mov.b64 %rd5, added;
	add.s64 %rd6, %rd5, %rd4;
	add.s64 %rd7, %rd2, %rd4;
	cp.async.cg.shared.global [%rd6], [%rd7], 16, 8;
	cp.async.commit_group;
	ld.shared.b32 %r10, [%rd6];
	cp.async.wait_group 0;
	ld.shared.v4.b32 {%r11, %r12, %r13, %r14}, [%rd6];
	st.global.v4.b32 [%rd7], {%r10, %r11, %r12, %r13};)",
                        memory, {1, 16, 256});
  CHECK(Words(made.begin() + 4, made.begin() + 8) == Words{~0U, 5, 6, 0});
}

TEST_CASE("atomic operations of all blocks") {
  Words made = resultOf("atom.global.add.u32 %r10, [%rd2], 2; red.global.max.u32 [%rd2+4], %r1; "
                        "atom.global.cas.b32 %r11, [%rd2+8], 0, %r1;",
                        Words(96), {3, 32});
  CHECK(made[0] == 192);
  CHECK(made[1] == 95);
  CHECK(made[2] == 1); // what the first lane put there is 0
}

/// Matrices of 16 and 8 rows along a sum of 16, as they lie in shared memory, and their product.
TEST_CASE("matrix products of a warp") {
  Words memory(192 + 128);
  auto a = [](unsigned m, unsigned k) { return float(int(m * 3 + k) % 7 - 3); };
  auto b = [](unsigned n, unsigned k) { return float(int(n * 5 + 2 * k) % 5 - 2); };
  auto put = [&](unsigned at, float value) {
    memory[at / 2] |= uint32_t(BFloat(value).bits) << (at % 2 * 16);
  };
  for (unsigned k = 0; k < 16; ++k) {
    for (unsigned m = 0; m < 16; ++m)
      put(m * 16 + k, a(m, k));
    for (unsigned n = 0; n < 8; ++n)
      put(256 + n * 16 + k, b(n, k));
  }
  // 384 elements to shared memory, 12 to a lane; matrices of 8 by 8 in the order of the registers.
  Words made = resultOf(R"(
	mul.wide.u32 %rd4, %r2, 24;
	add.s64 %rd5, %rd2, %rd4;
	mov.b64 %rd6, added;
	add.s64 %rd7, %rd6, %rd4;
	ld.global.v2.b32 {%r10, %r11}, [%rd5]; st.shared.v2.b32 [%rd7], {%r10, %r11};
	ld.global.v2.b32 {%r10, %r11}, [%rd5+8]; st.shared.v2.b32 [%rd7+8], {%r10, %r11};
	ld.global.v2.b32 {%r10, %r11}, [%rd5+16]; st.shared.v2.b32 [%rd7+16], {%r10, %r11};
	bar.sync 0;
	and.b32 %r12, %r2, 15; shl.b32 %r13, %r12, 5;
	and.b32 %r14, %r2, 16; add.s32 %r15, %r13, %r14;
	cvt.u64.u32 %rd8, %r15; add.s64 %rd9, %rd6, %rd8;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%rd9];
	and.b32 %r12, %r2, 7; shl.b32 %r13, %r12, 5;
	and.b32 %r14, %r2, 8; shl.b32 %r14, %r14, 1; add.s32 %r15, %r13, %r14;
	cvt.u64.u32 %rd8, %r15; add.s64 %rd9, %rd6, %rd8;
	ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r24, %r25}, [%rd9+512];
	mov.b32 %r26, 0f3F800000;
	mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r30, %r31, %r32, %r33}, {%r20, %r21, %r22, %r23}, {%r24, %r25}, {%r26, %r26, %r26, %r26};
	mul.wide.u32 %rd10, %r2, 16;
	add.s64 %rd11, %rd2, %rd10;
	st.global.v4.b32 [%rd11+768], {%r30, %r31, %r32, %r33};)",
                        memory, {1, 32, 768});
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned n = 0; n < 4; ++n) {
      unsigned row = lane / 4 + n / 2 * 8, column = lane % 4 * 2 + n % 2;
      float sum = 1;
      for (unsigned k = 0; k < 16; ++k)
        sum += a(row, k) * b(column, k);
      CHECK(std::bit_cast<float>(made[192 + lane * 4 + n]) == sum);
    }
}

TEST_CASE("matrices are loaded by columns") {
  Words memory(32);
  for (unsigned k = 0; k < 64; ++k)
    memory[k / 2] |= k << (k % 2 * 16);
  Words made = resultOf(R"(
	ld.global.b32 %r10, [%rd1];
	mov.b64 %rd6, own; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd7, %rd6, %rd5;
	st.shared.b32 [%rd7], %r10;
	bar.sync 0;
	and.b32 %r12, %r2, 7; mul.wide.u32 %rd5, %r12, 16; add.s64 %rd7, %rd6, %rd5;
	ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r20}, [%rd7];
	st.global.b32 [%rd1], %r20;)",
                        memory);
  for (unsigned lane = 0; lane < 32; ++lane)
    CHECK(made[lane] == (lane / 4 + lane % 4 * 16 | (lane / 4 + lane % 4 * 16 + 8) << 16));
}

TEST_CASE("fresh memory holds no numbers") {
  Words made = resultOf(
      "ld.shared.b32 %r10, [own]; ld.local.b32 %r11, [__local_depot0]; and.b32 %r12, %r10, %r11; "
      "st.global.b32 [%rd1], %r12;",
      Words(32));
  CHECK(made[7] == ~0U);
}

TEST_CASE("what kernels may not do") {
  struct Case {
    const char *code, *text;
    Grid grid;
  };
  const Case cases[] = {
      {"st.global.b64 [%rd2+256], 1;", "over the end", {}},
      {"st.global.b32 [0], 1;", "outside of everything", {}},
      {"st.global.v2.b32 [%rd1], {1, 2};", "not aligned", {}},
      {"st.shared.b32 [own+512], 1;", "shared memory", {}},
      {"st.shared.b32 [added+16], 1;", "shared memory", {1, 32, 16}},
      {"st.local.b32 [__local_depot0+16], 1;", "local memory", {}},
      {"frobnicate.b32 %r10, 1;", "not known", {}},
      {"trap;", "stops itself", {}},
      {"", "more threads", {1, 512}},
      {"setp.lt.u32 %p1, %r2, 32; @%p1 bra $end; bar.sync 1; $end: @%p1 bar.sync 0;",
       "others do not come",
       {1, 64}},
      {"setp.lt.u32 %p1, %r2, 16; @%p1 bra $one; bar.sync 0; ret; $one: bar.sync 0;",
       "wait for each other",
       {}},
      {"setp.lt.u32 %p1, %r2, 16; @%p1 bar.sync 0;", "do not take part", {}},
      {"setp.lt.u32 %p1, %r2, 16; @%p1 ret; shfl.sync.bfly.b32 %r10, %r2, 16, 31, -1;",
       "is not here",
       {}},
      {"setp.lt.u32 %p1, %r2, 16; @%p1 ret; shfl.sync.bfly.b32 %r10, %r2, 1, 31, 0xffff;",
       "name itself",
       {}},
  };
  for (const Case &c : cases) {
    INFO(c.code);
    std::string fault = faultOf(c.code, c.grid);
    CHECK_THAT(fault, Catch::Contains(c.text));
    CHECK_THAT(fault, Catch::Contains("kernel"));
  }
  CHECK_THAT(faultOf("st.global.b64 [%rd2+256], 1;"),
             Catch::Contains("PTX line 46 (st.global.b64)"));
}

TEST_CASE("what is no PTX") {
  for (const char *code : {"add.s32 %r10, %x1, 1;", "bra $nowhere;", "add.s32 %r10, %rd1, 1;", "}",
                           "ld.param.b32 %r1, [other];"}) {
    INFO(code);
    CHECK_THROWS_AS(readModule(kernelOf(code), allocateHere), Fault);
  }
}

TEST_CASE("threads that use shared memory at the same time") {
  setenv("FAKE_CUDA_RACES", "1", 1);
  CHECK(faultOf(kReverse, {1, 64}).empty());
  std::string open = kReverse;
  open.erase(open.find("bar.sync 0;"), 11);
  CHECK_THAT(faultOf(open, {1, 64}), Catch::Contains("while another thread reads it"));
  CHECK(faultOf("st.shared.b32 [own], 1;").empty());
  CHECK_THAT(faultOf("st.shared.b32 [own], %r2;"), Catch::Contains("wrote something else"));
  CHECK_THAT(
      faultOf("setp.eq.b32 %p1, %r2, 0; ld.shared.b32 %r10, [own]; @%p1 st.shared.b32 [own], 1;"),
      Catch::Contains("while another thread reads"));
  CHECK(faultOf("setp.eq.b32 %p1, %r2, 0; ld.shared.b32 %r10, [own]; bar.warp.sync -1; @%p1 "
                "st.shared.b32 [own], 1;")
            .empty());
  CHECK(!faultOf("setp.eq.b32 %p1, %r2, 0; ld.shared.b32 %r10, [own]; bar.warp.sync -1; @%p1 "
                 "st.shared.b32 [own], 1;",
                 {1, 64})
             .empty());
  CHECK(faultOf("atom.shared.add.u32 %r10, [own], 1;", {1, 64}).empty());
  CHECK(!faultOf("mov.b64 %rd5, own; cp.async.cg.shared.global [%rd5], [%rd2], 16, 16; "
                 "ld.shared.b32 %r10, [own];")
             .empty());
  unsetenv("FAKE_CUDA_RACES");
}
