/*===- Arguments.c - What callers give -------------------------------------------------===*
 *
 * In: what functions of the interface get from their callers. Out: why it cannot be taken, or null.
 * What a tensor or another leaf is of, the guards say; here it is whether it is one at all. Nothing
 * is read behind a pointer that is null or not aligned, nor behind a count that is none.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

/* No process has more memory; with five levels of pages there are 57 bits. */
#define MOST_BYTES (INT64_C(1) << 57)
/* Later versions of ptc_options are no longer than that. */
#define MOST_OPTIONS 4096u

/* Whether 64-bit numbers can lie at an address. */
static bool is_aligned(const void *pointer) { return ((uintptr_t)pointer & 7u) == 0; }

/* From the first element to the last: false if that is more than there can be. `*has_elements`: no
   size is 0. */
static bool has_extent(const DLTensor *t, bool *has_elements) {
  int64_t reach = 0, dense = 1, step;
  bool fits = true;
  for (int32_t d = t->ndim - 1; d >= 0; --d) {
    int64_t last = t->shape[d] - 1;
    if (last < 0) {
      *has_elements = false;
      return true;
    }
    fits &= !__builtin_mul_overflow(last, t->strides ? t->strides[d] : dense, &step);
    fits &= step != INT64_MIN && !__builtin_add_overflow(reach, step < 0 ? -step : step, &reach);
    if (!t->strides)
      fits &= !__builtin_mul_overflow(dense, t->shape[d], &dense);
  }
  int64_t bytes = ((int64_t)t->dtype.bits * t->dtype.lanes + 7) / 8;
  *has_elements = true;
  return fits && !__builtin_mul_overflow(reach, bytes, &reach) && reach < MOST_BYTES &&
         t->byte_offset < (uint64_t)MOST_BYTES;
}

const char *ptc_wrong_of_tensor(const DLTensor *t) {
  if (!ptc_is_object(t))
    return t ? "whose description is not aligned" : "without a description";
  if (t->ndim < 0 || t->ndim > PTC_MAX_SHOWN_RANK)
    return "whose number of dimensions is not from 0 to 64";
  if (t->ndim && !t->shape)
    return "without sizes";
  if (!is_aligned(t->shape) || !is_aligned(t->strides))
    return "whose sizes or strides are not aligned";
  for (int32_t d = 0; d < t->ndim; ++d)
    if (t->shape[d] < 0)
      return "with a negative size";
  bool has_elements;
  if (!has_extent(t, &has_elements))
    return "larger than memory can be";
  return has_elements && !t->data ? "without memory" : NULL;
}

const char *ptc_wrong_of_input(const ptc_value *value) {
  if (value->tag == ptc_tag_Tensor)
    return ptc_wrong_of_tensor(value->as.tensor);
  bool is_str = value->tag == ptc_tag_Str;
  return is_str && value->as.str.length && !value->as.str.data ? "without a text" : NULL;
}

const char *ptc_wrong_of_output(ptc_value *value) {
  const DLTensor *t = value->as.tensor;
  if (value->tag != ptc_tag_Tensor)
    return NULL;
  if (t && (!is_aligned(t) || t->data))
    return ptc_wrong_of_tensor(t);
  *value = ptc_of_none();
  return NULL;
}

/* 0.2 ended here. */
#define FIRST_OPTIONS offsetof(ptc_options, check_weights)

const char *ptc_read_options(const ptc_options *given, ptc_options *options) {
  static const ptc_options none = {0};
  *options = none;
  options->size = sizeof *options;
  if (!given)
    return NULL;
  if (!ptc_is_object(given))
    return "the options are not aligned";
  if (given->size < FIRST_OPTIONS || given->size > MOST_OPTIONS)
    return "the options do not have a size of theirs";
  memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
  options->size = sizeof *options;
  if (options->text && options->text_bytes)
    options->text[0] = 0;
  for (uint32_t i = sizeof *options; i < given->size; ++i)
    if (((const unsigned char *)given)[i])
      return "the options ask for what this version does not know";
  if (options->check_weights > ptc_check_never || options->reserved)
    return "the options ask for what this version does not know";
  return NULL;
}
