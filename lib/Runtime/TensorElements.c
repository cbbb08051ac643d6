/*===- TensorElements.c - Elements of tensors, one by one ----------------------------===*
 *
 * In: a tensor of any layout. Out: its elements as numbers, or all of them densely.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <string.h>

static const ptc_dtype_names kTypes[] = {
    {kDLUInt, 8, "uint8", "u1"},     {kDLInt, 8, "int8", "i1"},
    {kDLInt, 16, "int16", "i2"},     {kDLInt, 32, "int32", "i4"},
    {kDLInt, 64, "int64", "i8"},     {kDLFloat, 16, "float16", "f2"},
    {kDLFloat, 32, "float32", "f4"}, {kDLFloat, 64, "float64", "f8"},
    {kDLBfloat, 16, "bfloat16", ""}, {kDLComplex, 64, "complex64", "c8"},
    {kDLBool, 8, "bool", "b1"},      {kDLComplex, 128, "complex128", "c16"}};

const ptc_dtype_names *ptc_dtype_of(DLDataType dtype) {
  for (size_t i = 0; i < sizeof kTypes / sizeof *kTypes; ++i)
    if (kTypes[i].code == dtype.code && kTypes[i].bits == dtype.bits && dtype.lanes == 1)
      return &kTypes[i];
  return NULL;
}

const ptc_dtype_names *ptc_dtype_of_npy(const char *code, size_t length) {
  for (size_t i = 0; i < sizeof kTypes / sizeof *kTypes; ++i)
    if (length && strlen(kTypes[i].npy) == length && memcmp(kTypes[i].npy, code, length) == 0)
      return &kTypes[i];
  return NULL;
}

static const unsigned char *element_at(const DLTensor *t, const int64_t *index) {
  const unsigned char *at = (const unsigned char *)t->data + t->byte_offset;
  for (int32_t d = 0; d < t->ndim; ++d)
    at += index[d] * ptc_stride_of(t, d) * (t->dtype.bits / 8);
  return at;
}

static double real_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double real_of_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) /* infinity and NaN */
    return real_of_bits(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude < 0x400) /* subnormal: a multiple of 2^-24 */
    return (sign ? -1.0 : 1.0) * (double)magnitude * 0x1p-24;
  return real_of_bits(sign | ((magnitude << 13) + 0x38000000));
}

/* A float of `bits` bits. */
static double read_real(const unsigned char *at, uint32_t bits, bool is_bfloat) {
  uint16_t half;
  float single;
  double whole;
  switch (bits) {
  case 16:
    memcpy(&half, at, sizeof half);
    return is_bfloat ? real_of_bits((uint32_t)half << 16) : real_of_half(half);
  case 32:
    memcpy(&single, at, sizeof single);
    return single;
  default:
    memcpy(&whole, at, sizeof whole);
    return whole;
  }
}

double ptc_real_element(const DLTensor *t, const int64_t *index, bool imaginary) {
  const unsigned char *at = element_at(t, index);
  if (t->dtype.code != kDLComplex)
    return read_real(at, t->dtype.bits, t->dtype.code == kDLBfloat);
  uint32_t half = t->dtype.bits / 2u;
  return read_real(imaginary ? at + half / 8 : at, half, false);
}

int64_t ptc_int_element(const DLTensor *t, const int64_t *index) {
  const unsigned char *at = element_at(t, index);
  int16_t small;
  int32_t middle;
  int64_t large;
  switch (t->dtype.bits) {
  case 8:
    return t->dtype.code == kDLInt ? (int64_t)(int8_t)*at : (int64_t)*at;
  case 16:
    memcpy(&small, at, sizeof small);
    return small;
  case 32:
    memcpy(&middle, at, sizeof middle);
    return middle;
  default:
    memcpy(&large, at, sizeof large);
    return large;
  }
}

int64_t ptc_num_elements(const DLTensor *t) {
  int64_t n = 1;
  for (int32_t d = 0; d < t->ndim; ++d)
    n *= t->shape[d];
  return n;
}

void ptc_copy_dense(const DLTensor *t, unsigned char *out) {
  int64_t index[PTC_MAX_SHOWN_RANK] = {0};
  size_t bytes = t->dtype.bits / 8u;
  for (int64_t n = ptc_num_elements(t); n > 0; --n, out += bytes) {
    memcpy(out, element_at(t, index), bytes);
    for (int32_t d = t->ndim - 1; d >= 0 && ++index[d] == t->shape[d]; --d)
      index[d] = 0;
  }
}
