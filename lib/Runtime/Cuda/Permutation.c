/*===- Permutation.c - Permutations as eager makes them on a GPU -----------------------===*
 *
 * In: a generator, a count. Out: the numbers below it in the order of random keys, those with the
 * same key shuffled (ATen/native/cuda/Randperm.cu), and the generator behind it. Done on the host:
 * all of it is integer arithmetic.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

#include <string.h>

#define DIGIT 8 /* bits that a pass sorts by */

typedef struct {
  uint64_t key;
  int64_t number;
} keyed;

/* Four words: block `number` of a stream (philox4x32_10, Salmon et al. 2011). */
static void philox(uint64_t seed, uint64_t stream, uint64_t number, uint32_t words[4]) {
  uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  words[0] = (uint32_t)number;
  words[1] = (uint32_t)(number >> 32);
  words[2] = (uint32_t)stream;
  words[3] = (uint32_t)(stream >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t a = UINT64_C(0xD2511F53) * words[0], b = UINT64_C(0xCD9E8D57) * words[2];
    words[0] = (uint32_t)(b >> 32) ^ words[1] ^ key[0];
    words[1] = (uint32_t)b;
    words[2] = (uint32_t)(a >> 32) ^ words[3] ^ key[1];
    words[3] = (uint32_t)a;
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

/* Of keys: so many that equal ones are seldom. */
static uint32_t bits_for(uint64_t count) {
  double n = (double)count, pairs = n + (6 * n * n + 1) / 1.2643261878939154, most = 1;
  uint32_t bits = 0;
  for (; most < pairs; most *= 2)
    ++bits;
  return bits;
}

/* Draws of integers on the grid of eager's kernel, two of a block of words: from the least of 32 or
   64 bits up to the greatest, which is left out. */
static void draw_keys(const ptc_generator *generator, uint64_t threads, uint32_t bits, keyed *to,
                      uint64_t count) {
  uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t words[4], *two = words + 2 * (i / threads % 2);
    philox(generator->seed, i % threads, generator->offset / 4 + i / (2 * threads), words);
    uint64_t drawn = (uint64_t)two[0] << 32 | two[1];
    /* Keys of 32 bits are sorted with their sign. */
    uint64_t key = bits < 32    ? drawn % UINT32_MAX + UINT32_C(0x80000000)
                   : bits == 32 ? drawn % UINT32_MAX
                                : drawn % UINT64_MAX + (UINT64_C(1) << 63);
    to[i] = (keyed){key & mask, (int64_t)i};
  }
}

/* By the digit at `shift`; equal ones keep their order. */
static void sort_by(uint32_t shift, const keyed *from, keyed *to, uint64_t count) {
  uint64_t places[(1 << DIGIT) + 1] = {0};
  const uint64_t mask = (1 << DIGIT) - 1;
  for (uint64_t i = 0; i < count; ++i)
    ++places[(from[i].key >> shift & mask) + 1];
  for (uint32_t d = 0; d < 1 << DIGIT; ++d)
    places[d + 1] += places[d];
  for (uint64_t i = 0; i < count; ++i)
    to[places[from[i].key >> shift & mask]++] = from[i];
}

/* Numbers of the same key: Fisher and Yates, with the stream of the first place. */
static void shuffle(const ptc_generator *generator, keyed *order, uint64_t begin, uint64_t size) {
  uint32_t words[4], used = 0;
  for (uint64_t i = size - 1; i > 0; --i, ++used) {
    if (used % 4 == 0)
      philox(generator->seed, begin, generator->offset / 4 + used / 4, words);
    uint64_t other = words[used % 4] % (uint32_t)(i + 1);
    int64_t kept = order[begin + i].number;
    order[begin + i].number = order[begin + other].number;
    order[begin + other].number = kept;
  }
}

static void put(void *data, DLDataType type, uint64_t i, int64_t number) {
  if (type.code == kDLFloat && type.bits == 64)
    ((double *)data)[i] = (double)number;
  else if (type.code == kDLFloat)
    ((float *)data)[i] = (float)number;
  else /* the low bytes come first */
    memcpy((unsigned char *)data + i * ((type.bits + 7u) / 8), &number, (type.bits + 7u) / 8);
}

uint64_t ptc_cuda_permute_bytes(uint64_t count) { return 2 * count * sizeof(keyed); }

void ptc_cuda_permute(ptc_generator *generator, uint64_t threads, void *memory, DLDataType type,
                      void *data, uint64_t count) {
  uint32_t bits = bits_for(count);
  keyed *order = memory, *other = order + count;
  draw_keys(generator, threads, bits, order, count);
  generator->offset += 4 * ((count - 1) / (2 * threads) + 1);
  for (uint32_t shift = 0; shift < bits; shift += DIGIT) {
    sort_by(shift, order, other, count);
    keyed *sorted = other;
    other = order;
    order = sorted;
  }
  for (uint64_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && order[end].key == order[begin].key)
      ++end;
    shuffle(generator, order, begin, end - begin);
  }
  generator->offset += (count + 3) / 4 * 4;
  for (uint64_t i = 0; i < count; ++i)
    put(data, type, i, order[i].number);
}
