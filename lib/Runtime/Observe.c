/*===- Observe.c - The observables of a call: the cold path -------------------------===*
 *
 * In: a call that no variant fits. Out: the values that its guards look at, as lib/Symbolic's
 * Observation::read gives them; generated code reads the same leaves on the fast path.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <string.h>

static bool is_empty(const DLTensor *t) {
  for (int32_t d = 0; d < t->ndim; ++d)
    if (t->shape[d] == 0)
      return true;
  return false;
}

int64_t ptc_stride_of(const DLTensor *t, int64_t dimension) {
  if (t->strides)
    return t->strides[dimension];
  int64_t stride = 1;
  for (int32_t d = t->ndim - 1; d > dimension; --d)
    stride *= t->shape[d] > 1 ? t->shape[d] : 1;
  return stride;
}

static uintptr_t address_of(const DLTensor *t) { return (uintptr_t)t->data + t->byte_offset; }

bool ptc_extent(const DLTensor *t, uintptr_t *begin, uintptr_t *end) {
  if (is_empty(t))
    return false;
  int64_t first = 0, last = 0, bytes = (t->dtype.bits * t->dtype.lanes + 7) / 8;
  for (int32_t d = 0; d < t->ndim; ++d) {
    int64_t reach = (t->shape[d] - 1) * ptc_stride_of(t, d);
    *(reach < 0 ? &first : &last) += reach;
  }
  *begin = address_of(t) + (uintptr_t)(first * bytes);
  *end = address_of(t) + (uintptr_t)((last + 1) * bytes);
  return true;
}

static bool overlap(const DLTensor *a, const DLTensor *b) {
  uintptr_t begin_a, end_a, begin_b, end_b;
  return ptc_extent(a, &begin_a, &end_a) && ptc_extent(b, &begin_b, &end_b) && begin_a < end_b &&
         begin_b < end_a;
}

/* Whether a tensor is dense in an order of dimensions, outermost first, 4 bits each. */
static bool is_dense(const DLTensor *t, int64_t order) {
  if (t->ndim > 16)
    return false;
  bool empty = is_empty(t);
  int64_t expected = 1;
  for (int32_t i = t->ndim - 1; i >= 0; --i) {
    int64_t d = (int64_t)((uint64_t)order >> (4 * i)) & 15;
    if (d >= t->ndim)
      return false;
    if (empty || t->shape[d] == 1)
      continue;
    if (ptc_stride_of(t, d) != expected || __builtin_mul_overflow(expected, t->shape[d], &expected))
      return false;
  }
  return true;
}

static bool compare(double value, uint32_t op, int64_t bits) {
  double constant;
  memcpy(&constant, &bits, sizeof constant);
  switch (op) {
  case PTC_FLOAT_EQ:
    return value == constant;
  case PTC_FLOAT_NE:
    return value != constant;
  case PTC_FLOAT_LT:
    return value < constant;
  case PTC_FLOAT_LE:
    return value <= constant;
  case PTC_FLOAT_GT:
    return value > constant;
  default:
    return value >= constant;
  }
}

static int64_t string_number(const ptc_entry *entry, const ptc_value *value) {
  for (uint32_t i = 0; i < entry->num_strings; ++i)
    if (entry->strings[i].length == value->as.str.length &&
        (!value->as.str.length ||
         memcmp(entry->strings[i].data, value->as.str.data, value->as.str.length) == 0))
      return i;
  return -1;
}

static bool read_tensor(const ptc_source *source, const ptc_frame *frame, const DLTensor *t,
                        const ptc_value *value, int64_t *out) {
  const ptc_value *other = &frame->inputs[source->other];
  uint32_t type;
  switch ((ptc_observable_kind)source->kind) {
  case ptc_observable_Rank:
    *out = t->ndim;
    return true;
  case ptc_observable_DType:
    memcpy(&type, &t->dtype, sizeof type);
    *out = type;
    return true;
  case ptc_observable_Device:
    *out = (int64_t)t->device.device_type << 32 | (uint32_t)t->device.device_id;
    return true;
  case ptc_observable_RequiresGrad:
    *out = value->requires_grad != 0;
    return true;
  case ptc_observable_Size:
    *out = source->index < t->ndim ? t->shape[source->index] : 0;
    return source->index < t->ndim;
  case ptc_observable_Stride:
    *out = source->index < t->ndim ? ptc_stride_of(t, source->index) : 0;
    return source->index < t->ndim;
  case ptc_observable_StorageOffset:
    *out = (int64_t)(t->byte_offset / ((t->dtype.bits * t->dtype.lanes + 7u) / 8u));
    return true;
  case ptc_observable_Alignment:
    *out = (int64_t)(address_of(t) % 64);
    return true;
  case ptc_observable_Dense:
    *out = is_dense(t, source->index);
    return true;
  case ptc_observable_Overlap:
    *out = other->tag == ptc_tag_Tensor && overlap(t, other->as.tensor);
    return other->tag == ptc_tag_Tensor;
  default:
    return false;
  }
}

static bool read_leaf(const ptc_entry *entry, const ptc_source *source, const ptc_frame *frame,
                      int64_t *out) {
  const ptc_value *value = &frame->inputs[source->leaf];
  uint32_t type;
  switch ((ptc_observable_kind)source->kind) {
  case ptc_observable_Tag:
    *out = value->tag;
    return true;
  case ptc_observable_Value:
    *out = value->as.integer;
    return value->tag == ptc_tag_Int;
  case ptc_observable_BoolValue:
    *out = value->as.integer != 0;
    return value->tag == ptc_tag_Bool;
  case ptc_observable_StringValue:
    *out = value->tag == ptc_tag_Str ? string_number(entry, value) : 0;
    return value->tag == ptc_tag_Str;
  case ptc_observable_DTypeValue:
    memcpy(&type, &value->as.dtype, sizeof type);
    *out = type;
    return value->tag == ptc_tag_DType;
  case ptc_observable_DeviceValue:
    *out = (int64_t)value->as.device.device_type << 32 | (uint32_t)value->as.device.device_id;
    return value->tag == ptc_tag_Device;
  case ptc_observable_FloatBits:
    memcpy(out, &value->as.real, sizeof *out);
    return value->tag == ptc_tag_Float;
  case ptc_observable_FloatCompare:
    *out = compare(value->as.real, source->other, source->index);
    return value->tag == ptc_tag_Float;
  default:
    return value->tag == ptc_tag_Tensor && read_tensor(source, frame, value->as.tensor, value, out);
  }
}

static bool read_source(const ptc_entry *entry, const ptc_source *source, const ptc_frame *frame,
                        int64_t *out) {
  switch ((ptc_observable_kind)source->kind) {
  case ptc_observable_constant:
    *out = source->index;
    return true;
  case ptc_observable_absent:
    return false;
  case ptc_observable_GradMode:
    *out = frame->grad_mode;
    return true;
  default:
    return read_leaf(entry, source, frame, out);
  }
}

ptc_reading ptc_read(const ptc_entry *entry, uint32_t observable, const ptc_frame *frame) {
  ptc_reading reading = {0, 0};
  const ptc_source *source = &entry->structures[frame->structure].sources[observable];
  reading.present = read_source(entry, source, frame, &reading.value);
  return reading;
}

void ptc_observe(const ptc_entry *entry, const ptc_frame *frame, int64_t *values,
                 uint8_t *present) {
  for (uint32_t i = 0; i < entry->guards->num_observables; ++i) {
    ptc_reading reading = ptc_read(entry, i, frame);
    values[i] = reading.value;
    present[i] = reading.present != 0;
  }
}
