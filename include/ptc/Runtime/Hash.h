/*===- Hash.h - XXH64 ------------------------------------------------------*- C -*-===*
 *
 * The hash by which weights are compared, when they are compiled and when they are opened.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_HASH_H
#define PTC_RUNTIME_HASH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of bytes that come in pieces. */
typedef struct ptc_hash {
  uint64_t lanes[4], bytes;
  unsigned char rest[32];
} ptc_hash;

void ptc_hash_begin(ptc_hash *hash);
void ptc_hash_add(ptc_hash *hash, const void *data, uint64_t bytes);
uint64_t ptc_hash_end(const ptc_hash *hash);

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_HASH_H */
