/*===- Oracle.h - LibTorch's dispatcher behind a C interface ------*- C -*-===*\
|*
|* What libptc_oracle.so exports: any ATen overload by name on tagged values. No type of LibTorch
|* appears here, no exception crosses, and every pointer that goes in is only read during the call,
|* except that a tensor result may view a tensor argument's storage: keep arguments alive until
|* the result is released. Calls are not thread-safe.
|*
\*===----------------------------------------------------------------------===*/
#ifndef PTC_ORACLE_ORACLE_H
#define PTC_ORACLE_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PTC_ORACLE_VERSION = 1 };

typedef enum ptc_oracle_tag {
  PTC_ORACLE_NONE,
  PTC_ORACLE_BOOL,          /* i */
  PTC_ORACLE_INT,           /* i */
  PTC_ORACLE_FLOAT,         /* f */
  PTC_ORACLE_COMPLEX,       /* f, imaginary */
  PTC_ORACLE_STRING,        /* text, count bytes */
  PTC_ORACLE_DTYPE,         /* i: c10::ScalarType */
  PTC_ORACLE_DEVICE,        /* i: c10::DeviceType, count: index + 1 */
  PTC_ORACLE_LAYOUT,        /* i: c10::Layout */
  PTC_ORACLE_MEMORY_FORMAT, /* i: c10::MemoryFormat */
  PTC_ORACLE_GENERATOR,     /* the default CPU generator */
  PTC_ORACLE_LIST,          /* items, count */
  PTC_ORACLE_TENSOR         /* tensor */
} ptc_oracle_tag;

/* A strided tensor; sizes, strides and offset count elements. */
typedef struct ptc_oracle_tensor {
  void *storage;
  size_t storage_bytes;
  int64_t offset;
  int64_t dim;
  const int64_t *sizes;
  const int64_t *strides;
  int32_t dtype; /* c10::ScalarType */
} ptc_oracle_tensor;

typedef struct ptc_oracle_value {
  ptc_oracle_tag tag;
  int64_t i;
  double f;
  double imaginary;
  size_t count;
  const char *text;
  const struct ptc_oracle_value *items;
  ptc_oracle_tensor tensor;
} ptc_oracle_value;

/* The results of a call, or the exception it raised. Owns all it points to. */
typedef struct ptc_oracle_result {
  const ptc_oracle_value *values;
  size_t count;
  const char *error_class; /* null: no error; else the Python class, "IndexError" */
  const char *error_text;
} ptc_oracle_result;

typedef struct ptc_oracle_api {
  int32_t version;
  const char *torch_version;
  /* The schema of `aten::<name>.<overload>` as text, null if there is no such overload; stays
     valid until the next call of this function. */
  const char *(*schema)(const char *name, const char *overload);
  /* One value per schema argument; a number may stand for a tensor. Never null. */
  ptc_oracle_result *(*call)(const char *name, const char *overload, const ptc_oracle_value *args,
                             size_t count);
  void (*release)(ptc_oracle_result *result);
  /* Seeds the default CPU generator. */
  void (*manual_seed)(uint64_t seed);
  void (*set_num_threads)(int32_t count);
} ptc_oracle_api;

/* The one exported symbol. */
const ptc_oracle_api *ptc_oracle_v1(void);

#ifdef __cplusplus
}
#endif

#endif /* PTC_ORACLE_ORACLE_H */
