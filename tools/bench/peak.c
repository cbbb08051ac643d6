// peak.c - Prints how many billions of floating-point operations a second one core does in
// multiply-adds of f32 that wait for nothing: 24 accumulators in registers, the best of 30 rounds.
// Build with `cc -O3 -march=native`.
#include <immintrin.h>
#include <stdio.h>
#include <time.h>

#ifdef __AVX512F__
typedef __m512 Vector;
#define SPLAT _mm512_set1_ps
#define FMA _mm512_fmadd_ps
enum { kAccumulators = 24 };
#else
typedef __m256 Vector;
#define SPLAT _mm256_set1_ps
#define FMA _mm256_fmadd_ps
enum { kAccumulators = 12 };
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
  enum { kRounds = 30, kTurns = 1000000 };
  const double lanes = sizeof(Vector) / sizeof(float);
  double best = 0;
  volatile float keep = 0;
  for (int round = 0; round < kRounds; ++round) {
    Vector sums[kAccumulators];
#pragma GCC unroll 24
    for (int i = 0; i < kAccumulators; ++i)
      sums[i] = SPLAT((float)i);
    const Vector x = SPLAT(1.0001f), y = SPLAT(0.5f);
    double begin = now();
    for (int turn = 0; turn < kTurns; ++turn)
#pragma GCC unroll 24
      for (int i = 0; i < kAccumulators; ++i)
        sums[i] = FMA(x, sums[i], y);
    double rate = (double)kTurns * kAccumulators * lanes * 2 / (now() - begin) / 1e9;
    if (rate > best)
      best = rate;
#pragma GCC unroll 24
    for (int i = 0; i < kAccumulators; ++i)
      keep += sums[i][0];
  }
  printf("%.1f\n", best);
}
