/*===- Random.c - mt19937, as torch's generator on the CPU --------------------------===*
 *
 * In: a seed. Out: 32 random bits at a time. Source: Matsumoto and Nishimura 1998; the seed is cut
 * to 32 bits as at::CPUGeneratorImpl does.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#define SHIFT 397u

void ptc_generator_seed(ptc_generator *generator, uint64_t seed) {
  uint32_t *words = generator->words;
  words[0] = (uint32_t)seed;
  for (uint32_t i = 1; i < PTC_MT_WORDS; ++i)
    words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
  generator->next = PTC_MT_WORDS;
  generator->has_normal = false;
  generator->seed = seed;
  generator->offset = 0;
}

static uint32_t twist(uint32_t high, uint32_t low) {
  return (((high & 0x80000000u) | (low & 0x7fffffffu)) >> 1) ^ (low & 1 ? 0x9908b0dfu : 0);
}

static void refill(ptc_generator *generator) {
  uint32_t *words = generator->words;
  for (uint32_t i = 0; i < PTC_MT_WORDS; ++i)
    words[i] = words[(i + SHIFT) % PTC_MT_WORDS] ^ twist(words[i], words[(i + 1) % PTC_MT_WORDS]);
  generator->next = 0;
}

uint32_t ptc_generator_next(ptc_generator *generator) {
  if (generator->next == PTC_MT_WORDS)
    refill(generator);
  uint32_t bits = generator->words[generator->next++];
  bits ^= bits >> 11;
  bits ^= (bits << 7) & 0x9d2c5680u;
  bits ^= (bits << 15) & 0xefc60000u;
  return bits ^ (bits >> 18);
}
