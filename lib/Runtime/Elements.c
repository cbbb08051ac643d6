/*===- Elements.c - Results that are as long as data say -----------------------------===*
 *
 * In: elements and where they lie. Out: how many are not 0, where these are, what a mask selects;
 * in row-major order of the places, as eager gives them.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <string.h>

static uint64_t bytes_of(DLDataType type) { return (type.bits + 7u) / 8u; }

static bool any_bit(const unsigned char *at, uint64_t bytes) {
  unsigned char bits = 0;
  for (uint64_t i = 0; i < bytes; ++i)
    bits |= at[i];
  return bits != 0;
}

/* Zeros of floats have a sign. */
static bool is_nonzero(const unsigned char *at, DLDataType type) {
  uint64_t bytes = bytes_of(type);
  if (type.code == kDLComplex) {
    DLDataType part = {kDLFloat, (uint8_t)(type.bits / 2), 1};
    return is_nonzero(at, part) || is_nonzero(at + bytes / 2, part);
  }
  if (type.code != kDLFloat && type.code != kDLBfloat)
    return any_bit(at, bytes);
  return any_bit(at, bytes - 1) || (at[bytes - 1] & 0x7f) != 0;
}

/* A place of a tensor, and how far its element is from the first one. */
typedef struct {
  int64_t index[PTC_MAX_RANK];
  int64_t offset;
} place;

static bool begin(const ptc_shape *shape, place *at) {
  memset(at, 0, sizeof *at);
  for (int32_t d = 0; d < shape->rank; ++d)
    if (shape->sizes[d] == 0)
      return false;
  return true;
}

/* false: that was the last one. */
static bool next(const ptc_shape *shape, place *at) {
  for (int32_t d = shape->rank - 1; d >= 0; --d) {
    at->offset += shape->strides[d];
    if (++at->index[d] < shape->sizes[d])
      return true;
    at->offset -= shape->strides[d] * shape->sizes[d];
    at->index[d] = 0;
  }
  return false;
}

static const unsigned char *element(const void *data, const ptc_shape *shape, const place *at) {
  return (const unsigned char *)data + at->offset * (int64_t)bytes_of(shape->dtype);
}

int64_t ptc_count_nonzero(ptc_frame *frame, const void *data, const ptc_shape *shape) {
  (void)frame; /* a device needs it */
  int64_t count = 0;
  place at;
  bool more = begin(shape, &at);
  for (; more; more = next(shape, &at))
    count += is_nonzero(element(data, shape, &at), shape->dtype);
  return count;
}

void ptc_put_nonzero(ptc_frame *frame, const void *data, const ptc_shape *shape, int64_t *places,
                     int64_t count) {
  (void)frame; /* a device needs it */
  place at;
  bool more = begin(shape, &at);
  for (int64_t row = 0; more && row < count; more = next(shape, &at)) {
    if (!is_nonzero(element(data, shape, &at), shape->dtype))
      continue;
    for (int32_t d = 0; d < shape->rank; ++d)
      places[d * count + row] = at.index[d];
    ++row;
  }
}

void ptc_masked_select(ptc_frame *frame, const void *data, const ptc_shape *shape, const void *mask,
                       const ptc_shape *mask_shape, void *out) {
  (void)frame; /* a device needs it */
  uint64_t bytes = bytes_of(shape->dtype);
  unsigned char *to = out;
  place at, flag;
  bool more = begin(shape, &at) && begin(mask_shape, &flag);
  for (; more; more = next(shape, &at) && next(mask_shape, &flag))
    if (is_nonzero(element(mask, mask_shape, &flag), mask_shape->dtype)) {
      memcpy(to, element(data, shape, &at), bytes);
      to += bytes;
    }
}
