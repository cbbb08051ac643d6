// peak.c - Prints how many billions of floating-point operations a second one core does in
// multiply-adds of f32 that wait for nothing: 24 accumulators in registers; the median of 31
// rounds, each about as long as a product of matrices takes, and the best one. Build with `cc -O3
// -march=native`.
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
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

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { kRounds = 31, kTurns = 500000 };
  const double lanes = sizeof(Vector) / sizeof(float);
  double rates[kRounds];
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
    rates[round] = (double)kTurns * kAccumulators * lanes * 2 / (now() - begin) / 1e9;
#pragma GCC unroll 24
    for (int i = 0; i < kAccumulators; ++i)
      keep += sums[i][0];
  }
  qsort(rates, kRounds, sizeof(double), compare);
  printf("%.1f %.1f\n", rates[kRounds / 2], rates[kRounds - 1]);
}
