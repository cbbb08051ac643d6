/*===- Draw.c - Random tensors --------------------------------------------------------===*
 *
 * In: a generator, a distribution, dense memory. Out: the numbers that eager's CPU kernels draw
 * (ATen/native/cpu/DistributionTemplates.h, ATen/core/DistributionsHelper.h), in order of memory.
 * Eager's code for AVX2 and AVX-512 scales and shifts them by one rounded operation.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <math.h>
#include <string.h>

#define PI 3.1415926535897932384626433832795
#define TWO_PI 6.283185307179586476925286766559

static uint64_t next64(ptc_generator *generator) {
  uint64_t high = ptc_generator_next(generator);
  return high << 32 | ptc_generator_next(generator);
}

/* As many bits as the significand has, in [0, 1). */
static double unit64(ptc_generator *generator) {
  return (double)(next64(generator) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}
static float unit32(ptc_generator *generator) {
  return (float)(ptc_generator_next(generator) & ((1u << 24) - 1)) * 0x1p-24f;
}

/* Pairs; the second number is kept for the next call. */
static double normal(ptc_generator *generator, double mean, double deviation) {
  if (generator->has_normal) {
    generator->has_normal = false;
    return fma(generator->normal, deviation, mean);
  }
  double u1 = unit64(generator), u2 = unit64(generator);
  double radius = sqrt(-2 * log1p(-u2)), theta = TWO_PI * u1;
  generator->normal = radius * sin(theta);
  generator->has_normal = true;
  return fma(radius * cos(theta), deviation, mean);
}

/* Box-Muller on 16 uniform numbers. */
static void pairs64(double *data, double mean, double deviation) {
  for (int j = 0; j < 8; ++j) {
    double u1 = 1 - data[j], u2 = data[j + 8];
    double radius = sqrt(-2 * log(u1)), theta = TWO_PI * u2;
    data[j] = fma(radius * cos(theta), deviation, mean);
    data[j + 8] = fma(radius * sin(theta), deviation, mean);
  }
}
static void pairs32(float *data, float mean, float deviation) {
  for (int j = 0; j < 8; ++j) {
    float u1 = 1 - data[j], u2 = data[j + 8];
    float radius = sqrtf(-2 * logf(u1)), theta = (float)TWO_PI * u2;
    data[j] = fmaf(radius * cosf(theta), deviation, mean);
    data[j + 8] = fmaf(radius * sinf(theta), deviation, mean);
  }
}

static void draw_into64(ptc_generator *generator, double *data, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    data[i] = unit64(generator);
}
static void draw_into32(ptc_generator *generator, float *data, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    data[i] = unit32(generator);
}

/* Uniform numbers for all elements, then blocks of 16; a last block that is not whole is drawn
   again, over the end of the one before. */
static void normals64(ptc_generator *generator, double *data, int64_t n, const ptc_draw *what) {
  draw_into64(generator, data, n);
  for (int64_t i = 0; i + 15 < n; i += 16)
    pairs64(data + i, what->first.real, what->second.real);
  if (n % 16) {
    draw_into64(generator, data + n - 16, 16);
    pairs64(data + n - 16, what->first.real, what->second.real);
  }
}
static void normals32(ptc_generator *generator, float *data, int64_t n, const ptc_draw *what) {
  float mean = (float)what->first.real, deviation = (float)what->second.real;
  draw_into32(generator, data, n);
  for (int64_t i = 0; i + 15 < n; i += 16)
    pairs32(data + i, mean, deviation);
  if (n % 16) {
    draw_into32(generator, data + n - 16, 16);
    pairs32(data + n - 16, mean, deviation);
  }
}

static bool is_row_major(const ptc_shape *shape) {
  int64_t dense = 1;
  for (int32_t d = shape->rank - 1; d >= 0; --d) {
    if (shape->sizes[d] != 1 && shape->strides[d] != dense)
      return false;
    dense *= shape->sizes[d];
  }
  return true;
}

static void put_int(void *data, DLDataType type, int64_t i, int64_t value) {
  if (type.code == kDLFloat) {
    if (type.bits == 64)
      ((double *)data)[i] = (double)value;
    else
      ((float *)data)[i] = (float)value;
    return;
  }
  uint32_t bytes = (type.bits + 7u) / 8u;
  memcpy((unsigned char *)data + i * bytes, &value, bytes); /* the low bytes come first */
}

static void integers(ptc_generator *generator, const ptc_draw *what, void *data, DLDataType type,
                     int64_t n) {
  uint64_t range = (uint64_t)what->second.integer;
  bool is_wide = range == 0 || range >= UINT64_C(1) << 28;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = is_wide ? next64(generator) : ptc_generator_next(generator);
    put_int(data, type, i,
            (int64_t)((range ? bits % range : bits) + (uint64_t)what->first.integer));
  }
}

static void all_integers(ptc_generator *generator, const ptc_draw *what, void *data,
                         DLDataType type, int64_t n) {
  uint64_t range = (uint64_t)what->first.integer;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = type.bits == 64 ? next64(generator) : ptc_generator_next(generator);
    put_int(data, type, i, (int64_t)(bits % range));
  }
}

static int64_t get_int(const void *data, uint32_t bytes, int64_t i) {
  int64_t value = 0;
  memcpy(&value, (const unsigned char *)data + i * bytes, bytes);
  return value;
}

/* Fisher and Yates. */
static void permutation(ptc_generator *generator, void *data, DLDataType type, int64_t n) {
  uint32_t bytes = (type.bits + 7u) / 8u;
  for (int64_t i = 0; i < n; ++i)
    put_int(data, type, i, i);
  for (int64_t i = 0; i + 1 < n; ++i) {
    int64_t other = i + (int64_t)(ptc_generator_next(generator) % (uint64_t)(n - i));
    if (type.code == kDLFloat) {
      double from = type.bits == 64 ? ((double *)data)[i] : ((float *)data)[i];
      double to = type.bits == 64 ? ((double *)data)[other] : ((float *)data)[other];
      put_int(data, type, i, (int64_t)to);
      put_int(data, type, other, (int64_t)from);
      continue;
    }
    int64_t kept = get_int(data, bytes, i);
    put_int(data, type, i, get_int(data, bytes, other));
    put_int(data, type, other, kept);
  }
}

/* As x86 converts: what does not fit is the least integer, of 32 bits for narrow types. */
static int64_t to_int(double value, DLDataType type) {
  if (type.bits == 64)
    return fabs(value) < 0x1p63 ? (int64_t)value : INT64_MIN;
  return fabs(value) < 0x1p31 ? (int64_t)value : INT32_MIN;
}

static void put_real(void *data, DLDataType type, int64_t i, double value) {
  if (type.code != kDLFloat)
    put_int(data, type, i, to_int(value, type));
  else if (type.bits == 64)
    ((double *)data)[i] = value;
  else
    ((float *)data)[i] = (float)value;
}

/* One number of a distribution that is drawn in double precision. */
static double real_number(ptc_generator *generator, const ptc_draw *what) {
  double first = what->first.real, second = what->second.real;
  switch ((ptc_draw_kind)what->kind) {
  case ptc_draw_Exponential:
    return -1 / first * log1p(-unit64(generator));
  case ptc_draw_Cauchy:
    return fma(second, tan(PI * (unit64(generator) - 0.5)), first);
  case ptc_draw_Geometric:
    return ceil(log(unit64(generator)) / log1p(-first));
  case ptc_draw_LogNormal:
    return exp(normal(generator, first, second));
  case ptc_draw_Uniform:
  case ptc_draw_Normal:
  case ptc_draw_NormalPairs:
  case ptc_draw_Integers:
  case ptc_draw_All:
  case ptc_draw_Permutation:
  case ptc_draw_Bernoulli:
  case ptc_draw_Dropout:
    break;
  }
  return 0; /* these have loops of their own */
}

static void normals(ptc_generator *generator, const ptc_draw *what, void *data,
                    const ptc_shape *shape, int64_t n) {
  bool wide = shape->dtype.bits == 64;
  if (what->kind == ptc_draw_Normal && n >= 16 && is_row_major(shape)) {
    if (wide)
      normals64(generator, data, n, what);
    else
      normals32(generator, data, n, what);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    put_real(data, shape->dtype, i, normal(generator, what->first.real, what->second.real));
}

static void uniforms(ptc_generator *generator, const ptc_draw *what, void *data,
                     const ptc_shape *shape, int64_t n) {
  double from = what->first.real, to = what->second.real;
  bool is_scaled = from != 0 || to != 1;
  float from32 = (float)from, range32 = (float)to - from32;
  for (int64_t i = 0; i < n; ++i)
    if (shape->dtype.bits == 64) {
      double x = unit64(generator);
      ((double *)data)[i] = is_scaled ? fma(x, to - from, from) : x;
    } else {
      float x = unit32(generator);
      ((float *)data)[i] = is_scaled ? fmaf(x, range32, from32) : x;
    }
}

void ptc_draw_into(ptc_generator *generator, const ptc_draw *what, void *data,
                   const ptc_shape *shape) {
  int64_t n = 1;
  for (int32_t d = 0; d < shape->rank; ++d)
    n *= shape->sizes[d];
  switch ((ptc_draw_kind)what->kind) {
  case ptc_draw_Uniform:
    uniforms(generator, what, data, shape, n);
    return;
  case ptc_draw_Normal:
  case ptc_draw_NormalPairs:
    normals(generator, what, data, shape, n);
    return;
  case ptc_draw_Integers:
    integers(generator, what, data, shape->dtype, n);
    return;
  case ptc_draw_All:
    all_integers(generator, what, data, shape->dtype, n);
    return;
  case ptc_draw_Permutation:
    permutation(generator, data, shape->dtype, n);
    return;
  case ptc_draw_Exponential:
  case ptc_draw_Cauchy:
  case ptc_draw_Geometric:
  case ptc_draw_LogNormal:
    for (int64_t i = 0; i < n; ++i)
      put_real(data, shape->dtype, i, real_number(generator, what));
    return;
  case ptc_draw_Bernoulli:
    for (int64_t i = 0; i < n; ++i)
      put_int(data, shape->dtype, i, unit64(generator) < what->first.real);
    return;
  case ptc_draw_Dropout: /* programs for the host do not have it */
    return;
  }
}
