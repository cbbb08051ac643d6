/*===- Hash.c - XXH64 ---------------------------------------------------------------------===*
 *
 * In: bytes, in pieces. Out: their 64-bit hash as the specification of xxHash defines it (XXH64,
 * seed 0; https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md): weights are compared by
 * it.
 *
 *===----------------------------------------------------------------------------===*/
#include "ptc/Runtime/Hash.h"

#include <string.h>

#define PRIME1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME3 UINT64_C(0x165667B19E3779F9)
#define PRIME4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME5 UINT64_C(0x27D4EB2F165667C5)
#define STRIPE sizeof((ptc_hash *)0)->rest

static uint64_t rotate(uint64_t value, int by) { return value << by | value >> (64 - by); }

static uint64_t read64(const unsigned char *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static uint64_t step(uint64_t lane, uint64_t word) {
  return rotate(lane + word * PRIME2, 31) * PRIME1;
}

static uint64_t merge(uint64_t hash, uint64_t lane) {
  return (hash ^ step(0, lane)) * PRIME1 + PRIME4;
}

/* Whole stripes: of each, a word for every lane. */
static void add_stripes(ptc_hash *hash, const unsigned char *at, uint64_t stripes) {
  uint64_t a = hash->lanes[0], b = hash->lanes[1], c = hash->lanes[2], d = hash->lanes[3];
  for (; stripes; --stripes, at += STRIPE) {
    a = step(a, read64(at));
    b = step(b, read64(at + 8));
    c = step(c, read64(at + 16));
    d = step(d, read64(at + 24));
  }
  hash->lanes[0] = a;
  hash->lanes[1] = b;
  hash->lanes[2] = c;
  hash->lanes[3] = d;
}

void ptc_hash_begin(ptc_hash *hash) {
  ptc_hash empty = {{PRIME1 + PRIME2, PRIME2, 0, 0 - PRIME1}, 0, {0}};
  *hash = empty;
}

void ptc_hash_add(ptc_hash *hash, const void *data, uint64_t bytes) {
  const unsigned char *at = data;
  uint64_t have = hash->bytes % STRIPE, room = STRIPE - have;
  hash->bytes += bytes;
  if (have) {
    uint64_t part = bytes < room ? bytes : room;
    memcpy(hash->rest + have, at, part);
    if (part < room)
      return;
    add_stripes(hash, hash->rest, 1);
    at += part;
    bytes -= part;
  }
  add_stripes(hash, at, bytes / STRIPE);
  if (bytes % STRIPE)
    memcpy(hash->rest, at + bytes / STRIPE * STRIPE, bytes % STRIPE);
}

uint64_t ptc_hash_end(const ptc_hash *hash) {
  const uint64_t *lanes = hash->lanes;
  uint64_t sum = lanes[2] + PRIME5;
  if (hash->bytes >= STRIPE) {
    sum = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
    for (int i = 0; i < 4; ++i)
      sum = merge(sum, lanes[i]);
  }
  sum += hash->bytes;
  const unsigned char *at = hash->rest, *end = at + hash->bytes % STRIPE;
  for (; end - at >= 8; at += 8)
    sum = rotate(sum ^ step(0, read64(at)), 27) * PRIME1 + PRIME4;
  if (end - at >= 4) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    sum = rotate(sum ^ word * PRIME1, 23) * PRIME2 + PRIME3;
    at += 4;
  }
  for (; at != end; ++at)
    sum = rotate(sum ^ *at * PRIME5, 11) * PRIME1;
  sum = (sum ^ sum >> 33) * PRIME2;
  sum = (sum ^ sum >> 29) * PRIME3;
  return sum ^ sum >> 32;
}
